/* Records of games: what is read is what stands there, with its place; what is written reads back the same;
 * what is no record is refused with file, line and column. */
#include "analysis/records/record.h"
#include "base/clock.h"
#include "tests/support/suite.h"

static record_reader *open_text(const char *text, size_t length, const char *game, FILE **in) {
  record_reader *reader;
  *in = fmemopen((char *)text, length, "rb");
  ck_assert_ptr_nonnull(*in);
  MUST(record_reader_open(*in, "game.ogn", game, &reader, hear()));
  return reader;
}

/* The only game in a text. */
static record read_one(const char *text, const char *game) {
  FILE *in;
  record r, none;
  bool found;
  record_reader *reader = open_text(text, strlen(text), game, &in);
  ck_assert_msg(record_read(reader, &r, &found, hear()) == TAULER_OK && found, "%s: %s", text, said.text);
  ck_assert_msg(record_read(reader, &none, &found, hear()) == TAULER_OK && !found, "%s: more than one", text);
  record_reader_close(reader);
  fclose(in);
  return r;
}

static char *write_one(const record *r) {
  char *text;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  ck_assert_ptr_nonnull(out);
  record_write(r, out);
  fclose(out);
  return text;
}

static void check_item(const record *r, size_t i, record_kind kind, const char *text, const char *mark,
                       size_t line, size_t column) {
  ck_assert_uint_lt(i, r->items_used);
  const record_item *item = &r->items[i];
  ck_assert_msg(item->kind == kind && strcmp(item->text, text) == 0 && strcmp(item->mark, mark) == 0 &&
                    item->line == line && item->column == column,
                "item %zu is %d '%s' '%s' at %zu:%zu", i, (int)item->kind, item->text, item->mark, item->line,
                item->column);
}

CASE(parts_and_places_are_those_of_the_file) {
  record r = read_one("[Variant \"Oware Abapa\"]\n[South \"A \\\"B\\\" \\\\ C\"] [North \"\"]\r\n\n"
                      "1. F+2 b?! $7 { a\n\tlong   one } (1... c) 2.Ab\n; é, B } too\nC 25-23 {end}",
                      NULL);
  ck_assert_uint_eq(r.tags_used, 3);
  ck_assert_str_eq(record_tag_value(&r, "South"), "A \"B\" \\ C");
  ck_assert_ptr_null(record_tag_value(&r, "North"));
  ck_assert_ptr_null(record_tag_value(&r, "FEN"));
  ck_assert_str_eq(record_game_name(&r, NULL), "auale");
  ck_assert_uint_eq(r.items_used, 12);
  check_item(&r, 0, RECORD_MOVE, "F", "+2", 4, 4);
  check_item(&r, 1, RECORD_MOVE, "b", "?! $7", 4, 8);
  check_item(&r, 2, RECORD_COMMENT, "a long one", "", 4, 15);
  check_item(&r, 3, RECORD_OPEN, "", "", 5, 15);
  check_item(&r, 4, RECORD_MOVE, "c", "", 5, 21);
  check_item(&r, 5, RECORD_CLOSE, "", "", 5, 22);
  check_item(&r, 6, RECORD_MOVE, "A", "", 5, 26);
  check_item(&r, 7, RECORD_MOVE, "b", "", 5, 27);
  check_item(&r, 8, RECORD_COMMENT, "é, B } too", "", 6, 1);
  check_item(&r, 9, RECORD_MOVE, "C", "", 7, 1);
  check_item(&r, 10, RECORD_ENDING, "25-23", "", 7, 3);
  check_item(&r, 11, RECORD_COMMENT, "end", "", 7, 9);
  record_free(&r);
}

CASE(lists_of_moves_are_games) {
  static const char text[] = "\xEF\xBB\xBF \r\n\xEF\xBB\xBF"
                             "4/2x1/1o2/4 O moves 1. C2 A1 B2-D2!\n{ moves } 4/4 E moves\nA1\n"
                             "[Game \"phutball\"]\n4 O moves C3-exit+ *\nD2 1/2-1/2 E1";
  static const char *const positions[] = {"4/2x1/1o2/4 O", "4/4 E", "4 O", NULL, NULL};
  static const size_t moves[] = {3, 1, 1, 1, 1};
  FILE *in;
  bool found;
  record_reader *reader = open_text(text, sizeof text - 1, "phutball", &in);
  for (size_t i = 0; i < 5; i++) {
    record r;
    MUST(record_read(reader, &r, &found, hear()));
    ck_assert_msg(found, "there is no game %zu", i);
    ck_assert_msg(!r.position == !positions[i] && (!r.position || strcmp(r.position, positions[i]) == 0),
                  "game %zu begins with %s", i, r.position ? r.position : "nothing");
    size_t n = 0;
    for (size_t k = 0; k < r.items_used; k++) n += r.items[k].kind == RECORD_MOVE;
    ck_assert_msg(n == moves[i], "game %zu has %zu moves", i, n);
    if (i == 0) check_item(&r, 2, RECORD_MOVE, "B2-D2", "!", 2, 31);
    if (i == 2) check_item(&r, 0, RECORD_MOVE, "C3-exit+", "", 6, 11);
    record_free(&r);
  }
  MUST(record_read(reader, &(record){.tags = NULL}, &found, hear()));
  ck_assert(!found);
  record_reader_close(reader);
  fclose(in);
}

static const char *const round_trips[] = {
    "[South \"a \\\"quoted\\\" \\\\ name\"]\n[Round \"\"]\n\n1. A b+2 { x } 2. C! d?! $3 25-23\n{ after }\n",
    "[Game \"x\"]\n\n1. e4 ( 1. d4 { why } ( 1. c4 ) d5 ) e5 2. f4\n",
    "[Game \"x\"]\n\n1. e4\n; a } in it\ne5 { } 1/2-1/2\n", "3/1x1/1o1/3/3 O moves\n1. B4 A1\n",
    "{ first } 1. A1 B2 *\n"};

CASE(what_is_written_reads_back) {
  for (size_t i = 0; i < sizeof round_trips / sizeof *round_trips; i++) {
    record r = read_one(round_trips[i], NULL);
    char *text = write_one(&r);
    /* Line breaks aside it is what stood there. */
    char flat[2][512];
    for (int k = 0; k < 2; k++) {
      size_t n = 0;
      for (const char *c = k ? text : round_trips[i]; *c; c++) flat[k][n++] = *c == '\n' ? ' ' : *c;
      flat[k][n] = '\0';
    }
    ck_assert_str_eq(flat[0], flat[1]);
    record again = read_one(text, NULL);
    char *twice = write_one(&again);
    ck_assert_str_eq(text, twice);
    free(text);
    free(twice);
    record_free(&r);
    record_free(&again);
  }
}

CASE(lines_are_narrow) {
  record r = {.tags = NULL};
  char comment[1500];
  for (size_t i = 0; i < sizeof comment; i++) comment[i] = "word "[i % 5];
  comment[sizeof comment - 1] = '\0';
  for (int i = 0; i < 500; i++) {
    const record_item move = {RECORD_MOVE, "K6-G9-G11", i % 7 ? "" : "!?", 0, 0},
                      said = {RECORD_COMMENT, comment, "", 0, 0};
    MUST(record_add_item(&r, &move, hear()));
    if (i % 50 == 0) MUST(record_add_item(&r, &said, hear()));
  }
  char *text = write_one(&r), *rest = NULL;
  record again = read_one(text, NULL);
  ck_assert_uint_eq(again.items_used, r.items_used);
  for (size_t i = 0; i < r.items_used; i++)
    ck_assert(strcmp(r.items[i].text, again.items[i].text) == 0 &&
              strcmp(r.items[i].mark, again.items[i].mark) == 0);
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    ck_assert_uint_le(strlen(line), RECORD_LINE_WIDTH);
  free(text);
  record_free(&r);
  record_free(&again);
}

static void check_refused(const char *text, size_t length, const char *wanted) {
  FILE *in;
  record r;
  bool found = true;
  tauler_error error = TAULER_OK;
  record_reader *reader = open_text(text, length, "auale", &in);
  said.text[0] = '\0';
  while (!error && found) {
    error = record_read(reader, &r, &found, hear());
    if (found) record_free(&r);
  }
  ck_assert_msg(error == TAULER_BAD_POSITION && !found && strstr(said.text, wanted), "%.40s: '%s', not '%s'",
                text, said.text, wanted);
  record_reader_close(reader);
  fclose(in);
}

CASE(what_is_no_record_is_refused_with_its_place) {
  static const struct {
    const char *text, *wanted;
  } cases[] = {{"A\n {x", "game.ogn:2:2: the comment is not closed"},
               {"A\n (b", "game.ogn:2:2: the variation is not closed"},
               {"A )", "game.ogn:1:3: the bracket closes no variation"},
               {"[A \"b", "game.ogn:1:1: the value of the tag is not closed"},
               {"[A \"b\"", "game.ogn:1:1: the tag is not closed"},
               {"[\"b\"]", "game.ogn:1:1: a tag is written"},
               {"A ] b", "game.ogn:1:3: ']' is not expected here"},
               {"\n4 O (x moves A", "game.ogn:2:1: only a position may stand before"},
               {"\n4\xEF\xBB\xBF O moves A", "game.ogn:2:2: U+FEFF, a byte order mark: moves and positions"},
               {"A\xC2\xA0 b", "game.ogn:1:2: U+00A0, a no-break space: moves and positions"},
               {"A g", "game.ogn:1:3: 'g' is no move of aualé"},
               {"A {é} Ag", "game.ogn:1:8: 'g' is no move of aualé"},
               {"A \x01", "game.ogn:1:3: U+0001: moves and positions are written in ASCII"},
               {"1.! A", "is neither a move nor the number of one"},
               {"! A", "game.ogn:1:1: '!' is a mark that follows no move"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_refused(cases[i].text, strlen(cases[i].text), cases[i].wanted);
  check_refused("A b\n\0 c", 7, "game.ogn:2:1: a NUL byte");
}

/* Processor time to read so many moves, with so many on a line. */
static double time_to_read(size_t moves, size_t on_line) {
  char *text = suite_zeros(2 * moves + 1, 1);
  for (size_t i = 0; i < moves; i++) memcpy(text + 2 * i, (i + 1) % on_line ? "A " : "A\n", 2);
  text[2 * moves] = '\0';
  const double began = clock_thread_cpu();
  record r = read_one(text, "auale");
  const double seconds = clock_thread_cpu() - began;
  ck_assert_uint_eq(r.items_used, moves);
  check_item(&r, moves - 1, RECORD_MOVE, "A", "", (moves - 1) / on_line + 1, 2 * ((moves - 1) % on_line) + 1);
  record_free(&r);
  return seconds;
}

/* Counting columns from the start of the line takes a hundred times as long. */
CASE(a_long_line_is_read_in_time) {
  ck_assert_double_lt(time_to_read(130000, 130000), 10 * time_to_read(130000, 100) + 0.2);
}

CASE(a_game_is_bounded) {
  const size_t room = 3 * RECORD_MOST_ITEMS;
  char *text = suite_zeros(room, 1);
  memset(text, 'A', room);
  for (size_t i = 1; i < room; i += 2) text[i] = i % 100 == 99 ? '\n' : ' ';
  check_refused(text, room, "the game has more than 131072 moves and comments");
  memset(text, '(', room);
  check_refused(text, room, "variations lie too deep in each other");
}

SUITE("record") {
  TESTS(parts_and_places_are_those_of_the_file, lists_of_moves_are_games, what_is_written_reads_back,
        lines_are_narrow, what_is_no_record_is_refused_with_its_place, a_long_line_is_read_in_time,
        a_game_is_bounded);
}
