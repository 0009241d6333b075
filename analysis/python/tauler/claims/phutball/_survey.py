"""All positions of small boards, which C counts."""
from typing import Dict, List, NamedTuple, Optional

from .. import Claim, Mean, Settings, figures
from .._report import share_of_some
from ._boards import choose, recheck_board

SETTINGS = Settings(counts="points", options="rules board", sets=[(None, None)])
MOST_POINTS, RECHECK_POINTS, DECIMALS = 20, 15, 2
# Threats, chains of jumps that win at once, and the turns that stop them. A position is threatened if the mover cannot win at
# once and the other side could, were it to move; a threatened position is saved if it is not lost. In saved positions turns are
# counted that stop all threats, and those that keep the value: men that make a row longer, men that leave a jump no vacant
# point before the side line, and jumps.
DEFENCES = "threatened spoilt saved longer edge jumps longer_kept edge_kept jumps_kept only_men only_edge only_jumps edge_jumps " \
    "blocked"

Counts = Dict[str, int]


class Surveyed(NamedTuple):
    """A board."""

    name: str
    points: int
    counts: Counts
    most: int  # of what is looked for
    position: Optional[str] = None  # that has it
    jumps: int = 0  # paths of jumps that the rules list there until one wins


class Survey(NamedTuple):
    boards: List[Surveyed]
    counts: Counts  # of all boards
    shown: Optional[Surveyed]  # a board that has what is looked for


def survey(claim: Claim, kind: str, keys: str, smallest: bool = True) -> Survey:
    """Builds and counts, in the order of the keys, the board that is asked for, or all of three columns or more up to 20
    points, fewest points first. The smallest that has what is looked for is a witness, and solved once more by the moves of
    the rules alone if it is small; without `smallest` that with the most of it is only found."""
    boards = []
    for one in choose(claim, MOST_POINTS):
        found = figures(kind, claim.options, *claim.sets[0].words(), "--board", one.name)
        boards.append(Surveyed(one.name, one.points, dict(zip(keys.split(), found.pop("counts"))), **found))
    having = [one for one in boards if one.most]
    shown = (having[0] if smallest else max(having, key=lambda one: one.most)) if having else None
    if shown and smallest:
        witness = claim.show(claim.sets[0], str(shown.position), "witness", shown.name)
        if shown.points <= RECHECK_POINTS:
            recheck_board(witness, claim.sets[0].slice(shown.name))
    return Survey(boards, {key: sum(one.counts[key] for one in boards) for key in keys.split()}, shown)


def part(of: Counts, kept: str, every: str) -> Optional[Mean]:
    return share_of_some(of[kept], of[every], DECIMALS)
