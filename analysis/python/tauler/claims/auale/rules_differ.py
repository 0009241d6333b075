"""How many boards the grand-slam rule changes, and how many the cycle rule."""
from typing import Any, Optional, Tuple

import numpy as np

from .. import Claim, Settings, share
from ._boards import Place, changed_value, changed_winner, first_of, list_seeds, recheck_slowly
from ._lines import MOST_SEEDS as LINES_SEEDS, recheck_lines

SETTINGS = Settings(counts="boards", options="seeds", usual=16, loaded=True,
                    sets=[("awari", "even"), ("abapa", "even"), ("abapa", "own-row")])
DECIMALS = 3
KINDS = ("grand_slam", "cycles", "cycles_unknown")


def counts(changed: Tuple[Any, Any]) -> Tuple[int, int, int]:
    """Surely, surely not, and not known."""
    surely, unknown = (int(one.sum()) for one in changed)
    return surely, len(changed[0]) - surely - unknown, unknown


def add_tables(claim: Claim) -> Tuple[Optional[Place], Optional[Place]]:
    """The first board whose winner each rule changes."""
    first: Tuple[Optional[Place], Optional[Place]] = (None, None)
    values, winners, shares = (claim.table(key) for key in ("values", "winners", "shares"))
    for n in range(1, claim.limit + 1):
        awari, abapa = (rules.values(n) for rules in claim.sets[:2])
        bounds = claim.sets[2].bounds(n)
        slam, cycle = np.sign(awari) != np.sign(abapa), changed_winner(abapa, *bounds)
        values.add(n, len(abapa), (awari != abapa).sum(), *counts(changed_value(abapa, *bounds)),
                   *counts(changed_value(awari, *bounds)))
        winners.add(n, len(abapa), slam.sum(), *counts(cycle), *counts(changed_winner(awari, *bounds)))
        shares.add(n, *(share(part, len(abapa), DECIMALS) for table in (values, winners)
                        for surely, least, unknown in table.figures(*KINDS)[-1:] for part in (surely, least, least + unknown)))
        first = first[0] or first_of(slam, n), first[1] or first_of(cycle[0], n)
    return first


def show_slam(claim: Claim, n: int, index: int) -> None:
    awari, abapa, _ = claim.sets
    witness = claim.show(awari, awari.position(n, index), "witness", n, awari.values(n)[index], abapa.values(n)[index])
    for rules in (awari, abapa):
        recheck_slowly(witness, rules, n, index)


def show_cycle(claim: Claim, n: int, index: int) -> None:
    _, abapa, own_row = claim.sets
    even, lower, upper = abapa.values(n)[index], *(bound[index] for bound in own_row.bounds(n))
    witness = claim.show(abapa, abapa.position(n, index), "witness-2", n, even, lower, upper)
    recheck_slowly(witness, abapa, n, index)
    value = recheck_lines(witness, own_row, n, index)
    if value is not None:
        witness.recheck("all lines of play", lower <= value <= upper and np.sign(value) != np.sign(even),
                        "recheck-all-lines-of-play-2", value)


def examine(claim: Claim) -> None:
    slam, cycle = add_tables(claim)
    if slam:
        show_slam(claim, *slam)
    if cycle:
        show_cycle(claim, *cycle)
    claim.note("note", min(claim.limit, LINES_SEEDS), ", of more between two proven bounds" if claim.limit > LINES_SEEDS else "")
    claim.note("note-2")
    seeds = []
    for rows in (table.figures("seeds", *KINDS) for table in claim.tables[:2]):
        seeds += [list_seeds(n for n, slam, surely, _ in rows if surely > slam),
                  list_seeds(n for n, slam, surely, unknown in rows if surely + unknown < slam)]
    claim.judge("holds for" if "none" not in seeds[::2] else "open", "verdict", claim.limit, *seeds)
