# Shared by suites in shell; read by `. tests/cli/command.sh`. They end with `exit $failed`.
# shellcheck shell=sh disable=SC2034

failed=0

# case_of NAME COMMAND...: the command holds.
case_of() {
  name=$1
  shift
  if "$@"; then echo "PASS: $name"; else
    echo "FAIL: $name: $*"
    failed=1
  fi
}

# exits CODE ARGUMENT...: tauler ends so; its lines are in ./out, wrapped ones joined, its errors in ./err.
exits() {
  wanted=$1
  shift
  "$TAULER" "$@" >wrapped 2>err
  found=$?
  sed -e ':next' -e '$!N' -e 's/\n  */ /' -e 't next' -e 'P' -e 'D' wrapped >out
  [ "$found" -eq "$wanted" ] || echo "exit code $found"
  [ "$found" -eq "$wanted" ]
}
