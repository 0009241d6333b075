#!/bin/sh
# The programs in analysis/examples against an installed library, shared and static: they compile without a
# warning, and what they print agrees with figures of others (tests/oracles).
set -u

top=$(cd "$(dirname "$0")/../.." && pwd)
tauler=${TAULER:-$top/tauler}
build=${TAULER_BUILD:-$top/build}
version=$(sed -n 's/^VERSION := //p' "$top/Makefile")
work=$(mktemp -d "${TMPDIR:-/tmp}/tauler-examples.XXXXXX")
trap 'rm -rf "$work"' EXIT

names='installed python_finds_it python_is_told library_is_alone header_alone header_in_cpp compiled_shared compiled_static published_depths counts_of_tables counts_of_bounds threads_agree errors_are_exit_codes'
if [ ! -f "$build/libtauler.so.$version" ]; then
  for name in $names; do echo "SKIP: $name: there is no shared library in this build"; done
  exit 0
fi

check() { # NAME STATUS REASON
  if [ "$2" -eq 0 ]; then echo "PASS: $1"; else echo "FAIL: $1: $(echo "$3" | tr '\n' ' ' | cut -c 1-400)"; fi
}

# Where a package would put it, seen through DESTDIR.
cd "$top" || exit 1
said=$(PREFIX=/usr DESTDIR="$work/root" VERSION=$version BUILD="$build" LIB_DIR=lib \
  PYTHON_DIR=lib/python3/dist-packages sh tools/install.sh install 2>&1)
check installed $? "$said"

# Where the system's Python looks, without anything set; elsewhere it is said what to set.
install_below() { # PREFIX
  PREFIX=$1 DESTDIR="$work/python" VERSION=$version BUILD="$build" LIB_DIR=lib PYTHON_DIR='' \
    sh tools/install.sh install 2>&1
}
if [ -x /usr/bin/python3 ]; then
  said=$(install_below /usr)
  said="$said$(/usr/bin/python3 -c 'import os, site, sys
sys.exit(not any(os.path.exists(sys.argv[1] + each + "/tauler/__init__.py") for each in site.getsitepackages()))' "$work/python" ||
    echo 'no folder that Python looks into has the module')"
  test -z "$said"
  check python_finds_it $? "$said"
else
  echo 'SKIP: python_finds_it: there is no Python of the system'
fi
said=$(install_below /opt/tauler | grep -F 'export PYTHONPATH=/opt/tauler/lib/python3/dist-packages')
test -f "$work/python/opt/tauler/lib/python3/dist-packages/tauler/__init__.py" && test -n "$said"
check python_is_told $? "$said"
PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_LIBDIR=$work/root/usr/lib/pkgconfig
LD_LIBRARY_PATH=$work/root/usr/lib
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR LD_LIBRARY_PATH

# Message passing, HTTP, sockets and the solver are the program's: who links the library gets none of them.
said=$(nm -D --undefined-only "$work/root/usr/lib/libtauler.so" | grep -E ' (MHD_|MPI_|ompi_|(socket|listen|accept4?)@)' ||
  nm "$build/libtauler.so.$version" | grep -E ' [DdRrTt] (engine|solve|sharded|exchange|comm|store)_' ||
  nm -D --undefined-only "$work/root/usr/lib/libtauler.so" | grep -q ' ZSTD_' || echo 'nothing of the library is seen')
test -z "$said"
check library_is_alone $? "$said"

# The header says all that it needs itself, in older C and in C++ too.
printf '#include <tauler.h>\nint open_it(tauler **db);\nint open_it(tauler **db) { return tauler_open("x", NULL, db, NULL); }\n' \
  >"$work/header.c"
# shellcheck disable=SC2046
said=$(${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror $(pkg-config --cflags tauler) -fsyntax-only "$work/header.c" 2>&1)
check header_alone $? "$said"
if command -v c++ >/dev/null; then
  # shellcheck disable=SC2046
  said=$(c++ -x c++ -std=c++11 -pedantic -Wall -Wextra -Werror $(pkg-config --cflags --libs tauler) "$work/header.c" \
    -shared -fPIC -o "$work/header.so" 2>&1 && nm -D "$work/header.so" | grep -q ' U tauler_open')
  check header_in_cpp $? "$said"
else
  echo "SKIP: header_in_cpp: there is no C++ compiler"
fi

compile() { # SUFFIX LIBRARIES…
  suffix=$1
  shift
  for name in best_move count_values; do
    # shellcheck disable=SC2046
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -pthread $(pkg-config --cflags tauler) \
      "analysis/examples/$name.c" "$@" -o "$work/$name$suffix" 2>&1 || return 1
  done
}
# shellcheck disable=SC2046
said=$(compile "" $(pkg-config --libs tauler))
check compiled_shared $? "$said"
# shellcheck disable=SC2046
said=$(compile _static $(pkg-config --static --libs tauler | sed 's/-ltauler/-l:libtauler.a/'))
check compiled_static $? "$said"

# Depths that van Rijn and Vis print for rules liacs, by both libraries.
"$tauler" build doushouqi --rules liacs --pieces 2 --depth --db "$work/db" >/dev/null 2>&1
said=''
for program in best_move best_move_static; do
  while read -r position category plies; do
    out=$("$work/$program" "$work/db" doushouqi liacs "$position w" 2>&1)
    echo "$out" | grep -q "w to move: $category.*in plies $plies\$" &&
      echo "$out" | grep -q "best play, $plies moves: .*, and the game is over\$" || said="$said $position: $out"
  done <<POSITIONS
7/7/3e3/7/7/7/3E3/7/7 loss 12
t6/7/T6/7/7/7/7/7/7 win 19
7/7/3e3/7/6L/7/7/7/7 loss 16
POSITIONS
done
test -z "$said"
check published_depths $? "$said"

# Wins, draws and losses of aualé, slice by slice.
rm -rf "$work/db"
"$tauler" build auale --rules awari --seeds 7 --db "$work/db" >/dev/null 2>&1
"$tauler" build auale --rules abapa --cycles forced --seeds 6 --db "$work/db" >/dev/null 2>&1
"$work/count_values" "$work/db" 3 >"$work/counts" 2>"$work/errors"
awk -F, 'NR > 1 && $1 <= 7 { n[$1] += $3; w[$1] += $2 > 0 ? $3 : 0; d[$1] += $2 == 0 ? $3 : 0; l[$1] += $2 < 0 ? $3 : 0 }
  END { for (s = 0; s <= 7; s++) print "auale awari even", s, n[s], w[s], d[s], l[s], 0 }' \
  tests/oracles/auale-awari-table-boards.csv >"$work/wanted"
said=$(grep ' awari ' "$work/counts" | diff - "$work/wanted")
check counts_of_tables $? "$said$(cat "$work/errors")"
awk -F, 'NR > 1 && $1 <= 6 { n[$1] += $4; w[$1] += $2 > 0 ? $4 : 0; l[$1] += $3 < 0 ? $4 : 0
    d[$1] += $2 == 0 && $3 == 0 ? $4 : 0 }
  END { for (s = 0; s <= 6; s++) print "auale abapa forced", s, n[s], w[s] + 0, d[s] + 0, l[s] + 0, n[s] - w[s] - d[s] - l[s] }' \
  tests/oracles/auale-abapa-forced.csv >"$work/wanted"
said=$(grep ' abapa ' "$work/counts" | diff - "$work/wanted")
check counts_of_bounds $? "$said"
said=$("$work/count_values_static" "$work/db" 1 2>&1 | diff - "$work/counts")
check threads_agree $? "$said"

said=''
expect() { # CODE WORDS COMMAND…
  code=$1 words=$2
  shift 2
  out=$("$@" 2>&1)
  is=$?
  [ $is -eq "$code" ] && echo "$out" | grep -q "$words" || said="$said [$is: $out]"
}
expect 64 usage "$work/best_move"
expect 64 'no game' "$work/best_move" "$work/db" chess '' x
expect 65 'bad position' "$work/best_move" "$work/db" auale '' x
expect 66 'tauler build auale --seeds 48' "$work/best_move" "$work/db" auale '' 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S
case $out in *'best move'*) said="$said [a best move: $out]" ;; esac
printf x >"$work/db/auale/awari/even/7.value.zst"
expect 65 'damaged file' "$work/best_move" "$work/db" auale '' 1-1-1-1-1-1-1-0-0-0-0-0-0-41-S
expect 0 'no tables of this version: 1;' "$work/count_values" "$work/db"
test -z "$said"
check errors_are_exit_codes $? "$said"
