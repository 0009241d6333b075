/* Every game in words, row by row of texts.csv: positions, drawings, rule sets, requests, names of slices,
 * and what is wrong with them. */
#include "games/registry.h"
#include "tests/support/oracle.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

typedef struct {
  const game *game;
  const char *what, *rules, *text;
  char *const *said; /* printed text, or words of the message */
  int n;
} row;

static void expect_words(const row *r, const char *message) {
  for (int i = 0; i < r->n; i++)
    EXPECT(strstr(message, r->said[i]), "%s, '%s', '%s': %s", r->game->name, r->rules, r->text, message);
}

static void expect_position(const row *r) {
  game_rules *rules = suite_rules(r->game, r->rules, NULL);
  game_position position;
  char printed[GAME_TEXT_BYTES];
  if (r->game->parse(rules, r->text, &position, hear())) ck_abort_msg("%s: %s", r->text, said.text);
  r->game->print(rules, &position, printed);
  ck_assert_str_eq(printed, r->said[0]);
}

static void expect_no_position(const row *r) {
  game_rules *rules = suite_rules(r->game, r->rules, NULL);
  game_position position;
  EXPECT(r->game->parse(rules, r->text, &position, hear()) == TAULER_BAD_POSITION, "'%s' is read", r->text);
  expect_words(r, said.text);
}

static void expect_rules(const row *r) {
  const game *game = r->game;
  game_rules *rules = suite_rules(game, strcmp(r->rules, "NULL") == 0 ? NULL : r->rules, NULL);
  game_rules *again = suite_rules(game, game->rules_text(rules), NULL);
  ck_assert_str_eq(game->rules_text(rules), r->said[0]);
  ck_assert_str_eq(game->rules_text(again), r->said[0]);
}

static void expect_no_rules(const row *r) {
  game_rules *rules;
  EXPECT(r->game->open(r->rules, NULL, &rules, hear()) == TAULER_BAD_USAGE, "'%s' is read", r->rules);
  ck_assert_ptr_null(rules);
  expect_words(r, said.text);
}

/* In the file \n stands for the end of a line. */
static void expect_drawing(const row *r) {
  game_rules *rules = suite_rules(r->game, r->rules, NULL);
  game_position position;
  char drawn[GAME_DRAWING_BYTES], wanted[GAME_DRAWING_BYTES];
  size_t used = 0;
  for (const char *at = r->said[0]; *at; at++) {
    const bool ends = at[0] == '\\' && at[1] == 'n';
    wanted[used++] = ends ? '\n' : *at;
    at += ends;
  }
  wanted[used] = '\0';
  MUST(r->game->parse(rules, r->text, &position, NULL));
  r->game->draw(rules, &position, drawn);
  EXPECT(strstr(drawn, wanted), "%s: no '%s' in\n%s", r->text, wanted, drawn);
}

/* The value where play is over, or 2, which is none. */
static void expect_end(const row *r) {
  game_rules *rules = suite_rules(r->game, r->rules, NULL);
  game_position position;
  int value = 2;
  MUST(r->game->parse(rules, r->text, &position, NULL));
  EXPECT(r->game->position_ended(rules, &position, &value) == (value != 2), "%s: %d", r->text, value);
  ck_assert_int_eq(value, atoi(r->said[0]));
}

/* Options as in game_request: "largest=3 material=Lr". */
static void expect_no_request(const row *r) {
  game_rules *rules = suite_rules(r->game, r->rules, NULL);
  game_request request = {0};
  game_slices slices;
  char options[64];
  snprintf(options, sizeof options, "%s", r->text);
  for (char *option = strtok(options, " "); option; option = strtok(NULL, " ")) {
    const char *value = strchr(option, '=') + 1;
    *(option[0] == 'l' ? &request.largest : option[0] == 'm' ? &request.material : &request.board) = value;
  }
  EXPECT(r->game->slices(rules, &request, &slices, hear()) == TAULER_BAD_USAGE, "%s: '%s'", r->game->name,
         r->text);
  ck_assert_ptr_null(slices.slices);
  expect_words(r, said.text);
}

static void expect_no_slice(const row *r) {
  game_rules *rules = suite_rules(r->game, r->rules, NULL);
  uint32_t slice;
  EXPECT(!r->game->slice_named(rules, r->text, &slice), "%s: '%s'", r->game->name, r->text);
}

static const struct {
  const char *what;
  void (*expect)(const row *r);
  int rows;
} kinds[] = {{"position", expect_position, 45}, {"no position", expect_no_position, 207},
             {"rules", expect_rules, 48},       {"no rules", expect_no_rules, 90},
             {"drawing", expect_drawing, 13},   {"ended", expect_end, 5},
             {"goes on", expect_end, 2},        {"no request", expect_no_request, 37},
             {"no slice", expect_no_slice, 27}};

CASE(texts_are_read_as_written_by_hand) {
  oracle_row cells;
  int rows = 0;
  for (FILE *file = oracle_open("texts.csv"); oracle_next(file, &cells);) {
    if (strcmp(cells.cell[1], kinds[_i].what) != 0) continue;
    const row r = {game_find(cells.cell[0]), cells.cell[1],  cells.cell[2], cells.cell[3],
                   cells.cell + 4,           cells.cells - 4};
    HOLDS(r.game && r.n > 0);
    kinds[_i].expect(&r);
    rows++;
  }
  ck_assert_int_eq(rows, kinds[_i].rows);
}

/* --- what no row can say -------------------------------------------------------------------------------- */

CASE(endless_rules_are_refused) {
  static const char *const games[] = {"doushouqi", "phutball", "oca", "oca-asesina", "auale"};
  char text[4096];
  memset(text, 'a', sizeof text);
  memcpy(text, "base,", 5);
  text[sizeof text - 1] = '\0';
  game_rules *rules;
  ck_assert_int_eq(game_find(games[_i])->open(text, NULL, &rules, hear()), TAULER_BAD_USAGE);
  HOLDS(strstr(said.text, "too long"));
}

CASE(cycles_are_refused) {
  static const char *const games[] = {"phutball", "oca", "oca-asesina"};
  for (int i = 0; i < 2; i++) {
    game_rules *rules;
    const game *game = game_find(games[_i]);
    ck_assert_int_eq(game->open(i ? NULL : "base", i ? "" : "even", &rules, hear()), TAULER_BAD_USAGE);
    HOLDS(strstr(said.text, "--cycles"));
  }
}

SUITE("texts") {
  LOOP(texts_are_read_as_written_by_hand, ROWS(kinds));
  LOOP(endless_rules_are_refused, 5);
  LOOP(cycles_are_refused, 3);
}
