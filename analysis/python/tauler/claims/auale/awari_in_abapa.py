"""What it costs in abapa to play the moves that awari's tables call best."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from .. import Claim, Mean, Settings, share
from .._solve import best_of, nearest_to_zero, solve_by_rules, sums, worths
from ._followed import BADLY, IN_TIME, WAYS, WELL, follow
from ._pairs import Pairs, pairs

SETTINGS = Settings(counts="boards", options="seeds", usual=16, loaded=True,
                    sets=[("awari", "even"), ("abapa", "even"), ("abapa", "forced")])
DECIMALS, SLOW_SEEDS, FOLLOWED_SEEDS = 4, 8, 9
FIRST = "The smallest board on which no best move of awari is best in abapa"
GREATEST = "The greatest loss by one such move with few seeds"


class Loss(NamedTuple):
    """How much a board loses by a move that awari calls best, and where that leads."""

    n: int
    at: int
    loss: int
    to: Tuple[int, int]


def losses(of: Pairs, lost: Any, no_best: Any) -> List[Loss]:
    """The first board without a best move among those of awari, and the one that loses most; of its moves the last."""
    if of.abapa.slice > SLOW_SEEDS or not no_best.any():
        return []
    moves, boards = of.abapa, np.flatnonzero(no_best)
    greatest = best_of(np.where(of.followed, lost, -1), moves.offsets, -1)

    def loss(board: int) -> Loss:
        listed = range(int(moves.offsets[board]), int(moves.offsets[board + 1]))
        k = [k for k in listed if of.followed[k] and lost[k] == greatest[board]][-1]
        return Loss(moves.slice, of.first + board, int(greatest[board]), (int(moves.slices[k]), int(moves.indexes[k])))

    return [loss(int(boards[0])), loss(int(boards[np.argmax(greatest[boards])]))]


def count_part(claim: Claim, of: Pairs, counts: Dict[str, Any]) -> List[Loss]:
    """Counts boards on which abapa leaves a choice."""
    moves, (awari, abapa, forced) = of.abapa, claim.sets
    origins, offsets, legal = moves.origins, moves.offsets, np.diff(moves.offsets)
    for best, rules in ((of.best_awari, awari), (of.best, abapa)):
        counts["wrong"] += int(((legal > 0) & (best != rules.values(moves.slice)[of.first:of.first + len(moves)])).sum())
    lost = of.best[origins] - of.worth
    # Worse than what the mover can force, whatever endless play is worth.
    surely = worths(moves, lambda n: forced.bounds(n)[0]) < forced.bounds(moves.slice)[0][of.first + origins]
    choice, followed = legal > 1, sums(of.followed, offsets)
    good = sums(of.followed & (lost == 0), offsets)
    asked = choice & (followed > 0)
    for key, boards in (("choices", choice), ("slams", choice & (sums((lost == 0) & (of.partner >= 0), offsets) == 0)),
                        ("illegal", choice & (followed == 0)), ("all", asked & (good == followed)),
                        ("some", asked & (good > 0) & (good < followed)), ("none", asked & (good == 0)),
                        ("surely", asked & (sums(of.followed & ~surely, offsets) == 0)),
                        ("winner", asked & (sums(of.followed & (np.sign(of.worth) == np.sign(of.best[origins])), offsets) == 0))):
        counts[key] = counts.get(key, 0) + int(boards.sum())
    seeds = sums(np.where(of.followed, lost, 0), offsets)
    counts["lost"] += float((seeds[asked] / followed[asked]).sum())  # a move picked evenly among the best ones of awari
    counts["greatest"] = max(counts["greatest"], int(lost[of.followed & asked[origins]].max(initial=0)))
    return losses(of, lost, asked & (good == 0))


def add_followed(claim: Claim) -> Tuple[List[Mean], int]:
    """What is lost until the game ends: the means with the most seeds, by how ties are broken, and how often nothing is."""
    (awari, abapa, _), table, wrong = claim.sets, claim.table("followed"), 0
    seeds = min(claim.limit, FOLLOWED_SEEDS)
    awari.depths = True
    awari.need("--seeds", seeds)
    ways = [follow(awari, abapa, seeds, way) for way in WAYS]
    means: List[Mean] = []
    for n in range(1, seeds + 1):
        best, means, figures = abapa.values(n).astype(np.int64), [], []
        for followed in ways:
            less = best - followed[n][0]
            wrong += int((less < 0).sum())
            means.append(Mean(int(less.sum()) / len(best), DECIMALS))
            figures += [means[-1], int(less.max(initial=0)),
                        share((np.sign(best) != np.sign(followed[n][0])).sum(), len(best), DECIMALS)]
        table.add(n, len(best), *figures)
    return means, wrong


def show(claim: Claim, shown: List[Tuple[Loss, str]]) -> None:
    """Shows boards with a move, and holds both against values by the moves of the rules alone."""
    awari, abapa, _ = claim.sets
    slow = [{n: nearest_to_zero(*bounds) for n, bounds in
             solve_by_rules(rules, max(loss.n for loss, _ in shown), by_values=True).items()} for rules in (awari, abapa) if shown]
    for loss, what in shown:
        position = abapa.position(loss.n, loss.at)
        witness = claim.show(abapa, position, "witness", what, loss.n, loss.loss)
        answer, move = abapa.look(position), abapa.by_place(position)[loss.to]
        witness.step(answer.turn, move.name, move.position, "best in awari")
        board = [int(values[loss.n][loss.at]) for values in slow]
        after = [loss.n - loss.to[0] - int(values[loss.to[0]][loss.to[1]]) for values in slow]
        witness.recheck("plain iteration", board[1] - after[1] == loss.loss and board[0] == after[0],
                        "recheck-plain-iteration", loss.n, move.name, *after, board[1])


def examine(claim: Claim) -> None:
    table, wrong, all_lost, greatest = claim.table("moves"), 0, 0.0, 0
    first: Optional[Loss] = None
    most: Optional[Loss] = None
    for n in range(1, claim.limit + 1):
        counts: Dict[str, Any] = {"wrong": 0, "lost": 0.0, "greatest": 0}
        for of in pairs(claim.sets[0], claim.sets[1], n, claim.threads):
            for loss in count_part(claim, of, counts):
                first, most = first or loss, loss if not most or loss.loss > most.loss else most
        lost = counts.pop("lost")
        wrong, all_lost, greatest = wrong + counts.pop("wrong"), all_lost + lost, max(greatest, counts["greatest"])
        if counts["choices"]:
            table.add(n, none_share=share(counts["none"], counts["choices"], DECIMALS),
                      mean_loss=Mean(lost / counts["choices"], DECIMALS), **counts)
    means, better = add_followed(claim)
    show(claim, [(loss, what) for loss, what in ((first, FIRST), (most, GREATEST)) if loss])
    choices, every, none, surely = map(table.sum, ("choices", "all", "none", "surely"))
    if wrong + better or not claim.is_sound():
        claim.judge("fails", "fails", wrong + better)
    elif none:
        claim.judge("holds for", "holds-for", choices, claim.limit, share(every, choices, 3), none, share(none, choices, 3), surely,
                    Mean(all_lost / choices, DECIMALS), greatest, min(claim.limit, FOLLOWED_SEEDS),
                    *(means[way] for way in (WELL, BADLY, IN_TIME)))
