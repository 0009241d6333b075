#!/usr/bin/python3
# Tier: make check
"""Claims of anybody's own: the one of docs/new-claim.md in every form; what is wrong with a file is said; verdicts, stored
figures, rechecks, pictures, exit codes."""
import json
import os
import re
import subprocess

from building import CHECK, TESTS, Skip, environment, expect, run, run_cases

PAGE = os.path.join(TESTS, "..", "docs", "new-claim.md")
HEAD = "from tauler.claims import Bounds, Claim, Mean, Settings, share\nSETTINGS = Settings(game='auale', rules='none')\n"
TEXT = ("# A title\n\n## Sentence (en)\n\n“So it is.”\n\nThe same.\n\nSaid.\n\n## Method\n\n"
        "Two lines\nof one paragraph.\n\nAnother.\n\n## Table: rows\n\nNumbers:\n\n- `n`: a number; `x`: another\n"
        "- plot `picture` (bars): A plot; across `n`: along; up: above;\n  `x`\n\n## Sentences\n\n"
        "- `yes`: There are {n} of\n  {m}.\n- `unsound`: It is not sound.\n- `same`: {n} is the same.\n")


def write(folder, code, text=TEXT, name="own_claim"):
    """A claim of these files; its path."""
    os.makedirs(folder, exist_ok=True)
    for end, content in ((".py", HEAD + code), (".md", text)):
        with open(os.path.join(folder, name + end), "w", encoding="utf-8") as file:
            file.write(content)
    return os.path.join(folder, name + ".py")


def claim(folder, path, *options, **settings):
    return run("claims", path, *options, "--db", os.path.join(folder, "tables"), "--quiet", **settings)


def the_page_shows_one_that_runs(folder):
    """Its counts are the published ones of awari."""
    os.makedirs(folder)
    with open(PAGE, encoding="utf-8") as page:
        said = page.read()
    for end, kind in ((".py", "python"), (".md", "markdown")):
        (text,) = re.findall(rf"```{kind}\n(.*?)```", said, re.S)
        with open(os.path.join(folder, "first_mover" + end), "w", encoding="utf-8") as file:
            file.write(text)
    path = os.path.join(folder, "first_mover.py")
    found = json.loads(claim(folder, path, "--seeds", "4", "--json").stdout)
    expect(found["claim"] == "first-mover" and found["game"] == "auale" and found["rules"] == "awari", found)
    expect([row["boards"] for row in found["figures"][0]["rows"]] == [12, 78, 364, 1365], found["figures"])
    expect(found["figures"][0]["rows"][1] == {"seeds": 2, "boards": 78, "wins": 32.05, "losses": 51.28}, found["figures"])
    expect([len(source["tables"]) for source in found["sources"]] == [5] and found["verdict"] == "holds for" and
           found["reason"].endswith(": 1, 2, 3, 4."), found)


FIGURES = """
def examine(claim: Claim) -> None:
    table = claim.table("rows")
    table.add(1, Mean(2.5, 2))
    table.add(2, Bounds(0.25, 0.25000000001))
    table.add(3, None)
    claim.judge("holds", "yes", 2, share(1, 3, 1))
"""


def figures_in_every_form(folder):
    path = write(folder, FIGURES)
    found = json.loads(claim(folder, path, "--json").stdout)
    expect([row["x"] for row in found["figures"][0]["rows"]] == [2.5, [0.25, 0.25000000001], None], found["figures"])
    expect(found["reason"] == "There are 2 of 33.3." and found["method"] == "Two lines of one paragraph.\n\nAnother.", found)
    text, markdown = claim(folder, path).stdout, claim(folder, path, "--markdown").stdout
    expect("| 1 | 2.50 |" in markdown and re.search(r"\n +2 +0\.250000000\d*\n", text) and "\n  Two lines of one paragraph.\n\n  Another.\n" in text, text, markdown)
    expect(claim(folder, "--list", path).stdout == f"{'own-claim':30}A title\n", "the list")


def verdicts_and_rechecks(folder):
    code = "def examine(claim: Claim) -> None:\n    claim.judge('{}', 'yes', 1, 2)\n{}"
    expect(claim(folder, write(folder, code.format("holds for", ""))).returncode == 0, "holds for")
    claim(folder, write(folder, code.format("fails", "")), exit_code=1)
    wrong = ("    w = claim.show(claim.open('awari'), '0-0-0-0-0-1-0-0-0-0-0-0-0-0-S', 'same', 7)\n"
             "    w.recheck('by hand', {}, 'same', 8{})\n")
    for holds, done, exit_code in (("True", "", 0), ("False", ", done=False", 0), ("False", "", 1)):
        path = write(folder, code.format("holds", wrong.format(holds, done)))
        found = json.loads(claim(folder, path, "--json", exit_code=exit_code).stdout)
        expect(found["verdict"] == ("fails" if exit_code else "holds"), found)
        expect(found["reason"] == ("It is not sound." if exit_code else "There are 1 of 2."), found)
        expect(found["witnesses"][0]["title"] == "7 is the same." and "| 1 |" in found["witnesses"][0]["drawing"], found)


def stored_figures_are_held_against_those_found(folder):
    stored = {"size": "--seeds 9", "date": "2026-01-02", "verdict": "holds", "reason": "So it was.",
              "sources": [{"rules": "awari", "digest": "00ff", "tables": 3}]}
    for kept, exit_code in (("2.50", 0), ("2.51", 1)):
        path = write(folder, FIGURES)
        with open(path[:-2] + "json", "w", encoding="utf-8") as file:
            json.dump({**stored, "rows": {"rows": [f"1 | {kept}", "7 | 1"]}}, file)
        found = json.loads(claim(folder, path, "--json", exit_code=exit_code).stdout)
        expect((found["stored"]["rows"], found["stored"]["rows_found_again"]) == (2, 1 - exit_code), found["stored"])
        expect(found["stored"]["reason"] == "So it was." and found["stored"]["sources"][0]["tables"] == 3, found["stored"])
        expect(("Figures that are stored" in found["reason"]) == bool(exit_code), found["reason"])


LIMITED = """
SETTINGS = Settings(game='auale', options='seeds', usual=5, most=7, rules='none')


def examine(claim: Claim) -> None:
    claim.judge('holds', 'yes', claim.limit, 'as ever' if not claim.limited else 'wanted')
"""


def limits_and_several_claims(folder):
    """A limit as the command line says, up to the most; each claim is run whatever the one before says."""
    path = write(folder, LIMITED)
    for options, said in (((), "5 of as ever"), (("--seeds", "3"), "3 of wanted"), (("--seeds", "9"), "7 of wanted")):
        found = json.loads(claim(folder, path, "--json", *options).stdout)
        expect(found["reason"] == f"There are {said}.", options, found["reason"])
    code = "def examine(claim: Claim) -> None:\n    claim.judge('{}', 'yes', 1, 2)\n"
    paths = [write(folder, code.format(verdict), name=name) for verdict, name in (("fails", "one"), ("holds", "two"))]
    for order in (paths, paths[::-1]):
        done = claim(folder, order[0], order[1], "--json", exit_code=1)
        expect(sorted(json.loads(line)["verdict"] for line in done.stdout.splitlines()) == ["fails", "holds"], done.stdout)
    broken = write(folder, "def examine(claim: Claim) -> None:\n    claim.note('no')\n", name="broken")
    done = claim(folder, paths[0], broken, "--json", exit_code=70)
    expect(done.stdout.count("\n") == 1, "what was found before is printed", done.stdout)


def what_is_wrong_is_said(folder):
    held = "def examine(claim: Claim) -> None:\n    "
    for code, words in (("claim.note('yes', 1)", "2 places"), ("claim.note('no')", "no sentence no"),
                        *((("claim.table('rows').add(1)", "2 figures"), ("claim.table('row')", "no table row"),
                           ("claim.judge('maybe', 'same', 1)", "no verdict maybe")) if CHECK else ())):
        done = claim(folder, write(folder, held + code + "\n"), exit_code=70)
        expect(words in done.stderr and done.stderr.count("\n") == 1 and not done.stdout, words, done.stderr)
    wrongs = [(TEXT.replace("## Method", "## Sauce"), "Sauce"), (TEXT.replace("; up:", "; down:"), "axes"),
              (TEXT.replace("- `yes`:", "- yes:"), "KEY")]
    if CHECK:
        wrongs += [(TEXT.replace("Said.\n\n", ""), "three paragraphs"), (TEXT.replace("(bars)", "(pies)"), "a kind"),
                   (TEXT.replace("## Method\n\nTwo lines\nof one paragraph.\n\nAnother.\n\n", ""), "missing"),
                   (TEXT.replace("; `x`: another", "; as `rows`"), "has columns")]
    for wrong, words in wrongs:
        done = claim(folder, write(folder, held + "pass\n", wrong), exit_code=70)
        expect(words in done.stderr and done.stderr.count("\n") == 1, words, done.stderr)
    path = write(folder, held + "pass\n")
    expect("knows no --board" in claim(folder, path, "--board", "3x3", exit_code=64).stderr, "board")
    expect("knows --seeds" in claim(folder, path, "--seeds", "3", exit_code=64).stderr, "seeds")
    os.remove(path[:-3] + ".md")
    expect("own_claim.md" in claim(folder, path, exit_code=64).stderr, "no Markdown")
    expect("nothing.py" in claim(folder, os.path.join(folder, "nothing.py"), exit_code=64).stderr, "no file")


def missing_packages_are_named(folder):
    """A package that is not there, by one of its name that says so."""
    hidden = os.path.join(folder, "hidden")
    for name in ("numpy", "matplotlib"):
        os.makedirs(os.path.join(hidden, name))
        with open(os.path.join(hidden, name, "__init__.py"), "w", encoding="utf-8") as file:
            file.write(f"raise ModuleNotFoundError('no {name}', name='{name}')\n")
    path = write(folder, "import numpy\n" + FIGURES)
    with_them = {**environment(), "PYTHONPATH": hidden}
    done = claim(folder, path, exit_code=69, env=with_them)
    expect("python3-numpy" in done.stderr and done.stderr.count("\n") == 1 and not done.stdout, done.stderr)
    path = write(folder, FIGURES)
    done = claim(folder, path, "--plots", os.path.join(folder, "p"), exit_code=69, env=with_them)
    expect("python3-matplotlib" in done.stderr and not os.path.exists(os.path.join(folder, "p")), done.stderr)


def pictures_are_the_same_twice(folder):
    if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True, check=False).returncode:
        raise Skip("install python3-matplotlib")
    path = write(folder, FIGURES)
    pictures = []
    for place in ("a", "b"):
        shown = json.loads(claim(folder, path, "--json", "--plots", os.path.join(folder, place)).stdout)["plots"][0]
        expect(shown["files"] == [os.path.join(folder, place, f"own-claim-picture.{kind}") for kind in ("svg", "png")], shown)
        pictures.append([open(file, "rb").read() for file in shown["files"]])
    expect(pictures[0] == pictures[1] and b">A plot<" in pictures[0][0], "pictures differ, or have no title")


run_cases([the_page_shows_one_that_runs, figures_in_every_form, verdicts_and_rechecks,
           stored_figures_are_held_against_those_found, limits_and_several_claims, what_is_wrong_is_said, missing_packages_are_named,
           pictures_are_the_same_twice])
