#!/usr/bin/python3
# Tier: make check
"""Findings of the claims about Dou Shou Qi: figures, and the same figures worked out again from what `tauler stats` and
`tauler probe` say of the same tables."""
import csv
import io
import itertools
import json

from building import expect, run, run_cases
from claiming import SHARED, check_expected_of, report, row, row_where, rows

ORDER = "ELTPDWCR"
NAMES = dict(zip(ORDER, ("elephant", "lion", "tiger", "leopard", "dog", "wolf", "cat", "rat")))


def key_figures(_):
    check_expected_of("doushouqi-", 10)


def materials(pieces, rules="base"):
    """Losses, draws and wins of each material, White to move, by `tauler stats`."""
    done = run("stats", "doushouqi", "--rules", rules, "--pieces", str(pieces), "--csv", "--db", SHARED)
    counts = {}
    for line in csv.DictReader(io.StringIO(done.stdout)):
        counts.setdefault(line["slice"], [0, 0, 0])[int(line["value"]) + 1] += int(line["count"])
    return counts


def lengths_are_those_of_stats(_):
    found = report("doushouqi-longest --pieces 3")
    for table, rules in (("lengths_first", "liacs"), ("lengths_second", "base")):
        for pieces, key in ((2, "two"), (3, "three")):
            counts = {}
            for line in csv.DictReader(io.StringIO(run("stats", "doushouqi", "--rules", rules, "--pieces", str(pieces),
                                                       "--depths", "--csv", "--total", "--db", SHARED).stdout)):
                if line["slice"] == "total" and line["value"] != "0":
                    counts[int(line["depth"])] = counts.get(int(line["depth"]), 0) + int(line["count"])
            is_ = {one["plies"]: one[key] for one in rows(found, table) if one[key] is not None}
            expect(is_ == counts, rules, pieces, "lengths")
            one = row_where(found, "longest", f"rules={rules}; pieces={pieces}")
            expect(one["longest"] == max(counts) and one["longest_win"] == max(d for d in counts if d % 2) and
                   one["longest_loss"] == max(d for d in counts if d % 2 == 0), one)
            mean = sum(depth * n for depth, n in counts.items()) / sum(counts.values())
            expect(abs(one["mean"] - mean) < 0.00051, one, mean)
            for position, depth in ((one["win"], one["longest_win"]), (one["loss"], -one["longest_loss"])):
                answer = json.loads(run("probe", "doushouqi", "--rules", rules, "--db", SHARED, "--json",
                                        position).stdout)
                expect(answer["depth"] * answer["value"] == depth, position, answer["depth"], answer["value"])
    methods = [[one["method"] for one in witness["rechecks"]] for witness in found["witnesses"]]
    expect(methods == [["replay", "plain iteration"], ["replay"]] * 2, methods)
    expect(all(one["holds"] for witness in found["witnesses"] for one in witness["rechecks"]), "rechecks")
    expect([len(witness["steps"]) for witness in found["witnesses"]] == [34, 67, 34, 67], "steps")


def equal_materials_are_those_of_stats(_):
    found = report("doushouqi-equal-material --pieces 2")
    for rules in ("liacs", "base"):
        counts = materials(2, rules)
        for one in rows(found, "materials"):
            is_ = [one[f"{rules}_{key}"] for key in ("losses", "draws", "wins")]
            expect(is_ == counts[one["material"]], rules, one, counts[one["material"]])
    expect(len(rows(found, "materials")) == 8, "materials")


def the_longest_line_can_be_played(_):
    found = report("doushouqi-variants --pieces 2")
    witness = found["witnesses"][0]
    moves = [step["move"] for step in witness["steps"]]
    longest = row(found, "variants", "rules", "base")
    expect("10 of 12 rule sets" in found["reason"], found["reason"]) # not wolf-over-dog, nor stalemate=loss
    expect(longest["position"] == witness["position"] and longest["longest"] == len(moves), longest, len(moves))
    line = witness["position"] + " moves " + " ".join(moves[:-1])
    answer = json.loads(run("probe", "doushouqi", "--db", SHARED, "--json", line).stdout)
    last = [move for move in answer["moves"] if move["move"] == moves[-1]]
    expect(answer["position"] == witness["steps"][-2]["position"] and len(last) == 1, answer["position"])
    expect(last[0]["position"] is None and last[0]["value"] == 1, last)
    expect(witness["steps"][-1]["position"] is None, "the last step leads on")
    start = json.loads(run("probe", "doushouqi", "--db", SHARED, "--json", witness["position"]).stdout)
    expect(start["depth"] == len(moves), start["depth"])
    drawn = {one["rules"]: one["equal_draws"] for one in rows(found, "variants")}
    for rules in ("base", "liacs"):
        equal = sum(counts[1] for name, counts in materials(2, rules).items() if name.upper() == name[0] * 2)
        expect(drawn[rules] == equal, rules, drawn[rules], "equal draws, not", equal)


def variants_are_compared(_):
    found = report("doushouqi-variants --pieces 2")
    shares = {one["rules"]: one["two"] for one in rows(found, "shares")}
    drawn = {one["rules"].removeprefix("base,"): one["drawn"] for one in rows(found, "variants")}
    expect(len(shares) == 13 and shares == drawn, shares, drawn)


def the_rat_is_measured_right(_):
    """Gains of adding an animal, from the counts of another command."""
    found = report("doushouqi-rat --pieces 3")
    counts = {**materials(2), **materials(3)}

    def name(white, black):
        return "".join(sorted(white, key=ORDER.index)) + "".join(sorted(black, key=ORDER.index)).lower()

    def score(white, black):
        own, other = counts[name(white, black)], counts[name(black, white)]
        return 100 * (own[2] + own[1] / 2 + other[0] + other[1] / 2) / (sum(own) + sum(other))

    for animal, enemy in itertools.product(ORDER, ORDER):
        is_ = row(found, "alone", "animal", NAMES[animal])[NAMES[enemy]]
        expect(abs(is_ - score(animal, enemy)) < 0.0051, animal, enemy, is_, score(animal, enemy))
        gains = [score(animal + friend, enemy) - score(friend, enemy) for friend in ORDER if friend != animal]
        gain = sum(gains) / len(gains)
        is_ = row(found, "gains", "animal", NAMES[animal])[NAMES[enemy]]
        expect(abs(is_ - gain) < 0.0051, animal, enemy, is_, gain)
    for one in rows(found, "worth"):
        gains = [value for key, value in row(found, "gains", "animal", one["animal"]).items() if key != "animal"]
        expect(abs(one["mean"] - sum(gains) / len(gains)) < 0.011, one)
        expect(one["most"] == max(gains) and one["least"] == min(gains), one, gains)
    for animal in ORDER:
        changes = [0] * 6
        for enemy, friend in itertools.product(ORDER, ORDER):
            if friend == animal:
                continue
            for white, sign in ((animal + friend, 1), (friend, -1)):
                own, other = counts[name(white, enemy)], counts[name(enemy, white)]
                parts = [100 * part / sum(own) for part in own[::-1]] + [100 * part / sum(other) for part in other]
                changes = [change + sign * part / 56 for change, part in zip(changes, parts)]
        is_ = list(row(found, "results", "animal", NAMES[animal]).values())[1:]
        expect(all(abs(one - change) < 0.0051 for one, change in zip(is_, changes)), animal, is_, changes)
    spread = {one["animal"]: one["most"] - one["least"] for one in rows(found, "worth")}
    expect(max(spread, key=spread.get) == "rat", spread)


def one_rule_set_alone(_):
    found = report("doushouqi-variants --pieces 2 --rules base,clearings")
    expect([one["rules"] for one in rows(found, "variants")] == ["base", "base,clearings"], rows(found, "variants"))
    expect(len(found["witnesses"]) == 2, len(found["witnesses"]), "witnesses")
    expect([one["draws"] for one in rows(found, "variants")] == [13568, 8320], rows(found, "variants"))


run_cases([key_figures, variants_are_compared, lengths_are_those_of_stats, equal_materials_are_those_of_stats, the_longest_line_can_be_played,
           the_rat_is_measured_right, one_rule_set_alone])
