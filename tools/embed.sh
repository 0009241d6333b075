#!/bin/sh
# Writes files as C, to be linked into the program: embed.sh FILE... >explorer_files.c
# They are found by their names below the explorer's folder; see analysis/serve/daemon/daemon_files.h.
set -eu

echo '#include "analysis/serve/daemon/daemon_files.h"'
number=0
for file in "$@"; do
  echo "static const unsigned char file_${number}[] = {"
  od -An -v -t u1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
  echo '0};'
  number=$((number + 1))
done
echo 'const api_file daemon_files[] = {'
number=0
for file in "$@"; do
  printf '    {"%s", file_%d, sizeof file_%d - 1},\n' "${file#analysis/explorer/}" $number $number
  number=$((number + 1))
done
echo '    {0, 0, 0}};'
echo 'const size_t daemon_files_used = sizeof daemon_files / sizeof *daemon_files - 1;'
