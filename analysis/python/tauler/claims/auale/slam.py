"""How often can awari end abruptly by a capture of everything?"""
from typing import Any, List, Optional, Tuple

import numpy as np

from .. import Claim, Settings, share
from .._solve import parts
from ._boards import PITS, is_slam, sow

SETTINGS = Settings(counts="boards", options="seeds", usual=12,
                    sets=[("awari,grand-slam=captures", None), ("awari", None)], loaded=True)
OWN, DECIMALS = 6, 3

Found = Tuple[int, int, int]  # seeds taken, index, pit


def largest_slams(boards: Any) -> Tuple[Any, Any]:
    """Of each board the most that a grand slam takes, 0 if there is none, and the pit that is sown."""
    most, pits = np.zeros(len(boards), dtype=np.int64), np.zeros(len(boards), dtype=np.int64)
    for pit in range(OWN):
        having = np.flatnonzero(boards[:, pit] > 0)
        sown, taken = sow(boards[having], pit)
        gains = (sown * taken).sum(axis=1) * is_slam(sown, taken)
        better = gains > most[having]
        most[having[better]], pits[having[better]] = gains[better], pit
    return most, pits


def count(claim: Claim, n: int) -> Tuple[List[int], Optional[Found]]:
    """Boards; those with a grand slam; of these such that it is not worth all seeds, that awari, where it is not allowed, has
    another value, and that the mover does not win there; and the largest slam on a board that the mover loses there."""
    captures, awari = claim.sets
    whole, counts = captures.slice(n), np.zeros(5, dtype=np.int64)
    found: Optional[Found] = None
    for first, stop in parts(len(whole)):
        most, pits = largest_slams(whole.boards(first, stop, threads=claim.threads).astype(np.int64))
        value, other = captures.values(n)[first:stop], awari.values(n)[first:stop]
        can = most > 0
        counts += [stop - first, *(int((can & one).sum()) for one in (can, value != n, other != n, other <= 0))]
        at = int(np.argmax(most * (can & (other < 0))))
        if most[at] and other[at] < 0 and (not found or most[at] > found[0]):
            found = int(most[at]), first + at, int(pits[at])
    return counts.tolist(), found


def show(claim: Claim, n: int, found: Found) -> None:
    (captures, awari), (taken, index, pit) = claim.sets, found
    board, name = captures.position(n, index), "ABCDEF"[pit]
    move = captures.play(board, name)
    witness = claim.show(captures, board, "witness", taken, n, int(awari.values(n)[index]))
    witness.step("S", name, move.position if move else None)
    holds = bool(move and move.position and move.position.split("-")[PITS] == str(taken) and move.value == n and
                 captures.look(move.position).ended)
    witness.recheck("single answers", holds, "recheck-single-answers", taken, n)


def examine(claim: Claim) -> None:
    table, sums = claim.table("layers"), np.zeros(5, dtype=np.int64)
    shown: Optional[Tuple[int, Found]] = None
    for n in range(1, claim.limit + 1):
        counts, found = count(claim, n)
        boards, slams, less, changed, unwon = counts
        table.add(n, boards, slams, share(slams, boards, DECIMALS), changed, unwon)
        sums += counts
        shown = (n, found) if found else shown
    if shown:
        show(claim, *shown)
    boards, slams, less, changed, unwon = sums.tolist()
    if not slams:
        return
    claim.judge("fails" if less else "holds for", "verdict", claim.limit, slams, share(slams, boards, DECIMALS),
                slams - less, share(changed, slams, 2), share(unwon, slams, 2))
