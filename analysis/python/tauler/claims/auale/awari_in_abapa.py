"""What it costs in abapa to play the moves that awari's tables call best."""
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from .. import Claim, Mean, Settings, share
from .._solve import best_of, nearest_to_zero, solve_by_rules
from ._followed import BADLY, IN_TIME, WAYS, WELL, follow
from ._pairs import Pairs, pairs, sums

SETTINGS = Settings(game="auale", options="seeds", usual=16, rules="awari and abapa", loaded=True,
                    sets=[("awari", "even"), ("abapa", "even"), ("abapa", "forced")])
AWARI, ABAPA, FORCED = range(3)
DECIMALS, SLOW_SEEDS, FOLLOWED_SEEDS = 4, 8, 9
FIRST = "The smallest board on which no best move of awari is best in abapa"
GREATEST = "The greatest loss by one such move with few seeds"


@dataclass
class Counts:
    """Boards of so many seeds on which abapa leaves a choice."""

    choices: int = 0
    all: int = 0  # every best move of awari is best
    some: int = 0
    none: int = 0
    surely: int = 0  # each is worse than another move, whatever endless play is worth
    winner: int = 0  # each has another result
    slams: int = 0  # abapa's best moves are all illegal in awari
    illegal: int = 0  # all those of awari are illegal in abapa
    lost: float = 0.0  # seeds, a move picked evenly among the best ones of awari
    greatest: int = 0


@dataclass(frozen=True)
class Loss:
    """How much a board loses by a move that awari calls best, and where that leads."""

    n: int
    index: int
    loss: int
    to: Tuple[int, int]


@dataclass
class Found:
    layers: Dict[int, Counts]
    wrong: int = 0  # values that disagree with the moves, followers who do better than best
    first: Optional[Loss] = None
    greatest: Optional[Loss] = None


def sure_losses(claim: Claim, of: Pairs) -> Any:
    """Whether each move is worse than what the mover can force, whatever endless play is worth."""
    forced, moves = claim.sets[FORCED], of.abapa
    most = np.array(moves.gains, dtype=np.int16)
    for number in np.unique(moves.slices):
        to = moves.slices == number
        most[to] -= forced.bounds(int(number))[0][moves.indexes[to]]
    return most < forced.bounds(moves.slice)[0][of.first + moves.origins]


def note_losses(found: Found, of: Pairs, lost: Any, no_best: Any) -> None:
    """Keeps the first board without a best move among those of awari, and the one that loses most; of its moves the last."""
    if of.abapa.slice > SLOW_SEEDS or not no_best.any():
        return
    moves, boards = of.abapa, np.flatnonzero(no_best)
    greatest = best_of(np.where(of.followed, lost, -1), moves.offsets, -1)

    def loss(board: int) -> Loss:
        listed = range(int(moves.offsets[board]), int(moves.offsets[board + 1]))
        k = [k for k in listed if of.followed[k] and lost[k] == greatest[board]][-1]
        return Loss(moves.slice, of.first + board, int(greatest[board]), (int(moves.slices[k]), int(moves.indexes[k])))

    found.first = found.first or loss(int(boards[0]))
    most = loss(int(boards[np.argmax(greatest[boards])]))
    if not found.greatest or most.loss > found.greatest.loss:
        found.greatest = most


def count_part(claim: Claim, of: Pairs, found: Found) -> None:
    moves, counts = of.abapa, found.layers[of.abapa.slice]
    origins, offsets = moves.origins, moves.offsets
    legal = np.diff(offsets)
    values = [rules.values(moves.slice)[of.first:of.first + len(moves)] for rules in claim.sets[:FORCED]]
    found.wrong += sum(int(((legal > 0) & (best != value)).sum()) for best, value in zip((of.best_awari, of.best), values))
    lost = of.best[origins] - of.worth
    choice, followed = legal > 1, sums(of.followed, offsets)
    good = sums(of.followed & (lost == 0), offsets)
    other = sums(of.followed & (np.sign(of.worth) == np.sign(of.best[origins])), offsets)
    unsure = sums(of.followed & ~sure_losses(claim, of), offsets)
    asked = choice & (followed > 0)
    counts.choices += int(choice.sum())
    counts.slams += int((choice & (sums((lost == 0) & (of.partner >= 0), offsets) == 0)).sum())
    counts.illegal += int((choice & (followed == 0)).sum())
    for key, boards in (("all", good == followed), ("some", (good > 0) & (good < followed)), ("none", good == 0),
                        ("surely", unsure == 0), ("winner", other == 0)):
        setattr(counts, key, getattr(counts, key) + int((asked & boards).sum()))
    seeds = sums(np.where(of.followed, lost, 0), offsets)
    counts.lost += float((seeds[asked] / followed[asked]).sum())
    counts.greatest = max(counts.greatest, int(lost[of.followed & asked[origins]].max(initial=0)))
    note_losses(found, of, lost, asked & (good == 0))


def add_moves(claim: Claim, layers: Dict[int, Counts]) -> None:
    table = claim.table("moves")
    for n, c in layers.items():
        if c.choices:
            table.add(n, c.choices, c.all, c.some, c.none, share(c.none, c.choices, DECIMALS), c.surely, c.winner, c.slams,
                      c.illegal, Mean(c.lost / c.choices, DECIMALS), c.greatest)


def add_followed(claim: Claim, found: Found) -> List[Mean]:
    """What is lost until the game ends; the means with the most seeds, by how ties are broken."""
    awari, abapa, table = claim.sets[AWARI], claim.sets[ABAPA], claim.table("followed")
    seeds = min(claim.limit, FOLLOWED_SEEDS)
    awari.depths = True
    awari.need("--seeds", seeds)
    ways = [follow(awari, abapa, seeds, way) for way in WAYS]
    means: List[Mean] = []
    for n in range(1, seeds + 1):
        best, means, figures = abapa.values(n).astype(np.int64), [], []
        for followed in ways:
            less = best - followed[n][0]
            found.wrong += int((less < 0).sum())
            means.append(Mean(int(less.sum()) / len(best), DECIMALS))
            figures += [means[-1], int(less.max(initial=0)),
                        share((np.sign(best) != np.sign(followed[n][0])).sum(), len(best), DECIMALS)]
        table.add(n, len(best), *figures)
    return means


def show(claim: Claim, found: Found) -> None:
    """Shows boards with a move, and holds both against values by the moves of the rules alone."""
    abapa, shown = claim.sets[ABAPA], [(loss, what) for loss, what in ((found.first, FIRST), (found.greatest, GREATEST)) if loss]
    largest = max((loss.n for loss, _ in shown), default=0)
    slow = [{n: nearest_to_zero(*bounds) for n, bounds in solve_by_rules(rules, largest, by_values=True).items()}
            for rules in claim.sets[:FORCED] if shown]
    for loss, what in shown:
        position = str(abapa.slice(loss.n).position(loss.index))
        witness = claim.show(abapa, position, "witness", what, loss.n, loss.loss)
        answer = abapa.look(position)
        places = list(zip(*abapa.tables.places(str(move.position) for move in answer.moves)))
        move = answer.moves[places.index(loss.to)]
        witness.step(answer.turn, move.name, move.position, "best in awari")
        board = [int(values[loss.n][loss.index]) for values in slow]
        after = [loss.n - loss.to[0] - int(values[loss.to[0]][loss.to[1]]) for values in slow]
        witness.recheck("plain iteration", board[ABAPA] - after[ABAPA] == loss.loss and board[AWARI] == after[AWARI],
                        "recheck-plain-iteration", loss.n, move.name, after[AWARI], after[ABAPA], board[ABAPA])


def judge(claim: Claim, found: Found, means: List[Mean]) -> None:
    layers = found.layers.values()
    choices, every, none, surely, lost = (sum(getattr(c, key) for c in layers) for key in ("choices", "all", "none", "surely", "lost"))
    if found.wrong or not claim.report.is_sound():
        claim.judge("fails", "fails", found.wrong)
    elif none == 0:
        claim.judge("open", "open")
    else:
        claim.judge("holds for", "holds-for", choices, claim.limit, share(every, choices, 3), none, share(none, choices, 3), surely,
                    Mean(lost / choices, DECIMALS), max(c.greatest for c in layers), min(claim.limit, FOLLOWED_SEEDS),
                    *(means[way] for way in (WELL, BADLY, IN_TIME)))


def examine(claim: Claim) -> None:
    found = Found({n: Counts() for n in range(1, claim.limit + 1)})
    for n in found.layers:
        for of in pairs(claim.sets[AWARI], claim.sets[ABAPA], n, claim.threads):
            count_part(claim, of, found)
    add_moves(claim, found.layers)
    means = add_followed(claim, found)
    show(claim, found)
    judge(claim, found, means)
