/* Reads rows of CSV files. */
#include "tests/support/oracle.h"

#include "tests/support/suite.h"

FILE *oracle_open(const char *name) {
  char path[512], heading[ORACLE_BYTES];
  const char *tests = getenv("TAULER_TESTS");
  snprintf(path, sizeof path, "%s/oracles/%s", tests ? tests : "tests", name);
  FILE *file = fopen(path, "r");
  ck_assert_msg(file && fgets(heading, sizeof heading, file), "cannot read %s", path);
  return file;
}

bool oracle_next(FILE *file, oracle_row *row) {
  if (!fgets(row->text, sizeof row->text, file)) {
    fclose(file);
    return false;
  }
  row->text[strcspn(row->text, "\r\n")] = '\0';
  char *at = row->text;
  for (row->cells = 0; at && row->cells < ORACLE_CELLS; row->cells++) {
    const bool quoted = *at == '"';
    char *end = quoted ? strchr(++at, '"') : at;
    ck_assert_msg(end != NULL, "a quote is open: %s", at);
    char *comma = strchr(end, ',');
    row->cell[row->cells] = at;
    if (quoted) *end = '\0';
    if (comma) *comma = '\0';
    at = comma ? comma + 1 : NULL;
  }
  return true;
}
