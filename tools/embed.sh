#!/bin/sh
# Writes files as a C source of the program: embed.sh FILE... >explorer_files.c
# Their names are the paths below analysis/explorer, analysis/serve or docs; see analysis/serve/page_files.h.
set -eu

echo '#include "analysis/serve/page_files.h"'
number=0
for file in "$@"; do
  echo "static const unsigned char file_${number}[] = {"
  od -An -v -t u1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
  echo '0};'
  number=$((number + 1))
done
echo 'const api_file page_files[] = {'
number=0
for file in "$@"; do
  name=${file#analysis/explorer/}
  name=${name#analysis/serve/}
  printf '    {"%s", file_%d, sizeof file_%d - 1},\n' "${name#docs/}" $number $number
  number=$((number + 1))
done
echo '    {0, 0, 0}};'
echo 'const size_t page_files_used = sizeof page_files / sizeof *page_files - 1;'
