"""Courses of games between two equal players, which C follows: by best play exactly, and, unless there are limits, of games
played out with two, three and four tokens on 63 squares between players who learned."""
import math
from dataclasses import dataclass
from typing import Any, Dict, List, NamedTuple, Optional, Sequence

from .. import Claim, Mean, RuleSet, Settings, figures
from ._rules import GAMES, length_of, open_on_board, show_start

SETTINGS = Settings(counts="courses", options="board tokens", usual=2, most=4)
TOKENS, LONGEST = 4, 8  # tokens of each side, and rolls of a turn that are counted apart, at most
COURSES = 4


class Ratio(NamedTuple):
    mean: float
    error: float  # standard error; 0 of exact ones
    weight: float  # 0: no game counts for it

    @property
    def within(self) -> float:
        return 1.96 * self.error


@dataclass(frozen=True)
class Course:
    """Ratios by what they are of. Pairs of tokens home, the leader's first, are numbered in the base TOKENS."""

    tokens: int
    games: int  # played out; 0: exact
    length: int
    captures: Sequence[Ratio]  # to rolls, by tokens home of both
    rolls: Sequence[Ratio]  # to turns, by tokens home
    long: Sequence[Ratio]  # turns of at least 2 … LONGEST rolls, to turns, by tokens home
    reached: Sequence[Ratio]  # games, by pair
    behind: Sequence[Ratio]  # score of the side behind, by pair
    left: Sequence[Ratio]  # games, by tokens that the loser has left
    even: Sequence[Ratio]  # the lower score with one token left each
    open: Sequence[Ratio]  # twice the lower score of every position, to rolls

    @property
    def one_each(self) -> Ratio:
        return self.reached[pair(self.tokens - 1, self.tokens - 1)]


def pair(ahead: int, behind: int) -> int:
    return ahead * TOKENS + behind


def _course(found: Dict[str, Any], length: int) -> Course:
    ratios = {key: [Ratio(*one) for one in of] for key, of in found.items() if isinstance(of, list)}
    return Course(tokens=found["tokens"], games=found["games"], length=length, **ratios)


def best_course(claim: Claim, rules: RuleSet, kind: str = "asesina-course") -> Course:
    return _course(figures(kind, claim.options, *rules.words(), "--tokens", str(claim.limit)), length_of(rules))


def _is_near(exact: Ratio, played: Ratio) -> bool:
    """Rare events are as good as counted: their variance is their mean."""
    if played.weight <= 0:
        return True
    return abs(played.mean - exact.mean) <= 5 * max(played.error, math.sqrt(exact.mean / played.weight)) + 1e-9


def recheck(claim: Claim, rules: RuleSet, exact: Course) -> None:
    """Shows the start, from which games are played out."""
    played = best_course(claim, rules, "asesina-course-played")
    near = [_is_near(one, other) for key in ("captures", "rolls", "long", "reached", "behind", "left", "even")
            for one, other in zip(getattr(exact, key), getattr(played, key)) if one.weight > 0]
    show_start(claim, rules).recheck("games played out", all(near), "recheck-games-played-out", GAMES, sum(near), len(near))


def follow_courses(claim: Claim) -> List[Course]:
    """The exact course first; none with one token each, which leaves the claim open."""
    learned: List[Course] = []
    if claim.limit > 1 and not claim.limited and not claim.options.board:
        claim.open("base").need("--tokens", 1)
        learned = [_course(one, 63) for one in figures("asesina-course-learned", claim.options)["courses"]]
    rules = open_on_board(claim)
    claim.rules = rules.rules
    if claim.limit < 2:
        return []
    rules.need("--tokens", claim.limit)
    exact = best_course(claim, rules)
    recheck(claim, rules, exact)
    return [exact, *learned]


def row_of(ratios: Sequence[Optional[Ratio]], unit: float, decimals: int) -> List[Optional[Mean]]:
    """Figures of a ratio in all courses, and the greatest distance that 95 of 100 such means lie within."""
    known = [one if one and one.weight > 0 else None for one in ratios]
    within = max([unit * one.within for one in known if one], default=0.0)
    return [*(Mean(unit * one.mean, decimals) if one else None for one in known), *[None] * (COURSES - len(known)),
            Mean(within, decimals) if within > 0 else None]
