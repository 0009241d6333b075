#!/usr/bin/python3
"""Prints the cells of a table file, one per line, in index order.

Written apart from databases/: it knows no more than that the file is zstd with skippable frames in it and
that the payload is a flat little-endian array. Needs python3-zstandard.

    read_table.py FILE i8|u8|i16|u16 [FIRST [COUNT]]
"""

import argparse
import struct
import sys

import zstandard

CODES = {"i8": "b", "u8": "B", "i16": "h", "u16": "H"}
SKIPPABLE = range(0x184D2A50, 0x184D2A60)
CHUNK = 1 << 16


def skip_frame(file):
    """Passes over a skippable frame; False, with nothing read, if another frame comes next."""
    start = file.tell()
    header = file.read(8)
    if len(header) < 8:
        raise ValueError("cut short in a frame's header")
    magic, size = struct.unpack("<II", header)
    if magic not in SKIPPABLE:
        file.seek(start)
        return False
    while size > 0:
        skipped = len(file.read(min(size, CHUNK)))
        if skipped == 0:
            raise ValueError("cut short in a skippable frame")
        size -= skipped
    return True


def read_frame(file):
    """Yields the content of one zstd frame. zstandard's stream reader would do for whole files, skippable
    frames too, but it takes a frame that is cut short for the end."""
    frame = zstandard.ZstdDecompressor().decompressobj()
    while not frame.eof:
        data = file.read(CHUNK)
        if not data:
            raise ValueError("cut short in a zstd frame")
        yield frame.decompress(data)
    file.seek(-len(frame.unused_data), 1)


def payload(file):
    while file.peek(1):
        if not skip_frame(file):
            yield from read_frame(file)


def cells(file, code):
    size = struct.calcsize("<" + code)
    rest = b""
    for data in payload(file):
        data = rest + data
        whole = len(data) - len(data) % size
        for (cell,) in struct.iter_unpack("<" + code, data[:whole]):
            yield cell
        rest = data[whole:]
    if rest:
        raise ValueError("the payload is not a whole number of cells")


def natural(text):
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def arguments():
    parser = argparse.ArgumentParser(description="Prints the cells of a table file.")
    parser.add_argument("file")
    parser.add_argument("cell", choices=CODES)
    parser.add_argument("first", type=natural, nargs="?", default=0)
    parser.add_argument("count", type=natural, nargs="?", help="default: to the end")
    return parser.parse_args()


def print_cells(wanted):
    end = None if wanted.count is None else wanted.first + wanted.count
    total = 0
    with open(wanted.file, "rb") as file:
        for cell in cells(file, CODES[wanted.cell]):
            if total == end:
                return
            if total >= wanted.first:
                print(cell)
            total += 1
    if total < (wanted.first if end is None else end):
        raise ValueError(f"only {total} cells")


def main():
    wanted = arguments()
    try:
        print_cells(wanted)
    except (OSError, ValueError, zstandard.ZstdError) as error:
        sys.exit(f"{wanted.file}: {error}")


if __name__ == "__main__":
    main()
