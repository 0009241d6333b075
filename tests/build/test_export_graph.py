#!/usr/bin/python3
# Tier: make check
"""`tauler export --graph`: values that a small reader finds from the files are those of the tables."""
import json
import os

from asking_python import import_numpy, tauler
from building import build, expect, leave_to_check, run, run_cases

numpy = import_numpy()
BOARD_5 = ("board=length-5_geese-5_bridges-none_dice-none_inn-1-1_prison-none_well-none_labyrinth-3-to-2_"
           "death-4-to-0")
BOARD_7 = ("board=length-7_geese-7_bridges-none_dice-none_inn-2-1_prison-4-2_well-none_labyrinth-5-to-1_"
           "death-6-to-0")


# --- a reader, by the description of the files alone (docs/graphs.md) ---

def columns(path, *names):
    """Columns of a CSV as numbers; what is empty is NaN."""
    with open(path, encoding="utf-8") as file:
        header = file.readline().strip().split(",")
    return numpy.genfromtxt(path, delimiter=",", skip_header=1, usecols=[header.index(name) for name in names], unpack=True)


def slices(folder):
    """First position and number of positions of each slice, by name."""
    with open(os.path.join(folder, "slices.csv"), encoding="utf-8") as file:
        rows = [line.strip().split(",") for line in file][1:]
    return {name: (int(first), int(positions)) for name, _, first, positions in rows}


def solve_scores(folder):
    """The worth of every position where endless play is worth 0. For each score the positions whose mover gets it are won
    and those whose mover loses it lost: a move into a won one loses it, no gain is made twice in one slice."""
    parts = slices(folder)
    origins, to, gain = columns(os.path.join(folder, "edges.csv"), "from", "to", "gain")
    origins = origins.astype(int)
    values = numpy.zeros(sum(positions for _, positions in parts.values()), dtype=int)
    for first, positions in parts.values():
        begin, end = numpy.searchsorted(origins, [first, first + positions])
        child = numpy.where(numpy.isnan(to[begin:end]), -1, to[begin:end]).astype(int)
        quiet = (child >= first) & (child < first + positions)
        settled = gain[begin:end] - numpy.where(child < 0, 0, values[child])
        starts = numpy.searchsorted(origins[begin:end], numpy.arange(first, first + positions))
        inside = numpy.where(quiet, child - first, 0)
        for score in range(1, int(abs(settled[~quiet]).max(initial=0)) + 1):
            known = numpy.where(settled >= score, 1, numpy.where(settled <= -score, -1, 0))
            state = numpy.zeros(positions, dtype=int)
            while True:
                better = numpy.maximum.reduceat(numpy.where(quiet, -state[inside], known), starts)
                if (better == state).all():
                    break
                state = better
            values[first:first + positions][state == 1] = score
            values[first:first + positions][state == -1] = -score
    return values


def read_model(folder):
    """The transitions as (state, choice, target, chance), the states of each label, and the rewards."""
    rows = numpy.loadtxt(os.path.join(folder, "model.tra"), skiprows=1, ndmin=2)
    if rows.shape[1] == 3:
        rows = numpy.insert(rows, 1, 0, axis=1)
    labels = {}
    with open(os.path.join(folder, "model.lab"), encoding="utf-8") as file:
        names = dict(word.split("=") for word in file.readline().split())
        for line in file:
            state, _, numbers = line.partition(":")
            for number in numbers.split():
                labels.setdefault(names[number].strip('"'), []).append(int(state))
    rewards = {name.split(".")[1]: numpy.loadtxt(os.path.join(folder, name), skiprows=1, ndmin=2)
               for name in os.listdir(folder) if name.endswith(".srew")}
    return rows, labels, rewards


def solve_model(folder, label=None, reward=None):
    """The chance of a label, or what is expected of a reward before the end; seats raise and lower it."""
    rows, labels, rewards = read_model(folder)
    state, choice, target = rows[:, :3].T.astype(int)
    starts = numpy.flatnonzero(numpy.r_[True, (state[1:] != state[:-1]) | (choice[1:] != choice[:-1])])
    owners = numpy.flatnonzero(numpy.r_[True, numpy.diff(state[starts]) != 0])
    values, gains, lowers = (numpy.zeros(state.max() + 1) for _ in range(3))
    values[labels[label] if label else []] = 1
    gains[rewards[reward][:, 0].astype(int) if reward else []] = rewards[reward][:, 1] if reward else 0
    lowers[labels.get("lowers", [])] = 1
    for _ in range(100000):
        sums = numpy.add.reduceat(rows[:, 3] * values[target], starts)
        new = gains + numpy.where(lowers, numpy.minimum.reduceat(sums, owners), numpy.maximum.reduceat(sums, owners))
        if abs(new - values).max() < 1e-13:
            return new, labels
        values = new
    raise AssertionError("no end")


# --- cases ---


def export(to, game, *options, **settings):
    done = run("export", game, "--to", to, "--json", *options, **settings)
    return {os.path.basename(copy["file"]): copy for copy in map(json.loads, done.stdout.splitlines())}


def tables_of(folder, game, rules=None, cycles=None):
    return tauler.open(folder).select(game, rules, cycles)


def compare_scores(folder, game, *options):
    build(folder, *options, "--quiet", game=game)
    export(folder + ".graph", game, *options, "--graph", "csv")
    found, tables = solve_scores(folder + ".graph"), tables_of(folder, game)
    parts = slices(folder + ".graph")
    for name, (first, positions) in parts.items():
        stored = numpy.asarray(tables.slice(name).values())
        expect(len(stored) == positions and (found[first:first + positions] == stored).all(), game, "slice", name)


def awari(folder):
    compare_scores(folder, "auale", "--seeds", "6")


def awari_of_ten_seeds(folder):
    leave_to_check()
    compare_scores(folder, "auale", "--seeds", "10")


def outcomes(folder):
    compare_scores(folder, "doushouqi", "--material", "Lr")
    compare_scores(folder + "p", "phutball", "--board", "3x3")


def lies_between(found, bounds, *what):
    low, high = numpy.asarray(bounds).T
    expect(((low - 1e-9 <= found) & (found <= high + 1e-9)).all(), "outside the bounds:", *what)


def oca(folder):
    """Chances to win of both seats and turns, at every position; its seat to roll comes first."""
    build(folder, "--players", "2", "--quiet", "--width", "1e-9", game="oca")
    export(folder + ".graph", "oca", "--players", "2", "--graph", "prism")
    tables = tables_of(folder, "oca")
    win, labels = solve_model(folder + ".graph", label="win_1")
    turns, _ = solve_model(folder + ".graph", reward="turns")
    positions = slices(folder + ".graph")["2"][1]
    lies_between(win[0:2 * positions:2], tables.slice("2").bounds(), "win-1")
    start = tables.probe("oca:0,0/1")
    expect(labels["init"] == [2 * start.index], labels["init"], start.index)
    known = {quantity.name: quantity for quantity in start.quantities}
    for name, value in ("win-1", win), ("turns", turns):
        lies_between(value[labels["init"]], [[known[name].lower, known[name].upper]], name)
    other = win[1:2 * positions:2]  # as seen from seat 2, which is to roll
    expect(abs(other[start.index] + win[2 * start.index] - 1) < 1e-9, "seat 2 begins")


def compare_asesina(folder, rules, tokens):
    """From the model, and from the list of edges."""
    options = ["--rules", rules, "--tokens", tokens]
    build(folder, *options, "--quiet", "--width", "1e-9", game="oca-asesina")
    export(folder + ".model", "oca-asesina", *options, "--graph", "prism")
    files = export(folder + ".graph", "oca-asesina", *options, "--graph", "csv")
    found, _ = solve_model(folder + ".model", label="score_1")
    first, aim, chance, to, gain = columns(folder + ".graph/edges.csv", "from", "aim", "chance", "to", "score-1")
    rolls, = columns(folder + ".graph/edges.csv", "roll"),
    values = numpy.zeros(files["edges.csv"]["positions"])
    starts = numpy.flatnonzero(numpy.r_[True, (numpy.diff(first) != 0) | (numpy.diff(rolls) != 0)])
    owners, target = first[starts].astype(int), numpy.where(numpy.isnan(to), 0, to).astype(int)
    for _ in range(5000):
        worth = gain + numpy.where(numpy.isnan(to), 0, values[target])
        best = numpy.where(aim[starts] > 0, numpy.maximum.reduceat(worth, starts), numpy.minimum.reduceat(worth, starts))
        values = numpy.bincount(owners, chance[starts] * best, len(values))
    tables = tables_of(folder, "oca-asesina", rules)
    for name, (begin, positions) in slices(folder + ".graph").items():
        bounds = numpy.asarray(tables.slice(name).bounds())
        here = (first >= begin) & (first < begin + positions)
        played, at = numpy.unique(first[here].astype(int), return_index=True)
        second = aim[here][at] < 0  # tables have what the seat to roll expects
        for what, of in ("edges", values), ("model", found):
            lies_between(numpy.where(second, 1 - of[played], of[played]), bounds[played - begin], what, "of", name)


def oca_asesina(folder):
    compare_asesina(folder, "board=20", "1")


def oca_asesina_with_choices(folder):
    compare_asesina(folder, BOARD_5, "2")


def check_models(folder, *models):
    """Chances of every choice add up to 1, sizes are those said, and states are listed in order."""
    for game, *options in models:
        to = folder + game + options[1]
        export(to, game, *options, "--graph", "prism")
        rows, labels, _ = read_model(to)
        with open(to + "/model.tra", encoding="ascii") as file:
            head = [int(word) for word in file.readline().split()]
        pairs, place = numpy.unique(rows[:, :2], axis=0, return_inverse=True)
        expect(abs(numpy.bincount(place.ravel(), rows[:, 3]) - 1).max() < 1e-12, game, "chances")
        expect(head == [rows[:, 0].max() + 1, *([len(pairs)] if len(head) == 3 else []), len(rows)], game, head)
        expect((numpy.diff(rows[:, 0]) >= 0).all() and rows[:, 2].max() < head[0], game, "states")
        with open(to + "/model.sta", encoding="ascii") as file:
            numbers = [int(line.partition(":")[0]) for line in list(file)[1:]]
        expect(numbers == list(range(head[0])), game, "list of states")
        expect(len(labels["init"]) == 1 and "deadlock" not in labels, game, list(labels))


def small_models_are_one(folder):
    check_models(folder, ("oca", "--players", "2"), ("oca-asesina", "--rules", BOARD_7, "--tokens", "2"),
                 ("oca-asesina", "--rules", BOARD_7 + ",players=3"))


def models_are_one(folder):
    leave_to_check()
    check_models(folder, ("oca", "--players", "3"), ("oca-asesina", "--board", "20", "--tokens", "2"),
                 ("oca-asesina", "--rules", "board=20,players=3"))


def errors(folder):
    refused = run("export", "auale", "--seeds", "2", "--graph", "prism", "--to", folder + "g", exit_code=64).stderr
    expect("no dice" in refused and "--graph csv" in refused and not os.path.exists(folder + "g/model.tra"), refused)
    for words in (["--npy"], ["--format", "npy"], ["--depth"], ["--level", "3"]):
        run("export", "auale", "--seeds", "2", "--graph", "csv", *words, "--to", folder + "g", exit_code=64)
    run("export", "auale", "--seeds", "2", "--graph", "dot", "--to", folder + "g", exit_code=64)
    run("export", "auale", "--seeds", "2", "--graph", "csv", "--to", "/proc/none", exit_code=74)
    full = run("export", "auale", "--seeds", "6", "--graph", "csv", "--to", folder + "f", exit_code=69,
               before=["sh", "-c", 'ulimit -f 100; exec "$@"', "sh"])
    expect(not os.listdir(folder + "f"), full.stderr, os.listdir(folder + "f"))


run_cases([awari, awari_of_ten_seeds, outcomes, oca, oca_asesina, oca_asesina_with_choices, small_models_are_one,
           models_are_one, errors])
