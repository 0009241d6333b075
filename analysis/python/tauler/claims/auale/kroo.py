"""Is it mostly decisive to capture by sowing a kroo, twelve seeds or more, at aualé?"""
from dataclasses import dataclass, field
from typing import Any, Iterator, List, Tuple

import numpy as np

from .. import Claim, Mean, RuleSet, Settings, share
from ._boards import PITS, board_text, is_slam, sow

SETTINGS = Settings(game="auale", options="seeds", usual=18, rules="awari", sets=[("awari", "even")], loaded=True)
KROO, OWN, DECIMALS = 12, 6, 2


@dataclass
class Captures:
    """Captures of a kroo: what they take, what they are worth at the end of the game, and the board and pit."""

    taken: List[int] = field(default_factory=list)
    worth: List[int] = field(default_factory=list)
    boards: List[Tuple[str, int]] = field(default_factory=list)

    def part(self, chosen: List[bool]) -> "Captures":
        at = [number for number, is_in in enumerate(chosen) if is_in]
        return Captures([self.taken[n] for n in at], [self.worth[n] for n in at], [self.boards[n] for n in at])

    @property
    def row(self) -> List[Any]:
        n, signs = len(self.worth), [int(np.sign(one)) for one in self.worth]
        return [n, Mean(sum(self.taken) / n, DECIMALS) if n else None,
                *(share(signs.count(sign), n, DECIMALS) if n else None for sign in (1, 0, -1))]


def spread(seeds: int, pits: int) -> Iterator[List[int]]:
    """All ways to lay so many seeds into so many pits."""
    if pits == 1:
        yield [seeds]
        return
    for first in range(seeds + 1):
        yield from ([first, *rest] for rest in spread(seeds - first, pits - 1))


def kroo_boards(seeds: int, pit: int) -> Any:
    """All boards of so many seeds with a kroo in this pit."""
    return np.array([row[:pit] + [kroo] + row[pit:] for kroo in range(KROO, seeds + 1) for row in spread(seeds - kroo, PITS - 1)],
                    dtype=np.int64).reshape(-1, PITS)


def look(rules: RuleSet, seeds: int) -> Tuple[int, Captures]:
    """Boards with a kroo of the mover's to which some move leads, and all captures by one but of all that the other side has."""
    boards_with, found = 0, Captures()
    for pit in range(OWN):
        boards = kroo_boards(seeds, pit)
        texts = [board_text(row) for row in boards.tolist()]
        there = rules.tables.places(texts)[1] >= 0
        boards_with += int(there.sum())
        sown, taken = sow(boards, pit)
        chosen = np.flatnonzero(there & taken.any(axis=1) & ~is_slam(sown, taken))
        gains, after = (sown * taken).sum(axis=1)[chosen], (sown * ~taken)[chosen]
        values = rules.tables.values([board_text(row, "N") for row in after.tolist()])
        found.taken += gains.tolist()
        found.worth += (gains - np.array(values, dtype=np.int64)).tolist()
        found.boards += [(texts[at], pit) for at in chosen.tolist()]
    return boards_with, found


def show_worst(claim: Claim, of: Captures) -> None:
    """The capture of most seeds that does not save the game; the rules must take as many."""
    rules = claim.sets[0]
    taken, lost, (board, pit) = max(((taken, -worth, board) for taken, worth, board in zip(of.taken, of.worth, of.boards)
                                     if worth < 0), default=(0, 0, ("", 0)))
    if not board:
        return
    move = rules.play(board, "ABCDEF"[pit])
    witness = claim.show(rules, board, "witness", taken, lost)
    witness.step("S", "ABCDEF"[pit], move.position if move else None)
    best = rules.look(board).value
    holds = bool(move and move.position and move.position.split("-")[PITS] == str(taken) and move.value == -lost)
    witness.recheck("single answers", holds, "recheck-single-answers", taken, -lost, int(best or 0))


def examine(claim: Claim) -> None:
    every, table = Captures(), claim.table("seeds")
    for n in range(KROO, claim.limit + 1):
        boards, of = look(claim.sets[0], n)
        table.add(n, boards, *of.row)
        every = Captures(every.taken + of.taken, every.worth + of.worth, every.boards + of.boards)
    if not every.worth:
        claim.judge("open", "open")
        return
    table, mostly = claim.table("taken"), 0  # from so many seeds on most captures are decisive
    for most in range(2, max(every.taken) + 1):
        of = every.part([taken == most for taken in every.taken])
        if of.worth:
            table.add(most, *of.row)
            is_most = 2 * sum(worth > 0 for worth in of.worth) > len(of.worth)
            mostly = (mostly or most) if is_most else 0
    show_worst(claim, every)
    won, not_won = sum(worth > 0 for worth in every.worth), [taken for taken, worth in zip(every.taken, every.worth) if worth <= 0]
    claim.judge("holds for" if mostly else "fails", "verdict" if mostly else "fails", claim.limit, len(every.worth),
                share(won, len(every.worth), DECIMALS), len(not_won), share(len(not_won), len(every.worth), DECIMALS),
                *([mostly, max(not_won)] if mostly else []))
