#!/usr/bin/env python3
"""`tauler export`: every cell written out, as tables and as arrays of numpy, for programs that know no game."""
import collections
import csv
import json
import os
import shutil
import struct
import subprocess

from building import TESTS, build, expect, files, run, run_cases, table_path, tables

CODES = {"|i1": "b", "|u1": "B", "<i2": "h", "<u2": "H", "<f8": "d"}
ORACLES = os.path.join(TESTS, "oracles")
GAMES = [("auale", ["--seeds", "5", "--depth"]),
         ("auale", ["--seeds", "3", "--rules", "abapa", "--cycles", "forced", "--depth"]),
         ("auale", ["--seeds", "3", "--rules", "abapa", "--cycles", "own-row"]),
         ("doushouqi", ["--material", "Lr"]), ("phutball", ["--board", "3x3"]),
         ("oca", ["--players", "1"]), ("oca-asesina", ["--board", "20", "--tokens", "1"])]


def export(folder, to, game, *options, **settings):
    done = run("export", game, "--db", folder, "--to", to, "--json", *options, **settings)
    return [json.loads(line) for line in done.stdout.splitlines()]


def read_array(path):
    """A file of numpy's by the description of the format alone."""
    with open(path, "rb") as file:
        data = file.read()
    expect(data[:8] == b"\x93NUMPY\x01\x00", "no version 1.0:", data[:8])
    length = struct.unpack("<H", data[8:10])[0]
    about = eval(data[10:10 + length], {"__builtins__": {}})  # the format asks for a literal of Python
    expect((10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n", "header of", length)
    code = CODES[about["descr"]]
    cells = struct.unpack(f"<{about['shape'][0]}{code}", data[10 + length:])
    expect(about["fortran_order"] is False, about)
    return cells


def unpack(path):
    return subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout


def counts_as_published(folder):
    build(folder, "--seeds", "6")
    wanted = collections.defaultdict(dict)
    with open(os.path.join(ORACLES, "auale-awari-table-boards.csv"), encoding="ascii") as published:
        for row in csv.DictReader(published):
            wanted[row["slice"]][int(row["value"])] = int(row["count"])
    copies = export(folder, folder + ".npy", "auale", "--seeds", "6", "--npy")
    expect(len(copies) == 7, copies)
    for copy in copies:
        counted = collections.Counter(read_array(copy["file"]))
        expect(counted == wanted[copy["slice"]], copy["slice"], dict(counted))


def both_forms_of_every_game_agree(folder):
    for game, options in GAMES:
        built = {(line["slice"], line["stream"]): line["table"] for line in build(folder, *options, game=game)}
        plain = export(folder, folder + ".plain", game, *options)
        arrays = export(folder, folder + ".npy", game, *options, "--npy", "--threads", "2")
        expect([copy["table"] for copy in plain] == [copy["table"] for copy in arrays], game, "digests")
        expect({(copy["slice"], copy["stream"]): copy["table"] for copy in plain} == built, game, "streams of", options)
        for copy, array in zip(plain, arrays):
            cells = read_array(array["file"])
            with open(array["file"], "rb") as file:
                expect(file.read()[128:] == unpack(copy["file"]), array["file"])
            expect(len(cells) == copy["positions"], copy)


def copies_are_tables(folder):
    """They are proven, and answer as those that they are copies of."""
    build(folder, "--seeds", "5", "--depth")
    export(folder, folder + ".plain", "auale", "--seeds", "5", "--depth", "--level", "3")
    report = run("verify", "--db", folder + ".plain").stdout
    expect("12 proven" in report and " 0 wrong" in report, report)
    asked = ["probe", "auale", "0-0-1-0-1-1-1-0-0-0-0-1-20-23-S", "--json", "--db"]
    expect(run(*asked, folder).stdout == run(*asked, folder + ".plain").stdout, "answers differ")


def cells_looked_up_one_by_one_are_the_same(folder):
    build(folder, "--seeds", "6", "--depth")
    options = ["auale", "--seeds", "6", "--depth", "--npy"]
    loaded = export(folder, folder + ".a", *options)
    looked_up = export(folder, folder + ".b", *options, "--memory", "1K", "--threads", "3")
    for one, other in zip(loaded, looked_up):
        with open(one["file"], "rb") as a, open(other["file"], "rb") as b:
            expect(a.read() == b.read(), one["file"])


def quiet_copies_say_nothing(folder):
    build(folder, "--seeds", "1")
    to = folder + "-to"
    done = run("export", "auale", "--seeds", "1", "--db", folder, "--to", to, "--quiet")
    expect(done.stdout + done.stderr == "" and len(files(to)[1]) == 2, "printed", done.stdout, done.stderr)
    expect(len(export(folder, to, "auale", "--seeds", "1", "--quiet")) == 2, "no objects with --json")


def whole_copies_are_kept_and_others_made_again(folder):
    build(folder, "--seeds", "3")
    for form in ([], ["--npy"]):
        to = folder + ".to" + "".join(form)
        options = ["auale", "--seeds", "3", *form]
        expect(all(copy["made"] for copy in export(folder, to, *options)), "made at first")
        copies = export(folder, to, *options)
        expect(not any(copy["made"] for copy in copies), "kept then")
        with open(copies[2]["file"], "r+b") as file:
            content = file.read()
            at = len(content) - 1 if form else content.index(b"\x28\xb5\x2f\xfd") + 8  # in the first frame
            file.seek(at)
            file.write(bytes([content[at] ^ 1]))
        os.truncate(copies[3]["file"], 40)
        if not form:  # a table with the same digest, which leaves cells out
            shutil.copy(table_path(folder, 1), copies[1]["file"])
        made = [copy["made"] for copy in export(folder, to, *options)]
        expect(made == [False, not form, True, True], form, made)
        expect(not [path for path in files(to)[0] if os.path.basename(path).startswith(".")], "leftovers")


def errors(folder):
    to = folder + ".to"
    expect("--to" in run("export", "auale", "--seeds", "3", "--db", folder, exit_code=64).stderr, "no --to")
    missing = run("export", "auale", "--seeds", "3", "--db", folder, "--to", to, exit_code=66).stderr
    expect("tauler build auale --seeds 3" in missing, missing)
    build(folder, "--seeds", "3")
    missing = run("export", "auale", "--seeds", "3", "--depth", "--db", folder, "--to", to, exit_code=66).stderr
    expect("--depth" in missing and not os.path.exists(to), missing)
    os.symlink(folder, to)
    same = run("export", "auale", "--seeds", "3", "--db", folder, "--to", to, exit_code=64).stderr
    expect("folder of the tables" in same and len(tables(folder)) == 4, same)
    os.remove(to)
    run("export", "auale", "--seeds", "3", "--npy", "--level", "3", "--db", folder, "--to", to, exit_code=64)
    run("export", "oca", "--depth", "--db", folder, "--to", to, exit_code=64)
    run("export", "auale", "--seeds", "3", "--db", folder, "--to", "/proc/none", exit_code=74)
    shutil.copy(os.path.join(folder, "auale/awari/even/2.value.zst"), os.path.join(folder, "auale/awari/even/3.value.zst"))
    damaged = run("export", "auale", "--seeds", "3", "--db", folder, "--to", to, exit_code=65).stderr
    expect("another table" in damaged and not os.path.exists(to), damaged)


run_cases([quiet_copies_say_nothing, counts_as_published, both_forms_of_every_game_agree, copies_are_tables,
           cells_looked_up_one_by_one_are_the_same, whole_copies_are_kept_and_others_made_again, errors])
