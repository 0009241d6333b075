#!/usr/bin/python3
"""Asking tables of Dou Shou Qi: published counts, positions, materials that share tables, what is missing."""
import atexit
import collections
import csv
import io
import json
import os
import re
import shlex
import shutil
import tempfile

import building
from building import LONG, Skip, environment, expect, run, run_cases

ORACLES = os.path.join(os.environ.get("TAULER_TESTS", "tests"), "oracles")
START = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w"
LION_BEFORE_ELEPHANT = "7/7/3e3/7/6L/7/7/7/7 w"

# Rules liacs, two pieces: value and depth (van Rijn & Vis).
POSITIONS = {
    "7/7/3e3/7/7/7/3E3/7/7 w": ("Ee", -1, 12),
    "t6/7/T6/7/7/7/7/7/7 w": ("Tt", 1, 19),
    "d6/7/7/7/7/7/5C1/7/7 w": ("Cd", 0, None),
    LION_BEFORE_ELEPHANT: ("Le", -1, 16),
}

SHARED = tempfile.mkdtemp(prefix="tauler-ask.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)


def db(rules, pieces):
    """A folder with the tables of so many pieces, built once."""
    folder = os.path.join(SHARED, f"{rules}-{pieces}")
    if not os.path.exists(folder):
        run("build", "doushouqi", "--rules", rules, "--pieces", str(pieces), "--quiet", "--db", folder)
    return folder


def ask(command, rules, folder, *options, **settings):
    return run(command, "doushouqi", "--rules", rules, "--db", folder, *options, **settings)


def probe(rules, folder, position, *options, **settings):
    return json.loads(ask("probe", rules, folder, "--json", position, *options, **settings).stdout)


def rows_of(text):
    """[(slice, {value: count})] in the order of the rows."""
    slices = collections.OrderedDict()
    for row in csv.DictReader(io.StringIO(text)):
        values = slices.setdefault(row["slice"], {})
        expect(row["value"] not in values, "two rows of", row)
        values[row["value"]] = int(row["count"])
    return slices


def oracle(name):
    with open(os.path.join(ORACLES, name), encoding="ascii") as file:
        return file.read()


def totals(rules, pieces):
    for row in csv.DictReader(io.StringIO(oracle("doushouqi-totals.csv"))):
        if row["rules"] == rules and int(row["pieces"]) == pieces:
            lost = int(row["losses"]) + int(row["stalemated"])
            longest = [int(row[name]) if row[name] else None for name in ("longest", "longest_win")]
            return {"1": int(row["wins"]), "0": int(row["draws"]), "-1": lost}, int(row["stalemated"]), longest
    raise ValueError(f"no totals of {rules} {pieces}")


def check_rows(rules):
    slices = rows_of(ask("stats", rules, db(rules, 2), "--pieces", "2", "--csv", "--total").stdout)
    for name, values in rows_of(oracle(f"doushouqi-{rules}-rows.csv")).items():
        expect(slices[name] == values, rules, name, slices[name], "not", values)
    expect(list(slices)[-1] == "total", "the total does not stand last")
    total = slices.pop("total")
    expect(total == totals(rules, 2)[0], rules, "total", total)
    expect(len(slices) == 64, len(slices), "materials")
    expect(set(slices) == {a.upper() + b for a in "rcwdptle" for b in "rcwdptle"}, "materials", list(slices))
    expect(sum(sum(values.values()) for values in slices.values()) == 160068, "the rows do not add up")


def two_pieces_by_the_rules_of_liacs(_):
    check_rows("liacs")


def two_pieces_by_the_base_rules(_):
    check_rows("base")


def check_depths(rules, pieces):
    wanted, stalemated, longest = totals(rules, pieces)
    found = collections.Counter()
    longest_win = longest_loss = ended = 0
    text = ask("stats", rules, db(rules, pieces), "--pieces", str(pieces), "--depths", "--total", "--csv").stdout
    for row in csv.DictReader(io.StringIO(text)):
        if row["slice"] != "total":
            continue
        found[row["value"]] += int(row["count"])
        expect((row["value"] == "0") == (row["depth"] == ""), "depth of", row)
        if row["depth"]:
            expect(int(row["depth"]) % 2 == (row["value"] == "1"), "parity of", row)
            if row["value"] == "1":
                longest_win = max(longest_win, int(row["depth"]))
            else:
                longest_loss = max(longest_loss, int(row["depth"]))
            ended += int(row["count"]) if row["depth"] == "0" else 0
    expect(found == wanted, rules, pieces, dict(found), "not", wanted)
    expect(ended == stalemated, ended, "positions without a move, not", stalemated)
    found = [max(longest_win, longest_loss), longest_win]
    expect(all(wanted in (None, own) for wanted, own in zip(longest, found)), "longest", found, "not", longest)


def depths_of_two_pieces(_):
    check_depths("liacs", 2)
    check_depths("base", 2)


def three_pieces(_):
    check_depths("liacs", 3)


def four_pieces(_):
    if not LONG:
        raise Skip("takes minutes; make test-long")
    building.SECONDS = 7200
    check_depths("liacs", 4)
    ask("verify", "liacs", db("liacs", 4), "--pieces", "4", "--memory", "200M")


def threads_and_memory_change_nothing(_):
    folder = db("liacs", 2)
    options = ("--pieces", "2", "--depths", "--total", "--csv")
    wanted = ask("stats", "liacs", folder, *options).stdout
    for others in (("--threads", "1"), ("--threads", "3"), ("--memory", "1", "--threads", "2")):
        expect(ask("stats", "liacs", folder, *options, *others).stdout == wanted, "another result with", others)
    rows = list(csv.DictReader(io.StringIO(wanted)))
    keys = [(int(row["value"]), int(row["depth"] or -1)) for row in rows if row["slice"] == "Rr"]
    expect(keys == sorted(keys) and len(keys) == len(set(keys)) > 10, "order of rows", keys)
    values = collections.Counter()
    for row in rows:
        values[row["slice"], row["value"]] += int(row["count"])
    plain = rows_of(ask("stats", "liacs", folder, "--pieces", "2", "--total", "--csv").stdout)
    expect(values == {(name, value): n for name, row in plain.items() for value, n in row.items()},
           "depths do not add up to values")


def one_material_alone(_):
    folder = db("liacs", 2)
    every = rows_of(ask("stats", "liacs", folder, "--pieces", "2", "--csv").stdout)
    for asked, name in (("Rw", "Rw"), ("Wr", "Wr"), ("rL", "Lr"), ("Pe", "Pe"), ("Ee", "Ee")):
        found = rows_of(ask("stats", "liacs", folder, "--material", asked, "--csv").stdout)
        expect(found == {name: every[name]}, asked, dict(found))
    total = rows_of(ask("stats", "liacs", folder, "--material", "Rw", "--csv", "--total").stdout)
    expect(total["total"] == every["Rw"], "total of one material", total["total"])
    lines = ask("stats", "liacs", folder, "--material", "Rw", "--json").stdout.splitlines()
    expect(len(lines) == 1, len(lines), "objects")
    found = json.loads(lines[0])
    expect((found["slice"], found["win"], found["draw"], found["loss"]) == ("Rw", 915, 698, 1327), found)
    text = ask("stats", "liacs", folder, "--material", "Rw").stdout.splitlines()
    expect(len(text) == 2 and re.match(r"slice +positions +win +draw +loss *$", text[0]), "\n".join(text))
    expect(re.match(r"Rw +2940 +915 +31\.12 % +698 +23\.74 % +1327 +45\.14 %$", text[1]), text[1])


def text_has_a_line_for_each_material(_):
    lines = ask("stats", "liacs", db("liacs", 2), "--pieces", "2", "--total").stdout.splitlines()
    expect(len(lines) == 66, len(lines), "lines")
    expect(max(map(len, lines)) <= 100, "lines of", max(map(len, lines)))
    expect(re.match(r"total +160068 +82852 +51\.76 % +12715 ", lines[-1]), lines[-1])
    lines = ask("stats", "liacs", db("liacs", 2), "--material", "Ee", "--depths", "--total").stdout.splitlines()
    expect(lines[0].endswith("  win in  loss in"), lines[0])
    expect(lines[1].startswith("Ee ") and lines[2].startswith("total "), lines[1:3])
    expect(lines[4].startswith("total: 2352 positions"), lines[4])
    rows = list(csv.DictReader(io.StringIO(
        ask("stats", "liacs", db("liacs", 2), "--material", "Ee", "--depths", "--csv").stdout)))
    longest = [max(int(row["depth"]) for row in rows if row["value"] == value) for value in ("1", "-1")]
    expect([int(word) for word in lines[1].split()[-2:]] == longest, lines[1], longest)


def published_positions(_):
    folder = db("liacs", 2)
    for position, (name, value, depth) in POSITIONS.items():
        answer = probe("liacs", folder, position)
        expect((answer["slice"], answer["value"], answer["depth"]) == (name, value, depth), position, answer["slice"],
               answer["value"], answer["depth"])
        expect(answer["category"] == {1: "win", 0: "draw", -1: "loss"}[value], answer["category"])
        expect(answer["position"] == position and answer["turn"] == "w", answer["position"], answer["turn"])
        expect((answer["game"], answer["rules"]) == ("doushouqi", "liacs"), answer["game"], answer["rules"])
        expect(answer["bounds"] == [value, value], answer["bounds"])
        expect(re.match("[0-9a-f]{32}$", answer["table"]), answer["table"])
        expect("final" not in answer, "a result of stores")


def flipped(position):
    """Colours exchanged, the board upside down, the other side to move."""
    board, turn = position.split()
    return "/".join(reversed(board.swapcase().split("/"))) + " " + {"w": "b", "b": "w"}[turn]


def black_moves_as_white_does(_):
    folder = db("liacs", 2)
    for position, (name, value, depth) in POSITIONS.items():
        answer = probe("liacs", folder, flipped(position))
        expect((answer["slice"], answer["value"], answer["depth"], answer["turn"]) == (name, value, depth, "b"),
               flipped(position), answer["slice"], answer["value"], answer["depth"], answer["turn"])


def rank(move):
    """Wins before draws before losses; short wins and long losses first."""
    value, depth = move["value"], move["depth"] or 0
    return -value, depth if value > 0 else -depth


def moves_stand_best_first(_):
    folder = db("liacs", 2)
    for position in [*POSITIONS, "7/7/7/7/3e3/3R3/7/7/7 w", "7/2C4/7/7/7/7/7/7/d6 w"]:
        answer = probe("liacs", folder, position)
        moves = answer["moves"]
        expect(moves and [rank(move) for move in moves] == sorted(rank(move) for move in moves), position, moves)
        expect(answer["value"] == moves[0]["value"] and answer["depth"] == moves[0]["depth"], position, "best move")
        for move in moves:
            if move["position"] is None:
                expect(move["converts"] and move["value"] == 1 and move["depth"] == 1 and move["child_value"] is None, move)
                continue
            child = probe("liacs", folder, move["position"])
            expect(move["child_value"] == child["value"] == -move["value"], move, child["value"])
            expect(move["depth"] == (None if child["depth"] is None else child["depth"] + 1), move, child["depth"])
            expect(move["bounds"] == [move["value"], move["value"]] and not move["converts"], move)


def a_line_plays_the_win_out(_):
    folder = db("liacs", 2)
    for position, (_, value, depth) in POSITIONS.items():
        line = probe("liacs", folder, position, "--line")["line"]
        if value == 0:
            expect(line["end"] == "repeats", position, line["end"])
            continue
        expect(line["end"] == "ended" and len(line["steps"]) == depth, position, line["end"], len(line["steps"]))
        expect([step["depth"] for step in line["steps"]] == list(range(depth, 0, -1)), position, "depths")
        expect(line["steps"][-1]["position"] is None and line["steps"][-1]["converts"], line["steps"][-1])
        expect(line["moves"] == " ".join(step["move"] for step in line["steps"]), line["moves"])
        after = probe("liacs", folder, position + " moves " + " ".join(line["moves"].split()[:3]))
        expect(after["depth"] == depth - 3, "after three moves", after["depth"])


def captures_lead_to_smaller_tables(_):
    """Depths count on in the tables of what is then left."""
    folder = db("liacs", 3)
    answer = probe("liacs", folder, "7/7/7/L5r/c6/7/7/7/7 w")
    taking = [move for move in answer["moves"] if move["converts"]]
    expect([move["move"] for move in taking] == ["a6a5"], taking)
    child = probe("liacs", folder, taking[0]["position"])
    expect((child["slice"], child["value"]) == ("Rl", -1), child["slice"], child["value"])
    expect((taking[0]["value"], taking[0]["depth"]) == (1, child["depth"] + 1), taking[0], child["depth"])
    answer = probe("liacs", folder, "7/3c3/3L3/7/7/7/7/7/r6 w", "--line")
    expect((answer["value"], answer["depth"], answer["line"]["end"]) == (1, 3, "ended"), answer["value"], answer["depth"])
    steps = [(step["move"], step["depth"], step["converts"]) for step in answer["line"]["steps"]]
    expect(steps[0] == ("d7d8", 3, True) and steps[1][1:] == (2, False) and steps[2] == ("d8d9", 1, True), steps)


def tables_that_are_not_there(folder):
    shutil.copytree(db("liacs", 2), folder)
    position = "7/7/3e3/7/6L/7/7/7/C6 w"
    done = ask("probe", "liacs", folder, "--json", position, exit_code=66)
    answer = json.loads(done.stdout)
    expect(answer["slice"] == "LCe" and answer["value"] is None and answer["table"] is None, answer["slice"])
    expect(answer["moves"] and all(move["value"] is None for move in answer["moves"]), answer["moves"])
    command = re.search(r"build it: tauler (build doushouqi --material \w+ --rules liacs --db .*)$", done.stderr)
    expect(command and done.stderr.count("\n") == 1, done.stderr)
    run(*shlex.split(command.group(1)), "--quiet")
    expect(probe("liacs", folder, position)["value"] is not None, "built, but not known")
    for size, named in ((("--pieces", "3"), "--pieces 3"), (("--material", "ELc"), "--material ELc")):
        done = ask("stats", "liacs", folder, *size, "--csv", "--depths", exit_code=66)
        expect("--depth " not in done.stderr, done.stderr)
        expect(done.stdout == "" and done.stderr.count("\n") == 1, done.stdout, done.stderr)
        expect(f"build what is missing: tauler build doushouqi {named} --rules liacs --db {folder}" in done.stderr,
               done.stderr)
    shutil.rmtree(os.path.join(folder, "doushouqi", "liacs", "2"))
    done = ask("stats", "liacs", folder, "--material", "LCe", "--csv", exit_code=66)
    expect("build what is missing: tauler build" in done.stderr, done.stderr)


def more_pieces_than_tables_hold(_):
    done = ask("probe", "base", db("base", 2), "--json", START, exit_code=66)
    answer = json.loads(done.stdout)
    expect(len(answer["moves"]) == 24, len(answer["moves"]), "moves")
    expect(answer["slice"] == "ELTPDWCReltpdwcr", answer["slice"])
    expect(answer["category"] == "unknown", answer["category"])
    expect(all(answer[key] is None for key in ("value", "bounds", "depth", "table")), answer)
    expect(all(move["value"] is None and not move["converts"] for move in answer["moves"]), answer["moves"][0])
    other = ask("probe", "base", db("base", 2), "7/7/7/6r/7/7/E1W1P1R/1C3D1/T6 w", exit_code=66)
    expect("no table reaches ETPDWCRr, and none can be built" in other.stderr, other.stderr)
    expect("no table reaches ELTPDWCReltpdwcr" in done.stderr and "--material ELT" not in done.stderr, done.stderr)
    done = ask("probe", "base", db("base", 2), START, "--line", exit_code=66)
    expect("No move leads" not in done.stdout and "unknown, no table reaches" in done.stdout, done.stdout)
    expect(len(re.findall(r"^\w{4} +\? ", done.stdout, re.M)) == 24, done.stdout)


def bad_positions(_):
    folder = db("base", 2)
    for position in ("7/7/7/7/7/7/7/7/7 w", "7/7/3e3/7/6L/7/7/7 w", "7/7/3e3/7/6L/7/7/7/7", "7/7/3e3/7/6L/7/7/7/7 x",
                     "7/7/3e3/7/6L/7/7/7/8 w", "7/7/3e3/7/6L/7/7/7/6 w", "7/7/3e3/7/6L/7/7/7/6z w",
                     "7/7/3e3/7/6L/7/7/7/L6 w", "7/7/7/1e5/6L/7/7/7/7 w", "3e3/7/7/7/6L/7/7/7/7 w", "7/7/7/7/6L/7/7/7/7 w",
                     LION_BEFORE_ELEPHANT + " moves a1a2"):
        done = ask("probe", "base", folder, position, exit_code=65)
        expect(len(done.stderr) > 40 and done.stderr.count("\n") == 1 and done.stdout == "", position, done.stderr)


def bad_options(_):
    folder = db("base", 2)
    for command, options in (("stats", ("--material", "Xr")), ("stats", ("--material", "LL")), ("stats", ("--pieces", "1")),
                             ("stats", ("--pieces", "7")), ("stats", ("--seeds", "2")), ("stats", ()),
                             ("probe", ("--material", "Q", LION_BEFORE_ELEPHANT)), ("verify", ("--pieces", "x"))):
        ask(command, "base", folder, *options, exit_code=64)
    for rules in ("basis", "base,leopard", "base,lakes=plain,leopard=wide"):
        ask("stats", rules, folder, "--pieces", "2", exit_code=64)


def the_game_is_described(_):
    text = run("games", "doushouqi").stdout
    for word in ("Dou Shou Qi", "--pieces", "--material", "liacs", "wolf-over-dog", "leopard=", "clearings", "lakes=",
                 "drinkers=block", "jump-block=path", "stalemate=loss", "elephant-takes-rat", "rat-shore=liacs", "a3a4"):
        expect(word in text, "no", word, "in", text)
    about = json.loads(run("games", "doushouqi", "--json").stdout)
    expect(about["size_option"] == "pieces", about["size_option"])
    run("probe", "doushouqi", about["example"], "--db", os.path.join(SHARED, "none"), exit_code=66)


def tables_are_proven(_):
    for rules in ("liacs", "base"):
        done = ask("verify", rules, db(rules, 2), "--pieces", "2")
        lines = done.stdout.splitlines()
        expect(len(lines) > 10 and all(line.startswith("proven ") for line in lines[:-1]), done.stdout)
        expect(re.search(r", 0 wrong, 0 damaged, 0 files only", lines[-1]), lines[-1])
    expect(run("verify", "--db", db("base", 2)).stdout.count("proven  ") == len(lines) - 1, "without a game")
    expect(ask("verify", "liacs", db("liacs", 2), "--material", "Lr").stdout.count("proven  ") == 2, "one material")


def slices_that_nobody_needs_are_given_back(_):
    """All together take four times as much."""
    done = ask("verify", "liacs", db("liacs", 3), "--pieces", "3", "--memory", "4M", "--threads", "1")
    expect("104 proven (10.9 M cells: 52 of values; 52 of depths), 0 wrong" in done.stdout, done.stdout.splitlines()[-1])


def tables_that_others_rest_on_must_be_there(folder):
    shutil.copytree(db("base", 2), folder)
    ask("build", "base", folder, "--material", "ELr", "--quiet")
    tables = os.path.join(folder, "doushouqi", "base", "2")
    ask("verify", "base", folder)
    os.remove(os.path.join(tables, "Er.depth.zst"))
    done = ask("verify", "base", folder, exit_code=66)
    found = {line.split(None, 1)[1].split(":")[0].split()[-1].rsplit("/", 1)[1]: line for line in
             done.stdout.splitlines()[:-1]}
    expect(found["ELr.value.zst"].startswith("proven") and found["ELr.depth.zst"].startswith("files only"), done.stdout)
    expect("depths of slice Er" in found["ELr.depth.zst"], found["ELr.depth.zst"])
    os.remove(os.path.join(tables, "Er.value.zst"))
    done = ask("verify", "base", folder, exit_code=66)
    expect(re.search("^files only .*ELr.value.zst: it rests on slice Er, which is missing$", done.stdout, re.M), done.stdout)


expect("TAULER_DB" not in environment(), "a folder of tables of the user's own")
run_cases([two_pieces_by_the_rules_of_liacs, two_pieces_by_the_base_rules, depths_of_two_pieces, three_pieces, four_pieces,
           threads_and_memory_change_nothing, one_material_alone, text_has_a_line_for_each_material, published_positions,
           black_moves_as_white_does, moves_stand_best_first, a_line_plays_the_win_out, captures_lead_to_smaller_tables,
           tables_that_are_not_there, more_pieces_than_tables_hold, bad_positions, bad_options, the_game_is_described,
           tables_are_proven, slices_that_nobody_needs_are_given_back,
           tables_that_others_rest_on_must_be_there])
