#!/bin/sh
# Format, static checks and the order of the folders; every check runs, then the verdict falls.
# lint.sh [PATH...]: the sources below these paths only.
set -u
cd "$(dirname "$0")/.." || exit 1

jobs=$(nproc)
failed=
[ $# -gt 0 ] || set -- .
sources=$(find "$@" \( -path ./build -o -name .git \) -prune -o -name '*.[ch]' -print | sed 's|^\./||' | sort)
programs=$(printf '%s\n' "$sources" | grep '\.c$')
scripts=$(find . \( -path ./build -o -name .git \) -prune -o \( -name '*.sh' -o -name '*.sbatch' \) -print -o -path ./.ci/run -print | sort)
flags="-std=c11 -D_GNU_SOURCE -iquote . -iquote base -idirafter analysis -idirafter base -fopenmp"

check() {
  echo "lint: $1"
  shift
  "$@" || failed="$failed $1"
}

# The word lists are meant to be split.
# shellcheck disable=SC2086
{
  check "format" clang-format --dry-run -Werror $sources
  check "shell scripts" shellcheck $scripts
  check "types of the Python module" mypy --strict --cache-dir build/mypy --python-version 3.9 --no-error-summary analysis/python/tauler
  check "order of the folders" sh tests/test_arrows.sh
  check "cppcheck" cppcheck --quiet --error-exitcode=1 --std=c11 -D_GNU_SOURCE -I . -j "$jobs" \
    --enable=warning,performance,portability --inline-suppr --suppress=missingIncludeSystem \
    --suppress=unmatchedSuppression $programs
  modelled=$(printf '%s\n' "$programs" | grep -v 'base/tauler_error\.c$')
  tidy() {
    printf '%s\n' $modelled | xargs -r -P "$jobs" -n 4 \
      sh -c 'clang-tidy --quiet "$@" -- '"$flags"' -include tools/lint_model.h 2>/dev/null' tidy
  }
  check "clang-tidy" tidy
}

if [ -n "$failed" ]; then
  echo "lint: failed:$failed" >&2
  exit 1
fi
