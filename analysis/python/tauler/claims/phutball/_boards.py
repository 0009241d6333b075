"""Small boards: which there are, what their tables say, and the empty board."""
import itertools
from dataclasses import dataclass, field
from typing import List, Optional, Tuple

import numpy as np

import tauler

from .. import Claim, RuleSet, Witness
from .._solve import hold_against_plies, parts

# Boards that take seconds in all. Those of one or two columns have kernels of their own, which are slower.
LEAST_ROWS, SMALL_POINTS, NARROW, NARROW_POINTS, TABLE_POINTS, MOST_COLUMNS = 3, 21, 2, 16, 48, 19


@dataclass
class Board:
    """Results as the mover sees them, mirror images counted; the empty board by row and column of the ball."""

    rows: int
    columns: int
    wins: int = 0
    draws: int = 0
    losses: int = 0
    longest_win: int = 0
    longest_loss: int = 0
    starts: List[Tuple[int, int]] = field(default_factory=list)  # value to Ohs, who begins, and plies

    @property
    def name(self) -> str:
        return f"{self.rows}x{self.columns}"

    @property
    def points(self) -> int:
        return self.rows * self.columns

    @property
    def counted(self) -> int:
        return self.wins + self.losses + self.draws

    def start(self, row: int, column: int) -> str:
        """The empty board with the ball on a point, rows from 1 and columns from 0."""
        with_ball = "".join(str(n) for n in (column, "o", self.columns - 1 - column) if n)
        return "/".join(with_ball if one == row else str(self.columns) for one in range(self.rows, 0, -1)) + " O"

    @property
    def centre_start(self) -> str:
        return self.start((self.rows + 1) // 2, self.columns // 2)

    def said_of(self, column: int) -> str:
        """"L6 L6 W7": the ball on row 2, 3, … of a column."""
        return " ".join("LDW"[value + 1] + (str(plies) if value else "") for value, plies in self.starts[column::self.columns])

    @property
    def centre(self) -> Tuple[Optional[str], int]:
        """"win in 7", the ball in the centre, which a board of odd sides has."""
        if self.rows % 2 == 0 or self.columns % 2 == 0:
            return None, 0
        value, plies = self.starts[len(self.starts) // 2]
        return f"win in {plies}" if value > 0 else f"loss in {plies}" if value < 0 else "draw", value


def choose(claim: Claim, most_points: Optional[int] = None) -> List[Board]:
    """The board that is asked for, its tables built; or likewise all small ones, and the larger ones whose tables are there;
    with `most_points` all of three columns or more up to so many points. Fewest points first."""
    rules, asked = claim.sets[0], claim.options.board
    if asked:
        rules.need("--board", asked)
        rows, columns = map(int, asked.split("x"))
        return [Board(rows, columns)]
    there = {one.slice for one in claim.db.contents().slices if (one.game, one.rules) == ("phutball", rules.rules) and one.depths}
    least, most = (NARROW + 1, most_points) if most_points else (1, TABLE_POINTS)
    boards = [Board(rows, columns) for columns in range(least, MOST_COLUMNS + 1) for rows in range(LEAST_ROWS, most // columns + 1)]
    small = [one for one in boards if most_points or one.name in there or
             one.points <= (NARROW_POINTS if one.columns <= NARROW else SMALL_POINTS)]
    for one in small:
        rules.need("--board", one.name)
    return sorted(small, key=lambda one: (one.points, one.columns))


def smallest_draw(rules: RuleSet, board: Board) -> Tuple[int, int]:
    """The drawn position with the fewest men, of several the one with the least number: how many men, and its number."""
    of, found = rules.slice(board.name), []
    for first, stop in parts(len(of)):
        drawn = np.flatnonzero(of.values(first, stop) == 0)
        if len(drawn):
            men = (of.boards(first, stop)[drawn] == 1).sum(axis=1)
            found.append((int(men.min()), first + int(drawn[np.argmin(men)])))
    return min(found)


def look_at_boards(claim: Claim, most_columns: int = MOST_COLUMNS) -> List[Board]:
    """Cells of boards of more columns are not read."""
    boards, rules = choose(claim), claim.sets[0]
    for board in boards:
        for row, column in itertools.product(range(2, board.rows), range(board.columns)):
            bounds = rules.tables.probe(board.start(row, column)).bounds
            assert bounds
            board.starts.append((int(bounds.lower), bounds.depth or 0))
        for _, value, plies, positions in rules.counts("--board", board.name) if board.columns <= most_columns else ():
            if value > 0:
                board.wins, board.longest_win = board.wins + positions, max(board.longest_win, plies)
            elif value < 0:
                board.losses, board.longest_loss = board.losses + positions, max(board.longest_loss, plies)
            else:
                board.draws += positions
    return boards


def recheck_board(witness: Witness, solved: tauler.Slice) -> None:
    *_, wrong = hold_against_plies(solved)
    witness.recheck("plain iteration", wrong == 0, f"All {len(solved)} positions of the board, solved by the moves of the "
                    f"rules alone, one position at a time and ply by ply: {wrong} differ from the table in result or length.")
