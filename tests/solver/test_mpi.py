#!/usr/bin/env python3
"""Ranks that a launcher starts reach each other, fail together and end together; a program that was started
without one, or was built without MPI, knows it. Needs a launcher of the MPI that the program is linked with."""
import os
import re
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import building
from building import CHECK, TAULER, Skip, digests, expect, leave_to_check, run, run_cases, worked
from launching import Ended, Job, environment, implementation, keeps_exit_codes, launch, launcher

HELPER = os.path.join(os.environ.get("TAULER_BUILD", "build"), "tests", "support", "started", "mpi_comm")
SECONDS = 900


def travel(ranks, what="checks"):
    done = launch(ranks, HELPER, what)
    expect(done.status == 0, "exit code", done.status, done.output, done.errors)
    expect(sorted(done.output.splitlines()) == [f"rank {rank} of {ranks}: fine" for rank in range(ranks)],
           "not all fine:", done.output, done.errors)


def one_rank_is_a_team(_):
    travel(1)


def two_ranks_reach_each_other(_):
    travel(2)


def four_ranks_reach_each_other(_):
    travel(4)


def more_than_a_message_can_count(_):
    leave_to_check()
    travel(2, "large")


def a_broken_team_ends(_):
    done = launch(3, HELPER, "broken")
    said = re.findall(r"^input or output failed: rank 2 of 3 cannot reach the others: spreading bytes: .*root.*$",
                      done.errors, re.MULTILINE | re.IGNORECASE)
    expect(said, "not said what failed:", done.errors)
    expect("goes on" not in done.errors, "a broken team goes on:", done.errors)
    expect(done.status == 74 if keeps_exit_codes() else done.status != 0, "exit code", done.status)


def waiting_ranks_end_with_75(_):
    for seconds in (1, 5, 25):  # a busy machine may have given a rank no time in one
        done = launch(3, HELPER, "stall", str(seconds))
        if done.output.count("moved") == 3:
            break
    expect(done.output.count("moved") == 3, "ended although something moved:", done.output, done.errors)
    expect(re.search(rf"^tauler: rank [01]: nothing has moved for {seconds} s .*run the same command again$", done.errors,
                     re.MULTILINE), "no word of it:", done.errors)
    expect(done.status == 75 if keeps_exit_codes() else done.status != 0, "exit code", done.status)


def helper_alone(words, status, **extra):
    done = subprocess.run([HELPER, "lone"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env=environment(**extra), timeout=SECONDS, check=False)
    expect(done.returncode == status, "exit code", done.returncode, done.stderr)
    expect(words in done.stdout + done.stderr, "said", done.stdout, done.stderr)


def without_a_launcher_nothing_starts(_):
    helper_alone("rank 0 of 1: no comm", 0)


def another_mpis_launcher_is_refused(_):
    if launcher() and "MPICH" in implementation():
        helper_alone("2 ranks were started but each sees itself alone", 64, OMPI_COMM_WORLD_SIZE="2",
                     OMPI_COMM_WORLD_RANK="1")
    else:
        helper_alone("2 ranks were started but each sees itself alone", 64, PMI_SIZE="2", PMI_RANK="1")


def who_is_alone_says_so(folder):
    """Whatever rank its launcher calls it."""
    settings = {"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "1"} if "MPICH" in implementation() else \
        {"PMI_SIZE": "4", "PMI_RANK": "1"}
    for command in ["build", "auale", "--seeds", "2", "--db", folder], ["verify", "--db", folder], ["stats", "--sedes"]:
        done = run(*command, exit_code=64, env=environment(**settings))
        expect(re.match(f"tauler {command[0]}: ", done.stderr) and done.stdout == "", command, "said", done.stderr)


def without_mpi_ranks_are_refused(_):
    if implementation() != "none":
        raise Skip("this tauler was built with MPI")
    helper_alone("built without MPI", 64, OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0")
    helper_alone("no comm", 0, OMPI_COMM_WORLD_SIZE="1", OMPI_COMM_WORLD_RANK="0")


def a_mistake_is_said_once(_):
    mistakes = [(["--sedes", "2"], "unknown option --sedes", 64), (["--seeds", "2", "--db", "/dev/null/db"], "/dev/null", 74)]
    if CHECK:
        mistakes += [(["--seeds", "x"], "not x", 64), (["--seeds", "2", "--watchdog", "soon"], "--watchdog soon", 64)]
    for mistake, words, status in mistakes:
        done = launch(3, TAULER, "build", "auale", *mistake)
        lines = [line for line in done.errors.splitlines() if line.startswith("tauler build: ")]
        expect(len(lines) == 1 and words in lines[0], mistake, "was said", len(lines), "times:", done.errors)
        expect(done.status == status, "exit code", done.status, "not", status)
        expect(done.output == "", "printed", done.output)


def launch_each(*commands, **settings):
    """Rank i runs commands[i]."""
    words = list(commands[0])
    for command in commands[1:]:
        words += [":", "-np", "1", *command]
    return launch(1, *words, **settings)


def expect_refusal(done, *words):
    lines = [line for line in done.errors.splitlines() if line.startswith("tauler build: ")]
    expect(len(lines) == 1 and all(word in lines[0] for word in words), words, "was said", len(lines), "times:", done.errors)
    expect(done.status == 64 if keeps_exit_codes() else done.status != 0, "exit code", done.status, done.errors)
    expect(done.output == "", done.output)


def build_by(db, *options, program=TAULER):
    return [program, "build", "auale", "--db", db, "--quiet", "--fold=no", *options]


def ranks_started_otherwise_are_refused(db):
    usual = build_by(db, "--seeds", "3", "--rules", "awari")
    others = [(["--seeds", "4", "--rules", "awari"], ["--seeds 4", "--seeds 3"]),
              (["--seeds", "3", "--rules", "awari", "--depth"], ["--depth", "no --depth"])]
    if CHECK:
        others += [(["--seeds", "3", "--rules", "abapa"], ["--rules abapa", "--rules awari"]),
                   (["--seeds", "3", "--rules", "awari", "--fold=yes"], ["--fold yes", "--fold no"])]
    for other, said in others:
        expect_refusal(launch_each(usual, usual, build_by(db, *other)), "rank 2 on host", "rank 0 with", *said)
    expect_refusal(launch_each(usual, [TAULER, "verify", "--db", db]), '"tauler verify"', '"tauler build"')
    expect_refusal(launch_each(usual, build_by(db, "--sedes", "3")), "unknown option --sedes")
    expect_refusal(launch_each(usual, usual + ["--watchdog", "soon"]), "--watchdog soon")
    done = launch_each(usual + ["--threads", "2", "--memory", "1G"], build_by(db, "--seeds=3", "--rules", "awari"))
    expect(done.status == 0, "refused what is a rank's own affair:", done.errors)


def another_version_is_refused(db):
    """Its copy says another number, which is as long."""
    with open(TAULER, "rb") as file:
        program = file.read()
    version = subprocess.run([TAULER, "--version"], stdout=subprocess.PIPE, check=True).stdout.split()[1]
    other = version[:-1] + (b"8" if version[-1:] == b"9" else b"9")
    os.makedirs(db)
    changed = os.path.join(db, "tauler")
    with open(changed, "wb") as file:
        file.write(program.replace(version + b"\0", other + b"\0"))
    os.chmod(changed, 0o755)
    done = launch_each(build_by(db, "--seeds", "2"), build_by(db, "--seeds", "2", program=changed))
    expect_refusal(done, f"tauler {other.decode()}", f"tauler {version.decode()}")


def another_folder_is_refused(db):
    usual = build_by(db, "--seeds", "2")
    done = launch_each(usual, build_by(db + "-other", "--seeds", "2"))
    expect_refusal(done, "rank 1 on host", "does not see the folder of rank 0", db + "-other")
    above = os.path.dirname(db)
    done = launch_each(usual, build_by(os.path.join(above, ".", "db"), "--seeds", "2"))
    expect(done.status == 0, "the same folder by another name is refused:", done.errors)


def a_rank_that_never_starts_is_noticed(db):
    """The others wait for it before a team is there."""
    done = launch_each(build_by(db, "--seeds", "2", "--watchdog", "2s"), ["sleep", "3600"])
    expect(re.search(r"^tauler: rank 0 on host .*: nothing has moved for 2 s .*run the same command again$", done.errors,
                     re.MULTILINE), "no word of it:", done.errors)
    expect(done.status == 75 if keeps_exit_codes() else done.status != 0, "exit code", done.status)


def one_launched_rank_builds(db):
    done = launch(1, TAULER, "build", "auale", "--db", db, "--json", "--seeds", "6", "--quiet")
    expect(done.status == 0, "exit code", done.status, done.errors)
    alone = building.build(db + "-alone", "--seeds", "6")
    expect(digests([building.json.loads(line) for line in done.output.splitlines()]) == digests(alone), "other tables")


def threads_wait_asleep(_):
    """With and without a launcher, unless the environment says otherwise."""
    def spins(**said):
        extra = {"OMP_DISPLAY_ENV": "verbose", **said}
        env = {name: value for name, value in environment(**extra).items() if name != "OMP_WAIT_POLICY" or name in said}
        done = subprocess.run([TAULER, "--version"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
                              timeout=SECONDS, check=True)
        return re.findall(r"GOMP_SPINCOUNT ?= ?'(\w+)'", done.stderr)
    if not spins():
        raise Skip("this OpenMP does not say how it waits")
    expect(spins()[-1] == "0", "threads spin:", spins())
    asked = spins(OMP_WAIT_POLICY="active")
    expect(len(asked) == 1 and asked != ["0"], "not as asked:", asked)


def options_of_ranks_are_checked(db):
    for wrong in "1023", "256.1K", "1M", "x", "":
        run("build", "auale", "--seeds", "2", "--db", db, "--buffer", wrong, exit_code=64)
    expect("between 1K and 256K" in run("build", "auale", "--seeds", "2", "--buffer", "1", exit_code=64).stderr)
    run("build", "auale", "--seeds", "2", "--db", db, "--watchdog", "-1", exit_code=64)
    for fine in (["--buffer", "1K"], ["--buffer", "256K"], ["--watchdog", "0s"], ["--watchdog", "1m"]):
        run("build", "auale", "--seeds", "2", "--db", db, *fine)


def answer_by(ranks, command, *words, exit_code=0):
    """Standard output and error of a command on so many ranks that stay apart; 0: without a launcher."""
    done = launch(ranks, TAULER, command, *words, "--quiet", *(["--fold=no"] if ranks else []))
    expect(done.status == exit_code or (exit_code and done.status and not keeps_exit_codes()), "exit code", done.status,
           "of", ranks, "ranks with", command, *words, done.errors)
    return done.output, [line for line in done.errors.splitlines() if line.startswith(f"tauler {command}: ")]


AWARI = ["auale", "--rules", "awari", "--seeds", "10"]
OCA = ["oca", "--players", "2"]
# Requests, ways to count of make test, and those of make check.
COUNTED = [
    (AWARI, [["--boards", "all"]], [["--depths", "--json"], ["--csv", "--total"]]),
    (["auale", "--rules", "abapa", "--seeds", "6"], [], [["--csv", "--total"]]),
    (["auale", "--rules", "abapa", "--cycles", "own-row", "--seeds", "6"], [["--csv", "--total"]], []),
    (["doushouqi", "--pieces", "2"], [["--depths"]], [["--csv", "--total"]]),
    (["phutball", "--board", "5x4"], [], [["--depths", "--csv"]]),
    (OCA, [["--simulate", "600", "--csv"]], [["--total"], ["--exact"]]),
    (["oca-asesina", "--board", "20", "--tokens", "1"], [["--choices", "--csv"], ["--matches", "--first", "random"]],
     [["--policies"], ["--matches", "--csv"], ["--simulate", "600", "--play", "best,random"]]),
    (["oca-asesina", "--board", "63", "--tokens", "1"], [], [["--policies"]])]


def damage(path):
    with open(path, "r+b") as file:
        middle = os.path.getsize(path) // 2
        file.seek(middle)
        byte = file.read(1)[0]
        file.seek(middle)
        file.write(bytes([byte ^ 1]))


def ranks_count_what_one_counts(db):
    for what, usual, more in COUNTED:
        ways = usual + more if CHECK else usual
        if not ways:
            continue
        run("build", *what, *(["--depth"] if what == AWARI else []), "--db", db, "--quiet")
        for way in ways:
            if what[0] == "oca" and "--exact" in way:
                what = ["oca", "--players", "1"]
            alone = answer_by(0, "stats", *what, *way, "--db", db)
            expect(alone[0].count("\n") > 1, "little was counted:", what, way, alone)
            for ranks in (2, 3) if CHECK else (3,):
                expect(answer_by(ranks, "stats", *what, *way, "--db", db) == alone, "on", ranks,
                       "ranks another answer:", what, way, *alone)
    folded = launch(2, TAULER, "stats", *AWARI, "--csv", "--db", db, "--threads", "1")
    expect(folded.output == answer_by(0, "stats", *AWARI, "--csv", "--db", db)[0] and
           "2 ranks on 1 node run as 1 with 2 threads" in folded.errors, "folded:", folded.output, folded.errors)
    # Slices 7 and 8 go to different ranks; the first is what one rank complains of.
    for name in "8.depth.zst", "7.depth.zst":
        damage(os.path.join(db, "auale/awari/even", name))
    alone = answer_by(0, "stats", *AWARI, "--depths", "--csv", "--db", db, exit_code=65)
    expect(len(alone[1]) == 1 and "7.depth.zst" in alone[1][0], "not damaged:", alone)
    for ranks in (2, 3) if CHECK else (3,):
        found = answer_by(ranks, "stats", *AWARI, "--depths", "--csv", "--db", db, exit_code=65)
        expect(found[1] == alone[1], "on", ranks, "ranks another complaint:", found[1], "not", alone[1])
    os.remove(os.path.join(db, "auale/awari/even/3.value.zst"))
    expect(answer_by(3, "stats", *AWARI, "--csv", "--db", db, exit_code=66) ==
           answer_by(0, "stats", *AWARI, "--csv", "--db", db, exit_code=66), "a missing table is another")


def signal_an_answer(number, command, *words, past=0):
    """Three ranks of which the last gets a signal, once it has worked for so many seconds. Open MPI's launcher itself
    ends with SIGSEGV at times: that is not the program's affair, and is tried again."""
    for _ in range(3):
        with Job(3, TAULER, command, *words, "--quiet", "--fold=no") as job:
            while job.process.poll() is None and (len(job.ranks()) < 3 or worked(job.ranks()[-1]) < past):
                time.sleep(0.005)
            job.signal(number, job.ranks()[-1:])
            job.wait()
            expect(job.wait_gone(), command, "still running:", job.processes())
            ended = Ended(job)
        if ended.status != -signal.SIGSEGV:
            break
    return ended


def a_stopped_or_killed_rank_ends_an_answer(db):
    """Of those that only read tables: the others notice, and nothing stays."""
    leave_to_check()
    run("build", *AWARI, "--db", db, "--quiet")
    run("build", *OCA, "--db", db, "--quiet")
    verify, stats = ["verify"], ["stats", *AWARI, "--boards", "all"]
    for command in verify, *([stats] if CHECK else []):
        for _ in range(8):
            job = signal_an_answer(signal.SIGSTOP, *command, "--db", db, "--watchdog", "2s")
            if job.status != 0:
                break  # else all was over before
        expect(job.status == 75 or not keeps_exit_codes(), command, "exit code", job.status, job.errors)
        expect("nothing has moved for 2 s" in job.errors, command, "no word of it:", job.errors)
    # Of a rank that dies at its start, Open MPI's launcher may wait for ever: this one has much to do.
    job = signal_an_answer(signal.SIGKILL, "stats", *OCA, "--simulate", "2000000000", "--db", db, past=0.3)
    expect(job.status in (-9, 137, 9) or not keeps_exit_codes(), "exit code", job.status, job.errors)
    for command in "verify", "stats":
        run(command, "auale", "--db", db, "--watchdog", "-1", exit_code=64)
        run(command, *AWARI, "--db", db, "--watchdog", "1m", "--quiet")


def verify_by(ranks, db, *options, exit_code=0):
    """Lines of a proof on so many ranks, 0: without a launcher."""
    return answer_by(ranks, "verify", "--db", db, "--json", *options, exit_code=exit_code)


def ranks_prove_what_one_proves(db):
    for what in (["auale", "--rules", "awari", "--seeds", "7", "--depth"],
                 ["auale", "--rules", "abapa", "--cycles", "own-row", "--seeds", "6"],
                 ["auale", "--rules", "abapa", "--seeds", "6"], ["doushouqi", "--pieces", "2"],
                 ["oca", "--players", "2"], ["oca-asesina", "--board", "20", "--tokens", "1"]):
        run("build", *what, "--db", db, "--quiet")
    alone = verify_by(0, db)
    expect(alone[0].count("\n") > 40, "few tables:", alone)
    expect(all('"verdict":"proven"' in line for line in alone[0].splitlines()), "not all proven:", alone)
    for ranks in (2, 3) if CHECK else (3,):
        expect(verify_by(ranks, db) == alone, "on", ranks, "ranks another report than alone:", *alone)
    folded = launch(2, TAULER, "verify", "--db", db, "--json", "--quiet")
    expect((folded.output, []) == alone, "folded ranks report otherwise", folded.errors)
    for name in "auale/awari/even/6.value.zst", "auale/awari/even/7.depth.zst":
        damage(os.path.join(db, name))
    alone = verify_by(0, db, exit_code=65)
    expect('"damaged"' in alone[0] and len(alone[1]) == 1, "not damaged:", alone)
    for ranks in (2, 3) if CHECK else (3,):
        expect(verify_by(ranks, db, exit_code=65) == alone, "on", ranks, "ranks another report than alone")


def a_mistake_in_a_proof_is_said_once(db):
    leave_to_check()
    for words, status, *mistake in (("--sedes", 64, "--sedes", "2"), ("needs the game", 64, "--seeds", "2"),
                                    ("--threads", 64, "--threads", "x"), ("cannot read", 66)):
        output, said = verify_by(3, db, *mistake, exit_code=status)
        expect(len(said) == 1 and words in said[0] and output == "", mistake, "was said", said, output)


run_cases([one_rank_is_a_team, two_ranks_reach_each_other, four_ranks_reach_each_other, more_than_a_message_can_count,
           a_broken_team_ends, waiting_ranks_end_with_75, without_a_launcher_nothing_starts,
           another_mpis_launcher_is_refused, who_is_alone_says_so, without_mpi_ranks_are_refused,
           a_mistake_is_said_once, ranks_started_otherwise_are_refused,
           another_version_is_refused, another_folder_is_refused, a_rank_that_never_starts_is_noticed,
           one_launched_rank_builds, options_of_ranks_are_checked, threads_wait_asleep,
           ranks_prove_what_one_proves, a_mistake_in_a_proof_is_said_once, ranks_count_what_one_counts,
           a_stopped_or_killed_rank_ends_an_answer])
