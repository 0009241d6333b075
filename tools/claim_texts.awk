# Writes what the Markdown beside the claims says as C: awk -f claim_texts.awk FILE.md... >claim_texts.c
# A file has the sections "# Title", "## In plain words" (or none), "## Sentence (LANGUAGE)", "## In English",
# "## Source" and "## Method". The lines of a paragraph become one.

function refuse(said) {
  print "claim_texts.awk: " said >"/dev/stderr"
  exit failed = 1
}

function end_file() {
  if (name == "") return
  if (written != "title sentence english source method") \
    refuse(name ".md has sections missing or out of order; it has: " written)
  print "};\n"
  written = ""
}

function end_section() {
  if (member != "") print "    ." member " = \"" text "\","
  if (member != "" && member != "plainly") written = written " " member
  member = text = ""
}

function begin_section(heading) {
  end_section()
  if (heading ~ /^Sentence \([a-z]+\)$/) {
    print "    .language = \"" substr(heading, 11, length(heading) - 11) "\","
    member = "sentence"
  } else if (heading in members) {
    member = members[heading]
  } else {
    refuse(FILENAME ":" FNR ": there is no section \"" heading "\"")
  }
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
  print "extern const claim_text claim_text_" name ";\nconst claim_text claim_text_" name " = {"
}

{ gsub(/["\\]/, "\\\\&") }
/^# / {
  print "    .title = \"" substr($0, 3) "\","
  written = "title"
  next
}
/^## / {
  begin_section(substr($0, 4))
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
