#!/bin/sh
# tauler stats --simulate as it is called: figures near the tables, seeds, ways to choose, mistakes. What is
# played is for test_simulate.c.
set -u
# shellcheck source=tests/cli/command.sh
. "$(dirname "$0")/command.sh"
cd "$(mktemp -d "${TMPDIR:-/tmp}/tauler-played.XXXXXX")" || exit 1

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

# A player that learns, and one that is stopped and goes on; what they lose by the tables.
learns() {
  name=$1 code=$2
  shift 2
  case_of "$name" exits "$code" learn oca-asesina --board 12.board --tokens 2 --hidden 16 --quiet "$@"
}
learns learning 0 --games 400 --out a.net --json
case_of what_was_learned [ "$(grep -c '"file":"a.net","games":400,"seed":1}' out)" -eq 1 ]
"$TAULER" learn oca-asesina --board 12.board --tokens 2 --hidden 16 --quiet --games 1000000000 --out b.net >out 2>err &
until [ -s b.net ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -TERM $!
wait $!
case_of stopped_with_code [ $? -eq 75 ]
case_of says_how_to_go_on grep -q 'b.net keeps; run it again' err
learns goes_on 0 --games 1 --out b.net
"$TAULER" learn oca-asesina --board 12.board --tokens 2 --hidden 16 --quiet --games 400 --out k.net >out 2>err &
until [ -s k.net ] || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
learns goes_on_when_killed 0 --games 400 --out k.net
case_of to_the_same_file cmp -s k.net a.net
head -c 3000 a.net >cut.net
learns not_with_another_seed 64 --games 400 --seed 2 --out a.net
case_of plays_well exits 0 stats "$@" --simulate 2000 --start --csv --play learned:a.net,random
case_of it_wins between out 0-0,score-1 3 0.6 1
case_of swapped exits 0 stats "$@" --simulate 500 --start --csv --swap --play learned:a.net,random
cp out first
case_of it_wins_swapped between out 0-0,score-1 3 0.6 1
case_of named_second exits 0 stats "$@" --simulate 500 --start --csv --swap --play random,learned:a.net --threads 1
# shellcheck disable=SC2016
case_of adds_up_to_one awk -F, '/^0-0/ { sum += $3; errors[$4] } END { exit !(sum > 0.999999999 && sum < 1.000000001 && length(errors) == 1) }' first out
case_of swapped_alone exits 64 stats "$@" --swap
case_of swapped_regrets exits 64 stats "$@" --simulate 5 --swap --regrets
case_of nobody_to_swap exits 64 stats oca --players 2 --db db --simulate 5 --swap
case_of regrets exits 0 stats "$@" --simulate 300 --start --csv --regrets --play learned:a.net,home-first
case_of their_header [ "$(head -n 1 out)" = slice,seat,choices,mean,largest,game,games,seed ]
case_of few between out 0-0,1 4 0 0.004
case_of more_by_thumb between out 0-0,2 4 0.006 0.1
case_of most_by_thumb between out 0-0,2 5 0.05 1
cp out first
case_of regrets_again exits 0 stats "$@" --simulate 300 --start --csv --regrets --play learned:a.net,home-first --threads 1
case_of same_regrets cmp -s out first
case_of every_decision exits 0 stats "$@" --policies --csv --play learned:a.net
case_of one_more_player [ "$(grep -c '^0-0,learned:a.net,0\.' out)" -eq 1 ]
case_of looked_at_anyhow exits 64 stats "$@" --policies --play home-first
case_of a_match exits 0 stats "$@" --matches --first best --second learned:a.net --csv
cut -d , -f 3 out | tail -n 1 >worth
"$TAULER" stats "$@" --csv | grep '^0-0,score-1,' | cut -d , -f 3 >value
# shellcheck disable=SC2016
case_of best_is_no_worse awk 'NR == FNR { value = $1; next } { exit !($1 > value - 1e-7 && $1 < value + 0.1) }' value worth
case_of both_learned exits 0 stats "$@" --matches --first learned:a.net --second learned:a.net --csv
case_of a_wide_match exits 0 stats "$@" --matches --first random --second random --csv --width 0.01
# shellcheck disable=SC2016
case_of is_wide awk -F , 'NR > 1 { exit !($4 - $3 > 1e-6 && $4 - $3 <= 0.01) }' out
case_of width_of_nothing exits 64 stats "$@" --simulate 10 --width 0.01
case_of best_regrets_nothing exits 0 stats "$@" --simulate 100 --start --csv --regrets
case_of nothing_lost between out 0-0,2 5 0 0.000001
case_of no_choices exits 64 stats oca --players 2 --db db --simulate 10 --regrets
case_of regrets_of_nothing exits 64 stats "$@" --regrets
case_of no_such_file exits 74 stats "$@" --simulate 10 --play learned:none.net
case_of a_foreign_file exits 65 stats "$@" --simulate 10 --play random,learned:12.board
learns odd_units 64 --hidden 12 --out c.net
learns no_board 74 --board none.board --out c.net
learns no_other_board 74 --also none.board --out c.net
learns an_empty_name 64 --also 20,,63 --out c.net
learns too_many_boards 64 --also 20,20,20,20,20,20,20,20,20,20,20,20,20,20,20,20 --out c.net
learns no_tokens 64 --tokens 0 --out c.net
learns too_many_tokens 64 --tokens 13 --out c.net
learns no_ends 66 --games 2 --ends nowhere --out c.net
case_of how_to_get_them grep -q 'tauler build oca-asesina --tokens 1 .*nowhere' err
learns no_fewer_tokens 64 --tokens 1 --ends db --out c.net
learns ends_of_one_board_alone 66 --tokens 3 --also 20 --ends db --out c.net
case_of which_board grep -q 'board=20' err
learns a_folder 74 --out .
learns damaged 65 --out cut.net
case_of no_file_left [ ! -e c.net ]
case_of of_oca exits 64 learn oca --players 2 --out c.net
case_of of_auale exits 64 learn auale --seeds 3 --out c.net
case_of three_players exits 64 learn oca-asesina --rules players=3 --out c.net
learns nowhere 74 --out nowhere/c.net

case_of no_such_policy exits 64 stats "$@" --simulate 10 --play lazily
case_of which_there_are grep -q 'there are: best, random.*, learned:FILE' err
case_of no_dice exits 64 stats auale --seeds 3 --simulate 10
case_of no_games exits 64 stats oca --players 2 --simulate 0
case_of a_seed_alone exits 64 stats oca --players 2 --seed 3
case_of with_choices exits 64 stats oca --players 2 --simulate 3 --choices
exit $failed
