#!/usr/bin/env python3
"""Results as a terminal shows them: lines of every game and command fit 100 columns."""
import os
import sys

sys.dont_write_bytecode = True
from building import expect, run, run_cases

COLUMNS = 100
# Of each game what is built, positions, and what else there is to count.
BUILDS = [
    ("auale", ["--seeds", "9", "--depth"], [], ["0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", "--line"], ["--depths", "--total"]),
    ("auale", ["--seeds", "8", "--depth"], ["--rules", "abapa"], ["0-0-1-0-2-1-1-0-0-2-0-1-20-20-S", "--line"],
     ["--depths", "--total"]),
    ("auale", ["--seeds", "5", "--depth"], ["--rules", "abapa", "--cycles", "own-row"],
     ["0-0-1-0-2-0-1-0-0-1-0-0-20-23-S moves E"], ["--total"]),
    ("auale", ["--seeds", "5"], ["--rules", "awari,grand-slam=captures"], ["0-0-1-0-2-0-1-0-0-1-0-0-20-23-S"], []),
    ("doushouqi", ["--pieces", "2"], [], ["7/7/3e3/7/6L/7/7/7/7 w", "--line"], ["--depths", "--total"]),
    ("doushouqi", ["--material", "Lr"], ["--rules", "liacs"], ["7/7/7/1r5/7/7/2L4/7/7 w"], ["--total"]),
    ("phutball", ["--board", "5x3"], [], ["3/1x1/1o1/3/3 O", "--line"], ["--depths", "--total"]),
    ("oca", ["--players", "2"], [], ["oca:12,19~2/1"], ["--simulate", "1000"]),
    ("oca-asesina", ["--tokens", "2", "--width", "1e-1"], ["--board", "20"], ["0,5/12,0 lost=0,1 seat=1"],
     ["--policies", "--sample", "1000"]),
]
RECORD = "analysis/examples/game.ogn"


def expect_narrow(what, *texts):
    for text in texts:
        for line in text.splitlines():
            expect(len(line) <= COLUMNS, what, "prints", len(line), "columns:", line)


def narrow(*arguments, exit_code=0):
    """Runs the program, whose results are narrow, and returns them."""
    done = run(*arguments, exit_code=exit_code)
    expect(done.stdout, "nothing is printed by", arguments)
    expect_narrow(" ".join(arguments), done.stdout)
    return done


def commands_on_tables(folder):
    for game, sizes, rules, position, counted in BUILDS:
        at = [*rules, "--db", folder]
        for _ in ("built", "kept"):
            built = narrow("build", game, *sizes, *at)
            expect_narrow("build on standard error", built.stderr)
        size = [word for word in sizes if word != "--depth"]
        if "--width" in size:
            size = size[:size.index("--width")]
        narrow("probe", game, *position, *at)
        narrow("stats", game, *size, *at, *counted)
        narrow("stats", game, *size, *at)
        narrow("plan", game, *sizes, *at)
        for form in ([], ["--npy"]):
            narrow("export", game, *size, *at, "--to", folder + ".copies", *form)
    narrow("analyse", RECORD, "--db", folder, "--rules", "abapa")
    narrow("verify", "--db", folder)
    os.remove(os.path.join(folder, "auale/abapa/forced/3.upper.zst"))
    narrow("verify", "auale", "--db", folder, exit_code=66)


def each_digest_stands_on_a_line(folder):
    run("build", "oca", "--players", "1", "--db", folder)
    shown = narrow("probe", "oca", "--players", "1", "--db", folder, "oca:12/1").stdout
    digests = shown[shown.index("\nTable ") + len("\nTable "):].split()
    expect(len(digests) == 6 and all(len(digest) == 32 for digest in digests), shown)


def plans(folder):
    for options in (["auale", "--seeds", "40"], ["auale", "--seeds", "36", "--ranks", "64", "--threads", "16"],
                    ["auale", "--seeds", "30", "--memory", "400M"], ["doushouqi", "--pieces", "6"],
                    ["phutball", "--board", "6x4"], ["oca", "--players", "4"],
                    ["auale", "--seeds", "36", "--ranks", "64", "--memory", "2G", "--disk", "2G"]):
        narrow("plan", *options, "--db", folder, exit_code=None)


def searches(folder):
    for game, position in (("auale", "2-1-3-0-1-2-1-3-0-1-2-2-0-0-S"), ("phutball", "7/7/7/2xxx2/3o3/7/7/7/7 O"),
                           ("doushouqi", "7/7/3e3/7/6L/7/3dT2/7/7 w")):
        shown = narrow("probe", game, position, "--search-positions", "2000", "--db", folder)
        expect("searched" in shown.stdout, shown.stdout)


def games_and_claims(folder):
    narrow("games")
    narrow("claims", "--list")
    for claim in (["auale-abapa-path", "--seeds", "3"], ["doushouqi-rat", "--pieces", "2"], ["oca-well", "--players", "2"],
                  ["oca-asesina-skill", "--tokens", "1"], ["phutball-one-dimension"]):
        narrow("claims", *claim, "--db", folder)


run_cases([commands_on_tables, each_digest_stands_on_a_line, plans, searches, games_and_claims])
