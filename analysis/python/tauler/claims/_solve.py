"""Slices solved by their moves: what finite play forces, and results by plies. Claims hold tables against it."""
from typing import Any, Callable, Dict, Iterator, Tuple

import numpy as np

import tauler

from ._tables import RuleSet

PART = 1 << 20  # positions whose moves are listed at once
SWEEPS = 6  # between two looks at what is settled

Known = Callable[[int], Tuple[Any, Any]]  # lower and upper bounds of a smaller slice, by its number


def parts(positions: int) -> Iterator[Tuple[int, int]]:
    """Ranges first … stop − 1 of so many positions."""
    return ((first, min(positions, first + PART)) for first in range(0, positions, PART))


def moves_of(of: tauler.Slice, threads: int = 0) -> Iterator[Tuple[int, tauler.Moves]]:
    """All moves of a slice, part by part, each with the index of its first position."""
    return ((first, of.moves(first, stop, threads=threads)) for first, stop in parts(len(of)))


def best_of(values: Any, offsets: Any, none: int) -> Any:
    """The greatest value in each run offsets[i] … offsets[i + 1] − 1; `none` of an empty run."""
    best = np.full(len(offsets) - 1, none, dtype=values.dtype)
    some = np.diff(offsets) > 0
    if some.any():
        best[some] = np.maximum.reduceat(values, offsets[:-1][some])
    return best


def sums(numbers: Any, offsets: Any) -> Any:
    """The sum of each run offsets[i] … offsets[i + 1] − 1."""
    return np.diff(np.append(0, np.cumsum(numbers, dtype=np.int64))[offsets])


def worths(moves: tauler.Moves, values: Callable[[int], Any], chosen: Any = None) -> Any:
    """What moves are worth to the mover, by the values of the slices that they lead to; −128 of moves that are not chosen."""
    found = np.array(moves.gains, dtype=np.int16)
    for number in np.unique(moves.slices[moves.slices >= 0] if chosen is None else moves.slices[chosen & (moves.slices >= 0)]):
        of = moves.slices == number
        found[of] -= values(int(number))[moves.indexes[of]]
    return found if chosen is None else np.where(chosen, found, -128)


def leaving(moves: tauler.Moves, smaller: Known, inside: Any = None) -> Tuple[Any, Any]:
    """The best that moves out of the slice are worth, at least and at most; −128 where there is none. Of ended positions
    their value. `inside`: bounds of the slice itself, and then of all moves."""
    chosen, ended = ~moves.quiet if inside is None else None, moves.ended != moves.NOT_ENDED

    def best(side: int) -> Any:
        found = worths(moves, lambda n: (inside if n == moves.slice else smaller(n))[side], chosen)
        of = best_of(found, moves.offsets, -128)
        of[ended] = moves.ended[ended]
        return of.astype(np.int8)

    return best(1), best(0)


def finite_play(solved: tauler.Slice, largest: int, smaller: Known, by_rules: bool = False, threads: int = 1) -> Tuple[Any, Any]:
    """What the mover of every position can force by play that ends or leaves the slice, and can be held to by such play:
    sweeps over all positions until nothing changes. No value is beyond ±`largest`."""
    n = len(solved)
    least, most, counts, children = [], [], [], []
    for first, stop in parts(n):
        moves = solved.moves(first, stop, by_rules=by_rules, threads=threads)
        bounds = leaving(moves, smaller)
        least.append(bounds[0])
        most.append(bounds[1])
        counts.append(sums(moves.quiet, moves.offsets))
        children.append(moves.indexes[moves.quiet])
    floor, ceiling = np.concatenate(least), np.concatenate(most)
    lower, upper = np.full(n, -largest, dtype=np.int8), np.full(n, largest, dtype=np.int8)
    stuck = np.concatenate(counts) == 0
    lower[stuck], upper[stuck] = floor[stuck], ceiling[stuck]
    _sweep(lower, upper, floor, ceiling, np.concatenate(counts), np.concatenate(children))
    return lower, upper


def _sweep(lower: Any, upper: Any, floor: Any, ceiling: Any, counts: Any, children: Any) -> None:
    """Until nothing changes. Positions whose bounds have met are settled, and left out."""
    active = np.flatnonzero(counts)
    counts = counts[active]
    while len(active):
        starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
        changed = False
        for _ in range(SWEEPS):
            forced = np.maximum(floor[active], np.maximum.reduceat(-upper[children], starts))
            held = np.maximum(ceiling[active], np.maximum.reduceat(-lower[children], starts))
            changed = bool((forced != lower[active]).any() or (held != upper[active]).any())
            if not changed:
                return
            lower[active], upper[active] = np.maximum(forced, lower[active]), np.minimum(held, upper[active])
        left = lower[active] < upper[active]
        children = children[np.repeat(left, counts)]
        active, counts = active[left], counts[left]


def own_row_play(solved: tauler.Slice, pays: Any, smaller: Known) -> Tuple[Any, Any]:
    """Bounds of every position right after a capture where a position that comes back ends play and pays its mover `pays`,
    by the moves of the rules alone: what either side keeps by staying where a repetition pays it so much, or by leaving
    for something as good (docs/proofs.md, "Own row")."""
    moves = solved.moves(by_rules=True)
    least, most = (one.astype(np.int16) for one in leaving(moves, smaller))
    offsets = np.concatenate(([0], np.cumsum(moves.quiet)))[moves.offsets]
    children, worst = moves.indexes[moves.quiet], np.where(most == -128, 128, -most)

    def force(mover: Any, other: Any) -> Tuple[Any, Any]:
        """What a side gets by one move: where it moves, and where the other side does."""
        return (np.maximum(least, best_of(other[children], offsets, -128)),
                np.minimum(worst, -best_of(-mover[children], offsets, -128)))

    def settle(cells: Tuple[Any, Any], better: Any) -> Tuple[Any, Any]:
        while True:
            mover, other = (better(old, new) for old, new in zip(cells, force(*cells)))
            if (mover == cells[0]).all() and (other == cells[1]).all():
                return mover, other
            cells = mover, other

    nothing = np.full(len(solved), -128, dtype=np.int16)
    sure, before = (nothing, nothing), None
    while before is None or any((old != new).any() for old, new in zip(before, sure)):
        before = sure
        held = settle((np.maximum(sure[0], pays), np.maximum(sure[1], -pays)), np.minimum)
        sure = settle((np.maximum(sure[0], held[0]), np.maximum(sure[1], held[1])), np.maximum)
    return sure[0].astype(np.int8), (-sure[1]).astype(np.int8)


def nearest_to_zero(lower: Any, upper: Any) -> Any:
    """The value where infinite play is worth 0."""
    return np.where(lower > 0, lower, np.where(upper < 0, upper, 0)).astype(np.int8)


def solve_by_rules(rules: RuleSet, largest: int, by_values: bool) -> Dict[int, Tuple[Any, Any]]:
    """Slices 0 … largest, numbered as they are named, solved by the moves of the rules alone: no table, no batch. What
    play takes from smaller slices are their values where infinite play is worth 0, or what is forced there."""
    found: Dict[int, Tuple[Any, Any]] = {}
    for n in range(largest + 1):
        found[n] = finite_play(rules.slice(n), max(n, 1), lambda number: _known(found[number], by_values), by_rules=True)
    return found


def _known(bounds: Tuple[Any, Any], by_values: bool) -> Tuple[Any, Any]:
    return (nearest_to_zero(*bounds),) * 2 if by_values else bounds


def hold_against_rules(rules: RuleSet, largest: int, by_values: bool) -> Tuple[int, int, Dict[int, Tuple[Any, Any]]]:
    """How many positions slices 0 … largest have, on how many of them values, or bounds, are not those of the tables, and
    what play forces by the rules."""
    found = solve_by_rules(rules, largest, by_values)
    wrong = sum(int(np.logical_or(*(one != other for one, other in zip(_known(bounds, by_values), rules.bounds(n)))).sum())
                for n, bounds in found.items())
    return sum(len(lower) for lower, _ in found.values()), wrong, found


def hold_against_plies(solved: tauler.Slice) -> Tuple[Any, Any, int]:
    """Wins, draws and losses (1, 0, −1) and plies to the end, 0 of draws, of a slice that no move leaves, by the moves of
    the rules alone: ply by ply, one sweep over all open positions for each, until one changes nothing. In how many
    positions the tables say otherwise."""
    moves = solved.moves(by_rules=True)
    values, depths = np.zeros(len(solved), dtype=np.int8), np.zeros(len(solved), dtype=np.int32)
    quiet, ended = moves.quiet, moves.ended != moves.NOT_ENDED
    assert (moves.slices[~quiet] < 0).all(), "a move leaves the slice"
    values[ended] = moves.ended[ended]
    playing = np.flatnonzero(np.diff(moves.offsets))
    starts = moves.offsets[playing]
    after = -np.sign(moves.gains).astype(np.int8)  # value of each child, for who is to move there
    for ply in range(1, len(solved) + 2):
        after[quiet] = values[moves.indexes[quiet]]
        least = np.minimum.reduceat(after, starts)
        new = (values[playing] == 0) & (least != 0)  # a lost child, or all of them won
        if not new.any():
            break
        values[playing[new]] = -least[new]
        depths[playing[new]] = ply
    wrong = (solved.values() != values) | (solved.depths()[:, 0] != depths * (values != 0) - (values == 0))
    return values, depths, int(wrong.sum())
