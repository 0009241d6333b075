"""Every line of play of aualé with few seeds, right after a capture, until a board comes back and each side takes its row."""
from typing import Dict, Optional, Set, Tuple

import numpy as np

import tauler

from .. import RuleSet, Witness

MOST_SEEDS = 3

Met = Set[Tuple[int, int]]  # boards since the last capture, and whether the side that moved first is to move


class Lines:
    """Boards of so many seeds and fewer, and their moves by the rules alone."""

    def __init__(self, abapa: RuleSet, most: int) -> None:
        self.abapa = abapa
        self.moves: Dict[int, tauler.Moves] = {n: abapa.slice(n).moves(by_rules=True) for n in range(most + 1)}
        own = abapa.cycles != "even"  # where a repetition pays each side its row
        self.pays = {n: own * (2 * abapa.slice(n).boards()[:, :6].sum(axis=1, dtype=np.int64) - n) for n in self.moves}

    def end(self, n: int, index: int, turn: int, met: Met) -> Optional[int]:
        """What a board is worth on which play is over; None: it goes on."""
        of = self.moves[n]
        if of.ended[index] != of.NOT_ENDED:
            return int(of.ended[index])
        return int(self.pays[n][index]) if (index, turn) in met else None

    def best(self, n: int, index: int, turn: int, met: Met, least: int, most: int) -> Tuple[int, int]:
        """The first of the best moves of a board that was met now, and what it is worth to the mover: exactly between two
        bounds, else the side of them on which it lies."""
        of, best, at = self.moves[n], -128, -1
        for k in range(int(of.offsets[index]), int(of.offsets[index + 1])):
            left, child, gain = int(of.slices[k]), int(of.indexes[k]), int(of.gains[k])
            window = (gain - most, gain - max(best, least))
            worth = gain if left < 0 else gain - (self.worth(left, child, 1 - turn, met, *window) if left == n else
                                                  self.worth(left, child, 0, set(), *window))
            if worth > best:
                best, at = worth, k
            if best >= most:
                break
        return at, best

    def worth(self, n: int, index: int, turn: int, met: Met, least: int = -128, most: int = 128) -> int:
        end = self.end(n, index, turn, met)
        return self.best(n, index, turn, met | {(index, turn)}, least, most)[1] if end is None else end

    def show(self, witness: Witness, n: int, index: int) -> None:
        """Steps of best play, up to a capture, the end of the game, or the board that comes back."""
        met: Met = set()
        turn, of, text = 0, self.moves[n], str(self.abapa.slice(n).position(index))
        while self.end(n, index, turn, met) is None:
            met.add((index, turn))
            k, _ = self.best(n, index, turn, met, -128, 128)
            move = self.abapa.by_place(text)[of.slices[k], of.indexes[k]]
            witness.step(self.abapa.look(text).turn, move.name, move.position)
            if of.slices[k] != n:
                return
            index, turn, text = int(of.indexes[k]), 1 - turn, str(move.position)


def recheck_lines(witness: Witness, abapa: RuleSet, n: int, index: int) -> Optional[int]:
    """Plays all lines out; what the board is worth, None where it has too many seeds."""
    if n > MOST_SEEDS:
        witness.recheck("all lines of play", False, "recheck-all-lines-of-play", MOST_SEEDS, done=False)
        return None
    lines = Lines(abapa, n)
    value = lines.worth(n, index, 0, set())
    lines.show(witness, n, index)
    return value
