#!/usr/bin/python3
"""Findings of the claims about both games of the goose with more than the small limits: figures, rechecks, and what
`tauler probe` says of the positions that they show."""
import csv
import importlib.util
import io
import json
import os
import sys

if importlib.util.find_spec("numpy") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # that of the system may have it

from asking_python import leave_without_library, tauler
from building import LONG, Skip, expect, run, run_cases
from claiming import REPORTS, SHARED, check_expected_of, check_figure, check_rechecks, is_reachable, listed, report, rows

leave_without_library()

SEVEN = "--board games/boards/asesina-7.board"


def key_figures(_):
    check_expected_of("oca-", 60)


def rechecks_hold(_):
    check_rechecks({f"oca-asesina-one-left {SEVEN} --tokens 3": ["proof"],
                    f"oca-asesina-skill {SEVEN} --tokens 2": ["games played out"]})


def obvious_moves_are_wrong(_):
    """A witness gives its moves the values that probe gives for that position and roll."""
    found = report(f"oca-asesina-strategies {SEVEN} --tokens 2")
    costs = [one["worst"] for one in rows(found, "all") if one["worst"] > 0]
    methods = [[one["method"] for one in witness["rechecks"]] for witness in found["witnesses"]]
    expect(methods == [["games played out", "proof"], ["games played out"]], methods)
    for witness, cost in zip(found["witnesses"], costs):
        expect(all(one["holds"] for one in witness["rechecks"]), witness["rechecks"])
        answer = json.loads(run("probe", "oca-asesina", *SEVEN.split(), "--db", SHARED, "--json", witness["position"]).stdout)
        roll = witness["steps"][0]["turn"].split()[1]
        moves = next(one["moves"] for one in answer["rolls"] if str(one["roll"]) == roll)
        expect([one["move"] for one in moves] == [step["move"] for step in witness["steps"]], witness["steps"], moves)
        told = [float(step["remark"].split()[1].rstrip(",")) for step in witness["steps"]]
        for one, is_ in zip(moves, told):
            expect(abs(one["bounds"][0] - is_) < 1e-6, one, is_)
        worse = [is_ for step, is_ in zip(witness["steps"], told) if witness["title"].split("that ")[1].split(" costs")[0]
                 in step["remark"]]
        expect(abs(told[0] - max(worse) - cost) < 2e-6, told, worse, cost)


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


def witnesses_are_reached(_):
    """All claims of the games of dice, with as much as takes little time, and what the other cases have run."""
    for name in listed():
        if name.startswith("oca-asesina") and name != "oca-asesina-carry-over":
            report(f"{name} {SEVEN} --tokens {3 if name.endswith('barriers') else 2}")
        elif name.startswith("oca-"):
            report(f"{name} --players 2" if "asesina" not in name else f"{name} --tokens 1")
    if importlib.util.find_spec("numpy") is None:
        raise Skip("install python3-numpy")
    witnesses = 0
    with tauler.open(SHARED) as db:
        expect(not is_reachable(db.select("oca-asesina", "base,board=20"), "oca-asesina", "9,16/17,20 lost=0,0 seat=1"),
               "no token stays on death")
        for command, found in REPORTS.items():
            for witness in found["witnesses"]:
                expect(is_reachable(db.select(found["game"], witness["rules"]), found["game"], witness["position"]), command, witness["position"])
                witnesses += 1
    expect(witnesses >= 15, witnesses, "witnesses")


def every_stored_position_counts_if_asked(_):
    """More choices, no witness, and words that say so; other claims know nothing of it."""
    for claim, table, key in (("strategies", "all", "captures"), ("duties", "all", "to pass"), ("labyrinth", "all", "leaving")):
        command = f"oca-asesina-{claim} {SEVEN} --tokens 2"
        reached, every = report(command), report(command + " --every")
        counts = [next(one["choices"] for one in rows(found, table) if key in one.values()) for found in (reached, every)]
        expect(0 < counts[0] < counts[1] and reached["witnesses"] and not every["witnesses"], claim, counts)
        expect("that games reach" in reached["reason"] and "that tables hold" in every["reason"], every["reason"])
        expect("no game comes to" in every["method"] and "[[" not in json.dumps(every), every["method"])
    run("claims", "oca-well", "--every", "--db", SHARED, "--quiet", exit_code=64)


run_cases([every_stored_position_counts_if_asked, key_figures, rechecks_hold, obvious_moves_are_wrong, leads_are_what_positions_say, witnesses_are_reached])
