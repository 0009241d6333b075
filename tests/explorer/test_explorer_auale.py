#!/usr/bin/env python3
# Tier: make check
"""Tests the explorer in a browser on the board of aualé: navigation, announcements, accessibility. Values on the page must equal those of
`tauler probe --json`."""
import re

import browser
from browser import Keys, expect, probe

ENDING = "0-0-1-0-2-1-1-0-0-3-0-0-20-20-S"
AFTER_E = "0-0-1-0-0-2-0-0-0-3-0-0-22-20-N"


def shown_number(number):
    return "0" if number == 0 else f"+{number}" if number > 0 else f"−{-number}"


def shown_bounds(bounds):
    lower, upper = bounds
    return shown_number(lower) if lower == upper else f"{shown_number(lower)}…{shown_number(upper)}"


def colour(bounds):
    if not bounds:
        return "unknown"
    if bounds[0] > 0:
        return "win"
    if bounds[1] < 0:
        return "loss"
    return "draw" if bounds[0] == bounds[1] else "unknown"


def listed_moves(page):
    return page.run("""return [...document.querySelectorAll("table.moves tbody tr")].map((row) => ({
        move: row.dataset.move, figure: row.querySelector(".plate").textContent,
        colour: ["win", "draw", "loss", "unknown"].find((one) => row.classList.contains(one)), words: [...row.cells].map((cell) => cell.textContent).join(" ")}));""")


def check_against_probe(page, *options):
    """List and board say what the command line says, in its order."""
    answer = probe(page, "auale", page.notation, *options)
    rows = listed_moves(page)
    expect([row["move"] for row in rows] == [move["move"] for move in answer["moves"]], "moves", rows)
    for row, move in zip(rows, answer["moves"]):
        bounds = move.get("history") or move["bounds"]
        expect(row["figure"] == shown_bounds(bounds), "list says", row, "and probe", move)
        expect(row["colour"] == colour(bounds), "colour", row, move)
        depth = move.get("depth", move.get("stage"))
        expect(depth is None or re.search(rf"\b{depth}\b", row["words"].replace(row["figure"], " ")), "depth", row, move)
        expect(("captures or ends" in row["words"]) == move["converts"], "converts", row, move)
        pit = f'#board [data-move="{move["move"]}"]'
        expect(page.text(f"{pit} .badge") == shown_bounds(bounds), "board says", page.text(pit), move)
        expect(colour(bounds) in page.attribute(pit, "class").split(), "colour on the board", move)
    return answer


def begins_with_a_position_of_the_tables(page):
    page.open()
    expect(page.hash.startswith("#auale/awari/even/"), "address", page.hash)
    answer = check_against_probe(page)
    expect(shown_number(answer["value"]) == page.text("#verdict .plate"), "verdict", page.text("#verdict"))
    south, north = answer["final"]
    winner = "Draw," if south == north else "South wins" if south > north else "North wins"
    expect(f"{winner} {max(south, north)}–{min(south, north)}" in page.text("#verdict"), "final", page.text("#verdict"))


def plays_by_mouse(page):
    page.open(f"#auale/awari/even/{ENDING}")
    page.click('#board [data-move="E"]')
    page.wait_hash(AFTER_E)
    expect("South played E" in page.announced and "North to move" in page.announced, "said:", page.announced)
    check_against_probe(page)
    first = listed_moves(page)[0]["move"]
    page.click(f'#moves [data-move="{first}"] button')
    page.wait(lambda: "-S" in page.hash, "South's turn")
    check_against_probe(page)
    expect(page.texts("#path button") == ["Start", "E", first], "path", page.texts("#path button"))
    page.click("#step_best")
    expect(len(page.texts("#path button")) == 4, "path", page.texts("#path button"))


def plays_one_move_at_a_time(page):
    """Two presses before an answer: the second is about a board that is no longer there."""
    page.open(f"#auale/awari/even/{ENDING}")
    page.run("""for (const name of ["C", "E"]) document.querySelector(`#moves [data-move="${name}"] button`).click();""")
    page.settle()
    expect(page.texts("#path button") == ["Start", "C"], "path", page.texts("#path button"))
    check_against_probe(page)


def plays_by_keyboard(page):
    page.open(f"#auale/awari/even/{ENDING}")
    page.tab_to("#board [role=button]")
    expect(page.focused.startswith("C:"), "first pit", page.focused)
    page.press(Keys.ARROW_RIGHT)
    expect(page.focused.startswith("E: a win by 8"), "pit to the right", page.focused)
    page.press(Keys.ENTER)
    page.wait_hash(AFTER_E)
    expect(page.run("return document.querySelector('#board').contains(document.activeElement)"), "focus left the board:", page.focused)
    page.press(" ")
    page.wait(lambda: page.hash.endswith("-S"), "South's turn")
    page.focus("h1")
    page.press(Keys.ARROW_LEFT)
    page.wait_hash(AFTER_E)
    page.press(Keys.ARROW_LEFT)
    page.wait_hash(ENDING)
    page.press(Keys.ARROW_LEFT)
    expect(ENDING in page.hash, "beyond the start:", page.hash)
    page.press(Keys.ARROW_RIGHT)
    page.wait_hash(AFTER_E)
    page.press(Keys.ALT, Keys.ARROW_RIGHT)
    expect(AFTER_E in page.hash, "a key with Alt is the browser's:", page.hash)


def skips_to_the_board(page):
    page.open(f"#auale/awari/even/{ENDING}")
    page.press(Keys.TAB)
    expect(page.focused == "Skip to the board", "first stop", page.focused)
    page.press(Keys.ENTER)
    expect(page.focused.startswith("C:"), "behind the skip link", page.focused)
    expect(ENDING in page.hash, "the skip link changed the address:", page.hash)


def goes_back_and_forward(page):
    page.open(f"#auale/awari/even/{ENDING}")
    page.click('#board [data-move="E"]')
    page.wait_hash(AFTER_E)
    page.click('#moves tr.best button')
    page.wait(lambda: page.hash.endswith("-S"), "South's turn")
    third = page.hash
    page.back()
    page.wait_hash(AFTER_E)
    expect(page.texts("#path button")[:2] == ["Start", "E"], "path", page.texts("#path button"))
    check_against_probe(page)
    page.back()
    page.wait_hash(ENDING)
    page.forward()
    page.wait_hash(AFTER_E)
    page.forward()
    page.wait_hash(third)
    page.click("#step_back")
    page.wait_hash(AFTER_E)
    page.click("#step_back")
    page.wait_hash(ENDING)
    expect(page.attribute("#step_back", "disabled") is not None, "back at the start")
    page.click("#step_forward")
    page.wait_hash(AFTER_E)
    page.click("#path li:last-child button")
    page.wait_hash(third)
    expect(page.attribute("#path li:last-child button", "aria-current") == "step", "last step is here")
    page.driver.refresh()
    page.settle()
    expect(page.hash == f"{third}&tab=game" and len(page.all("#path button")) == 3, "after loading again", page.hash)


def follows_a_shared_address(page):
    page.open(f"#auale/awari/even/{ENDING}")
    page.click('#board [data-move="C"]')
    page.wait_hash("-N")
    shared = page.run("return location.hash")
    answer = check_against_probe(page)
    driver = browser.start_chromium()
    try:
        other = browser.Page(driver, page.server)
        other.forget(language="en")
        other.open(shared)
        expect(other.notation == answer["position"], "the other browser shows", other.notation)
        expect(listed_moves(other) == listed_moves(page), "moves differ")
        other.judge()
    finally:
        driver.quit()


def sets_up_by_hand(page):
    page.open(f"#auale/awari/even/{ENDING}")
    page.click("#edit_start")
    expect(not page.has("#moves table"), "moves are listed while a position is set up")
    page.click('#board [data-pit="A"]')
    expect(page.notation.startswith("1-0-1-"), "a seed was added", page.notation)
    page.write('input[aria-label="Seeds in pit C"]', "0")
    page.press(Keys.TAB)
    page.wait(lambda: page.notation.startswith("1-0-0-"), "the seed to be taken away")
    page.click('#board input[name="auale_side"]:not(:checked)')
    page.wait(lambda: page.notation.endswith("-N"), "North to move")
    page.focus('#board [data-pit="B"]')
    page.press(Keys.ENTER)
    expect(page.notation == "1-1-0-0-2-1-1-0-0-3-0-0-20-20-N", "a seed by key", page.notation)
    expect("Pit B, 1" in page.focused, "focus stays", page.focused)
    page.forgive("400 (")
    page.click("#edit_done")
    page.wait(lambda: "49 seeds" in page.text("#notation_problem"), "more than 48 seeds to be refused")
    page.click('#board [data-pit="B"]')
    page.write('input[aria-label="Seeds in pit B"]', "0")
    page.press(Keys.TAB)
    page.click("#edit_done")
    page.wait_hash("1-0-0-0-2-1-1-0-0-3-0-0-20-20-N")
    check_against_probe(page)
    page.click("#edit_start")
    page.click('#board [data-pit="A"]')
    page.click("#edit_cancel")
    expect(page.notation == "1-0-0-0-2-1-1-0-0-3-0-0-20-20-N", "given up", page.notation)


def sets_up_by_notation(page):
    page.forgive("400 (")
    page.open(f"#auale/awari/even/{ENDING}")
    page.write("#notation", "0-0-1-0")
    page.press(Keys.ENTER)
    page.wait(lambda: page.text("#notation_problem"), "what is wrong with it")
    told = page.text("#notation_problem")
    wrong = browser.building.run("probe", "auale", "--db", page.server.folder, "0-0-1-0", exit_code=65).stderr
    expect(told in wrong and len(told) > 20, "said", told, "and the command line", wrong)
    expect(page.attribute("#notation", "aria-invalid") == "true", "the field is marked")
    expect(ENDING in page.hash, "the address stays", page.hash)
    expect(page.run("return document.activeElement.id") == "notation", "the focus stays in the field")
    expect(page.notation == "0-0-1-0", "what was written stays", page.notation)
    page.write("#notation", "0 | 0 0 | 0 0 0 1 0 1 0 0 0 0 0 1")
    page.press(Keys.ENTER)
    page.wait_hash("0-0-0-1-0-1-0-0-0-0-0-1-0-0-S")
    check_against_probe(page)
    page.write("#notation", f"{ENDING} moves E")
    page.press(Keys.ENTER)
    page.wait_hash(AFTER_E)


def shows_the_best_line(page):
    page.open(f"#auale/awari/even/{ENDING}")
    line = browser.json.loads(browser.building.run("probe", "auale", "--json", "--line", "--db", page.server.folder, ENDING).stdout)["line"]
    page.click("#show_line")
    page.wait(lambda: page.has("ol.line button"), "the line")
    expect(page.texts("ol.line button") == [step["move"] for step in line["steps"]], "line", page.texts("ol.line button"))
    expect(page.run("return document.activeElement.closest('#line') !== null"), "the focus is on the line")
    page.click("ol.line li:nth-child(3) button")
    page.wait_hash(line["steps"][2]["position"])
    expect(page.texts("#path button") == ["Start", *[step["move"] for step in line["steps"][:3]]], "path")
    page.click("#step_back")
    page.wait_hash(line["steps"][1]["position"])
    expect("lower bound" not in page.text("#line"), "a rule where values are exact", page.text("#line"))
    page.open("#auale/abapa/forced/1-0-0-0-0-0-1-0-0-0-0-0-0-0-S")
    page.click("#show_line")
    page.wait(lambda: page.has("ol.line button"), "the line")
    expect("lower bound" in page.text("#line"), "by which rule", page.text("#line"))


def draws_statistics(page):
    page.open(f"#auale/awari/even/{ENDING}")
    page.show("#stats")
    page.wait(lambda: page.has("#stats svg.chart"), "the chart")
    for seeds in ("8", "5"):
        page.choose("#slice", seeds)
        rows = browser.building.run("stats", "auale", "--db", page.server.folder, "--seeds", seeds, "--csv").stdout.splitlines()
        counts = {shown_number(int(value)): int(count) for slice_, value, count in (row.split(",") for row in rows[1:]) if slice_ == seeds}

        def table():
            return {name: int(count.replace(",", "")) for name, count in page.run(
                """return [...document.querySelectorAll("#stats .figures tbody tr")].map((row) => [row.cells[0].textContent, row.cells[1].textContent]);""")}
        page.wait(lambda counts=counts: table() == counts, f"the counts of {seeds} seeds")
        heights = page.run("""return Object.fromEntries([...document.querySelectorAll("#stats .bar")].map((bar) =>
            [bar.querySelector("title").textContent.split(":")[0], bar.querySelector("rect").getBBox().height]));""")
        most = max(counts.values())
        for value, count in counts.items():
            expect(abs(heights[value] / max(heights.values()) - count / most) < 0.02, "bar of", value, heights)
        expect(page.attribute("#stats svg.chart", "role") == "img" and page.attribute("#stats svg.chart", "aria-label"), "the chart has a name")


def shows_bounds_and_histories(page):
    page.open("#auale/abapa/own-row/0-0-1-0-1-1-1-0-0-0-0-0-22-22-S")
    sets = page.run("return [...document.querySelector('#rules').options].map((one) => one.value)")
    expect(len(sets) == 3, "rule sets", sets)
    check_against_probe(page, "--rules", "abapa", "--cycles", "own-row")
    page.click('#board [data-move="E"]')
    page.wait_hash("-S_moves_E")
    expect(page.notation.endswith(" moves E"), "the line is part of it:", page.notation)
    answer = check_against_probe(page, "--rules", "abapa", "--cycles", "own-row")
    expect(answer["history"] and "The tables, which know no line" in page.text("#verdict"), "history", page.text("#verdict"))
    page.click('#board [role="button"]')
    page.wait_hash("moves_Ea")
    shared = page.run("return location.hash")
    page.forget()
    page.open(shared)
    expect(page.texts("#path button") == ["Start", "E", "a"], "path", page.texts("#path button"))
    check_against_probe(page, "--rules", "abapa", "--cycles", "own-row")
    page.click("#path li:nth-child(2) button")
    page.wait_hash("-S_moves_E")
    page.choose("#rules", '["abapa","forced"]')
    page.wait_hash("#auale/abapa/forced/0-0-1-0-0-2-1-0-0-0-0-0-22-22-N")
    check_against_probe(page, "--rules", "abapa", "--cycles", "forced")


def ends_where_a_board_comes_back(page):
    start = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
    page.open(f"#auale/abapa/own-row/{start}_moves_AaBbCcDdEeF")
    check_against_probe(page, "--rules", "abapa", "--cycles", "own-row")
    expect("repeats a board" in page.text("#moves tbody"), "remark", page.text("#moves tbody"))
    page.click('#board [data-move="f"]')
    page.wait_hash("moves_AaBbCcDdEeFf")
    answer = probe(page, "auale", page.notation, "--rules", "abapa", "--cycles", "own-row")
    expect(answer["history"]["over"] and "stood before" in page.text("#verdict"), "verdict", page.text("#verdict"))
    expect(not page.has("#board [role=button]"), "play goes on after its end")
    expect("play ends" in page.announced, "said", page.announced)
    page.click("#step_back")
    page.wait_hash("DdEeF")


def shows_bounds_that_differ(page):
    page.open("#auale/abapa/forced/1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
    answer = check_against_probe(page, "--rules", "abapa", "--cycles", "forced")
    expect(answer["bounds"][0] < answer["bounds"][1], "the bounds of this position differ", answer)
    expect(page.text("#verdict .plate") == shown_bounds(answer["bounds"]), "verdict", page.text("#verdict"))
    expect("unknown" in page.attribute("#verdict .verdict", "class"), "colour of what is open")


def tells_of_the_end(page):
    """A game whose last move leads to no position: Ohs jump over Eks's line."""
    before = "3/1x1/1o1/3/3 O"
    page.open(f"#phutball/base/-/{before.replace(' ', '_')}")
    page.click('#moves [data-move="B3-B5"] button')
    page.wait_hash("_moves_B3-B5")
    expect("The game is over: Ohs has won with B3-B5" in page.text("#verdict"), "verdict", page.text("#verdict"))
    expect("The game is over" in page.announced, "said", page.announced)
    expect(not page.has("#board [role=button]") and not page.has("#moves table"), "play goes on")
    shared = page.run("return location.hash")
    page.driver.refresh()
    page.settle()
    expect("The game is over" in page.text("#verdict"), "after loading again", page.text("#verdict"))
    page.click("#step_back")
    page.wait_hash("3/1x1/1o1/3/3_O")
    expect(page.has('#moves [data-move="B3-B5"]'), "moves are back")
    page.forget()
    page.forgive("400 (")
    page.open(shared)
    page.wait(lambda: "The game is over" in page.text("#verdict"), "the end, from the address alone")
    page.back()
    page.click("#show_line")
    page.wait(lambda: page.has("ol.line button"), "the line")
    page.click("ol.line li:last-child button")
    page.wait(lambda: "The game is over" in page.text("#verdict"), "the end of the line")


def names_the_winner_of_the_game(page):
    """Who gains what is left need not win: words and colours count the stores."""
    pits = ENDING.rsplit("-", 3)[0]
    for stores, words, colour in (("11-29", "North wins 29–19; from here South gains 8.", "loss"),
                                  ("16-24", "Draw, 24–24; from here South gains 8.", "draw"),
                                  ("20-20", "South wins 28–20; from here South gains 8.", "win")):
        page.open(f"#auale/awari/even/{pits}-{stores}-S")
        page.wait(lambda words=words: words in page.text("#verdict"), words)
        expect(page.has(f"#verdict .verdict.{colour}"), "the colour of", words, page.attribute("#verdict .verdict", "class"))
        expect(page.has(f"#moves .{colour} [data-move], #moves .{colour}[data-move]"), "no move is a", colour)


def speaks_three_languages(page):
    words = {"es": ("Jugadas", "Gana Sur, 28–20; desde aquí Sur saca 8 más.", "Inicio"), "ca": ("Jugades", "Guanya Sud, 28–20; des d’aquí Sud en treu 8 més.", "Inici"),
             "en": ("Moves", "South wins 28–20; from here South gains 8.", "Start"), "fr": ("Moves", "South wins 28–20; from here South gains 8.", "Start")}
    for language, (moves, verdict, start) in words.items():
        page.forget(language=language)
        page.open(f"#auale/awari/even/{ENDING}")
        spoken = language if language != "fr" else "en"
        expect(page.attribute("html", "lang") == spoken, "language", page.attribute("html", "lang"))
        expect(page.text("#moves_title") == moves and verdict in page.text("#verdict"), "texts of", language)
        expect(page.texts("#path button") == [start], "path", page.texts("#path button"))
    page.forget(language="en")
    page.open(f"#auale/awari/even/{ENDING}")
    page.choose("#language", "ca")
    expect(page.text("#moves_title") == "Jugades" and page.attribute("html", "lang") == "ca", "chosen")
    page.open()
    expect(page.text("#moves_title") == "Jugades", "remembered")


def tells_of_missing_tables(page):
    page.forgive("404 (")
    page.open()
    page.choose("#examples", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S")
    page.wait_hash("4-4-4-4")
    expect("No table holds this position" in page.text("#problem"), "said", page.text("#problem"))
    expect(len(listed_moves(page)) == 6 and {row["colour"] for row in listed_moves(page)} == {"unknown"}, "moves", listed_moves(page))
    page.click('#board [data-move="C"]')
    page.wait_hash("4-4-0-5-5-5-5-4-4-4-4-4-0-0-N")
    expect("No table holds this position" in page.text("#problem"), "said", page.text("#problem"))
    page.check_names()
    page.back()
    page.wait_hash("4-4-4-4")


def tells_of_bad_addresses(page):
    page.forgive("400 (", "404 (")
    page.open("#auale/awari/even/not-a-board")
    expect("This is no position" in page.text("#problem"), "said", page.text("#problem"))
    page.click(".problem button")
    check_against_probe(page)
    page.open("#chess")
    expect("names no position" in page.text("#problem"), "said", page.text("#problem"))
    page.open("#auale/nonsense/even/" + ENDING)
    expect(page.text("#problem"), "rules that there are not")
    page.open("#%E0%A4%A")
    expect("names no position" in page.text("#problem"), "said", page.text("#problem"))
    page.open('#auale/awari/even/<img src="x" onerror="document.title=1">')
    expect(not page.has("main img"), "an address becomes no part of the page")


def tells_when_the_server_is_gone(page):
    page.forgive("ERR_CONNECTION_REFUSED")
    lost = browser.Server(page.server.folder)
    other = browser.Page(page.driver, lost)
    other.forget()
    other.open(f"#auale/awari/even/{ENDING}")
    lost.stop()
    other.click('#board [data-move="E"]')
    expect("The server does not answer" in other.text("#problem"), "said", other.text("#problem"))
    expect(other.has("#problem button"), "it can be tried again")
    expect(other.has("#board svg") and AFTER_E in other.hash and not other.has("#board [role=button]"), "the board stays")
    other.click("#step_back")
    expect(ENDING in other.hash, "back", other.hash)
    other.check_names()
    other.logs()
    page.forget()
    page.hosts.clear()


def fits_a_telephone(page):
    for language in ("en", "es", "ca"):
        page.forget(language=language, width=360, height=740)
        page.open(f"#auale/awari/even/{ENDING}")
        page.wait(lambda: page.has("#stats svg.chart"), "the chart")
        page.click("#show_line")
        page.wait(lambda: page.has("ol.line button"), "the line")
        page.check_width()
        page.check_text_sizes()
        page.click("#stats summary")
        page.check_width()
        page.click("#edit_start")
        page.check_width()
        page.open("#auale/abapa/own-row/0-0-1-0-1-1-1-0-0-0-0-0-22-22-S_moves_Ea")
        page.check_width()


def can_be_used_by_everyone(page):
    for dark in (False, True):
        page.forget(dark=dark, reduced_motion=True)
        page.open(f"#auale/awari/even/{ENDING}")
        page.wait(lambda: page.has("#stats svg.chart"), "the chart")
        page.check_names()
        page.check_contrast()
        if not dark:
            page.check_reachable()
        page.click("#edit_start")
        page.check_names()
        page.check_contrast()
    landmarks = page.run("return ['header', 'nav', 'main', 'footer', 'h1'].map((one) => document.querySelectorAll(one).length)")
    expect(landmarks == [1, 1, 1, 1, 1], "landmarks", landmarks)
    expect(page.run("return matchMedia('(prefers-reduced-motion: reduce)').matches && document.getAnimations().length === 0"), "motion")


def chooses_where_to_begin(page):
    """The list says which of its positions is shown, and keeps the focus."""
    page.forgive("404 (")
    page.open("#auale/awari/even")
    names = page.texts("#examples option")
    page.focus("#examples")
    page.choose("#examples", page.run("return document.querySelector('#examples').options[1].value"))
    chosen = "return document.querySelector('#examples').selectedOptions[0].textContent"
    expect(page.run(chosen) == names[1] and page.run("return document.activeElement.id") == "examples", page.run(chosen), page.focused)
    page.click("#moves tbody button")
    expect(page.run(chosen) == "Positions to begin with", "after a move", page.run(chosen))


def has_its_moves_on_the_first_screen(page):
    page.forget(width=360, height=740)
    page.open()
    page.check_first_screen("table.moves tbody tr:nth-child(3)")
    expect("seeds" in page.text("#notes"), "what the plates say", page.text("#notes"))
    page.choose("#game_choice", "auale")
    expect(page.hash.startswith("#auale/"), "a list has the games", page.hash)
    page.check_width()


browser.run_cases(
    [["auale", "--seeds", "8", "--depth"], ["auale", "--rules", "abapa", "--cycles", "forced", "--seeds", "5", "--depth"],
     ["auale", "--rules", "abapa", "--cycles", "own-row", "--seeds", "4", "--depth"],
     ["phutball", "--board", "5x3", "--depth"]],
    [begins_with_a_position_of_the_tables, plays_by_mouse, plays_one_move_at_a_time, plays_by_keyboard, skips_to_the_board, goes_back_and_forward,
     follows_a_shared_address, sets_up_by_hand,
     sets_up_by_notation, shows_the_best_line, draws_statistics,
     shows_bounds_and_histories, ends_where_a_board_comes_back, shows_bounds_that_differ, tells_of_the_end, names_the_winner_of_the_game, speaks_three_languages, tells_of_missing_tables,
     tells_of_bad_addresses, tells_when_the_server_is_gone, chooses_where_to_begin, has_its_moves_on_the_first_screen, fits_a_telephone, can_be_used_by_everyone])
