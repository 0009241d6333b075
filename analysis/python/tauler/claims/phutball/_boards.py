"""Small boards: what their tables say, and the empty board, which C has looked up."""
from typing import Any, Dict, List, Optional, Tuple

from .. import Claim, figures

Board = Dict[str, Any]


def boards_of(claim: Claim, kind: str) -> List[Board]:
    """The board that is asked for, or all small ones and the larger ones whose tables are there; fewest points first."""
    rules, board = claim.sets[0], claim.options.board
    boards: List[Board] = figures(kind, claim.options, *rules.words(), *(["--board", board] if board else []))["boards"]
    for one in boards:
        rules.need("--board", one["board"])
    return boards


def starts_of(board: Board, column: int) -> str:
    """"L6 L6 W7": the ball on row 2, 3, … of a column."""
    return " ".join("LDW"[value + 1] + (str(depth) if value else "")
                    for value, depth in board["starts"][column::board["columns"]])


def centre_of(board: Board) -> Tuple[Optional[str], int]:
    """"win in 7", the ball in the centre, which a board of odd sides has."""
    if board["rows"] % 2 == 0 or board["columns"] % 2 == 0:
        return None, 0
    value, depth = board["starts"][len(board["starts"]) // 2]
    return f"win in {depth}" if value > 0 else f"loss in {depth}" if value < 0 else "draw", value
