"""Is the beginning of la oca asesina aggressive, and do long turns of one player become rare as tokens come home?"""
from typing import List

from .. import Claim, Mean
from ._courses import LONGEST, SETTINGS, Course, follow_courses, row_of

__all__ = ["SETTINGS", "examine"]


def from_first_to_last(of: Course) -> List[float]:
    """Captures in a hundred rolls, with nobody home and one token each left; rolls of a turn, with none home and one left."""
    rolls, captures = of.rolls, of.captures
    return [100 * captures[0].mean, 100 * captures[2 * of.tokens - 2].mean, rolls[0].mean, rolls[of.tokens - 1].mean]


def examine(claim: Claim) -> None:
    courses = follow_courses(claim)
    if not courses:
        return
    for key, unit, decimals in (("captures", 100, 4), ("rolls", 1, 5)):
        table = claim.table(key)
        for home, ratios in enumerate(zip(*(getattr(of, key) for of in courses))):
            if any(one.weight > 0 for one in ratios):
                table.add(home, *row_of(ratios, unit, decimals))
    table = claim.table("lengths")
    for rolls in range(2, LONGEST + 1):
        table.add(rolls, *row_of(courses[-1].long[rolls - 2::LONGEST - 1], 100, 4))
    exact, last = from_first_to_last(courses[0]), from_first_to_last(courses[-1])
    said, played = ([Mean(one, 2 if at < 2 else 3) for at, one in enumerate(of)] for of in (exact, last))
    falls = all(of[at] > of[at + 1] for of in (exact, last) for at in (0, 2))
    claim.note("note", courses[0].tokens, *said)
    on = ("four", "63 squares") if courses[-1].games else (courses[0].tokens, "this board")
    claim.judge("holds for" if falls else "open", "verdict", *on, *played)
