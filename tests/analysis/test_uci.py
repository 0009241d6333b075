#!/usr/bin/python3
"""The engine for graphical programs: the dialogue of the program Aualé, whole games, tables, bad input."""
import atexit
import json
import os
import random
import re
import shutil
import subprocess
import tempfile

import building
from building import CHECK, LONG, TAULER, environment, expect, run, run_cases

SHARED = tempfile.mkdtemp(prefix="tauler-uci.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
START = ((4,) * 12, (0, 0), 0)
RULES = ("--rules", "abapa", "--cycles", "own-row")
PLIES = 400  # no random game was as long
# What the client reads of a line, in its own order; anything else of a line it passes over.
SPOKEN = {"id": r"id (name|author) .+", "option": r"option name \S+ type (check|spin|combo|button|string)( .*)?",
          "uciok": "uciok", "readyok": "readyok", "bestmove": r"bestmove (0000|[a-fA-F])( ponder [a-fA-F])?",
          "info": r"info (string .+|depth \d+( (time|nodes|nps|tbhits) \d+)+ score (cp|mate) -?\d+ pv [a-fA-F]+)"}


# --- a second writing of abapa and of how the program ends a game ---

def sow(board, pit):
    """The pits after a move, and what it captures: nothing where that would be all that the other side has."""
    pits, at = list(board), pit
    seeds, pits[pit] = pits[pit], 0
    while seeds:
        at = (at + 1) % 12
        if at != pit:
            pits[at] += 1
            seeds -= 1
    first, taken = 6 * (pit < 6), []
    while first <= at < first + 6 and pits[at] in (2, 3):
        taken.append(at)
        at -= 1
    if sum(pits[first:first + 6]) == sum(pits[at] for at in taken):
        return pits, 0
    gain = sum(pits[at] for at in taken)
    for at in taken:
        pits[at] = 0
    return pits, gain


class Game:
    def __init__(self, position=START):
        self.positions, self.moves = [position], []

    def legal(self):
        pits, stores, side = self.positions[-1]
        if max(stores) > 24 or stores == (24, 24) or self.positions[-1] in self.positions[:-1]:
            return []
        other = slice(6 - 6 * side, 12 - 6 * side)
        return [pit for pit in range(6 * side, 6 * side + 6) if pits[pit] and sum(sow(pits, pit)[0][other])]

    def play(self, pit):
        pits, stores, side = self.positions[-1]
        pits, gain = sow(pits, pit)
        stores = tuple(store + gain * (at == side) for at, store in enumerate(stores))
        self.positions.append((tuple(pits), stores, 1 - side))
        self.moves.append(pit)

    def command(self):
        """The board after the last capture, and the moves since then, as the program sends them."""
        first = len(self.moves)
        while first and self.positions[first][1] == self.positions[first - 1][1]:
            first -= 1
        pits, stores, side = self.positions[first]
        board = "startpos" if (pits, stores) == START[:2] else "fen " + "-".join(map(str, pits + stores)) + "-" + "SN"[side]
        moves = "".join("ABCDEFabcdef"[pit] for pit in self.moves[first:])
        return f"position {board}" + (f" moves {moves}" if moves else "")


# --- the engine as the client sees it ---

class Engine:
    def __init__(self, *arguments, grammar=True):
        self.process = subprocess.Popen([TAULER, "uci", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1, env=environment())
        self.grammar, self.said = grammar, []

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def read(self, until):
        """Every line up to the one that begins so, which is returned."""
        self.said = []
        for line in self.process.stdout:
            line = line.rstrip("\n")
            order = line.split()[0]
            expect(order in SPOKEN and (not self.grammar or re.fullmatch(SPOKEN[order], line)), "the client cannot read",
                   line)
            self.said.append(line)
            if order == until:
                return line
        raise building.Failure("the engine ended before", until)

    def ask(self, position, limit):
        self.send(position, "go " + limit)
        return self.read("bestmove").split()[1]

    def end(self, *last):
        if last:
            self.send(*last)
        self.process.stdin.close()
        rest = self.process.stdout.read()
        expect(self.process.wait(building.SECONDS) == 0, "exit code", self.process.returncode)
        return rest


def tables(seeds=6):
    folder = os.path.join(SHARED, "db")
    if not os.path.exists(building.table_path(folder, seeds, rules="abapa", cycles="own-row")):
        run("build", "auale", *RULES, "--seeds", str(seeds), "--quiet", "--db", folder)
    return folder


def greet(engine):
    """What the program says when it starts an engine, and before each game."""
    engine.send("uci")
    engine.read("uciok")
    greeting = engine.said
    engine.send("setoption name OwnBook value false", "ucinewgame", "isready")
    engine.read("readyok")
    return greeting


def the_dialogue_of_the_program_word_for_word(_folder):
    engine, game = Engine("--db", tables()), Game()
    greeting = greet(engine)
    expect(greeting[0].startswith("id name Tauler "), greeting)
    expect({line.split()[2] for line in greeting if line.startswith("option")} ==
           {"Rules", "Cycles", "TablesPath", "Strength", "Threads", "Hash"}, greeting)
    expect("option name Rules type string default abapa" in greeting, greeting)
    expect("option name Cycles type string default own-row" in greeting, greeting)
    levels = ["depth 2 movetime 600", "depth 6 movetime 1200"]
    while game.legal() and len(game.moves) < PLIES:
        best = engine.ask(game.command(), levels[len(game.moves) % 2])
        pit = "ABCDEFabcdef".index(best)
        expect(pit in game.legal(), game.command(), best)
        shown = engine.said[-2].split()
        expect(shown[0] == "info" and shown[-1][0] == best, engine.said[-2:])
        if "ponder" in engine.said[-1]:
            expect(shown[-1][1] == engine.said[-1].split()[3], engine.said[-2:])
        game.play(pit)
        if not game.legal():
            break
        # It ponders on the position after the expected answer, until the player has moved.
        engine.send(game.command(), "go ponder", "stop")
        engine.read("bestmove")
    expect(len(game.moves) > 20 and not game.legal(), "the game has no end", game.moves)
    expect(engine.ask(game.command(), levels[0]) == "0000" or max(game.positions[-1][1]) >= 24, game.command())
    expect(engine.end("quit") == "", "words after quit")


def random_games_hold_no_illegal_move(_folder):
    """The engine has one side; a repetition ends the game for both."""
    chance, engine, repeated = random.Random(4), Engine("--db", tables()), 0
    greet(engine)
    for number in range(10000 if LONG else 400 if CHECK else 60):
        game = Game()
        while game.legal():
            if (len(game.moves) + number) % 2:
                game.play(chance.choice(game.legal()))
                continue
            best = engine.ask(game.command(), "depth 1")
            expect(best != "0000" and "ABCDEFabcdef".index(best) in game.legal(), game.command(), best)
            game.play("ABCDEFabcdef".index(best))
        if game.positions[-1] in game.positions[:-1]:
            repeated += 1
            expect(engine.ask(game.command(), "depth 1") == "0000", "a repetition ends the game", game.command())
            expect(engine.said[0] == "info string the game is over: the position repeats an earlier one", engine.said)
    print(f"# {repeated} games ended by a repetition", flush=True)
    expect(engine.end() == "", "words after the end of the input")


def tables_give_the_best_move_at_once(_folder):
    chance, engine = random.Random(5), Engine("--db", tables())
    for _ in range(300 if CHECK else 60):  # in slices of up to five seeds it asks what was met
        cut = sorted(chance.choices(range(13), k=chance.randint(1, 5)))
        pits = [cut.count(pit) for pit in range(12)]
        mine = chance.randint(0, 48 - sum(pits))
        position = "-".join(map(str, pits + [mine, 48 - sum(pits) - mine])) + "-" + chance.choice("SN")
        answer = json.loads(run("probe", "auale", *RULES, "--json", "--db", tables(), position).stdout)
        best = engine.ask("position fen " + position, "movetime 10000")
        if not answer["moves"]:
            expect(best == "0000" and engine.said[0] == "info string the game is over: there is no move", engine.said)
            continue
        expect(len(engine.said) == 2 and " nodes 0 " in engine.said[0], "it searched", engine.said)
        lead = (mine - (48 - sum(pits) - mine)) * (1 if position[-1] == "S" else -1)
        expect(f" score cp {100 * (answer['value'] + lead)} " in engine.said[0], position, engine.said)
        played = next(move for move in answer["moves"] if move["move"] == best)
        worth = [played["value"]] * 2
        if not played["converts"]:  # the table's value of it does not know that the position was met
            after = json.loads(run("probe", "auale", *RULES, "--json", "--db", tables(), f"{position} moves {best}").stdout)
            worth = [-bound for bound in reversed(after["history"]["bounds"])]
        expect(worth == [answer["value"]] * 2, position, best, worth, "is not the best, which is worth", answer["value"])
    engine.end("quit")


def what_was_met_counts(_folder):
    """Where it can choose, it repeats a position only if no other move is worth more."""
    engine, game = Engine("--db", "/nonexistent"), Game(((0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0), (23, 23), 0))
    seen = set()
    while game.legal() and len(game.moves) < PLIES:
        best = engine.ask(game.command(), "depth 12")
        pit = "ABCDEFabcdef".index(best)
        expect(pit in game.legal(), game.command(), best)
        seen.add(game.positions[-1])
        game.play(pit)
    expect(not game.legal(), "play goes on", game.moves)
    engine.end("quit")


def bad_input_is_answered_and_passed_over(_folder):
    engine = Engine("--db", "/nonexistent")
    engine.send("xyzzy", "", "   ", "go", "position fen 4-4-S", "isready")
    engine.read("readyok")
    expect(any(line.startswith("info string '4-4-S' is no aualé position: ") for line in engine.said), engine.said)
    expect(engine.ask("position startpos moves Ff", "depth 1") != "0000", engine.said)
    for wrong in ("position fen 4-4-S", "position startpos moves FF", "position", "position fen " + "9" * 9000):
        expect(engine.ask(wrong, "depth 3") == "0000", wrong)
        expect(len(engine.said) == 2 and engine.said[0].startswith("info string "), engine.said)
    for line, words in (("Hash value 0", "Hash must be a number from 1 to 65536"), ("Strength value most", "Strength must be"),
                        ("Threads value 1000000", "Threads must be a number"), ("Rules value chess", "chess")):
        engine.send("setoption name " + line, "isready")
        engine.read("readyok")
        expect(len(engine.said) == 2 and words in engine.said[0], line, engine.said)
    engine.send("setoption", "setoption name", "setoption name Clear Hash", "setoption name Nothing value 3", "isready")
    engine.read("readyok")
    expect(engine.said == ["readyok"], engine.said)
    expect(engine.ask("position startpos", "depth 0 nodes -3 movetime") != "0000", engine.said)
    engine.end("quit")


def options_change_the_next_move(_folder):
    engine = Engine("--db", "/nonexistent")
    inside = "position fen 0-0-0-0-2-1-1-0-0-0-0-1-22-21-S"
    engine.ask(inside, "depth 4")
    expect(" tbhits 0 " in engine.said[-2], engine.said)
    engine.send(f"setoption name TablesPath value {tables()}", "setoption name Threads value 1", "setoption name hash value 1")
    engine.ask(inside, "depth 4")
    expect(len(engine.said) == 2 and " tbhits 0 " not in engine.said[0], engine.said)
    engine.send("setoption name Rules value awari", "setoption name Cycles value even")
    engine.ask(inside, "depth 4")
    expect(len(engine.said) > 2, "no table is there", engine.said)
    engine.send("setoption name Rules value abapa", "setoption name Cycles value own-row")
    chance = random.Random(6)
    for seeds in (5, 6):  # by tables alone, and by search
        perfect = slips = 0
        for _ in range(60):
            pits = [0] * 12
            for pit in chance.choices(range(12), k=seeds):
                pits[pit] += 1
            position = "position fen " + "-".join(map(str, pits)) + "-21-21-S"
            engine.send("setoption name Strength value perfect")
            best = engine.ask(position, "depth 4")
            engine.send("setoption name Strength value slips")
            slip = engine.ask(position, "depth 4")
            perfect, slips = perfect + (slip == best), slips + (slip != best)
        expect(0 < slips < perfect, seeds, perfect, slips)
    engine.end("quit")


def a_search_ends_when_it_is_asked_to(_folder):
    engine = Engine("--db", tables())
    for begin, end in (("go infinite", "stop"), ("go ponder movetime 1", "ponderhit"), ("go ponder", "stop"), ("go", "stop"),
                       ("go infinite", "position startpos"), ("go infinite", "ucinewgame"), ("go infinite", "go depth 1")):
        engine.send("position startpos", begin, "isready")
        engine.read("readyok")
        expect(not any(line.startswith("bestmove") for line in engine.said), begin, engine.said)
        engine.send(end)
        expect(engine.read("bestmove") != "bestmove 0000", begin, end)
        if end.startswith("go"):
            engine.read("bestmove")
    # A move that is known at once waits as well; the line before it says that it is known.
    for _ in range(20):
        engine.send("position fen 0-0-0-0-0-2-1-0-0-0-0-0-22-23-S", "go ponder")
        engine.read("info")
        for _ in range(20):
            engine.send("isready")
            engine.read("readyok")
            expect(not any(line.startswith("bestmove") for line in engine.said), engine.said)
        engine.send("ponderhit")
        expect(engine.read("bestmove") != "bestmove 0000", engine.said)
    for limit in ("nodes 1000", "depth 3", "movetime 5", "wtime 300 btime 300 winc 0 binc 0", "wtime -20 btime 9"):
        expect(engine.ask("position startpos", limit) != "0000", limit)
    engine.send("go infinite")
    rest = engine.end()  # a program that dies
    expect(rest.splitlines()[-1].startswith("bestmove "), rest[-200:])


def other_games_play_by_their_own_notation(_folder):
    chance = random.Random(7)
    for game, start in (("doushouqi", "startpos"), ("phutball", "5/5/2o2/5/5/5 O"), ("morris", "3/3/3 w")):
        engine, moves = Engine(game, "--db", "/nonexistent", grammar=False), []
        begin = "fen " + start if game == "phutball" else "startpos"
        greet(engine)
        for _ in range(12 if CHECK else 4):
            line = f" moves {' '.join(moves)}" if moves else ""
            text = engine.ask(f"position {begin}{line}", "depth 2")
            answer = run("probe", game, "--json", "--db", "/nonexistent", start + line, exit_code=None).stdout
            legal = [move["move"] for move in json.loads(answer)["moves"]] if answer else [] # phutball ends by no position
            if not legal:
                expect(text == "0000", game, moves)
                break
            expect(text in legal, game, moves, text)
            moves.append(chance.choice([text, chance.choice(legal)]))
        engine.end("quit")


def wins_found_by_search_are_wins(_folder):
    """Without tables, against what tables say."""
    folder = os.path.join(SHARED, "dsq")
    run("build", "doushouqi", "--material", "Lr", "--quiet", "--db", folder)
    engine, found = Engine("doushouqi", "--db", "/nonexistent", grammar=False), 0
    knowing = Engine("doushouqi", "--db", folder, grammar=False)
    chance, pieces = random.Random(8), "abcdefg"
    for _ in range(200 if CHECK else 40):
        squares = chance.sample([file + rank for file in pieces for rank in "12456789" if file + rank not in ("d1", "d9")], 2)
        if any(square[1] in "456" and square[0] in "bcef" for square in squares[:1]):
            continue
        position = place_on_board({squares[0]: "L", squares[1]: "r"}) + " " + chance.choice("wb")
        done = run("probe", "doushouqi", "--json", "--db", folder, position, exit_code=None)
        if done.returncode:
            continue
        answer = json.loads(done.stdout)
        best = knowing.ask("position fen " + position, "depth 7")
        expect(not answer["moves"] or best == answer["moves"][0]["move"] and len(knowing.said) == 2, position, knowing.said)
        engine.ask("position fen " + position, "depth 7")
        mate = re.search(r"score mate (-?\d+)", engine.said[-2])
        if not mate or not answer["moves"]:
            continue
        found += 1
        plies = int(mate[1])
        expect(answer["category"] == ("win" if plies > 0 else "loss"), position, engine.said[-2], answer["category"])
        expect(abs(plies) == (answer["depth"] + 1) // 2, position, engine.said[-2], answer["depth"])
    expect(found > 5, "only", found, "wins and losses")
    engine.end("quit")
    knowing.end("quit")


def place_on_board(pieces):
    rows = []
    for rank in range(9, 0, -1):
        row = "".join(pieces.get(f"{file}{rank}", "1") for file in "abcdefg")
        rows.append(re.sub("1+", lambda empty: str(len(empty[0])), row))
    return "/".join(rows)


def open_as_the_program(text):
    """Its reader of records: tags, then every letter a to f outside of braces and parentheses is a move."""
    tags, at = {}, 0
    while tag := re.compile(r'\s*\[\s*(\w+)\s+"([^"]*)"\s*\]').match(text, at):
        tags[tag[1]], at = tag[2], tag.end()
    fields = tags["FEN"].split("-") if "FEN" in tags else None
    numbers = tuple(map(int, fields[:14])) if fields else START[0] + START[1]
    game = Game((numbers[:12], numbers[12:], int(bool(fields) and fields[14] == "N")))
    for letter in re.findall("[A-Fa-f]", re.sub(r"\{[^}]*\}|\([^)]*\)", " ", text[at:])):
        pit = "ABCDEFabcdef".index(letter)
        expect(pit in game.legal(), "the program refuses", letter, "after", game.moves, "of", text)
        game.play(pit)
    return tags, game


def records_are_opened_by_the_program(folder):
    for side in "SN":
        start = "2-0-1-0-2-0-1-0-0-0-0-0-21-21-" + side
        done = run("probe", "auale", *RULES, "--db", tables(), "--line", "--ogn", start)
        tags, game = open_as_the_program(done.stdout)
        line = json.loads(run("probe", "auale", *RULES, "--db", tables(), "--line", "--json", start).stdout)["line"]
        expect(tags["Variant"] == "Oware Abapa" and tags["FEN"] == start, tags)
        expect("".join("ABCDEFabcdef"[pit] for pit in game.moves) == line["moves"].replace(" ", "") != "", line, game.moves)
        for tag in ("", '[Event "a cup"]\n\n'):
            path = folder + side + ".ogn"
            with open(path, "w", encoding="ascii") as file:
                file.write(f"{tag}{start} moves\n{line['moves']}\n")
            judged = run("analyse", path, "--game", "auale", *RULES, "--db", tables(), "--ogn").stdout
            again = open_as_the_program(judged)[1]
            expect("{ tauler: " in judged and again.positions == game.positions, judged)
    run("probe", "auale", "--db", tables(), "--ogn", start, exit_code=64)


def games_of_dice_are_refused(_folder):
    done = run("uci", "oca", exit_code=64)
    expect("a game of dice" in done.stderr, done.stderr)


run_cases([the_dialogue_of_the_program_word_for_word, random_games_hold_no_illegal_move, tables_give_the_best_move_at_once,
           what_was_met_counts, bad_input_is_answered_and_passed_over, options_change_the_next_move,
           a_search_ends_when_it_is_asked_to, other_games_play_by_their_own_notation, wins_found_by_search_are_wins,
           records_are_opened_by_the_program, games_of_dice_are_refused])
