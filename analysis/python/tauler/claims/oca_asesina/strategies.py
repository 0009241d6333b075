"""Are there good strategies in la oca asesina that are not obvious? How often it is wrong to bring a token home, to capture, or
to make a pair."""
from typing import Any, Dict, List

from .. import Bounds, Claim, Mean, RuleSet, Settings, figures, share
from ._duties import Duty, add_all
from ._leads import prove
from ._rules import GAMES, is_near, open_on_board

SETTINGS = Settings(options="board tokens every", usual=2)
SAYINGS = ["brings a token home", "captures", "makes a pair"]
Found = Dict[str, Any]


def add_tables(claim: Claim, rows: List[Found]) -> List[Duty]:
    table = claim.table("moves")
    for row in rows:
        table.add(row["slice"], SAYINGS[row["trait"]], row["choices"], row["wrong"], share(row["wrong"], row["choices"], 2),
                  share(row["right"], row["choices"], 2), Mean(row["mean_cost"], 6), Mean(row["worst"], 6), row["stride"])
    return add_all(claim, [{"kind": row["trait"], "choices": row["choices"], "better": row["wrong"], "most": row["worst"],
                            "gain": row["mean_cost"] * row["choices"]} for row in rows], dict(enumerate(SAYINGS)))


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
    rules.need("--tokens", claim.limit)
    found = figures("asesina-choices", claim.options, *rules.words(), "--tokens", str(claim.limit))
    if not found["rows"]:
        claim.table("moves")
        claim.judge("open", "open", claim.limit, "" if claim.limit == 1 else "s")
        return
    totals = add_tables(claim, found["rows"])
    for trait, worst in enumerate(found["worst"]):
        show_worst(claim, rules, trait, worst)
    claim.judge("holds for" if totals[0].better or totals[1].better else "open", "verdict", claim.limit,
                *(of.share for of in totals), *(Mean(one, 4) for of in totals for one in (of.gain, of.most)))
