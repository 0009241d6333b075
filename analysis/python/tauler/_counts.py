"""The picture of `tauler stats --plot FILE`, from its counts: who wins in every slice, how many positions of the last one have
which value or bounds, or how many of all have which depth."""
import json
import sys
from typing import Any, Dict, List, Optional

import tauler

from ._pictures import Picture, pyplot

# Of the page: won, drawn, lost, open.
WON, DRAWN, LOST, OPEN = "#006b50", "#f0b32c", "#a93226", "#6b6b66"
MOST_NAMED = 60
NO_DEPTH = -1
EXIT_CODES = {tauler.Code.BAD_USAGE: 64, tauler.Code.UNAVAILABLE: 69, tauler.Code.NO_SPACE: 69, tauler.Code.IO: 74}

Counts = Dict[str, Any]


def title_of(of: Counts, what: str) -> str:
    cycles = f", cycles {of['cycles']}" if of["cycles"] else ""
    alone = len(of["slices"]) == 1 or of["subject"] == "values"
    unit = f" {of['slice_unit']}" if of["slice_unit"] else ""
    last = f", {of['slices'][-1][0]}{unit}" if alone else ""
    return f"{of['game']}, {of['rules']}{cycles}: {what}{last}"


def shares_of(counts: List[int]) -> List[float]:
    return [100 * count / (sum(counts) or 1) for count in counts]


def of_winners(of: Counts) -> Picture:
    """Wins, draws and losses of each slice as parts of a hundred; more slices than can be named stand in the order of what is
    won."""
    slices = [(name, shares_of(counts)) for name, *counts in of["slices"]]
    named = len(slices) <= MOST_NAMED
    if not named:
        slices.sort(key=lambda one: (one[1][0], one[1][3], one[1][1], one[0]))
    along = (f"{of['slice_unit']} on the board" if of["slice_unit"] else "") if named else "slices, in the order of what is won"
    titles = ["won by the side to move", "drawn", "lost", "open"][:4 if any(shares[3] for _, shares in slices) else 3]
    return Picture(title_of(of, "who wins"), "stacked bars", range(1, len(slices) + 1), [name for name, _ in slices] if named else None,
                   [(title, [shares[i] for _, shares in slices]) for i, title in enumerate(titles)], along, "positions, %",
                   colours=[WON, DRAWN, LOST, OPEN][:len(titles)])


def number_of(of: Counts, row: List[int], side: int) -> Optional[int]:
    """The number by which a row counts in a series; None: not at all. The winner moves at odd plies and the loser at even ones,
    so plies count in pairs: 1 and 2 as 2."""
    if of["subject"] == "values":
        return row[side]
    number = row[2 + side] if of["bounds"] else row[2]
    if number == NO_DEPTH or not (of["bounds"] or (row[0] < 0 if side else row[0] > 0)):
        return None
    return number if of["stages"] else (number + 1) // 2 * 2


def label_of(of: Counts) -> str:
    if of["subject"] == "values":
        return "1 won, 0 drawn, -1 lost for the side to move" if of["outcomes"] else (
            f"{'bound on the ' if of['bounds'] else ''}net seeds of the side to move")
    return "stage of the bound" if of["stages"] else (
        f"plies to the {'end of the game' if of['outcomes'] else 'next gain'}, by twos")


def of_numbers(of: Counts) -> Picture:
    depths, bounds = of["subject"] == "depths", of["bounds"]
    counts: List[Dict[int, int]] = [{} for _ in range(2 if depths or bounds else 1)]
    for row in of["rows"]:
        for side, series in enumerate(counts):
            number = number_of(of, row, side)
            if number is not None:
                series[number] = series.get(number, 0) + row[4]
    numbers = sorted({number for series in counts for number in series})
    titles = (["the mover's guarantee", "the other side's"] if depths else ["at least", "at most"]) if bounds else [
        "won by the side to move", "lost"]
    by_sign = [WON if number > 0 else LOST if number < 0 else DRAWN for number in numbers]
    return Picture(title_of(of, "stages" if depths and of["stages"] else of["subject"]), "lines" if depths else "bars", numbers, None,
                   [(title, [series.get(number, 0) for number in numbers]) for title, series in zip(titles, counts)],
                   label_of(of), of["unit"], logarithmic=depths,
                   colours=None if bounds else [WON, LOST] if depths else [by_sign])


def main(words: List[str]) -> None:
    """Draws into a file; without one it tries whether pictures can be drawn."""
    pyplot()
    if words:
        of: Counts = json.load(sys.stdin)
        picture = of_winners(of) if of["subject"] == "winners" else of_numbers(of)
        if picture.is_empty():
            raise tauler.BadUsage(f"--plot has nothing to show: {picture.title} has no positions of the kind")
        picture.draw(words[0])


def run_main() -> int:
    """The exit code; what is wrong is said in one line."""
    try:
        main(sys.argv[1:])
        return 0
    except tauler.Error as wrong:
        sys.stderr.write(f"{wrong}\n")
        return EXIT_CODES.get(wrong.code, 70)
