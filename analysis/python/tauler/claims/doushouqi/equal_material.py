"""Can a game be drawn in which both sides have the same animals?"""
from typing import Dict, List, Tuple

import numpy as np

from .. import Claim, RuleSet, Settings, share
from .._proof import prove_draw
from .._solve import hold_against_plies
from ._materials import ANIMALS, Results, count_material, material_of, name_of, pieces_of

SETTINGS = Settings(counts="animals", options="pieces", usual=4, most=4, sets=[("liacs", None), ("base", None)])
LEAST_PIECES, MOST_PIECES, DECIMALS = 2, 4, 3

Summary = Dict[Tuple[str, int], List[int]]  # materials, those with draws, positions, draws; by rules and pieces


def equal_names(pieces: int) -> List[str]:
    return [name_of((side, side)) for side in range(1, 1 << len(ANIMALS)) if pieces_of((side, side)) == pieces]


def read(rules: RuleSet, pieces: int) -> Results:
    """Of the most pieces only materials in which both sides have the same animals are built."""
    if pieces > LEAST_PIECES:
        for name in equal_names(pieces):
            rules.need("--material", name)
    rules.need("--pieces", max(LEAST_PIECES, pieces - 1))
    return {material_of(name): count_material(rules, name) for n in range(LEAST_PIECES, pieces + 1, 2) for name in equal_names(n)}


def add_tables(claim: Claim, pieces: int, liacs: Results, base: Results) -> Summary:
    summary: Summary = {(name, n): [0] * 4 for name in ("liacs", "base") for n in range(LEAST_PIECES, pieces + 1, 2)}
    table = claim.table("materials")
    for material in base:
        n, of = pieces_of(material), (liacs[material], base[material])
        for name, results in zip(("liacs", "base"), of):
            parts = [1, int(results[1] > 0), sum(results), results[1]]
            summary[name, n] = [a + b for a, b in zip(summary[name, n], parts)]
        table.add(name_of(material), n, sum(of[0]), *of[0], *of[1],
                  *(share(results[1], sum(results), DECIMALS) for results in of))
    table = claim.table("summary")
    for (name, n), found in summary.items():
        table.add(name, n, *found, share(found[3], found[2], DECIMALS))
    return summary


def show_draw(claim: Claim, base: Results) -> None:
    """Shows a draw of the first material of two pieces that has one, proven by the moves, and the material solved once more."""
    drawn = [name_of((1 << animal,) * 2) for animal in range(len(ANIMALS)) if base[1 << animal, 1 << animal][1]]
    if not drawn:
        return
    asked = RuleSet(claim.db, claim.options, "doushouqi", "base", None)
    asked.need("--material", drawn[0])
    solved = asked.slice(min(source.slice for source in asked.sources.values()))
    values, _, wrong = hold_against_plies(solved)
    draws = np.flatnonzero(values == 0)
    proof = prove_draw(solved, int(draws[0]))
    witness = claim.show(claim.sets[1], str(solved.position(int(draws[0]))), "witness")
    witness.recheck("proof", proof.done and proof.wrong is None, "recheck-proof", *proof.looked_at)
    witness.recheck("plain iteration", wrong == 0, "recheck-plain-iteration", len(draws), wrong)


def examine(claim: Claim) -> None:
    pieces = claim.limit - claim.limit % 2
    liacs, base = (read(rules, pieces) for rules in claim.sets)
    summary = add_tables(claim, pieces, liacs, base)
    show_draw(claim, base)
    more = ""
    if pieces == MOST_PIECES:
        (materials, drawn, *_), (_, base_drawn, *_) = (summary[name, pieces] for name in ("liacs", "base"))
        more = (f" With two animals each there are drawn positions in {drawn} of {materials} materials under liacs, in "
                f"{base_drawn} by the base rules.")
    draws, of = summary["liacs", LEAST_PIECES][3], summary["base", LEAST_PIECES]
    if draws:
        claim.judge("fails", "fails-2", draws)
    else:
        claim.judge("holds for", "holds-for", of[3], of[1], of[0], more)
