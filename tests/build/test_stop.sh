#!/bin/sh
# A build that is asked to stop keeps everything, says so with exit code 75, and goes on when run again;
# limits of the system are errors with a message and the documented code, never a raw signal.
set -u
cd "$(dirname "$0")/../.." || exit 1
tauler=${TAULER:-./tauler}
work=$(mktemp -d /tmp/tauler-stop.XXXXXX) # not in $TMPDIR, which other users may not enter
trap 'rm -rf "$work"' EXIT
failed=0

pass() { echo "PASS: $1"; }
fail() {
  echo "FAIL: $1: $2"
  failed=1
}

# Waits until a process has worked for so many hundredths of a second, or has ended: no clock says so on a busy machine.
wait_for_work() {
  while [ "$(awk '{ sub(/.*\) /, ""); print /^Z/ ? 1000000 : $12 + $13 }' "/proc/$1/stat" 2>/dev/null || echo 1000000)" -lt "$2" ]; do
    sleep 0.005
  done
}

digests() { awk '{ print $2, $3, $4, $NF }' "$1" | sort; }

# The signal must land while a slice is under work: tried until it does.
stops_and_goes_on() {
  signal=$1 engine=$2 seeds=$3
  name="SIG$signal during the $engine engine"
  "$tauler" build auale --seeds "$seeds" --depth --engine "$engine" --quiet --verbose --db "$work/whole" >"$work/want"
  stops=0
  for hundredths in 10 20 30 50 80 150 400 1000; do
    # Shells have what they run in the background ignore SIGINT.
    env --default-signal=INT "$tauler" build auale --seeds "$seeds" --depth --engine "$engine" --quiet --verbose \
      --db "$work/pieces" >"$work/got" 2>"$work/errors" &
    build=$!
    wait_for_work $build $hundredths
    kill -"$signal" $build 2>/dev/null
    wait $build
    status=$?
    [ "$status" -eq 0 ] && break
    if [ "$status" -ne 75 ]; then
      fail "$name" "exit $status: $(cat "$work/errors")"
      return
    fi
    grep -q 'run the same command again' "$work/errors" || fail "$name" "no word of what to do: $(cat "$work/errors")"
    stops=$((stops + 1))
  done
  if [ "$status" -ne 0 ]; then
    "$tauler" build auale --seeds "$seeds" --depth --engine "$engine" --quiet --verbose --db "$work/pieces" >"$work/got" ||
      fail "$name" "the last run failed"
  fi
  digests "$work/want" >"$work/want.sorted"
  digests "$work/got" >"$work/got.sorted"
  if ! cmp -s "$work/want.sorted" "$work/got.sorted"; then
    fail "$name" "other tables after $stops stops"
  elif find "$work/pieces" -name '*.checkpoint*' | grep -q .; then
    fail "$name" "a checkpoint is left behind"
  elif [ $stops -eq 0 ]; then
    echo "SKIP: $name: this machine was done before the first signal"
  else
    pass "$name, $stops stops"
  fi
  rm -rf "$work/whole" "$work/pieces"
}

stops_and_goes_on TERM tiles 12
[ -z "${TAULER_CHECK:-}${TAULER_LONG:-}" ] || stops_and_goes_on INT tiles 12
stops_and_goes_on USR1 retrograde 9

# Where nothing is to be kept the end comes at once: tried until the signal meets work.
ends_with_a_word() {
  signal=$1
  shift
  name="SIG$signal during $1"
  for hundredths in 10 5 3 2; do
    env --default-signal=INT "$tauler" "$@" --threads 1 --quiet --db "$work/whole" >"$work/got" 2>"$work/errors" &
    asked=$!
    wait_for_work $asked $hundredths
    kill -"$signal" $asked 2>/dev/null
    wait $asked
    status=$?
    [ "$status" -eq 0 ] || break
  done
  if [ "$status" -eq 0 ]; then
    echo "SKIP: $name: this machine was done before the signal"
  elif [ "$status" -ne 75 ] || [ "$(cat "$work/errors")" != "tauler $1: stopped before its end; run the same command again" ]; then
    fail "$name" "exit $status: $(cat "$work/errors")"
  else
    pass "$name"
  fi
}

"$tauler" build auale --seeds 13 --depth --quiet --db "$work/whole" >/dev/null
ends_with_a_word INT verify
ends_with_a_word TERM verify
ends_with_a_word INT stats auale --seeds 13 --depths --boards all
ends_with_a_word USR1 stats auale --seeds 13 --depths --boards all
rm -rf "$work/whole"

(ulimit -f 4 && exec "$tauler" build auale --seeds 10 --quiet --db "$work/short") >"$work/got" 2>"$work/errors"
status=$?
if [ "$status" -ne 69 ] || ! grep -q 'File too large' "$work/errors"; then
  fail "files that may not grow" "exit $status: $(cat "$work/errors")"
elif find "$work/short" -name '.tauler*' | grep -q .; then
  fail "files that may not grow" "a half table is left behind"
else
  pass "files that may not grow"
fi

if [ "$(id -u)" -eq 0 ] && command -v prlimit >/dev/null && command -v setpriv >/dev/null; then
  "$tauler" build auale --seeds 6 --quiet --db "$work/few" >/dev/null
  chmod -R a+rX "$work"
  # A leak checker needs a thread of its own.
  ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" setpriv --reuid=65534 --clear-groups prlimit --nproc=1 "$tauler" verify --threads 8 --quiet --db "$work/few" \
    >"$work/got" 2>"$work/errors"
  status=$?
  if [ "$status" -eq 0 ]; then
    pass "no more threads than the system lets start"
  elif grep -qi 'permission\|cannot execute' "$work/errors"; then
    echo "SKIP: no more threads than the system lets start: the program cannot be run by another user here"
  else
    fail "no more threads than the system lets start" "exit $status: $(cat "$work/errors")"
  fi
else
  echo "SKIP: no more threads than the system lets start: needs root, prlimit and setpriv"
fi

exit $failed
