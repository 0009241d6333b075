"""How often has a player of aualé no legal move, and who gains?"""
import itertools
from math import comb
from typing import Dict, List, Optional, Tuple

import numpy as np

from .. import Claim, RuleSet, Settings, share
from .._solve import parts
from ._boards import board_text

SETTINGS = Settings(options="seeds", usual=16, sets=[("abapa", None), ("awari", None), ("awari,grand-slam=captures", None)])
BRUTE_SEEDS, UNFED_SEEDS, DECIMALS = 8, 15, 4
UNFED = np.array([5, 4, 3, 2, 1, 0])  # seeds in each pit from which none reaches the opponent

Row = Tuple[int, ...]  # of the side to move, pit by pit
# Boards of so many seeds; without a legal move since the mover has no seeds, and such with an empty pit opposite; since the
# opponent has none and cannot be given any, and such; and others, or not worth what they should be.
Ended = List[int]
BOARDS, NONE, NONE_TABLE, UNFED_BOARDS, UNFED_TABLE, OTHERS = range(6)


def count_boards(rules: RuleSet, seeds: int, threads: int) -> Ended:
    """All boards, those that have an index first."""
    all_, found = rules.slice(seeds), [0] * 6
    for outside, n in ((False, len(all_)), (True, all_.outside)):
        for first, stop in parts(n):
            moves = all_.moves(first, stop, outside=outside, threads=threads)
            stuck = moves.ended != moves.NOT_ENDED
            rows = all_.boards(first, stop, outside=outside, threads=threads)[stuck].astype(np.int64)
            value, own, other = moves.ended[stuck], rows[:, :6].sum(axis=1), rows[:, 6:].sum(axis=1)
            none = (own == 0) & (value == -other)
            unfed = ~none & (other == 0) & (rows[:, :6] <= UNFED).all(axis=1) & (value == own)
            counts = [int(one.sum()) for one in (none, unfed)]
            new = [len(moves), counts[0], counts[0] * (not outside), counts[1], counts[1] * (not outside), len(rows) - sum(counts)]
            found = [a + b for a, b in zip(found, new)]
    return found


def unfed_row(position: str) -> Optional[Row]:
    """The row of North, to move, if South has no seeds and none of North's reaches it; else None."""
    pits = tuple(map(int, position.split("-")[:12]))
    return pits[6:] if not any(pits[:6]) and any(pits[6:]) and all(np.array(pits[6:]) <= UNFED) else None


def find_reached(abapa: RuleSet) -> Dict[Row, str]:
    """Unfed rows to which a legal move leads, each with a board before it. The move empties the mover's row, so its seeds
    all lay in the last pit, six at most; a pit of the other row held at most two if it was taken, else at most what it
    holds afterwards."""
    reached: Dict[Row, str] = {}
    for sown, *row in itertools.product(range(1, 7), *(range(most + 1) for most in (2, 2, 2, 3, 4, 5))):
        before = board_text([0, 0, 0, 0, 0, sown, *reversed(row)])
        move = abapa.play(before, "F")
        after = unfed_row(move.position) if move and move.position else None
        if move and move.position and after and after not in reached and abapa.look(move.position).ended:
            reached[after] = before
    return reached


def formulae(abapa: bool, n: int) -> Ended:
    """Unfed boards are as many as permutations of six with n inversions: the ways to write n as a sum of six numbers, the i-th
    at most i."""
    none = comb(n + 5, 5)
    unfed = sum(sum(ways) == n for ways in itertools.product(*(range(i + 1) for i in range(6)))) if abapa else 0
    return [comb(n + 11, 11), none, none - comb(n - 1, 5), unfed, unfed, 0]


def brute_force(abapa: RuleSet, most: int, reached: Dict[Row, str]) -> List[int]:
    """Of all moves on boards of few seeds, by the rules alone: how many, how many that leave a board without a move, and
    how many of these whose row is not known to be reached."""
    listed = {n: abapa.slice(n).moves(by_rules=True) for n in range(most + 1)}
    boards, moves, ending, wrong = {n: abapa.slice(n).boards() for n in listed}, 0, 0, 0
    for n in range(1, most + 1):
        for of in (listed[n], abapa.slice(n).moves(outside=True)):
            moves += len(of.slices)
            for child in np.unique(of.slices):
                places = of.indexes[of.slices == child]
                stuck = places[listed[child].ended[places] != of.NOT_ENDED]
                ending += len(stuck)
                wrong += sum(bool(board[6:].any()) or tuple(map(int, board[:6])) not in reached for board in boards[child][stuck])
    return [moves, ending, wrong]


def show_witness(claim: Claim, wrong: List[bool], reached: Dict[Row, str]) -> None:
    """The reached row of most seeds; of several the least."""
    abapa, most = claim.sets[0], min(claim.limit, BRUTE_SEEDS)
    rows = [row for row in sorted(reached) if sum(row) <= claim.limit]
    if not rows:
        return
    before = reached[max(rows, key=sum)]
    move = abapa.play(before, "F")
    assert move and move.position, "the move is legal"
    after = abapa.look(move.position)
    value = int(after.bounds.lower) if after.ended and after.bounds else 0
    witness = claim.show(abapa, before, "witness")
    witness.step("S", "F", after.position, f"no legal move: North takes the {value} seeds of its row")
    witness.recheck("replay", value > 0, "recheck-replay", "legal and ends the game" if value else "illegal or ends nothing")
    witness.recheck("formulae", not any(wrong), "recheck-formulae", sum(wrong), len(wrong))
    moves, ending, unknown = brute_force(abapa, most, reached)
    witness.recheck("brute force", unknown == 0, "recheck-brute-force", moves, most, ending, unknown)


def examine(claim: Claim) -> None:
    seeds, table, reached = range(1, claim.limit + 1), claim.table("boards"), find_reached(claim.sets[0])
    found = [[count_boards(rules, n, claim.threads) for n in seeds] for rules in claim.sets]
    for n, abapa, awari in zip(seeds, *found[:2]):
        stuck = abapa[NONE] + abapa[UNFED_BOARDS]
        table.add(n, abapa[BOARDS], abapa[NONE], abapa[NONE_TABLE], abapa[UNFED_BOARDS], sum(sum(row) == n for row in reached),
                  stuck, share(stuck, abapa[BOARDS], DECIMALS), awari[NONE] + awari[UNFED_BOARDS])
    show_witness(claim, [of[n - 1] != formulae(k == 0, n) for k, of in enumerate(found) for n in seeds], reached)
    none, unfed, after_move = map(table.sum, ("none", "unfed", "unfed_after_move"))
    most = f", which takes {UNFED_SEEDS} seeds at most" if claim.limit > UNFED_SEEDS else ""
    claim.judge("holds for" if after_move else "open", "verdict", claim.limit, none + unfed, none, unfed, most, after_move)
