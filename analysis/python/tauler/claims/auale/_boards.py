"""Boards of aualé: lists of seeds, texts of boards, other winners and values, means of values."""
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from .. import Mean, RuleSet, Witness
from .._solve import hold_against_rules, nearest_to_zero, parts

SLOW_SEEDS = 8
PITS = 12


def list_seeds(chosen: Iterable[int]) -> str:
    """"2, 3 and 5-16", "none" of none."""
    runs: List[List[int]] = []
    for n in sorted(chosen):
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    words = [f"{first}-{last}" if last > first else str(first) for first, last in runs]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words) or "none"


def board_text(pits: Sequence[int], turn: str = "S") -> str:
    """A board with empty stores, pits A–F, a–f."""
    return "-".join(map(str, pits)) + f"-0-0-{turn}"


def may_win(sign: Any, lower: Any, upper: Any, every: bool = False) -> Any:
    """Whether worths between bounds have a sign: every second one, as odd as both bounds are, or every one."""
    even = (lower <= 0) & (upper >= 0) & ((lower % 2 == 0) | every)
    return np.where(sign > 0, upper > 0, np.where(sign < 0, lower < 0, even))


def changed_winner(value: Any, lower: Any, upper: Any, every: bool = False) -> Tuple[Any, Any]:
    """Which boards surely have another winner, by worths between bounds, than a value says; and which may or may not."""
    sign = np.sign(value)
    same = may_win(sign, lower, upper, every)
    other = np.logical_or.reduce([(sign != one) & may_win(np.int8(one), lower, upper, every) for one in (-1, 0, 1)])
    return ~same, same & other


def changed_value(value: Any, lower: Any, upper: Any) -> Tuple[Any, Any]:
    """The same of the value. Every seed goes to a side, so that worths are as odd as both bounds."""
    differs = (value < lower) | (value > upper) | ((value - lower) % 2 != 0)
    return differs, ~differs & (lower < upper)


Place = Tuple[int, int]  # seeds and index


def first_of(flags: Any, n: int) -> Optional[Place]:
    return (n, int(np.argmax(flags))) if flags.any() else None


def recheck_slowly(witness: Witness, rules: RuleSet, n: int, index: Optional[int] = None, by_values: bool = True) -> None:
    """Holds all boards of up to so many seeds against the slow solve of a rule set, unless there are too many; and says what
    one of them is worth."""
    if n > SLOW_SEEDS:
        witness.recheck("plain iteration", False, "recheck-plain-iteration", SLOW_SEEDS, done=False)
        return
    boards, wrong, slow = hold_against_rules(rules, n, by_values)
    said = [] if index is None else [int(nearest_to_zero(*slow[n])[index])]
    witness.recheck("plain iteration", wrong == 0, "recheck-plain-iteration-2", boards, n, rules.rules, wrong, *said)


def sow(boards: Any, pit: int) -> Tuple[Any, Any]:
    """Boards after the mover has sown a pit, the mover's pits first, nothing taken yet; and which pits the rules of capture
    take, a grand slam among them. The pit holds seeds."""
    seeds = boards[:, pit].astype(np.int64)
    steps = (np.arange(PITS) - pit) % PITS  # from the pit that is sown, which gets none
    sown = boards + seeds[:, None] // 11 + (steps[None, :] <= seeds[:, None] % 11)
    sown[:, pit] = 0
    last = (pit + 1 + (seeds - 1) % 11) % PITS
    taken, goes_on = np.zeros(boards.shape, dtype=bool), np.zeros(len(boards), dtype=bool)
    for at in range(PITS - 1, PITS // 2 - 1, -1):
        goes_on = (goes_on | (last == at)) & (sown[:, at] >= 2) & (sown[:, at] <= 3)
        taken[:, at] = goes_on
    return sown, taken


def is_slam(sown: Any, taken: Any) -> Any:
    """Whether all seeds of the opponent, one or more, would be taken."""
    return taken.any(axis=1) & ~((sown > 0) & ~taken)[:, PITS // 2:].any(axis=1)


class Sums:
    """Boards and the sum of their values, by a number from 0 on."""

    def __init__(self, size: int) -> None:
        self.boards, self.values = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)

    def add(self, number: Any, value: Any) -> None:
        self.boards += np.bincount(number, minlength=len(self.boards))
        self.values += np.bincount(number, weights=value, minlength=len(self.boards)).astype(np.int64)

    def mean(self, number: int) -> Optional[Mean]:
        return Mean(self.values[number] / self.boards[number], 4) if self.boards[number] else None

    @property
    def means(self) -> List[float]:
        """Of the numbers of which there are boards."""
        return [value / boards for value, boards in zip(self.values.tolist(), self.boards.tolist()) if boards]

    def rises(self, step: int = 1) -> bool:
        """Whether the mean does at every number, or from the last one down."""
        means = self.means[::step]
        return all(one < other for one, other in zip(means, means[1:]))


def rows_of(rules: RuleSet, seeds: int, threads: int) -> Iterator[Tuple[Any, Any, Any]]:
    """All boards of so many seeds, part by part: their values, the mover's row and the other one."""
    whole, values = rules.slice(seeds), rules.values(seeds)
    for first, stop in parts(len(whole)):
        boards = whole.boards(first, stop, threads=threads).astype(np.int64)
        yield values[first:stop], boards[:, :PITS // 2], boards[:, PITS // 2:]
