"""Parts shared by the suites of `tauler build`: running it, its folders of tables, and cases one by one."""
import csv
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

TAULER = os.environ.get("TAULER", "./tauler")
TESTS = os.environ.get("TAULER_TESTS", "tests")
RETROGRADE = ("--engine", "retrograde")
LONG = bool(os.environ.get("TAULER_LONG"))
CHECK = LONG or bool(os.environ.get("TAULER_CHECK"))
SECONDS = 1800  # a command that takes ten on an idle machine may take so long on a busy one


class Failure(Exception):
    pass


class Skip(Exception):
    pass


def leave_to_check():
    """Cases that take long and look at what shorter ones look at too."""
    if not CHECK:
        raise Skip("make check runs it")


def expect(condition, *what):
    if not condition:
        raise Failure(" ".join(str(part) for part in what).replace("\n", " ")[:1000])


def environment():
    """Without a folder of tables of the user's own."""
    return {name: value for name, value in os.environ.items() if name != "TAULER_DB"}


def start(*arguments, **settings):
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment(), **settings}
    return subprocess.Popen([TAULER, *arguments], stdin=subprocess.DEVNULL, text=True, **settings)


def run(*arguments, exit_code=0, before=(), **settings):
    """Runs the program (behind the command `before`) to its end."""
    done = subprocess.run([*before, TAULER, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False,
                          **{"env": environment(), **settings})
    expect(exit_code is None or done.returncode == exit_code, "exit code", done.returncode, "not", exit_code, "of",
           " ".join(arguments), "-", done.stderr)
    return done


def build(folder, *options, game="auale", **settings):
    """Builds and returns the lines of --json by (slice, stream), as they come."""
    done = run("build", game, "--db", folder, "--json", *options, **settings)
    return [json.loads(line) for line in done.stdout.splitlines()]


def digests(lines):
    return {(line["slice"], line["stream"]): line["table"] for line in lines}


def golden_digests(name):
    """Digests by slice and stream of each build: game, rules, cycles and options of size."""
    with open(os.path.join(TESTS, "oracles", name), encoding="ascii", newline="") as file:
        rows = itertools.islice(csv.reader(file), 1, None)
        return {place: {(row[4], row[5]): row[6] for row in of_place}
                for place, of_place in itertools.groupby(rows, lambda row: tuple(row[:4]))}


def request(place):
    """The arguments of a build."""
    game, rules, cycles, size = place
    return game, "--rules", rules, *(("--cycles", cycles) if cycles else ()), *size.split()


def processes():
    """Of each process, by its number, that of its parent and the seconds of processor time it has had."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        found[int(pid)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return found


def worked(pid):
    """Seconds of processor time that a process and those that it started have had, 0 after its end."""
    known = processes()
    family = {pid}
    while True:
        more = {child for child, (parent, _) in known.items() if parent in family} - family
        if not more:
            return sum(known[one][1] for one in family if one in known)
        family |= more


def worked_below(pid):
    """The same of the processes that it has started and that still run."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return sum(worked(int(child)) for child in file.read().split())
    except OSError:
        return 0


def wait_for_work(process, seconds=0.1, of=worked):
    """Waits until a process has worked for so long, past its start: no clock says so on a busy machine."""
    until = time.monotonic() + SECONDS
    while process.poll() is None and of(process.pid) < seconds and time.monotonic() < until:
        time.sleep(0.005)


def files(folder):
    """All files below a folder, and those of them that bear the name of a table (a checkpoint does not)."""
    everything = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
    return everything, sorted(path for path in everything
                              if not os.path.basename(path).startswith(".") and ".checkpoint" not in os.path.basename(path))


def tables(folder):
    return files(folder)[1]


def leftovers(folder):
    everything, named = files(folder)
    return sorted(set(everything) - set(named))


def table_path(folder, seeds, stream="value", rules="awari", cycles="even"):
    return os.path.join(folder, "auale", rules, cycles, f"{seeds}.{stream}.zst")


def check_whole(folder):
    """Nothing bears the name of a table but whole tables."""
    named = tables(folder)
    expect(all(path.endswith(".zst") for path in named), "files of other names:", named)
    if named:
        tested = subprocess.run(["zstd", "-t", "-q", *named], stderr=subprocess.PIPE, text=True, check=False)
        expect(tested.returncode == 0, "half a table:", tested.stderr)
    return named


def identities(paths):
    """Stamps of a file that change when it is written again."""
    return {path: (os.stat(path).st_ino, os.stat(path).st_mtime_ns) for path in paths}


def run_cases(cases):
    """Runs each case in a folder of its own and exits; cases named on the command line only, if any are."""
    failed = False
    for case in cases:
        if len(sys.argv) > 1 and case.__name__ not in sys.argv[1:]:
            continue
        above = tempfile.mkdtemp(prefix="tauler-build.")
        try:
            case(os.path.join(above, "db"))
            print(f"PASS: {case.__name__}", flush=True)
        except Skip as reason:
            print(f"SKIP: {case.__name__}: {reason}", flush=True)
        except (Failure, OSError, ValueError, KeyError, subprocess.SubprocessError) as reason:
            failed = True
            print(f"FAIL: {case.__name__}: {type(reason).__name__}: {reason}", flush=True)
        finally:
            shutil.rmtree(above, ignore_errors=True)
    sys.exit(failed)
