#!/bin/sh
# Format, words, static checks and the order of the folders; every check runs, then the verdict falls.
# lint.sh [PATH...]: the sources below these paths only.
#
# The slow two look at what changed: cppcheck and clang-tidy (lint_tidy.sh) keep in build/lint which sources,
# with all that they include, were clean. A new clone has all of them looked at.
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

# The word lists are meant to be split.
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
  # Newest first, so that a change is heard of soon. The model would redefine what tauler_error.c defines.
  modelled=$(find $programs ! -path 'base/tauler_error.c' -printf '%T@ %p\n' | sort -rn | cut -d ' ' -f 2)
  clang_tidy() { printf '%s\n' $modelled | xargs -r -P "$jobs" -n 1 sh tools/lint_tidy.sh; }
  check "clang-tidy" clang_tidy
}

if [ -n "$failed" ]; then
  echo "lint: failed:$failed" >&2
  exit 1
fi
