/* Texts that are no boards of the goose: each mistake is named with its line. */
#include <unistd.h>

#include "games/goose_board.h"
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

static const struct {
  int line;
  const char *text, *words[3];
} faults[] = {
    {1, "length", {"line 1", "number expected, not the end; write length 63"}},
    {1, "length none", {"line 1", "number expected, not 'none'"}},
    {1, "length 0", {"line 1", "at least 2 squares"}},
    {1, "length 1", {"line 1", "at least 2 squares"}},
    {1, "length 100", {"line 1", "100 is too large"}},
    {1, "length 63 64", {"line 1", "'64' is one word too many; write length 63"}},
    {1, "length 18446744073709551646", {"line 1", "is too large"}},
    {1, "length 29", {"line 2", "square 30 of geese is off the board, which ends at 29"}},
    {1, "length 31", {"line 2", "the last goose is on 30", "the last square, 31"}},
    {1, "# length 30", {"length is missing; write length 63"}},
    {2, "geese", {"line 2", "number expected, not the end"}},
    {2, "geese 5 9", {"line 2", "the last goose is on 9, but there must be one on the last square, 30"}},
    {2, "geese 9 5 30", {"line 2", "geese must rise, but '5' stands behind 9"}},
    {2, "geese 5 5 30", {"line 2", "geese must rise, but '5' stands behind 5"}},
    {2, "geese 0 30", {"line 2", "square 0 of geese is the start"}},
    {2, "geese 5, 9 30", {"line 2", "number expected, not '5,'"}},
    {2, "geese 5 -9 30", {"line 2", "number expected, not '-9'"}},
    {2, "geese 5 9 30\a", {"line 2", "U+0007 after 'geese 5 9 30': boards are written in ASCII"}},
    {2,
     "geese 5\xC2\xA0"
     "9 30",
     {"line 2", "U+00A0, a no-break space after 'geese 5'"}},
    {2, "geese 5\r9 30", {"line 2", "a carriage return after 'geese 5'"}},
    {2,
     "geese 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33",
     {"line 2", "more than 32 geese"}},
    {2, "geese none 30", {"line 2", "'30' is one word too many"}},
    {2, "goose 5 9 30", {"line 2", "'goose' is unknown"}},
    {2, "gese 5 9 30", {"line 2", "'gese' is unknown; did you mean geese?"}},
    {2, "xyzzy", {"line 2", "'xyzzy' is unknown; a board has length"}},
    {2, "", {"geese is missing; write geese 1 5 9 63 or geese none"}},
    {3, "bridges 6", {"line 3", "number expected, not the end; write bridges 6 12"}},
    {3, "bridges 6 6", {"line 3", "square 6 of bridges is taken already by line 3"}},
    {3, "bridges 6 9", {"line 3", "square 9 of bridges is taken already by line 2"}},
    {3, "bridges 6 30", {"line 3", "taken already by line 2"}},
    {3, "bridges 6 31", {"line 3", "square 31 of bridges is off the board"}},
    {3, "bridges 6 7 8", {"line 3", "'8' is one word too many"}},
    {4, "dice 13", {"line 4", "number expected"}},
    {4, "dice 13 12", {"line 4", "square 12 of dice is taken already by line 3"}},
    {4, "bridges 13 20", {"line 4", "bridges is there twice, first in line 3"}},
    {5, "inn 19", {"line 5", "number expected, not the end; write inn 19 2"}},
    {5, "inn 19 0", {"line 5", "the turns lost in inn must be 1 to 9"}},
    {5, "inn 19 10", {"line 5", "the turns lost in inn must be 1 to 9"}},
    {5, "inn 19 999", {"line 5", "the turns lost in inn must be 1 to 9"}},
    {5, "inn 19 99999999999999999999", {"line 5", "the turns lost in inn must be 1 to 9"}},
    {5, "inn 19 two", {"line 5", "number expected, not 'two'"}},
    {5, "inn 20 2", {"line 5", "square 20 of inn is taken already by line 4"}},
    {5, "inn 0 2", {"line 5", "square 0 of inn is the start"}},
    {6, "prison 22 3 3", {"line 6", "'3' is one word too many"}},
    {6, "prison 22 0", {"line 6", "the turns lost in prison must be 1 to 9"}},
    {7, "well 17 0", {"line 7", "the turns lost in well must be 1 to 9"}},
    {7, "well 31", {"line 7", "square 31 of well is off the board"}},
    {7, "well", {"line 7", "number expected, not the end; write well 31"}},
    {8, "labyrinth 25", {"line 8", "'to' or 'loses' expected, not the end"}},
    {8, "labyrinth 25 2", {"line 8", "'to' or 'loses' expected, not '2'"}},
    {8, "labyrinth 25 loses", {"line 8", "number expected, not the end"}},
    {8, "labyrinth 25 loses 0", {"line 8", "the turns lost in labyrinth must be 1 to 9"}},
    {8, "labyrinth 25 to", {"line 8", "number expected, not the end"}},
    {8, "labyrinth 25 to 25", {"line 8", "labyrinth leads to itself"}},
    {8, "labyrinth 25 to 17", {"line 8", "labyrinth leads to 17, but that square is taken by line 7"}},
    {8, "labyrinth 25 to 28", {"line 8", "labyrinth leads to 28, but that square is taken by line 9"}},
    {8, "labyrinth 25 to 30", {"line 8", "labyrinth leads to 30, where the game is won"}},
    {8, "labyrinth 25 to 31", {"line 8", "labyrinth leads off the board, which ends at 30"}},
    {8, "labyrinth 25 to 3 loses 2", {"line 8", "'loses' is one word too many"}},
    {9, "death 28", {"line 9", "'to' expected, not the end; write death 58 to 1"}},
    {9, "death 28 loses 2", {"line 9", "'to' expected, not 'loses'"}},
    {9, "death 28 to 12", {"line 9", "death leads to 12, but that square is taken by line 3"}},
    {9, "death 28 to 28", {"line 9", "death leads to itself"}},
    {9, "death 30 to 1", {"line 9", "taken already by line 2"}},
    {9, "none", {"line 9", "'none' is unknown"}},
    {9, "Death 28 to 1", {"line 9", "'Death' is unknown; did you mean death?"}},
    {9, "\n\ndeath 28 to x", {"line 11", "number expected, not 'x'"}},
};

CASE(names_mistakes) {
  char text[1024];
  goose_board board;
  tauler_message message = {""};
  join(text, sizeof text, '\n', faults[_i].line, faults[_i].text);
  ck_assert_msg(goose_board_read("my.board", text, &board, &message) == TAULER_BAD_USAGE, "%s", text);
  ck_assert_msg(strncmp(message.text, "my.board", 8) == 0, "%s", message.text);
  for (int i = 0; i < 3 && faults[_i].words[i]; i++)
    ck_assert_msg(strstr(message.text, faults[_i].words[i]), "%s: %s", faults[_i].text, message.text);
}

CASE(every_item_is_needed_and_may_be_none) {
  for (int item = 1; item <= ITEMS; item++) {
    char text[1024], name[32], none[64], missing[64];
    goose_board board;
    tauler_message message = {""};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(usual[item - 1], " "), usual[item - 1]);
    snprintf(none, sizeof none, "%s none", name);
    snprintf(missing, sizeof missing, "%s is missing", name);
    join(text, sizeof text, '\n', item, "");
    ck_assert_int_eq(goose_board_read("b", text, &board, &message), TAULER_BAD_USAGE);
    ck_assert_msg(strstr(message.text, missing), "%s", message.text);
    join(text, sizeof text, '\n', item, none);
    ck_assert_int_eq(goose_board_read("b", text, &board, &message), item == 1 ? TAULER_BAD_USAGE : TAULER_OK);
  }
  goose_board board;
  tauler_message message = {""};
  static const char no_geese[] = "length 30\ngeese none\nbridges 29 30\ndice none\ninn none\nprison none\n"
                                 "well none\nlabyrinth none\ndeath none";
  ck_assert_int_eq(goose_board_read("b", no_geese, &board, &message), TAULER_BAD_USAGE);
  ck_assert_msg(strstr(message.text, "square 30 of bridges is the last one, where the game is won"), "%s",
                message.text);
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
    tauler_message message = {""};
    ck_assert_int_eq(goose_board_read_line(lines[i][0], &board, &message), TAULER_BAD_USAGE);
    ck_assert_msg(strstr(message.text, lines[i][1]), "%s: %s", lines[i][0], message.text);
  }
}

static void load(const char *bytes, size_t n, tauler_error expected, const char *word) {
  char path[] = "/tmp/goose_board_XXXXXX";
  const int descriptor = mkstemp(path);
  ck_assert_int_ge(descriptor, 0);
  ck_assert_int_eq(write(descriptor, bytes, n), (ssize_t)n);
  close(descriptor);
  goose_board board;
  tauler_message message = {""};
  const tauler_error error = goose_board_load(path, &board, &message);
  unlink(path);
  ck_assert_int_eq(error, expected);
  ck_assert_msg(strstr(message.text, word) && (!error || strstr(message.text, path)), "%s", message.text);
}

CASE(loads_files) {
  goose_board board;
  tauler_message message = {""};
  ck_assert_int_eq(goose_board_load("/nowhere/my.board", &board, &message), TAULER_IO);
  ck_assert_msg(strstr(message.text, "cannot open /nowhere/my.board"), "%s", message.text);
  ck_assert_int_eq(goose_board_load("/tmp", &board, &message), TAULER_IO);
  static char long_text[GOOSE_FILE_BYTES];
  memset(long_text, '\n', sizeof long_text);
  for (size_t i = 0; goose_board_oca_63[i]; i++) long_text[i] = goose_board_oca_63[i];
  load(long_text, sizeof long_text, TAULER_BAD_USAGE, "too long");
  load(long_text, sizeof long_text - 1, TAULER_OK, "");
  load("length 63\nins 4", 15, TAULER_BAD_USAGE, "line 2: 'ins' is unknown");
  load("length 63\n\0length 63", 20, TAULER_BAD_USAGE, "is no text");
}

SUITE("goose faults") {
  LOOP(names_mistakes, ROWS(faults));
  TESTS(every_item_is_needed_and_may_be_none, names_mistakes_of_lines, loads_files);
}
