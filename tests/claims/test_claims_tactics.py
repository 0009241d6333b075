#!/usr/bin/python3
# Tier: make check
"""Findings of the claims about the tactics of aualé with few seeds, and about the jumps of Dou Shou Qi, counted once more board
by board, from what the rules answer about each."""
import importlib.util
import itertools
import json
import os
import sys

if importlib.util.find_spec("numpy") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv]) # Debian's has it

from asking_python import leave_without_library, tauler
from building import expect, run, run_cases
from claiming import SHARED, report, row, row_where, rows

leave_without_library()

SEEDS = 6
KROO_SEEDS = 14


def pits_of(position):
    return [int(one) for one in position.split("-")[:14]]


def look(tables, position):
    try:
        return tables.probe(position)
    except tauler.TableMissing as missing:
        return missing.answer


def moves_of(tables, position):
    """Name, board with stores, value, and what is taken, of each move; stores of the mover are empty."""
    store = 12 + position.endswith("N")
    return [(move.name, pits_of(move.position), move.value, pits_of(move.position)[store] - pits_of(position)[store])
            for move in look(tables, position).moves if move.position]


def boards(tables, seeds):
    whole = tables.slice(seeds)
    return [whole.position(index) for index in range(len(whole))]


def grand_slams_are_those_of_the_rules(_):
    found = report(f"auale-slam --seeds {SEEDS}")
    with tauler.open(SHARED) as db:
        captures, awari = db.select("auale", "awari,grand-slam=captures"), db.select("auale", "awari")
        for n in range(1, SEEDS + 1):
            slams = [board for board in boards(captures, n)
                     if any(taken and not any(after[6:12]) for _, after, _, taken in moves_of(captures, board))]
            values = [awari.value(board).lower for board in slams]
            one = row(found, "layers", "seeds", str(n))
            expect((one["slams"], one["less"], one["unwon"]) ==
                   (len(slams), sum(value < n for value in values), sum(value <= 0 for value in values)), one, len(slams))
            expect(all(captures.value(board).lower == n for board in slams), n, "a grand slam takes all")


def attacks_are_those_of_the_rules(_):
    found, counts = report(f"auale-two-attacks --seeds {SEEDS}"), {}
    with tauler.open(SHARED) as db:
        awari = db.select("auale", "awari")
        for board in boards(awari, SEEDS):
            pits, attacked = pits_of(board), set()
            for _, after, _, taken in moves_of(awari, board[:-1] + "N"):
                if taken and any(after[:6]):
                    attacked |= {pit for pit in range(6) if after[pit] < pits[pit]}
            answer = look(awari, board)
            met = answer.ended or any(
                not move.position or not any(taken for *_, taken in moves_of(awari, move.position)) for move in answer.moves)
            of = counts.setdefault(len(attacked), [0, 0, 0])
            for at, more in enumerate((1, not met, answer.value)):
                of[at] += more
    is_ = {one["attacked"]: (one["boards"], one["hit"], one["gain"]) for one in rows(found, "attacked")}
    expect(is_.keys() == counts.keys(), is_, counts)
    for attacked, (number, hit, value) in counts.items():
        expect(is_[attacked][:2] == (number, hit) and abs(is_[attacked][2] - value / number) < 0.0051, is_, counts)


def hoards_and_time_are_those_of_the_boards(_):
    found, hoards, times = report(f"auale-hoarding --seeds {SEEDS}"), {}, {}
    with tauler.open(SHARED) as db:
        awari = db.select("auale", "awari")
        for board in boards(awari, SEEDS):
            pits, value = pits_of(board), awari.value(board).lower
            spare = [sum(0 < pits[side + at] < 6 - at for at in range(6)) for side in (0, 6)]
            hoards.setdefault(sum(pits[:6]), []).append(value)
            if sum(pits[:6]) == SEEDS // 2:
                times.setdefault(spare[0] - spare[1], []).append(value)
    for table, key, counted in (("hoards", "own", hoards), ("time", "more", times)):
        is_ = {one[key]: one for one in rows(found, table)}
        expect(is_.keys() == counted.keys(), is_, counted.keys())
        for number, values in counted.items():
            expect(is_[number]["boards"] == len(values) and abs(is_[number]["gain"] - sum(values) / len(values)) < 0.00006, number, is_)


def kroos_are_those_of_the_rules(_):
    """The captures of one number of seeds, found among all boards."""
    found = report(f"auale-kroo --seeds {KROO_SEEDS}")
    with tauler.open(SHARED) as db:
        awari = db.select("auale", "awari")
        whole = awari.slice(KROO_SEEDS)
        there = [index for index, board in enumerate(whole.boards().tolist()) if max(board[:6]) >= 12]
        worths = [(taken, value) for index in there for name, after, value, taken in moves_of(awari, whole.position(index))
                  if taken and any(after[6:12]) and pits_of(whole.position(index))["ABCDEF".index(name)] >= 12]
    one = row(found, "seeds", "seeds", str(KROO_SEEDS))
    signs = [sum(sign * value > 0 for _, value in worths) for sign in (1, -1)]
    expect((one["boards"], one["captures"]) == (len(there), len(worths)), one, len(there), len(worths))
    for key, number in (("taken", sum(taken for taken, _ in worths)), ("won", 100 * signs[0]), ("lost", 100 * signs[1])):
        expect(abs(one[key] - number / len(worths)) < 0.0051, key, one, number / len(worths))


LAKES = [(file, rank) for rank in (4, 5, 6) for file in (2, 3, 5, 6)]


def jumps_by_hand(cat):
    """From, to and the lake of each jump: a leopard's along ranks alone."""
    for file, rank in itertools.product(range(1, 8), range(1, 10)):
        for by, (across, up) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
            at, lake = (file + across, rank + up), set()
            while at in LAKES:
                lake |= {square for square in LAKES if (square[0] < 4) == (at[0] < 4)}
                at = at[0] + across, at[1] + up
            if lake and (file, rank) not in LAKES and not (cat == "P" and by > 1):
                yield (file, rank), at, lake


def on_board(turn, **pieces):
    ranks = [[""] * 7 for _ in range(9)]
    for letter, (file, rank) in pieces.items():
        ranks[9 - rank][file - 1] = letter
    return "/".join("".join(one or "1" for one in rank) for rank in ranks) + f" {turn}"


def stopped_by_hand(values, cat, friends):
    """Positions, jumps, and positions in which the jump would be worth more than every move, would win then, or is missed in a
    lost one; square by square, with the value of every position from the table."""
    before, after = {}, {}
    for from_, to, lake in jumps_by_hand(cat):
        for rat, friend in itertools.product(lake, friends):
            if friend and friend["W"] in (from_, to):
                continue
            here = on_board("w", **{cat: from_}, r=rat, **friend)
            before[here] = values.value(here).lower
            after.setdefault(here, []).append(-values.value(on_board("b", **{cat: to}, r=rat, **friend)).upper)
    decided = [here for here, worth in before.items() if max(after[here]) > worth]
    return [len(before), len(decided), sum(max(after[here]) > 0 for here in decided), sum(before[here] < 0 for here in decided),
            sum(map(len, after.values()))]


def jumps_that_rats_stop_are_those_by_hand(_):
    """Of two pieces; and of a lion with a friend, which may stand where it would land."""
    found = report("doushouqi-stopped-jumps --pieces 2")
    run("build", "doushouqi", "--pieces", "3", "--depth", "--db", SHARED, "--quiet")
    materials = json.loads(run("figures", "animal-jumps", "--pieces", "3", "--db", SHARED, "--quiet").stdout)["materials"]
    with tauler.open(SHARED) as db:
        values = db.select("doushouqi", "base")
        for cat, name in (("P", "leopard"), ("T", "tiger"), ("L", "lion")):
            is_ = row_where(found, "cats", f"cat={name}")
            expect([is_[key] for key in ("stopped", "decided", "won", "lost", "jumps")] == stopped_by_hand(values, cat, [{}]), name, is_)
        land = [square for square in itertools.product(range(1, 8), range(1, 10)) if square not in (*LAKES, (4, 1), (4, 9))]
        (is_,) = [one for one in materials if sorted(one["pieces"]) == sorted("LWr")]
        at = 5 * is_["pieces"].index("L")
        expect(is_["counts"][at:at + 5] == stopped_by_hand(values, "L", [{"W": square} for square in land]), is_)


def moves_on_plain_land_are_those_by_hand(_):
    """Of two animals without water: steps alone, the strength of animals, the rat and the elephant, traps, and the own den."""
    found = row_where(report("doushouqi-lakes --pieces 2"), "lakes", "lakes=plain; pieces=2")
    dens, traps, beside = ((4, 1), (4, 9)), ((3, 1), (5, 1), (4, 2)), ((1, 0), (-1, 0), (0, 1), (0, -1))
    squares = [one for one in itertools.product(range(1, 8), range(1, 10)) if one not in dens]
    takes = sum((mover >= other and (mover, other) != (8, 1)) or (mover, other) == (1, 8)
                for mover, other in itertools.product(range(1, 9), repeat=2))
    moves = 0
    for mover, other in itertools.permutations(squares, 2):
        for file, rank in ((mover[0] + file, mover[1] + rank) for file, rank in beside):
            if 1 <= file <= 7 and 1 <= rank <= 9 and (file, rank) != dens[0]:
                moves += takes if (file, rank) == other and other not in traps else 64
    expect(found["positions"] == 64 * 61 * 60 and found["stuck"] == 0, found)
    expect(abs(found["moves"] - moves / found["positions"]) < 0.00051, found, moves)


run_cases([moves_on_plain_land_are_those_by_hand, jumps_that_rats_stop_are_those_by_hand, grand_slams_are_those_of_the_rules,
           attacks_are_those_of_the_rules, hoards_and_time_are_those_of_the_boards, kroos_are_those_of_the_rules])
