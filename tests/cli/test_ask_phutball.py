#!/usr/bin/python3
"""Asking tables of Phutball: counts of whole boards, positions, turns written out, what no table holds."""
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
from building import Skip, digests, environment, expect, run, run_cases

ORACLES = os.path.join(os.environ.get("TAULER_TESTS", "tests"), "oracles")
DISTANCES = {1: 92484, 2: 25116, 3: 19922, 4: 5290, 5: 2132, 6: 2028, 7: 218, 8: 124, 9: 114, 10: 28}
EMPTY = {"7x1": [-6, -6, 7, 3, 3], "9x1": [-6, -6, 13, 7, 7, 3, 3]}  # by the ball's row, from row 2 on
FULL_SIZE = "/".join(["15"] * 9 + ["7o7"] + ["15"] * 9) + " O"
# Ball K6, men J7, H8, G10 and H11 (the rule book's example).
SPIRAL = "/".join(["15"] * 8 + ["7x7", "6x8", "15", "7x7", "8x6", "9o5"] + ["15"] * 5) + " O"

SHARED = tempfile.mkdtemp(prefix="tauler-ask.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)


def oracle():
    with open(os.path.join(ORACLES, "phutball.csv"), encoding="ascii") as file:
        return list(csv.DictReader(file))


def db(rules, board):
    """The folder of all tables, with this one in it."""
    folder = os.path.join(SHARED, "db")
    if not os.path.exists(os.path.join(folder, "phutball", rules, f"{board}.depth.zst")):
        run("build", "phutball", "--rules", rules, "--board", board, "--quiet", "--db", folder)
    return folder


def ask(command, board, *options, rules="base", **settings):
    return run(command, "phutball", "--rules", rules, "--db", db(rules, board), *options, **settings)


def size_of(position):
    rows = position.split()[0].split("/")
    return f"{len(rows)}x{sum(int(part) if part.isdigit() else 1 for part in re.findall('[0-9]+|.', rows[0]))}"


def probe(position, *options, board=None, rules="base", exit_code=0):
    return json.loads(ask("probe", board or size_of(position), "--json", position, *options, rules=rules,
                          exit_code=exit_code).stdout)


def empty(board, row):
    """The empty board with the ball in its middle column, Ohs to move."""
    rows, columns = (int(number) for number in board.split("x"))
    half = columns // 2
    line = (str(half) if half else "") + "o" + (str(columns - half - 1) if columns > half + 1 else "")
    return "/".join(line if rows - i == row else str(columns) for i in range(rows)) + " O"


def count(board, rules="base", *options):
    """{(value, depth): positions}"""
    found = {}
    for row in csv.DictReader(io.StringIO(ask("stats", board, "--board", board, "--csv", "--depths", *options,
                                              rules=rules).stdout)):
        expect(row["slice"] == board, "slice of", row)
        key = int(row["value"]), int(row["depth"]) if row["depth"] else None
        expect(key not in found, "two rows of", row)
        found[key] = int(row["count"])
    return found


def by_value(counted):
    values = collections.Counter()
    for (value, _), n in counted.items():
        values[value] += n
    return [values[value] for value in (1, -1, 0)]


def whole_boards(_):
    for row in oracle():
        board, rules = row["board"], row["rules"]
        text = ask("stats", board, "--board", board, "--csv", rules=rules).stdout
        plain = {line["value"]: int(line["count"]) for line in csv.DictReader(io.StringIO(text))}
        wanted = [int(row[name]) for name in ("wins", "losses", "draws")]
        expect([plain.get(value, 0) for value in ("1", "-1", "0")] == wanted, board, rules, plain, "not", wanted)
        expect(sum(plain.values()) == int(row["positions"]), board, rules, sum(plain.values()), "positions")
        counted = count(board, rules)
        expect(by_value(counted) == wanted, board, rules, "depths do not add up", counted)
        for value, name in ((1, "longest_win"), (-1, "longest_loss")):
            longest = max(depth for sign, depth in counted if sign == value)
            expect(longest == int(row[name]), board, rules, name, longest)
        expect(all(depth % 2 == (value > 0) for value, depth in counted), board, "parity", counted)


def distances(_):
    found = {depth: n for (_, depth), n in count("5x3").items()}
    expect(found == DISTANCES, found)
    rows = [row.split(",") for row in ask("stats", "5x3", "--board", "5x3", "--csv", "--depths").stdout.split()]
    expect(rows[0] == ["slice", "value", "depth", "count"], rows[0])
    keys = [(int(row[1]), int(row[2])) for row in rows[1:]]
    expect(keys == sorted(keys) and len(keys) == 10, "order", keys)
    total = ask("stats", "5x3", "--board", "5x3", "--csv", "--total").stdout.split()
    expect(total[-2:] == ["total,-1,32586", "total,1,114870"], total)
    text = ask("stats", "5x3", "--board", "5x3", "--depths").stdout.splitlines()
    expect(re.match(r"5x3 +147456 +114870 .* 32586 .* 9 +10$", text[1]), text[1])


def one_column_more_is_idle(_):
    """No jump leads from one of two columns to the other's men but along rows, over the side."""
    for rows in (3, 4, 5, 6, 7):
        one, two = count(f"{rows}x1"), count(f"{rows}x2")
        expect(two == {key: n << (rows + 1) for key, n in one.items()}, rows, two, one)


def empty_boards(_):
    for board, wanted in EMPTY.items():
        for row, worth in enumerate(wanted, 2):
            answer = probe(empty(board, row))
            expect(answer["value"] == (1 if worth > 0 else -1) and answer["depth"] == abs(worth), board, row, answer["value"],
                   answer["depth"], "not", worth)
            other = probe(turned(empty(board, row)))
            expect((other["value"], other["depth"], other["turn"]) == (answer["value"], answer["depth"], "E"), board, row,
                   "otherwise for Eks")


def turned(position):
    """The board turned by 180°, the other side to move."""
    board, turn = position.split()
    return board[::-1] + " " + {"O": "E", "E": "O"}[turn]


def rank(move):
    """Wins before draws before losses; short wins and long losses first."""
    value, depth = move["value"], move["depth"] or 0
    return -value, depth if value > 0 else -depth


def fields_of_an_answer(_):
    position = "3/1x1/1o1/3/3 O"
    answer = probe(position)
    expect(list(answer) == ["game", "rules", "position", "turn", "slice", "category", "outcome", "value", "bounds", "depth",
                            "table", "moves"], list(answer))
    wanted = {"game": "phutball", "rules": "base", "position": position, "turn": "O", "slice": "5x3", "category": "win",
              "value": 1, "bounds": [1, 1], "depth": 1}
    expect({key: answer[key] for key in wanted} == wanted, answer)
    expect(re.match("[0-9a-f]{32}$", answer["table"]), answer["table"])
    lost = probe("3/3/1o1/1x1/3 O")
    expect((lost["category"], lost["value"], lost["bounds"]) == ("loss", -1, [-1, -1]), lost["category"], lost["value"])
    expect(probe("  3/3/1o1/3/3   O  ", board="5x3")["position"] == "3/3/1o1/3/3 O", "not written in one way")
    stopped = probe(position, rules="base,goal-line=stop")
    expect(stopped["rules"] == "base,goal-line=stop" and stopped["table"] != answer["table"], stopped["rules"])


def moves_stand_best_first(_):
    for position in ("3/1x1/1o1/3/3 O", "3/3/1o1/3/3 E", "x2/1xo/x2/1x1/2x O", "2x/1x1/o1x/1xx/3 E", "4/1xo1/2x1/x3 O"):
        answer = probe(position)
        moves = answer["moves"]
        expect(moves and [rank(move) for move in moves] == sorted(rank(move) for move in moves), position, moves)
        expect((answer["value"], answer["depth"]) == (moves[0]["value"], moves[0]["depth"]), position, "best move")
        for move in moves:
            expect(move["bounds"] == [move["value"], move["value"]], move)
            if move["position"] is None:
                expect(move["converts"] and move["depth"] == 1 and move["child_value"] is None, move)
                continue
            child = probe(move["position"])
            expect(child["turn"] != answer["turn"] and move["child_value"] == child["value"] == -move["value"], move)
            expect(move["depth"] == child["depth"] + 1 and not move["converts"], move, child["depth"])


def jumps(position, rules="base"):
    """The position after each jump path of a stored position."""
    return {move["move"]: move["position"] for move in probe(position, rules=rules)["moves"] if "-" in move["move"]}


def full_size_jumps(position):
    done = run("probe", "phutball", "--json", position, "--db", db("base", "5x3"), exit_code=66)
    return {move["move"]: move["position"] for move in json.loads(done.stdout)["moves"] if "-" in move["move"]}


def jump_paths_are_written_out(_):
    """A path may end at each of its stops."""
    found = full_size_jumps(SPIRAL)
    expect(sorted(found) == ["K6-G9", "K6-G9-G11", "K6-G9-G11-J11"], found)
    expect(found["K6-G9-G11-J11"] == "/".join(["15"] * 8 + ["8o6"] + ["15"] * 10) + " E", found)
    beside = SPIRAL.replace("6x8/15/7x7", "6x8/7x7/7x7")  # H9 as well: G9-J9 is legal, G9-J9-G7 is not, since H8 is gone
    found = full_size_jumps(beside)
    expect("K6-G9-J9" in found and "K6-G9-J9-G7" not in found, list(found))
    found = {move["move"]: move["value"] for move in probe("1x1/1x1/1o1/1x1/1x1 O")["moves"] if "-" in move["move"]}
    expect(found == {"B3-B6": 1, "B3-B0": -1}, found)
    expect(list(jumps("2x1/o3/1x2/2x1/4 O")) == ["A4-D1"], jumps("2x1/o3/1x2/2x1/4 O"))
    found = {rules: sorted(jumps("2x/1o1/x2 O", rules)) for rules in ("base", "base,corner=exit")}
    expect(found == {"base": [], "base,corner=exit": ["B2-exit+", "B2-exit-"]}, found)


def passing_the_goal_line(_):
    """In the middle of a turn, unless goal-line=stop."""
    onward = {"A3-A5": None, "A3-A5-C5": None}
    found = {rules: jumps("1x1/x2/o2/3/3 O", rules) for rules in ("base", "base,goal-line=stop")}
    expect(found == {"base": onward, "base,goal-line=stop": {"A3-A5": None}}, found)
    found = {rules: jumps("3/xx1/o2/3/3 O", rules) for rules in ("base", "base,goal-line=stop")}
    expect(found["base"]["A3-A5-C3"] == "3/3/2o/3/3 E", found["base"])
    expect("A3-A5" in found["base,goal-line=stop"] and "A3-A5-C3" not in found["base,goal-line=stop"], found)


def a_line_plays_the_win_out(_):
    for position in ("3/3/1o1/3/3 O", empty("9x1", 4), empty("9x1", 3), "x2/1xo/x2/1x1/2x O"):
        answer = probe(position, "--line")
        line, depth = answer["line"], answer["depth"]
        expect(line["end"] == "ended" and len(line["steps"]) == depth, position, line["end"], len(line["steps"]))
        expect([step["depth"] for step in line["steps"]] == list(range(depth, 0, -1)), position, "depths")
        expect(line["steps"][-1]["position"] is None and line["steps"][-1]["converts"], line["steps"][-1])
        expect(line["moves"] == " ".join(step["move"] for step in line["steps"]), line["moves"])
        expect(line["repeats"] is None, line["repeats"])
        some = line["moves"].split()[:depth - 1]
        after = probe(position + " moves " + " ".join(some), board=size_of(position))
        expect((after["depth"], after["value"]) == (1, 1), "after all turns but one", after["depth"])
        over = ask("probe", size_of(position), position + " moves " + line["moves"], exit_code=65)
        expect("the game is over" in over.stderr, over.stderr)
    text = ask("probe", "9x1", empty("9x1", 4), "--line").stdout.split("Best play: ")[1].splitlines()
    steps = text[1:14]
    expect(text[14] == "The game is over.", text)
    expect(len({re.search(r" [+-]1 ", step).start() for step in steps}) == 1, "columns of", "; ".join(steps))


def the_full_size_game(_):
    done = run("probe", "phutball", "--json", FULL_SIZE, "--db", db("base", "5x3"), exit_code=66)
    answer = json.loads(done.stdout)
    expect(len(answer["moves"]) == 284, len(answer["moves"]), "turns")
    expect((answer["slice"], answer["category"], answer["turn"]) == ("19x15", "unknown", "O"), answer["slice"])
    expect(all(answer[key] is None for key in ("value", "bounds", "depth", "table")), answer["value"])
    for move in answer["moves"]:
        expect(all(move[key] is None for key in ("value", "child_value", "bounds", "depth")) and not move["converts"], move)
        expect(move["position"].endswith(" E") and move["position"].count("x") == 1, move)
    expect(re.match(r"tauler probe: no table reaches 19x15, and none can be built; .*--board.*48 points\n$", done.stderr),
           done.stderr)
    done = run("probe", "phutball", FULL_SIZE, "--line", "--db", db("base", "5x3"), exit_code=66)
    expect("slice 19x15:" in done.stdout and "unknown, no table reaches" in done.stdout, done.stdout[:200])
    expect("No move leads" not in done.stdout and len(re.findall(r"^\w+ +\? ", done.stdout, re.M)) == 284, done.stdout)
    expect(re.search(r"^ 10  . . . . . . . o ", done.stdout, re.M), "drawing")
    two = run("probe", "phutball", "--json", FULL_SIZE + " moves H11 H10-H12", "--db", db("base", "5x3"), exit_code=66)
    expect(json.loads(two.stdout)["position"].split("/")[7] == "7o7", two.stdout[:200])
    near = FULL_SIZE.replace("7o7", "15").replace("15/15", "7x7/7o7", 1)
    goal = json.loads(run("probe", "phutball", "--json", near, "--db", db("base", "5x3"), exit_code=None).stdout)
    known = [move for move in goal["moves"] if move["value"] is not None]
    expect([(move["move"], move["value"]) for move in known] == [("H18-H20", 1)], known)


def tables_that_are_not_there(folder):
    shutil.copytree(db("base", "5x3"), folder)
    position = "3/3/3/1o1/3/3 O"
    done = run("probe", "phutball", "--json", position, "--db", folder, exit_code=66)
    answer = json.loads(done.stdout)
    expect((answer["slice"], answer["value"], answer["table"]) == ("6x3", None, None), answer["slice"])
    expect(len(answer["moves"]) == 17 and all(move["value"] is None for move in answer["moves"]), answer["moves"])
    command = re.search(r"build it: tauler (build phutball --board 6x3 --rules base --db .*)$", done.stderr)
    expect(command and done.stderr.count("\n") == 1, done.stderr)
    run(*shlex.split(command.group(1)), "--quiet")
    value = json.loads(run("probe", "phutball", "--json", position, "--db", folder).stdout)["value"]
    expect(value in (-1, 0, 1), "built, but not known")
    done = run("stats", "phutball", "--board", "8x3", "--csv", "--db", folder, exit_code=66)
    expect(done.stdout == "" and "tauler build phutball --board 8x3 --rules base --db " + folder in done.stderr, done.stderr)


def bad_positions(_):
    for position, words in (("3/3/3/3/1o1 O", "goal line"), ("1o1/3/3 O", "goal line"), ("3/1o1/1o1/3 O", "two balls"),
                            ("3/3/3/3 O", "no ball"), ("3/1o1/2/3 O", "row 2 has 2 points"), ("3/1o2/3 O", "row 2 has 4 points"),
                            ("3/1o1 O", "2 rows"), ("3/1o1/3", "side to move"), ("3/1o1/3 w", "O or E"), ("3/1o1/3 O x", "'x'"),
                            ("3/1y1/3 O", "'y'"), ("3/1o1//3 O", "no points"), ("20/o19/20 O", "19"), ("3/1o1/3 O moves B2", "ball"),
                            ("3/1o1/3 O moves B2-B4", "beside"), ("3/1x1/1o1/3/3 O moves B3-B5", "scores"),
                            ("3/1o1/3 O moves Z9", "turn is"), ("3/1o1/3 O moves D2", "beyond a board")):
        done = ask("probe", "5x3", position, exit_code=65)
        expect(words in done.stderr, position, "-", done.stderr)
        expect(done.stderr.count("\n") == 1 and done.stdout == "", position, done.stderr)


def bad_options(_):
    for board, words in (("2x2", "fewer than 3 rows"), ("6x", "'6x'"), ("30x30", "too many columns"), ("x3", "'x3'"),
                         ("7x7", "more than 48 points"), ("5x0", "no columns"), ("5x3x3", "'5x3x3'"), ("", "''")):
        for command in ("build", "stats", "plan", "verify"):
            folder = () if command == "plan" else ("--db", db("base", "5x3"))
            done = run(command, "phutball", "--board", board, *folder, exit_code=64)
            expect(words in done.stderr and done.stdout == "" and done.stderr.count("\n") == 1, command, board, done.stderr)
    for command, options in (("build", ()), ("stats", ()), ("stats", ("--seeds", "3")), ("build", ("--seeds", "3")),
                             ("probe", ("--board", "6x", empty("5x3", 3))), ("stats", ("--board", "5x3", "--pieces", "2"))):
        done = run(command, "phutball", *options, "--db", db("base", "5x3"), exit_code=64)
        expect("--board" in done.stderr or "6x" in done.stderr, done.stderr)
    for rules in ("basis", "base,corner", "base,goal-line=go", "base,corner=exit,corner=exit"):
        run("stats", "phutball", "--rules", rules, "--board", "5x3", "--db", db("base", "5x3"), exit_code=64)


def the_game_is_described(_):
    text = run("games", "phutball").stdout
    for word in ("Phutball", "--board", "RxC", "48 points", "corner=exit", "goal-line=stop", "K6-G9-G11", "moves"):
        expect(word in text, "no", word, "in", text)
    about = json.loads(run("games", "phutball", "--json").stdout)
    expect(about["size_option"] == "board", about["size_option"])
    run("probe", "phutball", about["example"], "--db", os.path.join(SHARED, "none"), exit_code=66)


def plans(_):
    """Half of all positions, and the few of which both images are kept."""
    sizes = (("5x4", 3 * 4 << 19), ("8x3", 6 * 3 << 23), ("6x4", 4 * 4 << 23), ("5x5", 3 * 5 << 24))
    for board, positions in sizes if building.CHECK else sizes[:1]:  # one that takes long to solve takes long to plan
        plan = json.loads(run("plan", "phutball", "--board", board, "--json").stdout)
        expect(positions / 2 <= plan["positions"] <= 1.02 * positions / 2, board, plan["positions"])
        expect(plan["largest_slice"] == plan["positions"], plan)
        expect(plan["memory"] < 1.5 * plan["positions"] + (1 << 23) and plan["disk"] > 0, plan)
    little = ("sh", "-c", 'ulimit -v 130000; exec "$@"', "sh")  # the board itself takes more
    if building.CHECK:
        plan = json.loads(run("plan", "phutball", "--board", "5x5", "--json", before=little).stdout)
        expect(plan["seconds"] > 0, "no rate of a small board", plan)
    text = run("plan", "phutball", "--board", "5x4").stdout
    expect("phutball base" in text and "memory" in text, text)


def engines_and_threads_change_nothing(folder):
    found = []
    for number, options in enumerate((("--threads", "1"), ("--threads", "2"), ("--engine", "retrograde"))):
        lines = {}
        for rules, board in (("base", "5x3"), ("base,corner=exit", "4x4"), ("base,goal-line=stop", "6x3")):
            if board == "6x3" and "retrograde" in options and not building.LONG:
                continue
            lines[board] = digests(building.build(f"{folder}-{number}", "--rules", rules, "--board", board, *options,
                                                  game="phutball"))
        found.append(lines)
        shutil.rmtree(f"{folder}-{number}")
    expect(set(found[0]["5x3"]) == {("5x3", "value"), ("5x3", "depth")}, found[0])
    expect(found[0] == found[1], "threads")
    expect(found[2] == {board: found[0][board] for board in found[2]}, "engines")


def tables_are_proven(_):
    boards = [(row["rules"], row["board"]) for row in oracle()]
    for rules, board in boards:
        db(rules, board)
    done = run("verify", "--db", db("base", "5x3"))
    lines = done.stdout.splitlines()
    proven = [line.split()[1].rstrip(":") for line in lines[:-1] if line.startswith("proven ")]
    expect(len(proven) == len(lines) - 1, done.stdout)
    expect({f"phutball/{rules}/{board}.{stream}.zst" for rules, board in boards for stream in ("value", "depth")}
           <= set(proven), proven)
    expect(", 0 wrong, 0 damaged, 0 files only" in lines[-1], lines[-1])
    done = ask("verify", "5x3", "--board", "5x3")
    expect(done.stdout.count("proven  ") == 2, "one board alone", done.stdout)


expect("TAULER_DB" not in environment(), "a folder of tables of the user's own")
run_cases([whole_boards, distances, one_column_more_is_idle, empty_boards, fields_of_an_answer, moves_stand_best_first,
           jump_paths_are_written_out, passing_the_goal_line, a_line_plays_the_win_out, the_full_size_game,
           tables_that_are_not_there, bad_positions, bad_options, the_game_is_described, plans,
           engines_and_threads_change_nothing, tables_are_proven])
