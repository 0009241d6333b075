#!/usr/bin/python3
"""The Python module in trouble: every error that is documented, closing while others ask, threads, searches that are
ended, libraries that are not there."""
import copy
import dataclasses
import gc
import importlib
import os
import pickle
import random
import shutil
import subprocess
import threading
import weakref

import asking_python
import building
from asking_python import DB, PROVED, SEEDS, SHARED, raises, run_python, tauler
from building import Skip, expect, run_cases

asking_python.leave_without_library()
c = importlib.import_module("tauler._library")


# --- errors ----------------------------------------------------------------------------------------------------------

def documented_errors(_):
    """Each error that questions may raise, with its code and name, and what comes with it."""
    with tauler.open(DB) as db:
        awari, oca = db.select("auale", "awari"), db.select("oca")
        for call in (lambda: db.select("chess"), lambda: db.select("auale", "abapa,large"),
                     lambda: db.select("auale", None, "odd"), lambda: awari.slice(49), lambda: awari.slice("Lr"),
                     lambda: oca.line("oca:0,0/1"), lambda: oca.moves("oca:0,0/1"), lambda: awari.rolls(PROVED),
                     lambda: awari.line(PROVED, -1), lambda: tauler.open(DB, cache_bytes=-1),
                     lambda: tauler.open(DB, most_moves=-1)):
            error = raises(tauler.BadUsage, call)
            expect((error.code, error.name) == (tauler.Code.BAD_USAGE, "bad usage"), error)
            expect(isinstance(error, ValueError), error)
        for text in ("", "nonsense", PROVED[:-1] + "W", "1-0-0-0-0-0-0-0-0-0-0-0-24-24-S", PROVED + " moves D", PROVED + "\0", "\ud800", "é"):
            for ask in (awari.probe, awari.get, awari.value, awari.get_value, awari.moves, awari.line):
                raises(tauler.BadPosition, lambda: ask(text))
        beyond = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
        for ask in (awari.probe, awari.moves):
            missing = raises(tauler.TableMissing, lambda: ask(beyond), "tauler build")
            answer = missing.answer
            expect([move.name for move in answer.moves] == list("ABCDEF") and answer.bounds is None, answer)
            expect(answer.table is None and answer.best is None and answer.value is None, answer)
            expect(isinstance(missing, LookupError) and missing.line is None, missing)
        missing = raises(tauler.TableMissing, lambda: awari.line(beyond))
        expect(missing.line.end is tauler.LineEnd.UNKNOWN and missing.answer is None, missing.line)
        raises(tauler.TableMissing, lambda: awari.value(beyond))
        expect((awari.get(beyond), awari.get(beyond, 7), awari.get_value(beyond, "x")) == (None, 7, "x"), "defaults")
        expect(awari.get(PROVED, 7) == awari.probe(PROVED) and awari.get_value(PROVED, 7).value == 9, "no defaults")
        raises(tauler.TableMissing, awari.slice(12).values)
        raises(tauler.TableMissing, lambda: awari.slice(12)[0])
        for index in (78, -1):
            for ask in (awari.slice(2).position, awari.slice(2).value):
                raises(IndexError, lambda: ask(index), "0 to 77", str(index))
        two = awari.slice(2)
        for ask in (lambda: two[78], lambda: two[-79], lambda: two.values(0, 79), lambda: two.values(-1), lambda: two.bounds(5, 2)):
            raises(IndexError, ask, "0 to 77")
        for ask in (lambda: two[0:3], lambda: two[1.5], lambda: two.position(1.5), lambda: two.value("a"), lambda: two.values(0.5)):
            raises(TypeError, ask, "a whole number from 0 to 7")
        raises(TypeError, lambda: awari.line(PROVED, 1.5), "most_moves is a whole number from 0 to")
        raises(tauler.BadUsage, lambda: awari.line(PROVED, -1), "from 0 to", "-1")
        raises(tauler.BadUsage, lambda: awari.slice(49), "no slice called '49'", "0 to N seeds, N up to 48")
        raises(tauler.BadUsage, lambda: float(db.select("auale", "abapa").value("0-0-0-0-1-0-0-0-0-0-1-0-0-0-S")), "lies between")
        expect(two[-78] == two[0] and float(awari.value(PROVED)) == 9, "the first one, and a number")
        for wrong in (7, None, b"bytes"):
            try:
                awari.probe(wrong)
                raise building.Failure(f"a position that is {wrong!r}")
            except TypeError:
                pass
    for folder in ("/nonexistent", "", __file__):
        raises(tauler.InputOutput, lambda: tauler.open(folder), "there is no folder", repr(folder), "tauler build")
    with tauler.open(DB, most_moves=5) as db:
        raises(tauler.BadPosition, lambda: db.select("auale").probe("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"), "moves")
        expect(db.select("auale").probe(PROVED).value == 9, "of a few moves")


def fail_with(code):
    message = c.CMessage(b"a sentence")
    c.check(code, message)


def every_code(_):
    """Each code of the library is a class of its own; one that is not known is not lost."""
    for code in tauler.Code:
        if code:
            kind = importlib.import_module("tauler._errors").CLASSES[code]
            error = raises(kind, lambda: fail_with(code), "a sentence")
            expect(error.code == code and isinstance(error, tauler.Error), error)
    raises(tauler.Internal, lambda: fail_with(99), "a sentence", "99")


def damaged_tables(folder):
    """A damaged table never yields a value, and is passed over in the list."""
    shutil.copytree(DB, folder)
    path = building.table_path(folder, 9)
    with open(path, "r+b") as file:
        file.seek(1500)
        byte = file.read(1)
        file.seek(1500)
        file.write(bytes([byte[0] ^ 1]))
    with tauler.open(folder) as db:
        nine = db.select("auale").slice(9)
        error = raises(tauler.DamagedFile, nine.values)
        expect((error.code, error.name) == (tauler.Code.DAMAGED_FILE, "damaged file") and path in str(error), error)
        raises(tauler.DamagedFile, lambda: list(nine))
    with open(path, "r+b") as file:
        file.seek(200)
        file.write(b"?")
    with tauler.open(folder) as db:
        raises(tauler.DamagedFile, lambda: db.select("auale").probe(PROVED))
        expect(db.contents().passed_over == 1, db.contents().passed_over)
    os.remove(path)
    os.symlink(path, path)
    with tauler.open(folder) as db:
        error = raises(tauler.InputOutput, lambda: db.select("auale").probe(PROVED))
        expect((error.code, error.name) == (tauler.Code.IO, "input or output failed"), error)


def contents(folder):
    os.makedirs(folder)
    with tauler.open(folder) as db:
        expect(db.contents() == tauler.Contents((), 0), "of an empty folder")
    with tauler.open(DB) as db:
        found = db.contents()
    names = [(stored.game, stored.slice) for stored in found.slices if stored.rules == "awari"]
    expect(names == [("auale", str(n)) for n in range(SEEDS + 1)] and found.passed_over == 0, names)
    expect(all(stored.depths for stored in found.slices if stored.rules == "awari"), "depths")
    expect(not any(stored.depths for stored in found.slices if stored.game == "oca"), "no depths")


# --- closing, threads ------------------------------------------------------------------------------------------------

def closed_for_good(_):
    """After closing every call says so; closing again does nothing."""
    with tauler.open(DB) as db:
        awari = db.select("auale", "awari")
        nine, entries = awari.slice(9), iter(awari.slice(9))
        next(entries)
        expect(not db.closed and "closed" not in repr(db), db)
    expect(db.closed and "closed" in repr(db), db)
    db.close()
    for call in (lambda: db.select("auale"), db.contents, lambda: awari.probe(PROVED), lambda: awari.get(PROVED, 1),
                 lambda: awari.value(PROVED), lambda: awari.get_value(PROVED), lambda: awari.moves(PROVED),
                 lambda: awari.rolls(PROVED), lambda: awari.line(PROVED), lambda: awari.search(PROVED),
                 lambda: awari.slice(9), nine.values, nine.bounds, lambda: nine[5], lambda: nine.position(5),
                 lambda: nine.value(5), lambda: list(entries)):
        raises(tauler.Closed, call, "closed")
    try:
        with tauler.open(DB) as db:
            raise KeyError
    except KeyError:
        expect(db.closed, "left by an exception")


def forgotten(_):
    """Rule sets and slices keep their folder open; when nobody has it any more it is closed."""
    nine = tauler.open(DB).select("auale").slice(9)
    gc.collect()
    expect(nine.value(0).exact, "a slice alone")
    closing, folder = nine._db._closing, weakref.ref(nine._db)
    expect(closing.alive, "open")
    del nine
    gc.collect()
    expect(folder() is None and not closing.alive, "nobody has it and it is not closed")


def closing_waits(_):
    """Closing waits for who is in the library, and nobody gets in meanwhile."""
    db = tauler.open(DB)
    awari, inside, leave, order = db.select("auale"), threading.Event(), threading.Event(), []

    def stay(*_):
        inside.set()
        leave.wait(60)
        order.append("left")
        return 0

    def close():
        db.close()
        order.append("closed")

    guest, closer = threading.Thread(target=lambda: db._call(stay)), threading.Thread(target=close)
    guest.start()
    inside.wait(60)
    closer.start()
    while not db.closed:
        pass
    raises(tauler.Closed, lambda: awari.value(PROVED))
    closer.join(0.05)
    expect(closer.is_alive() and order == [], "closed while somebody is inside:", order)
    leave.set()
    guest.join(60)
    closer.join(60)
    expect(order == ["left", "closed"], order)


CLOSING = """
import sys, threading, tauler
for turn in range(15):
    db = tauler.open(sys.argv[1])
    awari = db.select("auale", "awari")
    nine, ended, begun = awari.slice(9), [], threading.Barrier(7)
    def ask(number):
        begun.wait()
        try:
            while True:
                if number % 3 == 0: assert awari.probe(sys.argv[2]).value == 9
                elif number % 3 == 1: assert len(nine.values(number, number + 5000)) == 5000
                else: assert nine.position(number * 1000)
        except tauler.Closed:
            ended.append(number)
    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads: thread.start()
    begun.wait()
    threading.Event().wait(0.002 * turn)
    db.close()
    for thread in threads: thread.join()
    assert sorted(ended) == list(range(6)), ended
print("whole")
"""


def closing_while_others_ask(_):
    """In a process of its own, since what goes wrong here ends it."""
    expect(run_python(CLOSING, DB, PROVED) == "whole\n", "not whole")


def threads(_):
    """Threads have the answers that one has."""
    with tauler.open(DB, cache_bytes=1 << 16) as db:
        awari = db.select("auale", "awari")
        texts = [awari.slice(9).position(index) for index in range(0, 167_000, 2_000)]
        alone = [awari.probe(text) for text in texts]
        found = [None] * 4

        def ask(number):
            order = list(range(len(texts)))
            random.Random(number).shuffle(order)
            mine = {i: awari.probe(texts[i]) for i in order}
            found[number] = [mine[i] for i in range(len(texts))]

        asking = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        expect(all(each == alone for each in found), "threads have other answers")


INTERRUPT = """
import os, signal, sys, threading, time, tauler
db = tauler.open(sys.argv[1])
awari = db.select("auale")
def while_it_searches(what):
    def wait():
        while not any(thread.name == "tauler-search" for thread in threading.enumerate()):
            time.sleep(0.01)
        time.sleep(0.2)
        what()
    threading.Thread(target=wait).start()
try:
    while_it_searches(lambda: os.kill(os.getpid(), signal.SIGINT))
    awari.search(sys.argv[2])
except KeyboardInterrupt:
    print("interrupted")
for thread in threading.enumerate():
    if thread.name == "tauler-search":
        thread.join(600)
        print("ended" if not thread.is_alive() else "goes on")
while_it_searches(db.close)
answer = awari.search(sys.argv[2])
print(db.closed, answer.searched.proven, answer.bounds is not None)
"""
FAR = "2-1-3-0-1-2-1-3-0-1-2-2-0-0-S"  # eighteen seeds: nobody solves it in a second


def searches(_):
    """Proven values are true, limits hold, and a search ends on request."""
    with tauler.open(DB) as db:
        awari = db.select("auale")
        # A move captures all that separates this board of ten seeds from the tables.
        start = "0-0-1-0-2-1-1-0-0-3-0-2-20-18-S"
        best = awari.search(start, positions=100_000)
        expect(best.searched.proven and best.bounds.exact and best.bounds.depth is None, best)
        child = max(-awari.value(move.position).value + 10 - sum(map(int, move.position.split("-")[:12]))
                    for move in best.moves if move.converts)
        expect(best.value >= child, best.value, "is less than that of a capture,", child)
        expect(awari.probe(PROVED).searched is None and awari.search(PROVED) == awari.probe(PROVED), "tables answer")
        short = awari.search(FAR, positions=3000)
        expect(3000 <= short.searched.positions < 6000 and not short.searched.proven, short.searched)
        expect(short == dataclasses.replace(awari.search(FAR, positions=3000), searched=short.searched), "not the same")
        asked = []
        stopped = awari.search(FAR, stop=lambda: len(asked) > 3 or asked.append(0))
        expect(len(asked) == 4 and not stopped.searched.proven, stopped.searched)
        try:
            awari.search(FAR, stop=lambda: 1 // 0)
            raise building.Failure("an exception is lost")
        except ZeroDivisionError:
            pass
        for limits in ({"seconds": -1}, {"seconds": float("nan")}, {"positions": -1}, {"memory": 1 << 64}):
            raises(tauler.BadUsage, lambda: awari.search(FAR, **limits), "limits")
        expect(db.select("oca").search("oca:0,0/1") == db.select("oca").probe("oca:0,0/1"), "tables of dice answer")
        raises(tauler.BadUsage, lambda: db.select("oca", "base,goose-59=stay").search("oca:0,0/1"))
        raises(tauler.BadPosition, lambda: awari.search("nonsense"))
    said = run_python(INTERRUPT, DB, FAR).splitlines()
    expect("goes on" not in said and (said[0], said[-1]) == ("interrupted", "True False True"), said)


# --- the library -----------------------------------------------------------------------------------------------------

WHERE = "import tauler, tauler._library as c\ntauler.open('.').close()\nprint(c.load()._name)"


def finding_the_library(folder):
    """By its variable alone; beside an installed module; what is wrong is said."""
    for named in (os.path.join(SHARED, "nothing.so"), __file__):
        os.environ["TAULER_LIBRARY"], kept = named, os.environ["TAULER_LIBRARY"]
        try:
            c.load.cache_clear()
            raises(tauler.Unavailable, lambda: tauler.open(DB), named, "TAULER_LIBRARY")
        finally:
            os.environ["TAULER_LIBRARY"] = kept
            c.load.cache_clear()
    installed = os.path.join(folder, "lib", "python3", "dist-packages")
    shutil.copytree(asking_python.MODULE / "tauler", os.path.join(installed, "tauler"))
    library = os.path.join(folder, "lib", "libtauler.so.0")
    shutil.copy(asking_python.LIBRARY, library)
    found = run_python(WHERE, PYTHONPATH=installed, TAULER_LIBRARY="").strip()
    expect(os.path.realpath(found) == os.path.realpath(library), found)
    os.remove(library)
    shutil.copytree(asking_python.MODULE, os.path.join(folder, "tree", "analysis", "python"))
    os.mkdir(os.path.join(folder, "tree", "build"))
    library = os.path.join(folder, "tree", "build", "libtauler.so.0")
    shutil.copy(asking_python.LIBRARY, library)
    found = run_python(WHERE, PYTHONPATH=os.path.join(folder, "tree", "analysis", "python"), TAULER_LIBRARY="").strip()
    expect(os.path.realpath(found) == os.path.realpath(library), found)


def library_that_is_older(folder):
    """A library without a function that is needed is refused at once."""
    compiler = next((name for name in ("gcc", "cc", "clang") if shutil.which(name)), None)
    if not compiler:
        raise Skip("no C compiler")
    os.makedirs(folder)
    source, library = os.path.join(folder, "old.c"), os.path.join(folder, "old.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write("int tauler_open(void) { return 0; }\n")
    subprocess.run([compiler, "-shared", "-fPIC", source, "-o", library], check=True)
    program = "import tauler\ntry: tauler.open('.')\nexcept tauler.Unavailable as e: print(e)"
    expect("older than this module" in run_python(program, TAULER_LIBRARY=library), "taken all the same")


def handles_stay_where_they_are(_):
    with tauler.open(DB) as db:
        tables = db.select("auale")
        for handle in (db, tables, tables.slice(2)):
            for send in (pickle.dumps, copy.copy, copy.deepcopy):
                try:
                    send(handle)
                    raise building.Failure(f"{handle!r} was copied")
                except TypeError as error:
                    expect("open the folder" in str(error), error)


def library_of_another_version(_):
    kept, c.VERSION = c.VERSION, "7.0"
    try:
        c.load.cache_clear()
        raises(tauler.Unavailable, lambda: tauler.open(DB), f"is version {kept}", "is for 7.0")
    finally:
        c.VERSION = kept
        c.load.cache_clear()


asking_python.build_tables()
run_cases([documented_errors, every_code, damaged_tables, contents, closed_for_good, forgotten, closing_waits,
           closing_while_others_ask, threads, searches, finding_the_library, library_that_is_older,
           handles_stay_where_they_are, library_of_another_version])
