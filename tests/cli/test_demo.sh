#!/bin/sh
# Tier: make check
# make demo: every game has tables in the end, a draw is shown, and the last lines say how to open the page.
set -u
cd "$(dirname "$0")/../.." || exit 1
if [ "${TAULER:-}" != "$PWD/tauler" ]; then
  echo "SKIP: demo: it shows ./tauler, which is not the program under test"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
verdict() { # NAME STATUS
  if [ "$2" -eq 0 ]; then echo "PASS: $1"; else
    echo "FAIL: $1: $(tail -n 5 "$folder/said" | tr '\n' ' ')"
    failed=1
  fi
}

TAULER_DB=$folder/tables sh tools/demo.sh >"$folder/said" 2>&1
verdict "the demo ends well" $?
for tables in auale/awari auale/abapa doushouqi/base phutball/base morris/base oca/base oca-asesina; do
  find "$folder/tables/$tables"* -name '*.zst' 2>/dev/null | grep -q .
  verdict "tables of $tables" $?
done
grep -q '^O to move: draw' "$folder/said"
verdict "a draw is shown" $?
tail -n 3 "$folder/said" | grep -qF "./tauler serve --db $folder/tables" && tail -n 1 "$folder/said" | grep -qF http://127.0.0.1:8417/
verdict "how to open the page" $?
exit $failed
