"""Answers of the library, as values of Python's own: copied, frozen, and of no consequence to any file."""
import enum
from dataclasses import dataclass
from typing import Any, Optional, Tuple

from . import _library as c
from ._errors import BadUsage


class Category(enum.IntEnum):
    """The result, seen from the side to move. ``str()`` of it is "win", "draw", "loss" or "unknown".

    >>> print(Category.WIN, Category.WIN > Category.DRAW)
    win True
    """

    UNKNOWN = 0
    LOSS = 1
    DRAW = 2
    WIN = 3

    def __str__(self) -> str:
        return self.name.lower()


class LineEnd(enum.IntEnum):
    """How a line of play came to its end."""

    ENDED = 0
    REPEATS = 1
    UNKNOWN = 2
    CUT = 3

    def __str__(self) -> str:
        return self.name.lower()


class LineRule(enum.IntEnum):
    """How the moves of a line are chosen: by exact values, or, where a position on it is known by bounds that differ,
    by what their mover can force: the greatest lower bound, of a sure gain the soonest, then the greatest upper one."""

    VALUE = 0
    LOWER_BOUND = 1

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True)
class Bounds:
    """The value of a position or a move for one side, as far as it is known: net seeds, or 1, 0 and −1 for win, draw
    and loss; in games of dice what that side expects. It lies in lower … upper, which differ where rules leave infinite
    play open, and in games of dice. ``float`` of it is the value where both are equal. Depths are plies to what settles
    either bound, or stages if the answer says so.

    >>> Bounds(2.0, 2.0, 5, 5).value, Bounds(-1.0, 2.0, 5, 8).value, float(Bounds(2.0, 2.0))
    (2.0, None, 2.0)
    >>> Bounds(1.0, 2.0, 5, 8).depth, Bounds(-2.0, -1.0, 5, 8).depth, Bounds(-1.0, 2.0, 5, 8).depth
    (5, 8, None)
    """

    lower: float
    upper: float
    depth_lower: Optional[int] = None
    depth_upper: Optional[int] = None

    def __float__(self) -> float:
        if self.value is None:
            raise BadUsage(f"the value lies between {self.lower:g} and {self.upper:g}, and is no single number; ask for "
                           "lower and upper")
        return self.value

    @property
    def exact(self) -> bool:
        return self.lower == self.upper

    @property
    def value(self) -> Optional[float]:
        """The number that it is, None where the bounds differ."""
        return self.lower if self.lower == self.upper else None

    @property
    def category(self) -> Category:
        """Its sign. Of two players' scores in a game of dice ask the answer's category."""
        if self.lower > 0:
            return Category.WIN
        if self.upper < 0:
            return Category.LOSS
        return Category.DRAW if self.lower == 0 == self.upper else Category.UNKNOWN

    @property
    def depth(self) -> Optional[int]:
        """How soon a win is made good, or how long a loss can be put off; else None."""
        category = self.category
        if category is Category.WIN:
            return self.depth_lower
        return self.depth_upper if category is Category.LOSS else None


class Valued:  # pylint: disable=too-few-public-methods
    """What has bounds, or None where no table tells."""

    bounds: Optional[Bounds]

    @property
    def value(self) -> Optional[float]:
        """The exact value for the side to move; None where it is not known, or not to a point."""
        return self.bounds.value if self.bounds else None

    @property
    def depth(self) -> Optional[int]:
        """That of the bounds; None where they have none."""
        return self.bounds.depth if self.bounds else None


@dataclass(frozen=True)
class Move(Valued):
    """A move and its value for the mover, gain included; ``child`` is the same of the position after it,
    for the side to move there. None is what no table tells."""

    name: str
    position: Optional[str]  # after the move; None if it ends the game
    slice: Optional[str]
    bounds: Optional[Bounds]
    child: Optional[Bounds]
    outcome: Category  # of the whole game for the mover, stores counted
    over: bool
    converts: bool  # nothing before it can come back
    best: bool  # no other move is better; of dice none under the roll is surely better
    repeats: bool  # leads to a position met before, so play ends
    after_line: Optional[Bounds]  # with the positions met on the line that was given


@dataclass(frozen=True)
class Roll:
    """The moves under a roll; its chance is the weight ÷ the sum of all weights of the answer."""

    name: str
    weight: int
    moves: Tuple[Move, ...]


@dataclass(frozen=True)
class Quantity:
    """One of the numbers that belong to a position of a game of dice, "win-2" or "turns", between two bounds;
    seats count from 1, whoever is to move."""

    name: str
    lower: Optional[float]
    upper: Optional[float]


@dataclass(frozen=True)
class History(Valued):
    """The answer after a line of moves under rules where the first repetition ends play."""

    met: int  # positions since the last converting move, this one not counted
    over: bool  # this one is among them: play has ended
    bounds: Optional[Bounds]


@dataclass(frozen=True)
class Searched:
    """The work of a search for an answer."""

    proven: bool  # the position's value is exact
    gained: bool  # its bounds are narrower than what the rules say of every position of its slice
    seconds: float
    positions: int  # looked at, each as often as that was
    table_probes: int
    depth: int  # plies for which every line was played on, where nothing ended it before


@dataclass(frozen=True)
class Answer(Valued):
    """All about a position; ``moves`` best first, of a game of dice ``rolls`` in their place."""

    game: str
    rules: str
    cycles: str
    position: str  # canonical
    drawing: str
    turn: str
    slice: Optional[str]  # "12"; of materials that share a slice the position's own
    slice_number: Optional[int]  # None: no table can hold the position
    index: Optional[int]  # in the slice; None: no move leads there, or no table has it
    ended: bool
    category: Category  # of the value
    outcome: Category  # of the whole game for the side to move, stores counted; as `final` has it
    bounds: Optional[Bounds]  # for the side to move
    lead: float  # what the side to move has in its store beyond the other's
    table: Optional[str]  # digest; None: not built
    final: Optional[Tuple[float, float]]  # what both sides will have, first player first, if it is certain
    has_stores: bool
    moves: Tuple[Move, ...]
    dice: bool
    quantities: Tuple[Quantity, ...]  # the first ``seats`` are one per seat
    seats: int
    rolls: Tuple[Roll, ...]
    stages: bool  # depths are stages
    history_counts: bool  # under these rules the first repetition ends play
    history: Optional[History]  # None without a line of moves
    searched: Optional[Searched]  # None: tables or rules alone have answered

    @property
    def best(self) -> Optional[Move]:
        """The best move; None if none is known, and of dice, where it hangs on the roll."""
        known = self.moves and (self.moves[0].bounds or self.moves[0].after_line)
        return self.moves[0] if known else None


@dataclass(frozen=True)
class Step(Valued):
    """One move of a line of play; the value is the mover's."""

    move: str
    position: Optional[str]
    bounds: Optional[Bounds]
    converts: bool


@dataclass(frozen=True)
class Line:
    """A line of best play. ``moves`` may follow "moves" in a position's text."""

    start: str
    moves: str
    steps: Tuple[Step, ...]
    end: LineEnd
    repeats: Optional[int]  # moves before the position that the last one repeats; below 0: so many before the start
    rule: LineRule


@dataclass(frozen=True)
class StoredSlice:
    """A slice of which the tables stand in the folder; see ``Database.contents``."""

    game: str
    rules: str
    cycles: str
    slice: str
    slice_number: int
    positions: int  # indexes 0 … positions − 1
    table: str  # digest
    depths: Optional[str]


@dataclass(frozen=True)
class Contents:
    slices: Tuple[StoredSlice, ...]
    passed_over: int  # tables that are damaged, of no game here, or numbered otherwise


def _text(of: Optional[bytes]) -> str:
    return of.decode("utf-8") if of else ""


def _depth(plies: int) -> Optional[int]:
    return None if plies == c.NO_DEPTH else plies


def bounds_of(w: Any) -> Optional[Bounds]:
    return Bounds(w.lower, w.upper, _depth(w.depth_lower), _depth(w.depth_upper)) if w.known else None


def _move(m: Any) -> Move:
    return Move(name=_text(m.name), position=None if m.over else _text(m.position),
                slice=_text(m.slice) or None, bounds=bounds_of(m.worth), child=bounds_of(m.child), outcome=Category(m.outcome),
                over=m.over,
                converts=m.converts, best=m.best, repeats=m.repeats, after_line=bounds_of(m.after_line))


def _roll(r: Any) -> Roll:
    return Roll(_text(r.name), r.weight, tuple(_move(r.moves[i]) for i in range(r.moves_used)))


def _quantity(q: Any) -> Quantity:
    return Quantity(_text(q.name), q.lower if q.known else None, q.upper if q.known else None)


def _history(h: Any) -> Optional[History]:
    return History(h.met, h.over, bounds_of(h.worth)) if h.counts and h.given else None


def _searched(s: Any) -> Optional[Searched]:
    return Searched(s.proven, s.gained, s.seconds, s.positions, s.table_probes, s.depth) if s.done else None


def answer_from(a: Any) -> Answer:
    return Answer(
        game=_text(a.game), rules=_text(a.rules), cycles=_text(a.cycles), position=_text(a.position),
        drawing=_text(a.drawing), turn=_text(a.turn), slice=_text(a.slice) or None,
        slice_number=None if a.slice_number == c.NO_SLICE else a.slice_number,
        index=None if a.index == c.NO_INDEX else a.index, ended=a.ended, category=Category(a.category),
        outcome=Category(a.outcome), bounds=bounds_of(a.worth), lead=a.lead, table=_text(a.table) if a.table is not None else None,
        final=(a.final[0], a.final[1]) if a.has_final else None, has_stores=a.has_stores,
        moves=tuple(_move(a.moves[i]) for i in range(a.moves_used)), dice=a.dice,
        quantities=tuple(_quantity(a.quantities[i]) for i in range(a.quantities_used)), seats=a.seats,
        rolls=tuple(_roll(a.rolls[i]) for i in range(a.rolls_used)), stages=a.stages,
        history_counts=a.history.counts, history=_history(a.history), searched=_searched(a.searched))


def _step(s: Any) -> Step:
    return Step(_text(s.move), _text(s.position) or None, bounds_of(s.worth), s.converts)


def line_from(a: Any) -> Line:
    end = LineEnd(a.end)
    repeats = (-a.before if a.before else a.repeats) if end is LineEnd.REPEATS else None
    return Line(_text(a.start), _text(a.moves), tuple(_step(a.steps[i]) for i in range(a.steps_used)), end, repeats,
                LineRule(a.rule))


def _stored(s: Any) -> StoredSlice:
    return StoredSlice(_text(s.game), _text(s.rules), _text(s.cycles), _text(s.slice), s.slice_number, s.positions,
                       _text(s.table), _text(s.depths) if s.depths is not None else None)


def contents_from(a: Any) -> Contents:
    return Contents(tuple(_stored(a.slices[i]) for i in range(a.slices_used)), a.passed_over)
