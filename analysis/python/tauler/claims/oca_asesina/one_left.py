"""Does home=one-left, a win with one token left, repair la oca asesina?"""
from typing import Dict

from .. import Claim, Mean, Settings
from ._leads import Lead, figures_of, measure, prove, score, show_lead
from ._rules import BOARD_12, open_on_board

SETTINGS = Settings(options="board tokens", usual=3, rules="base, last-token=immune and home=one-left")
BASE, IMMUNE, ONE_LEFT = "base", "last-token=immune", "home=one-left"


def examine(claim: Claim) -> None:
    if claim.limit < 2:
        claim.judge("open", "open-2")
        return
    table, fewer = claim.table("leads"), None
    found: Dict[str, Lead] = {}
    for variant in (BASE, IMMUNE, ONE_LEFT):
        rules = open_on_board(claim, variant, BOARD_12)
        for tokens in range(claim.limit - (variant == BASE), claim.limit + 1):
            rules.need("--tokens", tokens)
            needed = tokens - (variant == ONE_LEFT)
            lead = measure(rules, tokens) if needed > 1 else None
            table.add(rules.rules, tokens, needed, score(rules, tokens, 0, 0), *figures_of(lead))
            if lead and tokens == claim.limit:
                found[variant] = lead
            elif lead:
                fewer = lead
    prove(rules, show_lead(claim, rules, claim.limit > 2, "The start."), claim.limit)
    if ONE_LEFT not in found:
        return
    base, immune, left = (found[rule].mean_worth for rule in (BASE, IMMUNE, ONE_LEFT))
    doubles = left.lower > 2 * base.upper
    claim.judge("holds for" if doubles else "open", "verdict", claim.limit, Mean(left.lower, 4), Mean(base.lower, 4),
                Mean(fewer.mean_worth.lower if fewer else 0.0, 4), Mean(immune.lower, 4),
                "more than doubles what a lead is worth" if doubles else
                "makes a lead worth more, but not twice as much" if left.lower > base.upper else
                "does not make a lead worth more")
