"""How much of la oca asesina is skill? Best play against simple ways to choose."""
from typing import Dict

from .. import Bounds, Claim, Mean, RuleSet, Settings
from ._rules import GAMES, RANDOM, SIMPLE, duel, is_near, open_on_board, show_start, simulate

SETTINGS = Settings(options="board tokens", usual=2)
FULL_TOKENS = 4


def play_best(claim: Claim, rules: RuleSet) -> Dict[str, Bounds]:
    """What best play scores against each with most tokens."""
    table, best = claim.table("duels"), {}
    for tokens in range(1, claim.limit + 1):
        rules.need("--tokens", tokens)
        for other in (RANDOM, *SIMPLE):
            found = duel(claim, rules, tokens, "best", other)
            table.add(tokens, other, *found.seats, found.mean, found.turns)
            best[other] = found.mean
    return best


def examine(claim: Claim) -> None:
    rules = open_on_board(claim)
    best = play_best(claim, rules)
    if claim.limit > 1:
        table = claim.table("simple")
        for one in SIMPLE:
            found = duel(claim, rules, claim.limit, one, RANDOM)
            table.add(one, *found.seats, found.mean, found.turns)
        table = claim.table("best")
        for other, scored in best.items():
            table.add(other, scored)
    if not claim.limited and not claim.options.board:
        table, whole = claim.table("whole_game"), claim.open("base")
        for one in SIMPLE:
            mean, error = simulate(whole, FULL_TOKENS, one, RANDOM)
            table.add(one, Mean(mean, 4), Mean(error, 4), GAMES)
    mean, error = simulate(rules, claim.limit, "best", RANDOM)  # the first of the duels, by the rules
    show_start(claim, rules).recheck("games played out", is_near(mean, error, best[RANDOM]), "recheck-games-played-out", GAMES,
                                     Mean(mean, 4), Mean(error, 4), Mean(best[RANDOM].lower, 4))
    if claim.limit == 1:
        return
    strongest = min(best, key=lambda other: best[other].upper)
    claim.judge("holds for" if best[RANDOM].lower > 0.5 else "open", "verdict", claim.limit, Mean(best[RANDOM].lower, 4),
                Mean(best[strongest].lower, 4), strongest)
