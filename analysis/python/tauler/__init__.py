"""Tauler's tables from Python: the value of a position of a game, every move in it, and best play, exactly.

    >>> import tauler
    >>> with tauler.open("tables") as db:
    ...     awari = db.select("auale", "awari")
    ...     answer = awari.probe("0-0-1-0-2-1-1-0-0-3-0-1-20-19-S")
    ...     print(answer.value, answer.best.name, answer.final)
    9.0 E (29.0, 19.0)

``probe`` raises where no table holds the position, ``get`` gives a default. Answers are plain values that refer to
nothing. Everything is made of libtauler's functions by ctypes; see analysis/python/README.md.
"""
from ._answers import (Answer, Bounds, Category, Contents, History, Line, LineEnd, LineRule, Move, Quantity, Roll, Searched,
                       Step, StoredSlice)
from ._arrays import Moves
from ._database import Database, Entry, Slice, Tables, open  # pylint: disable=redefined-builtin
from ._errors import (BadPosition, BadUsage, Busy, Closed, Code, DamagedFile, Error, InputOutput, Internal, NoMemory,
                      NoSpace, NotProven, Stopped, TableMissing, Unavailable)
from ._library import VERSION as __version__
from ._tables import Header, read_header, view_cells

__all__ = [
    "Answer", "BadPosition", "BadUsage", "Bounds", "Busy", "Category", "Closed", "Code", "Contents", "DamagedFile", "Database",
    "Entry", "Error", "Header", "History", "InputOutput", "Internal", "Line", "LineEnd", "LineRule", "Move", "Moves", "NoMemory",
    "NoSpace", "NotProven", "Quantity", "Roll", "Searched", "Slice", "Step", "Stopped", "StoredSlice", "TableMissing", "Tables",
    "Unavailable", "__version__", "open", "read_header", "view_cells",
]
