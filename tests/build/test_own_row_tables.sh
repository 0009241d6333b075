#!/bin/sh
# Tier: make check
# Tables of the own-row rule and of own-row-any: values and counts of the slow definition; the same tables however they
# are built, stages, and what is refused.
set -u
cd "$(dirname "$0")/../.." || exit 1
tauler=${TAULER:-./tauler}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

check() { # NAME TEST...
  name=$1
  shift
  if "$@"; then
    echo "PASS: $name"
  else
    echo "FAIL: $name"
    failed=1
  fi
}

own_row() { # COMMAND ARGUMENT...
  command=$1
  shift
  "$tauler" "$command" auale --rules abapa --cycles own-row "$@"
}

any() { # COMMAND ARGUMENT...
  command=$1
  shift
  "$tauler" "$command" auale --rules abapa --cycles own-row-any "$@"
}

# Boards whose bounds meet, and all.
decided() { # RULE SEEDS
  "$1" stats --seeds "$2" --csv --db "$folder/at-once" --quiet |
    awk -F, -v n="$2" '$1 == n { all += $4; if ($2 == $3) met += $4 } END { print met, all }'
}

digests() { # what is built or kept, and its digest
  "${2:-own_row}" build --seeds 7 --db "$folder/$1" --quiet --verbose | awk '{ print $3, $4, $NF }'
}

refuse() { # NAME CODE TEXT ARGUMENT...
  name=$1 code=$2 text=$3
  shift 3
  printed=$(own_row build --quiet --db "$folder/refused" "$@" 2>&1)
  check "$name" [ "$?, $(printf '%s' "$printed" | grep -cF -e "$text")" = "$code, 1" ]
}

own_row build --seeds 7 --threads 2 --db "$folder/at-once" --quiet >/dev/null || failed=1
# Counts of each value right after a capture, by the slow definition: every line of play within its bounds.
while read -r seeds counts; do
  found=$(own_row stats --seeds "$seeds" --csv --db "$folder/at-once" --quiet |
    awk -F, -v n="$seeds" '$1 == n { printf " %s:%s", $2, $3 }')
  check "values_of_${seeds}_seeds" [ "$found" = " $counts" ]
done <<END
2 -2:41 0:12 2:25
4 -4:534 -2:96 0:184 2:135 4:416
6 -6:4246 -4:96 -2:759 0:1562 2:636 4:276 6:4800
END
check values_in_one_column [ "$(own_row stats --seeds 2 --csv --db "$folder/at-once" --quiet | head -n 1)" = \
  slice,value,count ]
# Without lines of play bounds stay, and the build says of how many boards.
printed=$(own_row build --seeds 4 --lines-budget 1 --db "$folder/hasty" 2>&1)
check open_boards_are_counted [ "$(printf '%s' "$printed" | grep -c 'positions stay between two bounds')" -eq 1 ]
check open_slices_have_bounds [ -f "$folder/hasty/auale/abapa/own-row/4.lower.zst" ]
check open_slices_are_proven [ "$("$tauler" verify --db "$folder/hasty" --quiet | grep -c '^proven .*searched')" -ge 2 ]
printed=$("$tauler" build auale --rules abapa --cycles forced --seeds 2 --lines-budget 5 --db "$folder/refused" 2>&1)
check no_lines_elsewhere [ "$?, $(printf '%s' "$printed" | grep -c 'lines-budget is for')" = "64, 1" ]
own_row build --seeds 4 --db "$folder/pieces" --quiet >/dev/null || failed=1
check same_in_pieces [ "$(digests pieces)" = "$(digests at-once)" ]
check all_proven [ "$("$tauler" verify --db "$folder/at-once" --threads 1 --quiet | grep -c ^proven)" -eq 8 ]
printed=$("$tauler" verify --db "$folder/at-once" --lines-budget 1 --quiet 2>&1 | grep -c '^consistent')
check too_small_a_budget_refutes_nothing [ "$printed" -eq 1 ]
own_row build --seeds 7 --depth --db "$folder/pieces" --quiet >/dev/null || failed=1
own_row build --seeds 7 --depth --threads 2 --db "$folder/stages" --quiet >/dev/null || failed=1
for slice in 0 1 2 3 4 5 6 7; do
  for stream in value depth-lower depth-upper; do
    cmp -s "$folder/pieces/auale/abapa/own-row/$slice.$stream.zst" "$folder/stages/auale/abapa/own-row/$slice.$stream.zst" ||
      { echo "$slice $stream differs"; failed=1; }
  done
done
check stages_are_proven [ "$("$tauler" verify --db "$folder/stages" --quiet | grep -c '^proven .*depth')" -eq 16 ]
# The first board whose guarantee hangs on a region that holds what was guaranteed before has nine seeds.
own_row build --seeds 9 --depth --db "$folder/nine" --quiet >/dev/null || failed=1
check stages_of_nine_seeds_are_proven [ "$("$tauler" verify --db "$folder/nine" --quiet | grep -c '^proven .*stages')" -eq 20 ]
check stages_are_counted [ "$(own_row stats --seeds 2 --depths --csv --db "$folder/stages" --quiet |
  awk -F, '$1 == "slice"; $1 == 2 && $2 == 2 && $3 < 2 { print $1, $2, $3, $4, $5 }')" = \
  'slice,value,stage-lower,stage-upper,count
2 2 1  14' ]
check stages_are_shown [ "$(own_row probe --db "$folder/stages" 0-0-0-0-0-1-0-0-0-0-0-1-0-0-S |
  grep -c 'value  stage  other')" -eq 1 ]
# Of a board that no move leads to, whose only move captures: of the move, and one more of the board.
check stages_come_back [ "$(own_row probe --json --db "$folder/stages" 0-0-0-0-0-1-1-1-1-1-1-1-0-0-S |
  grep -o '"stage":[0-9]*' | tr '\n' ' ')" = '"stage":1 "stage":0 ' ]
check stages_are_no_plies [ "$(own_row probe --json --db "$folder/stages" 0-0-0-0-0-1-0-0-0-0-0-1-0-0-S |
  grep -c '"stage"')" -eq 1 ]
any build --seeds 7 --threads 2 --db "$folder/at-once" --quiet >/dev/null || failed=1
while read -r seeds met all; do
  check "decided_whatever_was_met_of_${seeds}_seeds" [ "$(decided any "$seeds")" = "$met $all" ]
done <<END
2 41 78
3 109 364
4 273 1365
5 704 4368
6 1941 12375
END
any build --seeds 4 --db "$folder/any-pieces" --quiet >/dev/null || failed=1
check any_same_in_pieces [ "$(digests any-pieces any)" = "$(digests at-once any)" ]
check any_rests_on_own_row [ "$(digests any-pieces)" = "$(digests at-once)" ]
check any_all_proven [ "$("$tauler" verify --db "$folder/at-once" --quiet | grep -c ^proven)" -eq 24 ]
printed=$(any build --quiet --depth --seeds 3 --db "$folder/refused" 2>&1)
check any_has_no_depths [ "$?, $(printf '%s' "$printed" | grep -cF 'leave out --depth')" = "64, 1" ]
printed=$(any plan --seeds 3 --ranks 2 2>&1)
check any_is_planned_for_ranks [ "$?, $(printf '%s' "$printed" | grep -cF 'network')" = "0, 1" ]
printed=$(any stats --depths --seeds 3 --db "$folder/at-once" 2>&1)
check any_has_no_depths_to_count [ "$?, $(printf '%s' "$printed" | grep -cF 'leave out --depth')" = "64, 1" ]
plan=$(any plan --seeds 7 --threads 1 --json | sed 's/.*"memory":\([0-9]*\).*/\1/')
any build --seeds 7 --threads 1 --memory "$plan" --db "$folder/planned" --quiet >/dev/null
check any_within_its_plan [ $? -eq 0 ]
printed=$(any build --quiet --seeds 7 --threads 1 --memory "$((plan * 9 / 10))" --db "$folder/refused" 2>&1)
check any_not_within_less [ "$?, $(printf '%s' "$printed" | grep -cF 'the memory limit is')" = "69, 1" ]
refuse too_little_memory 69 "the memory limit is" --seeds 11 --memory 8M --threads 1
exit $failed
