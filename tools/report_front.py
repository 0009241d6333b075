#!/usr/bin/env python3
"""Prints the report: ten questions with their answers and pictures, the verdicts, the words, then the chapters, all
with grouped digits.

report_front.py QUESTIONS PREFACE CHAPTERS LARGE MADE, in the folder of the report. CHAPTERS is what `tauler claims
--markdown` prints; an answer is its sentence "in short", which is said there and in its chapter alone. LARGE is the last
chapter. Beside each picture a CSV of the table above it is written.
"""
import csv
import os
import re
import sys

NAMES = {"auale": "Aualé", "doushouqi": "Dou Shou Qi", "phutball": "Phutball", "oca": "The game of the goose",
         "oca-asesina": "La oca asesina"}


def unescaped(text):
    return re.sub(r"\\([\\`*_\[\]<>|#])", r"\1", text)


def cells_of(row):
    return [unescaped(cell.strip()) for cell in re.split(r"(?<!\\)\|", row.strip()[1:-1])]


def grouped(text):
    """29775108 as 29,775,108, but for code, links and addresses."""
    parts = re.split(r"(`[^`]*`|\]\([^)]*\)|https?://\S+)", text)
    parts[::2] = [re.sub(r"(?<![\w.,/#-])\d{5,}(?![\w/-])", lambda number: f"{int(number[0]):,}", part) for part in parts[::2]]
    return "".join(parts)


def for_readers(chapters):
    """Groups the digits of all lines but those of blocks of code."""
    blocks = re.split(r"(^```.*?^```$)", chapters, flags=re.S | re.M)
    blocks[::2] = ["".join(map(grouped, block.splitlines(keepends=True))) for block in blocks[::2]]
    return "".join(blocks)


def without_sentences(verdicts):
    """The table of verdicts without what its chapters say."""
    return re.sub(r"^(\|.*(?<!\\)\|.*(?<!\\)\|.*(?<!\\)\|).*\|$", r"\1", verdicts, flags=re.M)


def add_files(chapters):
    """Writes the CSV of each picture, and links to it below the picture."""
    table, lines = [], []
    for line in chapters.splitlines():
        if line.startswith("|"):
            table = [*table, line] if lines and lines[-1].startswith("|") else [line]
        lines.append(line)
        picture = re.fullmatch(r"!\[.*\]\((.*)\.svg\)", line)
        if picture and table:
            with open(picture[1] + ".csv", "w", encoding="utf-8", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(cells_of(row) for i, row in enumerate(table) if i != 1)
            lines += ["", f"[Its figures as CSV]({picture[1]}.csv)"]
    return "\n".join(lines) + "\n"


def answers_of(chapters):
    """By claim: game and sentence, as the table of verdicts has them."""
    rows = re.findall(r"^\| \[.*?\]\(#([\w-]+)\) \| ([\w-]+) \| [\w ]+ \| (.*) \|$", chapters, flags=re.M)
    return {claim: (game, sentence) for claim, game, sentence in rows}


def print_questions(questions, chapters):
    """Those whose claim and picture are there, by game."""
    answers, game_before = answers_of(chapters), None
    for question, picture in re.findall(r"^- (.*\?) `([\w-]+)`$", questions, flags=re.M):
        claim = max((name for name in answers if picture.startswith(name + "-")), key=len, default=None)
        if claim is None or not os.path.exists(f"report/{picture}.csv"):
            continue
        game, sentence = answers[claim]
        if game_before is None:
            print("## Ten questions\n")
        if game != game_before:
            print(f"### {NAMES.get(game, game)}\n")
        game_before = game
        print(f"**{question}** {grouped(sentence)} ([how we know](#{claim}))\n\n![{question}](report/{picture}.svg)\n")
        print(f"[Its figures as CSV](report/{picture}.csv)\n")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(questions, preface, chapters, large, made):
    title, _, words = read(preface).partition("\n## ")
    text = add_files(read(chapters))
    found = re.match(r"## What was found\n.*?(?=^## |\Z)", text, flags=re.S | re.M)
    verdicts = found[0] if found else ""
    print(title)
    print_questions(read(questions), text)
    print(without_sentences(verdicts))
    print(f"## {words}\n{made}\n")
    print(for_readers(f"{text[len(verdicts):]}\n{read(large)}"), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
