"""Is the beginning of la oca asesina aggressive, and do long turns of one player become rare as tokens come home?"""
from typing import List

from .. import Claim, Mean
from ._courses import LONGEST, SETTINGS, Course, examine_courses, row_of

__all__ = ["SETTINGS", "examine"]


def add_tables(claim: Claim, courses: List[Course]) -> None:
    for key, unit, decimals in (("captures", 100, 4), ("rolls", 1, 5)):
        table = claim.table(key)
        for home, ratios in enumerate(zip(*(getattr(of, key) for of in courses))):
            if any(one.weight > 0 for one in ratios):
                table.add(home, *row_of(ratios, unit, decimals))
    table = claim.table("lengths")
    for rolls in range(2, LONGEST + 1):
        table.add(rolls, *row_of(courses[-1].long[rolls - 2::LONGEST - 1], 100, 4))


def falls(of: Course) -> bool:
    """With nobody home against one token each, and with none home against all but one."""
    return of.captures[0].mean > of.captures[2 * of.tokens - 2].mean and of.rolls[0].mean > of.rolls[of.tokens - 1].mean


def judge(claim: Claim, courses: List[Course]) -> None:
    said = [[Mean(100 * of.captures[0].mean, 2), Mean(100 * of.captures[2 * of.tokens - 2].mean, 2), Mean(of.rolls[0].mean, 3),
             Mean(of.rolls[of.tokens - 1].mean, 3)] for of in (courses[0], courses[-1])]
    claim.note("note", courses[0].tokens, *said[0])
    verdict = "holds for" if falls(courses[0]) and falls(courses[-1]) else "open"
    if courses[-1].games:
        claim.judge(verdict, "verdict-played", *said[1])
    else:
        claim.judge(verdict, "verdict", courses[0].tokens, *said[0])


def examine(claim: Claim) -> None:
    examine_courses(claim, add_tables, judge)
