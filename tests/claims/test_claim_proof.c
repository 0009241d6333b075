/* Proofs of draws on random graphs: with true hints every draw is proven, and no hints whatever prove what is
 * no draw. And a claim whose table lies fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/claim_tables.h"
#include "analysis/claims/draw_proof.h"
#include "solver/build/build.h"
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

/* Whether what was said of all positions that the proof looked at is true. */
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
  ck_assert_uint_eq(memory_taken(&memory), 0);
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
  report r = {.rules = NULL};
  game_position position;
  game_place place;
  ck_assert(claim_tables_open(&t, job, &r, "phutball", NULL, NULL));
  ck_assert(claim_parse(&t, text, &position));
  ck_assert(t.game->locate(t.rules, &position, &place));
  claim_tables_close(&t);
  report_free(&r);
  return place.index;
}

static void run_boards(claim_job job, claim_verdict wanted, report *out) {
  run_claim("phutball-small-boards", job, wanted, out);
}

START_TEST(a_table_that_lies_fails) {
  memory_budget memory;
  const claim_job job = job_of(&memory, "3x3");
  report found = {.rules = NULL};
  run_boards(job, VERDICT_OPEN, &found);
  ck_assert_uint_eq(found.witnesses_used, 0);
  report_free(&found);
  const uint64_t index = index_of(&job, "3/1o1/3 O");
  clear_cell("3x3.value", index);
  clear_cell("3x3.depth", index);
  run_boards(job, VERDICT_FAILS, &found);
  ck_assert_uint_eq(found.witnesses_used, 1);
  ck_assert_uint_eq(found.witnesses[0].rechecks_used, 2);
  for (int i = 0; i < 2; i++)
    ck_assert(found.witnesses[0].rechecks[i].done && !found.witnesses[0].rechecks[i].holds);
  report_free(&found);
  ck_assert_uint_eq(memory_taken(&memory), 0);
}
END_TEST

START_TEST(draws_of_a_board_are_proven) {
  memory_budget memory;
  const claim_job job = job_of(&memory, "7x3");
  report found = {.rules = NULL};
  run_boards(job, VERDICT_HOLDS_FOR, &found);
  ck_assert_uint_eq(found.witnesses_used, 1);
  const report_witness *w = &found.witnesses[0];
  ck_assert_uint_eq(w->rechecks_used, 2);
  for (int i = 0; i < 2; i++) ck_assert(w->rechecks[i].done && w->rechecks[i].holds);
  report_free(&found);
}
END_TEST

/* --- reports --- */

START_TEST(a_report_keeps_its_errors) {
  report r = {.rules = NULL};
  tauler_message message = {""};
  ck_assert_int_eq(report_error(&r, &message), TAULER_OK);
  REPORT_ADD(&r, fig_number(1));
  ck_assert_int_eq(report_error(&r, &message), TAULER_INTERNAL);
  ck_assert_uint_gt(strlen(message.text), 10);
  report_free(&r);
  report_add_step(&r, "O", "A1", NULL, NULL);
  ck_assert_int_eq(report_error(&r, &message), TAULER_INTERNAL);
  report_free(&r);
  report_witness_begin(&r, "w", "p", NULL);
  for (int i = 0; i < REPORT_MOST_RECHECKS; i++) report_add_recheck(&r, "m", i != 1, i != 1, "%d", i);
  ck_assert(report_is_sound(&r)); /* what was not done says nothing */
  ck_assert_int_eq(report_error(&r, &message), TAULER_OK);
  report_add_recheck(&r, "m", true, true, "one too many");
  ck_assert_int_eq(report_error(&r, &message), TAULER_INTERNAL);
  report_free(&r);
  report_witness_begin(&r, "w", "p", NULL);
  report_add_recheck(&r, "m", true, true, "right");
  report_add_recheck(&r, "m", true, false, "wrong");
  ck_assert(!report_is_sound(&r));
  report_free(&r);
}
END_TEST

/* --- several claims --- */

static void say_holds(void *findings) {
  report_verdict(((claim_base *)findings)->out, VERDICT_HOLDS, "it holds");
}

static void say_fails(void *findings) {
  report_verdict(((claim_base *)findings)->out, VERDICT_FAILS, "it fails");
}

static void say_nothing(void *findings) {
  report_fail(((claim_base *)findings)->out, TAULER_IO, "the disk is gone");
}

static void add_figure_to_nothing(void *findings) {
  REPORT_ADD(((claim_base *)findings)->out, fig_number(3));
}

static const claim_code holds_code = {sizeof(claim_base), say_holds, NULL},
                        fails_code = {sizeof(claim_base), say_fails, NULL},
                        breaks_code = {sizeof(claim_base), say_nothing, NULL},
                        bungles_code = {sizeof(claim_base), add_figure_to_nothing, NULL};
static const claim holds = {.name = "holds", .options = "rules", .code = &holds_code},
                   fails = {.name = "fails", .options = "", .code = &fails_code},
                   breaks = {.name = "breaks", .options = "rules board", .code = &breaks_code},
                   bungles = {.name = "bungles", .options = "", .code = &bungles_code};

static void keep_limit(void *findings) {
  const claim_base *c = findings;
  report_verdict(c->out, VERDICT_HOLDS, "%d%s", c->limit, c->limited ? "" : " as ever");
}

START_TEST(a_claim_goes_as_far_as_its_limits) {
  static const claim_code code = {sizeof(claim_base), keep_limit, NULL};
  static const claim seeds = {.name = "s", .options = "seeds", .usual = 5, .most = 7, .code = &code};
  static const struct {
    int seeds, tokens;
    const char *reason;
  } cases[] = {{0, 0, "5 as ever"}, {3, 0, "3"}, {9, 0, "7"}, {0, 2, "5 as ever"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const claim_job job = {.folder = "", .seeds = cases[i].seeds, .tokens = cases[i].tokens};
    report r = {.rules = NULL};
    ck_assert_int_eq(claim_run(&seeds, &job, &r, NULL), TAULER_OK);
    ck_assert_str_eq(r.reason, cases[i].reason);
    report_free(&r);
  }
}
END_TEST

static void find_seven(void *findings) {
  const claim_base *c = findings;
  report_table_begin(c->out, "t");
  REPORT_ADD(c->out, fig_number(1), fig_number(7));
  report_verdict(c->out, VERDICT_HOLDS, "seven");
}

START_TEST(a_claim_fails_that_contradicts_what_is_stored) {
  static const claim_code code = {sizeof(claim_base), find_seven, NULL};
  static const report_column columns[] = {{"a", "a"}, {"b", "b"}};
  static const report_layout layout = {"t", "t", columns, 2, NULL, 0};
  static const char *const rows[] = {"1 | 7", "1 | 8", "2 | 8"};
  for (int i = 0; i < 3; i++) {
    const report_sentence items[] = {{"verdict", "holds"}, {"reason", "seven"}, {"row of t", rows[i]}};
    const report_stored stored = {"--seeds 9", "2026-11-23", items, 3};
    const claim_text text = {.layouts = &layout, .layouts_used = 1, .stored = &stored};
    const claim one = {.name = "s", .options = "", .code = &code, .text = &text};
    const claim_job job = {.folder = ""};
    report r = {.rules = NULL};
    ck_assert_int_eq(claim_run(&one, &job, &r, NULL), TAULER_OK);
    ck_assert_int_eq(r.verdict, i == 1 ? VERDICT_FAILS : VERDICT_HOLDS);
    ck_assert_int_eq(r.kept->verdict, VERDICT_HOLDS);
    report_free(&r);
  }
}
END_TEST

typedef struct {
  char names[64];
  int most;
} shown;

static bool show(void *user, const claim *one, const report *found) {
  shown *s = user;
  const size_t used = strlen(s->names);
  snprintf(s->names + used, sizeof s->names - used, "%s%s ", one->name,
           found->verdict == VERDICT_FAILS ? "!" : "");
  return --s->most > 0;
}

static void check_run(const claim *first, const claim *second, const claim_job *job, int most,
                      tauler_error wanted, const char *names) {
  const claim *both[] = {first, second};
  shown s = {"", most};
  tauler_message message = {""};
  const tauler_error error = claim_run_all(both, 2, job, show, &s, &message);
  ck_assert_msg(error == wanted, "%s, %s: %d: %s", first->name, second->name, (int)error, message.text);
  ck_assert_str_eq(s.names, names);
  ck_assert((*message.text == '\0') == (error == TAULER_OK || error == TAULER_NOT_PROVEN));
}

START_TEST(claims_are_run_one_after_the_other) {
  const claim_job plain = {.folder = ""}, rules = {.rules = "base"}, board = {.board = "3x3"};
  check_run(&holds, &holds, &plain, 9, TAULER_OK, "holds holds ");
  check_run(&fails, &holds, &plain, 9, TAULER_NOT_PROVEN, "fails! holds ");
  check_run(&holds, &fails, &plain, 9, TAULER_NOT_PROVEN, "holds fails! ");
  check_run(&fails, &breaks, &plain, 9, TAULER_IO, "fails! ");
  check_run(&breaks, &holds, &plain, 9, TAULER_IO, "");
  check_run(&bungles, &holds, &plain, 9, TAULER_INTERNAL, "");
  check_run(&fails, &holds, &plain, 1, TAULER_NOT_PROVEN, "fails! ");
  check_run(&holds, &holds, &rules, 9, TAULER_OK, "holds holds ");
  check_run(&holds, &fails, &rules, 9, TAULER_BAD_USAGE, "");
  check_run(&holds, &holds, &board, 9, TAULER_BAD_USAGE, "");
}
END_TEST

SUITE("claim_proof") {
  GROUP("proofs");
  TEST(only_draws_are_proven);
  TEST(a_proof_that_needs_too_much_is_given_up);
  TEST(a_report_keeps_its_errors);
  TEST(a_claim_fails_that_contradicts_what_is_stored);
  TEST(claims_are_run_one_after_the_other);
  TEST(a_claim_goes_as_far_as_its_limits);
  GROUP("claims");
  FIXTURE(make_folder, remove_folder);
  TEST(a_table_that_lies_fails);
  TEST(draws_of_a_board_are_proven);
}
