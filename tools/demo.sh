#!/bin/sh
# Shows a short tour: builds tables of all awari and abapa boards of up to 12 seeds, of Dou Shou Qi endings of up to
# three animals, of a Phutball board with draws, of three men's morris, and of two games of dice, and probes them.
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
show ./tauler build auale --rules abapa --seeds 12 --depth --db "$db" --quiet
show ./tauler probe auale --rules abapa --db "$db" 0-0-1-0-2-1-1-0-0-3-0-1-20-19-S
show ./tauler build doushouqi --pieces 3 --db "$db" --quiet
show ./tauler probe doushouqi --db "$db" '7/2e4/7/7/7/7/4L2/2R4/7 w'
show ./tauler build phutball --board 7x3 --db "$db" --quiet
show ./tauler probe phutball --db "$db" '3/3/2x/1x1/3/o2/3 O'
show ./tauler build morris --db "$db" --quiet
show ./tauler probe morris --db "$db" '3/3/3 w'
show ./tauler build oca --players 2 --db "$db" --quiet
show ./tauler probe oca --db "$db" 'oca:12,19~2/1'
show ./tauler build oca-asesina --board 20 --tokens 2 --db "$db" --quiet
show ./tauler probe oca-asesina --board 20 --tokens 2 --db "$db" '0,5/12,14 lost=0,1 seat=1'
printf '\nThe tables stand in %s. Ask about any board with ./tauler probe GAME POSITION, or see ./tauler --help.\n' "$db"
printf 'The explorer page: run\n  ./tauler serve --db %s\nand open http://127.0.0.1:8417/ in a browser.\n' "$db"
