"""What a lead of one token is worth: scores of positions in which some tokens are home and all others at the start."""
from dataclasses import dataclass
from typing import List, Optional

from .. import Bounds, Claim, RuleSet, Witness
from ._rules import length_of

ON_MOVE, OFF_MOVE = 0, 1


@dataclass(frozen=True)
class Lead:
    """The score of one token's lead in the mean of both seats, and the difference to the score with no token home; by turn."""

    leads: List[Bounds]
    worth: List[Bounds]

    @property
    def mean_worth(self) -> Bounds:
        return self.worth[0].mean(self.worth[1])


def position(rules: RuleSet, tokens: int, first: int, second: int, seat: int) -> str:
    """"0,20/0,0 lost=0,0 seat=1": so many tokens of both seats are home, all others at the start."""
    sides = (",".join(["0"] * (tokens - home) + [str(length_of(rules))] * home) for home in (first, second))
    return f"{'/'.join(sides)} lost=0,0 seat={seat}"


def score(rules: RuleSet, tokens: int, first: int, second: int, seat: int = 1) -> Bounds:
    """The score of seat 1 with a seat to move."""
    return score_at(rules, position(rules, tokens, first, second, seat), 1)


def score_at(rules: RuleSet, at: str, seat: int) -> Bounds:
    found = next(one for one in rules.tables.probe(at).quantities if one.name == f"score-{seat}")
    assert found.lower is not None and found.upper is not None
    return Bounds(found.lower, found.upper)


def _in_either_seat(rules: RuleSet, tokens: int, home: int, turn: int) -> Bounds:
    """The score of a side with so many tokens home against one with none, in the mean of both seats, which are not alike."""
    return score(rules, tokens, home, 0, 1 + turn).mean(Bounds(1, 1) - score(rules, tokens, 0, home, 2 - turn))


def measure(rules: RuleSet, tokens: int) -> Lead:
    leads = [_in_either_seat(rules, tokens, 1, turn) for turn in (ON_MOVE, OFF_MOVE)]
    return Lead(leads, [lead - _in_either_seat(rules, tokens, 0, turn) for turn, lead in enumerate(leads)])


def figures_of(lead: Optional[Lead]) -> List[Optional[Bounds]]:
    return [*lead.leads, *lead.worth] if lead else [None] * 4


def show_lead(claim: Claim, rules: RuleSet, leads: bool, start: str) -> Witness:
    """Seat 1 with a token home, or else the start."""
    return claim.show(rules, position(rules, claim.limit, int(leads), 0, 1),
                      "Seat 1 leads by one token, and is to roll." if leads else start)


def prove(rules: RuleSet, witness: Witness, tokens: int) -> None:
    """Proves all bounds with so many tokens from the moves."""
    tables = rules.ask("verify", "--tokens", str(tokens), may_fail=(1,))
    proven = [one["verdict"] == "proven" for one in tables]
    witness.recheck("proof", all(proven), f"All bounds of the rules {rules.rules:.200} with {tokens} token"
                    f"{'' if tokens == 1 else 's'} each are held against the moves, one position at a time and without "
                    f"rounding, and shown to follow from them: {sum(one['positions'] for one in tables) // 2} positions, "
                    f"{sum(proven)} of {len(proven)} tables proven.")
