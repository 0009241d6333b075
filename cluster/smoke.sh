#!/bin/sh
# A smoke test of about a minute, to be run where the real builds will run: inside an allocation, or with
# the hostfile that mpirun is to use (OMPI_MCA_orte_default_hostfile, or in LAUNCH).
#
#   smoke.sh [FOLDER]    FOLDER: on the file system for the tables (default: here); nothing is left in it
#   RANKS                the most ranks (default: those of the allocation, else 4)
#   TAULER               the program (default: ./tauler, else the one on the path)
#   LAUNCH               what comes before a number of ranks (default: srun --mpi=pmix -n in an
#                        allocation of Slurm, else mpirun -np)
#   SEEDS, LONG_SEEDS    how much is built for comparing (12) and for being stopped (14)
#
# Prints a line ok or FAILED per step, and what to look at; exit code 0 when all is well, else 1.
set -u

tauler=${TAULER:-$(if [ -x ./tauler ]; then echo ./tauler; else command -v tauler; fi)}
ranks=${RANKS:-${SLURM_NTASKS:-4}}
seeds=${SEEDS:-12} long_seeds=${LONG_SEEDS:-14}
limit=180
failed=0
if [ -z "$tauler" ]; then
  echo "smoke.sh: there is no tauler; say where: TAULER=/path/to/tauler" >&2
  exit 1
fi
if [ -z "${LAUNCH:-}" ]; then
  if [ -n "${SLURM_JOB_ID:-}" ] && command -v srun >/dev/null; then
    LAUNCH='srun --mpi=pmix -n'
  elif command -v mpirun >/dev/null; then
    LAUNCH='mpirun -np'
  else
    echo "smoke.sh: neither srun in an allocation nor mpirun is here (module load openmpi?); or set LAUNCH" >&2
    exit 1
  fi
fi
# A smoke test may have more ranks than processors, and containers are root.
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

work=$(mktemp -d "${1:-.}/tauler-smoke.XXXXXX") || exit 1
job='' guard=''
# shellcheck disable=SC2317 # called by trap
clear_up() {
  for process in $guard $job; do kill -KILL "$process" 2>/dev/null; done
  rm -rf "$work"
}
trap clear_up EXIT
trap 'exit 1' INT TERM

begin() {
  step=$1
  began=$(date +%s)
}
ok() { printf 'ok      %3d s  %s\n' $(($(date +%s) - began)) "$step"; }
# wrong HINT: what to look at; with what was said.
wrong() {
  failed=1
  printf 'FAILED  %3d s  %s\n' $(($(date +%s) - began)) "$step"
  grep -v '^ *$' "$work/errors" 2>/dev/null | tail -n 5 | sed 's/^/        | /'
  echo "        $1"
}
digests() { sed -nE 's/^(built|kept) +//p' "$1" | awk '{ print $1, $2, $NF }' | sort -u; }

# build DB SEEDS LAUNCHER...: the launcher may be empty. Replaces the shell that it is called in.
build() {
  db=$1 n=$2
  shift 2
  exec "$@" "$tauler" build auale --seeds "$n" --depth --verbose --db "$db" --threads 1 --checkpoint 2s --watchdog 60s \
    --fold=no --quiet >"$work/output" 2>"$work/errors" </dev/null
}

# Runs a build to its end, with its exit code; 124 when it does not come to one.
run_build() {
  (build "$@") &
  job=$!
  (
    trap 'exit 0' TERM
    for _ in $(seq $limit); do sleep 1; done
    kill -KILL $job
  ) >/dev/null 2>&1 &
  guard=$!
  wait $job
  status=$?
  job=''
  kill $guard 2>/dev/null
  wait $guard 2>/dev/null
  guard=''
  [ $status -ne 137 ] || status=124
  return $status
}

# expect_tables STATUS FILE: a run that has ended well, with the digests in FILE.
expect_tables() {
  if [ "$1" -eq 124 ]; then
    wrong "It hangs: can the nodes reach each other? Look at the interfaces (btl_tcp_if_include, UCX_NET_DEVICES)."
  elif [ "$1" -ne 0 ]; then
    wrong "Exit code $1. Is the program built with the MPI of this launcher (tauler --version, srun --mpi=list)?"
  elif ! digests "$work/output" | cmp -s "$2" -; then
    wrong "Other tables than by one process: do all nodes see the same folder and run the same program?"
  else
    ok
  fi
}

begin "$tauler starts: $("$tauler" --version 2>"$work/errors" | tr '\n' ' ')"
if "$tauler" --version >/dev/null 2>&1; then ok; else
  wrong "Are its libraries found (ldd $tauler; module load)?"
  exit 1
fi

begin "one process, no launcher"
if run_build "$work/one" "$seeds" env; then
  digests "$work/output" >"$work/want"
  ok
else
  wrong "Exit code $?. Is $work writable, and is there memory?"
  exit 1
fi

for n in 1 2 $(if [ "$ranks" -gt 2 ]; then echo "$ranks"; fi); do
  begin "$LAUNCH $n: the same tables"
  # LAUNCH is words.
  # shellcheck disable=SC2086
  run_build "$work/ranks$n" "$seeds" $LAUNCH "$n"
  expect_tables $? "$work/want"
done

begin "$LAUNCH $ranks: stopped by SIGUSR1 with everything kept"
run_build "$work/long" "$long_seeds" env
digests "$work/output" >"$work/want"
status=0
for delay in 3 2 1.5; do
  rm -rf "$work/stopped"
  # shellcheck disable=SC2086
  (build "$work/stopped" "$long_seeds" $LAUNCH "$ranks") &
  job=$!
  sleep $delay
  kill -USR1 $job 2>/dev/null
  (
    trap 'exit 0' TERM
    for _ in $(seq 60); do sleep 1; done
    kill -KILL $job
  ) >/dev/null 2>&1 &
  guard=$!
  wait $job
  status=$?
  job=''
  kill $guard 2>/dev/null
  guard=''
  [ $status -eq 0 ] || break
done
case $status in
75) ok ;;
0) step="$step (done before it could be: LONG_SEEDS=$((long_seeds + 2)))" && ok ;;
137) wrong "It did not end within a minute: does the launcher hand SIGUSR1 on?" ;;
*) wrong "Exit code $status instead of 75: does the launcher hand SIGUSR1 on to the ranks?" ;;
esac

begin "$LAUNCH 2: goes on to the same tables"
# shellcheck disable=SC2086
run_build "$work/stopped" "$long_seeds" $LAUNCH 2
expect_tables $? "$work/want"

begin "verify: every table proven"
if "$tauler" verify --quiet --db "$work/stopped" >"$work/output" 2>"$work/errors"; then ok; else
  wrong "Exit code $?: $(tail -n 1 "$work/output"). Does the file system give back what was written?"
fi
exit $failed
