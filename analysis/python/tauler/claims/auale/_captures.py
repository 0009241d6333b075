"""The greatest capture of one move of aualé over all boards up to a number of seeds, by cases that leave none out.

The capture of a move depends on its pit, the seeds in hand and the opponent's row; a pit of four seeds or more is never
taken, so one such content stands for all. The rest of the mover's row matters only under awari, if the move takes all:
the move is legal if no other one leaves the opponent a seed, which can be tested pit by pit."""
from functools import reduce
from operator import or_
from typing import Any, Dict, List, Tuple

import numpy as np

from ._boards import PITS, is_slam, sow

OWN, CONTENTS = PITS // 2, 5
ABAPA, AWARI, CAPTURES = "abapa", "awari", "captures"  # a move that would take all: takes none; as above; takes all
KINDS = ("by_seeds", "by_sown", "by_seeds_open")

Record = Dict[str, Any]  # a move: captured, seeds, sown, origin, open (opposite), pits
Records = Dict[str, List[Record]]  # of a rule set: by kind, from one seed on


class Cases:
    """All moves of a pit with so many seeds in hand, by the opponent's row."""

    def __init__(self, rows: Any, origin: int, sown: int) -> None:
        boards = np.hstack([np.zeros_like(rows), rows])
        boards[:, origin] = sown
        after, taken = sow(boards, origin)
        self.origin, self.sown, self.rows = origin, sown, rows
        self.seeds, self.captured = boards.sum(axis=1), (after * taken).sum(axis=1)
        self.open, self.slam = (rows == 0).any(axis=1), is_slam(after, taken)
        self.none_left = ~((after > 0) & ~taken)[:, OWN:].any(axis=1)


class Search:
    """The records of all rule sets on boards of up to so many seeds. Of moves that take as many the first one counts."""

    def __init__(self, seeds: int) -> None:
        rows = np.array(np.unravel_index(np.arange(CONTENTS ** OWN), (CONTENTS,) * OWN))[::-1].T
        none: Record = {"captured": 0, "seeds": 0, "sown": 0, "origin": 0, "open": False, "pits": [0] * PITS}
        self.seeds = seeds
        self.found: Dict[str, Records] = {rules: {kind: [none] * seeds for kind in KINDS} for rules in (ABAPA, AWARI, CAPTURES)}
        self.cases = [[Cases(rows, origin, sown) for sown in range(1, seeds + 1)] for origin in range(OWN)]
        for cases in (one for of in self.cases for one in of):
            self.look(cases)

    def contents(self, cases: Cases, row: int, pit: int) -> List[int]:
        """Contents of a pit beside the origin whose move leaves the opponent no seed."""
        most = 0 if pit == cases.origin else self.seeds - int(cases.seeds[row])
        return [0, *(content for content in range(1, most + 1) if self.cases[pit][content - 1].none_left[row])]

    def fillings(self, cases: Cases, row: int) -> List[int]:
        """The sums, a bit each, that none, one, two … of the pits may hold with such contents."""
        sums, every = [1], (2 << self.seeds - int(cases.seeds[row])) - 1
        for pit in range(OWN):
            sums.append(reduce(or_, (sums[-1] << content for content in self.contents(cases, row, pit))) & every)
        return sums

    def fill(self, cases: Cases, row: int, rest: int) -> List[int]:
        sums, own = self.fillings(cases, row), [0] * OWN
        for pit in reversed(range(OWN)):
            own[pit] = max(one for one in self.contents(cases, row, pit) if one <= rest and sums[pit] >> rest - one & 1)
            rest -= own[pit]
        return own

    def record(self, rules: str, cases: Cases, row: int, seeds: int) -> Record:
        rest = seeds - int(cases.seeds[row])
        own = self.fill(cases, row, rest) if rules == AWARI and cases.slam[row] else \
            [rest if pit == (cases.origin == 0) else 0 for pit in range(OWN)]
        own[cases.origin] = cases.sown
        return {"captured": int(cases.captured[row]), "seeds": seeds, "sown": cases.sown, "origin": cases.origin,
                "open": bool(cases.open[row]), "pits": own + cases.rows[row].tolist()}

    def look(self, cases: Cases) -> None:
        taking = np.flatnonzero((cases.captured > 0) & (cases.seeds <= self.seeds))
        slam, may = cases.slam[taking], cases.seeds[taking][:, None] <= np.arange(1, self.seeds + 1)
        alone = may.copy()
        for at in np.flatnonzero(slam):
            sums = self.fillings(cases, taking[at])[-1] << int(cases.seeds[taking[at]])
            alone[at] = [sums >> n & 1 for n in range(1, self.seeds + 1)]
        for rules, of in ((ABAPA, may & ~slam[:, None]), (AWARI, alone), (CAPTURES, may)):
            if of.any():
                self.note(rules, cases, taking, of)

    def note(self, rules: str, cases: Cases, taking: Any, may: Any) -> None:
        """Takes up what is better. `may` says on boards of how many seeds the move of each row is made."""
        found, captured, is_open = self.found[rules], cases.captured[taking], cases.open[taking]
        for kind, of in (("by_seeds", may), ("by_seeds_open", may & is_open[:, None])):
            taken = np.where(of, captured[:, None], 0)
            for n, at in enumerate(taken.argmax(axis=0)):
                if taken[at, n] > found[kind][n]["captured"]:
                    found[kind][n] = self.record(rules, cases, taking[at], n + 1)
        fewest = np.where(may.any(axis=1), may.argmax(axis=1), PITS * self.seeds)
        at = np.lexsort((-np.arange(len(taking)), is_open, -fewest, captured * may.any(axis=1)))[-1]
        one, best = self.record(rules, cases, taking[at], int(fewest[at]) + 1), found["by_sown"][cases.sown - 1]
        if rank(one) > rank(best):
            found["by_sown"][cases.sown - 1] = one


def rank(record: Record) -> Tuple[int, int, bool]:
    """More taken, then fewer seeds, then an open row."""
    return record["captured"], -record["seeds"], record["open"]
