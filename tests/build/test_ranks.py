#!/usr/bin/env python3
"""Tables of `tauler build` depend on nothing but the request: any number of ranks and threads, any size of
messages, memory that suffices or not, at once or in steps; and ranks refuse with one voice."""
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from building import CHECK, LONG, TAULER, TESTS, Skip, expect, leave_to_check, run, run_cases, table_path, tables
from launching import (contents, events, expect_same_files, follow_figures, implementation, launch, launch_build,
                       launcher)

BUILD = os.environ.get("TAULER_BUILD", "build")
# The other folders of builds: suites, and other variants.
OTHERS = ("arm64", "mpich", "tests", "asan", "tsan", "fuzz", "mutant", "coverage", "clang", "bare")
SEEDS = {"tiles": 10 if LONG else 9, "retrograde": 8 if LONG else 6}
RULES = {"awari": ["--rules", "awari"], "abapa": ["--rules", "abapa", "--cycles", "forced"]}
GRANDER = {"captures": ["--rules", "awari,grand-slam=captures"]} if LONG else {}


def request(rules, engine="tiles", depth=True, fewer=0):
    return [*{**RULES, **GRANDER}[rules], "--engine", engine, "--seeds", str(SEEDS[engine] - fewer),
            *(["--depth"] if depth else [])]


@functools.lru_cache(maxsize=None)
def alone(*options):
    """Lines and files of one process without a launcher."""
    with tempfile.TemporaryDirectory(prefix="tauler-alone.") as folder:
        done = run("build", "auale", "--db", folder, "--quiet", "--threads", "2", *options)
        return done.stdout, contents(folder)


def expect_same(ranks, folder, options, *settings, program=TAULER, **extra):
    """A build from nothing prints the same lines and leaves the same files as one process."""
    done = launch_build(ranks, folder, *options, *settings, "--quiet", program=program, **extra)
    lines, files = alone(*options)
    what = (ranks, "ranks", *options, *settings)
    expect(done.output == lines, *what, "printed", done.output, "instead of", lines)
    expect(done.said() == [], *what, done.errors)
    expect_same_files(folder, files, *what)
    shutil.rmtree(folder)


def matrix(short):
    """Combinations of ranks, threads and sizes of messages: all, or the few that are given."""
    whole = [(ranks, threads, buffer) for ranks in (1, 2, 3, 4) for threads in (1, 2) for buffer in ("1K", None)]
    return whole if LONG else short


def run_matrix(folder, combinations, options, **extra):
    for ranks, threads, buffer in combinations:
        settings = ["--threads", str(threads), *(["--buffer", buffer] if buffer else [])]
        expect_same(ranks, f"{folder}-{ranks}-{threads}-{buffer}", options, *settings, **extra)


def awari_in_shares(folder):
    run_matrix(folder, matrix([(2, 1, "1K"), (4, 1, None), *([(1, 2, None)] if CHECK else [])]), request("awari"))


def abapa_in_shares(folder):
    run_matrix(folder, matrix([(3, 1, "1K"), *([(2, 2, None)] if CHECK else [])]), request("abapa"))


def the_general_engine_in_shares(folder):
    leave_to_check()
    for rules, short in (("awari", [(2, 1, "1K")]), ("abapa", [(3, 1, None)])):
        run_matrix(folder + rules, matrix(short), request(rules, "retrograde"))


def other_rule_sets_in_shares(folder):
    if not LONG:
        raise Skip("TAULER_LONG is not set")
    for rules in GRANDER:
        for engine in SEEDS:
            run_matrix(folder + rules + engine, [(2, 1, "1K"), (3, 2, None)], request(rules, engine))


def without_depths(folder):
    for ranks in (2, 3) if LONG else (2,):
        for rules in RULES if CHECK else ("abapa",):
            expect_same(ranks, folder, request(rules, depth=False))


def more_ranks_than_tiles(folder):
    expect_same(7 if LONG else 5, folder, [*RULES["awari"], "--seeds", "2", "--depth"])
    expect_same(4, folder, [*RULES["awari"], "--seeds", "2", "--depth", "--engine", "retrograde"])


# --- on the disk -----------------------------------------------------------------------------------------

def spills(ranks, folder, options, *settings):
    """A build with the least memory, which puts something aside on the disk; and none with a byte less."""
    options = [*options, "--threads", "1"]
    least, done = follow_figures(ranks, folder, *options, *settings, "--log-json")
    plans = [event for event in events(done.errors) if event["event"] == "plan"]
    expect(len(plans) == 1 and plans[0]["on_disk"] > 0, ranks, "ranks: nothing waits on the disk:", plans)
    expect_same_files(folder, alone(*options)[1], ranks, "ranks with", least, "bytes")
    shutil.rmtree(folder)
    refused = launch_build(ranks, folder, *options, *settings, "--memory", str(least - 1), exit_code=69)
    expect(tables(folder) == [] and refused.complaint(), refused.errors)
    shutil.rmtree(folder)


def shares_wait_on_the_disk(folder):
    spills(0, folder, [*RULES["abapa"], "--seeds", "10", "--depth"])
    if CHECK:
        spills(0, folder, [*RULES["abapa"], "--seeds", "12", "--depth"])  # whole slices would take a fifth more
    if LONG:
        spills(0, folder, [*RULES["abapa"], "--seeds", "13", "--depth"])
        spills(0, folder, [*RULES["abapa"], "--seeds", "15", "--depth"])
        spills(0, folder, [*RULES["awari"], "--seeds", "14"], "--buffer", "1K")
        spills(0, folder, [*RULES["abapa"], "--seeds", "14", "--depth", "--engine", "retrograde"])


def smaller_slices_wait_on_the_disk(folder):
    spills(2, folder, request("awari"))
    if LONG:
        for rules in RULES:
            for engine in SEEDS:
                spills(2, folder, request(rules, engine))
        spills(3, folder, request("abapa"), "--buffer", "1K")
        spills(2, folder, [*RULES["abapa"], "--seeds", "13", "--depth"])


# --- in steps --------------------------------------------------------------------------------------------

def builds_in_steps(folder, rules, engine, numbers, depth_later=False):
    """Up to N on some ranks, N + 2 on others, which have the tables that are there back in shares."""
    right = alone(*request(rules, engine))[1]
    first, second = numbers
    launch_build(first, folder, *request(rules, engine, fewer=2, depth=not depth_later), "--quiet")
    before = contents(folder)
    expect(before.items() < right.items(), "not the beginning of the same tables:", sorted(before))
    done = launch_build(second, folder, *request(rules, engine), "--quiet", "--json")
    kept = sum(not line["built"] for line in done.lines())
    expect(kept == len(before), len(before), "tables were there, kept are", kept)
    expect_same_files(folder, right, rules, engine, numbers, depth_later)
    done = launch_build(3 - min(second, 2), folder, *request(rules, engine), "--quiet", "--json")
    expect(not any(line["built"] for line in done.lines()), "tables were made again")
    shutil.rmtree(folder)


def tables_are_taken_up_by_other_ranks(folder):
    leave_to_check()
    for numbers in [(2, 1), (1, 4), (3, 2), (0, 3), (2, 0), (4, 4)] if LONG else [(2, 3), (0, 2)] if CHECK else [(2, 3)]:
        builds_in_steps(folder, "abapa", "tiles", numbers)
        if LONG:
            builds_in_steps(folder, "awari", "tiles", numbers)
            builds_in_steps(folder, "awari", "retrograde", numbers)
            builds_in_steps(folder, "abapa", "retrograde", numbers)
    if not LONG:
        builds_in_steps(folder, "awari", "retrograde", (0, 2))


def depths_are_added_by_other_ranks(folder):
    for rules, engine in [(r, e) for r in RULES for e in SEEDS] if LONG else [("abapa", "tiles"), ("awari", "retrograde")]:
        for numbers in [(1, 3), (4, 2), (2, 0), (0, 2)] if LONG else [(0, 2)]:
            builds_in_steps(folder, rules, engine, numbers, depth_later=True)


def a_lost_table_is_made_again(folder):
    options = request("abapa")
    right = alone(*options)[1]
    launch_build(0, folder, *options, "--quiet")
    for stream in ("lower", "depth-upper"):
        os.remove(table_path(folder, SEEDS["tiles"] - 2, stream, "abapa", "forced"))
        launch_build(2, folder, *options, "--quiet")
        expect_same_files(folder, right, "after", stream, "was lost")


# --- what is refused -------------------------------------------------------------------------------------

def the_log_says_how_even_shards_are(folder):
    leave_to_check()
    seeds = 12 if CHECK else 11
    done = launch_build(4, folder, "--seeds", str(seeds), "--threads", "1", "--log-json")
    said = re.findall(r"slice (\d+) in 4 shards, the largest ([0-9.]+) times the mean", done.errors)
    expect([int(number) for number, _ in said] == list(range(seeds + 1)), "slices with a load:", said)
    expect(1 <= float(said[-1][1]) < (1.05 if CHECK else 1.1), "the largest of four shards:", said[-1])


def damage_is_said_once(folder):
    options = [*request("awari"), "--quiet"]
    launch_build(0, folder, *request("awari", fewer=1), "--quiet")
    path = table_path(folder, SEEDS["tiles"] - 2)
    with open(path, "rb") as file:
        content = file.read()
    # A cell's frame is read late, by whichever rank it falls to; head and end are read by the first.
    for at in (8, len(content) // 2, len(content) - 5):
        with open(path, "wb") as file:
            file.write(content[:at] + bytes([content[at] ^ 0x01]) + content[at + 1:])
        for ranks in (1, 3) if LONG else (3,):
            done = launch_build(ranks, folder, *options, exit_code=65)
            expect(len(done.said()) == 1 and path in done.said()[0], "byte", at, "was told so:", done.errors)
        expect(not os.path.exists(table_path(folder, SEEDS["tiles"])), "built on a damaged table")


def what_cannot_be_written_is_said_once(folder):
    with open(folder, "w", encoding="utf-8") as file:
        file.write("in the way\n")
    done = launch_build(3, folder, "--seeds", "3", exit_code=74)
    expect(len(done.said()) == 1 and folder in done.said()[0] and done.output == "", done.errors)
    if os.path.exists("/dev/full"):
        done = launch(2, "sh", "-c", '[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" != 0 ] || exec >/dev/full; exec "$@"', "sh",
                      TAULER, "build", "auale", "--db", folder + "-full", "--seeds", "5", "--quiet")
        expect(done.status in (69, 74) and len(done.errors.splitlines()) > 0, done.status, done.errors)
        launch_build(2, folder + "-full", "--seeds", "5", "--quiet")


def too_many_ranks_without_mpi(folder):
    """The program linked once more, without message passing; from the same objects otherwise."""
    if implementation() == "none":
        program = TAULER
    else:
        program = link_without_mpi(os.path.dirname(folder))
        expect(implementation(program) == "none", "linked with MPI all the same")
    for ranks, words in ({"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}, "without MPI"), \
            ({"PMI_SIZE": "3", "PMI_RANK": "0"}, "without MPI"):
        done = launch_build(0, folder, "--seeds", "3", program=program, exit_code=64, **ranks)
        expect(len(done.said()) == 1 and words in done.errors and done.output == "", done.errors)
    done = launch(0, program, "bench", "ranks")
    expect(done.status == 64 and "make MPI=1" in done.errors and done.output == "", done.errors)
    if implementation() != "none":
        done = launch_build(2, folder, "--seeds", "3", program=program, exit_code=64)
        # Ranks that know nothing of each other may all say it.
        expect(len(set(done.said())) == 1 and "without MPI" in done.errors, done.errors)
        expect_same(1, folder, request("awari"), program=program)
    expect_same(0, folder, request("awari"), program=program)


def link_without_mpi(folder):
    try:
        with open(os.path.join(BUILD, "flags"), encoding="utf-8") as file:
            compiler, libraries = (part.split() for part in file.read().split("|"))
        with open(os.path.join(BUILD, "http"), encoding="utf-8") as file:
            libraries += file.read().split("|")[1].split()
    except OSError as missing:
        raise Skip(f"{BUILD} is not known to hold the program's objects") from missing
    names = ["tauler", "explorer_files", "command_texts", "*/command_*", "*/*/command_*", "*/*/*/command_*",
             "analysis/serve/daemon/daemon*"]
    objects = [path for name in names for path in glob.glob(f"{BUILD}/{name}.o")
               if not any(os.path.join(BUILD, other, "") in path for other in OTHERS)]
    program = os.path.join(folder, "tauler-without-mpi")
    subprocess.run([*compiler, "parallel/comm_mpi.c", *objects, f"{BUILD}/product.a", *libraries, "-o", program],
                   check=True, cwd=os.path.join(TESTS, ".."))
    return program


def the_other_compiler(folder):
    if not LONG:
        raise Skip("TAULER_LONG is not set")
    if not shutil.which("clang"):
        raise Skip("clang is missing")
    launcher()
    done = subprocess.run(["make", "-s", "SETUP=no", "CC=clang", "VARIANT=", f"BUILD={folder}", f"{folder}/tauler"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
                          cwd=os.path.join(TESTS, ".."))
    expect(done.returncode == 0, "clang's build:", done.stdout)
    program = os.path.join(folder, "tauler")
    for rules in RULES:
        for engine in SEEDS:
            run_matrix(folder + rules + engine, [(0, 2, None), *matrix([])], request(rules, engine), program=program)


run_cases([awari_in_shares, abapa_in_shares, the_general_engine_in_shares, other_rule_sets_in_shares, without_depths,
           more_ranks_than_tiles, shares_wait_on_the_disk, smaller_slices_wait_on_the_disk,
           tables_are_taken_up_by_other_ranks, depths_are_added_by_other_ranks, a_lost_table_is_made_again,
           the_log_says_how_even_shards_are, damage_is_said_once, what_cannot_be_written_is_said_once,
           too_many_ranks_without_mpi, the_other_compiler])
