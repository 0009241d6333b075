"""Which positions of la oca asesina are paradoxical? Those in which nobody moves, and those from which play need not end."""
import random
from typing import Any, Dict, List, Set

from .. import Claim, RuleSet, Settings, Witness, figures
from ._rules import BOARD_12, BOARD_20, SEED, VARIANTS, length_of, open_on_board

SETTINGS = Settings(options="board tokens", usual=2, most=3, rules="base and variants")
# The last board is built so that neither side may ever move again: its labyrinth leads back one square.
MADE = "12, labyrinth 8 to 7"
BOARDS = {"7": "board=length-7_geese-7_bridges-none_dice-none_inn-2-1_prison-4-2_well-none_labyrinth-5-to-1_death-6-to-0",
          "12": BOARD_12, "20": BOARD_20, "63": "board=63", MADE: BOARD_12.replace("labyrinth-8-to-3", "labyrinth-8-to-7")}
# What C counts: positions, and of these the kinds; the first position is shown that play leads to of some.
POSITIONS, ROLL, LABYRINTH, BARRIER, MIXED, FORCED, NOBODY, NO_END, BOTH, SEAT_1, SEAT_2 = range(11)
SHOWN = {LABYRINTH: "no move with any roll, in the labyrinth", BARRIER: "no move with any roll, before a barrier",
         MIXED: "no move with any roll, in the labyrinth and before a barrier",
         FORCED: "a forced token that with some roll cannot go back", NOBODY: "nobody ever moves again"}
ROLLS = 100000
Row = Dict[str, Any]


def recheck_by_play(rules: RuleSet, witness: Witness) -> None:
    """Turns with dice, as long as each leaves nothing but a pass."""
    dice, at, passed, known = random.Random(SEED), witness.position, 0, {}
    while passed < ROLLS:
        if at not in known:
            known[at] = rules.look(at).rolls
        moves = dice.choice(known[at]).moves
        if len(moves) != 1 or moves[0].name != "pass" or moves[0].position is None:
            break
        at, passed = moves[0].position, passed + 1
    witness.recheck("played out", passed == ROLLS, "recheck-played-out", ROLLS, passed)


def look(claim: Claim, board: str, variant: str, tokens: int, seen: Set[int]) -> List[Row]:
    """The row of a rule set, unless it has too many positions."""
    rules = open_on_board(claim, variant, BOARDS[board])
    found: Row = figures("asesina-blocked", claim.options, *rules.words(), "--tokens", str(tokens))
    if not found["looked_at"]:
        return []
    found.update(board=str(length_of(rules)) if claim.options.board else board, rules=variant, tokens=tokens)
    for kind, said in SHOWN.items():
        position = found["shown"][kind - 1]
        if variant != VARIANTS[0] or kind in seen or not position:
            continue
        seen.add(kind)
        witness = claim.show(rules, position, "witness", found["board"], said)
        for roll in rules.look(position).rolls:
            for move in roll.moves:
                witness.step(f"a {roll.name}", move.name, move.position)
        if kind == NOBODY:
            recheck_by_play(rules, witness)
    return [found]


def examine(claim: Claim) -> None:
    rows: List[Row] = []
    seen: Set[int] = set()
    for board in list(BOARDS)[:1 if claim.options.board else None]:
        for tokens in range(1, claim.limit + 1):
            rows += look(claim, board, VARIANTS[0], tokens, seen)
    for variant in VARIANTS[1:] if claim.limit > 1 else ():
        rows += look(claim, "12", variant, claim.limit, seen)
    for key in ("stored", "played"):
        table = claim.table(key)
        for row in rows:
            whole = row["stride"] == 1
            if whole or key == "stored":
                counts = [count if whole or kind <= NOBODY else None for kind, count in enumerate(row[key])]
                table.add(row["board"], row["rules"], row["tokens"], *counts, *[row["stride"]] * (key == "stored"))
    # Of boards of which all positions were looked at.
    whole = [row for row in rows if row["rules"] == VARIANTS[0] and row["stride"] == 1]
    stored, played, made = ([sum(counts) for counts in zip(*[[0] * 11, *of])] for of in (
        [row["stored"] for row in whole if row["board"] != MADE], [row["played"] for row in whole if row["board"] != MADE],
        [row["stored"] for row in whole if row["board"] == MADE]))
    shut = played[LABYRINTH] + played[BARRIER] + played[MIXED]
    alone = claim.options.board is not None
    if shut + played[BOTH]:
        claim.judge("holds for", "verdict", shut, played[POSITIONS], "this board" if alone else "these boards", stored[NOBODY],
                    stored[NO_END], stored[BOTH], "" if alone else " " + claim.say("made", made[NOBODY], made[NO_END]))
