/* Proofs of draws on random graphs: with true hints every draw is proven, and no hints whatever prove what is
 * no draw. And a claim whose table lies fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/claim_tables.h"
#include "analysis/claims/draw_proof.h"
#include "solver/run/build.h"
#include "tests/support/analysis/claim_figures.h"
#include "tests/support/suite.h"

/* --- random graphs --- */

enum { POSITIONS = 7, MOST_MOVES = 3, GRAPHS = 4000, LIES = 40, FAR = 1000 };

typedef struct {
  int moves[POSITIONS];
  game_edge edge[POSITIONS][MOST_MOVES];
  int8_t value[POSITIONS]; /* the truth */
  uint16_t depth[POSITIONS];
  int8_t said[POSITIONS]; /* the hints */
  uint16_t said_depth[POSITIONS];
  bool looked_at[POSITIONS];
} graph;

static uint64_t next(uint64_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 7;
  *seed ^= *seed << 17;
  return *seed;
}

static int below(uint64_t *seed, int n) {
  return (int)(next(seed) >> 33) % n;
}

static graph *graph_of(const game_rules *rules) {
  return (graph *)(uintptr_t)rules;
}

static uint64_t toy_positions(const game_rules *rules, uint32_t slice) {
  (void)rules, (void)slice;
  return POSITIONS;
}

static tauler_error toy_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                              int16_t *value) {
  (void)rules, (void)slice, (void)index;
  for (size_t i = 0; i < n; i++) value[i] = GAME_NOT_ENDED;
  return TAULER_OK;
}

static tauler_error toy_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                               game_sink *sink) {
  graph *g = graph_of(rules);
  tauler_error error = TAULER_OK;
  (void)slice;
  for (size_t i = 0; i < n; i++) {
    g->looked_at[index[i]] = true;
    for (int k = 0; k < g->moves[index[i]] && !error; k++) {
      game_edge edge = g->edge[index[i]][k];
      edge.from = (uint32_t)i;
      error = game_sink_push(sink, edge);
    }
  }
  return error;
}

static const game toy = {.positions = toy_positions, .ended = toy_ended, .expand = toy_expand};

static void hint(void *user, uint64_t index, int8_t *value, uint16_t *depth) {
  const graph *g = user;
  *value = g->said[index];
  *depth = g->said_depth[index];
}

static void make_graph(graph *g, uint64_t *seed) {
  for (int i = 0; i < POSITIONS; i++) {
    g->moves[i] = 1 + below(seed, MOST_MOVES);
    for (int k = 0; k < g->moves[i]; k++) {
      const bool over = below(seed, 6) == 0;
      g->edge[i][k] = (game_edge){.gain = over ? (below(seed, 2) ? 1 : -1) : 0,
                                  .to = {over ? GAME_OVER : 0, (uint64_t)below(seed, POSITIONS)}};
    }
  }
}

/* The value of position i if all decided positions have fewer plies than this; 2: not decided. */
static int worth_of(const graph *g, int i, int ply) {
  bool all_lose = true;
  for (int k = 0; k < g->moves[i]; k++) {
    const game_edge *e = &g->edge[i][k];
    const bool decided = e->to.slice == GAME_OVER || (g->value[e->to.index] && g->depth[e->to.index] < ply);
    const int worth = e->to.slice == GAME_OVER ? e->gain : -g->value[e->to.index];
    if (decided && worth > 0) return 1;
    if (!decided || worth == 0) all_lose = false;
  }
  return all_lose ? -1 : 2;
}

static void find_truth(graph *g) {
  memset(g->value, 0, sizeof g->value);
  memset(g->depth, 0, sizeof g->depth);
  for (int ply = 1; ply <= 2 * POSITIONS; ply++) {
    for (int i = 0; i < POSITIONS; i++) {
      const int worth = g->value[i] ? 2 : worth_of(g, i, ply);
      if (worth == 2) continue;
      g->value[i] = (int8_t)worth;
      g->depth[i] = (uint16_t)ply;
    }
  }
}

static bool proves(graph *g, uint64_t start, memory_budget *memory, draw_proven *out) {
  const draw_proof proof = {.game = &toy,
                            .rules = (const game_rules *)(const void *)g,
                            .hint = hint,
                            .user = g,
                            .memory = memory,
                            .most = FAR};
  tauler_message message;
  memset(g->looked_at, 0, sizeof g->looked_at);
  if (draw_prove(&proof, start, out, &message)) ck_abort_msg("%s", message.text);
  if (!out->done) ck_abort_msg("a proof was given up");
  return out->holds;
}

static void mark_truth(graph *g) {
  memcpy(g->said, g->value, sizeof g->said);
  memcpy(g->said_depth, g->depth, sizeof g->said_depth);
}

/* The truth of a graph in which some moves score for the other side, or lead elsewhere: it agrees with itself
 * at all other moves. */
static void mark_truth_of_another(graph *g, uint64_t *seed) {
  graph other = *g;
  const int changes = 1 + below(seed, 2);
  for (int i = 0; i < changes; i++) {
    const int at = below(seed, POSITIONS);
    game_edge *edge = &other.edge[at][below(seed, other.moves[at])];
    if (edge->to.slice == GAME_OVER) {
      edge->gain = (int16_t)-edge->gain;
    } else {
      edge->to.index = (uint64_t)below(seed, POSITIONS);
    }
  }
  find_truth(&other);
  memcpy(g->said, other.value, sizeof g->said);
  memcpy(g->said_depth, other.depth, sizeof g->said_depth);
}

static void mark_lies(graph *g, uint64_t *seed) {
  const int lies = below(seed, POSITIONS);
  mark_truth(g);
  if (below(seed, 2)) mark_truth_of_another(g, seed);
  for (int i = 0; i < lies; i++) {
    const int at = below(seed, POSITIONS);
    g->said[at] = (int8_t)(below(seed, 3) - 1);
    g->said_depth[at] = (uint16_t)below(seed, POSITIONS);
  }
  /* Depths that never fall are what a play without an end would need. */
  if (below(seed, 4) == 0)
    for (int i = 0; i < POSITIONS; i++) g->said_depth[i] = 3;
}

/* True if the proof's statement about each of its positions is true. */
static bool is_true(const graph *g) {
  for (int i = 0; i < POSITIONS; i++)
    if (g->looked_at[i] && g->said[i] != g->value[i]) return false;
  return true;
}

START_TEST(only_draws_are_proven) {
  uint64_t seed = 20;
  memory_budget memory;
  memory_budget_open(&memory, 1 << 20);
  long drawn = 0, refused = 0, lied = 0;
  for (int n = 0; n < GRAPHS; n++) {
    graph g;
    draw_proven proven;
    make_graph(&g, &seed);
    find_truth(&g);
    mark_truth(&g);
    for (uint64_t i = 0; i < POSITIONS; i++) {
      if (proves(&g, i, &memory, &proven) != (g.value[i] == 0))
        ck_abort_msg("graph %d, position %d with true hints", n, (int)i);
      drawn += g.value[i] == 0;
    }
    for (int k = 0; k < LIES; k++) {
      mark_lies(&g, &seed);
      const uint64_t start = (uint64_t)below(&seed, POSITIONS);
      const bool accepted = proves(&g, start, &memory, &proven);
      if (accepted && g.value[start] != 0) ck_abort_msg("graph %d, position %d is no draw", n, (int)start);
      if (accepted && !is_true(&g)) ck_abort_msg("graph %d, position %d: a lie is believed", n, (int)start);
      refused += !accepted && g.said[start] == 0;
      lied += accepted && memcmp(g.said, g.value, sizeof g.said) != 0;
    }
  }
  ck_assert_int_gt(drawn, GRAPHS / 10);
  ck_assert_int_gt(refused, GRAPHS);
  ck_assert_int_gt(lied, GRAPHS / 10); /* lies that do not matter are no reason to refuse */
  ck_assert_uint_eq(memory_allocated(&memory), 0);
}
END_TEST

START_TEST(a_proof_that_needs_too_much_is_given_up) {
  graph g = {.moves = {1, 1, 1}};
  for (int i = 0; i < 3; i++) g.edge[i][0] = (game_edge){.to = {0, (uint64_t)(i + 1) % 3}};
  memory_budget memory;
  memory_budget_open(&memory, 1 << 20);
  draw_proof proof = {.game = &toy,
                      .rules = (const game_rules *)(const void *)&g,
                      .hint = hint,
                      .user = &g,
                      .memory = &memory,
                      .most = 3};
  draw_proven proven;
  ck_assert_int_eq(draw_prove(&proof, 0, &proven, NULL), TAULER_OK);
  ck_assert(proven.done && proven.holds);
  ck_assert_uint_eq(proven.drawn, 3);
  proof.most = 2;
  ck_assert_int_eq(draw_prove(&proof, 0, &proven, NULL), TAULER_OK);
  ck_assert(!proven.done);
}
END_TEST

/* --- a table that lies --- */

static claim_job job_of(memory_budget *memory, const char *board) {
  memory_budget_open(memory, 256 << 20);
  return (claim_job){.folder = folder, .board = board, .level = 3, .threads = 2, .memory = memory};
}

typedef struct {
  uint8_t *cells;
  size_t cell_bytes;
} whole_table;

static tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                         tauler_message *message) {
  const whole_table *t = user;
  (void)message;
  memcpy(stored, t->cells + first * t->cell_bytes, count * t->cell_bytes);
  if (plain != stored) memcpy(plain, stored, count * t->cell_bytes);
  return TAULER_OK;
}

/* Writes a table again with a 0 in one cell. */
static void clear_cell(const char *name, uint64_t index) {
  char path[FOLDER_PATH_BYTES];
  snprintf(path, sizeof path, "%s/phutball/base/%s.zst", folder, name);
  tauler_message message;
  table *from;
  ck_assert_msg(table_open(path, &from, &message) == TAULER_OK, "%s", message.text);
  table_header header = *table_get_header(from);
  whole_table all = {.cell_bytes = table_cell_bytes(header.cell)};
  all.cells = malloc(header.positions * all.cell_bytes);
  ck_assert_ptr_nonnull(all.cells);
  ck_assert_int_eq(table_read(from, 0, header.positions, all.cells, &message), TAULER_OK);
  table_close(from);
  memset(all.cells + index * all.cell_bytes, 0, all.cell_bytes);
  const table_write_settings settings = {.level = 3, .threads = 1};
  ck_assert_msg(table_write(path, &header, &settings, fill, &all, NULL, &message) == TAULER_OK, "%s",
                message.text);
  free(all.cells);
}

static uint64_t index_of(const claim_job *job, const char *text) {
  claim_tables t;
  claim_error r = {.error = TAULER_OK};
  game_position position;
  game_place place;
  ck_assert(claim_tables_open(&t, job, &r, "phutball", NULL, NULL));
  ck_assert(claim_parse(&t, text, &position));
  ck_assert(t.game->locate(t.rules, &position, &place));
  claim_tables_close(&t);
  return place.index;
}

static void run_boards(claim_job job, claim_verdict wanted, claim_found *out) {
  run_claim("phutball-small-boards", job, wanted, out);
}

START_TEST(a_table_that_lies_fails) {
  memory_budget memory;
  const claim_job job = job_of(&memory, "3x3");
  claim_found found;
  run_boards(job, VERDICT_OPEN, &found);
  ck_assert_uint_eq(found.witnesses_used, 0);
  claim_found_free(&found);
  const uint64_t index = index_of(&job, "3/1o1/3 O");
  clear_cell("3x3.value", index);
  clear_cell("3x3.depth", index);
  run_boards(job, VERDICT_FAILS, &found);
  ck_assert_uint_eq(found.witnesses_used, 1);
  ck_assert_uint_eq(found.witnesses[0].rechecks_used, 2);
  for (int i = 0; i < 2; i++) ck_assert(!found.witnesses[0].holds[i]);
  claim_found_free(&found);
  ck_assert_uint_eq(memory_allocated(&memory), 0);
}
END_TEST

START_TEST(draws_of_a_board_are_proven) {
  memory_budget memory;
  const claim_job job = job_of(&memory, "7x3");
  claim_found found;
  run_boards(job, VERDICT_HOLDS_FOR, &found);
  ck_assert_uint_eq(found.witnesses_used, 1);
  const claim_witness *w = &found.witnesses[0];
  ck_assert_uint_eq(w->rechecks_used, 2);
  for (int i = 0; i < 2; i++) ck_assert(w->holds[i]);
  claim_found_free(&found);
}
END_TEST

/* --- errors --- */

static tauler_error call(int *calls, tauler_error error, tauler_message *message) {
  ++*calls;
  return error ? tauler_fail(message, error, "the disk is gone") : TAULER_OK;
}

START_TEST(the_first_error_is_kept) {
  claim_error e = {.error = TAULER_OK};
  tauler_message message = {""};
  int calls = 0;
  ck_assert(!CLAIM_CATCH(&e, call(&calls, TAULER_OK, &e.message)));
  ck_assert_int_eq(claim_error_of(&e, &message), TAULER_OK);
  ck_assert(CLAIM_CATCH(&e, call(&calls, TAULER_IO, &e.message)));
  ck_assert(CLAIM_CATCH(&e, call(&calls, TAULER_OK, &e.message)));
  claim_fail(&e, TAULER_NO_MEMORY, "no memory");
  ck_assert_int_eq(calls, 2); /* nothing is called after an error */
  ck_assert(claim_calloc(&e, 1, 1) == NULL);
  ck_assert_int_eq(claim_error_of(&e, &message), TAULER_IO);
  ck_assert_str_eq(message.text, "the disk is gone");
}
END_TEST

SUITE("claim_proof") {
  GROUP("proofs");
  TEST(only_draws_are_proven);
  TEST(a_proof_that_needs_too_much_is_given_up);
  TEST(the_first_error_is_kept);
  GROUP("claims");
  FIXTURE(make_folder, remove_folder);
  TEST(a_table_that_lies_fails);
  TEST(draws_of_a_board_are_proven);
}
