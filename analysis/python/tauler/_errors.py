"""One exception class per code of tauler_error.h, and the choice of one for what a call returned."""
import enum
from typing import TYPE_CHECKING, Dict, Optional, Type

if TYPE_CHECKING:
    from ._answers import Answer, Line


class Code(enum.IntEnum):
    """The codes of the C library, by the same numbers."""

    OK = 0
    NOT_PROVEN = 1
    BAD_USAGE = 2
    BAD_POSITION = 3
    DAMAGED_FILE = 4
    TABLE_MISSING = 5
    NO_MEMORY = 6
    NO_SPACE = 7
    IO = 8
    STOPPED = 9
    INTERNAL = 10
    UNAVAILABLE = 11
    BUSY = 12


class Error(Exception):
    """The error of every call that fails, in one of the classes below; ``str()`` of it is one sentence.

    >>> issubclass(BadPosition, Error), BadPosition.code, BadPosition.name
    (True, <Code.BAD_POSITION: 3>, 'bad position')
    """

    code: Code = Code.INTERNAL
    name: str = "internal error"


class NotProven(Error):
    """A claim or the logic of a table does not hold."""

    code, name = Code.NOT_PROVEN, "not proven"


class BadUsage(Error, ValueError):
    """A game, rule set, slice or index that does not exist."""

    code, name = Code.BAD_USAGE, "bad usage"


class Closed(BadUsage):
    """The folder of tables was closed before the call."""


class BadPosition(Error, ValueError):
    """A position or a line of moves that cannot be read or is not legal."""

    code, name = Code.BAD_POSITION, "bad position"


class DamagedFile(Error):
    """A table whose content is not what it says. It never yields a value."""

    code, name = Code.DAMAGED_FILE, "damaged file"


class TableMissing(Error, LookupError):
    """No table holds the position. The facts known all the same come with it: after ``probe`` and ``moves``
    ``answer`` has the legal moves, after ``line`` ``line`` is as much of it as tables tell."""

    code, name = Code.TABLE_MISSING, "table missing"
    answer: Optional["Answer"] = None
    line: Optional["Line"] = None


class NoMemory(Error, MemoryError):
    """Not enough memory."""

    code, name = Code.NO_MEMORY, "not enough memory"


class NoSpace(Error):
    """Not enough room on the disk."""

    code, name = Code.NO_SPACE, "not enough disk space"


class InputOutput(Error):
    """The system could not read or write a file."""

    code, name = Code.IO, "input or output failed"


class Stopped(Error):
    """Stopped on request with everything kept."""

    code, name = Code.STOPPED, "stopped"


class Internal(Error):
    """A state that the library itself rules out."""

    code, name = Code.INTERNAL, "internal error"


class Unavailable(Error):
    """Something that is needed is not there: the library itself, or what reads zstd."""

    code, name = Code.UNAVAILABLE, "program missing"


class Busy(Error):
    """Another process builds in the folder."""

    code, name = Code.BUSY, "folder in use"


CLASSES: Dict[Code, Type[Error]] = {
    kind.code: kind
    for kind in (NotProven, BadUsage, BadPosition, DamagedFile, TableMissing, NoMemory, NoSpace, InputOutput,
                 Stopped, Internal, Unavailable, Busy)
}


def error_of(code: int, sentence: str) -> Error:
    """The exception for a code; one that a newer library may have is an ``Error`` and keeps its sentence."""
    try:
        return CLASSES[Code(code)](sentence)
    except (KeyError, ValueError):
        return Internal(f"{sentence} (code {code}, which this module does not know)")
