"""Worths of many positions as arrays, of numpy where it is there."""
import array
import contextlib
import ctypes
import importlib
from typing import Any, Iterable, Tuple

from . import _library as c
from ._errors import BadUsage

numpy: Any = None
with contextlib.suppress(ImportError):
    numpy = importlib.import_module("numpy")

PIECE = 1 << 16  # positions asked for at a time: 2 MiB
_STRIDE = ctypes.sizeof(c.CWorth) // 8
_LOWER, _UPPER = c.CWorth.lower.offset // 8, c.CWorth.upper.offset // 8
assert ctypes.sizeof(c.CWorth) % 8 == 0 and c.CWorth.lower.offset % 8 == 0 and c.CWorth.upper.offset % 8 == 0

Pieces = Iterable[Tuple[int, Any]]


def _columns(worths: Any) -> Tuple[Any, Any]:
    """Views of the lower and upper bounds among worths as the library has them."""
    cells = numpy.frombuffer(worths, dtype=numpy.float64) if numpy else memoryview(worths).cast("B").cast("d")
    return cells[_LOWER::_STRIDE], cells[_UPPER::_STRIDE]


def _refuse_open(first: int, lower: Any, upper: Any) -> None:
    unlike = next((i for i in range(len(lower)) if lower[i] != upper[i]), None)
    if unlike is not None:
        raise BadUsage(f"index {first + unlike} lies between {lower[unlike]:g} and {upper[unlike]:g}, and has no "
                       "single value; ask for bounds")


class _Numbers:
    """An array that is filled from the left: of int8, or of float64 from when something does not fit."""

    def __init__(self, count: int, whole: bool) -> None:
        code = "b" if whole else "d"
        if numpy:
            self.cells: Any = numpy.zeros(count, dtype=code)
        else:
            self.cells = array.array(code, [0]) * count
        self.whole = whole

    def _fits(self, cells: Any) -> bool:
        if numpy:
            return bool((cells == cells.astype(numpy.int8)).all())
        numbers = cells.tolist()
        return -128 <= min(numbers) and max(numbers) <= 127 and all(map(float.is_integer, numbers))

    def put(self, at: int, step: int, cells: Any) -> None:
        if self.whole and not self._fits(cells):
            self.cells = self.cells.astype(numpy.float64) if numpy else array.array("d", self.cells)
            self.whole = False
        stop = at + step * len(cells)
        if numpy:
            self.cells[at:stop:step] = cells
        else:
            self.cells[at:stop:step] = array.array("b", map(int, cells)) if self.whole else array.array("d", cells)


def values_from(pieces: Pieces, count: int, whole: bool) -> Any:
    """One column: a numpy array, or an array.array."""
    numbers, at = _Numbers(count, whole), 0
    for first, worths in pieces:
        lower, upper = _columns(worths)
        if (lower != upper).any() if numpy else lower.tolist() != upper.tolist():
            _refuse_open(first, lower, upper)
        numbers.put(at, 1, lower)
        at += len(lower)
    return numbers.cells


def bounds_from(pieces: Pieces, count: int, whole: bool) -> Any:
    """Two columns, lower and upper: a numpy array, or a memoryview of that shape."""
    numbers, at = _Numbers(2 * count, whole), 0
    for _, worths in pieces:
        lower, upper = _columns(worths)
        numbers.put(at, 2, lower)
        numbers.put(at + 1, 2, upper)
        at += 2 * len(lower)
    if numpy:
        return numbers.cells.reshape(count, 2)
    if not count:
        return memoryview(numbers.cells)  # a view cannot have a shape without items
    return memoryview(numbers.cells).cast("B").cast(numbers.cells.typecode, [count, 2])
