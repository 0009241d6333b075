#!/usr/bin/env python3
"""Writes and checks the figures of large runs in docs/results: counts and digests from a folder of tables, time and
memory from what GNU time says; and stores beside the Markdown of a claim what `tauler claims` has found.
docs/results/README.md names runs, files and columns."""
import argparse
import csv
import datetime
import glob
import itertools
import json
import math
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(ROOT, "docs", "results")
MOST_BYTES = 1 << 20
VALUES, BOUNDS = ["slice", "value", "count"], ["slice", "lower", "upper", "count"]
DEPTHS = ["pieces", "value", "depth", "count"]
STARTS = ["seeds", "move", "lower", "upper"]
DIGESTS = ["slice", "stream", "positions", "bytes", "digest"]
TIMES = ["run", "step", "seconds", "processor_seconds", "memory_bytes", "read_bytes", "written_bytes"]


class Wrong(Exception):
    """A file says what cannot be."""


class Run:
    def __init__(self, game, rules, size, columns, build=(), stats=(), ended=False):
        self.game, self.rules, self.size, self.columns = game, rules, size, columns
        self.build, self.stats = build, stats
        self.ended = ended  # an earlier version stored what the run has: its files are kept

    def commands(self, step, size=None):
        """Arguments of `tauler build` or `tauler stats` for each part of the size."""
        return [[step, self.game, *self.rules, *part.split(),
                 *(self.build if step == "build" else (*self.stats, "--csv"))] for part in (size or self.size).split(", ")]


ABAPA = ("--rules", "abapa", "--cycles")
BOARDS = (*(f"{rows}x3" for rows in range(3, 10)), *(f"{rows}x4" for rows in range(3, 9)))
RUNS = {
    "awari": Run("auale", (), "--seeds 34", VALUES, stats=("--boards", "all")),
    "abapa-forced": Run("auale", (*ABAPA, "forced"), "--seeds 24", BOUNDS),
    "abapa-own-row": Run("auale", (*ABAPA, "own-row"), "--seeds 28", BOUNDS, build=("--depth",),
                          ended=True),
    "abapa-exact": Run("auale", (*ABAPA, "own-row"), "--seeds 30", VALUES, stats=("--boards", "all")),
    "doushouqi": Run("doushouqi", (), "--pieces 5", VALUES, build=("--depth",), stats=("--depths",)),
    "doushouqi-liacs": Run("doushouqi", ("--rules", "liacs"), "--pieces 5", VALUES, build=("--depth",),
                           stats=("--depths",)),
    "phutball": Run("phutball", (), ", ".join(f"--board {board}" for board in BOARDS), VALUES),
}


def require(condition, *what):
    if not condition:
        raise Wrong(" ".join(map(str, what)))


# --- writing ---


def tauler(*arguments):
    program = os.environ.get("TAULER", os.path.join(ROOT, "tauler"))
    return subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def write_rows(path, columns, rows):
    with open(path + ".part", "w", encoding="ascii", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows(rows)
    os.replace(path + ".part", path)


def write_digests(name, folder, size, path):
    """A build of what is there builds nothing, and names every table."""
    tables = [json.loads(line) for command in RUNS[name].commands("build", size)
              for line in tauler(*command, "--db", folder, "--json", "--quiet").splitlines()]
    write_rows(path, DIGESTS, ([table[key] for key in (*DIGESTS[:-1], "table")] for table in tables))


def write_animals(name, folder, size, path):
    """Counts of all materials of two to so many pieces, and what they are together by depth, from one pass."""
    counts, depths = {}, {}
    for pieces in range(2, int((size or RUNS[name].size).split()[-1]) + 1):
        (command,) = RUNS[name].commands("stats", f"--pieces {pieces}")
        said = tauler(*command, "--db", folder, "--quiet")
        for part, value, depth, count in itertools.islice(csv.reader(said.splitlines()), 1, None):
            counts[part, value] = counts.get((part, value), 0) + int(count)
            place = (pieces, int(value), int(depth or 0))
            depths[place] = depths.get(place, 0) + int(count)
    write_rows(path, VALUES, ((*place, count) for place, count in counts.items()))
    write_rows(path.replace(".csv", "-depths.csv"), DEPTHS,
               ((pieces, value, depth if value else "", count) for (pieces, value, depth), count in sorted(depths.items())))


def write_counts(name, folder, size, path):
    if "--depths" in RUNS[name].stats:
        write_animals(name, folder, size, path)
        return
    rows = []
    for command in RUNS[name].commands("stats", size):
        columns, *more = csv.reader(tauler(*command, "--db", folder, "--quiet").splitlines())
        rows += more
    write_rows(path, columns, rows)


def start_of(seeds):
    """Alike in each pit."""
    return "-".join([str(seeds // 12)] * 12 + ["0", "0", "S"])


def write_starts(name, folder, size, path, searched):
    """The worths of starts that tables hold, and of their moves; so many positions are searched for the next start."""
    one, rows = RUNS[name], []
    most = int((size or one.size).split()[-1])
    for seeds in range(12, most + (13 if searched else 1), 12):
        options = ["--search-positions", searched, "--memory", "1G"] if seeds > most else []
        found = json.loads(tauler("probe", one.game, *one.rules, start_of(seeds), *options, "--db", folder, "--json"))
        rows += [(seeds, place.get("move", ""), *place["bounds"]) for place in (found, *found["moves"])]
    write_rows(path, STARTS, rows)


def time_row(run, step, text):
    """A row of runs.csv from what `time -v` writes."""
    said = dict(line.strip().rpartition(": ")[::2] for line in text.splitlines() if ": " in line)
    clock = 0.0
    for part in said["Elapsed (wall clock) time (h:mm:ss or m:ss)"].split(":"):
        clock = 60 * clock + float(part)
    processor = float(said["User time (seconds)"]) + float(said["System time (seconds)"])
    blocks = [512 * int(said[f"File system {way}"]) for way in ("inputs", "outputs")]
    return [run, step, round(clock), round(processor), 1024 * int(said["Maximum resident set size (kbytes)"]), *blocks]


def add_time(run, step, file, folder):
    """Takes the place of an earlier row of the same step."""
    path = os.path.join(folder, "runs.csv")
    with open(file, encoding="utf-8") as said:
        row = time_row(run, step, said.read())
    rows = read_rows(path, TIMES) if os.path.exists(path) else []
    write_rows(path, TIMES, sorted([[*map(str, row)], *(old for old in rows if old[:2] != [run, step])]))


# --- claims ---


def prose_of(claim):
    """The Markdown of a claim, by its place."""
    for path in glob.glob(os.path.join(ROOT, "analysis", "python", "tauler", "claims", "*", "*.md")):
        if "-".join(path[:-3].split(os.sep)[-2:]).replace("_", "-") == claim:
            return path
    raise Wrong(f"there is no claim {claim}")


def printed(rows):
    """The figures of a table as text: a column that has a fraction has one everywhere."""
    columns = {}
    for key in rows[0] if rows else ():
        require(not any(isinstance(row[key], list) for row in rows), "bounds cannot be stored:", key)
        cells = [json.dumps(row[key]) for row in rows if isinstance(row[key], float)]
        decimals = max((len(cell.partition(".")[2]) for cell in cells), default=0)
        columns[key] = ["-" if row[key] is None else row[key] if isinstance(row[key], str)
                        else f"{row[key]:.{decimals}f}" for row in rows]
    return [" | ".join(cells) for cells in zip(*columns.values())]


def store_claim(file, size, tables, date):
    """Takes the place of what was stored before, in a file beside the claim's Markdown."""
    with open(file, encoding="utf-8") as said:
        found = json.load(said)
    stored = {"size": size, "date": date, "verdict": found["verdict"], "reason": found["reason"],
              "sources": [{"rules": one["rules"], "digest": one["digest"], "tables": len(one["tables"])} for one in found["sources"]],
              "rows": {table["name"]: printed(table["rows"]) for table in found["figures"]
                       if table["rows"] and (not tables or table["name"] in tables)}}
    with open(prose_of(found["claim"])[:-len("md")] + "json", "w", encoding="utf-8") as out:
        out.write(json.dumps(stored, ensure_ascii=False, indent=1) + "\n")


# --- checking ---


def read_rows(path, columns):
    with open(path, encoding="ascii", newline="") as file:
        rows = list(csv.reader(file))
    require(rows and rows[0] == columns, path, "has other columns than", columns)
    require(all(len(row) == len(columns) for row in rows), path, "has rows of other lengths")
    require(os.path.getsize(path) <= MOST_BYTES, path, "is too large")
    return rows[1:]


def positions_of(name, part):
    """How many positions a slice has, by a formula; None: there is none."""
    if RUNS[name].game == "auale":
        seeds = int(part)
        unreached = 0 if "all" in RUNS[name].stats else math.comb(seeds + 5, 11)
        return math.comb(seeds + 11, 11) - unreached
    if RUNS[name].game == "phutball":
        rows, columns = map(int, part.split("x"))
        return (rows - 2) * columns << (rows * columns - 1)
    return None


def check_counts(name, path):
    """The positions of every slice, by slice; each row once, in order, and sums that the rules give."""
    sums, before = {}, None
    for part, *values, count in read_rows(path, RUNS[name].columns):
        values = [int(value) for value in values]
        require(int(count) > 0 and values == sorted(values), path, part, values, count)
        require(part not in sums or (before[0] == part and before[1] < values), path, part, values, "is out of order")
        if RUNS[name].game == "auale":
            require(all(abs(value) <= int(part) for value in values), path, part, values, "is more than there are")
        sums[part] = sums.get(part, 0) + int(count)
        before = (part, values)
    for part, total in sums.items():
        require(positions_of(name, part) in (None, total), path, part, "has", total, "positions, not",
                positions_of(name, part))
    if RUNS[name].game == "auale":
        require([*sums] == [str(n) for n in range(len(sums))], path, "leaves slices out")
    return sums


def check_depths(name, path):
    """The sums of what the counts say, and a depth where there is a winner."""
    sums, before = [0, 0], None
    for pieces, value, depth, count in read_rows(path, DEPTHS):
        place = (int(pieces), int(value), int(depth or 0))
        require(int(count) > 0 and (before is None or before < place), path, place, "is out of order")
        require((depth == "") == (value == "0"), path, place, "has no winner and a depth")
        require(not depth or int(depth) % 2 == (value == "1"), path, place, "is of another side")
        sums[0] += int(count)
        before = place
    for row in read_rows(path.replace("-depths.csv", ".csv"), RUNS[name].columns):
        sums[1] += int(row[-1])
    require(sums[0] == sums[1], path, "has", sums[0], "positions, not", sums[1])


def check_starts(name, path):
    """A start is worth what its best move is; what lies open, as much."""
    best, before = {}, None
    for seeds, move, *bounds in read_rows(path, STARTS):
        lower, upper = map(int, bounds)
        require(int(seeds) % 12 == 0 and -int(seeds) <= lower <= upper <= int(seeds), path, seeds, move, bounds)
        require((move == "") == (seeds != before), path, seeds, move, "is out of order")
        best.setdefault(seeds, []).append((lower, upper))
        before = seeds
    for seeds, (start, *moves) in best.items():
        require(start == tuple(map(max, zip(*moves))), path, seeds, "is not worth what its best move is")


def check_digests(name, path):
    """Digests by slice and stream."""
    found = {}
    for part, stream, positions, size, digest in read_rows(path, DIGESTS):
        require(re.fullmatch("[0-9a-f]{32}", digest) and int(size) > 0, path, part, stream, size, digest)
        require((part, stream) not in found, path, "has", part, stream, "twice")
        if RUNS[name].game == "auale":
            wanted = math.comb(int(part) + 11, 11) - math.comb(int(part) + 5, 11)
            require(int(positions) == wanted, path, part, "has", positions, "positions, not", wanted)
        found[part, stream] = digest
    return found


CHECKS = {"": check_counts, "-digests": check_digests, "-depths": check_depths, "-starts": check_starts}


def check_folder(folder):
    """The files that were checked, by name."""
    checked = []
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        run, kind, _ = re.fullmatch(r"(.*?)(|-digests|-depths|-starts)(\.\w+)?", name).groups()
        if name == "runs.csv":
            for row in read_rows(path, TIMES):
                require(row[0] in RUNS and all(int(figure) >= 0 for figure in row[2:]), path, row)
        elif name.endswith(".csv"):
            require(run in RUNS, path, "is of no run")
            CHECKS[kind](run, path)
        else:
            continue
        checked.append(name)
    return checked


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", nargs="?", choices=RUNS, help="whose files are written; without it files are checked")
    parser.add_argument("--db", default="tables", help="folder of the tables")
    parser.add_argument("--to", default=RESULTS, help="folder of the CSV files")
    parser.add_argument("--size", help='another size, such as "--seeds 6"')
    parser.add_argument("--only", choices=["counts", "digests", "starts"])
    parser.add_argument("--search", metavar="N", help="look at N positions for the first start above the tables")
    parser.add_argument("--time", nargs=2, metavar=("STEP", "FILE"), help="add what time -v has written of a step")
    parser.add_argument("--claim", metavar="FILE", help="store what `tauler claims NAME --json` printed with --size")
    parser.add_argument("--tables", nargs="*", help="of the claim's tables of figures only these")
    given = parser.parse_args()
    try:
        if given.claim:
            store_claim(given.claim, given.size, given.tables, datetime.date.today().isoformat())
            return
        if not given.run:
            print("\n".join(check_folder(given.to)))
            return
        if given.time:
            add_time(given.run, *given.time, given.to)
            return
        for kind, write, end in (("counts", write_counts, ".csv"), ("digests", write_digests, "-digests.csv")):
            if given.only in (None, kind):
                write(given.run, given.db, given.size, os.path.join(given.to, given.run + end))
        if given.only in (None, "starts") and RUNS[given.run].game == "auale":
            path = os.path.join(given.to, given.run + "-starts.csv")
            write_starts(given.run, given.db, given.size, path, given.search)
    except (Wrong, OSError, subprocess.CalledProcessError) as reason:
        sys.exit(f"results.py: {reason}")


if __name__ == "__main__":
    main()
