#!/usr/bin/env python3
"""Learns the values of an ending of awari by playing against itself, and compares them with the tables.

    tauler build auale --seeds 3 --db tables
    python3 learn_values.py tables

A position is worth the best of its moves as they are known so far, so a table of values that is corrected along random
games comes to the exact ones.
"""
import random
import sys

import tauler
from tauler import spiel

START = "0-0-0-0-1-0-1-0-0-0-0-1-23-22-S"


def learn(game, games, seed=1):
    """Values for player 0 by position."""
    rng, values, known = random.Random(seed), {}, {}
    for _ in range(games):
        state, path = game.new_initial_state(), []
        while not state.is_terminal():
            path.append(state)
            state = state.clone()
            state.apply_action(rng.choice(state.legal_actions()))
        for state in reversed(path):
            values[str(state)] = backed_up(state, values, known)
    return values


def backed_up(state, values, known):
    """The best move's value, as far as the values of the positions after it are known; `known` keeps what follows."""
    if str(state) not in known:
        children = []
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            captured = child.observation_tensor()[1]  # what endless play from there is worth
            children.append((str(child), child.returns()[0] if child.is_terminal() else captured))
        known[str(state)] = children
    worths = [values.get(child, result) for child, result in known[str(state)]]
    return max(worths) if state.current_player() == 0 else min(worths)


def main(folder, games=1000):
    with tauler.open(folder) as db:
        tables = db.select("auale", "awari")
        game = spiel.Game(tables, START, most_plies=60)
        values = learn(game, int(games))
        exact = {position: spiel.Game(tables, position).new_initial_state() for position in values}
        errors = [abs(value - exact[position].value(0) * (1 if position.endswith("S") else -1))
                  for position, value in values.items()]
    print(f"{len(values)} positions, {sum(error == 0 for error in errors)} exact, mean error {sum(errors) / len(errors):.3f}; "
          f"{START} learned {values[START]:g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
