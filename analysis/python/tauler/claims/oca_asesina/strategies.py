"""Are there good strategies in la oca asesina that are not obvious? How often it is wrong to bring a token home, to capture, or
to make a pair."""
from typing import Any, Dict, List

from .. import Bounds, Claim, Mean, RuleSet, Settings, figures, share
from ._leads import prove
from ._rules import GAMES, is_near, open_on_board

SETTINGS = Settings(game="oca-asesina", options="board tokens every", usual=2)
SAYINGS = ["brings a token home", "captures", "makes a pair"]
Found = Dict[str, Any]


class Total:  # pylint: disable=too-few-public-methods
    """All choices to make a move of one kind, of all slices."""

    def __init__(self, rows: List[Found]) -> None:
        self.choices, self.wrong = (sum(row[key] for row in rows) for key in ("choices", "wrong"))
        self.share = share(self.wrong, self.choices, 2)
        self.mean_cost = sum(row["mean_cost"] * row["choices"] for row in rows) / self.choices if self.choices else 0.0
        self.worst = max((row["worst"] for row in rows), default=0.0)


def add_tables(claim: Claim, rows: List[Found]) -> List[Total]:
    table = claim.table("moves")
    for row in rows:
        table.add(row["slice"], SAYINGS[row["trait"]], row["choices"], row["wrong"], share(row["wrong"], row["choices"], 2),
                  share(row["right"], row["choices"], 2), Mean(row["mean_cost"], 6), Mean(row["worst"], 6), row["stride"])
    totals = [Total([row for row in rows if row["trait"] == trait]) for trait in range(len(SAYINGS))]
    if rows:
        table = claim.table("all")
        for saying, of in zip(SAYINGS, totals):
            if of.choices:
                table.add(saying, of.choices, of.wrong, of.share, Mean(of.mean_cost, 6), Mean(of.worst, 6))
    return totals


def show_worst(claim: Claim, rules: RuleSet, trait: int, worst: Found) -> None:
    """Where a move of a kind costs most; the best move and that one, each played out."""
    if not worst or claim.options.every:
        return
    witness = claim.show(rules, worst["position"], "witness", SAYINGS[trait], worst["roll"])
    for move in worst["moves"]:
        traits = [saying for kind, saying in enumerate(SAYINGS) if move["traits"] >> kind & 1]
        witness.step(f"a {worst['roll']}", move["move"], move["position"], ", ".join([f"value {move['value']:.6f}", *traits]))
    best, other = worst["moves"][0], worst["moves"][worst["with"]]
    if best["position"] and other["position"]:
        near = all(is_near(mean, error, Bounds(value, value)) for mean, error, value in (
            (*move["played"], move["value"]) for move in (best, other)))
        said = [one for move in (best, other) for one in (move["move"], *(Mean(figure, 4) for figure in move["played"]))]
        witness.recheck("games played out", near, "recheck-games-played-out", GAMES, *said, Mean(best["value"], 4),
                        Mean(other["value"], 4))
    if len(claim.witnesses) == 1:
        prove(rules, witness, claim.limit)


def examine(claim: Claim) -> None:
    rules = open_on_board(claim)
    claim.rules = rules.rules
    rules.need("--tokens", claim.limit)
    found = figures("asesina-choices", claim.options, *rules.words(), "--tokens", str(claim.limit))
    totals = add_tables(claim, found["rows"])
    for trait, worst in enumerate(found["worst"]):
        show_worst(claim, rules, trait, worst)
    if not found["rows"]:
        claim.judge("open", "open", claim.limit, "" if claim.limit == 1 else "s")
        return
    claim.judge("holds for" if totals[0].wrong or totals[1].wrong else "open", "verdict", claim.limit,
                *(of.share for of in totals), *(Mean(one, 4) for of in totals for one in (of.mean_cost, of.worst)))
