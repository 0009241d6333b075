"""Do traps make animals vulnerable, and what is it worth to stand on one?"""
from typing import Any

import numpy as np

from .. import Claim, Mean, Settings
from ._materials import ANIMALS, LETTERS, add_animals, mean_of, means, survey

SETTINGS = Settings(counts="animals", options="pieces", usual=3, most=4, rules="base and clearings",
                    sets=[("base", None), ("base,clearings", None)])
# Where an animal stands, as its owner sees it: beside the other den, beside its own, in the water, on land beside it,
# elsewhere. What is counted there: lost, drawn and won to its owner, and those of Black's that White can take at once.
ENEMY_TRAP, OWN_TRAP, GROUNDS, RESULTS, KINDS = 0, 1, 5, 3, 4
TRAPS = {ENEMY_TRAP: "enemy's", OWN_TRAP: "own"}
LEAST_PIECES, DECIMALS = 2, 2


class Means:
    """Of all materials, by animal and ground; scores and numbers of materials first by whether the owner is on the move, what
    can be taken (off the move) first by the most pieces. All parts of 100."""

    def __init__(self, limit: int, materials: Any) -> None:
        self.score = np.zeros((2, len(ANIMALS), GROUNDS))
        self.number = np.zeros((2, len(ANIMALS), GROUNDS))
        self.results = np.zeros((len(ANIMALS), GROUNDS, RESULTS))  # off the move
        self.taken, self.of = (np.zeros((limit + 1, len(ANIMALS), GROUNDS)) for _ in range(2))
        for pieces, counts in materials:
            for letter, own in zip(pieces, counts.reshape(-1, GROUNDS, KINDS)):
                self._add(letter, own, range(len(pieces), limit + 1))
        with np.errstate(invalid="ignore"):  # no material has the animal there
            self.score /= self.number
            self.results /= self.number[0][..., None]
            self.taken /= self.of

    def _add(self, letter: str, counts: Any, sizes: range) -> None:
        moves, animal = int(letter.isupper()), LETTERS.index(letter.lower())
        there = np.flatnonzero(counts[:, :RESULTS].sum(axis=1))
        lost, drawn, won, taken = counts[there].T
        whole = lost + drawn + won
        self.score[moves, animal, there] += 100.0 * (2 * won + drawn) / (2 * whole)
        self.number[moves, animal, there] += 1
        if moves:
            return
        self.results[animal, there] += 100.0 * counts[there, :RESULTS] / whole[:, None]
        for size in sizes:
            self.taken[size, animal, there] += 100.0 * taken / whole
            self.of[size, animal, there] += 1


def add_tables(claim: Claim, base: Means, clearings: Means) -> None:
    table = claim.table("sizes")
    for pieces in range(LEAST_PIECES, claim.limit + 1):
        for trap, name in TRAPS.items():
            taken = base.taken[pieces, :, trap]
            table.add(pieces, name, Mean(sum(map(float, taken)) / len(ANIMALS), DECIMALS), *means(taken))
    own_trap = [base.taken[-1], clearings.taken[-1], base.score[0], clearings.score[0]]
    for key, rows in (("taken", base.taken[-1]), ("off_move", base.score[0]), ("on_move", base.score[1]),
                      ("results", base.results[:, :OWN_TRAP + 1, ::-1].reshape(len(ANIMALS), -1)),
                      ("clearings", np.stack([of[:, OWN_TRAP] for of in own_trap], axis=1))):
        add_animals(claim, key, rows)


def examine(claim: Claim) -> None:
    base, clearings = (Means(claim.limit, survey(claim, rules, claim.limit, "animal-traps")) for rules in claim.sets)
    add_tables(claim, base, clearings)
    claim.note("note")
    enemy, own = (mean_of(base.taken[-1, :, trap]) for trap in TRAPS)
    danger = [float(one) for one in base.taken[-1, :, ENEMY_TRAP] - base.taken[-1, :, OWN_TRAP]]
    most, least = (danger.index(one) for one in (max(danger), min(danger)))
    holds = enemy > own
    claim.judge("holds for" if holds else "fails", "verdict", claim.limit, Mean(enemy, DECIMALS),
                "in its own in" if holds else "no more than in its own,", Mean(own, DECIMALS), ANIMALS[most],
                Mean(danger[most], DECIMALS), ANIMALS[least], Mean(danger[least], DECIMALS))
