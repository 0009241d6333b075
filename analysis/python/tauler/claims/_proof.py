"""Proves that a position is drawn by the moves alone, values and depths of tables being hints only.

A drawn position has a move to a drawn one, and its other moves lead to drawn positions or to such as are won for the other
side; a won position scores at once or has a move to a lost one of less depth; every move of a lost position leads to a won
one of less depth, or scores for the other side. Depths cannot fall for ever, so that what is hinted as won is won; then
either side can hold the draw from what is hinted as drawn, and neither can do better.
"""
from typing import Any, List, NamedTuple, Optional

import numpy as np

import tauler

MOST_HELD, MOST_LOOKED_AT = 1 << 27, 1 << 21  # positions whose values are read, and those of a proof


class Proof(NamedTuple):
    done: bool
    wrong: Optional[int]  # a position whose moves do not agree with what is said of it
    looked_at: List[int]  # drawn, won and lost positions


def _followed(moves: tauler.Moves, values: Any, depths: Any) -> Any:
    """The positions on which it rests that the moves of one agree with what is said of it: all of lost and drawn ones, one of
    won ones. None: they do not agree."""
    value, depth = values[moves.first], depths[moves.first]
    over, inside, to = moves.slices < 0, moves.quiet & (moves.gains == 0), moves.indexes
    ends, children = moves.gains[over], to[inside]
    scores = bool((ends > 0).any())
    if not len(to) or not (over | inside).all() or (ends == 0).any() or (scores and value <= 0):
        return None
    after, sooner = values[children], depths[children] < depth
    if value > 0:
        lost = children[(after < 0) & sooner]
        return children[:0] if scores else lost[np.argsort(depths[lost], kind="stable")[:1]] if len(lost) else None
    fits = (after >= 0).all() and (after == 0).any() if value == 0 else ((after > 0) & sooner).all()
    return children if fits else None


def prove_draw(solved: tauler.Slice, start: int, most: int = MOST_LOOKED_AT) -> Proof:
    """Not done where there are too many positions."""
    if len(solved) > MOST_HELD:
        return Proof(False, None, [0, 0, 0])
    values, depths = solved.values(), np.maximum(solved.depths()[:, 0], 0)
    seen, waiting, wrong = {start}, [start], None if values[start] == 0 else start
    while waiting and wrong is None and len(seen) <= most:
        at = waiting.pop()
        children = _followed(solved.moves(at, at + 1), values, depths)
        if children is None:
            wrong = at
        else:
            new = set(children.tolist()) - seen
            seen |= new
            waiting.extend(new)
    counts = [int((values[sorted(seen)] == value).sum()) for value in (0, 1, -1)]
    return Proof(wrong is not None or not waiting, wrong, counts)
