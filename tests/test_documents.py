#!/usr/bin/python3
"""Checks the documents: links lead to a file and a heading, lines are short, sources say what they do."""
import pathlib
import re

from building import expect, run_cases

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 120
SAYING = ["solver", "analysis/history"]


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
    expect(len(paths) > 60, "only", len(paths), "sources")
    silent = [str(path.relative_to(ROOT)) for path in paths if not path.read_text("utf-8").startswith("/* ")]
    expect(not silent, silent)


if __name__ == "__main__":
    run_cases((links_lead_somewhere, lines_are_short, sources_say_what_they_do))
