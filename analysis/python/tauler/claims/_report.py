"""The findings of a claim: figures, plots, notes, verdict, and witnesses with how they were checked again."""
import copy
import math
import re
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any, Dict, List, Optional, Tuple, Union

from ._text import VERDICTS, Layout, Malformed, Plot, Stored, Text

_MOST_DECIMALS = 12  # of bounds that agree, for a person


@dataclass(frozen=True)
class Mean:
    """A number with so many decimals."""

    number: float
    decimals: int

    def __str__(self) -> str:
        return f"{self.number:.{self.decimals}f}"


def sum_of(*numbers: float, upward: bool) -> float:
    """The nearest double on one side of a sum, which is the sum itself where a double can hold it."""
    exact = sum(map(Fraction, numbers))
    near = float(exact)
    if (near < exact) if upward else (near > exact):
        near = math.nextafter(near, math.inf if upward else -math.inf)
    return near


@dataclass(frozen=True)
class Bounds:
    """Certified bounds of a number, reckoned with outward; a person reads the decimals in which they agree."""

    lower: float
    upper: float

    def __sub__(self, other: "Bounds") -> "Bounds":
        return Bounds(sum_of(self.lower, -other.upper, upward=False), sum_of(self.upper, -other.lower, upward=True))

    def mean(self, other: "Bounds") -> "Bounds":
        return Bounds(sum_of(self.lower, other.lower, upward=False) / 2, sum_of(self.upper, other.upper, upward=True) / 2)

    def __str__(self) -> str:
        if not math.isfinite(self.upper):
            return f"at least {self.lower:.4g}"
        for decimals in range(_MOST_DECIMALS, 3, -1):
            if f"{self.lower:.{decimals}f}" == f"{self.upper:.{decimals}f}":
                return f"{self.lower:.{decimals}f}"
        return f"{math.floor(self.lower / 1e-4) * 1e-4:.4f} to {math.ceil(self.upper / 1e-4) * 1e-4:.4f}"


Figure = Union[None, int, str, Mean, Bounds]


def share(part: int, whole: int, decimals: int) -> Mean:
    """So many of a hundred; 0 of none."""
    return Mean(100.0 * int(part) / int(whole) if whole else 0.0, decimals)


def share_of_some(part: int, whole: int, decimals: int) -> Optional[Mean]:
    """The same; None of none."""
    return share(part, whole, decimals) if whole else None


def figure(value: Any) -> Figure:
    """A figure of what a claim has: None, whole numbers of any kind, texts, means, bounds."""
    if value is None or isinstance(value, (str, Mean, Bounds)):
        return value
    return int(value.__index__())


def words(value: Figure) -> str:
    return "-" if value is None else str(value)


def outward(value: float, upward: bool) -> Any:
    """The shortest decimal on that side of a number that reads back as it, for JSON."""
    if not math.isfinite(value):
        return None
    for digits in range(1, 19):
        cut = Context(prec=digits, rounding=ROUND_CEILING if upward else ROUND_FLOOR).create_decimal(Decimal(value))
        if float(cut) == value:
            break
    return cut.normalize()


@dataclass
class Table(Layout):
    """Rows of figures under the columns of a layout."""

    rows: List[List[Figure]] = field(default_factory=list)

    def add(self, *figures: Any, **named: Any) -> None:
        """Adds a row: figures of all columns, or of the first ones and of others by their keys; those left out are None."""
        if named:
            keys = [key for key, _ in self.columns]
            figures += tuple(named.pop(key, None) for key in keys[len(figures):])
        if len(figures) != len(self.columns) or named:
            raise Malformed(f"a row of {self.key} has {len(self.columns)} figures, and not {len(figures)}"
                            f"{', and no ' if named else ''}{', '.join(named)}")
        self.rows.append([figure(one) for one in figures])

    def figures(self, *keys: str) -> List[List[Any]]:
        """Row by row those of some columns."""
        at = [self.column(key) for key in keys]
        return [[row[i] for i in at] for row in self.rows]

    def sum(self, key: str) -> int:
        return sum(one for (one,) in self.figures(key) if isinstance(one, int))

    def cut(self, columns: int, series: int) -> None:
        """Leaves no more than its first columns, and of its plots no more than their first series."""
        del self.columns[columns:]
        for plot in self.plots:
            del plot.series[series:]

    def is_numeric(self, column: int) -> bool:
        """Whether a column has numbers only, so that it stands to the right."""
        return not any(isinstance(row[column], str) for row in self.rows)

    def column(self, key: str) -> int:
        keys = [one for one, _ in self.columns]
        if key not in keys:
            raise Malformed(f"the table {self.key} has no column {key}")
        return keys.index(key)


@dataclass
class Step:
    turn: str
    move: str
    position: Optional[str]  # after it; None: the game is over
    remark: Optional[str] = None


@dataclass
class Recheck:
    """A check of a witness that does not rely on the tables."""

    method: str
    text: str
    done: bool
    holds: bool

    @property
    def outcome(self) -> str:
        return "not done" if not self.done else "holds" if self.holds else "FAILS"


@dataclass
class Witness:
    """A position that shows what is claimed, moves from it, and rechecks."""

    title: str
    rules: str
    position: str
    drawing: Optional[str]
    report: "Report"
    steps: List[Step] = field(default_factory=list)
    rechecks: List[Recheck] = field(default_factory=list)

    def step(self, turn: str, move: str, position: Optional[str], remark: Optional[str] = None) -> None:
        self.steps.append(Step(turn, move, position, remark))

    def recheck(self, method: str, holds: bool, key: str, *figures: Any, done: bool = True) -> None:
        self.rechecks.append(Recheck(method, self.report.say(key, *figures), done, bool(holds)))


@dataclass(frozen=True)
class Source:
    """A table that figures rest on."""

    rules: str  # with the cycles: "awari, cycles even"
    slice: str
    stream: str
    digest: str


@dataclass
class Report:
    """All that a claim has found."""

    text: Text
    rules: Optional[str] = None  # the rule set that was looked at
    tables: List[Table] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)
    verdict: str = "open"
    reason: Optional[str] = None
    witnesses: List[Witness] = field(default_factory=list)
    sources: List[Source] = field(default_factory=list)
    files: Dict[str, List[str]] = field(default_factory=dict)  # of plots that were drawn, by key
    stored: Optional[Stored] = None
    kept: Optional["Report"] = None  # what is stored, held against what was found:
    kept_rows: int = 0
    kept_again: int = 0

    def say(self, key: str, *figures: Any) -> str:
        """A sentence of the Markdown, its places taken by figures in their order; a key with a blank is a sentence itself."""
        if " " in key:
            return key
        if key not in self.text.sentences:
            raise Malformed(f"the Markdown has no sentence {key}")
        parts = re.split(r"\{[^}]*\}", self.text.sentences[key])
        if len(parts) != len(figures) + 1:
            raise Malformed(f"the sentence {key} has {len(parts) - 1} places, and not {len(figures)}")
        filled = [words(figure(one)) for one in figures] + [""]
        return "".join(part + one for part, one in zip(parts, filled))

    def table(self, key: str) -> Table:
        """Begins a table of figures and its plots as the Markdown lays them out."""
        if key not in self.text.layouts:
            raise Malformed(f"the Markdown has no table {key}")
        table = Table(**copy.deepcopy(vars(self.text.layouts[key])))
        self.tables.append(table)
        for one in table.plots:
            for column in (one.x, *one.series):
                table.column(column)
        return table

    def note(self, key: str, *figures: Any) -> None:
        self.notes.append(self.say(key, *figures))

    def judge(self, verdict: str, key: str, *figures: Any) -> None:
        """The verdict ("holds", "holds for", "open", "fails") and its reason, a sentence of the Markdown."""
        if verdict not in VERDICTS:
            raise Malformed(f"there is no verdict {verdict}")
        self.verdict, self.reason = verdict, self.say(key, *figures)

    def is_sound(self) -> bool:
        """Whether no recheck that was done found anything wrong."""
        return all(one.holds for witness in self.witnesses for one in witness.rechecks if one.done)

    def plots(self) -> List[Tuple[Table, Plot]]:
        return [(table, plot) for table in self.tables for plot in table.plots]


def rows_of(cells: str) -> List[Figure]:
    """Figures of a stored row, from their texts."""
    figures: List[Figure] = []
    for cell in cells.split(" | "):
        whole, mean = re.fullmatch(r"[+-]?\d+", cell), re.fullmatch(r"[+-]?\d+\.(\d*)", cell)
        figures.append(None if cell == "-" else int(cell) if whole else Mean(float(cell), len(mean[1])) if mean else cell)
    return figures


def hold_against(report: Report, stored: Stored) -> None:
    """Adds what is stored to a report, and counts the rows that were found again; the claim fails if a row has the first
    figure of a stored one and other figures."""
    kept, differs = Report(report.text), False
    for name, rows in stored.rows.items():
        table = kept.table(name)
        for row in rows:
            table.add(*rows_of(row))
    kept.judge(stored.verdict, stored.reason)
    report.stored, report.kept = stored, kept
    for old in kept.tables:
        report.kept_rows += len(old.rows)
        for new in report.tables:
            if new.key != old.key or len(new.columns) != len(old.columns):
                continue
            before, now = ([[words(one) for one in row] for row in table.rows] for table in (old, new))
            report.kept_again += sum(row in now for row in before)
            firsts = {row[0] for row in before}
            differs = differs or any(row[0] in firsts and row not in before for row in now)
    if differs:
        report.judge("fails", f"Figures that are stored of {stored.size} are not those found here.")


def stored_words(report: Report) -> str:
    """Where stored figures are from, and how many were found again."""
    assert report.stored
    differs = report.reason is not None and report.reason.startswith("Figures that are stored of ")
    return (f"Found on {report.stored.date} with {report.stored.size} on a larger machine. The figures below are stored "
            f"and were not worked out now; {report.kept_again} of their {report.kept_rows} rows were worked out now as "
            f"well, above, and are {'NOT ALL THE SAME' if differs else 'the same'}.")
