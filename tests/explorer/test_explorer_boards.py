#!/usr/bin/env python3
# Tier: make check
"""Tests the explorer in a browser on the boards of dou shou qi, phutball, morris and both games of the goose: play, set-up, pieces on the board. Values
on the page must equal those of `tauler probe --json`, squares those of the board files."""
import os
import re

import browser
from browser import Keys, expect, probe

LION = "7/7/7/1r5/7/7/2L4/7/7 w"
FORK = "1xx/ox1/2x/x2/x2 O"
INN = "oca:12,19~2/1"
CHOICE = "2/5 lost=0,0 seat=1"
SMALL = "base,board=20"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

PLAIN = "return [...document.querySelectorAll('#moves tr[data-move]')].map((row) => [row.dataset.move, row.querySelector('.plate').textContent]);"


def address(game, rules, position):
    return f"#{game}/{rules}/-/{position.replace(' ', '_')}"


def badge_of(move):
    """The figure on the plate of a move in a game of win, draw and loss."""
    symbol = {1: "+", 0: "=", -1: "−"}[move["value"]]
    return f"{symbol}{move['depth']}" if move["value"] else symbol


def is_share(figure, move):
    lower, upper = move["bounds"]
    return abs(float(figure.rstrip("%")) / 100 - (lower + upper) / 2) < 0.00051


def check_outcomes(page, game, position):
    """The list of moves is probe's, in its order."""
    expect(page.notation == position, "shown", page.notation, "and not", position)
    answer = probe(page, game, position)
    expect(page.run(PLAIN) == [[move["move"], badge_of(move)[0]] for move in answer["moves"]], "moves", page.run(PLAIN))
    return answer


def moves_of(answer, beginning):
    return [move for move in answer["moves"] if move["move"].startswith(beginning)]


def badges(page, css):
    return dict(page.run("""return [...document.querySelectorAll(arguments[0])].map((one) =>
        [one.dataset.move, one.querySelector(".badge")?.textContent ?? ""]);""", css))


# --- Dou Shou Qi ---


def plays_dou_shou_qi(page):
    page.open(address("doushouqi", "base", LION))
    answer = check_outcomes(page, "doushouqi", LION)
    lion = '#board [data-square="c3"]'
    expect(page.text(f"{lion} .badge") == badge_of(answer["moves"][0]), "best of the lion", page.text(lion))
    page.click(lion)
    expect(badges(page, "#board .target") == {move["move"]: badge_of(move) for move in answer["moves"]}, "targets", badges(page, "#board .target"))
    expect("lion" in page.focused and page.attribute(lion, "aria-pressed") == "true", "in hand", page.focused)
    page.press(Keys.ENTER)
    expect(not page.has("#board .target"), "pressed again, the lion is put back")
    page.press(Keys.ENTER)
    page.press(Keys.ESCAPE)
    expect(not page.has("#board .target") and "lion" in page.focused, "given up", page.focused)
    page.press(Keys.ENTER)
    page.press(Keys.ARROW_RIGHT)
    expect(page.focused.startswith("c3d3: a win"), "to the right", page.focused)
    page.press(Keys.ENTER)
    after = moves_of(answer, "c3d3")[0]["position"]
    page.wait(lambda: page.notation == after, "the lion on d3")
    answer = check_outcomes(page, "doushouqi", after)
    expect(page.has("#board .previous"), "where the lion came from")
    page.click('#board [data-square="b6"]')
    first = answer["moves"][0]["move"]
    page.click(f'#board [data-move="{first}"]')
    page.wait(lambda: page.notation == answer["moves"][0]["position"], "the rat's move")
    shared = page.run("return location.hash")
    page.forget()
    page.open(shared)
    expect(page.texts("#path button") == ["Start"] or page.texts("#path button")[-1] == first, "path", page.texts("#path button"))
    check_outcomes(page, "doushouqi", answer["moves"][0]["position"])


def takes_and_ends_dou_shou_qi(page):
    position = "7/3L3/3r3/7/7/7/7/7/7 w"
    page.open(address("doushouqi", "base", position))
    check_outcomes(page, "doushouqi", position)
    page.click('#board [data-square="d8"]')
    expect("Takes Black’s rat" in page.attribute('#board [data-square="d7"]', "aria-label"), "a capture is told")
    expect(page.text('#board [data-move="d8d9"] .badge') == "+1", "into the den")
    page.click('#board [data-move="d8d9"]')
    page.wait(lambda: "White has won with d8d9" in page.text("#verdict"), "the end")
    expect(not page.has("#board .target") and not page.has("#board .own"), "moves behind the end")


def sets_up_dou_shou_qi(page):
    page.open(address("doushouqi", "base", LION))
    page.click("#edit_start")
    page.click('#board button:nth-of-type(1)')
    expect(page.notation == "7/7/7/7/7/7/7/7/7 w", "emptied", page.notation)

    def take(letter):
        page.run("document.querySelector(`#board input[value=\"${arguments[0]}\"]`).click()", letter)
    take("T")
    page.click('#board [data-square="a4"]')
    expect("a4: White’s tiger" in page.focused, "focus stays", page.focused)
    page.click('#board [data-square="g7"]')
    expect(page.notation == "7/7/6T/7/7/7/7/7/7 w", "one tiger only", page.notation)
    take("e")
    page.click('#board [data-square="d8"]')
    take("c")
    page.click('#board [data-square="d7"]')
    take("eraser")
    page.click('#board [data-square="d7"]')
    page.run("document.querySelector('#board input[name=doushouqi-side][value=b]').click()")
    expect(page.notation == "7/3e3/6T/7/7/7/7/7/7 b", "set up", page.notation)
    page.click("#edit_done")
    page.wait(lambda: page.has("#moves table"), "the moves")
    check_outcomes(page, "doushouqi", "7/3e3/6T/7/7/7/7/7/7 b")


# --- Phutball ---


def jumps_along_paths(page):
    page.open(address("phutball", "base", FORK))
    answer = check_outcomes(page, "phutball", FORK)
    placements = {move["move"]: badge_of(move) for move in answer["moves"] if "-" not in move["move"]}
    expect(badges(page, "#board .place") == placements, "placements", badges(page, "#board .place"))
    jumps = {move["move"]: move for move in moves_of(answer, "A4-")}
    page.click('#board [data-point="ball"]')
    expect(not page.has("#board .place"), "placements while the ball jumps")
    expect(set(badges(page, "#board .stop")) == {"A4-C6", max((m for m in jumps if m.startswith("A4-C4")), key=lambda m: -answer["moves"].index(jumps[m]))},
           "first stops", badges(page, "#board .stop"))
    page.click('#board [data-point="C4"]')
    expect(len(page.all("#board .man.gone")) == 1, "the man that was jumped")
    further = {name: badge_of(move) for name, move in jumps.items() if name.startswith("A4-C4-")}
    expect(badges(page, "#board .stop") == further, "on from C4", badges(page, "#board .stop"))
    finish = page.text("#board .finish")
    expect(finish == f"Finish A4-C4 ({badge_of(jumps['A4-C4'])})", "the turn may end here:", finish)
    page.press(Keys.ESCAPE)
    expect(page.has("#board .place"), "given up")
    page.press(Keys.ENTER)
    page.click('#board [data-point="C4"]')
    page.click("#board .back")
    page.click('#board [data-point="C4"]')
    page.click("#board .finish")
    page.wait(lambda: page.notation == jumps["A4-C4"]["position"], "the turn to end on C4")
    expect(page.has("#board .previous .path"), "where the ball came from")
    answer = check_outcomes(page, "phutball", jumps["A4-C4"]["position"])
    place = next(move for move in answer["moves"] if "-" not in move["move"])
    page.click(f'#board [data-move="{place["move"]}"]')
    page.wait(lambda: page.notation == place["position"], "a man")
    check_outcomes(page, "phutball", place["position"])


def leaves_the_board(page):
    page.open(address("phutball", "base", FORK))
    page.focus('#board [data-point="ball"]')
    page.press(Keys.ENTER)
    page.click('#board [data-point="C4"]')
    expect("Leave the board at A6" in page.attribute('#board [data-point="A6"]', "aria-label"), "over the goal line")
    page.click('#board [data-point="A6"]')
    page.wait(lambda: "Ohs has won with A4-C4-A6" in page.text("#verdict"), "the goal")


def leaves_over_a_corner(page):
    position = "1x1/o2/3/3/3 O"
    page.forgive("404 (")
    page.open(address("phutball", "base,corner=exit", "x2/1o1/3/3/3 O"))
    page.click('#board [data-point="ball"]')
    page.click('#board [data-point="exit6"]')
    page.wait(lambda: "B4-exit+" in page.text("#verdict"), "the corner")
    page.open(address("phutball", "base", position))
    page.click('#board [data-point="ball"]')
    expect(list(badges(page, "#board .stop")) == ["A4-C6"], "stops", badges(page, "#board .stop"))


def sets_up_phutball(page):
    page.open(address("phutball", "base", FORK))
    page.click("#edit_start")
    page.click("#board .row button")
    expect(page.notation == "3/3/1o1/3/3 O", "emptied", page.notation)
    page.click('#board [data-point="B4"]')
    page.click('#board [data-point="C1"]')
    page.click('#board [data-point="C1"]')
    page.run("document.querySelector('#board input[value=ball]').click()")
    page.click('#board [data-point="A3"]')
    page.run("document.querySelector('#board input[value=man]').click()")
    page.click('#board [data-point="C2"]')
    page.run("document.querySelector('#board input[value=eraser]').click()")
    page.click('#board [data-point="C2"]')
    page.run("document.querySelector('#board input[value=E]').click()")
    expect(page.notation == "3/1x1/o2/3/3 E", "set up", page.notation)
    for name, number, shown in ((4, 4, "4/1x2/o3/4/4 E"), (3, 4, "1x2/o3/4/4 E"), (3, 5, "4/1x2/o3/4/4 E"), (4, 3, "3/1x1/o2/3/3 E")):
        field = f"#board input[type=number]:nth-of-type(1)[max=\"{19 if name == 4 else 170}\"]"
        page.run("const f = document.querySelector(arguments[0]); f.value = arguments[1]; f.dispatchEvent(new Event('change'));", field, number)
        expect(page.notation == shown, "resized", page.notation, "not", shown)
    page.click("#edit_done")
    page.wait(lambda: page.has("#moves table"), "the moves")
    check_outcomes(page, "phutball", "3/1x1/o2/3/3 E")


# --- Three men's morris ---


def plays_morris(page):
    start = "3/3/3 w"
    page.open(address("morris", "base", start))
    answer = check_outcomes(page, "morris", start)
    expect(page.text(".games [aria-current], #games [aria-current]") == "Three men’s morris", "the name that the board brings")
    expect(badges(page, "#board .target") == {move["move"]: badge_of(move) for move in answer["moves"]}, "points", badges(page, "#board .target"))
    page.click('#board [data-move="b2"]')
    page.wait(lambda: page.notation == "3/1w1/3 b", "a man in the centre")
    moving = "w2/bww/b1b b"
    page.open(address("morris", "base", moving))
    answer = check_outcomes(page, "morris", moving)
    expect(not page.has("#board .target"), "no man is chosen")
    page.click('#board [data-point="c1"]')
    expect(badges(page, "#board .target") == {move["move"]: badge_of(move) for move in moves_of(answer, "c1")}, "targets", badges(page, "#board .target"))
    page.click('#board [data-move="c1b1"]')
    page.wait(lambda: page.notation == "w2/bww/bb1 w", "the man moved")


# --- The games of the goose ---


def rolls_of(page, game, position, *options):
    answer = probe(page, game, position, *options)
    return {str(roll["roll"]): roll["moves"] for roll in answer["rolls"]}


def check_squares(page, squares, kinds):
    shown = page.run("""return [...document.querySelectorAll("#board svg.board .square")].map((one) =>
        [one.querySelector(".number").textContent, one.classList[1], one.querySelector(".sign") !== null]);""")
    expected = [[str(square), kinds.get(square, "plain"), kinds.get(square, "plain") not in ("plain", "start")] for square in range(squares + 1)]
    expect(shown == expected, "squares", [pair for pair in zip(shown, expected) if pair[0] != pair[1]])


def kinds_of_file(name):
    """The kinds of squares in the file of the board."""
    names = {"geese": "goose", "bridges": "bridge"}
    kinds = {0: "start"}
    with open(os.path.join(ROOT, "games", "boards", name), encoding="utf-8") as file:
        for line in file:
            item, *words = line.split("#")[0].split() or [""]
            if item == "length":
                length = int(words[0])
            elif item and words[0] != "none":
                ends = len(words) if item in ("geese", "bridges", "dice") else 1
                kinds.update({int(word): names.get(item, item) for word in words[:ends]})
    kinds[length] = "end"
    return length, kinds


def draws_the_squares_of_the_rules(page):
    length, kinds = kinds_of_file("oca-63.board")
    page.open(address("oca", "base", INN))
    check_squares(page, length, kinds)
    page.run("document.querySelector('#notes details').open = true")
    told = page.texts("#notes details li")
    expect(len(told) == 9 and any("19: 2 turns are lost" in one for one in told) and any("31: wait until" in one for one in told), "told", told)
    page.forgive("404 (")
    page.open(address("oca", "base,goose-1=off,well=off", INN))
    check_squares(page, length, {square: kind for square, kind in kinds.items() if square not in (1, 31)})
    length, kinds = kinds_of_file("asesina-20.board")
    page.open(address("oca-asesina", SMALL, CHOICE))
    check_squares(page, length, kinds)
    length, kinds = kinds_of_file("asesina-12.board")
    line = "length-12_geese-3-7-12_bridges-2-5_dice-4-9_inn-6-1_prison-10-2_well-none_labyrinth-8-to-3_death-11-to-0"
    page.open("#oca-asesina/" + browser.urllib.parse.quote(f"base,board={line}", safe="") + "/-/0/0_lost=0,0_seat=1")
    check_squares(page, length, kinds)


def plays_oca(page):
    page.open(address("oca", "base", INN))
    rolls = rolls_of(page, "oca", INN)
    expect(not page.has("#board .target"), "a target without a roll")
    for roll in ("4", "6"):
        page.click(f'[data-roll="{roll}"]')
        [move] = rolls[roll]
        expect(list(badges(page, "#board .target")) == [move["move"]], "target", badges(page, "#board .target"))
        expect(is_share(page.text("#board .target .badge"), move), "share", page.text("#board .target .badge"), move)
    expect(page.attribute("#board .target", "data-square") == "23", "from goose to goose")
    page.click("#board .target")
    page.wait(lambda: page.notation == "oca:23,19~2/1", "the goose on 23")
    rolls = rolls_of(page, "oca", "oca:23,19~2/1")
    page.click('[data-roll="2"]')
    page.focus('#board [data-token="1a-23"]')
    page.press(Keys.ENTER)
    after = rolls["2"][0]["position"]
    page.wait(lambda: page.notation == after, "the next position")
    expect(after.endswith("/2"), "player 2 loses a turn", after)
    page.wait(lambda: page.has('#board [data-token="2a-19"]'), "the turn that is lost is there by itself")
    page.click('#board [data-token="2a-19"]')
    page.wait(lambda: page.notation.endswith("/1"), "player 1 again")
    shared, shown = page.run("return location.hash"), page.notation
    page.forget()
    page.open(shared)
    expect(page.notation == shown, "shared", page.notation, shown)


def bounces_at_the_end(page):
    page.open(address("oca", "base", "oca:60,2/1"))
    rolls = rolls_of(page, "oca", "oca:60,2/1")
    page.click('[data-roll="5"]')
    way = page.run("return document.querySelector('#board .route.walk').getAttribute('d').split('L').length - 1")
    expect(rolls["5"][0]["move"] == "60-61" and way == 5, "60 to 63 and back to 61 are five steps:", way)
    page.click('[data-roll="3"]')
    page.click("#board .target")
    page.wait(lambda: "60-63" in page.text("#verdict"), "the end")


def set_number(page, label, value):
    field = page.run("""return [...document.querySelectorAll("#board input[type=number]")].find((one) =>
        (one.getAttribute("aria-label") ?? one.labels[0].textContent).trim() === arguments[0]);""", label)
    expect(field, "no field", label)
    page.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'));", field, value)


def sets_up_oca(page):
    page.open(address("oca", "base", INN))
    page.click("#edit_start")
    page.click('#board [data-square="52"]')
    expect(page.notation == "oca:52,19~2/1", "player 1 in prison", page.notation)
    set_number(page, "Turns to lose", 3)
    page.run("document.querySelectorAll('#board input[type=radio]')[1].click()")
    page.focus('#board [data-square="18"]')
    page.press(Keys.ENTER)
    page.choose("#board select", "1")
    expect(page.notation == "oca:52~3,18/2", "set up", page.notation)
    set_number(page, "Players", 3)
    expect(page.notation == "oca:52~3,18,0/2", "three players", page.notation)
    set_number(page, "Players", 2)
    page.click("#edit_done")
    page.wait(lambda: page.has('[data-roll="1"]'), "rolls")
    rolls = rolls_of(page, "oca", "oca:52~3,18/2")
    page.click('[data-roll="1"]')
    expect(is_share(page.text("#board .target .badge"), rolls["1"][0]), "share", rolls["1"])


def chooses_tokens(page):
    position = "2,9/5,11 lost=0,0 seat=1"
    page.open(address("oca-asesina", SMALL, position))
    rolls = rolls_of(page, "oca-asesina", position, "--board", "20")
    page.click('[data-roll="3"]')
    shown = {token: page.text(f'#board [data-token="{token}"] .badge') for token in ("1a-2", "1a-9")}
    for move in rolls["3"]:
        expect(is_share(shown[f"1a-{move['move'].split('-')[0]}"], move), "share", shown, move)
    expect(len(rolls["3"]) == 2 and not page.has("#board .target"), "no token is chosen yet")
    page.click('#board [data-token="1a-9"]')
    move = next(move for move in rolls["3"] if move["move"].startswith("9-"))
    expect(page.attribute("#board .target", "data-move") == move["move"] and page.focused.startswith(move["move"]), "target", page.focused)
    page.press(Keys.ESCAPE)
    expect(not page.has("#board .target") and page.focused.startswith("Token on 9"), "given up", page.focused)
    page.press(Keys.ENTER)
    page.press(Keys.ENTER)
    page.wait(lambda: page.notation == move["position"], "the token on " + move["move"])
    shared = page.run("return location.hash")
    page.forget()
    page.open(shared)
    expect(page.notation == move["position"], "shared", page.notation)
    position = "4,4/9,9 lost=0,0 seat=1"
    page.open(address("oca-asesina", SMALL, position))
    expect(len(page.all("#board .barrier")) == 2, "two barriers")
    page.click('[data-roll="5"]')
    [stays] = rolls_of(page, "oca-asesina", position, "--board", "20")["5"]
    expect(stays["move"] == "pass", "nobody can move", stays)
    page.click('#board button[data-move="pass"]')
    page.wait(lambda: page.notation == stays["position"], "a pass")


def sets_up_la_oca_asesina(page):
    page.forgive("404 (")
    page.open(address("oca-asesina", SMALL, CHOICE))
    page.click("#edit_start")
    set_number(page, "Tokens of each player and colour", 2)
    expect(page.notation == "0,2/0,5 lost=0,0 seat=1", "two tokens each", page.notation)
    page.run("document.querySelectorAll('#board input[type=radio]')[0].click()")
    page.click('#board [data-square="9"]')
    page.click('#board [data-square="20"]')
    expect(page.notation == "9,20/0,5 lost=0,0 seat=1", "one after the other", page.notation)
    set_number(page, "Player 2, token 1", 12)
    page.run("""const f = document.querySelectorAll("#board .player")[1].querySelectorAll("label input[type=number]"); f[0].value = 2;
        f[0].dispatchEvent(new Event("change"));""")
    page.choose("#board .edit_tools > label:nth-of-type(3) select", "0")
    expect(re.fullmatch(r"9,20/(0,12|5,12) lost=0,2 seat=1 forced", page.notation), "set up", page.notation)
    page.click("#edit_done")
    page.wait(lambda: page.has('[data-roll="1"]'), "rolls")
    rolls = rolls_of(page, "oca-asesina", page.notation, "--board", "20")
    page.click('[data-roll="2"]')
    [move] = rolls["2"]
    expect(list(badges(page, "#board .target")) == [move["move"]], "the forced token", badges(page, "#board .target"))


# --- All of them ---

POSITIONS = [("doushouqi", "base", LION), ("phutball", "base", FORK), ("oca", "base", INN), ("oca-asesina", SMALL, "2,9/5,11 lost=0,0 seat=1")]


def fits_a_telephone(page):
    page.forget(width=360, height=740, dark=True)
    for game, rules, position in POSITIONS:
        page.open(address(game, rules, position))
        page.check_width()
        page.check_text_sizes()
        if game == "oca":
            page.click('[data-roll="6"]')
            page.click(".zoom")
            page.check_width()
        page.click("#edit_start")
        page.check_width()
        page.check_text_sizes()
        page.check_contrast()


def has_names_for_everything(page):
    page.forget(language="ca")
    for game, rules, position in POSITIONS:
        page.open(address(game, rules, position))
        page.check_names()
        expect(len(page.announced) > 20 and not re.search(r"undefined|null|[{}]", page.announced), "said", page.announced)
        page.click("#edit_start")
        page.check_names()
        expect(not page.has("#board [aria-hidden] [role=button]"), "a button that nobody is told of")
    page.check_reachable()


def has_examples_that_tables_hold(page):
    page.open("#phutball")
    begins = page.run("return [...document.querySelector('#examples').options].map((one) => one.value)")
    expect(len(begins) == 3, "positions to begin with", begins)
    for position in begins:
        page.choose("#examples", position)
        expect(page.notation == position, "it is what was chosen", position, page.notation)
        expect(not page.has(".problem") and page.text("#verdict .plate") in ("+", "=", "−"), page.notation, page.texts(".problem"))
    for game, unit in (("phutball", "plies"), ("doushouqi", "plies"), ("morris", "plies")):
        page.open(f"#{game}")
        expect(unit in page.text("#notes"), "what the plates of", game, "say", page.text("#notes"))


def has_its_moves_on_the_first_screen(page):
    """With dice the tabs; the dice above them have the value of each roll."""
    page.forget(width=360, height=740)
    for game, part in (("doushouqi", "moves"), ("phutball", "moves"), ("oca", "tabs"), ("oca-asesina", "tabs"), ("morris", "moves")):
        page.open(f"#{game}")
        page.check_first_screen("table.moves tbody tr" if part == "moves" else "#tabs")
        expect(page.has("#notes > *"), game, "explains its plates or squares")


if __name__ == "__main__":
    browser.run_cases([["doushouqi", "--pieces", "2"], ["phutball", "--board", "5x3"], ["oca", "--players", "2"], ["oca-asesina", "--board", "20", "--tokens", "2"], ["morris"]], [
        plays_dou_shou_qi, takes_and_ends_dou_shou_qi, sets_up_dou_shou_qi, jumps_along_paths, leaves_the_board, leaves_over_a_corner,
        sets_up_phutball, plays_morris, draws_the_squares_of_the_rules, plays_oca, bounces_at_the_end, sets_up_oca, chooses_tokens,
        sets_up_la_oca_asesina, has_examples_that_tables_hold, has_its_moves_on_the_first_screen, fits_a_telephone, has_names_for_everything])
