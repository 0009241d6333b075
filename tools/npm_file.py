#!/usr/bin/env python3
"""Fetches one file of a package of the npm registry: npm_file.py PACKAGE VERSION SHA512 MEMBER FILE

A MEMBER that ends with / is a folder, and so is FILE then.

SHA512 is the sum that the registry names "integrity", in base64. A file that is there is kept. Ends with 69
and a message if the registry cannot be reached, with 65 if the package is not the one that SHA512 names.
"""
import base64
import hashlib
import io
import os
import shutil
import sys
import tarfile
import urllib.request

REGISTRY = os.environ.get("NPM_REGISTRY", "https://registry.npmjs.org").rstrip("/")


def main(package, version, expected, member, path):
    if os.path.exists(path):
        return 0
    address = f"{REGISTRY}/{package}/-/{package.split('/')[-1]}-{version}.tgz"
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            archive = answer.read()
    except OSError as problem:
        print(f"npm_file.py: {address}: {problem}; is there a network?", file=sys.stderr)
        return 69
    if base64.b64encode(hashlib.sha512(archive).digest()).decode() != expected:
        print(f"npm_file.py: {address}: another package than expected; nothing is kept", file=sys.stderr)
        return 65
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        if member.endswith("/"):
            keep_folder(tar, f"package/{member}", path)
        else:
            keep(tar.extractfile(f"package/{member}").read(), path)
    return 0


def keep_folder(tar, member, path):
    """The archive is the one that SHA512 names, so no name in it leads elsewhere."""
    part = path + ".part"
    shutil.rmtree(part, ignore_errors=True)
    for entry in tar.getmembers():
        if entry.isfile() and entry.name.startswith(member):
            keep(tar.extractfile(entry).read(), os.path.join(part, entry.name[len(member):]))
    os.replace(part, path)


def keep(content, path):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path + ".part", "wb") as file:
        file.write(content)
    os.replace(path + ".part", path)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
