"""Is it good at aualé to hoard seeds in one's own row, and to have time while the opponent has to give seeds away?"""
from dataclasses import dataclass, field
from typing import Any, List, Optional

import numpy as np

from .. import Claim, Mean, RuleSet, Settings

SETTINGS = Settings(game="auale", options="seeds", usual=14, rules="awari", sets=[("awari", "even")], loaded=True)
OWN, DECIMALS, PART = 6, 4, 1 << 20
REACH = np.array([5, 4, 3, 2, 1, 0])  # seeds of each pit that stay in the row


@dataclass
class Sums:
    """Boards and the sum of their values, by a number from 0 on."""

    size: int
    boards: Any = field(init=False)
    values: Any = field(init=False)

    def __post_init__(self) -> None:
        self.boards, self.values = np.zeros(self.size, dtype=np.int64), np.zeros(self.size, dtype=np.int64)

    def add(self, number: Any, value: Any) -> None:
        self.boards += np.bincount(number, minlength=self.size)
        self.values += np.bincount(number, weights=value, minlength=self.size).astype(np.int64)

    def mean(self, number: int) -> Optional[Mean]:
        return Mean(self.values[number] / self.boards[number], DECIMALS) if self.boards[number] else None

    def rises(self, first: int, last: int) -> bool:
        means: List[float] = [self.values[at] / self.boards[at] for at in range(first, last + 1) if self.boards[at]]
        return all(one < other for one, other in zip(means, means[1:]))


def spare(rows: Any) -> Any:
    """How many pits can be sown without a seed for the other side."""
    return ((rows > 0) & (rows <= REACH)).sum(axis=1)


def count(rules: RuleSet, seeds: int, threads: int) -> List[Sums]:
    """By the seeds in the mover's row, and by how many more spare moves it has than the other side, six added: of boards with as
    many seeds in either row."""
    whole, values, hoards, times = rules.slice(seeds), rules.values(seeds), Sums(seeds + 1), Sums(2 * OWN + 1)
    for first in range(0, len(whole), PART):
        boards = whole.boards(first, min(len(whole), first + PART), threads=threads).astype(np.int64)
        value, own = values[first:first + len(boards)], boards[:, :OWN].sum(axis=1)
        hoards.add(own, value)
        even = 2 * own == seeds
        times.add((OWN + spare(boards[:, :OWN]) - spare(boards[:, OWN:]))[even], value[even])
    return [hoards, times]


def examine(claim: Claim) -> None:
    n = claim.limit - claim.limit % 2  # for as many seeds in either row
    if n < 2:
        claim.judge("open", "open")
        return
    hoards, times = count(claim.sets[0], n, claim.threads)
    hoarded, time = claim.table("hoards"), claim.table("time")
    for own in range(n + 1):
        hoarded.add(own, int(hoards.boards[own]), hoards.mean(own))
    for more in range(-OWN, OWN + 1):
        if times.boards[OWN + more]:
            time.add(more, int(times.boards[OWN + more]), times.mean(OWN + more))
    right = [hoards.rises(0, n), times.rises(0, 2 * OWN)]
    said = ["rises with every seed more" if right[0] else "does not rise with every seed more",
            "rises with every spare move more" if right[1] else "does not rise with every spare move more"]
    claim.judge("holds for" if all(right) else "open" if any(right) else "fails", "verdict", n, said[0], hoards.mean(0),
                hoards.mean(n), said[1])
