"""Play of drawing turns that comes back to a position."""
from typing import Dict, List, NamedTuple, Tuple

from .. import RuleSet

MOST_NODES = 4096


class Turn(NamedTuple):
    start: str
    move: str
    end: str


Turns = Dict[str, List[Turn]]  # by position


def reach(rules: RuleSet, start: str) -> Tuple[Turns, Turns, bool]:
    """Drawn positions that drawing turns reach, nearest first, with these turns; the shortest way to each; and whether there
    are more."""
    graph: Turns = {start: []}
    ways: Turns = {start: []}
    waiting, cut = [start], False
    for at in waiting:
        for move in rules.look(at).moves:
            if move.over or move.child is None or (move.child.lower, move.child.upper) != (0, 0):
                continue
            turn = Turn(at, move.name, str(move.position))
            if turn.end not in graph and len(graph) == MOST_NODES:
                cut = True
                continue
            if turn.end not in graph:
                graph[turn.end], ways[turn.end] = [], [*ways[at], turn]
                waiting.append(turn.end)
            graph[at].append(turn)
    return graph, ways, cut


def way_back(graph: Turns, start: str, most: int) -> List[Turn]:
    """The shortest play that comes back, if it takes fewer than `most` turns."""
    ways: Turns = {start: []}
    waiting = [start]
    for at in waiting:
        if len(ways[at]) + 1 >= most:
            break
        for turn in graph[at]:
            if turn.end == start:
                return [*ways[at], turn]
            if turn.end not in ways:
                ways[turn.end] = [*ways[at], turn]
                waiting.append(turn.end)
    return []


def find_play(rules: RuleSet, start: str) -> Tuple[List[Turn], int, bool]:
    """The shortest play from a position that repeats one, how many turns before that one, and whether not all was searched."""
    graph, ways, cut = reach(rules, start)
    best: List[Turn] = []
    repeats = 0
    for knot, way in ways.items():
        back = way_back(graph, knot, (len(best) or MOST_NODES + 1) - len(way))
        if back:
            best, repeats = way + back, len(way)
    return best, repeats, cut
