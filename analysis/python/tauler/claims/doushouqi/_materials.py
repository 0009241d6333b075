"""Materials of Dou Shou Qi and how they end, which C counts."""
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .. import Claim, RuleSet, figures

ANIMALS = ("rat", "cat", "wolf", "dog", "leopard", "tiger", "lion", "elephant")
LETTERS = "rcwdptle"

Material = Tuple[int, int]  # White's animals and Black's, a bit each
Results = Dict[Material, List[int]]  # wins, draws and losses, White to move
Total = Dict[str, Any]  # of all materials of so many pieces


def material_of(name: str) -> Material:
    """Of "ELcr"."""
    return (sum(1 << LETTERS.index(one.lower()) for one in name if one.isupper()),
            sum(1 << LETTERS.index(one) for one in name if one.islower()))


def name_of(material: Material) -> str:
    white, black = ("".join(letter for i, letter in enumerate(LETTERS) if side >> i & 1)[::-1] for side in material)
    return white.upper() + black


def pieces_of(material: Material) -> int:
    return sum(bin(side).count("1") for side in material)


def count(claim: Claim, rules: RuleSet, pieces: int, kind: str = "animal-counts") -> Tuple[List[Total], Results]:
    """Of all materials of up to so many pieces, whose tables are there."""
    found = figures(kind, claim.options, *rules.words(), "--pieces", str(pieces))
    return found["totals"], {material_of(name): results for name, results in found["materials"].items()}


def mean_length(lengths: List[int]) -> float:
    """Plies in the mean, of positions by plies."""
    return sum(plies * n for plies, n in enumerate(lengths)) / max(sum(lengths), 1)


def score(results: Results, material: Material) -> float:
    """White's mean over all positions, either side to move; a draw counts half."""
    (wins, draws, losses), (other_wins, other_draws, other_losses) = results[material], results[material[::-1]]
    halves = 2 * (wins + other_losses) + draws + other_draws
    return halves / (2 * (wins + draws + losses + other_wins + other_draws + other_losses))


def survey(claim: Claim, rules: RuleSet, pieces: int, kind: str) -> Tuple[List[Tuple[str, Any]], Optional[str]]:
    """Builds all materials of up to so many pieces; of each its pieces as letters, White's in upper case, and the counts of
    every piece; and the first position that is worth showing."""
    rules.need("--pieces", pieces)
    found = figures(kind, claim.options, *rules.words(), "--pieces", str(pieces))["materials"]
    return ([(one["pieces"], np.array(one["counts"], dtype=np.int64).reshape(len(one["pieces"]), -1)) for one in found],
            next((one["found"] for one in found if one["found"]), None))
