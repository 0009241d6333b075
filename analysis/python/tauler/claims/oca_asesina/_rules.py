"""Rule sets of la oca asesina with their boards, and matches of players who choose in different ways."""
import math
import re
from typing import List, NamedTuple, Optional, Tuple

from .. import Bounds, Claim, RuleSet, Witness
from .._tables import plan

BOARD_20 = "board=20"
BOARD_12 = "board=length-12_geese-3-7-12_bridges-2-5_dice-4-9_inn-6-1_prison-10-2_well-none_labyrinth-8-to-3_" \
    "death-11-to-0"  # short enough for three tokens under many rules
# The author's repairs, in all and in part, and ours.
VARIANTS = ["base", "last-token=immune", "last-token=no-death", "last-token=no-lost-turns", "last-token=no-overshoot",
            "last-token=no-bounce", "home=one-left", "interaction=off"]
RANDOM, SIMPLE = "random", ("furthest-first", "rearmost-first", "capture-first", "home-first")  # ways to choose
GAMES, SEED = 20000, 1  # played out to recheck
SMALL_GAME, SMALL_WIDTH, LARGE_WIDTH = 100000, 5e-8, 2e-6  # positions; of matches, those of larger games take minutes


def open_on_board(claim: Claim, variant: str = "base", usual: str = BOARD_20) -> RuleSet:
    """A variant on the board of the command line, without one on the usual one."""
    flag: Optional[str] = usual
    if claim.options.board:
        flag = plan("oca-asesina", "--board", claim.options.board, "--tokens", "1")["rules"].partition(",")[2]
    return claim.open(f"{variant},{flag}" if flag else variant)


def length_of(rules: RuleSet) -> int:
    """The last square of the board."""
    found = re.search(r"board=(?:length-)?(\d+)", rules.rules)
    return int(found[1]) if found else 63


def show_start(claim: Claim, rules: RuleSet, key: str = "start") -> Witness:
    zeros = ",".join("0" * claim.limit)
    return claim.show(rules, f"{zeros}/{zeros} lost=0,0 seat=1", key)


# --- matches ---


class Duel(NamedTuple):
    """The score of one player against another in either seat, and the turns of a game in the mean of both."""

    seats: List[Bounds]
    mean: Bounds
    turns: Bounds


def duel(claim: Claim, rules: RuleSet, tokens: int, one: str, other: str) -> Duel:
    """Two ways to choose, "best" by the tables or one of the game's own."""
    size = ["--tokens", str(tokens)]
    positions = plan("oca-asesina", *rules.words(), *size)["positions"]
    width = SMALL_WIDTH if positions < SMALL_GAME else LARGE_WIDTH
    first, second = (rules.ask("stats", *size, "--matches", "--first", seat_1, "--second", seat_2, "--width", repr(width))[0]
                     for seat_1, seat_2 in ((one, other), (other, one)))
    seats = [Bounds(*first["score"]), Bounds(1, 1) - Bounds(*second["score"])]
    return Duel(seats, seats[0].mean(seats[1]), Bounds(*first["turns"]).mean(Bounds(*second["turns"])))


def both_seats(played: List[List[float]]) -> Tuple[float, float]:
    """A player's mean score and its standard error, from those of seat 1 with the player there, and with the other one."""
    (first, error), (second, other) = played
    return (first + 1 - second) / 2, math.hypot(error, other) / 2


def simulate(rules: RuleSet, tokens: int, one: str, other: str) -> Tuple[float, float]:
    """GAMES games played out by the rules, half of them with `one` in seat 1: its mean score, and the standard error."""
    played = []
    for seat, play in enumerate(((one, other), (other, one))):
        found = rules.ask("stats", "--tokens", str(tokens), "--simulate", str(GAMES // 2), "--seed", str(SEED + seat),
                          "--start", "--play", ",".join(play))[0]["quantities"]["score-1"]
        played.append([found["mean"], found["error"]])
    return both_seats(played)


def is_near(mean: float, error: float, bounds: Bounds) -> bool:
    return bounds.lower - 5 * error <= mean <= bounds.upper + 5 * error
