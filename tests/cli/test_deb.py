#!/usr/bin/python3
# Tier: make check
"""The Debian packages: what lintian says of them; in a bare Debian they install, give the tables and answers that are
published, and leave nothing behind."""
import atexit
import functools
import json
import os
import pathlib
import platform
import shutil
import subprocess
import tempfile

import building
from building import Skip, expect, run_cases

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DIST = ROOT / "dist"
PACKAGES = ["libtauler-dev", "libtauler0", "python3-tauler", "tauler"]
POSITION = "0-0-1-0-2-1-1-0-0-3-0-1-20-19-S"
ASK = f"import tauler; print(tauler.open('/tables').select('auale', 'awari').probe('{POSITION}').table)"


def output(*command, **settings):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, timeout=building.SECONDS, **settings)
    expect(done.returncode == 0, "exit code", done.returncode, "of", *command[:8], done.stdout[-300:], done.stderr[-600:])
    return done.stdout


def packages():
    found = sorted(DIST.glob("*.deb"))
    expect([path.name.split("_")[0] for path in found] == PACKAGES, "packages in", DIST, found)
    return found


@functools.lru_cache(maxsize=None)
def bare():
    """A root with nothing but apt and what that needs."""
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        raise Skip("it needs root and mmdebstrap")
    release = platform.freedesktop_os_release()
    if release["ID"] != "debian":
        raise Skip("packages built on Debian are for the same Debian")
    above = pathlib.Path(tempfile.mkdtemp(prefix="tauler-deb."))
    atexit.register(shutil.rmtree, above, ignore_errors=True)
    root = above / "root"
    made = subprocess.run(["mmdebstrap", "--quiet", "--variant=apt", release["VERSION_CODENAME"], str(root)],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise Skip(f"no Debian could be fetched: {made.stderr.strip()[-200:]}")
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")
    return root


def inside(*command):
    """Its mounts and processes end with the command."""
    return output("unshare", "--mount", "--pid", "--fork", f"--mount-proc={bare()}/proc", "chroot", str(bare()), *command,
                  env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"})


def files_of_tauler():
    return inside("find", "/", "-xdev", "-name", "*tauler*", "-not", "-path", "/proc/*", "-not", "-path", "/var/log/*").split()


def lintian_is_silent(_):
    if not shutil.which("lintian"):
        raise Skip("install lintian")
    changes = [str(path) for path in DIST.glob("*.changes")]
    expect(len(changes) == 1, "not one list of packages:", changes)
    # Lintian takes bytes of machine code for words. The man pages, made of the same texts as the help, are checked.
    said = output("lintian", "--allow-root", "--pedantic", "--display-info", "--fail-on", "error,warning,info,pedantic",
                  "--suppress-tags", "spelling-error-in-binary", *changes)
    expect(not said, said)


def installs_and_answers(_):
    """One root serves this case and the next, which takes away what this one installs."""
    expect(not files_of_tauler(), "there before", files_of_tauler())
    for path in packages():
        shutil.copy(path, bare() / "tmp")
    inside("apt-get", "update", "-q")
    inside("apt-get", "install", "-q", "-y", "--no-install-recommends", *(f"/tmp/{path.name}" for path in packages()))
    for path in packages():
        (bare() / "tmp" / path.name).unlink()
    lines = inside("tauler", "build", "auale", "--seeds", "9", "--depth", "--db", "/tables", "--json", "--quiet").splitlines()
    golden = building.golden_digests("digests.csv")["auale", "awari", "even", "--seeds 12 --depth"]
    built = building.digests(map(json.loads, lines))
    expect(len(built) == 20 and built == {place: golden[place] for place in built}, built)
    inside("tauler", "verify", "--db", "/tables", "--quiet")
    proof = json.loads(inside("tauler", "proof", "auale", "--seeds", "9", "--db", "/tables", "--quiet", "--json"))
    expect(proof["theorem"] == "scores_hold", proof)
    answer = json.loads(inside("tauler", "probe", "auale", "--db", "/tables", "--json", POSITION))
    expect(answer["table"] == golden["9", "value"] and inside("python3", "-c", ASK).strip() == answer["table"], answer)
    for page in ("tauler", "tauler-build"):
        expect((bare() / f"usr/share/man/man1/{page}.1.gz").stat().st_size > 500, page)
    expect((bare() / "usr/share/bash-completion/completions/tauler").exists(), "no completion")


def program_of_a_user(_):
    """The example, compiled against what libtauler-dev installs, runs with what libtauler0 installs."""
    found = list(bare().glob("usr/lib/*/pkgconfig/tauler.pc"))
    expect(len(found) == 1, "not one pkg-config file:", found)
    flags = output("pkg-config", "--cflags", "--libs", "tauler", env={
        **os.environ, "PKG_CONFIG_LIBDIR": str(found[0].parent), "PKG_CONFIG_SYSROOT_DIR": str(bare()),
        "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}).split()
    example = bare() / "usr/share/doc/libtauler-dev/examples/best_move.c"
    output("gcc", "-std=c11", "-Werror", "-Wall", str(example), *flags, "-o", str(bare() / "best_move"))
    said = inside("/best_move", "/tables", "auale", "awari", POSITION)
    expect("win, value +9" in said, said)


def leaves_nothing(_):
    inside("apt-get", "purge", "-q", "-y", *PACKAGES)
    expect(not files_of_tauler(), "left behind:", files_of_tauler())


if __name__ == "__main__":
    run_cases((lintian_is_silent, installs_and_answers, program_of_a_user, leaves_nothing))
