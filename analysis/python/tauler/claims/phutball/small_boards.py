"""Are there positions from which neither side can win, and who wins from the empty board?"""
from typing import Dict, List, Tuple

from .. import Claim, Mean, Witness
from .._proof import MOST_LOOKED_AT, prove_draw
from ._boards import Board, look_at_boards, smallest_draw
from ._drawn import find_play
from ._survey import SETTINGS

__all__ = ["SETTINGS", "examine"]
COLUMNS, DECIMALS = "ABCDEFGHJKLMNOPQRST", 3

Draws = Dict[str, Tuple[int, int]]  # by board: the fewest men, and the number of the position


def positions_of(board: Board) -> int:
    return (board.rows - 2) * board.columns << (board.points - 1)


def add_tables(claim: Claim, boards: List[Board], drawn: Draws) -> None:
    table = claim.table("boards")
    for one in boards:
        table.add(one.name, one.points, one.counted, one.wins, one.losses, one.draws, one.longest_win or None,
                  one.longest_loss or None, one.centre[0])
    table = claim.table("empty_boards")
    for one in boards:
        for column in range((one.columns - 1) // 2 + 1):
            table.add(one.name, COLUMNS[column], one.said_of(column))
    table = claim.table("shapes")
    for columns in sorted({one.columns for one in boards}):
        of = [one for one in boards if one.columns == columns]
        positions, draws = sum(map(positions_of, of)), sum(one.draws for one in of)
        table.add(columns, len(of), of[-1].rows, positions, draws, Mean(1e6 * draws / positions, DECIMALS),
                  next((one.rows for one in of if one.draws), None))
    table = claim.table("drawn_positions")
    for one in boards:
        if one.draws:
            table.add(one.name, one.draws, drawn[one.name][0], claim.sets[0].slice(one.name).position(drawn[one.name][1]))


def recheck_proof(claim: Claim, witness: Witness, name: str, start: int) -> None:
    of = claim.sets[0].slice(name)
    proof = prove_draw(of, start)
    if not proof.done:
        witness.recheck("proof", False, f"Given up after {MOST_LOOKED_AT} positions: that the position is drawn rests on the "
                        "tables, which tauler verify proves.", done=False)
    elif proof.wrong is not None:
        witness.recheck("proof", False, f"What the tables say of {of.position(proof.wrong)} does not agree with its turns.")
    else:
        drawn, won, lost = proof.looked_at
        witness.recheck("proof", True, "By the moves of the rules, with the tables as hints that are not believed: of the "
                        f"{drawn} drawn positions that can come up, each has a turn to another one, and every other "
                        "turn gives the other side a win; these wins were followed to the goal, one turn of the winner "
                        f"against every answer, through {won} won and {lost} lost positions (boards turned "
                        "round or mirrored counted once).")


def show_draw(claim: Claim, drawn: Draws) -> None:
    """Shows a drawn position, and play of both sides that comes back to a position."""
    rules, (name, (men, number)) = claim.sets[0], next(iter(drawn.items()))
    smallest = rules.position(name, number)
    witness = claim.show(rules, smallest, f"The smallest drawn position: on {name}, {men} men. Both sides make drawing turns.")
    turns, repeats, cut = find_play(rules, smallest)
    for ordinal, turn in enumerate(turns, 1):
        remark = f"the position after turn {repeats} again" if repeats else "the first position again"
        witness.step(rules.look(turn.start).turn, turn.move, turn.end, remark if ordinal == len(turns) else None)
    earlier = turns[repeats - 1].end if repeats else witness.position
    right = bool(turns) and turns[-1].end == earlier and rules.replays(witness)
    witness.recheck("replay", right, "Read by the rules alone, every turn is legal, the positions are those shown, and the "
                    "last one was there before, with the same side to move." if right else
                    "Read by the rules alone, the line is not what is shown." if turns else
                    "No play of drawing turns was found that comes back to a position.", done=bool(turns) or not cut)
    recheck_proof(claim, witness, name, number)


def examine(claim: Claim) -> None:
    boards = look_at_boards(claim)
    drawn = {one.name: smallest_draw(claim.sets[0], one) for one in boards if one.draws}
    add_tables(claim, boards, drawn)
    claim.note("note")
    if drawn:
        show_draw(claim, drawn)
    values = [value for text, value in (one.centre for one in boards) if text]
    starts = "" if not values else (f" From the empty board with the ball in its centre, Ohs wins on {values.count(1)} and loses on "
                                    f"{values.count(-1)} of {len(values)} board{'' if len(values) == 1 else 's'} of odd sides.")
    others, largest = len(boards) - len(drawn), boards[-1]
    other = "the other board that was looked at" if others == 1 else "all other boards that were looked at"
    if any(one.counted != positions_of(one) for one in boards):
        claim.judge("fails", "fails")
    elif not drawn:
        claim.judge("open", "open", "the board" if len(boards) == 1 else "any of the boards looked at, the largest", largest.name,
                    starts)
    else:
        claim.judge("holds for", "holds-for", ", ".join(f"{one.name} ({one.draws})" for one in boards if one.draws),
                    f" On {other}, of up to {largest.points} points, none was found." if others else "", starts)
