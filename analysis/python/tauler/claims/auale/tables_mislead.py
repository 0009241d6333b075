"""How far the tables of awari and of play that ends mislead about abapa, whose values are known right after a capture."""
import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

import tauler

from .. import Claim, RuleSet, Settings, share
from .._solve import best_of, parts
from .._tables import call
from ._boards import board_text

SETTINGS = Settings(game="auale", options="seeds", usual=12, rules="abapa and awari", loaded=True,
                    sets=[("abapa", "own-row"), ("abapa", "forced"), ("awari", "even")])
STARTS = (12, 24)  # one and two seeds a pit
PLANNED, THREADS, MEMORY = (24, 36, 48), 64, "4T"
PLIES, DECIMALS, NONE = 200, 2, -128


@dataclass
class Misled:
    """Boards on which another table says something else than the exact value."""

    value: int = 0
    winner: int = 0
    moves: int = 0  # other moves are best
    lost: int = 0  # no move that is best by the other table is best


def best_moves(moves: tauler.Moves, rules: RuleSet) -> Any:
    """Whether each move is best by a rule set's tables: by what the mover is sure of."""
    values = np.array(moves.gains, dtype=np.int16)
    for number in np.unique(moves.slices[moves.slices >= 0]):
        of = moves.slices == number
        values[of] -= rules.bounds(int(number))[1][moves.indexes[of]]
    return values == np.repeat(best_of(values, moves.offsets, NONE), np.diff(moves.offsets))


def any_of(flags: Any, offsets: Any) -> Any:
    """Whether any flag is set in each run offsets[i] … offsets[i + 1] − 1."""
    return np.diff(np.append(0, np.cumsum(flags))[offsets]) > 0


def compare(claim: Claim, n: int) -> Tuple[int, Dict[RuleSet, Misled]]:
    """Boards of n seeds with one exact value, and what the others make of them."""
    exact, *others = claim.sets
    lower, upper = exact.bounds(n)
    known, found = lower == upper, {other: Misled() for other in others}
    for other, misled in found.items():
        least, most = other.bounds(n)
        misled.value = int((known & ((least != lower) | (most != upper))).sum())
        misled.winner = int((known & ((np.sign(least) != np.sign(lower)) | (np.sign(most) != np.sign(upper)))).sum())
    for first, stop in parts(len(lower)):
        moves = exact.slice(n).moves(first, stop, threads=claim.threads)
        right = best_moves(moves, exact)
        for other, misled in found.items():
            best, asked = best_moves(moves, other), known[first:stop] & (np.diff(moves.offsets) > 0)
            misled.moves += int((asked & any_of(best != right, moves.offsets)).sum())
            misled.lost += int((asked & ~any_of(best & right, moves.offsets)).sum())
    return int(known.sum()), found


def add_shares(claim: Claim) -> List[int]:
    """Fills the tables of shares; the boards misled about by awari: value, winner, moves, best moves all lost."""
    tables = [claim.table("awari"), claim.table("forced")]
    totals = [0, 0, 0, 0, 0]
    for n in range(1, claim.limit + 1):
        boards, found = compare(claim, n)
        for table, other in zip(tables, (claim.sets[2], claim.sets[1])):
            of = found[other]
            table.add(n, boards, *(share(part, boards, DECIMALS) for part in (of.value, of.winner, of.moves, of.lost)))
        of = found[claim.sets[2]]
        totals = [all_ + one for all_, one in zip(totals, (boards, of.value, of.winner, of.moves, of.lost))]
    return totals


def value_words(bounds: Optional[tauler.Bounds]) -> str:
    if bounds is None:
        return "?"
    lower, upper = int(bounds.lower), int(bounds.upper)
    return f"{lower:+d}" if lower else "0" if lower == upper else f"{lower:+d} to {upper:+d}"


def bounds_of(move: tauler.Move) -> Optional[tauler.Bounds]:
    return move.after_line or move.bounds


def add_start(claim: Claim, table: Any, seeds: int) -> None:
    abapa, awari = (rules.look(board_text([seeds // 12] * 12)) for rules in (claim.sets[0], claim.sets[2]))
    table.add(f"{seeds}", value_words(abapa.bounds), value_words(awari.bounds))
    other = {move.name: move.bounds for move in awari.moves}
    for move in abapa.moves:
        table.add(f"{seeds}: {move.name}", value_words(bounds_of(move)), value_words(other.get(move.name)))


def captures(position: str) -> Tuple[float, float]:
    """Of both sides, where play goes round and the seeds on the board are split evenly."""
    seeds = [int(one) for one in position.split("-")[:14]]
    return seeds[12] + sum(seeds[:12]) / 2, seeds[13] + sum(seeds[:12]) / 2


def show_line(claim: Claim, rules: RuleSet, seeds: int) -> None:
    """Best play from a start: in abapa each move is best after the boards met since the last capture, where lines of play
    know, else by the table; in awari by the table, until a board comes back. What both sides have taken in the end is held
    against the value."""
    start = board_text([seeds // 12] * 12)
    witness = claim.show(rules, start, "line", rules.rules, seeds)
    south, north = 0.0, 0.0
    asked, over, plies, value, met = start, False, 0, rules.look(start).bounds, {start}
    while not over and plies < PLIES:
        answer = rules.look(asked)
        best = answer.best
        if best is None:
            break
        others = [bounds_of(move) for move in answer.moves if not move.best]
        mine, next_ = bounds_of(best), max((int(bounds.upper) for bounds in others if bounds), default=None)
        less = int(mine.lower) - next_ if mine and next_ is not None else 0
        loses = claim.say("loses", less) if less > 0 else None
        witness.step(answer.turn, best.name, None if best.over else best.position, loses)
        played = f"{asked}{'' if ' ' in asked else ' moves '}{best.name}"
        plies += 1
        over = best.over
        if over:
            break
        after = rules.look(played)
        over = after.ended or bool(after.history and after.history.over)
        if over and after.final:
            south, north = after.final
        elif rules.cycles == "even" and after.position in met:
            over, (south, north) = True, captures(after.position)
        asked = played if rules.cycles == "own-row" else after.position
        met.add(after.position)
    right = over and value is not None and south + north == seeds and south - north == value.lower
    witness.recheck("played out", right, "recheck-played-out", plies, int(south), int(north))


def plan(seeds: int, threads: int, memory: str) -> Any:
    return json.loads(call("plan", "auale", "--rules", "abapa", "--cycles", "own-row", "--seeds", str(seeds), "--threads",
                           str(threads), "--memory", memory, "--json", may_fail=(69,)))


def add_projection(claim: Claim) -> None:
    table = claim.table("projection")
    for seeds in PLANNED:
        of = plan(seeds, THREADS, MEMORY)
        table.add(seeds, of["positions"], round(of["seconds"] / 60), of["memory"] >> 20, of["disk"] >> 20)


def examine(claim: Claim) -> None:
    boards, value, winner, moves, lost = add_shares(claim)
    table = claim.table("starts")
    for seeds in STARTS:
        if seeds <= claim.limit or claim.sets[0].look(board_text([seeds // 12] * 12)).bounds:
            add_start(claim, table, seeds)
            for rules in (claim.sets[0], claim.sets[2]):
                if rules.look(board_text([seeds // 12] * 12)).bounds:
                    show_line(claim, rules, seeds)
    add_projection(claim)
    claim.note("note")
    percent = [share(part, boards, DECIMALS) for part in (value, winner, moves, lost)]
    if value:
        claim.judge("holds for", "holds-for", claim.limit, boards, *percent)
    else:
        claim.judge("open", "open", claim.limit, boards)
