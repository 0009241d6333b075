#!/usr/bin/python3
# Tier: make check
"""Findings of the claims about aualé with more than the small limits: figures, rechecks, records that another command
can play, boards without a move counted again."""
import itertools
import json
import math
import os

from building import TESTS, expect, run, run_cases
from claiming import SHARED, check_expected_of, check_rechecks, report, row, row_where, rows


def key_figures(_):
    check_expected_of("auale-", 60)


def rechecks_hold(_):
    check_rechecks({"auale-awari-cycles --seeds 10": ["plain iteration"], "auale-cycle-free --seeds 8": ["plain iteration"],
                    "auale-no-move --seeds 8": ["replay", "formulae", "brute force"]})


def captures_can_be_played(_):
    """Records and games of the largest capture, by another command."""
    found = report("auale-largest-capture")
    expect(len(found["witnesses"]) == 5, len(found["witnesses"]), "witnesses")
    for witness, rules in zip(found["witnesses"], ("abapa", "awari", "awari,grand-slam=captures", "abapa", "awari")):
        expect(all(one["holds"] for one in witness["rechecks"]), witness["rechecks"])
        moves = "".join(step["move"] for step in witness["steps"])
        line = witness["position"] + (" moves " + moves[:-1] if len(moves) > 1 else "")
        answer = json.loads(run("probe", "auale", "--rules", rules, "--db", SHARED, "--json", line,
                                exit_code=None).stdout) # without a table
        last = [move for move in answer["moves"] if move["move"] == moves[-1]]
        expect(len(last) == 1 and last[0]["position"] == witness["steps"][-1]["position"], rules, line, last)
    for rules, seeds, sown in (("abapa", 16, 6), ("awari", 18, 6)):
        one = row_where(found, "records", f"rules={rules}; sowing=any")
        expect(sum(int(pit) for pit in one["board"].split("-")[:12]) == seeds and one["sown"] == sown, one)
    for one in rows(found, "by_sown"):
        expect(one["kroo"] == ("yes" if one["sown"] >= 12 else "no"), one)


def sow(board, pit):
    """Abapa, a third time: the board after a move, turned."""
    after, hand, at = list(board), board[pit], pit
    after[pit] = 0
    while hand:
        at = (at + 1) % 12
        if at != pit:
            after[at] += 1
            hand -= 1
    taken = list(after)
    while at > 5 and taken[at] in (2, 3):
        taken[at] = 0
        at -= 1
    after = taken if any(taken[6:]) else after
    return after[6:] + after[:6]


def boards_without_a_move_are_those(_):
    found = report("auale-no-move --seeds 8")
    for seeds in range(1, 6):
        stuck, reached = [0, 0], set()
        for bars in itertools.combinations(range(seeds + 11), 11):
            cuts = (-1, *bars, seeds + 11)
            board = [cuts[i + 1] - cuts[i] - 1 for i in range(12)]
            children = [child for child in (sow(board, pit) for pit in range(6) if board[pit]) if any(child[:6])]
            if not children:
                stuck[any(board[:6])] += 1
            for child in children:
                if sum(child) == seeds and not any(child[6:]) and \
                        not any(any(sow(child, pit)[:6]) for pit in range(6) if child[pit]):
                    reached.add(tuple(child))
        one = row(found, "boards", "seeds", str(seeds))
        expect([one["none"], one["unfed"]] == stuck, one, stuck)
        expect(one["unfed_after_move"] >= len(reached), one, len(reached)) # captures lead there as well


def boards_of(seeds):
    for bars in itertools.combinations(range(seeds + 11), 11):
        cuts = (-1, *bars, seeds + 11)
        yield tuple(cuts[i + 1] - cuts[i] - 1 for i in range(12))


def text_of(board):
    return "-".join(map(str, board)) + "-0-0-S"


def probed(cycles, rules, boards):
    """Answers about boards, one position at a time."""
    lines = run("probe", "auale", "--rules", rules, "--cycles", cycles, "--db", SHARED, "--json", *boards).stdout
    return [json.loads(line) for line in lines.splitlines()]


def misled_boards_are_those(_):
    """Counted again by answers about every board with an empty pit opposite: the best moves are compared by name."""
    found = report("auale-tables-mislead --seeds 6")
    for seeds in (2, 3, 4):
        boards = [text_of(board) for board in boards_of(seeds)]
        exact = probed("own-row", "abapa", boards)
        kept = [(board, one) for board, one in zip(boards, exact)]
        children = sorted({move["position"] for _, one in kept for move in one["moves"] if move["position"]})
        for table, cycles, rules in (("awari", "even", "awari"), ("forced", "forced", "abapa")):
            other = probed(cycles, rules, boards)
            worth = dict(zip(children, (one["bounds"] for one in probed(cycles, rules, children))))
            counts = [0, 0, 0, 0]
            for (_, mine), theirs in zip(kept, other):
                value, bounds = mine["value"], theirs["bounds"] or [theirs["value"]] * 2
                counts[0] += bounds != [value, value]
                counts[1] += any((value > 0) - (value < 0) != (bound > 0) - (bound < 0) for bound in bounds)
                by_mine = {move["move"]: move["value"] for move in mine["moves"]}
                by_other = {move["move"]: move["value"] + (move["child_value"] or 0) -
                            (worth[move["position"]][1] if move["position"] else 0) for move in mine["moves"]}
                best, others = ({name for name, one in of.items() if one == max(of.values())} for of in (by_mine, by_other))
                counts[2] += best != others
                counts[3] += bool(best) and not best & others
            one = row(found, table, "seeds", str(seeds))
            expect(one["boards"] == len(boards), one, len(boards))
            expect([one[key] for key in ("value", "winner", "moves", "lost")] ==
                   [round(100 * count / len(boards), 2) for count in counts], table, seeds, one, counts)


def book_of(values, wrong, unsaid):
    """A book as its format is described. Its boards are numbered by going through them: rising by the seeds in all pits,
    then in all but f, and so on. Boards in `wrong` have the value that stands there."""
    cells = bytearray("Said\n\n".encode("utf-16-be"))
    for board in sorted(values, key=lambda one: list(itertools.accumulate(one))[::-1]):
        kept = (sum(board) + wrong.get(board, values[board])) // 2
        cells.append(4 * kept + (2 if board in unsaid else 3))
    return bytes(cells) + bytes(math.comb(24, 12) - len(values))


BOUNDS_BY_RULES = """
import numpy as np
from tauler.claims import Claim, Settings
from tauler.claims._solve import own_row_play
SETTINGS = Settings(game="auale", rules="abapa", sets=[("abapa", "own-row")])


def examine(claim: Claim) -> None:
    table, found, abapa = claim.table("bounds"), {}, claim.sets[0]
    for n in range(7):
        pays = 2 * abapa.slice(n).boards()[:, :6].sum(axis=1, dtype=np.int16) - n
        found[n] = own_row_play(abapa.slice(n), pays, found.__getitem__)
        for (lower, upper), count in zip(*(one.T for one in np.unique(np.stack(found[n]), axis=1, return_counts=True))):
            table.add(n, lower, upper, count)
    claim.judge("holds", "yes")
"""
BOUNDS_TEXT = ("# Bounds\n\n## Sentence (en)\n\n“So.”\n\nSo.\n\nSaid.\n\n## Method\n\nSweeps.\n\n"
               "## Table: bounds\n\nBounds:\n\n- `seeds`; `lower`; `upper`; `count`: boards\n\n"
               "## Sentences\n\n- `yes`: Yes.\n")


def bounds_by_rules_are_those_of_the_large_run(folder):
    """What settles the boards of the book, against bounds that an engine in C stored, which shares no code with it."""
    os.makedirs(folder)
    for end, content in ((".py", BOUNDS_BY_RULES), (".md", BOUNDS_TEXT)):
        with open(os.path.join(folder, "bounds_by_rules" + end), "w", encoding="utf-8") as file:
            file.write(content)
    found = json.loads(run("claims", os.path.join(folder, "bounds_by_rules.py"), "--json", "--quiet", "--db", SHARED).stdout)
    rows_found = [tuple(one.values()) for one in rows(found, "bounds")]
    with open(os.path.join(TESTS, "..", "docs", "results", "abapa-own-row.csv"), encoding="utf-8") as file:
        wanted = [tuple(map(int, line.split(","))) for line in file.read().splitlines()[1:] if int(line.split(",")[0]) < 7]
    expect(sorted(rows_found) == sorted(wanted), rows_found[:9], wanted[:9])


def the_book_is_read_as_described(folder):
    """A book with some false boards, of which two do not say that they hold right after a capture. With two seeds the rules
    alone leave a board that is worth 0 open to one side (docs/results/abapa-own-row.csv), so it may be no witness."""
    boards = [board for seeds in range(4) for board in boards_of(seeds)]
    run("build", "auale", "--rules", "abapa", "--cycles", "own-row", "--seeds", "3", "--db", SHARED, "--quiet")
    values = dict(zip(boards, (int(one["value"]) for one in probed("own-row", "abapa", map(text_of, boards)))))
    won = [board for board in boards if sum(board) == 3 and values[board] == 3]
    even = [board for board in boards if sum(board) == 2 and values[board] == 0]
    wrong = {**{board: -3 for board in won[:5]}, **{board: -2 for board in even}}
    os.makedirs(folder)
    path = os.path.join(folder, "book.bin")
    with open(path, "wb") as file:
        file.write(book_of(values, wrong, won[:2]))
    found = report(f"auale-public-book --seeds 3 --book {path}")
    expect(found["verdict"] == "holds for", found["verdict"])
    for seeds, compared, differ in ((1, 12, 0), (2, 78, 12), (3, 362, 3)):
        one = row(found, "boards", "seeds", str(seeds))
        expect((one["boards"], one["differ"], one["winner"]) == (compared, differ, differ), one)
    shown = {witness["position"] for witness in found["witnesses"]}
    expect(one["most"] == 6 and len(shown) == 2 and shown < set(map(text_of, even)), shown)
    expect(all(check["holds"] for witness in found["witnesses"] for check in witness["rechecks"]), found)
    for text in (b"", b"no header", "Said\n\n".encode("utf-16-be")):
        with open(path, "wb") as file:
            file.write(text)
        run("claims", "auale-public-book", "--book", path, "--db", SHARED, "--quiet", exit_code=65)
    run("claims", "auale-public-book", "--book", os.path.join(folder, "none"), "--db", SHARED, "--quiet", exit_code=74)
    run("claims", "auale-no-move", "--book", path, "--db", SHARED, "--quiet", exit_code=64)


run_cases([key_figures, rechecks_hold, captures_can_be_played, boards_without_a_move_are_those, misled_boards_are_those,
           bounds_by_rules_are_those_of_the_large_run, the_book_is_read_as_described])
