"""Pictures of the figures of a report as SVG and PNG."""
import math
import os
import re

import tauler

from .._pictures import Picture, pyplot
from ._report import Bounds, Figure, Mean, Report, Table, words
from ._text import Plot

FORMATS = ("svg", "png")


def number(value: Figure) -> float:
    if isinstance(value, Bounds):
        return value.lower + (value.upper - value.lower) / 2
    return value.number if isinstance(value, Mean) else float(value) if isinstance(value, int) else math.nan


def _place(value: Figure) -> float:
    """Along the x axis text may be a number, too."""
    return float(value) if isinstance(value, str) and re.fullmatch(r"[+-]?\d+(\.\d+)?", value) else number(value)


def picture_of(table: Table, plot: Plot) -> Picture:
    x = table.column(plot.x)
    places = [_place(row[x]) for row in table.rows]
    by_number = all(map(math.isfinite, places))
    series = [(table.columns[i][1], [number(row[i]) for row in table.rows]) for i in map(table.column, plot.series)]
    return Picture(plot.title, plot.kind, places, None if by_number else [words(row[x]) for row in table.rows], series,
                   plot.x_label, plot.y_label, plot.logarithmic)


def prepare(folder: str) -> None:
    """Before long work: whether pictures can be drawn, and files be written there."""
    pyplot()
    try:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, ".try"), "wb"):
            pass
        os.remove(os.path.join(folder, ".try"))
    except OSError as reason:
        raise tauler.InputOutput(f"pictures cannot be written into {folder}: {reason.strerror}") from None


def draw(name: str, folder: str, report: Report) -> None:
    """Draws the plots of a report as FOLDER/CLAIM-KEY.svg and .png, those of stored figures as CLAIM-KEY-stored; a plot
    that has nothing to show is left out."""
    for of, end in ((report, ""), (report.kept, "-stored")):
        for table, plot in of.plots() if of else ():
            picture = picture_of(table, plot)
            if not picture.series or picture.is_empty():
                continue
            paths = [f"{folder}/{name}-{plot.key}{end}.{kind}" for kind in FORMATS]
            for path in paths:
                picture.draw(path)
            assert of
            of.files[plot.key] = paths
