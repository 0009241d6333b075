"""How far the first player is ahead, how long a game is, and what house rules change."""
from fractions import Fraction
from typing import Dict

from .. import Bounds, Claim, Settings
from ._rules import HOUSE_RULES, from_start

SETTINGS = Settings(options="players", usual=4, sets=[(None, None)])
LEAST_PLAYERS, MOST_PLAYERS, DECIMALS = 2, 4, 24
WIDE = 1e-6  # bounds with four players take minutes


def is_ordered(values: Dict[str, Bounds], players: int) -> bool:
    """Whether every seat is ahead of those after it."""
    return all(values[f"win-{seat}"].lower > values[f"win-{seat + 1}"].upper for seat in range(1, players))


def decimals_of(exact: Fraction) -> str:
    """"0.511066874585…", cut off."""
    digits = f"{exact.numerator * 10**DECIMALS // exact.denominator:0{DECIMALS + 1}}"
    return f"{digits[:-DECIMALS]}.{digits[-DECIMALS:]}…"


def examine(claim: Claim) -> None:
    rules, table, ordered, players = claim.sets[0], claim.table("players"), True, LEAST_PLAYERS
    for players in range(LEAST_PLAYERS, claim.limit + 1):
        rules.width = WIDE if players == MOST_PLAYERS else None
        rules.need("--players", players)
        values = from_start(rules, players)
        table.add(players, *(values.get(f"win-{seat}") for seat in range(1, MOST_PLAYERS + 1)), values["turns"], values["rolls"])
        ordered = ordered and is_ordered(values, players)
    table.cut(len(table.columns), players)
    base = from_start(rules, LEAST_PLAYERS)
    exact = rules.exact("--players", str(LEAST_PLAYERS))
    within = all(base[name].lower <= one <= base[name].upper for name, one in exact.items())
    claim.show(rules, "oca:0,0/1", "witness").recheck(
        "exact rationals", within, "recheck-exact-rationals", decimals_of(exact["win-1"]), exact["win-1"].denominator.bit_length(),
        decimals_of(exact["turns"]), decimals_of(exact["rolls"]), "lie" if within else "do NOT lie")
    table = claim.table("house_rules")
    for name, meaning in HOUSE_RULES.items():
        house = claim.open(name)
        house.need("--players", LEAST_PLAYERS)
        values = from_start(house, LEAST_PLAYERS)
        table.add(name, meaning, values["win-1"], values["turns"],
                  None if name == "base" else values["turns"] - base["turns"], values["rolls"])
        ordered = ordered and is_ordered(values, LEAST_PLAYERS)
    if not ordered:
        claim.judge("fails", "fails-2")
    else:
        claim.judge("holds" if players == MOST_PLAYERS else "holds for", "verdict",
                    ["two players", "two and three players", "two, three and four players"][players - LEAST_PLAYERS],
                    "" if players == MOST_PLAYERS else " More players were not looked at.")
