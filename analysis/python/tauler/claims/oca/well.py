"""Can the well stop the game?"""
import os
from typing import List

import tauler

from .. import Claim, Mean, RuleSet, Settings, figures
from ._rules import HOUSE_RULES, from_start

SETTINGS = Settings(options="players", usual=3, sets=[(None, None)])
LEAST_PLAYERS, MOST_PLAYERS = 2, 4


def look_at_tables(claim: Claim, rules: RuleSet) -> List[int]:
    """The endless positions with two players, three, …. Without a limit, tables of more players are looked at if they are there."""
    table, endless, folder = claim.table("players"), [], os.path.join(rules.options.db, rules.game, rules.rules)
    for players in range(LEAST_PLAYERS, (claim.limit if claim.limited else MOST_PLAYERS) + 1):
        start = "oca:" + ",".join("0" * players) + "/1"
        if players > claim.limit and rules.tables.get_value(start) is None:
            break
        rules.need("--players", players)
        endless.append(max(tauler.read_header(os.path.join(folder, f"{slice_}.{stream}.zst")).endless
                           for slice_, stream in rules.sources if slice_ == str(players) and stream.startswith("lower")))
        table.add(players, len(rules.slice(players)), endless[-1], from_start(rules, players)["turns"])
    rules.need("--players", 1)
    alone = from_start(rules, 1)
    claim.note("note", Mean(1 - alone["win-1"].lower, 8), Mean(alone["turns"].lower, 6))
    return endless


def examine(claim: Claim) -> None:
    rules, stuck = claim.sets[0], 0
    endless = look_at_tables(claim, rules)
    table = claim.table("search")
    for name in HOUSE_RULES:
        found = figures("oca-search", claim.options, "--rules", name)
        table.add(name, found["positions"], found["stuck"], found["steps"])
        stuck += found["stuck"]
    claim.show(rules, "oca:31,0/2", "witness").recheck("backward search", stuck == 0, "recheck-backward-search")
    if any(endless) or stuck:
        claim.judge("fails", "fails")
    else:
        claim.judge("holds", "holds", ["two players", "two or three players", "two to four players"][len(endless) - 1])
