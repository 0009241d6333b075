#!/usr/bin/env python3
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


def says_that_a_web_space_gives_no_parts(page):
    page.server.ranges = False
    try:
        page.open(f"#auale/awari/even/{ENDING}")
        expect("HTTP range requests" in page.text(".problem.ranges"), page.texts(".problem"))
    finally:
        page.server.ranges = True


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
                space.folder = tables
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


CASES = [answers_without_a_server, shows_every_game, goes_on_without_a_network, says_that_a_web_space_gives_no_parts]
if __name__ == "__main__":
    sys.exit(main([case for case in CASES if len(sys.argv) < 2 or case.__name__ in sys.argv[1:]]))
