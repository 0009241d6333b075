#!/usr/bin/env python3
# Tier: make check
"""Tests the explorer in a browser for sharing, printing, screen readers and small screens: tabs, rolls in addresses, numbers that nothing hides,
wormholes, long lists, readable plates, a board that keeps its place."""
import re

import browser
from browser import Keys, expect, probe

INN = "oca:12,19~2/1"
WORMHOLE = "2,5,5/9,9,11 lost=0,0 seat=1"
FORCED = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"
AFTER_A = "0-1-0-0-0-0-1-0-0-0-0-0-23-23-N"


def address(game, rules, position, cycles="-", roll=None):
    return f"#{game}/{rules}/{cycles}/{position.replace(' ', '_')}" + (f"&roll={roll}" if roll else "")


def keeps_the_roll_in_the_address(page):
    page.open(address("oca", "base", INN))
    page.click('[data-roll="4"]')
    shared = page.run("return location.hash")
    page.forget()
    page.open(shared)
    expect(page.attribute('[data-roll="4"]', "aria-pressed") == "true" and page.has('#board [data-square="16"].target'), "the roll that was shared", shared)
    page.click("#tab_game")
    shared = page.run("return location.hash")
    expect(shared.endswith("&roll=4&tab=game"), "the part behind it", shared)
    page.forget()
    page.open(shared)
    expect(page.attribute('[data-roll="4"]', "aria-pressed") == "true" and page.attribute("#tab_game", "aria-selected") == "true", "both were shared")
    page.click("#roll_all")
    expect("roll" not in page.hash, "no roll is chosen", page.hash)
    page.open(address("oca", "base", INN, roll="9"))
    expect(not page.has('#dice [aria-pressed="true"]') and page.notation == INN, "a roll that there is not")


def rolls_and_plays(page):
    page.open(address("oca", "base", INN))
    expect(page.text("#step_best") == "Roll, and play a best move", "without a roll", page.text("#step_best"))
    page.click("#step_best")
    page.wait(lambda: page.notation != INN, "a move")
    rolled = re.match(r"Player 1 rolled (\d): (from \d.*?)\. ", page.announced)
    expect(rolled, "said", page.announced)
    found = {str(roll["roll"]): roll["moves"][0]["move"] for roll in probe(page, "oca", INN)["rolls"]}
    expect(found[rolled.group(1)] == "-".join(re.findall(r"\d+", rolled.group(2))), "the roll and its move", page.announced, found)
    expect(page.texts("#moves .legend li")[0].endswith("more than an even share"), "legend", page.texts("#moves .legend li"))


def tells_the_rules_in_three_languages(page):
    """The page shows the file in docs/rules, in its language."""
    for language, game, rules, position in (("en", "auale", "abapa", FORCED), ("es", "oca", "base", INN),
                                            ("ca", "oca-asesina", "base,board=20", "0/0 lost=0,0 seat=1")):
        page.forget(language=language)
        page.open(address(game, rules, position))
        page.click(".rules_of summary")
        page.wait(lambda: page.has(".rules_of h3"), "the rules")
        with open(f"docs/rules/{game}.{language}.md", encoding="utf-8") as file:
            written = file.read()
        title, *headings = re.findall(r"^#+ (.*)$", written, flags=re.M)
        expect(page.texts(".rules_of h3") == [title] and page.texts(".rules_of h4") == headings, page.texts(".rules_of h4"))
        words = re.sub(r"^(#+|-) |`", "", written, flags=re.M).split()
        told = page.run("return document.querySelector('main').textContent")
        expect(" --" not in told and not page.has("main [lang=en]:not(option)"), "help of the command line on the page", language)
        expect(" ".join(page.texts(".rules_of h3, .rules_of h4, .rules_of p, .rules_of li")).split() == words, game, "other words")
        page.check_all()


COVERED = """const [square] = arguments;
    const number = document.querySelectorAll("#board .square")[square].querySelector(".number").getBoundingClientRect();
    return [...document.querySelectorAll("#board .badge .plate, #board .token .disc")].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.left < number.right - 1 && number.left < box.right - 1 && box.top < number.bottom - 7 && number.top + 7 < box.bottom;
    }).length;"""


def hides_no_number(page):
    for roll, moves in ((roll["roll"], roll["moves"]) for roll in probe(page, "oca", INN)["rolls"]):
        page.open(address("oca", "base", INN, roll=roll))
        for square in (12, int(moves[0]["move"].split("-")[-1])):
            expect(page.run(COVERED, square) == 0, "the number", square, "is covered under roll", roll)
    page.open(address("oca-asesina", "base,board=20", "2/9 lost=0,0 seat=2", roll="3"))
    for square in (2, 9):
        expect(page.run(COVERED, square) == 0, "the number", square, "is covered by a token or its plate")
    expect("has the same table" not in page.text("#stats"), "tables of tokens are no materials")


def counts_tokens_where_they_are_seen(page):
    """The number of tokens of a heap lies above all tokens, and on no token's number."""
    page.forgive("404 (")
    page.open(address("oca-asesina", "base,board=20", "0,0/0,0 lost=0,0 seat=1"))
    expect(page.texts("#board .times") == ["×2", "×2"], "counts", page.texts("#board .times"))
    hidden = page.run("""const boxes = (css) => [...document.querySelectorAll(css)].map((one) => one.getBoundingClientRect());
        const tokens = [...document.querySelectorAll("#board .token")];
        const apart = (one, other) => one.right <= other.left || other.right <= one.left || one.bottom - 4 <= other.top || other.bottom <= one.top + 4;
        return [...document.querySelectorAll("#board .times")].filter((one) => tokens.some((token) =>
            token.compareDocumentPosition(one) !== Node.DOCUMENT_POSITION_FOLLOWING) ||
          boxes("#board .token text").some((box) => !apart(box, one.getBoundingClientRect()))).map((one) => one.textContent);""")
    expect(not hidden, "hidden counts", hidden)


TERMS = {"en": ("value", "plies", "slice"), "es": ("valor", "jugada", "tabla"), "ca": ("valor", "jugada", "taula")}


def explains_terms(page):
    """A "?" beside a term says what it is, in one sentence, by click and key, and goes again."""
    for language, words in TERMS.items():
        page.forget(language=language, width=360 if language == "ca" else 1280)
        page.open(address("doushouqi", "base", "7/7/7/1r5/7/7/2L4/7/7 w"))
        page.wait(lambda: page.has("#stats .term"), "the statistics")
        for place, word in zip(("#moves th:nth-child(2)", "#moves th:nth-child(3)", "#stats"), words):
            page.focus(f"{place} .term")
            page.press(Keys.ENTER)
            told = page.run("return document.querySelector('.term_words:popover-open')?.textContent ?? ''")
            expect(word in told.lower() or word == "plies" and "ply" in told or word == "slice" and "table" in told, place, told)
            page.check_width()
            page.press(Keys.ESCAPE)
            expect(not page.run("return document.querySelector('.term_words:popover-open')"), "it goes again")
    page.forget()
    page.open(address("auale", "abapa", FORCED, "forced"))
    page.click("#verdict .term")
    expect("at least the first number" in page.run("return document.querySelector('.term_words:popover-open').textContent"), "bounds")
    page.check_names()
    page.check_axe()


def draws_wormholes(page):
    page.forgive("404 (")
    page.open(address("oca-asesina", "base,board=20", WORMHOLE, roll="3"))
    expect(not page.has("#board .wormhole"), "before a token is chosen")
    page.focus('#board [data-token="1a-2"]')
    expect("Wormhole from 5 to 9" in page.focused, "told", page.focused)
    page.press(Keys.ENTER)
    expect(page.attribute("#board .wormhole", "data-wormhole") == "5-9", "drawn")
    expect(page.attribute("#board .target", "data-move") == "2-10", "the walk of the rules: 3, 4 and behind the wormhole 10")
    page.press(Keys.ESCAPE)
    page.focus('#board [data-token="1a-5"]')
    expect("Wormhole" not in page.focused, "its own barrier is none for a token:", page.focused)
    page.open(address("oca-asesina", "base,board=20,interaction=off", WORMHOLE, roll="3"))
    expect(page.has("#board .token") and not page.has("#board .barrier"), "barriers where tokens are in nobody's way")


def tells_of_the_last_goose(page):
    page.forgive("404 (")
    told = {"base": None, "base,goose-59=stay": "From 59 there is no next one", "base,goose-59=bounce": "From 59 on to 63, roll again"}
    for rules, words in told.items():
        page.open(address("oca", rules, "oca:12,30/1"))
        page.run("document.querySelector('#notes details').open = true")
        geese = next(one for one in page.texts("#notes details li") if one.startswith("goose"))
        expect(words in geese if words else "59 " not in geese.split(":")[1], "told of geese under", rules, geese)


def says_which_table_is_shared(page):
    page.open(address("doushouqi", "base", "7/7/7/1r5/7/7/2T4/7/7 w"))
    page.wait(lambda: page.has("#stats svg.chart"), "the chart")
    shared = probe(page, "doushouqi", "7/7/7/1r5/7/7/2T4/7/7 w")
    chosen = page.run("return document.querySelector('#slice').value")
    expect(shared["slice"] == "Tr" and chosen != "Tr", "the table", chosen, shared["slice"])
    expect(f"Tr (tiger – rat), has the same table as {chosen}" in page.text("#stats"), "told", page.text("#stats"))
    expect(page.run("return document.querySelector('#slice').selectedOptions[0].textContent").startswith(f"{chosen} ("), "animals are named")


def parts_open_bounds(page):
    page.open(address("auale", "abapa", FORCED, "forced"))
    page.show("#stats")
    page.wait(lambda: page.has("#stats svg.chart"), "the chart")
    expect("−2…+2" in page.texts("#stats .bar title")[-1], "the bar of what is open", page.texts("#stats .bar title"))


def keeps_long_lists_short(page):
    page.forgive("404 (")
    men = "/".join(["15"] * 8 + ["6xxx6", "5xxoxx5", "6xxx6"] + ["15"] * 8) + " O"
    page.open(address("phutball", "base", men))
    expect(len(page.all("#moves tr[data-move]")) > 250, "moves", len(page.all("#moves tr[data-move]")))
    expect(page.run("return document.querySelector('#moves').offsetHeight") < 800, "the list is as long as its moves")
    expect(page.attribute("#moves .long_list", "tabindex") == "0" and page.attribute("#moves .long_list", "aria-label"), "it scrolls by keys and has a name")


def reads_plates_in_any_light(page):
    for dark in (False, True):
        page.forget(dark=dark, language="es")
        for game, rules, position, cycles in (("auale", "abapa", FORCED, "forced"), ("doushouqi", "base", "7/7/7/1r5/7/7/2L4/7/7 w", "-"),
                                              ("phutball", "base", "3/1x1/1o1/3/3 O", "-"), ("oca", "base", INN, "-"),
                                              ("oca-asesina", "base,board=20", "2/5 lost=0,0 seat=1", "-")):
            page.open(address(game, rules, position, cycles))
            page.check_plates()
            page.check_contrast()
        page.forgive("404 (")
        page.open(address("oca", "base", "oca:12,5,7,31/1"))
        expect(len(page.all("#board .token")) == 4, "four players")
        page.check_plates()


def stays_where_it_is(page):
    """A board does not move when play leaves the tables, nor the footer when the page is loaded."""
    page.forgive("404 (")
    page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """window.shifted = 0;
        new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value; })
          .observe({type: "layout-shift", buffered: true});"""})
    page.open(address("phutball", "base", "3/1x1/1o1/3/3 O"))
    page.wait(lambda: page.has("#stats svg.chart"), "the chart")
    expect(page.run("return window.shifted") < 0.1, "shifted while it was loaded", page.run("return window.shifted"))
    top = "return document.querySelector('#board').getBoundingClientRect().top + scrollY"
    before = page.run(top)
    page.write("#notation", "4/1x2/1o2/4/4 O")
    page.press(Keys.ENTER)
    page.wait(lambda: "No table holds this position" in page.text("#problem"), "what is missing")
    expect(page.run(top) == before, "the board moved", before, page.run(top))


COLOURS = """const [cases, done] = arguments;
    import(new URL("explorer/values.js", location.href)).then(({ colour_of }) =>
      done(cases.map(([bounds, seats]) => colour_of(bounds, "chance", seats))), (problem) => done(String(problem)));"""


def colours_are_clear_at_one_decimal(page):
    """A share of 50.0 % on the page is drawn neither as a win nor as a loss."""
    page.open(address("oca", "base", INN))
    cases = {(0.4997, 0.4997, 2): "draw", (0.50025, 0.50025, 2): "draw", (0.5, 0.5, 2): "draw", (0.4990, 0.5010, 2): "unknown",
             (0.4990, 0.4994, 2): "loss", (0.4990, 0.4996, 2): "unknown", (0.5006, 0.51, 2): "win",
             (0.5004, 0.51, 2): "unknown", (0.3334, 0.3334, 3): "draw", (0.3340, 0.3340, 3): "win",
             (0.3320, 0.3324, 3): "loss", (0.9, 0.9, 1): "unknown"}
    found = page.driver.execute_async_script(COLOURS, [[[lower, upper], seats] for lower, upper, seats in cases])
    expect(found == list(cases.values()), found)
    found = page.driver.execute_async_script("""const [cases, done] = arguments; import(new URL("explorer/language.js", location.href))
        .then(({ percent }) => done(cases.map((share) => percent(share))), (problem) => done(String(problem)));""", [0, 0.0002, 0.0006, 0.5, 0.99999, 1])
    expect(found == ["0.0%", "<0.1%", "0.1%", "50.0%", ">99.9%", "100.0%"], "what is rare is not nothing", found)


def says_what_a_roll_does(page):
    page.forgive("404 (")
    for game, rules, position, roll, told in (
            ("oca", "base", "oca:12,30/1", "2", "Player 1 rolled 2: from 12 to 14 (goose), on to 18 (goose). Goose: from goose to goose: on to the next one, and roll again."),
            ("oca", "base", "oca:15,30/1", "4", "Player 1 rolled 4: from 15 to 19 (inn). Inn: 2 turns are lost."),
            ("oca", "base", "oca:15,30/1", "1", "Player 1 rolled 1: from 15 to 16."),
            ("oca", "base", "oca:12,19~2/2", None, "Player 2 loses a turn."),
            ("oca-asesina", "base,board=20", "2/10 lost=0,0 seat=1", "2", "Player 1 rolled 2: from 2 to 4 (goose), on to 8 (goose). Goose: from goose to goose: on to the next one, and roll again.")):
        page.open(address(game, rules, position, roll=roll))
        page.click(f'#moves [data-roll="{roll}"] button' if roll else "#moves tr[data-move] button")
        expect(page.text("#last_move") == told and page.announced.startswith(told), position, page.text("#last_move"), page.announced)
        page.click("#step_back")
        expect(not page.has("#last_move"), "before it")
    page.open(address("oca", "base", "oca:12,19~2/2"))
    page.choose("#play_turn", "2")
    page.click("#play_start")
    page.wait(lambda: page.has("#play_on"), "the lost turn")
    page.click("#play_on")
    page.wait(lambda: "Player 1 rolled" in page.text("#verdict"), "what the tables rolled")
    expect("played turn lost" not in page.announced and re.search(r"rolled \d: from \d", page.text("#verdict")), "in play", page.text("#verdict"))


SHOWN = "return [...document.querySelectorAll('.panel')].filter((one) => one.getClientRects().length > 0).map((one) => one.id)"
CHOSEN = "return document.querySelector('[role=tab][aria-selected=true]').id"


def shows_one_part_at_a_time(page):
    """Tabs as WAI-ARIA has them: one part is shown, arrow keys walk, Tab goes from the chosen one into its part."""
    page.open(address("auale", "abapa", FORCED, "forced"))
    names = ["moves", "play", "train", "game", "stats"]
    expect([name for name in page.each_tab()] == names, "tabs")
    for name in page.each_tab():
        expect(page.run(SHOWN) == [f"panel_{name}"] and page.run(CHOSEN) == f"tab_{name}", name, page.run(SHOWN))
        page.check_axe()
        page.check_names()
    page.focus("#tab_stats")
    for key, name in ((Keys.ARROW_RIGHT, "moves"), (Keys.ARROW_LEFT, "stats"), (Keys.HOME, "moves"), (Keys.ARROW_RIGHT, "play"), (Keys.END, "stats")):
        page.press(key)
        expect(page.run(CHOSEN) == f"tab_{name}" and page.run("return document.activeElement.id") == f"tab_{name}" and page.run(SHOWN) == [f"panel_{name}"], key, page.run(CHOSEN))
    expect(FORCED in page.hash, "the keys are those of the tabs, not of the line", page.hash)
    page.press(Keys.TAB)
    expect(page.run("return document.querySelector('#panel_stats').contains(document.activeElement)"), "Tab goes into the part", page.focused)
    page.click("#tab_play")
    page.click("#play_start")
    expect(page.run(SHOWN) == ["panel_game"], "a part with nothing to show is left", page.run(SHOWN))


def keeps_the_part_in_the_address(page):
    """Loading again, a shared address and the browser's history show the part that was chosen; the moves need no word."""
    page.open(address("auale", "abapa", FORCED, "forced"))
    expect("tab" not in page.hash, "the moves", page.hash)
    page.click("#tab_stats")
    page.click('#board [data-move="A"]')
    expect(page.hash.endswith(f"{AFTER_A}&tab=stats") and page.run(SHOWN) == ["panel_stats"], "after a move", page.hash)
    page.focus("#tab_stats")
    page.press(Keys.ARROW_LEFT)
    shared = page.run("return location.hash")
    expect(shared.endswith("&tab=game"), "by a key", shared)
    page.driver.refresh()
    page.settle()
    expect(page.run(SHOWN) == ["panel_game"], "loaded again", page.run(SHOWN))
    page.click("#tab_moves")
    expect("tab" not in page.hash, "the moves again", page.hash)
    page.back()
    expect(page.hash.endswith(f"{FORCED}&tab=stats") and page.run(SHOWN) == ["panel_stats"], "back", page.hash, page.run(SHOWN))
    page.forget()
    page.open(shared)
    expect(page.run(SHOWN) == ["panel_game"] and page.run("return location.hash") == shared, "shared", page.hash, page.run(SHOWN))
    page.open(address("auale", "abapa", FORCED, "forced") + "&tab=nothing")
    expect(page.run(SHOWN) == ["panel_moves"] and "tab" not in page.hash, "a part that there is not", page.hash)


browser.run_cases(
    [["auale", "--rules", "abapa", "--cycles", "forced", "--seeds", "2"], ["doushouqi", "--pieces", "2"], ["phutball", "--board", "5x3"],
     ["oca", "--players", "2"], ["oca-asesina", "--board", "20", "--tokens", "1"]],
    [shows_one_part_at_a_time, keeps_the_part_in_the_address, keeps_the_roll_in_the_address, rolls_and_plays, hides_no_number, counts_tokens_where_they_are_seen, explains_terms, draws_wormholes, tells_of_the_last_goose, says_which_table_is_shared,
     parts_open_bounds, keeps_long_lists_short, reads_plates_in_any_light, stays_where_it_is,
     colours_are_clear_at_one_decimal, says_what_a_roll_does, tells_the_rules_in_three_languages])
