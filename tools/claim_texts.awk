# Writes what the Markdown beside the claims says as C: awk -f claim_texts.awk FILE.md... >claim_texts.c
# A file has the sections "# Title", "## In plain words" (or none), "## Sentence (LANGUAGE)", "## In English",
# "## Source" and "## Method"; then "## Table: KEY" of the figures, each with its columns ("- `KEY`: TITLE"), and
# below a table "## Plot: KEY (KIND)" with "- across `COLUMN`: LABEL", "- up: LABEL" and its series ("- `COLUMN`").
# "## Sentences" are those of notes, verdicts and witnesses ("- `KEY`: TEXT with {places}"). Before them may stand what
# was found at a larger size, "## Stored: --seeds 24 (DATE)", with items of the same form (analysis/claims/stored.h).
# The lines of a paragraph, and of an item, become one.

function refuse(said) {
  print "claim_texts.awk: " said >"/dev/stderr"
  exit failed = 1
}

function end_file() {
  if (name == "") return
  if (written != "title sentence english source method") \
    refuse(name ".md has sections missing or out of order; it has: " written)
  for (i = 1; i <= tables; i++) {
    print "static const report_column " name "_columns_" i "[] = {" columns[i] "};"
    if (plots[i] != "") print "static const report_plot_layout " name "_plots_" i "[] = {" plots[i] "};"
  }
  if (tables) print "static const report_layout " name "_tables[] = {"
  for (i = 1; i <= tables; i++) {
    print "    {" titles[i] ", " name "_columns_" i ", sizeof " name "_columns_" i " / sizeof(report_column),"
    if (plots[i] == "") print "     NULL, 0},"
    else print "     " name "_plots_" i ", sizeof " name "_plots_" i " / sizeof(report_plot_layout)},"
  }
  if (tables) print "};"
  if (sentences != "") print "static const report_sentence " name "_sentences[] = {\n" sentences "};"
  if (stored != "") {
    print "static const report_sentence " name "_items[] = {\n" stored "};"
    print "static const report_stored " name "_stored = {\"" size "\", \"" date "\", " name "_items,"
    print "    sizeof " name "_items / sizeof(report_sentence)};"
  }
  print "extern const claim_text claim_text_" name ";\nconst claim_text claim_text_" name " = {\n" prose
  if (tables) print "    .layouts = " name "_tables,\n    .layouts_used = " tables ","
  if (sentences != "") {
    print "    .sentences = " name "_sentences,"
    print "    .sentences_used = sizeof " name "_sentences / sizeof(report_sentence),"
  }
  if (stored != "") print "    .stored = &" name "_stored,"
  print "};\n"
  written = prose = sentences = stored = ""
}

function end_sentence() {
  item = "    {\"" key "\", \"" text "\"},\n"
  if (key != "" && member == "stored") stored = stored item
  else if (key != "") sentences = sentences item
  key = text = ""
}

function begin_sentence(item) {
  end_sentence()
  if (item !~ /^`[^`]+`: /) refuse(FILENAME ":" FNR ": a sentence has a key: - `KEY`: TEXT")
  split(item, parts, "`")
  key = parts[2]
  text = substr(item, length(key) + 5)
}

function end_section() {
  if (member == "table") titles[tables] = "\"" key "\", \"" text "\""
  else if (member == "plot") \
    plots[tables] = plots[tables] "{\"" key "\", \"" text "\", " kind axes ", {" series "}},\n    "
  else if (member == "sentences" || member == "stored") end_sentence()
  else if (member != "") prose = prose "    ." member " = \"" text "\",\n"
  if (member != "" && member !~ /^(plainly|table|plot|sentences|stored)$/) written = written " " member
  member = text = key = axes = series = ""
}

function begin_plot(heading) {
  if (match(heading, / \((lines|bars|stacked bars)(, logarithmic)?\)$/) == 0) \
    refuse(FILENAME ":" FNR ": a plot is of lines, bars or stacked bars")
  kind = substr(heading, RSTART + 2, RLENGTH - 3)
  key = substr(heading, 1, RSTART - 1)
  kind = (kind ~ /^lines/ ? "PLOT_LINES" : kind ~ /^bars/ ? "PLOT_BARS" : "PLOT_STACKED_BARS") \
         (kind ~ /logarithmic/ ? ", true" : ", false")
  member = "plot"
}

function begin_section(heading) {
  end_section()
  if (heading ~ /^Table: [a-z_]+$/) {
    columns[++tables] = plots[tables] = ""
    key = substr(heading, 8)
    member = "table"
  } else if (heading == "Sentences") {
    member = "sentences"
  } else if (heading ~ /^Stored: (--[a-z]+ [0-9a-z]+ )+\([0-9-]+\)$/) {
    at = index(heading, " (")
    size = substr(heading, 9, at - 9)
    date = substr(heading, at + 2, length(heading) - at - 2)
    member = "stored"
  } else if (heading ~ /^Plot: / && tables) {
    begin_plot(substr(heading, 7))
  } else if (heading ~ /^Sentence \([a-z]+\)$/) {
    prose = prose "    .language = \"" substr(heading, 11, length(heading) - 11) "\",\n"
    member = "sentence"
  } else if (heading in members) {
    member = members[heading]
  } else {
    refuse(FILENAME ":" FNR ": there is no section \"" heading "\"")
  }
}

# What stands behind "`KEY`: " or "up: ", nothing if the label is empty.
function label_of(item) {
  sub(/^[^:]*: ?/, "", item)
  return "\"" item "\""
}

function add_item(item) {
  split(item, parts, "`")
  if (member == "table" && item ~ /^`[^`]+`: /) \
    columns[tables] = columns[tables] "{\"" parts[2] "\", " label_of(item) "},\n    "
  else if (member == "plot" && item ~ /^across `[^`]+`:/) axes = ", \"" parts[2] "\", " label_of(item)
  else if (member == "plot" && item ~ /^up: /) axes = axes ", " label_of(item)
  else if (member == "plot" && item ~ /^`[^`]+`$/) series = series "\"" parts[2] "\", "
  else refuse(FILENAME ":" FNR ": a table has columns, a plot axes and series")
}

BEGIN {
  members["In plain words"] = "plainly"
  members["In English"] = "english"
  members["Source"] = "source"
  members["Method"] = "method"
  print "#include \"analysis/claims/claim.h\"\n"
}

FNR == 1 {
  end_section()
  end_file()
  name = FILENAME
  sub(/.*\//, "", name)
  sub(/\.md$/, "", name)
  tables = 0
}

{ gsub(/["\\]/, "\\\\&") }
/^# / {
  prose = "    .title = \"" substr($0, 3) "\",\n"
  written = "title"
  next
}
/^## / {
  begin_section(substr($0, 4))
  next
}
/^- / && (member == "table" || member == "plot") {
  add_item(substr($0, 3))
  next
}
/^- / && (member == "sentences" || member == "stored") {
  begin_sentence(substr($0, 3))
  next
}
/^  / && (member == "sentences" || member == "stored") {
  text = text " " substr($0, 3)
  next
}
/^$/ {
  parted = text != ""
  next
}
{
  text = text (text == "" ? "" : parted ? "\\n\\n" : " ") $0
  parted = 0
}

END {
  if (failed) exit 1
  end_section()
  end_file()
}
