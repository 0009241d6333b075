#!/usr/bin/env python3
"""Tables that were proven have the digests of tests/oracles/digests.csv, whatever builds them."""
import shutil
import sys

sys.dont_write_bytecode = True
from building import CHECK, LONG, RETROGRADE, TAULER, build, digests, expect, golden_digests, leave_to_check, request, run_cases
from launching import events, follow_figures, launch, launch_build

GAMES = ("auale", "doushouqi", "phutball", "oca", "oca-asesina")
OVER_RANKS = [("auale", "abapa", "even", "--seeds 8 --depth"), ("auale", "abapa", "own-row", "--seeds 6 --depth"),
              ("doushouqi", "base", "", "--pieces 2"), ("phutball", "base", "", "--board 5x3"),
              ("oca-asesina", "base,board=63", "", "--tokens 1")]
IN_LITTLE_MEMORY = ("auale", "abapa", "forced", "--seeds 12 --depth")

GOLDEN = golden_digests("digests.csv") | (golden_digests("digests-long.csv") if LONG else {})
SMALL = [place for place in GOLDEN if LONG or "--seeds 12" not in place[3]]
SOME = SMALL if CHECK else SMALL[::3]


def expect_golden(place, found, *what):
    golden = GOLDEN[place]
    wrong = sorted(key for key in golden.keys() | found.keys() if golden.get(key) != found.get(key))
    expect(not wrong, len(wrong), "tables are others:", *request(place), *what, wrong[:10])


def builds_all(folder, places, *settings):
    expect(places, "no digests to compare with")
    for place in places:
        game, *options = request(place)
        expect_golden(place, digests(build(folder, *options, *settings, "--quiet", game=game)), *settings)
        shutil.rmtree(folder)


def of_game(game):
    def case(folder):
        builds_all(folder, [place for place in GOLDEN if place[0] == game], "--threads", "1")
    case.__name__ = "digests_of_" + game.replace("-", "_")
    return case


def two_threads_change_nothing(folder):
    leave_to_check()
    builds_all(folder, SOME, "--threads", "2")


def serves(place):
    """Whether the retrograde engine does, which is not the game's first."""
    return place[0] in ("auale", "doushouqi", "phutball") and "own-row" not in place[2]


def the_retrograde_engine_changes_nothing(folder):
    leave_to_check()
    builds_all(folder, [place for place in SOME if serves(place)], *RETROGRADE)


def two_ranks_change_nothing(folder):
    for place in OVER_RANKS:
        game, *options = request(place)
        for settings in ((), RETROGRADE) if LONG and serves(place) else ((),):
            done = launch(2, TAULER, "build", game, *options, *settings, "--db", folder, "--json", "--quiet",
                          "--threads", "1")
            expect(done.status == 0, "exit code", done.status, *request(place), done.errors)
            expect_golden(place, digests(done.lines()), *settings, "with two ranks")
            shutil.rmtree(folder)


def little_memory_changes_nothing(folder):
    """Shards wait on the disk; with the least memory, which a refusal names, that takes ten times as long."""
    _, *options = request(IN_LITTLE_MEMORY)
    options += ["--threads", "1", "--json"]
    done = launch_build(0, folder, *options, "--memory", "18M", "--log-json")
    expect(any(event["event"] == "plan" and event["on_disk"] > 0 for event in events(done.errors)), done.errors)
    expect_golden(IN_LITTLE_MEMORY, digests(done.lines()), "with shards on the disk")
    shutil.rmtree(folder)
    for ranks in (0, 2) if LONG else (0,) if CHECK else ():
        memory, done = follow_figures(ranks, folder, *options, "--quiet")
        expect_golden(IN_LITTLE_MEMORY, digests(done.lines()), "with", memory, "bytes and", ranks, "ranks")
        shutil.rmtree(folder)


def own_row_has_two_engines(folder):
    """Without stages slices are solved in tiles, with them by the engine repetition: the same values."""
    leave_to_check()
    place = ("auale", "abapa", "own-row", "--seeds 6 --depth")
    game, *options = request(place)
    options.remove("--depth")
    for ranks, settings in ((0, ()), (0, ("--engine", "repetition")), (2, ())):
        done = launch(ranks, TAULER, "build", game, *options, *settings, "--db", folder, "--json", "--quiet",
                      "--threads", "1")
        expect(done.status == 0, "exit code", done.status, done.errors)
        wrong = [key for key, digest in digests(done.lines()).items() if GOLDEN[place][key] != digest]
        expect(done.lines() and not wrong, ranks, settings, "other values:", wrong)
        shutil.rmtree(folder)


run_cases([*map(of_game, GAMES), own_row_has_two_engines, two_threads_change_nothing, the_retrograde_engine_changes_nothing,
           two_ranks_change_nothing, little_memory_changes_nothing])
