#!/usr/bin/python3
"""Analysing recorded games: every figure against probes of the same position, records written again, errors."""
import atexit
import json
import os
import random
import re
import shutil
import subprocess
import tempfile

from building import SECONDS, TAULER, environment, expect, run, run_cases

SEEDS = 8
ALL = 48  # in the whole game
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
SHARED = tempfile.mkdtemp(prefix="tauler-analyse.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
DB = os.path.join(SHARED, "db")
RULES = {"awari": ["--rules", "awari"], "forced": ["--rules", "abapa"],
         "own-row": ["--rules", "abapa", "--cycles", "own-row"],
         "own-row-any": ["--rules", "abapa", "--cycles", "own-row-any"]}
TAKES_TWO = "1-0-0-0-1-1-0-0-0-0-2-0-23-20-N"  # with e: A had one
# Written by hand, as the players' program writes: numbers, captures, a comment, a variation, a result.
BY_HAND = r"""[Variant "Oware Abapa"]
[Event "By \"hand\""]
[Site "?"]
[Date "2024.11.02"]
[Round "1"]
[South "Ama"]
[North "Kofi"]
[Result "%s"]
[FEN "1-0-0-0-0-1-0-1-0-0-0-1-24-20-N"]

1. f+2 { brave } F ( 1... A
2. b { here too } ) %s
"""


def once(path, make):
    if not os.path.exists(path):
        make()
    return path


def tables():
    def build():
        run("build", "auale", "--rules", "awari", "--seeds", str(SEEDS), "--depth", "--quiet", "--db", DB)
        run("build", "auale", "--rules", "abapa", "--seeds", str(SEEDS), "--depth", "--quiet", "--db", DB)
        for cycles in "own-row", "own-row-any":
            run("build", "auale", "--rules", "abapa", "--cycles", cycles, "--seeds", "5", "--quiet", "--db", DB)
        run("build", "doushouqi", "--material", "Le", "--quiet", "--db", DB)
        run("build", "phutball", "--board", "4x4", "--quiet", "--db", DB)
        run("build", "morris", "--quiet", "--db", DB)
    return once(DB, build)


def probe(options, positions, game="auale", db=None):
    done = subprocess.run([TAULER, "probe", game, *options, "--json", "--db", db or tables()],
                          input="\n".join(positions), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          env=environment(), check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def play(seed, rules):
    """A legal game from the start to its end that takes where it can: names of moves."""
    rng, position, names = random.Random(seed), START, []
    while len(names) < 400:
        moves = probe(["--rules", rules], [position], db="/nonexistent")[0]["moves"]
        if not moves:
            break
        move = rng.choice([m for m in moves if m["converts"]] or moves)
        names.append(move["move"])
        position = move["position"]
    else:
        raise AssertionError("the game does not end")
    return names


def record(seed, rules):
    def write():
        names = play(seed, rules)
        numbered = " ".join((f"{i // 2 + 1}. " if i % 2 == 0 else "") + name for i, name in enumerate(names))
        with open(path, "w", encoding="ascii") as file:
            file.write(f'[Game "auale"]\n[South "One"]\n[North "Other"]\n[Result "*"]\n\n{numbered}\n')
    path = os.path.join(SHARED, f"{rules}-{seed}.ogn")
    return once(path, write)


def analyse(*arguments, text=None, exit_code=0, db=None):
    done = subprocess.run([TAULER, "analyse", *arguments, "--db", db or tables()],
                          input=None if text is None else text if isinstance(text, bytes) else text.encode(),
                          stdin=subprocess.DEVNULL if text is None else None, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment(), check=False, timeout=SECONDS)
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    expect(done.returncode == exit_code, "exit code", done.returncode, "not", exit_code, "-", done.stderr)
    return done


def analysis(*arguments, **settings):
    return [json.loads(line) for line in analyse("--json", *arguments, **settings).stdout.splitlines()]


def difference(best, made, others):
    """The certain part of best - made: exact by definition if both are exact."""
    lower = max(0, best[0] - made[1], *(other[0] - made[1] for other in others))
    upper = max([0] + [other[1] - made[0] for other in others])
    return [lower, max(0, min(upper, best[1] - made[0]))]


def check_move(move, answer):
    """A move as analysed against the answer for the position before it."""
    where = move["position"], move["move"]
    made = [m for m in answer["moves"] if m["move"] == move["move"]]
    expect(len(made) == 1, "no single such move", *where)
    for field in "value", "bounds", "depth":
        expect(move[field] == made[0][field], field, move[field], made[0][field], *where)
        expect(move["best"][field] == answer[field], "best", field, move["best"][field], answer[field], *where)
    known = [m["bounds"] for m in answer["moves"]]
    if None in known or answer["bounds"] is None:
        expect(move["best"]["moves"] is None, "a best move where some are not known", *where)
        return False
    others = [m["bounds"] for m in answer["moves"] if m is not made[0]]
    expect(move["given_away"] == difference(answer["bounds"], made[0]["bounds"], others), "gave away",
           move["given_away"], *where)
    if answer["value"] is not None and made[0]["value"] is not None:
        expect(move["given_away"] == [answer["value"] - made[0]["value"]] * 2, "not best less made", *where)
    best = [m["move"] for m in answer["moves"] if m["bounds"] == max(known)]
    expect(move["best"]["moves"] == best, "best moves", move["best"]["moves"], best, *where)
    expect(move["made_best"] == (move["move"] in best), "made_best", *where)
    return True


def check_sums(game):
    for side in 0, 1:
        mine = [m for m in game["moves"] if m["turn"] == "SN"[side]]
        judged = [m for m in mine if m["given_away"] is not None]
        said = game["sides"][side]
        expect(said["moves"] == len(mine) and said["judged"] == len(judged), "counts of", said)
        exact = [m["given_away"][0] for m in judged if m["given_away"][0] == m["given_away"][1]]
        expect(said["bounded"] == len(judged) - len(exact), "moves known by bounds alone", said)
        total = [sum(exact), sum(exact) if sum(exact) <= ALL else None] if exact else None
        expect(said["given_away"] == (total and [min(total[0], ALL), total[1]]), "sum of what is exact", said)
        least = [m["given_away"][0] for m in judged]
        worst = judged[least.index(max(least))]["number"] if least and max(least) > 0 else None
        expect(said["worst"] == worst, "worst", said, worst)
        changed = [m["number"] for m in judged
                   if "unknown" not in (m["before"], m["after"]) and m["before"] != m["after"]]
        expect(said["first_change"] == (changed[0] if changed else None), "first change", said, changed)


def check_full_game(seed, rules, least):
    options = RULES[rules]
    game = analysis(record(seed, options[1]), *options)[0]
    names = play(seed, options[1])
    expect([m["move"] for m in game["moves"]] == names, "other moves than the record's")
    answers = probe(options, [m["position"] for m in game["moves"]])
    positions = [START] + [next(m["position"] for m in a["moves"] if m["move"] == name)
                           for a, name in zip(answers, names)]
    expect([m["position"] for m in game["moves"]] + [game["end"]["position"]] == positions, "other positions")
    judged = sum(check_move(move, answer) for move, answer in zip(game["moves"], answers))
    expect(judged >= least, "only", judged, "moves within the tables")
    for move in game["moves"]:
        stores = [int(n) for n in move["position"].split("-")[12:14]]
        lead = stores[0] - stores[1] if move["turn"] == "S" else stores[1] - stores[0]
        for key, bounds in ("after", move["bounds"]), ("before", move["best"]["bounds"]):
            sums = [] if bounds is None else [lead + b for b in bounds]
            wanted = ("unknown" if not sums else "win" if sums[0] > 0 else "loss" if sums[1] < 0 else
                      "draw" if sums == [0, 0] else "unknown")
            expect(move[key] == wanted, key, move[key], wanted, move["position"])
    check_sums(game)
    last = probe(options, [game["end"]["position"]])[0]
    expect(game["end"]["over"] and not last["moves"], "the game is over")
    expect(game["end"]["result"] == "{:g}-{:g}".format(*last["final"]), "result", game["end"], last["final"])


def full_game_under_awari(_):
    check_full_game(3, "awari", 8)


def full_game_by_bounds(_):
    check_full_game(3, "forced", 8)
    check_full_game(2, "forced", 60)


def moves_are_judged_by_their_line(_):
    """Rules in which a repetition ends play: against the answers of probe after the moves so far."""
    for rules in "own-row", "own-row-any":
        names = record_of_few_seeds = "1-0-0-0-1-1-0-0-0-0-2-0-23-20-N moves eFfAaBbCcEdDe"
        start, names = record_of_few_seeds.split(" moves ")
        game = analysis("-", "--game", "auale", *RULES[rules], text=record_of_few_seeds)[0]
        lines = [f"{start} moves {names[:i]}" if i else start for i in range(len(names))]
        answers = probe(RULES[rules], lines)
        for i, (move, answer) in enumerate(zip(game["moves"], answers)):
            made = next(m for m in answer["moves"] if m["move"] == move["move"])
            expect(move["bounds"] == made["bounds"] and move["best"]["bounds"] == answer["bounds"], "tables", i)
            if i == 0:
                expect(made["converts"] and move["history"]["bounds"] == made["bounds"], "the first", move["history"])
                continue
            expect(move["history"]["bounds"] == made["history"], "after the line", i, move["history"])
            expect(move["history"]["best"] == answer["history"]["bounds"], "best after the line", i)
            expect(move["history"]["judges"], "is not judged by the line", i)
            others = [m["history"] for m in answer["moves"] if m is not made]
            wanted = difference(answer["history"]["bounds"], made["history"], others)
            expect(move["given_away"] == wanted, "gave away", i, move["given_away"], wanted)
        told = [m["history"]["bounds"] != m["bounds"] for m in game["moves"]]
        expect(any(told), "the line tells nothing that tables do not")
    quiet = "1-0-0-0-1-1-0-0-0-0-0-1-23-21-S moves Ff"
    game = analysis("-", "--game", "auale", *RULES["own-row"], text=quiet)[0]
    after = probe(RULES["own-row"], [quiet[:-1]])[0]["history"]["bounds"]
    expect(game["moves"][0]["history"]["bounds"] == [-after[1], -after[0]], "the first, quiet", game["moves"][0])
    text = analyse("-", "--game", "auale", *RULES["own-row"], text=record_of_few_seeds).stdout
    expect("after the line of moves" in text and "(tables, of no line:" in text, text)
    over = analyse("-", "--game", "auale", *RULES["own-row"], text=record_of_few_seeds + "F", exit_code=65).stderr
    expect(":1:52: move 14, 'F', comes after the end of the game: in this line a position came back" in over, over)


def comments_of(text):
    """Moves outside variations, each with its comments."""
    moves, depth = [], 0
    body = text.split("\n\n", 1)[1]
    for token in re.findall(r"\{[^}]*\}|[()]|[^\s(){}]+", body):
        if token in "()":
            depth += 1 if token == "(" else -1
        elif depth == 0 and token[0] == "{":
            moves[-1][1].append(" ".join(token[1:-1].split()))
        elif depth == 0 and re.fullmatch(r"(\d+\.+)?[A-Fa-f](\+\d+)?", token):
            moves.append((token, []))
    return moves


def written_again(_):
    """--ogn says what --json does, is ASCII and narrow, and comes out the same from itself."""
    path = record(3, "abapa")
    once_more = analyse(path, "--rules", "abapa", "--ogn").stdout
    game = analysis(path, "--rules", "abapa")[0]
    expect(once_more.isascii() and max(len(line) for line in once_more.splitlines()) < 80, "wide or not ASCII")
    again = analyse("-", "--rules", "abapa", "--ogn", text=once_more).stdout
    expect(again == once_more, "it comes out otherwise from itself")
    moves = comments_of(once_more)
    expect([m for m, _ in moves] == [m["move"] for m in game["moves"]], "other moves", moves)
    told = 0
    for (_, comments), move in zip(moves, game["moves"]):
        if move["value"] is None:
            continue
        told += 1
        expect(len(comments) == 1, "one comment a move", comments)
        said = re.match(r"tauler: ([+-]?\d+)", comments[0])
        expect(said and int(said[1]) == move["value"], "value", comments, move)
        gave = re.search(r"gave away (\d+)", comments[0].split(" South:")[0])
        expect(move["made_best"] or move["given_away"] is None or move["given_away"][0] != move["given_away"][1] or
               int(gave[1]) == move["given_away"][0], "gave away", comments, move)
    expect(told >= 3, "few values are exact", told)
    tags = re.findall(r'^\[.*\]$', once_more, re.M)
    with open(path, encoding="ascii") as file:
        expect(tags == re.findall(r'^\[.*\]$', file.read(), re.M), "other tags", tags)


def sums_are_of_exact_moves(_):
    """No sum exceeds the seeds of the game, and moves that are known by bounds alone are counted apart."""
    wild = analysis("-", "--game", "auale", text="1-1-1-2-0-1-1-0-0-0-0-1-20-20-S moves BaFaCbD")[0]
    check_sums(wild)
    expect(sum(m["given_away"][0] for m in wild["moves"][::2]) == 50, "South gave away 50 by seven moves", wild["moves"])
    expect(wild["sides"][0]["given_away"] == [ALL, None], wild["sides"][0])
    path = record(2, "abapa")
    sides = analysis(path, "--rules", "abapa")[0]["sides"]
    expect(any(0 < side["bounded"] < side["judged"] for side in sides), "both kinds of moves", sides)
    said = analyse(path, "--rules", "abapa").stdout
    for side in sides:
        wanted = (f"{side['side']}: {side['judged']} of {side['moves']} moves judged, {side['bounded']} of them by bounds alone;"
                  f" the others gave away {side['given_away'][0]} in all") if side["bounded"] else side["side"]
        expect(wanted in " ".join(said.split()), wanted, said)


def games_without_moves(_):
    """Neither result nor moves part them from the next game; a tag of a name that was there does."""
    tables()
    start, other = "0-0-1-0-2-1-0-0-0-0-0-1-20-23-S", "0-0-0-1-0-1-0-0-0-2-0-1-20-23-S"
    games = (f'[Event "a"]\n[Rules "awari"]\n[FEN "{start}"]\n\n[Event "b"]\n[Rules "awari"]\n[FEN "{other}"]\n\nD\n\n'
             f"{start} moves\n{other} moves D\n")
    options = ("-", "--game", "auale", "--rules", "awari")
    found = [json.loads(line) for line in analyse(*options, "--json", text=games).stdout.splitlines()]
    wanted = [(start, 0), (other, 1), (start, 0), (other, 1)]
    expect([(game["start"], len(game["moves"])) for game in found] == wanted, found)
    written = analyse(*options, "--ogn", text=games).stdout
    found = [json.loads(line) for line in analyse(*options, "--json", text=written).stdout.splitlines()]
    expect([(game["start"], len(game["moves"])) for game in found] == wanted, written)
    expect(written == analyse(*options, "--ogn", text=written).stdout, written)
    # Other readers know no better than that a game ends with a result.
    expect(len(re.findall(r"^\*$", written, re.M)) == 2, written)


def tags_name_things_once(_):
    """A block of tags is one game; what a record names twice, and differently, is said."""
    board = "1-0-0-0-0-1-0-1-0-0-0-1-24-20-N"
    twice = '[Variant "Oware Abapa"]\n[Event "a"]\n\n1. A b\n\n[Event "a"]\n[Variant "Oware Abapa"]\n[Event "b"]\n\n1. A b\n'
    done = analyse("-", "--json", text=twice, exit_code=65)
    expect(len(done.stdout.splitlines()) == 1, "more than the game before it is judged")
    expect(":8:1: the tag Event stands twice, first in line 6" in done.stderr, done.stderr)
    cut = f'[Event "a"]\n[Variant "Oware Abapa"]\n[FEN "{board}"]\n\n[Event "b"]\n[FEN "{board}"]\n[Game "auale"]\n\n1. f F\n'
    done = analyse("-", "--json", text=cut, exit_code=64)
    expect(":5: this record names no rules" in done.stderr and len(done.stdout.splitlines()) == 1, done.stderr)
    expect(len(analysis("-", "--rules", "abapa", text=cut)) == 2, "with rules")
    for tags, moves, wanted in (
            ('[Variant "Oware Abapa"]\n[Rules "awari"]', "f F", "Variant says Oware Abapa (line 1), but Rules says awari (line 2), which holds"),
            ('[Variant "Kalah"]\n[Rules "awari"]', "f F", "Variant says Kalah (line 1), but Rules says awari"),
            ('[Rules "awari"]\n[Position "0-1-0-0-0-1-0-1-0-0-0-1-24-20-N"]', "f F", "FEN and Position (line 2) are different positions; FEN holds"),
            ('[Rules "awari"]\n[Position "nothing"]', "f F", "FEN and Position (line 2) are different"),
            ('[Rules "awari"]\n[Result "1-0"]', "f F 0-1", "Result says 1-0 (line 2), but the moves end with 0-1 (line 5)"),
            ('[Rules "awari"]\n[Result "26-22"]', "f F 25-23", "Result says 26-22 (line 2), but the moves end with 25-23"),
            ('[Variant "Abapa"]\n[Rules "abapa"]', "f F", None), ('[Rules "awari"]\n[Result "1-0"]', "f F 25-23", None),
            ('[Rules "awari"]\n[Result "*"]', "f F 0-1", None), ('[Rules "awari"]\n[Result "1-0"]', "f F (F 99-0)", None),
            ('[Rules "awari"]\n[Position "1-0-0-0-0-1-0-1-0-0-0-1-24-20-N  "]', "f F", None)):
        text = f'{tags}\n[FEN "{board}"]\n\n{moves}\n'
        found = analysis("-", "--game", "auale", text=text)[0]["contradictions"]
        expect(len(found) == 1 and wanted in found[0] if wanted else not found, repr(text), found)
        said = " ".join(analyse("-", "--game", "auale", text=text).stdout.split())
        expect(("The record contradicts itself: " + (wanted or "")) in said if wanted else "contradicts" not in said, said)
    overruled = analysis("-", "--rules", "awari", text=f'[Variant "Oware Abapa"]\n[Rules "abapa"]\n[FEN "{board}"]\n\nf')
    expect(overruled[0]["rules"] == "awari" and not overruled[0]["contradictions"], overruled)


def by_hand(_):
    text = BY_HAND % ("24-24", "24-24")
    done = analyse("-", text=text).stdout
    expect("South: Ama, North: Kofi" in done and "auale, abapa, cycles forced; By \"hand\"" in done, done)
    expect(re.search(r"^1\. f .*\n1\.\.\. F ", done, re.M) and "2. b" not in done, done)


def what_best_play_comes_to(_):
    """A game that is not over is said to end as probe says, stores counted."""
    for position in "0-0-1-0-2-1-0-0-0-0-0-1-20-23-S", "0-0-0-1-0-1-0-0-0-2-0-1-27-16-N":
        answer = probe(["--rules", "awari"], [position])[0]
        text, wanted = f"{position} moves", "{:g}-{:g}".format(*answer["final"])
        game = analysis("-", "--game", "auale", "--rules", "awari", text=text)[0]
        expect(game["end"]["expected"] == wanted, game["end"], "not", wanted)
        if game["end"]["result"] is None:
            said = " ".join(analyse("-", "--game", "auale", "--rules", "awari", text=text).stdout.split())
            expect(f"with best play from {position} it ends {wanted};" in said, said)


def kept_as_written(_):
    """Comments and variations stay; ours stand between a move and what others said of it."""
    start = "1-0-0-0-1-1-0-0-0-0-2-0-23-20-N"
    text = (f'[Variant "oware abapa"]\n[FEN "{start}"]\n[Note "a \\\\ \\"b\\""]\n\n{{ first }} 1. e+2 {{ two\n words }} '
            f'F!? $4 ; half }} brace\n( 1... E! {{ no }} 2. f ( 2. b ) ) 2. f 1-0 {{ last }}\n')
    expect([m["move"] for m in analysis("-", text=text)[0]["moves"]] == ["e", "F", "f"], "other moves")
    out = analyse("-", "--ogn", text=text).stdout
    plain = re.sub(r"\{ tauler:[^}]*\} ?", "", out.replace("\n", " "))
    for part in ('[Note "a \\\\ \\"b\\""]', "{ first }", "1. e+2 { two words }", "F!? $4", "; half } brace", "1-0 { last }",
                 "( 1... E! { no } 2. f ( 2. b ) ) 2. f"):
        expect(part in " ".join(plain.split()), part, "is not in", plain)
    expect(re.search(r"1\. e\+2 \{ tauler: [^}]*\} \{ two words \}", " ".join(out.split())), out)
    expect(analyse("-", "--ogn", text=out).stdout == out, "otherwise from itself")


def results_are_held_against_the_end(_):
    end = "0-0-0-0-0-1-0-1-0-0-0-0-24-22-S"
    for said, wanted in ("24-24", "24-24, and the record says so"), ("25-23", "24-24, but the record says 25-23"), \
            ("*", "24-24; the record names no result"), ("1/2-1/2", "24-24, and the record says so, 1/2-1/2"), \
            ("1-0", "24-24, but the record says 1-0"):
        text = f'[Variant "Abapa"]\n[Result "{said}"]\n[FEN "{end}"]\n\n1. F'
        expect(wanted in " ".join(analyse("-", text=text).stdout.split()), wanted, "not of", said)
    # Players stop before all is taken, and say who won alone.
    for said in "25-18", "26-20", "1-0", "1/2-1/2", "0-1", "27-21", "25-23":
        text = f'[Variant "Abapa"]\n[Result "{said}"]\n[FEN "1-0-0-0-0-1-1-1-0-0-0-1-25-18-S"]\n\n1. A {said}'
        expect("he record says" in analyse("-", text=text).stdout, said)
    told = '[Variant "Abapa"]\n[Result "25-23"]\n[FEN "0-0-0-0-0-1-0-1-0-0-0-0-24-22-S"]\n\n1. F'
    expect("but the record says 25-23 (line 2)" in analyse("-", text=told).stdout, "the line of the result")
    expect(analysis("-", text=told)[0]["end"]["record_line"] == 2, "the line of the result")
    expect(analysis("-", text=told.replace("25-23", "*"))[0]["end"]["record_line"] is None, "of no result")
    decided = '[Variant "Abapa"]\n[Result "25-18"]\n[FEN "1-0-0-0-0-1-1-1-0-0-0-1-25-18-S"]\n\n1. A'
    found = " ".join(analyse("-", text=decided).stdout.split())
    expect("is decided: 25-18, and the record says so" in found, "decided")
    # Round and round: the last position stood before, and each side has a row.
    text = '[Variant "Abapa"]\n[Result "25-23"]\n\n1-0-0-0-1-1-0-0-0-0-2-0-23-20-N moves eFfAaBbCcEdDe'
    told = analysis("-", text=text)[0]["end"]
    expect(told["repeated"] and told["result"] == "25-23" and told["check"] == "agrees", told)


def other_games(_):
    start, moves = "7/7/3e3/7/6L/7/7/7/7 w", ["g5g4", "d7d6", "g4g3"]
    game = analysis("-", "--game", "doushouqi", text=f"{start} moves {' '.join(moves)} 0-1")[0]
    answers = probe([], [f"{start} moves {' '.join(moves[:i])}" for i in range(3)], "doushouqi")
    for move, answer in zip(game["moves"], answers):
        made = next(m for m in answer["moves"] if m["move"] == move["move"])
        expect([move[k] for k in ("value", "depth")] == [made[k] for k in ("value", "depth")], move, made)
        expect([move["best"][k] for k in ("value", "depth")] == [answer[k] for k in ("value", "depth")], move)
        best = [m["move"] for m in answer["moves"] if (m["value"], m["depth"]) == (answer["value"], answer["depth"])]
        expect(move["best"]["moves"] == best and move["given_away"] == [answer["value"] - made["value"]] * 2, move)
    expect(game["end"]["check"] == "open" and game["end"]["record"] == "0-1", game["end"])
    expect(game["sides"][0]["given_away"] == [0, 0] and game["sides"][0]["worst"] is None, game["sides"])
    text = '[Game "phutball"]\n[Rules "base"]\n[Position "4/2x1/1o2/4 O"]\n\n1. C1 {?} B2-D4 *\n'
    game = analysis("-", text=text)[0]
    expect([m["given_away"] for m in game["moves"]] == [[2, 2], [0, 0]] or game["moves"][0]["given_away"] == [2, 2], game)
    won = analyse("-", "--game", "phutball", text="4/2x1/1o2/4 O moves B2-D4 1-0").stdout
    expect("The game is over: 1-0, and the record says so." in won, won)
    slow = analyse("-", "--game", "phutball", text="4/2x1/1o2/4 O moves C2").stdout
    expect(re.search(r"C2 +\+1 +3 +\+1 +1 +0  B2-D4", slow), "a slower win", slow)
    out = analyse("-", "--ogn", "--game", "phutball", text="4/2x1/1o2/4 O moves B2-D4 1-0").stdout
    expect('[Game "phutball"]\n[Rules "base"]\n[FEN "4/2x1/1o2/4 O"]\n\n1. B2-D4 { tauler: +1, depth 1, the best.' in out, out)
    expect(analyse("-", "--ogn", text=out).stdout == out, "otherwise from itself")
    game = analysis("-", text='[Game "morris"]\n[Black "B"]\n1. b2 a1 2. c2 a2 3. a3 c1 4. b2b3 a1b1 5. c2c3 1-0')[0]
    expect([m["given_away"] for m in game["moves"]] == [[0, 0]] * 9, game["moves"])
    expect([s["side"] for s in game["sides"]] == ["White", "Black"] and game["sides"][1]["player"] == "B", game["sides"])
    expect(game["start"] == "3/3/3 w" and game["end"]["over"] and game["end"]["result"] == "1-0", game["end"])
    expect(game["end"]["check"] == "agrees", game["end"])
    from_start = analysis("-", "--game", "doushouqi", text="1. a3a4 a7a6", exit_code=66)[0]
    expect(from_start["start"].startswith("l5t/") and len(from_start["moves"]) == 2, from_start)


def several_games_and_files(_):
    good, tail = BY_HAND % ("24-24", "24-24"), "[Game \"phutball\"]\n4/2x1/1o2/4 O moves B2-D4\n4/2x1/1o2/4 O moves C2 *"
    paths = []
    for i, text in enumerate((good + tail, '[Variant "Abapa"]\n1. A A\n[Variant "Abapa"]\n\n1. A b', good)):
        paths.append(os.path.join(SHARED, f"several-{i}.ogn"))
        with open(paths[-1], "w", encoding="ascii") as file:
            file.write(text)
    done = analyse("--json", "--game", "phutball", *paths, exit_code=65)
    games = [json.loads(line) for line in done.stdout.splitlines()]
    expect([(g["file"], g["number"], g["game"]) for g in games] ==
           [(paths[0], 1, "auale"), (paths[0], 2, "phutball"), (paths[0], 3, "phutball"), (paths[1], 2, "auale"),
            (paths[2], 1, "auale")], games)
    expect(done.stderr.count(paths[1] + ":2:6: move 2, 'A', is not legal") == 1, done.stderr)
    expect("1 game or file could not be judged" in done.stderr, done.stderr)


ERRORS = (
    ('[Variant "Abapa"]\n1. A b 2. B b', (), 65,
     "standard input:2:13: move 4, 'b', is not legal: is empty; N to move in 0-0-6-6-6-5-5-0-5-5-5-5-0-0-N can play "
     "a c d e f"),
    ('[Variant "Abapa"]\n1. B {é} b c', (), 65, ":2:12: move 3, 'c', is not legal: is the other side's pit"),
    ("A {x", ("--game", "auale"), 65, ":1:3: the comment is not closed, } is missing"),
    ("A (b", ("--game", "auale"), 65, ":1:3: the variation is not closed, ) is missing"),
    ("A )", ("--game", "auale"), 65, ":1:3: the bracket closes no variation"),
    ("A\0b", ("--game", "auale"), 65, ":1:2: a NUL byte"),
    ('[South "x]\n', (), 65, ":1:1: the value of the tag is not closed"),
    ('[South "x"\n', (), 65, ":1:1: the tag is not closed"),
    ("[South x]\n", (), 65, ":1:1: a tag is written [Name \"value\"]"),
    ("A b x", ("--game", "auale"), 65, ":1:5: 'x' is no move of aualé"),
    ("A (b [x \"y\"]", ("--game", "auale"), 65, ":1:6: a tag inside a variation"),
    ("A 12b", ("--game", "auale"), 65, ":1:3: '12b' is neither a move nor the number of one"),
    ("$3 A", ("--game", "auale"), 65, ":1:1: '$3' is a mark that follows no move"),
    ("moves A", ("--game", "auale"), 65, ":1:1: a position must stand before the word moves"),
    ("(" * 65, ("--game", "auale"), 65, ":1:65: variations lie too deep in each other"),
    ("", (), 65, "standard input holds no game"),
    ("4-4 moves A", ("--game", "auale"), 65, "standard input:1: '4-4' is no aualé position"),
    ("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S moves A", ("--game", "auale"), 65, ":1: '4-4-4-4-4-4-4-4-4-4-4-4-1-0-S' is no aualé position: it has 49 seeds"),
    ('[FEN "1-0-0-0-0-0-0-0-0-0-0-0-24-24-S"]\n1. A', ("--game", "auale"), 65, "it has 49 seeds"),
    # Two seeds captured: +1, and +0 where nothing is, are wrong; +2 of a move that captures nothing is too.
    (f"{TAKES_TWO} moves\n1. e+1 F", ("--game", "auale"), 65, ":2:4: move 1, 'e+1', captures 2 seeds, not 1"),
    (f"{TAKES_TWO} moves\n1. e+2 ; so it is\nF+2", ("--game", "auale"), 65, ":3:1: move 2, 'F+2', captures no seed, not 2"),
    (f"{TAKES_TWO} moves e+99999999999999999999!", ("--game", "auale"), 65, ":1:39: move 1, 'e+99999999999999999999!', captures 2"),
    # A grand slam, which captures nothing under the rules of tournaments.
    ("0-0-0-0-0-1-1-0-0-0-0-0-23-23-S moves F+2", ("--game", "auale", "--rules", "abapa"), 65, ":1:39: move 1, 'F+2', captures no seed, not 2"),
    (f'[Result "24-25"]\n[FEN "{TAKES_TWO}"]\n\ne+2', ("--game", "auale"), 65, ":1:1: the result 24-25 cannot be: there are 48 seeds"),
    (f'[FEN "{TAKES_TWO}"]\n\ne+2 22-26', ("--game", "auale"), 65, ":3:5: the result 22-26 cannot be: South has captured 23"),
    (f'[FEN "{TAKES_TWO}"]\n\ne+2 27-21', ("--game", "auale"), 65, ":3:5: the result 27-21 cannot be: North has captured 22"),
    ("A b 25-24", ("--game", "auale"), 65, ":1:5: the result 25-24 cannot be: there are 48 seeds"),
    ('[South "x"]\n[Result "South"]\nA b', (), 65, ":2:1: the result South cannot be: "),
    ("4/2x1/1o2/4 O moves B2-D4 2-0", ("--game", "phutball"), 65, ":1:27: the result 2-0 cannot be: "),
    ("A1", ("--game", "phutball"), 65, "has no position to begin with"),
    ('[Variant "Kalah"]\nA', (), 64, "the variant 'Kalah' is not known; choose the rules with --rules"),
    ("A b", (), 64, "does not name its game"),
    ('[Game "chess"]\ne4', (), 64, "there is no game 'chess'"),
    ('[Game "oca"]\ne4', (), 64, "oca has no records; games of two players without dice have them: auale, doushouqi, phutball"),
    ("A", ("--game", "oca"), 64, "oca has no records"),
    ("A", ("--game", "auale", "--rules", "none"), 64, "aualé has no rule set or flag 'none'"),
    ("A", ("--game", "auale", "--json", "--ogn"), 64, "--json and --ogn exclude each other"),
    ("A", ("--game", "auale"), 66, "no move of any game is within the tables in"),
    ("4/2x1/1o2/4 O moves B2-D4 A1", ("--game", "phutball"), 65, ":1:27: move 2, 'A1', comes after the end of the game"),
)


def errors_say_where_and_why(_):
    for text, options, code, wanted in ERRORS:
        done = analyse("-", *options, text=text, exit_code=code)
        expect(wanted in done.stderr, repr(text), "says", done.stderr, "and not", wanted)
    missing = analyse(os.path.join(SHARED, "no-such-file"), exit_code=74)
    expect("cannot open" in missing.stderr, missing.stderr)
    folder = analyse(SHARED, exit_code=74)
    expect("cannot" in folder.stderr, folder.stderr)


def rules_that_are_given_come_first(_):
    for text, options, wanted in (('[Variant "Kalah"]\n', ("--rules", "awari"), ("awari", "even")),
                                  ('[Variant "Oware Abapa"]\n', (), ("abapa", "forced")),
                                  ('[Rules "abapa"]\n[Cycles "own-row"]\n[South "x"]\n', (), ("abapa", "own-row")),
                                  ('[Variant "?"]\n', (), ("awari", "even"))):
        game = analysis("-", *options, text=text + "\n0-0-0-0-0-1-0-1-0-0-0-0-24-22-S moves F")[0]
        expect((game["rules"], game["cycles"]) == wanted, text, game["rules"], game["cycles"])


if __name__ == "__main__":
    run_cases([full_game_under_awari, full_game_by_bounds, moves_are_judged_by_their_line, written_again,
               sums_are_of_exact_moves, games_without_moves, tags_name_things_once, by_hand, what_best_play_comes_to,
               kept_as_written, results_are_held_against_the_end, other_games, several_games_and_files,
               errors_say_where_and_why, rules_that_are_given_come_first])
