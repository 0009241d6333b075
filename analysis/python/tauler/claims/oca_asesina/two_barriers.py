"""Does a token go from the start to the last goose at once, between barriers at both ends of the board?"""
from typing import Any, Iterator, List, NamedTuple

from .. import Claim, RuleSet, Settings
from ._rules import length_of, open_on_board

SETTINGS = Settings(options="board tokens", usual=3, most=3)
LEAST, PIECE = 3, 1 << 20  # tokens: one at the start, a barrier for each side, and of these one token less; positions at once
BEHIND = {1: "last but one", 2: "last but two"}  # where the second barrier stands, and the roll


class Count(NamedTuple):
    """Positions with two barriers and a token at the start, of the side to roll."""

    stored: int
    reached: List[str]
    home: int  # of those reached: the roll brings that token home


def _has_barrier(squares: Any, square: int) -> Any:
    return (squares == square).sum(axis=1) == 2


def _matches(boards: Any, tokens: int, square: int) -> Any:
    """One side has a barrier on the first square, the other on this one; the side to roll has a token at the start."""
    first, second, seat = boards[:, :tokens], boards[:, tokens + 1:2 * tokens + 1], boards[:, 2 * tokens + 2]
    both = (_has_barrier(first, 1) & _has_barrier(second, square)) | (_has_barrier(first, square) & _has_barrier(second, 1))
    waits = ((first == 0).any(axis=1) & (seat == 0)) | ((second == 0).any(axis=1) & (seat == 1))
    return both & waits & (boards[:, 2 * tokens + 3] == 0)


def _goes_home(rules: RuleSet, position: str, roll: int) -> bool:
    """By the rules alone; it is home if the other side is to roll then, or loses turns."""
    moves = next(one for one in rules.look(position).rolls if one.name == str(roll)).moves
    home = length_of(rules)
    return any(move.name == f"0-{home}" and move.position is not None and not move.position.endswith("forced") for move in moves)


def look(rules: RuleSet, tokens: int) -> Iterator[Count]:
    name = f"{tokens}.0-0"
    whole = rules.slice(name)
    reached = whole.reached()
    for roll in BEHIND:
        stored, found = 0, []
        for first in range(0, len(whole), PIECE):
            stop = min(len(whole), first + PIECE)
            there = _matches(whole.boards(first, stop), tokens, length_of(rules) - roll)
            stored += int(there.sum())
            found += [str(whole.position(first + int(index))) for index in (there & reached[first:stop]).nonzero()[0]]
        yield Count(stored, found, sum(_goes_home(rules, position, roll) for position in found))


def examine(claim: Claim) -> None:
    rules = open_on_board(claim)
    if claim.limit < LEAST:
        return
    counts = list(look(rules, claim.limit))
    table = claim.table("barriers")
    for (roll, said), count in zip(BEHIND.items(), counts):
        table.add(said, roll, count.stored, len(count.reached), count.home)
        if count.reached:
            witness = claim.show(rules, count.reached[0], "witness", said, roll)
            for move in next(one for one in rules.look(count.reached[0]).rolls if one.name == str(roll)).moves:
                witness.step(f"a {roll}", move.name, move.position)
    there = [count for count in counts if count.reached]
    right = all(count.home == len(count.reached) for count in there)
    claim.judge("open" if not there else "fails" if not right else "holds" if len(there) == len(counts) else "holds for",
                "verdict", length_of(rules), *(figure for count in counts for figure in (count.home, len(count.reached))))
