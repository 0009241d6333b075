"""Is it mostly decisive to capture by sowing a kroo, twelve seeds or more, at aualé?"""
from typing import Any, Iterator, List, Tuple

import numpy as np

from .. import Claim, Mean, RuleSet, Settings, share
from ._boards import PITS, board_text, is_slam, sow

SETTINGS = Settings(counts="boards", options="seeds", usual=18, sets=[("awari", "even")], loaded=True)
KROO, OWN, DECIMALS = 12, 6, 2
TAKEN, WORTH, PIT, BOARD = range(4)  # of a capture; worth at the end of the game; a board begins with its first pit


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


def look(rules: RuleSet, seeds: int) -> Tuple[int, Any]:
    """Boards with a kroo of the mover's to which some move leads, and all captures by one but of all that the other side has."""
    boards_with, found = 0, []
    for pit in range(OWN):
        boards = kroo_boards(seeds, pit)
        there = rules.tables.places(map(board_text, boards.tolist()))[1] >= 0
        boards_with += int(there.sum())
        sown, taken = sow(boards, pit)
        chosen = there & taken.any(axis=1) & ~is_slam(sown, taken)
        gains, after = (sown * taken).sum(axis=1)[chosen], (sown * ~taken)[chosen]
        values = np.array(rules.tables.values([board_text(row, "N") for row in after.tolist()]), dtype=np.int64)
        found.append(np.column_stack([gains, gains - values, np.full(len(gains), pit), boards[chosen]]))
    return boards_with, np.vstack(found)


def row_of(of: Any) -> List[Any]:
    n, signs = len(of), np.sign(of[:, WORTH])
    if not n:
        return [0, None, None, None, None]
    return [n, Mean(of[:, TAKEN].sum() / n, DECIMALS), *(share((signs == sign).sum(), n, DECIMALS) for sign in (1, 0, -1))]


def show_worst(claim: Claim, every: Any) -> None:
    """The capture of most seeds that does not save the game; the rules must take as many."""
    rules, lost = claim.sets[0], every[every[:, WORTH] < 0].tolist()
    if not lost:
        return
    taken, less, board, pit = max((of[TAKEN], -of[WORTH], board_text(of[BOARD:]), of[PIT]) for of in lost)
    move = rules.play(board, "ABCDEF"[pit])
    witness = claim.show(rules, board, "witness", taken, less)
    witness.step("S", "ABCDEF"[pit], move.position if move else None)
    best = rules.look(board).value
    holds = bool(move and move.position and move.position.split("-")[PITS] == str(taken) and move.value == -less)
    witness.recheck("single answers", holds, "recheck-single-answers", taken, -less, int(best or 0))


def examine(claim: Claim) -> None:
    found, table = [], claim.table("seeds")
    for n in range(KROO, claim.limit + 1):
        boards, of = look(claim.sets[0], n)
        table.add(n, boards, *row_of(of))
        found.append(of)
    every = np.vstack(found) if found else np.zeros((0, BOARD + PITS), dtype=np.int64)
    if not len(every):
        return
    table, mostly, won = claim.table("taken"), 0, every[:, WORTH] > 0  # from so many seeds on most captures are decisive
    for most in np.unique(every[:, TAKEN]):
        at = every[:, TAKEN] == most
        table.add(most, *row_of(every[at]))
        mostly = (mostly or int(most)) if 2 * won[at].sum() > at.sum() else 0
    show_worst(claim, every)
    claim.judge("holds for" if mostly else "fails", "verdict", claim.limit, len(every), share(won.sum(), len(every), DECIMALS),
                (~won).sum(), share((~won).sum(), len(every), DECIMALS),
                " " + claim.say("mostly", mostly, every[~won, TAKEN].max()) if mostly else "")
