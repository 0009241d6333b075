"""The house rules of Oca that claims look at, one by one, and the start of a game."""
from typing import Dict

from .. import Bounds, RuleSet

HOUSE_RULES = {"base": "the rules of the source",
               "dice=2": "two dice are rolled",
               "start=1": "tokens start on square 1",
               "goose-1=off": "square 1 is no goose",
               "goose-59=bounce": "from the goose on 59 to 63 and back by another roll",
               "goose-59=stay": "on the goose on 59 one rolls again",
               "inn=1": "one turn is lost in the inn, not two",
               "well=off": "nobody waits in the well",
               "labyrinth=30": "from the labyrinth back to 30, no turns are lost",
               "prison=2": "two turns are lost in the prison, not three",
               "death=start": "death leads to the start, not to square 1"}


def from_start(rules: RuleSet, players: int) -> Dict[str, Bounds]:
    """What is expected from the start with so many players, whose tables are there: "win-1", "turns", "rolls"."""
    found = rules.ask("stats", "--players", str(players))[-1]["quantities"]
    return {name: Bounds(*of) for name, of in found.items()}
