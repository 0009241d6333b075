"""What does each variant change, and how long is the longest play under it?"""
from typing import List

from .. import Claim, Mean, RuleSet, Settings, share
from ._materials import Results, Total, count, mean_length, pieces_of, show_longest

SETTINGS = Settings(counts="animals", options="rules pieces", usual=4, most=4, rules="base and variants")
LEAST_PIECES, DECIMALS = 2, 3
# Without --pieces the variants of the source and the rules that others have solved are examined with four pieces, single
# flags of these rules with three.
VARIANTS = {"base": 4, "base,wolf-over-dog": 4, "base,leopard=wide": 4, "base,leopard=none": 3, "base,clearings": 4,
            "base,lakes=plain": 4, "base,lakes=drink": 4, "base,lakes=drink,drinkers=block": 3, "base,jump-block=path": 3,
            "base,elephant-takes-rat": 3, "base,rat-shore=liacs": 3, "base,stalemate=loss": 3, "liacs": 4}


def drawn(total: Total) -> Mean:
    return share(total.results[1], sum(total.results), DECIMALS)


def add_rows(claim: Claim, rules: RuleSet, totals: List[Total], results: Results) -> None:
    for total in totals:
        (wins, draws, losses), longest = total.results, total.longest
        equal = sum(of[1] for (own, other), of in results.items() if own == other and pieces_of((own, other)) == total.pieces)
        claim.tables[0].add(rules.rules, total.pieces, sum(total.results), wins, losses, draws, drawn(total),
                                   share(wins, sum(total.results), DECIMALS),
                                   None if total.pieces % 2 else equal,
                                   Mean(mean_length(total.lengths), DECIMALS), longest, total.longest_of(1 - longest % 2),
                                   total.position(rules, longest))


def examine(claim: Claim) -> None:
    given, limited = claim.options.rules, claim.limited
    chosen = [("base", claim.limit)] + ([(given, claim.limit)] if given else [
        (name, claim.limit if limited else pieces) for name, pieces in list(VARIANTS.items())[1:]])
    claim.table("variants")
    found: List[List[Total]] = []
    shown = 0
    for name, pieces in chosen:
        rules = claim.open(name)
        totals, results = count(rules, pieces)
        add_rows(claim, rules, totals, results)
        if not found or given:
            shown = totals[-1].longest
            show_longest(claim, rules, totals[-1], f"The longest play to an end with {pieces} pieces under {rules.rules}")
        found.append(totals)
    table = claim.table("shares")
    table.cut(claim.limit, claim.limit - 1)
    for (name, _), totals in zip(chosen, found):
        shares = [drawn(total) for total in totals]
        table.add(name[len("base,"):] if name.startswith("base,") else name, *shares,
                  *[None] * (claim.limit - LEAST_PIECES + 1 - len(shares)))
    changing = sum(totals[-1].results[1] != found[0][len(totals) - 1].results[1] for totals in found[1:])
    claim.judge("holds for", "holds-for", claim.limit, changing, len(found) - 1, shown)
