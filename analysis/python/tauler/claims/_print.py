"""A report as text for a terminal, as one line of JSON, or as a chapter of Markdown: the same in the same order."""
import ctypes
import itertools
import json
import re
import textwrap
from decimal import Decimal
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .. import _library
from ._report import Bounds, Figure, Mean, Report, Source, Table, Witness, outward, stored_words, words
from ._text import Plot

WIDTH = 100


def digest_of(sources: Sequence[Source]) -> str:
    """One digest for the tables of a rule set: that of its only one, or that of lines "SLICE STREAM DIGEST"."""
    if len(sources) == 1:
        return sources[0].digest
    lines = "".join(f"{one.slice} {one.stream} {one.digest}\n" for one in sources).encode()
    text, message = ctypes.create_string_buffer(33), _library.CMessage()
    _library.check(_library.load().tauler_digest(lines, len(lines), text, ctypes.byref(message)), message)
    return text.value.decode()


def sources_by_rules(report: Report) -> Iterator[Tuple[str, List[Source]]]:
    for rules, sources in itertools.groupby(report.sources, lambda one: one.rules):
        yield rules, list(sources)


# --- text ---


def _lines(text: str, width: int, indent: int = 0) -> List[str]:
    return textwrap.wrap(text, width, initial_indent=" " * indent, subsequent_indent=" " * indent, break_long_words=False,
                         break_on_hyphens=False)


def _wrapped(text: str, indent: int) -> str:
    """"5 %" stays together."""
    paragraphs = re.split(r"\s*\n\s*", re.sub(r" (?=%)", "\0", text))
    return "\n\n".join("\n".join(_lines(one, WIDTH, indent)) for one in paragraphs).replace("\0", " ") + "\n"


def _part(table: Table, columns: List[int], wide: Dict[int, int]) -> str:
    """Columns of a table side by side. Titles of several lines end on one."""
    titles = {i: _lines(table.columns[i][1], wide[i]) for i in columns}
    most = max(len(lines) for lines in titles.values())
    rows = [[([""] * (most - len(titles[i])) + titles[i])[line] for i in columns] for line in range(most)]
    rows += [[words(row[i]) for i in columns] for row in table.rows]
    sides = [str.rjust if table.is_numeric(i) else str.ljust for i in columns]
    return "".join("".join("  " + side(cell, wide[i]) for cell, side, i in zip(row, sides, columns)).rstrip() + "\n"
                   for row in rows)


def _text_table(table: Table) -> str:
    """Columns that do not fit side by side stand below, behind the first one, which says what a row is about."""
    head = "\n" + _wrapped(table.title, 2)
    if not table.rows:
        return head + "  none\n"
    cells = [max(len(words(row[i])) for row in table.rows) for i in range(len(table.columns))]
    titles = [title for _, title in table.columns]
    wide = {i: max(cell, len(title)) for i, (cell, title) in enumerate(zip(cells, titles))}
    if sum(wide.values()) + 2 * len(wide) > WIDTH:
        wide = {i: max([cell, *map(len, title.split())]) for i, (cell, title) in enumerate(zip(cells, titles))}
    parts: List[List[int]] = [[0]]
    for i in range(1, len(wide)):
        if len(parts[-1]) > 1 and sum(wide[k] + 2 for k in (*parts[-1], i)) > WIDTH:
            parts.append([0])
        parts[-1].append(i)
    return head + "\n".join(_part(table, part, wide) for part in parts)


def _text_figures(report: Report) -> str:
    pictures = [(plot, report.files[plot.key]) for _, plot in report.plots() if plot.key in report.files]
    return "".join(map(_text_table, report.tables)) + "".join(
        "\n" + _wrapped(plot.title, 2) + "".join(f"  {path}\n" for path in paths) for plot, paths in pictures)


def _text_witness(witness: Witness) -> str:
    out = "\nWitness\n" + _wrapped(witness.title, 2) + f"  {witness.position}\n\n"
    if witness.drawing is not None:
        out += "".join(f"  {line}\n" if line else "\n" for line in witness.drawing.rstrip("\n").split("\n"))
    out += "\n" if witness.steps else ""
    move = max([4, *(len(step.move) for step in witness.steps)])
    position = max([8, *(len(step.position or "") for step in witness.steps)])
    for number, step in enumerate(witness.steps, 1):
        line = f"  {number:3}. {step.turn}  {step.move:{move}}  {step.position or 'over'}"
        if step.remark:
            line = f"  {number:3}. {step.turn}  {step.move:{move}}  {step.position or 'over':{position}}  "
            line += hanging(step.remark, len(line))
        out += line + "\n"
    for one in witness.rechecks:
        out += f"\n  Recheck by {one.method}: {one.outcome}.\n" + _wrapped(one.text, 2)
    return out


def hanging(text: str, at: int) -> str:
    """The rest of a line and those below it, filled up to WIDTH."""
    return "\n".join(_lines(text, WIDTH, at))[at:]


def _text_stored(report: Report) -> str:
    assert report.kept and report.stored
    out = f"\nStored: {report.stored.size}\n" + _wrapped(stored_words(report), 2)
    out += _text_figures(report.kept) + f"\n  {report.kept.verdict}\n"
    out += _wrapped(report.kept.reason or "", 2) + "\n"
    return out + "".join(f"  {of['rules']}, {of['tables']} tables: {of['digest']}\n" for of in report.stored.sources)


def as_text(name: str, game: str, report: Report) -> str:
    text = report.text
    out = _wrapped(f"{name}: {text.title}", 0) + f"{game}, rules {report.rules}\n"
    out += "\n" + _wrapped(text.plainly, 2) if text.plainly else ""
    out += "\nStatement\n" + _wrapped(text.sentence, 2) + "\n" + _wrapped(text.english, 2)
    out += "\nSource\n" + _wrapped(text.source, 2) + "\nMethod\n" + _wrapped(text.method, 2)
    out += "\nFigures\n" if report.tables or report.notes else ""
    out += _text_figures(report)
    out += "\n" + "".join(_wrapped(note, 2) for note in report.notes) if report.notes else ""
    out += f"\nVerdict\n  {report.verdict}\n" + _wrapped(report.reason or "", 2)
    out += "".join(map(_text_witness, report.witnesses))
    out += "\nTables\n" if report.sources else ""
    for rules, sources in sources_by_rules(report):
        out += f"  {_of_tables(rules, sources)}\n"
    return out + (_text_stored(report) if report.kept else "")


def _of_tables(rules: str, sources: List[Source]) -> str:
    return f"{rules}, {len(sources)} table{'' if len(sources) == 1 else 's'}: {digest_of(sources)}"


# --- JSON ---


def _json_figure(value: Figure) -> Any:
    if isinstance(value, Mean):
        read = float(str(value))
        return int(read) if read == int(read) else read
    if isinstance(value, Bounds):
        return [outward(value.lower, False), outward(value.upper, True)]
    return value


def _json_plot(table: Table, plot: Plot, files: Dict[str, List[str]]) -> Dict[str, Any]:
    return {"key": plot.key, "title": plot.title, "kind": plot.kind, "logarithmic": plot.logarithmic,
            "table": table.key, "x": plot.x, "series": plot.series, "files": files.get(plot.key, [])}


def _json_figures(report: Report) -> Dict[str, Any]:
    return {"figures": [{"name": table.key, "title": table.title,
                         "rows": [{key: _json_figure(one) for (key, _), one in zip(table.columns, row)}
                                  for row in table.rows]} for table in report.tables],
            "plots": [_json_plot(table, plot, report.files) for table, plot in report.plots()]}


def _json_witness(witness: Witness) -> Dict[str, Any]:
    return {"title": witness.title, "rules": witness.rules, "position": witness.position, "drawing": witness.drawing,
            "steps": [vars(step) for step in witness.steps],
            "rechecks": [{"method": one.method, "holds": one.holds if one.done else None, "text": one.text}
                         for one in witness.rechecks]}


def _json_stored(report: Report) -> Dict[str, Any]:
    assert report.kept and report.stored
    return {"size": report.stored.size, "date": report.stored.date, "rows": report.kept_rows,
            "rows_found_again": report.kept_again, **_json_figures(report.kept), "verdict": report.kept.verdict,
            "reason": report.kept.reason, "sources": report.stored.sources}


def json_line(value: Any) -> str:
    """Decimals stand as they are, which floats would round."""
    def mark(one: Decimal) -> str:
        return "\0" + (f"{one:f}" if -5 < one.adjusted() < 16 else f"{one:e}") + "\0"

    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=mark)
    return re.sub(r'"\\u0000([^"]*)\\u0000"', r"\1", text) + "\n"


def as_json(name: str, game: str, report: Report) -> str:
    text = report.text
    return json_line({
        "claim": name, "game": game, "rules": report.rules, "title": text.title, "plainly": text.plainly,
        "statement": {"language": text.language, "sentence": text.sentence, "english": text.english},
        "source": text.source, "method": text.method, **_json_figures(report), "notes": report.notes,
        "verdict": report.verdict, "reason": report.reason, "witnesses": [_json_witness(one) for one in report.witnesses],
        "sources": [{"rules": rules, "digest": digest_of(sources),
                     "tables": [{"slice": one.slice, "stream": one.stream, "digest": one.digest} for one in sources]}
                    for rules, sources in sources_by_rules(report)],
        "stored": _json_stored(report) if report.kept else None})


# --- Markdown ---


def _plain(text: str) -> str:
    """Text outside of code, with what Markdown would take as markup kept from it."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)


def _row(cells: Sequence[str]) -> str:
    return "|" + "".join(f" {cell} |" for cell in cells)


def _path(path: str) -> str:
    """A path as it may stand behind a link, which blanks and brackets would end."""
    return re.sub(r'[ ()<>\\%"]', lambda found: f"%{ord(found[0]):02X}", path)


def _markdown_tables(report: Report) -> str:
    out = ""
    for table in report.tables:
        out += "\n" + _plain(table.title) + "\n\n" + _row([_plain(title) for _, title in table.columns])
        out += "\n" + _row(["---:" if table.is_numeric(i) else "---" for i in range(len(table.columns))])
        out += "".join("\n" + _row([_plain(words(one)) for one in row]) for row in table.rows) + "\n"
        for plot in table.plots:
            if plot.key in report.files:
                out += f"\n![{_plain(plot.title)}]({_path(report.files[plot.key][0])})\n"
    return out


def _markdown_witness(witness: Witness) -> str:
    out = f"\n### Witness\n\n{_plain(witness.title)}\n\n`{witness.position}`\n"
    if witness.drawing is not None:
        out += "\n```text\n" + witness.drawing + ("" if witness.drawing.endswith("\n") else "\n") + "```\n"
    out += "\n" if witness.steps else ""
    for number, step in enumerate(witness.steps, 1):
        out += f"{number}. {step.turn} `{step.move}`" + (f" → `{step.position}`" if step.position else "")
        out += (f" ({_plain(step.remark)})" if step.remark else "") + "\n"
    for one in witness.rechecks:
        out += f"\n**Recheck by {one.method}: {one.outcome}.** {_plain(one.text)}\n"
    return out


def _markdown_stored(report: Report) -> str:
    assert report.kept and report.stored
    out = f"\n### Stored: `{report.stored.size}`\n\n{_plain(stored_words(report))}\n" + _markdown_tables(report.kept)
    out += f"\n**{report.kept.verdict}**: {_plain(report.kept.reason or '')}\n\n"
    return out + "".join(f"- {_plain(of['rules'])}, {of['tables']} tables: {of['digest']}\n" for of in report.stored.sources)


def as_markdown(name: str, game: str, report: Report) -> str:
    text = report.text
    out = f"## {name}\n\n{_plain(text.title)}\n" + (f"\n{_plain(text.plainly)}\n" if text.plainly else "")
    out += f"\n{game}, rules `{report.rules}`\n\n### Statement\n\n> {_plain(text.sentence)}\n\n{_plain(text.english)}\n"
    out += f"\n### Source\n\n{_plain(text.source)}\n\n### Method\n\n{_plain(text.method)}\n"
    out += "\n### Figures\n" if report.tables or report.notes else ""
    out += _markdown_tables(report) + "".join(f"\n{_plain(note)}\n" for note in report.notes)
    out += f"\n### Verdict\n\n**{report.verdict}**: {_plain(report.reason or '')}\n"
    out += "".join(map(_markdown_witness, report.witnesses))
    out += "\n### Tables\n\n" if report.sources else ""
    for rules, sources in sources_by_rules(report):
        out += f"- {_plain(_of_tables(rules, sources))}\n"
    return out + (_markdown_stored(report) if report.kept else "")


def contents_row(name: str, game: str, title: str, verdict: str, reason: Optional[str]) -> str:
    """A row of the table that stands in front of several chapters: the reason's first sentence in it."""
    first = re.match(r".*?\.(?=$| [A-Z])|.*", reason or "", re.S)
    return f"| [{_plain(title)}](#{name}) | {game} | {verdict} | {_plain(first[0] if first else '')} |\n"


CONTENTS = "## What was found\n\n| claim | game | verdict | in short |\n| --- | --- | --- | --- |\n"
