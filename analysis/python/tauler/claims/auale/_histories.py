"""Worths of boards of aualé after histories, which C finds; two histories of one board as witnesses: two games of 48 seeds,
each from a capture over quiet moves to the board, and by best play of both to the end, replayed and reckoned again by every
line."""
from dataclasses import dataclass
from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from .. import Claim, RuleSet, figures
from ._boards import PITS
from ._lines import MOST_SEEDS as MOST_PLAYED, Lines

MOST_SEEDS, ALL_SEEDS = 5, 48

Found = Dict[str, Any]
Steps = List[Tuple[str, str]]  # the name of each move, and the position after it


@dataclass
class Slice:
    """Boards of so many seeds, by index."""

    seeds: int
    fresh: Any  # worth right after a capture
    least: Any  # bounds of worths after any history
    most: Any
    low: Any  # worths seen; low > high: none
    high: Any
    captured: Any  # whether a capture of two or three seeds leads there
    reached: Any  # whether quiet moves do from there
    pair: List[Found]  # two histories of one board: the low worth, the high one; none was found, or looked for

    @property
    def apart(self) -> Any:
        """How far apart worths were seen, of boards that play comes to."""
        return np.where(self.reached & (self.low <= self.high), self.high - self.low, 0)

    def depends(self, gap: int) -> Tuple[int, int]:
        """How many boards have worths so far apart: at least, and at most."""
        return int((self.apart >= gap).sum()), int((self.reached & (self.most - self.least >= gap)).sum())


def find_histories(claim: Claim) -> List[Slice]:
    """With --seeds fewer lines of play are looked at."""
    limit = ["--seeds", str(min(claim.limit, MOST_SEEDS))] if claim.limited else []
    found = figures("auale-histories", claim.options, *claim.sets[0].words(), *limit)
    return [Slice(of.pop("seeds"), pair=of.pop("pair", []), **{key: np.array(row, dtype=int if key not in (
        "captured", "reached") else bool) for key, row in of.items()}) for of in found["slices"]]


def text_of(pits: Sequence[int], south: bool, stores: Sequence[int]) -> str:
    """A board as its mover sees it, with a side to move and stores."""
    turned = [*pits] if south else [*pits[PITS // 2:], *pits[:PITS // 2]]
    return "-".join(map(str, [*turned, *stores])) + ("-S" if south else "-N")


def winner(net: int) -> str:
    return "South wins" if net > 0 else "North wins" if net < 0 else "a draw"


def choose_lead(seeds: int, low: int, high: int) -> int:
    """South's lead in the stores, of the right parity: the least, best if the high worth wins and the low one loses."""
    leads = [lead for size in range(seeds % 2, seeds + 1, 2) for lead in sorted({-size, size})]
    return max(leads, key=lambda lead: (high + lead > 0) + (low + lead < 0))


def play(rules: RuleSet, start: str, places: Sequence[Sequence[int]]) -> Steps:
    steps: Steps = []
    for place in places:
        move = rules.by_place(steps[-1][1] if steps else start)[place[0], place[1]]
        steps.append((move.name, str(move.position)))
    return steps


def ends_as_said(rules: RuleSet, steps: Steps, net: int) -> bool:
    """The stores, and the rows' seeds where each side takes its own."""
    texts = [position for _, position in steps]
    numbers, over = [int(field) for field in texts[-1].split("-")[:PITS + 2]], rules.look(texts[-1]).ended
    if len(set(texts[:-1])) < len(texts) - 1 or not (over or texts[-1] in texts[:-1]):
        return False
    left = sum(numbers[:PITS // 2]) - sum(numbers[PITS // 2:PITS]) if over or rules.cycles == "own-row" else 0
    return numbers[PITS] - numbers[PITS + 1] + left == net


def show_history(claim: Claim, of: Slice, history: Found, lead: int, ending: str) -> None:
    rules, seeds, (n, index), moves = claim.sets[0], of.seeds, history["before"], len(history["boards"]) - 1
    south, stores = moves % 2 != 0, [(ALL_SEEDS - seeds + lead) // 2, (ALL_SEEDS - seeds - lead) // 2]
    stores[not south] -= n - seeds
    start, net = text_of(rules.slice(n).boards(index, index + 1)[0], south, stores), lead + int(history["worth"])
    steps = play(rules, start, history["boards"] + history["best"])
    end = "no move is left, each side takes its own row" if rules.look(steps[-1][1]).ended else ending
    said = [f"{half // 2}{'½' if half % 2 else ''}" for half in (ALL_SEEDS + net, ALL_SEEDS - net)]
    remarks = {moves: "the board in question", 0: "captures" if moves else "captures; the board in question",
               len(steps) - 1: f"{end}: {said[0]} to {said[1]}, {winner(net)}"}
    witness = claim.show(rules, start, f"{seeds} seeds, the last capture {moves + 1} {'moves' if moves else 'move'} before "
                         f"the board in question: {winner(net)}")
    for i, (name, position) in enumerate(steps):
        witness.step("S" if name.isupper() else "N", name, position, remarks.get(i))
    right = all(rules.look(f"{witness.position} moves {''.join(name for name, _ in steps[:i + 1])}").position == position
                for i, (_, position) in enumerate(steps))
    witness.recheck("replay", right and ends_as_said(rules, steps, net),
                    f"All {len(steps)} moves read as text by the rules: the positions are those shown, none comes twice since "
                    "the capture before the last, and the end is as said.")
    if seeds <= MOST_PLAYED:
        met = {(at, turn % 2) for turn, (_, at) in enumerate(history["boards"][:-1])}
        worth = Lines(rules, seeds).worth(seeds, history["boards"][-1][1], moves % 2, met)
        witness.recheck("every line", worth == history["worth"],
                        "Every line of play from the board to its end after this history, no bounds and no tables: its value "
                        f"is {worth} net for South, of the {seeds} seeds left.")


def show_pair(claim: Claim, of: Slice, ending: str) -> bool:
    """Shows two histories, if some were found. South is to move on the board, and the stores are the same both times; they make
    as much of a difference of the winner as they can. `ending` says what a repetition does."""
    lead = choose_lead(of.seeds, *(history["worth"] for history in of.pair)) if of.pair else 0
    for history in of.pair:
        show_history(claim, of, history, lead, ending)
    return bool(of.pair)
