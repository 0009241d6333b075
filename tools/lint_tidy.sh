#!/bin/sh
# Checks a source by clang-tidy, unless the same source was clean before: lint_tidy.sh FILE.
# LINT_NODES is the largest number of states of a function to analyse. The limit of clang-tidy, 225000, takes five times
# as long, and found no further fault in this program.
set -u

nodes=${LINT_NODES:-30000}
flags="-std=c11 -D_GNU_SOURCE -iquote . -iquote base -idirafter analysis/probe -idirafter base -fopenmp
  -include tools/lint_model.h"

# The stamp depends on the source with its includes, on the settings, and on the version of clang-tidy.
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
