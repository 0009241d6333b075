#!/bin/sh
# tools/report.sh: a report and its pictures take the place of older ones together, or not at all.
set -u
cd "$(dirname "$0")/../.." || exit 1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/tools" "$place/analysis/claims" "$place/docs/report"
cp tools/report.sh "$place/tools"
cp analysis/claims/preface.md "$place/analysis/claims"
status=0

# A program in the place of tauler, which ends with $1.
replace_tauler() {
  cat >"$place/tauler" <<PROGRAM
#!/bin/sh
if [ "\$1" = --version ]; then echo 'tauler 7'; exit 0; fi
echo "\$@" >"$place/called"
echo x >report/new.svg
echo '## What was found'
exit $1
PROGRAM
  chmod 755 "$place/tauler"
}

run_report() {
  (cd / && TAULER="$place/tauler" sh "$place/tools/report.sh" /the/tables --pieces 2 >"$place/said" 2>&1)
}

expect() {
  name=$1
  shift
  if "$@"; then return 0; fi
  echo "FAIL: $case: $name"
  failed=1
}

begin() {
  case=$1
  failed=0
}

end() {
  if [ "$failed" -eq 0 ]; then echo "PASS: $case"; else status=1; fi
}

begin a_stopped_run_changes_nothing
replace_tauler 75
echo old >"$place/docs/report.md"
echo old >"$place/docs/report/old.svg"
run_report
expect "exit code" [ $? -eq 75 ]
expect "the report" [ "$(cat "$place/docs/report.md")" = old ]
expect "the pictures" [ "$(ls "$place/docs/report")" = old.svg ]
expect "leftovers" [ "$(ls -A "$place/docs")" = "$(printf 'report\nreport.md')" ]
expect "what it says" grep -q 'as it was' "$place/said"
end

for code in 0 1; do
  begin "a_whole_run_replaces_all_$code"
  replace_tauler $code
  echo old >"$place/docs/report/old.svg"
  run_report
  expect "exit code" [ $? -eq $code ]
  expect "the pictures" [ "$(ls "$place/docs/report")" = new.svg ]
  expect "the preface" [ "$(head -n 1 "$place/docs/report.md")" = "$(head -n 1 analysis/claims/preface.md)" ]
  # shellcheck disable=SC2016
  expect "how it was made" grep -q 'of tauler 7, made with `make report REPORT_OPTIONS="--pieces 2"`' "$place/docs/report.md"
  expect "the chapters" [ "$(tail -n 1 "$place/docs/report.md")" = '## What was found' ]
  expect "leftovers" [ "$(ls -A "$place/docs")" = "$(printf 'report\nreport.md')" ]
  expect "the call" [ "$(cat "$place/called")" = 'claims --all --markdown --plots report --db /the/tables --pieces 2' ]
  end
done

exit $status
