"""On how many boards abapa has another winner than awari, and by how much."""
from typing import Any, List, Optional, Tuple

import numpy as np

from .. import Claim, Mean, Settings, share
from ._boards import Place, changed_value, changed_winner, first_of, recheck_slowly
from ._lines import recheck_lines

SETTINGS = Settings(counts="boards", options="seeds", usual=16, loaded=True,
                    sets=[("awari", "even"), ("abapa", "forced"), ("abapa", "own-row")])
DECIMALS, LINES_SEEDS = 3, 9  # lines of play are followed up to so many seeds, and leave the tables' bounds


def amounts(value: Any, lower: Any, upper: Any) -> List[Any]:
    """How many boards surely differ, by four seeds, by eight, and the most; the means of the least and the most."""
    differs, _ = changed_value(value, lower, upper)
    least = np.where(value < lower, lower - value, np.where(value > upper, value - upper, differs)).astype(np.int64)
    most = np.maximum(np.abs(value - lower), np.abs(upper - value))
    return [differs.sum(), (least >= 4).sum(), (least >= 8).sum(), least.max(),
            *(Mean(int(of.sum(dtype=np.int64)) / len(value), DECIMALS) for of in (least, most))]


def count_layer(claim: Claim, n: int) -> Tuple[int, Optional[Place], Optional[Place]]:
    """Adds rows: by kind of bounds how many boards change winner, are reversed, and may do so. Bounds that do not lie within
    wider ones; the first boards that change winner whatever a cycle is worth, and because of own rows alone."""
    value, ((least, most), (lower, upper)) = claim.sets[0].values(n), (rules.bounds(n) for rules in claim.sets[1:])
    always, open_ = changed_winner(value, least, most, every=True)
    changed, unknown = changed_winner(value, lower, upper)
    kinds = [[surely.sum(), (((value > 0) & (high < 0)) | ((value < 0) & (low > 0))).sum(), may.sum()]
             for surely, low, high, may in ((always, least, most, open_), (changed, lower, upper, unknown))]
    kinds += [kinds[1]] * (n <= LINES_SEEDS)
    unlisted, (winners, shares, by) = 3 - len(kinds), claim.tables
    winners.add(n, len(value), *(figure for kind in kinds for figure in kind), *[None] * 3 * unlisted)
    shares.add(n, *(share(part, len(value), DECIMALS) for surely, _, may in kinds for part in (surely, surely + may)),
               *[None] * 2 * unlisted)
    by.add(n, *amounts(value, lower, upper))
    return (int(((lower > upper) | (lower < least) | (upper > most)).sum()), first_of(always, n),
            first_of(changed & ~always, n))


def show(claim: Claim, place: Place, which: int) -> None:
    """A board, its value in awari, and bounds in abapa."""
    (awari, forced, own_row), (n, index) = claim.sets, place
    value = int(awari.values(n)[index])
    witness = claim.show(awari, awari.position(n, index), ("witness", "witness-2")[which], n, value,
                         *(bound[index] for bound in claim.sets[1 + which].bounds(n)))
    recheck_slowly(witness, awari, n)
    if not which:
        recheck_slowly(witness, forced, n, by_values=False)
        return
    played = recheck_lines(witness, own_row, n, index)
    if played is not None:
        witness.recheck("all lines of play", np.sign(played) != np.sign(value), "recheck-all-lines-of-play-2", played)


def examine(claim: Claim) -> None:
    tables = [claim.table(key) for key in ("winners", "shares", "amounts")]
    found = [count_layer(claim, n) for n in range(1, claim.limit + 1)]
    for which, places in enumerate(([of[1] for of in found], [of[2] for of in found])):
        place = next((one for one in places if one), None)
        if place:
            show(claim, place, which)
    claim.note("note")
    wrong = sum(of[0] for of in found)
    boards, forced, changed, reversed_, unknown = map(tables[0].sum, ("boards", "forced", "own_row", "own_row_reversed",
                                                                      "own_row_unknown"))
    if wrong:
        claim.judge("fails", "fails", wrong)
    elif changed == 0:
        claim.judge("open", "open", claim.limit)
    else:
        claim.judge("holds for", "holds-for", boards, claim.limit, changed, share(changed, boards, 2), reversed_,
                    share(unknown, boards, 2), forced, share(forced, boards, DECIMALS), claim.limit, *tables[2].rows[-1][-2:])
