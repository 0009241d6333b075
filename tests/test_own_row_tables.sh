#!/bin/sh
# Tables of the own-row rule: the published counts of boards that they decide, the same tables however they are built,
# and what is refused.
set -u
cd "$(dirname "$0")/.." || exit 1
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

# Boards whose bounds meet, and all.
decided() {
  own_row stats --seeds "$1" --csv --db "$folder/at-once" --quiet |
    awk -F, -v n="$1" '$1 == n { all += $4; if ($2 == $3) met += $4 } END { print met, all }'
}

digests() { # what is built or kept, and its digest
  own_row build --seeds 7 --db "$folder/$1" --quiet | awk '{ print $3, $4, $NF }'
}

refuse() { # NAME CODE TEXT ARGUMENT...
  name=$1 code=$2 text=$3
  shift 3
  printed=$(own_row build --quiet --db "$folder/refused" "$@" 2>&1)
  check "$name" [ "$?, $(printf '%s' "$printed" | grep -cF -e "$text")" = "$code, 1" ]
}

own_row build --seeds 7 --threads 2 --db "$folder/at-once" --quiet >/dev/null || failed=1
while read -r seeds met all; do
  check "decided_of_${seeds}_seeds" [ "$(decided "$seeds")" = "$met $all" ]
done <<END
2 65 78
3 300 364
4 994 1365
5 4090 4368
6 10193 12375
END
own_row build --seeds 4 --db "$folder/pieces" --quiet >/dev/null || failed=1
check same_in_pieces [ "$(digests pieces)" = "$(digests at-once)" ]
own_row build --seeds 7 --engine general --db "$folder/general" --quiet >/dev/null || failed=1
check same_without_grid [ "$(digests general)" = "$(digests at-once)" ]
check all_proven [ "$("$tauler" verify --db "$folder/at-once" --threads 1 --quiet | grep -c ^proven)" -eq 16 ]
refuse depths_are_refused 64 "leave out --depth" --seeds 3 --depth
refuse too_little_memory 69 "the memory limit is" --seeds 13 --memory 22M --threads 1
exit $failed
