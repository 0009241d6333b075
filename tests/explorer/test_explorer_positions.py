#!/usr/bin/env python3
# Tier: make check
"""Tests texts of positions in a browser: each board of the page reads and writes the texts of `tauler probe`, and no others."""
import random
import re

import browser
from browser import Keys, expect

LION = "7/7/7/1r5/7/7/2L4/7/7 w"
START = "#oca/base/-/oca:12,19~2/1"
ENDING = "0-0-1-0-2-1-1-0-0-3-0-0-20-20-S"


def runs(cells):
    return re.sub(r"\.+", lambda found: str(len(found.group())), "".join(cells))


def random_dou_shou_qi(chance):
    board = ["."] * 63
    land = [i for i in range(63) if i not in (3, 59) and not (3 <= i // 7 <= 5 and i % 7 in (1, 2, 4, 5))]
    for letter in chance.sample("rcwdptle", chance.randint(1, 8)) + chance.sample("RCWDPTLE", chance.randint(1, 8)):
        board[chance.choice([i for i in land if board[i] == "."])] = letter
    return "/".join(runs(board[7 * rank:7 * rank + 7]) for rank in range(8, -1, -1)) + chance.choice((" w", " b"))


def random_phutball(chance):
    rows, columns = chance.randint(3, 19), chance.randint(1, 19)
    board = ["."] * (rows * columns)
    # Few men: paths of jumps, which probe lists, are without number among many.
    for _ in range(chance.randint(0, 9)):
        board[chance.randrange(rows * columns)] = "x"
    board[chance.randrange(columns, (rows - 1) * columns)] = "o"
    return "/".join(runs(board[columns * row:columns * row + columns]) for row in range(rows)) + chance.choice((" O", " E"))


def random_morris(chance):
    men = list("wwwbbb...")
    chance.shuffle(men)
    ranks = ["".join(men[i:i + 3]) for i in (0, 3, 6)]
    if any("www" in "".join(line) or "bbb" in "".join(line) for line in
           [*ranks, *("".join(file) for file in zip(*ranks)), men[0] + men[4] + men[8], men[2] + men[4] + men[6]]):
        return random_morris(chance)
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(ranks)) + f" {chance.choice('wb')}"


def random_oca(chance):
    lost = {19: 2, 42: 2, 52: 3}
    squares = chance.sample(range(63), chance.randint(1, 4)) + [chance.choice((19, 42, 52))]
    players = [f"{square}~{chance.randint(1, lost[square])}" if square in lost and chance.random() < 0.7 else str(square) for square in squares[-4:]]
    return f"oca:{','.join(players)}/{chance.randint(1, len(players))}"


def random_asesina(chance):
    each = chance.randint(1, 12)
    squares = chance.sample(range(1, 63), 2 * each)
    players = [[str(0 if chance.random() < 0.3 else square) for square in squares[i::2]] for i in range(2)]
    seat = chance.randint(1, 2)
    forced = ""
    if chance.random() < 0.3 and each > 1:
        players[seat - 1][0], forced = "63", " forced"
    lost = ["0" if forced else str(chance.randint(0, 3)) for _ in players]
    return f"{'/'.join(','.join(player) for player in players)} lost={','.join(lost)} seat={seat}{forced}"


def random_colours(chance):
    squares = chance.sample(range(1, 63), 8)
    players = [f"{squares[4 * i]}b,{squares[4 * i + 1]}a,{squares[4 * i + 2]}b,0a" for i in range(2)]
    return f"{'/'.join(players)} lost={chance.randint(0, 3)},0 seat={chance.randint(1, 2)}"


TURNED = """const [name, positions, done] = arguments;
    import(new URL(`explorer/boards/${name}.js`, location.href)).then(({ default: board }) => done(positions.map((one) => {
      const state = board.parse(one);
      return state === null ? null : board.format(state);
    })), (problem) => done(String(problem)));"""


def reads_and_writes_any_position(page):
    page.open(START)
    chance = random.Random(20)
    for name, draw, options in (("doushouqi", random_dou_shou_qi, ()), ("phutball", random_phutball, ()), ("morris", random_morris, ()), ("oca", random_oca, ()),
                                ("oca_asesina", random_asesina, ()), ("oca_asesina", random_colours, ("--rules", "base,colours=2"))):
        texts = [draw(chance) for _ in range(150)]
        found = browser.building.run("probe", name.replace("_", "-"), "--json", "--db", "/nonexistent", *options, *texts, exit_code=66)
        positions = [browser.json.loads(line)["position"] for line in found.stdout.splitlines()]
        expect(len(positions) == 150, "canonical positions of", name, len(positions), found.stderr[:300])
        turned = page.driver.execute_async_script(TURNED, name, positions)
        wrong = [pair for pair in zip(positions, turned) if pair[0] != pair[1]]
        expect(not wrong, name, "reads and writes", wrong[:2])


def reads_no_other_texts(page):
    page.open(START)
    wrong = {"doushouqi": ["", "7/7/7/7/7/7/7/7/7", "7/7/7/7/7/7/7/7 w", "7/7/7/7/7/7/7/7/8 w", "7/7/7/7/7/7/7/7/6x w", LION[:-1] + "O", f"{LION} x"],
             "phutball": ["", "3/3/3 O", "3/1o1/2 O", "3/1o1/3", "3/1o1/3 w", "3/oo1/3 O", "3/1o1/30x O", "20/o19/20 O", "3/1z1/3 O"],
             "morris": ["", "3/3/3", "3/3 w", "3/4/3 w", "3/3/3 x", "3/x2/3 w", "3/3/3/3 w"],
             "oca": ["", "oca:", "oca:1", "oca:1/0", "oca:1/2", "oca:1,2,3,4,5/1", "oca:a/1", "1,2/1"],
             "oca_asesina": ["", "0/0", "0/0 lost=0 seat=1", "0/0 lost=0,0 seat=3", "0/0 lost=0,0 seat=0", "0/0 lost=0,0", "0/0 lost=0,0 seat=1 home", "0//0 lost=0,0,0 seat=1"]}
    for name, texts in wrong.items():
        turned = page.driver.execute_async_script(TURNED, name, texts)
        expect(turned == [None] * len(texts), name, "reads", list(zip(texts, turned)))


WRONG = {"es": ("«0-0-1-0» no es una posición de aualé: detrás del campo 4 de 15 debe haber un «-». Escribe 4-4-",
                "Jugada 1, «a»: es un hoyo del otro lado. Le toca a Sur, que puede jugar CEF."),
         "ca": ("«0-0-1-0» no és una posició d’aualé: darrere del camp 4 de 15 hi ha d’haver un «-». Escriu 4-4-",
                "Jugada 1, «a»: és un clot de l’altre costat. Li toca a Sud, que pot jugar CEF.")}


def says_what_is_wrong_in_the_language_of_the_page(page):
    page.forgive("400 (")
    for language, (no_position, no_move) in WRONG.items():
        page.open(f"#auale/awari/even/{ENDING}")
        page.choose("#language", language)
        for words, wanted in (("0-0-1-0", no_position), (f"{ENDING} moves a", no_move)):
            page.write("#notation", words)
            page.press(Keys.ENTER)
            page.wait(lambda: page.text("#notation_problem").startswith(wanted), f"{wanted}, not {page.text('#notation_problem')}")
            expect(not page.has("#notation_problem[lang]"), "it is in the language of the page")


if __name__ == "__main__":
    browser.run_cases([["oca", "--players", "2"], ["auale", "--seeds", "8"]],
                      [reads_and_writes_any_position, reads_no_other_texts, says_what_is_wrong_in_the_language_of_the_page])
