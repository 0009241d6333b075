#!/usr/bin/env python3
# Tier: make check
"""Ranks that are killed, stopped or asked to stop at any moment: the job ends, nothing of it stays, and other
numbers of ranks and threads, with more memory or less, go on to the same tables."""
import collections
import os
import random
import re
import shutil
import signal
import struct
import sys
import time

sys.dont_write_bytecode = True
from building import CHECK, LONG, TAULER, check_whole, expect, leave_to_check, leftovers, run_cases, tables
from launching import (GONE_SECONDS, Job, contents, events, expect_same_files, follow_figures, keeps_exit_codes,
                       launch_build, launcher)

TRIES = 8
KILLS = 200 if LONG else 8 if CHECK else 2
AWARI_SEEDS = 12 if CHECK else 11
REQUESTS = {
    "abapa": ["--rules", "abapa", "--cycles", "forced", "--seeds", "11" if CHECK else "10", "--depth", "--level", "12"],
    "awari": ["--rules", "awari", "--seeds", str(AWARI_SEEDS), "--depth"],
    "retrograde": ["--rules", "awari", "--seeds", "9" if CHECK else "8", "--depth", "--engine", "retrograde"],
    "retrograde abapa": ["--rules", "abapa", "--cycles", "forced", "--seeds", "8", "--depth", "--engine", "retrograde"]}
INTERVALS = ("0.002s", "0.02s", "0.1s")
VICTIMS = ("one rank", "all", "launcher")


def steps(job):
    """The slices begun, and whether the build is over: its last line counts the positions solved."""
    seen = events(job.errors)
    return [event["step"] for event in seen if event["event"] == "start"], \
        any(event["event"] == "note" and event["message"].startswith("solved") for event in seen)


def wait_for_work(job, step=None):
    """Whether the job came to its first slice, or to the one that is meant, before it came to its end."""
    while job.process.poll() is None:
        begun = steps(job)[0]
        if begun and (step is None or step in begun):
            return True
        time.sleep(0.002)
    return False


# --- where a job was -------------------------------------------------------------------------------------

def generation_of(marker):
    with open(marker, "rb") as file:
        return struct.unpack_from("<Q", file.read(56), 32)[0]


def phase_of(folder, right):
    """The step at which all ranks were halted, from the files of the folder; None after the build."""
    left = leftovers(folder)
    names = [os.path.basename(path) for path in left]
    hidden = [re.sub(r"^\.tauler-tmp\.[^.]*\.\d+\.[0-9a-f]+\.", "", name) for name in names if name.startswith(".")]
    if any(name.endswith(".zst") for name in hidden):
        return "writing a table"
    if any(re.search(r"\.checkpoint\.\d+-\d+$", name) for name in hidden):
        return "saving units"
    if any(name.endswith(".checkpoint") for name in hidden):
        return "writing a marker"
    if "spill" in hidden:
        return "opening a file on the disk"
    markers = {name: generation_of(path) for path, name in zip(left, names) if name.endswith(".checkpoint")}
    for name in names:
        data = re.match(r"(.*\.checkpoint)\.(\d+)-\d+$", name)
        if data and int(data.group(2)) != markers.get(data.group(1), 0):
            return "between units and marker"
    missing = right.keys() - contents(folder).keys()
    if not missing:
        return "all tables done, a checkpoint still there" if markers else None
    slices = {int(os.path.basename(name).split(".")[0]) for name in missing}
    number = str(min(slices))
    streams = {os.path.basename(name).split(".")[1] for name in missing
               if os.path.basename(name).split(".")[0] == number}
    what = "values" if streams & {"value", "lower", "upper"} else "depths"
    return f"solving {what}, " + ("with a checkpoint" if markers else "none saved yet")


def expect_sound(folder, right):
    """Whatever bears the name of a table is the right one."""
    check_whole(folder)
    found = contents(folder) if os.path.exists(folder) else {}
    for path in tables(folder):
        name = os.path.relpath(path, folder)
        expect(found[name] == right.get(name), name, "is not what it should be")


# --- killed ----------------------------------------------------------------------------------------------

def kill(job, victim, chance):
    ranks = job.ranks()
    if victim == "one rank":
        pids = [chance.choice(ranks)] if ranks else []
    elif victim == "launcher":
        pids = [job.process.pid]
    else:
        pids = [job.process.pid, *ranks]
    job.signal(signal.SIGKILL, pids)
    return bool(pids)


def killed_once(folder, right, ranks, options, delay, victim, chance):
    """Kills a build after a while of work. The phase that it was in, or None when it came too late."""
    with Job(ranks, TAULER, "build", "auale", "--db", folder, *options) as job:
        if not wait_for_work(job):
            expect(job.wait() == 0, "exit code", job.status, job.errors)
            return None
        time.sleep(delay)
        hit = kill(job, victim, chance)
        status = job.wait()
        expect(job.wait_gone(), "after the death of", victim, "some stay for", GONE_SECONDS, "s:", job.processes())
        over = steps(job)[1]
        if not hit or over or status == 0:
            return None
        expect(status in (-9, 137, 9) or not keeps_exit_codes(), "exit code", status, "after the death of", victim,
               job.errors)
        return phase_of(folder, right)


class Setting:
    """One request: its tables, how long they take, and memory that makes builds go to the disk."""

    def __init__(self, folder, options):
        self.options = options
        began = time.monotonic()
        launch_build(0, folder, *options, "--quiet")
        self.seconds = time.monotonic() - began
        self.right = contents(folder)
        shutil.rmtree(folder)
        self.least = {}

    def settings(self, ranks, chance, folder):
        threads = str(chance.choice((1, 1, 2)))
        found = [*self.options, "--log-json", "--checkpoint", chance.choice(INTERVALS), "--threads", threads,
                 *chance.choice(([], ["--buffer", "1K"]))]
        if ranks > 1 and chance.random() < 0.3:
            if ranks not in self.least:
                self.least[ranks] = follow_figures(ranks, folder, *self.options, "--threads", "2")[0]
                shutil.rmtree(folder)
            found += ["--memory", str(self.least[ranks])]
        return found


def kill_until_done(folder, setting, chance, phases, wanted):
    """One folder, killed again and again, each time on other ranks, then brought to its end."""
    kills = 0
    for _ in range(chance.randrange(1, 8)):
        if kills == wanted:
            break
        ranks = chance.choice((0, 1, 2, 2, 3, 4))
        victim = chance.choice(VICTIMS)
        options = setting.settings(ranks, chance, folder + "-least")
        delay = chance.random() ** 2 * setting.seconds * (1 + 0.5 * ranks)
        phase = killed_once(folder, setting.right, ranks, options, delay, victim, chance)
        if phase is None:
            break
        kills += 1
        phases[phase, victim if ranks else "alone"] += 1
        expect_sound(folder, setting.right)
    ranks = chance.choice((0, 1, 2, 3, 4))
    launch_build(ranks, folder, *setting.settings(ranks, chance, folder + "-least"))
    expect_same_files(folder, setting.right, "after", kills, "kills, on", ranks, "ranks")
    shutil.rmtree(folder)
    return kills


def print_phases(phases):
    columns = ("alone", *VICTIMS)
    print(f"{'killed while':42}" + "".join(f"{name:>10}" for name in columns))
    for phase in sorted({phase for phase, _ in phases}):
        print(f"{phase:42}" + "".join(f"{phases[phase, name]:10}" for name in columns), flush=True)


def killed_at_any_moment(folder):
    launcher()
    chance = random.Random(int(os.environ.get("TAULER_SEED", "5")))
    phases = collections.Counter()
    settings = {}
    kills = turn = 0
    names = list(REQUESTS)[:None if LONG else 3]
    least = 6 if LONG else 2 if CHECK else 1
    while kills < KILLS or len({phase for phase, _ in phases}) < least:
        name = names[turn % len(names)]
        turn += 1
        if name not in settings:
            settings[name] = Setting(f"{folder}-right", REQUESTS[name])
        kills += kill_until_done(f"{folder}-{turn}", settings[name], chance, phases,
                                 max(1, KILLS - kills if LONG else min(3, KILLS - kills)))
        expect(turn < 10 * KILLS, "hardly any kill meets work:", kills, "in", turn, "builds, and little:", dict(phases))
    print_phases(phases)
    print(kills, "kills that met work in", turn, "folders")
    if not LONG:
        print(f"SKIP: {200 - KILLS} more kills: TAULER_LONG is not set")


# --- asked to stop ---------------------------------------------------------------------------------------

def stopped_once(folder, ranks, options, step):
    """Asks the launcher, which passes it on. Whether work was under way."""
    with Job(ranks, TAULER, "build", "auale", "--db", folder, *options, "--log-json") as job:
        if not wait_for_work(job, step):
            expect(job.wait() == 0, "exit code", job.status, job.errors)
            return False
        job.signal(signal.SIGUSR1, [job.process.pid])
        status = job.wait()
        expect(job.wait_gone(), "still running after the launcher's end:", job.processes())
        if status == 0:
            return False
        expect(status == 75 or not keeps_exit_codes(), "exit code", status, job.errors)
        words = [event["message"] for event in events(job.errors) if event["event"] == "error"]
        expect(len(words) == 1 and "run the same command again" in words[0], "not said what to do:", job.errors)
        return "all work is kept in" in words[0]


def stop_in_slice(folder, ranks, options, step):
    """The same, from the same tables and checkpoints again where the stop came too early or too late."""
    aside = folder + "-aside"
    for _ in range(TRIES):
        if os.path.exists(folder):
            shutil.copytree(folder, aside)
        if stopped_once(folder, ranks, options, step):
            shutil.rmtree(aside, ignore_errors=True)
            return True
        shutil.rmtree(folder)
        if os.path.exists(aside):
            os.rename(aside, folder)
    return False


def a_stopped_job_goes_on_with_other_ranks(folder):
    """A slice stopped on four ranks, then on one, then on three, and finished by two."""
    leave_to_check()
    if not keeps_exit_codes():
        chains = [(1, 2)]
    else:
        chains = [(4, 1, 3, 2), (0, 3, 2), (2, 0)] if LONG else [(4, 1, 3, 2)]
    for name in ("awari", "retrograde abapa") if LONG else ("awari",):
        options = [*REQUESTS[name], "--threads", "1"]
        setting = Setting(folder + "-right", options)
        slices = options[options.index("--seeds") + 1]
        for chain in chains:
            for tries in range(TRIES):
                # The last slice is the longest; one before it, when the machine is too fast.
                stops = [stop_in_slice(folder, ranks, options, f"slice {slices}") for ranks in chain[:-1]]
                launch_build(chain[-1], folder, *options)
                expect_same_files(folder, setting.right, name, chain, stops)
                shutil.rmtree(folder)
                if all(stops):
                    break
            expect(all(stops), name, chain, "no stop met work in every link, last", stops, "after", tries + 1)


def checkpoints(folder):
    return {path: os.path.basename(path).split(".")[1] for path in leftovers(folder)}


def what_a_dead_build_forgot_is_removed(folder):
    """A checkpoint whose tables were all there already; that of depths waits when they are not asked for."""
    leave_to_check()
    for name, stages in ("awari", {"values", "depths"}), *([("retrograde", {"waves-depths"})] if CHECK else []):
        slices = "9" if name == "awari" else "7"
        options = [*REQUESTS[name], "--seeds", slices, "--threads", "1", "--checkpoint", "0.000001s"]
        saved, aside, tries = {}, folder + "-aside", 0
        os.mkdir(aside)
        while not stages <= set(saved.values()):
            expect(tries < 50, name, "kept", saved)
            tries += 1
            shutil.rmtree(folder, ignore_errors=True)
            with Job(0, TAULER, "build", "auale", "--db", folder, *options, "--log-json") as job:
                while job.process.poll() is None and not stages <= set(saved.values()):
                    saved |= keep_checkpoints(folder, aside, slices, set(saved.values()))
                    time.sleep(0.001)
                job.wait()
        launch_build(0, folder, *options)
        right = contents(folder)
        for path in saved:
            shutil.copy(os.path.join(aside, os.path.basename(path)), path)
        launch_build(0, folder, *[option for option in options if option != "--depth"])
        expect(set(checkpoints(folder).values()) == stages - {"values"}, name, "without depths left:", leftovers(folder))
        launch_build(2 if name == "awari" else 0, folder, *options)
        expect_same_files(folder, right, name)
        shutil.rmtree(folder)
        shutil.rmtree(aside)


def keep_checkpoints(folder, aside, number, known):
    """Copies the markers of a slice, of stages that are not known yet."""
    found = {path: stage for path, stage in checkpoints(folder).items() if stage not in known and
             os.path.basename(path) == f"{number}.{stage}.checkpoint"} if os.path.exists(folder) else {}
    kept = {}
    for path, stage in found.items():
        try:
            shutil.copy(path, os.path.join(aside, os.path.basename(path)))
            kept[path] = stage
        except OSError:
            pass
    return kept


def hung_once(folder, which, options):
    """Whether a rank was made to stand still while there was work."""
    with Job(3, TAULER, "build", "auale", "--db", folder, *options, "--watchdog", "5s") as job:
        is_met = wait_for_work(job, f"slice {AWARI_SEEDS - 1}")
        job.signal(signal.SIGSTOP, job.ranks()[which:][:1])
        status = job.wait()
        gone = job.wait_gone()
        if not is_met or steps(job)[1]:
            expect(steps(job)[1], "no work was met:", job.errors)
            return False
        expect(gone, "still there after", GONE_SECONDS, "s:", job.processes(), job.errors)
        expect(status == 75 or not keeps_exit_codes(), "exit code", status, job.errors)
        expect("nothing has moved for 5 s" in job.errors and "run the same command again" in job.errors,
               "no word of it:", job.errors)
        return True


def a_rank_that_hangs_ends_the_job(folder):
    """A rank that stands still: the others notice, and nothing stays, not even the one that stands."""
    options = [*REQUESTS["awari"], "--threads", "1", "--log-json"]
    setting = Setting(folder + "-right", REQUESTS["awari"])
    for which in (0, -1) if LONG else (-1,):
        tries = 0
        while not hung_once(folder, which, options):
            shutil.rmtree(folder)
            tries += 1
            expect(tries < TRIES, "all jobs were over before a rank stood still")
        expect_sound(folder, setting.right)
        launch_build(2, folder, *options)
        expect_same_files(folder, setting.right, "after a rank stood still")
        shutil.rmtree(folder)


run_cases([killed_at_any_moment, a_stopped_job_goes_on_with_other_ranks, what_a_dead_build_forgot_is_removed,
           a_rank_that_hangs_ends_the_job])
