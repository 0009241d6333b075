#!/usr/bin/python3
"""Checks the documents: links lead to a file and a heading, lines are short, sources say what they do, planted errors
fit the sources."""
import pathlib
import re
import sys

from building import expect, run_cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutants

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 120
SAYING = ["base", "indexers", "games", "parallel", "databases", "solver", "analysis", "cluster"]


def documents():
    found = [path for path in ROOT.rglob("*.md") if path.relative_to(ROOT).parts[0] not in ("build", ".git")]
    expect(len(found) > 15, "only", len(found), "documents")
    return found


def prose(text):
    """Without blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)


def anchors(text):
    """Headings as links name them."""
    headings = re.findall(r"^#+ +(.*)$", prose(text), flags=re.M)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def broken_links(path, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file.read_text("utf-8"))):
            yield target


def links_lead_somewhere(_):
    planted = "[a](nowhere.md) [b](README.md#nowhere) [c](docs/proofs.md#own-row) [d](https://example.org)"
    found = list(broken_links(ROOT / "README.md", planted))
    expect(found == ["nowhere.md", "README.md#nowhere"], "of planted links these are broken:", found)
    broken = [f"{path.relative_to(ROOT)}: {link}" for path in documents()
              for link in broken_links(path, path.read_text("utf-8"))]
    expect(not broken, broken)


def lines_are_short(_):
    """The report is made by a program."""
    long = [f"{path.relative_to(ROOT)}: {line[:60]}" for path in documents() if path.name != "report.md"
            for line in prose(path.read_text("utf-8")).splitlines() if len(line) > MOST and not line.startswith("    ")]
    expect(not long, long)


def sources_say_what_they_do(_):
    paths = [path for folder in SAYING for path in (ROOT / folder).rglob("*.c")]
    paths.append(ROOT / "tauler.c")
    expect(len(paths) > 300, "only", len(paths), "sources")
    silent = [str(path.relative_to(ROOT)) for path in paths if not path.read_text("utf-8").startswith("/* ")]
    expect(not silent, silent)


def planted_errors_fit(_):
    planted = ["base/text.c:text_outward | s/up != .value < 0./up/ | test_base",
               "base/text.c:text_outwards | s/up/down/ | test_base",
               "base/text.c:text_outward | s/nothing// | test_base",
               "base/text.c:text_outward | s/up/down/ | test_nothing", "base/text.c | s/up/down/ | test_base"]
    stale = mutants.stale_lines([mutants.Mutant(number, line) for number, line in enumerate(planted, 1)])
    expect([line.split(":")[0] for line in stale] == ["line 2", "line 3", "line 4", "line 5"], stale)
    listed = mutants.read_list([])
    expect(len(listed) > 250, "only", len(listed), "planted errors")
    expect(not mutants.stale_lines(listed), mutants.stale_lines(listed))


def an_error_stays_in_its_function(_):
    source = """int first(int a);
enum { MOST = 3, LEAST = 1 };
static const int table[] = {
    1,
};
int first(int a) {
  return a + 1;
}

static int second(int a,
                  int b) {
  return a + 1;
}
#define THIRD(a) \\
  ((a) + 1)
"""
    bodies = {name: source[slice(*mutants.find_body(source, name))]
              for name in ("first", "second", "table", "THIRD", "MOST")}
    expect(bodies["first"] == "int first(int a) {\n  return a + 1;\n}\n", bodies)
    expect(bodies["second"].startswith("static int second") and bodies["second"].endswith("1;\n}\n"), bodies)
    expect(bodies["table"].endswith("1,\n};\n") and bodies["THIRD"].endswith("1)\n"), bodies)
    expect(bodies["MOST"] == "enum { MOST = 3, LEAST = 1 };\n", bodies)


if __name__ == "__main__":
    run_cases((links_lead_somewhere, lines_are_short, sources_say_what_they_do, planted_errors_fit,
               an_error_stays_in_its_function))
