#!/usr/bin/python3
# Tier: make check
"""Parts of the claims about aualé: other winners and values by listing all worths, lists of seeds, every line of play
against tables, which the slow definition confirms, and the greatest captures."""
import importlib.util
import os
import random
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
boards, captures, lines, followed, tables = (importlib.import_module("tauler.claims." + name) for name in (
    "auale._boards", "auale._captures", "auale._lines", "auale._followed", "_tables"))
SEEDS, MOST, LONGER, FEW, ALL, ROUNDS = 9, 3, 7, 5, 48, 400


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


def taken_by(rules, board):
    """By pits, the seeds that each move takes."""
    text = boards.board_text(board)
    return {"ABCDEF".index(move.name): sum(map(int, move.position.split("-")[12:14]))
            for move in rules.look(text).moves if move.position}


def most_taken(rules, every):
    """By kind and seeds, as records say it; of those of seeds sown also on how few seeds."""
    by_seeds, is_open, by_sown = {}, {}, {}
    for board in every:
        seeds = sum(board)
        for pit, taken in taken_by(rules, board).items():
            by_seeds[seeds] = max(by_seeds.get(seeds, 0), taken)
            is_open[seeds] = max(is_open.get(seeds, 0), taken * (0 in board[6:]))
            by_sown[board[pit]] = max(by_sown.get(board[pit], (0, 0)), (taken, -seeds if taken else 0))
    return by_seeds, is_open, by_sown


def spread(seeds, pits):
    if pits == 1:
        return [[seeds]]
    return [[first, *rest] for first in range(seeds + 1) for rest in spread(seeds - first, pits - 1)]


def captures_are_the_greatest(_):
    """Every board of few seeds, and random ones of many, by the text of the rules."""
    few, many = captures.Search(FEW).found, captures.Search(ALL).found
    random.seed(7)
    heaps = [random.sample(range(12), random.randint(1, 12)) for _ in range(ROUNDS)]
    thrown = [[of.count(pit) for pit in range(12)] for of in
              (random.choices(heap, k=random.randint(1, ALL)) for heap in heaps)]
    with tempfile.TemporaryDirectory() as folder, tauler.Database(folder) as db:
        for name, text in ((captures.ABAPA, "abapa"), (captures.AWARI, "awari"), (captures.CAPTURES, "awari,grand-slam=captures")):
            rules = tables.RuleSet(db, tables.Options(folder, quiet=True), "auale", text, None)
            every = most_taken(rules, [board for n in range(1, FEW + 1) for board in spread(n, 12)])
            for kind, of in zip(("by_seeds", "by_seeds_open", "by_sown"), every):
                for n, one in enumerate(few[name][kind], 1):
                    said = (one["captured"], -one["seeds"]) if kind == "by_sown" else one["captured"]
                    expect(said == of.get(n, (0, 0) if kind == "by_sown" else 0), name, kind, n, one, of)
            for kind, of in zip(("by_seeds", "by_seeds_open", "by_sown"), most_taken(rules, thrown)):
                for n, most in of.items():
                    expect((most[0] if kind == "by_sown" else most) <= many[name][kind][n - 1]["captured"], name, kind, n, most)
            for kind in captures.KINDS:
                for one in (one for one in many[name][kind] if one["captured"]):
                    expect(sum(one["pits"]) == one["seeds"] and one["pits"][one["origin"]] == one["sown"], "another board", one)
                    expect(one["open"] == (0 in one["pits"][6:]) >= (kind == "by_seeds_open"), name, kind, "is not open", one)
                    expect(taken_by(rules, one["pits"]).get(one["origin"]) == one["captured"], name, "cannot be played", one)


run_cases([worths_are_listed, seeds_are_listed, every_line_comes_to_the_value,
           in_awari_who_follows_awari_loses_nothing, captures_are_the_greatest])
