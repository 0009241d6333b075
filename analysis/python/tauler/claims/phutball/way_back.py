"""Is it bad to jump ahead and leave the other side a way back?"""
from .. import Claim
from ._survey import SETTINGS, part, survey

__all__ = ["SETTINGS", "examine"]
# A jump ahead is free if it leaves no way back. Positions count that are not lost, cannot be won at once, and have jumps ahead
# of both kinds.
KEYS = "positions back back_kept free free_kept both only_back only_free"


def examine(claim: Claim) -> None:
    found, table = survey(claim, "phutball-ways-back", KEYS), claim.table("boards")
    for board in found.boards:
        of = board.counts
        table.add(board.name, **of, back_share=part(of, "back_kept", "back"), free_share=part(of, "free_kept", "free"),
                  neither=of["positions"] - of["both"] - of["only_back"] - of["only_free"])
    claim.note("note")
    of = found.counts
    back, free = part(of, "back_kept", "back"), part(of, "free_kept", "free")
    if back and free:
        holds = free.number > back.number
        claim.judge("holds for" if holds else "fails", "verdict", of["positions"], back, f"{free} %" if holds else
                    f"no more, {free} %,", part(of, "only_free", "positions"), part(of, "only_back", "positions"))
