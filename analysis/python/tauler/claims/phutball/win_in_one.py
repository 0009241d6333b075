"""How many paths of jumps must be looked at to know whether one of them wins?"""
from typing import Optional

from .. import Claim, Mean
from ._survey import SETTINGS, survey

__all__ = ["SETTINGS", "examine"]
WON, WON_NEEDED, OPEN, OPEN_NEEDED, PATHS = range(5)
DECIMALS = 3


def mean(total: int, n: int) -> Optional[Mean]:
    return Mean(total / n, DECIMALS) if n else None


def examine(claim: Claim) -> None:
    found = survey(claim, "phutball-paths", smallest=False)
    table = claim.table("boards")
    for board in found.boards:
        of = board.counts
        positions = of[WON] + of[OPEN]
        table.add(board.name, board.points, positions, of[WON], mean(of[PATHS], positions),
                  mean(of[WON_NEEDED] + of[OPEN_NEEDED], positions), mean(of[WON_NEEDED], of[WON]),
                  mean(of[OPEN_NEEDED], of[OPEN]), board.most)
    claim.note("note")
    most, name = 0, "none"
    if found.shown:
        most, name = found.shown.most, found.shown.name
        witness = claim.show(claim.sets[0], str(found.shown.position), "witness", name, most)
        witness.recheck("listed turns", found.shown.jumps == most, "recheck-listed", found.shown.jumps)
    of = found.counts
    claim.judge("open", "open", mean(of[WON_NEEDED] + of[OPEN_NEEDED], of[WON] + of[OPEN]), most, name)
