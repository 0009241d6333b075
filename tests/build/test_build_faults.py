#!/usr/bin/env python3
"""`tauler build` killed, out of disk, and failed by the system at any call: the folder holds whole tables
only, and the next run goes on to the same digests."""
import json
import os
import random
import re
import resource
import subprocess
import sys

sys.dont_write_bytecode = True
from building import (CHECK, LONG, TAULER, Skip, build, check_whole, digests, environment, expect,
                      identities, leftovers, run, run_cases, start, table_path, tables, wait_for_work)

KILLS = 300 if LONG else 30 if CHECK else 6
CALLS = ("fsync", "rename", "pwrite64", "write", "mkdir", "pread64")
KILLED = -9
MIB = 1 << 20


def kill_once(folder, options, seconds):
    """Kills a build when it has worked for so long; whether it was still at work."""
    process = start("build", "auale", "--db", folder, *options, "--json")
    wait_for_work(process, seconds)
    process.kill()
    process.communicate()
    return process.returncode == KILLED


def expect_kept(before, folder):
    now = identities(path for path in before if os.path.exists(path))
    expect(now == before, "whole tables were lost or written again in", folder)


def killed_at_any_moment(folder):
    options = ["--seeds", "11" if LONG else "10", "--depth", "--level", "19", "--threads", "2"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    right = digests(build(folder, *options))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    chance = random.Random(4)
    kills = wounded = builds = 0
    while kills < KILLS or (wounded == 0 and builds < 20 * KILLS):
        builds += 1
        where = f"{folder}{builds}"
        before = {}
        # Some delays run into the large slices at the end, some come right after the start.
        while kill_once(where, options, whole * chance.random() ** 2 * 0.9):
            kills += 1
            expect_kept(before, where)
            before = identities(check_whole(where))
            wounded += leftovers(where) != []
        lines = build(where, *options)
        expect(digests(lines) == right, "another result after", kills, "kills")
        expect_kept(before, where)
        check_whole(where)
        expect(leftovers(where) == [], leftovers(where))
        subprocess.run(["rm", "-r", where], check=True)
    expect(wounded > 0, "no kill met a table that was being written")


# --- no room ---------------------------------------------------------------------------------------------

def largest_file(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def files_that_may_not_grow(folder):
    right = digests(build(folder + "-right", "--seeds", "9", "--depth"))
    for size in (1, 600, 1200, 5000, 20000, 30000):
        where = f"{folder}-{size}"
        done = run("build", "auale", "--db", where, "--seeds", "9", "--depth", "--quiet", exit_code=69,
                   preexec_fn=largest_file(size))
        expect(where in done.stderr, "the message does not name the file:", done.stderr)
        kept = identities(check_whole(where))
        expect(len(kept) < len(right) and leftovers(where) == [], size, leftovers(where))
        expect(all(os.path.getsize(path) <= size for path in kept), size)
        expect(digests(build(where, "--seeds", "9", "--depth")) == right, size, "another result")
        expect_kept(kept, where)


def free_bytes(folder):
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize


def fill_up(path, free):
    with open(path, "wb") as filler:
        while free_bytes(os.path.dirname(path)) > free:
            os.write(filler.fileno(), b"x" * 4096)


def a_full_disk(folder):
    os.makedirs(folder)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], stderr=subprocess.PIPE,
                             text=True, check=False)
    if mounted.returncode:
        raise Skip("no file system of 1 MiB can be mounted: " + mounted.stderr.strip())
    try:
        done = run("build", "auale", "--db", folder, "--seeds", "14", "--quiet", exit_code=69)
        expect(folder in done.stderr and "MiB" in done.stderr, done.stderr)
        expect(tables(folder) == [], "work was begun that could not end")
        options = ["--seeds", "12", "--quiet"]
        # There was room when the build began, and then somebody took it.
        for _ in range(8):
            process = start("build", "auale", "--db", folder, *options, "--level", "19")
            expect(any(line.startswith("built 6 ") for line in process.stdout), "no line of slice 6:", process.poll())
            fill_up(os.path.join(folder, ".filler"), 0)
            errors = process.communicate()[1]
            if process.returncode != 0:
                break
            for path in [os.path.join(folder, ".filler"), *tables(folder)]:
                os.remove(path)  # the room was taken after the end
        kept = identities(check_whole(folder))
        expect(process.returncode == 69 and folder in errors, process.returncode, errors)
        expect(7 <= len(kept) < 13 and leftovers(folder) == [os.path.join(folder, ".filler")], leftovers(folder))
        os.remove(os.path.join(folder, ".filler"))
        expect(digests(build(folder, *options)) == digests(build(folder + "-right", *options)), "another result")
        expect_kept(kept, folder)
        expect(leftovers(folder) == [], leftovers(folder))
    finally:
        subprocess.run(["umount", folder], check=False)


def a_resumed_build_needs_no_room_for_what_is_there(folder):
    """The slices left to build fit on the disk; all slices together would not."""
    os.makedirs(folder)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], stderr=subprocess.DEVNULL,
                      check=False).returncode:
        raise Skip("no file system of 1 MiB can be mounted")
    try:
        build(folder, "--seeds", "12", "--quiet")
        os.remove(table_path(folder, 12))
        fill_up(os.path.join(folder, ".filler"), 400 << 10)
        lines = build(folder, "--seeds", "12", "--quiet")
        expect([line["slice"] for line in lines if line["built"]] == ["12"], lines)
    finally:
        subprocess.run(["umount", folder], check=False)


def room_for_what_waits_is_asked_for_too(folder):
    """The tables fit, and with more memory that is all it takes."""
    options = ["--seeds", "15", "--threads", "1"]
    little = [*options, "--memory", "28M"]
    planned = json.loads(run("plan", "auale", *little, "--json").stdout)
    expect(planned["on_disk"] > 2 * MIB, "nothing waits on the disk:", planned)
    size = planned["disk"] + planned["on_disk"] // 2
    os.makedirs(folder)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], stderr=subprocess.DEVNULL,
                      check=False).returncode:
        raise Skip("no small file system can be mounted")
    try:
        done = run("build", "auale", "--db", folder, *little, "--quiet", exit_code=69)
        expect(folder in done.stderr and "--memory" in done.stderr and tables(folder) == [], done.stderr)
        if CHECK:
            expect(len(build(folder, *options, "--quiet")) == 16, "with more memory it does not fit either")
        run("plan", "auale", *options, "--db", folder)
    finally:
        subprocess.run(["umount", folder], check=False)


# --- every call of the system ----------------------------------------------------------------------------

OPTIONS = ["--seeds", "2", "--depth", "--threads", "1", "--quiet"]


def traced(folder, what):
    """A build under strace, with some call made to fail; its exit code and what it said."""
    settings = {"ASAN_OPTIONS": "detect_leaks=0"}  # leaks cannot be looked for under a tracer
    done = subprocess.run(["strace", "-f", "-qq", "-o", folder + ".calls", *what, TAULER, "build", "auale", "--db",
                           folder, *OPTIONS], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env={**environment(), **settings}, check=False)
    return done.returncode, done.stderr


def count_calls(folder):
    """How often an undisturbed build makes each call, or why that cannot be told."""
    try:
        code, said = traced(folder, ["-e", "trace=" + ",".join(CALLS)])
    except FileNotFoundError as missing:
        raise Skip("strace is missing") from missing
    if code != 0:
        raise Skip("strace may not trace here: " + said.strip().splitlines()[-1])
    with open(folder + ".calls", encoding="utf-8") as log:
        lines = log.read()
    return {call: len(re.findall(rf"^\d+ +{call}\(", lines, re.MULTILINE)) for call in CALLS}


def fail_call(folder, call, number, fault):
    """One build with one fault, and the run that goes on after it."""
    code, said = traced(folder, ["-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={number}"])
    what = f"{call} number {number}, {fault}:"
    if code == 127 and "shared libraries" in said:
        return {}  # the program had not been loaded yet
    if fault == "signal=KILL":
        expect(code in (KILLED, 128 + 9), what, "exit code", code)
    elif code == 0:
        # Calls that a library makes before main, and looks that are not needed, may fail unseen.
        expect(call in ("pread64", "mkdir"), what, "nobody noticed")
    else:
        # The fault of standard output is not always known.
        codes = (69, 74) if call == "write" else (69,) if fault.endswith("ENOSPC") else (74,)
        expect(code in codes, what, "exit code", code, said)
        expect(said.count("\n") == 1, what, said)
        expect(leftovers(folder) == [] or call == "rename", what, leftovers(folder))
    return identities(check_whole(folder))


def every_call_fails_once(folder):
    counts = count_calls(folder + "-counted")
    expect(all(counts.values()), counts)
    right = digests(build(folder + "-right", *OPTIONS))
    step = 1 if LONG else 9
    turn = 0
    for call, count in counts.items():
        for number in range(1, count + 1):
            for fault in ("error=EIO", "error=ENOSPC", "signal=KILL"):
                turn += 1
                if turn % step:
                    continue
                where = f"{folder}-{call}-{number}-{turn}"
                kept = fail_call(where, call, number, fault)
                expect(digests(build(where, *OPTIONS)) == right, call, number, fault, "another result")
                expect_kept(kept, where)
                expect(leftovers(where) == [], call, number, fault, leftovers(where))
                subprocess.run(["rm", "-r", where], check=True)
    expect(turn > 200, counts)


run_cases([killed_at_any_moment, files_that_may_not_grow, a_full_disk,
           a_resumed_build_needs_no_room_for_what_is_there, room_for_what_waits_is_asked_for_too, every_call_fails_once])
