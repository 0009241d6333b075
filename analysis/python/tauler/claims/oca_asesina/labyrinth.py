"""With a token in the labyrinth and a 6, is it better to leave it or to move another token?"""
from .. import Claim, Mean
from ._duties import LEAVE, SETTINGS, STAY, Duty, add_kinds, count, show_worst

__all__ = ["SETTINGS", "examine"]
KINDS = {LEAVE: "leaving", STAY: "staying"}


def examine(claim: Claim) -> None:
    rows = count(claim) if claim.limit > 1 else []
    if not Duty(rows, LEAVE).choices:
        return
    leave, stay = add_kinds(claim, rows, KINDS)
    show_worst(claim, stay.worst, KINDS[STAY], KINDS[LEAVE])
    show_worst(claim, leave.worst, KINDS[LEAVE], KINDS[STAY])
    claim.judge("holds for" if stay.better and leave.better else "open", "verdict", claim.limit, leave.choices, leave.share,
                Mean(leave.gain, 4), stay.better, Mean(stay.most, 4))
