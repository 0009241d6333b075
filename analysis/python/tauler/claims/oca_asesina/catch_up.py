"""Is the catch-up of la oca asesina too strong, where does it come from, and what repairs it? On the board of 20 squares."""
from typing import Dict, List, Tuple

from .. import Claim, Mean, RuleSet, Settings, share
from ._leads import OFF_MOVE, ON_MOVE, Lead, figures_of, measure, position, prove, score, show_lead
from ._rules import length_of, open_on_board

SETTINGS = Settings(options="board tokens every", usual=2, rules="base and variants")
BASE, NO_INTERACTION, IMMUNE, ONE_LEFT = "base", "interaction=off", "last-token=immune", "home=one-left"
PARTS = ["last-token=no-death", "last-token=no-lost-turns", "last-token=no-overshoot", "last-token=no-bounce"]
VARIANTS = [BASE, NO_INTERACTION, IMMUNE, ONE_LEFT, *PARTS]
MOST_TOKENS, WIDE = 3, 1e-5  # bounds with three tokens each take minutes
Leads = Dict[Tuple[str, int], Lead]  # by rules and tokens


def look_at_rules(claim: Claim, variant: str, found: Leads) -> None:
    """Without a limit also three tokens, under the base rules, or where these tables are there."""
    rules = open_on_board(claim, variant)
    built = claim.limit + (variant == BASE and not claim.limited and not claim.options.board)
    for tokens in range(1 + (variant == ONE_LEFT), (claim.limit if claim.limited else MOST_TOKENS) + 1):
        rules.width = WIDE if tokens > 2 and not claim.options.board else None
        if tokens > built and rules.tables.get_value(position(rules, tokens, 0, 0, 1)) is None:
            break
        rules.need("--tokens", tokens)
        lead = measure(rules, tokens) if tokens > 1 + (variant == ONE_LEFT) else None  # one more would end the game
        if lead:
            found[variant, tokens] = lead
        claim.tables[0].add(rules.rules, tokens, score(rules, tokens, 0, 0), *figures_of(lead),
                                   score(rules, tokens, tokens - 1, tokens - 1) if lead and variant != ONE_LEFT else None)


def look_at_choices(claim: Claim, rules: RuleSet) -> Mean:
    """The share of decisions that are real choices."""
    table, every = claim.table("choices"), ["--every"] * claim.options.every
    slices = rules.ask("stats", "--tokens", str(claim.limit), "--policies", *every)
    for one in slices:
        if one["decisions"]:
            table.add(one["slice"], one["positions"], one["decisions"], one["real"],
                      share(one["real"], one["decisions"], 2), one["stride"])
    if slices[-1]["policies"]:  # the last slice, from the start, has all tokens under way
        table = claim.table("policies")
        for one in slices[-1]["policies"]:
            table.add(one["policy"], Mean(one["largest_regret"], 6), str(one["roll"]), one["position"])
    return share(sum(one["real"] for one in slices), sum(one["decisions"] for one in slices), 1)


def show(claim: Claim, rules: RuleSet) -> None:
    witness = show_lead(claim, rules, claim.limit > 1, "start")
    exact, bounds = rules.exact("--tokens", "1")["score-1"], score(rules, 1, 0, 0)
    within = bounds.lower <= exact <= bounds.upper
    witness.recheck("exact rationals", within, "recheck-exact-rationals", Mean(float(exact), 12),
                    "lies" if within else "does NOT lie")
    prove(rules, witness, claim.limit)


def examine(claim: Claim) -> None:
    found: Leads = {}
    claim.table("leads")
    for variant in VARIANTS:
        if variant != ONE_LEFT or claim.limit > 1:
            look_at_rules(claim, variant, found)
    rules = claim.sets[0]
    if claim.limit == 1:
        show(claim, rules)
        return
    table = claim.table("worths")
    for variant in VARIANTS:
        if (variant, claim.limit) in found:
            table.add(variant, *found[variant, claim.limit].worth)
    real = look_at_choices(claim, rules)
    show(claim, rules)
    n, more = claim.limit, claim.limit + 1
    worth = {key: lead.mean_worth for key, lead in found.items()}
    counts: List[int] = [n, more] if (BASE, more) in worth and (IMMUNE, more) in worth else [n]
    weak = all(2 * worth[BASE, tokens].upper < worth[IMMUNE, tokens].lower for tokens in counts)
    by_captures = worth[NO_INTERACTION, n].lower > 2 * worth[BASE, n].upper
    part = max(PARTS, key=lambda one: worth[one, n].lower)
    further = f" With {more} tokens each the lead is worth {worth[BASE, more].lower:.4f}" if (BASE, more) in worth else ""
    further += f", with immunity {worth[IMMUNE, more].lower:.4f}" if more in counts else ""
    leads = found[BASE, n].leads
    claim.judge("holds for" if weak else "open", "verdict", length_of(rules), n, Mean(leads[ON_MOVE].lower, 4),
                Mean(leads[OFF_MOVE].lower, 4), Mean(worth[BASE, n].lower, 4), "the main" if by_captures else "not the main",
                Mean(worth[NO_INTERACTION, n].lower, 4), Mean(worth[IMMUNE, n].lower, 4), part, Mean(worth[part, n].lower, 4),
                real, further + "." * bool(further))
