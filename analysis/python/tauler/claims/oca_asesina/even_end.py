"""Does la oca asesina end close, and how often does the side behind come back?"""
from typing import List

from .. import Claim, Mean
from ._courses import SETTINGS, TOKENS, Course, follow_courses, pair, row_of

__all__ = ["SETTINGS", "examine"]


def add_pairs(claim: Claim, courses: List[Course], key: str, unit: float, decimals: int) -> None:
    """One side leads; pairs are sorted by what both have left."""
    table = claim.table(key)
    for behind in range(2, max(of.tokens for of in courses) + 1):
        for ahead in range(behind - 1, 0, -1):
            ratios = [getattr(of, key)[pair(of.tokens - ahead, of.tokens - behind)] if of.tokens >= behind else None
                      for of in courses]
            table.add(f"{ahead}-{behind}", *row_of(ratios, unit, decimals))


def examine(claim: Claim) -> None:
    courses = follow_courses(claim)
    if not courses:
        return
    table = claim.table("left")
    for of in courses:
        shares = [Mean(100 * one.mean, 4) if left <= of.tokens else None for left, one in enumerate(of.left)]
        table.add(f"{of.length}: {of.tokens}", "played" if of.games else "exact", *shares[:TOKENS + 1],
                  Mean(max(100 * one.within for one in of.left), 4) if of.games else None)
    add_pairs(claim, courses, "behind", 1, 5)
    add_pairs(claim, courses, "reached", 100, 4)
    of = courses[-1]
    shared, one = of.left[:2]
    close = 100 * (shared.mean + one.mean)
    verdict = "holds for" if close - 100 * one.within > 50 else "open"
    board, games = ("63 squares", "the games played out") if of.games else ("this board", "all games")
    claim.judge(verdict, "verdict", of.tokens, board, Mean(close, 1), games, Mean(100 * shared.mean, 2),
                Mean(of.behind[pair(1, 0)].mean, 3))
