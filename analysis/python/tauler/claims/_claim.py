"""A claim while it runs: its rule sets, its limit, and the report that it fills."""
import functools
import importlib
import importlib.util
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, List, Optional, Sequence, Tuple

import tauler

from ._report import Report, Witness, hold_against
from ._tables import Options, RuleSet
from ._text import Malformed, Text, read_text

LIMITS = ("seeds", "pieces", "players", "tokens")


@dataclass(frozen=True)
class Settings:
    """What a claim's file says of it."""

    game: str = ""  # that of the folder, if none is named
    counts: str = ""  # what is counted: names a sentence of several claims, "counts-…", that ends the method
    options: str = ""  # which of "rules board book every seeds pieces players tokens" it knows
    usual: int = 0  # its limit without an option
    most: int = 0  # the greatest there is; 0: that of the option
    rules: Optional[str] = None  # as the report names them without --rules; None: those of the sets
    sets: Sequence[Tuple[Optional[str], Optional[str]]] = ()  # rules and cycles, opened before; None: those of the
    # command line, or the game's usual ones
    loaded: bool = False  # tables of values of slices 0 … limit are there before


class Claim(Report):
    """What ``examine`` of a claim's file gets, and fills."""

    def __init__(self, name: str, settings: Settings, options: Options, text: Text, db: tauler.Database) -> None:
        super().__init__(text)
        self.name, self.settings, self.options, self.db = name, settings, options, db
        self.rules = settings.rules and (options.rules or settings.rules)
        self.sets: List[RuleSet] = []
        given = next((getattr(options, one) for one in LIMITS if one in settings.options.split()), 0)
        self.limited = given > 0  # the command line says how many
        self.limit = given or settings.usual  # seeds, pieces, players or tokens that are looked at
        if settings.most:
            self.limit = min(self.limit, settings.most)

    @property
    def threads(self) -> int:
        return int(self.options.threads or 0)

    def open(self, rules: Optional[str] = None, cycles: Optional[str] = None, game: Optional[str] = None) -> RuleSet:
        """Another rule set, whose tables become sources of the report."""
        self.sets.append(RuleSet(self.db, self.options, game or self.settings.game, rules, cycles))
        self.rules = self.rules or self.sets[-1].rules
        return self.sets[-1]

    def show(self, rules: RuleSet, position: str, key: str, *figures: Any) -> Witness:
        """Begins a witness, a position with its drawing, whose title is a sentence of the Markdown."""
        answer = rules.look(position)
        self.witnesses.append(Witness(self.say(key, *figures), rules.rules, answer.position, answer.drawing, self))
        return self.witnesses[-1]

    def show_line(self, rules: RuleSet, position: str, plies: Optional[int], title: str) -> Witness:
        """A witness of best play to the end of the game, in so many plies (None: those that the table says), replayed by
        the rules alone: every move is legal, the positions are those shown, and the last move ends the game."""
        witness = self.show(rules, position, title)
        line, at = rules.tables.line(position), position
        bounds = rules.tables.probe(position).bounds
        plies = bounds.depth_lower if plies is None and bounds else plies
        for number, step in enumerate(line.steps, 1):
            witness.step(rules.look(at).turn, step.move, None if number == len(line.steps) else step.position)
            at = step.position or ""
        right = str(line.end) == "ended" and len(line.steps) == plies and rules.replays(witness)
        witness.recheck("replay", right, "Played by the rules alone, every move is legal, the positions are those shown, "
                        "the last move ends the game, and the line is as long as the table says." if right else
                        "Played by the rules alone, the line is not what the table says.")
        return witness


@functools.lru_cache(maxsize=None)
def _load(name: str, file: Path) -> ModuleType:
    """Runs the file of a claim, once."""
    if Path(__file__).parent in file.parents:
        return importlib.import_module(f"{__package__}.{file.parent.name}.{file.stem}")
    spec = importlib.util.spec_from_file_location("tauler_claim_" + name.replace("-", "_"), file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Known:
    """A claim that can be run: its file, and the Markdown beside it."""

    name: str
    file: Path

    def text(self, every: bool = False) -> Text:
        return read_text(self.file.with_suffix(".md"), every)

    def settings(self) -> Settings:
        found = getattr(_load(self.name, self.file), "SETTINGS", None)
        if not isinstance(found, Settings):
            raise Malformed(f"{self.file} has no SETTINGS, of the class tauler.claims.Settings")
        return found if found.game else replace(found, game=self.file.parent.name.replace("_", "-"))


def built_in() -> List[Known]:
    """The claims of the module: GAME-NAME is the file GAME/NAME.py."""
    folder = Path(__file__).parent
    files = (path for path in folder.glob("*/*.py") if path.with_suffix(".md").exists())
    return [Known(f"{path.parent.name}-{path.stem}".replace("_", "-"), path) for path in files]


def own(argument: str) -> Known:
    path = Path(argument)
    for needed in (path, path.with_suffix(".md")):
        if not needed.exists():
            raise tauler.BadUsage(f"there is no file {needed}; a claim is a Python file and a Markdown file beside it")
    sys.path.insert(0, os.fspath(path.resolve().parent))
    return Known(path.stem.replace("_", "-"), path)


def run(known: Known, settings: Settings, options: Options) -> Report:
    examine: Callable[[Claim], None] = _load(known.name, known.file).examine
    with tauler.Database(options.db) as db:  # which what the claim needs is built in, and may not be there yet
        claim = Claim(known.name, settings, options, known.text(options.every), db)
        if settings.counts:
            claim.text.method += "\n\n" + claim.say(f"counts-{settings.counts}")
        for rules, cycles in settings.sets:
            opened = claim.open(rules if rules is not None else options.rules, cycles)
            if settings.loaded:
                opened.depths = False
                opened.need(f"--{next(one for one in LIMITS if one in settings.options)}", claim.limit)
        names = list(dict.fromkeys(one.rules for one in claim.sets))
        if not settings.rules and len(names) > 1:
            claim.rules = f"{', '.join(names[:-1])}{',' * (len(names) > 2)} and {names[-1]}"
        examine(claim)
        if claim.reason is None:
            claim.judge("open", "open")
        if claim.verdict != "fails" and not claim.is_sound():
            claim.judge("fails", "unsound")
        claim.sources = list(dict.fromkeys(source for of in claim.sets for _, source in sorted(of.sources.items())))
    # With --rules only what is stored of rules whose tables were read.
    stored, read = claim.text.stored, {source.rules for source in claim.sources}
    if stored and ("rules" not in claim.settings.options.split() or any(of["rules"] in read for of in stored.sources)):
        hold_against(claim, stored)
    return claim
