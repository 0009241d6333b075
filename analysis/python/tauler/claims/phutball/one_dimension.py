"""Who wins on boards of one column, of two, and who begins on every small board?"""
from typing import List

from .. import Claim
from ._boards import NARROW, Board, look_at_boards, recheck_board
from ._survey import SETTINGS

__all__ = ["SETTINGS", "examine"]
SLOW_ROWS = 11


def add_tables(claim: Claim, boards: List[Board], narrow: List[Board]) -> None:
    table = claim.table("narrow_boards")
    for board in narrow:
        table.add(board.name, board.counted, board.wins, board.losses, board.draws, board.longest_win,
                  board.longest_loss, board.said_of(0))
    table = claim.table("who_begins")
    for board in boards:
        values = [value for value, _ in board.starts]
        table.add(board.name, len(values), values.count(1), values.count(-1), values.count(0), board.centre[0])


def examine(claim: Claim) -> None:
    boards = look_at_boards(claim, NARROW)
    ones, twos = ([one for one in boards if one.columns == columns] for columns in range(1, NARROW + 1))
    add_tables(claim, boards, ones + twos)
    slow = [one for one in ones if one.rows <= SLOW_ROWS]
    if slow:
        rules, board = claim.sets[0], slow[-1]
        recheck_board(claim.show(rules, rules.look(board.centre_start).position, "witness", board.name), rules.slice(board.name))
    draws = sum(board.draws for board in ones + twos)
    if not ones:
        return
    if draws:
        claim.judge("fails", "fails-2", draws)
    else:
        starts = {board.rows: board.said_of(0) for board in ones}
        compared = [board for board in twos if board.rows in starts]
        alike = sum(board.said_of(0) == starts[board.rows] for board in compared)
        wider = "" if not twos else (f" Nor is one on boards of two columns and up to {twos[-1].rows} rows; empty, {alike} of "
                                     f"{len(compared)} of these are like one column of as many rows, in result and length.")
        centres = [value for text, value in (one.centre for one in ones) if text]
        claim.judge("holds for", "holds-for", ones[-1].rows, centres.count(1), len(centres), wider)
