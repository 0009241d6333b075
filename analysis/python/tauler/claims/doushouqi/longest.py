"""How long do the longest wins take?"""
from typing import List

from .. import Claim, Mean, RuleSet, Settings, Witness
from .._solve import hold_against_plies
from ._materials import Total, count, mean_length, show_longest

SETTINGS = Settings(counts="animals", options="rules pieces", usual=4, rules="liacs and base")
# Published lengths under the rules liacs, by pieces; odd: the longest win, even: the longest loss.
PUBLISHED = {2: 34, 3: 67, 4: 117}
COLUMNS = (2, 3, 4, 5)  # pieces
DECIMALS = 3


def add_lengths(claim: Claim, rules: RuleSet, totals: List[Total], key: str) -> None:
    table = claim.table(key)
    table.title = f"Under {rules.rules}, positions by plies to the end (odd: White, to move, wins; 0: it has lost, having no move):"
    table.plots[0].title = f"Positions by the plies to their end, {rules.rules}"
    lengths = {total.pieces: total.lengths for total in totals}
    shortest = 0 if any(of[0] for of in lengths.values()) else 1
    for plies in range(shortest, max(map(len, lengths.values()))):
        table.add(plies, *((lengths[n][plies] if n in lengths and plies < len(lengths[n]) else 0) or None for n in COLUMNS))


def recheck_two(rules: RuleSet, witness: Witness, longest: int) -> None:
    """Two pieces: a capture ends the game, so that no move leaves a slice."""
    positions = wrong = most = 0
    for name in sorted({source.slice for source in rules.sources.values() if len(source.slice) == 2}):
        slice_ = rules.slice(name)
        _, plies, differing = hold_against_plies(slice_)
        positions, wrong, most = positions + len(slice_), wrong + differing, max(most, int(plies.max()))
    witness.recheck("plain iteration", wrong == 0 and most == longest, "recheck-plain-iteration", positions, wrong, most)


def examine(claim: Claim) -> None:
    found = []
    for name in [claim.options.rules] if claim.options.rules else ["liacs", "base"]:
        rules = claim.open(name)
        found.append((rules, count(rules, claim.limit)[0]))
    table = claim.table("longest")
    for rules, totals in found:
        for total in totals:
            sides = [figure for plies in map(total.longest_of, (1, 0)) for figure in (plies, total.position(rules, plies))]
            table.add(rules.rules, total.pieces, total.longest, *sides, Mean(mean_length(total.lengths), DECIMALS))
    for (rules, totals), key in zip(found, ("lengths_first", "lengths_second")):
        add_lengths(claim, rules, totals, key)
    for rules, total in [(rules, total) for rules, totals in found for total in totals]:
        witness = show_longest(claim, rules, total, f"{total.longest} plies with {total.pieces} pieces under {rules.rules}")
        if total.pieces == 2:
            recheck_two(rules, witness, total.longest)
    compared, totals = claim.options.rules is None, found[0][1]
    as_published = all(total.longest_of(PUBLISHED[total.pieces] % 2) == PUBLISHED[total.pieces]
                       for total in totals if total.pieces in PUBLISHED)
    if compared and not as_published:
        claim.judge("fails", "fails-2")
        return
    rest = "" if not compared else (" The published lengths up to so many pieces are those that were found. Under base these are "
                                    f"{found[1][1][-1].longest_of(1)} and {found[1][1][-1].longest_of(0)}.")
    claim.judge("holds for", "holds-for", claim.limit, totals[-1].longest_of(1), " under liacs" if compared else "",
                totals[-1].longest_of(0), rest)
