"""With how many seeds infinite play decides anything in awari."""
from typing import Dict, NamedTuple, Optional, Tuple

import numpy as np

from .. import Claim, Settings, share
from .._solve import finite_play, hold_against_rules, leaving, nearest_to_zero
from ._boards import list_seeds

SETTINGS = Settings(options="seeds", usual=16, sets=[("awari", "even")], loaded=True)
SLOW_SEEDS = 8
DECIMALS = 3


class Layer(NamedTuple):
    """Open boards of so many seeds, values that do not follow from the bounds, and index and bounds of the first open board that
    is worth 0."""

    open: int
    wrong: int
    first: Optional[Tuple[int, int, int]]


def count_layer(claim: Claim, n: int) -> Layer:
    awari = claim.sets[0]
    boards, value = awari.slice(n), awari.values(n)
    lower, upper = finite_play(boards, max(n, 1), awari.bounds, threads=claim.threads)
    is_open, zero = lower < upper, value == 0
    others = leaving(boards.moves(outside=True), awari.bounds, (lower, upper)) if is_open.any() else (lower[:0], upper[:0])
    first, opened, forced = np.flatnonzero(is_open & zero)[:1], int(is_open.sum()), int((zero & ~is_open).sum())
    if n:
        claim.tables[0].add(n, len(boards), zero.sum(), forced, zero.sum() - forced, (is_open & ~zero).sum(), opened,
                                   share(opened, len(boards), DECIMALS), (others[0] < others[1]).sum())
    return Layer(opened, int(((nearest_to_zero(lower, upper) != value) | (lower > upper)).sum()),
                 (int(first[0]), int(lower[first[0]]), int(upper[first[0]])) if len(first) else None)


def show_first(claim: Claim, layers: Dict[int, Layer]) -> None:
    awari, largest = claim.sets[0], min(claim.limit, SLOW_SEEDS)
    n, first = next((n, layer.first) for n, layer in layers.items() if layer.first)
    index, lower, upper = first
    witness = claim.show(awari, awari.position(n, index), "witness", n, lower, upper)
    positions, wrong, slow = hold_against_rules(awari, largest, by_values=True)
    wrong += sum(int((lower < upper).sum()) != layers[k].open for k, (lower, upper) in slow.items())
    holds = wrong == 0 and (n not in slow or (slow[n][0][index], slow[n][1][index]) == (lower, upper))
    witness.recheck("plain iteration", holds, "recheck-plain-iteration", positions, largest, wrong)


def examine(claim: Claim) -> None:
    claim.table("layers")
    layers = {n: count_layer(claim, n) for n in range(claim.limit + 1)}
    if any(layer.first for layer in layers.values()):
        show_first(claim, layers)
    claim.note("note")
    wrong, decided = sum(layer.wrong for layer in layers.values()), [n for n, layer in layers.items() if n and layer.open]
    if wrong or not claim.is_sound():
        claim.judge("fails", "fails", wrong)
    elif not decided:
        claim.judge("open", "open", claim.limit)
    elif decided[-1] < claim.limit:
        claim.judge("holds for", "holds-for", claim.limit, list_seeds(decided), decided[-1] + 1, claim.limit)
    else:
        claim.judge("holds for", "holds-for-2", claim.limit, list_seeds(decided))
