#!/usr/bin/python3
"""The Python module: its documentation, its structs against the header, answers against published counts, arrays
with and without numpy."""
import collections
import csv
import doctest
import importlib
import os
import random
import re
import shutil
import subprocess
import sys

import asking_python
import building
from asking_python import DB, PROVED, SEEDS, SHARED, raises, run_python, tauler
from building import Skip, expect, run_cases

asking_python.leave_without_library()
c = importlib.import_module("tauler._library")

HEADERS = [asking_python.ROOT / "base" / "tauler_error.h", asking_python.ROOT / "analysis" / "probe" / "tauler.h"]


def with_numpy():
    """An interpreter that has numpy: this one, or that of the system."""
    for interpreter in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([interpreter, "-c", "import numpy"], capture_output=True, check=False).returncode == 0:
            return interpreter
    raise Skip("no numpy")


def documentation(_):
    """Examples in docstrings and READMEs give the printed output."""
    here, tried = os.getcwd(), 0
    os.chdir(SHARED)
    try:
        for path in sorted((asking_python.MODULE / "tauler").glob("*.py")):
            name = "tauler" if path.stem == "__init__" else f"tauler.{path.stem}"
            found = doctest.testmod(importlib.import_module(name))
            expect(found.failed == 0, name, "fails, see above")
            tried += found.attempted
        for text in (asking_python.MODULE / "README.md", asking_python.ROOT / "README.md"):
            found = doctest.testfile(str(text), module_relative=False)
            expect(found.failed == 0, text, "fails, see above")
            expect(found.attempted, "no example in", text)
    finally:
        os.chdir(here)
    expect(tried > 20, "only", tried, "examples")


def with_pandas(_):
    """The example with pandas prints what it says."""
    interpreter = "/usr/bin/python3"
    if subprocess.run([interpreter, "-c", "import pandas"], capture_output=True, check=False).returncode:
        raise Skip("install python3-pandas")
    done = subprocess.run([interpreter, "-m", "doctest", str(asking_python.MODULE / "pandas.md")], cwd=SHARED, text=True,
                          capture_output=True, check=False, env={**os.environ, "PYTHONPATH": str(asking_python.MODULE)})
    expect(done.returncode == 0, done.stdout, done.stderr)


# --- the header ------------------------------------------------------------------------------------------------------

def header_text():
    text = "\n".join(path.read_text(encoding="utf-8") for path in HEADERS)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def structs_of_header():
    """Field names of every struct whose fields the header shows."""
    found = {}
    for body, name in re.findall(r"typedef struct \{(.*?)\}\s*(\w+);", header_text(), flags=re.S):
        body = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", body)  # of a pointer to a function the name
        declared = (re.sub(r"\[[^]]*\]", "", part) for part in re.split(r"[;,]", body) if part.strip())
        found[name] = [re.search(r"(\w+)\s*$", part).group(1) for part in declared]
    return found


def enums_of_header():
    found = {}
    for body, name in re.findall(r"typedef enum (?:\w+ )?\{(.*?)\}\s*(\w+);", header_text(), flags=re.S):
        found[name] = [word.split("=")[0].strip() for word in body.split(",")]
    return found


def compiled(lines):
    """The output of a C program with the header."""
    source, program = os.path.join(SHARED, "layout.c"), os.path.join(SHARED, "layout")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <inttypes.h>\n#include <stdio.h>\n#include \"tauler.h\"\nint main(void) {\n")
        file.write("\n".join(f'  printf("%lld\\n", (long long)({line}));' for line in lines) + "\n}\n")
    compilers = (os.environ.get("CC"), "gcc", "cc", "clang")
    compiler = next((name for name in compilers if name and shutil.which(name)), None)
    if not compiler:
        raise Skip("no C compiler")
    subprocess.run([compiler, "-std=c11", *(f"-I{path.parent}" for path in HEADERS), source, "-o", program], check=True,
                   capture_output=True)
    out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return [int(number) for number in out.split()]


def version_of_the_library(_):
    with open(os.path.join(asking_python.ROOT, "Makefile"), encoding="utf-8") as file:
        expect(re.search(r"^VERSION := (.*)$", file.read(), re.M)[1] == tauler.__version__, tauler.__version__)


def structs_of_the_header(_):
    """Every field, where it lies and how large it is."""
    in_header = structs_of_header()
    expect(set(in_header) == set(c.STRUCTS), "structs:", set(in_header) ^ set(c.STRUCTS))
    asked, mine = [], []
    for name, struct in c.STRUCTS.items():
        fields = [field for field, *_ in struct._fields_]
        expect(fields == in_header[name], name, "has", in_header[name], "in the header, and here", fields)
        asked.append(f"sizeof({name})")
        mine.append(c.ctypes.sizeof(struct))
        for field in fields:
            asked += [f"offsetof({name}, {field})", f"sizeof((({name} *)0)->{field})"]
            mine += [getattr(struct, field).offset, getattr(struct, field).size]
    expect(len(asked) > 150, "only", len(asked), "figures")
    for what, here, there in zip(asked, mine, compiled(asked)):
        expect(here == there, what, "is", there, "and here", here)


def enums_of_the_header(_):
    """Every name with its number, constants, and the words for errors and categories."""
    enums = {"tauler_error": (tauler.Code, "TAULER_"), "tauler_category": (tauler.Category, "TAULER_"),
             "tauler_line_end": (tauler.LineEnd, "TAULER_LINE_"),
             "tauler_line_rule": (tauler.LineRule, "TAULER_LINE_BY_"),
             "tauler_moves_kind": (importlib.import_module("tauler._arrays").MovesKind, "TAULER_MOVES_")}
    in_header = enums_of_header()
    expect(set(in_header) == set(enums), "enums:", set(in_header) ^ set(enums))
    for name, (enum, prefix) in enums.items():
        names = [prefix + member.name for member in enum]
        expect(names == in_header[name], name, names, in_header[name])
        expect(compiled(names) == [member.value for member in enum], name, "has other numbers")
    expect(compiled(["TAULER_NO_DEPTH", "TAULER_POSITION_BYTES", "TAULER_NO_INDEX == UINT64_MAX"])
           == [c.NO_DEPTH, c.POSITION_BYTES, 1], "constants")
    library = c.load()
    library.tauler_error_name.restype = library.tauler_category_name.restype = c.c_char_p
    for code, kind in importlib.import_module("tauler._errors").CLASSES.items():
        expect(library.tauler_error_name(int(code)).decode() == kind.name and kind.code == code, code, kind.name)
    expect(set(importlib.import_module("tauler._errors").CLASSES) | {tauler.Code.OK} == set(tauler.Code), "classes")
    for category in tauler.Category:
        expect(library.tauler_category_name(int(category)).decode() == str(category), category)


def functions_of_the_header(_):
    """Each function is declared here or left out on purpose, with as many arguments."""
    declared = dict(re.findall(r"TAULER_API [^;(]*?(tauler_\w+)\(([^;]*)\);", header_text()))
    made = re.search(r"^VERSION := (.*)$", (asking_python.ROOT / "Makefile").read_text(encoding="utf-8"), re.M).group(1)
    expect(c.load().tauler_version().decode() == c.VERSION == made, "versions")
    named = {**c._FALLIBLE, **c._FREEING}
    unused = {"tauler_category_of", "tauler_category_name", "tauler_version", "tauler_rules_text",
              "tauler_cycles_text"}
    expect(set(declared) - unused == set(named), "functions:", (set(declared) - unused) ^ set(named))
    for name, arguments in named.items():
        expect(len(arguments) == declared[name].count(",") + 1, name, "takes", declared[name])


# --- answers ---------------------------------------------------------------------------------------------------------

def oracle(name):
    with open(asking_python.ROOT / "tests" / "oracles" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def published_counts(_):
    """A slice gone through one by one has as many boards of each value as are published."""
    published = collections.defaultdict(collections.Counter)
    for row in oracle("auale-awari-table-boards.csv"):
        published[row["slice"]][int(row["value"])] += int(row["count"])
    bounds = collections.defaultdict(collections.Counter)
    for row in oracle("auale-abapa-forced.csv"):
        bounds[row["slice"]][int(row["lower"]), int(row["upper"])] += int(row["count"])
    with tauler.open(DB) as db:
        awari, abapa = db.select("auale", "awari"), db.select("auale", "abapa", "forced")
        for seeds in range(7):
            boards = awari.slice(seeds)
            entries = list(boards)
            expect(collections.Counter(entry.value for entry in entries) == published[str(seeds)], seeds)
            expect([entry.index for entry in entries] == list(range(len(boards))), "indexes of", seeds)
            expect(len({entry.position for entry in entries}) == len(boards), "positions of", seeds)
        for seeds in range(SEEDS + 1):
            found = collections.Counter(awari.slice(seeds).values().tolist())
            expect(found == published[str(seeds)], "values of", seeds, found)
        for seeds in range(6):
            found = collections.Counter(map(tuple, abapa.slice(seeds).bounds().tolist()))
            expect(bounds[str(seeds)] and found == bounds[str(seeds)], "bounds of", seeds, found)


def entries_and_probes_agree(_):
    """By number, by text, one by one and in bulk: the same position, the same bounds."""
    with tauler.open(DB) as db:
        dice = random.Random(20)
        for stored in db.contents().slices:
            tables, positions = db.select(stored.game, stored.rules, stored.cycles or None), db.slice(stored)
            expect((positions.number, len(positions)) == (stored.slice_number, stored.positions), stored)
            for index in (0, -1, dice.randrange(len(positions))):
                entry = positions[index]
                answer, bounds = tables.probe(entry.position), positions.bounds(entry.index, entry.index + 1)[0, 0]
                expect((answer.slice_number, answer.index, answer.table)
                       == (stored.slice_number, entry.index, stored.table), entry)
                expect(answer.position == entry.position, entry, answer.position)
                known = tauler.Bounds(answer.bounds.lower, answer.bounds.upper)
                expect(known == entry.bounds == tables.value(entry.position) and bounds == known.lower, entry, known)
        awari = db.select("auale")
        expect(awari.slice(3)[-1] == awari.slice(3)[len(awari.slice(3)) - 1], "the last one")
        expect(list(awari.slice(9))[100_000] == awari.slice(9)[100_000], "one in the middle of many")


def answers(_):
    """An answer has all that the library says."""
    with tauler.open(DB) as db:
        answer = db.select("auale", "awari").probe(PROVED)
        expect((answer.game, answer.rules, answer.cycles, answer.turn, answer.slice, answer.slice_number)
               == ("auale", "awari", "even", "S", "9", 9), answer)
        expect(answer.category is tauler.Category.WIN and answer.bounds == tauler.Bounds(9.0, 9.0, 1, 1), answer)
        expect(answer.final == (29.0, 19.0) and answer.has_stores and not answer.dice, answer)
        expect("| 0 |" in answer.drawing, answer.drawing)
        expect(not answer.history_counts and answer.history is None and not answer.stages, answer)
        first = answer.moves[0]
        expect([move.name for move in answer.moves if move.best] == ["E", "F"], answer.moves)
        expect(answer.best is first and first.converts and first.slice == "7" and not first.over, first)
        expect(first.position == "0-0-1-0-0-2-0-0-0-3-0-1-22-19-N" and first.child.value == -7, first)
        last = answer.moves[-1]
        expect((last.name, last.value, last.bounds.depth) == ("C", -9, 16), last)
        line = db.select("auale", "awari").line(PROVED)
        expect(line.start == answer.position and line.end is tauler.LineEnd.ENDED and line.repeats is None, line)
        expect("".join(step.move for step in line.steps) == line.moves, line)
        expect(db.select("auale", "awari").moves(PROVED) == answer.moves, "moves")
        abapa = db.select("auale", "abapa").probe("0-0-0-0-1-0-0-0-0-0-1-0-0-0-S")
        expect(line.rule is tauler.LineRule.VALUE, line)
        open_line = db.select("auale", "abapa").line("0-0-0-0-1-0-0-0-0-0-1-0-0-0-S")
        expect(open_line.rule is tauler.LineRule.LOWER_BOUND and str(open_line.rule) == "lower bound", open_line)
        expect(abapa.cycles == "forced" and abapa.value is None and not abapa.bounds.exact, abapa)
        expect(abapa.category is tauler.Category.UNKNOWN and abapa.bounds.depth is None, abapa)
        over = db.select("phutball").probe("3/1x1/1o1/3 O").moves[0]
        expect(over.over and over.position is None and over.slice is None and over.child is None, over)


def answers_after_a_line(_):
    """Where a repetition ends play: the history, and where a line repeats from before its start."""
    with tauler.open(DB) as db:
        own = db.select("auale", "abapa", "own-row")
        start = "0-0-0-0-1-0-0-0-0-0-1-0-0-0-S"
        plain, after = own.probe(start), own.probe(start + " moves Ee")
        expect(plain.history_counts and plain.history is None and plain.stages, plain)
        expect(after.history.met == 2 and not after.history.over and after.history.bounds, after.history)
        expect(all(move.after_line for move in after.moves) and after.best is after.moves[0], after.moves)
        expect(all(move.after_line is None for move in plain.moves), plain.moves)


def answers_of_dice(_):
    with tauler.open(DB) as db:
        oca = db.select("oca")
        answer = oca.probe("oca:12,19~2/1")
        expect(answer.dice and answer.moves == () and answer.best is None and answer.seats == 2, answer)
        expect([q.name for q in answer.quantities] == ["win-1", "win-2", "turns", "rolls"], answer.quantities)
        wins = [(q.lower, q.upper) for q in answer.quantities[:2]]
        expect(wins[0] == (answer.bounds.lower, answer.bounds.upper) and abs(sum(map(sum, wins)) - 2) < 1e-6, wins)
        expect([(roll.name, roll.weight) for roll in answer.rolls] == [(str(n), 1) for n in range(1, 7)], answer.rolls)
        expect(all(roll.moves[0].best for roll in answer.rolls) and oca.rolls("oca:12,19~2/1") == answer.rolls, "rolls")
        # The published chance of whoever begins, to its last digit.
        start = oca.probe("oca:0,0/1").bounds
        expect(start.lower - 1e-6 <= 0.511066874585 <= start.upper + 1e-6 and start.upper - start.lower < 1e-6, start)


# --- arrays ----------------------------------------------------------------------------------------------------------

ARRAYS = """
import sys, tauler
nine_text = "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S"
with tauler.open(sys.argv[1]) as db:
    nine = db.select("auale").slice(9)
    values, part = nine.values(), nine.values(70_000, 140_001)
    bounds = db.select("auale", "abapa", "forced").slice(5).bounds()
    wins = db.select("oca").slice(2).bounds()
    none = nine.values(5, 5), nine.bounds(5, 5)
with tauler.open(sys.argv[1]) as db:
    for game, rules, cycles, name, kind in (("auale", "awari", None, 9, "values"), ("auale", "abapa", "forced", 5, "bounds"),
                                            ("oca", None, None, 2, "bounds")):
        tables = db.select(game, rules, cycles)
        slice = tables.slice(name)
        list_of = [slice.position(i) for i in range(len(slice) - 1, 0, -(len(slice) // 40)) if slice.position(i)]
        listed = getattr(tables, kind)(list_of).tolist()
        one_by_one = [tables.value(text) for text in list_of]
        assert listed == [w.value if kind == "values" else [w.lower, w.upper] for w in one_by_one], (game, listed)
    awari = db.select("auale", "awari")
    missing = awari.values([nine_text, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"]).tolist()
    assert missing[0] == 9 and missing[1] != missing[1], missing
    for wrong, error in ((lambda: awari.values([nine_text, "x"]), "position 1 of the list: 'x'"),
                         (lambda: db.select("auale", "abapa", "forced").values(["0-0-0-0-1-0-0-0-0-0-1-0-0-0-S"]), "bounds")):
        try:
            wrong()
            raise SystemExit("no error")
        except ValueError as reason:
            assert error in str(reason), reason
folder = sys.argv[1] + "/oca/base/2"
cells = [tauler.view_cells(f"{folder}.{end}-win-1.zst") for end in ("lower", "upper")]
mapped = tauler.view_cells(f"{folder}.lower-win-1.zst", sys.argv[2])
print(type(values).__name__, type(bounds).__name__, type(wins).__name__, type(cells[0]).__name__, type(mapped).__name__)
print([len(x) for x in none])
assert part.tolist() == values.tolist()[70_000:140_001], "a part of the values"
assert bounds[17, 0] == bounds.tolist()[17][0] and bounds.shape == (len(bounds), 2)
assert [list(pair) for pair in zip(*(column.tolist() for column in cells))] == wins.tolist(), "cells are not bounds"
assert mapped.tolist() == cells[0].tolist(), "mapped cells"
try:
    cells[0][0] = mapped[0] = 1
except (TypeError, ValueError): print("read-only")
import collections
for counted in (values.tolist(), map(tuple, bounds.tolist())): print(sorted(collections.Counter(counted).items()))
print(sum(map(sum, wins.tolist())), memoryview(values).format, memoryview(wins).format)
"""


def arrays(_):
    """The same numbers with and without numpy, of other types."""
    lower = os.path.join(DB, "oca", "base", "2.lower-win-1.zst")
    flat = os.path.join(SHARED, "flat")
    with open(flat, "wb") as file:
        subprocess.run(["zstd", "-dcq", lower], stdout=file, check=True)
    without = run_python("import sys; sys.modules['numpy'] = None\n" + ARRAYS, DB, flat).splitlines()
    expect(without[0].split() == ["array", "memoryview", "memoryview", "memoryview", "memoryview"], without[0])
    interpreter = with_numpy()
    with_it = run_python(ARRAYS, DB, flat, interpreter=interpreter).splitlines()
    expect(with_it[0].split() == ["ndarray"] * 5, with_it[0])
    expect(with_it[1:] == without[1:], "with numpy", with_it[1:], "without", without[1:])
    expect(with_it[1:3] == ["[0, 0]", "read-only"] and with_it[-1].split()[1:] == ["b", "d"], with_it[1:])


def arrays_that_are_refused(_):
    with tauler.open(DB) as db:
        abapa = db.select("auale", "abapa", "forced").slice(2)
        error = raises(tauler.BadUsage, abapa.values, "ask for bounds")
        index = int(str(error).split()[1])
        expect(not abapa.value(index).exact and all(abapa.value(i).exact for i in range(index)), error)
        for first, stop in ((-1, 3), (3, 2), (0, len(abapa) + 1)):
            try:
                abapa.bounds(first, stop)
                raise building.Failure(f"bounds of {first} to {stop}")
            except IndexError:
                pass
    implied = building.table_path(DB, 9)
    raises(tauler.BadUsage, lambda: tauler.view_cells(implied), "leaves cells out")
    expect(not tauler.read_header(implied).plain, "the header says so")
    plain = os.path.join(DB, "oca", "base", "2.upper-turns.zst")
    header = tauler.read_header(plain)
    expect((header.game, header.rules, header.slice, header.stream, header.cell, header.plain)
           == ("oca", "base", "2", "upper-turns", "f64", True), header)
    with tauler.open(DB) as db:
        tables = {stored.slice: stored.table.split("+") for stored in db.contents().slices if stored.game == "oca"}
    expect(header.digest in tables["2"], header.digest, tables)
    other = os.path.join(SHARED, "other")
    for content, words in ((b"", "0 bytes"), (bytes(header.bytes - 8), "bytes of cells")):
        with open(other, "wb") as file:
            file.write(content)
        raises(tauler.DamagedFile, lambda: tauler.view_cells(plain, other), words)
    raises(tauler.DamagedFile, lambda: tauler.read_header(other), "no table")
    raises(tauler.InputOutput, lambda: tauler.read_header(SHARED + "/nowhere"), "No such file")
    raises(tauler.InputOutput, lambda: tauler.view_cells(plain, SHARED + "/nowhere"), "No such file")
    with open(plain, "rb") as file:
        whole = bytearray(file.read())
    for at, words in ((16, "format"), (36, "not right"), (5000, "")):
        bent = bytearray(whole)
        bent[at] ^= 0x40
        with open(other, "wb") as file:
            file.write(bent)
        raises(tauler.DamagedFile, lambda: tauler.view_cells(other), words)
    with open(other, "wb") as file:
        file.write(whole[:-1])
    raises(tauler.DamagedFile, lambda: tauler.view_cells(other), "cut short")


asking_python.build_tables()
run_cases([documentation, with_pandas, version_of_the_library, structs_of_the_header, enums_of_the_header, functions_of_the_header, published_counts,
           entries_and_probes_agree, answers, answers_after_a_line, answers_of_dice, arrays,
           arrays_that_are_refused])
