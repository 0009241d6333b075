#!/usr/bin/env python3
"""The checker that Coq proves: real tables pass, wrong cells do not, and its rules are those of `tauler probe`.
`make proof` builds it first; without Coq the suite says that it is skipped."""
import hashlib
import json
import os
import random
import shutil
import subprocess

from building import CHECK, TAULER, Failure, Skip, build, environment, expect, leave_to_check, run, run_cases

PROGRAM = os.path.abspath(shutil.which(TAULER) or TAULER)
CHECKER = os.path.join(os.path.dirname(PROGRAM), "tauler-proof")
BOARDS = 100000 if CHECK else 2000


def need_checker():
    if os.access(CHECKER, os.X_OK):
        return
    for tool in ("coqc", "ocamlopt"):
        if not shutil.which(tool):
            raise Skip(f"there is no {tool}: make proof installs Coq and OCaml and builds tauler-proof")
    leave_to_check()
    version = run("--version").stdout.split()[1]
    made = subprocess.run(["sh", "analysis/proof/build.sh", "build/proof", CHECKER, version], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    expect(made.returncode == 0, "the proofs do not check:", made.stdout[-600:])


def exported(folder, *asked):
    """Cells by stream for each slice in its order, as stock zstd gives them, depths two bytes wide."""
    slices = {}
    for line in run("export", *asked, "--depth", "--db", folder, "--to", folder + "-plain", "--json").stdout.splitlines():
        line = json.loads(line)
        cells = subprocess.run(["zstd", "-dcq", line["file"]], stdout=subprocess.PIPE, check=True).stdout
        if line["stream"].startswith("depth") and len(cells) == line["positions"]:
            cells = bytes(byte for cell in cells for byte in (cell, 0))
        slices.setdefault(line["slice"], {})[line["stream"]] = bytearray(cells)
    return list(slices.values())


def plain_cells(folder, seeds, *rules):
    return exported(folder, "auale", "--seeds", str(seeds), *rules)


STREAMS = {"scores": ("value", "depth"), "bounds": ("lower", "upper", "depth-lower", "depth-upper"),
           "exact": ("value", "depth-lower", "depth-upper")}


def heard_of(slices, streams, *asked):
    """The exit code of the checker and what it says of the last slice that it looks at."""
    cells = b"".join(bytes(one[stream]) for one in slices for stream in streams)
    done = subprocess.run([CHECKER, *asked], input=cells, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    last = [line for line in done.stdout.decode().splitlines() if line.startswith(("holds", "wrong"))][-1].split()
    return done.returncode, last


def verdict(slices, kind, rules="awari", *lines):
    return heard_of(slices, STREAMS[kind], rules, kind, str(len(slices) - 1), *lines)


def plant(slices, rng):
    """Changes one value, or one depth, by one or to anything else; gives back how to undo it."""
    number = rng.randrange(2, len(slices))
    stream = rng.choice(sorted(slices[number]))
    cells, width = slices[number][stream], 2 if stream.startswith("depth") else 1
    at = rng.randrange(len(cells) // width) * width
    before = bytes(cells[at:at + width])
    was = int.from_bytes(before, "little", signed=width == 1)
    near = [was - 1, was + 1] if rng.random() < 0.7 else list(range(-number, number + 1))
    wrong = rng.choice([x for x in near if x != was and (width == 1 or x >= 0)])
    cells[at:at + width] = wrong.to_bytes(width, "little", signed=width == 1)
    return number, stream, at, before


def refuses_planted(folder, kind, rules, *options):
    slices = plain_cells(folder, 6, *options)
    expect(verdict(slices, kind, rules) == (0, ["holds", "6"]), "true cells are refused:", verdict(slices, kind, rules))
    rng = random.Random(23)
    for _ in range(100 if CHECK else 30):
        number, stream, at, before = plant(slices, rng)
        code, last = verdict(slices, kind, rules)
        expect(code == 1 and last[0] == "wrong" and int(last[1]) <= number, "a wrong cell passes:", number, stream, at,
               code, last)
        slices[number][stream][at:at + len(before)] = before


def tables_of_awari_are_proven(folder):
    need_checker()
    seeds = "8" if CHECK else "6"
    built = build(folder, "--seeds", seeds, "--depth")
    out = json.loads(run("proof", "auale", "--seeds", seeds, "--db", folder, "--json").stdout)
    expect(out["theorem"] == "scores_hold" and out["rules"] == "awari" and out["seeds"] == int(seeds), out)
    expect({(t["slice"], t["stream"], t["table"]) for t in out["tables"]} ==
           {(t["slice"], t["stream"], t["table"]) for t in built}, "other digests than the build's")
    text = run("proof", "auale", "--seeds", seeds, "--db", folder).stdout
    expect("Theorem scores_hold holds of these tables" in text, text)


def tables_of_abapa_are_proven(folder):
    need_checker()
    seeds = "8" if CHECK else "5"
    build(folder, "--rules", "abapa", "--seeds", seeds, "--depth")
    out = json.loads(run("proof", "auale", "--rules", "abapa", "--seeds", seeds, "--db", folder, "--json").stdout)
    expect(out["theorem"] == "guarantees_hold" and out["cycles"] == "forced" and len(out["tables"]) == 4 * int(seeds) + 4,
           out)


OWN_ROW = ("--rules", "abapa", "--cycles", "own-row")
BY_LINES = "2,3,4,6"  # of the slices up to six seeds those that lines of play close, as tauler verify says


def exact_values_of_abapa_are_proven(folder):
    need_checker()
    seeds = "10" if CHECK else "6"
    built = build(folder, *OWN_ROW, "--seeds", seeds, "--depth")
    proven = ("proof", "auale", *OWN_ROW, "--seeds", seeds, "--db", folder)
    out = json.loads(run(*proven, "--json").stdout)
    expect(out["theorem"] == "exact_values_hold" and out["cycles"] == "own-row", out)
    expect({(t["slice"], t["stream"], t["table"]) for t in out["tables"]} ==
           {(t["slice"], t["stream"], t["table"]) for t in built}, "other digests than the build's")
    verified = run("verify", "auale", *OWN_ROW, "--db", folder).stdout.splitlines()
    lines = {line.split("/")[-1].split(".")[0] for line in verified
             if ".value." in line and "lines of play searched again" in line}
    text = run(*proven).stdout
    trust = text[text.index("Taken on trust"):text.index("tauler verify")].splitlines()[1:]
    trusted = {line.split(": ")[0]: int(line.split(": ")[1]) for line in trust}
    expect(set(trusted) == lines and sum(trusted.values()) == out["on_trust"], trusted, lines, out["on_trust"])
    # Without lines of play the solver leaves as many boards of two seeds, above exact slices, between two bounds.
    apart = folder + "-apart"
    build(apart, *OWN_ROW, "--seeds", "2", "--lines-budget", "1")
    rows = [row.split(",") for row in run("stats", "auale", *OWN_ROW, "--seeds", "2", "--db", apart, "--csv").stdout.split()]
    left = sum(int(row[3]) for row in rows if row[0] == "2" and row[1] != row[2])
    expect(trusted["2"] == left > 0, "boards on trust:", trusted, left)


def wrong_exact_values_are_refused(folder):
    """A slice that stages prove has one right value for each board; where no slice may rest on lines, others fail."""
    need_checker()
    build(folder, *OWN_ROW, "--seeds", "6", "--depth")
    slices = plain_cells(folder, 6, *OWN_ROW)
    code, last = verdict(slices, "exact", "abapa", BY_LINES)
    expect(code == 0 and last[:4] == ["holds", "6", "but", "for"], "true cells are refused:", code, last)
    expect(verdict(slices, "exact", "abapa", "none") == (1, ["wrong", "2"]), "a slice closed by lines has stages enough")
    rng = random.Random(41)
    values = slices[5]["value"]
    for _ in range(100 if CHECK else 30):
        at = rng.randrange(len(values))
        was = values[at]
        values[at] = rng.choice([x for x in range(-5, 6) if x % 256 != was]) % 256
        expect(verdict(slices, "exact", "abapa", BY_LINES) == (1, ["wrong", "5"]), "a wrong value passes:", at, was, values[at])
        values[at] = was
    for stream in ("depth-lower", "depth-upper"):
        kept = slices[5][stream]
        for stage in (0, 1, 0xFFFF):
            slices[5][stream] = bytearray(stage.to_bytes(2, "little") * len(values))
            expect(verdict(slices, "exact", "abapa", BY_LINES) == (1, ["wrong", "5"]), "one stage for all passes:", stream, stage)
        slices[5][stream] = kept


def endings_are_proven(folder):
    """Under liacs who has no move has lost; `lakes=plain` has no water, so rats are like others."""
    need_checker()
    for rules, pieces in (("base", "2"), ("liacs", "3" if CHECK else "2"), ("base,clearings,lakes=plain", "2")):
        where = f"{folder}-{rules}"
        run("build", "doushouqi", "--rules", rules, "--pieces", pieces, "--db", where)
        proven = ("proof", "doushouqi", "--rules", rules, "--pieces", pieces, "--db", where)
        out = json.loads(run(*proven, "--json").stdout)
        expect(out["theorem"] == "endings_hold" and out["rules"] == rules and out["pieces"] == int(pieces), out)
        files = {f"{t['slice']}.{t['stream']}" for t in out["tables"]}
        expect(files == tables_in(where), "other tables than the build's", files ^ tables_in(where))
    text = run(*proven).stdout
    expect("Theorem endings_hold holds of these tables" in text, text)


def plant_ending(cells, rng, both_in_middle):
    """Changes a value, makes a draw a win, or changes a depth; gives back how to undo it."""
    value, depth = cells["value"], cells["depth"]
    at = rng.choice(both_in_middle) if both_in_middle and rng.random() < 0.5 else rng.randrange(len(value))
    before = value[at], bytes(depth[2 * at:2 * at + 2])
    near = int.from_bytes(before[1], "little")
    kind = rng.choice(("value", "draw") if value[at] == 0 else ("value", "depth", "depth"))
    if kind == "depth":
        depth[2 * at:2 * at + 2] = (near + rng.choice((-1, 1))).to_bytes(2, "little")
    else:
        value[at] = rng.choice([x for x in (0, 1, 0xFF) if x != value[at]])
        if value[at] == 0 or kind == "draw":
            depth[2 * at:2 * at + 2] = (0 if value[at] == 0 else rng.randrange(1, 30)).to_bytes(2, "little")
    return at, before


def wrong_endings_are_refused(folder):
    """Among three pieces both mirror images have a cell if the first two stand on the middle file: the last cells."""
    need_checker()
    streams, asked = ("value", "depth"), ("doushouqi", "base")
    run("build", "doushouqi", "--pieces", "2", "--db", folder)
    slices = exported(folder, "doushouqi", "--pieces", "2")
    expect(heard_of(slices, streams, *asked, "2") == (0, ["holds", "14"]), heard_of(slices, streams, *asked, "2"))
    run("build", "doushouqi", "--material", "ELe", "--db", folder)
    three = exported(folder, "doushouqi", "--material", "ELe")[:1]
    expect(heard_of(slices + three, streams, *asked, "3") == (65, ["holds", "15"]), "more than two pieces")
    rng = random.Random(2026)
    for number in [rng.randrange(15) for _ in range(100 if CHECK else 20)] + [15] * (20 if CHECK else 2):
        cells = (slices + three)[number]
        last = len(cells["value"]) // 2
        at, before = plant_ending(cells, rng, range(last - 2000, last) if number == 15 else ())
        sent = slices + three if number == 15 else slices
        code, said = heard_of(sent, streams, *asked, "3" if number == 15 else "2")
        expect(code == 1 and said[0] == "wrong" and int(said[1]) <= number, "a wrong cell passes:", number, at, before, code, said)
        cells["value"][at], cells["depth"][2 * at:2 * at + 2] = before


def more_assumptions_are_refused(folder):
    """An axiom or a proof left out ends the build of the checker."""
    need_checker()
    leave_to_check()
    with open(os.path.join("analysis/proof/Boards.v"), encoding="utf-8") as file:
        text = file.read()
    start = text.index("Theorem legal_is")
    proof, end = text.index("Proof.", start), text.index("Qed.", start) + len("Qed.")
    free = "Axiom free : forall r b p, legal_b r b p = true <-> legal r b p.\n"
    for what, planted in (("axiom", text[:start] + free + text[start:proof] + "exact (free r b p). Qed." + text[end:]),
                          ("admitted", text[:proof] + "Admitted." + text[end:])):
        copy = os.path.join(folder, what)
        shutil.copytree("analysis/proof", copy)
        with open(os.path.join(copy, "Boards.v"), "w", encoding="utf-8") as file:
            file.write(planted)
        made = subprocess.run(["sh", os.path.join(copy, "build.sh"), os.path.join(copy, "made"), os.path.join(copy, "program"),
                               "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        expect(made.returncode == 1 and "rest on more than" in made.stdout and not os.path.exists(
            os.path.join(copy, "program")), "an assumption passes:", what, made.returncode, made.stdout[-600:])


def wrong_cells_are_refused(folder):
    need_checker()
    build(folder, "--seeds", "6", "--depth")
    refuses_planted(folder, "scores", "awari")
    abapa = folder + "-abapa"
    build(abapa, "--rules", "abapa", "--seeds", "6", "--depth")
    refuses_planted(abapa, "bounds", "abapa", "--rules", "abapa")


def what_cannot_be_proven_is_refused(folder):
    build(folder, "--seeds", "3")
    done = run("proof", "auale", "--seeds", "3", "--rules", "abapa", "--cycles", "own-row-any", "--db", folder, exit_code=64)
    expect("there are proofs for auale" in done.stderr, done.stderr)
    build(folder, *OWN_ROW, "--seeds", "3", "--depth", "--lines-budget", "1")
    done = run("proof", "auale", "--seeds", "3", *OWN_ROW, "--db", folder, exit_code=64)
    expect("holds bounds" in done.stderr and "--lines-budget" in done.stderr, done.stderr)
    run("proof", "phutball", "--board", "3x3", "--db", folder, exit_code=64)
    for asked in (("--pieces", "5"), ("--material", "Lr")):
        done = run("proof", "doushouqi", *asked, "--db", folder, exit_code=64)
        expect("pieces" in done.stderr, done.stderr)
    alone = os.path.join(os.path.dirname(folder), "alone")
    shutil.copy(PROGRAM, alone)
    done = subprocess.run([alone, "proof", "auale", "--seeds", "3", "--db", folder], stderr=subprocess.PIPE, text=True,
                          env={**environment(), "PATH": os.path.dirname(CHECKER)}, check=False)
    expect(done.returncode == 69 and "make proof" in done.stderr, done.returncode, done.stderr)
    need_checker()
    done = run("proof", "auale", "--seeds", "3", "--db", folder, exit_code=66)
    expect("--depth" in done.stderr, done.stderr)


def heard(folder, says, code, *asked, game="auale"):
    """A script in place of the checker, and what the command makes of it."""
    false = os.path.join(os.path.dirname(folder), "false-proof")
    with open(false, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\n{says}\n")
    os.chmod(false, 0o755)
    patience = "1s" if code == 75 else "0s"
    return false, run("proof", game, *asked, "--db", folder, "--checker", false, "--watchdog", patience, exit_code=code)


def checkers_that_only_end_are_not_believed(folder):
    """Each says less than a verdict, and ends with 0; the greeting and the bytes are those of tables of one seed."""
    build(folder, "--seeds", "1", "--depth")
    version = run("--version").stdout.split()[1]
    hello = f"echo tauler-proof {version} awari scores 1; "
    reads = "n=$(wc -c); "
    for says, code, shows in (("exit 0", 74, "without a verdict"), (f"{reads}exit 0", 74, "without a verdict"),
                              (f"echo holds 0; {reads}echo holds 1", 69, "is not tauler-proof"),
                              (f"{hello}{reads}echo holds 0; echo holds 1", 74, "without a verdict"),
                              (f"{hello}{reads}echo holds 0; echo holds 1; echo read 3", 74, "no verdict"),
                              (f"{hello}{reads}echo holds 1; echo read $n", 74, "no verdict"),
                              (f"{hello}{reads}echo holds 0; echo read $n", 74, "no verdict"),
                              (f"{hello}{reads}echo holds 0; echo wrong 1", 1, "slice 1 does not pass"),
                              ("while :; do :; done", 75, "has done nothing"), ("exec sleep 9999", 75, "has done nothing"),
                              (f"{hello}{reads}echo holds 0; echo holds 1; echo read $n; exit 9", 0, "SHA-256")):
        false, done = heard(folder, says, code, "--seeds", "1")
        expect(shows in done.stdout + done.stderr, says, done.stdout, done.stderr)
    with open(false, "rb") as file:
        expect(hashlib.sha256(file.read()).hexdigest() in done.stdout, "another digest of the checker:", done.stdout)


def tables_in(folder):
    return {".".join(name.split(".")[:2]) for _, _, names in os.walk(folder) for name in names if name.endswith(".zst")}


def smaller_endings_are_sent_first(folder):
    """Slices with two pieces, too, which `--pieces 3` does not name."""
    run("build", "doushouqi", "--pieces", "3", "--db", folder)
    there = tables_in(folder)
    version = run("--version").stdout.split()[1]
    holds = "".join(f"echo holds {i}; " for i in range(len(there) // 2))
    says = f"echo tauler-proof {version} doushouqi base 3; n=$(wc -c); {holds}echo read $n"
    _, done = heard(folder, says, 0, "--pieces", "3", "--json", game="doushouqi")
    sent = [f"{t['slice']}.{t['stream']}" for t in json.loads(done.stdout)["tables"]]
    expect(sent[:3] == ["Ee.value", "Ee.depth", "El.value"] and set(sent) == there, sent[:6], set(sent) ^ there)


def checkers_that_hide_what_they_trust_are_not_believed(folder):
    """Lines of play close the slice of two seeds, so its verdict has to say how many boards are trusted."""
    build(folder, *OWN_ROW, "--seeds", "2", "--depth")
    version = run("--version").stdout.split()[1]
    starts = f"echo tauler-proof {version} abapa exact 2 2; n=$(wc -c); echo holds 0; echo "
    for says, code, shows in (("holds 1; echo holds 2", 74, "says 'holds 2'"), ("holds 1; echo holds 2 but for", 74, "holds 2"),
                              ("holds 1; echo holds 2 but for 7 or so", 74, "7 or so"), ("holds 1 but for 0", 74, "holds 1"),
                              ("holds 1; echo holds 2 but for 0", 0, "Theorem"), ("holds 1; echo holds 2 but for 9", 0, "2: 9\n")):
        _, done = heard(folder, f"{starts}{says}; echo read $n", code, "--seeds", "2", *OWN_ROW)
        expect(shows in done.stdout + done.stderr, says, done.stdout, done.stderr)
        expect(code or ("Taken on trust" in done.stdout) == says.endswith("9"), says, done.stdout)


def random_boards(rng):
    for _ in range(BOARDS):
        seeds = rng.randrange(49)
        board = [0] * 12
        pits = [pit for pit in range(12) if rng.random() < rng.choice((0.2, 0.6, 1))] or [rng.randrange(12)]
        for _ in range(seeds):
            board[rng.choice(pits)] += 1
        if rng.random() < 0.3:
            board[rng.randrange(6)] += sum(board[6:])
            board[6:] = [0] * 6
        yield board


def probed(boards, rules, folder):
    """The moves by `tauler probe`: pit, seeds captured, board of the other side."""
    texts = "".join("-".join(map(str, board)) + "-0-0-S\n" for board in boards)
    done = subprocess.run([TAULER, "probe", "auale", "--rules", rules, "--db", folder, "--json"], input=texts,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(), check=False)
    for line in done.stdout.splitlines():
        moves = []
        for move in json.loads(line)["moves"]:
            numbers = [int(x) for x in move["position"].split("-")[:14]]
            moves.append(["ABCDEF".index(move["move"]), numbers[12], *numbers[6:12], *numbers[:6]])
        yield sorted(moves)


def rules_are_those_of_probe(folder):
    need_checker()
    os.makedirs(folder)
    for rules in ("awari", "abapa"):
        boards = list(random_boards(random.Random(rules)))
        texts = "".join(" ".join(map(str, board)) + "\n" for board in boards)
        done = subprocess.run([CHECKER, rules, "moves"], input=texts, stdout=subprocess.PIPE, text=True, check=True)
        proven = [sorted([int(x) for x in move.split()] for move in line.split("; ") if move)
                  for line in done.stdout.splitlines()]
        asked = list(probed(boards, rules, folder))
        expect(len(asked) == len(proven) == BOARDS, len(asked), len(proven))
        for board, mine, other in zip(boards, proven, asked):
            if mine != other:
                raise Failure(f"{rules}: {board} has the moves {mine} in Coq and {other} in probe")


LETTERS, FILES, DENS = "rcwdptle", 7, (3, 59)
LAKES = {square + 7 * rank for square in (22, 23, 25, 26) for rank in range(3)}
RULE_SETS = ("base", "liacs", "base,leopard=wide", "base,wolf-over-dog,clearings,lakes=drink", "base,lakes=plain",
             "base,lakes=drink,drinkers=block", "liacs,lakes=drink", "base,jump-block=path,rat-shore=liacs,elephant-takes-rat")


def random_endings(rng, rules):
    """Pieces by square; half of them near each other, since more happens there."""
    for _ in range(BOARDS):
        pieces = {}
        near = rng.choice((None, 22, 30, 40, 33, 10, 52))
        for letter in [x.upper() for x in rng.sample(LETTERS, rng.randrange(1, 5))] + rng.sample(LETTERS, rng.randrange(1, 5)):
            swims = "plain" in rules or letter in "Rr" or ("drink" in rules and letter not in "Cc")
            free = [s for s in range(63) if s not in pieces and s not in DENS and (swims or s not in LAKES)]
            close = [s for s in free if near and abs(s // FILES - near // FILES) < 3 and abs(s % FILES - near % FILES) < 3]
            pieces[rng.choice(close or free)] = letter
        yield pieces


def written(pieces):
    rows = ["".join(pieces.get(FILES * rank + file, "1") for file in range(FILES)) for rank in range(8, -1, -1)]
    return "/".join(rows) + " w"


def after_move(pieces, name):
    """The pieces and their squares as the other side sees them after the move."""
    start, end = (FILES * (int(square[1]) - 1) + "abcdefg".index(square[0]) for square in (name[:2], name[2:]))
    moved = {**{s: x for s, x in pieces.items() if s != start}, end: pieces[start]}
    return sorted(f"{x.swapcase()}{FILES * (8 - s // FILES) + s % FILES}" for s, x in moved.items())


def moves_of_endings_are_those_of_probe(folder):
    need_checker()
    os.makedirs(folder)
    for rules in RULE_SETS:
        endings = list(random_endings(random.Random(rules), rules))
        texts = "".join(" ".join(f"{x}{s}" for s, x in pieces.items()) + "\n" for pieces in endings)
        done = subprocess.run([CHECKER, "doushouqi", rules, "moves"], input=texts, stdout=subprocess.PIPE, text=True, check=True)
        asked = subprocess.run([TAULER, "probe", "doushouqi", "--rules", rules, "--db", folder, "--json"],
                               input="".join(written(pieces) + "\n" for pieces in endings), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment(), check=False).stdout.splitlines()
        proven = [sorted(sorted(move.split()) for move in line.split("; ") if move) for line in done.stdout.splitlines()]
        expect(len(asked) == len(proven) == BOARDS, len(asked), len(proven))
        for pieces, mine, line in zip(endings, proven, asked):
            other = sorted(after_move(pieces, move["move"]) for move in json.loads(line)["moves"])
            expect(mine == other, f"{rules}: {pieces} leads to {mine} in Coq and to {other} in probe")


run_cases([tables_of_awari_are_proven, tables_of_abapa_are_proven, exact_values_of_abapa_are_proven, wrong_cells_are_refused,
           wrong_exact_values_are_refused, more_assumptions_are_refused, what_cannot_be_proven_is_refused,
           checkers_that_only_end_are_not_believed, checkers_that_hide_what_they_trust_are_not_believed,
           rules_are_those_of_probe, endings_are_proven, wrong_endings_are_refused, moves_of_endings_are_those_of_probe,
           smaller_endings_are_sent_first])
