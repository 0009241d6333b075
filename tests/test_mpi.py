#!/usr/bin/env python3
"""Ranks that a launcher starts reach each other, fail together and end together; a program that was started
without one, or was built without MPI, knows it. Needs a launcher of the MPI that the program is linked with."""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import building
from building import TAULER, Skip, digests, expect, run, run_cases
from launching import environment, implementation, keeps_exit_codes, launch, launcher

HELPER = os.path.join(os.environ.get("TAULER_BUILD", "build"), "tests", "mpi_team")
SECONDS = 60


def travel(ranks, what="checks"):
    done = launch(ranks, HELPER, what)
    expect(done.status == 0, "exit code", done.status, done.output, done.errors)
    expect(sorted(done.output.splitlines()) == [f"rank {rank} of {ranks}: fine" for rank in range(ranks)],
           "not all fine:", done.output, done.errors)


def one_rank_is_a_team(_):
    travel(1)


def two_ranks_reach_each_other(_):
    travel(2)


def four_ranks_reach_each_other(_):
    travel(4)


def more_than_a_message_can_count(_):
    travel(2, "large")


def a_broken_team_ends(_):
    done = launch(3, HELPER, "broken")
    said = re.findall(r"^input or output failed: rank 2 of 3 cannot reach the others: spreading bytes: .*root.*$",
                      done.errors, re.MULTILINE | re.IGNORECASE)
    expect(said, "not said what failed:", done.errors)
    expect("goes on" not in done.errors, "a broken team goes on:", done.errors)
    expect(done.status == 74 if keeps_exit_codes() else done.status != 0, "exit code", done.status)
    expect(done.seconds < 30, "ended after", done.seconds, "s")


def waiting_ranks_end_with_75(_):
    done = launch(3, HELPER, "stall")
    expect(done.output.count("moved") == 3, "ended although something moved:", done.output, done.errors)
    expect(re.search(r"^tauler: rank [01]: nothing has moved for 1 s .*run the same command again$", done.errors,
                     re.MULTILINE), "no word of it:", done.errors)
    expect(done.status == 75 if keeps_exit_codes() else done.status != 0, "exit code", done.status)
    expect(done.seconds < 15, "ended after", done.seconds, "s")


def helper_alone(words, status, **extra):
    done = subprocess.run([HELPER, "lone"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env=environment(**extra), timeout=SECONDS, check=False)
    expect(done.returncode == status, "exit code", done.returncode, done.stderr)
    expect(words in done.stdout + done.stderr, "said", done.stdout, done.stderr)


def without_a_launcher_nothing_starts(_):
    helper_alone("rank 0 of 1: no team", 0)


def another_mpis_launcher_is_refused(_):
    if launcher() and "MPICH" in implementation():
        helper_alone("2 ranks were started but each sees itself alone", 64, OMPI_COMM_WORLD_SIZE="2",
                     OMPI_COMM_WORLD_RANK="1")
    else:
        helper_alone("2 ranks were started but each sees itself alone", 64, PMI_SIZE="2", PMI_RANK="1")


def without_mpi_ranks_are_refused(_):
    if implementation() != "none":
        raise Skip("this tauler was built with MPI")
    helper_alone("built without MPI", 64, OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0")
    helper_alone("no team", 0, OMPI_COMM_WORLD_SIZE="1", OMPI_COMM_WORLD_RANK="0")


def a_mistake_is_said_once(_):
    for mistake, words, status in (["--sedes", "2"], "unknown option --sedes", 64), (["--seeds", "x"], "not x", 64), \
            (["--seeds", "2", "--watchdog", "soon"], "--watchdog soon", 64), \
            (["--seeds", "2", "--db", "/dev/null/db"], "/dev/null", 74):
        done = launch(4, TAULER, "build", "auale", *mistake)
        lines = [line for line in done.errors.splitlines() if line.startswith("tauler build: ")]
        expect(len(lines) == 1 and words in lines[0], mistake, "was said", len(lines), "times:", done.errors)
        expect(done.status == status, "exit code", done.status, "not", status)
        expect(done.output == "", "printed", done.output)


def one_launched_rank_builds(db):
    done = launch(1, TAULER, "build", "auale", "--db", db, "--json", "--seeds", "6", "--quiet")
    expect(done.status == 0, "exit code", done.status, done.errors)
    alone = building.build(db + "-alone", "--seeds", "6")
    expect(digests([building.json.loads(line) for line in done.output.splitlines()]) == digests(alone), "other tables")


def options_of_ranks_are_checked(db):
    for wrong in "1023", "256.1K", "1M", "x", "":
        run("build", "auale", "--seeds", "2", "--db", db, "--buffer", wrong, exit_code=64)
    expect("between 1K and 256K" in run("build", "auale", "--seeds", "2", "--buffer", "1", exit_code=64).stderr)
    run("build", "auale", "--seeds", "2", "--db", db, "--watchdog", "-1", exit_code=64)
    for fine in (["--buffer", "1K"], ["--buffer", "256K"], ["--watchdog", "0s"], ["--watchdog", "1m"]):
        run("build", "auale", "--seeds", "2", "--db", db, *fine)


run_cases([one_rank_is_a_team, two_ranks_reach_each_other, four_ranks_reach_each_other, more_than_a_message_can_count,
           a_broken_team_ends, waiting_ranks_end_with_75, without_a_launcher_nothing_starts,
           another_mpis_launcher_is_refused, without_mpi_ranks_are_refused, a_mistake_is_said_once,
           one_launched_rank_builds, options_of_ranks_are_checked])
