#!/usr/bin/env python3
"""Writes the chapter of the report on large runs, from the files in docs/results alone: results_chapter.py PICTURES
prints Markdown and draws its pictures into that folder, by which the Markdown names them."""
import importlib
import itertools
import math
import os
import sys

import results

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "analysis", "python"))
pictures = importlib.import_module("tauler._pictures")

KNOWN = 16 # seeds up to which the chapters of the claims go
KNOWN_ANIMALS = 4
KNOWN_POINTS = 21
NAMES = {"awari": "awari", "abapa-forced": "abapa, forced", "abapa-own-row": "abapa, own row",
         "abapa-exact": "abapa, exactly", "doushouqi": "Dou Shou Qi", "doushouqi-liacs": "Dou Shou Qi under liacs",
         "phutball": "Phutball"}


class Slice:
    """The counts in the rows of one slice: positions won, drawn, lost, open; and whose value is known."""

    def __init__(self, name):
        self.name, self.won, self.drawn, self.lost, self.exact, self.all = name, 0, 0, 0, 0, 0

    def add(self, lower, upper, count):
        self.won += count * (lower > 0)
        self.lost += count * (upper < 0)
        self.drawn += count * (lower == upper == 0)
        self.exact += count * (lower == upper)
        self.all += count

    def share(self, count):
        return 100 * count / self.all

    @property
    def open(self):
        return self.all - self.won - self.drawn - self.lost


def slices_of(run):
    """In their order; none: the run has not been made."""
    path, found = os.path.join(results.RESULTS, run + ".csv"), {}
    if os.path.exists(path):
        for part, *values, count in results.read_rows(path, results.RUNS[run].columns):
            found.setdefault(part, Slice(part)).add(int(values[0]), int(values[-1]), int(count))
    return [*found.values()]


def total_of(slices):
    whole = Slice("total")
    for one in slices:
        for key in ("won", "drawn", "lost", "exact", "all"):
            setattr(whole, key, getattr(whole, key) + getattr(one, key))
    return whole


# --- what is drawn ---


def draw(path, title, label, series, over="seeds on the board", first=1):
    """Lines over whole numbers; series: title and figures, from `first` on."""
    longest = max(len(figures) for _, figures in series)
    pictures.Picture(title, "lines", range(first, first + longest), None,
                  [(name, [*figures] + [math.nan] * (longest - len(figures))) for name, figures in series], over, label).draw(path)


# --- what is said ---


def table(titles, rows):
    return ["| " + " | ".join(titles) + " |", "|" + " ---: |" * len(titles),
            *("| " + " | ".join(map(str, row)) + " |" for row in rows), ""]


def ranges(numbers):
    """2-4, 7"""
    runs = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs) or "none"


def trend(what, figures):
    """Tells whether a share goes on as from 14 to 16 seeds; figures: by seeds, from 0 on."""
    last = len(figures) - 1
    if last <= KNOWN:
        return f"{what}: no board of more than {KNOWN} seeds is counted yet."
    change = [None, None, *(figures[n] - figures[n - 2] for n in range(2, last + 1))]
    falls = change[KNOWN] < 0
    alike = [n for n in range(KNOWN + 1, last + 1) if (change[n] < 0) == falls]
    other = [n for n in range(KNOWN + 1, last + 1) if n not in alike]
    return (f"{what}: {figures[KNOWN]:.2f} % with {KNOWN} seeds, {figures[last]:.2f} % with {last}. With {KNOWN} seeds it "
            f"is {'less' if falls else 'more'} than with {KNOWN - 2}. " +
            (f"Beyond, n seeds against n - 2, it goes on so for n: {ranges(alike)}, and not for n: {ranges(other)}."
             if other else f"So it goes on, n seeds against n - 2, up to {last}."))


def values(run, folder, game, about):
    slices = slices_of(run)
    if not slices:
        return []
    draw(os.path.join(folder, f"large-{run}.svg"), f"{game}: boards won, drawn and lost for the side to move",
         "% of all boards", [(name, [one.share(getattr(one, name)) for one in slices[1:]]) for name in ("won", "drawn", "lost")])
    return [f"### {game} by the number of seeds", "",
            "All boards of n seeds, those that no move leads to as well, " + about, "",
            f"![{game}: boards won, drawn and lost]({folder}/large-{run}.svg)", "",
            f"[Its figures as CSV](results/{run}.csv)", "",
            *table(("seeds", "boards", "% won", "% drawn", "% lost"),
                   ((one.name, one.all, *(f"{one.share(part):.3f}" for part in (one.won, one.drawn, one.lost)))
                    for one in slices)),
            trend("Boards drawn", [one.share(one.drawn) for one in slices]), "",
            trend("Boards won by the side to move", [one.share(one.won) for one in slices]), ""]


def open_shares(slices, n):
    """How much of n seeds leaves the value, and the winner, open."""
    if n >= len(slices):
        return "-", "-"
    one = slices[n]
    return f"{one.share(one.all - one.exact):.2f}", f"{one.share(one.open):.2f}"


def abapa(folder):
    kinds = [(name, slices_of(run)) for run, name in (("abapa-forced", "forced"), ("abapa-own-row", "own row"))]
    kinds = [(name, slices) for name, slices in kinds if slices]
    if not kinds:
        return []
    draw(os.path.join(folder, "large-abapa.svg"), "Abapa: boards that the bounds leave open", "% of the boards",
         [(f"{part} open, {name}", [one.share(one.all - one.exact if part == "value" else one.open) for one in slices[1:]])
          for part in ("value", "winner") for name, slices in kinds])
    said = ["### Abapa by the number of seeds", "",
            "Boards whose opponent's row has an empty pit, right after a capture: on how many the bounds leave the value, "
            "and the winner, open. *Forced*: by play that ends, whatever a cycle is worth. *Own row*: if the first board "
            "that comes back ends play and each side takes its own row.", "",
            f"![Abapa: boards that the bounds leave open]({folder}/large-abapa.svg)", "",
            "Their figures as CSV: [forced](results/abapa-forced.csv), [own row](results/abapa-own-row.csv)", ""]
    most = max(len(slices) for _, slices in kinds)
    said += table(("seeds", *(f"% {part} open, {name}" for name, _ in kinds for part in ("value", "winner"))),
                  ((n, *itertools.chain(*(open_shares(slices, n) for _, slices in kinds))) for n in range(1, most)))
    for name, slices in kinds:
        said += [trend(f"Values open, {name}", [one.share(one.all - one.exact) for one in slices]), "",
                 trend(f"Winners open, {name}", [one.share(one.open) for one in slices]), ""]
    return said


def starts():
    """A row for each run and start: what it is worth, and what its moves are."""
    rows = []
    for run in ("awari", "abapa-forced", "abapa-own-row"):
        path = os.path.join(results.RESULTS, run + "-starts.csv")
        found = results.read_rows(path, results.STARTS) if os.path.exists(path) else ()
        for seeds, moves in itertools.groupby(found, lambda row: row[0]):
            said = [lower if lower == upper else f"{lower} to {upper}" for _, _, lower, upper in sorted(moves)]
            rows.append((NAMES[run], seeds, int(seeds) // 12, *said))
    return rows and ["### The start with equal pits", "",
                     "Seeds won less seeds lost, for the side that begins, by its first move; bounds where cycles leave it "
                     "open, or where a search above the tables has not decided it.", "",
                     *table(("rules", "seeds", "in a pit", "the start", *"ABCDEF"), rows)]


def by_plies(rows, pieces):
    """The share of positions that are decided within so many plies, from 1 on."""
    counts, whole, decided, shares = {}, 0, 0, []
    for of, value, depth, count in rows:
        if of == pieces:
            whole += int(count)
            if value != "0":
                counts[int(depth)] = counts.get(int(depth), 0) + int(count)
    for plies in range(max(counts) + 1):
        decided += counts.get(plies, 0)
        shares.append(100 * decided / whole)
    return shares[1:]


def animal_trend(slices):
    """Lines that tell whether the share of draws goes on beyond KNOWN_ANIMALS as before."""
    if len(slices) < KNOWN_ANIMALS:
        return []
    shares = [one.share(one.drawn) for one in slices]
    known = shares[:KNOWN_ANIMALS - 1]
    falls = known[-1] < known[-2]
    goes_on = (shares[-1] < known[-1]) == falls
    return [f"Positions drawn: {known[-1]:.3f} % with {KNOWN_ANIMALS} animals, {'less' if falls else 'more'} than with "
            f"{KNOWN_ANIMALS - 1}; {shares[-1]:.3f} % with {slices[-1].name}. The trend "
            f"{'goes on' if goes_on else 'turns'}.", ""]


def animals(run, folder):
    path = os.path.join(results.RESULTS, run + "-depths.csv")
    if not os.path.exists(path):
        return []
    rows, by_pieces, longest = results.read_rows(path, results.DEPTHS), {}, {}
    for pieces, value, depth, count in rows:
        by_pieces.setdefault(pieces, Slice(pieces)).add(int(value), int(value), int(count))
        longest[pieces, value] = max(longest.get((pieces, value), 0), int(depth or 0))
    draw(os.path.join(folder, f"large-{run}.svg"), f"{NAMES[run]}: positions decided within so many plies",
         "% of all positions", [(f"{pieces} animals", by_plies(rows, pieces)) for pieces in by_pieces], "plies")
    return [f"### {NAMES[run]} by the number of animals", "",
            "All positions of all materials, White to move; the longest win and the longest loss in plies.", "",
            f"![{NAMES[run]}: positions decided within so many plies]({folder}/large-{run}.svg)", "",
            f"[Figures by material](results/{run}.csv), [by plies](results/{run}-depths.csv)", "",
            *table(("animals", "positions", "% won", "% drawn", "% lost", "longest win", "longest loss"),
                   ((pieces, one.all, *(f"{one.share(part):.3f}" for part in (one.won, one.drawn, one.lost)),
                     longest.get((pieces, "1"), "-"), longest.get((pieces, "-1"), "-"))
                    for pieces, one in by_pieces.items())), *animal_trend([*by_pieces.values()])]


def boards(folder):
    """Phutball: what is drawn, by board; three rows are the fewest."""
    slices = slices_of("phutball")
    if not slices:
        return []
    sizes = {one.name: [*map(int, one.name.split("x"))] for one in slices}
    draw(os.path.join(folder, "large-phutball.svg"), "Phutball: positions drawn", "of a million positions",
         [(f"{columns} columns", [1e4 * one.share(one.drawn) for one in slices if sizes[one.name][1] == columns])
          for columns in sorted({columns for _, columns in sizes.values()})], "rows", 3)
    known, beyond = ([f"{one.name} ({one.drawn})" for one in slices
                      if one.drawn and (math.prod(sizes[one.name]) > KNOWN_POINTS) == large] for large in (False, True))
    return ["### Phutball by the board", "", "All positions, as the mover sees them, mirror images counted.", "",
            f"![Phutball: positions drawn]({folder}/large-phutball.svg)", "",
            "[Its figures as CSV](results/phutball.csv)", "",
            *table(("board", "positions", "% won", "% lost", "drawn"),
                   ((one.name, one.all, f"{one.share(one.won):.3f}", f"{one.share(one.lost):.3f}", one.drawn)
                    for one in slices)),
            f"Boards with drawn positions, of up to {KNOWN_POINTS} points: {', '.join(known) or 'none'}; of more: "
            f"{', '.join(beyond) or 'none'}.", ""]


def totals():
    rows = []
    for run, name in NAMES.items():
        slices = slices_of(run)
        if slices:
            whole = total_of(slices)
            rows.append((f"[{name}](results/README.md)", f"{slices[0].name} to {slices[-1].name}", whole.all,
                         *(f"{whole.share(part):.2f}" for part in (whole.won, whole.drawn, whole.lost, whole.open))))
    return table(("run", "slices", "positions", "% won", "% drawn", "% lost", "% open"), rows)


def costs():
    rows = results.read_rows(os.path.join(results.RESULTS, "runs.csv"), results.TIMES)
    if not rows:
        return []
    gib = 1 << 30
    return ["### What the runs took", "",
            *table(("run", "step", "minutes", "of processors", "GiB of memory", "GiB read", "GiB written"),
                   ((NAMES[run], step, f"{int(clock) / 60:.1f}", f"{int(worked) / 60:.1f}",
                     *(f"{int(part) / gib:.2f}" for part in parts)) for run, step, clock, worked, *parts in rows))]


def main(folder):
    print("\n".join(["## large-runs", "",
                     "Large runs: what the games look like beyond the sizes of the chapters above", "",
                     "Nothing in this chapter was worked out with the rest of the report. Its figures are those of the "
                     "[files of large runs](results/README.md), which have a digest for every table and say how to "
                     "repeat them. Won and lost are for the side to move; open: bounds leave the winner open.", "",
                     *totals(), *values("awari", folder, "Awari", "infinite play being split evenly."), *abapa(folder),
                     *values("abapa-exact", folder, "Exact abapa", "right after a capture, each side taking its own row "
                             "if a board comes back."), *starts(), *animals("doushouqi", folder),
                     *animals("doushouqi-liacs", folder), *boards(folder), *costs()]).rstrip())


if __name__ == "__main__":
    main(sys.argv[1])
