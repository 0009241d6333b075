"""The Markdown beside a claim: its prose, the layout of its tables and plots, its sentences; and the JSON of what is stored of
a larger size."""
import functools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

VERDICTS = ("open", "holds", "holds for", "fails")
MOST_SERIES = 8
_NEEDED = ["title", "sentence", "method"]


class Malformed(Exception):
    """The Markdown is not as it must be."""


@dataclass
class Plot:
    """A picture of a table: its rows along the x axis, some of its columns as series."""

    key: str
    title: str = ""
    kind: str = ""  # "lines", "bars", "stacked bars"
    logarithmic: bool = False
    x: str = ""  # key of a column
    x_label: str = ""
    y_label: str = ""
    series: List[str] = field(default_factory=list)  # keys of columns


@dataclass
class Layout:
    """The form of a table of figures."""

    key: str
    title: str = ""
    columns: List[Tuple[str, str]] = field(default_factory=list)  # key and title
    plots: List[Plot] = field(default_factory=list)


@dataclass(frozen=True)
class Stored:
    """What was found at a size that needs a large machine: a file of JSON beside the Markdown."""

    size: str
    date: str
    verdict: str
    reason: str
    sources: List[Dict[str, Any]]  # each rule set of which tables were read: "rules", how many "tables", one "digest" for them
    rows: Dict[str, List[str]]  # by table: figures as they are printed, parted by " | "


def read_stored(path: Path) -> Optional[Stored]:
    try:
        return Stored(**json.loads(path.read_text("utf-8"))) if path.exists() else None
    except (TypeError, ValueError) as wrong:
        raise Malformed(f"{path}: {wrong}") from None


@dataclass
class Text:
    """All that the Markdown says. Title and ``plainly`` name no result, so that they hold at every size."""

    title: str = ""
    plainly: Optional[str] = None
    language: str = ""
    sentence: str = ""
    english: str = ""
    source: str = ""
    method: str = ""
    layouts: Dict[str, Layout] = field(default_factory=dict)
    sentences: Dict[str, str] = field(default_factory=dict)
    stored: Optional[Stored] = None


def _paragraphs(lines: List[str]) -> str:
    """The lines of a paragraph become one; an empty line parts paragraphs."""
    parts = re.split(r"\n{2,}", "\n".join(lines).strip())
    return "\n\n".join(part.replace("\n", " ") for part in parts)


def _split(lines: List[str]) -> Tuple[str, List[str]]:
    """The prose of a section, and its items without the dash."""
    prose, items = [], []
    for line in lines:
        if line.startswith("- "):
            items.append(line[2:])
        elif line.startswith("  ") and items:
            items[-1] += line[1:]
        else:
            prose.append(line)
    return _paragraphs(prose), items


def _keyed(lines: List[str]) -> List[Tuple[str, str]]:
    prose, items = _split(lines)
    found = [re.fullmatch(r"`([^`]+)`: (.*)", item) for item in items]
    if prose or not all(found):
        raise Malformed("a sentence has a key: - `KEY`: TEXT")
    return [(one[1], one[2]) for one in found if one]


def _plot(item: str) -> Plot:
    head, *parts = item.split("; ")
    found = re.fullmatch(r"plot `([a-z0-9-]+)` \((lines|bars|stacked bars)(, logarithmic)?\): (.+)", head)
    if not found:
        raise Malformed("a plot has a kind and a title: - plot `KEY` (lines): TITLE")
    plot = Plot(found[1], found[4], found[2], bool(found[3]))
    for part in parts:
        across, up, one = (re.fullmatch(form, part) for form in ("across `([^`]+)`(?:: (.+))?", "up: (.+)", "`([^`]+)`"))
        if across:
            plot.x, plot.x_label = across[1], across[2] or ""
        elif up:
            plot.y_label = up[1]
        elif one and len(plot.series) < MOST_SERIES:
            plot.series.append(one[1])
        else:
            raise Malformed("a plot has axes and series: across `KEY`: LABEL; up: LABEL; `KEY`")
    return plot


def _columns(part: str, layouts: Dict[str, Layout]) -> List[Tuple[str, str]]:
    """A column, or those of a table before, from one of them on."""
    one, same = re.fullmatch("`([^`]+)`(?:: (.+))?", part), re.fullmatch("as `([^`]+)`(?: from `([^`]+)`)?", part)
    if one:
        return [(one[1], one[2] or one[1].replace("_", " "))]
    columns = layouts[same[1]].columns if same and same[1] in layouts else []
    keys = [key for key, _ in columns]
    if not same or not columns or (same[2] and same[2] not in keys):
        raise Malformed("a table has columns: - `KEY`: TITLE; `KEY`: TITLE; as `TABLE` from `KEY`")
    return columns[keys.index(same[2]) if same[2] else 0:]


def _table(key: str, lines: List[str], layouts: Dict[str, Layout]) -> Layout:
    title, items = _split(lines)
    parts = "; ".join(item for item in items if not item.startswith("plot ")).split("; ")
    columns = [column for part in parts for column in _columns(part, layouts)]
    return Layout(key, title, columns, [_plot(item) for item in items if item.startswith("plot ")])


@functools.lru_cache(maxsize=None)
def shared_sentences() -> Dict[str, str]:
    """Those that several claims say; a claim may have another one of the name."""
    return dict(_keyed(Path(__file__).with_name("_sentences.md").read_text("utf-8").partition("## Sentences\n")[2].split("\n")))


def _read_section(text: Text, name: str, lines: List[str], game: str) -> None:
    table, sentence = (re.fullmatch(form, name) for form in ("Table: ([a-z_]+)", r"Sentence \(([a-z]+)\)(?:: (.+))?"))
    if table:
        text.layouts[table[1]] = _table(table[1], lines, text.layouts)
    elif name == "Sentences":
        text.sentences.update(_keyed(lines))
    elif sentence:
        source = text.sentences.get(f"source-{game}", "").replace("{section}", sentence[2] or "")
        parts = [*_paragraphs(lines).split("\n\n", 2), *[source] * bool(source)]
        if len(parts) < 3:
            raise Malformed("a sentence has three paragraphs: its words, the same in English, its source")
        text.language, (text.sentence, text.english, text.source) = sentence[1], parts[:3]
    elif name == "In plain words":
        text.plainly = _paragraphs(lines)
    elif name == "Method":
        text.method = _paragraphs(lines)
    else:
        raise Malformed("there is no such section")


def read_text(path: Path, every: bool = False) -> Text:
    """Reads the file of a claim; of each [[one|other]] the other words with --every. Malformed says what is wrong with it."""
    words = re.sub(r"\[\[([^|\]]*)\|([^|\]]*)\]\]", r"\2" if every else r"\1", path.read_text("utf-8"))
    parts = re.split(r"^(#{1,2}) (.*)$", words, flags=re.M)
    text = Text(sentences=dict(shared_sentences()), stored=read_stored(path.with_suffix(".json")))
    sections = list(zip(parts[1::3], parts[2::3], parts[3::3]))
    for level, name, body in sections:
        try:
            if level == "#":
                text.title = name
            else:
                _read_section(text, name, body.split("\n"), path.parent.name.replace("_", "-"))
        except Malformed as wrong:
            raise Malformed(f"{path}: ## {name}: {wrong}") from None
    kinds = ["title" if level == "#" else name.partition(" ")[0].lower() for level, name, _ in sections]
    written = [kind for kind in kinds if kind in _NEEDED]
    if written != _NEEDED:
        raise Malformed(f"{path} has sections missing or out of order; it has: {' '.join(written)}")
    return text
