"""A folder of tables, its rule sets, and the slices of these."""
import ctypes
import math
import os
import threading
import weakref
from ctypes import byref
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, List, NoReturn, Optional, Tuple, TypeVar, Union

from . import _arrays, _cells
from . import _library as c
from . import _search
from ._answers import (Answer, Bounds, Contents, Line, Move, Roll, StoredSlice, Valued, answer_from, contents_from,
                       line_from)
from ._errors import BadUsage, Closed, InputOutput, TableMissing

D = TypeVar("D")


class _Gate:
    """Counts the calls that are under way in the library, which must be none when the folder is closed."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self.closed = False

    def __enter__(self) -> None:
        with self._changed:
            if self.closed:
                raise Closed("the folder of tables is closed; open it again")
            self._inside += 1

    def __exit__(self, *reason: object) -> None:
        with self._changed:
            self._inside -= 1
            if self.closed and not self._inside:
                self._changed.notify_all()

    def close(self) -> None:
        """Lets nobody in any more, and waits until the last one is out."""
        with self._changed:
            self.closed = True
            while self._inside:
                self._changed.wait()


class _Handle:  # pylint: disable=too-few-public-methods
    """A handle of the library, which can neither be copied nor sent to another process."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be pickled or copied; open the folder where it is needed")


class Database(_Handle):
    """A folder of tables, from ``tauler.open``; one that is yet to be made has none. Close it, or use it in a ``with`` statement. Every method of it,
    of its rule sets and of their slices may be called from any number of threads at once; while one is in the
    library others run. Closing waits for calls under way; later ones raise ``Closed``."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"], cache_bytes: int = 0, most_moves: int = 0) -> None:
        self._library = c.load()
        self._gate = _Gate()
        name = os.fsencode(folder)
        if b"\0" in name:
            raise ValueError("a folder's name cannot hold a NUL byte")
        cache_bytes = c.to_whole(cache_bytes, "cache_bytes")
        most_moves = c.to_whole(most_moves, "most_moves")
        self._handle = ctypes.c_void_p()
        message = c.CMessage()
        settings = c.CSettings(cache_bytes, most_moves)
        c.check(self._library.tauler_open(name, byref(settings), byref(self._handle), byref(message)), message)
        self.folder = os.fsdecode(name)
        # For who forgets to close: nobody can be in a call of something that nothing refers to any more.
        self._closing = weakref.finalize(self, self._library.tauler_close, self._handle)
        self._closing.atexit = False

    def close(self) -> None:
        """Closes all tables. Does nothing the second time."""
        self._gate.close()
        self._closing()

    @property
    def closed(self) -> bool:
        return self._gate.closed

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<tauler.Database {self.folder!r}{' closed' if self.closed else ''}>"

    def _call(self, function: Any, *arguments: Any) -> None:
        """Calls a function of the library that may fail and raises what it says."""
        message = c.CMessage()
        with self._gate:
            code = function(*arguments, byref(message))
        c.check(code, message)

    def _fetch(self, function: Any, kind: Any, free: Any, convert: Callable[[Any], D],
               *arguments: Any) -> Tuple[int, c.CMessage, Optional[D]]:
        """The same of one that gives something to be freed: its code, its sentence, and a copy of it."""
        message, out = c.CMessage(), ctypes.POINTER(kind)()
        with self._gate:
            code = function(*arguments, byref(out), byref(message))
        try:
            return code, message, convert(out.contents) if out else None
        finally:
            free(out)

    def select(self, game: str, rules: Optional[str] = None, cycles: Optional[str] = None) -> "Tables":
        """A game's rule set over the folder; rules and cycles as on the command line, None for the game's default.

        >>> with open("tables") as db:
        ...     db.select("auale", "awari")
        <tauler.Tables auale awari>
        """
        return Tables(self, game, rules, cycles)

    def contents(self) -> Contents:
        """The content of the folder: the slices of which all tables of values are there.

        >>> with open("tables") as db:
        ...     [(stored.slice, stored.positions) for stored in db.contents().slices if stored.rules == "awari"][-2:]
        [('8', 75504), ('9', 167596)]
        """
        code, message, found = self._fetch(self._library.tauler_list, c.CContents, self._library.tauler_contents_free,
                                           contents_from, self._handle)
        c.check(code, message)
        assert found is not None
        return found

    def slice(self, stored: StoredSlice) -> "Slice":
        """A slice that ``contents`` has listed."""
        return self.select(stored.game, stored.rules, stored.cycles or None).slice(stored.slice)


def open(folder: Union[str, "os.PathLike[str]"], cache_bytes: int = 0, most_moves: int = 0) -> Database:
    """Opens a folder of tables; InputOutput where there is none. Tables are opened when first needed, and looked for
    again if they were missing. ``cache_bytes`` of decoded frames are kept (0: 64 MiB). A
    position with more than ``most_moves`` (0: 100,000) is a bad one, unless dice decide."""
    name = os.fsencode(folder)
    if b"\0" not in name and not os.path.isdir(name):
        raise InputOutput(f"there is no folder {os.fsdecode(name)!r}; tauler build makes one of tables, as in: tauler build "
                          "auale --seeds 9 --db tables")
    return Database(folder, cache_bytes, most_moves)


class Tables(_Handle):
    """One rule set of one game over a folder of tables, from ``Database.select``."""

    def __init__(self, db: Database, game: str, rules: Optional[str], cycles: Optional[str]) -> None:
        self._db = db  # keeps the folder open
        self._library = db._library
        self.game, self.rules, self.cycles = game, rules, cycles
        self._handle = ctypes.c_void_p()
        words = [None if word is None else c.to_bytes(word, what)
                 for word, what in ((game, "the game"), (rules, "the rules"), (cycles, "the cycles"))]
        if words[0] is None:
            raise TypeError("the game must be a str, not None")
        db._call(self._library.tauler_select, db._handle, *words, byref(self._handle))

    def __repr__(self) -> str:
        return f"<tauler.Tables {' '.join(word for word in (self.game, self.rules, self.cycles) if word)}>"

    def probe(self, position: str) -> Answer:
        """All about a position, given as text in any notation of the game, also followed by "moves …".
        Raises BadPosition, TableMissing (which has the legal moves), DamagedFile, InputOutput, NoMemory.

        >>> with open("tables") as db:
        ...     answer = db.select("auale", "awari").probe("0-0-1-0-2-1-1-0-0-3-0-1-20-19-S")
        >>> answer.value, answer.depth, answer.best.name, answer.final
        (9.0, 1, 'E', (29.0, 19.0))
        >>> [(move.name, move.value) for move in answer.moves]
        [('E', 9.0), ('F', 9.0), ('C', -9.0)]
        """
        code, message, answer = self._db._fetch(self._library.tauler_probe, c.CAnswer,
                                                self._library.tauler_answer_free, answer_from, self._handle,
                                                c.to_bytes(position, "a position"))
        try:
            c.check(code, message)
        except TableMissing as missing:
            missing.answer = answer
            raise
        assert answer is not None
        return answer

    def search(self, position: str, seconds: float = 0, positions: int = 0, memory: int = 0,
               stop: Optional[Callable[[], bool]] = None) -> Answer:
        """As ``probe``; where no table reaches, plays on from the position down to the tables, for so many seconds, or
        until so many positions were looked at (0: no limit), or until ``stop()`` is true, which another thread asks
        often. Everything it adds is proven: bounds, exact where both are equal, without depths. ``memory`` is
        bytes to keep proofs in (0: 256 MiB, or a quarter of what is available). Ctrl-C interrupts it, and closing the
        folder ends it with what is proven so far. BadUsage: games of dice, and what tables do not speak of.

        >>> with open("tables") as db:
        ...     answer = db.select("auale").search("0-0-1-0-2-1-1-0-0-3-0-2-20-18-S", positions=100_000)
        >>> answer.value, answer.searched.proven
        (10.0, True)
        """
        text = c.to_bytes(position, "a position")

        def call(limits: c.CSearchLimits) -> Tuple[int, c.CMessage, Optional[Answer]]:
            return self._db._fetch(self._library.tauler_search, c.CAnswer, self._library.tauler_answer_free,
                                   answer_from, self._handle, text, byref(limits))

        code, message, answer = _search.run(call, seconds, positions, memory,
                                            lambda: self._db.closed or (stop is not None and stop()))
        c.check(code, message)
        assert answer is not None
        return answer

    def get(self, position: str, default: D = None) -> Union[Answer, D]:  # type: ignore[assignment]
        """As ``probe``, and the default where no table holds the position. Other errors are raised all the same.

        >>> with open("tables") as db:
        ...     db.select("auale", "abapa").get("0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", "not built")
        'not built'
        """
        try:
            return self.probe(position)
        except TableMissing:
            return default

    def value(self, position: str) -> Bounds:
        """The value of a position alone, as bounds, without depths and whatever line led there: cheaper than ``probe``.

        >>> with open("tables") as db:
        ...     db.select("auale").value("0-0-1-0-2-1-1-0-0-3-0-1-20-19-S").value
        9.0
        """
        found = c.CWorth()
        self._db._call(self._library.tauler_value, self._handle, c.to_bytes(position, "a position"), byref(found))
        return _bare(found)

    def get_value(self, position: str, default: D = None) -> Union[Bounds, D]:  # type: ignore[assignment]
        """As ``value``, and the default where no table holds the position."""
        try:
            return self.value(position)
        except TableMissing:
            return default

    def bounds(self, positions: Iterable[str]) -> Any:
        """Lower and upper bounds of many positions in one call, two columns: a float64 numpy array, or without numpy a
        memoryview of the same shape. NaN where no table tells. BadPosition says which position is none."""
        cells = self._many(positions)
        return _cells.bounds_from([(0, cells)], len(cells))

    def values(self, positions: Iterable[str]) -> Any:
        """The same as one column, where both bounds are equal everywhere; else BadUsage. Without numpy an
        array.array.

        >>> with open("tables") as db:
        ...     values = db.select("auale").values(["0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"])
        >>> values.tolist()
        [9.0, nan]
        """
        cells = self._many(positions)
        return _cells.values_from([(0, cells)], len(cells))

    def _many(self, positions: Iterable[str]) -> Any:
        texts = [c.to_bytes(position, "a position") for position in positions]
        cells = (c.CWorth * len(texts))()
        self._db._call(self._library.tauler_values, self._handle, (ctypes.c_char_p * len(texts))(*texts), len(texts),
                       cells)
        for cell in cells:
            if not cell.known:
                cell.lower = cell.upper = math.nan
        return cells

    def moves(self, position: str) -> Tuple[Move, ...]:
        """The moves, best first. Of a game of dice, where they hang on the roll, BadUsage: see ``rolls``."""
        answer = self.probe(position)
        if answer.dice:
            raise BadUsage(f"{answer.game} is a game of dice, whose moves stand under rolls; ask for rolls")
        return answer.moves

    def rolls(self, position: str) -> Tuple[Roll, ...]:
        """The rolls of a game of dice, each with its moves, best first; BadUsage of other games."""
        answer = self.probe(position)
        if not answer.dice:
            raise BadUsage(f"{answer.game} is no game of dice; ask for moves")
        return answer.rolls

    def line(self, position: str, most_moves: int = 0) -> Line:
        """Best play from a position on, until the game ends, a position repeats, no table reaches (TableMissing,
        which has the line so far) or most_moves are played (0: 10000). Games of dice have none: BadUsage.

        >>> with open("tables") as db:
        ...     line = db.select("auale", "awari").line("0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", most_moves=3)
        >>> line.moves, str(line.end)
        ('EfA', 'cut')
        """
        most_moves = c.to_whole(most_moves, "most_moves")
        code, message, line = self._db._fetch(
            lambda handle, text, *rest: self._library.tauler_play(handle, text, most_moves, *rest), c.CLine,
            self._library.tauler_line_free, line_from, self._handle, c.to_bytes(position, "a position"))
        try:
            c.check(code, message)
        except TableMissing as missing:
            missing.line = line
            raise
        assert line is not None
        return line

    @property
    def rules_text(self) -> str:
        """The rule set as answers have it, whatever way it was written."""
        return self._text(self._library.tauler_rules_text)

    @property
    def cycles_text(self) -> str:
        """The same of its cycle rule; "" where there is no choice."""
        return self._text(self._library.tauler_cycles_text)

    def _text(self, function: Any) -> str:
        with self._db._gate:
            found: bytes = function(self._handle)
        return found.decode("utf-8")

    def places(self, positions: Iterable[str]) -> Tuple[Any, Any]:
        """Numbers of the slices of many positions, and their indexes there, as two arrays; -1 of a position that no table
        can hold. Reads no table."""
        return _arrays.find_places(self._db._call, self._library, self._handle, positions)

    def board(self, position: str) -> List[int]:
        """A position as the numbers that ``Slice.boards`` has, without side to move and stores. Reads no table."""
        return _arrays.read_board(self._db._call, self._library, self._handle, position)

    def slice(self, name: Union[str, int]) -> "Slice":
        """A slice by its name, "12" or "Lr"; whether its tables are there is seen when values are asked for."""
        return Slice(self, str(name))


def _bare(found: c.CWorth) -> Bounds:
    """For a library function that gives no depths."""
    return Bounds(found.lower, found.upper)


@dataclass(frozen=True)
class Entry(Valued):
    """One index of a slice."""

    index: int
    position: Optional[str]  # None: the index stands for no position (games may have such)
    bounds: Bounds


class Slice(_Handle):
    """Positions that were solved together, by number: as a sequence of entries, and as arrays.

    >>> with open("tables") as db:
    ...     slice = db.select("auale", "awari").slice(2)
    ...     print(len(slice), slice[0].position, slice[0].value)
    ...     print(sum(entry.value == 2 for entry in slice))
    78 0-0-0-0-0-0-0-0-0-0-0-2-0-0-S -2.0
    25
    """

    def __init__(self, tables: Tables, name: str) -> None:
        self._tables, self._db, self._library = tables, tables._db, tables._library
        self.name = name
        number, positions = ctypes.c_uint32(), ctypes.c_uint64()
        self._db._call(self._library.tauler_find_slice, tables._handle, c.to_bytes(name, "a slice"), byref(number),
                       byref(positions))
        self.number, self.positions = number.value, positions.value

    def __repr__(self) -> str:
        return f"<tauler.Slice {self.name} of {self._tables!r}, {self.positions} positions>"

    def __len__(self) -> int:
        return self.positions

    def _inside(self, index: int) -> int:
        index = c.to_index(index, f"an index of slice {self.name}", self.positions - 1)
        if not 0 <= index < self.positions:
            raise IndexError(f"slice {self.name} has indexes 0 to {self.positions - 1}, and not {index}")
        return index

    def position(self, index: int) -> Optional[str]:
        """The position of an index, canonical; None of one that stands for no position. Reads no table."""
        text = ctypes.create_string_buffer(c.POSITION_BYTES)
        self._db._call(self._library.tauler_position_at, self._tables._handle, self.number, self._inside(index), text)
        return text.value.decode("utf-8") or None

    def value(self, index: int) -> Bounds:
        """The value of an index, as bounds without depths."""
        found = c.CWorth()
        self._db._call(self._library.tauler_value_at, self._tables._handle, self.number, self._inside(index),
                       byref(found))
        return _bare(found)

    def __getitem__(self, index: int) -> Entry:
        index = c.to_index(index, f"an index of slice {self.name} (of many ask values or bounds)", self.positions - 1)
        index = index + self.positions if -self.positions <= index < 0 else index
        return Entry(index, self.position(index), self.value(index))

    def __iter__(self) -> Iterator[Entry]:
        for first, cells in self._pieces(0, self.positions, 1024):
            for i, found in enumerate(cells, first):
                yield Entry(i, self.position(i), _bare(found))

    def _pieces(self, first: int, stop: int, most: int) -> Iterator[Tuple[int, Any]]:
        """Bounds of the indexes first … stop − 1, piece by piece, as the library has them."""
        while first < stop:
            count = min(most, stop - first)
            cells = (c.CWorth * count)()
            self._db._call(self._library.tauler_values_at, self._tables._handle, self.number, first, count, cells)
            yield first, cells
            first += count

    def _read_bytes(self, first: int, count: int, lower: Any, upper: Any) -> None:
        self._db._call(self._library.tauler_bounds_at, self._tables._handle, self.number, first, count, lower, upper)

    def _dice(self) -> bool:
        texts = (self.position(index) for index in range(self.positions))
        found = next((text for text in texts if text), None)
        try:
            return found is not None and self._tables.probe(found).dice
        except TableMissing as missing:
            return missing.answer is not None and missing.answer.dice

    def _range(self, first: int, stop: Optional[int]) -> Tuple[int, int]:
        what = f"a bound of indexes of slice {self.name}"
        first = c.to_index(first, what, self.positions)
        stop = self.positions if stop is None else c.to_index(stop, what, self.positions)
        if not 0 <= first <= stop <= self.positions:
            raise IndexError(f"slice {self.name} has indexes 0 to {self.positions - 1}; first and stop are from 0 to "
                             f"{self.positions}, and not {first} and {stop}")
        return first, stop

    def bounds(self, first: int = 0, stop: Optional[int] = None) -> Any:
        """Lower and upper bounds of the indexes first … stop − 1 (all), two columns: a numpy array, or without
        numpy a memoryview of the same shape. float64 of games of dice, int8 of others."""
        first, stop = self._range(first, stop)
        if self._dice():
            return _cells.bounds_from(self._pieces(first, stop, _cells.PIECE), stop - first)
        return _cells.whole_bounds(self._read_bytes, first, stop)

    def values(self, first: int = 0, stop: Optional[int] = None) -> Any:
        """The same as one column, where both bounds are equal everywhere; else BadUsage. Without numpy an
        array.array.

        >>> with open("tables") as db:
        ...     values = db.select("auale", "awari").slice(2).values()
        >>> {value: list(values).count(value) for value in sorted(set(values.tolist()))}
        {-2: 40, 0: 13, 2: 25}
        """
        first, stop = self._range(first, stop)
        if self._dice():
            return _cells.values_from(self._pieces(first, stop, _cells.PIECE), stop - first)
        return _cells.whole_values(self._read_bytes, first, stop)

    def depths(self, first: int = 0, stop: Optional[int] = None) -> Any:
        """Depths of the indexes first … stop − 1 (all), an int32 numpy array of two columns: how soon the side to move
        makes good its lower bound, and how soon the other makes good the upper one; −1 where there is none. BadUsage: a
        game of dice."""
        first, stop = self._range(first, stop)
        return _arrays.read_depths(self._db._call, self._library, self._tables._handle, self.number, first, stop - first)

    @property
    def outside(self) -> int:
        """How many positions have no index, since no move leads to them."""
        positions = ctypes.c_uint64()
        self._db._call(self._library.tauler_outside, self._tables._handle, self.number, byref(positions))
        return positions.value

    def moves(self, first: int = 0, stop: Optional[int] = None, *, by_rules: bool = False, outside: bool = False,
              threads: int = 0) -> _arrays.Moves:
        """All moves of the indexes first … stop − 1 (all), as numpy arrays; no table is read. By the game's batches, or
        ``by_rules``, one position at a time: slower, and by code that no solver uses. ``outside``: of the positions that
        no move leads to and that have no index, counted from 0. Threads: 0: one for each processor. Of a
        large slice ask in parts. BadUsage: a game of dice."""
        first, stop = self._range(first, stop) if not outside else (first, self.outside if stop is None else stop)
        kind = _arrays.MovesKind.OUTSIDE if outside else _arrays.MovesKind.BY_RULES if by_rules else _arrays.MovesKind.BATCHES
        return _arrays.read_moves(self._db._call, self._library, self._tables._handle, self.number, first,
                                  stop - first, kind, threads)

    def reached(self, first: int = 0, stop: Optional[int] = None, *, threads: int = 0) -> Any:
        """Whether play from the start of a game of dice leads to the indexes first … stop − 1 (all), under any rolls and
        legal moves: a numpy array of bool. Each call follows the moves of the whole game; no table is read. Threads: 0:
        one for each processor. BadUsage: a game without dice."""
        first, stop = self._range(first, stop)
        return _arrays.read_reached(self._db._call, self._library, self._tables._handle, self.number, first, stop - first,
                                    threads)

    def boards(self, first: int = 0, stop: Optional[int] = None, *, outside: bool = False, threads: int = 0) -> Any:
        """Positions of the indexes first … stop − 1 (all) as rows of numbers, an int8 numpy array; ``tauler_boards_at``
        in tauler.h says what they mean in each game: aualé has the seeds of twelve pits, the mover's first. Rows of an
        index that stands for no position are of −128. No table is read."""
        first, stop = self._range(first, stop) if not outside else (first, self.outside if stop is None else stop)
        return _arrays.read_boards(self._db._call, self._library, self._tables._handle, self.number, first, stop - first,
                                   outside, threads)
