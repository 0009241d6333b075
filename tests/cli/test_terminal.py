#!/usr/bin/env python3
# Tier: make check
"""Results as a terminal shows them: lines of every game and command fit 100 columns, values have their colours, and
text of strangers reaches it escaped."""
import ctypes
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata

sys.dont_write_bytecode = True
from building import CHECK, TAULER, environment, expect, run, run_cases, start

COLUMNS = 100
# For each game: the options of a build, positions, and further counts.
BUILDS = [
    ("auale", ["--seeds", "9", "--depth"], [], ["0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", "--line"], ["--depths", "--total"]),
    ("auale", ["--seeds", "8", "--depth"], ["--rules", "abapa"], ["0-0-1-0-2-1-1-0-0-2-0-1-20-20-S", "--line"],
     ["--depths", "--total"]),
    ("auale", ["--seeds", "5", "--depth"], ["--rules", "abapa", "--cycles", "own-row"],
     ["0-0-1-0-2-0-1-0-0-1-0-0-21-21-S moves E"], ["--total"]),
    ("auale", ["--seeds", "5"], ["--rules", "awari,grand-slam=captures"], ["0-0-1-0-2-0-1-0-0-1-0-0-20-23-S"], []),
    ("doushouqi", ["--pieces", "2"], [], ["7/7/3e3/7/6L/7/7/7/7 w", "--line"], ["--depths", "--total"]),
    ("doushouqi", ["--material", "Lr"], ["--rules", "liacs"], ["7/7/7/1r5/7/7/2L4/7/7 w"], ["--total"]),
    ("phutball", ["--board", "5x3"], [], ["3/1x1/1o1/3/3 O", "--line"], ["--depths", "--total"]),
    ("oca", ["--players", "2"], [], ["oca:12,19~2/1"], ["--simulate", "1000"]),
    ("oca-asesina", ["--tokens", "2", "--width", "1e-1"], ["--board", "20"], ["0,5/12,0 lost=0,1 seat=1"],
     ["--policies", "--sample", "1000"]),
]
RECORD = "analysis/examples/game.ogn"
OWN_ROW = ["auale", "--rules", "abapa", "--cycles", "own-row"]
COLORED = re.compile("\033\\[(3[123])m(.*?)\033\\[0m", re.S)
COUNT = re.compile(" *[0-9]+ +[0-9.]+ %")
COUNTS = re.compile("\033\\[3[123]m" + COUNT.pattern + "\033\\[0m")
RED, GREEN, YELLOW = "31", "32", "33"
NAMES = {"win": GREEN, "wins": GREEN, "Draw": YELLOW, "draw": YELLOW, "a draw": YELLOW, "loss": RED, "loses": RED, "proven": GREEN,
         "damaged": RED, "files only": YELLOW}


def expect_narrow(what, *texts):
    for text in texts:
        for line in text.splitlines():
            expect(len(line) <= COLUMNS, what, "prints", len(line), "columns:", line)


def narrow(*arguments, exit_code=0):
    """Runs the program, whose results are narrow, and returns them."""
    done = run(*arguments, exit_code=exit_code)
    expect(done.stdout, "nothing is printed by", arguments)
    expect_narrow(" ".join(arguments), done.stdout)
    return done


def commands_on_tables(folder):
    for game, sizes, rules, position, counted in BUILDS:
        at = [*rules, "--db", folder]
        for _ in ("built", "kept"):
            built = narrow("build", game, *sizes, *at)
            expect_narrow("build on standard error", built.stderr)
        size = [word for word in sizes if word != "--depth"]
        if "--width" in size:
            size = size[:size.index("--width")]
        narrow("probe", game, *position, *at)
        narrow("stats", game, *size, *at, *counted)
        narrow("stats", game, *size, *at)
        narrow("plan", game, *sizes, *at)
        for form in ([], ["--npy"]):
            narrow("export", game, *size, *at, "--to", folder + ".copies", *form)
    narrow("analyse", RECORD, "--db", folder, "--rules", "abapa")
    narrow("verify", "--db", folder)
    os.remove(os.path.join(folder, "auale/abapa/forced/3.upper.zst"))
    narrow("verify", "auale", "--db", folder, exit_code=66)


def each_digest_stands_on_a_line(folder):
    run("build", "oca", "--players", "1", "--db", folder)
    shown = narrow("probe", "oca", "--players", "1", "--db", folder, "oca:12/1", "--verbose").stdout
    digests = shown[shown.index("\nTable ") + len("\nTable "):].split()
    expect(len(digests) == 6 and all(len(digest) == 32 for digest in digests), shown)


def plans(folder):
    for options in (["auale", "--seeds", "40"], ["auale", "--seeds", "36", "--ranks", "64", "--threads", "16"],
                    ["auale", "--seeds", "30", "--memory", "400M"], ["doushouqi", "--pieces", "6"],
                    ["phutball", "--board", "6x4"], ["oca", "--players", "4"],
                    ["auale", "--seeds", "36", "--ranks", "64", "--memory", "2G", "--disk", "2G"]):
        narrow("plan", *options, "--db", folder, exit_code=None)


def searches(folder):
    for game, position in (("auale", "2-1-3-0-1-2-1-3-0-1-2-2-0-0-S"), ("phutball", "7/7/7/2xxx2/3o3/7/7/7/7 O"),
                           ("doushouqi", "7/7/3e3/7/6L/7/3dT2/7/7 w")):
        shown = narrow("probe", game, position, "--search-positions", "2000", "--db", folder)
        expect("searched" in shown.stdout, shown.stdout)


def games_and_claims(folder):
    narrow("games")
    narrow("claims", "--list")
    for claim in (["auale-abapa-path", "--seeds", "3"], ["doushouqi-rat", "--pieces", "2"], ["oca-well", "--players", "2"],
                  ["oca-asesina-skill", "--tokens", "1"], ["phutball-one-dimension"]):
        narrow("claims", *claim, "--db", folder)


def color_of(text):
    """By what the text says: a name, or a number or bounds on one side of zero; None: no colour."""
    text = text.strip()
    named = re.match("(win|draw|loss) [0-9.]+ %$", text)
    if named or text in NAMES:
        return NAMES[named[1] if named else text]
    bounds = [int(number) for number in re.findall("[+-]?[0-9]+", text)]
    if min(bounds) > 0:
        return GREEN
    if max(bounds) < 0:
        return RED
    return YELLOW if min(bounds) == max(bounds) == 0 else None


def plain(text):
    return re.sub("\033\\[[0-9]*m", "", text)


def timeless(text):
    """Without the seconds that end what verify prints."""
    return re.sub(r";\s+[0-9.]+\s+s\s*\Z", "", text)


def with_environment(**settings):
    known = {name: value for name, value in environment().items() if name != "NO_COLOR"}
    return {**known, **settings}


def on_a_terminal(*arguments, stream="stdout", **settings):
    """The output of the program on a pseudo-terminal."""
    ours, theirs = os.openpty()
    with start(*arguments, **{stream: theirs}, env=with_environment(**settings)) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # the other end is closed
            pass
        process.communicate()
    os.close(ours)
    return timeless(shown.decode().replace("\r\n", "\n"))


def nothing_is_silent_on_a_terminal(folder):
    """A bar says from the start of a step that there is one; a pipe gets none."""
    run("build", "auale", "--seeds", "6", "--depth", "--db", folder)
    run("build", "oca", "--players", "1", "--db", folder)
    at = ["--db", folder]
    with open(f"{folder}-record", "w", encoding="ascii") as record:
        record.write("1-0-0-0-0-0-0-0-0-0-1-0-23-23-S moves A")
    commands = {"slice 6": ["stats", "auale", "--seeds", "6", "--depths", *at],
                "slice 5": ["export", "auale", "--seeds", "6", "--to", f"{folder}-copies", *at],
                "awari, slice 6": ["verify", *at],
                "elimination": ["stats", "oca", "--players", "1", "--exact"],
                "analyse": ["analyse", f"{folder}-record", "--game", "auale", *at],
                "search": ["probe", "auale", "1-1-1-1-1-1-1-1-1-1-1-1-0-0-S", "--search-positions", "10", *at],
                "measuring small slices": ["plan", "auale", "--seeds", "12", *at]}
    for step, command in commands.items():
        shown = on_a_terminal(*command, stream="stderr")
        expect(re.search(f"(^|[\rK]){step}  ", shown), command, "does not show", step, "but", repr(shown))
        expect(shown.endswith("\033[K"), command, "leaves a bar:", repr(shown))


def in_a_pipe(*arguments, **settings):
    return timeless(run(*arguments, exit_code=None, env=with_environment(**settings)).stdout)


def build_for_colors(folder):
    """Tables of wins, losses and open bounds, one of them damaged and one without what it rests on."""
    for game, *sizes in (["auale", "--rules", "abapa", "--seeds", "8", "--depth"], [*OWN_ROW, "--seeds", "5"],
                         ["doushouqi", "--pieces", "2", "--depth"], ["phutball", "--board", "5x3"]):
        run("build", game, *sizes, "--db", folder)
    os.remove(os.path.join(folder, "auale/abapa/forced/3.upper.zst"))
    with open(os.path.join(folder, "phutball/base/5x3.value.zst"), "r+b") as table:
        table.truncate(100)


def colored_commands(folder):
    at = ["--db", folder]
    abapa = ["auale", "--rules", "abapa"]
    return [["probe", *abapa, "0-0-1-0-2-0-1-0-0-1-0-1-21-21-S", "--line", *at],
            ["probe", *OWN_ROW, "0-0-1-0-2-0-1-0-0-1-0-0-21-21-S moves E", *at],
            ["probe", "doushouqi", "7/7/3e3/7/6L/7/7/7/7 w", *at],
            ["stats", *OWN_ROW, "--seeds", "4", *at],
            ["stats", "doushouqi", "--pieces", "2", "--depths", "--total", *at],
            ["analyse", RECORD, "--rules", "abapa", *at],
            ["verify", *at]]


def results_have_their_colors_on_a_terminal(folder):
    build_for_colors(folder)
    found = set()
    for command in colored_commands(folder):
        bare = in_a_pipe(*command)
        expect(bare and "\033" not in bare, "colours in a pipe:", command, bare)
        colored = in_a_pipe(*command, "--color", "always")
        expect(plain(colored) == bare, "colours change the text of", command, colored)
        expect_narrow(command, plain(colored))
        for line in colored.splitlines():
            columns = [color for color, text in COLORED.findall(line) if COUNT.fullmatch(text)]
            expect(columns in ([], [GREEN, YELLOW, RED]), "wins, draws and losses are", columns, "in", line)
        marked = COLORED.findall(COUNTS.sub("", colored))
        if command[0] == "analyse":  # values have the colour of the game's result
            moves = json.loads(in_a_pipe(*command, "--json"))["moves"]
            wanted = [NAMES[move[when]] for move in moves for when in ("after", "before") if move[when] in NAMES]
            numbers = [color for color, text in marked if text.strip() not in NAMES]
            expect(numbers == wanted, "colours are", numbers, "not", wanted)
            marked = [(color, text) for color, text in marked if text.strip() in NAMES]
        if command[0] == "probe":  # the winner is green for who is to move
            mover = "North" if " E" in command[-3] else "South"
            winners = [(color, text) for color, text in marked if text in ("South wins", "North wins")]
            expect(all((color == GREEN) == text.startswith(mover) for color, text in winners), command, winners)
            marked = [one for one in marked if one not in winners]
        for color, text in marked:
            expect(color == (wanted := color_of(text) or "none"), repr(text), "is", color, "not", wanted, "by", command)
            found.add((color, text.strip()))
        expect(on_a_terminal(*command) == colored, "other colours on a terminal:", command)
    for text, color in NAMES.items():
        expect((color, text) in found or text in ("wins", "a draw", "loses", "Draw"), "no", text, "is coloured")
    expect({(RED, "-3"), (GREEN, "+4")} < found, sorted(found))


def colors_are_asked_for_and_refused(folder):
    build_for_colors(folder)
    for command in colored_commands(folder):
        bare, colored = in_a_pipe(*command), in_a_pipe(*command, "--color=always")
        expect(colored != bare, command)
        for wanted, arguments, settings in ((bare, ["--color=never"], {}), (bare, [], {"NO_COLOR": "1"}),
                                            (colored, [], {"NO_COLOR": ""}), (colored, ["--color", "auto"], {}),
                                            (colored, ["--color", "always"], {"NO_COLOR": "1"})):
            expect(on_a_terminal(*command, *arguments, **settings) == wanted, command, arguments, settings)
        for form in {"stats": ["--csv", "--json"], "analyse": ["--json", "--ogn"]}.get(command[0], ["--json"]):
            shown = on_a_terminal(*command, form, "--color=always")
            expect(shown and "\033" not in shown, "colours in", form, "of", command)
        refused = run(*command, "--color=sometimes", exit_code=64).stderr
        expect("--color sometimes: one of these is wanted: auto always never" in refused, refused)


# What a terminal obeys, and what turns the direction of writing: bytes, C1 in UTF-8 and by itself, marks.
STRANGE = b"x\x1b[31m\x1b]0;t\x07\x08\r\x7f\xe2\x80\xaeabc\xe2\x80\x8f\xe2\x81\xa6\xef\xbb\xbf\xc2\x9b31m\x9b1mz"
SHOWN = r"x\x1b[31m\x1b]0;t\x07\x08\r\x7f\u202eabc\u200f\u2066\ufeff\u009b31m\x9b1mz"
FORBIDDEN = ("Cc", "Cf", "Zl", "Zp", "Cs")
# For each command: words with which it looks at its options, and does little.
LITTLE = {"games": [], "plan": ["auale", "--seeds", "2"], "build": ["auale", "--seeds", "2", "--yes"],
          "probe": ["auale", "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"], "analyse": [RECORD], "stats": ["auale", "--seeds", "2"],
          "verify": [], "proof": ["auale", "--seeds", "2"], "learn": ["oca-asesina", "--games", "none"],
          "claims": ["none"], "export": ["auale", "--seeds", "2", "--to", "copies"], "publish": ["published"],
          "fetch": ["none"], "serve": ["--port", "none"], "bench": ["none"]}


def shows_nothing_raw(folder, *arguments, given=b"", shows=None):
    """Runs the program in the folder above its tables; both of its outputs hold no character that a terminal obeys."""
    above = os.path.dirname(folder)
    done = subprocess.run([os.path.abspath(shutil.which(TAULER) or TAULER), *arguments], input=given, cwd=above,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), timeout=600, check=False)
    expect(0 <= done.returncode < 128, arguments, "ended with", done.returncode)
    for raw in (done.stdout, done.stderr):
        try:
            text = raw.decode()
        except UnicodeDecodeError as reason:
            expect(False, arguments, "prints no UTF-8:", reason, raw)
        bad = {f"U+{ord(c):04X}" for c in text if c not in "\n\t" and unicodedata.category(c) in FORBIDDEN}
        expect(not bad, arguments, "prints", sorted(bad), repr(text))
    if "--json" in arguments and done.returncode == 0:
        for line in done.stdout.splitlines():
            json.loads(line)
    said = (done.stdout + done.stderr).decode()
    expect(shows is None or shows in said, arguments, "does not show", shows, "but", said)
    return said


def strange_arguments_are_escaped(folder):
    run("build", "auale", "--seeds", "2", "--depth", "--db", folder)
    record = os.path.abspath(RECORD)
    shows_nothing_raw(folder, STRANGE, shows=f"unknown command {SHOWN}")
    for command, little in LITTLE.items():
        words = [command, *(record if word == RECORD else word for word in little)]
        help_text = run(command, "--help").stdout
        shows_nothing_raw(folder, *words, b"--" + STRANGE)
        shows_nothing_raw(folder, command, STRANGE, STRANGE, "--db", folder)
        for option in re.findall(r"^ +(--[a-z-]+) [A-Z]", help_text, re.M):
            for form in ([], ["--json"]) if CHECK else ([],):
                shows_nothing_raw(folder, *words, option, STRANGE, *form)
    shows_nothing_raw(folder, "probe", "auale", STRANGE, "--db", folder)
    shows_nothing_raw(folder, "probe", "auale", "--db", folder, given=STRANGE + b"\n" + STRANGE + b"\n")


def strange_records_are_escaped(folder):
    run("build", "auale", "--seeds", "2", "--db", folder)
    path = os.path.join(os.path.dirname(folder).encode(), STRANGE + b".ogn")
    tags = b"".join(b'[%s "%s"]\n' % (name, STRANGE.replace(b"\r", b""))
                    for name in (b"Event", b"Site", b"Date", b"South", b"North", b"White", b"Black"))
    one_line = SHOWN.replace(r"\r", "")
    for text, shows in ((tags + b"\n1. A {" + STRANGE.replace(b"\r", b"") + b"} a *\n", one_line),
                        (b'[Rules "' + STRANGE + b'"]\n\n1. A a *\n', None), (b'[Result "' + STRANGE + b'"]\n\n1. A *\n', None),
                        (STRANGE + b" moves A\n", None), (b"1. " + STRANGE + b"\n", None), (b"[" + STRANGE, None),
                        (b"; " + STRANGE.replace(b"\r", b"") + b"\n1. A *\n", None)):
        with open(path, "wb") as file:
            file.write(text)
        for form in ([], ["--ogn"], ["--json"]):
            shows_nothing_raw(folder, "analyse", path, "--game", "auale", "--db", folder, *form,
                              shows=None if form else shows)
    shows_nothing_raw(folder, "analyse", os.path.dirname(path) + b"/" + STRANGE, "--db", folder, shows=SHOWN)


def strange_names_of_files_are_escaped(folder):
    run("build", "auale", "--seeds", "2", "--db", folder)
    place = os.path.join(folder, "auale/awari/even").encode()
    for name in (STRANGE, STRANGE + b".value.zst", b"9.value.zst " + STRANGE):
        shutil.copy(place + b"/2.value.zst", place + b"/" + name)
    shutil.copytree(place, os.path.join(folder.encode(), b"auale", STRANGE))
    with open(os.path.join(folder.encode(), b"auale", STRANGE, b"2.value.zst"), "r+b") as table:
        table.truncate(100)
    said = shows_nothing_raw(folder, "verify", "--db", folder, shows=SHOWN)
    expect(said.count(f"{SHOWN}/2.value.zst") == 1, "a damaged table is named twice:", said)
    for arguments in (["verify", "--json"], ["stats", "auale", "--seeds", "2"], ["probe", "auale", LITTLE["probe"][1]],
                      ["export", "auale", "--seeds", "2", "--to", STRANGE], ["publish", STRANGE + b"/out", "--no-page"],
                      ["build", "auale", "--seeds", "2", "--log-json"]):
        shows_nothing_raw(folder, *arguments, "--db", folder)
    shows_nothing_raw(folder, "serve", "--port", "1", "--address", "203.0.113.1", "--db", STRANGE + b"/none",
                      shows=SHOWN + "/none")


def strange_publications_are_escaped(folder):
    run("build", "auale", "--seeds", "2", "--db", folder)
    published = os.path.join(os.path.dirname(folder), "published")
    shows_nothing_raw(folder, "publish", published, "--no-page", "--db", folder)
    fresh = folder + "-fresh"
    sums = os.path.join(published, "SHA256SUMS")
    with open(sums, "rb") as file:
        whole = file.read()
    digest = whole[:64]
    for text in (STRANGE + b"\n" + whole, digest + b"  " + STRANGE + b"\n" + whole, whole.replace(b"auale", STRANGE),
                 whole[:70] + STRANGE + whole[70:], digest + b"  ../" + STRANGE + b"\n", digest + STRANGE):
        with open(sums, "wb") as file:
            file.write(text)
        for form in ([], ["--json"]):
            shows_nothing_raw(folder, "fetch", published, "--db", fresh, *form)
    for path in glob.glob(published + "/**/*", recursive=True):
        if os.path.isfile(path) and not path.endswith(".zst"):
            with open(path, "wb") as file:
                file.write(STRANGE * 9)
            shows_nothing_raw(folder, "fetch", published, "--db", fresh)
    shows_nothing_raw(folder, "fetch", b"http://127.0.0.1:1/" + STRANGE, "--db", fresh)
    shows_nothing_raw(folder, "fetch", STRANGE, "--db", fresh, shows=SHOWN)


class _Digest(ctypes.Structure):  # pylint: disable=too-few-public-methods
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def sealed(content):
    """A file of tauler learn ends with the digest of what stands before it."""
    hashes = ctypes.CDLL("libxxhash.so.0")
    hashes.XXH3_128bits.restype = _Digest
    hashes.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    found = hashes.XXH3_128bits(content, len(content))
    return content + found.high.to_bytes(8, "big") + found.low.to_bytes(8, "big")


def strange_nets_and_boards_are_escaped(folder):
    above = os.path.dirname(folder)
    net, board = os.path.join(above, "net"), os.path.join(above.encode(), STRANGE)
    sizes = ["oca-asesina", "--board", "20", "--tokens", "1"]
    learning = [*sizes, "--games", "20", "--hidden", "8", "--out", net]
    run("learn", *learning, "--quiet")
    shows_nothing_raw(folder, "learn", *learning[:-1], STRANGE, shows=SHOWN)
    with open(net, "rb") as file:
        learned = file.read()[:-16]
    at = learned.index(b"oca-asesina")
    begins = learned.index(b"base,board=20")
    padded = STRANGE.ljust(64, b"~")
    for content in (learned[:begins] + padded + learned[begins + 64:], learned[:at] + padded[:31] + learned[at + 31:],
                    STRANGE * 40):
        with open(net, "wb") as file:
            file.write(sealed(content))
        for arguments in (["learn", *learning], ["learn", *learning, "--json"],
                          ["stats", *sizes, "--simulate", "10", "--play", f"learned:{net}"]):
            shows_nothing_raw(folder, *arguments)
    for content in (STRANGE, b"squares " + STRANGE, b"squares 20\n" + STRANGE + b" 3\n", b"# " + STRANGE + b"\n"):
        with open(board, "wb") as file:
            file.write(content)
        for command in ("games", "plan", "build"):
            shows_nothing_raw(folder, command, "oca-asesina", "--board", board, "--tokens", "1", "--yes", shows=None)


run_cases([commands_on_tables, each_digest_stands_on_a_line, plans, searches, games_and_claims,
           nothing_is_silent_on_a_terminal, results_have_their_colors_on_a_terminal, colors_are_asked_for_and_refused,
           strange_arguments_are_escaped, strange_records_are_escaped, strange_names_of_files_are_escaped,
           strange_publications_are_escaped, strange_nets_and_boards_are_escaped])
