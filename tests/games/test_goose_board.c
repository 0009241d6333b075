/* Boards of the goose: those that are shipped, and any board back from its line. */
#include <unistd.h>

#include "games/game_chance.h"
#include "games/goose_board.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

static goose_board read_text(const char *text) {
  goose_board board;
  MUST(goose_board_read("test", text, &board, hear()));
  return board;
}

static void expect_square(const goose_board *board, int square, goose_kind kind, int to, int turns) {
  const goose_square got = board->square[square];
  ck_assert_msg(got.kind == kind && got.to == to && got.turns == turns, "square %d: kind %d, to %d, turns %d",
                square, got.kind, got.to, got.turns);
}

static void expect_geese(const goose_board *board, const int *geese, int count) {
  int seen = 0;
  for (int square = 0; square <= GOOSE_LONGEST; square++) seen += board->square[square].kind == GOOSE_GOOSE;
  ck_assert_int_eq(seen, count);
  for (int i = 0; i < count; i++)
    expect_square(board, geese[i], GOOSE_GOOSE, i + 1 < count ? geese[i + 1] : 0, 0);
}

/* --- boards that are shipped ---------------------------------------------------------------------------- */

static const int geese_63[] = {1, 5, 9, 14, 18, 23, 27, 32, 36, 41, 45, 50, 54, 59, 63};

static void expect_63(const goose_board *board) {
  ck_assert_int_eq(board->length, 63);
  expect_geese(board, geese_63, 15);
  expect_square(board, 0, GOOSE_PLAIN, 0, 0);
  expect_square(board, 2, GOOSE_PLAIN, 0, 0);
  expect_square(board, 6, GOOSE_BRIDGE, 12, 0);
  expect_square(board, 12, GOOSE_BRIDGE, 6, 0);
  expect_square(board, 26, GOOSE_DICE, 53, 0);
  expect_square(board, 53, GOOSE_DICE, 26, 0);
  expect_square(board, 52, GOOSE_PRISON, 0, 3);
}

CASE(has_the_board_of_oca) {
  const goose_board board = read_text(goose_board_oca_63);
  expect_63(&board);
  expect_square(&board, 19, GOOSE_INN, 0, 2);
  expect_square(&board, 31, GOOSE_WELL, 0, 0);
  expect_square(&board, 42, GOOSE_LABYRINTH, 0, 2);
  expect_square(&board, 58, GOOSE_DEATH, 1, 0);
}

CASE(has_the_boards_of_asesina) {
  const goose_board large = read_text(goose_board_asesina_63);
  expect_63(&large);
  expect_square(&large, 19, GOOSE_INN, 0, 1);
  expect_square(&large, 31, GOOSE_WELL, 0, 2);
  expect_square(&large, 42, GOOSE_LABYRINTH, 30, 0);
  expect_square(&large, 58, GOOSE_DEATH, 0, 0);
  const goose_board small = read_text(goose_board_asesina_20);
  ck_assert_int_eq(small.length, 20);
  expect_geese(&small, (const int[]){4, 8, 13, 17, 20}, 5);
  expect_square(&small, 3, GOOSE_BRIDGE, 7, 0);
  expect_square(&small, 15, GOOSE_DICE, 9, 0);
  expect_square(&small, 6, GOOSE_INN, 0, 1);
  expect_square(&small, 10, GOOSE_WELL, 0, 2);
  expect_square(&small, 12, GOOSE_PRISON, 0, 3);
  expect_square(&small, 14, GOOSE_LABYRINTH, 11, 0);
  expect_square(&small, 16, GOOSE_DEATH, 0, 0);
}

static const struct {
  const char *path, *text;
} shipped[] = {{"games/boards/oca-63.board", goose_board_oca_63},
               {"games/boards/asesina-63.board", goose_board_asesina_63},
               {"games/boards/asesina-20.board", goose_board_asesina_20}};

CASE(ships_them_as_files_too) {
  char text[GOOSE_FILE_BYTES] = "";
  FILE *file = fopen(shipped[_i].path, "r");
  ck_assert_ptr_nonnull(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  ck_assert_str_eq(text, shipped[_i].text);
  goose_board loaded;
  const goose_board known = read_text(shipped[_i].text);
  MUST(goose_board_load(shipped[_i].path, &loaded, NULL));
  ck_assert(goose_board_equal(&loaded, &known));
}

#define LINE_63                                                                                              \
  "length-63_geese-1-5-9-14-18-23-27-32-36-41-45-50-54-59-63_bridges-6-12_dice-26-53_inn-19-2_"              \
  "prison-52-3_well-31_labyrinth-42-loses-2_death-58-to-1"
#define LINE_20                                                                                              \
  "length-20_geese-4-8-13-17-20_bridges-3-7_dice-9-15_inn-6-1_prison-12-3_well-10-2_labyrinth-14-to-11_"     \
  "death-16-to-0"
#define LINE_BARE                                                                                            \
  "length-12_geese-none_bridges-none_dice-none_inn-none_prison-none_well-none_labyrinth-none_death-none"

CASE(writes_lines) {
  static const char *const texts[][2] = {{goose_board_oca_63, LINE_63},
                                         {goose_board_asesina_20, LINE_20},
                                         {"\xEF\xBB\xBF"
                                          "death none\r\nwell none\nlabyrinth none\nprison none # no\ninn "
                                          "none\ndice none\n#\n\n\tbridges  none\r\n"
                                          "geese none\nlength 12 # caf\xC3\xA9 \xA0",
                                          LINE_BARE}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const goose_board board = read_text(texts[i][0]);
    char line[GOOSE_LINE_BYTES];
    goose_board again;
    goose_board_write(&board, line);
    ck_assert_str_eq(line, texts[i][1]);
    MUST(goose_board_read_line(line, &again, NULL));
    ck_assert(goose_board_equal(&board, &again));
  }
}

CASE(boards_differ_by_a_byte) {
  const goose_board board = read_text(goose_board_oca_63), other = read_text(goose_board_asesina_63);
  goose_board changed = board;
  ck_assert(goose_board_equal(&board, &changed));
  ck_assert(!goose_board_equal(&board, &other));
  changed.square[58].to = 0;
  ck_assert(!goose_board_equal(&board, &changed));
}

CASE(finds_squares) {
  const goose_board board = read_text(goose_board_oca_63);
  static const int first[] = {
      [GOOSE_PLAIN] = 2,   [GOOSE_GOOSE] = 1, [GOOSE_BRIDGE] = 6,     [GOOSE_DICE] = 26, [GOOSE_INN] = 19,
      [GOOSE_PRISON] = 52, [GOOSE_WELL] = 31, [GOOSE_LABYRINTH] = 42, [GOOSE_DEATH] = 58};
  for (int kind = 0; kind <= GOOSE_DEATH; kind++)
    ck_assert_int_eq(goose_board_find(&board, (goose_kind)kind), first[kind]);
  const goose_board bare = read_text("length 9\ngeese 9\nbridges none\ndice none\ninn none\nprison none\n"
                                     "well none\nlabyrinth none\ndeath none");
  ck_assert_int_eq(goose_board_find(&bare, GOOSE_GOOSE), 9);
  ck_assert_int_eq(goose_board_find(&bare, GOOSE_DEATH), 0);
}

CASE(drops_geese) {
  goose_board board = read_text(goose_board_oca_63);
  const goose_board whole = board;
  static const int others[] = {0, 2, 63, 6, 64, -1, 100};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    ck_assert(!goose_board_drop_goose(&board, others[i]));
    ck_assert(goose_board_equal(&board, &whole));
  }
  ck_assert(goose_board_drop_goose(&board, 1));
  expect_geese(&board, geese_63 + 1, 14);
  expect_square(&board, 1, GOOSE_PLAIN, 0, 0);
  ck_assert(goose_board_drop_goose(&board, 14));
  expect_square(&board, 9, GOOSE_GOOSE, 18, 0);
  expect_square(&board, 14, GOOSE_PLAIN, 0, 0);
  expect_square(&board, 5, GOOSE_GOOSE, 9, 0);
}

/* --- boards under a rule set's flags --- */

/* A file, and the one square that the rules change; `rules` NULL: those of --board FILE. */
static const struct {
  const char *game, *rules, *file;
  int square;
  goose_square changed;
} played[] = {
    {"oca", "base", "oca-63", 0, {GOOSE_PLAIN, 0, 0}},
    {"oca", "base,dice=2,goose-59=stay", "oca-63", 59, {GOOSE_GOOSE, 63, 0}},
    {"oca", "goose-1=off", "oca-63", 1, {GOOSE_PLAIN, 0, 0}},
    {"oca", "inn=1", "oca-63", 19, {GOOSE_INN, 0, 1}},
    {"oca", "prison=2", "oca-63", 52, {GOOSE_PRISON, 0, 2}},
    {"oca", "labyrinth=30", "oca-63", 42, {GOOSE_LABYRINTH, 30, 0}},
    {"oca", "death=start", "oca-63", 58, {GOOSE_DEATH, 0, 0}},
    {"oca", "well=off", "oca-63", 31, {GOOSE_PLAIN, 0, 0}},
    {"oca-asesina", "base", "asesina-63", 0, {GOOSE_PLAIN, 0, 0}},
    {"oca-asesina", "goose-1=off", "asesina-63", 1, {GOOSE_PLAIN, 0, 0}},
    {"oca-asesina", "base,board=20,colours=2", "asesina-20", 4, {GOOSE_GOOSE, 8, 0}},
    {"oca-asesina", NULL, "asesina-7", 4, {GOOSE_PRISON, 0, 2}},
    {"oca-asesina", NULL, "asesina-12", 8, {GOOSE_LABYRINTH, 3, 0}},
};

CASE(games_are_played_on_them) {
  const game *game = game_find(played[_i].game);
  char text[GAME_TEXT_BYTES], path[64];
  goose_board file;
  snprintf(path, sizeof path, "games/boards/%s.board", played[_i].file);
  if (played[_i].rules) {
    snprintf(text, sizeof text, "%s", played[_i].rules);
  } else {
    MUST(game->board_flag(path, text, hear()));
  }
  game_rules *rules = suite_rules(game, text, NULL);
  MUST(goose_board_load(path, &file, hear()));
  file.square[played[_i].square] = played[_i].changed;
  game_square found, wanted;
  for (int number = 0; number <= file.length; number++) {
    ck_assert(game->square(rules, number, &found) && goose_board_describe_square(&file, number, &wanted));
    ck_assert_str_eq(found.kind, wanted.kind);
    ck_assert(found.to == wanted.to && found.turns == wanted.turns && found.waits == wanted.waits);
  }
  ck_assert(!game->square(rules, file.length + 1, &found));
}

/* --- any board ------------------------------------------------------------------------------------------ */

static int free_square(uint64_t *state, bool *taken, int length) {
  int square;
  do square = 1 + (int)draw_below(state, (uint32_t)length - 1);
  while (taken[square]);
  taken[square] = true;
  return square;
}

/* A board as its line, on 20 to 99 squares, items left out at random. */
static void draw_line(uint64_t *state, char line[GOOSE_LINE_BYTES]) {
  static const char *const forms[] = {"_bridges-%d-%d", "_dice-%d-%d", "_inn-%d-%d",
                                      "_prison-%d-%d",  "_well-%d-%d", "_labyrinth-%d-loses-%d",
                                      "_death-%d-to-%d"};
  bool taken[GOOSE_LONGEST + 1] = {false}, goose[GOOSE_LONGEST + 1] = {false};
  const int length = 20 + (int)draw_below(state, 80), geese = (int)draw_below(state, 11);
  size_t used = (size_t)snprintf(line, GOOSE_LINE_BYTES, "length-%d_geese", length);
  for (int i = 0; i < geese; i++) goose[free_square(state, taken, length)] = true;
  for (int square = 1; square < length; square++) {
    if (goose[square]) used += (size_t)snprintf(line + used, GOOSE_LINE_BYTES - used, "-%d", square);
  }
  used += (size_t)snprintf(line + used, GOOSE_LINE_BYTES - used, geese ? "-%d" : "-none", length);
  for (int i = 0; i < 7; i++) {
    const int one = free_square(state, taken, length);
    const int other = i < 2 ? one + 1 : i < 6 ? 1 + (int)draw_below(state, 9) : 0;
    char item[64];
    if (i < 2 && (other >= length || taken[other])) {
      taken[one] = false;
      snprintf(item, sizeof item, i ? "_dice-none" : "_bridges-none");
    } else {
      if (i < 2) taken[other] = true;
      snprintf(item, sizeof item, forms[i], one, other);
    }
    used += (size_t)snprintf(line + used, GOOSE_LINE_BYTES - used, "%s", item);
  }
}

CASE(any_board_comes_back_from_its_line) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 3000; i++) {
    char line[GOOSE_LINE_BYTES], printed[GOOSE_LINE_BYTES];
    goose_board board;
    draw_line(&state, line);
    ck_assert_msg(!goose_board_read_line(line, &board, hear()), "%s: %s", line, said.text);
    goose_board_write(&board, printed);
    ck_assert_str_eq(printed, line);
  }
}

/* A text with a few bytes of it changed is refused with a sentence, or is a board that comes back. */
CASE(any_text_is_a_board_or_refused) {
  static const char bytes[] = "0123456789 \n#-_abdeginorst";
  uint64_t state = 1442695040888963407u;
  int boards = 0;
  for (int i = 0; i < 30000; i++) {
    char text[512], line[GOOSE_LINE_BYTES];
    goose_board board, again;
    snprintf(text, sizeof text, "%s", shipped[draw_below(&state, 3)].text);
    for (uint64_t changes = 1 + draw_below(&state, 3); changes; changes--)
      text[draw_below(&state, (uint32_t)strlen(text))] = bytes[draw_below(&state, sizeof bytes - 1)];
    const tauler_error error = goose_board_read("b", text, &board, hear());
    ck_assert(error == TAULER_OK || (error == TAULER_BAD_USAGE && said.text[0]));
    if (error) continue;
    boards++;
    goose_board_write(&board, line);
    MUST(goose_board_read_line(line, &again, NULL));
    ck_assert(goose_board_equal(&board, &again));
  }
  ck_assert_int_gt(boards, 1000);
  ck_assert_int_lt(boards, 20000);
}

CASE(the_longest_board_fits_its_line) {
  char text[512] = "length-99_geese";
  for (int square = 68; square <= 99; square++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "-%d", square);
  snprintf(text + strlen(text), sizeof text - strlen(text), "%s",
           "_bridges-11-12_dice-13-14_inn-15-9_prison-16-9_well-17-9_labyrinth-18-loses-9_death-19-to-10");
  goose_board board;
  char line[GOOSE_LINE_BYTES];
  MUST(goose_board_read_line(text, &board, hear()));
  goose_board_write(&board, line);
  ck_assert_str_eq(line, text);
}

SUITE("goose_board") {
  TESTS(has_the_board_of_oca, has_the_boards_of_asesina);
  LOOP(ships_them_as_files_too, ROWS(shipped));
  TESTS(writes_lines, boards_differ_by_a_byte, finds_squares, drops_geese);
  LOOP(games_are_played_on_them, ROWS(played));
  TESTS(any_board_comes_back_from_its_line, any_text_is_a_board_or_refused, the_longest_board_fits_its_line);
}
