/* Holds what the probe library says after a line of moves, where the first repetition ends play, against
 * every line of play from there by the slow definition: random legal lines, each move, what was met, the end.
 * Without tables nothing is read; with those of the slow definition smaller slices are. */
#include <pthread.h>

#include "analysis/probe/probe_tables.h"
#include "tests/naive/naive_solve.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

enum { MOST_SEEDS = 3, PLIES = 40, TEXT = 256, THREADS = 4 };

static const char *const no_folder = "/nonexistent/tauler";
static const char *const cycles[] = {"own-row", "own-row-any"};

/* A line of play: what has been met since the last capture, by whose turn it is. */
typedef struct {
  const naive_game *game;
  int8_t **fresh;
  int seeds, rank, turn;
  bool *met[2];
  size_t count;
  char text[TEXT];
} walk;

static const naive_layer *layer_of(const walk *w) {
  return &w->game->layers[w->seeds];
}

static int net(int seeds, int kept) {
  return 2 * kept - seeds;
}

static int own_row(const walk *w, int rank) {
  int seeds = 0;
  for (int pit = 0; pit < 6; pit++) seeds += layer_of(w)->boards[rank].pit[pit];
  return net(w->seeds, seeds);
}

/* Net of who moves there at `turn`. */
static int worth_at_turn(const walk *w, int rank, int turn) {
  const naive_layer *layer = layer_of(w);
  if (layer->ended[rank]) return layer->net[rank];
  if (w->met[turn][rank]) return own_row(w, rank);
  bool *const met[2] = {w->met[turn], w->met[!turn]};
  return net(w->seeds, naive_own_row_line(layer, w->fresh, met, rank));
}

static int worth_of_edge(const walk *w, naive_edge edge) {
  const int left = w->seeds - edge.captured;
  if (edge.captured > 0) return edge.captured - net(left, w->fresh[left][edge.child]);
  return -worth_at_turn(w, edge.child, !w->turn);
}

static void expect_worth(const walk *w, const char *what, tauler_worth is, int wanted) {
  ck_assert_msg(is.known && is.lower == wanted && is.upper == wanted, "%s: %s is %d, %g to %g, not %d",
                w->text, what, is.known, is.lower, is.upper, wanted);
}

static void check_moves(walk *w, const tauler_answer *answer) {
  const naive_layer *layer = layer_of(w);
  naive_move moves[6];
  const int n = naive_moves(NAIVE_ABAPA, &layer->boards[w->rank], moves);
  ck_assert_uint_eq(answer->moves_used, (size_t)layer->edge_count[w->rank]);
  const bool was_met = w->met[w->turn][w->rank];
  w->met[w->turn][w->rank] = true;
  for (int m = 0; m < n && !layer->ended[w->rank]; m++) {
    const naive_edge edge = layer->edges[w->rank][m];
    const tauler_move *found = NULL;
    for (size_t i = 0; i < answer->moves_used; i++) {
      if (answer->moves[i].name[0] == "Aa"[w->turn] + moves[m].pit) found = &answer->moves[i];
    }
    if (!found) {
      ck_abort_msg("%s: move %d is not there", w->text, m);
      return;
    }
    expect_worth(w, found->name, found->after_line, worth_of_edge(w, edge));
    const bool repeats = edge.captured == 0 && w->met[!w->turn][edge.child];
    ck_assert_msg(found->repeats == repeats, "%s: %s repeats", w->text, found->name);
    if (repeats) expect_worth(w, found->name, found->worth, worth_of_edge(w, edge));
  }
  w->met[w->turn][w->rank] = was_met;
  for (size_t i = 1; i < answer->moves_used; i++)
    ck_assert(answer->moves[i - 1].after_line.lower >= answer->moves[i].after_line.lower);
}

/* True while play goes on. */
static bool check_here(walk *w, tauler_tables *tables) {
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, w->text, &answer, hear());
  ck_assert_msg(error == TAULER_TABLE_MISSING || error == TAULER_OK, "%s: %s", w->text, said.text);
  const tauler_history *history = &answer->history;
  const bool over = !layer_of(w)->ended[w->rank] && w->met[w->turn][w->rank];
  ck_assert(history->counts && history->given);
  ck_assert_msg(history->met == w->count, "%s: %zu met, not %zu", w->text, history->met, w->count);
  ck_assert_int_eq(history->over, over);
  expect_worth(w, "it", history->worth, worth_at_turn(w, w->rank, w->turn));
  ck_assert(answer->has_final);
  const double south = w->turn ? -history->worth.lower : history->worth.lower;
  const double taken = answer->final[0] + answer->final[1] - w->seeds;
  ck_assert_msg(taken >= 0 && (taken > 0 || answer->final[0] - answer->final[1] == south), "%s", w->text);
  if (over) {
    ck_assert_uint_eq(answer->moves_used, 0);
  } else {
    check_moves(w, answer);
  }
  tauler_answer_free(answer);
  return !over && !layer_of(w)->ended[w->rank];
}

static void clear_met(walk *w) {
  for (int turn = 0; turn < 2; turn++) memset(w->met[turn], 0, (size_t)w->game->layers[MOST_SEEDS].count);
  w->count = 0;
}

static void make_move(walk *w, uint64_t *seed) {
  const naive_layer *layer = layer_of(w);
  naive_move moves[6];
  naive_moves(NAIVE_ABAPA, &layer->boards[w->rank], moves);
  const int m = (int)(toy_draw(seed) % (uint64_t)layer->edge_count[w->rank]);
  const naive_edge edge = layer->edges[w->rank][m];
  sprintf(w->text + strlen(w->text), "%c", "Aa"[w->turn] + moves[m].pit);
  w->met[w->turn][w->rank] = true;
  w->count++;
  if (edge.captured > 0) clear_met(w);
  w->seeds -= edge.captured;
  w->rank = edge.child;
  w->turn = !w->turn;
}

/* Returns whether the line ended by a repetition. */
static bool check_walk(walk *w, tauler_tables *tables, int seeds, uint64_t *seed) {
  w->seeds = seeds;
  w->rank = (int)(toy_draw(seed) % (uint64_t)layer_of(w)->count);
  w->turn = 0;
  clear_met(w);
  naive_write(&layer_of(w)->boards[w->rank], w->text);
  sprintf(w->text + strlen(w->text), " moves ");
  if (layer_of(w)->ended[w->rank]) return false;
  bool on = true;
  for (int ply = 0; ply < PLIES && on; ply++) {
    make_move(w, seed);
    on = check_here(w, tables);
  }
  return w->met[w->turn][w->rank];
}

static tauler_tables *select_cycles(tauler *db, const char *rule) {
  tauler_tables *tables;
  MUST(tauler_select(db, "auale", "abapa", rule, &tables, NULL));
  return tables;
}

/* The third time with tables. */
CASE(every_line_agrees) {
  naive_game *game = naive_game_new(NAIVE_ABAPA, MOST_SEEDS);
  const bool with_tables = _i == 2;
  naive_tables *made = naive_tables_new("abapa", cycles[0], MOST_SEEDS);
  naive_tables_make_exact(made);
  if (with_tables) MUST(naive_tables_write(made, folder, TABLE_I8, NULL));
  walk w = {.game = game, .fresh = naive_solve_own_row_lines(game)};
  for (int turn = 0; turn < 2; turn++)
    w.met[turn] = suite_zeros((size_t)game->layers[MOST_SEEDS].count, sizeof **w.met);
  uint64_t seed = 11 + (uint64_t)_i;
  int repeated = 0;
  tauler *db = asked_at(with_tables ? folder : no_folder);
  tauler_tables *tables = select_cycles(db, cycles[_i % 2]);
  for (int seeds = 1; seeds <= MOST_SEEDS; seeds++) {
    for (int i = 0; i < (seeds < MOST_SEEDS ? 200 : 12); i++)
      repeated += check_walk(&w, tables, seeds, &seed);
  }
  ck_assert_int_gt(repeated, 5);
}

/* Two games to the same board (claim auale-abapa-path). */
static const char *const lost = "0-1-0-0-1-0-1-0-0-0-0-2-23-20-N moves f";
static const char *const won = "1-0-0-0-1-1-0-0-0-0-2-0-23-20-N moves eFf";

static void expect_final(tauler_tables *tables, const char *text, double south) {
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, text, &answer, NULL);
  ck_assert(error == TAULER_TABLE_MISSING);
  ck_assert_str_eq(answer->position, "1-0-0-0-1-0-1-0-0-0-0-0-23-22-S");
  ck_assert_msg(answer->has_final && answer->final[0] == south && answer->final[1] == 48 - south, "%s: %g",
                text, answer->final[0]);
  tauler_answer_free(answer);
}

static void *ask_both(void *tables) {
  for (int i = 0; i < 20; i++) {
    expect_final(tables, lost, 23);
    expect_final(tables, won, 25);
  }
  return NULL;
}

CASE(threads_ask_at_once) {
  pthread_t threads[THREADS];
  tauler *db = asked_at(no_folder);
  tauler_tables *tables[2];
  for (int i = 0; i < 2; i++) tables[i] = select_cycles(db, cycles[i]);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_both, tables[i % 2]), 0);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

CASE(nothing_counts_without_a_line_or_under_other_rules) {
  static const char *const start = "1-0-0-0-1-0-1-0-0-0-0-0-23-22-S";
  tauler *db = asked_at(no_folder);
  tauler_answer *answer = asked(select_cycles(db, "own-row"), start, TAULER_TABLE_MISSING);
  ck_assert(answer->history.counts && !answer->history.given && !answer->has_final);
  answer = asked(select_cycles(db, "forced"), won, TAULER_TABLE_MISSING);
  ck_assert(!answer->history.counts && !answer->history.given);
}

/* A server gives each question a time; a worth that is not found by then is not known. */
CASE(a_search_ends_when_its_time_is_up) {
  tauler_answer *answer;
  tauler *db = asked_at(no_folder);
  for (int hurried = 0; hurried < 2; hurried++) {
    db->most_seconds = hurried ? 1e-9 : 1000;
    answer = asked(select_cycles(db, "own-row"), won, TAULER_TABLE_MISSING);
    ck_assert_int_eq(answer->history.worth.known, !hurried);
    for (size_t i = 0; i < answer->moves_used; i++) {
      const tauler_move *move = &answer->moves[i];
      ck_assert_int_eq(move->after_line.known, !hurried || move->repeats || move->over);
    }
  }
}

/* A slice that is too large to search is not answered, but for the worth of a repetition. */
CASE(large_boards_are_told_apart) {
  static const char *const quiet = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S moves A";
  tauler *db = asked_at(no_folder);
  tauler_answer *answer = asked(select_cycles(db, "own-row"), quiet, TAULER_TABLE_MISSING);
  ck_assert(answer->history.given && answer->history.met == 1 && !answer->history.worth.known);
  ck_assert(!answer->history.over && !answer->has_final && !answer->moves[0].after_line.known);
}

SUITE("after_line") {
  FIXTURE(make_folder, remove_folder);
  LOOP(every_line_agrees, 3);
  TESTS(threads_ask_at_once, nothing_counts_without_a_line_or_under_other_rules,
        a_search_ends_when_its_time_is_up, large_boards_are_told_apart);
}
