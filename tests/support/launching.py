"""Parts shared by the suites that start ranks: the launcher and its settings, jobs of which nothing stays behind,
what a job left in its folder, and builds on any number of ranks."""
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import building
from building import TAULER, Failure, Skip, expect, tables

# As root, with more ranks than processors, in containers that forbid to read another process. Threads that wait
# awake for their own rank's next work would take the processors away from the other ranks.
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    # All ranks are on this machine. Without a search for network cards they start in two thirds of the time.
    "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "HWLOC_COMPONENTS": "-pci,-linuxio",
    "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}
MARK = "TAULER_TEST_JOB"
SECONDS = 900  # for a job that takes two on an idle machine
GONE_SECONDS = 120
LOOK_SECONDS, LOOKS_ALONE = 5, 12  # whether a launcher is without ranks; it starts them in less than a second

# A request to end is an exception: it passes all finally clauses, which end the jobs.
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, lambda caught, _: sys.exit(128 + caught))


def implementation(program=TAULER):
    lines = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    return next(line.split(": ", 1)[1] for line in lines if line.startswith("MPI: "))


def launcher():
    """The launcher of the MPI that the program is linked with."""
    mpi = implementation()
    if mpi == "none":
        raise Skip("this tauler was built without MPI")
    names = ["mpirun.mpich", "mpiexec.hydra"] if "MPICH" in mpi else ["mpirun.openmpi", "mpirun"]
    found = next((name for name in names if shutil.which(name)), None)
    if not found:
        raise Skip("there is no " + " or ".join(names))
    return found


def keeps_exit_codes():
    """Of ranks that end one after the other MPICH's launcher tells its own story."""
    return "MPICH" not in implementation()


def environment(**extra):
    clean = {name: value for name, value in building.environment().items()
             if not name.startswith(("OMPI_", "PMI_", "PMIX_", "PRTE_", "SLURM_"))}
    # The message passing library itself gives not everything back.
    clean["ASAN_OPTIONS"] = clean.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    return {**clean, **SETTINGS, **extra}


def die_with_parent():
    """Even a suite that is killed leaves no launcher, and ranks end with theirs."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def read_process(pid, what):
    try:
        with open(f"/proc/{pid}/{what}", "rb") as file:
            return file.read()
    except OSError:
        return b""


class Job:
    """A launcher with its ranks, or (0 ranks) a program by itself, with a place of its own for what message
    passing leaves behind. To be used with `with`: nothing of it runs afterwards. Ranks of a build stay apart, though
    they are on one node, unless they may fold."""
    count = 0

    def __init__(self, ranks, *command, fold=False, **extra):
        Job.count += 1
        if ranks > 1 and "build" in command and not fold:
            command = (*command, "--fold=no")
        before = [launcher(), "-np", str(ranks)] if ranks else []
        self.mark = f"{os.getpid()}-{Job.count}"
        self.place = tempfile.mkdtemp(prefix="ranks.")
        extra = {"TMPDIR": self.place, "OMPI_MCA_btl_vader_backing_directory": self.place, MARK: self.mark, **extra}
        # Files, not pipes: who outlives the launcher keeps nobody waiting.
        self.files = [open(os.path.join(self.place, name), "w+", encoding="utf-8") for name in ("output", "errors")]
        self.start = time.monotonic()
        try:
            self.process = subprocess.Popen([*before, *command], stdin=subprocess.DEVNULL, stdout=self.files[0],
                                            stderr=self.files[1], env=environment(**extra), start_new_session=True,
                                            preexec_fn=die_with_parent)
        except OSError:
            self.tidy()
            raise
        self.seconds = 0
        self.status = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def text(self, which):
        with open(self.files[which].name, encoding="utf-8", errors="replace") as file:
            return file.read()

    @property
    def output(self):
        return self.text(0)

    @property
    def errors(self):
        return self.text(1)

    def processes(self):
        """All that the job has started, whoever their parent is now; zombies are no more. One that ends loses its
        environment before its files and locks, and is known by its session."""
        mark = f"{MARK}={self.mark}".encode()
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            state, _, _, session = (read_process(pid, "stat").rpartition(b") ")[2].split() or [b"Z", b"", b"", b"0"])[:4]
            ours = int(session) == self.process.pid or mark in read_process(pid, "environ").split(b"\0")
            if ours and state != b"Z":
                found.append(int(pid))
        return found

    def ranks(self):
        """Its processes that run the program, in the order in which they were started."""
        program = os.path.realpath(TAULER)
        found = []
        for pid in self.processes():
            try:
                if os.path.realpath(f"/proc/{pid}/exe") == program:
                    found.append(pid)
            except OSError:
                pass
        return sorted(found)

    def is_launcher_alone(self):
        return self.process.args[0] == launcher() and self.processes() == [self.process.pid]

    def wait(self, seconds=SECONDS):
        """Waits for the launcher; a job that does not end is ended and a failure, a launcher that stays for a minute
        without ranks no case of ours."""
        until, looks_alone = time.monotonic() + seconds, 0
        while self.status is None:
            try:
                self.status = self.process.wait(min(LOOK_SECONDS, max(0, until - time.monotonic())))
            except subprocess.TimeoutExpired:
                looks_alone = looks_alone + 1 if self.is_launcher_alone() else 0
                is_late, said = time.monotonic() >= until, self.errors
                if looks_alone < LOOKS_ALONE and not is_late:
                    continue
                self.end()
                if looks_alone:
                    raise Skip("mpirun did not end, though no rank was left") from None
                raise Failure(f"{' '.join(self.process.args)} did not end in {seconds} s: {said}") from None
        self.seconds = time.monotonic() - self.start
        return self.status

    def wait_gone(self, seconds=GONE_SECONDS):
        """Whether in the end nothing of the job runs."""
        until = time.monotonic() + seconds
        while self.processes():
            if time.monotonic() > until:
                return False
            time.sleep(0.05)
        return True

    def signal(self, number, pids):
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def end(self):
        while running := self.processes():
            self.signal(signal.SIGKILL, running)
            time.sleep(0.01)
        self.process.wait()
        self.tidy()

    def tidy(self):
        for file in self.files:
            file.close()
        shutil.rmtree(self.place, ignore_errors=True)


class Ended:
    def __init__(self, job):
        self.status, self.output, self.errors, self.seconds = job.status, job.output, job.errors, job.seconds

    def lines(self):
        """Of a build with --json."""
        return [json.loads(line) for line in self.output.splitlines()]

    def said(self):
        """The program's last lines, without progress and without the launcher's own words."""
        return [line for line in self.errors.splitlines() if line.startswith("tauler build: ")] + \
            [event["message"] for event in events(self.errors) if event["event"] == "error"]

    def complaint(self):
        """The same, said once."""
        expect(len(self.said()) == 1, "said", len(self.said()), "times:", self.errors)
        return self.said()[0]


def launch(ranks, *command, seconds=SECONDS, **extra):
    """Runs a job to its end, which nothing of it outlives."""
    with Job(ranks, *command, **extra) as job:
        job.wait(seconds)
        expect(job.wait_gone(), "still running after the launcher's end:", job.processes())
        return Ended(job)


def launch_build(ranks, folder, *options, exit_code=0, program=TAULER, **settings):
    """0 ranks: without a launcher."""
    done = launch(ranks, program, "build", "auale", "--db", folder, *options, **settings)
    expect(exit_code is None or done.status == exit_code or (exit_code and done.status and not keeps_exit_codes()),
           "exit code", done.status, "not", exit_code, "of", ranks, "ranks with", " ".join(options), "-", done.errors)
    return done


def contents(folder):
    """All files of a folder of tables, by name."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def expect_same_files(folder, right, *what):
    """The same tables byte for byte, and nothing else: no hidden file, no part of a checkpoint."""
    found = contents(folder)
    expect(found.keys() == right.keys(), *what, "missing:", sorted(right.keys() - found.keys()), "too many:",
           sorted(found.keys() - right.keys()))
    other = sorted(name for name in right if found[name] != right[name])
    expect(not other, *what, "other bytes:", other)


def follow_figures(ranks, folder, *options):
    """Builds with as little memory as the refusals name, none of which may come after work was begun. Returns
    how much that was, and the build."""
    memory = 1 << 20
    for _ in range(4):
        done = launch_build(ranks, folder, *options, "--memory", str(memory), exit_code=None)
        if done.status == 0:
            return memory, done
        named = re.search(r"\((\d+) bytes\) wanted", done.complaint())
        expect(done.status == 69 or not keeps_exit_codes(), "exit code", done.status, done.errors)
        expect(named and int(named.group(1)) > memory, "with", memory, "bytes no larger figure is named:", done.errors)
        expect(done.output == "" and tables(folder) == [], "work was begun that could not end")
        memory = int(named.group(1))
    raise Failure(f"{memory} bytes were asked for in the end, and do not suffice: {done.errors}")


def events(errors):
    """The lines of --log-json, as far as they are whole."""
    found = []
    for line in errors.splitlines():
        try:
            if line.startswith("{"):
                found.append(json.loads(line))
        except ValueError:
            pass
    return found
