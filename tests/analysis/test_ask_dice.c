/* Answers of the probe library for games of dice: quantities by seat, whose worth it is, the moves under each
 * roll, positions without index, tables that are missing or wrong, answers as text; against numbers worked
 * out by hand on tables that hold chosen cells. */
#include <math.h>
#include <pthread.h>

#include "analysis/print/print.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/analysis/toy_tosses_tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_tosses.h"

static void assert_bounds(const char *what, bool known, double lower, double upper, double wanted_lower,
                          double wanted_upper) {
  ck_assert_msg(known && lower == wanted_lower && upper == wanted_upper,
                "%s: %d [%.17g, %.17g], not [%.17g, %.17g]", what, known, lower, upper, wanted_lower,
                wanted_upper);
}

static void assert_worth(const char *what, tauler_worth worth, double lower, double upper) {
  assert_bounds(what, worth.known, worth.lower, worth.upper, lower, upper);
  ck_assert_int_eq(worth.depth_lower, TAULER_NO_DEPTH);
  ck_assert_int_eq(worth.depth_upper, TAULER_NO_DEPTH);
}

/* In sixty-fourths. */
static void assert_in_64(const char *what, tauler_worth worth, double lower, double upper) {
  assert_worth(what, worth, lower / 64, upper / 64);
}

static const tauler_move *move_under(const tauler_answer *answer, size_t roll, size_t i, const char *name) {
  ck_assert_uint_lt(roll, answer->rolls_used);
  ck_assert_uint_lt(i, answer->rolls[roll].moves_used);
  ck_assert_str_eq(answer->rolls[roll].moves[i].name, name);
  return &answer->rolls[roll].moves[i];
}

/* --- positions --- */

CASE(a_score_is_seen_from_the_seat_to_roll) {
  static const struct {
    const char *position;
    double lower, upper;
    tauler_category category;
  } cases[] = {{"0/1", 8, 9, TAULER_LOSS},      {"0/2", 47, 48, TAULER_WIN}, {"1/1", 24, 25, TAULER_LOSS},
               {"1/2", 31, 32, TAULER_UNKNOWN}, {"2/1", 40, 41, TAULER_WIN}, {"2/2", 15, 16, TAULER_LOSS},
               {"3/1", 32, 32, TAULER_DRAW},    {"3/2", 7, 8, TAULER_LOSS}};
  tauler_tables *tables = tosses_duels();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tauler_answer *answer = tosses_ask(tables, cases[i].position);
    tauler_worth worth;
    assert_in_64(cases[i].position, answer->worth, cases[i].lower, cases[i].upper);
    ck_assert_int_eq(answer->category, cases[i].category);
    ck_assert_uint_eq(answer->quantities_used, 2);
    ck_assert_uint_eq(answer->seats, 2);
    const size_t own = cases[i].position[2] == '2';
    const tauler_quantity *list = answer->quantities;
    ck_assert_str_eq(list[0].name, "score-1");
    ck_assert_str_eq(list[1].name, "score-2");
    assert_bounds("own", list[own].known, list[own].lower, list[own].upper, cases[i].lower / 64,
                  cases[i].upper / 64);
    assert_bounds("other's", list[!own].known, list[!own].lower, list[!own].upper, 1 - cases[i].upper / 64,
                  1 - cases[i].lower / 64);
    MUST(tauler_value(tables, cases[i].position, &worth, hear()));
    assert_in_64("value", worth, cases[i].lower, cases[i].upper);
    MUST(tauler_value_at(tables, answer->slice_number, answer->index, &worth, hear()));
    assert_in_64("value at", worth, cases[i].lower, cases[i].upper);
  }
}

CASE(rolls_list_their_moves_best_first) {
  tauler_answer *answer = tosses_ask(tosses_duels(), "1/2");
  ck_assert_uint_eq(answer->rolls_used, 2);
  ck_assert_str_eq(answer->rolls[0].name, "low");
  ck_assert_uint_eq(answer->rolls[0].weight, 1);
  ck_assert_str_eq(answer->rolls[1].name, "high");
  ck_assert_uint_eq(answer->rolls[1].weight, 2);
  ck_assert_uint_eq(answer->rolls[0].moves_used, 2);
  const tauler_move *take = move_under(answer, 0, 0, "take"), *wait = move_under(answer, 0, 1, "wait");
  assert_in_64("take", take->worth, 55, 56);
  assert_in_64("child of take", take->child, 8, 9);
  assert_in_64("wait", wait->worth, 39, 40);
  assert_in_64("child of wait", wait->child, 24, 25);
  ck_assert(take->best && !wait->best && !take->converts && !take->over);
  ck_assert_str_eq(take->position, "0/1");
  ck_assert_str_eq(wait->position, "1/1");
  /* The seat that rolls again stays the same; a lost turn comes back to it. */
  const tauler_move *again = move_under(answer, 1, 0, "again"), *trip = move_under(answer, 1, 1, "trip");
  assert_in_64("again", again->worth, 31, 32);
  assert_in_64("child of again", again->child, 31, 32);
  assert_in_64("trip", trip->worth, 31, 32);
  assert_in_64("child of trip", trip->child, 32, 33);
  ck_assert(again->best && trip->best);
  answer = tosses_ask(tosses_select("duel"), "1/1");
  assert_in_64("wait", move_under(answer, 0, 0, "wait")->worth, 32, 33);
  assert_in_64("take", move_under(answer, 0, 1, "take")->worth, 16, 17);
}

CASE(moves_that_end_the_game_are_worth_their_gain) {
  tauler_tables *tables = tosses_duels();
  tauler_answer *answer = tosses_ask(tables, "0/1");
  const tauler_move *take = move_under(answer, 0, 0, "take");
  assert_worth("take", take->worth, 1, 1);
  ck_assert(take->over && take->converts && take->best && !take->child.known);
  ck_assert_str_eq(take->position, "");
  answer = tosses_ask(tables, "0/2");
  assert_worth("take", move_under(answer, 0, 0, "take")->worth, 1, 1);
  answer = tosses_ask(tables, "3/1"); /* a third lies strictly between its bounds */
  ck_assert_uint_eq(answer->rolls[0].moves_used, 3);
  const tauler_move *share = move_under(answer, 0, 2, "share");
  ck_assert(3 * (long double)share->worth.lower < 1 && 3 * (long double)share->worth.upper > 1);
  ck_assert(nextafter(share->worth.lower, 1) == share->worth.upper);
}

CASE(bounds_that_overlap_are_a_tie) {
  double upper[4] = {9 / 64., 17 / 64., 25 / 64., 33 / 64.};
  tauler_tables *tables = tosses_duels();
  upper[1] = 32 / 64.;
  tosses_write("duel", 0, 0, tosses_duel_lower[0], upper);
  tauler_answer *answer = tosses_ask(tables, "1/1");
  ck_assert(move_under(answer, 0, 0, "wait")->best && move_under(answer, 0, 1, "take")->best);
  answer = tosses_ask(tables, "0/2"); /* from one half up */
  assert_in_64("seat 2", answer->worth, 32, 48);
  ck_assert_int_eq(answer->category, TAULER_UNKNOWN);
  tauler *other = asked_folder();
  upper[1] = nextafter(32 / 64., 0);
  tosses_write("duel", 0, 0, tosses_duel_lower[0], upper);
  tauler *const kept = tosses_db;
  tosses_db = other;
  answer = tosses_ask(tosses_select("duel"), "1/1");
  ck_assert(move_under(answer, 0, 0, "wait")->best && !move_under(answer, 0, 1, "take")->best);
  tosses_db = kept;
}

/* Of what prints as 50.0 % nobody is said to have the better. */
CASE(a_win_or_loss_is_clear_at_one_decimal_of_a_percentage) {
  static const struct {
    double lower, upper;
    tauler_category first, second; /* for either seat to roll, whose bounds are turned round */
  } cases[] = {{0.4997, 0.4997, TAULER_UNKNOWN, TAULER_UNKNOWN}, {0.4990, 0.4994, TAULER_LOSS, TAULER_WIN},
               {0.5003, 0.5003, TAULER_UNKNOWN, TAULER_UNKNOWN}, {0.5006, 0.5100, TAULER_WIN, TAULER_LOSS},
               {0.5004, 0.5100, TAULER_UNKNOWN, TAULER_UNKNOWN}, {0.5000, 0.5000, TAULER_DRAW, TAULER_DRAW}};
  const double lower[4] = {cases[_i].lower, cases[_i].lower, 0, 0};
  const double upper[4] = {cases[_i].upper, cases[_i].upper, 1, 1};
  tosses_write("duel", 0, 0, lower, upper);
  for (int seat = 0; seat < 2; seat++) {
    tauler_answer *answer = tosses_ask(tosses_select("duel"), seat ? "0/2" : "0/1");
    ck_assert_int_eq(answer->category, seat ? cases[_i].second : cases[_i].first);
  }
}

CASE(positions_without_index_are_worth_what_follows) {
  tauler_tables *tables = tosses_duels();
  tauler_answer *answer = tosses_ask(tables, "1/2~1");
  ck_assert_uint_eq(answer->index, TAULER_NO_INDEX);
  assert_in_64("a lost turn", answer->worth, 39, 40);
  ck_assert_int_eq(answer->category, TAULER_WIN);
  ck_assert_uint_eq(answer->rolls_used, 1);
  ck_assert_str_eq(answer->rolls[0].name, "pass");
  ck_assert_uint_eq(answer->rolls[0].weight, 1);
  ck_assert_uint_eq(answer->rolls[0].moves_used, 1);
  assert_in_64("pass", move_under(answer, 0, 0, "pass")->worth, 39, 40);
  assert_in_64("child of pass", move_under(answer, 0, 0, "pass")->child, 24, 25);
  answer = tosses_ask(tables, "4/1"); /* (max(56, 48) + 2 · 32) / 3, (max(57, 49) + 2 · 32) / 3 */
  const double upper = answer->worth.upper;
  ck_assert_double_eq(answer->worth.lower, 40 / 64.);
  ck_assert(192 * (long double)upper > 121 && 192 * (long double)nextafter(upper, 0) < 121);
  answer =
      tosses_ask(tables, "4/2"); /* worth of seat 1: (min(32, 40) + 2 · 56) / 3, (min(32, 41) + 2 · 57) / 3 */
  ck_assert_double_eq(answer->worth.upper, 1 - 48 / 64.);
  ck_assert(192 * (1 - (long double)answer->worth.lower) >= 146);
  ck_assert(fabs(answer->worth.lower - (1 - 146 / 192.)) < 1e-15);
  answer = asked(tables, "1/1~9", TAULER_INTERNAL);
  ck_assert_ptr_null(answer);
}

static void assert_seats(const char *position, const tauler_answer *answer, const double wanted[4]) {
  static const char *const list[] = {"win-1", "win-2", "win-3", "turns"};
  ck_assert_uint_eq(answer->quantities_used, 4);
  ck_assert_uint_eq(answer->seats, 3);
  for (int i = 0; i < 4; i++) {
    const tauler_quantity *q = &answer->quantities[i];
    ck_assert_str_eq(q->name, list[i]);
    assert_bounds(position, q->known, q->lower, q->upper, wanted[i], wanted[i]);
  }
}

CASE(quantities_that_turn_stand_by_seat) {
  tauler_tables *tables = tosses_carousels();
  static const struct {
    const char *position;
    double wanted[4], worth;
  } cases[] = {
      {"0/1", {1 / 2., 1 / 4., 1 / 8., 3}, 1 / 2.},   {"0/2", {1 / 8., 1 / 2., 1 / 4., 3}, 1 / 2.},
      {"0/3", {1 / 4., 1 / 8., 1 / 2., 3}, 1 / 2.},   {"1/3", {3 / 8., 5 / 16., 1 / 16., 7}, 1 / 16.},
      {"0/2~1", {1 / 4., 1 / 8., 1 / 2., 4}, 1 / 8.}, {"0/2~2", {1 / 4., 3 / 8., 1 / 2., 4}, 3 / 8.}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tauler_answer *answer = tosses_ask(tables, cases[i].position);
    assert_seats(cases[i].position, answer, cases[i].wanted);
    assert_worth(cases[i].position, answer->worth, cases[i].worth, cases[i].worth);
    ck_assert_int_eq(answer->category, TAULER_UNKNOWN);
  }
  tauler_answer *answer = tosses_ask(tables, "0/2");
  const tauler_move *on = move_under(answer, 0, 0, "on"), *out = move_under(answer, 1, 0, "out");
  assert_worth("on", on->worth, 1 / 8., 1 / 8.);
  assert_worth("child of on", on->child, 1 / 2., 1 / 2.);
  assert_worth("out", out->worth, 1, 1);
  ck_assert(on->best && out->best && out->over);
  ck_assert_uint_eq(strlen(answer->table), 8 * 33 - 1);
}

CASE(a_quantity_per_seat_may_stand_still) {
  double cells[6];
  for (int q = 0; q < 3; q++) {
    for (int i = 0; i < 6; i++) cells[i] = (1 + q + 4 * i) / 64.;
    tosses_write("trio", 0, q, cells, cells);
  }
  tauler_answer *answer = tosses_ask(tosses_select("trio"), "1/2"); /* index 4 */
  ck_assert_uint_eq(answer->quantities_used, 3);
  ck_assert_uint_eq(answer->seats, 3);
  for (int q = 0; q < 3; q++) ck_assert_double_eq(answer->quantities[q].lower, (17 + q) / 64.);
  assert_in_64("seat 2's", answer->worth, 18, 18);
  assert_in_64("seat 2's", move_under(answer, 0, 0, "on")->worth, 22, 22);
  assert_in_64("seat 3's", move_under(answer, 0, 0, "on")->child, 23, 23);
  ck_assert_int_eq(answer->category, TAULER_UNKNOWN);
}

/* --- what is not there, or not right --- */

CASE(without_tables_rolls_are_still_listed) {
  tauler_answer *answer;
  tauler_worth worth;
  tauler_tables *tables = tosses_select("duel");
  REFUSED(TAULER_TABLE_MISSING, "tauler build tosses --players 0 --rules duel --db ",
          tauler_probe(tables, "1/2", &answer, hear()));
  ck_assert(!answer->worth.known && answer->category == TAULER_UNKNOWN && !answer->table);
  ck_assert_uint_eq(answer->rolls_used, 2);
  const tauler_move *wait = move_under(answer, 0, 0, "wait");
  ck_assert(!wait->worth.known && !wait->child.known && !wait->best);
  ck_assert_str_eq(wait->position, "1/1");
  ck_assert_uint_eq(answer->quantities_used, 2);
  ck_assert(!answer->quantities[0].known && !answer->quantities[1].known);
  tauler_answer_free(answer);
  ck_assert_int_eq(tauler_value(tables, "1/2", &worth, hear()), TAULER_TABLE_MISSING);
  ck_assert(!worth.known);
}

CASE(a_missing_smaller_slice_leaves_what_is_known) {
  tosses_write("duel", 1, 0, tosses_duel_lower[1], tosses_duel_upper[1]);
  tauler_tables *tables = tosses_select("duel");
  tauler_answer *answer = tosses_ask(tables, "2/2");
  assert_in_64("the position", answer->worth, 15, 16);
  ck_assert_ptr_nonnull(answer->table);
  const tauler_move *wait = move_under(answer, 0, 0, "wait"), *take = move_under(answer, 0, 1, "take");
  assert_in_64("wait", wait->worth, 23, 24);
  ck_assert(!take->worth.known && take->converts && !take->best && !wait->best);
  ck_assert(move_under(answer, 1, 0, "again")->best);
  tosses_write("duel", 0, 0, tosses_duel_lower[0], tosses_duel_upper[0]); /* built meanwhile */
  answer = tosses_ask(tables, "2/2");
  ck_assert(move_under(answer, 0, 0, "take")->best);
}

CASE(tables_that_cannot_be_are_refused) {
  tauler_answer *answer;
  double wrong[4];
  memcpy(wrong, tosses_duel_lower[0], sizeof wrong);
  wrong[3] = _i ? NAN : nextafter(tosses_duel_upper[0][3], 1);
  tosses_write("duel", 0, 0, wrong, tosses_duel_upper[0]);
  tauler_tables *tables = tosses_select("duel");
  REFUSED(TAULER_DAMAGED_FILE, "above its upper", tauler_probe(tables, "1/2", &answer, hear()));
  ck_assert_ptr_null(answer);
}

CASE(tables_of_other_cells_are_refused) {
  static const float narrow[4] = {0.25, 0.25, 0.25, 0.25};
  const tosses_cells wrong[] = {{TABLE_F64, 3, tosses_duel_lower[1]}, {TABLE_F32, 4, narrow}};
  static const char *const words[] = {"positions, not 4", "cells of a kind"};
  tauler_answer *answer;
  tosses_write("duel", 1, 0, tosses_duel_lower[1], tosses_duel_upper[1]);
  tosses_write_cells("duel", 1, "upper", &wrong[_i]);
  REFUSED(TAULER_DAMAGED_FILE, words[_i], tauler_probe(tosses_select("duel"), "2/2", &answer, hear()));
  ck_assert_ptr_null(answer);
}

CASE(there_is_no_line_of_play) {
  tauler_line *line;
  REFUSED(TAULER_BAD_USAGE, "dice", tauler_play(tosses_duels(), "1/1", 0, &line, hear()));
  ck_assert_ptr_null(line);
}

CASE(bad_positions_say_why) {
  tauler_answer *answer = asked(tosses_duels(), "1/3", TAULER_BAD_POSITION);
  ck_assert_ptr_null(answer);
  ck_assert_str_ne(said.text, "");
}

static void *ask_often(void *user) {
  for (int i = 0; i < 200; i++) {
    tauler_answer *answer;
    if (tauler_probe(user, i % 2 ? "1/2" : "2/2~1", &answer, NULL)) return user;
    const bool right = answer->worth.lower == (i % 2 ? 31 : 23) / 64.;
    tauler_answer_free(answer);
    if (!right) return user;
  }
  return NULL;
}

CASE(threads_share_a_handle) {
  pthread_t threads[4];
  tauler_tables *tables = tosses_duels();
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_often, tables), 0);
  for (int i = 0; i < 4; i++) {
    void *failed;
    ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
    ck_assert_ptr_null(failed);
  }
}

/* --- as text --- */

static void assert_json(const tauler_answer *answer, const char *wanted) {
  json_writer json;
  json_open_buffer(&json);
  answer_to_json(&json, answer, NULL);
  ck_assert_ptr_nonnull(strstr(json_text(&json, NULL), wanted));
  MUST(json_close(&json, hear()));
}

CASE(answers_are_json) {
  tauler_answer *answer = tosses_ask(tosses_duels(), "0/1");
  assert_json(answer,
              "{\"game\":\"tosses\",\"rules\":\"duel\",\"position\":\"0/1\",\"turn\":\"1\",\"slice\":\"0\","
              "\"category\":\"loss\",\"outcome\":\"loss\",\"value\":0.1328125,\"bounds\":[0.125,0.140625],"
              "\"depth\":null,");
  assert_json(
      answer,
      "\"moves\":[],\"quantities\":{\"score-1\":[0.125,0.140625],\"score-2\":[0.859375,0.875]},\"rolls\":["
      "{\"roll\":\"low\",\"weight\":1,\"moves\":["
      "{\"move\":\"take\",\"position\":null,\"value\":1,\"child_value\":null,\"bounds\":[1,1],\"best\":true,"
      "\"converts\":true},"
      "{\"move\":\"wait\",\"position\":\"0/2\",\"value\":0.2578125,\"child_value\":0.7421875,"
      "\"bounds\":[0.25,0.265625],\"best\":false,\"converts\":false}]},"
      "{\"roll\":\"high\",\"weight\":2,\"moves\":[{\"move\":\"again\",");
  answer = tosses_ask(tosses_carousels(), "0/2");
  assert_json(answer, "\"quantities\":{\"win-1\":[0.125,0.125],\"win-2\":[0.5,0.5],\"win-3\":[0.25,0.25],"
                      "\"turns\":[3,3]},\"values\":[[0.125,0.125],[0.5,0.5],[0.25,0.25]],\"rolls\":[");
  answer = asked(tosses_select("trio"), "0/2~1", TAULER_TABLE_MISSING);
  assert_json(answer, "\"category\":\"unknown\",\"outcome\":\"unknown\",\"value\":null,\"bounds\":null,"
                      "\"depth\":null,\"table\":null,"
                      "\"moves\":[],\"quantities\":{\"score-1\":null,\"score-2\":null,\"score-3\":null},"
                      "\"values\":[null,null,null],\"rolls\":[{\"roll\":\"pass\",\"weight\":1,\"moves\":["
                      "{\"move\":\"pass\",\"position\":\"0/3\",\"value\":null,\"child_value\":null,"
                      "\"bounds\":null,\"best\":false,\"converts\":false}]}]}");
}

CASE(bounds_are_printed_outward) {
  static const double inner[4] = {0.1, 0.3, 0.3, 0.1}; /* above the decimal 0.1, below 0.3 */
  tosses_write("duel", 0, 0, inner, inner);
  tauler_tables *tables = tosses_select("duel");
  tauler_answer *answer = tosses_ask(tables, "0/1");
  assert_json(answer, "\"value\":0.1,\"bounds\":[0.1,0.10000000000000001],");
  answer = tosses_ask(tables, "1/1");
  assert_json(answer, "\"value\":0.3,\"bounds\":[0.29999999999999998,0.3],");
}

CASE(what_is_unbounded_is_null) {
  static const double turns[2] = {3, 7}, open[2] = {INFINITY, INFINITY};
  tauler_tables *tables = tosses_carousels();
  tosses_write("carousel", 0, 3, turns, open);
  tauler_answer *answer = tosses_ask(tables, "0/2~1");
  ck_assert_double_eq(answer->quantities[3].lower, 4);
  ck_assert(isinf(answer->quantities[3].upper));
  assert_json(answer, "\"turns\":[4,null]}");
}

static void assert_text(const tauler_answer *answer, bool verbose, const char *const *wanted) {
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  ck_assert_ptr_nonnull(out);
  answer_print(out, answer, NULL, SOLVE_CHANCE, (answer_look){.verbose = verbose});
  fclose(out);
  for (; *wanted; wanted++) ck_assert_msg(strstr(text, *wanted), "no '%s' in\n%s", *wanted, text);
  ck_assert_msg(verbose || !strstr(text, "Table "), "digests in\n%s", text);
  free(text);
}

CASE(answers_are_readable) {
  static const char *const rolls[] = {
      "tosses, duel, slice 0: 1/2\n\no\n\nSeat 2 to roll: value 0.4843 to 0.5000.\n",
      "\nquantity  ",
      "\nscore-2                 0.484375                     0.5\n",
      "\nroll   chance  move ",
      "\n low  33.33 %  take   0.8593 to 0.8750  best  0/1\n",
      "\n               wait   0.6093 to 0.6250        1/1\n",
      "\nhigh  66.67 %  again  0.4843 to 0.5000  best  1/2\n",
      "\nTable ",
      NULL};
  static const char *const digits[] = {"\nquantity  value\n", "\nscore-2   0.4843 to 0.5000\n", NULL};
  static const char *const pass[] = {"Seat 2 loses this turn: value 0.6093 to 0.6250, more than one half.\n",
                                     NULL};
  static const char *const none[] = {"Seat 1 to roll: unknown, no table reaches.\n",
                                     " low  33.33 %  on    ?               0/2\n", NULL};
  tauler_tables *tables = tosses_duels();
  tauler_answer *answer = tosses_ask(tables, "1/2");
  assert_text(answer, true, rolls);
  assert_text(answer, false, digits);
  answer = tosses_ask(tables, "1/2~1");
  assert_text(answer, false, pass);
  answer = asked(tosses_select("trio"), "0/1", TAULER_TABLE_MISSING);
  assert_text(answer, false, none);
}

SUITE("ask_dice") {
  tosses_fixture(suite);
  GROUP("positions");
  TESTS(a_score_is_seen_from_the_seat_to_roll, rolls_list_their_moves_best_first,
        moves_that_end_the_game_are_worth_their_gain, bounds_that_overlap_are_a_tie);
  LOOP(a_win_or_loss_is_clear_at_one_decimal_of_a_percentage, 6);
  TESTS(positions_without_index_are_worth_what_follows, quantities_that_turn_stand_by_seat,
        a_quantity_per_seat_may_stand_still);
  GROUP("missing and wrong");
  TESTS(without_tables_rolls_are_still_listed, a_missing_smaller_slice_leaves_what_is_known);
  LOOP(tables_that_cannot_be_are_refused, 2);
  LOOP(tables_of_other_cells_are_refused, 2);
  TESTS(there_is_no_line_of_play, bad_positions_say_why, threads_share_a_handle);
  GROUP("texts");
  TESTS(answers_are_json, bounds_are_printed_outward, what_is_unbounded_is_null, answers_are_readable);
}
