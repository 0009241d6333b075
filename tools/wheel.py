#!/usr/bin/env python3
"""Packs the Python module, the library and what that needs into a wheel.

wheel.py VERSION LIBRARY FOLDER [--native] [--beside]
The library looks for what it needs in its own folder first (its RUNPATH is $ORIGIN). The tag names its processor and the
oldest glibc that has every symbol (PEP 600), or musl (PEP 656); --native: a library for this processor alone, which no
other machine should take; --beside: other wheels stay. $CC is the compiler that made the library.
"""
import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULE = ROOT / "analysis" / "python" / "tauler"
# Every Linux has these; all else goes into the wheel.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libgcc_s)\.so(\.\d+)?|ld-linux.*")
MACHINES = {"Advanced Micro Devices X86-64": "x86_64", "AArch64": "aarch64"}
METADATA = """\
Metadata-Version: 2.1
Name: tauler
Version: {version}
Summary: Exact values of game positions from Tauler tables
License: MIT
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
Description-Content-Type: text/plain

Asks tables of Tauler: the value of a position, every move in it, best play.

Inside are shared libraries as these packages have them; licenses/ in the .dist-info folder has their terms, and
https://snapshot.debian.org, or the distribution that they are from, their sources:
{packages}
"""


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-dW", path))


def carried(library):
    """The libraries to carry: path by name."""
    found = {}
    for name in needed(library):
        if SYSTEM.fullmatch(name):
            continue
        found[name] = output(*os.environ.get("CC", "gcc").split(), f"-print-file-name={name}").strip()
        if not os.path.exists(found[name]):
            sys.exit(f"wheel.py: {name}, which {library} needs, is not where the compiler looks")
        found.update(carried(found[name]))
    return dict(sorted(found.items()))


def package_of(path):
    """The Debian package of a library: name, version, terms with the text of the GPL that they refer to."""
    real = pathlib.Path(os.path.realpath(path))
    try:
        owners = [line.split(": ") for line in output("dpkg", "-S", f"*/{real.name}").splitlines()]
        package, = (owner for owner, file in owners if file.split("/")[-2:] == list(real.parts[-2:]))
        version = output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package)
    except (OSError, ValueError, subprocess.CalledProcessError):
        sys.exit(f"wheel.py: no package of Debian is known to have {path}, so its licence is not known; "
                 "build the wheel on Debian or a relative of it")
    return f"{package} (source {version})", terms_of(package.split(":")[0])


def terms_of(package):
    terms = pathlib.Path("/usr/share/doc", package, "copyright").read_text("utf-8")
    for name in sorted(set(re.findall(r"/usr/share/common-licenses/(GPL-\d)", terms))):
        terms += f"\n{name}:\n\n" + pathlib.Path("/usr/share/common-licenses", name).read_text("utf-8")
    return terms


def platform_tag(paths, native):
    heads = [output("readelf", "-hdVW", path) for path in paths]
    machine, = {MACHINES[re.search(r"Machine: +(.*)", head)[1]] for head in heads}
    minors = [int(minor) for head in heads for minor in re.findall(
        r"Name: GLIBC_2\.(\d+)", head.replace("GLIBC_ABI_DT_RELR", "GLIBC_2.36"))]
    if native or not minors and not any("[libc.so]" in head for head in heads):
        return f"linux_{machine}"
    return f"manylinux_2_{max(minors)}_{machine}" if minors else f"musllinux_1_2_{machine}"


def contents(version, library, native):
    """The wheel's tag, and bytes by name."""
    libraries = {os.path.basename(library): library, **carried(library)}
    packages = {name: package_of(path) for name, path in libraries.items() if path != library}
    if not packages:
        packages["zstd"] = "inside libtauler, from the sources of zstd in the npm package zstd-napi", terms_of("libzstd-dev")
    tag = f"py3-none-{platform_tag(libraries.values(), native)}"
    info = f"tauler-{version}.dist-info"
    files = {f"tauler/{path.relative_to(MODULE)}": path.read_bytes()
             for kind in ("*.py", "*.md", "*.json", "py.typed") for path in MODULE.rglob(kind)}
    files.update((f"tauler/{name}", pathlib.Path(path).read_bytes()) for name, path in libraries.items())
    files.update((f"{info}/licenses/{name}.txt", terms.encode()) for name, (_, terms) in packages.items())
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    names = "\n".join(f"  {name}: {package}" for name, (package, _) in packages.items())
    files[f"{info}/METADATA"] = METADATA.format(version=version, packages=names).encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: tauler ({version})\nRoot-Is-Purelib: false\n"
                              f"Tag: {tag}\n").encode()
    digests = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode() for name, data in files.items()}
    record = [f"{name},sha256={digests[name].rstrip('=')},{len(files[name])}" for name in sorted(files)]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    return tag, files


def main(version, library, folder, *options):
    tag, files = contents(version, library, "--native" in options)
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for old in [] if "--beside" in options else folder.glob("tauler-*.whl"):
        old.unlink()
    path = folder / f"tauler-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in sorted(files.items(), key=lambda file: (".dist-info/" in file[0], file[0])):
            entry = zipfile.ZipInfo(name)  # of 1980, so that the same files make the same wheel
            entry.external_attr = (0o100755 if ".so." in name and name.startswith("tauler/") else 0o100644) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
