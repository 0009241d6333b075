"""Is the rat the most tactical animal?"""
from typing import Callable, List

from .. import Claim, Mean, Settings
from ._materials import ANIMALS, Material, Results, count, pieces_of, score

SETTINGS = Settings(game="doushouqi", counts="animals", options="rules pieces", usual=4, most=4, sets=[(None, None)])
LEAST_PIECES, RAT, DECIMALS = 2, 0, 2
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


def add_matrix(claim: Claim, key: str, values: Matrix) -> None:
    table = claim.table(key)
    for animal in EVERY:
        table.add(ANIMALS[animal], *(Mean(one, DECIMALS) for one in values[animal]))


def add_worths(claim: Claim, against: Matrix, gains: Matrix, means: List[float]) -> None:
    table = claim.table("worth")
    for animal in EVERY:
        own = gains[animal]
        least, most = own.index(min(own)), own.index(max(own))
        table.add(ANIMALS[animal], Mean(mean_of(against[animal]), DECIMALS), Mean(means[animal], DECIMALS), ANIMALS[least],
                  Mean(own[least], DECIMALS), ANIMALS[most], Mean(own[most], DECIMALS))


def mean_of(values: List[float]) -> float:
    return sum(one / len(ANIMALS) for one in values)


def add_results(claim: Claim, results: Results) -> None:
    table = claim.table("results")
    for animal in EVERY:
        by_enemy = [mean_change(results, claim.limit, animal, enemy, shares) for enemy in EVERY]
        table.add(ANIMALS[animal], *(Mean(mean_of(list(column)), DECIMALS) for column in zip(*by_enemy)))


def judge(claim: Claim, gains: Matrix, means: List[float]) -> None:
    spreads = [max(own) - min(own) for own in gains]
    ahead, better = (sum(one > of[RAT] for one in of) for of in (spreads, means))
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
    add_matrix(claim, "alone", against)
    gains: Matrix = []
    if claim.limit > LEAST_PIECES:
        gains = [[100 * mean_change(results, claim.limit, animal, enemy, lambda *of: [score(*of)])[0] for enemy in EVERY]
                 for animal in EVERY]
        means = [mean_of(own) for own in gains]
        add_worths(claim, against, gains, means)
        add_results(claim, results)
        add_matrix(claim, "gains", gains)
    claim.note("note")
    if gains:
        judge(claim, gains, means)
