#!/bin/sh
# Makes the Debian packages from a copy of the sources: deb.sh VERSION FOLDER JOBS. Removes older ones from FOLDER.
set -eu
version=$1 folder=$2 jobs=$3
named=$(dpkg-parsechangelog -S Version)
if [ "$named" != "$version" ]; then
  echo "deb.sh: debian/changelog says $named, the Makefile $version; add an entry to debian/changelog" >&2
  exit 1
fi
work=build/deb
rm -rf "$work"
mkdir -p "$work/tauler-$version" "$folder"
tar -c --exclude-vcs --exclude=./build --exclude=./dist --exclude=./tauler --exclude=./tauler-proof --exclude=./tauler.wasm \
  --exclude='*.pyc' . | tar -x -C "$work/tauler-$version"

# The options in debian/rules must apply, but make passes its own settings on in the environment.
# shellcheck disable=SC2046
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS $(sed -n 's/^\([A-Z_]*\) *?=.*/\1/p' Makefile mk/*.mk)
(cd "$work/tauler-$version" && DEB_BUILD_OPTIONS="noautodbgsym parallel=$jobs" dpkg-buildpackage -us -uc) >"$work/log" 2>&1 || {
  tail -n 30 "$work/log" >&2
  echo "deb.sh: no packages were made; $work/log says why" >&2
  exit 1
}
(cd "$folder" && rm -f ./*.deb ./*.dsc ./*.tar.* ./*.buildinfo ./*.changes) # older ones, too, but no wheel
mv "$work"/*tauler*_* "$folder"
rm -rf "$work/tauler-$version"
ls "$folder"/*.deb
