"""How many boards the grand-slam rule changes, and how many the cycle rule."""
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Tuple

import numpy as np

from .. import Claim, Settings, Witness, share
from .._solve import hold_against_rules
from ._boards import changed_value, changed_winner, list_seeds
from ._lines import MOST_SEEDS as LINES_SEEDS, recheck_lines

SETTINGS = Settings(game="auale", options="seeds", usual=16, rules="awari and abapa", loaded=True,
                    sets=[("awari", "even"), ("abapa", "even"), ("abapa", "own-row")])
AWARI, ABAPA, OWN_ROW = range(3)
DECIMALS, SLOW_SEEDS = 3, 8

Place = Tuple[int, int]  # seeds and index


@dataclass
class Changes:
    """Boards that change, in value or in winner: by the grand-slam rule; by the cycle rule, and by both: surely, surely not,
    and not known."""

    boards: int
    grand_slam: int
    cycles: Tuple[int, int, int]
    both: Tuple[int, int, int]


@dataclass
class Found:
    """What was counted by seeds, and the first board whose winner each rule changes."""

    values: Dict[int, Changes] = field(default_factory=dict)
    winners: Dict[int, Changes] = field(default_factory=dict)
    slam: Optional[Place] = None
    cycle: Optional[Place] = None


def counts(changed: Tuple[Any, Any]) -> Tuple[int, int, int]:
    surely, unknown = (int(one.sum()) for one in changed)
    return surely, len(changed[0]) - surely - unknown, unknown


def first_of(flags: Any, n: int) -> Optional[Place]:
    return (n, int(np.argmax(flags))) if flags.any() else None


def count_layer(claim: Claim, n: int, found: Found) -> None:
    awari, abapa = (claim.sets[rules].values(n) for rules in (AWARI, ABAPA))
    lower, upper = claim.sets[OWN_ROW].bounds(n)
    slam, cycle = np.sign(awari) != np.sign(abapa), changed_winner(abapa, lower, upper)
    found.values[n] = Changes(len(lower), int((awari != abapa).sum()), counts(changed_value(abapa, lower, upper)),
                              counts(changed_value(awari, lower, upper)))
    found.winners[n] = Changes(len(lower), int(slam.sum()), counts(cycle), counts(changed_winner(awari, lower, upper)))
    found.slam = found.slam or first_of(slam, n)
    found.cycle = found.cycle or first_of(cycle[0], n)


def add_tables(claim: Claim, found: Found) -> None:
    for key, layers in (("values", found.values), ("winners", found.winners)):
        table = claim.table(key)
        for n, of in layers.items():
            table.add(n, of.boards, of.grand_slam, *of.cycles, *of.both)
    table = claim.table("shares")
    for n in found.values:
        table.add(n, *(share(part, of.boards, DECIMALS) for of in (found.values[n], found.winners[n])
                       for part in (of.grand_slam, of.cycles[0], of.cycles[0] + of.cycles[2])))


def recheck_slowly(claim: Claim, witness: Witness, which: int, place: Place) -> None:
    """Holds the board against the slow solve of a rule set, unless there are too many boards."""
    rules, (n, index) = claim.sets[which], place
    if n > SLOW_SEEDS:
        witness.recheck("plain iteration", False, "recheck-plain-iteration", SLOW_SEEDS, done=False)
        return
    boards, wrong, slow = hold_against_rules(rules, n, by_values=True)
    value = int(slow[n][0][index])
    witness.recheck("plain iteration", wrong == 0 and value == rules.values(n)[index], "recheck-plain-iteration-2", boards, n,
                    rules.rules, wrong, value)


def show(claim: Claim, found: Found) -> None:
    awari, abapa, own_row = claim.sets
    if found.slam:
        n, index = found.slam
        witness = claim.show(awari, str(awari.slice(n).position(index)), "witness", n, awari.values(n)[index],
                             abapa.values(n)[index])
        recheck_slowly(claim, witness, AWARI, found.slam)
        recheck_slowly(claim, witness, ABAPA, found.slam)
    if found.cycle:
        n, index = found.cycle
        even, lower, upper = abapa.values(n)[index], *(bound[index] for bound in own_row.bounds(n))
        witness = claim.show(abapa, str(abapa.slice(n).position(index)), "witness-2", n, even, lower, upper)
        recheck_slowly(claim, witness, ABAPA, found.cycle)
        value = recheck_lines(witness, own_row, n, index)
        if value is not None:
            witness.recheck("all lines of play", lower <= value <= upper and np.sign(value) != np.sign(even),
                            "recheck-all-lines-of-play-2", value)


def examine(claim: Claim) -> None:
    found = Found()
    for n in range(1, claim.limit + 1):
        count_layer(claim, n, found)
    add_tables(claim, found)
    show(claim, found)
    claim.note("note", min(claim.limit, LINES_SEEDS), ", of more between two proven bounds" if claim.limit > LINES_SEEDS else "")
    claim.note("note-2")
    if not claim.report.is_sound():
        claim.judge("fails", "fails")
        return
    both = (found.values, found.winners)
    more = [[n for n, of in layers.items() if of.cycles[0] > of.grand_slam] for layers in both]
    fewer = [[n for n, of in layers.items() if of.cycles[0] + of.cycles[2] < of.grand_slam] for layers in both]
    claim.judge("holds for" if all(more) else "open", "verdict", claim.limit,
                *(list_seeds(seeds) for pair in zip(more, fewer) for seeds in pair))
