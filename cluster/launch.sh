#!/bin/sh
# Runs a build by mpirun on clusters without a batch system, and again while it says "run me again".
#
#   launch.sh [--ranks R] [--hosts FILE] [--restarts N] [--grace S] -- PROGRAM ARGUMENT...
#
#   --ranks R      processes (default: the slots in FILE, else 1)
#   --hosts FILE   a hostfile; before each start the hosts that do not answer are left out, and so are
#                  their slots when there is no --ranks
#   --restarts N   how often a job that ends with exit code 75 by itself is started again (default 0)
#   --grace S      how long a job may take to end once it has been asked to (default 120), and its
#                  launcher once a rank's watchdog has spoken (at most 15 s of it)
#   MPIRUN         the launcher with its own options (default: mpirun)
#   TAULER_RSH     how to reach a host (default: ssh -o BatchMode=yes -o ConnectTimeout=5)
#
# SIGUSR1, SIGTERM and SIGINT have everything kept: mpirun is sent SIGUSR1, which it hands to all ranks
# (SIGTERM would have it kill them). Exit codes: the program's; 75 also for what ends jobs from outside
# (a killed rank, a lost host); 70 for a crash; 69 when mpirun cannot start the job.
set -u

say() { echo "launch.sh: $*" >&2; }
usage() {
  sed -n '2,/^set -u/s/^#  \{0,1\}//p' "$0" >&2
  exit 64
}
is_number() { case $1 in '' | *[!0-9]*) return 1 ;; esac }

ranks='' hosts='' restarts=0 grace=120
while [ $# -gt 0 ]; do
  case $1 in
  --ranks | --hosts | --restarts | --grace)
    [ $# -ge 2 ] || usage
    case $1 in
    --hosts) hosts=$2 ;;
    *)
      is_number "$2" || usage
      case $1 in --ranks) ranks=$2 ;; --restarts) restarts=$2 ;; *) grace=$2 ;; esac
      ;;
    esac
    shift 2
    ;;
  --)
    shift
    break
    ;;
  *) usage ;;
  esac
done
[ $# -ge 1 ] || usage
if [ -n "$hosts" ] && [ ! -r "$hosts" ]; then
  say "cannot read $hosts"
  exit 64
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/tauler-launch.XXXXXX") || exit 74
trap 'rm -rf "$work"' EXIT
launcher='' stopping=''
stop() {
  stopping=yes
  [ -z "$launcher" ] || kill -USR1 "$launcher" 2>/dev/null
}
trap stop USR1 TERM INT

# The hosts that answer, in $work/hosts; their slots are added up in $slots.
choose_hosts() {
  slots=0
  : >"$work/hosts"
  while read -r host line; do
    case $host in '' | '#'*) continue ;; esac
    # shellcheck disable=SC2086
    if [ "$host" = "$(hostname)" ] || [ "$host" = localhost ] ||
      timeout 15 ${TAULER_RSH:-ssh -o BatchMode=yes -o ConnectTimeout=5} "$host" true </dev/null >/dev/null 2>&1; then
      echo "$host $line" >>"$work/hosts"
      of_host=$(echo " $line" | sed -n 's/.*[[:space:]]slots[[:space:]]*=[[:space:]]*\([0-9][0-9]*\).*/\1/p')
      slots=$((slots + ${of_host:-1}))
    else
      say "host $host does not answer and is left out"
    fi
  done <"$hosts"
}

# Ends a launcher that has been asked to end, or whose ranks' watchdog has spoken, and does not.
# A SIGTERM would wait for hosts that are gone; the ranks notice when their launcher dies.
guard() {
  since=0
  while sleep 1; do
    if [ -e "$work/stopping" ]; then since=$((since + 1)); fi
    if [ -e "$work/spoken" ]; then
      since=$((since + 1))
      [ "$grace" -le 15 ] || grace=15
    fi
    if [ "$since" -gt "$grace" ]; then
      say "the launcher does not end by itself; killing it"
      kill -KILL "$1" 2>/dev/null
      return
    fi
  done
}

# Hands on what the job says, and notes when a watchdog is among those who speak.
listen() {
  while IFS= read -r line; do
    printf '%s\n' "$line" >&2
    case $line in *'nothing has moved'*) : >"$work/spoken" ;; esac
  done
  : >"$work/heard"
}

# Waiting ends early when a signal comes, with a status above 128: the launcher is asked whether it lives.
wait_for() {
  while :; do
    wait "$1"
    status=$?
    [ -z "$stopping" ] || : >"$work/stopping"
    kill -0 "$1" 2>/dev/null || break
  done
}

run_once() {
  if [ -n "$hosts" ]; then
    choose_hosts
    [ "$slots" -gt 0 ] || return 75
  fi
  rm -f "$work/stopping" "$work/spoken" "$work/heard"
  # shellcheck disable=SC2086
  ${MPIRUN:-mpirun} ${hosts:+--hostfile "$work/hosts"} -np "${ranks:-${slots:-1}}" "$@" \
    </dev/null 2>"$work/pipe" &
  launcher=$!
  listen <"$work/pipe" &
  guard $launcher >/dev/null &
  guardian=$!
  [ -z "$stopping" ] || stop
  wait_for $launcher
  launcher=''
  kill $guardian 2>/dev/null
  wait $guardian 2>/dev/null
  # Processes of the job left on other hosts may hold the pipe for some more seconds.
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    [ ! -e "$work/heard" ] || break
    sleep 0.2
  done
  return "$status"
}

# A job that is ended from outside leaves everything that was kept before. A launcher that fails at once could
# not start the job; later it has lost part of it.
meaning_of() {
  case $1 in
  0 | 64 | 65 | 66 | 69 | 70 | 74 | 75) echo "$1" ;;
  132 | 134 | 135 | 136 | 139) echo 70 ;;
  126 | 127) echo 69 ;;
  *) if [ "$1" -gt 128 ] || [ "$2" -ge 10 ]; then echo 75; else echo 69; fi ;;
  esac
}

mkfifo "$work/pipe" || exit 74
started=0
while :; do
  began=$(date +%s)
  run_once "$@"
  status=$?
  outcome=$(meaning_of $status $(($(date +%s) - began)))
  [ "$outcome" -eq "$status" ] || say "the launcher ended with $status, which counts as $outcome"
  if [ "$outcome" -ne 75 ] || [ -n "$stopping" ] || [ $started -ge "$restarts" ]; then break; fi
  started=$((started + 1))
  say "start $started of $restarts anew"
  sleep "${TAULER_PAUSE:-5}"
done
[ "$outcome" -ne 75 ] || say "everything is kept; run the same command again"
exit "$outcome"
