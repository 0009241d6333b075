#!/usr/bin/env python3
"""`tauler build` and `tauler plan` from the outside: what they keep, add, refuse and print."""
import functools
import json
import os
import pty
import select
import shutil
import signal
import re
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
from building import (CHECK, LONG, SECONDS, TAULER, TESTS, Skip, build, check_whole, digests, environment, expect, identities, leave_to_check, leftovers,
                      run, run_cases, start, table_path, tables)


# --- what a folder holds ---------------------------------------------------------------------------------

def one_line_per_table_in_the_solving_order(folder):
    lines = build(folder, "--seeds", "4", "--depth", "--rules", "abapa")
    streams = ["lower", "upper", "depth-lower", "depth-upper"]
    expect([(line["slice"], line["stream"]) for line in lines] == [(str(n), s) for n in range(5) for s in streams],
           lines)
    for line in lines:
        path = table_path(folder, line["slice"], line["stream"], "abapa", "forced")
        expect(line["bytes"] == os.path.getsize(path) and line["built"] is True, line)
    expect([line["positions"] for line in lines[::4]] == [1, 12, 78, 364, 1365], lines)


def depths_can_be_added_later(folder):
    values = build(folder, "--seeds", "7")
    kept = identities(tables(folder))
    both = build(folder, "--seeds", "7", "--depth")
    expect(len(both) == 2 * len(values), both)
    expect(all(line["built"] == (line["stream"] == "depth") for line in both), both)
    expect(identities(kept) == kept, "values were written again")
    at_once = build(folder + "2", "--seeds", "7", "--depth")
    expect(digests(both) == digests(at_once), "depths differ when they are added later")


def more_seeds_keep_the_smaller_tables(folder):
    build(folder, "--seeds", "5")
    kept = identities(tables(folder))
    lines = build(folder, "--seeds", "8")
    expect([line["built"] for line in lines] == [False] * 6 + [True] * 3, lines)
    expect(identities(kept) == kept and len(kept) == 6, "smaller tables were written again")
    expect(digests(lines) == digests(build(folder + "2", "--seeds", "8")), "another result in two steps")
    again = build(folder, "--seeds", "8")
    expect(digests(again) == digests(lines) and not any(line["built"] for line in again), again)


def a_missing_table_is_built_again(folder):
    lines = build(folder, "--seeds", "7", "--depth")
    for stream in ("value", "depth"):
        os.remove(table_path(folder, 5, stream))
        again = build(folder, "--seeds", "7", "--depth")
        expect(digests(again) == digests(lines), "another result after", stream, "was lost")
        built = {(line["slice"], line["stream"]) for line in again if line["built"]}
        expect(("5", stream) in built and {place[0] for place in built} == {"5"}, built)


def rule_sets_stand_side_by_side(folder):
    found = {}
    for rules in ("awari", "awari,grand-slam=captures", "abapa"):
        for cycles in ("even", "forced"):
            found[rules, cycles] = build(folder, "--seeds", "6", "--rules", rules, "--cycles", cycles)
            expect(all(line["built"] for line in found[rules, cycles]), rules, cycles)
    expect(found["awari", "even"] != found["abapa", "even"], "rule sets do not differ")
    expect(len(check_whole(folder)) == 3 * 7 * 3, tables(folder))


def threads_engines_and_levels_change_nothing(folder):
    for rules in ("awari", "abapa"):
        right = None
        for engine in ("tiles", "retrograde"):
            for threads, level in (("1", "9"), ("2", "1"), ("3", "19")):
                seeds = "10" if CHECK else "7"
                where = f"{folder}-{rules}-{engine}-{threads}"
                found = digests(build(where, "--rules", rules, "--seeds", seeds, "--depth", "--engine", engine,
                                      "--threads", threads, "--level", level))
                right = right or found
                expect(found.items() <= right.items() and len(found) >= 16, rules, engine, threads, level)


# --- what a table holds ----------------------------------------------------------------------------------

def stock_zstd(path):
    return subprocess.run(["zstd", "-dc", path], stdout=subprocess.PIPE, check=True).stdout


def cells_are_stored_or_reserved(folder):
    lines = build(folder, "--seeds", "8", "--depth", "--rules", "abapa")
    reserved_values = {}
    for line in lines:
        seeds, stream = int(line["slice"]), line["stream"]
        payload = stock_zstd(table_path(folder, seeds, stream, "abapa", "forced"))
        depths = stream.startswith("depth")
        cells = struct.unpack(f"{len(payload)}{'B' if depths else 'b'}", payload)
        expect(len(cells) == line["positions"], stream, len(cells))
        reserved = cells.count(255 if depths else -128)
        expect(0 < reserved < len(cells) or seeds < 2, "slice", seeds, stream, reserved, "reserved")
        # Depths are left out where all cells are; of values also those that a converting move gives back.
        if depths:
            expect(reserved < reserved_values[seeds] or seeds < 2, "slice", seeds, stream, reserved, "reserved")
        else:
            reserved_values[seeds] = reserved
            rest = set(cells) - {-128}
            expect(all(abs(cell) <= seeds and (cell - seeds) % 2 == 0 for cell in rest), stream, rest)


def another_reader_sees_the_same_cells(folder):
    reader = os.path.join(TESTS, "support", "read_table.py")
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    if subprocess.run([python, "-c", "import zstandard"], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skip("python3-zstandard is missing")
    build(folder, "--seeds", "8")
    for seeds in (0, 5, 8):
        path = table_path(folder, seeds)
        read = subprocess.run([python, reader, path, "i8"], stdout=subprocess.PIPE, text=True, check=True).stdout
        payload = stock_zstd(path)
        expect([int(line) for line in read.split()] == list(struct.unpack(f"{len(payload)}b", payload)), path)


# --- what is refused -------------------------------------------------------------------------------------

def expect_damaged(folder, path, what):
    done = run("build", "auale", "--db", folder, "--seeds", "7", "--quiet", exit_code=None)
    expect(done.returncode == 65, what, "exit code", done.returncode, done.stderr)
    expect(path in done.stderr, what, "the message does not name the file:", done.stderr)
    expect(not os.path.exists(table_path(folder, 7)), what, "built on a damaged table")


def a_damaged_table_is_named(folder):
    build(folder, "--seeds", "6")
    path = table_path(folder, 5)
    with open(path, "rb") as file:
        content = file.read()

    def put(changed, what):
        with open(path, "wb") as file:
            file.write(changed)
        expect_damaged(folder, path, what)

    for at in range(0, len(content), max(1, len(content) // (200 if LONG else 24))):
        # Not 0x10: in a frame's header that bit is nobody's, and the cells are right without it.
        put(content[:at] + bytes([content[at] ^ 0x01]) + content[at + 1:], f"byte {at} changed:")
    for size in (0, 7, len(content) // 2, len(content) - 1):
        put(content[:size], f"cut to {size} bytes:")
    put(content + b"\0", "a byte more:")
    build(folder, "--seeds", "6", "--rules", "awari,grand-slam=captures")
    build(folder, "--seeds", "4", "--depth")
    others = [table_path(folder, 4), table_path(folder, 4, "depth"),
              table_path(folder, 5, rules="awari,grand-slam=captures")]
    for other in others:
        with open(other, "rb") as file:
            put(file.read(), f"{other} under this name:")
    with open(path, "wb") as file:
        file.write(content)
    build(folder, "--seeds", "7")


def bad_options_are_explained(folder):
    cases = {("--seeds", "49"): "48", ("--seeds", "x"): "x", ("--seeds", "-1"): "48", (): "--seeds",
             ("--seeds", "2", "--rules", "chess"): "abapa", ("--seeds", "2", "--rules", "awari,flag"): "awari",
             ("--seeds", "2", "--cycles", "odd"): "forced", ("--seeds", "2", "--cycles", "own-row-any", "--depth"): "own-row-any",
             ("--seeds", "2", "--level", "99"): "22", ("--seeds", "2", "--level", "0"): "--level 0",
             ("--seeds", "2", "--threads", "0"): "--threads 0", ("--seeds", "2", "--threads", "two"): "two",
             ("--seeds", "2", "--engine", "steam"): "retrograde", ("--seeds", "2", "--memory", "much"): "much",
             ("--seeds", "2", "--pieces", "3"): "--pieces", ("--pieces", "3"): "--seeds",
             ("--seeds", "2", "--dept"): "--dept", ("--seeds", "2", "more"): "more"}
    for options, word in cases.items():
        done = run("build", "auale", "--db", folder, *options, exit_code=64)
        expect(word in done.stderr and done.stdout == "", options, done.stderr, done.stdout)
        expect(done.stderr.count("\n") == 1, "not one line:", done.stderr)
        if not {"--level", "--dept", "more"} & set(options):
            done = run("plan", "auale", *options, exit_code=64)
            expect(word in done.stderr and done.stdout == "", options, done.stderr)
    expect("auale" in run("build", "checkers", "--seeds", "2", "--db", folder, exit_code=64).stderr, "no games named")
    expect("GAME" in run("build", "--seeds", "2", "--db", folder, exit_code=64).stderr, "GAME is not asked for")
    expect(not os.path.exists(folder), "a bad command line has made a folder")


def too_little_memory_is_said_before_work(folder):
    done = run("build", "auale", "--db", folder, "--seeds", "24", "--memory", "1M", exit_code=69)
    plan = json.loads(run("plan", "auale", "--seeds", "24", "--memory", "1M", "--json").stdout)
    expect(str(plan["memory"]) in done.stderr and "--memory" in done.stderr, done.stderr)
    expect(not plan["fits"] and plan["memory_available"] == 1 << 20, plan)
    expect(tables(folder) == [] and done.stdout == "", tables(folder), done.stdout)


def the_planned_memory_is_enough(folder):
    for engine in ("tiles", "retrograde"):
        for rules in ("awari", "abapa"):
            options = ["--rules", rules, "--seeds", "9" if CHECK else "8", "--depth", "--engine", engine, "--threads", "2"]
            plan = json.loads(run("plan", "auale", *options, "--json").stdout)
            where = f"{folder}-{engine}-{rules}"
            lines = build(where, *options, "--memory", str(plan["memory"]))
            values = [line for line in lines if not line["stream"].startswith("depth") and line["stream"] != "upper"]
            expect(sum(line["positions"] for line in values) == plan["positions"], plan)
            expect(max(line["positions"] for line in values) == plan["largest_slice"], plan)
            expect(sum(line["bytes"] for line in lines) <= plan["disk"], "more disk than planned:", plan)
            done = run("plan", "auale", *options, "--json", "--memory", "1M", exit_code=None)
            least = json.loads(done.stdout)["memory"]
            expect(least <= plan["memory"], least, plan)
            run("build", "auale", "--db", where + "-less", *options, "--memory", str(least - 1), exit_code=69)


def folders_that_cannot_be(folder):
    with open(folder, "w", encoding="utf-8") as file:
        file.write("in the way\n")
    for place in (folder, os.path.join(folder, "below"), "/proc/tauler-tables"):
        done = run("build", "auale", "--db", place, "--seeds", "2", exit_code=74)
        expect((folder in done.stderr or place in done.stderr) and done.stdout == "", place, done.stderr)


def a_folder_that_is_a_table(folder):
    os.makedirs(table_path(folder, 1))
    done = run("build", "auale", "--db", folder, "--seeds", "2", exit_code=None)
    expect(done.returncode in (65, 74) and table_path(folder, 1) in done.stderr, done.returncode, done.stderr)


# --- what is printed -------------------------------------------------------------------------------------

def output_can_be_parsed(folder):
    done = run("build", "auale", "--db", folder, "--seeds", "5", "--json", "--log-json")
    for line in done.stdout.splitlines():
        expect(set(json.loads(line)) == {"slice", "stream", "positions", "bytes", "table", "built"}, line)
    events = [json.loads(line)["event"] for line in done.stderr.splitlines()]
    expect(events.count("start") == 6 and events.count("finish") == 6, done.stderr)
    done = run("build", "auale", "--db", folder, "--seeds", "49", "--log-json", exit_code=64)
    expect("48" in json.loads(done.stderr)["message"], done.stderr)
    text = run("build", "auale", "--db", folder, "--seeds", "5").stdout.splitlines()
    expect(len(text) == 6 and all(line.startswith("kept") for line in text), text)


def a_person_is_told_where_the_tables_stand(folder):
    """Digests are for who compares builds; the end says where the tables are and what to do with them."""
    done = run("build", "auale", "--seeds", "4", "--db", folder)
    expect(not re.search(r"\b[0-9a-f]{32}\b", done.stdout), "digests", done.stdout)
    expect(" ".join(done.stderr.split()).endswith(f" the tables stand in {folder} look at them: tauler serve --db {folder}"), done.stderr)
    verbose = run("build", "auale", "--seeds", "4", "--db", folder, "--verbose", "--quiet")
    wanted = [line["table"] for line in build(folder, "--seeds", "4")]
    expect([line.split()[-1] for line in verbose.stdout.splitlines()] == wanted and verbose.stderr == "", verbose.stdout, wanted)


def tables_are_listed(folder):
    missing = run("tables", "--db", folder, exit_code=66)
    expect("there are no tables in" in missing.stderr and "tauler build" in missing.stderr, missing.stderr)
    built = build(folder, "--seeds", "4", "--depth")
    build(folder, "--seeds", "5")
    build(folder, "--board", "3x3", game="phutball")
    lines = run("tables", "--db", folder).stdout.splitlines()
    expect(lines[0] == "auale awari, cycles even: 6 slices, 0 to 5, 6188 positions, 5 with depths", lines)
    expect(len(lines) == 2 and lines[1].startswith("phutball base: "), lines)
    told = [json.loads(line) for line in run("tables", "--db", folder, "--json").stdout.splitlines()]
    expect([(one["game"], one["rules"], one["cycles"]) for one in told] == [("auale", "awari", "even"), ("phutball", "base", "")], told)
    slices = told[0]["slices"]
    expect([one["slice"] for one in slices] == list("012345") and slices[5]["depths"] is None, slices)
    digests = {(line["slice"], line["stream"]): line["table"] for line in built}
    for one in slices[:5]:
        expect((one["table"], one["depths"]) == (digests[one["slice"], "value"], digests[one["slice"], "depth"]), one)
    with open(table_path(folder, 3), "r+b") as file:
        file.write(b"no table")
    done = run("tables", "--db", folder)
    expect("1 more cannot be used; tauler verify says why" in done.stderr, done.stderr)


def quiet_is_silent(folder):
    done = run("build", "auale", "--db", folder, "--seeds", "5", "--quiet")
    expect(done.stderr == "" and len(done.stdout.splitlines()) == 6, done.stderr)
    expect(run("build", "auale", "--db", folder, "--seeds", "50", "--quiet", exit_code=64).stderr != "", "no error")


def a_full_standard_output_is_an_error(folder):
    with open("/dev/full", "w", encoding="utf-8") as full:
        process = start("build", "auale", "--db", folder, "--seeds", "5", "--quiet", stdout=full)
        errors = process.communicate()[1]
    expect(process.returncode in (69, 74) and errors != "", process.returncode, errors)
    build(folder, "--seeds", "5")


def plans_of_any_size(folder):
    plans = [json.loads(run("plan", "auale", "--seeds", str(n), "--json", exit_code=None).stdout) for n in (0, 12, 48)]
    for key in ("positions", "largest_slice", "memory", "disk"):
        figures = [plan[key] for plan in plans]
        expect(figures == sorted(set(figures)) and figures[0] > 0, key, figures)
    expect(plans[1]["largest_slice"] == 1339702 and plans[2]["largest_slice"] == 203648015935, plans)
    depths = json.loads(run("plan", "auale", "--seeds", "12", "--depth", "--json").stdout)
    expect(depths["memory"] > plans[1]["memory"] and depths["disk"] > plans[1]["disk"], depths)
    expect(not os.path.exists(folder), "a plan has made a folder")


# --- what is said and asked before work ------------------------------------------------------------------

def plan_event(folder, *options):
    done = run("build", "auale", "--db", folder, "--log-json", *options)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    plans = [line for line in lines if line["event"] == "plan"]
    expect(lines and (lines[0]["event"] == "plan") == bool(plans) and len(plans) < 2, "not first, or not once:", lines)
    return plans[0] if plans else None


def the_plan_is_said_first(folder):
    """Of what is missing; and a small build has nothing measured for it."""
    planned = json.loads(run("plan", "auale", "--seeds", "9", "--depth", "--json", "--db", folder).stdout)
    said = plan_event(folder, "--seeds", "9", "--depth")
    for key in ("positions", "largest_slice", "memory", "disk", "on_disk", "ranks", "threads", "fits"):
        expect(said[key] == planned[key], key, said, planned)
    expect(said["seconds"] is None and planned["seconds"] > 0, "measured:", said)
    more = plan_event(folder, "--seeds", "10", "--depth")
    expect(more["positions"] == 351351 == more["largest_slice"] and more["fits"], "what is there counts:", more)
    build(folder + "-again", "--seeds", "10", "--depth")
    again = run("build", "auale", "--db", folder, "--seeds", "10", "--depth", "--log-json")
    expect("plan" not in again.stderr, "a plan of nothing:", again.stderr)
    text = run("build", "auale", "--db", folder, "--seeds", "11", "--depth").stderr
    expect(text.startswith("auale awari, cycles even, with depths\n  positions  701064 "), text)
    for part in ("memory ", "disk ", "(fits)", "time ", "less than a minute"):
        expect(part in text.split("slice 11:")[0], part, "is not said before work:", text)


def any_history_has_one_plan(folder):
    """Also where tables of another cycle rule are built first."""
    done = run("build", "auale", "--db", folder, "--rules", "abapa", "--cycles", "own-row-any", "--seeds", "3", "--log-json")
    plans = [line for line in map(json.loads, done.stderr.splitlines()) if line["event"] == "plan"]
    expect(len(plans) == 1 and plans[0]["positions"] == 1 + 12 + 78 + 364, plans)


LONG_BUILD = ["--rules", "awari", "--seeds", "30", "--engine", "retrograde", "--threads", "1", "--memory", "700M"]


def at_a_terminal(folder, *options, answer=None):
    """Runs a build whose standard input and error are a terminal, and stops it when its first table is there.
    Returns its exit code, and what the terminal shows."""
    master, slave = pty.openpty()
    process = subprocess.Popen([TAULER, "build", "auale", "--db", folder, *options], stdin=slave, stderr=slave,
                               stdout=subprocess.DEVNULL, env=environment())
    shown, answered, until = "", answer is None, time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < until:
        if select.select([master], [], [], 0.05)[0]:
            shown += os.read(master, 4096).decode(errors="replace")
        if not answered and "[y/N]" in shown:
            os.write(master, answer)
            answered = True
        if tables(folder):
            process.terminate()
    process.kill()
    while select.select([master], [], [], 0)[0]:
        shown += os.read(master, 4096).decode(errors="replace")
    os.close(master)
    os.close(slave)
    return process.wait(), shown


def skip_where_no_build_is_long(folder):
    planned = json.loads(run("plan", "auale", *LONG_BUILD, "--db", folder, "--json").stdout)
    if not planned["fits"] or planned["seconds"] < 4000:
        raise Skip("no build of more than an hour fits on this machine")


def a_long_build_is_asked_about(folder):
    skip_where_no_build_is_long(folder)
    for answer in (b"n\n", b"\n", b"nay\n", b"\x04") if CHECK else (b"\n",):
        status, shown = at_a_terminal(folder, *LONG_BUILD, answer=answer)
        expect(status == 75 and "--yes" in shown and tables(folder) == [], answer, status, shown)
        expect(" h " in shown.split("[y/N]")[0].rsplit("Build for", 1)[1], shown)


def a_long_build_goes_on(folder):
    leave_to_check()
    skip_where_no_build_is_long(folder)
    for answer, options in ((b"Yes\n", []), (None, ["--yes"]), (None, ["--quiet"])):
        status, shown = at_a_terminal(folder, *LONG_BUILD, *options, answer=answer)
        expect(tables(folder) != [] and "--yes" not in shown, answer, options, status, shown)
        expect(("[y/N]" in shown) == (answer is not None), answer, options, shown)
        shutil.rmtree(folder)
    process = start("build", "auale", "--db", folder, *LONG_BUILD)
    process.stdout.readline()
    process.terminate()
    expect("[y/N]" not in process.communicate(timeout=SECONDS)[1] and tables(folder) != [], "asked without a terminal")


# --- being stopped ---------------------------------------------------------------------------------------

def signals_leave_the_folder_resumable(folder):
    right = digests(build(folder + "-right", "--seeds", "11", "--depth"))
    for number in (signal.SIGTERM, signal.SIGHUP, *([signal.SIGINT] if CHECK else [])):
        where = f"{folder}-{number.name}"
        # The caller of the suite may ignore the signal.
        for _ in range(8):
            process = start("build", "auale", "--db", where, "--seeds", "11", "--depth", "--json", "--level", "19",
                            preexec_fn=functools.partial(signal.signal, number, signal.SIG_DFL))
            for _ in range(9):
                process.stdout.readline()
            process.send_signal(number)
            process.communicate(timeout=SECONDS)
            if process.returncode != 0:
                break
            shutil.rmtree(where)  # the signal came after the end
        expect(process.returncode == (-number if number == signal.SIGHUP else 75), number.name, process.returncode)
        kept = identities(check_whole(where))
        expect(9 <= len(kept) < len(right), number.name, len(kept))
        lines = build(where, "--seeds", "11", "--depth")
        expect(digests(lines) == right, number.name, "another result after a stop")
        expect(identities(kept) == kept, number.name, "whole tables were written again")
        expect(leftovers(where) == [], number.name, leftovers(where))


LOCK = os.path.join("auale", "awari", "even", ".tauler-lock")


def start_long(folder):
    """A build that takes seconds, once it has its folder, in which it stands still: it goes on with SIGCONT."""
    process = start("build", "auale", "--db", folder, "--seeds", "11", "--depth", "--json", "--level", "19")
    while not os.path.exists(os.path.join(folder, LOCK)) or not tables(folder):
        expect(process.poll() is None, "over:", process.returncode)
        time.sleep(0.002)
    process.send_signal(signal.SIGSTOP)
    return process


def one_build_at_a_time(folder):
    first = start_long(folder)
    try:
        said = run("build", "auale", "--db", folder, "--seeds", "11", "--depth", exit_code=75).stderr
        for words in (f"process {first.pid} on host", "has been building in", "wait for it or end it"):
            expect(words in said, words, "is not in", said)
        said = run("claims", "auale-awari-cycles", "--seeds", "11", "--quiet", "--db", folder, exit_code=75).stderr
        expect(f"process {first.pid} on host" in said, said)
        build(folder, "--rules", "abapa", "--cycles", "forced", "--seeds", "3")
    finally:
        first.send_signal(signal.SIGCONT)
    lines = [json.loads(line) for line in first.communicate(timeout=SECONDS)[0].splitlines()]
    expect(first.returncode == 0 and digests(lines) == digests(build(folder, "--seeds", "11", "--depth")),
           "the first does not come to its end")
    expect(leftovers(folder) == [], leftovers(folder))


def a_killed_build_is_followed(folder):
    killed = start_long(folder)
    killed.kill()
    killed.communicate()
    expect(os.path.exists(os.path.join(folder, LOCK)), "no lock is left, so nothing is shown")
    build(folder, "--seeds", "9", "--depth")
    check_whole(folder)
    expect(leftovers(folder) == [], leftovers(folder))


run_cases([one_line_per_table_in_the_solving_order, depths_can_be_added_later,
           more_seeds_keep_the_smaller_tables, a_missing_table_is_built_again, rule_sets_stand_side_by_side,
           threads_engines_and_levels_change_nothing, cells_are_stored_or_reserved,
           another_reader_sees_the_same_cells, a_damaged_table_is_named, bad_options_are_explained,
           too_little_memory_is_said_before_work, the_planned_memory_is_enough, folders_that_cannot_be,
           a_folder_that_is_a_table, output_can_be_parsed, quiet_is_silent,
           a_person_is_told_where_the_tables_stand, tables_are_listed, a_full_standard_output_is_an_error,
           plans_of_any_size, the_plan_is_said_first, any_history_has_one_plan, a_long_build_is_asked_about, a_long_build_goes_on,
           signals_leave_the_folder_resumable, one_build_at_a_time, a_killed_build_is_followed])
