"""Parts shared by the suites that ask through Python: the module from the tree, over the library that was built."""
import atexit
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import building
from building import SECONDS, expect

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULE = ROOT / "analysis" / "python"
LIBRARY = pathlib.Path(os.environ.get("TAULER_BUILD", ROOT / "build")).resolve() / "libtauler.so.0"

sys.path.insert(0, str(MODULE))
os.environ["TAULER_LIBRARY"] = str(LIBRARY)


def import_numpy():
    """Starts again with the Python of Debian, which has numpy, where this one has none."""
    debian = "/usr/bin/python3"
    if importlib.util.find_spec("numpy") is None and sys.executable != debian:
        os.execv(debian, [debian, *sys.argv])
    return importlib.import_module("numpy")


def leave_without_library():
    """A library under sanitizers cannot be loaded by a Python without them."""
    flags = LIBRARY.parent / "flags"
    if flags.exists() and "-fsanitize=" in flags.read_text(encoding="utf-8"):
        print("SKIP: python: the library is built with sanitizers, which Python has not")
        sys.exit(0)
    if not LIBRARY.exists():
        print(f"SKIP: python: there is no {LIBRARY.name} in {LIBRARY.parent}")
        sys.exit(0)


tauler = importlib.import_module("tauler")
SEEDS = 9
PROVED = "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S"  # of nine seeds
SHARED = tempfile.mkdtemp(prefix="tauler-python.")
DB = os.path.join(SHARED, "tables")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)


def build(game, *options):
    building.run("build", game, *options, "--quiet", "--db", DB)


def raises(kind, call, *words):
    """The exception of this very class, whose sentence has the words."""
    try:
        got = call()
    except (tauler.Error, IndexError, TypeError) as error:
        expect(type(error) is kind, "not", kind.__name__, "but", repr(error))
        expect(all(word in str(error) for word in words), words, "not in", repr(error))
        return error
    raise building.Failure(f"no {kind.__name__} but {got!r}"[:300])


def run_python(program, *arguments, interpreter=sys.executable, **variables):
    """Runs a program text in a process of its own; its output."""
    environment = {**building.environment(), "PYTHONPATH": str(MODULE), **variables}
    done = subprocess.run([interpreter, "-c", program, *arguments], env=environment, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    expect(done.returncode == 0, "exit code", done.returncode, done.stderr[-600:])
    return done.stdout


def build_tables():
    """Questions of test_python.py and test_python_trouble.py."""
    build("auale", "--seeds", str(SEEDS), "--depth")
    build("auale", "--rules", "abapa", "--seeds", "5")
    build("auale", "--rules", "abapa", "--cycles", "own-row", "--seeds", "3", "--depth")
    build("doushouqi", "--material", "Lr")
    build("phutball", "--board", "4x3")
    build("oca", "--players", "2", "--width", "1e-7")
