#!/bin/sh
# Checks format, words, code and the order of the folders: lint.sh [PATH...], which limits it to sources below PATH.
# Runs every check, and fails at the end if one failed.
#
# The slow checks, cppcheck and clang-tidy (lint_tidy.sh), note in build/lint which sources were clean with all their
# includes, and skip these.
set -u
cd "$(dirname "$0")/.." || exit 1

jobs=$(nproc)
failed=
[ $# -gt 0 ] || set -- .
sources=$(find "$@" \( -path ./build -o -name .git \) -prune -o -name '*.[ch]' -print | sed 's|^\./||' | sort)
programs=$(printf '%s\n' "$sources" | grep '\.c$')
scripts=$(find . \( -path ./build -o -name .git \) -prune -o \( -name '*.sh' -o -name '*.sbatch' \) -print -o -path ./.ci/run -print | sort)
mkdir -p build/lint/cppcheck

check() {
  echo "lint: $1"
  shift
  "$@" || failed="$failed $1"
}

# The lists of words must be split.
# shellcheck disable=SC2086
{
  check "format" clang-format --dry-run -Werror $sources
  comments() { python3 tools/lint_comments.py $sources; }
  check "comments and names" comments
  check "shell scripts" shellcheck $scripts
  check "types of the Python module" mypy --strict --cache-dir build/mypy --python-version 3.9 --no-error-summary analysis/python/tauler
  check "order of the folders" sh tests/test_arrows.sh
  check "cppcheck" cppcheck --quiet --error-exitcode=1 --std=c11 -D_GNU_SOURCE -I . -j "$jobs" \
    --cppcheck-build-dir=build/lint/cppcheck \
    --enable=warning,performance,portability --inline-suppr --suppress=missingIncludeSystem \
    --suppress=unmatchedSuppression $programs
  # The newest sources come first, so that a fault in a change appears soon. tauler_error.c is left out, since it
  # defines the functions that the model redefines.
  modelled=$(find $programs ! -path 'base/tauler_error.c' -printf '%T@ %p\n' | sort -rn | cut -d ' ' -f 2)
  clang_tidy() { printf '%s\n' $modelled | xargs -r -P "$jobs" -n 1 sh tools/lint_tidy.sh; }
  check "clang-tidy" clang_tidy
}

if [ -n "$failed" ]; then
  echo "lint: failed:$failed" >&2
  exit 1
fi
