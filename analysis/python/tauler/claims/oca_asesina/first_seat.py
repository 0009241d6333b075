"""What is it worth in la oca asesina to begin, with the right of a last turn and without it?"""
from typing import List, NamedTuple

from .. import Bounds, Claim, Mean, RuleSet, Settings
from ._leads import prove, score
from ._rules import BOARD_20, length_of, open_on_board, show_start

SETTINGS = Settings(options="board tokens", usual=2, most=3, rules="base and last-turn=off")
WITHOUT = "last-turn=off"
MOST_63 = 1  # tokens on the board of 63 squares; two have 34 million positions


class Start(NamedTuple):
    """The score of seat 1 from the start, with the last turn of seat 2 and without it."""

    length: int
    tokens: int
    with_it: Bounds
    without: Bounds


def look(claim: Claim, board: str, tokens: int) -> Start:
    scores: List[Bounds] = []
    rules: RuleSet
    for variant in ("base", WITHOUT):
        rules = open_on_board(claim, variant, board)
        rules.need("--tokens", tokens)
        scores.append(score(rules, tokens, 0, 0))
    return Start(length_of(rules), tokens, *scores)


def examine(claim: Claim) -> None:
    starts = [look(claim, BOARD_20, tokens) for tokens in range(1, claim.limit + 1)]
    if not claim.options.board:
        starts += [look(claim, "board=63", tokens) for tokens in range(1, min(claim.limit, MOST_63) + 1)]
    table = claim.table("starts")
    for one in starts:
        table.add(f"{one.length}: {one.tokens}", one.with_it, one.without, one.without - one.with_it)
    # With one token each nobody chooses, so that both scores are fractions.
    rules, exact = claim.sets[0], [one.exact("--tokens", "1")["score-1"] for one in claim.sets[:2]]
    bounds = (starts[0].with_it, starts[0].without)
    within = all(of.lower <= one <= of.upper for of, one in zip(bounds, exact))
    witness = show_start(claim, rules)
    witness.recheck("exact rationals", within, "recheck-exact-rationals", *(Mean(float(one), 12) for one in exact),
                    "lie" if within else "do NOT lie")
    prove(rules, witness, claim.limit)
    of = starts[claim.limit - 1]
    better = all(one.without.lower > 0.5 and one.without.lower > one.with_it.upper for one in starts)
    claim.judge("holds for" if better else "open", "verdict", of.length, of.tokens, "" if of.tokens == 1 else "s",
                Mean(of.without.lower, 4), Mean(of.with_it.lower, 4),
                "less" if of.with_it.upper < 0.5 else "more" if of.with_it.lower > 0.5 else "hardly other",
                Mean((of.without - of.with_it).lower, 4))
