"""How much of abapa is decided whatever a cycle is worth."""
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

import numpy as np

from .. import Claim, Mean, RuleSet, Settings, share
from .._solve import hold_against_rules
from ._boards import list_seeds

SETTINGS = Settings(game="auale", options="seeds", usual=16, rules="abapa", sets=[("abapa", "forced"), ("abapa", "own-row")],
                    loaded=True)
DECIMALS, SLOW_SEEDS, FORCED, OWN_ROW = 2, 7, 0, 1


@dataclass
class Decided:
    """Boards with one value, and with one winner."""

    boards: int = 0
    value: int = 0
    winner: int = 0

    def shares(self) -> Tuple[Mean, Mean]:
        return share(self.value, self.boards, DECIMALS), share(self.winner, self.boards, DECIMALS)


def count(rules: RuleSet, n: int) -> Decided:
    lower, upper = rules.bounds(n)
    exact = lower == upper
    return Decided(len(lower), int(exact.sum()), int((exact | (lower > 0) | (upper < 0)).sum()))


def add_layers(claim: Claim) -> Tuple[Dict[int, List[Decided]], int, Optional[Tuple[int, int]]]:
    """What is decided by seeds, by either rule; how many own-row bounds do not lie within those that are forced; the first
    board that is left open."""
    table, found, wrong, first = claim.table("layers"), {}, 0, None
    for n in range(1, claim.limit + 1):
        found[n] = [count(rules, n) for rules in claim.sets]
        (least, most), (lower, upper) = (rules.bounds(n) for rules in claim.sets)
        wrong += int(((lower < least) | (upper > most) | (lower > upper)).sum())
        is_open = np.flatnonzero(least < most)
        first = first or ((n, int(is_open[0])) if len(is_open) else None)
        table.add(n, len(lower), *(figure for of in found[n] for figure in (of.value, of.shares()[0], of.winner, of.shares()[1])))
    return found, wrong, first


def show_first(claim: Claim, n: int, index: int) -> None:
    forced, largest = claim.sets[FORCED], min(claim.limit, SLOW_SEEDS)
    bounds = (int(bound[index]) for bound in forced.bounds(n))
    witness = claim.show(forced, str(forced.slice(n).position(index)), "witness", n, *bounds)
    boards, wrong, _ = hold_against_rules(forced, largest, by_values=False)
    witness.recheck("plain iteration", wrong == 0, "recheck-plain-iteration", boards, largest, wrong)


def odd_peaks(found: Dict[int, List[Decided]], rules: int) -> str:
    """The odd numbers of seeds at which the winner is known more often than at both neighbours."""
    known = {n: of[rules].winner / of[rules].boards for n, of in found.items()}
    return list_seeds(n for n in range(3, len(found), 2) if known[n] > max(known[n - 1], known[n + 1]))


def examine(claim: Claim) -> None:
    found, wrong, first = add_layers(claim)
    if first:
        show_first(claim, *first)
    claim.note("note", odd_peaks(found, FORCED), odd_peaks(found, OWN_ROW))
    if wrong or not claim.report.is_sound():
        claim.judge("fails", "fails", wrong)
        return
    totals = [Decided(*(sum(getattr(of[rules], key) for of in found.values()) for key in ("boards", "value", "winner")))
              for rules in (FORCED, OWN_ROW)]
    known = {n: of[FORCED].value / of[FORCED].boards for n, of in found.items()}
    falls = list_seeds(n for n in range(3, claim.limit + 1) if known[n] < known[n - 2])
    claim.judge("open", "open", totals[0].boards, claim.limit, *(figure for of in totals for figure in of.shares()), claim.limit,
                *(figure for of in found[claim.limit] for figure in of.shares()), falls)
