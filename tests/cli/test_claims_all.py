#!/usr/bin/python3
"""All claims at once with small limits, plots and all, within a minute of processor time: each has the verdict of
claims.expected and its figures, names its tables, and draws what it says; documents; options."""
import ast
import glob
import json
import os
import re
import resource
import subprocess
import sys
import xml.etree.ElementTree

from asking_python import import_numpy, leave_without_library, tauler
from building import CHECK, Skip, digests, expect, leave_to_check, run, run_cases
from claiming import COMMON, REPORTS, SHARED, SMALL, check_expected, check_rechecks, is_reachable, keep, lines_of_expected, listed, report, small_command

import_numpy()
MOST_SECONDS = 60 # of processor time
PLOTS = None if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True,
                               check=False).returncode else os.path.join(SHARED, "plots")
SECONDS = {}
DRAWN = "auale-largest-capture" # with a plot of each of two tables, and no tables of positions
DOCUMENTS = ((DRAWN, "oca-well"), ("--seeds", "6", "--players", "2"))


def everything():
    """All reports, run once."""
    if SECONDS:
        return REPORTS
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    drawn = ("--plots", PLOTS) if PLOTS and CHECK else ()
    limits = [word for limit, value in SMALL.items() for word in ("--" + limit, value)]
    lines = run("claims", "--all", *limits, "--json", *drawn, *COMMON).stdout.splitlines()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    SECONDS["all"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    known = listed()
    expect([json.loads(line)["claim"] for line in lines] == list(known), "other claims than --list has")
    for line, (name, limits) in zip(lines, known.items()):
        keep(small_command(name, limits), line)
    return REPORTS


def all_claims_take_a_minute_at_most_and_have_verdicts(_):
    leave_to_check()
    everything()
    stored = {fields[0] for fields in lines_of_expected() if fields[1] == "verdict"}
    for name, limits in listed().items():
        found = report(small_command(name, limits))
        expect(found["claim"] == name and found["plainly"], name, "says nothing plainly")
        expect(small_command(name, limits) in stored, "claims.expected has no verdict of:", small_command(name, limits))
    expect(SECONDS["all"] < MOST_SECONDS, "all claims with small limits took", SECONDS["all"], "s of processor time")
    alone = run("claims", "oca-well", "--players", "2", "--json", *COMMON).stdout
    expect(json.loads(alone) == report("oca-well --players 2"), "by itself a claim says something else")


NUMBERS = re.compile(r"\d[\d.]*|\b(?:four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|"
                     r"seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|hundred|thousand|million)\b")


def check_introduction(found, limit):
    """A title has no number but those of the verdict, an introduction also those of the source; and nothing is said of
    more seeds than were looked at."""
    for said, shown in ((found["title"], found["reason"]),
                        (found["plainly"], " ".join((*found["statement"].values(), found["reason"])))):
        for number in NUMBERS.findall(said):
            expect(re.search(rf"\b{re.escape(number.rstrip('.'))}\b", shown), found["claim"], "did not show", number)
    for said in (found["title"], found["plainly"], found["reason"], *found["notes"]):
        for seeds in re.findall(r"(\d+) seeds", said):
            expect(int(seeds) <= limit, found["claim"], "looked at", limit, "seeds, and says:", said)


def introductions_say_nothing_that_was_not_shown(_):
    """With the documented limits and with the least there are, where these are less."""
    leave_to_check()
    everything()
    known = listed()
    for name, limits in known.items():
        check_introduction(report(small_command(name, limits)), int(SMALL["seeds"]))
    lines = run("claims", *(name for name, limits in known.items() if "seeds" in limits), "--seeds", "1", "--json", *COMMON)
    for found in map(json.loads, lines.stdout.splitlines()):
        check_introduction(found, 1)


def witnesses_can_occur(_):
    """Of every claim; test_claims_goose looks at larger games of dice."""
    leave_to_check()
    everything()
    leave_without_library() # the last case
    witnesses = 0
    with tauler.open(SHARED) as db:
        expect(not is_reachable(db.select("auale", "awari"), "auale", "1-1-1-1-1-2-1-1-1-1-1-1-0-0-S"), "every move empties a pit")
        for command, found in REPORTS.items():
            for witness in found["witnesses"]:
                tables = db.select(found["game"], witness["rules"])
                expect(is_reachable(tables, found["game"], witness["position"]), command, witness["position"])
                witnesses += 1
    expect(witnesses >= 25, witnesses, "witnesses")


def check_picture(path, plot):
    with open(path, "rb") as file:
        if path.endswith(".png"):
            expect(file.read(24)[:8] == b"\x89PNG\r\n\x1a\n", path, "is no PNG")
            return
        texts = [text.text for text in xml.etree.ElementTree.parse(file).iter("{http://www.w3.org/2000/svg}text")]
    expect(any(plot["title"] == text.strip() for text in texts if text), path, "has no title", texts[:5])


def plots_are_drawn_and_named(_):
    leave_to_check()
    expected = set()
    stored = [{**found["stored"], "claim": found["claim"], "end": "-stored"}
              for found in everything().values() if found["stored"]]
    expect(len(stored) > 1, "nothing is stored")
    for found in (*everything().values(), *stored):
        for plot in found["plots"]:
            table = {one["name"]: one for one in found["figures"]}[plot["table"]]
            expect(plot["series"] and plot["title"] and re.fullmatch("[a-z0-9-]+", plot["key"]), plot)
            for key in [plot["x"], *plot["series"]]:
                expect(not table["rows"] or key in table["rows"][0], found["claim"], "has no column", key)
            if not PLOTS:
                expect(plot["files"] == [], plot)
                continue
            name = f"{found['claim']}-{plot['key']}{found.get('end', '')}"
            expect(plot["files"] in ([], [f"{PLOTS}/{name}.{kind}" for kind in ("svg", "png")]), plot)
            for path in plot["files"]:
                check_picture(path, plot)
                expected.add(path)
    if not PLOTS:
        raise Skip("install python3-matplotlib")
    expect(len(expected) > 10, len(expected), "pictures")
    here = {os.path.join(PLOTS, name) for name in os.listdir(PLOTS)}
    expect(here == expected, here ^ expected)


def documents_show_plots(folder):
    if not PLOTS:
        raise Skip("install python3-matplotlib")
    os.mkdir(folder)
    names, limits = DOCUMENTS
    plain = run("claims", *names, *limits, "--markdown", *COMMON).stdout
    drawn = run("claims", *names, *limits, "--markdown", "--plots", folder + "/the pictures", *COMMON).stdout
    titles = [plot["title"] for plot in report(DRAWN + " --seeds 6")["plots"]]
    expect(len(titles) == 2 and not any(f"![{title}]" in plain for title in titles), "pictures that were not drawn")
    for title, key in zip(titles, ("by-seeds", "by-sown")):
        expect(f"\n\n![{title}]({folder}/the%20pictures/{DRAWN}-{key}.svg)\n\n" in drawn, "no picture", title)
        expect(os.path.getsize(os.path.join(folder, "the pictures", f"{DRAWN}-{key}.svg")) > 1000, key)
    expect(drawn.count("![") == len(titles), drawn.count("!["), "pictures")
    expect(re.sub(r"\n!\[.*\n", "", drawn) == plain, "without its pictures the document is another one")
    text = run("claims", *names, *limits, "--plots", folder + "/p", *COMMON).stdout
    expect(f"\n  {folder}/p/{DRAWN}-by-sown.svg\n  {folder}/p/{DRAWN}-by-sown.png\n" in text, "the text names no files")
    for found in (report("oca-well --players 2"), report(DRAWN + " --seeds 6")):
        for said in (" ".join(text.split()), drawn):
            expect(found["plainly"] in said, found["claim"], "is not said plainly")


def documents_begin_with_the_verdicts(_):
    everything()
    names, limits = DOCUMENTS
    several = run("claims", *names, *limits, "--markdown", *COMMON).stdout
    rows_ = [line for line in several[:several.index(f"\n## {DRAWN}\n")].splitlines() if line.startswith("| [")]
    expect(len(rows_) == 2 and several.startswith("## What was found\n\n|"), several[:200])
    for name, game, one, command in zip(names, ("auale", "oca"), rows_, (DRAWN + " --seeds 6", "oca-well --players 2")):
        found = report(command)
        cells = one.strip("| ").split(" | ")
        expect(cells[:3] == [f"[{found['title']}](#{name})", game, found["verdict"]], cells)
        expect(found["reason"].startswith(cells[3]) and cells[3].endswith("."), cells[3])
        expect(f"\n## {name}\n" in several, "no chapter", name)
    expect(rows_[1].endswith("| No position of two players goes on for ever. |"), rows_[1])
    one = run("claims", "oca-well", "--players", "2", "--markdown", *COMMON).stdout
    expect(one.startswith("## oca-well\n") and several.endswith("\n" + one), "a chapter by itself is another one")


def plots_that_cannot_be_drawn_end_before_work(folder):
    tables = folder + "-tables"
    run("claims", DRAWN, "--db", tables, "--plots", "", "--quiet", exit_code=64)
    if not PLOTS:
        raise Skip("install python3-matplotlib")
    with open(folder, "w", encoding="utf-8"):
        pass
    done = run("claims", DRAWN, "--seeds", "2", "--db", tables, "--plots", folder + "/x", "--quiet", exit_code=74)
    expect(folder in done.stderr and not done.stdout and not os.path.exists(tables), done.stderr)


def key_figures(_):
    everything()
    small = {small_command(*pair) for pair in listed().items()}
    check_expected(lambda command: command in small, 60)


def rechecks_hold(_):
    everything()
    check_rechecks({"auale-solvable --seeds 6": ["all lines of play"],
                    "doushouqi-equal-material --pieces 2": ["proof", "plain iteration"],
                    "doushouqi-variants --pieces 2": ["replay"], "oca-first-player --players 2": ["exact rationals"],
                    "oca-well --players 2": ["backward search"], "phutball-one-dimension": ["plain iteration"],
                    "oca-asesina-catch-up --tokens 1": ["exact rationals", "proof"]})


def reports_name_their_tables(_):
    everything()
    found = report("oca-first-player --players 2")
    of_rules = {one["rules"]: one["digest"] for one in found["sources"]}
    expect(len(found["sources"]) == len(of_rules) == 11, "rule sets")
    expect(of_rules["base"] == of_rules["base,start=1"], "another start makes other tables") # values are the same
    expect(len(set(of_rules.values())) == 10, "rule sets have the same tables", of_rules)
    base = found["sources"][0]
    expect(base["rules"] == "base" and len(base["tables"]) == 8, base["rules"], len(base["tables"]))
    built = digests(json.loads(line) for line in run(
        "build", "oca", "--players", "2", "--db", SHARED, "--json", "--quiet").stdout.splitlines())
    expect({(one["slice"], one["stream"]): one["digest"] for one in base["tables"]} == built, base["tables"], built)
    text = run("claims", "oca-well", "--players", "2", "--db", SHARED, "--quiet").stdout
    for source in report("oca-well --players 2")["sources"]:
        expect(f"  {source['rules']}, {len(source['tables'])} tables: {source['digest']}\n" in text, text[-300:])


def texts_fit_on_a_terminal(_):
    for command in (("auale-rules-differ", "--seeds", "4"), ("auale-awari-in-abapa", "--seeds", "5")):
        text, markdown = (run("claims", *command, *form, *COMMON).stdout for form in ((), ("--markdown",)))
        lines = text.splitlines()
        expect(not [line for line in lines if len(line) > 100 or line.endswith(" ")], command, "has long lines")
        words = [line.split() for line in lines]
        for line in markdown.splitlines():
            expect(not re.match(r"\| \d", line) or line.replace("|", " ").split() in words, "the text has no row", line)
    titles = next(i for i, line in enumerate(words) if line[:2] == ["seeds", "choices"])
    expect(words[titles][2:6] == ["best", "best", "best", "best"], words[titles]) # all, some, none, % none
    expect(words[titles - 1][:5] == ["all", "some", "none", "%", "none"], words[titles - 1])
    empty = run("claims", "oca-asesina-one-left", "--tokens", "1", *COMMON).stdout
    expect("\nVerdict\n" in empty and "\nFigures\n" not in empty, empty)


def limits_are_checked(_):
    for options in (("oca-well", "--pieces", "2"), ("oca-well", "--all"), ("--all", "--players", "9"), ("doushouqi-rat", "--pieces", "7"), ("doushouqi-rat", "--tokens", "2"),
                    ("oca-asesina-catch-up", "--tokens", "0"), ("oca-well", "--rules", "base"),
                    ("oca-well", "--board", "3x3")):
        done = run("claims", *options, "--db", SHARED, "--quiet", exit_code=64)
        expect(not done.stdout and done.stderr.count("\n") == 1, options, done.stdout, done.stderr)


WHERE = {"say": 0, "note": 0, "judge": 1, "show": 2, "show_start": 2, "recheck": 2} # in a call of Python


def calls_in_python(code):
    """The keys of the sentences that a file says, and how many figures follow each; None if a call spreads its figures. A
    text that is not a key says itself."""
    for call in ast.walk(ast.parse(code)):
        called = getattr(getattr(call, "func", None), "attr", None) or getattr(getattr(call, "func", None), "id", None)
        if isinstance(call, ast.Call) and called in WHERE:
            at = WHERE[called]
            spread = any(isinstance(one, ast.Starred) for one in call.args)
            for one in ast.walk(call.args[at]) if len(call.args) > at else ():
                if isinstance(one, ast.Constant) and isinstance(one.value, str) and re.fullmatch("[a-z0-9-]+", one.value):
                    yield one.value, None if spread else len(call.args) - at - 1


def sentences(said):
    """The keys of a Markdown file, and the places for figures in the sentence of each."""
    return {key: text.count("{") for key, text in re.findall(r"^- `([a-z0-9-]+)`: ((?:.|\n  )*)", said, re.M)}


def sentences_of_the_code_stand_in_the_markdown(_):
    """Also those that nothing says as long as the claims hold."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "analysis", "python", "tauler", "claims")
    with open(os.path.join(place, "_sentences.md"), encoding="utf-8") as text:
        shared = sentences(text.read())
    checked = 0
    for path in glob.glob(os.path.join(place, "*", "*.md")):
        with open(path, encoding="utf-8") as text, open(path[:-3] + ".py", encoding="utf-8") as code:
            said, asked = text.read().partition("\n## Sentences\n")[2], set(calls_in_python(code.read()))
        own = {key for key, _ in asked}
        for helper in glob.glob(os.path.join(os.path.dirname(path), "_*.py")): # what claims of a folder say in one place
            with open(helper, encoding="utf-8") as code:
                asked |= {(key, n) for key, n in calls_in_python(code.read()) if f"`{key}`" in said and key not in own}
        places = sentences(said)
        known = {**shared, **places}
        expect(all(known.get(key) == n or (n is None and key in known) for key, n in asked), path, asked, places)
        expect(set(places) <= {key for key, _ in asked} | {"unsound", "open"}, path, "never says", set(places) - {key for key, _ in asked})
        checked += len(asked)
    expect(checked > 5, checked)


run_cases([sentences_of_the_code_stand_in_the_markdown, all_claims_take_a_minute_at_most_and_have_verdicts, introductions_say_nothing_that_was_not_shown, texts_fit_on_a_terminal, key_figures, rechecks_hold, reports_name_their_tables,
           plots_are_drawn_and_named, documents_show_plots, documents_begin_with_the_verdicts,
           plots_that_cannot_be_drawn_end_before_work, limits_are_checked, witnesses_can_occur])
