"""Can a chain of jumps be spoilt by making a row of it longer?"""
from .. import Claim, share
from ._survey import DECIMALS, DEFENCES, SETTINGS, Counts, part, survey

__all__ = ["SETTINGS", "examine"]


def with_men(of: Counts) -> Counts:
    """Men that stop the threat, and those that keep the value, whether at the edge or not."""
    return {**of, "men": of["longer"] + of["edge"], "men_kept": of["longer_kept"] + of["edge_kept"]}


def examine(claim: Claim) -> None:
    found, table = survey(claim, "phutball-spoil", DEFENCES), claim.table("boards")
    for board in found.boards:
        of = with_men(board.counts)
        shown = {key: of[key] for key in ("threatened", "spoilt", "saved", "men", "men_kept", "jumps", "jumps_kept", "only_men",
                                          "only_jumps")}
        table.add(board.name, **shown, spoilt_share=share(of["spoilt"], of["threatened"], DECIMALS),
                  men_share=part(of, "men_kept", "men"), jumps_share=part(of, "jumps_kept", "jumps"))
    claim.note("note")
    of = with_men(found.counts)
    if found.shown:
        claim.judge("holds for", "holds-for", of["threatened"], part(of, "spoilt", "threatened"), of["saved"],
                    part(of, "only_men", "saved"), part(of, "men_kept", "men"), part(of, "jumps_kept", "jumps"))
