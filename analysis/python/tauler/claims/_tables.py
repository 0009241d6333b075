"""The tables of a rule set that a claim reads, built by the program where they are missing; positions and moves by the
rules alone."""
import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Dict, Iterator, List, Optional, Tuple

import tauler

from ._report import Source, Witness


class Stop(BaseException):
    """A signal has asked for the end."""


class Ended(Exception):
    """Another command has ended with this exit code, and said why."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class Options:
    """The command line."""

    db: str = "tables"  # their folder
    rules: Optional[str] = None
    board: Optional[str] = None
    book: Optional[str] = None
    plots: Optional[str] = None
    seeds: int = 0  # how far to go; 0: as far as the claim does
    pieces: int = 0
    players: int = 0
    tokens: int = 0
    level: Optional[str] = None
    threads: Optional[str] = None
    memory: Optional[str] = None
    every: bool = False  # of games of dice all stored positions count, also those that no game comes to
    quiet: bool = False
    log_json: bool = False
    form: str = "text"
    names: List[str] = field(default_factory=list)
    list: bool = False
    told: bool = False  # where tables are built
    found: Dict[Tuple[str, ...], str] = field(default_factory=dict)  # what C has printed, by the words of the command

    def tell(self) -> None:
        """Says once where tables are built; the builds say which."""
        if not (self.told or self.quiet or self.log_json):
            sys.stderr.write(f"tauler claims: tables that are missing are built first, into {self.db}\n")
            sys.stderr.flush()
        self.told = True

    def running(self) -> List[str]:
        """The options that every command of the program knows."""
        given = [("--threads", self.threads), ("--memory", self.memory)]
        return [word for name, value in given if value is not None for word in (name, value)] + \
            ["--quiet"] * self.quiet + ["--log-json"] * self.log_json


def program() -> str:
    """The program that builds tables: the one that has started this, or the one on the path."""
    found = os.environ.get("TAULER_PROGRAM") or shutil.which("tauler")
    if not found:
        raise tauler.Unavailable("the program tauler, which builds tables, is not on the path; install it, or name it in "
                                 "$TAULER_PROGRAM")
    return found


def call(*arguments: str, may_fail: Tuple[int, ...] = ()) -> str:
    """What a command of the program prints. It is ended before this process is, so that it can keep its state. Ended: its
    exit code, after what it said itself."""
    with subprocess.Popen([program(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                          encoding="utf-8", start_new_session=True) as running:
        try:
            said = running.communicate()[0]
        except Stop:
            running.send_signal(signal.SIGTERM)
            running.communicate()
            if running.returncode == 75:  # it has said what is kept
                raise Ended(75) from None
            raise
    if running.returncode not in (0, *may_fail):
        raise Ended(running.returncode if running.returncode > 0 else 70)
    return said


def figures(name: str, options: Options, *arguments: str) -> Any:
    """What `tauler figures NAME` works out, once in a run: computations that are C's."""
    words = ("figures", name, *arguments, *["--every"] * options.every, "--db", options.db, *options.running())
    if words not in options.found:
        options.found[words] = call(*words)
    return json.loads(options.found[words])


def plan(game: str, *words: str, may_fail: Tuple[int, ...] = ()) -> Any:
    return json.loads(call("plan", game, *words, "--json", may_fail=may_fail))


class RuleSet:
    """A game's rule set over the folder of tables. What ``need`` has built or found becomes a source of the report."""

    def __init__(self, db: tauler.Database, options: Options, game: str, rules: Optional[str], cycles: Optional[str]) -> None:
        self.options, self.game = options, game
        self.tables = db.select(game, rules, cycles)
        self.rules, self.cycles = self.tables.rules_text, self.tables.cycles_text
        self.depths = True  # tables of depths are needed as well; of games of dice there are none
        self.width: Optional[float] = None  # of bounds that are built
        self.sources: Dict[Tuple[str, str], Source] = {}
        self._bounds: Dict[str, Any] = {}

    def words(self) -> List[str]:
        """The options that select it on a command line."""
        return ["--rules", self.rules] + (["--cycles", self.cycles] if self.cycles else [])

    def need(self, *size: object) -> None:
        """Builds what is missing of a request, such as ("--seeds", 12) or ("--material", "Lr"), with all that it needs."""
        command = ["build", self.game, *self.words(), *map(str, size), "--db", self.options.db, "--json", "--yes"]
        command += ["--depth"] if self.depths and self.game not in ("oca", "oca-asesina") else []
        command += ["--width", repr(self.width)] if self.width is not None else []
        command += ["--level", self.options.level] if self.options.level else []
        rules = f"{self.rules}, cycles {self.cycles}" if self.cycles else self.rules
        self.options.tell()
        for one in map(json.loads, call(*command, *self.options.running()).splitlines()):
            self.sources[one["slice"], one["stream"]] = Source(rules, one["slice"], one["stream"], one["table"])

    def call(self, command: str, *words: str, may_fail: Tuple[int, ...] = ()) -> str:
        """What a command of the program, such as stats, prints of this rule set, once everything is built."""
        return call(command, self.game, *self.words(), *words, "--db", self.options.db, *self.options.running(),
                    may_fail=may_fail)

    def ask(self, command: str, *words: str, may_fail: Tuple[int, ...] = ()) -> List[Any]:
        """What it prints as JSON, line by line."""
        return [json.loads(line) for line in self.call(command, *words, "--json", may_fail=may_fail).splitlines()]

    def exact(self, *size: str) -> Dict[str, Fraction]:
        """What is expected from the start where nobody chooses: linear equations of the rules, solved in fractions."""
        return {name: Fraction(text) for name, text in self.ask("stats", *size, "--exact")[-1]["exact"].items()}

    def counts(self, *size: str) -> Iterator[Tuple[str, int, int, int]]:
        """Slice, value, plies (0 of draws) and how many positions, mirror images counted, of tables that are there."""
        for line in self.call("stats", *size, "--depths", "--csv").splitlines()[1:]:
            name, value, plies, positions = line.split(",")
            yield name, int(value), int(plies or 0), int(positions)

    def slice(self, name: object) -> tauler.Slice:
        return self.tables.slice(str(name))

    def position(self, name: object, index: int) -> str:
        return str(self.slice(name).position(index))

    def bounds(self, name: object) -> Tuple[Any, Any]:
        """Lower and upper bounds of a whole slice for the mover, read once; where values are exact both are alike."""
        if str(name) not in self._bounds:
            self._bounds[str(name)] = self.slice(name).bounds().T.copy()
        lower, upper = self._bounds[str(name)]
        return lower, upper

    def values(self, name: object) -> Any:
        """The same where both are equal."""
        return self.bounds(name)[0]

    def look(self, position: str) -> tauler.Answer:
        """All about a position; where no table holds it, its moves by the rules."""
        try:
            return self.tables.probe(position)
        except tauler.TableMissing as missing:
            if missing.answer is None:
                raise
            return missing.answer

    def by_place(self, position: str) -> Dict[Tuple[int, int], tauler.Move]:
        """Moves by the number of the slice and the index to which they lead."""
        moves = [move for move in self.look(position).moves if move.position]
        return dict(zip(zip(*(of.tolist() for of in self.tables.places(str(move.position) for move in moves))), moves))

    def play(self, position: str, move: str) -> Optional[tauler.Move]:
        """The move of that name by the rules; None: there is none."""
        return next((one for one in self.look(position).moves if one.name == move), None)

    def replays(self, witness: Witness) -> bool:
        """Whether by the rules every step is legal, leads to the position shown, and ends the game where none is."""
        at = witness.position
        for step in witness.steps:
            move = self.play(at, step.move)
            if move is None or move.over != (step.position is None) or not (move.over or move.position == step.position):
                return False
            at = step.position or ""
        return True
