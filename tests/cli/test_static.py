#!/usr/bin/env python3
# Tier: make check
"""A published folder answers by tauler.wasm as `tauler serve` answers, of every game, and reads little of its files."""
import contextlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from building import CHECK, SECONDS, TAULER, TESTS, Skip, build, expect, run, run_cases  # noqa: E402
from serving import Server  # noqa: E402

MODULE = os.path.join(os.path.dirname(os.path.abspath(TAULER)), "tauler.wasm")
POSITIONS = 1000 if CHECK else 40

# Options of the build, rules and cycles to ask by, and where walks begin: some go past what the tables hold.
SETS = [
    ("auale", ("--seeds", "9", "--depth"), "awari", None, ["0-0-1-0-2-1-1-0-0-3-0-1-20-19-S", "1-0-0-0-2-1-0-1-0-2-0-2-19-20-N"]),
    ("auale", ("--seeds", "7", "--rules", "abapa", "--cycles", "forced", "--depth"), "abapa", "forced",
     ["1-0-1-0-0-1-1-0-0-2-0-1-21-20-S"]),
    ("auale", ("--seeds", "6", "--rules", "abapa", "--cycles", "own-row"), "abapa", "own-row", ["1-0-1-0-0-1-1-0-0-1-0-1-21-21-S"]),
    ("doushouqi", ("--pieces", "3",) if CHECK else ("--pieces", "2"), "base", None, None),
    ("phutball", ("--board", "5x3"), "base", None, ["3/3/1o1/x2/3 O", "3/1x1/1o1/3/3 E"]),
    ("morris", (), "base", None, None),
    ("oca", ("--players", "2"), "base", None, None),
    ("oca-asesina", ("--board", "20", "--tokens", "1"), None, None, None),
]


def address(game, rules, what="", **query):
    asked = urllib.parse.urlencode({name: value for name, value in query.items() if value})
    return f"/v1/{game}/{urllib.parse.quote(rules or 'default')}{what}?{asked}"


class Published:
    """Node with the module over a published folder."""

    def __init__(self, folder):
        self.node = subprocess.Popen(["node", os.path.join(TESTS, "explorer", "ask_published.mjs"), MODULE, folder],
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.node.stdin.close()
        self.node.stdout.close()
        self.node.wait(SECONDS)

    def ask(self, path, **more):
        self.node.stdin.write(json.dumps({"path": path, **more}) + "\n")
        self.node.stdin.flush()
        line = self.node.stdout.readline()
        expect(line, "node has ended", path)
        return json.loads(line)


@contextlib.contextmanager
def both(folder):
    if not shutil.which("node") or not os.path.exists(MODULE):
        raise Skip(f"there is no node, or no {MODULE}: make wasm")
    public = folder + ".public"
    run("publish", public, "--db", folder, "--module", MODULE, "--quiet")
    with Server(folder) as server, Published(public) as published:
        yield server, published


def same(server, published, path, **more):
    status, _, body = server.ask(path)
    answer = published.ask(path, **more)
    one, other = (re.sub(r'"seconds":[\d.e-]+', "", text) for text in (answer["body"], body.decode()))
    expect((answer["status"], one) == (status, other), path, answer["status"], status, first_difference(one, other))
    return answer


def first_difference(one, other):
    at = len(os.path.commonprefix([one, other]))
    return f"{one[max(0, at - 40):at + 80]!r} for {other[max(0, at - 40):at + 80]!r}"


def next_positions(answer):
    moves = answer.get("moves") or [move for roll in answer.get("rolls") or [] for move in roll["moves"]]
    return [move["position"] for move in moves if move["position"]]


def walk(server, published, game, rules, cycles, starts):
    """Positions of play, each asked about once, from the starts again and again."""
    chance = random.Random(game + str(cycles))
    seen, here = set(), None
    for _ in range(20 * POSITIONS):
        if len(seen) >= POSITIONS:
            break
        here = here or chance.choice(starts)
        answer = same(server, published, address(game, rules, pos=here, cycles=cycles))
        seen.add(here)
        body = json.loads(answer["body"])
        further = next_positions(body.get("answer") or body)
        here = chance.choice(further) if further and chance.random() < 0.95 else None
    return len(seen)


def make_tables(folder, game, options):
    build(folder, *options, game=game)


def static_and_server_answer_alike(folder):
    for game, options, *_ in SETS:
        make_tables(folder, game, options)
    with both(folder) as (server, published):
        contents = json.loads(same(server, published, "/v1/")["body"])
        examples = {game["name"]: game["example"] for game in contents["games"]}
        for game, _, rules, cycles, starts in SETS:
            n = walk(server, published, game, rules, cycles, starts or [examples[game]])
            print(f"  {game} {rules} {cycles or ''}: {n} positions alike", flush=True)
        for game in contents["games"]:
            for rule_set in game["rule_sets"]:
                for one in rule_set["slices"][:50]:
                    same(server, published, address(game["name"], rule_set["rules"], "/stats", slice=one["slice"],
                                                    cycles=rule_set["cycles"]))


def other_questions_are_answered_alike(folder):
    build(folder, "--seeds", "8", "--depth")
    build(folder, "--seeds", "6", "--rules", "abapa", "--cycles", "own-row")
    build(folder, "--players", "2", game="oca")
    start = "0-0-1-0-2-1-1-0-0-3-0-0-20-20-S"
    with both(folder) as (server, published):
        for path in ("/v1/nothing", "/v1/auale/awari", "/v1/auale/awari?pos=x", "/v1/auale/nothing?pos=x", "/v1/auale/awari?pos=%zz",
                     address("auale", "awari", "/line", pos=start), address("oca", None, "/board"),
                     address("auale", "awari", pos=start + " moves E"),
                     address("auale", "awari", "/search", pos="0-0-2-0-2-1-1-0-0-3-0-1-19-19-S", positions="20000"),
                     address("auale", "abapa", pos="1-0-1-0-0-1-1-0-0-1-0-1-21-21-S moves F", cycles="own-row"),
                     address("auale", "abapa", "/line", pos="1-0-1-0-0-1-1-0-0-1-0-1-21-21-S", cycles="own-row")):
            same(server, published, path)


def few_and_short_parts_of_files_are_read(folder):
    """Plain cells: a value of its own table alone. The list of moves reads more, and stays bounded."""
    plain = folder + ".plain"
    seeds, start = ("16", "0-0-1-0-2-1-1-5-0-3-1-2-16-16-S") if CHECK else ("11", "0-0-1-0-2-1-1-0-0-3-1-2-19-18-S")
    build(folder, "--seeds", seeds)
    run("export", "auale", "--seeds", seeds, "--db", folder, "--to", plain, "--level", "19", "--quiet")
    with both(plain) as (server, published):
        contents = json.loads(published.ask("/v1/")["body"])
        expect(contents["games"][0]["rule_sets"], "nothing published")
        chance = random.Random(5)
        costs, here = [], None
        for _ in range(POSITIONS // 10):
            here = here or start
            path = address("auale", "awari", pos=here)
            answer = same(server, published, path, cold=True)
            costs.append((answer["requests"], answer["bytes"]))
            if CHECK and seeds == json.loads(answer["body"])["slice"]:
                name = f"tables/auale/awari/even/{seeds}.value.zst"
                expect(answer["read"][:3] == [name, name + ".offsets", name], "a value by three requests", answer["read"])
            further = next_positions(json.loads(answer["body"]))
            here = chance.choice(further) if further else None
        requests, size = zip(*costs)
        expect(max(requests) <= 3 * 7 and max(size) <= 7 * 65536, "a position and its six moves at most", costs)
        print(f"  cold, with all moves: {statistics.median(requests)} requests and {statistics.median(size)} bytes at the median,"
              f" {max(requests)} and {max(size)} at most", flush=True)


run_cases([static_and_server_answer_alike, other_questions_are_answered_alike, few_and_short_parts_of_files_are_read])
