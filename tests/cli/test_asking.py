#!/usr/bin/python3
"""The C library, the Python module, the command line and HTTP have the same answers: on a thousand positions of every
game, drawn at random, in tables and out of them, legal or not; numbers are compared as doubles, and exactly."""
import atexit
import collections
import http.client
import importlib
import json
import os
import random
import shutil
import string
import subprocess
import tempfile

import asking_python
import asking_ways
import building
from asking_ways import Ask
from building import expect, run_cases

asking_python.leave_without_library()
tauler = importlib.import_module("tauler")

SHARE = 1 if building.CHECK else 0.4  # of a thousand positions of every game
SHARED = tempfile.mkdtemp(prefix="tauler-asking.")
DB = os.path.join(SHARED, "tables")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)

GOOSE = ("board=length-12_geese-5-9-12_bridges-3-7_dice-none_inn-2-2_prison-8-3_well-6_labyrinth-10-loses-2_"
         "death-11-to-1")
SEVEN = "board=length-7_geese-7_bridges-none_dice-none_inn-2-1_prison-4-2_well-none_labyrinth-5-to-1_death-6-to-0"

# Rule sets, their share of a thousand positions, and what is built of them.
AUALE = {
    Ask("auale"): (200, ["--seeds", "6", "--depth"]),
    Ask("auale", "awari", "even"): (50, None),
    Ask("auale", "awari,grand-slam=captures"): (100, ["--seeds", "4"]),
    Ask("auale", "abapa", "forced"): (200, ["--seeds", "5", "--depth"]),
    Ask("auale", "abapa", "even"): (100, ["--seeds", "3"]),
    Ask("auale", "abapa", "own-row"): (200, ["--seeds", "4", "--depth"]),
    Ask("auale", "abapa", "own-row-any"): (150, ["--seeds", "4"]),
}
DOUSHOUQI = {
    Ask("doushouqi"): (400, ["--pieces", "2"]),
    Ask("doushouqi", "liacs"): (300, ["--pieces", "2"]),
    Ask("doushouqi", "base,leopard=wide,lakes=drink"): (200, ["--material", "Pr"]),
    Ask("doushouqi", "base,clearings"): (100, None),
}
PHUTBALL = {
    Ask("phutball"): (500, ["--board", "4x3"]),
    Ask("phutball", "base,corner=exit"): (250, ["--board", "3x3"]),
    Ask("phutball", "base,corner=exit,goal-line=stop"): (250, ["--board", "5x2"]),
}
OCA = {
    Ask("oca"): (450, ["--players", "2", "--width", "1e-4"]),
    Ask("oca", "base," + GOOSE): (450, ["--players", "3", "--width", "1e-4"]),
    Ask("oca", "base,dice=2,goose-59=stay"): (100, ["--players", "1"]),
}
ASESINA = {
    Ask("oca-asesina", "base,board=20"): (500, ["--tokens", "1"]),
    Ask("oca-asesina", "base," + SEVEN): (200, ["--tokens", "2", "--width", "1e-4"]),
    Ask("oca-asesina", f"base,{SEVEN},lost-turns=die-with-token"): (150, ["--tokens", "1"]),
    Ask("oca-asesina", f"base,{SEVEN},players=3"): (150, ["--tokens", "1"]),
}


# --- positions -------------------------------------------------------------------------------------------------------

def sown(dice, _):
    """Any board of aualé with few seeds, or many, with stores or without; some that no move leads to."""
    full = dice.random() < 0.2
    pits = [0] * 6 + [int(full)] * 6
    seeds = dice.choice([dice.randrange(1, 9), dice.randrange(43)])
    for _ in range(0 if full and seeds < 9 else seeds):
        pits[dice.randrange(12)] += 1
    seeds = sum(pits)
    stores = dice.randrange(49 - seeds) if dice.random() < 0.5 else 0
    return "-".join(map(str, [*pits, stores, 48 - seeds - stores if stores else 0])) + "-" + dice.choice("SN")


def animals(dice, _):
    squares = ["1"] * 63
    for piece in dice.sample("rcwdptleRCWDPTLE", dice.choice([1, 2, 3, 3, 4, 7])):
        squares[dice.randrange(63)] = piece
    rows = ("".join(squares[row * 7:row * 7 + 7]) for row in range(9))
    return "/".join(packed(row) for row in rows) + dice.choice([" w", " b"])


def packed(row):
    """Runs of ones as numbers."""
    text, run = "", 0
    for square in row + "|":
        if square == "1":
            run += 1
            continue
        text, run = text + (str(run) if run else "") + square.strip("|"), 0
    return text


def football(dice, _):
    rows, columns = dice.choice([(3, 3), (4, 3), (4, 3), (5, 2), (5, 3), (6, 5), (9, 9)])
    points = [dice.choice("11x") for _ in range(rows * columns)]
    points[dice.randrange(len(points))] = "o"
    return "/".join(packed("".join(points[r * columns:][:columns])) for r in range(rows)) + dice.choice([" O", " E"])


def geese(dice, ask):
    players = dice.choice([1, 2, 2, 3, 3, 4, 5])
    last = 12 if GOOSE in (ask.rules or "") else 63
    squares = [f"{dice.randrange(last + dice.choice([1, 1, 3]))}" + dice.choice(["", "", f"~{dice.randrange(4)}"])
               for _ in range(players)]
    return f"oca:{','.join(squares)}/{dice.randrange(1, players + 1)}"


def killers(dice, ask):
    last = 7 if SEVEN in ask.rules else 20
    players = 3 if "players=3" in ask.rules else 2
    tokens = dice.choice([1, 2, 2, 3]) if players == 2 else 1
    squares = [dice.randrange(last + 2) if dice.random() < 0.1 else number
               for number in dice.sample(range(last + 1), min(last, players * tokens))]
    rows = (",".join(map(str, sorted(squares[i::players]))) for i in range(players))
    lost = ",".join(dice.choice("0001") for _ in range(players))
    return f"{'/'.join(rows)} lost={lost} seat={dice.randrange(1, players + 1)}"


def with_stores(dice, text):
    """A board of aualé with some of the seeds that it leaves in the stores."""
    pits = text.split("-")[:12]
    left = 48 - sum(map(int, pits))
    south = dice.randrange(left + 1)
    return "-".join([*pits, str(south), str(left - south), text[-1]])


def misprinted(dice, text):
    """A text with a character or two changed; hardly ever a legal one. None is _, which HTTP takes for a space."""
    text = list(text)
    for _ in range(dice.choice([1, 1, 2])):
        at = dice.randrange(len(text))
        text[at:at + dice.randrange(2)] = [dice.choice(string.digits + string.ascii_letters + "/-:=,~+%&#?é∎ ")]
    text = "".join(text).strip()
    return text or "?"


def walked(dice, tables, text, joint):
    """The position with a line of legal moves behind it, or with one that is not legal at its end."""
    names, here = [], text
    for _ in range(dice.randrange(1, 10)):
        answer = tables.get(here)
        moves = [move for move in answer.moves if not move.over] if answer else []
        if not moves:
            break
        move = dice.choice(moves)
        names.append(move.name)
        here = move.position
    if names and dice.random() < 0.15:
        names.append(names[0])
    return text + (" moves " + joint.join(names) if names else "")


def drawn(seed, ask, count, anywhere, joint, db):
    """Positions of the tables by number, the same with lines of moves, any others, and misprints."""
    dice = random.Random(seed)
    tables = db.select(*ask)
    history = (ask.cycles or "").startswith("own-row")
    rules = canonical(tables, ask, anywhere, dice)
    slices = [db.slice(stored) for stored in db.contents().slices
              if (stored.game, stored.rules, stored.cycles) == (ask.game, *rules)]
    texts = []
    while len(texts) < count:
        kind = dice.random()
        positions = dice.choices(slices, [len(each) ** 0.5 for each in slices])[0] if slices else None
        stored = positions and positions.position(dice.randrange(len(positions)))
        if stored and ask.game == "auale" and dice.random() < 0.3:
            stored = with_stores(dice, stored)
        if stored and kind < (0.3 if history else 0.5):
            texts.append(stored)
        elif stored and kind < 0.75 and joint is not None:
            texts.append(walked(dice, tables, stored, joint))
        elif stored and kind < 0.88:
            texts.append(misprinted(dice, stored))
        else:
            texts.append(anywhere(dice, ask))
    return texts


def canonical(tables, ask, anywhere, dice):
    """Rules and cycles as answers have them."""
    while True:
        try:
            answer = tables.probe(anywhere(dice, ask))
        except tauler.BadPosition:
            continue
        except tauler.TableMissing as missing:
            answer = missing.answer
        return answer.rules, answer.cycles


# --- comparing -------------------------------------------------------------------------------------------------------

def build(rule_sets):
    for ask, (_, size) in rule_sets.items():
        if size:
            building.run("build", ask.game, *asking_ways.options(ask), *size, "--quiet", "--db", DB)


def same(first, other):
    """Equal, and of one kind: True is no 1 here."""
    if isinstance(first, dict) and isinstance(other, dict):
        return first.keys() == other.keys() and all(same(first[key], other[key]) for key in first)
    if isinstance(first, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(first) == len(other) and all(map(same, first, other))
    return isinstance(first, bool) == isinstance(other, bool) and first == other


def unlike(first, other):
    """Which parts differ."""
    if isinstance(first, dict) and isinstance(other, dict):
        return {key: (first.get(key, "nothing"), other.get(key, "nothing")) for key in first.keys() | other.keys()
                if not same(first.get(key, "nothing"), other.get(key, "nothing"))}
    return first, other


def ways(folder):
    """By name: a function of what is asked, the positions, and what others have said."""
    found = {"Python": lambda ask, texts, _: asking_ways.ask_python(folder, ask, texts)}
    if os.access(asking_ways.ASK_LIBRARY, os.X_OK):
        found["C"] = lambda ask, texts, _: asking_ways.ask_library(folder, ask, texts)
    found["the command line"] = lambda ask, texts, told: asking_ways.ask_command_line(folder, ask, texts, told)
    server = asking_ways.Server.start(folder)
    if server:
        atexit.register(server.stop)
        found["HTTP"] = lambda ask, texts, _: server.ask(folder, ask, texts)
    return found, server


def compare(folder_ways, ask, texts):
    """Every way has every answer; returns those of the first."""
    told, first = None, None
    for name, way in folder_ways.items():
        outcomes = way(ask, texts, told)
        expect(len(outcomes) == len(texts), name, "has", len(outcomes), "answers of", len(texts))
        told = told or [outcome.error for outcome in outcomes]
        first = first or outcomes
        for text, mine, other in zip(texts, first, outcomes):
            for part in ("error", "sentence", "shown", "whole"):
                here, there = getattr(mine, part), getattr(other, part)
                untold = part in ("sentence", "whole") and None in (here, there)
                expect(untold or same(here, there), ask, repr(text), "Python and", name, "differ:", unlike(here, there))
    return first


def check_best(game, answer):
    """Every best move is marked: worth as much as any other, of wins the soonest, of losses the latest; of dice all
    that none is surely better than."""
    for moves in [moves for _, _, moves in answer["rolls"]] or [answer["moves"]]:
        by_line = bool(answer.get("history")) and all(move["after_line"] for move in moves)
        worths = [move["after_line" if by_line else "worth"] for move in moves]
        marked = [move["best"] for move in moves]
        if answer.get("history") and not by_line and answer["stages"]:
            expect(not any(marked), game, "best without knowing", answer)
        elif None in worths:
            expect(answer["worth"] or not any(marked), game, "best of unknown moves", answer)
        elif answer["rolls"]:
            most = max(worth[0] for worth in worths)
            expect(marked == [worth[1] >= most for worth in worths], game, "best under a roll", answer)
        else:
            sign = -1 if worths[0:1] and worths[0][0] > 0 else 1
            keys = [(worth[0], worth[1], sign * (asking_ways.settled(worth) or 0) if game != "auale" else 0)
                    for worth in worths]
            expect(marked == [key == max(keys) for key in keys], game, "best", answer)


def thousand(rule_sets, anywhere, joint):
    build(rule_sets)
    expect(sum(count for count, _ in rule_sets.values()) == 1000, "not a thousand")
    found = collections.Counter()
    with tauler.open(DB) as db:
        for seed, (ask, (count, _)) in enumerate(rule_sets.items()):
            texts = drawn(seed, ask, round(SHARE * count), anywhere, joint, db)
            for text, outcome in zip(texts, compare(WAYS, ask, texts)):
                found[outcome.error] += 1
                found["line"] += outcome.error == "ok" and " moves " in text
                found["history"] += bool(outcome.whole and outcome.whole.get("history"))
                if outcome.whole:
                    check_best(ask.game, outcome.whole)
                found["final"] += bool(outcome.whole and outcome.whole.get("final"))
    least = {"ok": 450, "bad position": 50, "table missing": 20, "line": 0 if joint is None else 150,
             "history": 60 if rule_sets is AUALE else 0, "final": 70 if rule_sets is AUALE else 0}
    expect(all(found[what] >= SHARE * count for what, count in least.items()), "positions of too few kinds:", found)


def auale(_):
    thousand(AUALE, sown, "")


def doushouqi(_):
    thousand(DOUSHOUQI, animals, " ")


def phutball(_):
    thousand(PHUTBALL, football, " ")


def oca(_):
    thousand(OCA, geese, None)


def oca_asesina(_):
    thousand(ASESINA, killers, None)


def wrong_usage(_):
    """Names of no game, rule set or way with cycles."""
    for ask in (Ask("auale", "abapa,large"), Ask("auale", None, "odd"), Ask("doushouqi", "liacs,leopard=tall"),
                Ask("phutball", None, "even"), Ask("oca", "base,board=length-1"), Ask("chess")):
        expect([outcome.error for outcome in compare(WAYS, ask, ["x"])] == ["bad usage"], ask)


def damaged_tables(folder):
    """A table with a flipped bit, and one that is no table."""
    ask = Ask("auale", "awari,grand-slam=captures")
    building.run("build", "auale", *asking_ways.options(ask), "--seeds", "4", "--quiet", "--db", folder)
    for seeds, at in ((3, 1100), (4, 8)):
        with open(building.table_path(folder, seeds, rules=ask.rules), "r+b") as file:
            file.seek(at)
            byte = file.read(1)[0]
            file.seek(at)
            file.write(bytes([byte ^ 4]))
    found, server = ways(folder)
    with tauler.open(folder) as db:
        texts = [db.select(*ask).slice(seeds).position(n) for seeds in (2, 3, 4) for n in (3, 30, 60)]
    told = [outcome.error for outcome in compare(found, ask, texts)]
    expect(told[:3] == ["ok"] * 3 and set(told[6:]) == {"damaged file"}, told)
    expect("damaged file" in told[3:6], told)
    if server:
        server.stop()


def lines_of_play(_):
    """Lines of best play, where they are shown: of Python, the command line and HTTP."""
    for ask, rule_sets, anywhere in ((Ask("auale"), AUALE, sown), (Ask("auale", "abapa", "own-row"), AUALE, sown),
                                     (Ask("doushouqi"), DOUSHOUQI, animals), (Ask("phutball"), PHUTBALL, football)):
        build({ask: rule_sets[ask]})
        with tauler.open(DB) as db:
            tables = db.select(*ask)
            texts = drawn(7, ask, 60, anywhere, "" if ask.game == "auale" else " ", db)
            texts = [text for text in texts if not isinstance(outcome_of(tables.line, text), tauler.Error)]
            by_python = [line_shown(tables, text) for text in texts]
        expect(len(texts) > 20, "only", len(texts), "lines of", ask)
        done = building.run("probe", ask.game, *asking_ways.options(ask), "--json", "--line", "--db", DB, *texts)
        others = {"the command line": [json.loads(line) for line in done.stdout.splitlines()]}
        if SERVER:
            others["HTTP"] = [outcome.shown for outcome in SERVER.ask(DB, ask, texts, "/line")]
        for name, objects in others.items():
            expect(len(objects) == len(texts), len(objects), "lines of", len(texts))
            for text, mine, other in zip(texts, by_python, objects):
                expect(same(mine, other["line"]), ask, text, "Python and", name, "differ:", unlike(mine, other["line"]))


def searches(_):
    """Bounds above the tables, after as many positions looked at: of Python and the command line."""
    for ask, rule_sets, anywhere in ((Ask("auale"), AUALE, sown), (Ask("auale", "abapa", "forced"), AUALE, sown),
                                     (Ask("doushouqi"), DOUSHOUQI, animals), (Ask("phutball"), PHUTBALL, football)):
        build({ask: rule_sets[ask]})
        with tauler.open(DB) as db:
            tables = db.select(*ask)
            texts = [text for text in drawn(8, ask, 100, anywhere, "" if ask.game == "auale" else " ", db)
                     if isinstance(outcome_of(tables.probe, text), tauler.TableMissing)]
            texts += [text for text in (anywhere(random.Random(n), ask) for n in range(100))
                      if isinstance(outcome_of(tables.value, text), tauler.TableMissing)][:8]
            by_python = [tables.search(text, positions=300) for text in texts]
        expect(any(answer.searched and answer.searched.gained for answer in by_python), "nothing is found of", ask)
        done = building.run("probe", ask.game, *asking_ways.options(ask), "--json", "--search-positions", "300", "--db",
                            DB, *texts)
        objects = [json.loads(line) for line in done.stdout.splitlines()]
        expect(len(objects) == len(texts) > 5, len(objects), "answers of", len(texts))
        for text, mine, other in zip(texts, by_python, objects):
            shown, searched = asking_ways.answer_shown(asking_ways.python_answer(mine)), other.pop("search", None)
            expect(same(shown, other), ask, text, "Python and the command line differ:", unlike(shown, other))
            expect(bool(searched) == bool(mine.searched), ask, text, searched)
            if searched:
                expect([searched[key] for key in ("nodes", "depth", "proven", "gained", "table_probes")]
                       == [mine.searched.positions, mine.searched.depth, mine.searched.proven, mine.searched.gained,
                           mine.searched.table_probes], ask, text, searched, mine.searched)


def posted(text):
    """The first answer about a list of positions, by HTTP."""
    connection = http.client.HTTPConnection("127.0.0.1", SERVER.port, timeout=building.SECONDS)
    connection.request("POST", "/v1/positions?game=auale", body=text.encode())
    answer = json.loads(connection.getresponse().read())["answers"][0]
    connection.close()
    return answer.get("message") or answer["position"]


def said_by(*arguments, given=""):
    """JSON of the command line, or what it says of an error."""
    done = subprocess.run([building.TAULER, *arguments, "--json", "--db", DB], input=given.encode(), check=False,
                          capture_output=True, timeout=building.SECONDS, env=building.environment())
    return json.loads(done.stdout) if done.stdout else done.stderr.decode()


def said_of(text):
    """What each reader has of a text: the position in its words, or why it has none."""
    def position(answer):
        return answer["position"] if isinstance(answer, dict) else answer

    with tauler.open(DB) as db:
        answer = outcome_of(db.select("auale").probe, text)
    said = {"Python": str(answer) if isinstance(answer, tauler.Error) else answer.position,
            "an argument": position(said_by("probe", "auale", text)),
            "standard input": position(said_by("probe", "auale", given=text))}
    record = said_by("analyse", "-", "--game", "auale", given=text + " moves F")
    said["a record"] = record["start"] if isinstance(record, dict) else record
    if SERVER:
        said["HTTP"] = posted(text)
    return said


def texts_of_other_programs(_):
    """Every reader cleans a text alike, and names a sign that no position has."""
    build({Ask("auale"): AUALE[Ask("auale")]})
    board = "0-0-1-0-0-1-1-0-0-1-0-1-20-23-S"
    for around in ("{}", "\ufeff{}", "{}\n", "{}\r\n", " \t{} \r\n", "\ufeff {}\t\n"):
        text = around.format(board)
        readers = {key: value for key, value in said_of(text).items() if key != "a record" or "\n" not in text}
        expect(set(readers.values()) == {board}, repr(text), readers)
    for odd, name in (("\u00a0", "U+00A0, a no-break space"), ("\r", "a carriage return"),
                      ("\ufeff", "U+FEFF, a byte order mark"), ("\u2013", "U+2013"), ("\x01", "U+0001")):
        for reader, said in said_of(board[:25] + odd + board[25:]).items():
            expect(name in said, reader, "has of", name, repr(said))
            expect("character 26 " in said or ":1:26: " in said, reader, "places it", repr(said))
    expect("character 32 is a NUL byte" in said_by("probe", "auale", given=board + "\0"), "NUL")
    if SERVER:
        expect("character 32 is a NUL byte" in posted(board + "\0"), "NUL by HTTP")
        long = board + " moves " + "Ff" * 8192
        expect(posted(long) == said_by("probe", "auale", long).split(": ", 1)[1].strip(), "a long line is cut")


def the_winner_has_more(_):
    """A thousand positions with stores: whoever is named the winner has more in the end, in every way of asking."""
    asks = [Ask("auale"), Ask("auale", "abapa", "forced"), Ask("auale", "abapa", "own-row-any")]
    build({ask: AUALE[ask] for ask in asks})
    named = collections.Counter()
    for seed, ask in enumerate(asks):
        dice = random.Random(seed)
        with tauler.open(DB) as db:
            stored = [db.slice(one) for one in db.contents().slices if (one.game, one.rules, one.cycles)
                      == ("auale", ask.rules or "awari", ask.cycles or "even")]
            texts = [with_stores(dice, one.position(dice.randrange(len(one)))) for one in dice.choices(stored, k=round(SHARE * 334))]
            answers = [db.select(*ask).probe(text) for text in texts]
        shown = building.run("probe", "auale", *asking_ways.options(ask), "--db", DB, *texts).stdout
        sentences = [block.split("\n\n")[2] for block in shown.split("auale, ")[1:]]
        for text, answer, sentence in zip(texts, answers, sentences, strict=True):
            named[str(answer.outcome)] += 1
            if answer.final is None:
                low, high = (answer.lead + bound for bound in (answer.bounds.lower, answer.bounds.upper))
                expect(str(answer.outcome) == ("win" if low > 0 else "loss" if high < 0 else "unknown"), text, answer)
                continue
            south, north = answer.final
            sign = ((south > north) - (south < north)) * (1 if answer.turn == "S" else -1)
            expect(str(answer.outcome) == ("draw", "win", "loss")[sign], text, answer)
            for move in answer.moves:
                wanted = str(tauler.Bounds(*(bound + answer.lead for bound in (move.bounds.lower, move.bounds.upper))).category)
                expect(str(move.outcome) == wanted, text, move)
            winner = f"{'South' if south > north else 'North'} {'has won' if answer.ended else 'wins'} " if sign else "raw, "
            words = f"{winner}{max(south, north):g}-{min(south, north):g}"
            gainer = ("North", "South")[(answer.turn == "S") == (answer.value > 0)]
            rest = "" if answer.ended else f"from here {gainer} gains {abs(answer.value):g}" if answer.value else "the same"
            expect(words in sentence and rest in sentence, text, "is said to be", repr(sentence), "not", words, rest)
        if SERVER:
            told = [outcome.shown["outcome"] for outcome in SERVER.ask(DB, ask, texts)]
            expect(told == [str(answer.outcome) for answer in answers], ask, "HTTP has others")
    expect(named["win"] > 99 * SHARE and named["loss"] > 99 * SHARE and named["draw"] > 4 * SHARE, named)


def outcome_of(call, *arguments):
    try:
        return call(*arguments)
    except tauler.Error as error:
        return error


def line_shown(tables, text):
    line, stages = tables.line(text), tables.probe(text).stages
    steps = []
    for step in line.steps:
        worth = asking_ways.python_worth(step.bounds)
        steps.append({"move": step.move, "position": step.position, "value": asking_ways.middle(worth, False),
                      "bounds": asking_ways.bounds(worth), "stage" if stages else "depth": asking_ways.settled(worth),
                      "converts": step.converts})
    return {"moves": line.moves, "rule": str(line.rule), "end": str(line.end), "repeats": line.repeats, "steps": steps}


WAYS, SERVER = ways(DB)
for missing in {"C", "HTTP"} - set(WAYS):
    print(f"SKIP: {missing}: it was not built")
run_cases([auale, doushouqi, phutball, oca, oca_asesina, wrong_usage, damaged_tables, lines_of_play, searches,
           texts_of_other_programs, the_winner_has_more])
