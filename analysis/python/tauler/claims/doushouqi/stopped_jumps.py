"""How often does it decide that a rat in a lake stops the jumps of lion, tiger and leopard?"""
from typing import Any, List

from .. import Claim, Settings, share
from ._materials import ANIMALS, LETTERS, counts_of, survey

SETTINGS = Settings(counts="animals", options="pieces", usual=3, most=4, sets=[("base", None)])
STOPPED, DECIDED, WON, LOST, JUMPS = range(5)  # as figures animal-jumps counts them
DECIMALS, LEAST_PIECES = 2, 2


def row(of: Any) -> List[Any]:
    return [of[STOPPED], of[JUMPS], of[DECIDED], share(of[DECIDED], of[STOPPED], DECIMALS), of[WON], of[LOST]]


def examine(claim: Claim) -> None:
    materials = survey(claim, claim.sets[0], claim.limit, "animal-jumps")
    sizes, cats = claim.table("sizes"), claim.table("cats")
    for pieces in range(LEAST_PIECES, claim.limit + 1):
        sizes.add(pieces, *row(counts_of(materials, "r", pieces, pieces)))
    for letter in "PTL":
        cats.add(ANIMALS[LETTERS.index(letter.lower())], *row(counts_of(materials, letter, claim.limit, claim.limit)))
    claim.note("note")
    every = counts_of(materials, "r", claim.limit, claim.limit)
    claim.judge("holds for" if every[DECIDED] else "open", "verdict", claim.limit, every[STOPPED],
                share(every[DECIDED], every[STOPPED], DECIMALS), share(every[WON], every[STOPPED], DECIMALS),
                share(every[LOST], every[STOPPED], DECIMALS))
