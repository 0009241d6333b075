"""Parts shared by the suites of `tauler claims`: running claims once each in one folder of tables, and their figures, held
against claims.expected."""
import atexit
import json
import os
import shutil
import tempfile

from building import CHECK, LONG, expect, run

SHARED = tempfile.mkdtemp(prefix="tauler-claims.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
COMMON = ("--threads", "1", "--db", SHARED, "--quiet")
EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "claims.expected")
SMALL = {"seeds": "6", "pieces": "2", "players": "2", "tokens": "1"} # as documented, for a look within a minute
WIDTH = 1e-7 # bounds are at most so far apart
# By the rules alone, or because nobody chooses.
WITHOUT_TABLES = ("auale-largest-capture", "auale-no-move", "oca-asesina-blocked", "oca-asesina-carry-over --tokens 1",
                  "oca-asesina-one-left --tokens 1", "oca-asesina-two-barriers", "phutball-jumped-twice")
REPORTS = {}


def listed():
    """Each claim's name with the limits that it knows."""
    lines = run("claims", "--list", "--json").stdout.splitlines()
    return {one["claim"]: one["limits"] for one in map(json.loads, lines)}


def small_command(name, limits):
    """Lines of claims.expected for the run of all claims."""
    return " ".join([name, *(f"--{limit} {SMALL[limit]}" for limit in limits)])


def keep(command, line):
    """A report, which must name its tables."""
    found = json.loads(line)
    for source in found["sources"]:
        expect(source["tables"] and len(source["digest"]) == 32, command, source["rules"])
    # Where the limits leave nothing to be looked at there are no figures either.
    from_tables = bool(found["figures"]) and not command.startswith(WITHOUT_TABLES)
    expect(bool(found["sources"]) == from_tables, command, "tables")
    REPORTS[command] = found


def report(command):
    """Findings of `tauler claims COMMAND`, run once."""
    if command not in REPORTS:
        lines = run("claims", *command.split(), "--json", *COMMON).stdout.splitlines()
        expect(len(lines) == 1, command, len(lines), "lines")
        keep(command, lines[0])
    return REPORTS[command]


def is_reachable(tables, game, position):
    """Whether the rules take a position, and a game can come to it: of dice, whether play from its start leads there; of aualé,
    whether some move does, or it is such a start; a player with turns to lose rolls after them."""
    try:
        answer = tables.probe(position)
    except LookupError as missing:
        answer = missing.answer # no table holds it
    if answer is None:
        return False
    if game in ("doushouqi", "phutball"):
        return True
    number, index = (int(one[0]) for one in tables.places([position]))
    if game == "auale":
        return index >= 0 or len({pit for pit in position.split("-")[:12] if pit != "0"}) == 1
    tokens = position.partition("/")[0].count(",") + 1
    whole = tables.slice(f"{tokens}.{answer.slice}" if game == "oca-asesina" else answer.slice)
    expect(number == whole.number and index >= 0, position, "has no index in", whole)
    return bool(whole.reached(index, index + 1)[0])


def rows(found, name):
    tables = [table for table in found["figures"] if table["name"] == name]
    expect(len(tables) == 1, found["claim"], len(tables), "tables called", name)
    return tables[0]["rows"]


def row(found, name, key, value):
    return row_where(found, name, f"{key}={value}")


def row_where(found, name, where):
    """The one row for which "rules=base; pieces=3" holds."""
    chosen = rows(found, name)
    for condition in where.split("; "):
        key, value = condition.split("=", 1)
        chosen = [one for one in chosen if str(one[key]) == value]
    expect(len(chosen) == 1, found["claim"], name, len(chosen), "rows with", where)
    return chosen[0]


def lines_of_expected():
    with open(EXPECTED, encoding="utf-8") as file:
        for line in file:
            if (line.startswith("long: ") and not LONG) or (line.startswith("check: ") and not CHECK):
                continue
            line = line.removeprefix("long: ").removeprefix("check: ")
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


def check_expected(wanted_commands, least):
    """All lines of claims.expected whose command is wanted; how many of them there must be at least."""
    seen = 0
    for command, table, where, figure, wanted, _ in lines_of_expected():
        if not wanted_commands(command):
            continue
        found = report(command)
        if table == "verdict":
            expect(found["verdict"] == wanted, command, found["verdict"], found["reason"])
        else:
            check_figure(row_where(found, table, where)[figure], wanted, command, table, where, figure)
        seen += 1
    expect(seen >= least, seen, "figures")


def check_expected_of(games, least):
    """Those of games by the beginnings of names, but for what the run of all claims has."""
    small = {small_command(*pair) for pair in listed().items()}
    check_expected(lambda command: command.startswith(games) and command not in small, least)


def check_rechecks(wanted):
    """By command the methods of the rechecks of its one witness."""
    for command, methods in wanted.items():
        found = report(command)["witnesses"]
        expect(len(found) == 1, command, len(found), "witnesses")
        expect([one["method"] for one in found[0]["rechecks"]] == methods, command, found[0]["rechecks"])
        expect(all(one["holds"] for one in found[0]["rechecks"]), command, found[0]["rechecks"])
