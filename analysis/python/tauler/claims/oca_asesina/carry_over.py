"""Does what is learnt on one board of la oca asesina help on another?"""
from typing import Any, Dict, List, Tuple

from .. import Bounds, Claim, Mean, RuleSet, Settings, figures
from ._rules import GAMES, RANDOM, SIMPLE, both_seats, duel, is_near, show_start, simulate

SETTINGS = Settings(options="tokens", usual=2, rules="base on several boards")
CAPTURE_FIRST, FULL_TOKENS = "capture-first", 4
# Squares of every kind elsewhere, and as many turns to lose.
BOARDS = {"20": "base,board=20",
          "early": "base,board=length-20_geese-5-9-14-16-20_bridges-6-11_dice-3-12_inn-13-1_prison-4-3_well-7-2_"
                   "labyrinth-10-to-2_death-8-to-0",
          "late": "base,board=length-20_geese-3-7-11-15-20_bridges-2-9_dice-5-13_inn-8-1_prison-17-3_well-14-2_"
                  "labyrinth-18-to-12_death-19-to-0"}
NAMES = list(BOARDS)
Pupils = List[Dict[str, Any]]  # "solved" and "played": in seat 1, then in seat 2
Order = List[Dict[str, float]]  # of each ground, what simple ways to choose score against random


def play_on(claim: Claim, rules: List[RuleSet], boards: List[Pupils]) -> Tuple[List[List[Bounds]], List[Bounds]]:
    """On each board against best play: what was learnt on each (on itself: on all others), and a rule of thumb."""
    table, carried, simple = claim.table("carried"), [], []
    for played, board in enumerate(boards):
        names = [*NAMES[:played], "both others", *NAMES[played + 1:], CAPTURE_FIRST]
        every = [[Bounds(*pupil["solved"][0]), Bounds(1, 1) - Bounds(*pupil["solved"][1])] for pupil in board]
        every.append(duel(claim, rules[played], claim.limit, CAPTURE_FIRST, "best").seats)
        means = [first.mean(second) for first, second in every]
        for name, seats, mean in zip(names, every, means):
            table.add(NAMES[played], name, *seats, mean, Bounds(0.5, 0.5) - mean)
        simple.append(means.pop())
        carried.append(means)
    return carried, simple


def look_at_order(claim: Claim, rules: List[RuleSet]) -> Tuple[Order, float]:
    """Where simple ways are held against each other, and the largest standard error."""
    table, whole, order, errors = claim.table("order"), claim.open("base"), [], []
    grounds = [(name, of, 2) for name, of in zip(NAMES, rules)] + [("63", whole, 2), ("63", whole, FULL_TOKENS)]
    for name, of, tokens in grounds:
        found = {one: simulate(of, tokens, one, RANDOM) for one in SIMPLE}
        order.append({one: mean for one, (mean, _) in found.items()})
        errors.append(max(error for _, error in found.values()))
        table.add(name, tokens, *(Mean(mean, 4) for mean in order[-1].values()), Mean(errors[-1], 4))
    return order, max(errors)


def same_winner(order: Order, deviation: float) -> bool:
    """One way scores most on every ground, and is surely ahead of the next."""
    ranked = [sorted(of, key=lambda one: -of[one]) for of in order]
    return len({of[0] for of in ranked}) == 1 and all(of[first] - of[second] >= 4 * deviation
                                                      for of, (first, second, *_) in zip(order, ranked))


def examine(claim: Claim) -> None:
    if claim.limit == 1:
        return
    table, rules = claim.table("boards"), [claim.open(board) for board in BOARDS.values()]
    for of, (name, board) in zip(rules, BOARDS.items()):
        of.need("--tokens", claim.limit)
        table.add(name, board)
    boards: List[Pupils] = figures("asesina-carried", claim.options, *BOARDS.values(), "--tokens", str(claim.limit))["boards"]
    carried, simple = play_on(claim, rules, boards)
    same = None if claim.limited else same_winner(*look_at_order(claim, rules))
    mean, error = both_seats(boards[0][1]["played"])
    show_start(claim, rules[0], "witness").recheck("games played out", is_near(mean, error, carried[0][1]), "recheck-games-played-out",
                                        NAMES[1], GAMES, Mean(mean, 4), Mean(error, 4), Mean(carried[0][1].lower, 4))
    every = [one for of in carried for one in of]
    helps = all(one.lower > thumb.upper for of, thumb in zip(carried, simple) for one in of)
    more = all(of[played].lower >= one.lower for played, of in enumerate(carried) for one in of)
    claim.judge("holds for" if helps else "open", "verdict", claim.limit, Mean(max(0.0, min(0.5 - one.upper for one in every)), 4),
                Mean(max(0.0, *(0.5 - one.lower for one in every)), 4),
                "loses more" if helps else "does not surely lose more", "at least" if more else "not always",
                "The order of simple ways was not looked at" if same is None else
                "The same simple way to choose is the best one on all boards, also on 63 squares" if same else
                "Which simple way to choose is the best one is not the same, or not sure, on all boards")
