"""Can the opponent of aualé avoid a capture if two of its pits are attacked at once?"""
from typing import Any, Dict, Optional

import numpy as np

import tauler

from .. import Claim, Mean, RuleSet, Settings, share
from .._solve import best_of, moves_of
from ._boards import PITS, is_slam, sow

SETTINGS = Settings(counts="boards", options="seeds", usual=12, sets=[("awari", None)], loaded=True)
OWN, SHOWN, DECIMALS = 6, 2, 2  # SHOWN: so many attacked pits


def attacked(boards: Any) -> Any:
    """How many of the mover's pits the other side could take if it were to move, each by some move, but for grand slams."""
    other, pits = np.roll(boards, OWN, axis=1), np.zeros((len(boards), PITS), dtype=bool)
    for pit in range(OWN):
        having = np.flatnonzero(other[:, pit] > 0)
        sown, taken = sow(other[having], pit)
        pits[having] |= taken & ~is_slam(sown, taken)[:, None]
    return pits.sum(axis=1)


def captures(rules: RuleSet, n: int, threads: int) -> Any:
    """Of each board whether some move takes anything."""
    return np.concatenate([best_of(moves.gains * (moves.slices >= 0), moves.offsets, 0) > 0
                           for _, moves in moves_of(rules.slice(n), threads)])


def can_be_met(moves: tauler.Moves, taking: Dict[int, Any]) -> Any:
    """Of each board whether some move leaves the other side nothing to take."""
    safe = moves.slices < 0
    for number in np.unique(moves.slices[~safe]):
        of = moves.slices == number
        safe[of] = ~taking[int(number)][moves.indexes[of]]
    return best_of(safe.astype(np.int8), moves.offsets, 0) > 0


def taken_by(rules: RuleSet, position: str) -> int:
    """The most that a move takes, by the rules; the position has empty stores but for the other side's."""
    store = PITS + (position[-1] == "N")
    before = int(position.split("-")[store])
    return max((int(move.position.split("-")[store]) - before for move in rules.look(position).moves if move.position), default=0)


def show(claim: Claim, n: int, index: int) -> None:
    rules = claim.sets[0]
    position = rules.position(n, index)
    witness = claim.show(rules, position, "witness", SHOWN)
    moves = rules.look(position).moves
    met = sum(not move.position or not taken_by(rules, move.position) for move in moves)
    witness.recheck("single answers", met == 0, "recheck-single-answers", len(moves), met)


def examine(claim: Claim) -> None:
    rules, n = claim.sets[0], claim.limit
    shown: Optional[int] = None
    taking = {k: captures(rules, k, claim.threads) for k in range(n + 1)}
    sums = np.zeros((3, OWN + 1), dtype=np.int64)  # boards, those where it cannot be met, and values
    for first, moves in moves_of(rules.slice(n), claim.threads):
        pits = attacked(rules.slice(n).boards(first, first + len(moves), threads=claim.threads).astype(np.int64))
        hit, value = ~can_be_met(moves, taking) & (moves.ended == moves.NOT_ENDED), rules.values(n)[first:first + len(moves)]
        sums += [np.bincount(pits, weights=of, minlength=OWN + 1).astype(np.int64) for of in (np.ones(len(pits)), hit, value)]
        found = np.flatnonzero(hit & (pits == SHOWN))
        if shown is None and len(found):
            shown = first + int(found[0])
    table = claim.table("attacked")
    for pits, (boards, hit, value) in enumerate(sums.T.tolist()):
        if boards:
            table.add(pits, boards, hit, share(hit, boards, DECIMALS), Mean(value / boards, DECIMALS))
    if shown is None:
        return
    show(claim, n, shown)
    (one, one_hit), (more, more_hit) = sums[:2, 1].tolist(), sums[:2, 2:].sum(axis=1).tolist()
    claim.judge("holds" if more == more_hit else "holds for", "verdict", n, share(one_hit, one, DECIMALS),
                share(more_hit, more, DECIMALS), more - more_hit)
