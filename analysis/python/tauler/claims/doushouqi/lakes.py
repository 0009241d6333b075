"""Do plain lakes make Dou Shou Qi simpler, and does drinking make it the most complex?"""
from typing import List

from .. import Claim, Mean, RuleSet, Settings, share
from ._materials import count, mean_length, show_longest, survey

SETTINGS = Settings(counts="animals", options="pieces", usual=3, most=4, rules="base and lakes=plain, lakes=drink",
                    sets=[("base", None), ("base,lakes=plain", None), ("base,lakes=drink", None)])
POSITIONS, STUCK, MOVES = range(3)  # as figures animal-moves counts them
LEAST_PIECES, DECIMALS = 2, 3
NAMES = ("water", "plain", "drink")


def measure(claim: Claim, rules: RuleSet, name: str) -> List[float]:
    """Adds a row for each number of pieces; moves and the longest play with the most pieces."""
    materials = survey(claim, rules, claim.limit, "animal-moves")
    table, measured = claim.tables[0], [0.0, 0.0, 0.0]
    for total in count(rules, claim.limit)[0]:
        pieces, results = total.pieces, total.results
        rows = [counts[0] for one, counts in materials if len(one) == pieces]
        positions, stuck, moves = (int(sum(row[kind] for row in rows)) for kind in (POSITIONS, STUCK, MOVES))
        assert positions == sum(results), "the two counts see the same positions"
        measured = [moves / positions, mean_length(total.lengths), total.longest]
        table.add(name, pieces, positions, Mean(measured[0], DECIMALS), stuck, share(results[1], positions, DECIMALS),
                  Mean(measured[1], DECIMALS), total.longest)
        if pieces == claim.limit:
            show_longest(claim, rules, total, f"The longest play to an end under {rules.rules} with {pieces} pieces")
    return measured


def examine(claim: Claim) -> None:
    claim.table("lakes")
    water, plain, drink = (measure(claim, rules, name) for rules, name in zip(claim.sets, NAMES))
    simplest = [one < min(other, third) for one, other, third in zip(plain, water, drink)]
    most = [one > max(other, third) for one, other, third in zip(drink, water, plain)]
    right = [*simplest, *most]
    claim.judge("holds for" if all(right) else "open" if any(right) else "fails", "verdict", claim.limit,
                *(Mean(one[0], 2) for one in (water, plain, drink)), *(Mean(one[1], 2) for one in (water, plain, drink)),
                *(int(one[2]) for one in (water, plain, drink)))
