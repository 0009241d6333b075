#!/usr/bin/env python3
# Tier: make check
"""`/v1/…/exercise`: one move alone keeps what there is to be had, another looks as good and is wrong. Held against the moves that the server lists for
the position, and against captures that are counted here."""
import urllib.parse

from building import CHECK, build, expect, leave_to_check, run_cases
from serving import Server

SEEDS, DICE = 6, "base,board=20"
SLICES = (("auale", "awari", "6"), ("auale", "abapa", "6"), ("phutball", "base", "5x3"), ("morris", "base", "all"), ("doushouqi", "base", "Rr"))


def build_all(folder):
    build(folder, "--seeds", str(SEEDS))
    build(folder, "--seeds", str(SEEDS), "--rules", "abapa")
    build(folder, "--board", "5x3", "--depth", game="phutball")
    build(folder, game="morris")
    build(folder, "--material", "Rr", game="doushouqi")
    build(folder, "--players", "1", game="oca")


def ask(server, game, rules, what="", **query):
    return server.json(f"/v1/{game}/{urllib.parse.quote(rules, safe='')}{what}?{urllib.parse.urlencode(query)}")


def exercises(server, game, rules, slice_name, seeds=range(1, 9), **more):
    """Those that are found, each with the answer of its position."""
    for seed in seeds:
        for grade in (1, 2, 3):
            asked = {"slice": slice_name, "seed": seed, "grade": grade, **more}
            found = ask(server, game, rules, "/exercise", **asked)
            if CHECK or seed == 1:
                expect(found == ask(server, game, rules, "/exercise", **asked), "another exercise", asked)
            if found["position"] is None:
                continue
            expect(found["grade"] == grade, "grade", found)
            yield found, ask(server, game, rules, pos=found["position"])


def seeds_on(position):
    return sum(map(int, position.split("-")[:12]))


def captured(position, move):
    """Seeds that a move of aualé takes at once; of one that ends the game what it is worth."""
    return seeds_on(position) - seeds_on(move["position"]) if move["position"] else move["value"]


def nearer(position, move):
    """Ranks by which a move of dou shou qi comes nearer to the other den; a rat that takes the last animal wins."""
    ranks = int(move["move"][3]) - int(move["move"][1])
    return 1000 if move["value"] == 1 and move["depth"] == 1 else ranks if position.endswith("w") else -ranks


LOOKS = {"auale": captured, "doushouqi": nearer}


def check_looks(found, moves):
    """The natural move looks best of the wrong ones, and no worse than the right one."""
    looks = {move["move"]: LOOKS[found["game"]](found["position"], move) for move in moves}
    right = looks.pop(found["right"])
    expect(looks[found["natural"]] == max(looks.values()) >= right, "looks", found, right, looks)


def ahead(server, rules, position, plies):
    """The mover's net captures by a search of so many plies."""
    moves = ask(server, "auale", rules, pos=position)["moves"]
    if plies == 0 or not moves:
        return 0 if moves else ask(server, "auale", rules, pos=position)["value"]
    return max(after(server, rules, position, move, plies) for move in moves)


def after(server, rules, position, move, plies):
    rest = ahead(server, rules, move["position"], plies - 1) if move["position"] and plies > 1 else 0
    return captured(position, move) - rest


def check_plies_of_auale(server, rules, found, moves):
    position = found["position"]
    for plies in range(1, min(found["plies"] or 3, 3) + 1):
        worth = {move["move"]: after(server, rules, position, move, plies) for move in moves}
        tells = all(worth[found["right"]] > worth[name] for name in worth if name != found["right"])
        expect(tells == (plies == found["plies"]), plies, "plies tell", found, worth)


def check_plies_of_outcomes(found, moves):
    by_name = {move["move"]: move for move in moves}
    right = by_name[found["right"]]
    lost = [move["depth"] for move in moves if move is not right and move["depth"] is not None]
    expect(right["value"] >= 0 and found["plies"] == (right["depth"] if right["value"] else max(lost)), "plies", found)
    expect(found["plies"] > 1 and found["grade"] == (1 if found["plies"] <= 3 else 2 if found["plies"] <= 9 else 3), "grade", found)


def check_only_move(found, moves):
    best = [max(move["bounds"][i] for move in moves) for i in (0, 1)]
    keeping = [move["move"] for move in moves if move["bounds"] == best]
    expect(keeping == [found["right"]], "keep the value:", keeping, found)
    expect(found["natural"] != found["right"] and found["natural"] in [move["move"] for move in moves], "natural", found)


def exercises_have_one_right_move(server):
    for game, rules, slice_name in SLICES:
        positions = set()
        for found, answer in exercises(server, game, rules, slice_name):
            moves, position = answer["moves"], found["position"]
            positions.add(position)
            check_only_move(found, moves)
            if game in LOOKS:
                check_looks(found, moves)
            if game != "auale":
                check_plies_of_outcomes(found, moves)
            elif len(positions) <= 6:
                check_plies_of_auale(server, rules, found, moves)
        expect(len(positions) >= 6, game, rules, "has few exercises", positions)


def exercises_differ_from_other_rules(server):
    positions = 0
    for found, answer in exercises(server, "auale", "abapa", "6", range(1, 7), unlike="awari/even"):
        positions += 1
        check_only_move(found, answer["moves"])
        other = ask(server, "auale", "awari", pos=found["position"])
        expect(answer["bounds"] != other["bounds"], "the same under awari", found)
    expect(positions >= 6, "few differ", positions)
    expect(ask(server, "auale", "awari", "/exercise", slice="6", seed=1, unlike="awari")["position"] is None, "unlike itself")


def bad_questions_are_refused(server):
    for path, status, word in (("auale/awari/exercise", 400, "slice is missing"), ("auale/awari/exercise?slice=x", 400, "no slice called 'x'"),
                               ("auale/awari/exercise?slice=7", 404, "no table here"), ("auale/awari/exercise?slice=6&seed=0", 400, "'seed'"),
                               ("auale/awari/exercise?slice=6&grade=4", 400, "'grade'"), ("auale/awari/exercise?slice=6&pos=x", 400, "'pos'"),
                               ("auale/awari/exercise?slice=6&unlike=x", 400, "no rule set"), ("oca/base/exercise?slice=1", 400, "no roll leaves a choice"),
                               ("auale/abapa/exercise?slice=6&seed=1&unlike=awari/forced", 404, "no table here"),
                               ("auale/awari?pos=x&seed=1", 400, "'seed'"), ("nothing/base/exercise?slice=1", 404, "no game")):
        got, _, body = server.ask(f"/v1/{path}")
        expect(got == status and word in body.decode(), path, got, body)
    nothing = ask(server, "auale", "awari", "/exercise", slice="0", seed=1)
    expect(nothing["position"] is None and nothing["looked"] < 100, "an empty board", nothing)


def exercises_without_dice(folder):
    build_all(folder)
    with Server(folder) as server:
        exercises_have_one_right_move(server)
        exercises_differ_from_other_rules(server)
        bad_questions_are_refused(server)


def exercises_of_dice_have_a_regret(folder):
    leave_to_check()
    build(folder, "--board", "20", "--tokens", "2", game="oca-asesina")
    with Server(folder) as server:
        for found, answer in exercises(server, "oca-asesina", DICE, "2.0-0", range(1, 9)):
            moves = next(roll["moves"] for roll in answer["rolls"] if roll["roll"] == found["roll"])
            by_name = {move["move"]: move["bounds"] for move in moves}
            regrets = {name: by_name[found["right"]][0] - bounds[1] for name, bounds in by_name.items() if name != found["right"]}
            expect(min(regrets.values()) >= 0.005, "another move is as good", found, regrets)
            expect(found["grade"] == sum(regrets[found["natural"]] < least for least in (1, 0.05, 0.02)), "grade", found, regrets)


run_cases([exercises_without_dice, exercises_of_dice_have_a_regret])
