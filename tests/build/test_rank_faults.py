#!/usr/bin/env python3
# Tier: make check
"""Calls of the system that fail, or during which one rank dies, in builds over ranks and with the disk: the job
ends with the code that says why and one message, and the next run goes on to the same tables."""
import collections
import fcntl
import functools
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.dont_write_bytecode = True
from building import (CHECK, LONG, TAULER, Skip, check_whole, expect, leave_to_check, leftovers, run_cases, start,
                      tables)
from launching import (Ended, Job, contents, events, expect_same_files, follow_figures, keeps_exit_codes, launch, launch_build,
                       launcher, read_process)

# Reads never meet a full disk.
WRITES = ("write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2", "fallocate", "ftruncate",
          "openat", "mkdir")
READS = ("pread64", "read", "unlink", "unlinkat", "fstat", "newfstatat", "flock", "getdents64")
FAULTS = ("error=EIO", "signal=KILL", "error=ENOSPC")
# Looks that are not needed, and what is tidied up by the next run as well.
MAY_FAIL_UNSEEN = ("pread64", "fallocate", "unlink", "unlinkat", "fstat", "newfstatat", "flock", "getdents64", "openat", "mkdir")
OPTIONS = ["--rules", "abapa", "--cycles", "forced", "--depth", "--threads", "1", "--quiet"]
AT_EVERY_CHANCE = ["--checkpoint", "0.000001s"]
SAMPLE = {0: 8, 1: 4} if CHECK else {0: 3, 1: 2}
ONE_OF = """[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = "$1" ] && tracer="$2" || tracer=; shift 2; exec $tracer "$@" """


@functools.lru_cache(maxsize=None)
def knows_filters():
    tried = subprocess.run(["strace", "--seccomp-bpf", "-f", "-o", os.devnull, "-e", "trace=openat", "true"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return tried.returncode == 0 and not tried.stderr


def filtered(what):
    """So that no call stops the rank that nobody asks for: twice as fast. Signals then do not come through."""
    return ["--seccomp-bpf"] if knows_filters() and not any(":signal=" in word for word in what) else []


def traced(ranks, rank, folder, options, *what):
    """A build of which one rank runs under strace, and what strace saw."""
    log = folder + ".calls"
    if os.path.exists(log):
        os.remove(log)
    tracer = " ".join(["strace", *filtered(what), "-f", "-y", "-qq", "-o", log, *what])
    done = launch(ranks, "sh", "-c", ONE_OF, "sh", str(rank), tracer, TAULER, "build", "auale", "--db", folder,
                  *options)
    if not os.path.exists(log):
        return done, []
    with open(log, encoding="utf-8", errors="replace") as lines:
        return done, lines.read().splitlines()


def calls_on_tables(lines, folder):
    """Of each call its numbers, as strace counts them, that have to do with the folder."""
    counts = collections.Counter()
    found = collections.defaultdict(list)
    main = lines[0].split()[0] if lines else ""
    for line in lines:
        call = re.match(r"(\d+) +(\w+)\(", line)
        if not call or call.group(1) != main:
            continue
        counts[call.group(2)] += 1
        if folder + "/" in line or folder + ">" in line or folder + '"' in line:
            found[call.group(2)].append(counts[call.group(2)])
    return found


def plan_faults(found, sample):
    """The trials: call, number, fault; all, or so many."""
    faults = [(call, number, fault) for call in sorted(found) for fault in FAULTS for number in found[call]
              if fault != "error=ENOSPC" or call in WRITES]
    if LONG:
        return faults
    # Each call and fault at a place of its own, as many as there is time for.
    kinds = collections.defaultdict(list)
    for call, number, fault in faults:
        kinds[call, fault].append((call, number, fault))
    usual = [kind for kind in kinds if kind[0] in WRITES + ("pread64",)]
    chosen = [kinds[kind][(place * 7 + 3) % len(kinds[kind])] for place, kind in enumerate(usual)]
    sample = min(sample, len(chosen))
    return [chosen[min(i * len(chosen) // sample + i % 3, len(chosen) - 1)] for i in range(sample)]


def was_hit(lines, folder, fault):
    """Whether the fault came where it was meant, not in a call of the message passing library."""
    if fault == "signal=KILL":
        last = [line for line in lines if re.match(r"\d+ +\w+\(", line)]
        return any("killed by SIGKILL" in line for line in lines) and any(folder in line for line in last[-3:])
    return any("(INJECTED)" in line and folder in line for line in lines)


def expect_sound(folder, right):
    check_whole(folder)
    found = contents(folder) if os.path.exists(folder) else {}
    for path in tables(folder):
        name = os.path.relpath(path, folder)
        expect(found[name] == right.get(name), name, "is not what it should be")


def fail_once(setting, call, number, fault):
    """One build with one fault; its exit code, or None when the fault came elsewhere."""
    ranks, rank, folder, options, right = setting
    done, lines = traced(ranks, rank, folder, options, "-e", "trace=" + call, "-e",
                         f"inject={call}:{fault}:when={number}")
    what = f"rank {rank} of {ranks}, {call} number {number}, {fault}:"
    expect_sound(folder, right)
    if not was_hit(lines, folder, fault):
        return None
    codes = (69,) if fault == "error=ENOSPC" else (74,)
    if fault == "signal=KILL":
        expect(done.status in (-9, 137, 9) or not keeps_exit_codes(), what, "exit code", done.status, done.errors)
    elif done.status == 0:
        expect(call in MAY_FAIL_UNSEEN, what, "nobody noticed")
    else:
        expect(done.status in codes or not keeps_exit_codes(), what, "exit code", done.status, done.errors)
        expect(done.complaint(), what, done.errors)
        expect(tables(folder) == [] or not any(os.path.basename(path).startswith(".") for path in leftovers(folder)) or
               call in MAY_FAIL_UNSEEN + ("rename",), what, leftovers(folder))
    return done.status


def sweep(folder, ranks, rank, options, memory=None):
    """Every call on the tables of one rank fails once (a sample: of each kind one)."""
    if not shutil.which("strace"):
        raise Skip("strace is missing")
    options = [*OPTIONS, *options]
    launch_build(0, folder + "-right", *options)
    right = contents(folder + "-right")
    again_options = options
    if memory:
        options = [*options, "--memory", str(follow_figures(ranks, folder + "-least", *options)[0])]
    options = [*options, *AT_EVERY_CHANCE]
    done, lines = traced(ranks, rank, folder, options, "-e", "trace=" + ",".join(WRITES + READS))
    if done.status != 0:
        raise Skip("strace may not trace here: " + (done.errors.strip().splitlines() or ["?"])[-1])
    expect_same_files(folder, right, "traced only")
    found = calls_on_tables(lines, folder)
    expect({"pwrite64", "fsync", "rename", "openat"} <= found.keys() or rank > 0, dict(found))
    results = collections.Counter()
    for turn, (call, number, fault) in enumerate(plan_faults(found, SAMPLE[rank])):
        shutil.rmtree(folder, ignore_errors=True)
        status = fail_once((ranks, rank, folder, options, right), call, number, fault)
        results[call, fault, "elsewhere" if status is None else status] += 1
        again = (0, 1, 2, 3)[turn % 4]
        launch_build(again, folder, *again_options)
        expect_same_files(folder, right, "rank", rank, "of", ranks, call, number, fault, "went on with", again, "ranks")
    for (call, fault, status), times in sorted(results.items(), key=str):
        print(f"rank {rank} of {ranks}: {call:12} {fault:14} {times:5} times {status}", flush=True)
    hits = sum(times for (_, _, status), times in results.items() if status != "elsewhere")
    expect(hits >= 0.5 * sum(results.values()), "too few faults came where they were meant:", dict(results))


def the_leading_rank_fails(folder):
    launcher()
    sweep(folder, 2, 0, ["--seeds", "2"], memory=True)


def another_rank_fails(folder):
    launcher()
    sweep(folder, 2, 1, ["--seeds", "2"], memory=True)


# Less than 12 seeds want. With as little as is possible the same build takes ten times as long.
LITTLE = "18M"


def the_disk_fails(folder):
    """Shares that wait on the disk, in one process; only what belongs to the files without a name."""
    leave_to_check()
    if not shutil.which("strace"):
        raise Skip("strace is missing")
    # A small buffer makes smaller slices put aside what they are sent as well.
    options = [*OPTIONS, *(["--seeds", "13"] if LONG else ["--seeds", "12", "--buffer", "1K"])]
    launch_build(0, folder, *options)
    right = contents(folder)
    shutil.rmtree(folder)
    options += ["--memory", str(follow_figures(0, folder + "-least", *options)[0]) if LONG else LITTLE]
    done, lines = traced(0, 0, folder, options, "-e", "trace=pwrite64,pread64,fallocate,openat")
    if done.status != 0:
        raise Skip("strace may not trace here: " + (done.errors.strip().splitlines() or ["?"])[-1])
    found = calls_on_tables([line if ".spill" in line else line.replace(folder, "") for line in lines], folder)
    expect({"pwrite64", "pread64"} <= found.keys(), "nothing was put aside on the disk:", dict(found))
    shutil.rmtree(folder)
    results = collections.Counter()
    for call, numbers in sorted(found.items()):
        if not LONG and call not in ("pwrite64", "pread64"):
            continue
        places = numbers[:: max(1, len(numbers) // 12)] if LONG else numbers[len(numbers) // 2:][:1]
        for place, number in enumerate(places):
            for fault in FAULTS if LONG else FAULTS[1:] if call == "pwrite64" else FAULTS[:1]:
                if fault == "error=ENOSPC" and call not in WRITES:
                    continue
                status = fail_once((0, 0, folder, options, right), call, number, fault)
                results[call, fault, "elsewhere" if status is None else status] += 1
                launch_build((0, 2)[place % 2], folder, *options[:-2], "--threads", "2")
                expect_same_files(folder, right, call, number, fault)
                shutil.rmtree(folder)
    for (call, fault, status), times in sorted(results.items(), key=str):
        print(f"with the disk: {call:12} {fault:14} {times:5} times {status}", flush=True)


SHARES = "to the disk in"


@functools.lru_cache(maxsize=None)
def on_a_large_disk(*options):
    """The files of one process that lacks nothing."""
    with tempfile.TemporaryDirectory(prefix="tauler-large.") as folder:
        launch_build(0, folder, *options)
        return contents(folder)


def build_while_room_goes(folder, megabytes, *options):
    """There is room by the plan, and no more than so much of it when work begins: its exit code and complaint. Nobody
    reads what it says in between, and the pipe has room for little more than the plan: it waits."""
    options = [option for option in options if option != "--quiet"]
    reading, writing = os.pipe()
    fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    full = os.write(writing, b"\n" * (4096 - 900))
    process = start("build", "auale", "--db", folder, *options, "--log-json", stdout=subprocess.DEVNULL, stderr=writing)
    os.close(writing)
    while struct.unpack("i", fcntl.ioctl(reading, termios.FIONREAD, bytes(4)))[0] == full and process.poll() is None:
        time.sleep(0.001)
    try:
        subprocess.run(["mount", "-o", f"remount,size={megabytes}m", folder], check=True)
    finally:
        with open(reading, encoding="utf-8") as errors:
            said = errors.read()
        process.wait()
    complaints = [event["message"] for event in events(said) if event["event"] == "error"]
    expect(len(complaints) == 1, "said", len(complaints), "times:", said)
    return process.returncode, complaints[0]


def a_small_disk_is_full(folder):
    """Room is missing in the midst of the work: for shards that wait, which is said before any page is written, or for
    a checkpoint."""
    options = [*OPTIONS, "--seeds", "14" if LONG else "12"]
    rooms = [(9, "600s"), (8, "0.000001s"), *([(megabytes, "0.05s") for megabytes in (12, 16, 18)] if CHECK else [])]
    if LONG:
        rooms = [(megabytes, "0.05s") for megabytes in (18, 25, 38, 48)]
    right = on_a_large_disk(*options)
    os.mkdir(folder)
    memory = follow_figures(0, folder + "-least", *options)[0] if LONG else LITTLE
    complaints = []
    for megabytes, checkpoint in rooms:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200m", "none", folder],
                          stderr=subprocess.DEVNULL, check=False).returncode:
            raise Skip("no small file system can be mounted")
        try:
            status, complaint = build_while_room_goes(folder, megabytes, *options, "--memory", str(memory), "--checkpoint",
                                                      checkpoint)
            expect(status == 69 and "free some space" in complaint, megabytes, "MiB:", status, complaint)
            complaints.append(complaint)
            expect_sound(folder, right)
            if not CHECK and len(complaints) > 1:
                continue
            subprocess.run(["mount", "-o", "remount,size=200m", folder], check=True)
            launch_build(0, folder, *options)
            expect_same_files(folder, right, "after", megabytes, "MiB did not suffice")
        finally:
            subprocess.run(["umount", folder], check=False)
    for wanted in (SHARES, ".checkpoint"):
        expect(any(wanted in complaint for complaint in complaints), wanted, complaints)


def hidden_files(pid):
    """Paths that open the unnamed files a process has mapped."""
    if "spill" not in read_process(pid, "maps").decode(errors="replace"):
        return []
    found = []
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            if "spill" in os.readlink(f"/proc/{pid}/fd/{number}"):
                found.append(f"/proc/{pid}/fd/{number}")
        except OSError:
            pass
    return found


def cut_hidden_files(job, which):
    """Takes the pages away that a rank has mapped, until it ends: what it extends comes back."""
    cut, rank = False, None
    until = time.monotonic() + 250
    while job.process.poll() is None and time.monotonic() < until:
        if rank is None:
            ranks = job.ranks()
            rank = ranks[which] if len(ranks) > which else None
        try:
            for path in hidden_files(rank) if rank else []:
                os.truncate(path, 0)
                cut = True
        except OSError:
            pass  # it has just ended, or closed the file
        time.sleep(0.005)
    return cut


def lose_the_disk(folder, ranks, which):
    options = [*OPTIONS, "--seeds", "14" if LONG else "12"]
    right = on_a_large_disk(*options)
    memory, cut = str(20 << 20), False
    for _ in range(8):
        with Job(ranks, TAULER, "build", "auale", "--db", folder, *options, "--memory", memory) as job:
            cut = cut_hidden_files(job, which)
            job.wait()
            expect(job.wait_gone(), "still running:", job.processes())
            done = Ended(job)
        named = re.search(r"\((\d+) bytes\) wanted", done.errors)
        if named:
            memory = named.group(1)
        elif done.status:
            break
        else:  # over before anything was lost
            shutil.rmtree(folder)
    expect(cut, "nothing was mapped:", done.errors)
    expect(done.status == 74 or (ranks and not keeps_exit_codes()), "exit code", done.status, done.errors)
    # A mapped page is lost with a signal; a read returns other bytes.
    said = [line for line in done.said() if "SIGBUS" in line or "read back as they were written" in line]
    expect(len(said) == 1 and "disk" in said[0], done.errors)
    expect("run the same command again" in said[0] or "build again" in said[0], done.errors)
    expect_sound(folder, right)
    launch_build(ranks, folder, *options)
    expect_same_files(folder, right, "after the disk was lost")


def the_disk_is_lost(folder):
    lose_the_disk(folder, 0, 0)


def another_rank_loses_its_disk(folder):
    leave_to_check()
    launcher()
    lose_the_disk(folder, 2, 1)


run_cases([the_leading_rank_fails, another_rank_fails, the_disk_fails, a_small_disk_is_full, the_disk_is_lost,
           another_rank_loses_its_disk])
