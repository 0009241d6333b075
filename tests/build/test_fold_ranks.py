#!/usr/bin/env python3
# Tier: make check
"""Ranks of one node fold into one: it builds the same tables with what all have, the others sleep, and whatever
happens to any of them ends the job as it should."""
import functools
import os
import re
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from building import CHECK, TAULER, Failure, Skip, expect, leave_to_check, run, run_cases, tables, worked
from launching import (Ended, Job, contents, events, expect_same_files, keeps_exit_codes, launch, launcher,
                       read_process)

REQUEST = ["--rules", "awari", "--seeds", "9", "--depth"]
MOST_SEEDS = 12 if CHECK else 11
LONG_REQUEST = ["--rules", "awari", "--seeds", str(MOST_SEEDS), "--depth", "--engine", "retrograde"]
# A working rank goes on for two seconds until the launcher ends it.
ENDLESS_REQUEST = ["--rules", "awari", "--seeds", "16", "--depth", "--engine", "retrograde"]
TRIES = 8
FOLDED = r"^{} ranks on 1 node run as 1 with {} threads? and {}; --fold=no keeps them apart$"


@functools.lru_cache(maxsize=None)
def alone(*options):
    with tempfile.TemporaryDirectory(prefix="tauler-alone.") as folder:
        done = run("build", "auale", "--db", folder, "--quiet", *options)
        return done.stdout, contents(folder)


def build(db, *options):
    return [TAULER, "build", "auale", "--db", db, *options]


def fold(ranks, db, *options, **extra):
    return launch(ranks, *build(db, *options), fold=True, **extra)


def expect_status(done, status):
    expect(done.status == status or (status and done.status and not keeps_exit_codes()), "exit code", done.status, "not",
           status, "-", done.errors)


def expect_said(done, *figures):
    expect(re.search(FOLDED.format(*figures), done.errors, re.MULTILINE), figures, "is not said:", done.errors)


def number_of(pid):
    found = re.search(rb"(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", read_process(pid, "environ"))
    return int(found.group(1)) if found else -1


def rank_process(job, number):
    """None once it has ended."""
    return next((pid for pid in job.ranks() if number_of(pid) == number), None)


def wait_for_slice(job, *numbers):
    """Whether one of them was begun before the end: a job that goes on may begin with the last."""
    wanted = {f"slice {number}" for number in numbers}
    while job.process.poll() is None:
        if any(event["event"] == "start" and event["step"] in wanted for event in events(job.errors)):
            return True
        time.sleep(0.005)
    return False


def is_over(job):
    return any(event["event"] == "note" and event["message"].startswith("solved") for event in events(job.errors))


def disturb(db, disturbance, *options, request=LONG_REQUEST, slices=(MOST_SEEDS - 1, MOST_SEEDS)):
    """A job to which something is done while it works, from the beginning again where that came too late."""
    for _ in range(TRIES):
        with Job(2, *build(db, *request, "--log-json", *options), fold=True) as job:
            is_met = wait_for_slice(job, *slices) and disturbance(job)
            job.wait()
            expect(job.wait_gone(), "still running:", job.processes())
            if is_met and not is_over(job):
                return Ended(job)
            expect(is_over(job), "exit code", job.status, job.errors)
        shutil.rmtree(db, ignore_errors=True)
    raise Failure(f"{TRIES} jobs were over before they were disturbed")


def signal_rank(number, which):
    """None: the launcher, which passes it on."""
    def disturbance(job):
        pid = job.process.pid if which is None else rank_process(job, which)
        job.signal(number, [pid] if pid else [])
        return pid is not None
    return disturbance


# --- what is built ---------------------------------------------------------------------------------------

def folded_ranks_build_the_same_tables(db):
    done = fold(2, db, *REQUEST, "--threads", "1", "--memory", "96M")
    expect_status(done, 0)
    expect_said(done, 2, 2, "192 MiB")
    expect(done.output == alone(*REQUEST)[0] and "travelled" not in done.errors, done.output, done.errors)
    expect_same_files(db, alone(*REQUEST)[1], "folded")


def it_takes_what_all_have(db):
    processors = len(os.sched_getaffinity(0))
    done = fold(4, db, *REQUEST)
    expect_status(done, 0)
    expect_said(done, 4, processors, ".*iB")
    expect_same_files(db, alone(*REQUEST)[1], "four folded")
    done = fold(3, db + "-told", *REQUEST, "--threads", "2", "--memory", "1G", "--log-json")
    notes = [event["message"] for event in events(done.errors) if event["event"] == "note"]
    expect(re.match(FOLDED.format(3, 6, "3.00 GiB"), notes[0]), notes)
    plan = next(event for event in events(done.errors) if event["event"] == "plan")
    expect(plan["memory_available"] == 3 << 30 and plan["ranks"] == 1, plan)
    done = fold(2, db + "-quiet", *REQUEST, "--quiet")
    expect(done.status == 0 and done.errors == "", done.errors)


def ranks_bound_to_processors_share_them(db):
    """Also where OpenMP has bound its threads to what the rank had at first."""
    leave_to_check()
    processors = sorted(os.sched_getaffinity(0))[:2]
    if len(processors) < 2 or not shutil.which("taskset"):
        raise Skip("two processors and taskset are needed")
    bound = f'[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 0 ] && on={processors[0]} || on={processors[1]}; exec taskset -c $on "$@"'
    for settings in ({}, {"OMP_PROC_BIND": "true"}) if CHECK else ({"OMP_PROC_BIND": "true"},):
        for _ in range(TRIES):
            masks = masks_at_work(["sh", "-c", bound, "sh", *build(db, *LONG_REQUEST, "--log-json")], settings)
            shutil.rmtree(db, ignore_errors=True)
            if masks:
                break
        expect(masks.count(processors) >= 2, "threads may run on", masks)


def masks_at_work(command, settings):
    """The processors of each thread of the rank that works; nothing if it was over before."""
    with Job(2, *command, fold=True, **settings) as job:
        pid = rank_process(job, 0) if wait_for_slice(job, MOST_SEEDS) else None
        expect("run as 1 with 2 threads" in job.errors, job.errors)
        try:
            masks = [sorted(os.sched_getaffinity(int(thread))) for thread in os.listdir(f"/proc/{pid}/task")]
        except (FileNotFoundError, ProcessLookupError):
            return []
        return [] if is_over(job) else masks


def ranks_that_are_kept_apart_work_each(db):
    done = fold(2, db, *REQUEST, "--threads", "1", "--fold=no")
    expect_status(done, 0)
    expect("fold" not in done.errors and "travelled between ranks" in done.errors, done.errors)
    expect_same_files(db, alone(*REQUEST)[1], "apart")


# --- those that wait -------------------------------------------------------------------------------------

def let_work(job, pid, seconds):
    """Until it has had so much processor time: by the clock a busy machine may have given it none."""
    enough, until = worked(pid) + seconds, time.monotonic() + 60
    job.signal(signal.SIGCONT, [pid])
    while job.process.poll() is None and worked(pid) < enough and time.monotonic() < until:
        time.sleep(0.005)


def a_waiting_rank_sleeps_and_is_not_impatient(db):
    """Its watchdog is shorter than the build, of which the working rank is stopped for most of the time."""
    leave_to_check()
    with Job(2, *build(db, *LONG_REQUEST, "--threads", "1", "--log-json", "--watchdog", "8s"), fold=True) as job:
        expect(wait_for_slice(job, 9), "the job ended before slice 9:", job.errors)
        working, waiting = rank_process(job, 0), rank_process(job, 1)
        began, spent = time.monotonic(), worked(waiting)
        while time.monotonic() - began < 11:
            job.signal(signal.SIGSTOP, [working])
            time.sleep(0.8)
            let_work(job, working, 0.03)
        seconds, spent = time.monotonic() - began, worked(waiting) - spent
        expect(job.process.poll() is None, "the build ended too early:", job.errors)
        expect(job.wait() == 0, "exit code", job.status, job.errors)
    expect(0 <= spent < 0.1 + 0.05 * seconds, "waited for", seconds, "s with", spent, "s of processor time")
    expect_same_files(db, alone(*LONG_REQUEST)[1], "watched")


def a_stop_asked_of_any_rank_is_heard(db):
    for number, which in (signal.SIGUSR1, None), (signal.SIGTERM, 1), *([(signal.SIGTERM, 0)] if CHECK else []):
        done = disturb(db, signal_rank(number, which), "--threads", "1")
        expect_status(done, 75)
        # The latter where it comes between two slices.
        expect(re.search("all work is kept in|all tables before it are kept", done.complaint()), done.errors)
    done = fold(2, db, *LONG_REQUEST, "--quiet")
    expect_status(done, 0)
    expect_same_files(db, alone(*LONG_REQUEST)[1], "in steps")


def a_waiting_rank_notices_that_nothing_moves(db):
    leave_to_check()
    done = disturb(db, signal_rank(signal.SIGSTOP, 0), "--threads", "1", "--watchdog", "5s", request=ENDLESS_REQUEST)
    expect_status(done, 75)
    expect(re.search(r"^tauler: rank 1 on host .*nothing has moved for 5 s", done.errors, re.MULTILINE), done.errors)


def a_rank_that_is_killed_ends_the_job(db):
    for which in 0, 1:
        done = disturb(f"{db}-{which}", signal_rank(signal.SIGKILL, which), request=ENDLESS_REQUEST)
        expect(done.status != 0, "exit code", done.status)


# --- what is refused -------------------------------------------------------------------------------------

def errors_are_said_once(db):
    for folder, wrong, status, words in (db, ["--fold", "maybe"], 64, "maybe"), (db, ["--memory", "1M"], 69, "wanted"), \
            ("/dev/null/db", [], 74, "/dev/null"):
        done = fold(3, folder, *REQUEST, *wrong)
        expect_status(done, status)
        expect(words in done.complaint() and done.output == "", done.errors)
    expect(tables(db) == [], "work was begun")


launcher()
run_cases([folded_ranks_build_the_same_tables, it_takes_what_all_have, ranks_bound_to_processors_share_them,
           ranks_that_are_kept_apart_work_each, a_waiting_rank_sleeps_and_is_not_impatient,
           a_stop_asked_of_any_rank_is_heard, a_waiting_rank_notices_that_nothing_moves,
           a_rank_that_is_killed_ends_the_job, errors_are_said_once])
