"""Runs claims: python3 -m tauler.claims [OPTION…] [NAME…|FILE.py…]. `tauler claims` starts this, and has checked the
options."""
import argparse
import difflib
import os
import signal
import sys
import unicodedata
from typing import Any, List, NoReturn, Optional, Tuple

import tauler

from . import _plots, _print
from ._claim import LIMITS, Known, built_in, own, run
from ._tables import Ended, Options, Stop
from ._text import Malformed

EXIT_CODES = {tauler.Code.NOT_PROVEN: 1, tauler.Code.BAD_USAGE: 64, tauler.Code.BAD_POSITION: 65,
              tauler.Code.DAMAGED_FILE: 65, tauler.Code.TABLE_MISSING: 66, tauler.Code.NO_MEMORY: 69,
              tauler.Code.NO_SPACE: 69, tauler.Code.UNAVAILABLE: 69, tauler.Code.IO: 74, tauler.Code.STOPPED: 75}
STOPPED = "stopped; tables that were finished are kept: run the same command again"


def choose(names: List[str], claims: List[Known]) -> List[Known]:
    """Those that were named, each once, in the order of the list, then files; all when none was named."""
    known = {one.name for one in claims}
    for name in names:
        if name not in known and not name.endswith(".py"):
            near = difflib.get_close_matches(name, known, 1, 0.8)
            raise tauler.BadUsage(f"there is no claim '{name}'; " +
                                  (f"did you mean {near[0]}?" if near else "tauler claims --list names them"))
    chosen = [one for one in claims if not names or one.name in names]
    return [*chosen, *(own(name) for name in names if name not in known)]


def check_options(chosen: List[Known], everything: bool, options: Options) -> None:
    """A claim ignores a limit that it does not know; if none that is run knows it, all of them being run excepted, it is
    refused."""
    knows = {one.name: one.settings().options.split() for one in chosen}
    for option in ("rules", "board", "book", "every"):
        for name, known in knows.items():
            if getattr(options, option) and option not in known and not (option == "every" and everything):
                raise tauler.BadUsage(f"the claim {name} knows no --{option}")
    for limit in LIMITS:
        if getattr(options, limit) and not everything and not any(limit in known for known in knows.values()):
            raise tauler.BadUsage(f"no claim that is run knows --{limit}")


def list_claim(one: Known, form: str) -> str:
    title = one.text().title
    if form == "markdown":
        return f"- `{one.name}`: {title}\n"
    if form == "text":
        return f"{one.name:30}{_print.hanging(title, 30)}\n"
    settings = one.settings()
    limits = [limit for limit in LIMITS if limit in settings.options.split()]
    return _print.json_line({"claim": one.name, "game": settings.game, "title": title, "limits": limits})


# --- running ---


Printed = Tuple[str, str, bool]  # a claim's row of contents, its report, and whether it fails


def run_one(one: Known, options: Options) -> Printed:
    settings = one.settings()
    report = run(one, settings, options)
    if options.plots:
        _plots.draw(one.name, options.plots, report)
    form = {"text": _print.as_text, "json": _print.as_json, "markdown": _print.as_markdown}[options.form]
    row = _print.contents_row(one.name, settings.game, report.text.title, report.verdict, report.reason)
    return row, form(one.name, settings.game, report), report.verdict == "fails"


def run_all(chosen: List[Known], options: Options) -> bool:
    """Prints report by report, since the next may take long; chapters of Markdown wait for the table of verdicts that
    stands in front of them, which is printed also after a claim could not be run. Whether one fails."""
    kept: List[Printed] = []
    waits = options.form == "markdown" and len(chosen) > 1
    try:
        for one in chosen:
            kept.append(run_one(one, options))
            if not waits:
                put_out(("\n" if len(kept) > 1 and options.form == "text" else "") + kept[-1][1])
    finally:
        if kept and waits:
            put_out(_print.CONTENTS + "".join(row for row, _, _ in kept) + "".join("\n" + chapter for _, chapter, _ in kept))
    return any(fails for _, _, fails in kept)


def parse(words: List[str]) -> Options:
    parser = argparse.ArgumentParser(prog="tauler claims", description=__doc__, allow_abbrev=False)
    parser.add_argument("names", nargs="*", metavar="NAME")
    for flag in ("list", "all", "every", "quiet", "log-json"):
        parser.add_argument(f"--{flag}", action="store_true")
    for form in ("json", "markdown"):
        parser.add_argument(f"--{form}", action="store_const", const=form, dest="form", default="text")
    for name in ("rules", "board", "book", "plots", "level", "threads", "memory"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--db", default=os.environ.get("TAULER_DB") or "tables")
    for name in LIMITS:
        parser.add_argument(f"--{name}", type=int, default=0)
    return parser.parse_args(words, Options())


def put_out(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main(words: List[str]) -> int:
    options = parse(words)
    claims = sorted(built_in(), key=lambda one: one.name)
    chosen = choose(options.names, claims)
    if options.list:
        put_out("".join(list_claim(one, options.form) for one in chosen))
        return 0
    check_options(chosen, len(chosen) >= len(claims), options)
    if options.plots:
        _plots.prepare(options.plots)
    return int(run_all(chosen, options))


def _stop(number: int, frame: Optional[Any]) -> NoReturn:
    raise Stop(number, frame is not None)


def shown(one: str) -> str:
    """A character of text that may be foreign, as base/text_show.c has it: a terminal obeys none."""
    code = ord(one)
    if 0xDC80 <= code <= 0xDCFF: # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if one in "\n\r\t":
        return repr(one)[1:-1]
    if unicodedata.category(one) not in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return one
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def say(sentence: object) -> None:
    sys.stderr.write(f"tauler claims: {''.join(map(shown, str(sentence)))}\n")


def run_main() -> int:
    """The exit code; what is wrong is said in one line."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    try:
        return main(sys.argv[1:])
    except Stop:
        say(STOPPED)
        return 75
    except Ended as ended:
        return ended.code
    except Malformed as wrong:
        say(wrong)
        return 70
    except tauler.Error as wrong:
        say(wrong)
        return EXIT_CODES.get(wrong.code, 70)
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        say(f"the Python module {name} is missing; install it (Debian: python3-{name})")
        return 69
    except MemoryError:
        say("not enough memory")
        return 69
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except OSError as wrong:
        say(wrong)
        return 74


if __name__ == "__main__":
    sys.exit(run_main())
