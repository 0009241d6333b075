"""How many seeds can one move take?"""
from math import comb
from typing import List, Optional

from .. import Claim, RuleSet, Settings, Witness
from ._boards import PITS, board_text
from ._captures import ABAPA, AWARI, CAPTURES, KINDS, Record, Records, Search, rank

SETTINGS = Settings(options="seeds", usual=48, sets=[("abapa", None), ("awari", None), ("awari,grand-slam=captures", None)])
MOST_SEEDS, SOURCE_SAYS, BRUTE_SEEDS, KROO = 48, 15, 8, 12
# Both sides help, and every move is legal under all rule sets.
START = board_text([4] * PITS)
GAMES = (("EeDdCeEfFaBfAc", "A game from the start in which both sides help: the last move takes fifteen."),
         ("CaDbEfEcEaDeCdEeBfF", "Another such game, in which fifteen are taken by sowing a kroo of sixteen."))


def best_sown(records: Records, least: int) -> Record:
    """The most that is taken by sowing `least` or more, on the fewest seeds, and where the other row has an empty pit."""
    return max(records["by_sown"][least - 1:], key=rank)


def play_line(rules: RuleSet, start: str, line: str, witness: Optional[Witness] = None, remark: Optional[str] = None) -> int:
    """Plays a line; what the last move takes, −1 if a move is not legal. The remark is that of the last step."""
    at, before = start, 0
    for number, name in enumerate(line, 1):
        move = rules.play(at, name)
        if not move or not move.position:
            return -1
        if witness:
            witness.step(rules.look(at).turn, name, move.position, remark if number == len(line) else None)
        at, before = move.position, sum(map(int, at.split("-")[PITS:PITS + 2]))
    return sum(map(int, at.split("-")[PITS:PITS + 2])) - before


def is_right(rules: RuleSet, record: Record, witness: Optional[Witness] = None) -> bool:
    """Whether the move of a record takes by the rules what is said."""
    return play_line(rules, board_text(record["pits"]), "ABCDEF"[record["origin"]], witness) == int(record["captured"])


def add_tables(claim: Claim, found: List[Records]) -> None:
    table = claim.table("records")
    for rules, records in zip(claim.sets, found):
        for sowing, least in (("any", 1), ("kroo", KROO)):
            if least <= claim.limit and best_sown(records, least)["captured"]:
                one = best_sown(records, least)
                table.add(rules.rules, sowing, one["captured"], one["seeds"], one["sown"], board_text(one["pits"]))
    by_seeds, by_sown = claim.table("by_seeds"), claim.table("by_sown")
    for n in range(claim.limit):
        by_seeds.add(n + 1, *(records[kind][n]["captured"] for kind in ("by_seeds", "by_seeds_open") for records in found))
        moves = [records["by_sown"][n] for records in found]
        by_sown.add(n + 1, "yes" if n + 1 >= KROO else "no",
                    *(figure for one in moves for figure in (one["captured"], one["seeds"] if one["captured"] else None)))


def show_record(claim: Claim, rules: RuleSet, records: Records) -> None:
    record, seeds, boards, same = best_sown(records, 1), min(claim.limit, BRUTE_SEEDS), 0, True
    right = is_right(rules, record)
    witness = claim.show(rules, board_text(record["pits"]), "witness", rules.rules,
                         "ABCDEF"[record["origin"]] if right else "no move", record["captured"])
    if right:
        is_right(rules, record, witness)
    played = [is_right(rules, one) for kind in KINDS for one in records[kind] if one["captured"]]
    witness.recheck("replay", right and all(played), "recheck-replay", len(played), played.count(False))
    for n in range(1, seeds + 1):
        listed = (rules.slice(n).moves(by_rules=True), rules.slice(n).moves(outside=True))
        most = max(int(moves.gains.max(initial=0)) for moves in listed)
        same = same and most == records["by_seeds"][n - 1]["captured"] and sum(map(len, listed)) == comb(n + 11, 11)
        boards += sum(map(len, listed))
    witness.recheck("brute force", same, "recheck-brute-force", boards, seeds,
                    "the same for every number of seeds" if same else "another")


def show_game(claim: Claim, line: str, what: str) -> None:
    witness = Witness(what, claim.sets[0].rules, START, None, claim)
    claim.witnesses.append(witness)
    right = all([play_line(rules, START, line, witness if rules is claim.sets[0] else None, "takes fifteen") == SOURCE_SAYS
                 for rules in claim.sets])
    witness.recheck("replay", right, "recheck-replay-2", "legal and the last takes fifteen" if right else "not what is said")


def examine(claim: Claim) -> None:
    by_rules = Search(claim.limit).found
    found = [by_rules[name] for name in (ABAPA, AWARI, CAPTURES)]
    add_tables(claim, found)
    for rules, records in zip(claim.sets, found):
        if claim.limit > 2:
            show_record(claim, rules, records)
    if claim.limit == MOST_SEEDS:
        for line, what in GAMES:
            show_game(claim, line, what)
        claim.note("note")
    most, awari = best_sown(found[0], 1), best_sown(found[1], 1)
    if most["captured"] > SOURCE_SAYS:
        claim.judge("fails", "fails-2", most["captured"])
    elif claim.limit < MOST_SEEDS:
        claim.judge("open", "open", claim.limit, most["captured"])
    else:
        kroo = best_sown(found[0], KROO)
        fewest = next((n for n, one in enumerate(found[1]["by_seeds_open"], 1) if one["captured"] >= awari["captured"]), MOST_SEEDS)
        claim.judge("holds" if most["captured"] == SOURCE_SAYS == kroo["captured"] else "fails", "verdict", most["captured"],
                    most["seeds"], kroo["seeds"], awari["captured"], most["captured"], fewest, awari["captured"])
