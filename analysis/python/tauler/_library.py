"""libtauler by ctypes: where it is, the structs and functions of tauler.h.

The structs stand field for field as in the header, and tests/cli/test_python.py holds names, offsets and sizes
against it. Nothing here is for users.
"""
import ctypes
import ctypes.util
import functools
import operator
import os
import pathlib
from ctypes import CFUNCTYPE, POINTER, Structure
from ctypes import c_bool, c_char, c_char_p, c_double, c_int, c_int8, c_int16, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, Iterator, List

from ._errors import BadUsage, Unavailable, error_of

SONAME = "libtauler.so.0"
VERSION = "0.1.0"  # of the library whose structs stand below
NO_DEPTH = -1
NO_INDEX = 2**64 - 1
NO_SLICE = 2**32 - 1
POSITION_BYTES = 512


class CMessage(Structure):
    _fields_ = [("text", c_char * 1024)]


class CSettings(Structure):
    _fields_ = [("cache_bytes", c_size_t), ("most_moves", c_size_t),
                ("more_folders", POINTER(c_char_p))]


class CWorth(Structure):
    _fields_ = [("known", c_bool), ("lower", c_double), ("upper", c_double), ("depth_lower", c_int),
                ("depth_upper", c_int)]


class CMove(Structure):
    _fields_ = [("name", c_char_p), ("position", c_char_p), ("slice", c_char_p), ("worth", CWorth),
                ("child", CWorth), ("outcome", c_int), ("over", c_bool), ("converts", c_bool), ("best", c_bool), ("repeats", c_bool),
                ("after_line", CWorth)]


class CHistory(Structure):
    _fields_ = [("counts", c_bool), ("given", c_bool), ("met", c_size_t), ("over", c_bool), ("worth", CWorth)]


class CQuantity(Structure):
    _fields_ = [("name", c_char_p), ("known", c_bool), ("lower", c_double), ("upper", c_double)]


class CRoll(Structure):
    _fields_ = [("name", c_char_p), ("weight", c_uint32), ("moves", POINTER(CMove)), ("moves_used", c_size_t)]


class CSearched(Structure):
    _fields_ = [("done", c_bool), ("proven", c_bool), ("gained", c_bool), ("seconds", c_double),
                ("positions", c_uint64), ("table_probes", c_uint64), ("depth", c_int)]


class CAnswer(Structure):
    _fields_ = [("game", c_char_p), ("rules", c_char_p), ("cycles", c_char_p), ("position", c_char_p),
                ("drawing", c_char_p), ("turn", c_char_p), ("slice", c_char_p), ("slice_number", c_uint32),
                ("index", c_uint64), ("ended", c_bool), ("category", c_int), ("outcome", c_int), ("worth", CWorth),
                ("lead", c_double), ("table", c_char_p),
                ("has_final", c_bool), ("final", c_double * 2), ("has_stores", c_bool), ("moves", POINTER(CMove)),
                ("moves_used", c_size_t), ("dice", c_bool), ("quantities", POINTER(CQuantity)),
                ("quantities_used", c_size_t), ("seats", c_size_t), ("rolls", POINTER(CRoll)),
                ("rolls_used", c_size_t), ("stages", c_bool), ("history", CHistory),
                ("searched", CSearched)]


class CStep(Structure):
    _fields_ = [("move", c_char_p), ("position", c_char_p), ("worth", CWorth), ("converts", c_bool)]


class CLine(Structure):
    _fields_ = [("start", c_char_p), ("moves", c_char_p), ("steps", POINTER(CStep)), ("steps_used", c_size_t),
                ("end", c_int), ("repeats", c_size_t), ("before", c_size_t), ("rule", c_int)]


class CSlice(Structure):
    _fields_ = [("game", c_char_p), ("rules", c_char_p), ("cycles", c_char_p), ("slice", c_char_p),
                ("slice_number", c_uint32), ("positions", c_uint64), ("table", c_char_p), ("depths", c_char_p)]


class CContents(Structure):
    _fields_ = [("slices", POINTER(CSlice)), ("slices_used", c_size_t), ("passed_over", c_size_t)]


class CMoves(Structure):
    _fields_ = [("positions", c_uint64), ("offsets", POINTER(c_uint64)), ("slices", POINTER(c_uint32)),
                ("indexes", POINTER(c_uint64)), ("gains", POINTER(c_int16)), ("ended", POINTER(c_int16))]


STOP = CFUNCTYPE(c_bool, c_void_p)


class CSearchLimits(Structure):
    _fields_ = [("seconds", c_double), ("positions", c_uint64), ("memory", c_uint64), ("stop", STOP),
                ("user", c_void_p)]


# By the names of the header, for the test that compares them.
STRUCTS = {
    "tauler_message": CMessage, "tauler_settings": CSettings, "tauler_worth": CWorth, "tauler_move": CMove,
    "tauler_history": CHistory, "tauler_quantity": CQuantity, "tauler_roll": CRoll, "tauler_answer": CAnswer,
    "tauler_searched": CSearched, "tauler_search_limits": CSearchLimits, "tauler_step": CStep, "tauler_line": CLine,
    "tauler_slice": CSlice, "tauler_contents": CContents, "tauler_moves": CMoves,
}

_MESSAGE = POINTER(CMessage)
# Arguments of each function; those that can fail return a tauler_error.
_FALLIBLE: Dict[str, List[Any]] = {
    "tauler_open": [c_char_p, POINTER(CSettings), POINTER(c_void_p), _MESSAGE],
    "tauler_select": [c_void_p, c_char_p, c_char_p, c_char_p, POINTER(c_void_p), _MESSAGE],
    "tauler_probe": [c_void_p, c_char_p, POINTER(POINTER(CAnswer)), _MESSAGE],
    "tauler_search": [c_void_p, c_char_p, POINTER(CSearchLimits), POINTER(POINTER(CAnswer)), _MESSAGE],
    "tauler_value": [c_void_p, c_char_p, POINTER(CWorth), _MESSAGE],
    "tauler_values": [c_void_p, POINTER(c_char_p), c_size_t, POINTER(CWorth), _MESSAGE],
    "tauler_value_at": [c_void_p, c_uint32, c_uint64, POINTER(CWorth), _MESSAGE],
    "tauler_values_at": [c_void_p, c_uint32, c_uint64, c_size_t, POINTER(CWorth), _MESSAGE],
    "tauler_bounds_at": [c_void_p, c_uint32, c_uint64, c_size_t, POINTER(c_int8), POINTER(c_int8), _MESSAGE],
    "tauler_depths_at": [c_void_p, c_uint32, c_uint64, c_size_t, POINTER(c_int32), POINTER(c_int32), _MESSAGE],
    "tauler_moves_at": [c_void_p, c_uint32, c_uint64, c_size_t, c_int, c_int, POINTER(POINTER(CMoves)), _MESSAGE],
    "tauler_boards_at": [c_void_p, c_uint32, c_bool, c_uint64, c_size_t, c_int, POINTER(c_size_t), POINTER(c_int8),
                         _MESSAGE],
    "tauler_board_of": [c_void_p, c_char_p, POINTER(c_size_t), POINTER(c_int8), _MESSAGE],
    "tauler_reached_at": [c_void_p, c_uint32, c_uint64, c_size_t, c_int, POINTER(c_uint8), _MESSAGE],
    "tauler_outside": [c_void_p, c_uint32, POINTER(c_uint64), _MESSAGE],
    "tauler_digest": [c_char_p, c_size_t, POINTER(c_char), _MESSAGE],
    "tauler_places": [c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_uint32), POINTER(c_uint64), _MESSAGE],
    "tauler_position_at": [c_void_p, c_uint32, c_uint64, POINTER(c_char), _MESSAGE],
    "tauler_find_slice": [c_void_p, c_char_p, POINTER(c_uint32), POINTER(c_uint64), _MESSAGE],
    "tauler_list": [c_void_p, POINTER(POINTER(CContents)), _MESSAGE],
    "tauler_play": [c_void_p, c_char_p, c_size_t, POINTER(POINTER(CLine)), _MESSAGE],
}
_FREEING: Dict[str, List[Any]] = {
    "tauler_close": [c_void_p],
    "tauler_answer_free": [POINTER(CAnswer)],
    "tauler_line_free": [POINTER(CLine)],
    "tauler_contents_free": [POINTER(CContents)],
    "tauler_moves_free": [POINTER(CMoves)],
}


def candidates() -> Iterator[str]:
    """Where the library may be, the first that is there is taken. $TAULER_LIBRARY is the only one if it is set."""
    named = os.environ.get("TAULER_LIBRARY")
    if named:
        yield named
        return
    here = pathlib.Path(__file__).resolve().parent
    above: List[pathlib.Path] = list(here.parents)
    # A wheel has the library beside this file. After make install this is PREFIX/lib/python3/dist-packages/tauler;
    # in a checkout analysis/python/tauler.
    for folder in [here, *above[:3], *(parent / "build" for parent in above[2:3])]:
        path = folder / SONAME
        if path.exists():
            yield str(path)
    yield ctypes.util.find_library("tauler") or SONAME


@functools.lru_cache(maxsize=None)
def load() -> ctypes.CDLL:
    """The library, loaded when it is first needed, so that the module can be imported without it."""
    path = next(candidates())
    try:
        library = ctypes.CDLL(path)
    except OSError as reason:
        raise Unavailable(f"the library {path} cannot be loaded ({reason}); build it with make, install it with "
                          "make install, or name the file in $TAULER_LIBRARY") from None
    try:
        for name, arguments in {**_FALLIBLE, **_FREEING}.items():
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, c_int if name in _FALLIBLE else None
        library.tauler_version.restype = c_char_p
        for function in library.tauler_rules_text, library.tauler_cycles_text:
            function.argtypes, function.restype = [c_void_p], c_char_p
        version = library.tauler_version().decode("utf-8", "replace")
    except AttributeError as reason:
        raise Unavailable(f"the library {path} is older than this module ({reason}); build it again") from None
    if version != VERSION:
        raise Unavailable(f"the library {path} is version {version}, and this module is for {VERSION}; install both "
                          "together, or name another file in $TAULER_LIBRARY")
    return library


def check(code: int, message: CMessage) -> None:
    if code:
        raise error_of(code, message.text.decode("utf-8", "replace"))


def to_index(number: Any, what: str, most: int) -> int:
    """A whole number; who calls says which are allowed."""
    if not hasattr(number, "__index__"):
        raise TypeError(f"{what} is a whole number from 0 to {most}, and not {number!r}")
    return operator.index(number)


def to_whole(number: Any, what: str) -> int:
    """A number for the library, which has 64 bits for it."""
    most = (1 << 63) - 1
    whole = to_index(number, what, most)
    if not 0 <= whole <= most:
        raise BadUsage(f"{what} is a whole number from 0 to {most}, and not {whole}")
    return whole


def to_bytes(text: str, what: str) -> bytes:
    """Text for the library. C would take what stands before a NUL for all of it, so that one reads as '?',
    as on the command line; a lone surrogate too."""
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    return text.encode("utf-8", "replace").replace(b"\0", b"?")
