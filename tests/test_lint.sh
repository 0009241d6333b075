#!/bin/sh
# Tier: make check
# Tests make lint on planted faults, and that it checks changed files again and no others.
set -u
cd "$(dirname "$0")/.." || exit 1
for tool in clang clang-tidy clang-format cppcheck shellcheck mypy; do
  command -v $tool >/dev/null 2>&1 || {
    echo "SKIP: lint: there is no $tool; make lint installs it"
    exit 0
  }
done
mkdir -p build
folder=$(mktemp -d build/lint-test.XXXXXX)
trap 'rm -rf "$folder"' EXIT
failed=0

verdict() { # NAME WANTED GIVEN
  if [ "$2" = "$3" ]; then
    echo "PASS: $1"
  else
    echo "FAIL: $1: $3 instead of $2"
    failed=1
  fi
}

# Without this every run would find the stamp of the one before.
unique=$(basename "$folder" | tr -dc '[:alnum:]')
echo "int *none_$unique(void);" >"$folder/none.h"
cat >"$folder/clean.c" <<C
#include "none.h"

int *none_$unique(void) {
  return 0;
}
C
printf '#include "none.h"\n\nint read_%s(void) {\n  int *none = 0;\n  return *none;\n}\n' "$unique" >"$folder/null.c"
printf 'int badly_%s (void);\n' "$unique" >"$folder/format.h"
cat >"$folder/words.h" <<C
/* What it counts. */
typedef struct {
  int rows_$unique;    /* of the table */
  int columns_$unique; /* columns; 0: none */
} words_$unique;
void give_$unique(void);
C

sh tools/lint.sh "$folder" >"$folder/output" 2>&1
verdict "a planted fault ends lint with 1" 1 $?
for habit in 'words.h:1: a clause' 'words.h:3: a comment begins' 'words.h:4: two clauses' 'words.h:6: give_'; do
  grep -q "/$habit" "$folder/output"
  verdict "$habit" 0 $?
done
for check in clang-format cppcheck clang_tidy; do
  grep '^lint: failed:' "$folder/output" | grep -q " $check"
  verdict "$check finds its fault" 0 $?
done
verdict "nothing else fails" "lint: failed: clang-format comments cppcheck clang_tidy" "$(grep '^lint: failed:' "$folder/output")"

# A clang-tidy that finds something everywhere stands in: who asks it fails.
mkdir "$folder/bin"
printf '#!/bin/sh\n[ "$*" != --version ] || exec %s --version\nexit 1\n' "$(command -v clang-tidy)" >"$folder/bin/clang-tidy"
chmod +x "$folder/bin/clang-tidy"
again() { PATH="$folder/bin:$PATH" sh tools/lint_tidy.sh "$1"; }
again "$folder/clean.c"
verdict "what was clean is not looked at again" 0 $?
again "$folder/null.c"
verdict "what was not is" 1 $?
echo "int more_$unique;" >>"$folder/none.h"
again "$folder/clean.c"
verdict "a header that changed has its sources looked at" 1 $?
exit $failed
