"""Moves and positions of a slice as numpy arrays, and the places of texts."""
import ctypes
import enum
from ctypes import POINTER, byref
from dataclasses import dataclass
from typing import Any, Iterable, List, Tuple

from . import _library as c
from ._cells import numpy
from ._errors import Unavailable


class MovesKind(enum.IntEnum):
    """By what moves are listed: ``tauler_moves_kind`` of the header."""

    BATCHES = 0
    BY_RULES = 1
    OUTSIDE = 2


@dataclass(frozen=True, eq=False)
class Moves:
    """The moves of neighbouring positions of a slice: the i-th of these has ``offsets[i]`` … ``offsets[i + 1] - 1``,
    each place to which moves lead once. The value of a move is its gain less the value of the child, or its gain alone where it
    ends the game (``slices`` is -1)."""

    slice: int  # number of the positions' own slice
    first: int  # index of the first position
    offsets: Any  # int64, one more than positions
    slices: Any  # int32: number of the child's slice, -1 where the game is over
    indexes: Any  # int64, of the child in its slice
    gains: Any  # int16, of the mover
    ended: Any  # int16: value of a position that has no move, NOT_ENDED of others

    NOT_ENDED = -32768

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def quiet(self) -> Any:
        """Whether each move stays in the slice; others convert: they leave it, or end the game."""
        return self.slices == self.slice

    @property
    def origins(self) -> Any:
        """For each move the ordinal of its position among these."""
        return numpy.repeat(numpy.arange(len(self)), numpy.diff(self.offsets))


def need_numpy() -> None:
    if numpy is None:
        raise Unavailable("moves and positions of a slice are numpy arrays: install numpy (Debian: python3-numpy)")


def _copy(pointer: Any, count: int, kind: str) -> Any:
    if not count:
        return numpy.zeros(0, dtype=kind)
    bytes_ = count * numpy.dtype(kind).itemsize
    room = (ctypes.c_char * bytes_).from_address(ctypes.cast(pointer, ctypes.c_void_p).value or 0)
    return numpy.frombuffer(room, dtype=kind).copy()


def moves_from(number: int, first: int, found: Any) -> Moves:
    """Copies what the library has listed."""
    listed = found.contents
    count = listed.positions
    offsets = _copy(listed.offsets, count + 1, "i8")
    total = int(offsets[-1])
    return Moves(number, first, offsets, _copy(listed.slices, total, "i4"), _copy(listed.indexes, total, "i8"),
                 _copy(listed.gains, total, "i2"), _copy(listed.ended, count, "i2"))


def read_moves(call: Any, library: ctypes.CDLL, handle: Any, number: int, first: int, count: int, kind: MovesKind,
               threads: int) -> Moves:
    need_numpy()
    found = POINTER(c.CMoves)()
    call(library.tauler_moves_at, handle, number, first, count, int(kind), threads, byref(found))
    try:
        return moves_from(number, first, found)
    finally:
        library.tauler_moves_free(found)


def read_boards(call: Any, library: ctypes.CDLL, handle: Any, number: int, first: int, count: int, outside: bool,
                threads: int) -> Any:
    need_numpy()
    width = ctypes.c_size_t()
    call(library.tauler_boards_at, handle, number, outside, first, count, threads, byref(width), None)
    rows = numpy.zeros((count, width.value), dtype="i1")
    if rows.size:
        call(library.tauler_boards_at, handle, number, outside, first, count, threads, byref(width),
             (ctypes.c_int8 * rows.size).from_buffer(rows))
    return rows


def read_board(call: Any, library: ctypes.CDLL, handle: Any, position: str) -> List[int]:
    text, width = c.to_bytes(position, "a position"), ctypes.c_size_t()
    call(library.tauler_board_of, handle, text, byref(width), None)
    numbers = (ctypes.c_int8 * width.value)()
    call(library.tauler_board_of, handle, text, byref(width), numbers)
    return list(numbers)


def read_reached(call: Any, library: ctypes.CDLL, handle: Any, number: int, first: int, count: int, threads: int) -> Any:
    need_numpy()
    found = numpy.zeros(count, dtype=bool)
    room = (ctypes.c_uint8 * count).from_buffer(found) if count else (ctypes.c_uint8 * 1)()
    call(library.tauler_reached_at, handle, number, first, count, threads, room)
    return found


def read_depths(call: Any, library: ctypes.CDLL, handle: Any, number: int, first: int, count: int) -> Any:
    need_numpy()
    columns = numpy.zeros((2, count), dtype="i4")
    if count:
        room = ctypes.c_int32 * count
        call(library.tauler_depths_at, handle, number, first, count, *(room.from_buffer(column) for column in columns))
    return columns.T


def find_places(call: Any, library: ctypes.CDLL, handle: Any, positions: Iterable[str]) -> Tuple[Any, Any]:
    need_numpy()
    texts = [c.to_bytes(position, "a position") for position in positions]
    slices, indexes = numpy.zeros(len(texts), dtype="i4"), numpy.zeros(len(texts), dtype="i8")
    if texts:
        call(library.tauler_places, handle, (ctypes.c_char_p * len(texts))(*texts), len(texts),
             (ctypes.c_uint32 * len(texts)).from_buffer(slices), (ctypes.c_uint64 * len(texts)).from_buffer(indexes))
    return slices, indexes
