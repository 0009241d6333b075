#!/usr/bin/env python3
"""Tables and checkpoints of an earlier version (tests/fixtures): tables are read, checkpoints are resumed."""
import json
import os
import re
import sys
import tarfile

sys.dont_write_bytecode = True
from building import (LONG, RETROGRADE, TAULER, TESTS, build, check_whole, digests, expect, golden_digests,
                      identities, leftovers, request, run, run_cases, tables)
from launching import events, launch

TABLES = [("auale", "awari", "even", "--seeds 5 --depth"), ("auale", "abapa", "forced", "--seeds 4 --depth"),
          ("auale", "abapa", "own-row", "--seeds 4 --depth"), ("auale", "abapa", "own-row-any", "--seeds 3"),
          ("doushouqi", "base", "", "--material Rr"), ("doushouqi", "base", "", "--material Re"),
          ("phutball", "base", "", "--board 4x3"), ("phutball", "base", "", "--board 5x3"),
          ("oca", "base", "", "--players 1"), ("oca-asesina", "base,board=20", "", "--tokens 1")]
SORTED = [("auale", "awari", "even", "--seeds 6"), ("auale", "abapa", "forced", "--seeds 4")]
PARTLY = TABLES[-1]  # the larger slice has no tables there
# Bounds of own-row, which that version did not close by lines of play: they are read and not built on.
BOUNDS = [place for place in TABLES if place[2].startswith("own-row")]
POSITIONS = {("auale", "even"): "0-0-1-0-1-0-1-0-0-1-0-0-22-22-S",
             ("auale", "forced"): "0-0-1-0-1-0-1-0-0-1-0-0-22-22-S",
             ("auale", "own-row"): "0-0-1-0-1-0-1-0-0-1-0-0-22-22-S",
             ("auale", "own-row-any"): "0-0-1-0-1-0-1-0-0-0-0-0-22-23-S", ("doushouqi", ""): "7/7/7/1r5/7/7/2R4/7/7 w",
             ("phutball", ""): "3/1x1/1o1/3 O", ("oca", ""): "oca:12/1", ("oca-asesina", ""): "20/15 lost=0,0 seat=2"}

# The build that was stopped, and what shows that it is resumed: fewer boards or sweeps than from the start.
CHECKPOINTS = {
    "tiles-values": (("auale", "awari", "even", "--seeds 7"), (), "boards"),
    "tiles-forced": (("auale", "abapa", "forced", "--seeds 7 --depth"), (), "boards"),
    "tiles-ranks": (("auale", "awari", "even", "--seeds 7"), (), "boards"),
    "retrograde": (("auale", "abapa", "forced", "--seeds 6 --depth"), RETROGRADE, None),
    "retrograde-ranks": (("auale", "awari", "even", "--seeds 6 --depth"), RETROGRADE, None),
    "retrograde-phutball": (("phutball", "base", "", "--board 5x3"), RETROGRADE, None),
    "chance": (("oca-asesina", "base,board=20", "", "--tokens 1"), (), "sweeps"),
    "chance-general": (("oca-asesina", "base,board=20", "", "--tokens 1"), ("--engine", "chance-edges"), "sweeps"),
}
REFUSED = ("tiles-values", "tiles-forced", "tiles-ranks")  # written before their format changed: a note says so, and the slice starts anew

GOLDEN = {(*place[:3], *key): digest for place, found in golden_digests("digests.csv").items()
          for key, digest in found.items()}


def unpack(name, folder):
    with tarfile.open(os.path.join(TESTS, "fixtures", f"{name}.tar.xz")) as archive:
        archive.extractall(folder)


def expect_golden(place, found):
    """Of those tables that digests.csv has from the same build or a larger one."""
    wrong = [key for key, digest in found.items() if GOLDEN[*place[:3], *key] != digest]
    expect(found and not wrong, "other tables of", *request(place), wrong)


# --- tables ----------------------------------------------------------------------------------------------

def tables_are_proven(folder):
    unpack("tables", folder)
    named = check_whole(folder)
    lines = [json.loads(line) for line in run("verify", "--db", folder, "--json", "--quiet").stdout.splitlines()]
    expect(len(lines) == len(named), len(lines), "of", len(named), "tables are verified")


def tables_of_version(name, version, folder):
    unpack(name, folder)
    named = check_whole(folder)
    expect(len(named) == 17, len(named), "tables are there")
    for path in named:
        with open(path, "rb") as file:
            expect(file.read(17)[16] == version, path, "is not of format", version)
    run("verify", "--db", folder, "--quiet")
    for place in SORTED:
        game, *options = request(place)
        lines = build(folder, *options, game=game)
        expect(lines and not any(line["built"] for line in lines), "tables are built again:", lines)
        expect_golden(place, digests(lines))


def sorted_tables_are_proven_and_kept(folder):
    """The tables with cells in index order beside them have the same values."""
    tables_of_version("tables-sorted", 2, folder)


def coded_tables_are_proven_and_kept(folder):
    tables_of_version("tables-adaptive", 3, folder)


def tables_are_kept_and_probed(folder):
    unpack("tables", folder)
    old = identities(tables(folder))
    fresh = folder + "-fresh"
    for place in TABLES:
        if place in BOUNDS:
            continue
        game, *options = request(place)
        made = build(fresh, *options, game=game)
        of_game = [POSITIONS[game, place[2]], "--rules", place[1], *(("--cycles", place[2]) if place[2] else ())]
        if place[3] not in ("--material Re", "--board 5x3"):
            probes = [run("probe", game, *of_game, "--json", "--db", where).stdout for where in (folder, fresh)]
            expect(probes[0] == probes[1] and '"table":null' not in probes[0], "probes differ:", *probes)
        lines = build(folder, *options, game=game)
        expect(place == PARTLY or not any(line["built"] for line in lines), "tables are built again:", lines)
        expect(any(not line["built"] for line in lines), "no table is kept:", lines)
        expect_golden(place, digests(lines))
        expect(digests(lines) == digests(made), "other digests than of a new build", lines)
    expect(identities(old) == old, "tables are written again")


def bounds_of_own_row_are_read_and_not_built_on(folder):
    unpack("tables", folder)
    for place in BOUNDS:
        game, *options = request(place)
        position = [POSITIONS[game, place[2]], "--rules", place[1], "--cycles", place[2]]
        answer = json.loads(run("probe", game, *position, "--json", "--db", folder).stdout)
        expect("+" in answer["table"] and answer["bounds"][0] <= answer["bounds"][1], answer)
        done = launch(0, TAULER, "build", game, *options, "--quiet", "--db", folder)
        expect(done.status == 64 and "read but not built on" in done.errors, done.status, done.errors)


def tables_are_exported(folder):
    unpack("tables", folder)
    for place in TABLES[:-1]:
        game, *options = request(place)
        options = [option for option in options if option != "--depth"]
        done = run("export", game, *options, "--npy", "--json", "--quiet", "--db", folder, "--to", folder + "-copies")
        copied = digests(map(json.loads, done.stdout.splitlines()))
        expect(copied, "nothing is copied of", *request(place))
        if place not in BOUNDS:
            expect_golden(place, copied)


# --- checkpoints -----------------------------------------------------------------------------------------

def work_done(errors, unit):
    """Boards of the last slice that this build settled itself, or sweeps over each position."""
    if unit == "sweeps":
        return int(re.search(r"\((\d+) sweeps", errors).group(1))
    return [event["done"] for event in events(errors) if event["event"] == "finish"][-1]


def notes(errors):
    """Those about checkpoints."""
    said = [event["message"] for event in events(errors) if event["event"] == "note"]
    return [note for note in said if "starts anew" in note or "goes on from" in note]


def watch_reads(paths, folder):
    """Second names of files, which outlive the first ones, with times of reading that the next read changes."""
    os.mkdir(folder)
    watched = [os.path.join(folder, os.path.basename(path)) for path in paths]
    for path, other in zip(paths, watched):
        os.link(path, other)
        os.utime(other, (1, os.stat(other).st_mtime))
    return watched


def keeps_times_of_reading(folder):
    path = os.path.join(folder, "probe")
    with open(path, "w+", encoding="ascii") as file:
        file.write("read")
    watched, = watch_reads([path], folder + "-probe")
    with open(path, encoding="ascii") as file:
        file.read()
    os.remove(path)
    return os.stat(watched).st_atime > 1


def resume(name, folder, ranks):
    place, settings, unit = CHECKPOINTS[name]
    command = [TAULER, "build", *request(place), *settings, "--json", "--log-json", "--threads", "1", "--db"]
    unpack("checkpoint-" + name, folder)
    parts = [path for path in leftovers(folder) if re.search(r"-\d+$", path)]
    expect(parts, "no checkpoint is there")
    watched = watch_reads(parts, folder + "-parts") if keeps_times_of_reading(folder) else []
    fresh, resumed = launch(0, *command, folder + "-fresh"), launch(ranks, *command, folder)
    expect(resumed.status == 0, "exit code", resumed.status, resumed.errors)
    expect(digests(resumed.lines()) == digests(fresh.lines()), "other tables after", name, resumed.output)
    if place[0] != "oca-asesina" or not settings:  # digests.csv has the bounds of the first engine
        expect_golden(place, digests(resumed.lines()))
    expect(leftovers(folder) == [], "still there:", leftovers(folder))
    said = notes(resumed.errors)
    if any("starts anew" in note for note in said):
        expect(name in REFUSED, "a checkpoint is refused:", said)
        return
    expect(len(said) == 1 and re.search(r"goes on from a checkpoint(, \d+ % done)?$", said[0]), "notes:", said)
    expect(all(os.stat(part).st_atime > 1 for part in watched), "the checkpoint is not read")
    expect(not unit or ranks or work_done(resumed.errors, unit) < work_done(fresh.errors, unit), "nothing is resumed")


def checkpoint_of(name):
    def case(folder):
        for ranks in (0, 2) if LONG else (0,):
            resume(name, f"{folder}-{ranks}", ranks)
    case.__name__ = "checkpoint_of_" + name.replace("-", "_")
    return case


def change_byte(path, place, change):
    with open(path, "r+b") as file:
        file.seek(place, os.SEEK_END if place < 0 else os.SEEK_SET)
        old = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([change(old)]))


def ruin(folder, how):
    marker, = [path for path in leftovers(folder) if path.endswith(".checkpoint")]
    part = [path for path in leftovers(folder) if re.search(r"-\d+$", path)][0]
    if how == "older":
        change_byte(marker, 7, lambda old: old - 1)
    elif how == "newer":
        change_byte(marker, 7, lambda old: old + 1)
    elif how == "marker":
        change_byte(marker, -1, lambda old: old ^ 1)
    elif how == "part":
        change_byte(part, 100, lambda old: old ^ 1)
    else:
        os.remove(part)
    return marker


def what_is_ruined_starts_anew(folder):
    """With a note that says what is wrong; nothing of it stays."""
    reasons = {"older": "is of another version of the program", "newer": "is of another version of the program",
               "marker": "is damaged", "part": "is damaged", "lost": "a part of a checkpoint"}
    for i, (how, reason) in enumerate(reasons.items()):
        name = ("retrograde", "chance")[i % 2]
        place, settings, _ = CHECKPOINTS[name]
        where = folder + how
        unpack("checkpoint-" + name, where)
        ruin(where, how)
        done = run("build", *request(place), *settings, "--json", "--log-json", "--db", where)
        said = notes(done.stderr)
        expect(len(said) == 1 and reason in said[0] and re.search(r"removed, and slice \S+ starts anew$", said[0]), said)
        expect_golden(place, digests(map(json.loads, done.stdout.splitlines())))
        expect(leftovers(where) == [], "still there:", leftovers(where))


def other_engines_and_rules_leave_it(folder):
    """A build of other rules in the same folder touches no checkpoint; one of another width says why it starts anew."""
    unpack("checkpoint-retrograde", folder)
    unpack("checkpoint-chance", folder)
    old = identities(leftovers(folder))
    build(folder, "--rules", "abapa", "--cycles", "even", "--seeds", "6", game="auale")
    build(folder, "--rules", "base,board=20,last-turn=off", "--tokens", "1", game="oca-asesina")
    expect(identities(leftovers(folder)) == old, "checkpoints of other rules:", leftovers(folder))
    place, settings, _ = CHECKPOINTS["chance"]
    done = run("build", *request(place), *settings, "--width", "1e-6", "--json", "--log-json", "--db", folder)
    said = notes(done.stderr)
    expect(len(said) == 1 and "is of another solve" in said[0], "notes:", said)


def two_ranks_resume(folder):
    for name in ("chance", "retrograde-ranks"):
        resume(name, folder + name, 2)


run_cases([tables_are_proven, sorted_tables_are_proven_and_kept, coded_tables_are_proven_and_kept, tables_are_kept_and_probed, tables_are_exported, bounds_of_own_row_are_read_and_not_built_on, *map(checkpoint_of, CHECKPOINTS),
           what_is_ruined_starts_anew, other_engines_and_rules_leave_it, two_ranks_resume])


