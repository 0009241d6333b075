"""On how many boards abapa has another winner than awari, and by how much."""
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .. import Claim, Mean, Settings, Witness, share
from .._solve import hold_against_rules
from ._boards import changed_value, changed_winner
from ._lines import recheck_lines

SETTINGS = Settings(game="auale", options="seeds", usual=16, rules="awari and abapa", loaded=True,
                    sets=[("awari", "even"), ("abapa", "forced"), ("abapa", "own-row")])
AWARI, FORCED, OWN_ROW = range(3)
DECIMALS, SLOW_SEEDS, LINES_SEEDS = 3, 8, 9  # lines of play are followed up to so many seeds, and leave the tables' bounds

Place = Tuple[int, int]  # seeds and index


@dataclass
class Layer:
    """What was counted of the boards of so many seeds: by kind of bounds how many change winner, are reversed, and may do so
    (None: not followed); by how many seeds values differ."""

    boards: int
    winners: List[Optional[Tuple[int, int, int]]]
    amounts: Tuple[int, int, int, int]
    least: int
    most: int


@dataclass
class Found:
    """All layers, the bounds that do not lie within wider ones, and the first boards that change winner: whatever a cycle is
    worth, and because of own rows alone."""

    layers: Dict[int, Layer] = field(default_factory=dict)
    wrong: int = 0
    always: Optional[Place] = None
    cycle: Optional[Place] = None


def count_amounts(value: Any, lower: Any, upper: Any) -> Tuple[Tuple[int, int, int, int], int, int]:
    """How many boards surely differ, by four seeds, by eight, and the most; the sums of the least and the most."""
    differs, _ = changed_value(value, lower, upper)
    least = np.where(value < lower, lower - value, np.where(value > upper, value - upper, differs)).astype(np.int64)
    most = np.maximum(np.abs(value - lower), np.abs(upper - value))
    return ((int(differs.sum()), int((least >= 4).sum()), int((least >= 8).sum()), int(least.max())), int(least.sum()),
            int(most.sum(dtype=np.int64)))


def first_of(flags: Any, n: int) -> Optional[Place]:
    return (n, int(np.argmax(flags))) if flags.any() else None


def count_layer(claim: Claim, n: int, found: Found) -> None:
    value = claim.sets[AWARI].values(n)
    (least, most), (lower, upper) = (claim.sets[rules].bounds(n) for rules in (FORCED, OWN_ROW))
    always, open_ = changed_winner(value, least, most, every=True)
    changed, unknown = changed_winner(value, lower, upper)
    reversed_ = [int((((value > 0) & (high < 0)) | ((value < 0) & (low > 0))).sum()) for low, high in ((least, most), (lower, upper))]
    forced, own_row = (int(always.sum()), reversed_[0], int(open_.sum())), (int(changed.sum()), reversed_[1], int(unknown.sum()))
    found.layers[n] = Layer(len(value), [forced, own_row, own_row if n <= LINES_SEEDS else None],
                            *count_amounts(value, lower, upper))
    found.wrong += int(((lower > upper) | (lower < least) | (upper > most)).sum())
    found.always = found.always or first_of(always, n)
    found.cycle = found.cycle or first_of(changed & ~always, n)


def means(of: Layer) -> Tuple[Mean, Mean]:
    return Mean(of.least / of.boards, DECIMALS), Mean(of.most / of.boards, DECIMALS)


def add_tables(claim: Claim, layers: Dict[int, Layer]) -> None:
    table = claim.table("winners")
    for n, of in layers.items():
        table.add(n, of.boards, *(figure for kind in of.winners for figure in kind or (None,) * 3))
    table = claim.table("shares")
    for n, of in layers.items():
        table.add(n, *(share(part, of.boards, DECIMALS) if kind else None for kind in of.winners
                       for part in ((kind[0], kind[0] + kind[2]) if kind else (0, 0))))
    table = claim.table("amounts")
    for n, of in layers.items():
        table.add(n, *of.amounts, *means(of))


def recheck_slowly(claim: Claim, witness: Witness, which: int, n: int) -> None:
    rules = claim.sets[which]
    if n > SLOW_SEEDS:
        witness.recheck("plain iteration", False, "recheck-plain-iteration", SLOW_SEEDS, done=False)
        return
    boards, wrong, _ = hold_against_rules(rules, n, by_values=which == AWARI)
    witness.recheck("plain iteration", wrong == 0, "recheck-plain-iteration-2", boards, n, rules.rules, wrong)


def show(claim: Claim, place: Optional[Place], which: int) -> None:
    """A board, its value in awari, and bounds in abapa."""
    if not place:
        return
    awari, (n, index) = claim.sets[AWARI], place
    value = int(awari.values(n)[index])
    witness = claim.show(awari, str(awari.slice(n).position(index)), "witness" if which == FORCED else "witness-2", n, value,
                         *(bound[index] for bound in claim.sets[which].bounds(n)))
    recheck_slowly(claim, witness, AWARI, n)
    if which == FORCED:
        recheck_slowly(claim, witness, FORCED, n)
        return
    played = recheck_lines(witness, claim.sets[OWN_ROW], n, index)
    if played is not None:
        witness.recheck("all lines of play", np.sign(played) != np.sign(value), "recheck-all-lines-of-play-2", played)


def judge(claim: Claim, found: Found) -> None:
    boards = sum(of.boards for of in found.layers.values())
    forced, own_row = ([sum(parts) for parts in zip(*(of.winners[kind] or () for of in found.layers.values()))] for kind in (0, 1))
    if found.wrong:
        claim.judge("fails", "fails", found.wrong)
    elif own_row[0] == 0:
        claim.judge("open", "open", claim.limit)
    else:
        claim.judge("holds for", "holds-for", boards, claim.limit, own_row[0], share(own_row[0], boards, 2), own_row[1],
                    share(own_row[2], boards, 2), forced[0], share(forced[0], boards, DECIMALS), claim.limit,
                    *means(found.layers[claim.limit]))


def examine(claim: Claim) -> None:
    found = Found()
    for n in range(1, claim.limit + 1):
        count_layer(claim, n, found)
    add_tables(claim, found.layers)
    show(claim, found.always, FORCED)
    show(claim, found.cycle, OWN_ROW)
    claim.note("note")
    judge(claim, found)
