#!/bin/sh
# Builds under a real Slurm with two nodes on this machine: the same tables as by one process; a job
# that is stopped or loses a rank goes back to the queue and finishes there; arrays and dependencies.
# SEEDS: how much is built where a job is to be disturbed; QUICK=1: the shorter half; WALL_SEEDS: what outlasts a time limit of a
# minute, else chosen by how fast this machine builds. No case has a time in which it must end, only one in which it must come further.
# Many functions are called through others that are given their names.
# shellcheck disable=SC2317
set -u
cd "$(dirname "$0")/.." || exit 1
tauler=${TAULER:-$PWD/tauler}
# shellcheck source=cluster/testing.sh
. cluster/testing.sh

if [ "${1:-}" != isolated ]; then
  reason=$(why_not_by_ranks)
  [ -n "$reason" ] || reason=$(sh cluster/slurm.sh isolate true 2>&1)
  if [ -n "$reason" ]; then
    skip "Slurm" "$reason"
    exit 0
  fi
  exec sh cluster/slurm.sh isolate sh cluster/test_slurm.sh isolated
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/tauler-slurm.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
seeds=${SEEDS:-$(if [ -n "${QUICK:-}" ]; then echo 12; else echo 13; fi)}
slurm() { sh cluster/slurm.sh run "$@"; }

want() {
  "$tauler" build auale --seeds "$1" --db "$work/one-$1" --quiet --verbose >"$work/out" || exit 1
  digests "$work/out" >"$work/want"
}

# Attempts that add no table, one after the other, and seconds in which nothing happens, before a job counts as stuck.
MOST_IN_VAIN=8 MOST_SECONDS=240

# Settings of the scripts; small enough for the two nodes.
export TAULER="$tauler" DB="$work/db" WATCHDOG=10s CHECKPOINT=1s REQUEUES=3

# submit SEEDS OPTION...: the script for many nodes, as $job.
submit() {
  rm -rf "$work/db" "$work/log"
  ARGS="--seeds $1 --fold=no" # its nodes are one
  export ARGS
  shift
  job=$(slurm sbatch --parsable --nodes=2 --ntasks-per-node=2 --cpus-per-task=1 --output="$work/log" "$@" \
    cluster/many-nodes.sbatch)
}
field_of() { slurm scontrol show job -o "$1" 2>/dev/null | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
is_over() {
  case $(field_of "$1" JobState) in COMPLETED | FAILED | CANCELLED | TIMEOUT | NODE_FAIL) ;; *) false ;; esac
}
has_printed() { grep -qE "(built|kept) +$1 " "$work/log" 2>/dev/null; }
under_work() { until_true 300 has_printed $(($1 - 2)) && ! has_printed "$1"; }
tail_of_log() { tail -n 4 "$work/log" 2>/dev/null | tr '\n' ' '; }

# comes_to_its_end: the job does; false when attempts, one after the other, add no table, or nothing happens at all.
comes_to_its_end() {
  tables=0 restarts=0 in_vain=0 since=$(now)
  until is_over "$job"; do
    more_tables=$(digests "$work/log" 2>/dev/null | wc -l)
    more_restarts=$(field_of "$job" Restarts)
    if [ "$more_tables" -gt "$tables" ]; then
      in_vain=0 since=$(now)
    elif [ "${more_restarts:-0}" -gt "$restarts" ]; then
      in_vain=$((in_vain + 1)) since=$(now)
    fi
    tables=$more_tables restarts=${more_restarts:-$restarts}
    [ $in_vain -le "$MOST_IN_VAIN" ] && [ $(($(now) - since)) -le "$MOST_SECONDS" ] || return 1
    sleep 0.5
  done
}

# finishes NAME: the job does, after it has gone back to the queue, with the same tables.
finishes() {
  if ! comes_to_its_end; then
    fail "$1" "$(field_of "$job" JobState), comes no further after $restarts restarts and $tables tables: $(tail_of_log)"
    slurm scancel "$job"
  elif [ "$(field_of "$job" JobState)" != COMPLETED ]; then
    fail "$1" "$(field_of "$job" JobState), exit code $(field_of "$job" ExitCode): $(tail_of_log)"
  elif [ "$(field_of "$job" Restarts)" -lt 1 ] || ! grep -q 'back to the queue' "$work/log"; then
    fail "$1" "never went back to the queue: $(tail_of_log)"
  else
    same_tables "$1" "$work/log"
  fi
}

# disturbed NAME COMMAND...: the command disturbs a job in its work.
disturbed() {
  name=$1
  shift
  submit "$seeds"
  if under_work "$seeds"; then
    "$@"
    finishes "$name"
  elif has_printed "$seeds"; then
    skip "$name" "done before it could be disturbed"
  else
    fail "$name" "does not begin: $(field_of "$job" JobState) $(tail_of_log)"
  fi
}

# Seeds of which one process here takes SECONDS. Two seeds more take three times as long.
seeds_of_seconds() {
  start=$(date +%s%N)
  "$tauler" build auale --seeds 15 --threads 1 --quiet --db "$work/rate" >/dev/null || exit 1
  awk -v took="$(($(date +%s%N) - start))" -v seconds="$1" \
    'BEGIN { n = 15 + 2 * log(seconds * 1e9 / took) / log(3); print n < 13 ? 13 : int(n + 0.5) }'
  rm -rf "$work/rate"
}

stop_ranks() { slurm scancel --signal=USR1 "$job"; }
kill_rank() { kill -KILL "$(pgrep -x tauler | tail -n 1)"; }

want "$seeds"
if slurm srun -N2 -n4 --mpi=pmix "$tauler" build auale --seeds "$seeds" --db "$work/srun" --threads 1 --fold=no --quiet --verbose \
  >"$work/out" 2>"$work/err"; then
  same_tables "srun, four ranks on two nodes" "$work/out"
else
  fail "srun, four ranks on two nodes" "exit code $?: $(tail -n 3 "$work/err")"
fi

disturbed "a job that is told to stop goes back to the queue and finishes" stop_ranks
if [ -n "${QUICK:-}" ]; then
  skip "jobs that lose a rank, or come near their time limit" "take more than a minute; make test-cluster"
else
  disturbed "a job that loses a rank goes back to the queue and finishes" kill_rank
  name="smoke.sh in an allocation"
  slurm salloc -Q -N2 -n4 sh cluster/smoke.sh "$work" >"$work/out" 2>&1
  status=$?
  if [ $status -eq 0 ] && [ "$(grep -c '^ok' "$work/out")" -eq 8 ]; then pass "$name"; else
    fail "$name" "exit code $status: $(grep -v '^ok' "$work/out")"
  fi
  wall_seeds=${WALL_SEEDS:-$(seeds_of_seconds 15)} # 30 to 60 by four ranks on the same processors
  want "$wall_seeds"
  # Slurm sends the signal up to a minute early, never late: an attempt may have no time at all.
  REQUEUES=60
  submit "$wall_seeds" --time=1 --signal=USR1@40
  finishes "a job near its time limit goes back to the queue and finishes"
  REQUEUES=3
fi

name="three builds as an array, and a job that waits for them"
cat >"$work/builds" <<BUILDS
# what each task builds
auale --rules awari --seeds 8 --depth

auale --rules awari,grand-slam=captures --seeds 8
auale --rules abapa --cycles forced --seeds 8
BUILDS
rm -rf "$work/db"
BUILDS=$work/builds
export BUILDS
array=$(slurm sbatch --parsable --cpus-per-task=1 --output="$work/array-%a" cluster/slices.sbatch)
last=$(slurm sbatch --parsable --dependency=afterok:"$array" --output="$work/after" \
  --wrap "cat $work/array-1 $work/array-2 $work/array-3")
if ! until_true 300 is_over "$last"; then
  fail "$name" "still $(field_of "$last" JobState) after 300 s: $(cat "$work"/array-* 2>/dev/null | tail -n 3)"
else
  while read -r words; do
    # shellcheck disable=SC2086
    case $words in auale*) "$tauler" build $words --db "$work/apart" --quiet --verbose ;; esac
  done <"$work/builds" >"$work/out"
  digests "$work/out" >"$work/want"
  same_tables "$name" "$work/after"
fi
exit $failed
