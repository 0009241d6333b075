#!/usr/bin/env python3
# Tier: make check
"""Tests a published page in a browser, on a web space without `tauler serve`: the page answers, says what is missing, and works without a
network. The other suites test the same page over `tauler serve`."""
import os
import shutil
import subprocess
import sys
import tempfile

import browser
import building
from browser import Failure, Page, expect, start_chromium, wait_for
from web_space import WebSpace

ENDING = "0-0-1-0-2-1-1-0-0-3-0-0-20-20-S"
TEN_SEEDS = "0-0-1-0-2-1-1-0-0-3-0-2-19-19-S"
MODULE = os.path.join(os.path.dirname(os.path.abspath(building.TAULER)), "tauler.wasm")


def figures(page):
    return page.run("""return [...document.querySelectorAll("table.moves tbody tr")].map((row) =>
        [row.dataset.move, row.querySelector(".plate").textContent.replace("−", "-").replace("+", "")]);""")


def check_moves(page):
    answer = browser.probe(page, "auale", page.notation)
    expect(figures(page) == [[move["move"], str(move["value"])] for move in answer["moves"]], figures(page), answer["moves"])


def answers_without_a_server(page):
    page.open(f"#auale/awari/even/{ENDING}")
    check_moves(page)
    page.click('table.moves tbody tr:first-child button')
    check_moves(page)
    asked = [one for one in page.server.asked if one[0].endswith(".zst") or one[0].endswith(".offsets")]
    expect(asked and all(first is not None or size <= 16384 for _, first, size in asked), asked)
    expect(not [one for one in page.server.asked if "/v1/" in one[0]], "a server was asked")
    seconds = page.run("return performance.now()") / 1000
    print(f"  {len(asked)} requests, {sum(size for *_, size in asked)} bytes of tables; {seconds:.1f} s from opening", flush=True)


def shows_every_game(page):
    for game, path in (("oca", "#oca"), ("phutball", "#phutball"), ("doushouqi", "#doushouqi")):
        page.open(path)
        expect(page.hash.startswith(f"#{game}/"), page.hash)
        expect(page.has("#board svg") and not page.has(".problem.gone, .problem.strange"), game, page.texts(".problem"))


def goes_on_without_a_network(page):
    page.open(f"#auale/awari/even/{ENDING}")
    wait_for(lambda: page.run("return document.documentElement.dataset.offline") == "ready", "the pack")
    page.forgive("ERR_")
    page.server.cut = True
    try:
        page.driver.get("about:blank")
        page.driver.get(page.server.address + f"#auale/awari/even/{ENDING}")
        page.settle()
        check_moves(page)
        page.click('table.moves tbody tr:first-child button')
        check_moves(page)
    finally:
        page.server.cut = False


GAMES = (("auale", "auale"), ("oca", "oca"), ("phutball", "phutball"), ("doushouqi", "doushouqi"))


def check_every_game(page):
    """Each is valued on a first visit, with no warning and within the bound of the suite."""
    for game, path in GAMES:
        page.forget()
        page.open(f"#{path}")
        expect(not page.has(".problem") and page.has("#verdict .plate") and page.has("table.moves .plate"), game, page.texts(".problem"))
        print(f"  {game}: {page.run('return performance.now()') / 1000:.1f} s", flush=True)


def reads_whole_files_where_there_are_no_parts(page):
    page.server.ranges = False
    check_every_game(page)
    page.forget()
    page.open(f"#auale/awari/even/{ENDING}")
    check_moves(page)


def reads_whole_files_where_parts_are_compressed(page):
    page.server.compresses = True
    check_every_game(page)


class changed:
    """Some words of a published file are others for as long as the block lasts."""

    def __init__(self, page, name, words, others):
        self.path, self.words, self.others = os.path.join(page.server.public, name), words, others

    def write(self, words):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(words)

    def __enter__(self):
        with open(self.path, encoding="utf-8") as file:
            self.before = file.read()
        expect(self.words in self.before, self.path, "has no", self.words)
        self.write(self.before.replace(self.words, self.others))

    def __exit__(self, *what):
        self.write(self.before)


def few_files_are_small(page):
    """A limit that the tables of ten seeds are above."""
    return changed(page, "explorer/static/worker.js", "8 << 20", "16384")


def waits_for_the_pack(page):
    """Files above the limit are read from the pack, which is awaited on the first visit."""
    for setting in ("ranges", "compresses"):
        page.forget()
        setattr(page.server, setting, setting == "compresses")
        with few_files_are_small(page):
            page.open(f"#auale/awari/even/{TEN_SEEDS}")
            expect(not page.has(".problem"), setting, page.texts(".problem"))
            check_moves(page)


def names_what_a_web_space_does(page):
    """Where no pack can be kept either, the page says which of the two it is."""
    wanted = "bad HTTP response code"
    page.forgive("404 (", wanted)
    with few_files_are_small(page), changed(page, "explorer/static/asking.js", '"offline.js"', '"missing.js"'):
        page.server.ranges = False
        page.open(f"#auale/awari/even/{TEN_SEEDS}")
        expect("HTTP range requests" in page.text(".problem.ranges") and "8 MB" in page.text(".problem.ranges"), page.texts(".problem"))
        page.server.ranges = True
        for page.server.compresses in (True, "whole"):
            page.forget()
            page.forgive("404 (", wanted, "ERR_CONTENT_DECODING_FAILED")
            page.open(f"#auale/awari/even/{TEN_SEEDS}")
            told = page.text(".problem.compresses")
            expect("Switch compression off" in told and "gzip" in told, page.texts(".problem"))


def main(cases):
    reason = browser.reason_to_skip() or (None if os.path.exists(MODULE) else f"there is no {MODULE}: make wasm")
    if reason:
        for case in cases:
            print(f"SKIP: {case.__name__}: {reason}", flush=True)
        return 0
    folder = tempfile.mkdtemp(prefix="tauler-static.")
    driver, failed = None, False
    try:
        tables, public = os.path.join(folder, "tables"), os.path.join(folder, "public")
        for options in (("auale", "--seeds", "10", "--depth"), ("oca", "--players", "2"), ("phutball", "--board", "3x3"), ("doushouqi", "--pieces", "2")):
            building.run("build", options[0], "--db", tables, "--quiet", *options[1:])
        building.run("publish", public, "--db", tables, "--module", MODULE, "--quiet")
        driver = start_chromium()
        for case in cases:
            with WebSpace(public) as space:
                space.folder, space.public = tables, public
                page = Page(driver, space)
                failed = not browser.run_case(case, page) or failed
                page.forget()  # else the worker that keeps the pack asks this space when the next case looks
    except (Failure, OSError, subprocess.SubprocessError) as problem:
        failed = True
        print(f"FAIL: beginning: {type(problem).__name__}: {problem}", flush=True)
    finally:
        if driver:
            driver.quit()
        shutil.rmtree(folder, ignore_errors=True)
    return failed


CASES = [answers_without_a_server, shows_every_game, goes_on_without_a_network, reads_whole_files_where_there_are_no_parts,
         reads_whole_files_where_parts_are_compressed, waits_for_the_pack, names_what_a_web_space_does]
if __name__ == "__main__":
    sys.exit(main([case for case in CASES if len(sys.argv) < 2 or case.__name__ in sys.argv[1:]]))
