#!/usr/bin/python3
# Tier: make check
"""The wheels of other systems: tags against symbols, and answers of their libraries where they can be run."""
import atexit
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import zipfile

import asking_python
from asking_python import ROOT
from building import Skip, build, expect, run_cases

asking_python.leave_without_library()
BUILD = asking_python.LIBRARY.parent
DIST = ROOT / "dist" if BUILD == ROOT / "build" else BUILD / "dist"
SHARED = pathlib.Path(tempfile.mkdtemp(prefix="tauler-wheels."))
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
OBJDUMP = {"x86_64": "objdump", "aarch64": "aarch64-linux-gnu-objdump"}
RUN = {"x86_64": [], "aarch64": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]}
POSITIONS = [("auale", "awari", "0-0-0-0-1-0-1-0-0-0-0-1-23-22-S"), ("doushouqi", "base", "7/7/7/1r5/7/7/2L4/7/7 w")]


def wheels():
    """Platform, folder and libraries of each."""
    if os.uname().machine != "x86_64":
        raise Skip("made on x86-64 only")
    for path in sorted(DIST.glob("*.whl")):
        folder = SHARED / path.stem
        with zipfile.ZipFile(path) as packed:
            packed.extractall(folder)
            expect(f"Tag: {'-'.join(path.stem.split('-')[2:])}\n" in packed.read(
                next(name for name in packed.namelist() if name.endswith("/WHEEL"))).decode(), path.name)
        yield path.stem.split("-")[-1], folder / "tauler", sorted((folder / "tauler").glob("*.so.*"))


def output(*command, **settings):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **settings).stdout


def tags_are_what_symbols_need(_):
    kinds = set()
    for platform, _, libraries in wheels():
        machine = re.fullmatch(r".*?_(x86_64|aarch64)", platform)[1]
        symbols = "".join(output(OBJDUMP[machine], "-T", str(path)) for path in libraries)
        needed = "".join(output(OBJDUMP[machine], "-p", str(path)) for path in libraries)
        minors = [int(minor) for minor in re.findall(r"\(GLIBC_2\.(\d+)", symbols)]
        if platform.startswith("musllinux"):
            expect(not minors and re.findall(r"NEEDED +(\S+)", needed) == ["libc.so"], platform, minors, needed)
        else:
            expect(platform == f"manylinux_2_{max(minors)}_{machine}", platform, "needs", max(minors))
        alone = len(libraries) == 1
        expect(alone or [path.name for path in libraries] == ["libgomp.so.1", "libtauler.so.0", "libzstd.so.1"], libraries)
        expect(not alone or not minors or max(minors) <= 28, platform, "is for no older system")
        exported = re.findall(r" g +D[FO] +\.(?:text|rodata)\s.*?(\S+)\n", output(OBJDUMP[machine], "-T", str(
            next(path for path in libraries if path.name.startswith("libtauler")))))
        expect(exported and all(name.startswith("tauler_") for name in exported), exported)
        kinds.add((platform.partition("linux")[0], machine, alone))
    expect(kinds == {("many", "x86_64", False), ("many", "x86_64", True), ("musl", "x86_64", True),
                     ("many", "aarch64", False), ("many", "aarch64", True)}, kinds)


def libraries_answer(folder):
    """A program of C over each library says what one over the library of this machine says."""
    build(folder, "--seeds", "3", "--quiet")
    build(folder, "--material", "Lr", "--quiet", game="doushouqi")
    header = SHARED / "include"
    header.mkdir()
    for path in "analysis/probe/tauler.h", "base/tauler_error.h":
        shutil.copy(ROOT / path, header)

    def ask(compiler, libraries, runner):
        program = SHARED / "best_move"
        subprocess.run([*compiler, "-std=c11", "-I", str(header), str(ROOT / "analysis/examples/best_move.c"), "-o", str(program),
                        f"{libraries}/libtauler.so.0", f"-Wl,-rpath,{libraries}", "-Wl,--allow-shlib-undefined"], check=True)
        return [output(*runner, str(program), folder, *position) for position in POSITIONS]

    wanted = ask(["gcc"], BUILD, [])
    for platform, libraries, _ in wheels():
        machine = "aarch64" if platform.endswith("aarch64") else "x86_64"
        compiler = "musl-gcc" if platform.startswith("musl") else "aarch64-linux-gnu-gcc" if machine == "aarch64" else "gcc"
        got = ask([compiler], libraries, RUN[machine])
        expect(got == wanted, platform, got, "is not", wanted)


run_cases([tags_are_what_symbols_need, libraries_answer])
