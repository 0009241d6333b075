"""How far the tables of awari and of play that ends mislead about abapa, whose values are known right after a capture."""
from typing import Any, List, Optional, Tuple

import numpy as np

import tauler

from .. import Claim, RuleSet, Settings, Table, share
from .._solve import best_of, moves_of, sums, worths
from .._tables import plan
from ._boards import board_text

SETTINGS = Settings(counts="boards", options="seeds", usual=12, loaded=True,
                    sets=[("abapa", "own-row"), ("abapa", "forced"), ("awari", "even")])
STARTS = (12, 24)  # one and two seeds a pit
PLANNED, THREADS, MEMORY = (24, 36, 48), 64, "4T"
PLIES, DECIMALS = 200, 2


def best_moves(moves: tauler.Moves, rules: RuleSet) -> Any:
    """Whether each move is best by a rule set's tables: by what the mover is sure of."""
    values = worths(moves, lambda n: rules.bounds(n)[1])
    return values == np.repeat(best_of(values, moves.offsets, -128), np.diff(moves.offsets))


def compare(claim: Claim, n: int, other: RuleSet) -> List[int]:
    """Boards of n seeds with one exact value; those to which another table gives another value, another winner, other best
    moves, and no best move that is one."""
    exact = claim.sets[0]
    (lower, upper), (least, most) = exact.bounds(n), other.bounds(n)
    known, moved, lost = lower == upper, 0, 0
    for first, moves in moves_of(exact.slice(n), claim.threads):
        right, best = (best_moves(moves, rules) for rules in (exact, other))
        asked = known[first:first + len(moves)] & (np.diff(moves.offsets) > 0)
        moved += int((asked & (sums(best != right, moves.offsets) > 0)).sum())
        lost += int((asked & (sums(best & right, moves.offsets) == 0)).sum())
    return [int(known.sum()), int((known & ((least != lower) | (most != upper))).sum()),
            int((known & ((np.sign(least) != np.sign(lower)) | (np.sign(most) != np.sign(upper)))).sum()), moved, lost]


def add_shares(claim: Claim) -> List[int]:
    """Fills the tables of shares; the sums of what is compared with awari."""
    totals = [0] * 5
    for key, other in (("forced", claim.sets[1]), ("awari", claim.sets[2])):
        rows = [compare(claim, n, other) for n in range(1, claim.limit + 1)]
        table, totals = claim.table(key), [sum(column) for column in zip(*rows)]
        for n, (boards, *misled) in enumerate(rows, 1):
            table.add(n, boards, *(share(part, boards, DECIMALS) for part in misled))
    claim.tables.reverse()
    return totals


def value_words(bounds: Optional[tauler.Bounds]) -> str:
    if bounds is None:
        return "?"
    lower, upper = int(bounds.lower), int(bounds.upper)
    return f"{lower:+d}" if lower else "0" if lower == upper else f"{lower:+d} to {upper:+d}"


def bounds_of(move: tauler.Move) -> Optional[tauler.Bounds]:
    return move.after_line or move.bounds


def add_start(claim: Claim, table: Table, seeds: int, start: str) -> None:
    abapa, awari = (rules.look(start) for rules in (claim.sets[0], claim.sets[2]))
    table.add(f"{seeds}", value_words(abapa.bounds), value_words(awari.bounds))
    other = {move.name: move.bounds for move in awari.moves}
    for move in abapa.moves:
        table.add(f"{seeds}: {move.name}", value_words(bounds_of(move)), value_words(other.get(move.name)))


def captures(position: str) -> Tuple[float, float]:
    """Of both sides, where play goes round and the seeds on the board are split evenly."""
    seeds = [int(one) for one in position.split("-")[:14]]
    return seeds[12] + sum(seeds[:12]) / 2, seeds[13] + sum(seeds[:12]) / 2


def show_line(claim: Claim, rules: RuleSet, seeds: int, start: str) -> None:
    """Best play from a start: in abapa each move is best after the boards met since the last capture, where lines of play
    know, else by the table; in awari by the table, until a board comes back. What both sides have taken in the end is held
    against the value."""
    witness, value = claim.show(rules, start, "line", rules.rules, seeds), rules.look(start).bounds
    taken, asked, over, met = (0.0, 0.0), start, False, {start}
    while not over and len(witness.steps) < PLIES:
        answer = rules.look(asked)
        best = answer.best
        if best is None:
            break
        others = [bounds_of(move) for move in answer.moves if not move.best]
        mine, next_ = bounds_of(best), max((int(bounds.upper) for bounds in others if bounds), default=None)
        less = int(mine.lower) - next_ if mine and next_ is not None else 0
        witness.step(answer.turn, best.name, None if best.over else best.position, claim.say("loses", less) if less > 0 else None)
        if best.over:
            over = True
            break
        played = f"{asked}{'' if ' ' in asked else ' moves '}{best.name}"
        after = rules.look(played)
        over = after.ended or bool(after.history and after.history.over)
        if over and after.final:
            taken = after.final
        elif rules.cycles == "even" and after.position in met:
            over, taken = True, captures(after.position)
        asked = played if rules.cycles == "own-row" else after.position
        met.add(after.position)
    south, north = taken
    right = over and value is not None and south + north == seeds and south - north == value.lower
    witness.recheck("played out", right, "recheck-played-out", len(witness.steps), int(south), int(north))


def examine(claim: Claim) -> None:
    boards, *misled = add_shares(claim)
    table = claim.table("starts")
    for seeds in STARTS:
        start = board_text([seeds // 12] * 12)
        if seeds <= claim.limit or claim.sets[0].look(start).bounds:
            add_start(claim, table, seeds, start)
            for rules in (claim.sets[0], claim.sets[2]):
                if rules.look(start).bounds:
                    show_line(claim, rules, seeds, start)
    table = claim.table("projection")
    for seeds in PLANNED:
        of = plan("auale", "--rules", "abapa", "--cycles", "own-row", "--seeds", str(seeds), "--threads", str(THREADS),
                  "--memory", MEMORY, may_fail=(69,))
        table.add(seeds, of["positions"], round(of["seconds"] / 60), of["memory"] >> 20, of["disk"] >> 20)
    claim.note("note")
    if misled[0]:
        claim.judge("holds for", "holds-for", claim.limit, boards, *(share(part, boards, DECIMALS) for part in misled))
    else:
        claim.judge("open", "open", claim.limit, boards)
