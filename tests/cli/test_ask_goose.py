#!/usr/bin/python3
"""Asking tables of the two games of the goose: published figures, rolls and their moves, what is refused."""
import atexit
import csv
import io
import json
import os
import shutil
import tempfile
from fractions import Fraction

import building
from building import Skip, environment, expect, run, run_cases

# Lower and upper ends of what is published, to the last digit given.
ONE_PLAYER = Fraction(175624630924816029684637425982424243923519241, 242428832615484770090295665631222801425184768)
TWO_PLAYERS = {"win-1": "0.511066874585", "win-2": "0.488933125415", "turns": "27.951880482", "rolls": "28.355067203"}
ALONE = {"turns": "14.410951048086227", "rolls": "17.193176027029008"}
SCORES = {"base,board=20": "0.501104833671"}
if building.LONG:
    SCORES |= {"base": "0.503219465746", "base,goose-1=off": "0.502998771922", "base,last-turn=off": "0.507880422631"}
ASESINA = ("oca-asesina", "--board", "20")
START = "0/0 lost=0,0 seat=1"

SHARED = tempfile.mkdtemp(prefix="tauler-ask.")
DB = os.path.join(SHARED, "db")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)


def built(game, *options):
    """Tables of the game, in the folder that all cases share."""
    if run("games", game, exit_code=None).returncode:
        raise Skip(f"there is no {game}")
    run("build", game, *options, "--quiet", "--db", DB)


def asked(game, position, *options, exit_code=0, db=DB):
    return json.loads(run("probe", game, *options, "--json", position, "--db", db, exit_code=exit_code).stdout)


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(run("stats", *arguments, "--csv", "--quiet", "--db", DB).stdout)))


def hold(lower, upper, published):
    """Whether bounds, as they are printed, hold a figure that is rounded to its last digit."""
    half = Fraction(1, 2 * 10 ** len(published.split(".")[1]))
    near = Fraction(lower) <= Fraction(published) + half and Fraction(upper) >= Fraction(published) - half
    return near and Fraction(upper) - Fraction(lower) < Fraction(1, 10 ** 8)


def one_player_of_oca(_):
    built("oca", "--players", "1")
    found = {row["quantity"]: row for row in rows("oca", "--players", "1")}
    expect(set(found) == {"win-1", "turns", "rolls"}, found)
    win = found["win-1"]
    expect(Fraction(win["lower"]) <= ONE_PLAYER <= Fraction(win["upper"]), "not between", win)
    for name, published in ALONE.items():
        expect(hold(found[name]["lower"], found[name]["upper"], published), name, found[name])
    answer = asked("oca", "oca:0/1")
    expect((answer["slice"], answer["turn"], answer["category"], answer["depth"]) == ("1", "1", "unknown", None), answer)
    expect(answer["bounds"] == answer["quantities"]["win-1"], answer["bounds"])
    expect(answer["bounds"][0] <= answer["value"] <= answer["bounds"][1], answer["value"])


def two_players_of_oca(_):
    built("oca", "--players", "2")
    found = rows("oca", "--players", "2")
    expect([row["quantity"] for row in found] == ["win-1", "win-2", "turns", "rolls"], found)
    for row in found:
        expect(hold(row["lower"], row["upper"], TWO_PLAYERS[row["quantity"]]), row)
    first, second = asked("oca", "oca:12,19~2/1"), asked("oca", "oca:19~2,12/2")
    expect(first["quantities"]["win-1"] == second["quantities"]["win-2"], "seats by another name")
    expect(first["quantities"]["turns"] == second["quantities"]["turns"], "turns by another name")
    expect((first["value"], first["bounds"]) == (second["value"], second["bounds"]), "worth of the mover")
    expect("values" not in first and first["moves"] == [], first)
    rolls = first["rolls"]
    expect([roll["roll"] for roll in rolls] == [1, 2, 3, 4, 5, 6] and {roll["weight"] for roll in rolls} == {1}, rolls)
    mean = sum(Fraction(roll["moves"][0]["value"]) for roll in rolls) / 6
    expect(abs(mean - Fraction(first["value"])) < Fraction(1, 10 ** 8), "the mean of the rolls is", float(mean))
    goose = rolls[1]["moves"]
    expect([(move["move"], move["position"], move["best"]) for move in goose] == [("12-14-18", "oca:18,19~2/1", True)], goose)
    passing = asked("oca", "oca:19~2,12/1")["rolls"]
    expect([(roll["roll"], len(roll["moves"])) for roll in passing] == [("pass", 1)], passing)
    expect(passing[0]["moves"][0]["position"] == "oca:19~1,12/2", passing)


def scores_of_la_oca_asesina(_):
    for rules, published in SCORES.items():
        built("oca-asesina", "--tokens", "1", "--rules", rules)
        found = rows("oca-asesina", "--tokens", "1", "--rules", rules, "--total")
        first, second = found[-2:]
        expect([row["slice"] for row in (first, second)] == ["total", "total"], found)
        expect((first["quantity"], second["quantity"]) == ("score-1", "score-2"), found)
        expect(hold(first["lower"], first["upper"], published), rules, first)
        both = Fraction(first["lower"]) + Fraction(second["upper"])
        expect(abs(both - 1) < Fraction(1, 10 ** 15), "scores add up to", float(both))
        expect({row["slice"] for row in found} == {"1-0", "0-0", "total"}, found)


def a_race_of_one_token(_):
    built(*ASESINA, "--tokens", "1")
    first, second = asked(ASESINA[0], "5/12 lost=0,0 seat=1", *ASESINA[1:]), asked(ASESINA[0], "5/12 lost=1,0 seat=1", *ASESINA[1:])
    expect(first["category"] in ("win", "loss") and first["bounds"] == first["quantities"]["score-1"], first)
    expect([len(roll["moves"]) for roll in first["rolls"]] == [1] * 6, "one token, one move")
    expect([roll["roll"] for roll in second["rolls"]] == ["pass"], second["rolls"])
    move = second["rolls"][0]["moves"][0]
    expect(move["move"] == "pass" and move["value"] == second["value"], move)
    after = asked(ASESINA[0], move["position"], *ASESINA[1:])
    expect(after["turn"] == "2" and after["value"] == move["child_value"], after["turn"])
    expect(after["quantities"] == second["quantities"], "a pass changes nothing")
    counted = rows(*ASESINA, "--tokens", "1", "--choices")
    expect(all(int(row["decisions"]) == 6 * int(row["positions"]) and row["real"] == "0" for row in counted), counted)
    every = rows(*ASESINA, "--tokens", "1", "--choices", "--every")
    expect({row["counted"] for row in counted} == {"reached"} and {row["counted"] for row in every} == {"every"}, counted, every)
    expect(all(int(one["positions"]) <= int(all_["positions"]) for one, all_ in zip(counted, every)) and counted != every, counted)
    match = [json.loads(run("stats", *ASESINA, "--tokens", "1", "--matches", "--first", "random", "--second", "random", "--json",
                            *more, "--db", DB).stdout) for more in ((), ("--every",))]
    expect([one["counted"] for one in match] == ["reached", "every"] and match[0]["positions"] < match[1]["positions"], match)
    text = run("probe", *ASESINA, START, "--db", DB).stdout
    expect("Seat 1 to roll: value 0.5011048" in text and "more than one half" in text, text)
    expect(text.count(" 16.67 % ") == 6, text)


def without_tables(folder):
    built(*ASESINA, "--tokens", "1")
    answer = asked("oca-asesina", "0,5/4,12 lost=0,0 seat=2", db=folder, exit_code=66)
    expect(all(answer[key] is None for key in ("value", "bounds", "depth", "table")), answer)
    expect(answer["category"] == "unknown" and answer["quantities"] == {"score-1": None, "score-2": None}, answer)
    moves = [move for roll in answer["rolls"] for move in roll["moves"]]
    expect(len(answer["rolls"]) == 6 and any(len(roll["moves"]) == 2 for roll in answer["rolls"]), answer["rolls"])
    expect(all(move["value"] is None and move["bounds"] is None and not move["best"] for move in moves), moves)
    done = run("stats", "oca-asesina", "--tokens", "2", "--csv", "--db", folder, exit_code=66)
    expect(done.stdout == "" and "tauler build oca-asesina --tokens 2 " in done.stderr, done.stderr)


def wrong_input(_):
    built(*ASESINA, "--tokens", "1")
    built("oca", "--players", "1")
    for game, position, words in (("oca-asesina", "0/99 lost=0,0 seat=1", "beyond square"), ("oca-asesina", "0/0 lost=0,0 seat=3", "seat"),
                                  ("oca", "oca:99/1", "99"), ("oca", "12,19/1", "oca:"), ("oca", "oca:12,19/3", "seat")):
        done = run("probe", game, position, "--db", DB, exit_code=65)
        expect(words in done.stderr and done.stdout == "" and done.stderr.count("\n") == 1, position, "-", done.stderr)
    for arguments, words in ((("probe", *ASESINA, START, "--line"), "no single line"),
                             (("probe", "oca", "oca:0,0,0/1", "--line"), "no single line"), (("stats", *ASESINA, "--tokens", "1", "--depths"), "--depths"),
                             (("stats", *ASESINA, "--tokens", "1", "--boards", "all"), "--boards"),
                             (("stats", "oca", "--players", "1", "--choices"), "nobody chooses"),
                             (("stats", *ASESINA, "--tokens", "1", "--choices", "--policies"), "exclude"),
                             (("stats", *ASESINA, "--tokens", "1", "--sample", "2"), "--sample"),
                             (("stats", *ASESINA, "--tokens", "1", "--every"), "--every"),
                             (("stats", *ASESINA, "--tokens", "1", "--choices", "--sample", "0"), "sample"),
                             (("stats", "auale", "--seeds", "1", "--policies"), "no game of dice")):
        done = run(*arguments, "--db", DB, exit_code=64)
        expect(words in done.stderr and done.stdout == "" and done.stderr.count("\n") == 1, arguments, "-", done.stderr)


def the_games_are_described(_):
    for game, option, example in (("oca", "players", "oca:"), ("oca-asesina", "tokens", "seat=")):
        built(game, "--" + option, "1", *(("--board", "20") if option == "tokens" else ()))
        about = json.loads(run("games", game, "--json").stdout)
        expect((about["size_option"], example in about["example"]) == (option, True), about)
        expect(about["rolls"] == [{"roll": n, "weight": 1} for n in range(1, 7)], about["rolls"])
        run("probe", game, about["example"], "--db", os.path.join(SHARED, "none"), exit_code=66)
        text = run("games", game).stdout
        expect("--" + option in text and "1 2 3 4 5 6" in text, text)
    expect("rolls" not in json.loads(run("games", "auale", "--json").stdout), "dice in aualé")


expect("TAULER_DB" not in environment(), "a folder of tables of the user's own")
run_cases([one_player_of_oca, two_players_of_oca, scores_of_la_oca_asesina, a_race_of_one_token, without_tables, wrong_input,
           the_games_are_described])
