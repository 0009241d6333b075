#!/usr/bin/python3
"""Findings of the claims about aualé with more than the small limits: figures, rechecks, records that another command
can play, boards without a move counted again."""
import itertools
import json

from building import expect, run, run_cases
from claiming import SHARED, check_expected_of, check_rechecks, report, row, row_where, rows


def key_figures(_):
    check_expected_of("auale-", 60)


def rechecks_hold(_):
    check_rechecks({"auale-awari-cycles --seeds 12": ["plain iteration"], "auale-cycle-free --seeds 8": ["plain iteration"],
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


def probed(cycles, rules, boards):
    """Answers about boards, one position at a time."""
    lines = run("probe", "auale", "--rules", rules, "--cycles", cycles, "--db", SHARED, "--json", *boards).stdout
    return [json.loads(line) for line in lines.splitlines()]


def misled_boards_are_those(_):
    """Counted again by answers about every board with an empty pit opposite: the best moves are compared by name."""
    found = report("auale-tables-mislead --seeds 6")
    for seeds in (2, 3, 4):
        boards = []
        for bars in itertools.combinations(range(seeds + 11), 11):
            cuts = (-1, *bars, seeds + 11)
            board = [cuts[i + 1] - cuts[i] - 1 for i in range(12)]
            boards.append("-".join(map(str, board)) + "-0-0-S")
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


run_cases([key_figures, rechecks_hold, captures_can_be_played, boards_without_a_move_are_those, misled_boards_are_those])
