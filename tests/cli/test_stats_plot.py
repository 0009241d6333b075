#!/usr/bin/python3
"""Pictures of statistics: what gnuplot is given is what the counts say; whole files of either kind, or none and a
reason."""
import atexit
import collections
import csv
import io
import os
import resource
import shutil
import tempfile
import xml.etree.ElementTree as tree

from building import Skip, environment, expect, run, run_cases

SHARED = tempfile.mkdtemp(prefix="tauler-plot.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
DB = os.path.join(SHARED, "db")
# Keeps the script and answers with the least that counts as a picture.
FAKE = """#!/bin/sh
cat > '{kept}'
if grep -q pngcairo '{kept}'; then printf '\\211PNG\\r\\n\\032\\n IEND\\256B`\\202'; else echo '<?xml ?></svg>'; fi
"""


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
    """The input of gnuplot: the title, and rows of unchanged figures."""
    os.makedirs(folder, exist_ok=True)
    kept, fake = os.path.join(folder, "script"), os.path.join(folder, "gnuplot")
    with open(fake, "w", encoding="ascii") as file:
        file.write(FAKE.format(kept=kept))
    os.chmod(fake, 0o755)
    path = os.path.join(folder, "picture.svg")
    stats(*options, "--plot", path, env={**environment(), "PATH": folder + ":" + os.environ["PATH"]})
    expect(os.path.exists(path), "no file")
    with open(kept, encoding="utf-8") as file:
        script = file.read()
    data = script.split("$data << END\n")[1].split("END\n")[0]
    return script, [[float(figure) for figure in row.split()] for row in data.splitlines()]


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
        expect("who wins" in script and "seeds on the board" in script and '"5" 5' in script, script[:600])
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
    for options in ("auale", "--seeds", "6"), ("doushouqi", "--pieces", "2"), ("phutball", "--board", "3x3"):
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
    if not shutil.which("gnuplot"):
        raise Skip("there is no gnuplot")
    os.makedirs(folder)
    for options in (("auale", "--seeds", "6"), ("auale", "--rules", "abapa", "--seeds", "5", "--depths"),
                    ("doushouqi", "--pieces", "2"), ("phutball", "--board", "3x3", "--plot-of", "values")):
        plain = [o for o in options if o not in ("--plot-of", "values")]
        svg, png = os.path.join(folder, "a.svg"), os.path.join(folder, "a.png")
        expect(stats(*options, "--plot", svg).stdout == stats(*plain).stdout, "other words with a picture")
        root = tree.parse(svg).getroot()
        expect(options[0] in "".join(root.itertext()), "no title")
        stats(*options, "--plot", png, "--csv")
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
    nowhere = {**environment(), "PATH": folder + "/bin"}
    expect(not refused(folder, "gnuplot draws the pictures and is not installed", 69, *few, env=nowhere), "printed")
    if not shutil.which("gnuplot"):
        raise Skip("there is no gnuplot")
    expect(not refused(folder, "no/such", 74, *few, path="no/such/a.svg"), "printed all the same")
    refused(folder, "no table", 66, "auale", "--seeds", "9")
    full = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))}
    refused(folder, "a.svg", 69, *few, **full)


if __name__ == "__main__":
    run_cases([winners_are_those_counted, values_are_those_of_the_last_slice, depths_are_those_counted,
               pictures_are_whole, what_cannot_be_drawn_is_refused])
