"""Does it save an animal that is stalked to go into a lake?"""
from typing import Any, Dict, List

import numpy as np

from .. import Claim, Settings, share
from ._materials import ANIMALS, LETTERS, survey

SETTINGS = Settings(counts="animals", options="pieces", usual=3, most=4, rules="base and lakes=drink",
                    sets=[("base", None), ("base,lakes=drink", None)])
# Stalked positions of an animal; those that are not lost, `saved`; of these its steps into the water, its other moves, and
# those of its friends, with those that keep the value; steps that are safe, and those after which another animal than the
# rat can take it; and positions in which a step, and only a step, keeps the value.
(STALKED, SAVED, STEPS, STEPS_KEPT, WALKS, WALKS_KEPT, OTHERS, OTHERS_KEPT, SAFE, FOLLOWED, SOME_STEP,
 ONLY_STEP) = range(12)
DECIMALS, LEAST_PIECES = 2, 2
MOST_DRINK = 3  # pieces: there are three times as many positions as by the base rules

Counts = Dict[str, Any]  # by the letter of the piece


def count(materials: Any, most: int) -> Counts:
    """Of all materials of up to so many pieces."""
    sums: Counts = {letter: np.zeros(ONLY_STEP + 1, dtype=np.int64) for letter in LETTERS + LETTERS.upper()}
    for pieces, counts in materials:
        for letter, own in zip(pieces, counts):
            sums[letter] += own if len(pieces) <= most else 0
    return sums


def part(of: Any, kept: int, every: int) -> Any:
    return share(of[kept], of[every], DECIMALS) if of[every] else None


def row(of: Any) -> List[Any]:
    return [of[STALKED], of[SAVED], of[STEPS], part(of, STEPS_KEPT, STEPS), part(of, WALKS_KEPT, WALKS),
            part(of, OTHERS_KEPT, OTHERS), part(of, SAFE, STEPS), part(of, SOME_STEP, SAVED), part(of, ONLY_STEP, SAVED)]


def examine(claim: Claim) -> None:
    (base, shown), (drink, _) = (survey(claim, rules, min(claim.limit, most), "animal-refuges")
                                 for rules, most in zip(claim.sets, (claim.limit, MOST_DRINK)))
    table = claim.table("sizes")
    for pieces in range(LEAST_PIECES, claim.limit + 1):
        table.add(pieces, *row(count(base, pieces)["R"]))
    table, counts = claim.table("refuges"), count(base, claim.limit)
    for rules, found in zip(SETTINGS.sets, (counts, count(drink, claim.limit))):
        for letter, name in zip(LETTERS.upper(), ANIMALS):
            if found[letter][STALKED]:
                table.add(rules[0], name, *row(found[letter]))
    table = claim.table("stalkers")
    for letter, name in zip(LETTERS, ANIMALS):
        if counts[letter][STALKED]:
            table.add(name, *row(counts[letter]))
    claim.note("note")
    if shown:
        claim.show_line(claim.sets[0], shown, None, claim.say("witness"))
    rat = counts["R"]
    shares = [part(rat, *one) for one in ((STEPS_KEPT, STEPS), (WALKS_KEPT, WALKS), (SOME_STEP, SAVED), (ONLY_STEP, SAVED))]
    said = claim.say("followed", rat[FOLLOWED]) if rat[FOLLOWED] else claim.say("safe", part(rat, SAFE, STEPS))
    if rat[STEPS]:
        claim.judge("fails" if rat[FOLLOWED] else "holds for", "verdict", claim.limit, said, *shares)
