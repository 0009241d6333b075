"""Materials of Dou Shou Qi and how they end."""
from collections import Counter
from dataclasses import dataclass
from typing import Any, Dict, Iterable, List, Optional, Tuple

import numpy as np

from .. import Claim, Mean, RuleSet, Witness, figures
from .._solve import parts

ANIMALS = ("rat", "cat", "wolf", "dog", "leopard", "tiger", "lion", "elephant")
LETTERS = "rcwdptle"

Material = Tuple[int, int]  # White's animals and Black's, a bit each
Surveyed = List[Tuple[str, Any]]  # pieces as letters, White's in upper case, and the counts of every piece; of each material
Results = Dict[Material, List[int]]  # wins, draws and losses, White to move


@dataclass
class Total:
    """All materials of so many pieces: results, and positions that are not drawn by plies to the end."""

    pieces: int
    results: List[int]
    lengths: List[int]
    first: Dict[int, str]  # by plies the first material that has positions of them

    @property
    def longest(self) -> int:
        return max(self.first, default=0)

    def longest_of(self, parity: int) -> int:
        """Of wins, whose plies are odd (1), or of losses (0)."""
        return max((plies for plies in self.first if plies % 2 == parity), default=0)

    def position(self, rules: RuleSet, plies: int) -> Optional[str]:
        """The first position that takes so many plies, in the slice of their first material."""
        if not plies:
            return None
        white, black = ("".join(filter(side, self.first[plies])) for side in (str.isupper, str.islower))
        text = "/".join("7" if not row else f"{row}{7 - len(row)}" for row in ("", "", black, "", "", "", white, "", ""))
        number = rules.tables.places([text + " w"])[0][0]
        of = next(one for one in map(rules.slice, {name for name, _ in rules.sources}) if one.number == number)
        return next(str(of.position(first + int(at[0]))) for first, stop in parts(len(of))
                    for at in [np.flatnonzero(of.depths(first, stop)[:, 0] == plies)] if len(at))


def show_longest(claim: Claim, rules: RuleSet, total: Total, said: str) -> Witness:
    return claim.show_line(rules, str(total.position(rules, total.longest)), total.longest,
                           f"{said}: the winner takes the shortest way, the loser the longest.")


def material_of(name: str) -> Material:
    """Of "ELcr"."""
    return (sum(1 << LETTERS.index(one.lower()) for one in name if one.isupper()),
            sum(1 << LETTERS.index(one) for one in name if one.islower()))


def name_of(material: Material) -> str:
    white, black = ("".join(letter for i, letter in enumerate(LETTERS) if side >> i & 1)[::-1] for side in material)
    return white.upper() + black


def pieces_of(material: Material) -> int:
    return sum(bin(side).count("1") for side in material)


def count(rules: RuleSet, pieces: int) -> Tuple[List[Total], Results]:
    """All materials of up to so many pieces, whose tables are built."""
    rules.need("--pieces", pieces)
    totals: List[Total] = []
    results: Results = {}
    for n in range(2, pieces + 1):
        total, lengths = Total(n, [0, 0, 0], [], {}), Counter[int]()
        for name, value, plies, positions in rules.counts("--pieces", str(n)):
            for of in (total.results, results.setdefault(material_of(name), [0, 0, 0])):
                of[1 - value] += positions
            if value:
                lengths[plies] += positions
                total.first.setdefault(plies, name)
        total.lengths = [lengths[plies] for plies in range(total.longest + 1)]
        totals.append(total)
    return totals, results


def count_material(rules: RuleSet, name: str) -> List[int]:
    results = [0, 0, 0]
    for _, value, _, positions in rules.counts("--material", name):
        results[1 - value] += positions
    return results


def mean_length(lengths: List[int]) -> float:
    return sum(plies * n for plies, n in enumerate(lengths)) / max(sum(lengths), 1)


def score(results: Results, material: Material) -> float:
    """White's mean over all positions, either side to move; a draw counts half."""
    (wins, draws, losses), (other_wins, other_draws, other_losses) = results[material], results[material[::-1]]
    halves = 2 * (wins + other_losses) + draws + other_draws
    return halves / (2 * (wins + draws + losses + other_wins + other_draws + other_losses))


def survey(claim: Claim, rules: RuleSet, pieces: int, kind: str) -> Surveyed:
    """Builds all materials of up to so many pieces; what C counts. The first position worth showing of the first rule set is
    a witness."""
    rules.need("--pieces", pieces)
    found = figures(kind, claim.options, *rules.words(), "--pieces", str(pieces))["materials"]
    shown = [one["found"] for one in found if one["found"] and rules is claim.sets[0]]
    if shown:
        claim.show_line(rules, shown[0], None, claim.say("witness"))
    return [(one["pieces"], np.array(one["counts"], dtype=np.int64).reshape(len(one["pieces"]), -1)) for one in found]


def counts_of(materials: Surveyed, letter: str, least: int, most: int) -> Any:
    """Of one piece, in all materials of so many pieces."""
    return np.sum([own for pieces, counts in materials if least <= len(pieces) <= most
                   for one, own in zip(pieces, counts) if one == letter], axis=0)


def mean_of(values: Iterable[Any]) -> float:
    """Of one number for each animal."""
    return sum(float(one) / len(ANIMALS) for one in values)


def means(values: Iterable[Any]) -> List[Optional[Mean]]:
    return [None if np.isnan(one) else Mean(float(one), 2) for one in values]


def add_animals(claim: Claim, key: str, rows: Iterable[Iterable[Any]]) -> None:
    """Adds a table with a row for each animal."""
    table = claim.table(key)
    for animal, row in zip(ANIMALS, rows):
        table.add(animal, *means(row))
