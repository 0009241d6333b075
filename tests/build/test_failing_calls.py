#!/usr/bin/env python3
# Tier: make check
"""Every command on small tables, with the k-th call for memory or for a file made to fail: it ends with the exit
code of that failure and one message, or does its work all the same; and input that never ends."""
import concurrent.futures
import contextlib
import hashlib
import http.client
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True
from building import CHECK, LONG, TAULER, Skip, build, environment, expect, files, run, run_cases, start

LIBRARY = os.path.abspath(os.path.join(os.environ.get("TAULER_BUILD", "build"), "tests/support/started/failing_calls.so"))
KINDS = ("memory", "files")
CODES = {"memory": (69,), "files": (69, 74)}
STATE = struct.Struct("=2q2q64sQ")
SECONDS = 300
# Of the calls of a command so many are made to fail, alone and with all behind them.
SAMPLE = 2000 if LONG else 60 if CHECK else 2
WHOLE = ("games", "plan_boards", "analyse")  # each of their calls is made to fail alone

RECORD = '[Game "auale"]\n[Rules "awari"]\n[Position "0-0-0-0-1-1-0-0-0-0-1-0-0-0-S"]\n\n1. F\n'
ABAPA = ("--rules", "abapa", "--cycles", "own-row")


def made(folder):
    """A folder of small tables of every game."""
    build(folder, "--seeds", "3", "--depth", "--quiet")
    build(folder, *ABAPA, "--seeds", "3", "--depth", "--quiet")
    build(folder, "--material", "Ee", "--quiet", game="doushouqi")
    build(f"{os.path.dirname(folder)}/animals", "--pieces", "2", "--quiet", game="doushouqi")
    build(folder, "--board", "3x3", "--quiet", game="phutball")
    build(folder, "--board", "20", "--quiet", game="oca-asesina")
    return folder


# Name, arguments, whether it writes to the folder of tables. DB stands for that folder, NEW for one to be made.
COMMANDS = {
    "games": ["games"],
    "plan": ["plan", "auale", "--seeds", "12" if CHECK else "8"],
    "plan_boards": ["plan", "phutball", "--board", "3x3"],
    "build_awari": ["build", "auale", "--seeds", "3", "--depth", "--threads", "1", "--quiet", "--db", "NEW"],
    "build_own_row": ["build", "auale", *ABAPA, "--seeds", "3", "--threads", "1", "--quiet", "--db", "NEW"],
    "build_animals": ["build", "doushouqi", "--material", "Ee", "--threads", "1", "--quiet", "--db", "NEW"],
    "build_boards": ["build", "phutball", "--board", "3x3", "--threads", "1", "--quiet", "--db", "NEW"],
    "build_dice": ["build", "oca-asesina", "--board", "20", "--threads", "1", "--quiet", "--db", "NEW"],
    "probe": ["probe", "auale", "0-0-0-0-1-1-0-0-0-0-1-0-0-0-S", "--line", "--db", "DB"],
    "probe_line": ["probe", "auale", "0-0-0-0-0-1-0-0-0-0-1-1-0-0-S moves Ff", *ABAPA, "--json", "--db", "DB"],
    "probe_animals": ["probe", "doushouqi", "7/7/3e3/7/7/7/7/6E/7 w", "--json", "--db", "DB"],
    "probe_boards": ["probe", "phutball", "3/1o1/3 O", "--json", "--db", "DB"],
    "probe_dice": ["probe", "oca-asesina", "--board", "20", "0/0 lost=0,0 seat=1", "--json", "--db", "DB"],
    "search": ["probe", "auale", "0-0-0-0-1-1-0-0-0-1-1-0-0-0-S", "--search", "5s", "--json", "--db", "DB"],
    "analyse": ["analyse", "RECORD", "--db", "DB"],
    "analyse_json": ["analyse", "RECORD", "--json", "--db", "DB"],
    "stats": ["stats", "auale", "--seeds", "3", "--db", "DB", "--threads", "1"],
    "stats_animals": ["stats", "doushouqi", "--material", "Ee", "--depths", "--db", "DB", "--threads", "1"],
    "stats_dice": ["stats", "oca-asesina", "--board", "20", "--db", "DB", "--threads", "1"],
    "games_played": ["stats", "oca-asesina", "--board", "20", "--simulate", "100", "--db", "DB", "--threads", "1"],
    "verify": ["verify", "auale", "--seeds", "3", "--db", "DB", "--threads", "1"],
    "verify_own_row": ["verify", "auale", *ABAPA, "--seeds", "3", "--db", "DB", "--threads", "1"],
    "verify_animals": ["verify", "doushouqi", "--material", "Ee", "--db", "DB", "--threads", "1"],
    "verify_boards": ["verify", "phutball", "--board", "3x3", "--db", "DB", "--threads", "1"],
    "verify_dice": ["verify", "oca-asesina", "--board", "20", "--db", "DB", "--threads", "1"],
    "export": ["export", "auale", "--seeds", "3", "--to", "NEW", "--db", "DB"],
    "export_arrays": ["export", "doushouqi", "--material", "Ee", "--npy", "--to", "NEW", "--db", "DB"],
    "learn": ["learn", "oca-asesina", "--board", "20", "--tokens", "2", "--games", "50", "--out", "NET"],
    "publish": ["publish", "NEW", "--db", "DB", "--no-page"],
    "publish_page": ["publish", "NEW", "--db", "DB", "--module", "RECORD"],
    "fetch": ["fetch", "PUBLISHED", "--db", "NEW"],
    "figures": ["figures", "animal-traps", "--pieces", "2", "--threads", "1", "--db", "ANIMALS"],
    "claims": ["claims", "--list"],
    "help": ["help", "build"],
}


def content(folder):
    """The digest of each file below a folder."""
    found = {}
    for path in files(folder)[0]:
        with open(path, "rb") as file:
            found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
    return found


class Fault:
    """What fails in a program that is started, and what has failed when it has ended."""

    def __init__(self, folder, fail):
        self.state = os.path.join(folder, "state")
        with open(self.state, "wb") as file:
            file.write(STATE.pack(*(fail.get(kind, 0) for kind in KINDS), 0, 0, b"", 0))
        self.environment = {**environment(), "LD_PRELOAD": LIBRARY, "FAILING_STATE": self.state,
                            "FAILING_PROGRAM": os.path.realpath(TAULER)}

    def read(self):
        with open(self.state, "rb") as file:
            _, _, *calls, name, self.place = STATE.unpack(file.read())
        self.calls = dict(zip(KINDS, calls))
        self.failed = name.rstrip(b"\0").decode()


class Attempt:
    """A command in a folder of its own."""

    def __init__(self, world, words, fail):
        self.folder = tempfile.mkdtemp(dir=world)
        places = {"DB": f"{world}/db", "NEW": f"{self.folder}/new", "NET": f"{self.folder}/net",
                  "RECORD": f"{world}/game.pgn", "ANIMALS": f"{world}/animals", "PUBLISHED": f"{world}/published"}
        self.fault = Fault(self.folder, fail)
        self.done = subprocess.run([os.path.abspath(TAULER), *(places.get(word, word) for word in words)],
                                   stdin=subprocess.DEVNULL, capture_output=True, env=self.fault.environment,
                                   cwd=self.folder, timeout=SECONDS, check=False)
        self.fault.read()
        self.made = content(places["NEW"])
        self.output = self.done.stdout.replace(self.folder.encode(), b"FOLDER")
        self.output = b" ".join(self.output.split())  # without memory lines are not wrapped
        self.words = re.sub(rb"[\d.,:]+ *[KMGT]?i?B?", b"0", self.output)
        if words[0] == "plan":  # what is tried where memory is short says little of the time, or nothing
            self.words = self.words.partition(b" time ")[0]

    def remove(self):
        shutil.rmtree(self.folder)


def ordinals(count):
    if count <= SAMPLE:
        return range(1, count + 1)
    return sorted({1 + step * (count - 1) // (SAMPLE - 1) for step in range(SAMPLE)})


def wrong(whole, attempt, kind):
    """What is wrong about how a command with a failed call ended; None: nothing."""
    code = attempt.done.returncode
    said = attempt.done.stderr.decode()
    if not attempt.fault.failed:
        return None  # fewer calls than last time
    if code == 0:
        if attempt.words != whole.words or whole.stable and attempt.output != whole.output:
            return "another output"
        # A lock that cannot be read is not known to be one's own, and stays.
        return None if {name for name in attempt.made if ".tauler-lock" not in name} == {*whole.made} else "other files"
    if code not in CODES[kind]:
        return f"exit code {code}"
    if not re.search("^tauler", said, re.MULTILINE):
        return "no message"
    return None


def attempt_all(world, name, words):
    whole = Attempt(world, words, {})
    expect(whole.done.returncode == 0, name, whole.done.stderr.decode())
    again = Attempt(world, words, {})
    whole.stable = whole.output == again.output and not name.startswith(("plan", "verify", "learn"))
    again.remove()
    calls = whole.fault.calls
    tries = [(kind, k) for kind in KINDS
             for k in [*(range(1, calls[kind] + 1) if name in WHOLE else ordinals(calls[kind])),
                       *(-k for k in ordinals(calls[kind]))]]
    found = []

    def one(kind_k):
        kind, k = kind_k
        attempt = Attempt(world, words, {kind: k})
        what = wrong(whole, attempt, kind)
        if what:
            found.append(f"{name}: {kind} {k} of {whole.fault.calls[kind]}, {attempt.fault.failed} at {attempt.fault.place:#x}: {what}: "
                         f"{attempt.done.stderr.decode()[:200]}")

        attempt.remove()

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, tries))
    whole.remove()
    return len(tries), found


def every_call_of_every_command(world):
    os.makedirs(world)
    made(f"{world}/db")
    run("build", "doushouqi", "--pieces", "2", "--quiet", "--db", f"{world}/animals")
    with open(f"{world}/game.pgn", "w", encoding="ascii") as file:
        file.write(RECORD)
    run("publish", f"{world}/published", "--db", f"{world}/db", "--no-page")
    found = []
    tried = 0
    for name, words in COMMANDS.items():
        count, more = attempt_all(world, name, words)
        tried += count
        found += more
    expect(tried > 100 and not found, f"{len(found)} of {tried}:", *found)


def answers_of_a_server(folder, fail):
    """The fault, the exit code of a server that answers once, and what it said."""
    os.makedirs(folder, exist_ok=True)
    fault = Fault(folder, fail)
    with start("serve", "--db", f"{folder}/../db", "--port", "0", "--threads", "1", env=fault.environment) as process:
        address = urllib.parse.urlsplit(process.stdout.readline().strip())
        if address.hostname:
            try:
                with contextlib.closing(http.client.HTTPConnection(address.netloc, timeout=SECONDS)) as connection:
                    connection.request("GET", "/v1/auale/awari?pos=0-0-0-0-1-1-0-0-0-0-1-0-0-0-S")
                    connection.getresponse().read()
            except (OSError, http.client.HTTPException):
                pass  # an answer may be lost, the server may not
            process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=SECONDS)[1]
    fault.read()
    return fault, process.returncode, said


def a_server_lives_or_says_why_not(world):
    os.makedirs(world)
    build(f"{world}/db", "--seeds", "3", "--depth", "--quiet")
    whole, code, said = answers_of_a_server(f"{world}/whole", {})
    if "built without HTTP" in said:
        raise Skip("the program was built without HTTP")
    expect(code == 0 and whole.calls["memory"] > 50, code, said, whole.calls)
    for kind in KINDS:
        for k in ordinals(whole.calls[kind]):
            for sign in (1, -1):
                fault, code, said = answers_of_a_server(f"{world}/{kind}{sign * k}", {kind: sign * k})
                expect(code == 0 or code in CODES[kind] and re.search("^tauler", said, re.MULTILINE), kind, sign * k,
                       f"{fault.failed} at {fault.place:#x}: exit code", code, said)


def endless_input_is_refused(world):
    """Lines, games and comments without an end are refused before they take much memory."""
    os.makedirs(world)
    build(f"{world}/db", "--seeds", "3", "--quiet")
    limit = ["bash", "-c", 'ulimit -v 1000000; exec "$@"', "limit", TAULER]
    record = ("analyse", "-", "--game", "auale")
    for command, text, wanted in (
            (record, b"A" * 3000000, "the line has more than"), (record, b"{x}\n" * 200000, "moves and comments"),
            (record, b"{" + b"word word\n" * 600000, "comment is too long"),
            (record, b"".join(b'[A%d "b"]\n' % i for i in range(257)), "the game has more than 256 tags"),
            (record, (b"{" + b"word " * 100000 + b"}\n") * 20, "the game has more than 4194304 bytes"),
            (record, b"A { " + b"x" * 400000 + b"\n}\n", None),
            (("probe", "auale"), b"0-" * 3000000, "line 1 has more than 4194304 bytes")):
        done = subprocess.run([*limit, *command, "--db", f"{world}/db"], input=text, capture_output=True,
                              env=environment(), check=False, timeout=SECONDS)
        expect(done.returncode == (65 if wanted else 66), done.returncode, done.stderr[:300])
        expect(not wanted or wanted in done.stderr.decode(), wanted, done.stderr[:300])


def what_cannot_be_looked_at_is_not_passed_over(world):
    """It may be a folder of tables."""
    build(world, "--seeds", "1", "--quiet")
    os.symlink("x" * 300, os.path.join(world, "auale", "beyond"))
    done = run("verify", "--db", world, exit_code=74)
    expect("auale/beyond" in done.stderr, done.stderr)


run_cases([every_call_of_every_command, a_server_lives_or_says_why_not, endless_input_is_refused,
           what_cannot_be_looked_at_is_not_passed_over])
