#!/bin/sh
# Runs all claims and writes docs/report.md with its pictures in docs/report: report.sh FOLDER [OPTION...]
# FOLDER keeps the tables, so that a second run, or one after a stop, builds only missing ones. The options are those
# of `tauler claims`. The last chapter, on large runs, comes from the files in docs/results. Report and pictures replace
# the old ones together, after all claims. If a claim fails, the report says so and the exit code is 1.
set -eu
tables=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../docs"

new=$(mktemp -d .report.XXXXXX)
trap 'rm -rf "$new"' EXIT
trap 'exit 130' INT TERM
mkdir "$new/report"

# The Python of the system is more likely to have numpy and matplotlib than another one.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# The commands run in the folder of the document, so that links to pictures are relative to it.
status=0
(cd "$new" && "$python" "$here/results_chapter.py" report >large.md)
(cd "$new" && "$TAULER" claims --all --markdown --plots report --db "$tables" "$@" >chapters.md) || status=$?
case $status in
0 | 1) ;;
*)
  echo "report.sh: not all claims could be run; docs/report.md is as it was" >&2
  exit "$status"
  ;;
esac

made=$("$TAULER" --version | head -n 1)
claims=$here/../analysis/claims
# shellcheck disable=SC2016
made=$(printf 'This report is of %s, made with `make report%s`.' "$made" "${*:+ REPORT_OPTIONS=\"$*\"}")
(cd "$new" && "$python" "$here/report_front.py" "$claims/questions.md" "$claims/preface.md" chapters.md large.md "$made" >report.md)

rm -rf report
mv "$new/report" report
mv "$new/report.md" report.md
[ "$status" -eq 0 ] || echo "report.sh: a claim fails; docs/report.md says which" >&2
exit "$status"
