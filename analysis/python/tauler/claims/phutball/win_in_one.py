"""How many paths of jumps must be looked at to know whether one of them wins?"""
from typing import List, Optional

from .. import Claim, Mean
from ._survey import SETTINGS, Counts, survey

__all__ = ["SETTINGS", "examine"]


def means(of: Counts) -> List[Optional[Mean]]:
    """Paths of a position; those that a decision needs, of all positions, of those with a win, of those without."""
    positions, needed = of["won"] + of["open"], of["won_needed"] + of["open_needed"]
    return [Mean(paths / n, 3) if n else None for paths, n in (
        (of["paths"], positions), (needed, positions), (of["won_needed"], of["won"]), (of["open_needed"], of["open"]))]


def examine(claim: Claim) -> None:
    found = survey(claim, "phutball-paths", "won won_needed open open_needed paths", smallest=False)
    table = claim.table("boards")
    for board in found.boards:
        of = board.counts
        table.add(board.name, board.points, of["won"] + of["open"], of["won"], *means(of), board.most)
    claim.note("note")
    most, name = 0, "none"
    if found.shown:
        most, name = found.shown.most, found.shown.name
        witness = claim.show(claim.sets[0], str(found.shown.position), "witness", name, most)
        witness.recheck("listed turns", found.shown.jumps == most, "recheck-listed", found.shown.jumps)
    claim.judge("open", "open", means(found.counts)[1], most, name)
