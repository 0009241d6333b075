#!/usr/bin/env python3
"""Do the suites notice planted errors?

Each line of mutants.list is `file | sed expression | suites`. A worker has a copy of the tree; it
applies one mutant, builds the suites incrementally and runs them until one fails (killed). A mutant
that changes nothing or does not compile is an error of the list. Usage: mutants.py [word...] takes
only the lines that contain a word.
"""
import concurrent.futures
import glob
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIST = os.path.join(ROOT, "tests", "mutants.list")
SUITE_SECONDS = 300


def read_list(words):
    mutants = []
    with open(LIST, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#") or (words and not any(word in line for word in words)):
                continue
            # The expression may hold | itself: the file is before the first, the suites after the last.
            file, rest = line.split(" | ", 1)
            expression, suites = rest.rsplit(" | ", 1)
            mutants.append((number, file.strip(), expression.strip(), suites.split()))
    return mutants


def copy_tree(target):
    def left_out(folder, names):
        top = os.path.samefile(folder, ROOT)
        return [name for name in names if name == "__pycache__" or (top and name in (".git", "build", "tauler"))]

    shutil.copytree(ROOT, target, symlinks=True, ignore=left_out)


def copy_built_tree(built, target):
    """What a browser that was killed left behind, sockets and the like, stays where it is."""
    def no_file(folder, names):
        paths = ((name, os.path.join(folder, name)) for name in names)
        return [name for name, path in paths
                if not (os.path.islink(path) or os.path.isfile(path) or os.path.isdir(path))]

    shutil.copytree(built, target, symlinks=True, ignore=no_file)


def find_suite(tree, suite):
    """Where in the tree the suite's source or script is."""
    for pattern in (f"tests/*/{suite}.*", f"tests/{suite}.*"):
        for path in glob.glob(pattern, root_dir=tree):
            if path.endswith((".c", ".sh", ".py")):
                return path
    sys.exit(f"mutants: there is no suite {suite}")


def make(tree, suites):
    paths = [find_suite(tree, suite) for suite in suites]
    targets = [os.path.join("build/mutant", path[:-2]) for path in paths if path.endswith(".c")]
    scripts = len(targets) < len(suites)
    if scripts:
        targets += ["all", "helpers"]
    return subprocess.run(["make", "-s", "-j1", "JOBS=1", "SETUP=no", "VARIANT=mutant", "OPT=-O1", *targets],
                          cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def suite_fails(tree, suite):
    environment = dict(os.environ, TAULER=os.path.join(tree, "build/mutant/tauler"),
                       TAULER_BUILD=os.path.join(tree, "build/mutant"), CK_VERBOSITY="silent", TAULER_CHECK="1",
                       PYTHONPATH=os.path.join(tree, "tests/support"),
                       CK_DEFAULT_TIMEOUT="60", TMPDIR=os.path.join(tree, "build/mutant"))
    path = find_suite(tree, suite)
    command = {".sh": ["sh", path], ".py": ["python3", path]}.get(
        os.path.splitext(path)[1], [os.path.join("build/mutant", path[:-2])])
    running = subprocess.Popen(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        return running.wait(timeout=SUITE_SECONDS) != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        # Check runs each case in a process of its own; none may outlive its suite.
        try:
            os.killpg(running.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        running.wait()


def try_mutant(tree, mutant):
    """The verdict (killed, survived or broken) and what to say about it."""
    _, file, expression, suites = mutant
    path = os.path.join(tree, file)
    if not os.path.exists(path):
        return "broken", "there is no such file"
    with open(path, "rb") as source:
        original = source.read()
    changed = subprocess.run(["sed", "-E", expression, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if changed.returncode != 0:
        return "broken", changed.stderr.decode(errors="replace").strip()
    if changed.stdout == original:
        return "broken", "the expression changes nothing"
    try:
        write(path, changed.stdout)
        built = make(tree, suites)
        if built.returncode != 0:
            return "broken", "does not compile:\n" + built.stdout[-2000:]
        for suite in suites:
            if suite_fails(tree, suite):
                return "killed", suite
        return "survived", ""
    finally:
        write(path, original)


def write(path, content):
    """Writes with a time of change that make cannot take for the one before."""
    with open(path, "wb") as target:
        target.write(content)
    now = time.time_ns()
    os.utime(path, ns=(now, now))


def check_unchanged(tree, mutants):
    """Every suite must pass without a mutant, or killing proves nothing."""
    suites = sorted({suite for mutant in mutants for suite in mutant[3]})
    built = make(tree, suites)
    if built.returncode != 0:
        sys.exit("mutants: the tree does not build:\n" + built.stdout[-4000:])
    failing = [suite for suite in suites if suite_fails(tree, suite)]
    if failing:
        sys.exit("mutants: these suites fail without any mutant: " + " ".join(failing))


def main():
    mutants = read_list(sys.argv[1:])
    if not mutants:
        sys.exit("mutants: none in the list")
    workers = min(len(mutants), os.cpu_count() or 1, int(os.environ.get("MUTANT_JOBS", "8")))
    totals = {"killed": 0, "survived": 0, "broken": 0}
    with tempfile.TemporaryDirectory(prefix="tauler-mutants.") as folder:
        first = os.path.join(folder, "tree0")
        copy_tree(first)
        check_unchanged(first, mutants)
        trees = queue.Queue()
        trees.put(first)
        for worker in range(1, workers):
            tree = os.path.join(folder, f"tree{worker}")
            copy_built_tree(first, tree)
            trees.put(tree)

        def work(mutant):
            tree = trees.get()
            try:
                return mutant, *try_mutant(tree, mutant)
            finally:
                trees.put(tree)

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for mutant, verdict, detail in pool.map(work, mutants):
                number, file, expression, suites = mutant
                totals[verdict] += 1
                print(f"{verdict:8} line {number}: {file}: {expression} ({' '.join(suites)}) {detail}", flush=True)
    broken = f", {totals['broken']} broken" if totals["broken"] else ""
    print(f"{totals['killed']} killed, {totals['survived']} survived{broken}")
    sys.exit(1 if totals["survived"] or totals["broken"] else 0)


if __name__ == "__main__":
    main()
