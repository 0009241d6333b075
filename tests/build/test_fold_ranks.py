#!/usr/bin/env python3
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
from building import CHECK, TAULER, Skip, expect, run, run_cases, tables
from launching import (Ended, Job, contents, events, expect_same_files, keeps_exit_codes, launch, launcher,
                       read_process)

REQUEST = ["--rules", "awari", "--seeds", "9", "--depth"]
LONG_REQUEST = ["--rules", "awari", "--seeds", "13", "--depth", "--engine", "retrograde"]
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
    return next(pid for pid in job.ranks() if number_of(pid) == number)


def wait_for_slice(job, number):
    while job.process.poll() is None:
        if any(event["event"] == "start" and event["step"] == f"slice {number}" for event in events(job.errors)):
            return
        time.sleep(0.005)
    expect(False, "the job ended before slice", number, ":", job.errors)


def processor_seconds(pid):
    fields = read_process(pid, "stat").rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if len(fields) > 12 else None


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
    processors = sorted(os.sched_getaffinity(0))[:2]
    if len(processors) < 2 or not shutil.which("taskset"):
        raise Skip("two processors and taskset are needed")
    bound = f'[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 0 ] && on={processors[0]} || on={processors[1]}; exec taskset -c $on "$@"'
    for settings in ({}, {"OMP_PROC_BIND": "true"}) if CHECK else ({"OMP_PROC_BIND": "true"},):
        command = ["sh", "-c", bound, "sh", *build(db, *LONG_REQUEST, "--log-json")]
        with Job(2, *command, fold=True, **settings) as job:
            wait_for_slice(job, 13)
            pid = rank_process(job, 0)
            masks = [sorted(os.sched_getaffinity(int(thread))) for thread in os.listdir(f"/proc/{pid}/task")]
            expect("run as 1 with 2 threads" in job.errors, job.errors)
            expect(masks.count(processors) >= 2, "threads may run on", masks)
        shutil.rmtree(db)


def ranks_that_are_kept_apart_work_each(db):
    done = fold(2, db, *REQUEST, "--threads", "1", "--fold=no")
    expect_status(done, 0)
    expect("fold" not in done.errors and "travelled between ranks" in done.errors, done.errors)
    expect_same_files(db, alone(*REQUEST)[1], "apart")


# --- those that wait -------------------------------------------------------------------------------------

def a_waiting_rank_sleeps_and_is_not_impatient(db):
    """Its watchdog is shorter than the build, of which the working rank is stopped for most of the time."""
    with Job(2, *build(db, *LONG_REQUEST, "--threads", "1", "--log-json", "--watchdog", "5s"), fold=True) as job:
        wait_for_slice(job, 10)
        working, waiting = rank_process(job, 0), rank_process(job, 1)
        began, spent = time.monotonic(), processor_seconds(waiting)
        while time.monotonic() - began < 7:
            for number, seconds in (signal.SIGSTOP, 0.4), (signal.SIGCONT, 0.05):
                job.signal(number, [working])
                time.sleep(seconds)
        seconds, spent = time.monotonic() - began, (processor_seconds(waiting) or 0) - spent
        expect(job.process.poll() is None, "the build ended too early:", job.errors)
        expect(job.wait() == 0, "exit code", job.status, job.errors)
    expect(0 <= spent < 0.1 + 0.05 * seconds, "waited for", seconds, "s with", spent, "s of processor time")
    expect_same_files(db, alone(*LONG_REQUEST)[1], "watched")


def stop_one(db, number, which):
    with Job(2, *build(db, *LONG_REQUEST, "--threads", "1", "--log-json"), fold=True) as job:
        wait_for_slice(job, 12)
        job.signal(number, [job.process.pid if which is None else rank_process(job, which)])
        job.wait()
        expect(job.wait_gone(), "still running:", job.processes())
        done = Ended(job)
    expect_status(done, 75)
    expect(re.search("all work is kept in|all tables before it are kept", done.complaint()), done.errors)


def a_stop_asked_of_any_rank_is_heard(db):
    for number, which in (signal.SIGUSR1, None), (signal.SIGTERM, 1), *([(signal.SIGTERM, 0)] if CHECK else []):
        stop_one(db, number, which)
    done = fold(2, db, *LONG_REQUEST, "--quiet")
    expect_status(done, 0)
    expect_same_files(db, alone(*LONG_REQUEST)[1], "in steps")


def a_waiting_rank_notices_that_nothing_moves(db):
    with Job(2, *build(db, *LONG_REQUEST, "--threads", "1", "--log-json", "--watchdog", "5s"), fold=True) as job:
        wait_for_slice(job, 12)
        job.signal(signal.SIGSTOP, [rank_process(job, 0)])
        job.wait()
        expect(job.wait_gone(), "still running:", job.processes())
        done = Ended(job)
    expect_status(done, 75)
    expect(re.search(r"^tauler: rank 1 on host .*nothing has moved for 5 s", done.errors, re.MULTILINE), done.errors)


def a_rank_that_is_killed_ends_the_job(db):
    for which in 0, 1:
        with Job(2, *build(db, *LONG_REQUEST, "--log-json"), fold=True) as job:
            wait_for_slice(job, 12)
            job.signal(signal.SIGKILL, [rank_process(job, which)])
            expect(job.wait() != 0 and job.wait_gone(), "exit code", job.status, "still running:", job.processes())


# --- what is refused -------------------------------------------------------------------------------------

def errors_are_said_once(db):
    for wrong, status, words in (["--fold", "maybe"], 64, "maybe"), (["--memory", "1M"], 69, "wanted"), \
            (["--db", "/dev/null/db"], 74, "/dev/null"):
        done = fold(3, db, *REQUEST, *wrong)
        expect_status(done, status)
        expect(words in done.complaint() and done.output == "", done.errors)
    expect(tables(db) == [], "work was begun")


launcher()
run_cases([folded_ranks_build_the_same_tables, it_takes_what_all_have, ranks_bound_to_processors_share_them,
           ranks_that_are_kept_apart_work_each, a_waiting_rank_sleeps_and_is_not_impatient,
           a_stop_asked_of_any_rank_is_heard, a_waiting_rank_notices_that_nothing_moves,
           a_rank_that_is_killed_ends_the_job, errors_are_said_once])
