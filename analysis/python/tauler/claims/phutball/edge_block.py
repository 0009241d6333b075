"""Can a jump to the left or right edge be blocked by leaving no vacant point?"""
from .. import Claim, share
from ._survey import DECIMALS, DEFENCES, SETTINGS, part, survey

__all__ = ["SETTINGS", "examine"]


def examine(claim: Claim) -> None:
    found, table = survey(claim, "phutball-edge-block", DEFENCES), claim.table("boards")
    for board in found.boards:
        of = board.counts
        shown = {key: of[key] for key in ("blocked", "saved", "longer", "longer_kept", "edge", "edge_kept", "only_edge")}
        table.add(board.name, of["edge_jumps"], **shown, longer_share=part(of, "longer_kept", "longer"),
                  edge_share=part(of, "edge_kept", "edge"))
    of = found.counts
    jumps, blocked = of["edge_jumps"], of["blocked"]
    if blocked < jumps:
        claim.judge("fails", "fails-2", jumps - blocked, jumps)
    elif jumps:
        claim.judge("holds", "holds", jumps, part(of, "edge_kept", "edge"), part(of, "longer_kept", "longer"), of["only_edge"],
                    share(of["only_edge"], of["saved"], DECIMALS))
