#!/usr/bin/python3
"""Single positions and counts that others have published, asked of tables built here."""
import csv
import io
import json
import os
import resource
import subprocess
import sys
import tempfile

from building import CHECK

PROGRAM = os.environ.get("TAULER", "./tauler")

# Pits 0-5 mover, 6-11 opponent: value, and the value of each legal pit. The first was printed with the
# database of VU Amsterdam (Romein & Bal), the second is Lincke's (2002).
AWARI = {
    "1 1 1 1 1 2 4 2 3 0 0 0": (0, {"A": -1, "B": -1, "C": -2, "D": -2, "E": -2, "F": 0}),
    "0 0 6 0 3 5 1 2 1 0 0 0": (-2, {"E": -2, "F": -6}),
}

# awari,grand-slam=captures over all boards: wins, draws, losses.
WITH_GRAND_SLAMS = {3: (127, 63, 174), 4: (596, 138, 631), 6: (5781, 1540, 5055)}


def tauler(*arguments):
    return subprocess.check_output([PROGRAM, *arguments], text=True)


def processor_time(*arguments):
    """The output of a command, and its seconds of work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    printed = tauler(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return printed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def counts_of_awari(folder):
    """All boards are counted as published; make check: those of 18 seeds too, in a quarter of the build's time."""
    seeds = 18 if CHECK else 14
    _, build = processor_time("build", "auale", "--seeds", str(seeds), "--quiet", "--db", folder)
    rows, stats = processor_time("stats", "auale", "--seeds", str(seeds), "--boards", "all", "--csv", "--db", folder)
    with open("tests/oracles/auale-awari-all-boards.csv", encoding="ascii") as published:
        header, *expected = published.read().splitlines()
    expected = [row for row in expected if int(row.split(",")[0]) <= seeds]
    assert rows.splitlines()[: 1 + len(expected)] == [header, *expected], "other counts"
    if CHECK:
        printed_positions(folder)
        assert stats <= build / 4, f"stats take {stats:.2f} s, the build {build:.2f} s"
    else:
        print("SKIP: printed positions of 18 seeds: make check runs it")


def printed_positions(folder):
    for position, (value, moves) in AWARI.items():
        answer = json.loads(tauler("probe", "auale", "--json", "--db", folder, position))
        found = {move["move"]: move["value"] for move in answer["moves"]}
        assert answer["value"] == value and found == moves, f"{position}: {answer['value']}, {found}"


def counts_with_grand_slams(folder):
    rules = ("--rules", "awari,grand-slam=captures", "--seeds", "6", "--db", folder)
    tauler("build", "auale", "--quiet", *rules)
    rows = list(csv.DictReader(io.StringIO(tauler("stats", "auale", "--csv", "--boards", "all", *rules))))
    for seeds, expected in WITH_GRAND_SLAMS.items():
        of_slice = [(int(row["value"]), int(row["count"])) for row in rows if row["slice"] == str(seeds)]
        found = (sum(n for value, n in of_slice if value > 0), sum(n for value, n in of_slice if value == 0),
                 sum(n for value, n in of_slice if value < 0))
        assert found == expected, f"{seeds} seeds: {found} instead of {expected}"


def main():
    failed = False
    for case in (counts_of_awari, counts_with_grand_slams):
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(folder)
                print(f"PASS: {case.__name__}")
            except (AssertionError, subprocess.CalledProcessError) as error:
                print(f"FAIL: {case.__name__}: {error}")
                failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
