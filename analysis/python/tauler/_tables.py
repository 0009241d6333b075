"""Table files by themselves, without the library: what a header says, and the cells of plain tables."""
import mmap
import os
import struct
import subprocess
import sys
from dataclasses import dataclass
from typing import Any, Optional, Union

from ._cells import numpy
from ._errors import BadUsage, DamagedFile, InputOutput, Unavailable

Path = Union[str, "os.PathLike[str]"]

HEADER_BYTES = 1024
_CELLS = {0: "b", 1: "B", 2: "h", 3: "H", 4: "f", 5: "d"}
_NAMES = ("i8", "u8", "i16", "u16", "f32", "f64")
_TEXTS = {"game": (160, 128), "rules": (288, 256), "cycles": (544, 128), "slice": (672, 128), "stream": (800, 128)}


@dataclass(frozen=True)
class Header:
    """The header of a table file; databases/FORMAT.md has the words."""

    game: str
    rules: str
    cycles: str
    slice: str
    stream: str  # "value", "lower", "upper-turns", "depth", …
    positions: int
    cell: str  # "i8", "u8", "i16", "u16", "f32" or "f64"
    plain: bool  # a cell is the value; else some are left out and must be worked out by the rules of the game
    digest: str  # of the plain cells: the table's name
    endless: int  # of games of dice: from at most so many positions play can go on for ever

    @property
    def typecode(self) -> str:
        """The code of a cell, as in the modules array and struct."""
        return _CELLS[_NAMES.index(self.cell)]

    @property
    def bytes(self) -> int:
        """Bytes of all cells."""
        return self.positions * struct.calcsize("=" + self.typecode)


def read_header(path: Path) -> Header:
    """The header of a table file. Its magic, version and bounds are checked, not its digest, which takes the
    library: ``Database.contents`` does.

    >>> header = read_header("tables/phutball/base/4x3.depth.zst")
    >>> header.slice, header.stream, header.positions, header.cell, header.plain
    ('4x3', 'depth', 6656, 'u8', True)
    """
    try:
        with open(path, "rb") as file:
            head = file.read(HEADER_BYTES)
            size = os.fstat(file.fileno()).st_size
    except OSError as reason:
        raise InputOutput(f"{path}: {reason.strerror}") from None
    if len(head) < HEADER_BYTES or head[:16] != struct.pack("<II", 0x184D2A50, 1016) + b"TAULER\r\n":
        raise DamagedFile(f"{path} is no table")
    version, _, positions, cell, coding = struct.unpack_from("<IIQII", head, 16)
    (stored,), (endless,) = (struct.unpack_from("<Q", head, at) for at in (56, 944))
    low, high = struct.unpack_from("<QQ", head, 96)
    if version not in (1, 2):  # of 2 the frames have their cells in another order; none of its tables is plain
        raise DamagedFile(f"{path} is a table of format {version}, and only formats 1 and 2 are known")
    if cell not in _CELLS or coding > 1 or positions < 1 or stored != size:
        raise DamagedFile(f"{path}: the header of this table is not right, or the file is cut short")
    try:
        texts = {name: head[at:at + room].rstrip(b"\0").decode("ascii") for name, (at, room) in _TEXTS.items()}
    except UnicodeDecodeError:
        raise DamagedFile(f"{path}: the header of this table holds what is no text") from None
    return Header(**texts, positions=positions, cell=_NAMES[cell], plain=coding == 0, digest=f"{high:016x}{low:016x}",
                  endless=endless)


def _decompressed(path: Path) -> bytes:
    """The payload, by the zstd program: it checks every frame."""
    try:
        done = subprocess.run(["zstd", "-dcq", "--", os.fspath(path)], stdin=subprocess.DEVNULL, capture_output=True,
                              check=False)
    except OSError as reason:
        raise Unavailable(f"zstd cannot be started ({reason.strerror}); install it, or decompress the table elsewhere "
                          "and name that file") from None
    if done.returncode:
        raise DamagedFile(done.stderr.decode("utf-8", "replace").strip() or f"{path}: zstd cannot read this")
    return done.stdout


def _mapped(path: Path) -> Any:
    try:
        with open(path, "rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as reason:
        raise InputOutput(f"{path}: {reason.strerror}") from None
    except ValueError:
        return b""  # an empty file cannot be mapped


def view_cells(path: Path, decompressed: Optional[Path] = None) -> Any:
    """The cells of a plain table in index order, as they are stored: a read-only numpy array, or without numpy a
    memoryview. Either decompressed in memory by the program zstd, or a view of the file that `zstd -dc TABLE >
    FILE` has written, which is mapped and not read; that it belongs to this table is only seen by its size.

    Tables with cells left out are refused (BadUsage), since what stands in those is no value: ask
    ``Slice.values`` or ``Slice.bounds``. Plain are bounds in games of dice and a few others; the header says so.
    Quantities in such tables are those of the seat to roll and after it, in turn.

    >>> cells = view_cells("tables/phutball/base/4x3.depth.zst")
    >>> len(cells), max(cells.tolist())
    (6656, 6)
    """
    header = read_header(path)
    if not header.plain:
        raise BadUsage(f"{path} leaves cells out that follow from the rules; ask for the values of the slice instead")
    cells = _decompressed(path) if decompressed is None else _mapped(decompressed)
    if len(cells) != header.bytes:
        raise DamagedFile(f"{path if decompressed is None else decompressed} has {len(cells)} bytes of cells, and "
                          f"{header.bytes} are those of {header.positions} positions")
    if numpy:
        return numpy.frombuffer(cells, dtype="<" + header.typecode)
    if sys.byteorder != "little":
        raise Unavailable("cells are little-endian, and this machine is not: install numpy")
    return memoryview(cells).cast(header.typecode)
