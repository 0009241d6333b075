#!/usr/bin/python3
# Tier: make check
"""docs/results: its commands give the committed figures at a small size, its checker refuses wrong ones, and counts
agree with what others have published."""
import contextlib
import csv
import importlib
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

if importlib.util.find_spec("matplotlib") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # that of the system may have it

from building import Skip, TAULER, TESTS, build, digests, expect, run, run_cases

ROOT = os.path.join(TESTS, "..")
sys.path[:0] = [os.path.join(ROOT, "tools"), os.path.join(ROOT, "analysis", "python")]
import results
import results_chapter

claim_texts = importlib.import_module("tauler.claims._text")

HAVE = importlib.util.find_spec("matplotlib") is not None
SMALL = {"auale": "--seeds 6", "doushouqi": "--pieces 2", "phutball": "--board 5x3"}


def committed(name):
    path = os.path.join(results.RESULTS, name)
    return path if os.path.exists(path) else None


def script(*arguments, exit_code=0):
    """Calls the tool as its command line does, in this process: most calls take less than a start of Python."""
    said, status = io.StringIO(), None
    kept, sys.argv = sys.argv, ["results.py", *arguments]
    try:
        with contextlib.redirect_stdout(said):
            results.main()
    except SystemExit as end:
        status = end.code
    finally:
        sys.argv = kept
    expect(bool(status) == bool(exit_code), arguments, status)
    return subprocess.CompletedProcess(arguments, exit_code, said.getvalue(), f"{status}\n" if status else "")


def rows_of(path):
    with open(path, encoding="ascii", newline="") as file:
        return list(csv.reader(file))


def the_folder_is_as_it_says(_):
    checked = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "results.py")], capture_output=True, text=True,
                             check=True).stdout.split()
    with open(os.path.join(results.RESULTS, "README.md"), encoding="utf-8") as file:
        said = file.read()
    expect("awari.csv" in checked and "awari-digests.csv" in checked and "runs.csv" in checked, checked)
    for columns in (results.VALUES, results.BOUNDS, results.DEPTHS, results.STARTS, results.DIGESTS, results.TIMES):
        expect(f"`{','.join(columns)}`" in said, "the README does not name the columns", columns)
    for name in results.RUNS:
        expect(f"`{name}`" in said, "the README does not name the run", name)


def animal_totals():
    with open(os.path.join(TESTS, "oracles", "doushouqi-totals.csv"), encoding="ascii") as file:
        return {(row["rules"], row["pieces"]): row for row in csv.DictReader(file)}


def check_animals(path, rules):
    """Results of two pieces, against published and derived totals."""
    wanted = animal_totals()[rules, "2"]
    for rows in (rows_of(path + ".csv")[1:], rows_of(path + "-depths.csv")[1:]):
        for value, key in (("1", "wins"), ("-1", "losses"), ("0", "draws")):
            expect(sum(int(row[-1]) for row in rows if row[1] == value) == int(wanted[key]), path, key)
    with open(path + "-depths.csv", encoding="ascii") as file:
        text = file.read()
    depth = next(line for line in text.splitlines() if line.startswith("2,1,3,"))
    results.RESULTS, kept = os.path.dirname(path), results.RESULTS
    said = results_chapter.animals(os.path.basename(path), results.RESULTS) if HAVE else None
    results.RESULTS = kept
    shares = (100 * int(wanted[key]) / sum(int(wanted[each]) for each in ("wins", "draws", "losses"))
              for key in ("wins", "draws", "losses"))
    longest = (max(int(row[2]) for row in rows_of(path + "-depths.csv")[1:] if row[1] == value) for value in ("1", "-1"))
    row = "".join(f" {share:.3f} |" for share in shares) + "".join(f" {plies} |" for plies in longest)
    expect(said is None or said[-2].endswith(row), said, "not", row)
    for wrong in (depth.replace("2,1,3,", "2,1,4,"), depth + "0", depth.replace("2,1,3,", "2,1,0,")):
        with open(path + "-depths.csv", "w", encoding="ascii") as file:
            file.write(text.replace(depth, wrong))
        script("--to", os.path.dirname(path), exit_code=1)


def commands_give_the_committed_rows(folder):
    """Every run at a small size, against the rows of the same slices where that run is committed."""
    compared = 0
    for name, one in results.RUNS.items():
        if one.ended:
            continue
        size, tables, written = SMALL[one.game], f"{folder}-{name}", f"{folder}-{name}-csv"
        os.mkdir(written)
        built = build(tables, *one.rules, *size.split(), *one.build, game=one.game)
        script(name, "--db", tables, "--to", written, "--size", size)
        kinds = [*(["-depths"] if "--depths" in one.stats else []), "-digests", ""]
        kinds += ["-starts"] if one.game == "auale" else []
        files = [f"{name}{kind}.csv" for kind in sorted(kinds, key=lambda kind: kind or ".")]
        expect(script("--to", written).stdout.split() == files, name)
        expect(results.check_digests(name, f"{written}/{name}-digests.csv") == digests(built), name)
        for file in files:
            here = rows_of(f"{written}/{file}")
            there = rows_of(committed(file)) if committed(file) else []
            both = {row[0] for row in here} & {row[0] for row in there}
            here, there = ([row for row in rows if row[0] in both] for rows in (here, there))
            expect(here == there, file, "has other rows:", here[:5])
            compared += len(there)
        if "--depths" in one.stats:
            check_animals(written + f"/{name}", one.rules[-1] if one.rules else "base")
    expect(compared > 40, compared, "rows")


def starts_are_those_of_the_tables(folder):
    """Twelve seeds, and what a search of a few positions says of the next start; a start that no move reaches is refused."""
    os.mkdir(folder + "-csv")
    path = folder + "-csv/awari-starts.csv"
    build(folder, "--seeds", "12")
    script("awari", "--db", folder, "--to", folder + "-csv", "--size", "--seeds 12", "--only", "starts", "--search", "50")
    rows = rows_of(path)[1:]
    expect(rows[:7] == [row for row in rows_of(committed("awari-starts.csv")) if row[0] == "12"], rows)
    expect([row[0] for row in rows[7:]] == ["24"] * 7 and int(rows[7][2]) <= 0 <= int(rows[7][3]), rows)
    with open(path, encoding="ascii") as file:
        text = file.read()
    for old, new in (("12,,0,0", "12,,1,1"), ("12,,0,0", "12,,1,0"), ("12,,0,0\n", ""), ("12,,", "13,,")):
        with open(path, "w", encoding="ascii") as file:
            file.write(text.replace(old, new))
        script("--to", folder + "-csv", exit_code=1)


def counts_agree_with_oracles(_):
    compared = 0
    for name, oracle in (("awari", "auale-awari-all-boards.csv"), ("abapa-forced", "auale-abapa-forced.csv"),
                         ("abapa-exact", "auale-abapa-exact.csv")):
        if not committed(f"{name}.csv"):
            continue
        wanted = rows_of(os.path.join(TESTS, "oracles", oracle))
        slices = {row[0] for row in wanted}
        found = [row for row in rows_of(committed(f"{name}.csv")) if row[0] in slices]
        expect(sorted(found) == sorted(wanted), name, "differs from", oracle)
        compared += len(found)
    expect(compared > 100, compared, "rows")


def animals_agree_with_oracles(_):
    """Two to four animals; a published total leaves stalemated positions out, which are lost."""
    for (rules, pieces), wanted in animal_totals().items():
        path = committed({"base": "doushouqi-depths.csv", "liacs": "doushouqi-liacs-depths.csv"}[rules])
        if not path:
            print(f"SKIP: totals of {pieces} animals under {rules}: docs/results has no such run")
            continue
        rows = [row for row in rows_of(path)[1:] if row[0] == pieces]
        for value, key in (("1", "wins"), ("-1", "losses"), ("0", "draws")):
            found = sum(int(row[3]) for row in rows if row[1] == value)
            stalemated = int(wanted["stalemated"] or 0) if key == "losses" else 0
            expect(found == int(wanted[key]) + stalemated, rules, pieces, key, found, "not", wanted[key])
        for key, values in (("longest_win", ("1",)), ("longest", ("1", "-1"))):
            longest = max(int(row[2]) for row in rows if row[1] in values)
            expect(wanted[key] in ("", str(longest)), rules, pieces, key, longest, "not", wanted[key])


def the_longest_win_is_played_by_the_rules(folder):
    """As many moves as the depths say, the last of which ends the game."""
    with open(committed("doushouqi-liacs-longest.txt"), encoding="ascii") as file:
        line = " ".join(file.read().split())
    plies = max(int(row[2]) for row in rows_of(committed("doushouqi-liacs-depths.csv"))[1:] if row[1] == "1")
    refused = run("probe", "doushouqi", "--rules", "liacs", line, "--db", folder, exit_code=65)
    expect(f"move {plies}," in refused.stderr and "wins for White" in refused.stderr, plies, refused.stderr)


def wrong_files_are_refused(folder):
    os.mkdir(folder)
    for file, old, new, said in (("awari.csv", "\n2,-2,40\n", "\n2,-2,41\n", "positions"),
                                 ("awari.csv", "\n1,1,5\n", "\n", "positions"),
                                 ("awari.csv", "\n1,-1,7\n1,1,5\n", "\n1,1,5\n1,-1,7\n", "order"),
                                 ("awari.csv", "\n1,1,5\n", "\n1,2,5\n", "more than there are"),
                                 ("awari.csv", "slice,value,count", "slice,value,n", "columns"),
                                 ("awari.csv", "\n0,0,1\n", "\n", "leaves slices out"),
                                 ("awari-digests.csv", ",364,", ",365,", "positions"),
                                 ("awari-digests.csv", "a6cd5e93", "a6cd5e9", "a6cd5e9"),
                                 ("runs.csv", "_bytes\n", "_bytes\nwarri,build,1,2,3,4,5\n", "warri")):
        with open(committed(file), encoding="ascii") as source:
            text = source.read()
        expect(old in text, file, "has no", old)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        with open(os.path.join(folder, file), "w", encoding="ascii") as target:
            target.write(text.replace(old, new, 1))
        refused = script("--to", folder, exit_code=1)
        expect(said in refused.stderr and refused.stderr.count("\n") == 1, old, new, refused.stderr)


def times_are_read(folder):
    os.mkdir(folder)
    timed = os.path.join(folder, "build.time")
    program = shutil.which("time")
    if program:
        subprocess.run([program, "-v", "-o", timed, "sleep", "1.2"], check=True)
        script("awari", "--time", "sleep", timed, "--to", folder)
        row = rows_of(os.path.join(folder, "runs.csv"))[1]
        expect(row[:4] == ["awari", "sleep", "1", "0"] and 100_000 < int(row[4]) < 1e8, row)
    with open(timed, "w", encoding="ascii") as file:
        file.write("\tUser time (seconds): 100.60\n\tSystem time (seconds): 2.20\n\tElapsed (wall clock) time (h:mm:ss or "
                   "m:ss): 1:02:03\n\tMaximum resident set size (kbytes): 2048\n\tFile system inputs: 1\n\tFile system "
                   "outputs: 4\n")
    for step in ("sleep", "verify", "build", "sleep"):
        script("awari", "--time", step, timed, "--to", folder)
    want = ["3723", "103", "2097152", "512", "2048"]
    expect(rows_of(os.path.join(folder, "runs.csv"))[1:] == [["awari", step, *want] for step in ("build", "sleep", "verify")],
           rows_of(os.path.join(folder, "runs.csv")))


def the_chapter_says_what_the_files_say(folder):
    """Results of awari with 10 seeds, against counts from the published figures; trends; pictures."""
    if not HAVE:
        raise Skip("install python3-matplotlib")
    os.mkdir(folder)
    done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "results_chapter.py"), folder], text=True,
                          capture_output=True, check=True)
    counts = [0, 0, 0]
    for part, value, count in rows_of(os.path.join(TESTS, "oracles", "auale-awari-all-boards.csv"))[1:]:
        counts[(int(value) > 0) - (int(value) < 0)] += int(count) if part == "10" else 0
    row = " | ".join(f"{100 * counts[sign] / sum(counts):.3f}" for sign in (1, 0, -1))
    expect(f"| 10 | {sum(counts)} | {row} |" in done.stdout, "no row", row)
    pictures = re.findall(r"\]\((.*\.svg)\)", done.stdout)
    expect(len(pictures) >= 1, done.stdout[:500])
    for picture in pictures:
        with open(picture, encoding="utf-8") as file:
            expect("</svg>" in file.read(), picture)
    grows = [float(n) for n in range(19)]
    expect(results_chapter.trend("x", grows).endswith("So it goes on, n seeds against n - 2, up to 18."), "trend")
    grows[17] = 1.0
    expect(results_chapter.trend("x", grows).endswith("so for n: 18, and not for n: 17."), results_chapter.trend("x", grows))


def claims_are_stored(folder):
    """As the program's build reads it."""
    os.mkdir(folder)
    line, prose = os.path.join(folder, "found.json"), os.path.join(folder, "no_move.md")
    said = run("claims", "auale-no-move", "--seeds", "4", "--json", "--quiet", "--db", folder).stdout
    with open(line, "w", encoding="utf-8") as file:
        file.write(said)
    original = results.prose_of("auale-no-move")
    expect(original.endswith("claims/auale/no_move.md"), original)
    results.prose_of = lambda claim: prose
    found, kept = json.loads(said), []
    for tables in ([], ["layers", "others"], None):
        results.store_claim(line, "--seeds 4", tables, "2026-11-23")
        kept.append(claim_texts.read_stored(pathlib.Path(prose).with_suffix(".json")))
    expect(kept[0] == kept[2] and not kept[1].rows, kept)
    for table in found["figures"]:
        rows = kept[0].rows[table["name"]]
        expect(len(rows) == len(table["rows"]), table["name"], rows)
        expect([float(cell) for cell in rows[0].split(" | ")] == [*table["rows"][0].values()], rows[0])
    expect((kept[0].size, kept[0].date, kept[0].verdict) == ("--seeds 4", "2026-11-23", found["verdict"]), kept[0])


run_cases([the_folder_is_as_it_says, commands_give_the_committed_rows, starts_are_those_of_the_tables,
           counts_agree_with_oracles, animals_agree_with_oracles,
           the_longest_win_is_played_by_the_rules,
           wrong_files_are_refused, times_are_read, claims_are_stored,
           the_chapter_says_what_the_files_say])
