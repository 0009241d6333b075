#!/bin/sh
# tauler stats --simulate as it is called: figures near the tables, seeds, ways to choose, mistakes. What is
# played is for test_simulate.c.
set -u
cd "$(mktemp -d "${TMPDIR:-/tmp}/tauler-played.XXXXXX")" || exit 1
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

# Called through case_of.
# shellcheck disable=SC2317
# exits CODE ARGUMENT...: tauler ends so.
exits() {
  wanted=$1
  shift
  "$TAULER" "$@" >out 2>err
  found=$?
  [ "$found" -eq "$wanted" ] || echo "exit code $found"
  [ "$found" -eq "$wanted" ]
}

# between FILE ROW COLUMN LOW HIGH: a figure of the CSV that begins so.
# shellcheck disable=SC2317
between() {
  awk -F, -v row="$2," -v column="$3" -v low="$4" -v high="$5" \
    'index($0, row) == 1 { found = $column >= low && $column <= high } END { exit !found }' "$1"
}

# are_near FILE FILE: their numbers are.
# shellcheck disable=SC2317
are_near() {
  awk 'NR == FNR { value = $1; next } { exit !($1 - value < 0.052 && value - $1 < 0.052) }' "$1" "$2"
}

# fall FILE FILE FILE: their numbers do, from one to the next.
# shellcheck disable=SC2317
fall() {
  awk 'NR == 1 { high = $1 } NR == 2 { middle = $1 } NR == 3 { exit !(high > middle + 0.03 && middle > $1 + 0.03) }' "$@"
}

cat >12.board <<'END'
length 12
geese 4 8 12
bridges 3 6
dice 5 9
inn 2 1
well none
prison none
labyrinth none
death 11 to 0
END
set -- oca-asesina --board 12.board --tokens 2 --db db --quiet

case_of without_tables exits 0 stats oca --players 2 --db db --simulate 20000 --csv --quiet
case_of a_header [ "$(head -n 1 out)" = slice,quantity,mean,error,games,seed ]
case_of wins between out 2,win-1 3 0.497 0.525
case_of their_error between out 2,win-1 4 0.0034 0.0037
case_of turns between out 2,turns 3 27.3 28.6
cp out first
case_of again exits 0 stats oca --players 2 --db db --simulate 20000 --seed 1 --csv --quiet --threads 1
case_of the_same_games cmp -s out first
case_of another_seed exits 0 stats oca --players 2 --db db --simulate 20000 --seed 2 --csv --quiet
case_of other_games [ "$(cmp -s out first; echo $?)" -eq 1 ]
case_of json exits 0 stats oca --players 1 --db db --simulate 1000 --json --quiet
case_of one_object [ "$(grep -c '^{"game":"oca".*"games":1000,.*"win-1":{"mean":0\..*,"bounds":null}' out)" -eq 1 ]

case_of tables_to_choose_by exits 66 stats "$@" --simulate 10
case_of none_for_chance exits 0 stats "$@" --simulate 1000 --play random --csv
"$TAULER" build "$@" >/dev/null || exit 1
case_of by_tables exits 0 stats "$@" --simulate 1500 --csv
grep '^0-0,score-1,' out | cut -d , -f 3 >best
"$TAULER" stats "$@" --csv | grep '^0-0,score-1,' | cut -d , -f 3 >value
case_of means_and_values test -s best -a -s value
case_of their_value are_near value best
case_of seat_1_by_tables exits 0 stats "$@" --simulate 1500 --csv --play best,random
grep '^0-0,score-1,' out | cut -d , -f 3 >ahead
case_of seat_2_by_tables exits 0 stats "$@" --simulate 1500 --csv --play random,best
grep '^0-0,score-1,' out | cut -d , -f 3 >behind
case_of means_of_both test -s ahead -a -s behind
case_of it_pays fall ahead best behind

case_of no_such_policy exits 64 stats "$@" --simulate 10 --play lazily
case_of which_there_are grep -q 'there are: best, random' err
case_of no_dice exits 64 stats auale --seeds 3 --simulate 10
case_of no_games exits 64 stats oca --players 2 --simulate 0
case_of a_seed_alone exits 64 stats oca --players 2 --seed 3
case_of with_choices exits 64 stats oca --players 2 --simulate 3 --choices
exit $failed
