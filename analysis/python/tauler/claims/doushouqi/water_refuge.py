"""Does it save an animal that is stalked to go into a lake?"""
from typing import Any, List

from .. import Claim, Settings
from .._report import share_of_some
from ._materials import ANIMALS, LETTERS, counts_of, survey

SETTINGS = Settings(counts="animals", options="pieces", usual=3, most=4, rules="base and lakes=drink",
                    sets=[("base", None), ("base,lakes=drink", None)])
# Stalked positions of an animal; those that are not lost, `saved`; of these its steps into the water, its other moves, and
# those of its friends, with those that keep the value; steps that are safe, and those after which another animal than the
# rat can take it; and positions in which a step, and only a step, keeps the value.
(STALKED, SAVED, STEPS, STEPS_KEPT, WALKS, WALKS_KEPT, OTHERS, OTHERS_KEPT, SAFE, FOLLOWED, SOME_STEP, ONLY_STEP) = range(12)
DECIMALS, LEAST_PIECES = 2, 2
MOST_DRINK = 3  # pieces: there are three times as many positions as by the base rules


def part(of: Any, kept: int, every: int) -> Any:
    return share_of_some(of[kept], of[every], DECIMALS)


def row(of: Any) -> List[Any]:
    return [of[STALKED], of[SAVED], of[STEPS], part(of, STEPS_KEPT, STEPS), part(of, WALKS_KEPT, WALKS),
            part(of, OTHERS_KEPT, OTHERS), part(of, SAFE, STEPS), part(of, SOME_STEP, SAVED), part(of, ONLY_STEP, SAVED)]


def examine(claim: Claim) -> None:
    base, drink = (survey(claim, rules, min(claim.limit, most), "animal-refuges")
                   for rules, most in zip(claim.sets, (claim.limit, MOST_DRINK)))
    table = claim.table("sizes")
    for pieces in range(LEAST_PIECES, claim.limit + 1):
        table.add(pieces, *row(counts_of(base, "R", LEAST_PIECES, pieces)))
    refuges, stalkers = claim.table("refuges"), claim.table("stalkers")
    for table, said, materials, letters in ((refuges, ("base",), base, LETTERS.upper()), (stalkers, (), base, LETTERS),
                                            (refuges, ("base,lakes=drink",), drink, LETTERS.upper())):
        for letter, name in zip(letters, ANIMALS):
            of = counts_of(materials, letter, LEAST_PIECES, claim.limit)
            if of[STALKED]:
                table.add(*said, name, *row(of))
    claim.note("note")
    rat = counts_of(base, "R", LEAST_PIECES, claim.limit)
    shares = [part(rat, *one) for one in ((STEPS_KEPT, STEPS), (WALKS_KEPT, WALKS), (SOME_STEP, SAVED), (ONLY_STEP, SAVED))]
    found = claim.say("followed", rat[FOLLOWED]) if rat[FOLLOWED] else claim.say("safe", part(rat, SAFE, STEPS))
    if rat[STEPS]:
        claim.judge("fails" if rat[FOLLOWED] else "holds for", "verdict", claim.limit, found, *shares)
