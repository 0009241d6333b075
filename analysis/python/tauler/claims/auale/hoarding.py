"""Is it good at aualé to hoard seeds in one's own row, and to have time while the opponent has to give seeds away?"""
from typing import Any

import numpy as np

from .. import Claim, Settings
from ._boards import Sums, rows_of

SETTINGS = Settings(counts="boards", options="seeds", usual=14, sets=[("awari", "even")], loaded=True)
OWN = 6  # pits
REACH = np.array([5, 4, 3, 2, 1, 0])  # seeds of each pit that stay in the row


def spare(rows: Any) -> Any:
    """How many pits can be sown without a seed for the other side."""
    return ((rows > 0) & (rows <= REACH)).sum(axis=1)


def examine(claim: Claim) -> None:
    n = claim.limit - claim.limit % 2  # for as many seeds in either row
    if n < 2:
        return
    hoards, times = Sums(n + 1), Sums(2 * OWN + 1)  # by own seeds; by how many more spare moves than the other side, OWN added
    for value, row, other in rows_of(claim.sets[0], n, claim.threads):
        own = row.sum(axis=1)
        hoards.add(own, value)
        even = 2 * own == n
        times.add((OWN + spare(row) - spare(other))[even], value[even])
    hoarded, time = claim.table("hoards"), claim.table("time")
    for own in range(n + 1):
        hoarded.add(own, int(hoards.boards[own]), hoards.mean(own))
    for more in range(-OWN, OWN + 1):
        if times.boards[OWN + more]:
            time.add(more, int(times.boards[OWN + more]), times.mean(OWN + more))
    right = [hoards.rises(), times.rises()]
    said = ["rises with every seed more" if right[0] else "does not rise with every seed more",
            "rises with every spare move more" if right[1] else "does not rise with every spare move more"]
    claim.judge("holds for" if all(right) else "open" if any(right) else "fails", "verdict", n, said[0], hoards.mean(0),
                hoards.mean(n), said[1])
