#!/usr/bin/env python3
"""Plants the errors of mutants.list one at a time and says which the suites notice.

A line of the list is `file:name | sed -E expression | suites`. The expression changes the body of the
function, table, enumeration or macro of that name and nothing else; a Python or shell script has no name.
A worker has a copy of the tree: it plants an error, builds what changed and runs the suites until one
fails, or takes ten times as long as without the error. A line whose name is not there, whose expression
changes nothing or whose code does not compile is an error of the list.
"""
import argparse
import concurrent.futures
import glob
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "tests", "mutants.list")
LEAST_SECONDS = 30


class Stale(Exception):
    """A line of the list that does not fit the sources."""


class Mutant:
    def __init__(self, number, line):
        self.number = number
        # The expression may hold | itself: the place is before the first, the suites after the last.
        place, _, rest = line.partition(" | ")
        self.expression, _, suites = rest.rpartition(" | ")
        self.file, _, self.name = place.strip().partition(":")
        self.suites = suites.split()

    def __str__(self):
        place = f"{self.file}:{self.name}" if self.name else self.file
        return f"line {self.number}: {place}: {self.expression} ({' '.join(self.suites)})"

    def changed(self, text):
        """The text of the file with the error in it."""
        if not self.name and self.file.endswith((".c", ".h")):
            raise Stale("name the function")
        start, end = find_body(text, self.name) if self.name else (0, len(text))
        edited = subprocess.run(["sed", "-E", self.expression], input=text[start:end], capture_output=True, text=True,
                                check=False)
        if edited.returncode != 0:
            raise Stale(edited.stderr.strip())
        if edited.stdout == text[start:end]:
            raise Stale("the expression changes nothing")
        return text[:start] + edited.stdout + text[end:]


def read_list(words):
    with open(LIST, encoding="utf-8") as lines:
        return [Mutant(number, line.strip()) for number, line in enumerate(lines, 1)
                if line.strip() and not line.startswith("#") and (not words or any(word in line for word in words))]


def find_body(text, name):
    """Where the definition of a name begins and ends. Definitions begin in the first column, as clang-format leaves
    them, and end in the first column, in a line of their own or in the line that they begin in."""
    heads = rf"^(?:#define {name}\b|enum [^\n;]*\b{name} =|[A-Za-z_][\w *]*\b{name} ?[\[({{=])"
    for found in re.finditer(heads, text, re.M):
        if found[0].startswith("#"):
            end = re.compile(r"(?<!\\)\n").search(text, found.end())
        else:
            head = re.compile(r"[{};] *(/\*.*)?\n").search(text, found.end() - 1)
            if head[0].startswith(";") and not re.search(r"[={]", text[found.start():head.start()]):
                continue  # a declaration
            end = re.compile(r"^}.*\n", re.M).search(text, head.end()) if head[0].startswith("{") else head
        return found.start(), end.end()
    raise Stale(f"there is no {name}")


def read(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


def write(path, text):
    """Writes with a time of change that make cannot take for the one before."""
    with open(path, "w", encoding="utf-8") as target:
        target.write(text)
    now = time.time_ns()
    os.utime(path, ns=(now, now))


def stale_lines(mutants):
    """The faults of the list, a line each. Takes a second."""
    texts, wrong = {}, []
    for mutant in mutants:
        try:
            if mutant.file not in texts:
                texts[mutant.file] = read(os.path.join(ROOT, mutant.file))
            mutant.changed(texts[mutant.file])
            for suite in mutant.suites or [""]:
                find_suite(ROOT, suite)
        except (Stale, OSError) as error:
            wrong.append(f"{mutant}: {error}")
    return wrong


def copy_tree(source, target, left_out):
    def ignored(folder, names):
        """Also what a stopped suite left, sockets and the like."""
        paths = ((name, os.path.join(folder, name)) for name in names)
        return [name for name, path in paths if name in left_out and os.path.samefile(folder, source)
                or not (os.path.islink(path) or os.path.isfile(path) or os.path.isdir(path))]

    shutil.copytree(source, target, symlinks=True, ignore=ignored)


def find_suite(tree, suite):
    """The path of the suite's source or script."""
    for pattern in (f"tests/*/{suite}.*", f"tests/{suite}.*"):
        for path in glob.glob(pattern, root_dir=tree):
            if path.endswith((".c", ".sh", ".py")):
                return path
    raise Stale(f"there is no suite {suite}")


def make(tree, suites, jobs=1):
    paths = [find_suite(tree, suite) for suite in suites]
    targets = [os.path.join("build/mutant", path[:-2]) for path in paths if path.endswith(".c")]
    if len(targets) < len(suites) or any(path.startswith("tests/claims/") for path in paths):  # these run the program
        targets += ["all", "helpers"]
    command = ["make", "-s", f"-j{jobs}", f"JOBS={jobs}", "SETUP=no", "VARIANT=mutant", "OPT=-O1", "CFLAGS=-g0",
               "SUITES=" + " ".join(suites)]
    return subprocess.run(command + targets, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)


def suite_fails(tree, suite, seconds):
    """The failure of the suite, or nothing."""
    build = os.path.join(tree, "build/mutant")
    environment = dict(os.environ, TAULER=os.path.join(build, "tauler"), TAULER_BUILD=build, TMPDIR=build,
                       PYTHONPATH=os.path.join(tree, "tests/support"), CK_VERBOSITY="silent",
                       CK_DEFAULT_TIMEOUT=str(seconds))
    path = find_suite(tree, suite)
    command = {".sh": ["sh", path], ".py": ["python3", path]}.get(
        os.path.splitext(path)[1], [os.path.join(build, path[:-2])])
    with subprocess.Popen(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, start_new_session=True) as running:
        try:
            return suite if running.wait(timeout=seconds) != 0 else ""
        except subprocess.TimeoutExpired:
            # Check passes it on to its case, which is a group of its own.
            running.terminate()
            time.sleep(1)
            return f"{suite} after {seconds} s"
        finally:
            try:
                os.killpg(running.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def try_mutant(tree, mutant, seconds):
    """The verdict (caught, survived or broken) and what to say about it."""
    path = os.path.join(tree, mutant.file)
    try:
        original = read(path)
        changed = mutant.changed(original)
    except (Stale, OSError) as error:
        return "broken", str(error)
    try:
        write(path, changed)
        built = make(tree, mutant.suites)
        if built.returncode != 0:
            return "broken", "does not compile:\n" + built.stdout[-2000:]
        failures = (suite_fails(tree, suite, seconds[suite]) for suite in mutant.suites)
        failed = next((failure for failure in failures if failure), "")
        return ("caught" if failed else "survived"), failed
    finally:
        write(path, original)


def times_without(tree, mutants, jobs):
    """The time limit of each suite. Every suite must pass without an error, or its failing proves nothing."""
    suites = sorted({suite for mutant in mutants for suite in mutant.suites})
    built = make(tree, suites, jobs)
    if built.returncode != 0:
        sys.exit("mutants: the tree does not build:\n" + built.stdout[-4000:])
    seconds, failing = {}, []
    for suite in suites:
        start = time.monotonic()
        if suite_fails(tree, suite, 600):
            failing.append(suite)
        seconds[suite] = int(max(LEAST_SECONDS, 10 * (time.monotonic() - start)))
    if failing:
        sys.exit("mutants: these suites fail without any error planted: " + " ".join(failing))
    return seconds


def run(mutants, jobs):
    """Tries all and returns how many had each verdict."""
    totals = {"caught": 0, "survived": 0, "broken": 0}
    with tempfile.TemporaryDirectory(prefix="tauler-mutants.") as folder:
        first = os.path.join(folder, "tree0")
        copy_tree(ROOT, first, (".git", "build", "tauler"))
        seconds = times_without(first, mutants, jobs)
        trees = queue.Queue()
        trees.put(first)
        for worker in range(1, min(len(mutants), jobs)):
            tree = os.path.join(folder, f"tree{worker}")
            copy_tree(first, tree, ())
            trees.put(tree)

        def work(mutant):
            tree = trees.get()
            try:
                return mutant, *try_mutant(tree, mutant, seconds)
            finally:
                trees.put(tree)

        with concurrent.futures.ThreadPoolExecutor(trees.qsize()) as pool:
            for mutant, verdict, detail in pool.map(work, mutants):
                totals[verdict] += 1
                print(f"{verdict:8} {mutant} {detail}", flush=True)
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--check", action="store_true", help="only look whether every line fits the sources")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many errors at a time")
    parser.add_argument("words", nargs="*", help="take the lines that contain one of these")
    given = parser.parse_args()
    mutants = read_list(given.words)
    if not mutants:
        sys.exit("mutants: none in the list")
    if given.check:
        wrong = stale_lines(mutants)
        print("\n".join([*wrong, f"{len(mutants)} lines, {len(wrong)} stale"]))
        sys.exit(1 if wrong else 0)
    totals = run(mutants, given.jobs)
    print(f"{len(mutants)} planted, " + ", ".join(f"{n} {verdict}" for verdict, n in totals.items() if n))
    sys.exit(0 if totals["caught"] == len(mutants) else 1)


if __name__ == "__main__":
    main()
