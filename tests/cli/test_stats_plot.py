#!/usr/bin/python3
# Tier: make check
"""Pictures of statistics: what matplotlib is given is what the counts say; whole files of either kind, or none and a
reason."""
import atexit
import collections
import csv
import io
import json
import os
import resource
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as tree

from building import CHECK, Skip, environment, expect, run, run_cases

SHARED = tempfile.mkdtemp(prefix="tauler-plot.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
DB = os.path.join(SHARED, "db")
# In the place of matplotlib: the picture is what it is given.
FAKE = """
import json


class Axes:
    def __init__(self):
        self.calls = []

    @property
    def yaxis(self):
        return self

    def get_ylim(self):
        return 0, 1

    def __getattr__(self, name):
        def call(*arguments, **named):
            if name == "set_major_formatter":
                return
            plain = [list(map(str if name == "set_xticks" else float, one)) if hasattr(one, "__iter__") and not isinstance(one, str)
                     else one for one in arguments]
            self.calls.append([name, plain, named.get("label")])
        return call


class Figure:
    def __init__(self, axes):
        self.axes = axes

    def savefig(self, path, **_):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.axes.calls, file)


def subplots(**_):
    axes = Axes()
    return Figure(axes), axes


def close(_):
    pass
"""
HAVE = not subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True, check=False).returncode


def tables():
    if not os.path.exists(DB):
        run("build", "auale", "--seeds", "6", "--depth", "--quiet", "--db", DB)
        run("build", "auale", "--rules", "abapa", "--seeds", "5", "--depth", "--quiet", "--db", DB)
        run("build", "doushouqi", "--pieces", "2", "--quiet", "--db", DB)
        run("build", "phutball", "--board", "3x3", "--quiet", "--db", DB)
    return DB


def stats(*options, **settings):
    return run("stats", *options, "--db", tables(), **settings)


def counts(*options):
    return list(csv.DictReader(io.StringIO(stats(*options, "--csv").stdout)))


def drawn(folder, *options):
    """What matplotlib is given: all texts, and rows of figures: the place and one of each series."""
    package = os.path.join(folder, "matplotlib")
    os.makedirs(package, exist_ok=True)
    for name, text in (("__init__.py", "rcParams = {}\n\n\ndef use(_):\n    pass\n"), ("pyplot.py", FAKE)):
        with open(os.path.join(package, name), "w", encoding="ascii") as file:
            file.write(text)
    path = os.path.join(folder, "picture.svg")
    stats(*options, "--plot", path, env={**environment(), "PYTHONPATH": folder})
    with open(path, encoding="utf-8") as file:
        calls = json.load(file)
    series = [arguments for name, arguments, _ in calls if name in ("bar", "plot")]
    places = [sum(at) / len(series) for at in zip(*(one[0] for one in series))] # bars stand side by side around it
    rows = [[round(place, 9), *row] for place, *row in zip(places, *(one[1] for one in series))]
    return json.dumps(calls), rows


def shares(rows):
    """{slice: parts of a hundred: won, drawn, lost, open}"""
    of = collections.OrderedDict()
    for row in rows:
        lower, upper = int(row.get("value", row.get("lower"))), int(row.get("value", row.get("upper")))
        which = 0 if lower > 0 else 2 if upper < 0 else 1 if lower == upper else 3
        of.setdefault(row["slice"], [0] * 4)[which] += int(row["count"])
    return [[100 * n / sum(four) for n in four] for four in of.values()]


def alike(is_, wanted):
    return len(is_) == len(wanted) and all(len(a) == len(b) and all(abs(x - y) < 1e-9 for x, y in zip(a, b))
                                           for a, b in zip(is_, wanted))


def winners_are_those_counted(folder):
    for options, series in ((("auale", "--seeds", "6"), 3), (("auale", "--rules", "abapa", "--seeds", "5"), 4)):
        script, rows = drawn(folder, *options)
        wanted = shares(counts(*options))
        expect(alike([row[1:] for row in rows], [four[:series] for four in wanted]), rows, wanted)
        expect("who wins" in script and "seeds on the board" in script and '["0", "1", "2", "3", "4", "5"' in script, script[:600])
    options = "doushouqi", "--pieces", "2"
    script, rows = drawn(folder, *options)
    wanted = shares(counts(*options))
    expect(len(rows) == len(wanted) > 60, len(rows), len(wanted))
    expect(alike(sorted(row[1:] for row in rows), sorted(four[:3] for four in wanted)), "other shares")
    expect([row[1] for row in rows] == sorted(row[1] for row in rows), "not in the order of what is won")


def values_are_those_of_the_last_slice(folder):
    script, rows = drawn(folder, "auale", "--seeds", "6", "--plot-of", "values")
    of_six = sorted((int(r["value"]), int(r["count"])) for r in counts("auale", "--seeds", "6") if r["slice"] == "6")
    expect([tuple(row) for row in rows] == of_six and "values, 6 seeds" in script, rows, of_six)
    script, rows = drawn(folder, "auale", "--rules", "abapa", "--seeds", "5", "--plot-of", "values")
    bounds = [collections.Counter(), collections.Counter()]
    for row in counts("auale", "--rules", "abapa", "--seeds", "5"):
        if row["slice"] == "5":
            bounds[0][int(row["lower"])] += int(row["count"])
            bounds[1][int(row["upper"])] += int(row["count"])
    wanted = [[n, bounds[0][n], bounds[1][n]] for n in sorted(bounds[0] | bounds[1])]
    expect(alike(rows, wanted), rows, wanted)


def depths_are_those_counted(folder):
    more = (("doushouqi", "--pieces", "2"), ("phutball", "--board", "3x3")) if CHECK else ()
    for options in ("auale", "--seeds", "6"), *more:
        _, rows = drawn(folder, *options, "--depths")
        wanted = collections.defaultdict(lambda: [0, 0])
        for row in counts(*options, "--depths"):
            if row["depth"] and int(row["value"]):
                wanted[(int(row["depth"]) + 1) // 2 * 2][int(row["value"]) < 0] += int(row["count"])
        is_ = {row[0]: [0 if n != n else n for n in row[1:]] for row in rows}
        expect(is_ == wanted, options, is_, dict(wanted))
    _, rows = drawn(folder, "auale", "--rules", "abapa", "--seeds", "5", "--depths")
    wanted = collections.defaultdict(lambda: [0, 0])
    for row in counts("auale", "--rules", "abapa", "--seeds", "5", "--depths"):
        for side, name in enumerate(("depth-lower", "depth-upper")):
            if row[name]:
                wanted[(int(row[name]) + 1) // 2 * 2][side] += int(row["count"])
    expect({row[0]: [0 if n != n else n for n in row[1:]] for row in rows} == wanted, rows, dict(wanted))


def pictures_are_whole(folder):
    if not HAVE:
        raise Skip("install python3-matplotlib")
    os.makedirs(folder)
    for options in (("phutball", "--board", "3x3", "--plot-of", "values"),
                    *((("auale", "--rules", "abapa", "--seeds", "5", "--depths"), ("auale", "--seeds", "6"),
                       ("doushouqi", "--pieces", "2")) if CHECK else ())):
        plain = [o for o in options if o not in ("--plot-of", "values")]
        svg, png = os.path.join(folder, "a.svg"), os.path.join(folder, "a.png")
        expect(stats(*options, "--plot", svg).stdout == stats(*plain).stdout, "other words with a picture")
        root = tree.parse(svg).getroot()
        expect(options[0] in "".join(root.itertext()), "no title")
    stats("auale", "--seeds", "6", "--plot", png, "--csv")
    with open(png, "rb") as file:
        expect(file.read().startswith(b"\x89PNG"), "no PNG")
    expect(sorted(os.listdir(folder)) == ["a.png", "a.svg"], os.listdir(folder))


def refused(folder, wanted, code, *options, path="a.svg", **settings):
    done = stats(*options, "--plot", os.path.join(folder, path), exit_code=code, **settings)
    expect(wanted in done.stderr, done.stderr, "and not", wanted)
    expect(not [name for name in os.listdir(folder) if name != "bin"], "left", os.listdir(folder))
    return done.stdout


def what_cannot_be_drawn_is_refused(folder):
    os.makedirs(folder + "/bin")
    few = "auale", "--seeds", "3"
    for path in "a.pdf", "svg", "a.svg.txt":
        expect(not refused(folder, "ends with .svg or .png", 64, *few, path=path), "printed all the same")
    refused(folder, "--plot-of depths goes with --depths", 64, *few, "--plot-of", "depths")
    refused(folder, "is a game of dice, which has no --plot", 64, "oca", "--players", "2")
    done = stats(*few, "--plot-of", "values", exit_code=64)
    expect("--plot-of goes with --plot" in done.stderr, done.stderr)
    hidden = os.path.join(folder, "bin", "matplotlib")
    os.mkdir(hidden)
    with open(os.path.join(hidden, "__init__.py"), "w", encoding="ascii") as file:
        file.write("raise ImportError\n")
    nowhere = {**environment(), "PYTHONPATH": folder + "/bin"}
    expect(not refused(folder, "drawn by matplotlib, which is missing", 69, *few, env=nowhere), "printed")
    if not HAVE:
        raise Skip("install python3-matplotlib")
    expect(not refused(folder, "no/such", 74, *few, path="no/such/a.svg"), "printed all the same")
    refused(folder, "no table", 66, "auale", "--seeds", "9")
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))}
    refused(folder, "a.svg", 69, *few, **full)


if __name__ == "__main__":
    run_cases([winners_are_those_counted, values_are_those_of_the_last_slice, depths_are_those_counted,
               pictures_are_whole, what_cannot_be_drawn_is_refused])
