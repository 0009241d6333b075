#include "tests/support/analysis/toy_tosses_tables.h"

#include "tests/support/analysis/asked.h"
#include "tests/support/toy/toy_tosses.h"

tauler *tosses_db;

static void set_up(void) {
  make_folder();
  tosses_db = asked_folder();
}

void tosses_fixture(suite_cases *suite) {
  FIXTURE(set_up, NULL);
}

const double tosses_duel_lower[2][4] = {{8 / 64., 16 / 64., 24 / 64., 32 / 64.},
                                        {40 / 64., 48 / 64., 32 / 64., 56 / 64.}};
const double tosses_duel_upper[2][4] = {{9 / 64., 17 / 64., 25 / 64., 33 / 64.},
                                        {41 / 64., 49 / 64., 32 / 64., 57 / 64.}};

tauler_tables *tosses_select(const char *name) {
  tauler_tables *tables;
  game_rules *rules; /* which the tables own */
  MUST(toy_tosses.open(name, NULL, &rules, hear()));
  ck_assert_int_eq(tables_select(tosses_db, &toy_tosses, rules, &tables, hear()), TAULER_OK);
  return tables;
}

tauler_tables *tosses_duels(void) {
  for (uint32_t slice = 0; slice < 2; slice++)
    tosses_write("duel", slice, 0, tosses_duel_lower[slice], tosses_duel_upper[slice]);
  return tosses_select("duel");
}

/* By the seat to roll: it, the next, the one after that, and turns; pile 0, then pile 1. Nothing is open. */
static const double carousel_cells[4][2] = {{1 / 2., 1 / 16.}, {1 / 4., 3 / 8.}, {1 / 8., 5 / 16.}, {3, 7}};

tauler_tables *tosses_carousels(void) {
  for (int q = 0; q < 4; q++) tosses_write("carousel", 0, q, carousel_cells[q], carousel_cells[q]);
  return tosses_select("carousel");
}

tauler_answer *tosses_ask(tauler_tables *tables, const char *position) {
  tauler_answer *answer = asked(tables, position, TAULER_OK);
  ck_assert(answer->dice && answer->moves_used == 0 && !answer->has_final);
  return answer;
}
