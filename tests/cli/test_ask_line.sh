#!/bin/sh
# The output of probe after a line of moves where the first repetition ends play: as JSON, for a person, with
# --line, and of lines that are none. Two games to the same board are worth different things there.
set -u
cd "$(dirname "$0")/../.." || exit 1
tauler=${TAULER:-./tauler}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
lost='0-1-0-0-1-0-1-0-0-0-0-2-23-20-N moves f'
won='1-0-0-0-1-1-0-0-0-0-2-0-23-20-N moves eFf'
again="$won AaBbCcEdDe"

ask() { # CYCLES ARGUMENT...
  cycles=$1
  shift
  "$tauler" probe auale --rules abapa --cycles "$cycles" --db "$folder" "$@" 2>&1
}

check() { # NAME WANTED PRINTED
  case $3 in
  *"$2"*) echo "PASS: $1" ;;
  *)
    echo "FAIL: $1: no \"$2\" in"
    printf '%s\n' "$3"
    failed=1
    ;;
  esac
}

for cycles in own-row own-row-any; do
  "$tauler" build auale --rules abapa --cycles $cycles --seeds 3 --db "$folder" --quiet >/dev/null || failed=1
done
for cycles in own-row own-row-any; do
  check "lost_$cycles" '"history":{"met":0,"over":false,"bounds":[-3,-3],"exact":true}' "$(ask $cycles --json "$lost")"
  check "won_$cycles" '"history":{"met":2,"over":false,"bounds":[1,1],"exact":true}' "$(ask $cycles --json "$won")"
  check "won_${cycles}_in_the_end" '"final":[25,23]' "$(ask $cycles --json "$won")"
  check "over_$cycles" '"history":{"met":12,"over":true,"bounds":[1,1],"exact":true},"moves":[],"final":[25,23]' \
    "$(ask $cycles --json "$again")"
done
fresh='"category":"loss","outcome":"win","value":-3,"bounds":[-3,-3],'
check tables_speak_of_no_line "$fresh" "$(ask own-row --json "$won")"
check no_line '"history":null,"moves"' "$(ask own-row --json "${won%% *}")"
check a_move '"converts":false,"repeats":false,"history":[1,1]}' "$(ask own-row --json "$won")"
# North is a move away from the board that came up first after the capture.
check a_move_that_repeats '"value":-1,"child_value":' "$(ask own-row --json "${again%e}" | grep -o '{"move":"e"[^}]*"repeats":true,"history":\[-1,-1\]}')"
check other_rules_say_nothing 0 "$(ask forced --json "$won" | grep -c '"history"')"
check for_a_person 'After this line (2 positions met since the last converting move) South wins 25-23; from here South gains 1.' \
  "$(ask own-row "$won" | tr '\n' ' ')"
check for_a_person_without 'With nothing met before: S to move: loss by -3' "$(ask own-row "$won")"
check for_a_person_over 'play is over, the position came back: South has won 25-23; from here South gains 1.' \
  "$(ask own-row "$again" | tr '\n' ' ')"
check for_a_person_repeats 'repeats, ends' "$(ask own-row "${again%e}")"
check line_is_over_at_once '"line":{"moves":"","rule":"value","end":"repeats","repeats":-12,"steps":[]}' "$(ask own-row --json --line "$again" | sed 's/.*"line"/"line"/')"
check line_for_a_person 'Play repeats: the position is again that of ' \
  "$(ask own-row --line "$won")"
check line_is_best_after_the_line '"value":1,"bounds":[1,1]' \
  "$(ask own-row --json --line "$won" | sed 's/.*"line"/"line"/')"
check goes_on_after_the_end 'move 14 comes after the end of play: under these rules it was over after move 13' \
  "$(ask own-row "${again}F")"
check too_large 'a slice of this size is not searched' "$(ask own-row '4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves A')"
exit $failed
