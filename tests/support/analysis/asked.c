#include "tests/support/analysis/asked.h"

#include "tests/support/suite.h"

static void free_answer(void *answer) {
  tauler_answer_free(answer);
}

void asked_own(tauler_answer *answer) {
  suite_own(answer, free_answer);
}

tauler_answer *asked(tauler_tables *tables, const char *position, tauler_error wanted) {
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, position, &answer, hear());
  EXPECT(error == wanted, "%s: error %d, not %d: %s", position, error, wanted, said.text);
  EXPECT(error != TAULER_OK || !said.text[0], "%s: %s", position, said.text);
  asked_own(answer);
  return answer;
}

static void close_handle(void *handle) {
  tauler_close(handle);
}

tauler *asked_at(const char *path) {
  tauler *handle;
  MUST(tauler_open(path, NULL, &handle, hear()));
  suite_own(handle, close_handle);
  return handle;
}

tauler *asked_folder(void) {
  return asked_at(folder);
}

static void free_line(void *line) {
  tauler_line_free(line);
}

const tauler_line *asked_line(tauler_tables *tables, const char *position, size_t most) {
  tauler_line *line;
  MUST(tauler_play(tables, position, most, &line, hear()));
  suite_own(line, free_line);
  return line;
}

static void free_contents(void *contents) {
  tauler_contents_free(contents);
}

const tauler_contents *asked_contents(tauler *from) {
  tauler_contents *contents;
  MUST(tauler_list(from, &contents, hear()));
  suite_own(contents, free_contents);
  return contents;
}
