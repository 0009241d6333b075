#!/bin/sh
# What holds of all sources: who may include what, how long they are, that errors are looked at.
set -u
cd "$(dirname "$0")/.." || exit 1

# Headers for the folders above; every other header is for its own folder (and for tests) only.
public="base/*.h base/command/*.h parallel/*.h indexers/*.h games/game.h games/defaults.h games/game_chance.h games/game_grid.h games/game_play.h games/game_proof.h games/game_record.h games/game_text.h games/registry.h games/game_options.h
  databases/table.h databases/table_frames.h databases/folder.h databases/names.h databases/streams.h databases/plain_slice.h recover/*.h lines/lines.h
  solver/engines/solve.h solver/run/build.h solver/engines/chance/chance.h
  solver/run/options.h solver/run/command_ranks.h
  analysis/probe/tauler.h"

# The modules of the solver and of analysis, lowest first: a module includes itself and those before it.
modules="solver/shards solver/checkpoint solver/propagate solver/tables solver/engines solver/run
  analysis/probe analysis/slices analysis/history analysis/search analysis/uci analysis/print analysis/python analysis/exact
  analysis/verify analysis/dice analysis/learn analysis/stats analysis/export analysis/records analysis/serve analysis/publish analysis/proof analysis/bench
  analysis/claims"

# Modules that prove tables or answer from them use nothing of the solver, by whatever headers; but a command opens its
# ranks.
apart='^analysis/(probe|slices|history|search|uci|verify|print)/'

# The folders whose public headers a folder may include; its own headers go without saying.
below() {
  case $1 in
  base) ;;
  parallel | indexers | databases) echo base ;;
  games) echo base indexers ;;
  recover) echo base parallel games databases ;;
  lines) echo base games databases ;;
  solver) echo base parallel indexers games databases recover lines ;;
  analysis) echo base parallel indexers games databases recover lines solver ;;
  cluster | tools) echo base ;;
  tauler.c) echo base parallel games databases solver analysis ;;
  esac
}

folder_of() {
  case $1 in
  tests/naive/*) echo tests/naive ;;
  */*) echo "${1%%/*}" ;;
  *) echo "$1" ;;
  esac
}

is_public() {
  for pattern in $public; do
    # Patterns are meant to match.
    # shellcheck disable=SC2254
    case $1 in $pattern) return 0 ;; esac
  done
  return 1
}

is_daemon() {
  case $1 in analysis/serve/daemon/*) return 0 ;; esac
  return 1
}

# Whether file $1 is a claim about the game of header $2.
is_of_game() {
  case $1 in analysis/claims/*/*) ;; *) return 1 ;; esac
  game=${1#analysis/claims/}
  game=${game%%/*}
  [ "$game" = goose ] && game=oca_asesina
  case $2 in games/"$game"/*.h) return 0 ;; esac
  return 1
}

# The place of a module in the order.
module_number() {
  number=0
  for module in $modules; do
    number=$((number + 1))
    case $1 in "$module"/*) echo $number && return ;; esac
  done
  echo 0
}

# The same between modules; an engine does not know another engine.
module_allowed() {
  case $1:$2 in
  solver/engines/*/*:solver/engines/*/*) [ "${1%/*}" = "${2%/*}" ] && return 0 || return 1 ;;
  esac
  [ "$(module_number "$1")" -ge "$(module_number "$2")" ]
}

# Whether file $1 may include header $2.
allowed() {
  from=$(folder_of "$1")
  to=$(folder_of "$2")
  case $2 in *.c) return 1 ;; esac
  # Claims about a game may know its rules.
  is_of_game "$1" "$2" && return 0
  # What builds values by lines of play does not prove them.
  case $1:$2 in analysis/verify/*:lines/*) return 1 ;; esac
  # Names of tables follow from a game's texts.
  case $1:$2 in databases/names.[ch]:games/game.h | databases/names.c:games/registry.h) return 0 ;; esac
  # The daemon is part of the program; the library beside it knows nothing of it.
  case $2 in analysis/serve/daemon/*) is_daemon "$1" || return 1 ;; esac
  case $from$to in solversolver | analysisanalysis) module_allowed "$1" "$2" && return 0 || return 1 ;; esac
  [ "$from" = "$to" ] && return 0
  case $from in
  tests) return 0 ;;
  tests/naive) return 1 ;;
  esac
  for folder in $(below "$from"); do
    [ "$folder" = "$to" ] && is_public "$2" && return 0
  done
  return 1
}

# Lines "file header" for every include in quotes, as the compiler finds it: beside the file, from the
# root, or in base/.
list_includes() {
  find . \( -path ./build -o -name .git \) -prune -o -name '*.[ch]' -print | sort | while read -r file; do
    file=${file#./}
    beside=
    case $file in */*) beside=${file%/*}/ ;; esac
    sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" | while read -r header; do
      if [ -f "$beside$header" ]; then
        header=$beside$header
      elif [ ! -f "$header" ] && [ -f "base/$header" ]; then
        header=base/$header
      fi
      echo "$file $header"
    done
  done
}

# The same lines for what stands apart from the solver and includes it, through other headers or by itself.
find_joined() {
  awk -v apart="$apart" '
    { to[$1] = to[$1] " " $2 }
    function walk(from, file, seen, n, i, list) {
      n = split(to[file], list, " ")
      for (i = 1; i <= n; i++) {
        if (list[i] in seen) continue
        seen[list[i]]
        if (from ~ /command_/ && list[i] == "solver/run/command_ranks.h") continue
        if (list[i] ~ /^solver\//) { print from, list[i]; return }
        walk(from, list[i], seen)
      }
    }
    END { for (file in to) if (file ~ apart) { split("", seen); walk(file, file, seen) } }'
}

# Prints "file may not include header" for every wrong arrow below folder $1; "N includes" at the end.
check_tree() {
  (
    cd "$1" || exit 1
    includes=$(list_includes)
    echo "$includes" | while read -r file header; do
      allowed "$file" "$header" || echo "$file may not include $header"
    done
    echo "$includes" | find_joined | sed 's/ / may not include /'
    echo "$(echo "$includes" | wc -l) includes"
  )
}

# A small tree with known mistakes, so that a blind test is noticed.
plant() {
  mkdir -p "$tree/${1%/*}"
  echo "#include \"$2\"" >>"$tree/$1"
}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for header in base/a.h base/tauler_error.h indexers/rank.h games/game.h games/one/one.h databases/table.h \
  databases/inner.h lines/lines.h solver/inner.h solver/run/build.h solver/shards/slice.h solver/engines/cells.h solver/engines/one/one.h analysis/serve/daemon/daemon.h analysis/verify/verify.h tests/naive/n.h; do
  mkdir -p "$tree/${header%/*}" && : >"$tree/$header"
done
plant base/right.c base/a.h
plant games/one/right.c one.h
plant analysis/claims/one/right.c games/one/one.h
plant solver/right.c games/game.h
plant solver/engines/one/right.c solver/engines/one/one.h
plant solver/engines/one/right.c solver/shards/slice.h
plant analysis/probe/tauler.h tauler_error.h
plant tests/right.c databases/inner.h
plant analysis/serve/daemon/right.c daemon.h
plant analysis/serve/daemon/command_serve.c analysis/serve/daemon/daemon.h
plant tests/naive/right.c n.h
plant analysis/serve/wrong0.c daemon/daemon.h
plant base/wrong1.c games/game.h
plant indexers/wrong2.c games/game.h
plant databases/wrong3.c indexers/rank.h
plant solver/wrong4.c games/one/one.h
plant solver/wrong5.c databases/inner.h
plant analysis/wrong6.c solver/inner.h
plant games/wrong7.c databases/table.h
plant tests/naive/wrong8.c base/a.h
plant tests/wrong9.c base/right.c
plant solver/shards/wrongA.c solver/engines/cells.h
plant solver/engines/two/wrongB.c solver/engines/one/one.h
plant databases/names.c games/game.h
plant databases/wrongC.c games/game.h
plant analysis/middle.h solver/run/build.h
plant analysis/stats.c analysis/middle.h
plant analysis/verify/wrongD.c analysis/middle.h
plant analysis/probe/wrongE.c analysis/verify/verify.h
plant analysis/claims/two/wrongF.c games/one/one.h
plant analysis/verify/wrongG.c lines/lines.h
plant analysis/history/right.c lines/lines.h
found=$(check_tree "$tree" | grep -c '^[a-z/_]*wrong[0-9A-G].c may not include')
total=$(check_tree "$tree" | grep -c 'may not include')
if [ "$found" -eq 17 ] && [ "$total" -eq 17 ]; then
  echo "PASS: arrows_of_a_planted_tree"
else
  echo "FAIL: arrows_of_a_planted_tree: $found of 17 mistakes found, $total reported"
  status=1
fi

# Which engine solves a game is the engines' own affair.
engines=$(sed -n '/^extern const engine /,/;/p' solver/engines/engine.h | grep -o 'engine_[a-z_]*')
named=$(echo "$engines" | grep -rnwF -f - --include='*.[ch]' base indexers games databases recover solver analysis cluster tools tauler.c |
  grep -v '^solver/engines/')
if [ -z "$engines" ] || [ -n "$named" ]; then
  echo "FAIL: engines: ${named:-engine.h names none}"
  status=1
else
  echo "PASS: engines"
fi

# Another game touches its folder, a line of the registry, and a board of the page: nothing else knows of morris, but
# for the demo, which may show a game.
knowing=$(find base indexers games databases recover lines solver analysis cluster tools parallel Makefile mk tauler.c -type f \
  ! -name '*.md' ! -name '*.pyc' -exec grep -lwi morris {} + |
  grep -v -e '^games/morris/' -e '^games/registry.h$' -e '^analysis/explorer/boards/morris\.' -e '^analysis/explorer/texts/said_' -e '^tools/demo.sh$')
# Facts about one game stand in its folder; benchmarks and claims are about games.
comparing=$(grep -rnE 'strcmp\([^;]*name[^;]*, "(auale|doushouqi|phutball|oca|oca-asesina)"' --include='*.[ch]' \
  solver analysis games | grep -v -e '^analysis/claims/' -e '^analysis/bench/')
if [ -n "$knowing$comparing" ]; then
  echo "FAIL: games: $knowing $comparing"
  status=1
else
  echo "PASS: games"
fi

# An error that nobody looks at is a warning, of pointers to functions as well.
refused=
for lost in '(void)f()' 'f()' 'json_close(0, 0)'; do
  printf '#include "base/json.h"\nvoid lose(tauler_error (*f)(void));\nvoid lose(tauler_error (*f)(void)) {\n  %s;\n}\n' \
    "$lost" >"$tree/lost.c"
  ${CC:-cc} -std=c11 -Werror=unused-result -I. -fsyntax-only "$tree/lost.c" 2>/dev/null || refused="$refused $lost"
done
if [ "$refused" = ' f() json_close(0, 0)' ]; then
  echo "PASS: errors_are_looked_at"
else
  echo "FAIL: errors_are_looked_at: only$refused"
  status=1
fi

# A folder is what a person sees at once: 25 sources, of tests 40.
crowded() { # MOST, then paths of files on standard input
  sed 's|/[^/]*$||' | sort | uniq -c | awk -v most="$1" '$1 > most { print $2 " has " $1 " files" }'
}
crowded=$(find base parallel indexers games databases recover lines solver analysis cluster tools -name '*.[ch]' | crowded 25
  find tests \( -name corpus -o -name __pycache__ \) -prune -o -type f -print | crowded 40)
if [ -n "$crowded" ]; then
  echo "FAIL: sizes of folders: $crowded"
  status=1
else
  echo "PASS: sizes of folders"
fi

# A file is read at once, and so is a function: 500 lines, 45 lines.
long=$(find base parallel indexers games databases recover lines solver analysis cluster tools tests -type f \
  \( -name '*.[ch]' -o -name '*.py' -o -name '*.sh' -o -name '*.js' -o -name '*.css' \) -exec wc -l {} + |
  awk '$1 > 500 && $2 != "total" { print $2 " has " $1 " lines" }')
# A function of C: from the line that begins it to its closing brace.
tall=$(find base parallel indexers games databases recover lines solver analysis tests tauler.c -name '*.[ch]' -exec awk '
  FNR == 1 { start = open = 0 }
  /^[a-zA-Z]/ && !open { start = FNR }
  /\) \{$/ && start { open = 1 }
  /^}$/ && open && FNR - start >= 45 { print FILENAME ":" start " has " FNR - start + 1 " lines" }
  /^}/ { start = open = 0 }' {} +)
if [ -n "$long$tall" ]; then
  echo "FAIL: lengths: $long $tall"
  status=1
else
  echo "PASS: lengths"
fi

report=$(check_tree .)
if printf '%s\n' "$report" | grep 'may not include' | sed 's/^/FAIL: arrows: /' | grep .; then
  status=1
else
  echo "PASS: arrows ($report)"
fi
exit "${status:-0}"
