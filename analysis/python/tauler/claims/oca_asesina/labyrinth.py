"""With a token in the labyrinth and a 6, is it better to leave it or to move another token?"""
from .. import Claim, Mean
from ._duties import LEAVE, SETTINGS, STAY, add_kinds, count, of_kind, open_counted, show_worst

__all__ = ["SETTINGS", "examine"]
KINDS = {LEAVE: "leaving", STAY: "staying"}


def examine(claim: Claim) -> None:
    if claim.limit == 1:
        claim.judge("open", "open")
        return
    rules = open_counted(claim)
    rows = count(claim, rules)
    leave, stay = (of_kind(rows, kind) for kind in KINDS)
    if not leave.choices:
        claim.judge("open", "open")
        return
    add_kinds(claim, rows, KINDS)
    show_worst(claim, rules, stay.worst, KINDS[STAY], KINDS[LEAVE])
    show_worst(claim, rules, leave.worst, KINDS[LEAVE], KINDS[STAY])
    claim.judge("holds for" if stay.better and leave.better else "open", "verdict", claim.limit, leave.choices, leave.share,
                Mean(leave.gain, 4), stay.better, Mean(stay.most, 4))
