#!/usr/bin/python3
"""Stock zstd and a reader that knows only the format read from a table the values that probe answers."""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = os.environ.get("TAULER", "./tauler")
RESERVED = -128


def rows(seeds):
    """All rows of six pits in lexicographic order, pit 0 first."""
    for cuts in itertools.product(range(seeds + 1), repeat=5):
        if sum(cuts) <= seeds:
            yield (*cuts, seeds - sum(cuts))


def boards(seeds):
    """Mover's and opponent's row in index order: by seeds of the mover's row, then both ranks."""
    for own in range(seeds + 1):
        opposite = [row for row in rows(seeds - own) if 0 in row]
        for mover in rows(own):
            for opponent in opposite:
                yield mover, opponent


def cells_by_python(path, kind):
    reader = os.path.join(os.path.dirname(__file__), "..", "support", "read_table.py")
    return [int(line) for line in subprocess.check_output([reader, path, kind], text=True).split()]


def cells_by_zstd(path):
    raw = subprocess.check_output(["zstd", "-dc", path])
    return [byte - 256 if byte > 127 else byte for byte in raw]


def probe(folder, rules, seeds):
    text = "".join("-".join(map(str, mover + opponent)) + "-0-0-S\n" for mover, opponent in boards(seeds))
    out = subprocess.run([PROGRAM, "probe", "auale", "--rules", rules, "--json", "--db", folder],
                         input=text, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def best_converting(answer, bound):
    worths = [move["bounds"][bound] for move in answer["moves"] if move["converts"]]
    return max(worths) if worths else None


def check_stream(name, cells, answers, seeds, bound):
    own = [sum(mover) for mover, _ in boards(seeds)]
    for i, (cell, answer) in enumerate(zip(cells, answers, strict=True)):
        value = answer["bounds"][bound]
        if 2 * own[i] < seeds:
            assert cell == RESERVED, f"{name}: cell {i} is left out but holds {cell}"
        elif cell == RESERVED:
            ended = not answer["moves"]
            assert ended or value == best_converting(answer, bound), f"{name}: cell {i} is not its best capture"
        else:
            assert cell == value, f"{name}: cell {i} holds {cell}, probe says {value}"


def check_rules(folder, rules, streams):
    subprocess.run([PROGRAM, "build", "auale", "--rules", rules, "--seeds", "5", "--db", folder, "--quiet"],
                   check=True, stdout=subprocess.DEVNULL)
    cycles = "forced" if len(streams) == 2 else "even"
    for seeds in (2, 3, 5):
        answers = probe(folder, rules, seeds)
        for bound, stream in enumerate(streams):
            path = f"{folder}/auale/{rules}/{cycles}/{seeds}.{stream}.zst"
            cells = cells_by_zstd(path)
            assert cells == cells_by_python(path, "i8"), f"{path}: zstd and Python disagree"
            assert len(cells) == len(answers), f"{path}: {len(cells)} cells for {len(answers)} boards"
            check_stream(path, cells, answers, seeds, bound)


def exposed(row):
    """Bits of the pits with one or two seeds."""
    return sum(1 << pit for pit in range(6) if row[pit] in (1, 2))


def ends(row):
    """Bits of the other side's pits in which a sowing from this row ends, in sowing order."""
    last = {pit + row[pit] - 6 for pit in range(6) if row[pit]}
    return sum(1 << pit for pit in range(6) if pit in last)


def board_class(mover, opponent):
    """As databases/FORMAT.md says; 0 where tables leave the board out."""
    if 2 * sum(mover) < sum(mover + opponent):
        return 0
    taken = ends(mover) & exposed(opponent)
    several = taken & exposed(opponent) << 1
    return (ends(opponent) & exposed(mover)) | (128 if taken else 0) | (64 if several else 0)


def reader_of_format():
    """The reader of version 3 that the document prints."""
    with open(os.path.join(os.path.dirname(__file__), "../../databases/FORMAT.md"), encoding="utf-8") as file:
        text, = re.findall(r"^```python\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE)
    names = {}
    exec(text, names)  # pylint: disable=exec-used
    return names["table"]


def check_adaptive(folder):
    """The printed reader against the cells that zstd gives of the same table, coded by zstd."""
    request = ["auale", "--rules", "abapa", "--cycles", "forced", "--seeds", "8", "--quiet"]
    for coder in ("zstd", "adaptive"):
        subprocess.run([PROGRAM, "build", *request, "--coder", coder, "--db", f"{folder}/{coder}"], check=True,
                       stdout=subprocess.DEVNULL)
    below = "auale/abapa/forced/8.upper.zst"
    with open(f"{folder}/adaptive/{below}", "rb") as file:
        data = file.read()
    assert data[16] == 3, "the table is not coded adaptively"
    found = reader_of_format()(data, [board_class(*board) for board in boards(8)])
    assert found == subprocess.check_output(["zstd", "-dc", f"{folder}/zstd/{below}"]), "other cells"


def main():
    debian = "/usr/bin/python3"  # which has the packages of Debian, zstandard among them
    if os.path.exists(debian) and not os.path.samefile(sys.executable, debian):
        os.execv(debian, [debian, __file__])
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        try:
            check_adaptive(folder)
            print("PASS: adaptively coded table by the reader that FORMAT.md prints")
        except ModuleNotFoundError:
            print("SKIP: adaptively coded table: python3-zstandard is missing")
        except (AssertionError, subprocess.CalledProcessError) as error:
            print(f"FAIL: adaptively coded table: {error}")
            failed = True
    with tempfile.TemporaryDirectory() as folder:
        for rules, streams in (("awari", ["value"]), ("abapa", ["lower", "upper"]),
                               ("awari,grand-slam=captures", ["value"])):
            try:
                check_rules(folder, rules, streams)
                print(f"PASS: table of {rules} by zstd, by Python and by probe")
            except (AssertionError, subprocess.CalledProcessError) as error:
                print(f"FAIL: table of {rules}: {error}")
                failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
