#!/usr/bin/env python3
# Tier: make check
"""Tests exercises in the explorer in a browser: exercises of all games, sentences about the answer, the notebook of mistakes, the same board under other
rules. Right answers must equal those of `tauler probe --json`."""
import json
import os
import tempfile

import browser
from browser import Keys, expect, probe

RULES = {"auale": "abapa/forced", "doushouqi": "base/-", "phutball": "base/-", "morris": "base/-", "oca-asesina": "base,board=20/-"}
OPTIONS = {"auale": ("--rules", "abapa"), "oca-asesina": ("--rules", "base,board=20")}
LANGUAGES = (("en", False, 1280), ("es", True, 360), ("ca", False, 360))


def begin(page, game="auale", seed=5, **chosen):
    page.open(f"#{game}/{RULES[game]}")
    for name, value in chosen.items():
        page.choose(f"#train_{name}", value)
    page.run("for (const more of document.querySelectorAll('#train details')) more.open = true")
    page.write("#train_seed", str(seed))
    page.press(Keys.TAB)
    page.click("#train_start")
    asked(page)


def asked(page):
    page.wait(lambda: page.has("#train_give_up"), "an exercise")


def exercise(page):
    return page.run("return history.state.train.exercise")


def answer(page, move):
    """As if the move was pressed on the board: each board has a suite that presses."""
    page.driver.execute_async_script("""const [name, done] = arguments;
        import(new URL("explorer/train/session.js", location.href)).then(({ answer_exercise }) => answer_exercise(name)).then(done);""", move)
    page.wait(lambda: page.has("#train_next"), "what the answer was worth")


def following(page):
    page.click("#train_next")
    asked(page)
    return exercise(page)


def check_exercise(page, game):
    """One move is better than all others, the natural one is another; nothing on the page says which."""
    found = exercise(page)
    told = probe(page, game, found["position"], *OPTIONS.get(game, ()))
    moves = next(roll for roll in told["rolls"] if roll["roll"] == found["roll"])["moves"] if "rolls" in told else told["moves"]
    best = [max(move["bounds"][i] for move in moves) for i in (0, 1)]
    keeping = [move["move"] for move in moves if move["bounds"] == best]
    expect(keeping == [found["right"]] and found["natural"] in [move["move"] for move in moves], game, keeping, found)
    expect(page.notation == found["position"], "stands on the board", page.notation, found)
    expect(not page.texts("#board .badge text") and not page.texts("#moves .plate") and not page.has("#board .best"), "values are hidden")
    expect(not page.has("#edit:not([hidden])") or page.run("return document.querySelector('#edit').getClientRects().length") == 0, "no way round")
    return found


def asks_in_all_games(page):
    for game in RULES:
        begin(page, game)
        found = check_exercise(page, game)
        answer(page, found["right"])
        expect(page.text("#verdict").startswith("✓ Right"), game, page.text("#verdict"))
        expect(page.text("#verdict").removeprefix("✓ ") in page.announced, "said", page.announced)
        expect(page.texts("#board .badge text, #moves .plate") and "0 mistakes" in page.text("#notebook summary"), "values after the answer")
        second = following(page)
        expect(second != found, "another one", second)
        check_exercise(page, game)
        answer(page, second["natural"])
        expect(page.text("#verdict").startswith("✗ Wrong"), game, page.text("#verdict"))
        expect("1 mistake" in page.text("#notebook summary"), "written down", page.text("#notebook summary"))
        page.forget()
    page.open("#oca/base/-")
    expect(page.has("#play_start") and not page.run("return document.querySelector('#train_section').getClientRects().length"), "nothing to choose in oca")


def is_answered_by_click_and_by_keys(page):
    begin(page)
    found = exercise(page)
    page.click(f'#board [data-move="{found["natural"]}"]')
    expect(page.text("#verdict").startswith("✗ Wrong") and found["right"] in page.text("#train_words"), page.text("#verdict"))
    expect(page.focused == "Next one", "the next one is a key away", page.focused)
    page.press(Keys.ENTER)
    asked(page)
    found = exercise(page)
    page.tab_to(f'#board [data-move="{found["right"]}"]')
    page.press(Keys.ENTER)
    page.wait(lambda: page.has("#train_next"), "an answer")
    expect(page.text("#verdict").startswith("✓ Right"), page.text("#verdict"))
    page.press(Keys.ENTER)
    asked(page)
    page.focus("#train_give_up")
    page.press(Keys.SPACE)
    page.wait(lambda: page.has("#train_next"), "the answer")
    expect("alone is" in page.text("#train_words"), "the answer is shown", page.text("#train_words"))
    page.click("#train_stop")
    expect(page.has("#train_start") and page.has("#moves table") and page.has("#play_start"), "stopped")


def repeats_what_was_wrong(page):
    """After 1, 3 and 7 other exercises; then it is learnt."""
    begin(page)
    missed = exercise(page)
    answer(page, missed["natural"])
    came = []
    for i in range(1, 16):
        found = following(page)
        if found["position"] == missed["position"]:
            came.append(i)
            expect("from your notebook" in page.text("#verdict"), "said", page.text("#verdict"))
        answer(page, found["right"])
    expect(came == [2, 6, 14], "came again as exercise", came)
    page.run("document.querySelector('#notebook').open = true")
    expect("Learnt." in page.text("#notebook li"), page.text("#notebook"))
    page.driver.refresh()
    page.settle()
    expect("1 mistake" in page.text("#notebook summary"), "kept")
    page.run("document.querySelector('#notebook').open = true")
    page.click("#notebook li button")
    asked(page)
    answer(page, missed["natural"])
    page.run("document.querySelector('#notebook').open = true")
    expect("Comes again after 1 exercise." in page.text("#notebook li"), "missed again", page.text("#notebook"))


def goes_into_a_file_and_back(page):
    begin(page)
    missed = exercise(page)
    answer(page, missed["natural"])
    page.run("document.querySelector('#notebook').open = true")
    expect(page.attribute("#notebook_save", "download") == "tauler-notebook.json", "a name")
    words = page.run("return localStorage.getItem('tauler.notebook')")
    kept = json.loads(words)["mistakes"]
    expect([one["position"] for one in kept] == [missed["position"]], kept)
    with tempfile.TemporaryDirectory() as folder:
        def load(name, what):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(what)
            page.run("document.querySelector('#notebook').open = true")
            page.find("#notebook_file").send_keys(path)
            page.wait(lambda: page.text("#notebook_said"), "something said of the file")
            return page.text("#notebook_said")
        expect(load("same.json", words) == "0 mistakes were added.", "it is there already")
        page.run("document.querySelector('#notebook').open = true")
        page.click("#notebook_clear")
        expect("0 mistakes" in page.text("#notebook summary"), "emptied")
        for what in ("", "[]", "{}", '{"version":1,"count":1,"mistakes":[{"game":"auale"}]}', words.replace('"stage":0', '"stage":9')):
            page.open(f"#auale/{RULES['auale']}")
            expect(load("bad.json", what) == "This file is no notebook.", what)
        page.open(f"#auale/{RULES['auale']}")
        expect(load("good.json", words) == "1 mistake was added.", "added")
        expect("1 mistake" in page.text("#notebook summary"), "listed")


def shows_the_same_board_under_other_rules(page):
    begin(page)
    page.click("#train_stop")
    expect(page.attribute("#train_beside", "value") is None and json.loads(page.run("return document.querySelector('#train_beside').value")) == ["awari", "even"], "awari")
    page.click("#train_unlike")
    page.click("#train_start")
    for _ in range(5):
        asked(page)
        found = exercise(page)
        abapa = probe(page, "auale", found["position"], "--rules", "abapa")
        awari = probe(page, "auale", found["position"], "--rules", "awari")
        expect(abapa["bounds"] != awari["bounds"], "the same under awari", found)
        expect("awari" not in page.text("#verdict"), "before the answer")
        answer(page, found["right"])
        best = ", ".join(move["move"] for move in awari["moves"] if move["best"])
        expect("awari" in page.text("#verdict") and page.text("#verdict").endswith(f"Best: {best}."), page.text("#verdict"), best)
        page.click("#train_next")


def keeps_to_the_browsers_history(page):
    begin(page)
    first = exercise(page)
    answer(page, first["right"])
    second = following(page)
    page.back()
    page.wait(lambda: page.has("#train_next"), "the first one, answered")
    expect(page.notation == first["position"], page.notation)
    page.forward()
    asked(page)
    page.driver.refresh()
    page.settle()
    asked(page)
    expect(exercise(page) == second and not page.texts("#board .badge text"), "still hidden after loading again")
    begin(page)
    expect(exercise(page) == first, "the same number, the same exercises", exercise(page), first)
    page.click("#train_give_up")
    page.click(f'#board [data-move="{first["right"]}"]')
    expect(not page.has("#train_next") and page.has("#step_back") and len(page.texts("#path button")) == 2, "a move after the answer is looked at")


def says_when_there_is_none(page):
    page.open(f"#auale/{RULES['auale']}")
    page.choose("#train_slice", "1")
    page.choose("#train_grade", "3")
    page.click("#train_start")
    expect("No such exercise" in page.text("#train_problem") and "No such exercise" in page.announced, page.text("#train_problem"))


def can_be_used_by_everyone(page):
    for game in RULES:
        for language, dark, width in LANGUAGES:
            page.forget(language=language, dark=dark, width=width, height=800)
            begin(page, game)
            for step in ("asked", "answered"):
                if step == "answered":
                    page.click("#train_give_up")
                    page.run("document.querySelector('#notebook').open = true")
                page.check_axe()
                page.check_names()
                page.check_contrast()
                page.check_width()
                page.check_text_sizes()
                if language == "en" and game == "auale":
                    page.check_reachable()
                small = page.run("""return [...document.querySelectorAll("main button")].filter((one) => one.getClientRects().length > 0 &&
                    one.getBoundingClientRect().height < (one.matches(".term") ? 24 : 32)).map((one) => one.textContent);""")
                expect(not small, "too small for a finger:", small)


browser.run_cases(
    [["auale", "--seeds", "6"], ["auale", "--rules", "abapa", "--seeds", "6"], ["doushouqi", "--material", "Rr"], ["phutball", "--board", "5x3", "--depth"],
     ["oca", "--players", "2"], ["oca-asesina", "--board", "20", "--tokens", "2"], ["morris"]],
    [asks_in_all_games, is_answered_by_click_and_by_keys, repeats_what_was_wrong, goes_into_a_file_and_back, shows_the_same_board_under_other_rules,
     keeps_to_the_browsers_history, says_when_there_is_none, can_be_used_by_everyone])
