#!/usr/bin/python3
"""What the claims find: key figures and verdicts are those of claims.expected, others are worked out again from what
other commands say of the same tables, and every report says which tables it rests on."""
import atexit
import csv
import io
import itertools
import json
import os
import shutil
import tempfile

from building import LONG, Skip, digests, expect, run, run_cases

SHARED = tempfile.mkdtemp(prefix="tauler-claims.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "claims.expected")
WIDTH = 1e-7 # bounds are at most so far apart
REPORTS = {}


def report(command):
    """What `tauler claims COMMAND` finds, run once."""
    if command not in REPORTS:
        lines = run("claims", *command.split(), "--json", "--threads", "1", "--db", SHARED,
                    "--quiet").stdout.splitlines()
        expect(len(lines) == 1, command, len(lines), "lines")
        REPORTS[command] = json.loads(lines[0])
    return REPORTS[command]


def rows(found, name):
    tables = [table for table in found["figures"] if table["name"] == name]
    expect(len(tables) == 1, found["claim"], len(tables), "tables called", name)
    return tables[0]["rows"]


def row(found, name, key, value):
    chosen = [one for one in rows(found, name) if str(one[key]) == value]
    expect(len(chosen) == 1, found["claim"], name, len(chosen), "rows of", key, value)
    return chosen[0]


def lines_of_expected():
    with open(EXPECTED, encoding="utf-8") as file:
        for line in file:
            if line.startswith("long: ") and not LONG:
                continue
            line = line.removeprefix("long: ")
            if line.strip() and not line.startswith("#"):
                fields = [field.strip() for field in line.split("|")]
                expect(len(fields) == 6, line)
                yield fields


def check_figure(is_, wanted, *what):
    if isinstance(is_, list):
        decimals = len(wanted.split(".")[1])
        rounding = 0.6 * 10.0**-decimals
        expect(is_[0] <= is_[1] <= is_[0] + WIDTH, *what, "bounds", is_)
        expect(is_[0] - rounding <= float(wanted) <= is_[1] + rounding, *what, wanted, "is not in", is_)
    else:
        expect(str(is_) == wanted, *what, is_, "not", wanted)


def key_figures(_):
    seen = 0
    for command, table, where, figure, wanted, _ in lines_of_expected():
        found = report(command)
        if table == "verdict":
            expect(found["verdict"] == wanted, command, found["verdict"], found["reason"])
        else:
            key, value = where.split("=", 1)
            check_figure(row(found, table, key, value)[figure], wanted, command, table, where, figure)
        seen += 1
    expect(seen > 60, seen, "figures")


def rechecks_hold(_):
    wanted = {"doushouqi-variants --pieces 2": ["replay"], "oca-first-player --players 2": ["exact rationals"],
              "oca-well --players 2": ["backward search"], "phutball-one-dimension": ["plain iteration"],
              "oca-asesina-catch-up --tokens 1": ["exact rationals", "proof"]}
    for command, methods in wanted.items():
        found = report(command)["witnesses"]
        expect(len(found) == 1, command, len(found), "witnesses")
        expect([one["method"] for one in found[0]["rechecks"]] == methods, command, found[0]["rechecks"])
        expect(all(one["holds"] for one in found[0]["rechecks"]), command, found[0]["rechecks"])


def the_longest_line_can_be_played(_):
    found = report("doushouqi-variants --pieces 2")
    witness = found["witnesses"][0]
    moves = [step["move"] for step in witness["steps"]]
    longest = row(found, "variants", "rules", "base")
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


ORDER = "ELTPDWCR"
NAMES = dict(zip(ORDER, ("elephant", "lion", "tiger", "leopard", "dog", "wolf", "cat", "rat")))


def materials(pieces, rules="base"):
    """Losses, draws and wins of each material, White to move, by `tauler stats`."""
    done = run("stats", "doushouqi", "--rules", rules, "--pieces", str(pieces), "--csv", "--db", SHARED)
    counts = {}
    for line in csv.DictReader(io.StringIO(done.stdout)):
        counts.setdefault(line["slice"], [0, 0, 0])[int(line["value"]) + 1] += int(line["count"])
    return counts


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
    spread = {one["animal"]: one["most"] - one["least"] for one in rows(found, "worth")}
    expect(max(spread, key=spread.get) == "rat", spread)


def reports_name_their_tables(_):
    found = report("oca-first-player --players 2")
    of_rules = {one["rules"]: one["digest"] for one in found["sources"]}
    expect(len(found["sources"]) == len(of_rules) == 11, "rule sets")
    expect(of_rules["base"] == of_rules["base,start=1"], "another start makes other tables") # values are the same
    expect(len(set(of_rules.values())) == 10, "rule sets have the same tables", of_rules)
    base = found["sources"][0]
    expect(base["rules"] == "base" and len(base["tables"]) == 8, base["rules"], len(base["tables"]))
    built = digests(json.loads(line) for line in run(
        "build", "oca", "--players", "2", "--db", SHARED, "--json", "--quiet").stdout.splitlines())
    expect({(one["slice"], one["stream"]): one["digest"] for one in base["tables"]} == built, base["tables"], built)
    for command in list(REPORTS):
        for source in REPORTS[command]["sources"]:
            expect(source["tables"] and len(source["digest"]) == 32, command, source["rules"])
        expect(REPORTS[command]["sources"], command, "names no tables")
    text = run("claims", "oca-well", "--players", "2", "--db", SHARED, "--quiet").stdout
    for source in report("oca-well --players 2")["sources"]:
        expect(f"  {source['rules']}, {len(source['tables'])} tables: {source['digest']}\n" in text, text[-300:])


def limits_are_checked(_):
    for options in (("oca-well", "--pieces", "2"), ("doushouqi-rat", "--pieces", "7"), ("doushouqi-rat", "--tokens", "2"),
                    ("oca-asesina-catch-up", "--tokens", "0"), ("oca-well", "--rules", "base"),
                    ("oca-well", "--board", "3x3")):
        done = run("claims", *options, "--db", SHARED, "--quiet", exit_code=64)
        expect(not done.stdout and done.stderr.count("\n") == 1, options, done.stdout, done.stderr)


def one_rule_set_alone(_):
    found = report("doushouqi-variants --pieces 2 --rules base,clearings")
    expect([one["rules"] for one in rows(found, "variants")] == ["base", "base,clearings"], rows(found, "variants"))
    expect(len(found["witnesses"]) == 2, len(found["witnesses"]), "witnesses")
    expect([one["draws"] for one in rows(found, "variants")] == [13568, 8320], rows(found, "variants"))


def leads_are_what_positions_say(_):
    """Two tokens: the same figures from single positions."""
    if not LONG:
        raise Skip("TAULER_LONG")
    found = report("oca-asesina-catch-up")
    expect(found["verdict"] == "holds for" and "not the main cause" in found["reason"], found["reason"])

    def probe(rules, position, seat):
        done = run("probe", "oca-asesina", "--rules", rules, "--db", SHARED, "--json", position)
        return json.loads(done.stdout)["quantities"][f"score-{seat}"]

    for one in rows(found, "leads"):
        rules = one["rules"]
        if one["tokens"] != 2 or "one-left" in rules:
            continue
        check_figure(one["start"], "%.9f" % probe(rules, "0,0/0,0 lost=0,0 seat=1", 1)[0], rules)
        for key, other in (("on", 0), ("off", 1)):
            leads = [probe(rules, "0,20/0,0 lost=0,0 seat=%d" % (1 + other), 1),
                     probe(rules, "0,0/0,20 lost=0,0 seat=%d" % (2 - other), 2)]
            evens = [probe(rules, "0,0/0,0 lost=0,0 seat=%d" % (1 + other), 1),
                     probe(rules, "0,0/0,0 lost=0,0 seat=%d" % (2 - other), 2)]
            lead = (leads[0][0] + leads[1][0]) / 2
            worth = lead - (evens[0][0] + evens[1][0]) / 2
            check_figure(one[key + "_move"], "%.8f" % lead, rules, key)
            check_figure(one["worth_" + key], "%.8f" % worth, rules, key)
    choices = rows(found, "choices")
    for one in csv.DictReader(io.StringIO(run("stats", "oca-asesina", "--board", "20", "--tokens", "2", "--choices",
                                              "--csv", "--db", SHARED, "--quiet").stdout)):
        same = [row for row in choices if row["homes"] == one["slice"]]
        expect(len(same) == 1 and same[0]["real"] == int(one["real"]) and same[0]["decisions"] == int(one["decisions"]),
               one, same)


run_cases([key_figures, rechecks_hold, the_longest_line_can_be_played, the_rat_is_measured_right,
           reports_name_their_tables, limits_are_checked, one_rule_set_alone, leads_are_what_positions_say])
