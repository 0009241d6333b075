/* Phutball in words beyond texts.csv: bounds, and what an asker hears. */
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_phutball.h"

static game_rules *base;

static void open_base(void) {
  base = toy_phb_open("base");
}

/* --- positions ------------------------------------------------------------------------------------------ */

CASE(positions_hold_their_points) {
  const phb_position position = toy_phb_read(base, "2x/o2/x2/3 E");
  ck_assert_int_eq(position.rows, 4);
  ck_assert_int_eq(position.columns, 3);
  ck_assert_int_eq(position.ball, 6);
  ck_assert_int_eq(position.side, PHB_EKS);
  ck_assert_uint_eq(position.men[0], UINT64_C(1) << 11 | UINT64_C(1) << 3);
}

CASE(any_position_comes_back_from_its_text) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 5000; i++) {
    const int columns = 1 + (int)draw_below(&state, PHB_MOST_COLUMNS);
    const int most = PHB_MOST_POINTS / columns < PHB_MOST_ROWS ? PHB_MOST_POINTS / columns : PHB_MOST_ROWS;
    const int rows = i % 3 ? PHB_LEAST_ROWS + (int)draw_below(&state, (uint64_t)most - 2) : most;
    const phb_position position = toy_phb_position(rows, columns, (uint64_t)i % 101, &state);
    game_position game, again;
    char text[GAME_TEXT_BYTES], drawn[GAME_DRAWING_BYTES];
    phb_to_game(&position, &game);
    phb_print(base, &game, text);
    phb_draw(base, &game, drawn);
    if (strlen(text) >= sizeof text - 1 && columns != 3 && rows != PHB_MOST_ROWS)
      ck_abort_msg("%dx%d: a text without room", rows, columns);
    if (strstr(drawn, "\no ball, x man, - goal line\n") == NULL)
      ck_abort_msg("%dx%d: a drawing without an end", rows, columns);
    if (phb_parse(base, text, &again, NULL)) ck_abort_msg("%s is not read", text);
    if (memcmp(&game, &again, sizeof game) != 0) ck_abort_msg("%s is read as another", text);
  }
}

/* The flag is not offered where it is set. */
CASE(a_corner_out_of_reach_is_named) {
  game_rules *corner = toy_phb_open("corner=exit");
  game_position game;
  ck_assert_int_eq(phb_parse(corner, "2x/1o1/3 O moves B2-exit-", &game, hear()), TAULER_BAD_POSITION);
  ck_assert_ptr_null(strstr(said.text, "corner=exit"));
}

/* Just as many rows as there may be, and one more. */
CASE(rows_have_a_bound) {
  char text[8 * GAME_TEXT_BYTES];
  for (int rows = PHB_MOST_ROWS; rows <= PHB_MOST_ROWS + 1; rows++) {
    size_t used = 0;
    for (int row = rows; row > 0; row--)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", row == 2 ? "ox" : "xx",
                               row > 1 ? "/" : " O");
    game_position game;
    const tauler_error error = phb_parse(base, text, &game, hear());
    ck_assert_int_eq(error, rows > PHB_MOST_ROWS ? TAULER_BAD_POSITION : TAULER_OK);
    char printed[GAME_TEXT_BYTES];
    if (error) {
      ck_assert_ptr_nonnull(strstr(said.text, "more than 170 rows"));
    } else {
      phb_print(base, &game, printed);
      ck_assert_str_eq(printed, text);
    }
  }
}

CASE(the_game_is_known) {
  const game *g = game_find("phutball");
  ck_assert_ptr_nonnull(g);
  game_position position;
  game_rules *rules = suite_rules(g, "goal-line=stop", NULL);
  ck_assert_str_eq(g->rules_text(rules), "base,goal-line=stop");
  ck_assert_str_eq(g->cycles_text(rules), "");
  ck_assert_int_eq(g->kind(rules), SOLVE_OUTCOMES);
  ck_assert_int_eq(g->largest_value(rules, 0), 1);
  MUST(g->parse(rules, g->example, &position, NULL));
  ck_assert_str_eq(g->turn(rules, &position), "O");
  ck_assert_uint_eq(g->leaves(rules, &position, 1, true), 14);
  MUST(g->parse(rules, "3/1o1/3 E", &position, NULL));
  ck_assert_str_eq(g->turn(rules, &position), "E");
  /* the line of the help text */
  const char *line = strchr(g->notation, '"');
  char text[GAME_TEXT_BYTES];
  ck_assert_ptr_nonnull(line);
  snprintf(text, sizeof text, "%.*s", (int)strcspn(line + 1, "\""), line + 1);
  MUST(g->parse(rules, text, &position, NULL));
}

SUITE("phutball_text") {
  FIXTURE_ONCE(open_base, NULL);
  TESTS(positions_hold_their_points, any_position_comes_back_from_its_text, a_corner_out_of_reach_is_named,
        rows_have_a_bound, the_game_is_known);
}
