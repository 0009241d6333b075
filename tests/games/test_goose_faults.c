/* Texts that are no boards of the goose: each mistake is named with its line. */
#include <unistd.h>

#include "games/goose_board.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"

/* Items of a board of 30; a fault puts another text in the place of one of them, in that line. */
static const char *const usual[] = {"length 30",    "geese 5 9 30", "bridges 6 12", "dice 13 20",
                                    "inn 19 2",     "prison 22 3",  "well 17",      "labyrinth 25 loses 2",
                                    "death 28 to 1"};
enum { ITEMS = sizeof usual / sizeof *usual };

static void join(char *text, size_t room, char between, int instead, const char *other) {
  size_t used = 0;
  for (int i = 0; i < ITEMS; i++)
    used += (size_t)snprintf(text + used, room - used, "%s%c", i + 1 == instead ? other : usual[i], between);
  text[used - 1] = '\0';
}

static void expect_fault(int line, const char *text, char *const words[], int n) {
  char whole[1024];
  goose_board board;
  join(whole, sizeof whole, '\n', line, text);
  EXPECT(goose_board_read("my.board", whole, &board, hear()) == TAULER_BAD_USAGE, "%s", whole);
  EXPECT(strncmp(said.text, "my.board", 8) == 0, "%s", said.text);
  for (int i = 0; i < n; i++) EXPECT(strstr(said.text, words[i]), "%s: %s", text, said.text);
}

CASE(names_mistakes) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("goose-faults.csv"); oracle_next(file, &row); rows++)
    expect_fault(atoi(row.cell[0]), row.cell[1], row.cell + 2, row.cells - 2);
  ck_assert_int_eq(rows, 63);
}

CASE(names_bytes_that_no_board_has) {
  expect_fault(2, "geese 5 9 30\a",
               (char *[]){"line 2", "U+0007 after 'geese 5 9 30': boards are written in ASCII"}, 2);
  expect_fault(2,
               "geese 5\xC2\xA0"
               "9 30",
               (char *[]){"line 2", "U+00A0, a no-break space after 'geese 5'"}, 2);
  expect_fault(2, "geese 5\r9 30", (char *[]){"line 2", "a carriage return after 'geese 5'"}, 2);
  expect_fault(9, "\n\ndeath 28 to x", (char *[]){"line 11", "number expected, not 'x'"}, 2);
}

CASE(every_item_is_needed_and_may_be_none) {
  for (int item = 1; item <= ITEMS; item++) {
    char text[1024], name[32], none[64], missing[64];
    goose_board board;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(usual[item - 1], " "), usual[item - 1]);
    snprintf(none, sizeof none, "%s none", name);
    snprintf(missing, sizeof missing, "%s is missing", name);
    join(text, sizeof text, '\n', item, "");
    REFUSED(TAULER_BAD_USAGE, missing, goose_board_read("b", text, &board, hear()));
    join(text, sizeof text, '\n', item, none);
    ck_assert_int_eq(goose_board_read("b", text, &board, hear()), item == 1 ? TAULER_BAD_USAGE : TAULER_OK);
  }
  goose_board board;
  static const char no_geese[] = "length 30\ngeese none\nbridges 29 30\ndice none\ninn none\nprison none\n"
                                 "well none\nlabyrinth none\ndeath none";
  REFUSED(TAULER_BAD_USAGE, "square 30 of bridges is the last one, where the game is won",
          goose_board_read("b", no_geese, &board, hear()));
}

CASE(names_mistakes_of_lines) {
  char long_line[GOOSE_LINE_BYTES + 1];
  memset(long_line, '1', GOOSE_LINE_BYTES);
  memcpy(long_line, "length-", 7);
  long_line[GOOSE_LINE_BYTES] = '\0';
  const char *const lines[][2] = {
      {"", "board: length is missing"},
      {"length-63", "board: geese is missing"},
      {"length-63_geese-1-x", "board, item 2: number expected, not 'x'"},
      {"length-63 geese", "character 10"},
      {"length-63#", "character 10"},
      {"length-63\ngeese", "character 10"},
      {"Length-63", "character 1"},
      {"length-63_inn-1-1_inn-2-2", "item 3: inn is there twice, first in item 2"},
      {long_line, "too long"}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    goose_board board;
    REFUSED(TAULER_BAD_USAGE, lines[i][1], goose_board_read_line(lines[i][0], &board, hear()));
  }
}

static void load(const char *bytes, size_t n, tauler_error expected, const char *word) {
  char path[] = "/tmp/goose_board_XXXXXX";
  const int descriptor = mkstemp(path);
  ck_assert_int_ge(descriptor, 0);
  ck_assert_int_eq(write(descriptor, bytes, n), (ssize_t)n);
  close(descriptor);
  goose_board board;
  const tauler_error error = goose_board_load(path, &board, hear());
  unlink(path);
  ck_assert_int_eq(error, expected);
  ck_assert_msg(strstr(said.text, word) && (!error || strstr(said.text, path)), "%s", said.text);
}

CASE(loads_files) {
  goose_board board;
  REFUSED(TAULER_IO, "cannot open /nowhere/my.board", goose_board_load("/nowhere/my.board", &board, hear()));
  ck_assert_int_eq(goose_board_load("/tmp", &board, hear()), TAULER_IO);
  static char long_text[GOOSE_FILE_BYTES];
  memset(long_text, '\n', sizeof long_text);
  for (size_t i = 0; goose_board_oca_63[i]; i++) long_text[i] = goose_board_oca_63[i];
  load(long_text, sizeof long_text, TAULER_BAD_USAGE, "too long");
  load(long_text, sizeof long_text - 1, TAULER_OK, "");
  load("length 63\nins 4", 15, TAULER_BAD_USAGE, "line 2: 'ins' is unknown");
  load("length 63\n\0length 63", 20, TAULER_BAD_USAGE, "is no text");
}

SUITE("goose faults") {
  TESTS(names_mistakes, names_bytes_that_no_board_has, every_item_is_needed_and_may_be_none,
        names_mistakes_of_lines, loads_files);
}
