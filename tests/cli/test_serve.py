#!/usr/bin/python3
"""`tauler serve` on a real socket: answers, connections, stopping, tables that come and break, bad clients."""
import asyncio
import concurrent.futures
import contextlib
import http.client
import json
import os
import random
import resource
import select
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.parse

from building import SECONDS, Skip, build, expect, identities, run, run_cases, table_path, tables, wait_for_work, worked
from serving import Server, closed_within, responses

SEEDS = 5
QUESTIONS = [("auale", ["--rules", "awari"], "awari", "0-0-1-0-0-1-1-0-0-1-0-1-20-23-S"),
             ("auale", [], "default", "0-0-1-0-0-1-1-0-0-1-0-1-20-23-N moves f"),
             ("phutball", [], "base", "3/1x1/1o1/3/3 O"),
             ("phutball", [], "default", "3/1x1/1o1/3/3 E moves A1"),
             ("oca-asesina", ["--rules", "base,board=20"], "base,board=20", "0/0 lost=0,0 seat=1")]
# Ten seeds where the first repetition ends play: a search of a second or two when it is first asked.
SEARCH = "/v1/auale/abapa?cycles=own-row&pos=1-1-1-1-1-0-1-1-1-1-1-0-19-19-S_moves_Aa"
SHORT_SEARCH = SEARCH.replace("1-1-1-1-1-0-1-1-1-1-1-0-19-19", "1-1-1-1-0-0-1-1-1-1-0-0-20-20")  # a seventh of that


def ask_path(rules, game, position, rest=""):
    return f"/v1/{game}/{urllib.parse.quote(rules, safe='')}{rest}?pos={urllib.parse.quote(position)}"


def build_all(folder):
    build(folder, "--seeds", str(SEEDS))
    build(folder, "--board", "5x3", game="phutball")
    build(folder, "--board", "20", "--tokens", "1", game="oca-asesina")


def answers_are_those_of_the_command_line(folder):
    build_all(folder)
    before = identities(tables(folder))
    with Server(folder) as server:
        for game, options, rules, position in QUESTIONS:
            printed = run("probe", game, "--db", folder, "--json", *options, position).stdout
            status, headers, body = server.ask(ask_path(rules, game, position))
            expect(status == 200 and body.decode() == printed, game, status, body, "not", printed)
            answer = json.loads(printed)
            expect(len(headers["ETag"]) == 34 and headers["Cache-Control"] == "no-cache" and answer["table"], headers)
            expect(headers["Content-Length"] == str(len(body)), "length")
            again = server.ask(ask_path(rules, game, position), headers={"If-None-Match": headers["ETag"]})
            expect(again[0] == 304 and again[2] == b"" and again[1]["ETag"] == headers["ETag"], again)
            head = server.ask(ask_path(rules, game, position), "HEAD")
            expect(head[0] == 200 and head[2] == b"" and head[1]["Content-Length"] == str(len(body)), "HEAD")
            if game != "oca-asesina":
                printed = run("probe", game, "--db", folder, "--json", "--line", *options, position).stdout
                expect(server.ask(ask_path(rules, game, position, "/line"))[2].decode() == printed, "line", game)
        contents = server.json("/v1/")
        slices = {(g["name"], r["rules"], r["cycles"]): [s["slice"] for s in r["slices"]]
                  for g in contents["games"] for r in g["rule_sets"]}
        expect(slices == {("auale", "awari", "even"): [str(n) for n in range(SEEDS + 1)], ("phutball", "base", ""): ["5x3"],
                          ("oca-asesina", "base,board=20", ""): ["1.1-0", "1.0-0"]}, slices)
        rows = run("stats", "auale", "--seeds", str(SEEDS), "--db", folder, "--csv").stdout.split()[1:]
        counts = server.json(f"/v1/auale/awari/stats?slice={SEEDS}")["counts"]
        expect([f"{SEEDS},{c['value']},{c['count']}" for c in counts] ==
               [row for row in rows if row.startswith(f"{SEEDS},")], counts)
    expect(identities(tables(folder)) == before, "the folder was changed")


def connections_are_kept_and_requests_may_queue(folder):
    build(folder, "--seeds", "3")
    with Server(folder) as server:
        paths = ["/healthz", "/v1/", "/v1/auale/awari?pos=x", ask_path("awari", "auale", "0-0-0-0-0-1-1-0-0-1-0-0-20-25-S"),
                 "/v1/auale/awari/stats?slice=3", "/nothing"]
        alone = [server.ask(path) for path in paths]
        got = responses(server.raw("".join(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n" for path in paths).encode()))
        expect([(status, body) for status, _, body in got] == [(status, body) for status, _, body in alone], got)
        expect(not any(headers.get("connection") == "close" for _, headers, _ in got[:-1]), "closed between")
        absolute = server.raw(b"GET http://anywhere:1/healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        expect(responses(absolute)[0][0] == 200, absolute)
        old = server.raw(b"GET /healthz HTTP/1.0\r\n\r\n")
        expect(responses(old)[0][0] == 200, old)


def bad_requests_are_refused(folder):
    build(folder, "--seeds", "1")
    long_header = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: " + b"y" * 100000 + b"\r\n\r\n"
    many_headers = b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X%d: y\r\n" % n for n in range(5000)) + b"\r\n"
    post = b"POST /v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
    with_body = b"GET /v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
    chunked = b"GET /v1/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    cases = [(b"GET /v1/auale/awari?pos=%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 9000), {414}),
             (b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 3000), {414}),
             # The server reads a limited number of bytes; beyond them the answer may be lost with the rest.
             (b"GET /%s HTTP/1.1\r\nHost: x\r\n\r\n" % (b"a" * 100000), {414, None}),
             (long_header, {431, None}), (many_headers, {431, None}), (post, {405}), (with_body, {413}), (chunked, {413}),
             (b"GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n", {400}), (b"GET /healthz HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n", {400}),
             (b"GET / HTTP/1.1\r\n\r\n", {400}), (b"GET /v1/ HTTP/1.1\r\nX: y\r\n\r\n", {400}),  # no Host
             (b"GET / HTTP/3.0\r\nHost: x\r\n\r\n", {400, 505}),
             (b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", {405}),
             (b"GET  /healthz  HTTP/1.1\r\nHost: x\r\n\r\n", {200, 400, 404, None}),
             (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)), {400, None}),
             (b"GET /\x00/ HTTP/1.1\r\nHost: x\r\n\r\n", {200, 400, 404, None}), (b"\r\n\r\n\r\n", {400, None}), (b"", {None})]
    cases += [(b"POST /v1/analyse HTTP/1.1\r\nHost: x\r\n\r\n", {400}), (b"GET /v1/analyse HTTP/1.1\r\nHost: x\r\n\r\n", {405}),
              (b"POST /v1/analyse HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", {413}),
              (b"POST /v1/analyse HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", {400, 413})]
    smuggled = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    two_lengths = b"GET /v1/ HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nContent-Length: %d\r\n\r\n" + smuggled
    with Server(folder) as server:
        for first, second in ((0, len(smuggled)), (len(smuggled), 0)):
            got = responses(server.raw(two_lengths % (first, second)))
            expect([status for status, _, _ in got] == [413], "two lengths", got)
        for data, wanted in cases:
            got = server.raw(data)
            status = int(got.split()[1]) if got else None
            expect(status in wanted, data[:60], "is answered", got[:200], "not", wanted)
            expect(got.count(b"HTTP/1.") <= 1, data[:60], "has two blocks of headers", got)
            expect(server.ask("/healthz")[0] == 200, "after", data[:60])


def records_are_judged(folder):
    """As `analyse` does, up to 64 KiB."""
    build(folder, "--seeds", "3")
    record = b"0-0-0-0-0-1-1-0-0-1-0-0-20-25-S moves F d"
    name = os.path.join(folder, "game.ogn")
    with open(name, "wb") as file:
        file.write(record)
    wanted = {**json.loads(run("analyse", name, "--game", "auale", "--json", "--db", folder).stdout), "file": "record"}
    with Server(folder) as server:
        for length, status in ((len(record), 200), (65536, 200), (65537, 413), (200000, 413)):
            with contextlib.closing(http.client.HTTPConnection(server.host, server.port, timeout=SECONDS)) as connection:
                connection.request("POST", "/v1/analyse?game=auale", body=record.ljust(length))
                answer = connection.getresponse()
                body = json.loads(answer.read())
            expect(answer.status == status, length, answer.status, str(body)[:200])
            expect(status != 200 or [one["judged"] for one in body["games"]] == [wanted], body, wanted)


def random_bytes_do_no_harm(folder):
    build(folder, "--seeds", "2")
    chance = random.Random(8417)
    pieces = [b"GET ", b"HEAD ", b"/v1/", b"auale/", b"awari", b"?pos=", b"1-1-0-0-0-0-0-0-0-0-0-0-20-26-S", b"%", b"&", b"=",
              b" HTTP/1.1\r\n", b"Host: x\r\n", b"\r\n", b"\r\n\r\n", b"Content-Length: ", b"Transfer-Encoding: chunked\r\n",
              b"99999999999999999999", b"-1", b"\x00", b"\xff\xfe", b"If-None-Match: \"", b"stats?slice=2", b"Expect: 100-continue\r\n"]
    with Server(folder, "--timeout", "2s") as server:
        junk = [b"".join(chance.choice(pieces) if chance.random() < 0.8 else chance.randbytes(chance.randrange(20))
                         for _ in range(chance.randrange(1, 30))) for _ in range(150)]
        with concurrent.futures.ThreadPoolExecutor(15) as clients:
            list(clients.map(lambda data: server.raw(data, 5), junk))
        expect(server.ask("/healthz")[0] == 200, "dead")


def slow_clients_are_cut_off(folder):
    build(folder, "--seeds", "1")
    with Server(folder, "--timeout", "2s") as server:
        with server.connect() as silent, server.connect() as dribbling, server.connect() as idle:
            idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            expect(idle.recv(4096).startswith(b"HTTP/1.1 200"), "no answer")
            began = time.monotonic()
            ended = None
            while ended is None and time.monotonic() - began < 60:
                try:
                    dribbling.sendall(b"G"[:1] if time.monotonic() - began < 0.2 else b"E")
                except OSError:
                    ended = time.monotonic()
                if select.select([dribbling], [], [], 0.3)[0]:
                    with contextlib.suppress(OSError):
                        dribbling.recv(4096)
                    ended = time.monotonic()
            expect(ended is not None, "a request may dribble in for ever")
            closed_within(silent, 60)
            closed_within(idle, 60)
        expect(server.ask("/healthz")[0] == 200, "dead")


def a_thousand_clients_at_once(folder):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 4096:
        raise Skip(f"a process may open {hard} files only")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 4096), hard))
    build(folder, "--seeds", str(SEEDS))
    chance = random.Random(1000)
    positions = []
    for _ in range(40):
        pits = [0] * 12
        for _ in range(SEEDS):
            pits[chance.randrange(12)] += 1
        positions.append("-".join(map(str, pits)) + f"-20-{28 - SEEDS}-S")
    printed = subprocess.run([os.environ.get("TAULER", "./tauler"), "probe", "auale", "--db", folder, "--json"],
                             input="\n".join(positions), text=True, stdout=subprocess.PIPE, check=True).stdout
    wanted = [line.encode() + b"\n" for line in printed.splitlines()]
    requests = [f"GET {ask_path('awari', 'auale', position)} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for position in positions]
    clients, times = 1000, 5

    async def client(number, server, ready, all_ready):
        reader, writer = await asyncio.open_connection(server.host, server.port)
        ready.append(number)
        if len(ready) == clients:
            all_ready.set()
        await all_ready.wait()
        for turn in range(times):
            which = (number + 7 * turn) % len(positions)
            writer.write(requests[which])
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length: ")[2].split()[0])
            body = await reader.readexactly(length)
            expect(head.startswith(b"HTTP/1.1 200 ") and body == wanted[which], head, body)
        writer.close()

    async def all_clients(server):
        ready, all_ready = [], asyncio.Event()
        await asyncio.wait_for(asyncio.gather(*(client(n, server, ready, all_ready) for n in range(clients))), SECONDS)

    with Server(folder, "--timeout", "600s",
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))) as server:
        asyncio.run(all_clients(server))
        figures = server.ask("/metrics")[2].decode()
        expect(f'tauler_http_requests_total{{route="position",status="200"}} {clients * times}\n' in figures, figures[:400])


def more_connections_than_allowed_wait(folder):
    build(folder, "--seeds", "1")
    with Server(folder, "--connections", "4", "--threads", "2") as server:
        with contextlib.ExitStack() as held:
            for _ in range(4):
                link = held.enter_context(server.connect())
                link.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            late = held.enter_context(server.connect())
            late.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            time.sleep(0.3)
        expect(server.ask("/healthz")[0] == 200, "no connection is taken any more")


def a_flood_of_connections_leaves_tables_their_files(folder):
    build(folder, "--seeds", "3")
    position = ask_path("awari", "auale", "0-0-0-0-0-1-1-0-0-1-0-0-20-25-S")
    files = (128, 128)
    with Server(folder, "--threads", "2", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, files)) as server:
        with contextlib.ExitStack() as held:
            links = [held.enter_context(server.connect()) for _ in range(200)]
            time.sleep(0.5)
            links[0].sendall(f"GET {position} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            got = links[0].recv(65536)
            expect(got.startswith(b"HTTP/1.1 200 "), got[:300])


def more_tables_than_files_are_answered_from(folder):
    build(folder, "--pieces", "2", game="doushouqi")
    animals, files = "RCDWPTLE", (32, 32)
    with Server(folder, "--threads", "2", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, files)) as server:
        for white in animals:
            for black in animals.lower():
                position = f"7/7/{black}6/7/7/7/2{white}4/7/7 w"
                status, _, body = server.ask(ask_path("base", "doushouqi", position))
                expect(status == 200, position, status, body)


def requests_under_way_are_finished(folder):
    build(folder, "--seeds", "1")
    for how in (signal.SIGTERM, signal.SIGINT):
        with Server(folder, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as server:
            got = []
            asker = threading.Thread(target=lambda server=server, got=got: got.append(server.ask(SHORT_SEARCH)))
            with server.connect() as idle:
                idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                idle.recv(4096)
                before = worked(server.process.pid)
                asker.start()
                wait_for_work(server.process, before + 0.03)
                server.stop(how)
                asker.join(SECONDS)
            expect(len(got) == 1 and got[0][0] == 404 and json.loads(got[0][2])["error"] == "table missing", got)
            expect(json.loads(got[0][2])["answer"]["history"]["exact"], got)
            with contextlib.suppress(ConnectionRefusedError):
                server.connect()
                expect(False, "still listening")


def a_second_signal_ends_at_once(folder):
    build(folder, "--seeds", "1")
    server = Server(folder, "--threads", "1", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def ask(path):
        with contextlib.suppress(OSError, http.client.HTTPException):
            server.ask(path)

    askers = [threading.Thread(target=ask, args=[SEARCH.replace("Aa", moves)]) for moves in ("Aa", "AbBc", "Dd")]
    begun = worked(server.process.pid)
    for asker in askers:
        asker.start()
    wait_for_work(server.process, begun + 0.2)
    server.process.send_signal(signal.SIGINT)
    with contextlib.suppress(ConnectionRefusedError):
        while True: server.connect().close()
    time.sleep(0.3)  # within 0.2 s two signals count as one
    server.process.send_signal(signal.SIGTERM)
    code = server.process.wait(SECONDS)
    for asker in askers:
        asker.join(SECONDS)
    said = server.process.communicate()[1]
    expect(code == 75 and "requests under way were not answered" in said, code, said)


def stopping_under_load_is_clean(folder):
    """Connections that are kept ask on while threads and connections are taken down."""
    build(folder, "--seeds", "3")
    request = f"GET {ask_path('awari', 'auale', '0-0-0-0-0-1-1-0-0-1-0-0-20-25-S', '/line')} HTTP/1.1\r\nHost: x\r\n\r\n".encode()

    def keep_asking(server):
        with contextlib.suppress(OSError):
            while True:
                with server.connect() as link:
                    for _ in range(20):
                        link.sendall(4 * request)
                        if not link.recv(65536):
                            break

    for _ in range(5):
        with Server(folder) as server:
            askers = [threading.Thread(target=keep_asking, args=[server]) for _ in range(8)]
            for asker in askers:
                asker.start()
            time.sleep(0.1)
            server.stop()
            for asker in askers:
                asker.join(SECONDS)


def searches_hold_up_nobody(folder):
    build(folder, "--seeds", "1")
    with Server(folder, "--threads", "2") as server:
        request = f"GET {SEARCH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()
        with contextlib.ExitStack() as held:
            links = [held.enter_context(server.connect(source=f"127.0.0.{1 + n // 4}")) for n in range(40)]
            for link in links:
                link.sendall(request)
            for path in ("/healthz", "/v1/", "/v1/auale/awari/line?pos=0-0-0-0-0-1-0-0-0-0-0-0-20-27-S"):
                expect(server.ask(path)[0] == 200, path)
            errors = []
            for link in links:
                got = b""
                while piece := link.recv(65536):
                    got += piece
                [(status, headers, body)] = responses(got)
                errors.append(json.loads(body)["error"])
                expect((status, headers.get("retry-after")) == ((503, "1") if errors[-1] == "busy" else (404, None)), got)
        expect(set(errors) == {"table missing", "busy"}, errors)
        expect(errors.count("table missing") >= 16, errors)


def received(link):
    """The status of the one response that comes before the server closes."""
    got = b""
    while piece := link.recv(65536):
        got += piece
    [(status, _, _)] = responses(got)
    return status


def one_address_has_few_searches_waiting(folder):
    """Whoever asks from it, unless a server in front of this one says for whom it asks."""
    build(folder, "--seeds", "1")
    with Server(folder, "--threads", "1") as server:
        request = f"GET {SEARCH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%s\r\n"
        with contextlib.ExitStack() as held:
            def ask(source, header=""):
                link = held.enter_context(server.connect(source=source))
                link.sendall((request % header).encode())
                return link
            first, before = ask("127.0.0.1"), worked(server.process.pid)
            wait_for_work(server.process, before + 0.02)  # one is under way, the others wait
            many = [ask("127.0.0.1") for _ in range(9)]
            other = ask("127.0.0.2")
            passed = [ask("127.0.0.1", f"X-Forwarded-For: 127.0.0.1, 203.0.113.{n}\r\n") for n in range(5)]
            statuses = sorted(received(link) for link in many)
            expect(statuses == [404] * 4 + [503] * 5, "of one address", statuses)
            expect([received(link) for link in (first, other, *passed)] == 7 * [404], "of others")


def nobody_waits_for_those_who_have_left(folder):
    """Searches of clients who closed are not begun, and end soon if they were; nor do they count as waiting."""
    build(folder, "--seeds", "1")
    # Half a minute of processor time each, were it not for the limit of five seconds.
    dear = "/v1/auale/awari/search?ms=5000&pos=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
    with Server(folder, "--threads", "1") as server:
        before = worked(server.process.pid)
        for count in range(10):
            with server.connect() as link:
                link.sendall(f"GET {dear} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                if count == 0:
                    wait_for_work(server.process, before + 0.1)
        status, _, body = server.ask(dear.replace("5000", "1"))
        expect(status == 200 and json.loads(body)["search"], status, body)
        expect(worked(server.process.pid) - before < 4, "processor time", worked(server.process.pid) - before, "s")
        until = time.monotonic() + SECONDS
        while b'{route="search",status="499"} ' not in (figures := server.ask("/metrics")[2]):
            expect(time.monotonic() < until, "not begun", figures)
            with server.connect() as link:  # five seconds of a busy machine may end the first before its client leaves
                link.sendall(f"GET {dear} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                wait_for_work(server.process, worked(server.process.pid) + 0.03)


def tables_come_and_break(folder):
    position = ask_path("awari", "auale", "0-0-0-0-0-1-1-0-0-1-0-0-20-25-S")
    with Server(folder) as server:
        expect(server.ask("/healthz")[0] == 503, "there is no folder")
        answer = server.json(position, 404)
        printed = json.loads(run("probe", "auale", "--db", folder, "--json", "--rules", "awari", "0-0-0-0-0-1-1-0-0-1-0-0-20-25-S", exit_code=66).stdout)
        expect(answer["error"] == "table missing" and answer["answer"] == printed and printed["moves"], answer)
        expect(os.path.dirname(folder) not in str(answer) and "tauler " not in answer["message"], answer)
        empty = server.json("/v1/")["tables"]
        build(folder, "--seeds", "3")
        expect(server.ask("/healthz")[0] == 200, "there is a folder")
        expect(server.json(position)["value"] is not None, "not seen")
        expect(server.json("/v1/")["tables"] != empty, "/v1/ is old")
    path = table_path(folder, 3)
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    with Server(folder) as server:
        answer = server.json(position, 503)
        expect(answer["error"] == "damaged file" and "answer" not in answer, answer)
    shutil.rmtree(folder)


def tables_built_again_are_answered_from(folder):
    """The bounds of a game of dice depend on --width: every answer comes from the tables in the folder."""
    asked, position = ask_path("base,board=20", "oca-asesina", "0/0 lost=0,0 seat=1"), "0/0 lost=0,0 seat=1"
    known = {}
    with Server(folder) as server:
        for width in ("1e-3", "1e-4", "1e-9"):
            shutil.rmtree(folder, ignore_errors=True)
            expect(server.ask(asked)[0] == 404, "answered from tables that are gone")
            build(folder, "--board", "20", "--tokens", "1", "--width", width, game="oca-asesina")
            printed = run("probe", "oca-asesina", "--db", folder, "--json", "--rules", "base,board=20", position).stdout
            status, headers, body = server.ask(asked)
            expect(status == 200 and body.decode() == printed, width, status, body, "not", printed)
            known[headers["ETag"]] = body
        expect(len(known) == len(set(known.values())) > 1, known)
        build(folder, "--board", "20", "--tokens", "1", "--width", "1e-11", game="oca-asesina")
        printed = run("probe", "oca-asesina", "--db", folder, "--json", "--rules", "base,board=20", position).stdout
        status, headers, body = server.ask(asked, headers={"If-None-Match": ", ".join(known)})
        expect(body.decode() == printed if headers["ETag"] not in known else status == 304, status, body)
        slices = lambda: [s["table"] for g in server.json("/v1/")["games"] for r in g["rule_sets"] for s in r["slices"]]
        before = slices()
        expect(len(before) == 2, before)
        os.remove(next(path for path in tables(folder) if "1.1-0" in path))
        expect(len(slices()) == 1, "a table that is gone is listed")


def the_page_is_in_the_program(folder):
    build(folder, "--seeds", "1")
    types = {"html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
             "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
    source = os.path.join("analysis", "explorer")
    names = [prefix + name for prefix in ("", "boards/") for name in os.listdir(os.path.join(source, prefix))
             if name.rpartition(".")[2] in types]
    expect("index.html" in names and "boards/auale.js" in names, names)
    with Server(folder) as server, Server(folder, "--explorer", source) as from_folder:
        for name in names:
            with open(os.path.join(source, name), "rb") as file:
                wanted = file.read()
            for one in (server, from_folder):
                status, headers, body = one.ask("/" if name == "index.html" else f"/explorer/{name}")
                expect(status == 200 and body == wanted, name, status)
                expect(headers["Content-Type"] == types[name.rpartition(".")[2]], name, headers["Content-Type"])
                expect("default-src 'self'" in headers["Content-Security-Policy"], name)
        expect(server.ask("/explorer/README.md")[0] == 404, "README.md")
        expect(from_folder.ask("/explorer/..%2f..%2fMakefile")[0] == 404, "a file beside the folder")


def what_cannot_be_served_is_said(folder):
    build(folder, "--seeds", "1")
    with Server(folder) as server:
        done = run("serve", "--db", folder, "--port", str(server.port), exit_code=74)
        expect("another program has it" in done.stderr and "--port" in done.stderr, done.stderr)
    for options, word in ((("--address", "nowhere.invalid"), "--address"), (("--port", "65536"), "--port"),
                          (("--connections", "0"), "--connections"), (("--timeout", "0s"), "--timeout"),
                          (("surplus",), "surplus"), (("--threads", "0"), "--threads")):
        done = run("serve", "--db", folder, "--port", "0", *options, exit_code=64)
        expect(word in done.stderr, done.stderr)
    done = run("serve", "--db", folder, "--port", "0", "--address", "192.0.2.1", exit_code=74)
    expect("192.0.2.1" in done.stderr, done.stderr)
    if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6"):
        with contextlib.suppress(Skip), Server(folder, "--address", "::1") as server:
            expect(server.host == "::1" and server.ask("/healthz")[0] == 200, server.address)


run_cases([answers_are_those_of_the_command_line, connections_are_kept_and_requests_may_queue, bad_requests_are_refused,
           records_are_judged, random_bytes_do_no_harm, slow_clients_are_cut_off, a_thousand_clients_at_once,
           more_connections_than_allowed_wait, a_flood_of_connections_leaves_tables_their_files, more_tables_than_files_are_answered_from, requests_under_way_are_finished,
           a_second_signal_ends_at_once, stopping_under_load_is_clean, searches_hold_up_nobody,
           one_address_has_few_searches_waiting, nobody_waits_for_those_who_have_left,
           tables_come_and_break, tables_built_again_are_answered_from, the_page_is_in_the_program, what_cannot_be_served_is_said])
