#!/usr/bin/env python3
# Tier: make check
"""Tables of the own-row rule, and of own-row-any, are the same files whoever builds them: ranks that a launcher starts, one process in
memory that does not hold whole slices, at once, in steps or after being stopped; and what a plan says suffices."""
import functools
import glob
import json
import os
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from building import CHECK, LONG, TAULER, Failure, expect, leave_to_check, run, run_cases, tables
from launching import Job, contents, expect_same_files, follow_figures, keeps_exit_codes, launch_build

SEEDS = 9 if LONG else 7
STOPPED_SEEDS = 10 if CHECK else 9


def request(seeds=SEEDS, cycles="own-row"):
    return ["--rules", "abapa", "--cycles", cycles, "--seeds", str(seeds)]


@functools.lru_cache(maxsize=None)
def alone(seeds=SEEDS, cycles="own-row"):
    """Lines and files of one process."""
    with tempfile.TemporaryDirectory(prefix="tauler-alone.") as folder:
        done = run("build", "auale", "--db", folder, "--quiet", "--threads", "1", *request(seeds, cycles))
        return done.stdout, contents(folder)


def expect_same(ranks, folder, *settings, seeds=SEEDS, cycles="own-row"):
    done = launch_build(ranks, folder, *request(seeds, cycles), *settings, "--quiet")
    lines, files = alone(seeds, cycles)
    expect(done.output == lines, ranks, "ranks printed", done.output, "instead of", lines)
    expect_same_files(folder, files, ranks, *settings)


def two_ranks(folder):
    expect_same(2, folder, "--threads", "1", "--buffer", "1K")


def three_ranks(folder):
    leave_to_check()
    expect_same(3, folder, "--threads", "2", seeds=5)


def more_ranks_than_ranges_of_positions(folder):
    leave_to_check()
    expect_same(5, folder, "--threads", "1", seeds=3)


def stages_too(folder):
    """At once, and where only they are missing."""
    with tempfile.TemporaryDirectory(prefix="tauler-alone.") as other:
        run("build", "auale", "--db", other, "--quiet", "--threads", "1", "--depth", *request(5))
        launch_build(2, folder, *request(3), "--threads", "1", "--quiet")
        launch_build(2, folder, *request(5), "--depth", "--threads", "1", "--quiet")
        expect_same_files(folder, contents(other), "stages by two ranks")


def any_history_by_two_ranks(folder):
    leave_to_check()
    expect_same(2, folder, "--threads", "1", "--buffer", "1K", cycles="own-row-any")


def any_history_by_three_ranks(folder):
    """Tables of two ranks stand beside the smaller tables, which are loaded."""
    leave_to_check()
    launch_build(2, folder, *request(4, "own-row-any"), "--threads", "1", "--quiet")
    launch_build(3, folder, *request(6, "own-row-any"), "--threads", "2", "--quiet")
    expect_same_files(folder, alone(6, "own-row-any")[1], "in steps")


def what_ranks_built_is_taken_up_by_others(folder):
    launch_build(2, folder, *request(SEEDS - 2), "--threads", "1", "--quiet")
    before = contents(folder)
    done = launch_build(3, folder, *request(), "--threads", "1", "--quiet", "--json")
    kept = sum(not line["built"] for line in done.lines())
    expect(kept == len(before), len(before), "tables were there, kept are", kept)
    expect_same_files(folder, alone()[1], "in steps")


def the_plan_suffices(folder, cycles="own-row"):
    """The figure of the refusal is that of the plan, or less: plans are made without the tables of moves."""
    asked = request(cycles=cycles)
    least, _ = follow_figures(2, folder, *asked, "--threads", "1")
    expect_same_files(folder, alone(cycles=cycles)[1], "with", least, "bytes")
    shutil.rmtree(folder)
    refused = launch_build(2, folder, *asked, "--threads", "1", "--memory", str(least - 1), exit_code=69)
    expect(tables(folder) == [] and refused.complaint(), refused.errors)
    plan = json.loads(run("plan", "auale", *asked, "--ranks", "2", "--threads", "1", "--json").stdout)
    ample = launch_build(2, folder, *asked, "--threads", "1", "--memory", str(plan["memory"]), "--quiet")
    expect(ample.status == 0, "the plan of", plan["memory"], "bytes does not suffice:", ample.errors)
    scarce = json.loads(run("plan", "auale", *request(12, cycles), "--threads", "1", "--memory", "12M", "--json").stdout)
    expect(not scarce["fits"] and scarce["shares_per_rank"] == 1, "parts of a slice wait on the disk:", scarce)


def the_plan_suffices_on_any_history(folder):
    leave_to_check()
    the_plan_suffices(folder, "own-row-any")


def markers(folder, seeds):
    return {(name, os.stat(name).st_mtime_ns)
            for name in glob.glob(os.path.join(folder, "**", f"{seeds}.*.checkpoint"), recursive=True)}


def stop_inside_a_slice(ranks, folder, seeds, cycles):
    """Asks one rank to stop as soon as a checkpoint is written. Returns whether there was time to."""
    before = markers(folder, seeds)
    with Job(ranks, TAULER, "build", "auale", "--db", folder, *request(seeds, cycles), "--threads", "1", "--checkpoint",
             "0.02s", "--quiet") as job:
        while job.process.poll() is None:
            try:
                written = markers(folder, seeds) - before
            except FileNotFoundError:
                continue
            if written:
                job.signal(signal.SIGTERM, job.ranks()[-1:])
                break
            time.sleep(0.01)
        job.wait()
        expect(job.status in (0, 75) or not keeps_exit_codes(), "exit code", job.status, job.errors)
        return "run the same command again" in job.errors


def go_on_as_others(folder, cycles):
    below = os.path.join(folder, "auale", "abapa", cycles)
    for _ in range(5):
        if cycles == "own-row-any":
            launch_build(2, folder, *request(STOPPED_SEEDS), "--threads", "1", "--quiet")
        stopped = stop_inside_a_slice(2, folder, STOPPED_SEEDS, cycles)
        if stopped and any(".checkpoint" in name for name in contents(below)):
            break
        shutil.rmtree(folder)
    else:
        raise Failure("no build could be stopped inside a slice")
    stop_inside_a_slice(0, folder, STOPPED_SEEDS, cycles)
    done = launch_build(3, folder, *request(STOPPED_SEEDS, cycles), "--threads", "1", "--quiet")
    expect(done.said() == [], done.errors)
    expect_same_files(folder, alone(STOPPED_SEEDS, cycles)[1], "after stops")


def stopped_ranks_go_on_as_others(folder):
    go_on_as_others(folder, "own-row")


def stopped_ranks_go_on_as_others_on_any_history(folder):
    leave_to_check()
    go_on_as_others(folder, "own-row-any")


run_cases([two_ranks, three_ranks, stages_too, any_history_by_two_ranks, any_history_by_three_ranks,
           more_ranks_than_ranges_of_positions, what_ranks_built_is_taken_up_by_others, the_plan_suffices,
           the_plan_suffices_on_any_history, stopped_ranks_go_on_as_others,
           stopped_ranks_go_on_as_others_on_any_history])
