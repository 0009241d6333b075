"""The ways to ask Tauler: the C library, the Python module, the command line, HTTP. Each takes what it asks (game,
rules, cycles) and positions, and gives an outcome for each; what two ways both tell must be the same."""
import dataclasses
import http.client
import importlib
import json
import math
import os
import pathlib
import subprocess
import urllib.parse
from typing import NamedTuple, Optional

import asking_python
import building
from building import SECONDS, expect

ASK_LIBRARY = pathlib.Path(os.environ.get("TAULER_BUILD", asking_python.ROOT / "build")) / "tests" / "support" / "started" / "ask_library"
UNAVAILABLE = 69  # the exit code of `tauler serve` without libmicrohttpd
EXIT_CODES = {"ok": 0, "bad usage": 64, "bad position": 65, "damaged file": 65, "table missing": 66}


class Ask(NamedTuple):
    """A rule set; None is the default, in rules as in cycles."""

    game: str
    rules: Optional[str] = None
    cycles: Optional[str] = None


@dataclasses.dataclass
class Outcome:
    """The outcome of a question; None: the way does not tell it."""

    error: str  # a name of tauler_error_name, "ok"
    sentence: Optional[str] = None
    shown: Optional[dict] = None  # the object of `tauler probe --json`
    whole: Optional[dict] = None  # everything that the structs hold of it


# --- the object of --json, from everything ---------------------------------------------------------------------------

def middle(worth, dice):
    """The number shown as value: of dice the middle of the bounds, else where they are equal."""
    if worth is None:
        return None
    lower, upper = worth[:2]
    if dice:
        return finite(min(max(lower + (upper - lower) / 2, lower), upper))
    return lower if lower == upper else None


def finite(number):
    return number if math.isfinite(number) else None


def bounds(worth):
    return None if worth is None else [finite(worth[0]), finite(worth[1])]


def settled(worth):
    """The depth of a win or a loss."""
    if worth is None:
        return None
    return worth[2] if worth[0] > 0 else worth[3] if worth[1] < 0 else None


def move_shown(move, answer):
    shown = {"move": move["name"], "position": move["position"] or None,
             "value": middle(move["worth"], answer["dice"]), "child_value": middle(move["child"], answer["dice"]),
             "bounds": bounds(move["worth"]), "best": move["best"], "converts": move["converts"]}
    if answer["dice"]:
        return shown
    shown["outcome"] = move["outcome"]
    shown["stage" if answer["stages"] else "depth"] = settled(move["worth"])
    if answer.get("history"):
        shown.update(repeats=move["repeats"], history=bounds(move["after_line"]))
    return shown


def answer_shown(answer):
    shown = {key: answer[key] for key in ("game", "rules", "position", "turn", "slice", "category", "outcome", "table")}
    shown.update(value=middle(answer["worth"], answer["dice"]), bounds=bounds(answer["worth"]),
                 moves=[move_shown(move, answer) for move in answer["moves"]])
    if answer["dice"]:
        shown["depth"] = None
        shown["quantities"] = {name: bounds(at) for name, at in answer["quantities"]}
        shown["rolls"] = [{"roll": int(name) if name.isdigit() else name, "weight": weight,
                           "moves": [move_shown(move, answer) for move in moves]}
                          for name, weight, moves in answer["rolls"]]
        if answer["seats"] >= 3:
            shown["values"] = [bounds(at) for _, at in answer["quantities"][:answer["seats"]]]
        return shown
    shown["stage" if answer["stages"] else "depth"] = settled(answer["worth"])
    if "history" in answer:
        history = answer["history"]
        shown["history"] = history and {"met": history[0], "over": history[1], "bounds": bounds(history[2]),
                                        "exact": bool(history[2]) and history[2][0] == history[2][1]}
    if "final" in answer:
        shown["final"] = answer["final"]
    return shown


# --- the C library ---------------------------------------------------------------------------------------------------

def c_worth(text):
    """(lower, upper, depth, depth) of "1 1 5 none"; None of "unknown"."""
    if text == "unknown":
        return None
    lower, upper, *depths = text.split(" ")
    return (float(lower), float(upper), *(None if depth == "none" else int(depth) for depth in depths))


def c_move(fields):
    name, position, slice_, worth, child, outcome, over, converts, best, repeats, after = fields
    flags = {"over": over, "converts": converts, "best": best, "repeats": repeats}
    return {"name": name, "position": position, "slice": slice_, "worth": c_worth(worth), "child": c_worth(child),
            "outcome": outcome,
            **{flag: word == "true" for flag, word in flags.items()}, "after_line": c_worth(after)}


def c_answer(lines):
    answer = {"moves": [], "quantities": [], "rolls": [], "dice": False, "seats": 0}
    for line in lines:
        key, *fields = line.split("\t")
        if key == "move":
            (answer["rolls"][-1][2] if answer["rolls"] else answer["moves"]).append(c_move(fields))
        elif key == "quantity":
            answer["quantities"].append((fields[0], c_worth(fields[1])))
        elif key == "roll":
            answer["rolls"].append((fields[0], int(fields[1]), []))
        elif key == "seats":
            answer.update(dice=True, seats=int(fields[0]))
        elif key == "history":
            met = fields[0]
            answer[key] = None if met == "none" else (int(met), fields[1] == "true", c_worth(fields[2]))
        elif key == "final":
            answer[key] = None if fields == ["none"] else [float(field) for field in fields]
        elif key in ("ended", "stages"):
            answer[key] = fields[0] == "true"
        elif key in ("number", "index"):
            answer[key] = None if fields[0] == "none" else int(fields[0])
        elif key == "lead":
            answer[key] = float(fields[0])
        elif key == "worth":
            answer[key] = c_worth(fields[0])
        elif key == "table":
            answer[key] = None if fields[0] == "none" else fields[0]
        else:
            answer[key] = fields[0]
    return answer


def ask_library(folder, ask, positions):
    done = subprocess.run([ASK_LIBRARY, folder, ask.game, ask.rules or "", ask.cycles or ""], capture_output=True,
                          input="".join(text + "\n" for text in positions), encoding="utf-8", check=False,
                          timeout=building.SECONDS)
    if done.returncode:
        name, sentence = done.stderr.removeprefix("ask_library: ").rstrip("\n").split(": ", 1)
        return [Outcome(name, sentence) for _ in positions]
    outcomes = []
    blocks = done.stdout.split("\nend\n")
    expect(len(blocks) == len(positions) + 1 and blocks[-1] == "", len(blocks), "answers")
    for text, block in zip(positions, blocks):
        asked, error, *lines = block.split("\n")
        expect(asked == "ask\t" + text, asked, "is not", text)
        whole = c_answer(lines) if lines else None
        outcomes.append(Outcome(error.removeprefix("error\t"), None, whole and answer_shown(whole), whole))
    return outcomes


# --- Python ----------------------------------------------------------------------------------------------------------

def python_worth(worth):
    return worth and (worth.lower, worth.upper, worth.depth_lower, worth.depth_upper)


def python_move(move):
    return {**{key: getattr(move, key) for key in ("name", "over", "converts", "best", "repeats")},
            "position": move.position or "", "slice": move.slice or "", "outcome": str(move.outcome),
            "worth": python_worth(move.bounds), **{key: python_worth(getattr(move, key)) for key in ("child", "after_line")}}


def python_quantity(quantity):
    return quantity.name, None if quantity.lower is None else (quantity.lower, quantity.upper)


def python_answer(answer):
    whole = {key: getattr(answer, key) for key in ("game", "rules", "cycles", "position", "turn", "ended", "stages",
                                                   "table", "dice", "seats", "index")}
    whole.update(slice=answer.slice or "", category=str(answer.category), outcome=str(answer.outcome),
                 lead=answer.lead, worth=python_worth(answer.bounds),
                 number=2**32 - 1 if answer.slice_number is None else answer.slice_number,
                 moves=[python_move(move) for move in answer.moves],
                 quantities=[python_quantity(quantity) for quantity in answer.quantities],
                 rolls=[(roll.name, roll.weight, [python_move(move) for move in roll.moves]) for roll in answer.rolls])
    if answer.history_counts:
        history = answer.history
        whole["history"] = history and (history.met, history.over, python_worth(history.bounds))
    if answer.has_stores:
        whole["final"] = answer.final and list(answer.final)
    return whole


def ask_python(folder, ask, positions):
    tauler = importlib.import_module("tauler")
    outcomes = []
    with tauler.open(folder) as db:
        try:
            tables = db.select(*ask)
        except tauler.Error as error:
            return [Outcome(error.name, str(error)) for _ in positions]
        for text in positions:
            name, sentence = "ok", None
            try:
                answer = tables.probe(text)
            except tauler.Error as error:
                name, sentence, answer = error.name, str(error), getattr(error, "answer", None)
            whole = answer and python_answer(answer)
            outcomes.append(Outcome(name, sentence, whole and answer_shown(whole), whole))
    return outcomes


# --- the command line ------------------------------------------------------------------------------------------------

def options(ask):
    return [*(["--rules", ask.rules] if ask.rules else []), *(["--cycles", ask.cycles] if ask.cycles else [])]


def ask_together(folder, ask, positions, name):
    """Positions of which the same is to come, through standard input: the exit code and the number of objects tell
    that it does, of each of them."""
    done = subprocess.run([building.TAULER, "probe", ask.game, *options(ask), "--json", "--db", folder],
                          capture_output=True, input="".join(text + "\n" for text in positions), encoding="utf-8",
                          env=building.environment(), timeout=building.SECONDS, check=False)
    if name == "bad usage":
        expect(done.returncode == 64 and not done.stdout, ask, done)
        sentence = done.stderr.removeprefix("tauler probe: ").split("\n")[0]
        return [Outcome(name, sentence) for _ in positions]
    expect(done.returncode == EXIT_CODES[name], "exit code", done.returncode, "where others say", name,
           done.stderr[:300])
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    answered = name in ("ok", "table missing")
    expect(len(objects) == (len(positions) if answered else 0), len(objects), "answers of", len(positions), name)
    # The last line sums up.
    sentences = done.stderr.splitlines()[:-1] if name != "ok" else []
    expect(len(sentences) == (0 if name == "ok" else len(positions)), sentences[-3:])
    outcomes = []
    for number in range(len(positions)):
        before = f"tauler probe: line {number + 1}: "
        expect(not sentences or sentences[number].startswith(before), sentences[number:number + 1])
        outcomes.append(Outcome(name, sentences[number][len(before):] if sentences else None,
                                objects[number] if answered else None))
    return outcomes


def ask_command_line(folder, ask, positions, told):
    """`told`: names of errors, as another way has them, by which positions go together into a run."""
    outcomes = [None] * len(positions)
    for name in sorted(set(told)):
        chosen = [i for i, other in enumerate(told) if other == name]
        for i, outcome in zip(chosen, ask_together(folder, ask, [positions[i] for i in chosen], name)):
            outcomes[i] = outcome
    return outcomes


# --- HTTP ------------------------------------------------------------------------------------------------------------

class Server:
    """`tauler serve` over a folder, on a port of its own."""

    def __init__(self, folder):
        self.process = building.start("serve", "--db", folder, "--port", "0")
        said = self.process.stdout.readline()
        if not said.startswith("http://"):
            self.stop()
            raise building.Failure(f"serve says {said!r}")
        self.port = urllib.parse.urlsplit(said.strip()).port

    @staticmethod
    def start(folder):
        """None if the program was built without."""
        if building.run("serve", "--help", exit_code=None).returncode:
            return None
        tried = building.run("serve", "--port", "none", exit_code=None)
        return None if tried.returncode == UNAVAILABLE else Server(folder)

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=SECONDS)

    def path(self, ask, text, below=""):
        query = {"pos": text, **({"cycles": ask.cycles} if ask.cycles else {})}
        return (f"/v1/{ask.game}/{urllib.parse.quote(ask.rules or 'default', safe='')}{below}?"
                + urllib.parse.urlencode(query, quote_via=urllib.parse.quote, safe=""))

    def ask(self, _, ask, positions, below=""):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        outcomes = []
        for text in positions:
            connection.request("GET", self.path(ask, text, below))
            response = connection.getresponse()
            body = json.loads(response.read())
            if response.status == 200:
                outcomes.append(Outcome("ok", None, body))
                continue
            # Of files and commands only those hear who are on this machine.
            told = body["message"] if body["error"].startswith("bad ") else None
            outcome = Outcome(body["error"], told, body.get("answer"))
            statuses = {"bad position": {400}, "bad usage": {400, 404}, "table missing": {404},
                        "damaged file": {503}}
            expect(response.status in statuses[outcome.error], response.status, body)
            outcomes.append(outcome)
        connection.close()
        return outcomes
