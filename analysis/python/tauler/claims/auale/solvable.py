"""Has every board of abapa one value right after a capture, under its own cycle rule?"""
from typing import Any, Dict, Tuple

import numpy as np

from .. import Claim, Settings, share
from .._solve import leaving, parts
from ._lines import Lines

SETTINGS = Settings(counts="boards", options="seeds", usual=16, sets=[("abapa", "own-row")], loaded=True)
PLAYED_SEEDS, DECIMALS = 2, 2

Kept = Dict[int, Any]  # by seeds: how many boards the mover ends with 0, 1, … seeds on


def count_kept(n: int, lower: Any, upper: Any) -> Any:
    exact = lower[lower == upper].astype(np.int64)
    return np.bincount((n + exact) // 2, minlength=n + 1)


def count_layers(claim: Claim) -> Tuple[int, int, Kept]:
    """Up to how many seeds every board has one value, how many boards these are, and all that have one by the seeds kept."""
    abapa, table, kept = claim.sets[0], claim.table("layers"), {}
    known, boards = 0, 0
    for n in range(claim.limit + 1):
        of, counts = abapa.slice(n), np.zeros((2, n + 1), dtype=np.int64)
        for part in parts(len(of)):
            counts[0] += count_kept(n, *of.bounds(*part).T)
        for part in parts(of.outside):  # no move leads to them: they are worth the best of their moves
            moves = of.moves(*part, outside=True, threads=claim.threads)
            counts[1] += count_kept(n, *leaving(moves, abapa.bounds, abapa.bounds(n)))
        exact, others = (int(one) for one in counts.sum(axis=1))
        if n:
            table.add(n, len(of), exact, len(of) - exact, of.outside, others)
        kept[n] = counts.sum(axis=0)
        if n and known == n - 1 and exact + others == len(of) + of.outside:
            known, boards = n, boards + exact + others
    return known, boards, kept


def every_line(claim: Claim) -> Tuple[int, int]:
    """Boards of very few seeds, and how many of them are worth something else when every line of play is played out."""
    abapa, most = claim.sets[0], min(PLAYED_SEEDS, claim.limit)
    lines = Lines(abapa, most)
    of_all = [(n, index) for n in range(1, most + 1) for index in range(len(abapa.slice(n)))]
    return len(of_all), sum(lines.worth(n, index, 0, set()) != abapa.bounds(n)[0][index] for n, index in of_all)


def examine(claim: Claim) -> None:
    known, boards, kept = count_layers(claim)
    table = claim.table("values")
    for n in range(1, claim.limit + 1):
        all_ = len(claim.sets[0].slice(n)) + claim.sets[0].slice(n).outside
        for seeds, of in enumerate(kept[n]):
            table.add(f"{n}: {seeds}", of, share(of, all_, DECIMALS))
    checked, wrong = every_line(claim)
    first = claim.sets[0].slice(1)
    witness = claim.show(claim.sets[0], str(first.position(0)), "witness", int(first.bounds()[0][0]))
    witness.recheck("all lines of play", wrong == 0, "recheck-all-lines-of-play", checked, PLAYED_SEEDS, wrong)
    claim.note("note")
    left = f"; of those with more seeds {claim.tables[0].sum('left')} are left between two bounds"
    claim.judge("holds for" if known == claim.limit else "open", "verdict", boards, known, "" if known == claim.limit else left)
