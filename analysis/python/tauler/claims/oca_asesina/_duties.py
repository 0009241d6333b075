"""What duties cost, and what a 6 is best for in the labyrinth: counts of C, their sums, and the dearest cases that games reach as witnesses."""
from typing import Any, Dict, List, Optional

from .. import Bounds, Claim, Mean, RuleSet, Settings, figures, share
from ._leads import prove
from ._rules import open_on_board

SETTINGS = Settings(game="oca-asesina", counts="board-20", options="board tokens every", usual=2, most=3)
MOVE, JUMP, STAY, LEAVE = range(4)  # what C counts
Row = Dict[str, Any]


class Duty:  # pylint: disable=too-few-public-methods
    """All choices of a kind, of all slices: their number, how often something is surely better, and what that gains."""

    def __init__(self, rows: List[Row]) -> None:
        self.choices, self.better = (sum(row[key] for row in rows) for key in ("choices", "better"))
        self.share = share(self.better, self.choices, 2)
        self.gain = sum(row["gain"] for row in rows) / self.choices if self.choices else 0.0
        dear: List[Row] = sorted((row for row in rows if row["most"] > 0), key=lambda row: float(-row["most"]))
        self.worst = dear[0] if dear else None
        self.most = self.worst["most"] if self.worst else 0.0


def count(claim: Claim, rules: RuleSet) -> List[Row]:
    """Counted once in a run."""
    key = ("duties", rules.rules, claim.limit)
    if key not in claim.shared:
        claim.shared[key] = figures("asesina-duties", claim.options, *rules.words(), "--tokens", str(claim.limit))["rows"]
    rows: List[Row] = claim.shared[key]
    return rows


def open_counted(claim: Claim) -> RuleSet:
    rules = open_on_board(claim)
    claim.rules = rules.rules
    rules.need("--tokens", claim.limit)
    return rules


def of_kind(rows: List[Row], kind: int) -> Duty:
    return Duty([row for row in rows if row["kind"] == kind])


def add_kinds(claim: Claim, rows: List[Row], kinds: Dict[int, str]) -> None:
    """Slice by slice, and all of them."""
    table = claim.table("homes")
    for row in rows:
        if row["kind"] in kinds:
            one = Duty([row])
            table.add(row["slice"], kinds[row["kind"]], one.choices, one.better, one.share, Mean(one.gain, 6), Mean(one.most, 6))
    table = claim.table("all")
    for kind, said in kinds.items():
        whole = of_kind(rows, kind)
        if whole.choices:
            table.add(said, whole.choices, whole.better, whole.share, Mean(whole.gain, 6), Mean(whole.most, 6))


def _score(rules: RuleSet, position: str, seat: int) -> Bounds:
    found = next(one for one in rules.tables.probe(position).quantities if one.name == f"score-{seat}")
    assert found.lower is not None and found.upper is not None
    return Bounds(found.lower, found.upper)


def show_worst(claim: Claim, rules: RuleSet, worst: Optional[Row], *said: str) -> None:
    """The moves under the roll, and what comes of the exception; single answers must give the same gain."""
    if not worst or claim.options.every:
        return
    position, seat = worst["position"], int(worst["position"].partition("seat=")[2][0])
    witness = claim.show(rules, position, "dearest", *said, worst["roll"])
    roll = next(one for one in rules.look(position).rolls if one.name == str(worst["roll"]))
    for move in roll.moves:
        assert move.bounds is not None
        witness.step(f"a {roll.name}", move.name, move.position, f"value {move.bounds.lower:.6f}")
    best = max(move.bounds.lower for move in roll.moves if move.bounds)
    if "after" in worst:
        free = _score(rules, worst["after"], seat)
        witness.step(f"a {roll.name}", "if it were allowed", worst["after"], f"value {free.lower:.6f}")
        gain = free - Bounds(best, best)
        near = gain.lower - 1e-6 <= worst["most"] <= gain.upper + 1e-6
        witness.recheck("single answers", near, "recheck-single-answers", Mean(free.lower, 6), Mean(best, 6),
                        Mean(worst["most"], 6))
    if len(claim.witnesses) == 1:
        prove(rules, witness, claim.limit)
