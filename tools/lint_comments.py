#!/usr/bin/env python3
"""Refuses habits that make C sources hard to read; CONTRIBUTING.md, "Style", has the rules. Prints file:line: habit.

lint_comments.py SOURCE...
"""
import re
import sys

# Verbs that had many meanings. GLOSSARY.md has the words that replace them.
RETIRED = re.compile(r"\b(?:\w+_)?(?:give|forget|put_away)(?:_\w+)?(?=\()")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/', re.S)
CLAUSE = re.compile(r"(?:^|[.:!?] )(?:What|Who|Whose|Whoever|Whatever) |^(?:what|who|whose|whoever|whatever) ")


def plain(comment):
    """The text of a comment on one line."""
    lines = (re.sub(r"^\s*\*? ?", "", line) for line in comment[2:-2].split("\n"))
    return " ".join(line.strip() for line in lines).strip()


def habits(comment, follows_code):
    text = plain(comment)
    if text.startswith("of "):
        yield 'a comment begins with "of": name the thing'
    if follows_code and ";" in text:
        yield "two clauses beside code: one field, one comment"
    if CLAUSE.search(text):
        yield "a clause is the subject: name the thing"


def faults(source):
    """(line, habit) of each fault."""
    for match in TOKEN.finditer(source):
        if match.group().startswith("/*"):
            before = source[source.rfind("\n", 0, match.start()) + 1:match.start()]
            line = source.count("\n", 0, match.start()) + 1
            for habit in habits(match.group(), bool(before.strip())):
                yield line, habit
    code = TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source)
    for match in RETIRED.finditer(code):
        yield code.count("\n", 0, match.start()) + 1, f"{match.group()}: GLOSSARY.md has a word that says more"


def main():
    found = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for line, habit in faults(file.read()):
                print(f"{path}:{line}: {habit}")
                found += 1
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
