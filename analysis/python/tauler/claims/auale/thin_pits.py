"""Are few thin pits in one's own row, and many in the opponent's, good at aualé?"""
from .. import Claim, Mean, Settings
from ._boards import Sums, rows_of

SETTINGS = Settings(options="seeds", usual=14, sets=[("awari", "even")], loaded=True)
PITS, THIN = 6, 3  # a pit with fewer seeds than THIN is thin


def examine(claim: Claim) -> None:
    n = claim.limit - claim.limit % 2  # for as many seeds in either row
    if n < 2:
        return
    sums = [Sums(PITS + 1) for _ in range(4)]  # by the mover's and the opponent's, of all boards; of those with rows alike
    for value, *rows in rows_of(claim.sets[0], n, claim.threads):
        even = rows[0].sum(axis=1) == rows[1].sum(axis=1)
        for side, row in enumerate(rows):
            thin = (row < THIN).sum(axis=1)
            sums[side].add(thin, value)
            sums[2 + side].add(thin[even], value[even])
    table = claim.table("thin")
    for pits in range(PITS + 1):
        table.add(pits, *(figure for one in sums for figure in (int(one.boards[pits]), one.mean(pits))))
    falls = [one.rises(2 * (side % 2) - 1) for side, one in enumerate(sums)]
    own, other = sums[2].means, sums[3].means
    said = [("falls", "rises")[side % 2] if right else ("does not always fall", "does not always rise")[side % 2]
            for side, right in enumerate(falls)]
    claim.judge("holds for" if all(falls) else "open" if any(falls) else "fails", "verdict", n, *said[:3], Mean(own[0], 2),
                Mean(own[-1], 2), said[3], Mean(other[0], 2), Mean(other[-1], 2))
