#!/bin/sh
# tools/report.sh: a report and its pictures take the place of older ones together, or not at all.
set -u
cd "$(dirname "$0")/../.." || exit 1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/tools" "$place/analysis/claims" "$place/docs/report"
cp tools/report.sh tools/report_front.py "$place/tools"
echo 'open("report/large.svg", "w"); print("## large-runs")' >"$place/tools/results_chapter.py"
cp analysis/claims/preface.md "$place/analysis/claims"
# shellcheck disable=SC2016
printf 'Questions.\n\n- Is it so? `rat-worth-gain`\n- Is there none? `cat-worth`\n' >"$place/analysis/claims/questions.md"
status=0

# A program in the place of tauler, which ends with $1.
replace_tauler() {
  cat >"$place/tauler" <<PROGRAM
#!/bin/sh
if [ "\$1" = --version ]; then echo 'tauler 7'; exit 0; fi
echo "\$@" >"$place/called"
echo x >report/rat-worth-gain.svg
cat <<'CHAPTERS'
## What was found

| claim | game | verdict | in short |
| --- | --- | --- | --- |
| [A rat](#rat-worth) | doushouqi | holds for | Of 1234567 rats 0.123456 are 9999. |

## rat-worth

Gains

| animal | with \\| bar |
| --- | ---: |
| rat | 12,5 |
| \`7654321\` | 7654321 |

![Gains](report/rat-worth-gain.svg)
CHAPTERS
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
  expect "the pictures" [ "$(ls "$place/docs/report")" = "$(printf 'large.svg\nrat-worth-gain.csv\nrat-worth-gain.svg')" ]
  # shellcheck disable=SC2016
  expect "the figures" [ "$(cat "$place/docs/report/rat-worth-gain.csv")" = "$(printf 'animal,with | bar\nrat,"12,5"\n`7654321`,7654321')" ]
  expect "the answer" grep -qF '**Is it so?** Of 1,234,567 rats 0.123456 are 9999. ([how we know](#rat-worth))' "$place/docs/report.md"
  # shellcheck disable=SC2016
  expect "digits are grouped, but in code" grep -qxF '| `7654321` | 7,654,321 |' "$place/docs/report.md"
  expect "a fact is in the answer" [ "$(grep -c '1,234,567\|1234567' "$place/docs/report.md")" -eq 1 ]
  expect "the verdicts" grep -qxF '| [A rat](#rat-worth) | doushouqi | holds for |' "$place/docs/report.md"
  expect "no other question" [ "$(grep -c '?\*\*' "$place/docs/report.md")" -eq 1 ]
  expect "the order" [ "$(grep '^## ' "$place/docs/report.md" | tr '\n' ' ')" = \
    '## Ten questions ## What was found ## The words ## The games ## How to recheck this yourself ## rat-worth ## large-runs ' ]
  expect "the preface" [ "$(head -n 1 "$place/docs/report.md")" = "$(head -n 1 analysis/claims/preface.md)" ]
  # shellcheck disable=SC2016
  expect "how it was made" grep -q 'of tauler 7, made with `make report REPORT_OPTIONS="--pieces 2"`' "$place/docs/report.md"
  expect "the chapters" grep -qx '## What was found' "$place/docs/report.md"
  expect "the last chapter" [ "$(tail -n 1 "$place/docs/report.md")" = '## large-runs' ]
  expect "leftovers" [ "$(ls -A "$place/docs")" = "$(printf 'report\nreport.md')" ]
  expect "the call" [ "$(cat "$place/called")" = 'claims --all --markdown --plots report --db /the/tables --pieces 2' ]
  end
done

exit $status
