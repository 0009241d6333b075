#!/bin/sh
# Tier: make check
# The tests of cluster/, as far as they fit in a minute, the packages are there and the rights exist.
set -u
cd "$(dirname "$0")/../.." || exit 1
case ${TAULER_BUILD:-} in
*/asan | */tsan | */coverage | */mutant)
  echo "SKIP: several hosts, Slurm: they test scripts, not the program that these checks are for"
  exit 0
  ;;
esac
if [ -z "${TAULER_CHECK:-}${TAULER_LONG:-}" ]; then
  echo "SKIP: several hosts, Slurm: make check runs them"
  exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
QUICK=1 sh cluster/test_hosts.sh >"$work/hosts" 2>&1 &
QUICK=1 sh cluster/test_slurm.sh >"$work/slurm" 2>&1
status=$?
wait $! || status=1
cat "$work/hosts" "$work/slurm"
exit $status
