#!/usr/bin/python3
"""HTTP for programs: many positions in one request, gzip, and the OpenAPI document against routes and answers."""
import contextlib
import gzip
import http.client
import importlib
import json
import pathlib
import random
import re
import urllib.parse

from building import SECONDS, Skip, build, expect, run_cases
from serving import Server

FIVE = "0-0-1-0-0-1-1-0-0-1-0-1-20-23-S"
START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
OGN = f'[Game "auale"]\n[Position "{FIVE}"]\n\nF d { "{ a comment }" }\n'
# One for each shape of answer: the route, what is asked there, what else comes, the body.
ASKED = [
    ("contents", "/v1/", 200, None), ("openapi", "/v1/openapi.json", 200, None), ("healthz", "/healthz", 200, None),
    ("position", f"/v1/auale/awari?pos={FIVE}", 200, None), ("position", f"/v1/auale/default?pos={START}", 404, None),
    ("position", f"/v1/auale/abapa?cycles=forced&pos={FIVE}", 200, None),
    ("position", "/v1/auale/abapa?cycles=own-row&pos=0-0-0-0-1-0-0-0-0-0-1-0-0-0-S_moves_Ee", 200, None),
    ("position", "/v1/phutball/base?pos=3/1x1/1o1/3/3_O", 200, None),
    ("position", "/v1/oca-asesina/base%2Cboard=20?pos=0/0_lost=0,0_seat=1", 200, None),
    ("position", "/v1/auale/awari?pos=x", 400, None), ("line", f"/v1/auale/awari/line?pos={FIVE}", 200, None),
    ("line", "/v1/phutball/base/line?pos=3/1x1/1o1/3/3_O", 200, None),
    ("search", "/v1/auale/awari/search?positions=500&pos=1-1-1-1-1-1-2-2-2-1-1-1-16-17-S", 200, None),
    ("stats", "/v1/auale/awari/stats?slice=4", 200, None), ("stats", "/v1/auale/abapa/stats?slice=4&cycles=forced", 200, None),
    ("stats", "/v1/oca-asesina/base%2Cboard=20/stats?slice=1.1-0", 200, None),
    ("board", "/v1/oca/base/board", 200, None), ("exercise", "/v1/auale/awari/exercise?slice=4&seed=1", 200, None),
    ("positions", "/v1/positions?game=auale", 200, f"{FIVE}\nx\n{START}"), ("positions", "/v1/positions", 400, "x"),
    ("analyse", "/v1/analyse?game=auale", 200, OGN), ("analyse", "/v1/analyse?game=auale", 200, f"{FIVE} moves a"),
]


def build_all(folder):
    build(folder, "--seeds", "5", "--depth")
    build(folder, "--seeds", "5", "--rules", "abapa", "--cycles", "forced")
    build(folder, "--seeds", "2", "--rules", "abapa", "--cycles", "own-row")
    build(folder, "--board", "5x3", game="phutball")
    build(folder, "--board", "20", "--tokens", "1", game="oca-asesina")


def ask(server, path, body=None, headers=None):
    with contextlib.closing(http.client.HTTPConnection(server.host, server.port, timeout=SECONDS)) as connection:
        connection.request("POST" if body is not None else "GET", path, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def random_boards(count):
    for _ in range(count):
        pits = [0] * 12
        for _ in range(random.randrange(6)):
            pits[random.randrange(12)] += 1
        yield "-".join(map(str, pits)) + "-0-0-" + random.choice("SN")


def a_list_is_answered_as_its_positions_are(folder):
    random.seed(1)
    build(folder, "--seeds", "5")
    listed = [*random_boards(200), "x", START, FIVE + " moves F"]
    with Server(folder) as server:
        status, headers, body = ask(server, "/v1/positions?game=auale&rules=awari", "\n\n".join(listed) + "\n")
        answers = json.loads(body)["answers"]
        expect(status == 200 and len(answers) == len(listed), status, len(answers))
        expect(headers["Cache-Control"] == "no-store" and headers["Access-Control-Allow-Origin"] == "*", headers)
        for position, answer in zip(listed, answers):
            _, _, one = ask(server, "/v1/auale/awari?pos=" + urllib.parse.quote(position))
            expect(json.loads(one) == answer, position, answer, one)
        for path, posted, wanted, word in (
                ("?game=auale", "", 400, "missing"), ("?game=auale", " \n\n", 400, "missing"), ("", "x", 400, "game"),
                ("?game=auale", "x\n" * 1001, 400, "1000"), ("?game=nothing", "x", 404, "nothing"),
                ("?game=auale&pos=x", "x", 400, "pos"), ("?game=auale", "x" * 65537, 413, "65536")):
            status, _, body = ask(server, "/v1/positions" + path, posted)
            expect(status == wanted and word in json.loads(body)["message"], path, status, body)
        expect(ask(server, "/v1/positions?game=auale", "x\n" * 1000)[0] == 200, "a thousand positions")
        status, headers, _ = ask(server, "/v1/positions?game=auale")
        expect(status == 405 and headers["Allow"] == "POST, OPTIONS", status, headers)


def gzip_is_what_is_asked_for(folder):
    build(folder, "--seeds", "5")
    with Server(folder) as server:
        for path in ("/", "/explorer/app.js", "/v1/", f"/v1/auale/awari/line?pos={FIVE}"):
            _, _, plain = ask(server, path)
            for accepted in ("gzip", "br;q=1.0, GZIP ; q=0.8, *;q=0.1"):
                status, headers, body = ask(server, path, headers={"Accept-Encoding": accepted})
                expect(status == 200 and headers["Content-Encoding"] == "gzip", path, headers)
                expect(headers["Vary"] == "Accept-Encoding" and headers["Content-Length"] == str(len(body)), headers)
                expect(gzip.decompress(body) == plain and len(body) < len(plain), path, len(body))
                expect(headers["ETag"].startswith('W/"'), headers)
                again = ask(server, path, headers={"Accept-Encoding": accepted, "If-None-Match": headers["ETag"]})
                expect(again[0] == 304 and not again[2], again)
            for accepted in ("identity", "gzip;q=0", "xgzip", "deflate, gzip; q=0.0"):
                _, headers, body = ask(server, path, headers={"Accept-Encoding": accepted})
                expect("Content-Encoding" not in headers and body == plain, path, accepted)
        _, headers, _ = ask(server, "/healthz", headers={"Accept-Encoding": "gzip"})
        expect("Content-Encoding" not in headers, "too short")


def operations(document):
    return {of["operationId"]: (method, path, of) for path, methods in document["paths"].items()
            for method, of in methods.items()}


def the_document_has_every_route(folder):
    """Routes are those that /metrics counts; parameters those that a query may have, as refusals say."""
    build(folder, "--seeds", "2")
    with Server(folder) as server:
        _, headers, body = ask(server, "/v1/openapi.json")
        expect(headers["Content-Type"].startswith("application/json"), headers)
        documented = operations(json.loads(body))
        counted = set(re.findall(r'_bucket\{route="(\w+)"', ask(server, "/metrics")[2].decode()))
        names = {"page", "file", "none"} | set(documented)
        expect(counted <= names, counted - names)
        source = (pathlib.Path(__file__).resolve().parents[2] / "analysis/serve/api_call.c").read_text()
        routes = set(re.findall(r'\[API_\w+\] = \{(?:\.name = )?"(\w+)"', source))
        expect(routes == names, routes ^ names)
        for name, (method, path, of) in documented.items():
            if name in ("openapi", "healthz", "metrics"):
                continue
            asked = path.replace("{game}", "auale").replace("{rules}", "awari")
            listed = [each["name"] for each in of["parameters"] if each["in"] == "query"]
            other = "slice" if "most" in listed else "most"
            status, _, body = ask(server, asked + f"?{other}=1", "x" if method == "post" else None)
            said = json.loads(body)["message"].split("may have: ")[1].split(", ")
            expect(status == 400 and sorted(said) == sorted(listed), name, said, listed)


def answers_are_as_documented(folder):
    try:
        jsonschema = importlib.import_module("jsonschema")
    except ImportError:
        raise Skip("install python3-jsonschema") from None
    build_all(folder)
    with Server(folder) as server:
        document = json.loads(ask(server, "/v1/openapi.json")[2])
        documented = operations(document)
        expect(set(documented) == {name for name, *_ in ASKED} | {"metrics"}, "not every route is asked")
        for name, path, wanted, posted in ASKED:
            status, _, body = ask(server, path, posted)
            expect(status == wanted, path, status, body[:300])
            shown = documented[name][2]["responses"][str(status)]
            if "$ref" in shown:
                shown = document["components"]["responses"][shown["$ref"].rsplit("/", 1)[1]]
            schema = {**shown["content"]["application/json"]["schema"], "components": document["components"]}
            jsonschema.Draft202012Validator.check_schema(schema)
            wrong = [f"{list(error.absolute_path)}: {error.message[:200]}"
                     for error in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(body))]
            expect(not wrong, path, wrong[:3])


if __name__ == "__main__":
    run_cases((a_list_is_answered_as_its_positions_are, gzip_is_what_is_asked_for, the_document_has_every_route,
               answers_are_as_documented))
