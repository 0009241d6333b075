"""How much of abapa is decided whatever a cycle is worth."""
from typing import List, Optional, Tuple

import numpy as np

from .. import Claim, Mean, Settings, share
from .._solve import hold_against_rules
from ._boards import Place, first_of, list_seeds

SETTINGS = Settings(counts="boards", options="seeds", usual=16,
                    sets=[("abapa", "forced"), ("abapa", "own-row")], loaded=True)
DECIMALS, SLOW_SEEDS = 2, 7
DECIDED = ("forced", "winner_forced", "own_row", "own_row_winner")  # boards with one value, and with one winner


def add_layers(claim: Claim) -> Tuple[int, Optional[Place]]:
    """How many own-row bounds do not lie within those that are forced; the first board that is left open."""
    table, wrong, first = claim.table("layers"), 0, None
    for n in range(1, claim.limit + 1):
        (least, most), (lower, upper) = bounds = [rules.bounds(n) for rules in claim.sets]
        wrong += int(((lower < least) | (upper > most) | (lower > upper)).sum())
        first = first or first_of(least < most, n)
        counts = [int(one.sum()) for low, high in bounds for one in (low == high, (low == high) | (low > 0) | (high < 0))]
        table.add(n, len(lower), *(figure for count in counts for figure in (count, share(count, len(lower), DECIMALS))))
    return wrong, first


def examine(claim: Claim) -> None:
    wrong, first = add_layers(claim)
    if first:
        (n, index), forced, largest = first, claim.sets[0], min(claim.limit, SLOW_SEEDS)
        witness = claim.show(forced, forced.position(n, index), "witness", n, *(bound[index] for bound in forced.bounds(n)))
        positions, differing, _ = hold_against_rules(forced, largest, by_values=False)
        witness.recheck("plain iteration", differing == 0, "recheck-plain-iteration", positions, largest, differing)
    (table,) = claim.tables
    boards, *rows = np.array(table.figures("boards", *DECIDED)).T
    known = [row / boards for row in rows]
    peaks = [list_seeds(n for n in range(3, len(boards), 2) if of[n - 1] > max(of[n - 2], of[n])) for of in known[1::2]]
    claim.note("note", *peaks)
    if wrong or not claim.is_sound():
        claim.judge("fails", "fails", wrong)
        return
    every: List[Mean] = [share(table.sum(key), table.sum("boards"), DECIMALS) for key in DECIDED]
    falls = list_seeds(n for n in range(3, claim.limit + 1) if known[0][n - 1] < known[0][n - 3])
    claim.judge("open", "open", table.sum("boards"), claim.limit, *every, claim.limit, *table.rows[-1][3::2], falls)
