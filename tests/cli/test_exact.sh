#!/bin/sh
# tauler stats --exact: the published fraction in each form, and what is refused.
set -u
cd "$(dirname "$0")/../.." || exit 1
tauler=${TAULER:-./tauler}
published=175624630924816029684637425982424243923519241/242428832615484770090295665631222801425184768
failed=0

# expect NAME CODE TEXT ARGUMENT...: the exit code, and a text that must be printed.
expect() {
  name=$1 code=$2 text=$3
  shift 3
  printed=$("$tauler" stats "$@" 2>&1)
  got=$?
  if [ $got -eq "$code" ] && printf '%s\n' "$printed" | grep -qF "$text"; then
    echo "PASS: $name"
  else
    echo "FAIL: $name: exit code $got: $printed"
    failed=1
  fi
}

expect exact_csv 0 "1,win-1,$published" oca --players 1 --exact --csv --db /nowhere
expect exact_json 0 "\"win-1\":\"$published\"," oca --players 1 --exact --json
expect exact_text 0 "exactly       $published" oca --players 1 --exact
expect exact_of_many 64 "at most 20000 equations" oca --players 3 --exact
expect exact_of_slices 0 "score-1       0.501104833671" oca-asesina --board 20 --tokens 1 --exact
expect exact_of_choices 64 "a game without choices" oca-asesina --board 20 --tokens 2 --exact
expect exact_without_dice 64 "no game of dice" auale --seeds 2 --exact
expect exact_and_total 64 "exclude each other" oca --players 1 --exact --total
exit $failed
