#!/usr/bin/python3
# Tier: make check
"""Searching above the tables: what is said of positions whose tables are hidden, against those tables."""
import atexit
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile

import building
from building import CHECK, LONG, TAULER, environment, expect, run, run_cases

SHARED = tempfile.mkdtemp(prefix="tauler-search.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
FULL_SIZE = "/".join(["15"] * 9 + ["7o7"] + ["15"] * 9) + " O"


def built(name, game, *options):
    folder = os.path.join(SHARED, name)
    if not os.path.isdir(folder):
        run("build", game, "--quiet", "--db", folder, *options)
    return folder


def hide(folder, name, is_kept):
    """A copy of a folder of tables with only some of its slices."""
    hidden = os.path.join(SHARED, name)
    for where, _, names in os.walk(folder):
        into = os.path.join(hidden, os.path.relpath(where, folder))
        os.makedirs(into, exist_ok=True)
        for file in names:
            if is_kept(file.split(".")[0]):
                shutil.copy(os.path.join(where, file), into)
    return hidden


def probe(folder, game, options, positions, search=()):
    done = subprocess.run([TAULER, "probe", game, "--json", "--db", folder, *options, *search],
                          input="".join(p + "\n" for p in positions), text=True, capture_output=True, check=False,
                          env=environment(), timeout=building.SECONDS)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    expect(done.returncode == 0 and len(lines) == len(positions), "exit code", done.returncode, done.stderr[-500:])
    return lines


def within(inner, outer):
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def compare(what, full, hidden, game, options, positions, work):
    """Bounds of a search hold what tables say; returns how many positions became exact."""
    truth = probe(full, game, options, positions)
    found = probe(hidden, game, options, positions, ("--search-positions", str(work), "--memory", "2M"))
    exact = searched = 0
    for true, is_ in zip(truth, found):
        if "search" not in is_:
            expect(is_["bounds"] == true["bounds"], what, true["position"], is_["bounds"], "not", true["bounds"])
            continue
        searched += 1
        expect(within(true["bounds"], is_["bounds"]), what, true["position"], is_["bounds"], "not", true["bounds"])
        expect(is_["search"]["proven"] == (is_["bounds"][0] == is_["bounds"][1]), what, is_)
        expect(is_["search"]["nodes"] <= work, what, is_["search"])
        expect(is_["category"] in ("unknown", true["category"]), what, true["position"], is_["category"])
        worths = {move["move"]: move["bounds"] for move in true["moves"]}
        expect(worths.keys() == {move["move"] for move in is_["moves"]}, what, true["position"], "moves")
        for move in is_["moves"]:
            expect(within(worths[move["move"]], move["bounds"]), what, true["position"], move["move"], move["bounds"],
                   "not", worths[move["move"]])
            expect(not move["best"] or worths[move["move"]] == max(worths.values()), what, true["position"],
                   move["move"], "is not the best")
        proven = [move["move"] for move in is_["moves"] if move["best"]]
        if all(move["value"] is not None for move in is_["moves"]):
            expect(len(proven) == list(worths.values()).count(max(worths.values(), default=None)), what,
                   true["position"], "only", proven, "are the best")
        exact += is_["search"]["proven"]
    print(f"# {what}: {exact} of {searched} exact", flush=True)
    return exact, searched


def boards(seeds):
    """All boards that a move may lead to, South to move."""
    for bars in itertools.combinations(range(seeds + 11), 11):
        cuts = (-1, *bars, seeds + 11)
        pits = [after - before - 1 for before, after in zip(cuts, cuts[1:])]
        if 0 in pits[6:]:
            yield "-".join(map(str, pits)) + "-0-0-S"


def some_boards(seeds, n, random_):
    all_ = list(boards(seeds))
    return all_ if n >= len(all_) else random_.sample(all_, n)


def auale(what, rules, cycles, largest, kept, asked, n, work):
    options = ("--rules", rules, "--cycles", cycles)
    full = built(f"auale-{rules}-{cycles}-{largest}", "auale", "--seeds", str(largest), *options)
    hidden = hide(full, f"{what}-hidden", lambda name: int(name) in kept)
    random_ = random.Random(what)
    positions = [board for seeds in asked for board in some_boards(seeds, n, random_)]
    return compare(what, full, hidden, "auale", options, positions, work)


def every_small_board(_):
    """With no table at all: much is decided by cycles, and with enough work every value is found."""
    for rules in ("awari", "awari,grand-slam=captures", "abapa"):
        exact, searched = auale(f"small-{rules}", rules, "even", 3, (), (1, 2, 3), 1000, 40000)
        expect(exact == searched > 300, rules, exact, "of", searched)


def hidden_boards(_):
    """Every cycle rule that has bounds for a search."""
    for what, rules, cycles in (("even", "awari", "even"), ("captures", "awari,grand-slam=captures", "even"),
                                ("even-abapa", "abapa", "even"), ("forced", "abapa", "forced"),
                                ("forced-awari", "awari", "forced"), ("own-row", "abapa", "own-row"),
                                ("own-row-awari", "awari", "own-row")):
        exact, searched = auale(what, rules, cycles, 7, range(5), (5, 6, 7), 1000 if LONG else 70 if CHECK else 20, 4000)
        expect(exact > searched // 5, what, exact, "of", searched)


def tables_with_a_gap_below(_):
    """A cell that a table leaves out is open where the slice that gives it back is not there."""
    for rules, cycles in (("awari", "even"), ("abapa", "own-row")):
        exact, searched = auale(f"gap-{rules}", rules, cycles, 7, (0, 1, 2, 5, 6), (7,), 1000 if LONG else 100 if CHECK else 30, 2000)
        expect(exact > searched // 20, rules, exact, "of", searched)


def animals(random_):
    """A position of three animals."""
    squares = {}
    for letter in random_.sample("ctdwplerCTDWPLER", 3):
        water = [(rank, file) for rank in range(3, 6) for file in (1, 2, 4, 5)]
        free = [(rank, file) for rank in range(9) for file in range(7)
                if (rank, file) not in squares and (rank, file) not in ((0, 3), (8, 3))
                and (letter in "rR" or (rank, file) not in water)]
        squares[random_.choice(free)] = letter
    rows = []
    for rank in reversed(range(9)):
        row = "".join(squares.get((rank, file), "1") for file in range(7))
        for n in range(7, 1, -1):
            row = row.replace("1" * n, str(n))
        rows.append(row)
    return "/".join(rows) + random_.choice((" w", " b"))


def hidden_animals(_):
    """Three animals, those of two being known."""
    for rules in ("base", "liacs") if CHECK else ("liacs",):
        full = built(f"animals-{rules}", "doushouqi", "--pieces", "3", "--rules", rules)
        hidden = hide(full, f"animals-{rules}-hidden", lambda name: len(name) < 3)
        random_ = random.Random(rules)
        positions = [position for position in (animals(random_) for _ in range(300))
                     if len({letter.isupper() for letter in position[:-2] if letter.isalpha()}) == 2]
        exact, searched = compare(rules, full, hidden, "doushouqi", ("--rules", rules), positions, 5000)
        expect(exact > searched // 10, rules, exact, "of", searched)


def men(random_, rows, columns):
    """A position of Phutball."""
    points = ["x" if random_.random() < 0.3 else "1" for _ in range(rows * columns)]
    points[random_.randrange(columns, (rows - 1) * columns)] = "o"
    text = "/".join("".join(points[row * columns:(row + 1) * columns]) for row in range(rows))
    for n in range(columns, 1, -1):
        text = text.replace("1" * n, str(n))
    return text + random_.choice((" O", " E"))


def hidden_men(_):
    """Boards of Phutball, with no table of them."""
    for board, flags in (((5, 3), "base"), ((5, 4), "base,corner=exit"),
                         *([((7, 3), "base"), ((5, 4), "base,goal-line=stop")] if CHECK else [])):
        size = "x".join(map(str, board))
        options = ("--rules", flags)
        full = built(f"men-{size}-{flags}", "phutball", "--board", size, *options)
        random_ = random.Random(size + flags)
        positions = [men(random_, *board) for _ in range(150)]
        exact, searched = compare(size, full, os.path.join(SHARED, "empty"), "phutball", options, positions, 3000)
        expect(exact > searched // 3, size, exact, "of", searched)


def one(game, position, *options, exit_code=0):
    done = run("probe", game, "--db", os.path.join(SHARED, "empty"), position, *options, exit_code=exit_code)
    return done.stderr if exit_code else done.stdout


def the_largest_positions(_):
    """Positions far above all tables, within the given time and memory."""
    for game, position, most in (("auale", START, 48), ("doushouqi", "startpos", 1), ("phutball", FULL_SIZE, 1)):
        for seconds in (0.7, 4, 30):  # of which a busy machine may give little
            answer = json.loads(one(game, position, "--search", f"{seconds}s", "--memory", "16M", "--json"))
            expect(seconds - 0.01 < answer["search"]["seconds"] < seconds + 120, game, answer["search"])
            if answer["search"]["nodes"] > 50 and answer["search"]["depth"] >= 1:
                break
        expect(answer["search"]["nodes"] > 50 and answer["search"]["depth"] >= 1, game, answer["search"])
        expect(within(answer["bounds"], [-most, most]) and answer["category"] == "unknown", game, answer["bounds"])
        expect(answer["value"] is None and answer["depth"] is None and answer["table"] is None, game)
        expect(len(answer["moves"]) > 5, game, "has too few moves")
        gained = answer["bounds"] != [-most, most]
        expect(answer["search"]["gained"] == gained, game, answer["search"])
    expect("nothing is proven beyond what the rules give, at least -48" in one("auale", START, "--search-positions", "50"),
           "what the rules give")
    expect("proven: at least" in one("auale", "0-1-0-1-0-2-1-0-1-0-0-1-20-21-S", "--search-positions", "5000"), "bounds")


def a_count_of_positions_repeats(_):
    """The same limit gives the same answer, in whatever memory was asked for."""
    answers = [json.loads(one("auale", "0-1-0-1-0-2-1-0-1-0-0-1-20-21-S", "--search-positions", "20000", "--json"))
               for _ in range(2)]
    for answer in answers:
        del answer["search"]["seconds"]
    expect(answers[0] == answers[1], answers)


def tables_answer_first(_):
    folder = built("few", "auale", "--seeds", "3")
    position = "0-0-1-0-1-0-0-0-1-0-0-0-0-0-S"
    plain = run("probe", "auale", "--db", folder, "--json", position).stdout
    expect(plain == run("probe", "auale", "--db", folder, "--json", position, "--search", "5s").stdout, plain)


def what_cannot_be_searched(_):
    board = "0-1-0-1-0-2-1-0-1-0-0-1-0-0-S"
    abapa = ("--rules", "abapa", "--cycles")
    for game, position, options, words in (
            ("oca", "oca:12,19~2/1", ("--search", "1s"), "game of dice"),
            ("oca-asesina", "0/0 lost=0,0 seat=1", ("--search", "1s"), "game of dice"),
            ("auale", board, (*abapa, "own-row-any", "--search", "1s"), "own-row"),
            ("auale", board, ("--search", "0s"), "needs some time"),
            ("auale", board, ("--search", "soon"), "--search"),
            ("auale", board, ("--search-positions", "0"), "--search-positions"),
            ("auale", board, ("--memory", "1G"), "--search"),
            ("auale", board, ("--search", "1s", "--line"), "--line")):
        said = one(game, position, *options, exit_code=64)
        expect(words in said, said)
    expect("--search" in one("auale", board, "--search", exit_code=64), "a missing time")
    one("auale", "0-1-0-1-S", "--search", "1s", exit_code=65)


def a_line_that_cannot_be_searched_stops_no_others(_):
    """Positions met before count under own-row, so a line with a search is refused; the positions after it are not."""
    board = "0-1-0-1-0-2-1-0-1-0-0-1-0-0-S"
    done = subprocess.run([TAULER, "probe", "auale", "--rules", "abapa", "--cycles", "own-row", "--json",
                           "--db", os.path.join(SHARED, "empty"), "--search-positions", "10"],
                          input=f"{board} moves B\n{board}\n", text=True, capture_output=True, check=False,
                          env=environment(), timeout=building.SECONDS)
    expect(done.returncode == 65, "exit code", done.returncode)
    expect("line 1: " in done.stderr and "without the line" in done.stderr, done.stderr)
    expect([json.loads(line)["position"] for line in done.stdout.splitlines()] == [board], done.stdout)


def tables_answer_where_nothing_is_searched(_):
    """Under own-row-any no search proves anything, and positions of tables have their values all the same."""
    options = ("--rules", "abapa", "--cycles", "own-row-any")
    folder = built("any", "auale", *options, "--seeds", "3")
    inside, above = "0-0-1-0-1-0-0-0-1-0-0-0-0-0-S", "0-1-0-1-0-2-1-0-1-0-0-1-0-0-S"
    command = [TAULER, "probe", "auale", *options, "--json", "--db", folder]
    plain = subprocess.run([*command, inside], text=True, capture_output=True, check=True, env=environment())
    done = subprocess.run([*command, "--search", "1s"], input=f"{inside}\n{above}\n{inside}\n", text=True,
                          capture_output=True, check=False, env=environment(), timeout=building.SECONDS)
    expect(done.returncode == 64 and "line 2: " in done.stderr and "own-row-any" in done.stderr, done)
    expect(done.stdout == 2 * plain.stdout, done.stdout, "not twice", plain.stdout)


def an_interruption_prints_what_is_proven(_):
    for number in (signal.SIGINT, signal.SIGTERM):
        # A shell that runs this in the background may ignore SIGINT.
        process = building.start("probe", "auale", "--db", os.path.join(SHARED, "empty"), START, "--search", "1000s",
                                 "--memory", "16M", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        building.wait_for_work(process, 0.3)
        process.send_signal(number)
        out, _ = process.communicate(timeout=building.SECONDS)
        expect("(searched" in out, out)
        expect(process.returncode == 75, "exit code", process.returncode)


run_cases([every_small_board, hidden_boards, tables_with_a_gap_below, hidden_animals, hidden_men, the_largest_positions,
           a_count_of_positions_repeats, tables_answer_first, what_cannot_be_searched,
           a_line_that_cannot_be_searched_stops_no_others, tables_answer_where_nothing_is_searched, an_interruption_prints_what_is_proven])
