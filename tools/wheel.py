#!/usr/bin/env python3
"""Packs the Python module, the library and what that needs into a wheel.

wheel.py VERSION LIBRARY FOLDER [--native]
The library looks for what it needs in its own folder first (its RUNPATH is $ORIGIN). The tag names the oldest glibc
that has every symbol (PEP 600); --native: a library for this processor alone, which no other machine should take.
"""
import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULE = ROOT / "analysis" / "python" / "tauler"
# Every Linux with glibc has these; all else goes into the wheel.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libgcc_s)\.so\.\d+")
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


def carried(library):
    """The libraries to carry: path by name."""
    needed = dict(re.findall(r"^\s*(\S+) => (\S+)", output("ldd", library), re.M))
    return {name: path for name, path in sorted(needed.items()) if not SYSTEM.fullmatch(name)}


def package_of(path):
    """The Debian package of a library: name, version, terms with the text of the GPL that they refer to."""
    pattern = "*/" + os.path.basename(os.path.realpath(path))
    try:
        package = output("dpkg", "-S", pattern).split(": ")[0]
        version = output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package)
        terms = pathlib.Path("/usr/share/doc", package.split(":")[0], "copyright").read_text("utf-8")
    except (OSError, subprocess.CalledProcessError):
        sys.exit(f"wheel.py: no package of Debian is known to have {path}, so its licence is not known; "
                 "build the wheel on Debian or a relative of it")
    for name in sorted(set(re.findall(r"/usr/share/common-licenses/(GPL-\d)", terms))):
        terms += f"\n{name}:\n\n" + pathlib.Path("/usr/share/common-licenses", name).read_text("utf-8")
    return f"{package} (source {version})", terms


def platform_tag(paths, native):
    minors = [int(minor) for path in paths for minor in re.findall(
        r"\bGLIBC_2\.(\d+)", output("objdump", "-p", path).replace("GLIBC_ABI_DT_RELR", "GLIBC_2.36"))]
    return f"linux_{platform.machine()}" if native or not minors else f"manylinux_2_{max(minors)}_{platform.machine()}"


def contents(version, library, native):
    """The wheel's tag, and bytes by name."""
    libraries = {os.path.basename(library): library, **carried(library)}
    packages = {name: package_of(path) for name, path in libraries.items() if path != library}
    tag = f"py3-none-{platform_tag(libraries.values(), native)}"
    info = f"tauler-{version}.dist-info"
    files = {f"tauler/{path.relative_to(MODULE)}": path.read_bytes()
             for kind in ("*.py", "*.md", "py.typed") for path in MODULE.rglob(kind)}
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
    for old in folder.glob("tauler-*.whl"):
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
