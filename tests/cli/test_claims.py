#!/usr/bin/python3
"""`tauler claims` from the outside: its three forms say the same, its figures are the published ones, what it shows
can be played, and what is missing is built."""
import atexit
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from building import CHECK, LONG, SECONDS, TAULER, Skip, expect, files, leave_to_check, run, run_cases, wait_for_work, worked_below
from claiming import check_expected_of

CLAIM = "phutball-small-boards"
SHARED = tempfile.mkdtemp(prefix="tauler-claims.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)

# Board, flags: wins, losses, draws, longest win, longest loss (published, see oracles).
COUNTS = {
    ("3x1", "base"): (3, 1, 0, 3, 2),
    ("5x1", "base"): (35, 13, 0, 5, 6),
    ("7x1", "base"): (229, 91, 0, 9, 8),
    ("9x1", "base"): (1269, 523, 0, 15, 14),
    ("3x3", "base"): (618, 150, 0, 3, 4),
    ("3x3", "base,corner=exit"): (654, 114, 0, 3, 4),
    ("4x3", "base"): (9762, 2526, 0, 5, 6),
    ("4x3", "base,goal-line=stop"): (9672, 2616, 0, 5, 6),
    ("5x3", "base"): (114870, 32586, 0, 9, 10),
    ("4x4", "base"): (220594, 41550, 0, 5, 6),
    ("3x5", "base"): (71309, 10611, 0, 5, 6),
}
STARTS = {"7x1": "L6 L6 W7 W3 W3", "9x1": "L6 L6 W13 W7 W7 W3 W3"}


def claims(*options, folder=SHARED, **settings):
    return run("claims", *options, "--db", folder, "--quiet", **settings)


@functools.lru_cache(maxsize=None)
def report(*options):
    """Findings of a run in the folder that the cases share, made once."""
    return new_report(*options)


def new_report(*options, **settings):
    lines = claims(CLAIM, "--json", *options, **settings).stdout.splitlines()
    expect(len(lines) == 1, len(lines), "lines of JSON for one claim")
    return json.loads(lines[0])


def figures(found, name):
    tables = [table for table in found["figures"] if table["name"] == name]
    expect(len(tables) == 1, len(tables), "tables called", name)
    return tables[0]["rows"]


def row_of(found, board):
    rows = [row for row in figures(found, "boards") if row["board"] == board]
    expect(len(rows) == 1, len(rows), "rows of", board)
    return rows[0]


def check_counts(found, board, counts):
    row = row_of(found, board)
    is_ = tuple(row[key] for key in ("wins", "losses", "draws", "longest_win", "longest_loss"))
    expect(is_ == counts, board, found["rules"], is_, "not", counts)
    expect(row["positions"] == sum(counts[:3]), board, row["positions"])


def every_claim_is_listed(_):
    text = claims("--list").stdout.splitlines()
    names = [line.split()[0] for line in text if not line.startswith(" ")] # titles are wrapped
    expect(CLAIM in names and len(set(names)) == len(names), names)
    listed = [json.loads(line) for line in claims("--list", "--json").stdout.splitlines()]
    expect([one["claim"] for one in listed] == names and all(one["title"] and one["game"] for one in listed), listed)
    expect(claims("--list", CLAIM).stdout.split()[0] == CLAIM, "one name")
    table = claims("--list", "--markdown").stdout
    expect(all(f"`{name}`" in table for name in names), "markdown")
    completion = run("--bash-completion").stdout
    completed = next(line for line in completion.splitlines() if line.strip().startswith("claims:*)")).split("'")[1].split()
    expect(sorted(completed) == sorted(names), "completion", completed)
    expect("--list" in run("--man", "claims").stdout.replace("\\", ""), "man page")


def what_is_built_is_said_first(folder):
    """Where tables are built, and which."""
    rat = run("claims", "doushouqi-rat", "--pieces", "2", "--db", folder).stderr
    expect(rat.splitlines()[0].endswith(f" tables that are missing are built first, into {folder}") and "doushouqi base, with depths" in rat, rat)
    expect(claims("auale-rules-differ", "--seeds", "2", folder=folder).stderr == "", "quiet")


def names_and_options_are_checked(folder):
    wrong = claims("phutball-small-bords", folder=folder, exit_code=64)
    expect(f"did you mean {CLAIM}?" in wrong.stderr and not wrong.stdout, wrong.stderr)
    far = claims("zebra", folder=folder, exit_code=64).stderr
    expect("zebra" in far and "--list" in far and "did you mean" not in far, far)
    claims(CLAIM, "zebra", folder=folder, exit_code=64)
    wrong = [("--json", "--markdown"), ("--board", "2x3"), ("--board", "three"), ("--board", "20x20"),
             ("--rules", "bose"), ("--threads", "none"), ("--seeds", "3")]
    for options in wrong[:: 1 if CHECK else 3]:
        done = claims(CLAIM, *options, folder=folder, exit_code=64)
        expect(not done.stdout and done.stderr.count("\n") == 1, options, done.stdout, done.stderr)
    expect(not os.path.exists(folder), "a folder of tables was made")


def published_counts(_):
    for (board, rules), counts in list(COUNTS.items())[:: 1 if CHECK else 2]:
        found = report("--board", board, *(() if rules == "base" else ("--rules", rules)))
        expect(found["rules"] == rules, found["rules"])
        expect([row["board"] for row in figures(found, "boards")] == [board], "other boards")
        check_counts(found, board, counts)
        expect(found["verdict"] == "open" and board in found["reason"], found["verdict"], found["reason"])
        expect(found["witnesses"] == [] and figures(found, "drawn_positions") == [], "a witness")


def single_boards_are_counted_right(_):
    check_expected_of("phutball-", 24)


def what_is_stored_is_of_its_rules(_):
    leave_to_check()
    for rules, stored in (("base", True), ("goal-line=stop", False)):
        line = claims("phutball-win-in-one", "--board", "7x3", "--rules", rules, "--json").stdout
        expect(bool(json.loads(line).get("stored")) == stored, rules, "stored")


def what_is_stored_of_one_rule_set_is_shown_where_it_was_read(_):
    for rules, stored in (((), True), (("--rules", "base"), False)):
        line = claims("doushouqi-longest", "--pieces", "2", *rules, "--json").stdout
        expect(bool(json.loads(line).get("stored")) == stored, "liacs is stored, shown of", rules or "both rule sets")


def starts_are_the_published_ones(_):
    for board, worth in STARTS.items():
        rows = figures(report("--board", board), "empty_boards")
        expect([(row["column"], row["rows"]) for row in rows] == [("A", worth)], board, rows)
    found = report("--board", "5x3")
    rows = figures(found, "empty_boards")
    expect([row["column"] for row in rows] == ["A", "B"], rows)
    for row in rows: # as probe says
        for number, worth in enumerate(row["rows"].split(), 2):
            at = "AB".index(row["column"])
            board = ["3"] * 5
            board[5 - number] = ("1" if at else "") + "o" + ("1" if at else "2")
            answer = probe("/".join(board) + " O")[0]
            expect(worth == f"{'LDW'[answer['value'] + 1]}{answer['depth']}", row, worth, answer["value"], answer["depth"])
    expect(row_of(found, "5x3")["centre"] == "win in " + rows[1]["rows"].split()[1][1:], row_of(found, "5x3")["centre"])
    expect(row_of(report("--board", "4x3"), "4x3")["centre"] is None, "a centre of an even board")


def probe(*positions):
    """The values, in order."""
    done = run("probe", "phutball", "--db", SHARED, "--json", *positions)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    expect(len(answers) == len(positions), len(answers), "answers")
    return answers


def men_of(position):
    return position.split()[0].count("x")


def the_smallest_draw(_):
    found = report("--board", "7x3")
    expect(found["verdict"] == "holds for" and "7x3 (32)" in found["reason"], found["verdict"], found["reason"])
    expect(row_of(found, "7x3")["draws"] == 32, row_of(found, "7x3"))
    expect(len(found["witnesses"]) == 1, len(found["witnesses"]), "witnesses")
    witness = found["witnesses"][0]
    steps = witness["steps"]
    # It can be played, comes back, and no position on the way is won.
    expect(len(steps) >= 2, len(steps), "steps")
    shown = [witness["position"]] + [step["position"] for step in steps]
    moves = [step["move"] for step in steps]
    lines = [" ".join([witness["position"], "moves", *moves[:number]]) if number else witness["position"]
             for number in range(len(shown))]
    for number, (line, answer) in enumerate(zip(lines, probe(*lines))):
        expect(answer["position"] == shown[number], line, answer["position"], "not", shown[number])
        expect(answer["value"] == 0, shown[number], "is worth", answer["value"])
        expect(number == len(steps) or steps[number]["turn"] == answer["turn"], "turn", number)
    expect(shown[-1] in shown[:-1] and len(set(shown)) == len(shown) - 1, "no first repetition", shown)
    expect("again" in steps[-1]["remark"] and not any(step["remark"] for step in steps[:-1]), "remarks")
    expect({recheck["method"]: recheck["holds"] for recheck in witness["rechecks"]} == {"replay": True, "proof": True},
           witness["rechecks"])
    drawn = figures(found, "drawn_positions")
    expect(drawn == [{"board": "7x3", "draws": 32, "fewest_men": men_of(witness["position"]), "position": witness["position"]}],
           drawn)
    fewer = boards_with_fewer(men_of(witness["position"]))
    expect(not any(answer["value"] == 0 for answer in probe(*fewer)), "a drawn position with fewer men")


def boards_with_fewer(men):
    """All positions of 7x3 with at most one man (the witness has two)."""
    expect(men == 2, men, "men")
    for ball in range(3, 18):
        for man in range(-1, 21):
            if man == ball:
                continue
            cells = ["o" if i == ball else "x" if i == man else "1" for i in range(21)]
            rows = ["".join(cells[i:i + 3]).replace("111", "3").replace("11", "2") for i in range(0, 21, 3)]
            yield "/".join(rows) + " O"


def the_three_forms_say_the_same(_):
    """Of a claim whose games are short; and of the board with draws."""
    histories = ("auale-abapa-path", "--seeds", "2")
    check_forms(json.loads(claims(*histories, "--json").stdout), histories)
    found = report("--board", "7x3")
    expect(found["statement"]["language"] == "es", found["statement"])
    expect("existen otras configuraciones desde las que ambos jugadores tienen estrategias de empate" in
           found["statement"]["sentence"] and "drawing strategies" in found["statement"]["english"], found["statement"])
    if CHECK:
        lines = check_forms(found, (CLAIM, "--board", "7x3")).splitlines()
        lengths = {line.count("|") for line in lines if line.startswith("|") and "7x3" in line}
        expect(lengths == {10, 4, 5}, "cells of rows", lengths)


def check_forms(found, asked):
    """The text and the Markdown say what the JSON does. Returns the Markdown."""
    for key in ("claim", "game", "rules", "title", "source", "method", "reason", "verdict"):
        expect(isinstance(found[key], str) and found[key], key, found.get(key))
    text, markdown = (claims(*asked, *form).stdout for form in ((), ("--markdown",)))
    words = " ".join(text.split())
    plain = re.sub(r"\\(.)", r"\1", markdown)
    saids = [found[key] for key in ("claim", "title", "source", "reason")] + list(found["statement"].values())[1:]
    for witness in found["witnesses"]:
        saids += [witness["title"], witness["position"]] + [recheck["text"] for recheck in witness["rechecks"]]
        saids += [step[key] for step in witness["steps"] for key in ("move", "position")]
    saids += found["notes"] + found["method"].split("\n\n")
    for said in saids:
        expect(said in words, "the text does not say", said)
        expect(said in plain, "the Markdown does not say", said)
    for table in found["figures"]:
        expect(table["rows"], table["name"], "is empty")
        for row in table["rows"]:
            cells = ["-" if value is None else str(value) for value in row.values()]
            expect(" ".join(" ".join(cells).split()) in words, "the text has no row", cells)
            expect("| " + " | ".join(cells) + " |" in plain, "the Markdown has no row", cells)
    headings = ["Statement", "Source", "Method", "Figures", "Verdict", *(["Witness"] * len(found["witnesses"])), "Tables"]
    expect([line for line in text.splitlines() if line in headings] == headings, "headings of the text")
    expect(re.findall(r"^### (\w+)$", markdown, re.M) == headings, "headings of the Markdown")
    expect(max(len(line) for line in text.splitlines()) <= 110, "a long line")
    return markdown


def missing_tables_are_built_once(folder):
    first = new_report("--board", "3x4", folder=folder)
    everything, _ = files(folder)
    expect(sorted(os.path.basename(path) for path in everything) == ["3x4.depth.zst", "3x4.value.zst"], everything)
    stamps = [os.stat(path).st_mtime_ns for path in sorted(everything)]
    expect(new_report("--board", "3x4", "--threads", "1", folder=folder) == first, "another report")
    expect(new_report("--board", "3x4", "--memory", "1K", folder=folder) == first, "with tables that are there")
    expect(stamps == [os.stat(path).st_mtime_ns for path in sorted(everything)], "tables were written again")
    os.remove(os.path.join(folder, "phutball", "base", "3x4.depth.zst"))
    expect(new_report("--board", "3x4", folder=folder) == first, "another report without depths")
    path = os.path.join(folder, "phutball", "base", "3x4.value.zst")
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        file.write(b"damage")
    claims(CLAIM, "--board", "3x4", folder=folder, exit_code=65)
    claims(CLAIM, "--board", "7x3", "--memory", "64K", folder=folder, exit_code=69)


def heed_interrupts():
    """A background process of a shell ignores them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def a_stop_within_a_build_keeps_its_state(folder):
    command = [TAULER, "claims", "phutball-small-boards", "--board", "6x4", "--db", folder, "--threads", "1", "--quiet"]
    # Once it has worked for so long it may not have come to the slice, or be past it.
    for seconds in (0.5, 0.8, 0.4, 1.2, 0.3, 1.6, 0.6, 2):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              preexec_fn=heed_interrupts) as running:
            wait_for_work(running, seconds, worked_below)
            running.send_signal(signal.SIGINT)
            said = running.communicate(timeout=SECONDS)[1]
        expect(running.returncode == 0 or (running.returncode == 75 and "run the same command again" in said),
               running.returncode, said)
        if any("checkpoint" in name for name in files(folder)[0]):
            break
        shutil.rmtree(folder)
    expect(os.path.exists(folder) and running.returncode == 75, "no state is kept:", running.returncode, said)


def a_stop_says_what_is_kept(folder):
    for number in signal.SIGTERM, signal.SIGUSR1, signal.SIGINT:
        for _ in range(8):
            there = len(files(folder)[1])
            with subprocess.Popen([TAULER, "claims", CLAIM, "--db", folder, "--quiet"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts) as running:
                while running.poll() is None and len(files(folder)[1]) <= there:
                    time.sleep(0.002)
                running.send_signal(number)
                said = running.communicate(timeout=SECONDS)[1]
            if running.returncode != 0:
                break
            shutil.rmtree(folder)  # the signal came after the end
        expect(running.returncode == 75 and re.search("kept.*: run the same command again", said),
               running.returncode, said)
    expect(len(files(folder)[1]) > 1, "tables are not kept")
    run("verify", "--db", folder)


def all_small_boards(_):
    """Without --board; and a larger board whose tables are there."""
    leave_to_check()
    run("build", "phutball", "--board", "9x2", "--db", SHARED, "--quiet")
    found = report()
    rows = figures(found, "boards")
    names = [row["board"] for row in rows]
    wanted = {f"{rows}x{columns}" for columns in range(1, 8) for rows in range(3, 22)
              if rows * columns <= (16 if columns < 3 else 21)} | {"9x2"}
    expect(set(names) == wanted and len(names) == len(wanted), sorted(set(names) ^ wanted))
    expect([row["points"] for row in rows] == sorted(row["points"] for row in rows), "order")
    for (board, rules), counts in COUNTS.items():
        if rules == "base":
            check_counts(found, board, counts)
    for row in rows:
        high, wide = (int(side) for side in row["board"].split("x"))
        expect(row["positions"] == (high - 2) * wide << (high * wide - 1), row)
        expect((row["centre"] is not None) == (high % 2 == 1 and wide % 2 == 1), row)
        expect(row["draws"] == (32 if row["board"] == "7x3" else 0), row)
    expect("7x3 (32)" in found["reason"] and "up to 21 points" in found["reason"], found["reason"])


def larger_boards(_):
    if not LONG:
        raise Skip("TAULER_LONG")
    for board, draws in (("8x3", 2250), ("6x4", 8)):
        found = report("--board", board)
        expect(row_of(found, board)["draws"] == draws, row_of(found, board))
        expect(all(recheck["holds"] for recheck in found["witnesses"][0]["rechecks"]), found["witnesses"][0]["rechecks"])


run_cases([every_claim_is_listed, what_is_built_is_said_first, names_and_options_are_checked, published_counts,
           single_boards_are_counted_right,
           what_is_stored_is_of_its_rules, what_is_stored_of_one_rule_set_is_shown_where_it_was_read,
           starts_are_the_published_ones,
           the_smallest_draw, the_three_forms_say_the_same, missing_tables_are_built_once,
           a_stop_within_a_build_keeps_its_state, a_stop_says_what_is_kept,
           all_small_boards, larger_boards])
