#!/usr/bin/env python3
"""`tauler publish` and `tauler fetch`: what is in the folder, that others can check and read it, and that nothing damaged is taken up."""
import concurrent.futures
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from building import CHECK, TAULER, build, digests, environment, expect, files, identities, run, run_cases, start, tables  # noqa: E402
from strangers import harm  # noqa: E402
from strangers.publication import SUMS, Publication, Stranger, sign_head  # noqa: E402
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


def tables_are_coded_adaptively_where_that_is_smaller(folder):
    """publish and build write the same bytes, of the same cells, that every reader takes."""
    asked = ("--rules", "abapa", "--cycles", "forced", "--seeds", "8")
    position = ("probe", "auale", *asked[:4], "0-0-1-0-2-0-1-0-1-3-0-0-20-20-S", "--json", "--db")
    public, coded, taken = folder + ".public", folder + ".coded", folder + ".taken"
    lines = build(folder, *asked)
    expect(digests(lines) == digests(build(coded, *asked, "--coder", "adaptive")), "other cells")
    run("publish", public, "--db", folder, "--no-page", "--coder", "adaptive")
    run("fetch", public, "--db", taken)
    smaller = []
    for path in below(folder):
        plain, built, fetched = (os.path.join(where, path) for where in (folder, coded, taken))
        with open(built, "rb") as one, open(fetched, "rb") as other:
            expect(one.read() == other.read(), path)
        if os.path.getsize(built) != os.path.getsize(plain):
            expect(os.path.getsize(built) < os.path.getsize(plain), path, "is larger")
            smaller.append(path)
    expect("auale/abapa/forced/8.upper.zst" in smaller, smaller)
    run("verify", "--db", taken, "--quiet")
    expect(run(*position, taken).stdout == run(*position, folder).stdout, "other answers")


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


def without_the_module_tables_are_published_alone(folder):
    """A program that stands by itself has no tauler.wasm beside it."""
    build(folder, "--seeds", "2")
    own = folder + ".program"
    shutil.copy(TAULER, own)
    done = subprocess.run([own, "publish", folder + ".public", "--db", folder], capture_output=True, text=True, check=False)
    expect(done.returncode == 0 and done.stdout.startswith("published 3 tables"), done.stdout, done.stderr)
    expect("without the page" in done.stderr and "make wasm" in done.stderr, done.stderr)
    expect(not os.path.exists(os.path.join(folder + ".public", "index.html")), "no page")
    with open(os.path.join(folder + ".public", "README.md"), encoding="utf-8") as card:
        words = card.read()
    expect("explorer/" not in words and "--" not in words.split("## Games")[1].split("## Files")[0], "help of the command line", words)
    done = subprocess.run([own, "publish", folder + ".public", "--db", folder, "--quiet"], capture_output=True, text=True, check=False)
    expect(done.returncode == 0 and done.stderr == "", done.stderr)


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


# --- what strangers publish ---

MOST = "ulimit -d 65536; ulimit -f 65536; exec \"$@\""  # 64 MiB of memory, 32 MiB of a file


def is_refused(right, name, source, codes, *options, says="tauler fetch: "):
    """What is wrong with one; None: nothing. It ends, in little memory and room, and what has a name is right."""
    folder = tempfile.mkdtemp(prefix="tauler-stranger.")
    try:
        done = run("fetch", source, "--db", folder, *options, exit_code=None, before=("sh", "-c", MOST, "sh"))
        room = sum(os.lstat(path).st_size for path in files(folder)[0])
        if done.returncode not in codes or not re.search(says, done.stderr) or room > 1 << 20:
            return f"{name}: exit code {done.returncode}, {room} bytes: {done.stderr}"
        for path in tables(folder):
            with open(path, "rb") as file:
                if file.read() != right.files.get("tables/" + os.path.relpath(path, folder)):
                    return f"{name}: {path} is not what it should be"
        return None
    finally:
        shutil.rmtree(folder)


def refuse_all(cases, refuse):
    """All in make check, one of eight in make test."""
    cases = list(cases) if CHECK else list(itertools.islice(cases, 0, None, 8))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        wrong = [found for found in pool.map(refuse, cases) if found]
    expect(not wrong, len(wrong), "of", len(cases), "-", *wrong)


def small_publication(folder):
    build(folder, "--seeds", "4")
    run("publish", folder + ".right", "--db", folder, "--no-page")
    return Publication(folder + ".right")


def changed_publications_are_refused(folder):
    right = small_publication(folder)

    def refuse(case):
        group, (name, change) = case
        publication = right.copy()
        change(publication)
        with tempfile.TemporaryDirectory(prefix="tauler-strange.") as public:
            publication.write(public)
            return is_refused(right, f"{group}: {name}", public, (65,))
    refuse_all(((group, case) for group, cases in harm.GROUPS.items() for case in cases()), refuse)


def only_regular_files_are_read(folder):
    right = small_publication(folder)

    def refuse(case):
        name, change = case
        with tempfile.TemporaryDirectory(prefix="tauler-strange.") as public:
            right.write(public)
            change(public)
            return is_refused(right, name, public, (65, 66))
    refuse_all(harm.in_folders(), refuse)


def servers_do_no_harm(folder):
    right = small_publication(folder)

    def refuse(case):
        name, bad, act = case
        with Stranger(right, bad, act) as space:
            return is_refused(right, name, space.address, (65, 74))
    refuse_all(harm.servers(harm.ACTS), refuse)


def servers_that_wait_are_left(folder):
    right = small_publication(folder)

    def refuse(case):
        name, bad, act = case
        with Stranger(right, bad, act) as space:
            return is_refused(right, name, space.address, (65, 74), "--timeout", "500ms", says="(brings less than|is longer than)")
    refuse_all(harm.servers(harm.WAITS), refuse)


def tables_out_of_place_are_not_passed_on(folder):
    build(folder, "--seeds", "3")
    here = os.path.join(folder, "auale", "awari", "even")
    table = os.path.join(here, "3.value.zst")

    def refused(place):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy(table, place)
        done = run("publish", folder + ".public", "--db", folder, "--no-page", exit_code=65)
        expect(f"{place} holds another table than its path says: auale awari even 3 value" in done.stderr, done.stderr)
        done = run("verify", "--db", folder, "--json", exit_code=65)
        found = {line["verdict"]: line["path"] for line in map(json.loads, done.stdout.splitlines())}
        expect(found == {"proven": found["proven"], "misplaced": place}, found)
        expect("1 of the files" in done.stderr, done.stderr)
        os.unlink(place)

    for place in (f"{here}/9.value.zst", f"{here}/3.value (1).zst", f"{here}/@eaDir/3.value.zst",
                  f"{folder}/auale/abapa/forced/3.value.zst", f"{folder}/Auale/awari/even/3.value.zst"):
        refused(place)
    for place in (f"{folder}/notes.tar.zst", f"{here}/3.value (1).zst", f"{here}/@eaDir/SYNO.zst", f"{folder}/chess/base/1.value.zst"):
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(b"notes")
        done = run("verify", "--db", folder, exit_code=65)
        expect("no table" in done.stdout and "1 no table, 0 wrong, 0 damaged" in done.stdout, done.stdout)
        os.unlink(place)
    with open(f"{here}/9.value.zst", "wb") as file:
        file.write(b"notes")
    expect("1 damaged" in run("verify", "--db", folder, exit_code=65).stdout)


def what_is_taken_up_is_a_file_of_ones_own(folder):
    public, was = published(folder)
    kept = public + ".kept"
    shutil.copytree(os.path.join(public, "tables"), kept)
    for path in tables(kept)[::2]:
        other = os.path.join(public, "tables", os.path.relpath(path, kept))
        os.unlink(other)
        os.symlink(path, other)
    run("fetch", public, "--db", folder + ".taken")
    expect(len(tables(folder + ".taken")) == len(was))
    for path in tables(folder + ".taken"):
        about = os.lstat(path)
        expect(os.path.isfile(path) and not os.path.islink(path) and about.st_nlink == 1, path, about)


def parts_are_kept_while_they_may_be_right(folder):
    right = small_publication(folder)
    bad = "tables/" + harm.TABLE
    whole = right.files[bad]
    taken = folder + ".taken"
    part = os.path.join(taken, os.path.dirname(harm.TABLE), ".3.value.zst.fetch")
    os.makedirs(os.path.dirname(part))

    def fetch(publication, bytes_there, act=None, exit_code=0):
        with open(part, "wb") as file:
            file.write(bytes_there)
        with Stranger(publication, bad if act else None, act) as space:
            done = run("fetch", space.address, "--db", taken, exit_code=exit_code)
        if exit_code:
            with open(part, "rb") as file:
                return [asked[1] for asked in space.asked if asked[0] == bad], done.stderr, file.read()
        os.unlink(os.path.join(taken, harm.TABLE))
        return [asked[1] for asked in space.asked if asked[0] == bad], done.stderr, None

    short = right.copy()
    short.files[bad] = whole[:1000]
    asked, said, left = fetch(short, whole[:1100], exit_code=65)  # the server answers with 416, then with less
    expect(left == whole[:1100] and asked == [1100, 0], asked, said, len(left))
    _, said, left = fetch(right, whole[:1100], harm.cut_after(0.1), exit_code=74)
    expect(left == whole[:1100], said, len(left))
    expect(fetch(right, whole)[0] == [], "a whole part is asked for")
    expect(fetch(right, whole[:-1])[0] == [len(whole) - 1])
    expect(fetch(right, b"other" * 20)[0] == [100, 0], "a part of something else")
    expect(fetch(right, whole + b"x")[0] == [0], "a part that is too long")
    for change in (os.mkdir, lambda path: os.symlink("elsewhere", path), os.mkfifo, lambda path: os.link(folder + ".right/" + bad, path)):
        change(part)
        done = run("fetch", folder + ".right", "--db", taken, exit_code=74)
        expect(part in done.stderr and "in the way" in done.stderr, done.stderr)
        (os.rmdir if os.path.isdir(part) else os.unlink)(part)


def too_much_is_refused_before_it_begins(folder):
    large = small_publication(folder)
    where = os.path.getsize(os.path.join(folder, harm.TABLE)).to_bytes(8, "little")
    head = large.table(harm.TABLE)[:1024]
    expect(head[56:64] == where, "the size of the file is elsewhere")
    large.list_as(large.entry(harm.TABLE, size=1 << 60, head=sign_head(head[:56] + (1 << 60).to_bytes(8, "little") + head[64:])))
    with Stranger(large) as space:
        done = run("fetch", space.address, "--db", folder + ".taken", exit_code=69)
        expect("take 1.00 EiB" in done.stderr and len(space.asked) == 2, done.stderr, space.asked)


def headers_are_those_of_the_catalogue(folder):
    right = small_publication(folder)
    head = right.table(harm.TABLE)[:1024]
    right.list_as(right.entry(harm.TABLE, head=sign_head(harm.flip(112)(head))))  # the digest of the frames
    right.write(folder + ".other")
    done = run("fetch", folder + ".other", "--db", folder + ".taken", exit_code=65)
    expect("another header than the catalogue" in done.stderr and not tables(folder + ".taken"), done.stderr)


def nothing_of_a_fetch_outlives_it(folder):
    right = small_publication(folder)
    for ending in (signal.SIGKILL, signal.SIGTERM):
        with Stranger(right, "tables/" + harm.TABLE, harm.WAITS["stalls in the middle"]) as space:
            process = start("fetch", space.address, "--db", f"{folder}.{ending}")
            while not any(path == space.bad for path, _ in space.asked):
                expect(process.poll() is None, "it ended by itself")
            process.send_signal(ending)
            process.communicate()
            expect(space.left.wait(60), "curl goes on")


def curl_is_told_everything(folder):
    right = small_publication(folder)
    home = folder + ".home"
    os.makedirs(os.path.join(home, "bin"))
    with open(os.path.join(home, ".curlrc"), "w", encoding="ascii") as file:
        file.write(f'output = "{home}/stray"\ninclude\n')
    with Stranger(right) as space:
        run("fetch", "HTTP" + space.address[4:] + "//", "--db", folder + ".taken", env={**environment(), "HOME": home, "CURL_HOME": home})
        expect(not os.path.exists(home + "/stray"), "~/.curlrc is read")
        address = "http://no-such-host.invalid/here"
        run("fetch", address, "--db", folder + ".other", exit_code=74, env={**environment(), "http_proxy": space.address})
        expect(space.asked[-1][0] == f"{address}/{SUMS}", "the proxy is not asked", space.asked[-1])
    with open(os.path.join(home, "bin", "curl"), "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nenv >"{home}/environment"\nprintf "%s\\n" "$@" >"{home}/arguments"\nexit 6\n')
    os.chmod(os.path.join(home, "bin", "curl"), 0o755)
    for scheme, leads in (("http", "=http,https"), ("HTTPS", "=https")):
        done = run("fetch", f"{scheme}://host/here/", "--db", folder + ".other", exit_code=74,
                   env={**environment(), "PATH": f"{home}/bin:{os.environ['PATH']}", "https_proxy": "there", "SSLKEYLOGFILE": "x", "HOME": home})
        expect("no host of that name" in done.stderr, done.stderr)
        with open(home + "/environment", encoding="utf-8") as file:
            names = {line.partition("=")[0] for line in file} - {"PWD", "_", "SHLVL", "OLDPWD"}
        with open(home + "/arguments", encoding="utf-8") as file:
            told = file.read().split("\n")
        expect(names == {"https_proxy"}, names)
        expect(told[0] == "-q" and told[told.index("--proto-redir") + 1] == leads, told)
        expect(told[told.index("--proto") + 1] == "=http,https" and told[-2] == f"{scheme}://host/here/{SUMS}", told)
    for source in ("file:///etc", "ftp://host/here", "FILE:///etc", "scp://host/x"):
        done = run("fetch", source, "--db", folder + ".other", exit_code=64)
        expect(source in done.stderr and "no address that is fetched from" in done.stderr, done.stderr)
    run("fetch", folder + ".right", "--db", folder + ".other", "--timeout", "0", exit_code=64)


run_cases([
    the_folder_is_checked_by_other_programs,
    the_card_reads_a_table_without_tauler,
    the_page_is_published_with_its_pack,
    tables_are_fetched_from_a_folder_and_by_http,
    tables_are_coded_adaptively_where_that_is_smaller,
    what_came_is_gone_on_with,
    damage_is_refused,
    other_cells_in_the_way_are_kept_and_said,
    what_cannot_be_published_or_fetched_is_said,
    changed_publications_are_refused,
    only_regular_files_are_read,
    servers_do_no_harm,
    servers_that_wait_are_left,
    tables_out_of_place_are_not_passed_on,
    what_is_taken_up_is_a_file_of_ones_own,
    parts_are_kept_while_they_may_be_right,
    too_much_is_refused_before_it_begins,
    without_the_module_tables_are_published_alone,
    headers_are_those_of_the_catalogue,
    nothing_of_a_fetch_outlives_it,
    curl_is_told_everything,
])
