#!/usr/bin/python3
"""Moves, positions, depths and places of whole slices as numpy arrays: batches against the rules, arrays against answers
and texts, limits, threads."""
import importlib.util
import os
import random
import sys

if importlib.util.find_spec("numpy") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # that of the system may have it

import asking_python
from asking_python import DB, raises, tauler
from building import Skip, expect, run_cases

try:
    import numpy as np
except ImportError:
    print("SKIP: python arrays: install python3-numpy")
    sys.exit(0)

asking_python.leave_without_library()
# Slices small enough to be listed one position at a time.
SLICES = (("auale", "awari", 6), ("auale", "awari,grand-slam=captures", 5), ("auale", "abapa", 5), ("doushouqi", None, "Lr"),
          ("doushouqi", "liacs", "El"), ("doushouqi", None, "DRe"), ("phutball", None, "4x3"), ("phutball", "goal-line=stop", "3x4"),
          ("morris", None, "all"))
ANIMALS = "rcwdptle"


def slices():
    with tauler.open(DB) as db:
        for game, rules, name in SLICES:
            try:
                yield game, db.select(game, rules), db.select(game, rules).slice(name)
            except tauler.BadUsage:
                names = [stored.slice for stored in db.contents().slices if stored.game == game]
                expect(False, game, "has no slice", name, "but", names)


def sorted_moves(moves):
    order = np.lexsort((moves.indexes, moves.slices, moves.origins))
    return [part.tolist() for part in (moves.offsets, moves.slices[order], moves.indexes[order], moves.gains[order], moves.ended)]


def batches_list_what_the_rules_say(_):
    for game, tables, whole in slices():
        n = min(len(whole), 30000)
        fast, slow = whole.moves(0, n), whole.moves(0, n, by_rules=True)
        expect(sorted_moves(fast) == sorted_moves(slow), tables, whole.name)
        expect(fast.offsets[0] == 0 and fast.offsets[-1] == len(fast.slices) > 0 and len(fast) == n, tables)
        expect((fast.quiet == (fast.slices == whole.number)).all(), tables, "quiet")


def parts_and_threads_make_no_difference(_):
    for game, tables, whole in slices():
        n = min(len(whole), 60000)
        one, many = whole.moves(0, n, threads=1), whole.moves(0, n, threads=5)
        expect(sorted_moves(one) == sorted_moves(many), tables, "threads")
        cut = n // 3
        parts = [whole.moves(0, cut), whole.moves(cut, n)]
        expect(np.concatenate([part.indexes for part in parts]).tolist() == one.indexes.tolist(), tables, "parts")
        expect((np.diff(parts[1].offsets) == np.diff(one.offsets)[cut:]).all(), tables, "offsets of a part")
        expect((whole.boards(0, n, threads=1) == whole.boards(0, n, threads=5)).all(), tables, "boards by threads")
        expect((whole.boards(cut, n) == whole.boards(0, n)[cut:]).all(), tables, "boards in parts")


def moves_are_those_of_answers(_):
    """As many children as an answer's moves lead to, at the same places, for the same gain."""
    dice = random.Random(3)
    for game, tables, whole in slices():
        moves = whole.moves()
        for index in (dice.randrange(len(whole)) for _ in range(40)):
            text = whole.position(index)
            if text is None:
                continue
            try:
                answer = tables.probe(text)
            except tauler.TableMissing as missing:
                answer = missing.answer
            children = [move.position for move in answer.moves if not move.over]
            wanted = {(int(slice_), int(place)) for slice_, place in zip(*tables.places(children))}
            own = range(moves.offsets[index], moves.offsets[index + 1])
            found = {(int(moves.slices[i]), int(moves.indexes[i])) for i in own if moves.slices[i] >= 0}
            expect(found == wanted, tables, text, found, wanted)
            expect(any(moves.slices[i] < 0 for i in own) == any(move.over for move in answer.moves), tables, text, "over")
            expect((moves.ended[index] == moves.NOT_ENDED) == (len(own) > 0), tables, text, "ended")


def numbers_of(game, text):
    """A position's numbers, read from its text."""
    board = text.split()[0]
    if game == "auale":
        return [int(seeds) for seeds in board.split("-")[:12]]
    rows = [[] for _ in board.split("/")]
    for row, words in zip(rows, board.split("/")):
        while words:
            digits = len(words) - len(words.lstrip("0123456789"))
            row += [0] * int(words[:digits]) if digits else [words[0]]
            words = words[digits or 1:]
    cells = [cell for row in reversed(rows) for cell in row]
    if game == "phutball":
        return [{0: 0, "x": 1, "o": 2}[cell] for cell in cells]
    if game == "doushouqi":
        return [0 if not cell else (ANIMALS.index(cell.lower()) + 1) * (1 if cell.isupper() else -1) for cell in cells]
    return [0 if not cell else 1 if cell == text.split()[1] else -1 for cell in cells]


def boards_are_those_of_texts(_):
    dice = random.Random(4)
    for game, tables, whole in slices():
        boards = whole.boards()
        for index in (dice.randrange(len(whole)) for _ in range(60)):
            text = whole.position(index)
            if text is None:
                expect((boards[index] == -128).all(), tables, index, boards[index])
            else:
                expect(boards[index].tolist() == numbers_of(game, text), tables, text, boards[index])
    with tauler.open(DB) as db:
        two = db.select("oca").slice(2)
        for index in (0, 17, len(two) - 1):
            text = two.position(index)
            if text is None:
                continue
            squares = [int(token.partition("~")[0].strip("*")) for token in text.partition(":")[2].partition("/")[0].split(",")]
            expect(two.boards(index, index + 1)[0, ::2].tolist() == squares, text, two.boards(index, index + 1))


def places_of_texts(_):
    for game, tables, whole in slices():
        texts = [text for text in map(whole.position, range(0, len(whole), max(1, len(whole) // 100))) if text]
        numbers, indexes = tables.places(texts)
        expect((numbers == whole.number).all() and [whole.position(int(i)) for i in indexes] == texts, tables)
    with tauler.open(DB) as db:
        awari = db.select("auale", "awari")
        expect(awari.places(["1-1-1-1-1-1-1-1-1-1-1-1-0-0-S"])[1].tolist() == [-1], "a board that no move leads to")
        raises(tauler.BadPosition, lambda: awari.places(["0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", "zebra"]), "position 1 of the list")
        expect(awari.places([])[0].tolist() == [], "none")


def boards_that_no_move_leads_to(_):
    """With so many seeds all boards whose opponent's pits all hold seeds."""
    with tauler.open(DB) as db:
        for seeds, boards in ((5, 0), (6, 1), (7, 12), (8, 78)):
            of = db.select("auale", "awari").slice(seeds)
            rows = of.boards(outside=True)
            expect(of.outside == boards == len(rows), seeds, of.outside)
            expect(not boards or ((rows[:, 6:] > 0).all() and (rows.sum(axis=1) == seeds).all()), seeds, rows)
            moves = of.moves(outside=True)
            expect(len(moves) == boards and (moves.ended != moves.NOT_ENDED).sum() == (np.diff(moves.offsets) == 0).sum(), seeds)
        expect(db.select("phutball").slice("4x3").outside == 0, "phutball")


def depths_are_those_of_answers(_):
    dice = random.Random(5)
    with tauler.open(DB) as db:
        for game, rules, name in (("auale", "awari", 7), ("doushouqi", None, "Lr"), ("phutball", None, "4x3")):
            tables = db.select(game, rules)
            whole = tables.slice(name)
            depths = whole.depths()
            expect(depths.shape == (len(whole), 2), depths.shape)
            for index in (dice.randrange(len(whole)) for _ in range(60)):
                worth = tables.probe(whole.position(index)).bounds
                wanted = [-1 if depth is None else depth for depth in (worth.depth_lower, worth.depth_upper)]
                expect(depths[index].tolist() == wanted, tables, index, depths[index], wanted)
        raises(tauler.TableMissing, lambda: db.select("auale", "abapa").slice(4).depths())


def children_of(tables, position):
    """All positions after any roll and move; no table need be there."""
    try:
        rolls = tables.probe(position).rolls
    except tauler.TableMissing as missing:
        rolls = missing.answer.rolls
    return {move.position for roll in rolls for move in roll.moves if not move.over}


def reached_is_what_moves_lead_to(_):
    """Against moves of single positions, and with two tokens against a count from outside the project."""
    with tauler.open(DB) as db:
        asesina = db.select("oca-asesina", "base,board=20")
        seen, new = set(), {"0/0 lost=0,0 seat=1"}
        while new:
            seen |= new
            new = set().union(*(children_of(asesina, position) for position in new)) - seen
        numbers, indexes = asesina.places(sorted(seen))
        for name in ("1.0-0", "1.1-0"):
            whole = asesina.slice(name)
            found = whole.reached(threads=2)
            wanted = {int(index) for number, index in zip(numbers, indexes) if number == whole.number and index >= 0}
            expect(set(np.flatnonzero(found).tolist()) == wanted, name, found.sum(), len(wanted))
            expect((whole.reached(3, 9) == found[3:9]).all() and len(whole.reached(2, 2)) == 0, "a part of", name)
        two = asesina.slice("2.0-0")
        found = two.reached()
        on_death = (two.boards()[:, [0, 1, 3, 4]] == 16).any(axis=1)
        expect((len(two), found.sum(), on_death.sum()) == (323928, 89702, 59744), len(two), found.sum(), on_death.sum())
        expect(not found[on_death].any(), "no token stays on death")
        raises(tauler.BadUsage, db.select("auale", "awari").slice(4).reached, "no game of dice")


def wrong_questions(_):
    with tauler.open(DB) as db:
        awari, oca = db.select("auale", "awari").slice(4), db.select("oca").slice(2)
        for call in (awari.moves, awari.boards, awari.depths):
            for first, stop in ((-1, 2), (3, 2), (0, len(awari) + 1)):
                try:
                    call(first, stop)
                    expect(False, "no error of", first, stop)
                except IndexError:
                    pass
            expect(len(call(5, 5)) == 0, "an empty range")
        raises(tauler.BadUsage, lambda: awari.moves(0, 1, outside=True), "has 0 positions")
        raises(tauler.BadUsage, oca.moves, "game of dice")
        raises(tauler.BadUsage, oca.depths, "game of dice")


asking_python.build_tables()
run_cases([batches_list_what_the_rules_say, parts_and_threads_make_no_difference, moves_are_those_of_answers,
           boards_are_those_of_texts, places_of_texts, boards_that_no_move_leads_to, depths_are_those_of_answers,
           reached_is_what_moves_lead_to, wrong_questions])
