#!/usr/bin/env python3
"""`tauler publish` and `tauler fetch`: what is in the folder, that others can check and read it, and that nothing damaged is taken up."""
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from building import build, digests, expect, files, identities, run, run_cases, tables  # noqa: E402
from web_space import WebSpace  # noqa: E402


def published(folder, *options):
    """A few tables and their publication beside them."""
    public = folder + ".public"
    lines = build(folder, "--seeds", "5", "--depth") + build(folder, "--board", "3x3", game="phutball")
    done = run("publish", public, "--db", folder, "--json", *(options or ("--no-page",)))
    said = json.loads(done.stdout)
    expect(said["tables"] == len(lines) == len(tables(folder)), said, len(lines))
    return public, digests(lines)


def below(folder):
    return sorted(os.path.relpath(path, folder) for path in tables(folder) if path.endswith(".zst"))


def the_folder_is_checked_by_other_programs(folder):
    public, _ = published(folder)
    done = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=public,
                          capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stdout, done.stderr)
    with open(os.path.join(public, "SHA256SUMS"), encoding="ascii") as file:
        listed = {line.split("  ", 1)[1].rstrip("\n") for line in file}
    everything = {os.path.relpath(path, public) for path in files(public)[0]}
    expect(everything == listed | {"SHA256SUMS"}, everything ^ listed)
    expect(below(folder) == below(os.path.join(public, "tables")))


def the_card_reads_a_table_without_tauler(folder):
    public, _ = published(folder, "--no-page", "--title", "Small tables", "--licence", "CC0-1.0")
    with open(os.path.join(public, "README.md"), encoding="utf-8") as file:
        card = file.read()
    for wanted in ("# Small tables\n", "CC0-1.0", "auale | `awari` | even | 6: `0` … `5` |", "### phutball", "## Citation"):
        expect(wanted in card, wanted, card)
    code = re.search(r"```python\n(.*?)```", card, re.S)[1]
    where = os.path.join(public, "tables", "auale", "awari", "even", "1.depth.zst")
    done = subprocess.run(["/usr/bin/python3", "-c", code, where], capture_output=True, text=True, check=False)
    expect(done.returncode == 0, done.stderr)
    counts = json.loads(re.sub(r"(\d+):", r'"\1":', done.stdout))
    expect(sum(counts.values()) == 12, "boards with one seed", done.stdout)


def the_page_is_published_with_its_pack(folder):
    module = folder + ".wasm"
    with open(module, "wb") as file:
        file.write(b"a module")
    public, _ = published(folder, "--module", module)
    with open(os.path.join(public, "index.html"), encoding="utf-8") as file:
        page = file.read()
    expect('<meta name="tauler-tables" content="tables/">' in page and "wasm-unsafe-eval" in page, page[:600])
    with open(os.path.join(public, "explorer", "static", "tauler.wasm"), "rb") as file:
        expect(file.read() == b"a module")
    with open(os.path.join(public, "pack.json"), encoding="utf-8") as file:
        pack = json.load(file)
    everything = {os.path.relpath(path, public) for path in files(public)[0]} - {"SHA256SUMS", "README.md", "pack.json"}
    expect(everything == set(pack["page"]) | set(pack["tables"]), everything ^ (set(pack["page"]) | set(pack["tables"])))
    expect("offline.js" in pack["page"] and "tables/catalogue" in pack["page"], pack["page"])
    version = pack["version"]
    build(folder, "--seeds", "6")
    run("publish", public, "--db", folder, "--module", module)
    with open(os.path.join(public, "pack.json"), encoding="utf-8") as file:
        expect(json.load(file)["version"] != version, "another publication has another version")
    run("publish", public, "--db", folder, "--module", "/nowhere", exit_code=66)


def tables_are_fetched_from_a_folder_and_by_http(folder):
    public, was = published(folder)
    with WebSpace(public) as space:
        for i, source in enumerate((public, space.address)):
            taken = f"{folder}.taken{i}"
            said = json.loads(run("fetch", source, "--db", taken, "--json").stdout)
            expect(said["fetched"] == len(was) and said["kept"] == 0, said)
            expect(below(taken) == below(folder))
            for path in below(folder):
                with open(os.path.join(folder, path), "rb") as one, open(os.path.join(taken, path), "rb") as other:
                    expect(one.read() == other.read(), path)
            expect(len(files(taken)[0]) == len(was), "leftovers", files(taken)[0])
            before = identities(tables(taken))
            said = json.loads(run("fetch", source, "--db", taken, "--json").stdout)
            expect(said["fetched"] == 0 and said["kept"] == len(was), said)
            expect(identities(tables(taken)) == before, "written again")
        run("verify", "--db", taken, "--quiet")


def what_came_is_gone_on_with(folder):
    public, was = published(folder)
    taken = folder + ".taken"
    with WebSpace(public, broken_after=7) as space:
        done = run("fetch", space.address, "--db", taken, exit_code=74)
        expect("run the command again" in done.stderr, done.stderr)
        expect(len(tables(taken)) == 5, "lists and five tables came", tables(taken))
    part = os.path.join(taken, "auale", "awari", "even", ".5.value.zst.fetch")
    whole = os.path.join(public, "tables", "auale", "awari", "even", "5.value.zst")
    with open(whole, "rb") as file, open(part, "wb") as half:
        half.write(file.read(1100))
    with WebSpace(public) as space:
        run("fetch", space.address, "--db", taken)
        got = [asked for asked in space.asked if asked[0].endswith("5.value.zst")]
        expect(got == [(got[0][0], 1100, os.path.getsize(whole) - 1100)], got)
    expect(len(tables(taken)) == len(was))
    with WebSpace(public, ranges=False) as space:
        run("fetch", space.address, "--db", folder + ".other")


def damage_is_refused(folder):
    public, was = published(folder)
    taken = folder + ".taken"
    path = os.path.join(public, "tables", "auale", "awari", "even", "4.value.zst")
    with open(path, "rb") as file:
        right = file.read()
    os.unlink(path)  # the table that was built is another link to it
    for at in (500, len(right) // 2, len(right) - 1):
        with open(path, "wb") as file:
            file.write(right[:at] + bytes([right[at] ^ 1]) + right[at + 1:])
        done = run("fetch", public, "--db", taken, exit_code=65)
        expect("SHA-256" in done.stderr and "4.value.zst" in done.stderr, done.stderr)
        expect("auale/awari/even/4.value.zst" not in below(taken))
    with open(path, "wb") as file:
        file.write(right)
    run("fetch", public, "--db", taken)
    expect(len(tables(taken)) == len(was))
    for name in ("tables/catalogue", "SHA256SUMS"):
        where = os.path.join(public, name)
        with open(where, "rb") as file:
            text = file.read()
        with open(where, "wb") as file:
            file.write(b"!" + text[1:])
        done = run("fetch", public, "--db", folder + ".other", exit_code=65)
        expect(os.path.basename(name) in done.stderr, done.stderr)
        with open(where, "wb") as file:
            file.write(text)


def other_cells_in_the_way_are_kept_and_said(folder):
    public, _ = published(folder)
    taken = folder + ".taken"
    build(taken, "--seeds", "1")
    own = os.path.join(taken, "auale", "awari", "even")
    before = identities(tables(taken))
    run("fetch", public, "--db", taken)
    expect(identities(before) == before, "a table of the same cells was written again")
    os.replace(os.path.join(own, "2.value.zst"), os.path.join(own, "3.value.zst"))
    done = run("fetch", public, "--db", taken, exit_code=65)
    expect("3.value.zst" in done.stderr and "other cells" in done.stderr, done.stderr)


def what_cannot_be_published_or_fetched_is_said(folder):
    public = folder + ".public"
    run("publish", public, "--db", folder, "--no-page", exit_code=66)
    build(folder, "--seeds", "3")
    run("publish", os.path.join(folder, "public"), "--db", folder, "--no-page", exit_code=64)
    run("fetch", folder, "--db", folder + ".taken", exit_code=66)
    path = tables(folder)[-1]
    with open(path, "r+b") as file:
        file.seek(-1, 2)
        file.write(b"\0")
    done = run("publish", public, "--db", folder, "--no-page", exit_code=65)
    expect(os.path.basename(path) in done.stderr, done.stderr)
    expect(not os.path.exists(os.path.join(public, "SHA256SUMS")))
    with WebSpace(os.path.dirname(folder)) as space:
        run("fetch", space.address + "nothing", "--db", folder + ".taken", exit_code=74)
        done = run("fetch", space.address, "--db", folder + ".taken", exit_code=69,
                   env={**os.environ, "PATH": "/nowhere"})
        expect("curl" in done.stderr, done.stderr)


run_cases([
    the_folder_is_checked_by_other_programs,
    the_card_reads_a_table_without_tauler,
    the_page_is_published_with_its_pack,
    tables_are_fetched_from_a_folder_and_by_http,
    what_came_is_gone_on_with,
    damage_is_refused,
    other_cells_in_the_way_are_kept_and_said,
    what_cannot_be_published_or_fetched_is_said,
])
