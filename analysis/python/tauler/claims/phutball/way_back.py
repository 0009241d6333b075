"""Is it bad to jump ahead and leave the other side a way back?"""
from .. import Claim, share
from ._survey import SETTINGS, show, survey

__all__ = ["SETTINGS", "examine"]
# A jump ahead is free if it leaves no way back. Positions count that are not lost, cannot be won at once, and have jumps ahead
# of both kinds.
POSITIONS, BACK, BACK_KEPT, FREE, FREE_KEPT, BOTH_KEEP, ONLY_BACK, ONLY_FREE = range(8)
DECIMALS = 2


def examine(claim: Claim) -> None:
    found = survey(claim, "phutball-ways-back")
    table = claim.table("boards")
    for board in found.boards:
        of = board.counts
        kinds = [figure for kind, kept in ((BACK, BACK_KEPT), (FREE, FREE_KEPT))
                 for figure in (of[kind], of[kept], share(of[kept], of[kind], DECIMALS) if of[kind] else None)]
        table.add(board.name, of[POSITIONS], *kinds, of[BOTH_KEEP], of[ONLY_BACK], of[ONLY_FREE],
                  of[POSITIONS] - of[BOTH_KEEP] - of[ONLY_BACK] - of[ONLY_FREE])
    claim.note("note")
    show(claim, found)
    of = found.counts
    if not of[POSITIONS]:
        claim.judge("open", "open")
        return
    back, free = share(of[BACK_KEPT], of[BACK], DECIMALS), share(of[FREE_KEPT], of[FREE], DECIMALS)
    holds = free.number > back.number
    claim.judge("holds for" if holds else "fails", "holds-for" if holds else "fails-2", of[POSITIONS], back, free,
                share(of[ONLY_FREE], of[POSITIONS], DECIMALS), share(of[ONLY_BACK], of[POSITIONS], DECIMALS))
