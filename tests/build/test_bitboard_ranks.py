#!/usr/bin/env python3
# Tier: make check
"""Dou Shou Qi, whose slices are solved side by side or shared, and Phutball, whose boards ranks share: any number of
ranks and threads makes the tables of one process, also when a rank is killed or asked to stop, and nothing half done stays."""
import functools
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from building import CHECK, LONG, TAULER, expect, leave_to_check, run, run_cases, tables
from launching import Job, contents, events, expect_same_files, launch, launcher

COMMAND = (TAULER, "build", "doushouqi")
KILLS = 20 if LONG else 2 if CHECK else 1


def build(ranks, folder, *options, exit_code=0):
    done = launch(ranks, *COMMAND, "--db", folder, "--quiet", *options)
    expect(done.status == exit_code, "exit code", done.status, "of", ranks, "ranks with", *options, done.errors)
    return done


@functools.lru_cache(maxsize=None)
def right(pieces, *options):
    """Lines and files of one process."""
    with tempfile.TemporaryDirectory(prefix="tauler-words.") as folder:
        done = build(0, folder, "--pieces", pieces, *options)
        return done.output, contents(folder)


def expect_right(ranks, folder, pieces, *options):
    done = build(ranks, folder, "--pieces", pieces, *options)
    lines, files = right(pieces)
    expect(done.output == lines, ranks, "ranks with", *options, "printed", done.output, "instead of", lines)
    expect_same_files(folder, files, ranks, "ranks with", *options)
    shutil.rmtree(folder)


def digests(lines):
    """Slice, stream, positions and digest of each line: files of other engines may differ in size."""
    return [line.split()[2:5] + line.split()[-1:] for line in lines.splitlines()]


def any_ranks_and_threads(folder):
    for pieces in ("2", "3") if LONG else ("2",):
        for ranks, threads in ((0, "2"), (2, "1"), (3, "2")):
            expect_right(ranks, folder, pieces, "--threads", threads)


def the_general_engine_agrees(folder):
    pieces = "3" if LONG else "2"
    for ranks in (0, 2):
        done = build(ranks, folder, "--pieces", pieces, "--engine", "retrograde")
        expect(digests(done.output) == digests(right(pieces)[0]), "the retrograde engine with", ranks, "ranks printed",
               done.output)
        shutil.rmtree(folder)


def lost_tables_are_made_again(folder):
    build(0, folder, "--pieces", "2")
    lines, files = right("2")
    gone = tables(folder)[::5]
    for path in gone:
        os.unlink(path)
    done = build(2, folder, "--pieces", "2")
    expect(done.output.count("built") == len(gone), len(gone), "tables were gone, but it printed", done.output)
    expect(sorted(digests(done.output)) == sorted(digests(lines)), "printed", done.output)
    expect_same_files(folder, files, "after some tables were gone")


def wait_for_large_slices(job):
    while job.process.poll() is None:
        if any(event["event"] == "start" and event["step"].startswith(("3", "slice")) for event in events(job.errors)):
            return True
        time.sleep(0.005)
    return False


def interrupted(folder, ranks, delay, interrupt, command=(*COMMAND, "--pieces", "3")):
    """Whether a build was still at work when it was interrupted."""
    with Job(ranks, *command, "--db", folder, "--log-json") as job:
        if not wait_for_large_slices(job):
            return False
        time.sleep(delay)
        interrupt(job)
        status = job.wait()
        expect(job.wait_gone(), "some stay:", job.processes())
        return status != 0


def kill_a_rank(job):
    ranks = job.ranks()
    if ranks:
        job.signal(signal.SIGKILL, [random.choice(ranks)])


def ask_to_stop(job):
    job.signal(signal.SIGTERM, [job.process.pid])


def goes_on_after(folder, interrupt):
    number = came_in_time = 0
    while came_in_time < KILLS:
        expect(number < 10 * KILLS, "hardly any build is still at work:", came_in_time, "of", number)
        ranks = (2, 3)[number % 2]
        came_in_time += interrupted(folder, ranks, random.random() / (2 + number), interrupt)
        build((0, 2)[number % 2], folder, "--pieces", "3")
        expect_same_files(folder, right("3")[1], "after an interruption of", ranks, "ranks")
        shutil.rmtree(folder)
        number += 1


def a_rank_is_killed(folder):
    goes_on_after(folder, kill_a_rank)


def ranks_are_asked_to_stop(folder):
    """Those that share a board are, and a single process, in make test as well."""
    leave_to_check()
    goes_on_after(folder, ask_to_stop)


def a_stopped_process_says_so(folder):
    with Job(0, *COMMAND, "--db", folder, "--pieces", "3", "--log-json") as job:
        if wait_for_large_slices(job):
            ask_to_stop(job)
        status = job.wait()
        expect(status in (0, 75), "exit code", status, job.errors)
    build(0, folder, "--pieces", "3")
    expect_same_files(folder, right("3")[1], "after a stop")


def tables_stand_in_folders_by_pieces(folder):
    build(0, folder, "--pieces", "2")
    here = os.path.join(folder, "doushouqi", "base", "2")
    expect(len(tables(folder)) == len(os.listdir(here)), "some tables are not in", here)
    run("verify", "--db", folder)
    moved = sorted(os.listdir(here))[0]
    os.mkdir(os.path.join(folder, "doushouqi", "base", "3"))
    os.rename(os.path.join(here, moved), os.path.join(folder, "doushouqi", "base", "3", moved))
    done = run("verify", "--db", folder, exit_code=65)
    expect("wrong place" in done.stdout, "verify printed", done.stdout)


def planned_memory(game, size, ranks):
    command = ("plan", game, *size, "--ranks", ranks, "--threads", "1", "--memory", "16G", "--json")
    return json.loads(run(*command).stdout)["memory"]


def ranks_hold_what_they_need(_):
    """Of smaller slices those that their own need, of a board a set and their parts: more ranks hold less each."""
    leave_to_check()
    alone, eight, sixteen = (planned_memory("doushouqi", ("--pieces", "5"), ranks) for ranks in ("1", "8", "16"))
    expect(eight < 0.9 * alone and sixteen < 0.75 * alone, alone, eight, sixteen)
    for board in "7x4", "5x6":
        alone, four, eight = (planned_memory("phutball", ("--board", board), ranks) for ranks in ("1", "4", "8"))
        expect(4 * four < alone and eight < 0.9 * four, board, alone, four, eight)


def shared(ranks, folder, board, *options):
    command = (TAULER, "build", "phutball", "--board", board, "--threads", "1", "--db", folder, *options)
    done = launch(ranks, *command, "--log-json")
    expect(done.status == 0, "exit code", done.status, "of", ranks, "ranks:", done.errors)
    return done


@functools.lru_cache(maxsize=None)
def right_board(board):
    with tempfile.TemporaryDirectory(prefix="tauler-words.") as folder:
        return shared(0, folder, board).output, contents(folder)


def ranks_share_a_board(folder):
    """Where it is large enough, each in less memory than one process needs."""
    for board, ranks, options in (("7x3", 3, ("--threads", "2")), ("5x3", 2, ()),
                                  *([("7x3", 2, ()), ("6x4", 4, ("--memory", "42M"))] if CHECK else [])):
        done = shared(ranks, folder, board, *options)
        lines, files = right_board(board)
        expect(done.output == lines, ranks, "ranks printed", done.output, "instead of", lines)
        expect_same_files(folder, files, ranks, "ranks")
        expect(('"step":"slice' in done.errors) == (board != "5x3"), board, "is shared otherwise:", done.errors)
        shutil.rmtree(folder)


def ranks_have_room_for_more_threads(folder):
    """What a rank with many threads sends would be cut short on large boards by one that takes room for its own."""
    peaks = []
    for threads in "1", "16":
        one = (TAULER, "build", "phutball", "--board", "7x3", "--fold=no", "--db", folder, "--log-json", "--threads")
        done = launch(1, *one, "1", ":", "-np", "1", *one, threads)
        expect(done.status == 0, "exit code", done.status, "with", threads, "threads:", done.errors)
        expect_same_files(folder, right_board("7x3")[1], "with 1 thread and", threads)
        peaks.append(float(re.search(r"peak memory ([0-9.]+) MiB", done.errors).group(1)))
        shutil.rmtree(folder)
    expect(peaks[1] > peaks[0] + 1, "the rank with one thread takes", peaks, "MiB")


def ranks_share_a_class(folder):
    """The one slice of four pieces: in memory, or on the disk where one process does not hold it either."""
    command = (TAULER, "build", "doushouqi", "--material", "LTRr", "--threads", "1", "--db", folder)
    alone = launch(0, *command, "--log-json")
    expect(alone.status == 0 and '"step":"slice' not in alone.errors, "one process:", alone.errors)
    files = contents(folder)
    for ranks, memory in ((2, "33M"), *([(2, "1G"), (3, "1G"), (4, "33M")] if CHECK else [])):
        shutil.rmtree(folder)
        done = launch(ranks, *command, "--log-json", "--memory", memory)
        expect(done.status == 0, "exit code", done.status, "of", ranks, "ranks:", done.errors)
        expect(done.output == alone.output, ranks, "ranks printed", done.output, "instead of", alone.output)
        expect_same_files(folder, files, ranks, "ranks with", memory)
        expect('"step":"slice' in done.errors, ranks, "ranks with", memory, "do not share it:", done.errors)


def shared_boards_go_on(folder):
    """After a rank was killed, or ranks were asked to stop, by other ranks; a checkpoint is kept ever so often."""
    number = came_in_time = 0
    board, seconds, times = ("6x4", 3, 2 * KILLS) if CHECK else ("7x3", 0.3, 2)
    command = (TAULER, "build", "phutball", "--board", board, "--checkpoint", f"{seconds / 3}s", "--threads", "1")
    while number < times or came_in_time == 0:
        expect(number < 10 * times, "all builds were over before they were interrupted")
        interrupt = (kill_a_rank, ask_to_stop)[number % 2]
        came_in_time += interrupted(folder, (3, 2)[number % 2], seconds * random.random() / (1 + number), interrupt, command)
        done = shared((2, 0, 4, 1)[number % 4], folder, board)
        expect_same_files(folder, right_board(board)[1], "after an interruption:", done.errors)
        shutil.rmtree(folder)
        number += 1


RANKED = [any_ranks_and_threads, the_general_engine_agrees, lost_tables_are_made_again, a_rank_is_killed,
          ranks_are_asked_to_stop, ranks_share_a_board, ranks_have_room_for_more_threads, ranks_share_a_class,
          shared_boards_go_on, ranks_hold_what_they_need]
run_cases([*(RANKED if launcher() else []), a_stopped_process_says_so, tables_stand_in_folders_by_pieces])
