"""Values of abapa, infinite play being worth 0, if one side always plays a move that awari's table calls best, for the whole
rest of the game, against best play. On a board where no such move is legal that side has all its moves."""
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

import numpy as np

from .. import RuleSet
from .._solve import nearest_to_zero, sums
from ._pairs import Pairs, pairs

# The choice among several best moves of awari: the best in abapa for the side that follows; those with the earliest gain or
# the latest loss in awari; any. Remaining ties go to the move that is best for the other side.
WELL, IN_TIME, BADLY = WAYS = range(3)

Values = Dict[int, Tuple[Any, Any]]  # by seeds: net seeds of the side that follows, where it moves and where the other does


def in_time(of: Pairs, awari: RuleSet) -> Any:
    """Of the moves that are followed those that settle a gain soonest, a loss latest, by the depths of awari's tables."""
    quiet = (of.partner >= 0) & (of.awari.slices[of.partner] == of.awari.slice)
    depth = np.zeros(len(of.partner), dtype=np.int64)
    depth[quiet] = awari.slice(of.awari.slice).depths()[of.awari.indexes[of.partner[quiet]], 0]
    best = of.best_awari[of.abapa.origins]
    late = np.where(of.followed, np.where(best > 0, depth, -depth), 1 << 30)
    some = np.diff(of.abapa.offsets) > 0
    soonest = np.full(len(some), 1 << 30)
    soonest[some] = np.minimum.reduceat(late, of.abapa.offsets[:-1][some])
    return of.followed & ((late == soonest[of.abapa.origins]) | (best == 0))


@dataclass(frozen=True)
class Side:
    """The moves of who follows, or of the other side, on all boards on which play goes on."""

    children: Any  # the board that each move leads to, 0 where it leaves the slice
    quiet: Any  # whether it stays
    ends: Any  # what it is worth where it leaves
    starts: Any  # the first move of each board
    best: Any  # numpy.maximum or numpy.minimum

    def step(self, after: Any) -> Any:
        """What boards are worth by what they lead to."""
        return self.best.reduceat(np.where(self.quiet, after[self.children], self.ends), self.starts)


def solve_layer(awari: RuleSet, abapa: RuleSet, n: int, way: int, smaller: Values) -> Tuple[Any, Any]:
    """What either side can force by play that ends or captures: sweeps over all boards until nothing changes."""
    (of,) = pairs(awari, abapa, n, 1)
    moves, offsets = of.abapa, of.abapa.offsets
    chosen = in_time(of, awari) if way == IN_TIME else of.followed
    chosen = chosen | (sums(chosen, offsets) == 0)[moves.origins]
    over = np.diff(offsets) == 0
    sides = []
    for side, may in ((0, chosen), (1, np.ones(len(chosen), dtype=bool))):
        ends = moves.gains * np.int16(1 - 2 * side)
        for number in np.unique(moves.slices[~moves.quiet]):
            to = moves.slices == number
            ends[to] += smaller[int(number)][1 - side][moves.indexes[to]]
        counts = sums(may, offsets)[~over]
        sides.append(Side(np.where(moves.quiet, moves.indexes, 0)[may], moves.quiet[may],
                          ends[may].astype(np.int8), np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int64),
                          np.maximum if side == 0 and way == WELL else np.minimum))
    value = abapa.values(n)

    def settle(start: int) -> List[Any]:
        values = [np.where(over, sign * value, start).astype(np.int8) for sign in (1, -1)]
        changed = len(sides[0].ends) > 0
        while changed:
            changed = False
            for side, other in ((0, 1), (1, 0)):
                new = sides[side].step(values[other])
                changed = changed or bool((new != values[side][~over]).any())
                values[side][~over] = new
        return values

    least, most = settle(-max(n, 1)), settle(max(n, 1))
    return nearest_to_zero(least[0], most[0]), nearest_to_zero(least[1], most[1])


def follow(awari: RuleSet, abapa: RuleSet, seeds: int, way: int) -> Values:
    found: Values = {}
    for n in range(seeds + 1):
        found[n] = solve_layer(awari, abapa, n, way, found)
    return found
