"""Can a chain of jumps be spoilt by making a row of it longer?"""
from typing import List, Tuple

from .. import Claim, share
from ._defences import (DECIMALS, KEPT_EDGE, KEPT_JUMP, KEPT_LONGER, ONLY_JUMPS, ONLY_MEN, SAVED, SPOILT, STOPS_EDGE, STOPS_JUMP,
                        STOPS_LONGER, THREATENED)
from ._survey import SETTINGS, show, survey

__all__ = ["SETTINGS", "examine"]


def men_of(of: List[int]) -> Tuple[int, int]:
    """Men that stop the threat, and those that keep the value."""
    return of[STOPS_LONGER] + of[STOPS_EDGE], of[KEPT_LONGER] + of[KEPT_EDGE]


def examine(claim: Claim) -> None:
    found = survey(claim, "phutball-spoil")
    table = claim.table("boards")
    for board in found.boards:
        of = board.counts
        (men, men_kept), (jumps, jumps_kept) = men_of(of), (of[STOPS_JUMP], of[KEPT_JUMP])
        table.add(board.name, of[THREATENED], of[SPOILT], share(of[SPOILT], of[THREATENED], DECIMALS), of[SAVED],
                  men, men_kept, share(men_kept, men, DECIMALS) if men else None,
                  jumps, jumps_kept, share(jumps_kept, jumps, DECIMALS) if jumps else None, of[ONLY_MEN], of[ONLY_JUMPS])
    claim.note("note")
    show(claim, found)
    if not found.shown:
        claim.judge("open", "open")
        return
    of = found.counts
    men, men_kept = men_of(of)
    claim.judge("holds for", "holds-for", of[THREATENED], share(of[SPOILT], of[THREATENED], DECIMALS), of[SAVED],
                share(of[ONLY_MEN], of[SAVED], DECIMALS), share(men_kept, men, DECIMALS),
                share(of[KEPT_JUMP], of[STOPS_JUMP], DECIMALS))
