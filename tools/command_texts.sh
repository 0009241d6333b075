#!/bin/sh
# Writes the pages of commands as a C source of the program: command_texts.sh docs/commands/*.md >command_texts.c
# A page has a title, "# tauler NAME: SUMMARY", paragraphs, and under "## Examples" a block of code; see
# base/command/command.h.
set -eu

awk '
function quoted(text) {
  gsub(/[\\"]/, "\\\\&", text)
  return "\"" text "\""
}
function end_page() {
  if (name) print (examples ? "" : "    , \"\"") "},"
}
BEGIN { print "#include \"base/command/command.h\"\nconst command_text command_texts[] = {" }
FNR == 1 {
  end_page()
  name = $3
  sub(/:$/, "", name)
  print "    {" quoted(name) ", " quoted(substr($0, index($0, ": ") + 2)) ", \"\""
  between = examples = ""
  next
}
/^## Examples$/ { print "    , \"\""; examples = 1; next }
examples && /^    / { print "    " quoted(substr($0, 5)) "\"\\n\""; next }
!examples && /./ { print "    " between quoted($0); between = "\" \" "; next }
!examples && between { between = "\"\\n\\n\" " }
END { end_page(); print "    {0, 0, 0, 0}};" }
' "$@"
