#!/bin/sh
# A short tour: exact tables of all awari boards of up to 12 seeds, and two questions to them.
set -eu

cd "$(dirname "$0")/.."
db=${TAULER_DB:-tables}

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}

show ./tauler build auale --seeds 12 --depth --db "$db"
show ./tauler probe auale --db "$db" 0-0-1-0-2-1-1-0-0-3-0-1-20-19-S
show ./tauler probe auale --db "$db" --line 0-0-0-1-0-2-1-0-0-0-0-0-22-22-S
printf '\nThe tables stand in %s. Ask about any board with ./tauler probe auale POSITION, or see ./tauler --help.\n' "$db"
