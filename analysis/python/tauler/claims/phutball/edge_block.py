"""Can a jump to the left or right edge be blocked by leaving no vacant point?"""
from typing import List, Optional

from .. import Claim, Mean, share
from ._defences import (DECIMALS, EDGE_BLOCKED, EDGE_JUMPS, KEPT_EDGE, KEPT_LONGER, ONLY_EDGE, SAVED, STOPS_EDGE, STOPS_LONGER)
from ._survey import SETTINGS, show, survey

__all__ = ["SETTINGS", "examine"]


def part(of: List[int], kept: int, stops: int) -> Optional[Mean]:
    return share(of[kept], of[stops], DECIMALS) if of[stops] else None


def examine(claim: Claim) -> None:
    found = survey(claim, "phutball-edge-block")
    table = claim.table("boards")
    for board in found.boards:
        of = board.counts
        table.add(board.name, of[EDGE_JUMPS], of[EDGE_BLOCKED], of[SAVED],
                  of[STOPS_LONGER], of[KEPT_LONGER], part(of, KEPT_LONGER, STOPS_LONGER),
                  of[STOPS_EDGE], of[KEPT_EDGE], part(of, KEPT_EDGE, STOPS_EDGE), of[ONLY_EDGE])
    show(claim, found)
    of = found.counts
    if not of[EDGE_JUMPS]:
        claim.judge("open", "open")
    elif of[EDGE_BLOCKED] < of[EDGE_JUMPS]:
        claim.judge("fails", "fails-2", of[EDGE_JUMPS] - of[EDGE_BLOCKED], of[EDGE_JUMPS])
    else:
        claim.judge("holds", "holds", of[EDGE_JUMPS], part(of, KEPT_EDGE, STOPS_EDGE), part(of, KEPT_LONGER, STOPS_LONGER),
                    of[ONLY_EDGE], share(of[ONLY_EDGE], of[SAVED], DECIMALS))
