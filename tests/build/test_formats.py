#!/usr/bin/env python3
"""Tables by choice and formats of others: several folders, a part of a publication, lists of digests, the endgame book
of Aalina, and notations of other programs on the command line."""
import itertools
import json
import os
import shutil
import subprocess
from math import comb

from building import TAULER, TESTS, build, digests, environment, expect, run, run_cases, tables

BOARD = "1-0-1-0-0-0-1-0-0-0-0-1-0-0-S"
OWN_ROW = ("--rules", "abapa", "--cycles", "own-row")


def below(folder):
    return sorted(os.path.relpath(path, folder) for path in tables(folder))


def the_first_folder_that_has_a_table_answers(folder):
    small, large = folder + ".small", folder + ".large"
    build(small, "--seeds", "2")
    build(large, "--seeds", "4")
    one = json.loads(run("probe", "auale", "--db", large, "--json", BOARD).stdout)
    os.remove(os.path.join(large, "auale/awari/even/2.value.zst"))
    both = ("--db", small, "--db", large)
    two = json.loads(run("probe", "auale", *both, "--json", BOARD).stdout)
    expect(one == two, one, two)
    run("stats", "auale", "--seeds", "4", "--db", large, "--csv", exit_code=66)
    rows = run("stats", "auale", "--seeds", "4", *both, "--csv").stdout
    expect(rows == run("stats", "auale", "--seeds", "4", "--db", large, "--db", small, "--csv").stdout, rows)
    listed = [json.loads(line) for line in run("tables", *both, "--json").stdout.splitlines()]
    expect([slice["slice"] for slice in listed[0]["slices"]] == ["0", "1", "2", "3", "4"], listed)
    # a damaged table of the first folder hides that of the second
    shutil.copy(os.path.join(large, "auale/awari/even/4.value.zst"), os.path.join(small, "auale/awari/even/3.value.zst"))
    run("probe", "auale", *both, "1-0-1-0-0-0-1-0-0-0-0-0-0-0-S", exit_code=65)
    done = run("build", "auale", "--seeds", "2", *both, exit_code=64)
    expect("--db is given twice" in done.stderr, done.stderr)
    run("tables", *itertools.chain.from_iterable(("--db", str(i)) for i in range(17)), exit_code=64)


def a_part_of_a_publication_is_fetched(folder):
    public = folder + ".public"
    build(folder, "--seeds", "4")
    build(folder, "--seeds", "4", *OWN_ROW)
    run("publish", public, "--db", folder, "--no-page")
    cases = [(("--only", "auale/abapa", "--seeds", "2"), "auale/abapa/own-row", 3),
             (("--only", "auale/awari/even/"), "auale/awari/even", 5)]
    for i, (choice, place, count) in enumerate(cases):
        taken = f"{folder}.taken{i}"
        done = run("fetch", public, *choice, "--db", taken, "--json")
        expect(json.loads(done.stdout)["fetched"] == count, done.stdout)
        expect(f"{place}: {count} tables" in done.stderr, done.stderr)
        expect(below(taken) == [f"{place}/{n}.value.zst" for n in range(count)], below(taken))
    for choice, code in ((("--only", "auale/aba"), 66), (("--only", "auale/abapa/forced"), 66), (("--only", "chess"), 64),
                         (("--seeds", "2"), 64), (("--only", "auale", "--seeds", "x"), 64),
                         (("--only", "auale", "--pieces", "2"), 64)):
        run("fetch", public, *choice, "--db", folder + ".none", exit_code=code)
    expect(not below(folder + ".none"), "nothing came")


def a_folder_is_held_against_a_list(folder):
    lines, listed = build(folder, "--seeds", "3"), folder + ".csv"
    rows = [f"{slice},{stream},1,1,{digest}" for (slice, stream), digest in digests(lines).items()]

    def compare(rows, *options, code):
        with open(listed, "w", encoding="ascii") as file:
            file.write("\n".join(["slice,stream,positions,bytes,digest", *rows]) + "\n")
        done = run("verify", "auale", "--db", folder, "--digests", listed, "--json", *options, exit_code=code)
        said = [json.loads(line) for line in done.stdout.splitlines()]
        return {(one["slice"], one["verdict"]) for one in said if one["verdict"] != "agrees"}, done

    expect(not compare(rows, code=0)[0])
    found, _ = compare([rows[0], rows[1].replace("1,1,", "1,1,")[:-1] + "z"], code=65)
    other = rows[1][:-1] + ("0" if rows[1][-1] != "0" else "1")
    os.symlink("nowhere", os.path.join(folder, "removed.value.zst"))
    found, done = compare([rows[0], other, rows[3], "4,value,1,1," + "0" * 32], code=1)
    expect(found == {("1", "differs"), ("2", "extra"), ("4", "missing")} and not done.stderr, found, done.stderr)
    found, _ = compare([rows[0], other, "4,value,1,1," + "0" * 32], "--seeds", "1", code=1)
    expect(found == {("1", "differs")}, found)
    compare([], code=65)
    run("verify", "--db", folder, "--digests", listed, exit_code=64)
    run("verify", "auale", "--db", folder, "--digests", folder + ".no", exit_code=74)
    golden = os.path.join(os.path.dirname(os.path.abspath(TESTS)), "docs", "results", "awari-digests.csv")
    run("verify", "auale", "--db", folder, "--digests", golden, "--seeds", "3")


def number(pits):
    sums = itertools.accumulate(pits)
    return sum(comb(seeds + pit, pit + 1) for pit, seeds in enumerate(sums))


def boards(seeds, pits=12):
    if pits == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        yield from ((first, *rest) for rest in boards(seeds - first, pits - 1))


def the_book_of_aalina_has_every_value(folder):
    most, to = 6, folder + ".books"
    build(folder, "--seeds", str(most), *OWN_ROW)
    run("export", "auale", *OWN_ROW, "--seeds", str(most), "--format", "aalina", "--db", folder, "--to", to)
    with open(os.path.join(to, "oware-leaves.bin"), "rb") as file:
        data = file.read()
    head, _, book = data.partition("\n\n".encode("utf-16-be"))
    text = head.decode("utf-16-be")
    expect(text.startswith("Oware Endgames ") and f"Positions: {comb(most + 12, 12)}" in text, text)
    expect(len(book) == comb(most + 12, 12), len(book))
    asked = [board for n in range(most + 1) for board in itertools.islice(boards(n), 0, None, 1 + comb(n + 11, 11) // 150)]
    asked.append((0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1))  # no move leads to it
    lines = "\n".join("-".join(map(str, (*board, 0, 0, "S"))) for board in asked)
    where = folder + ".positions"
    with open(where, "w", encoding="ascii") as file:
        file.write(lines)
    with open(where, encoding="ascii") as file:
        answers = run_with(file, "probe", "auale", *OWN_ROW, "--db", folder, "--json")
    expect(len(answers) == len(asked), len(answers))
    for board, answer in zip(asked, answers):
        byte = book[number(board)]
        expect(byte & 3 == 1 and 2 * (byte >> 2) - sum(board) == answer["value"], board, byte, answer["value"])
    for options, code in ((("--seeds", "2"), 64), (("--seeds", "16", *OWN_ROW), 64), (("--seeds", "7", *OWN_ROW), 66),
                          (("--seeds", "2", *OWN_ROW, "--npy"), 64), (("--seeds", "2", *OWN_ROW, "--level", "3"), 64)):
        run("export", "auale", *options, "--format", "aalina", "--db", folder, "--to", to + ".none", exit_code=code)
    expect(not os.path.exists(to + ".none"), "nothing is written")


def run_with(file, *arguments):
    done = subprocess.run([TAULER, *arguments], stdin=file, capture_output=True, text=True, check=False, env=environment())
    expect(done.returncode == 0, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def notations_are_written_and_read_back(folder):
    build(folder, "--seeds", "4")
    plain = json.loads(run("probe", "auale", "--db", folder, "--json", "--line", BOARD).stdout)
    for name in ("playstrategy", "openspiel"):
        done = run("probe", "auale", "--db", folder, "--json", "--line", "--notation", name, BOARD)
        said = json.loads(done.stdout)
        expect(said["position"] != plain["position"] and said["value"] == plain["value"], said)
        for move, own in zip(said["moves"], plain["moves"]):
            line = f"{said['position']} moves {move['move']}"
            again = json.loads(run("probe", "auale", "--db", folder, "--json", line).stdout)
            expect(again["position"] == own["position"], line, again["position"])
        line = f"{said['position']} moves {said['line']['moves']}"
        last = json.loads(run("probe", "auale", "--db", folder, "--json", line).stdout)
        expect(last["position"] == plain["line"]["steps"][-1]["position"], line)
    done = run("probe", "auale", "--db", folder, "--notation", "x", BOARD, exit_code=64)
    expect("playstrategy, openspiel" in done.stderr, done.stderr)
    run("probe", "oca", "--players", "1", "--notation", "x", exit_code=64)


def judged_games_are_written_so_too(folder):
    """Moves and positions are those that probe writes; all else is the same."""
    build(folder, "--seeds", "4")
    line = json.loads(run("probe", "auale", "--db", folder, "--json", "--line", BOARD).stdout)["line"]["moves"]
    with open(folder + ".ogn", "w", encoding="ascii") as file:
        file.write(f"{BOARD} moves {line}\n")
    analyse = ["analyse", folder + ".ogn", "--game", "auale", "--db", folder]
    plain = json.loads(run(*analyse, "--json").stdout)
    expect(len(plain["moves"]) > 3, line)
    for name in ("playstrategy", "openspiel"):
        def ask(position, *options):
            return json.loads(run("probe", "auale", "--db", folder, "--json", position, *options, exit_code=None).stdout)

        said = json.loads(run(*analyse, "--json", "--notation", name).stdout)
        for own, move in zip(plain["moves"], said["moves"]):
            before, written = ask(own["position"]), ask(own["position"], "--notation", name)
            names = {one["move"]: other["move"] for one, other in zip(before["moves"], written["moves"])}
            best = {**own["best"], "moves": [names[best] for best in own["best"]["moves"]]}
            expect(move == {**own, "move": names[own["move"]], "position": written["position"], "best": best}, move, own)
        start = ask(BOARD, "--notation", name)["position"]
        expect(said["start"] == start and said["end"]["position"] != plain["end"]["position"], said["start"])
        expect(f"from {start}\n" in run(*analyse, "--notation", name).stdout, "head without", start)
    expect("playstrategy, openspiel" in run(*analyse, "--notation", "x", exit_code=64).stderr, "no notation x")
    expect("--ogn keeps" in run(*analyse, "--notation", "openspiel", "--ogn", exit_code=64).stderr, "--ogn")


def records_are_read_as_people_write_them(folder):
    build(folder, "--seeds", "4")
    record = folder + ".ogn"
    with open(record, "w", encoding="ascii") as file:
        file.write('[game "Oware"]\n[Variant "Oware Abapa "]\n[FEN "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1"]\n\n'
                   '1. d1e2 a2 2. F\n\n[Game "Jungle"]\n[fen "7/7/7/1m5/7/7/2L4/7/7 r - - 0 1"]\n\n1. c3-c2 b6-b7\n')
    judged = [json.loads(line) for line in run("analyse", record, "--db", folder, "--json", exit_code=66).stdout.splitlines()]
    expect([(one["game"], one["rules"]) for one in judged] == [("auale", "abapa"), ("doushouqi", "base")], judged)
    expect([move["move"] for one in judged for move in one["moves"]] == ["D", "f", "F", "c3c2", "b6b7"], judged)


run_cases([
    the_first_folder_that_has_a_table_answers,
    a_part_of_a_publication_is_fetched,
    a_folder_is_held_against_a_list,
    the_book_of_aalina_has_every_value,
    notations_are_written_and_read_back,
    judged_games_are_written_so_too,
    records_are_read_as_people_write_them,
])
