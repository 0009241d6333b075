#!/bin/sh
# Runs suites side by side and adds up their cases: run.sh SUITE...
#
# A suite is a Check program, or a script test_*.sh or test_*.py that prints a line "PASS: name",
# "FAIL: name: reason" or "SKIP: name: reason" per case. Either kind may print SKIP lines; Check counts
# such a case as passed, this script does not. A script without such lines is one case. Scripts find
# the program in $TAULER, the libraries in $TAULER_BUILD, and Python's modules in tests/support. A program
# replay_NAME gets the inputs in tests/corpus/fuzz_NAME. Files left in $TMPDIR by a suite are removed at the end.
# Some suites wait more than they work, so four more than there are processors run at a time.
#
# `make test` should take at most 4 min 30 s by the clock on 2 idle processors. Compiling and linking take
# 1 min 50 s of processor time, so all suites have 6 min 40 s. "worked" is the processor time of a suite and of all that
# it started; the last line but one adds it up. A suite takes 10 s at most; cases that take longer wait for TAULER_CHECK
# or TAULER_LONG and say SKIP, what has sizes or many alike cases takes fewer of them (SOME in suite.h), and the suites
# in LEFT wait whole, which say so in a line of their own. The longest suites come first.
set -eu

# Several suites share the processors: a thread that waits awake takes from the others.
OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
export OMP_WAIT_POLICY
CK_VERBOSITY=normal
CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-$([ -n "${TAULER_LONG:-}" ] && echo 3600 || echo 900)}
export CK_VERBOSITY CK_DEFAULT_TIMEOUT
SUITE_TIMEOUT=${SUITE_TIMEOUT:-$([ -n "${TAULER_LONG:-}" ] && echo 14400 || echo 5400)}
export SUITE_TIMEOUT
# What starts a Check program: an emulator of another processor, or nothing.
export TAULER_RUNNER="${TAULER_RUNNER:-}"
export PYTHONPATH="$PWD/tests/support${PYTHONPATH:+:$PYTHONPATH}"
# Claims and pictures start Python anew each time, so the compiled module is kept.
unset PYTHONDONTWRITEBYTECODE

results=$(mktemp -d "${TMPDIR:-/tmp}/tauler-tests.XXXXXX")
export RESULTS="$results" TMPDIR="$results/tmp"
mkdir "$TMPDIR"
chmod a+x "$results" "$TMPDIR" # one suite asks as another user
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT TERM

# Runs one suite; leaves its output and a line "passed failed skipped".
# shellcheck disable=SC2016
run_one='
name=$(basename "$1")
output=$RESULTS/$name.output
start=$(date +%s.%N)
status=0
case $1 in
*.sh) timeout -k 10 "$SUITE_TIMEOUT" sh "$1" </dev/null >"$output" 2>&1 || status=$? ;;
*.py) timeout -k 10 "$SUITE_TIMEOUT" python3 "$1" </dev/null >"$output" 2>&1 || status=$? ;;
*/replay_*) timeout -k 10 "$SUITE_TIMEOUT" "$1" "tests/corpus/fuzz_${name#replay_}" </dev/null >"$output" 2>&1 || status=$? ;;
*) timeout -k 10 "$SUITE_TIMEOUT" $TAULER_RUNNER "$1" </dev/null >"$output" 2>&1 || status=$? ;;
esac
counts=$(awk -v status="$status" '\''
  /^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/ {
    gsub(/[,:]/, ""); seen = 1; passed += $3 - $5 - $7; failed += $5 + $7; next
  }
  /^PASS: / { seen = 1; passed++ }
  /^FAIL: / { seen = 1; failed++ }
  /^SKIP: / { skipped++ }
  /^[0-9]+%: Checks: / { }
  END {
    if (!script && seen) passed -= skipped
    if (status != 0 && failed == 0) failed = 1
    if (!seen && status == 0 && skipped == 0) passed = 1
    printf "%d %d %d\n", passed, failed, skipped
  }'\'' script="$(case $1 in *.sh | *.py) echo 1 ;; *) echo 0 ;; esac)" "$output")
set -- $counts "$status"
printf "%s\n" "$counts" >"$RESULTS/$name.counts"
seconds=$(date +%s.%N | awk -v start="$start" "{ printf \"%.1f\", \$1 - start }")
# Of this shell and of all that it waited for, as minutes and seconds.
times >"$RESULTS/$name.times"
work=$(tr "ms" "  " <"$RESULTS/$name.times" | awk "{ sum += 60 * (\$1 + \$3) + \$2 + \$4 } END { printf \"%.1f\", sum }")
printf "%s\n" "$work" >"$RESULTS/$name.work"
verdict=ok
[ "$2" -eq 0 ] || verdict=FAILED
report=$(printf "%-6s %-28s %5d passed %3d failed %3d skipped  %7s s, worked %6s s" \
  "$verdict" "$name" "$1" "$2" "$3" "$seconds" "$work")
skips=$(grep "^SKIP: " "$output" | sed "s/^/       /" || true)
[ -z "$skips" ] || report="$report
$skips"
if [ "$2" -ne 0 ]; then
  reason=
  [ "$4" -ne 124 ] || reason=" (stopped after $SUITE_TIMEOUT s)"
  report="$report
----- $name, exit code $4$reason:
$(tail -n 200 "$output" | grep -v "^PASS: ")
-----"
fi
printf "%s\n" "$report"
'

if [ $# -eq 0 ]; then
  echo "run.sh: no suites to run" >&2
  exit 1
fi
printf '%s\0' "$@" | xargs -0 -n 1 -P "${TEST_JOBS:-$(($(nproc) + 4))}" sh -c "$run_one" run_one || true

for suite in ${LEFT:-}; do
  echo "       SKIP: $suite: make check runs it"
  echo "0 0 1" >"$results/$suite.counts"
done
cat "$results"/*.work 2>/dev/null | awk '{ sum += $1 } END { printf "worked %d:%02d minutes\n", sum / 60, sum % 60 }'

# A suite without counts did not run to its end.
cat "$results"/*.counts 2>/dev/null | awk -v suites="$(($# + $(echo "${LEFT:-}" | wc -w)))" '
  { passed += $1; failed += $2; skipped += $3 }
  END {
    failed += suites - NR
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0
  }'
