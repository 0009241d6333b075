#!/usr/bin/env python3
# Tier: make check
"""Tests recorded games in the explorer in a browser: opening, judging, moving through variations, writing. Judgements must equal those of
`tauler analyse`."""
import json
import os
import re
import tempfile

import browser
from browser import Keys, expect

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BOARD = "0-0-1-0-2-1-1-0-0-3-0-0-20-20-S"
FORCED = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S moves AaBb"


def recorded():
    """An endgame of the players' example, by the rules of awari."""
    with open(os.path.join(ROOT, "analysis", "examples", "game.ogn"), encoding="utf-8") as file:
        return file.read().replace('[Variant "Oware Abapa"]', '[Game "auale"]\n[Rules "awari"]')


def analyse(page, words, *options, game="auale"):
    with tempfile.NamedTemporaryFile("w", suffix=".ogn", encoding="utf-8") as file:
        file.write(words)
        file.flush()
        return browser.building.run("analyse", file.name, "--game", game, "--db", page.server.folder, *options).stdout


def judged(page, words, *options, game="auale"):
    return json.loads(analyse(page, words, "--json", *options, game=game))


def mark(move):
    if "unknown" not in (move["before"], move["after"]) and move["before"] != move["after"]:
        return "??"
    return "?" if move["given_away"] and move["given_away"][0] > 0 else ""


def open_text(page, words):
    page.run("document.querySelector('#game details').open = true")
    page.run("""const [words] = arguments, field = document.querySelector("#game_text"); field.value = words;
        field.dispatchEvent(new Event("input", {bubbles: true}));""", words)
    page.click("#game_open")


def opened(page, words, start="#auale/awari/even/" + BOARD):
    page.forgive("404 (")
    page.open(start)
    open_text(page, words)
    page.wait(lambda: page.has("#game .sides"), "the game")


MAIN = "return [...document.querySelectorAll('#path > ol > li:not(.variation) > button')].slice(1).map((one) => one.textContent);"
HERE = "return document.querySelector('#path [aria-current]').textContent"


def marks_what_was_given_away(page):
    opened(page, recorded())
    told = judged(page, recorded())
    expect(page.run(MAIN) == [move["move"] + mark(move) for move in told["moves"]], "moves", page.run(MAIN))
    expect(any(mark(move) == "??" for move in told["moves"]) and any(mark(move) == "?" for move in told["moves"]), "the example has both")
    for side, line in zip(told["sides"], page.texts("#game .sides li")):
        expect(line.startswith(f"{side['player']} ({side['side']}) gave away {side['given_away'][0]} in {side['judged'] - side['bounded']} of {side['moves']} moves"), line, side)
        expect(("bounds alone" in line) == (side["bounded"] > 0), "moves known by bounds alone", line, side)
    worst = next(i for i, move in enumerate(told["moves"]) if mark(move) == "??")
    move = told["moves"][worst]
    label = page.attribute("#path button.grave", "aria-label")
    expect(label.startswith(f"{move['move']}?? changed who wins and gave away {move['given_away'][0]}. Best: {move['best']['moves'][0]}"), label)
    page.click("#path button.grave")
    expect(page.notation == told["moves"][worst + 1]["position"], "behind the mistake", page.notation)
    page.click("#step_back")
    expect(page.notation == move["position"], "before it", page.notation)
    page.focus("#path button.grave")
    page.press(Keys.ENTER)
    expect(page.notation == told["moves"][worst + 1]["position"], "by key", page.notation)


def draws_the_value_over_the_game(page):
    opened(page, recorded())
    told = judged(page, recorded())
    marks = [mark(move) for move in told["moves"]]
    dots = page.run("return [...document.querySelectorAll('.graph circle')].map((one) => one.getAttribute('class'))")
    expect(len(dots) == sum(one != "" for one in marks) and dots.count("mistake grave") == marks.count("??"), "dots", dots, marks)
    expect(f"{len(marks)} plies" in page.attribute(".graph", "aria-label"), "its name", page.attribute(".graph", "aria-label"))

    # The first known value, in the middle of where it is drawn: the seeds that South will have more.
    first = next(i for i, move in enumerate(told["moves"]) if move["best"]["bounds"])
    move = told["moves"][first]
    pits = move["position"].split("-")
    ahead = int(pits[12]) - int(pits[13])
    wanted = ahead + (1 if move["turn"] == "S" else -1) * move["best"]["value"]
    most = int(page.texts(".graph text")[0])
    top, low = (page.run("return Number(document.querySelectorAll('.graph line.axis')[arguments[0]].getAttribute('y1'))", i) for i in (0, 2))
    x, y = (float(number) for number in page.attribute(".graph .band", "d")[1:].split(" L")[0].split(" "))
    expect(abs(y - (top + (most - wanted) / (2 * most) * (low - top))) < 0.2, "drawn at", y, "value", wanted)
    left, right = (page.run("return Number(document.querySelector('.graph line.axis').getAttribute(arguments[0]))", end) for end in ("x1", "x2"))
    expect(abs(x - (left + first / len(marks) * (right - left))) < 0.2, "ply", x, first)
    box = page.run("const box = document.querySelector('.graph').getBoundingClientRect(); return [box.left, box.top, box.width, box.height]")
    page.run("document.querySelector('.graph').dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: arguments[0], clientY: arguments[1]}))",
             box[0] + box[2] - 3, box[1] + 20)
    page.settle()
    expect(page.run(HERE).rstrip("?") == told["moves"][-1]["move"], "at the end", page.run(HERE))


def shows_bounds_as_a_band(page):
    opened(page, FORCED, "#auale/abapa/forced/1-0-0-0-0-0-1-0-0-0-0-0-23-23-S")
    told = judged(page, FORCED, "--rules", "abapa", "--cycles", "forced")
    open_ones = [move["best"]["bounds"] for move in told["moves"]]
    expect(any(lower < upper for lower, upper in open_ones), "bounds differ", open_ones)
    heights = [float(point.split(" ")[1]) for point in page.attribute(".graph .band", "d")[1:-1].split(" L")]
    expect(max(heights) - min(heights) > 10, "a band", heights)
    expect("#auale/abapa/forced/" in page.hash, "by the rules of the page", page.hash)


def keeps_variations(page):
    words = recorded().replace("f 30. A", "f (b E (A)) 30. A")
    opened(page, words)
    page.wait(lambda: page.has("#path .variation .variation button"), "variations of variations")
    inner = page.texts("#path .variation .variation > ol > li > button")
    expect([one.rstrip("?") for one in inner] == ["A"], "inner", inner)
    expect(page.run(MAIN) == [move["move"] + mark(move) for move in judged(page, words)["moves"]], "the main line stays")
    page.click("#path .variation > ol > li:nth-child(1) > button")
    expect(page.run(HERE).rstrip("?") == "b", "in the variation", page.run(HERE))
    page.click("#step_forward")
    expect(page.run(HERE).rstrip("?") == "E", "it goes on", page.run(HERE))
    page.click("#path > ol > li:nth-child(3) > button")
    page.click('#board [data-move="A"]')
    expect(len(page.all("#path > ol > .variation")) == 2, "what is tried is a variation", page.texts("#path .variation"))
    page.click("#game_write")
    page.wait(lambda: page.has("#game_written"), "the record")
    written = page.run("return document.querySelector('#game_written').value")
    expect("( 2. A )" in " ".join(written.split()), "written", written)
    expect(judged(page, written)["moves"] and "( 29... b 30. E ( 30. A ) )" in " ".join(written.split()), "written", written)


def writes_what_analyse_writes(page):
    opened(page, recorded())
    page.click("#game_write")
    page.wait(lambda: page.has("#game_written"), "the record")
    written = page.run("return document.querySelector('#game_written').value")
    plain = analyse(page, recorded(), "--ogn")
    tags = [line for line in written.splitlines() if line.startswith("[")]
    expect(tags[:-1] == [line for line in plain.splitlines() if line.startswith("[")] and tags[-1].startswith('[FEN "4-4-'), "tags", tags)
    expect(written.split("\n\n", 1)[1] == plain.split("\n\n", 1)[1], "moves and comments", written, plain)
    expect(page.attribute("#game_save", "download").endswith(".ogn"), "it can be saved")


def judges_what_was_played(page):
    for game, rules, position, moves in (("auale", "awari/even", BOARD, ("C", None)), ("morris", "base/-", "3/1w1/3 b", ("a1", None)),
                                         ("doushouqi", "base/-", "7/7/7/1r5/7/7/2L4/7/7 w", ("c3d3", None)),
                                         ("phutball", "base/-", "3/1x1/1o1/3/3 O", ("B1", None))):
        page.open(f"#{game}/{rules}/{position.replace(' ', '_')}")
        for move in moves:
            page.click(f'#moves [data-move="{move}"] button' if move else "#moves tr button")
        line = [one.rstrip("?") for one in page.run(MAIN)]
        page.click("#game_judge")
        page.wait(lambda: page.has("#game .sides"), "judged")
        told = judged(page, f"{position} moves {' '.join(line)}", game=game)
        expect(page.run(MAIN) == [move["move"] + mark(move) for move in told["moves"]], game, page.run(MAIN), told["moves"])
    page.open("#oca/base/-/oca:12,19~2/1")
    expect(not page.has("#game_judge"), "games of dice are not judged")


def opens_files_and_several_games(page):
    words = f"{recorded()}\n\n[Game \"auale\"]\n[Rules \"awari\"]\n[South \"Efua\"]\n[FEN \"{BOARD}\"]\n\n1. C a *\n"
    page.forgive("404 (")
    page.open("#auale/awari/even/" + BOARD)
    page.run("document.querySelector('#game details').open = true")
    with tempfile.NamedTemporaryFile("w", suffix=".ogn", encoding="utf-8") as file:
        file.write(words)
        file.flush()
        page.find("#game_file").send_keys(file.name)
        page.wait(lambda: page.has("#game .sides"), "the game")
    expect(page.texts("#game [role=group] button") == ["Ama – Kofi", "Efua – North"], "games", page.texts("#game [role=group] button"))
    page.click("#game [role=group] button:nth-child(2)")
    page.wait(lambda: [one.rstrip("?") for one in page.run(MAIN)] == ["C", "a"], "the second game")


def says_what_is_wrong_with_a_record(page):
    page.forgive("400 (")
    page.open("#auale/awari/even/" + BOARD)
    for words, told in (("[Game", "record:1:"), (f"{BOARD} moves C A", "record:1:41: move 2, 'A', is not legal"), ("(", "record:1:")):
        open_text(page, words)
        page.wait(lambda told=told: told in page.text("#game_problem"), f"what is wrong: {told}")
        expect(page.run("return document.querySelector('#game_text').value") == words, "what was written stays")
        expect(page.notation == BOARD and page.run(MAIN) == [], "the page stays where it is")


def mistakes_of(told):
    return [i + 1 for i, move in enumerate(told["moves"]) if mark(move)]


def opens_at_its_first_mistake(page):
    opened(page, recorded())
    told = judged(page, recorded())
    plies = mistakes_of(told)
    for ply, button in zip(plies, ["#mistake_forward"] * len(plies)):
        expect(f"ply={ply}" in page.hash, "at", page.hash, "not", ply)
        move = told["moves"][ply - 1]
        expect(page.text("#game_move").startswith(f"{move['move']}{mark(move)} "), "what it gave away", page.text("#game_move"))
        expect(page.text(".mistakes_row .quiet") == f"Mistake {plies.index(ply) + 1} of {len(plies)}", page.text(".mistakes_row"))
        if ply != plies[-1]:
            page.click(button)
    expect(page.find("#mistake_forward").get_property("disabled"), "the last mistake")
    page.click("#mistake_back")
    expect(f"ply={plies[-2]}" in page.hash, "back", page.hash)
    numbers = page.texts("#path > ol > li > .move_number")
    expect(numbers == [f"{i + 1}." for i in range((len(told["moves"]) + 1) // 2)], "numbers of moves", numbers)
    axis = [int(one) for one in page.texts(".graph text.move_number")]
    expect(axis[0] == 1 and len(axis) > 3 and axis == sorted(axis), "numbers on the axis", axis)
    legend = page.texts(".graph_legend li")
    expect(any("South" in one for one in legend) and any(one.startswith("??") for one in legend) and any(one.startswith("? ") for one in legend), "legend", legend)


def comes_back(page):
    """A game is there after a reload, and by its address alone for somebody else."""
    opened(page, recorded())
    page.click("#mistake_forward")
    here, moves, sides = page.hash, page.run(MAIN), page.texts("#game .sides li")
    page.driver.refresh()
    page.settle()
    page.wait(lambda: page.has("#game .sides"), "the game after a reload")
    expect((page.hash, page.run(MAIN), page.texts("#game .sides li")) == (here, moves, sides), "after a reload", page.hash, page.run(MAIN))
    played = int(re.search(r"&ply=(\d+)", here)[1])
    following = moves[played].rstrip("?")
    page.click(f'#board [data-move]:not([data-move="{following}"])')
    tried = page.hash
    page.driver.refresh()
    page.settle()
    page.wait(lambda: page.has("#game .sides") and page.has("#path .variation"), "the game and what was tried")
    expect(page.hash == tried, "a move that was tried", page.hash, tried)
    page.forget()
    page.open(here)
    page.wait(lambda: page.has("#game .sides"), "the game of the address")
    expect(page.hash == here and page.run(MAIN) == moves, "by its address", page.hash, page.run(MAIN))
    expect(page.run(HERE) == moves[played - 1], "its place", page.run(HERE))


IN_WINDOW = """return ["#board svg", "#path [aria-current]", ".graph"].filter((css) => {
    const box = document.querySelector(css).getBoundingClientRect(); return box.top < 0 || box.bottom > innerHeight; });"""


def keeps_all_in_one_window(page):
    """Whatever ply is pressed, board, move and graph are in the window; only the list of moves scrolls."""
    page.forget(height=800)
    opened(page, recorded())
    plies = len(page.run(MAIN))
    expect(plies == 63, "plies", plies)
    for ply in range(1, plies + 1):
        page.run("""const one = document.querySelectorAll('#path > ol > li:not(.variation) > button')[arguments[0]];
            one.scrollIntoView({block: "nearest"}); one.click();""", ply)
        page.settle()
        expect(f"ply={ply}" in page.hash, "pressed", ply, page.hash)
        expect(page.run(IN_WINDOW) == [] and page.run("return scrollY") == 0, "out of the window at ply", ply, page.run(IN_WINDOW), page.run("return scrollY"))


def can_be_used_by_everyone(page):
    for language, dark, width in (("en", False, 1280), ("es", True, 360), ("ca", False, 360)):
        page.forget(language=language, dark=dark, width=width, height=800)
        opened(page, recorded().replace("f 30. A", "f (b E) 30. A"))
        page.click("#game_write")
        page.wait(lambda: page.has("#game_written"), "the record")
        page.click("#path button.grave")
        page.run("document.querySelector('#game details').open = true")
        page.check_axe()
        page.check_names()
        page.check_contrast()
        page.check_width()
        if language == "en":
            page.check_reachable()


browser.run_cases(
    [["auale", "--seeds", "8", "--depth"], ["auale", "--rules", "abapa", "--cycles", "forced", "--seeds", "3", "--depth"], ["doushouqi", "--pieces", "2"],
     ["phutball", "--board", "5x3", "--depth"], ["oca", "--players", "2"], ["morris"]],
    [marks_what_was_given_away, draws_the_value_over_the_game, shows_bounds_as_a_band, keeps_variations, writes_what_analyse_writes,
     judges_what_was_played, opens_files_and_several_games, opens_at_its_first_mistake, comes_back, keeps_all_in_one_window, says_what_is_wrong_with_a_record, can_be_used_by_everyone])
