#!/usr/bin/python3
# Tier: make check
"""Lines shown by the claims about paths in aualé: each game is played again by rules written here, and the board has
the worth that is told after either history, by every line of play."""
import atexit
import functools
import json
import shutil
import sys
import tempfile

from building import expect, run, run_cases

SHARED = tempfile.mkdtemp(prefix="tauler-claims.")
atexit.register(shutil.rmtree, SHARED, ignore_errors=True)
sys.setrecursionlimit(10000)


def sow(board, pit):
    """Pits of the mover first; all moves of at most eleven seeds. The board after it, turned, and what is captured."""
    pits, captured = list(board), 0
    seeds, pits[pit] = pits[pit], 0
    expect(seeds < 12, "a lap")
    for i in range(1, seeds + 1):
        pits[(pit + i) % 12] += 1
    last = (pit + seeds) % 12
    while last >= 6 and pits[last] in (2, 3):
        captured += pits[last]
        pits[last] = 0
        last -= 1
    return tuple(pits[6:] + pits[:6]), captured


@functools.lru_cache(maxsize=None)
def moves(board, rules):
    found = []
    for pit in range(6):
        if board[pit]:
            after, captured = sow(board, pit)
            if captured and not any(after[:6]) and rules == "abapa":
                pits = list(board)
                seeds, pits[pit] = pits[pit], 0
                for i in range(1, seeds + 1):
                    pits[(pit + i) % 12] += 1
                after, captured = tuple(pits[6:] + pits[:6]), 0
            found.append((pit, after, captured))
    feeding = [one for one in found if any(one[1][:6])]
    return feeding if feeding or rules == "abapa" else found


def split(board, rules):
    return sum(board[:6]) - sum(board[6:]) if rules == "abapa" else 0


def worth(board, turn, met, rules):
    """Net seeds for the mover. `met`: boards and turns since the last capture."""
    choices = moves(board, rules)
    if not choices:
        return sum(board[:6]) - sum(board[6:])
    if (board, turn) in met:
        return split(board, rules)
    best, past = -48, met | {(board, turn)}
    for _, after, captured in choices:
        best = max(best, captured - worth(after, not turn, frozenset() if captured else past, rules))
        if best == sum(board):
            break
    return best


def read(text):
    fields = text.split("-")
    pits = tuple(int(field) for field in fields[:12])
    return (pits if fields[14] == "S" else pits[6:] + pits[:6]), fields[14] == "S", [int(field) for field in fields[12:14]]


def play(witness, rules):
    """The board in question with its stores, and South's lead in the end."""
    board, south, stores = read(witness["position"])
    expect(sum(board) + sum(stores) == 48, witness["position"])
    met, asked = [], None
    for step in witness["steps"]:
        pit = "ABCDEF".index(step["move"].upper())
        expect((step["turn"] == "S") == south and step["move"].isupper() == south, step)
        chosen = [one for one in moves(board, rules) if one[0] == pit]
        expect(len(chosen) == 1 and (board, south) not in met, "no such move", step)
        met = [] if chosen[0][2] else met + [(board, south)]
        stores[not south] += chosen[0][2]
        board, south = chosen[0][1], not south
        expect(read(step["position"]) == (board, south, stores), step)
        if "board in question" in (step["remark"] or ""):
            expect(south, "North is to move")
            asked = (board, tuple(stores), worth(board, south, frozenset(met), rules))
    over = not moves(board, rules)
    expect(over or (board, south) in met, "no end", witness["steps"][-1])
    net = sum(board[:6]) - sum(board[6:]) if over else split(board, rules)
    lead = stores[0] - stores[1] + (net if south else -net)
    expect(lead == asked[1][0] - asked[1][1] + asked[2], "not what best play comes to", asked, lead)
    return asked, lead


def check_pairs(name, rules, results):
    found = json.loads(run("claims", name, "--seeds", "3", "--json", "--db", SHARED, "--quiet").stdout)
    witnesses = found["witnesses"]
    expect(len(witnesses) == 2 * len(results), len(witnesses), "witnesses")
    for i, wanted in enumerate(results):
        (one, low), (other, high) = (play(witness, rules) for witness in witnesses[2 * i:2 * i + 2])
        expect(one[:2] == other[:2], "two boards", one, other)
        expect(((low > 0) - (low < 0), (high > 0) - (high < 0)) == wanted, low, high)
        for witness in witnesses[2 * i:2 * i + 2]:
            expect([recheck["holds"] for recheck in witness["rechecks"]] == [True, True], witness["rechecks"])


def abapa_has_two_winners(_):
    check_pairs("auale-abapa-path", "abapa", [(0, 1), (-1, 1)])


def awari_loses_a_win(_):
    check_pairs("auale-awari-path", "awari", [(-1, 1)])


run_cases([abapa_has_two_winners, awari_loses_a_win])
