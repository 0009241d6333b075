"""Does la oca asesina come down to one token against one, and how even is it then?"""
import math

from .. import Claim, Mean
from ._courses import SETTINGS, follow_courses

__all__ = ["SETTINGS", "examine"]


def by_coin(tokens: int) -> float:
    """Of a hundred games, if a coin chooses the side whose token comes home next."""
    return 100 * math.comb(2 * tokens - 2, tokens - 1) / math.pow(4, tokens - 1)


def examine(claim: Claim) -> None:
    courses = follow_courses(claim)
    if not courses:
        return
    table = claim.table("one_each")
    for of in courses:
        even, played = of.even[0], of.games > 0
        name = f"{of.length}: {of.tokens}, {'played' if played else 'exact'}"
        table.add(of.length, of.tokens, name, Mean(100 * of.one_each.mean, 4), Mean(by_coin(of.tokens), 2),
                  Mean(even.mean, 5) if even.weight > 0 else None, Mean(100 * of.one_each.within, 4) if played else None,
                  Mean(even.within, 5) if played else None)
    surely = all(100 * (of.one_each.mean - of.one_each.within) > by_coin(of.tokens) for of in courses)
    exact, *learned = courses
    said = [Mean(100 * of.one_each.mean, 1) for of in learned] + [Mean(by_coin(of.tokens), 1) for of in learned or courses]
    claim.judge("holds for" if surely else "open", "verdict-played" if learned else "verdict", exact.tokens,
                Mean(100 * exact.one_each.mean, 2), *said, Mean(courses[-1].even[0].mean, 3))
