"""All positions of small boards, which C counts."""
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from .. import Claim, Settings, figures
from .._solve import differing, results_by_plies

SETTINGS = Settings(game="phutball", options="rules board", sets=[(None, None)])
RECHECK_POINTS = 15


@dataclass
class Survey:
    boards: List[Dict[str, Any]]  # their "counts", and the "position" that has the "most" of what is looked for
    counts: List[int]  # of all boards
    shown: Optional[Dict[str, Any]]  # a board with what is looked for


def survey(claim: Claim, kind: str, smallest: bool = True) -> Survey:
    """Builds and counts the board that is asked for, or all of three columns or more up to 20 points, fewest points first.
    Shown is the smallest that has what is looked for, or that with the most of it."""
    rules, board = claim.sets[0], claim.options.board
    boards = figures(kind, claim.options, *rules.words(), *(["--board", board] if board else []))["boards"]
    for one in boards:
        rules.need("--board", one["board"])
    having = [one for one in boards if one["most"]]
    shown = (having[0] if smallest else max(having, key=lambda one: int(one["most"]))) if having else None
    return Survey(boards, [sum(counts) for counts in zip(*(one["counts"] for one in boards))], shown)


def show(claim: Claim, found: Survey) -> None:
    """Shows a position; the whole board is solved once more by the moves of the rules alone if it is small."""
    if not found.shown:
        return
    rules, name = claim.sets[0], found.shown["board"]
    witness = claim.show(rules, found.shown["position"], "witness", name)
    if found.shown["points"] > RECHECK_POINTS:
        return
    slice_ = rules.slice(name)
    wrong = differing(slice_, *results_by_plies(slice_))
    witness.recheck_said("plain iteration", wrong == 0, f"All {len(slice_)} positions of the board, solved by the moves of the "
                         f"rules alone, one position at a time and ply by ply: {wrong} differ from the table in result or length.")
