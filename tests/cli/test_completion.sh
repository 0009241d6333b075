#!/bin/sh
# Completions of bash: behind --rules the rule sets and flags of the game on the line, behind --color its words.
set -u
cd "$(dirname "$0")/../.." || exit 1
tauler=${TAULER:-./tauler}
command -v bash >/dev/null 2>&1 || {
  echo "SKIP: completion: there is no bash"
  exit 0
}
script=$(mktemp)
trap 'rm -f "$script"' EXIT
"$tauler" --bash-completion >"$script"
failed=0

completes() { # LINE WANTED
  # shellcheck disable=SC2016
  found=$(bash -c 'source "$0"; COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _tauler; echo "${COMPREPLY[*]}"' "$script" "$tauler $1" 2>&1)
  if [ "$found" = "$2" ]; then echo "PASS: $1"; else
    echo "FAIL: $1: '$found', not '$2'"
    failed=1
  fi
}

completes 'build auale --rules a' 'abapa awari'
completes 'build mor' 'morris'
completes 'probe auale --rules awari,g' 'awari,grand-slam=captures'
completes 'build doushouqi --rules base,lakes=' 'drink plain water' # behind = bash replaces what follows it
completes 'build doushouqi --rules=lia' 'liacs'
completes 'build oca --rules base,pri' 'base,prison=2'
completes 'stats oca-asesina --rules base,last-token=no-b' 'no-bounce'
completes 'build phutball --rules awa' ''
completes 'build chess --rules a' ''
completes 'verify --color a' 'auto always'
exit $failed
