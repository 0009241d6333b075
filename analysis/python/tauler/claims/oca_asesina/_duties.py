"""What duties cost, and what a 6 is best for in the labyrinth: counts of C, their sums, and the dearest cases that games reach as witnesses."""
from typing import Any, Dict, List, Optional

from .. import Bounds, Claim, Mean, Settings, figures, share
from ._leads import prove, score_at
from ._rules import open_on_board

SETTINGS = Settings(counts="board-20", options="board tokens every", usual=2, most=3)
MOVE, JUMP, STAY, LEAVE = range(4)  # what C counts
Row = Dict[str, Any]


class Duty:  # pylint: disable=too-few-public-methods
    """All choices of a kind, of all slices: their number, how often something is surely better, and what that gains."""

    def __init__(self, rows: List[Row], kind: int) -> None:
        rows = [row for row in rows if row["kind"] == kind]
        self.choices, self.better = (sum(row[key] for row in rows) for key in ("choices", "better"))
        self.share = share(self.better, self.choices, 2)
        self.gain = sum(row["gain"] for row in rows) / self.choices if self.choices else 0.0
        self.worst = max((row for row in rows if row["most"] > 0), key=lambda row: float(row["most"]), default=None)
        self.most = self.worst["most"] if self.worst else 0.0

    def figures(self) -> List[Any]:
        return [self.choices, self.better, self.share, Mean(self.gain, 6), Mean(self.most, 6)]


def count(claim: Claim) -> List[Row]:
    """By the base rules, whose tables are built."""
    rules = open_on_board(claim)
    rules.need("--tokens", claim.limit)
    rows: List[Row] = figures("asesina-duties", claim.options, *rules.words(), "--tokens", str(claim.limit))["rows"]
    return rows


def add_kinds(claim: Claim, rows: List[Row], kinds: Dict[int, str]) -> List[Duty]:
    """Slice by slice, and all of them."""
    table = claim.table("homes")
    for row in rows:
        if row["kind"] in kinds:
            table.add(row["slice"], kinds[row["kind"]], *Duty([row], row["kind"]).figures())
    return add_all(claim, rows, kinds)


def add_all(claim: Claim, rows: List[Row], kinds: Dict[int, str]) -> List[Duty]:
    table, duties = claim.table("all"), [Duty(rows, kind) for kind in kinds]
    for said, duty in zip(kinds.values(), duties):
        if duty.choices:
            table.add(said, *duty.figures())
    return duties


def show_worst(claim: Claim, worst: Optional[Row], *said: str) -> None:
    """The moves under the roll, and what comes of the exception; single answers must give the same gain."""
    if not worst or claim.options.every:
        return
    rules = claim.sets[0]
    position, seat = worst["position"], int(worst["position"].partition("seat=")[2][0])
    witness = claim.show(rules, position, "dearest", *said, worst["roll"])
    roll = next(one for one in rules.look(position).rolls if one.name == str(worst["roll"]))
    for move in roll.moves:
        assert move.bounds is not None
        witness.step(f"a {roll.name}", move.name, move.position, f"value {move.bounds.lower:.6f}")
    best = max(move.bounds.lower for move in roll.moves if move.bounds)
    if "after" in worst:
        free = score_at(rules, worst["after"], seat)
        witness.step(f"a {roll.name}", "if it were allowed", worst["after"], f"value {free.lower:.6f}")
        gain = free - Bounds(best, best)
        near = gain.lower - 1e-6 <= worst["most"] <= gain.upper + 1e-6
        witness.recheck("single answers", near, "recheck-single-answers", Mean(free.lower, 6), Mean(best, 6),
                        Mean(worst["most"], 6))
    if len(claim.witnesses) == 1:
        prove(rules, witness, claim.limit)
