#!/bin/sh
# Has clang-tidy look at a source, unless it was found clean as it stands: lint_tidy.sh FILE.
# LINT_NODES: how many states of each function it goes through at most. Its own limit, 225000, takes five
# times as long; what it found in this program by then it had found by 30000.
set -u

nodes=${LINT_NODES:-30000}
flags="-std=c11 -D_GNU_SOURCE -iquote . -iquote base -idirafter analysis/probe -idirafter base -fopenmp
  -include tools/lint_model.h"

# As it stands: with what it includes, the settings and the checker.
# shellcheck disable=SC2086
stamp=build/lint/$({
  echo "$nodes"
  clang-tidy --version
  cat .clang-tidy
  clang $flags -E -C -dD "$1"
} 2>&1 | sha256sum | cut -c 1-32)
[ ! -e "$stamp" ] || exit 0

# shellcheck disable=SC2086
clang-tidy --quiet "$1" -- $flags -Xclang -analyzer-config -Xclang "max-nodes=$nodes" 2>/dev/null || exit 1
: >"$stamp"
