"""How often does it decide that a rat in a lake stops the jumps of lion, tiger and leopard?"""
from typing import Any, List

import numpy as np

from .. import Claim, Settings, share
from ._materials import ANIMALS, LETTERS, survey

SETTINGS = Settings(counts="animals", options="pieces", usual=3, most=4, sets=[("base", None)])
STOPPED, DECIDED, WON, LOST, JUMPS = range(5)  # as figures animal-jumps counts them
DECIMALS, LEAST_PIECES = 2, 2


def row(of: Any) -> List[Any]:
    return [of[STOPPED], of[JUMPS], of[DECIDED], share(of[DECIDED], of[STOPPED], DECIMALS), of[WON], of[LOST]]


def examine(claim: Claim) -> None:
    materials, shown = survey(claim, claim.sets[0], claim.limit, "animal-jumps")

    def count(letter: str, pieces: int) -> Any:
        """Of one piece, in the materials of so many pieces."""
        rows = [own for names, counts in materials if len(names) == pieces for one, own in zip(names, counts) if one == letter]
        return np.sum(rows, axis=0)

    sizes, cats = claim.table("sizes"), claim.table("cats")
    for pieces in range(LEAST_PIECES, claim.limit + 1):
        sizes.add(pieces, *row(count("r", pieces)))
    for letter in "PTL":
        cats.add(ANIMALS[LETTERS.index(letter.lower())], *row(count(letter, claim.limit)))
    claim.note("note")
    if shown:
        claim.show_line(claim.sets[0], shown, None, claim.say("witness"))
    every = count("r", claim.limit)
    claim.judge("holds for" if every[DECIDED] else "open", "verdict", claim.limit, every[STOPPED],
                share(every[DECIDED], every[STOPPED], DECIMALS), share(every[WON], every[STOPPED], DECIMALS),
                share(every[LOST], every[STOPPED], DECIMALS))
