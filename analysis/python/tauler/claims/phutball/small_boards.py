"""Are there positions from which neither side can win, and who wins from the empty board?"""
from typing import Dict, List

from .. import Claim, Mean, Witness, figures
from ._boards import Board, boards_of, centre_of, starts_of
from ._drawn import find_play
from ._survey import SETTINGS

__all__ = ["SETTINGS", "examine"]
COLUMNS, DECIMALS = "ABCDEFGHJKLMNOPQRST", 3


def counted(board: Board) -> int:
    return int(board["wins"] + board["losses"] + board["draws"])


def positions_of(board: Board) -> int:
    """By the rules."""
    return int((board["rows"] - 2) * board["columns"] << (board["rows"] * board["columns"] - 1))


def add_tables(claim: Claim, boards: List[Board], drawn: List[Board]) -> None:
    table = claim.table("boards")
    for one in boards:
        table.add(one["board"], one["rows"] * one["columns"], counted(one), one["wins"], one["losses"], one["draws"],
                  one["longest_win"] or None, one["longest_loss"] or None, centre_of(one)[0])
    table = claim.table("empty_boards")
    for one in boards:
        for column in range((one["columns"] - 1) // 2 + 1):
            table.add(one["board"], COLUMNS[column], starts_of(one, column))
    table = claim.table("shapes")
    shapes: Dict[int, List[Board]] = {}
    for one in boards:
        shapes.setdefault(one["columns"], []).append(one)
    for columns, of in sorted(shapes.items()):
        positions, draws = sum(map(positions_of, of)), sum(one["draws"] for one in of)
        table.add(columns, len(of), of[-1]["rows"], positions, draws, Mean(1e6 * draws / positions, DECIMALS),
                  next((one["rows"] for one in of if one["draws"]), None))
    table = claim.table("drawn_positions")
    for one in drawn:
        table.add(one["board"], one["draws"], one["fewest_men"], one["smallest"])


def recheck_proof(claim: Claim, witness: Witness, board: Board) -> None:
    rules = claim.sets[0]
    found = figures("phutball-draw", claim.options, *rules.words(), "--board", board["board"])
    if found["without"]:
        witness.recheck_said("proof", False, f"Not done: {found['without']}", done=False)
    elif not found["done"]:
        witness.recheck_said("proof", False, f"Given up after {found['most']} positions: that the position is drawn rests on the "
                             "tables, which tauler verify proves.", done=False)
    elif found["wrong"]:
        witness.recheck_said("proof", False, f"What the tables say of {found['wrong']} does not agree with its turns.")
    else:
        witness.recheck_said("proof", True, "By the moves of the rules, with the tables as hints that are not believed: of the "
                             f"{found['drawn']} drawn positions that can come up, each has a turn to another one, and every other "
                             "turn gives the other side a win; these wins were followed to the goal, one turn of the winner "
                             f"against every answer, through {found['won']} won and {found['lost']} lost positions (boards turned "
                             "round or mirrored counted once).")


def recheck_replay(claim: Claim, witness: Witness, earlier: str, cut: bool) -> None:
    """By the rules alone: every turn is legal, the positions are those shown, and the last is an earlier one."""
    rules, at, right = claim.sets[0], witness.position, bool(witness.steps)
    for step in witness.steps:
        move = rules.play(at, step.move)
        right = right and move is not None and not move.over and move.position == step.position
        at = step.position or ""
    right = right and at == earlier
    witness.recheck_said("replay", right, "Read by the rules alone, every turn is legal, the positions are those shown, and the "
                         "last one was there before, with the same side to move." if right else
                         "Read by the rules alone, the line is not what is shown." if witness.steps else
                         "No play of drawing turns was found that comes back to a position.", done=bool(witness.steps) or not cut)


def show_draw(claim: Claim, board: Board) -> None:
    """Shows a drawn position, and play of both sides that comes back to a position."""
    witness = claim.show_said(claim.sets[0], board["smallest"], f"The smallest drawn position: on {board['board']}, "
                              f"{board['fewest_men']} men. Both sides make drawing turns.")
    turns, repeats, cut = find_play(claim.sets[0], board["smallest"])
    for number, turn in enumerate(turns, 1):
        remark = f"the position after turn {repeats} again" if repeats else "the first position again"
        witness.step(claim.sets[0].look(turn.start).turn, turn.move, turn.end, remark if number == len(turns) else None)
    recheck_replay(claim, witness, turns[repeats - 1].end if repeats else witness.position, cut)
    recheck_proof(claim, witness, board)


def judge(claim: Claim, boards: List[Board], drawn: List[Board]) -> None:
    values = [value for text, value in map(centre_of, boards) if text]
    starts = "" if not values else (f" From the empty board with the ball in its centre, Ohs wins on {values.count(1)} and loses on "
                                    f"{values.count(-1)} of {len(values)} board{'' if len(values) == 1 else 's'} of odd sides.")
    others, largest = len(boards) - len(drawn), boards[-1]
    other = "the other board that was looked at" if others == 1 else "all other boards that were looked at"
    if any(counted(one) != positions_of(one) for one in boards):
        claim.judge("fails", "fails")
    elif not drawn:
        claim.judge("open", "open", "the board" if len(boards) == 1 else "any of the boards looked at, the largest",
                    largest["board"], starts)
    else:
        claim.judge("holds for", "holds-for", ", ".join(f"{one['board']} ({one['draws']})" for one in drawn),
                    f" On {other}, of up to {largest['rows'] * largest['columns']} points, none was found." if others else "",
                    starts)


def examine(claim: Claim) -> None:
    boards = boards_of(claim, "phutball-boards")
    drawn = [one for one in boards if one["draws"]]
    add_tables(claim, boards, drawn)
    claim.note("note")
    if drawn:
        show_draw(claim, min(drawn, key=lambda one: (one["rows"] * one["columns"], one["fewest_men"])))
    judge(claim, boards, drawn)
