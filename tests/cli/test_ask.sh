#!/bin/sh
# The commands that ask tables: probe, stats, games. Positions from standard input, exit codes, published counts.
set -u
cd "$(dirname "$0")/../.." || exit 1
tauler=${TAULER:-$PWD/tauler}
tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT
unset TAULER_DB
status=0

check() {
  if [ "$2" = "$3" ]; then
    echo "PASS: $1"
  else
    echo "FAIL: $1: not as expected:"
    printf '%s\n---- but\n%s\n' "$3" "$2"
    status=1
  fi
}

same_file() {
  if cmp -s "$2" "$3"; then
    echo "PASS: $1"
  else
    echo "FAIL: $1"
    diff "$2" "$3" | head -n 20
    status=1
  fi
}

code() {
  "$@" >"$tables/out" 2>"$tables/err"
  echo $?
}

"$tauler" build auale --seeds 10 --depth --db "$tables/db" --quiet >/dev/null || status=1
"$tauler" build auale --rules abapa --cycles forced --seeds 10 --db "$tables/db" --quiet >/dev/null || status=1

# --- probe

position=0-0-1-0-2-1-1-0-0-3-0-1-20-19-S
check probe_exits_0 "$(code "$tauler" probe auale $position --db "$tables/db")" 0
check text_shows_the_board_the_value_and_the_best_move_first \
  "$(grep -c -e '  <- to move' -e '^South wins 29-19; from here South gains 9; ' "$tables/out") $(
    sed -n '/^move/{n;s/^\(.\) *\(+9\).*/\1 \2/p;}' "$tables/out")" "2 E +9"
check a_bad_position_exits_65 "$(code "$tauler" probe auale 1-2-3 --db "$tables/db")" 65
check more_than_48_seeds_with_the_stores_exit_65 \
  "$(code "$tauler" probe auale 0-0-1-0-2-1-1-0-0-3-0-1-20-20-S --db "$tables/db") $(
    code "$tauler" probe auale --search 1s 4-4-4-4-4-4-4-4-4-4-4-4-1-0-S --db "$tables/db") $(grep -c '49 seeds' "$tables/err")" "65 65 1"
check a_missing_table_exits_66 \
  "$(code "$tauler" probe auale --rules awari,grand-slam=captures $position --db "$tables/db") $(wc -l <"$tables/err")" "66 1"
check its_moves_are_still_listed "$(grep -c '^[CEF]  *?' "$tables/out")" 3
command=$(sed -n 's/^.*build it: tauler //p' "$tables/err")
# The command is meant to be split.
# shellcheck disable=SC2086
check the_command_of_the_message_builds_it \
  "$("$tauler" $command --quiet >/dev/null; code "$tauler" probe auale --rules awari,grand-slam=captures $position --db "$tables/db")" 0
check an_unknown_game_exits_64 "$(code "$tauler" probe auala $position --db "$tables/db")" 64
check an_option_of_another_game_exits_64 "$(code "$tauler" probe auale --pieces 2 $position --db "$tables/db")" 64
check the_folder_comes_from_the_environment "$(TAULER_DB=$tables/db code "$tauler" probe auale $position)" 0
check a_line_ends_with_the_game \
  "$("$tauler" probe auale $position --line --db "$tables/db" | grep -c '^The game is over')" 1
check a_repetition_is_told \
  "$("$tauler" probe auale '1 0 0 0 0 0 1 0 0 0 0 0' --line --db "$tables/db" | grep '^Play repeats')" \
  "Play repeats: the position is again that at the start."

check a_line_by_bounds_says_by_which_rule_it_is_chosen \
  "$("$tauler" probe auale --rules abapa '1 0 0 0 0 0 1 0 0 0 0 0' --line --db "$tables/db" | grep -c 'greatest lower bound') $(
    "$tauler" probe auale --rules abapa --json '1 0 0 0 0 0 1 0 0 0 0 0' --line --db "$tables/db" | grep -o '"rule":"[^"]*"')" \
  '1 "rule":"lower bound"'
check a_line_by_values_needs_no_rule \
  "$("$tauler" probe auale $position --line --db "$tables/db" | grep -c 'greatest lower bound') $(
    "$tauler" probe auale --json $position --line --db "$tables/db" | grep -o '"rule":"[^"]*"')" '0 "rule":"value"'

printf '%s\n' $position '' nonsense '1 2' "$position moves Ef" >"$tables/in"
check one_bad_line_does_not_stop_the_others \
  "$("$tauler" probe auale --json --db "$tables/db" <"$tables/in" 2>"$tables/err" | sed 's/.*"position":"\([^"]*\)","turn.*/\1/'
    grep -o 'line [0-9]*' "$tables/err")" \
  "$position
1-0-1-0-0-2-0-0-0-3-0-0-22-19-S
line 3
line 4"
check and_exits_65_in_the_end "$("$tauler" probe auale --db "$tables/db" <"$tables/in" >"$tables/out" 2>&1; echo $?)" 65
printf '%s' $position >"$tables/in"
check a_last_line_without_newline_counts "$("$tauler" probe auale --json --db "$tables/db" <"$tables/in" | wc -l)" 1
printf '%s\r\n' $position >"$tables/in"
check lines_may_end_as_on_windows "$("$tauler" probe auale --json --db "$tables/db" <"$tables/in" | wc -l)" 1
check bad_and_missing_together_exit_65 \
  "$(code "$tauler" probe auale 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S nonsense 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S --db "$tables/db")" 65
check no_positions_are_no_error "$("$tauler" probe auale --db "$tables/db" </dev/null; echo $?)" 0

# --- stats

"$tauler" stats auale --seeds 10 --csv --db "$tables/db" >"$tables/csv"
same_file counts_of_table_boards "$tables/csv" tests/oracles/auale-awari-table-boards.csv
"$tauler" stats auale --seeds 10 --boards all --csv --db "$tables/db" >"$tables/csv"
grep -v '^1[12],' tests/oracles/auale-awari-all-boards.csv >"$tables/wanted"
same_file counts_of_all_boards "$tables/csv" "$tables/wanted"
"$tauler" stats auale --rules abapa --seeds 8 --csv --db "$tables/db" >"$tables/csv"
grep -e '^slice' -e '^[0-8],' tests/oracles/auale-abapa-forced.csv >"$tables/wanted"
same_file counts_of_bounds "$tables/csv" "$tables/wanted"
"$tauler" stats auale --rules abapa --seeds 8 --csv --memory 1 --threads 1 --db "$tables/db" >"$tables/csv"
same_file counts_of_bounds_in_little_memory "$tables/csv" "$tables/wanted"
# Room for the small slices only, with what the game needs; the largest are looked up.
"$tauler" stats auale --rules abapa --seeds 8 --csv --memory 700K --db "$tables/db" >"$tables/csv"
same_file counts_of_bounds_in_some_memory "$tables/csv" "$tables/wanted"
"$tauler" stats auale --rules abapa --seeds 8 --csv --memory 700K --disk 1M --db "$tables/db" >"$tables/csv"
same_file counts_of_bounds_on_the_disk "$tables/csv" "$tables/wanted"
for cycles in forced own-row; do
  "$tauler" build auale --rules abapa --cycles $cycles --seeds 8 --quiet --db "$tables/db" >"$tables/out"
  "$tauler" stats auale --rules abapa --cycles $cycles --seeds 8 --boards all --csv --db "$tables/db" >"$tables/csv"
  "$tauler" stats auale --rules abapa --cycles $cycles --seeds 8 --boards all --csv --memory 1 --db "$tables/db" \
    >"$tables/wanted"
  same_file "bounds_of_all_boards_as_by_single_moves_$cycles" "$tables/csv" "$tables/wanted"
  check "all_boards_there_are_$cycles" "$(awk -F, '$1 == 8 { n += $NF } END { print n }' "$tables/csv")" 75582
done
"$tauler" stats auale --seeds 10 --depths --csv --db "$tables/db" >"$tables/csv"
"$tauler" stats auale --seeds 10 --depths --csv --memory 1 --threads 3 --db "$tables/db" >"$tables/slow"
same_file depths_in_little_memory "$tables/csv" "$tables/slow"
check the_header_of_depths "$(head -n 1 "$tables/csv")" slice,value,depth,count
awk -F, 'NR == 1 { print "slice,value,count"; next }
  $1 "," $2 != last { if (last != "") print last "," n; last = $1 "," $2; n = 0 } { n += $4 } END { print last "," n }' \
  "$tables/csv" >"$tables/sums"
same_file depths_add_up_to_values "$tables/sums" tests/oracles/auale-awari-table-boards.csv
check rows_rise_by_slice_value_and_depth \
  "$(tail -n +2 "$tables/csv" | sort -t, -c -k1,1n -k2,2n -k3,3n 2>&1)" ""
check draws_have_no_depth "$(awk -F, 'NR > 1 && ($2 == 0) != ($3 == "")' "$tables/csv" | wc -l)" 0
check the_total_adds_up \
  "$("$tauler" stats auale --seeds 10 --total --csv --db "$tables/db" | awk -F, '$1 == "total" { n += $3 } END { print n }')" 644826
check moves_of_dice_are_listed_without_an_index_that_nobody_could_build \
  "$(code sh -c 'ulimit -t 20 && exec "$@"' sh "$tauler" probe oca-asesina --json '46,56,56,63/33,33,59,59 lost=0,0 seat=2' \
    '0,6,6,27/0,1,28,36 lost=0,0 seat=1' --db "$tables/db") $(wc -l <"$tables/out")" "66 2"
check ways_to_choose_are_named_once \
  "$(code "$tauler" stats oca-asesina --board 20 --simulate 9 --play foo --db "$tables/db") $(
    grep -o random "$tables/err" | wc -l)" "64 1"
check a_missing_slice_exits_66_and_prints_nothing \
  "$(code "$tauler" stats auale --seeds 11 --csv --db "$tables/db") $(wc -c <"$tables/out") $(
    grep -c 'tauler build auale --seeds 11 --rules awari --cycles even --db' "$tables/err")" "66 0 1"
check missing_depths_ask_for_depth \
  "$(code "$tauler" stats auale --rules abapa --seeds 3 --depths --db "$tables/db") $(grep -c -e ' --depth ' "$tables/err")" "66 1"
check json_stats_are_one_object_per_slice "$("$tauler" stats auale --seeds 3 --json --db "$tables/db" | grep -c '^{.*}$')" 4
check stats_without_a_size_exits_64 "$(code "$tauler" stats auale --db "$tables/db")" 64

# --- games

check games_lists_auale "$("$tauler" games | grep -c '^auale: ')" 1
check games_as_json "$("$tauler" games auale --json | grep -c '^{"game":"auale",.*"example":')" 1
for names in "oware auale" "Awari auale" "jungle doushouqi" "goose oca" "dou-shou-qi doushouqi"; do
  # shellcheck disable=SC2086
  set -- $names
  check "$1_is_$2" "$("$tauler" games "$1" | head -n 1 | cut -d : -f 1)" "$2"
done
check a_part_of_a_name_is_none "$(code "$tauler" games dou) $(code "$tauler" games 'oware awari') $(code "$tauler" games '')" "64 64 64"
check tables_are_found_by_other_names \
  "$("$tauler" probe oware --db "$tables/db" 0-0-0-0-0-1-0-0-0-0-0-0-20-27-S --json | grep -c '"game":"auale"')" 1
check an_unknown_game_gets_a_suggestion "$(code "$tauler" games auala) $(grep -c 'did you mean auale' "$tables/err")" "64 1"

exit $status
