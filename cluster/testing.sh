# Functions that the tests of this folder share; read by `. cluster/testing.sh`. A test prints a line per case.
# $work and $tauler are those of the test that reads this.
# shellcheck shell=sh disable=SC2034,SC2154

failed=0
pass() { echo "PASS: $1"; }
fail() {
  echo "FAIL: $1: $2"
  failed=1
}
skip() { echo "SKIP: $1: $2"; }

# Slice, stream and digest of the tables that a build printed.
digests() { sed -nE 's/^(built|kept) +//p' "$@" | awk '{ print $1, $2, $NF }' | sort -u; }

# same_tables NAME FILE...: what these builds printed is what one process printed, in $work/want.
same_tables() {
  name=$1
  shift
  digests "$@" >"$work/digests"
  if [ -s "$work/digests" ] && cmp -s "$work/want" "$work/digests"; then
    pass "$name"
  else
    fail "$name" "other tables: $(diff "$work/want" "$work/digests" | head -n 4 | tr '\n' ' ')"
  fi
}

now() { date +%s; }

# until_true SECONDS COMMAND...: asks every tenth of a second.
until_true() {
  last=$(($(now) + $1))
  shift
  until "$@"; do
    [ "$(now)" -lt $last ] || return 1
    sleep 0.1
  done
}

# Why these tests cannot be run with this program; nothing when they can.
why_not_by_ranks() {
  implementation=$("$tauler" --version 2>/dev/null | sed -n 's/^MPI: *//p')
  case $implementation in
  '' | none) echo "$tauler was built without MPI" ;;
  *'Open MPI'*) ;;
  *) echo "the tests know Open MPI only, not $implementation" ;;
  esac
}
