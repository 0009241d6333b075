#!/usr/bin/env python3
"""`tauler build` and `tauler plan` of games of dice: widths, boards, stopping, and what is refused."""
import json
import os
import signal
import sys

sys.dont_write_bytecode = True
from building import SECONDS, build, check_whole, digests, expect, identities, leftovers, run, run_cases, start, tables, wait_for_work

SMALL = ("--board", "20", "--tokens", "1")
BOARD = "games/boards/asesina-20.board"


def asesina(folder, *options, size=SMALL, **settings):
    return build(folder, *size, *options, game="oca-asesina", **settings)


def two_tables_per_quantity(folder):
    lines = asesina(folder)
    expect([(line["slice"], line["stream"]) for line in lines] ==
           [(name, stream) for name in ("1.1-0", "1.0-0") for stream in ("lower", "upper")], lines)
    lines = build(folder, "--players", "2", game="oca")
    quantities = ["win-1", "win-2", "turns", "rolls"]
    expect([line["stream"] for line in lines] == [f"{bound}-{name}" for name in quantities for bound in ("lower", "upper")],
           lines)
    expect(all(line["slice"] == "2" and line["built"] for line in lines), lines)
    check_whole(folder)


def a_smaller_width_replaces_tables(folder):
    wide = asesina(folder, "--width", "1e-4")
    kept = identities(tables(folder))
    expect(not any(line["built"] for line in asesina(folder, "--width", "1e-4")), "tables as wide as asked are built again")
    expect(not any(line["built"] for line in asesina(folder, "--width", "0.1")), "tables nearer than asked are built again")
    expect(identities(kept) == kept, "tables were written again")
    usual = asesina(folder)
    expect(all(line["built"] for line in usual), "tables wider than 1e-9 are kept", usual)
    expect(digests(usual) != digests(wide), "the width makes no difference")
    expect(digests(usual) == digests(asesina(folder + "2")), "tables that were wider before are others")
    expect(digests(usual) == digests(asesina(folder + "3", "--width", "1e-9")), "1e-9 is not the default")


def what_cannot_be_reached_is_said_once(folder):
    done = run("build", "oca-asesina", *SMALL, "--db", folder, "--width", "1e-14")
    said = "as asked" in done.stderr
    again = run("build", "oca-asesina", *SMALL, "--db", folder, "--width", "1e-14")
    expect(("as asked" in again.stderr) == said, again.stderr)
    expect("built" not in again.stdout, "what cannot be reached is tried again", again.stdout)
    oca = run("build", "oca", "--players", "2", "--db", folder, "--width", "1e-14")
    expect("slice 2: bounds lie up to" in oca.stderr and "1e-14 as asked" in oca.stderr, oca.stderr)


def a_board_is_a_file(folder):
    usual = asesina(folder)
    there = asesina(folder, size=("--board", BOARD, "--tokens", "1"))
    expect(digests(there) == digests(usual) and not any(line["built"] for line in there), there)
    with open(BOARD, encoding="ascii") as file:
        text = file.read()
    own = os.path.join(folder, "own.board")
    with open(own, "w", encoding="ascii") as file:
        file.write(text.replace("labyrinth", "# labyrinth") + "labyrinth none\n")
    other = asesina(folder, size=("--board", own, "--tokens", "1"))
    expect(digests(other) != digests(usual) and all(line["built"] for line in other), other)
    kept = build(folder, "--players", "2", game="oca")
    named = build(folder, "--players", "2", "--board", "games/boards/oca-63.board", game="oca")
    expect(digests(named) == digests(kept) and not any(line["built"] for line in named), named)
    flags = asesina(folder, "--rules", "base,last-turn=off", size=("--board", own, "--tokens", "1"))
    expect(all(line["built"] for line in flags), "the board takes the place of other flags", flags)


def stopping_keeps_all(folder):
    size = ("--board", "63", "--tokens", "1")
    right = digests(asesina(folder + "2", size=size))
    stopped = early = 0
    while True:
        process = start("build", "oca-asesina", *size, "--db", folder, "--json", "--threads", str(1 + stopped % 2))
        # As much as it takes to begin, and more each time: a slow machine may spend all of it on beginning.
        wait_for_work(process, 0.03 + 0.01 * early + 0.001 * stopped)
        process.send_signal(signal.SIGTERM if stopped % 2 else signal.SIGUSR1)
        output, errors = process.communicate(timeout=SECONDS)
        if process.returncode == 0:
            break
        if process.returncode < 0:  # it had only just begun
            early += 1
            expect(early < 200, "it never begins")
            continue
        expect(process.returncode == 75 and "run the same command again" in errors, process.returncode, errors)
        stopped += 1
        expect(stopped < 200, "it comes to no end")
    expect(digests([json.loads(line) for line in output.splitlines()]) == right, "other tables after", stopped, "stops")
    expect(stopped > 0 and not leftovers(folder), stopped, leftovers(folder))


REFUSED = [
    (("oca", "--width", "1e-15"), 64, "1e-14 is the least"),
    (("oca", "--width", "0"), 64, "1e-14 is the least"),
    (("oca", "--width", "-1"), 64, "--width"),
    (("oca", "--width", "nan"), 64, "--width"),
    (("oca", "--width", "narrow"), 64, "--width"),
    (("oca", "--depth"), 64, "has no --depth"),
    (("oca", "--tokens", "1"), 64, "has no --tokens"),
    (("oca", "--players", "5"), 64, "5"),
    (("oca-asesina", "--players", "2"), 64, "has no --players"),
    (("oca-asesina", "--board", "20", "--rules", "base,board=63"), 64, "leave one of them out"),
    (("oca-asesina", "--board", "20", "--rules", "board=20,last-turn=off"), 64, "leave one of them out"),
    (("oca-asesina", "--board", "nowhere/else"), 74, "nowhere/else"),
    (("oca-asesina", "--board", "README.md"), 64, "README.md"),
    (("auale", "--seeds", "2", "--width", "1e-6"), 64, "exact values and no --width"),
    (("auale", "--seeds", "2", "--board", "20"), 64, "has no --board"),
    (("phutball", "--board", "3x3", "--tokens", "1"), 64, "has no --tokens"),
]


def wrong_options_are_refused(folder):
    for options, code, words in REFUSED:
        for command in ("build", "plan"):
            where = ("--db", folder) if command == "build" else ()
            done = run(command, *options, *where, exit_code=code)
            expect(words in done.stderr and not done.stdout, command, *options, "-", done.stderr)
    expect(not tables(folder), "something was built")


def too_little_memory_is_refused_before(folder):
    done = run("build", "oca", "--players", "3", "--db", folder, "--memory", "20M", exit_code=69)
    expect("memory" in done.stderr and not tables(folder), done.stderr)


def plan(*options):
    return json.loads(run("plan", *options, "--json").stdout)


def a_plan_is_what_is_built(folder):
    planned = plan("oca-asesina", *SMALL, "--threads", "1")
    lines = asesina(folder, "--threads", "1", "--memory", str(planned["memory"]))
    expect(planned["positions"] == sum(line["positions"] for line in lines) / 2, planned)
    size = sum(line["bytes"] for line in lines)
    expect(size <= planned["disk"] <= 2 * size, planned["disk"], size)
    expect(planned["fits"] and planned["seconds"] > 0 and planned["shares_per_rank"] == 1, planned)
    expect(planned["network"] == 0, planned)
    four = plan("oca-asesina", *SMALL, "--threads", "1", "--ranks", "4")
    expect(four["memory"] > planned["memory"] and four["network"] > 0, "memory is divided", four)
    text = run("plan", "oca-asesina", *SMALL, "--ranks", "4").stdout
    expect("each holds whole slices" in text, text)


def a_plan_of_three_players_knows_their_sweeps(_):
    """Processor seconds measured once: 3.6 and 7.1, of 181 and 373 sweeps. Last turns say a third of that."""
    for width, seconds in (("1e-3", 3.6), ("1e-9", 7.1)):
        three = ["oca-asesina", "--rules", "players=3,board=20", "--tokens", "1", "--threads", "1", "--width", width]
        planned = plan(*three)["seconds"]
        expect(seconds / 1.5 < planned < seconds * 1.5, width, planned)
    little = ["oca-asesina", "--tokens", "3", "--memory", "4M"]  # too little for a small slice
    for unmeasured in (three, little):
        text = run("plan", *unmeasured).stdout
        expect("earlier builds" in text and "here and now" not in text, text)


if __name__ == "__main__":
    run_cases([two_tables_per_quantity, a_smaller_width_replaces_tables, what_cannot_be_reached_is_said_once,
               a_board_is_a_file, stopping_keeps_all, wrong_options_are_refused, too_little_memory_is_refused_before,
               a_plan_is_what_is_built, a_plan_of_three_players_knows_their_sweeps])
