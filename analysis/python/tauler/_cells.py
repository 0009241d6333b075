"""Values of many positions as arrays, of numpy where it is there."""
import array
import contextlib
import ctypes
import importlib
import operator
from typing import Any, Callable, Iterable, Iterator, Tuple

from . import _library as c
from ._errors import BadUsage

numpy: Any = None
with contextlib.suppress(ImportError):
    numpy = importlib.import_module("numpy")

PIECE = 1 << 16  # positions asked for at a time: 2 MiB of bounds
LARGE = 1 << 24  # the same of a byte each: Ctrl-C is noticed between two
_STRIDE = ctypes.sizeof(c.CWorth) // 8
_LOWER, _UPPER = c.CWorth.lower.offset // 8, c.CWorth.upper.offset // 8
assert ctypes.sizeof(c.CWorth) % 8 == 0 and c.CWorth.lower.offset % 8 == 0 and c.CWorth.upper.offset % 8 == 0

Pieces = Iterable[Tuple[int, Any]]
Read = Callable[[int, int, Any, Any], None]  # first, count, lower, upper


def _columns(found: Any) -> Tuple[Any, Any]:
    """Views of the lower and upper bounds among those of the library."""
    cells = numpy.frombuffer(found, dtype=numpy.float64) if numpy else memoryview(found).cast("B").cast("d")
    return cells[_LOWER::_STRIDE], cells[_UPPER::_STRIDE]


def _refuse_open(first: int, lower: Any, upper: Any) -> None:
    unlike = next((i for i in range(len(lower)) if lower[i] < upper[i]), None)
    if unlike is not None:
        raise BadUsage(f"index {first + unlike} lies between {lower[unlike]:g} and {upper[unlike]:g}, and has no "
                       "single value; ask for bounds")


def _zeros(code: str, count: int) -> Any:
    return numpy.zeros(count, dtype=code) if numpy else array.array(code, [0]) * count


def _two_columns(cells: Any, code: str) -> Any:
    if numpy:
        return cells.reshape(-1, 2)
    if not cells:
        return memoryview(cells)  # a view cannot have a shape without items
    return memoryview(cells).cast("B").cast(code, [len(cells) // 2, 2])


def values_from(pieces: Pieces, count: int) -> Any:
    """One column of float64: a numpy array, or an array.array."""
    cells, at = _zeros("d", count), 0
    for first, found in pieces:
        lower, upper = _columns(found)
        if (lower < upper).any() if numpy else any(map(operator.lt, lower, upper)):
            _refuse_open(first, lower, upper)
        cells[at:at + len(lower)] = lower if numpy else array.array("d", lower)
        at += len(lower)
    return cells


def bounds_from(pieces: Pieces, count: int) -> Any:
    """Two columns of float64, lower and upper: a numpy array, or a memoryview of that shape."""
    cells, at = _zeros("d", 2 * count), 0
    for _, found in pieces:
        for column, numbers in enumerate(_columns(found)):
            cells[at + column:at + 2 * len(numbers):2] = numbers if numpy else array.array("d", numbers)
        at += 2 * len(numbers)
    return _two_columns(cells, "d")


def _read_bytes(read: Read, first: int, stop: int) -> Iterator[Tuple[int, Any, Any]]:
    for at in range(first, stop, LARGE):
        count = min(LARGE, stop - at)
        lower, upper = _zeros("b", count), _zeros("b", count)
        room = ctypes.c_int8 * count
        read(at, count, room.from_buffer(lower), room.from_buffer(upper))
        yield at, lower, upper


def whole_values(read: Read, first: int, stop: int) -> Any:
    """As values_from, of int8."""
    cells = _zeros("b", stop - first)
    for at, lower, upper in _read_bytes(read, first, stop):
        if lower.tobytes() != upper.tobytes():
            _refuse_open(at, lower, upper)
        cells[at - first:at - first + len(lower)] = lower
    return cells


def whole_bounds(read: Read, first: int, stop: int) -> Any:
    """As bounds_from, of int8."""
    cells = _zeros("b", 2 * (stop - first))
    for at, *columns in _read_bytes(read, first, stop):
        for column, numbers in enumerate(columns):
            start = 2 * (at - first) + column
            cells[start:start + 2 * len(numbers) - 1:2] = numbers
    return _two_columns(cells, "b")
