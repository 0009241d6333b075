#!/usr/bin/python3
# Tier: make check
"""Games as environments: random games against the rules, values against one look ahead, the methods of OpenSpiel."""
import atexit
import functools
import random
import shutil
import subprocess
import sys
import tempfile

import asking_python
from asking_python import raises, tauler
from building import CHECK, build, expect, run_cases

asking_python.leave_without_library()
from tauler import spiel  # pylint: disable=wrong-import-position

STARTS = [  # game, rules, cycles, what is built of it, where play begins
    ("auale", "awari", None, ["--seeds", "6"], "0-0-1-0-1-1-1-0-0-1-0-1-20-22-N"),
    ("auale", "abapa", "own-row", ["--seeds", "4"], "0-0-1-0-1-0-1-0-0-0-0-1-21-23-S"),
    ("doushouqi", None, None, ["--material", "Lr"], "7/7/7/1r5/7/7/2L4/7/7 w"),
    ("phutball", None, None, ["--board", "3x3"], "1x1/1o1/3 E"),
    ("morris", None, None, [], "3/3/3 w"),
    ("oca", None, None, ["--players", "2", "--width", "1e-6"], "oca:0,0/1"),
    ("oca", None, None, ["--players", "1", "--width", "1e-6"], "oca:0/1"),
    ("oca", None, None, [], "oca:0,0,0/1"),
    ("oca-asesina", "board=20", None, ["--board", "20", "--tokens", "1", "--width", "1e-6"], "0/0 lost=0,0 seat=1"),
    ("oca-asesina", "board=20", None, [], "0,0/0,0 lost=0,0 seat=1"),
]
GAMES = 12 if CHECK else 8
SHARED = tempfile.mkdtemp(prefix="tauler-spiel.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)


@functools.lru_cache(maxsize=None)
def starts():
    """A game from each start, on tables that the cases share."""
    found = []
    for game, rules, cycles, options, start in STARTS:
        where = SHARED + "/" + "-".join([game, cycles or "", *options])
        if options:
            build(where, *options, *(["--rules", rules] if rules and "--board" not in options else []),
                  *(["--cycles", cycles] if cycles else []), "--quiet", game=game)
        found.append(spiel.Game(tauler.Database(where).select(game, rules, cycles), start, most_plies=200))
    return found


def play(game, rng):
    """The states of a random game."""
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        state = state.clone()
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            action = rng.choices([action for action, _ in outcomes], [chance for _, chance in outcomes])[0]
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
        yield state


def look_ahead(state):
    """The value for player 0, by the values after each action."""
    def after(action):
        child = state.clone()
        child.apply_action(action)
        return child.value(0)

    if state.is_chance_node():
        return sum(chance * after(action) for action, chance in state.chance_outcomes())
    return (max if state.current_player() == 0 else min)(map(after, state.legal_actions()))


def values_follow_from_those_after_them(_):
    rng, looked = random.Random(7), 0
    for game in starts():
        for _ in range(GAMES):
            for state in play(game, rng):
                exact = game.tables.cycles != "own-row" and len(state.history()) < game.most_plies - 2
                if state.is_terminal() or not exact or state.value(0) is None:
                    continue
                expect(abs(state.value(0) - look_ahead(state)) < 1e-5, state, state.value(0), look_ahead(state))
                looked += 1
    expect(looked > 40 * GAMES, "only", looked, "positions")


def replayed(game, state):
    """What the library says of the start with all moves of a game without dice, a text that it reads itself. A move
    that wins at once leads nowhere, and is left out."""
    at, names = game.new_initial_state(), []
    for action in state.history():
        before = str(at)
        names.append(at.action_to_string(action))
        at.apply_action(action)
    if at.is_terminal() and str(at) == before:
        names.pop()
    return game.look(f"{game.start} moves {' '.join(names)}" if names else game.start)


def games_are_played_by_the_rules(_):
    rng = random.Random(3)
    for game in starts():
        endings = set()
        for _ in range(GAMES):
            for state in play(game, rng):
                legal, player = state.legal_actions(), state.current_player()
                expect(state.is_terminal() == (not legal) == (player == spiel.TERMINAL), state, legal, player)
                expect(state.is_chance_node() == (player == spiel.CHANCE), state, player)
                expect(legal == sorted(set(legal)) and len({state.action_to_string(a) for a in legal}) == len(legal), legal)
                expect(len(state.observation_tensor()) == game.observation_tensor_shape()[0], state)
                if player >= 0:
                    expect([a for a, is_legal in enumerate(state.legal_actions_mask()) if is_legal] == legal, state, legal)
                    expect(player < game.num_players() and not state.legal_actions(player + 1), state)
            endings.add(tuple(state.returns()))
            if len(state.history()) >= game.most_plies:
                continue
            if game.look(game.start).dice:
                expect(abs(sum(state.returns()) - 1) < 1e-9 or game.num_players() == 1, state, state.returns())
            else:
                expect(sum(state.returns()) == 0, state.returns())
                last = replayed(game, state)
                expect(last.position == str(state), state, "and not", last.position)
                if last.final and last.ended:
                    first, second = last.final if game.turn in "Sw" else last.final[::-1]
                    expect(state.returns() == [first - second, second - first], last.final, state.returns())
        expect(len(endings) > 1 or game.num_players() == 1, game.start, "always ends", endings)


def a_repetition_ends_play(_):
    """South takes the seed that circles, or both keep their rows when a position comes back."""
    tables = tauler.Database("/nonexistent").select("auale", "abapa", "own-row")
    game, rng, repeated = spiel.Game(tables, "1-1-0-0-0-0-1-0-0-1-0-0-22-22-S", most_plies=400), random.Random(2), 0
    for _ in range(40):
        for state in play(game, rng):
            pass
        last = replayed(game, state)
        expect(last.ended or last.history.over, last)
        expect(len(state.history()) < 400, "no end")
        repeated += last.history is not None and last.history.over
    expect(repeated > 0, "nothing came back")


def actions_keep_their_meaning(_):
    database = tauler.Database("/nonexistent")
    north = spiel.Game(database.select("auale", "awari"), "0-0-1-0-1-1-1-0-0-1-0-1-20-22-N").new_initial_state()
    expect([(action, north.action_to_string(0, action)) for action in north.legal_actions()] ==
           [(0, "a"), (3, "d"), (5, "f")], north.legal_actions())
    expect(north.current_player() == 0 and north.observation_tensor()[:3] == [0, 2, 0], north.observation_tensor())
    lion = spiel.Game(database.select("doushouqi"), "7/7/7/7/7/7/7/3L3/r6 b").new_initial_state()
    expect([(action, lion.action_to_string(action)) for action in lion.legal_actions()] ==
           [(1, "a1b1"), (7, "a1a2")], lion.legal_actions())
    oca = spiel.Game(database.select("oca"), "oca:12,62/2").new_initial_state()
    expect(oca.current_player() == spiel.CHANCE and oca.chance_outcomes()[0] == (0, 1 / 6), oca.chance_outcomes())
    oca.apply_action(0)  # 62 to 63
    expect(oca.is_terminal() and oca.returns() == [0.0, 1.0], oca.returns())
    for wrong in (lambda: north.apply_action(1), lambda: oca.apply_action(0), north.chance_outcomes,
                  lambda: spiel.Game(database.select("phutball"), "3/1x1/1o1/3/3 O", most_actions=3).new_initial_state()
                  .legal_actions(), lambda: spiel.Game(database.select("oca-asesina", "board=20,players=3"),
                                                      "0/0/0 lost=0,0,0 seat=1")):
        raises(tauler.BadUsage, wrong)


def the_example_learns_all_values(folder):
    build(folder, "--seeds", "3", "--quiet")
    said = subprocess.run([sys.executable, str(asking_python.ROOT / "analysis/examples/learn_values.py"), folder], text=True,
                          stdout=subprocess.PIPE, check=True, env={**asking_python.os.environ, "PYTHONPATH": str(asking_python.MODULE)})
    positions, exact = (int(word) for word in said.stdout.split() if word.isdigit())
    expect(positions > 100 and exact == positions, said.stdout)


run_cases([values_follow_from_those_after_them, games_are_played_by_the_rules, a_repetition_ends_play,
           actions_keep_their_meaning, the_example_learns_all_values])
