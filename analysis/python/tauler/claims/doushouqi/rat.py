"""Is the rat the most tactical animal?"""
from typing import Callable, List

from .. import Claim, Mean, Settings
from ._materials import ANIMALS, Material, Results, add_animals, count, mean_of, means, pieces_of, score

SETTINGS = Settings(counts="animals", options="rules pieces", usual=4, most=4, sets=[(None, None)])
LEAST_PIECES, RAT = 2, 0
EVERY = range(len(ANIMALS))

Matrix = List[List[float]]  # by animal, and its enemy


def shares(results: Results, material: Material) -> List[float]:
    """Parts of 100 that the owner of White's animals wins, draws and loses, on the move and then off it."""
    own, other = results[material], results[material[::-1]][::-1]
    return [100 * part / sum(parts) for parts in (own, other) for part in parts]


def mean_change(results: Results, limit: int, animal: int, enemy: int, of: Callable[[Results, Material], List[float]]) -> List[float]:
    """What the animal adds, in the mean of all materials with the enemy to which White can still add it."""
    sums, n = [0.0], 0
    for before in sorted(results, key=lambda one: one[::-1]):
        if before[0] >> animal & 1 or not before[1] >> enemy & 1 or pieces_of(before) >= limit:
            continue
        after = (before[0] | 1 << animal, before[1])
        changes = [now - then for now, then in zip(of(results, after), of(results, before))]
        sums = [a + b for a, b in zip(sums, changes)] if n else changes
        n += 1
    return [one / n for one in sums]


def add_tables(claim: Claim, results: Results, against: Matrix, gains: Matrix) -> None:
    worth = [[mean_of(alone), mean_of(own), min(own), max(own)] for alone, own in zip(against, gains)]
    by_enemy = [zip(*(mean_change(results, claim.limit, animal, enemy, shares) for enemy in EVERY)) for animal in EVERY]
    table = claim.table("worth")
    for animal, own, row in zip(ANIMALS, gains, map(means, worth)):
        table.add(animal, *row[:2], ANIMALS[own.index(min(own))], row[2], ANIMALS[own.index(max(own))], row[3])
    add_animals(claim, "results", [[mean_of(column) for column in columns] for columns in by_enemy])
    add_animals(claim, "gains", gains)


def judge(claim: Claim, gains: Matrix) -> None:
    spreads = [max(own) - min(own) for own in gains]
    ahead, better = (sum(one > of[RAT] for one in of) for of in (spreads, [mean_of(own) for own in gains]))
    if ahead:
        claim.judge("fails", "fails", claim.limit, ahead)
        return
    following = spreads.index(max(spreads[RAT + 1:]), RAT + 1)
    own, others = gains[RAT], len(ANIMALS) - 1
    mean = (f"and it only looks like the least of all: in the mean {better} animals add more, {others - better} less"
            if better < others else "in the mean it adds the least of all")
    claim.judge("holds for", "holds-for", claim.limit, Mean(max(own), 1), ANIMALS[own.index(max(own))], Mean(min(own), 1),
                ANIMALS[own.index(min(own))], Mean(spreads[RAT], 2), ANIMALS[following], Mean(spreads[following], 2), mean)


def examine(claim: Claim) -> None:
    _, results = count(claim.sets[0], claim.limit)
    against = [[100 * score(results, (1 << animal, 1 << enemy)) for enemy in EVERY] for animal in EVERY]
    add_animals(claim, "alone", against)
    claim.note("note")
    if claim.limit > LEAST_PIECES:
        gains = [[100 * mean_change(results, claim.limit, animal, enemy, lambda *of: [score(*of)])[0] for enemy in EVERY]
                 for animal in EVERY]
        add_tables(claim, results, against, gains)
        judge(claim, gains)
