#include "tests/support/toy_tosses_tables.h"

#include "tests/support/toy/toy_tosses.h"

tauler *tosses_db;
tauler_message tosses_message;

static void set_up(void) {
  make_folder();
  ck_assert_int_eq(tauler_open(folder, NULL, &tosses_db, &tosses_message), TAULER_OK);
}

static void tear_down(void) {
  tauler_close(tosses_db);
  remove_folder();
}

void tosses_fixture(suite_cases *suite) {
  FIXTURE(set_up, tear_down);
}

const double tosses_duel_lower[2][4] = {{8 / 64., 16 / 64., 24 / 64., 32 / 64.},
                                        {40 / 64., 48 / 64., 32 / 64., 56 / 64.}};
const double tosses_duel_upper[2][4] = {{9 / 64., 17 / 64., 25 / 64., 33 / 64.},
                                        {41 / 64., 49 / 64., 32 / 64., 57 / 64.}};

tauler_tables *tosses_select(const char *name) {
  game_rules *rules;
  tauler_tables *tables;
  ck_assert_int_eq(toy_tosses.open(name, NULL, &rules, &tosses_message), TAULER_OK);
  ck_assert_int_eq(tables_select(tosses_db, &toy_tosses, rules, &tables, &tosses_message), TAULER_OK);
  return tables;
}

tauler_tables *tosses_duels(void) {
  for (uint32_t slice = 0; slice < 2; slice++)
    tosses_write(folder, "duel", slice, 0, tosses_duel_lower[slice], tosses_duel_upper[slice]);
  return tosses_select("duel");
}

/* By the seat to roll: it, the next, the one after that, and turns; pile 0, then pile 1. Nothing is open. */
static const double carousel_cells[4][2] = {{1 / 2., 1 / 16.}, {1 / 4., 3 / 8.}, {1 / 8., 5 / 16.}, {3, 7}};

tauler_tables *tosses_carousels(void) {
  for (int q = 0; q < 4; q++) tosses_write(folder, "carousel", 0, q, carousel_cells[q], carousel_cells[q]);
  return tosses_select("carousel");
}

tauler_answer *tosses_ask(tauler_tables *tables, const char *position) {
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, position, &answer, &tosses_message);
  ck_assert_msg(error == TAULER_OK, "%s: %s", position, tosses_message.text);
  ck_assert_str_eq(tosses_message.text, "");
  ck_assert(answer->dice && answer->moves_used == 0 && !answer->has_final);
  return answer;
}
