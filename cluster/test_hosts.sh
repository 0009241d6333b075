#!/bin/sh
# Builds by ranks on three hosts, which are network namespaces: the same tables as by one process; and
# whatever happens to a rank or a cable, the job ends soon, leaves no process, and goes on when run again.
# SEEDS: how much is built where a run is to be disturbed. QUICK=1: the shorter half. SPEED=20: no tests; two hosts
# of a processor each build awari up to 20 seeds over links of 10 and 1 Gbit/s, against one process with two threads, in
# PAIRS (3) runs by turns.
# Many functions are called through others that are given their names.
# shellcheck disable=SC2317
set -u
cd "$(dirname "$0")/.." || exit 1
tauler=${TAULER:-$PWD/tauler}
# shellcheck source=cluster/testing.sh
. cluster/testing.sh

if [ "${1:-}" != isolated ]; then
  reason=$(why_not_by_ranks)
  command -v mpirun >/dev/null || reason='mpirun is missing'
  [ -n "$reason" ] || reason=$(sh cluster/hosts.sh isolate 1 true 2>&1)
  if [ -n "$reason" ]; then
    skip "several hosts" "$reason"
    exit 0
  fi
  exec sh cluster/hosts.sh isolate 3 sh cluster/test_hosts.sh isolated
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/tauler-hosts.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
seeds=${SEEDS:-$(if [ -n "${QUICK:-}" ]; then echo 12; else echo 13; fi)}
watchdog=5
hosts() { sh cluster/hosts.sh "$@"; }
TAULER_RSH=$TAULER_HOSTS/agent
TAULER_PAUSE=1
export TAULER_RSH TAULER_PAUSE

# The words of a build, in $db; an engine that is slow enough to be disturbed. All ranks work, unless $fold says yes.
build() {
  db=$1
  shift
  "$@" "$tauler" build auale --seeds "$seeds" --depth --verbose --db "$db" --threads 1 --quiet --checkpoint 1s \
    --watchdog ${watchdog}s "--fold=${fold:-no}"
}

# Lists the live processes on the hosts. Only the test's own processes can be seen from here.
processes() {
  ps -eo pid=,stat=,comm= | awk -v names="$1" '$2 !~ /^Z/ && $3 ~ "^(" names ")$" { print $1, $3 }'
}
running() { processes 'tauler|orted|prted|mpirun|prterun' | cut -d ' ' -f 2 | sort | uniq -c | tr '\n' ' '; }
none_running() { [ -z "$(running)" ]; }
has_printed() { grep -qE "^(built|kept) +$1 " "$work/out"; }
has_ended() { ! kill -0 "$job" 2>/dev/null; }

# A job of six ranks in $job, once it is in its last slice but one. False when it cannot be disturbed.
begin_job() {
  rm -rf "$work/db"
  : >"$work/out"
  build "$work/db" exec sh cluster/hosts.sh run "$@" >"$work/out" 2>"$work/err" </dev/null &
  job=$!
  until_true 60 has_printed $((seeds - 2)) && sleep 0.3 && ! has_printed "$seeds" && ! has_ended
}

# The job has been disturbed: ends it with its exit code in $status, or says why not.
ends_soon() {
  began=$(now)
  if ! until_true $((watchdog + 8)) has_ended; then
    fail "$1" "still there after $((watchdog + 8)) s: $(running)$(tail -n 2 "$work/err")"
    kill -KILL $job
    return 1
  fi
  wait $job
  status=$?
  took=$(($(now) - began))
  if ! until_true 6 none_running; then
    fail "$1" "left behind: $(running)"
    return 1
  fi
}

clear_up() {
  for process in $(processes 'tauler|orted|prted|mpirun|prterun' | cut -d ' ' -f 1); do
    kill -KILL "$process" 2>/dev/null
  done
  hosts link h3 up
}

# disturbed NAME RANKS SAYS COMMAND...: the command disturbs a job, which says so, ends, and goes on.
disturbed() {
  name=$1 again=$2 says=$3
  shift 3
  if ! begin_job mpirun -np 6; then
    if has_printed "$seeds"; then skip "$name" "done before it could be disturbed"; else
      fail "$name" "does not begin: $(tail -n 3 "$work/err")"
    fi
    clear_up
    return
  fi
  "$@"
  if ends_soon "$name"; then
    clear_up
    if [ "$status" -eq 0 ]; then
      fail "$name" "exit code 0 although it was disturbed"
    elif [ -n "$says" ] && ! grep -q "$says" "$work/err"; then
      fail "$name" "exit code $status, but not a word: $(tail -n 3 "$work/err")"
    elif ! build "$work/db" hosts run mpirun -np "$again" >"$work/out" 2>"$work/err"; then
      fail "$name" "does not go on: $(tail -n 3 "$work/err")"
    else
      same_tables "$name; ended with $status in $took s, taken up by $again ranks" "$work/out"
    fi
  fi
  clear_up
}

last_rank() { processes tauler | tail -n 1 | cut -d ' ' -f 1; }
pull_cable() { hosts link h3 down; }
hang_rank() { kill -STOP "$(last_rank)"; }
kill_rank() { kill -KILL "$(last_rank)"; }

# timed THREADS COMMAND...: builds by the command, with its milliseconds in $took and its tables in $work/out.
timed() {
  threads=$1
  shift
  rm -rf "$work/db"
  began=$(date +%s%3N)
  if ! "$@" build auale --seeds "$SPEED" --db "$work/db" --quiet --threads "$threads" >"$work/out" 2>"$work/err"; then
    fail "a build to be timed" "$(tail -n 3 "$work/err")"
    exit 1
  fi
  took=$(($(date +%s%3N) - began))
}

# A line per turn and link: what two hosts took, against two threads.
measure() {
  processors=$(taskset -pc $$ | sed 's/.*: //; s/-/,/')
  one=${processors%%,*} two=${processors##*,}
  # shellcheck disable=SC2016
  bound='case $OMPI_COMM_WORLD_RANK in 0) cpu=$1 ;; *) cpu=$2 ;; esac; shift 2; exec taskset -c "$cpu" "$@"'
  for turn in $(seq "${PAIRS:-3}"); do
    for rate in 10gbit 1gbit; do
      for host in h1 h2; do hosts shape $host rate $rate || exit 77; done
      timed 2 taskset -c "$one,$two" "$tauler"
      together=$took
      digests "$work/out" >"$work/want"
      timed 1 hosts run mpirun -np 2 --map-by node sh -c "$bound" sh "$one" "$two" "$tauler"
      times="two hosts $took ms, two threads $together ms: $((100 * together / took)) % of their speed"
      same_tables "turn $turn, $rate: $times" "$work/out"
    done
  done
}

if [ -n "${SPEED:-}" ]; then
  measure
  exit $failed
fi

"$tauler" build auale --seeds "$seeds" --depth --verbose --db "$work/one" --quiet >"$work/out" || exit 1
digests "$work/out" >"$work/want"

if build "$work/db" hosts run mpirun -np 6 >"$work/out" 2>"$work/err"; then
  same_tables "six ranks on three hosts" "$work/out"
else
  fail "six ranks on three hosts" "exit code $?: $(tail -n 3 "$work/err")"
fi

fold=yes
if build "$work/folded" hosts run mpirun -np 6 >"$work/out" 2>"$work/err"; then
  same_tables "six ranks on three hosts, one of which works on each" "$work/out"
else
  fail "six ranks on three hosts, one of which works on each" "exit code $?: $(tail -n 3 "$work/err")"
fi
if hosts run mpirun -np 6 "$tauler" build auale --seeds 4 --threads 1 --memory 64M --db "$work/few" 2>&1 |
  grep -q '^6 ranks on 3 nodes run as 3 with 6 threads and 384 MiB in all; --fold=no keeps them apart$'; then
  pass "ranks fold within a host"
else
  fail "ranks fold within a host" "not said"
fi
fold=no

disturbed "a cable is pulled" 4 'nothing has moved' pull_cable
if [ -z "${QUICK:-}" ]; then
  disturbed "a rank hangs" 3 'nothing has moved' hang_rank
  disturbed "a rank is killed" 2 '' kill_rank
  fold=yes
  disturbed "a cable is pulled from ranks that fold" 4 'nothing has moved' pull_cable
  fold=no
fi

name="launch.sh has everything kept when told to stop"
if begin_job sh cluster/launch.sh --hosts "$TAULER_HOSTS/hostfile" --; then
  kill -TERM $job
  if ends_soon "$name"; then
    if [ "$status" -ne 75 ] || ! grep -q 'run the same command again' "$work/err"; then
      fail "$name" "exit code $status: $(tail -n 3 "$work/err")"
    else
      build "$work/db" hosts run sh cluster/launch.sh --ranks 5 -- >"$work/out" 2>"$work/err"
      same_tables "$name, in $took s" "$work/out"
    fi
  fi
else
  skip "$name" "done before it could be disturbed"
fi
clear_up

if [ -n "${QUICK:-}" ]; then
  skip "hung and killed ranks, lost hosts" "take more than a minute; make test-cluster"
  exit $failed
fi

name="smoke.sh"
hosts run env TAULER="$tauler" RANKS=6 SEEDS=8 LONG_SEEDS="$seeds" sh cluster/smoke.sh "$work" >"$work/out" 2>&1
status=$?
if [ $status -eq 0 ] && [ "$(grep -c '^ok' "$work/out")" -eq 8 ]; then pass "$name"; else
  fail "$name" "exit code $status: $(grep -v '^ok' "$work/out")"
fi

name="launch.sh goes on without a host that is lost"
if begin_job sh cluster/launch.sh --hosts "$TAULER_HOSTS/hostfile" --restarts 2 --; then
  pull_cable
  if ! until_true 120 has_ended; then
    fail "$name" "still there after 120 s: $(tail -n 3 "$work/err")"
  elif ! grep -q 'h3 does not answer' "$work/err"; then
    fail "$name" "did not notice: $(tail -n 3 "$work/err")"
  else
    same_tables "$name" "$work/out"
  fi
else
  skip "$name" "done before it could be disturbed"
fi
clear_up
exit $failed
