"""Moves of awari and abapa on the same boards, pit by pit."""
from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np

import tauler

from .. import RuleSet
from .._solve import best_of, parts, worths

NONE = -128


@dataclass(frozen=True)
class Pairs:
    """Neighbouring boards, and for each the values of its moves in either game."""

    first: int  # index of the first board
    awari: tauler.Moves
    abapa: tauler.Moves
    worth: Any  # of each move of abapa
    best: Any  # of each board, NONE without a move
    best_awari: Any  # the same in awari
    partner: Any  # the move of awari from the pit of each move of abapa; -1: it is not legal there
    followed: Any  # whether that one is a best move of awari


def keys(moves: tauler.Moves, chosen: Any) -> Any:
    """A number for the board and the place to which each chosen move leads. What it captures follows from the place."""
    return (moves.origins[chosen] << 42) | (moves.slices[chosen].astype(np.int64) << 36) | moves.indexes[chosen]


def by_name(rules: RuleSet, position: str, moves: tauler.Moves, board: int) -> Any:
    """The names of a board's moves, in the order of the arrays."""
    found = rules.by_place(position)
    listed = range(int(moves.offsets[board]), int(moves.offsets[board + 1]))
    return {found[moves.slices[k], moves.indexes[k]].name: k for k in listed}


def partners(awari: RuleSet, abapa: RuleSet, one: tauler.Moves, other: tauler.Moves) -> Any:
    """For each move of abapa (`other`) that of awari from the same pit. Moves of a pit are mostly alike in both games, and then
    known by where they lead: no two pits of a board lead to the same place. A board with another move of awari is read
    again by the names of its moves."""
    partner = np.full(len(other.slices), -1)
    alike = np.diff(one.offsets) == np.diff(other.offsets)
    mine, theirs = (np.flatnonzero(np.repeat(alike, np.diff(moves.offsets))) for moves in (one, other))
    differs = (one.slices[mine] != other.slices[theirs]) | (one.indexes[mine] != other.indexes[theirs])
    alike[other.origins[theirs[differs]]] = False
    partner[theirs[~differs]] = mine[~differs]
    mine, theirs = (np.flatnonzero(~np.repeat(alike, np.diff(moves.offsets))) for moves in (one, other))
    partner[theirs] = -1
    wanted, have = keys(other, theirs), keys(one, mine)
    _, at, to = np.intersect1d(wanted, have, assume_unique=True, return_indices=True)
    partner[theirs[at]] = mine[to]
    alone = np.setdiff1d(mine, partner[theirs])
    for board in np.unique(one.origins[alone]):
        position = abapa.position(other.slice, other.first + int(board))
        names, own = by_name(awari, position, one, board), by_name(abapa, position, other, board)
        for name, k in own.items():
            partner[k] = names.get(name, -1)
    return partner


def pairs(awari: RuleSet, abapa: RuleSet, n: int, threads: int) -> Iterator[Pairs]:
    """All boards of so many seeds, part by part."""
    for first, stop in parts(len(abapa.slice(n))):
        one, other = (rules.slice(n).moves(first, stop, threads=threads) for rules in (awari, abapa))
        theirs, mine = worths(one, awari.values), worths(other, abapa.values)
        best, partner = best_of(theirs, one.offsets, NONE), partners(awari, abapa, one, other)
        followed = (partner >= 0) & (theirs[partner] == best[other.origins])
        yield Pairs(first, one, other, mine, best_of(mine, other.offsets, NONE), best, partner, followed)
