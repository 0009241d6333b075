#!/usr/bin/python3
"""Proofs of draws on random graphs: with true hints every draw is proven, and no hints whatever prove what is no draw."""
import importlib
import importlib.util
import os
import random
import sys

if importlib.util.find_spec("numpy") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # that of the system may have it

import asking_python
from asking_python import tauler
from building import expect, run_cases

try:
    import numpy as np
except ImportError:
    print("SKIP: proofs of draws: install python3-numpy")
    sys.exit(0)

asking_python.leave_without_library()
proof = importlib.import_module("tauler.claims._proof")
POSITIONS, MOST_MOVES, GRAPHS, LIES = 7, 3, 300, 20


class Graph:
    """A slice: moves lead to positions, or end the game with a gain. Hints are what it says of values and depths."""

    def __init__(self, edges):
        self.edges = edges  # of each position: (None, gain) or (child, 0)
        self.looked_at = set()
        self.said = [0] * len(edges), [0] * len(edges)

    def __len__(self):
        return len(self.edges)

    def values(self):
        return np.array(self.said[0], dtype=np.int8)

    def depths(self):
        return np.array([[depth, depth] for depth in self.said[1]], dtype=np.int32)

    def moves(self, first, stop):
        self.looked_at.add(first)
        to, gains = zip(*self.edges[first])
        return tauler.Moves(0, first, np.array([0, len(to)]), np.array([-1 if one is None else 0 for one in to], dtype=np.int32),
                            np.array([one or 0 for one in to]), np.array(gains, dtype=np.int16),
                            np.full(stop - first, tauler.Moves.NOT_ENDED, dtype=np.int16))

    def truth(self):
        """Values, and depths in plies, ply by ply."""
        value, depth = [0] * len(self), [0] * len(self)
        for ply in range(1, 2 * len(self) + 1):
            after = [[gain if to is None else -value[to] for to, gain in edges] for edges in self.edges]
            for at, worths in enumerate(after):
                if not value[at] and (max(worths) > 0 or max(worths) < 0):
                    value[at], depth[at] = (1 if max(worths) > 0 else -1), ply
        return value, depth


def random_graph(dice):
    return Graph([[(None, dice.choice((1, -1))) if dice.randrange(6) == 0 else (dice.randrange(POSITIONS), 0)
                   for _ in range(dice.randint(1, MOST_MOVES))] for _ in range(POSITIONS)])


def lies_about(graph, dice):
    """Some positions are lied about; sometimes the rest is the truth of a graph with another move, or no depth falls."""
    edges = [list(of) for of in graph.edges]
    if dice.randrange(2):
        of = dice.choice(edges)
        at = dice.randrange(len(of))
        of[at] = (None, -of[at][1]) if of[at][0] is None else (dice.randrange(POSITIONS), 0)
    value, depth = Graph(edges).truth()
    for _ in range(dice.randrange(POSITIONS)):
        at = dice.randrange(POSITIONS)
        value[at], depth[at] = dice.randint(-1, 1), dice.randrange(POSITIONS)
    return value, [3] * POSITIONS if dice.randrange(4) == 0 else depth


def proves(graph, start):
    graph.looked_at.clear()
    found = proof.prove_draw(graph, start)
    expect(found.done, "a proof was given up")
    return found.wrong is None


def only_draws_are_proven(_):
    dice, drawn, refused, lied = random.Random(20), 0, 0, 0
    for number in range(GRAPHS):
        graph = random_graph(dice)
        truth = graph.said = graph.truth()
        for start, value in enumerate(truth[0]):
            expect(proves(graph, start) == (value == 0), "graph", number, "position", start, "with true hints")
            drawn += value == 0
        for _ in range(LIES):
            graph.said, start = lies_about(graph, dice), dice.randrange(POSITIONS)
            accepted = proves(graph, start)
            expect(not accepted or all(graph.said[0][at] == truth[0][at] for at in graph.looked_at | {start}),
                   "graph", number, "position", start, "a lie is believed")
            refused += not accepted and graph.said[0][start] == 0
            lied += accepted and graph.said[0] != truth[0]
    expect(drawn > GRAPHS / 10 and refused > GRAPHS, drawn, refused)
    expect(lied > GRAPHS / 10, lied, "lies that do not matter are no reason to refuse")


def a_proof_that_needs_too_much_is_given_up(_):
    ring = Graph([[(1, 0)], [(2, 0)], [(0, 0)]])
    expect(proof.prove_draw(ring, 0, 3) == (True, None, [3, 0, 0]), "a ring of three")
    expect(not proof.prove_draw(ring, 0, 2).done, "three are too many")


run_cases([only_draws_are_proven, a_proof_that_needs_too_much_is_given_up])
