"""What does it cost in la oca asesina that nobody may pass, and that jumps must be made?"""
from .. import Claim, Mean
from ._duties import JUMP, MOVE, SETTINGS, add_kinds, count, show_worst

__all__ = ["SETTINGS", "examine"]
KINDS = {MOVE: "to pass", JUMP: "not to jump"}


def examine(claim: Claim) -> None:
    duties = add_kinds(claim, count(claim), KINDS)
    for duty, said in zip(duties, KINDS.values()):
        show_worst(claim, duty.worst, said)
    holds = any(duty.better for duty in duties)
    costs = [figure for duty in duties for figure in (duty.share, Mean(duty.gain, 4), Mean(duty.most, 3))]
    claim.judge("holds for" if holds else "open", "verdict", claim.limit, "" if claim.limit == 1 else "s", *costs)
