"""How often has a player of aualé no legal move, and who gains?"""
import itertools
from dataclasses import astuple, dataclass
from math import comb
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .. import Claim, RuleSet, Settings, Witness, share
from .._solve import parts
from ._boards import board_text

RULES = ("abapa", "awari", "awari,grand-slam=captures")
SETTINGS = Settings(game="auale", options="seeds", usual=16, rules="abapa, awari, and awari,grand-slam=captures",
                    sets=[(rules, None) for rules in RULES])
BRUTE_SEEDS, UNFED_SEEDS, DECIMALS = 8, 15, 4
UNFED = np.array([5, 4, 3, 2, 1, 0])  # seeds in each pit from which none reaches the opponent

Row = Tuple[int, ...]  # of the side to move, pit by pit


@dataclass
class Ended:
    """Boards of so many seeds without a legal move."""

    boards: int = 0
    none: int = 0  # the mover has no seeds
    none_table: int = 0  # of these such with an empty pit opposite
    unfed: int = 0  # the opponent has none and cannot be given any
    unfed_table: int = 0
    others: int = 0  # neither, or not worth what it should be


def all_parts(rules: RuleSet, seeds: int, threads: int) -> Iterator[Tuple[bool, Any, Any]]:
    """All boards of so many seeds with their moves, those that have an index first, and whether it is one of these."""
    all_ = rules.slice(seeds)
    for outside, n in ((False, len(all_)), (True, all_.outside)):
        for first, stop in parts(n):
            yield (not outside, all_.boards(first, stop, outside=outside, threads=threads),
                   all_.moves(first, stop, outside=outside, threads=threads))


def count_boards(rules: RuleSet, seeds: int, threads: int) -> Ended:
    found = Ended()
    for table, boards, moves in all_parts(rules, seeds, threads):
        found.boards += len(boards)
        stuck = moves.ended != moves.NOT_ENDED
        rows, value = boards[stuck].astype(np.int64), moves.ended[stuck]
        own, other = rows[:, :6].sum(axis=1), rows[:, 6:].sum(axis=1)
        none = (own == 0) & (value == -other)
        unfed = ~none & (other == 0) & (rows[:, :6] <= UNFED).all(axis=1) & (value == own)
        counts = [int(one.sum()) for one in (none, unfed)]
        found.none += counts[0]
        found.unfed += counts[1]
        found.none_table += counts[0] * table
        found.unfed_table += counts[1] * table
        found.others += len(rows) - sum(counts)
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


def inversions(n: int) -> int:
    """Permutations of six with n inversions: the ways to write n as a sum of six numbers, the i-th at most i."""
    return sum(sum(parts_) == n for parts_ in itertools.product(*(range(i + 1) for i in range(6))))


def formulae(abapa: bool, n: int) -> Ended:
    none, unfed = comb(n + 5, 5), inversions(n) if abapa else 0
    return Ended(comb(n + 11, 11), none, none - comb(n - 1, 5), unfed, unfed, 0)


def brute_force(abapa: RuleSet, most: int, reached: Dict[Row, str]) -> List[int]:
    """Of all moves on boards of few seeds, by the rules alone: how many, how many that leave a board without a move, and
    how many of these whose row is not known to be reached."""
    listed = {n: abapa.slice(n).moves(by_rules=True) for n in range(most + 1)}
    boards, known = {n: abapa.slice(n).boards() for n in listed}, {tuple(row) for row in reached}
    moves = ending = wrong = 0
    for n in range(1, most + 1):
        for of in (listed[n], abapa.slice(n).moves(outside=True)):
            moves += len(of.slices)
            for child in np.unique(of.slices):
                places = of.indexes[of.slices == child]
                stuck = places[listed[child].ended[places] != of.NOT_ENDED]
                ending += len(stuck)
                wrong += sum(bool(board[6:].any()) or tuple(map(int, board[:6])) not in known for board in boards[child][stuck])
    return [moves, ending, wrong]


def recheck(claim: Claim, witness: Witness, found: Dict[Tuple[int, int], Ended], reached: Dict[Row, str]) -> None:
    most = min(claim.limit, BRUTE_SEEDS)
    wrong = sum(astuple(one) != astuple(formulae(k == 0, n)) for (k, n), one in found.items())
    witness.recheck("formulae", wrong == 0, "recheck-formulae", wrong, len(found))
    moves, ending, unknown = brute_force(claim.sets[0], most, reached)
    witness.recheck("brute force", unknown == 0, "recheck-brute-force", moves, most, ending, unknown)


def show_witness(claim: Claim, found: Dict[Tuple[int, int], Ended], reached: Dict[Row, str]) -> None:
    """The reached row of most seeds; of several the least."""
    abapa = claim.sets[0]
    rows = [row for row in sorted(reached) if sum(row) <= claim.limit]
    if not rows:
        return
    row = max(rows, key=sum)
    move = abapa.play(reached[row], "F")
    after = abapa.look(move.position) if move and move.position else None
    value = int(after.bounds.lower) if after and after.ended and after.bounds else None
    witness = claim.show(abapa, reached[row], "witness")
    if after and value is not None:
        witness.step("S", "F", after.position, f"no legal move: North takes the {value} seeds of its row")
    witness.recheck("replay", bool(value and value > 0), "recheck-replay",
                    "legal and ends the game" if value is not None else "illegal or ends nothing")
    recheck(claim, witness, found, reached)


def examine(claim: Claim) -> None:
    seeds = range(1, claim.limit + 1)
    found = {(k, n): count_boards(rules, n, claim.threads) for k, rules in enumerate(claim.sets) for n in seeds}
    reached = find_reached(claim.sets[0])
    by_seeds = [sum(sum(row) == n for row in reached) for n in range(claim.limit + 1)]
    table = claim.table("boards")
    for n in seeds:
        abapa, awari = found[0, n], found[1, n]
        stuck = abapa.none + abapa.unfed
        table.add(n, abapa.boards, abapa.none, abapa.none_table, abapa.unfed, by_seeds[n], stuck,
                  share(stuck, abapa.boards, DECIMALS), awari.none + awari.unfed)
    show_witness(claim, found, reached)
    none, unfed = (sum(getattr(found[0, n], key) for n in seeds) for key in ("none", "unfed"))
    most = f", which takes {UNFED_SEEDS} seeds at most" if claim.limit > UNFED_SEEDS else ""
    claim.judge("holds for" if any(by_seeds) else "open", "verdict", claim.limit, none + unfed, none, unfed, most, sum(by_seeds))
