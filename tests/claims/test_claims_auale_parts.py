#!/usr/bin/python3
"""Parts of the claims about aualé: other winners and values by listing all worths, lists of seeds, and every line of play
against tables, which the slow definition confirms."""
import importlib.util
import os
import sys
import tempfile

if importlib.util.find_spec("numpy") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # that of the system may have it

import asking_python
from asking_python import tauler
from building import TAULER, expect, run_cases

try:
    import numpy as np
except ImportError:
    print("SKIP: parts of claims: install python3-numpy")
    sys.exit(0)

asking_python.leave_without_library()
os.environ["TAULER_PROGRAM"] = TAULER
boards, lines, followed, tables = (importlib.import_module("tauler.claims." + name) for name in (
    "auale._boards", "auale._lines", "auale._followed", "_tables"))
SEEDS, MOST, LONGER = 9, 3, 7


def sign(number):
    return (number > 0) - (number < 0)


def worths_are_listed(_):
    """Every value against every pair of bounds."""
    for seeds in range(SEEDS + 1):
        pairs = [(low, high) for low in range(-seeds, seeds + 1, 2) for high in range(low, seeds + 1, 2)]
        cases = [(value, low, high) for low, high in pairs for value in range(-seeds, seeds + 1)]
        value, lower, upper = (np.array(column, dtype=np.int8) for column in zip(*cases))
        for changed, step, kind in ((boards.changed_value(value, lower, upper), 2, int),
                                    (boards.changed_winner(value, lower, upper), 2, sign),
                                    (boards.changed_winner(value, lower, upper, every=True), 1, sign)):
            for (one, low, high), surely, unknown in zip(cases, *changed):
                worths = {kind(worth) for worth in range(low, high + 1, step)}
                wanted = (kind(one) not in worths, kind(one) in worths and len(worths) > 1)
                expect((bool(surely), bool(unknown)) == wanted, one, "against", low, high, kind, surely, unknown)


def seeds_are_listed(_):
    for chosen, text in (((), "none"), ((2,), "2"), ((3, 1, 2), "1-3"), ((1, 3, 4), "1 and 3-4"), ((0, 2, 4, 6), "0, 2, 4 and 6"),
                         ((3, 4, 7), "3-4 and 7")):
        expect(boards.list_seeds(chosen) == text, boards.list_seeds(chosen), "not", text)


def every_line_comes_to_the_value(_):
    """Also of boards that are asked for less than their worth: a bound on the right side."""
    with tempfile.TemporaryDirectory() as folder, tauler.Database(folder) as db:
        abapa = tables.RuleSet(db, tables.Options(folder, quiet=True), "auale", "abapa", "own-row")
        abapa.depths = False
        abapa.need("--seeds", MOST)
        every = lines.Lines(abapa, MOST)
        for n in range(MOST + 1):
            for index, value in enumerate(abapa.values(n)):
                expect(every.worth(n, index, 0, set()) == value, n, "seeds, board", index)
            for index in range(0, len(abapa.values(n)), 7):
                value = int(abapa.values(n)[index])
                expect(every.worth(n, index, 0, set(), value, value + 1) <= value, "a bound from below", n, index)
                expect(every.worth(n, index, 0, set(), value - 1, value) >= value, "a bound from above", n, index)


def in_awari_who_follows_awari_loses_nothing(_):
    """Who puts a gain off may never make it."""
    with tempfile.TemporaryDirectory() as folder, tauler.Database(folder) as db:
        awari = tables.RuleSet(db, tables.Options(folder, quiet=True), "auale", "awari", "even")
        awari.need("--seeds", LONGER)
        for way in followed.WAYS:
            found = followed.follow(awari, awari, LONGER, way)
            less = sum(int((of[0] < awari.values(n)).sum()) for n, of in found.items())
            expect(not any((of[0] > awari.values(n)).any() for n, of in found.items()), way, "gains")
            expect((less > 0) == (way == followed.BADLY), way, "loses on", less)


run_cases([worths_are_listed, seeds_are_listed, every_line_comes_to_the_value,
           in_awari_who_follows_awari_loses_nothing])
