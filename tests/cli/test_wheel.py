#!/usr/bin/python3
# Tier: make check
"""The wheel: the files in it, and answers of what pip installs of it, away from the repository and from the libraries
of the system, against `tauler probe --json`."""
import atexit
import base64
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import asking_python
import building
from asking_python import ROOT
from building import Skip, expect, run_cases

asking_python.leave_without_library()
BUILD = asking_python.LIBRARY.parent
DIST = ROOT / "dist" if BUILD == ROOT / "build" else BUILD / "dist"
SHARED = pathlib.Path(tempfile.mkdtemp(prefix="tauler-wheel."))
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)

INTERPRETER = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable  # the system's own
QUESTIONS = [
    ("auale", "awari", ["--seeds", "9", "--depth"], "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S"),
    ("auale", "abapa", ["--seeds", "3"], "0-0-1-0-0-1-0-0-0-0-0-1-25-20-S"),
    ("doushouqi", "base", ["--material", "Lr"], "7/7/7/7/7/7/7/3L3/r6 b"),
    ("oca", "base", ["--players", "2", "--width", "1e-4"], "oca:12,19~2/1"),
]
ASK = """
import collections, json, sys, tauler
with tauler.open(sys.argv[1]) as db:
    for game, rules, _, position in json.loads(sys.argv[2]):
        tables = db.select(game, rules)
        answer = tables.probe(position)
        bounds = lambda known: [known.lower, known.upper]
        moves = lambda of: [[move.name, move.position, bounds(move.bounds)] for move in of.moves]
        print(json.dumps([answer.position, answer.table, bounds(answer.bounds), answer.depth, moves(answer),
                          [[roll.name, moves(roll)] for roll in answer.rolls]]))
    print(json.dumps(collections.Counter(db.select("auale", "awari").slice(9).values())))
with open("/proc/self/maps") as maps:
    print(json.dumps(sorted({line.split()[-1] for line in maps if ".so" in line})))
print(json.dumps(tauler.__file__))
"""


def wheel():
    found = [path for path in DIST.glob(f"*_{os.uname().machine}.whl") if "tauler/libzstd.so.1" in zipfile.ZipFile(path).namelist()]
    expect(len(found) == 1, "not one wheel in", DIST, found)
    return found[0]


def carried():
    """The libraries that the wheel's library names and that not every Linux has."""
    shown = subprocess.run(["objdump", "-p", str(asking_python.LIBRARY)], capture_output=True, text=True, check=True)
    needed = re.findall(r"NEEDED\s+(\S+)", shown.stdout)
    return sorted(name for name in needed if not re.match(r"(libc|libm|libpthread|libdl|ld-linux.*)\.so", name))


@functools.lru_cache(maxsize=None)
def installed():
    """An environment of its own, with the wheel and nothing else."""
    where = SHARED / "venv"
    made = subprocess.run([INTERPRETER, "-m", "venv", str(where)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Skip("no venv with pip: install python3-venv")
    run_apart(where, "-m", "pip", "install", "--quiet", "--no-index", "--no-cache-dir", str(wheel()))
    return where


def run_apart(where, *arguments):
    done = subprocess.run([str(where / "bin" / "python"), "-I", *arguments], cwd=SHARED, capture_output=True, text=True,
                          check=False, timeout=building.SECONDS,
                          env={"PATH": str(SHARED / "nowhere"), "HOME": str(SHARED), "LD_LIBRARY_PATH": ""})
    expect(done.returncode == 0, "exit code", done.returncode, done.stderr[-600:])
    return done.stdout


def files_of_the_wheel(_):
    """The module, its libraries, terms of all, and what wheels have; each as its record says."""
    expect("libgomp.so.1" in carried() or "libomp.so.5" in carried(), carried())
    expect("libzstd.so.1" in carried() and len(carried()) == 2, carried())
    name, version, *tag = wheel().stem.split("-")
    info = f"{name}-{version}.dist-info"
    place = asking_python.MODULE / "tauler"
    module = [path.relative_to(place) for path in place.rglob("*") if path.suffix in (".py", ".md", ".json", ".typed")]
    wanted = {f"tauler/{file}" for file in [*module, "libtauler.so.0", *carried()]}
    wanted |= {f"{info}/{file}" for file in ("METADATA", "WHEEL", "RECORD", "licenses/LICENSE")}
    wanted |= {f"{info}/licenses/{file}.txt" for file in carried()}
    with zipfile.ZipFile(wheel()) as packed:
        expect(sorted(packed.namelist()) == sorted(wanted), sorted(set(packed.namelist()) ^ wanted))
        data = {file: packed.read(file) for file in packed.namelist()}
    expect(f"Tag: {'-'.join(tag)}\n" in data[f"{info}/WHEEL"].decode(), data[f"{info}/WHEEL"])
    expect(f"\nVersion: {version}\n" in data[f"{info}/METADATA"].decode(), data[f"{info}/METADATA"])
    rows = [row.split(",") for row in data[f"{info}/RECORD"].decode().splitlines()]
    expect(sorted(row[0] for row in rows) == sorted(wanted), "record of", rows)
    for file, digest, size in rows:
        right = base64.urlsafe_b64encode(hashlib.sha256(data[file]).digest()).decode().rstrip("=")
        expect(file.endswith("/RECORD") or (digest, size) == (f"sha256={right}", str(len(data[file]))), file)
    for library in carried():
        expect(len(data[f"{info}/licenses/{library}.txt"]) > 1000, "terms of", library)


def tag_of_the_symbols(_):
    """No library in the wheel asks for a newer glibc than the tag names, and one asks for that."""
    newest = 0
    with zipfile.ZipFile(wheel()) as packed:
        for file in ("libtauler.so.0", *carried()):
            path = packed.extract(f"tauler/{file}", SHARED / "packed")
            symbols = subprocess.run(["objdump", "-T", path], capture_output=True, text=True, check=True).stdout
            newest = max([newest, *(int(minor) for minor in re.findall(r"\(GLIBC_2\.(\d+)", symbols))])
            expect(not re.search(r"\bO?MPI_", symbols, re.I), file, "knows MPI")
    machine = os.uname().machine
    native = "-march=" in (BUILD / "flags").read_text("utf-8")
    wanted = f"py3-none-linux_{machine}" if native else f"py3-none-manylinux_2_{newest}_{machine}"
    expect(wheel().stem.split("-", 2)[2] == wanted, wheel().stem, "not", wanted)


def what_is_installed_answers(_):
    where, db = installed(), str(SHARED / "tables")
    for game, rules, options, _ in QUESTIONS:
        building.run("build", game, "--rules", rules, *options, "--quiet", "--db", db)
    said = run_apart(where, "-c", ASK, db, json.dumps(QUESTIONS)).splitlines()
    *answers, counts, maps, module = map(json.loads, said)
    for (game, rules, _, position), answer in zip(QUESTIONS, answers):
        shown = json.loads(building.run("probe", game, "--rules", rules, "--db", db, "--json", position).stdout)
        moves = [[move["move"], move["position"], move["bounds"]] for move in shown["moves"]]
        rolls = [[str(roll["roll"]), [[move["move"], move["position"], move["bounds"]] for move in roll["moves"]]]
                 for roll in shown.get("rolls", [])]
        wanted = [shown["position"], shown["table"], shown["bounds"], shown["depth"], moves, rolls]
        expect(answer == wanted, game, answer, "is not", wanted)
        expect(moves or rolls, "nothing to compare", shown)
    stats = building.run("stats", "auale", "--seeds", "9", "--csv", "--db", db).stdout
    wanted = dict(row.split(",")[1:] for row in stats.splitlines() if row.startswith("9,"))
    expect({value: str(count) for value, count in counts.items()} == wanted, counts, "are not", wanted)
    package = os.path.dirname(module)
    expect(package.startswith(str(where.resolve())), module)
    for name in ("libtauler.so.0", *carried()):
        used = [path for path in maps if os.path.basename(path).startswith(name.split(".so")[0] + ".so")]
        expect(used == [f"{package}/{name}"], name, "is", used)


if __name__ == "__main__":
    run_cases((files_of_the_wheel, tag_of_the_symbols, what_is_installed_answers))
