"""Play of drawing turns that comes back to a position."""
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

from .. import RuleSet

MOST_NODES = 4096


@dataclass(frozen=True)
class Turn:
    start: str
    move: str
    end: str


Graph = Dict[str, List[Turn]]


def reach(rules: RuleSet, start: str) -> Tuple[Graph, bool]:
    """Drawn positions that drawing turns reach, with these turns, nearest first; and whether there are more."""
    graph: Graph = {start: []}
    waiting, cut = [start], False
    for at in waiting:
        for move in rules.look(at).moves:
            if move.over or move.child is None or (move.child.lower, move.child.upper) != (0, 0):
                continue
            end = str(move.position)
            if end not in graph and len(graph) == MOST_NODES:
                cut = True
                continue
            if end not in graph:
                graph[end] = []
                waiting.append(end)
            graph[at].append(Turn(at, move.name, end))
    return graph, cut


def way_round(graph: Graph, start: str, most: int, whole: bool = False) -> Tuple[Dict[str, Turn], Dict[str, int], Optional[Turn]]:
    """The turns by which positions are first reached, in how many turns, and the one that comes back soonest, in less than
    `most` turns; `whole`: all positions are reached."""
    by: Dict[str, Turn] = {}
    steps, waiting = {start: 0}, [start]
    closing: Optional[Turn] = None
    for at in waiting:
        if steps[at] + 1 >= most:
            break
        for turn in graph[at]:
            if turn.end == start and closing is None:
                closing = turn
            if turn.end not in steps:
                by[turn.end], steps[turn.end] = turn, steps[at] + 1
                waiting.append(turn.end)
        if closing and not whole:
            break
    return by, steps, closing


def way_to(by: Dict[str, Turn], end: str) -> List[Turn]:
    turns: List[Turn] = []
    while end in by:
        turns.append(by[end])
        end = by[end].start
    return turns[::-1]


def find_play(rules: RuleSet, start: str) -> Tuple[List[Turn], int, bool]:
    """The shortest play from a position that repeats one, how many turns before that one, and whether not all was searched."""
    graph, cut = reach(rules, start)
    first_by, first_steps, _ = way_round(graph, start, MOST_NODES + 2, whole=True)
    best: List[Turn] = []
    repeats = 0
    for knot in graph:
        most = (len(best) or MOST_NODES + 1) - first_steps[knot]
        by, _, closing = way_round(graph, knot, most)
        if closing:
            best = way_to(first_by, knot) + way_to(by, closing.start) + [closing]
            repeats = first_steps[knot]
    return best, repeats, cut
