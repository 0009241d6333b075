#!/usr/bin/env python3
"""`tauler bench` from the outside: its figures agree with the rule book and with each other, and nothing stays."""
import json
import math
import os
import re
import signal
import sys
import time

sys.dont_write_bytecode = True
from building import LONG, SECONDS, TAULER, Skip, build, digests, expect, run, run_cases, start
from launching import keeps_exit_codes, launch, launcher

LONG_ONES = {"large", "animals-four", "animals-large", "boards-large", "oca-large", "oca-asesina-large"}
BY_RANKS = {"ranks"}  # by itself
ORDERED = {2: 160068, 3: 54355896}
LINES = {"moves": [24, 576, 12240, 260099, 5112638], "sowings": [6, 36, 190, 1014, 5219, 27332], "turns": [24, 560, 12596]}


def bench(folder, *arguments):
    """One object per benchmark, by name; the folder is made, and nothing may be left in it."""
    os.makedirs(folder, exist_ok=True)
    done = run("bench", *arguments, "--quiet", "--scratch", folder)
    expect(os.listdir(folder) == [], os.listdir(folder))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    expect(all(line["holds"] is True for line in found), found)
    return {line["benchmark"]: line for line in found}


def names():
    """As the program lists them."""
    words = run("bench", "xylophone", exit_code=64).stderr
    return words[words.index("choose from ") + len("choose from "):].split("\n")[0].split(", ")


def boards(seeds):
    """With an empty pit opposite."""
    return sum(math.comb(n + 11, 11) - math.comb(n + 5, 11) for n in range(seeds + 1))


def close(found, expected):
    """Six digits are printed."""
    return abs(found - expected) <= 1e-5 * expected


def all_that_are_not_long_run_by_themselves(folder):
    found = bench(folder, "--seeds", "6", "--pieces", "2", "--board", "5x3", "--plies", "3", "--players", "2", "--tokens", "1")
    expect(set(found) == set(names()) - LONG_ONES - BY_RANKS, sorted(found))
    for name in ("threads", "awari", "forced", "depths", "verify", "size"):
        expect(found[name]["boards"] == boards(6) and found[name]["seeds"] == 6, found[name])
    expect(found["depths"]["depths"] and not found["awari"]["depths"], found["depths"])
    expect(found["forced"]["cycles"] == "forced" and found["forced"]["tables"] == 14, found["forced"])
    expect(found["verify"]["tables_proven"] == 7, found["verify"])
    expect(found["size"]["level"] == 19 and found["awari"]["level"] == 9, found["size"])
    expect(found["size"]["digest_of_all"] == found["awari"]["digest_of_all"], found["size"])
    expect(found["probe"]["board_median_microseconds"] > 0, found["probe"])


def long_ones_run_when_named(folder):
    found = bench(folder, "--seeds", "6", "--pieces", "2", "--board", "5x3", "--players", "1", "--tokens", "1", "--threads",
                  "2", *LONG_ONES)
    expect(set(found) == LONG_ONES, sorted(found))
    expect([found[name]["threads"] for name in ("large", "animals-four", "animals-large")] == [2, 1, 2], found)
    for name in ("oca-large", "oca-asesina-large"):
        expect([one["threads"] for one in found[name]["builds"]] == [2], found[name])
    expect(found["oca-asesina-large"]["builds"][0]["width_asked"] == 1e-8, found["oca-asesina-large"])
    expect(found["animals-four"]["digest_of_all"] == found["animals-large"]["digest_of_all"], found)


def positions_of(board):
    """Mirror images counted."""
    rows, columns = map(int, board.split("x"))
    return (rows - 2) * columns << (rows * columns - 1)


def check_boards(folder, boards, *arguments):
    """Against builds whose files are counted here."""
    builds = bench(os.path.join(folder, "bench"), "boards", *arguments)["boards"]["builds"]
    expect([one["board"] for one in builds] == boards, builds)
    for one in builds:
        board = one["board"]
        lines = build(os.path.join(folder, board), "--board", board, game="phutball")
        size, stored = sum(line["bytes"] for line in lines), lines[0]["positions"]
        expect(one["tables"] == len(lines) == 2 and one["positions"] == stored, one, lines)
        expect(one["digest"] == digests(lines)[board, "value"], one, lines)
        expect(one["mirrored_positions"] == positions_of(board), one)
        expect(close(one["table_bits_per_position"], 8 * size / stored), one, size)
        expect(close(one["table_bits_per_mirrored_position"], 8 * size / positions_of(board)), one, size)
        expect(close(one["mirrored_positions_per_cpu_second"] / one["positions_per_cpu_second"],
                     positions_of(board) / stored), one)
        expect(one["solving_bytes_per_position_of_largest_slice"] > 1, one)
        expect((one["threads"], one["level"], one["depths"]) == (1, 9, True), one)
        expect(0 < one["solve_cpu_seconds"] <= one["cpu_seconds"], one)


def one_board_of_phutball(folder):
    for board in ("5x3", "4x4", "7x2"):
        check_boards(os.path.join(folder, board), [board], "--board", board)
    expect(bench(folder + "-large", "boards-large", "--board", "6x3", "--threads", "2")["boards-large"]["builds"][0]["threads"]
           == 2, "threads")


def boards_of_phutball(folder):
    if not LONG:
        raise Skip("long: TAULER_LONG=1")
    check_boards(folder, ["6x4", "8x3"])


def check_animals(folder, pieces):
    """Against a build whose files are counted here."""
    one = bench(os.path.join(folder, "bench"), "animals", "--pieces", str(pieces))["animals"]
    lines = build(folder, "--pieces", str(pieces), game="doushouqi")
    asked = [line for line in lines if len(line["slice"]) == pieces]
    stored = sum(line["positions"] for line in lines if line["stream"] == "value")
    size = sum(line["bytes"] for line in lines)
    expect(one["tables"] == len(lines) and one["positions"] == stored, one, len(lines), stored)
    expect(close(one["table_bits_per_position"], 8 * size / stored), one, size)
    expect(one["ordered_positions"] == ORDERED[pieces], one)
    expect(one["ordered_positions_solved"] == sum(ORDERED[k] for k in range(2, pieces + 1)), one)
    bits = 8 * sum(line["bytes"] for line in asked) / ORDERED[pieces]
    expect(close(one["table_bits_per_ordered_position"], bits), one, bits)
    expect(0 < one["table_bits_per_ordered_position_at_level_19"] <= 1.01 * bits, one)
    rates = one["ordered_positions_per_cpu_second"] / one["positions_per_cpu_second"]
    expect(close(rates, one["ordered_positions_solved"] / stored), one)
    expect(0 < one["solve_cpu_seconds"] <= one["cpu_seconds"], one)


def animals_of_two_pieces(folder):
    check_animals(folder, 2)


def animals_of_three_pieces(folder):
    if not LONG:
        raise Skip("long: TAULER_LONG=1")
    check_animals(folder, 3)


def check_sweeps(one):
    """Every slice is swept as a whole, by sweeps of all kinds or those of bounds alone."""
    largest, everything = one["largest_slice"], one["all_slices"]
    expect(set(largest) == set(everything) == {"potentials", "values", "bounds"}, one)
    for kind, sweeps in largest.items():
        expect(sweeps["updates"] <= everything[kind]["updates"] and sweeps["sweeps"] <= everything[kind]["sweeps"], one)
        expect(sweeps["updates"] % max(sweeps["sweeps"], 1) == 0, one)
        expect((sweeps["sweeps"] > 0) == (sweeps["cpu_seconds"] > 0) == (sweeps["updates"] > 0), one)
    bounds, solving = everything["bounds"], one["solve_cpu_seconds"]
    expect(one["interval_updates"] == bounds["updates"] > 0, one)
    expect(one["updates"] == sum(sweeps["updates"] for sweeps in everything.values()), one)
    expect(sum(sweeps["cpu_seconds"] for sweeps in everything.values()) < solving, one)
    expect(close(one["interval_updates_per_cpu_second"], bounds["updates"] / solving), one)
    expect(close(one["interval_updates_per_cpu_second_of_sweeps"], bounds["updates"] / bounds["cpu_seconds"]), one)
    expect(close(one["updates_per_cpu_second"], one["updates"] / solving), one)


def check_dice(folder, name, options, sizes, quantities):
    """Against builds whose files are counted here."""
    builds = bench(os.path.join(folder, "bench"), name, *options)[name]["builds"]
    expect(len(builds) == len(sizes), builds)
    for one, (game, *size) in zip(builds, sizes):
        where = os.path.join(folder, "-".join(size))
        done = run("build", game, *size, "--threads", "1", "--db", where, "--json")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        stored = sum({line["slice"]: line["positions"] for line in lines}.values())
        expect((one["tables"], one["positions"], one["quantities"]) == (len(lines), stored, quantities), one, lines)
        expect(one["digest"] == lines[-1]["table"] and one[size[0][2:] if size[0] != "--board" else "tokens"] == int(size[-1]), one)
        expect(close(one["table_bits_per_position"], 8 * sum(line["bytes"] for line in lines) / stored), one)
        expect(0 < one["width"] <= one["width_asked"] == 1e-9, one)
        largest = max(line["positions"] for line in lines)
        expect(close(one["solving_bytes_per_position_and_quantity"] * quantities,
                     one["solving_bytes_per_position_of_largest_slice"]), one)
        expect(one["largest_slice"]["bounds"]["updates"] == largest * one["largest_slice"]["bounds"]["sweeps"], one)
        check_sweeps(one)
        said = re.search(r"solved .* \(([0-9.]+) sweeps over each, [0-9.]+ [kMG] updates/s\), wrote", done.stderr)
        expect(said and abs(float(said[1]) - one["updates"] / stored) <= 0.01 * float(said[1]), one, done.stderr)


def bounds_of_oca(folder):
    check_dice(folder, "oca", ("--players", "2"), [("oca", "--players", "2")], 4)
    expect(bench(folder + "-one", "oca", "--players", "1")["oca"]["builds"][0]["positions"] == 70, "a token has 70 statuses")


def bounds_of_oca_asesina(folder):
    check_dice(folder, "oca-asesina", ("--tokens", "1"), [("oca-asesina", "--board", "20", "--tokens", "1")], 1)


def usual_sizes_of_dice(folder):
    if not LONG:
        raise Skip("long: TAULER_LONG=1")
    check_dice(folder, "oca-asesina", (), [("oca-asesina", "--tokens", "1"), ("oca-asesina", "--board", "20", "--tokens", "2")], 1)
    oca = bench(folder + "-oca", "oca")["oca"]["builds"]
    expect([(one["players"], one["quantities"], one["positions"]) for one in oca] == [(2, 4, 70 ** 2), (3, 5, 70 ** 3)], oca)


def lines_of_play_are_as_published(folder):
    for name, published in LINES.items():
        for plies, leaves in enumerate(published, 1):
            one = bench(folder, name, "--plies", str(plies))[name]
            expect(one["leaves"] == leaves and one["plies"] == one["plies_checked"] == plies, one)
            expect(one["made_per_cpu_second"] > 0 and one["counted_per_cpu_second"] > 0, one)
    one = bench(folder, "moves", "--plies", "6")["moves"]
    expect(one["plies_checked"] == 5 and one["leaves"] > 15 * LINES["moves"][-1], one)


def check_curve(output, counts, seeds):
    """Strong scaling and weak scaling, which ends with the same build."""
    lines = [json.loads(line) for line in output.splitlines()]
    expect([(one["benchmark"], one["scaling"], one["ranks"]) for one in lines]
           == [("ranks", scaling, count) for scaling in ("strong", "weak") for count in counts], output)
    strong, weak = lines[:len(counts)], lines[len(counts):]
    expect(all(one["seeds"] == seeds for one in strong) and weak[-1]["seeds"] == seeds, output)
    expect(len({one["digest_of_all"] for one in strong + weak[-1:]}) == 1, output)
    for curve in (strong, weak):
        alone = curve[0]
        for one in curve:
            ranks, logical = one["ranks"], one["logical_seconds"]
            expect(one["holds"] is True and one["boards"] == boards(one["seeds"]), one)
            expect(boards(one["seeds"]) * counts[-1] >= ranks * boards(seeds) or one["seeds"] == seeds, one)
            part = one["boards"] / alone["boards"] * alone["logical_seconds"] / (ranks * logical)
            expect(abs(one["efficiency"] - part) <= 1e-4 * part, one, part)
            expect(close(one["bytes_per_board"], one["bytes_sent"] / one["boards"]), one)
            expect((one["bytes_sent"] > 0) == (one["exchanges"] > 0) == (ranks > 1), one)
            # Each exchange is a packet of every rank, which takes 20 microseconds.
            expect(0 < one["work_cpu_seconds"] <= ranks * (logical + 0.05), one)  # what comes before, too
            expect(one["cpu_seconds"] > 0 and logical >= 2e-5 * one["exchanges"], one)
        expect(alone["efficiency"] == alone["wall_efficiency"] == 1, alone)
        expect(alone["logical_seconds"] <= alone["cpu_seconds"], alone)
    return strong


def ranks_are_measured_by_a_logical_clock(folder):
    launcher()
    os.makedirs(folder)
    one_command = ["bench", "ranks", "--seeds", "6", "--quiet", "--scratch", folder]
    fast = check_curve(run(*one_command, "--ranks", "3", "--latency", "20").stdout, [1, 2, 3], 6)
    slow = check_curve(run(*one_command, "--ranks", "2", "--latency", "1e4", "--bandwidth", "0.001").stdout, [1, 2], 6)
    expect((slow[1]["latency_microseconds"], slow[1]["bandwidth_gbits"]) == (10000, 0.001), slow)
    # More ranks than processors share one.
    for curve in (fast, slow):
        apart = len(os.sched_getaffinity(0)) >= len(curve)
        expect(all(("wall_efficiency" in one) == (apart or one["ranks"] == 1) for one in curve), curve)
    waited = 0.01 * slow[1]["exchanges"]
    expect(slow[1]["logical_seconds"] > waited > 4 * fast[1]["logical_seconds"], slow, fast)
    expect(os.listdir(folder) == [], os.listdir(folder))


def ranks_of_a_launcher_are_all_measured(folder):
    os.makedirs(folder)
    done = launch(2, TAULER, "bench", "ranks", "--seeds", "5", "--quiet", "--scratch", folder)
    expect(done.status == 0, done.status, done.errors)
    check_curve(done.output, [1, 2], 5)
    expect(os.listdir(folder) == [], os.listdir(folder))
    done = launch(2, TAULER, "bench", "ranks", "--quiet", "--scratch", os.path.join(folder, "nowhere"))
    expect(done.status == 74 if keeps_exit_codes() else done.status != 0, done.status, done.errors)
    expect(done.output == "" and done.errors.count("cannot make a folder") == 1, done.errors)


def ranks_that_cannot_be_measured_are_refused(folder):
    for words, arguments in (("no other one", ("ranks", "awari")), ("--latency", ("ranks", "--latency", "-1")),
                             ("--bandwidth", ("ranks", "--bandwidth", "0")), ("--ranks", ("ranks", "--ranks", "0"))):
        message = run("bench", *arguments, exit_code=64).stderr
        expect(words in message, message)
    launcher()
    os.makedirs(folder)
    message = run("bench", "ranks", "--ranks", "2", exit_code=64, env=dict(os.environ, PATH=folder)).stderr
    expect("install the launcher" in message, message)


def help_and_completion_know_every_name(folder):
    page = run("bench", "--help").stdout
    words = " ".join(page.split())
    lines = run("--bash-completion").stdout.splitlines()
    completed = next(line for line in lines if line.strip().startswith("bench:*)")).split("'")[1].split()
    expect(sorted(completed) == sorted(names()) and len(completed) >= 20, completed, names())
    for name in names():
        expect(f" {name}: " in words, "no word about", name)


def sizes_beyond_all_games_are_refused(folder):
    for option, size in (("--pieces", "7"), ("--pieces", "1"), ("--plies", "0"), ("--plies", "13"), ("--seeds", "49"),
                         ("--players", "5"), ("--players", "0"), ("--tokens", "0"), ("--tokens", "4")):
        message = run("bench", option, size, exit_code=64).stderr
        expect(option in message, message)
    for board, words in (("7x7", "48 points"), ("2x2", "fewer than 3 rows"), ("6x", "'6x'")):
        done = run("bench", "boards", "--board", board, exit_code=64)
        expect(words in done.stderr and done.stdout == "", done.stderr)


def a_stopped_benchmark_leaves_nothing(folder):
    os.makedirs(folder)
    running = start("bench", "large", "--quiet", "--scratch", folder)
    while not os.listdir(folder):
        time.sleep(0.01)
    time.sleep(0.3)
    running.send_signal(signal.SIGTERM)
    _, words = running.communicate(timeout=SECONDS)
    expect(running.returncode == 75 and "keeps nothing" in words, running.returncode, words)
    expect(os.listdir(folder) == [], os.listdir(folder))


if __name__ == "__main__":
    run_cases([all_that_are_not_long_run_by_themselves, long_ones_run_when_named, animals_of_two_pieces,
               animals_of_three_pieces, one_board_of_phutball, boards_of_phutball, bounds_of_oca, bounds_of_oca_asesina,
               usual_sizes_of_dice, lines_of_play_are_as_published, ranks_are_measured_by_a_logical_clock,
               ranks_of_a_launcher_are_all_measured, ranks_that_cannot_be_measured_are_refused,
               help_and_completion_know_every_name, sizes_beyond_all_games_are_refused, a_stopped_benchmark_leaves_nothing])
