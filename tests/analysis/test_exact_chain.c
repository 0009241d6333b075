/* Exact rationals: systems and games of dice against plain elimination in rationals, published figures, and
 * what cannot be solved so. */
#include <math.h>

#include "analysis/exact/exact.h"
#include "games/oca/rules.h"
#include "tests/support/analysis/toy_coin.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_dice.h"

/* --- plain elimination ---------------------------------------------------------------------------------- */

/* Rows of n coefficients and one right side. */
typedef struct {
  int n;
  mpq_t *cell;
} matrix;

static matrix new_matrix(int n) {
  const size_t cells = (size_t)n * (size_t)(n + 1);
  matrix m = {n, malloc(cells * sizeof *m.cell)};
  for (size_t i = 0; i < cells; i++) mpq_init(m.cell[i]);
  return m;
}

static void free_matrix(matrix *m) {
  const size_t cells = (size_t)m->n * (size_t)(m->n + 1);
  for (size_t i = 0; i < cells; i++) mpq_clear(m->cell[i]);
  free(m->cell);
}

static mpq_t *cell_of(const matrix *m, int row, int column) {
  return &m->cell[(size_t)row * (size_t)(m->n + 1) + (size_t)column];
}

static void add_to_cell(const matrix *m, int row, int column, long numerator, long denominator) {
  mpq_t more;
  mpq_init(more);
  mpq_set_si(more, numerator, (unsigned long)denominator);
  mpq_canonicalize(more);
  mpq_add(*cell_of(m, row, column), *cell_of(m, row, column), more);
  mpq_clear(more);
}

static bool swap_pivot(const matrix *m, int at) {
  int row = at;
  while (row < m->n && mpq_sgn(*cell_of(m, row, at)) == 0) row++;
  if (row == m->n) return false;
  for (int column = 0; column <= m->n && row != at; column++)
    mpq_swap(*cell_of(m, row, column), *cell_of(m, at, column));
  return true;
}

/* The solution is then where the right side was. False: there is not just one. */
static bool eliminate(const matrix *m) {
  mpq_t factor, product;
  mpq_inits(factor, product, NULL);
  bool single = true;
  for (int at = 0; single && at < m->n; at++) {
    single = swap_pivot(m, at);
    for (int row = 0; single && row < m->n; row++) {
      if (row == at || mpq_sgn(*cell_of(m, row, at)) == 0) continue;
      mpq_div(factor, *cell_of(m, row, at), *cell_of(m, at, at));
      for (int column = at; column <= m->n; column++) {
        if (mpq_sgn(*cell_of(m, at, column)) == 0) continue;
        mpq_mul(product, factor, *cell_of(m, at, column));
        mpq_sub(*cell_of(m, row, column), *cell_of(m, row, column), product);
      }
    }
  }
  for (int row = 0; single && row < m->n; row++)
    mpq_div(*cell_of(m, row, m->n), *cell_of(m, row, m->n), *cell_of(m, row, row));
  mpq_clears(factor, product, NULL);
  return single;
}

/* --- systems -------------------------------------------------------------------------------------------- */

enum { MOST = 12 };

/* A system by drawn numbers, of which few lead backward or many. */
typedef struct {
  exact_system system;
  uint32_t first[MOST + 1], column[MOST * MOST];
  int64_t weight[MOST * MOST], diagonal[MOST], right[2][MOST];
} drawn_system;

static void draw_system(drawn_system *d, uint32_t n, uint64_t *state) {
  uint32_t used = 0;
  const uint64_t backward = draw_below(state, 4);
  d->first[0] = 0;
  for (uint32_t row = 0; row < n; row++) {
    for (uint32_t column = 0; column < n; column++) {
      if (column == row || draw_below(state, 3) || (column < row && draw_below(state, 4) > backward))
        continue;
      d->column[used] = column;
      d->weight[used++] = 1 + (int64_t)draw_below(state, 9);
    }
    d->first[row + 1] = used;
    d->diagonal[row] = 1 + (int64_t)draw_below(state, 40);
    for (int r = 0; r < 2; r++) d->right[r][row] = (int64_t)draw_below(state, 2001) - 1000;
  }
  d->system = (exact_system){.unknowns = n,
                             .rights = 2,
                             .first = d->first,
                             .column = d->column,
                             .weight = d->weight,
                             .diagonal = d->diagonal,
                             .right = {d->right[0], d->right[1]}};
}

static bool solve_plainly(const exact_system *s, int right, const matrix *m) {
  for (uint32_t row = 0; row < s->unknowns; row++) {
    add_to_cell(m, (int)row, (int)row, s->diagonal[row], 1);
    for (uint32_t e = s->first[row]; e < s->first[row + 1]; e++)
      add_to_cell(m, (int)row, (int)s->column[e], -s->weight[e], 1);
    add_to_cell(m, (int)row, m->n, s->right[right][row], 1);
  }
  return eliminate(m);
}

static void expect_solved(const exact_system *s, memory_budget *memory) {
  uint32_t wanted[MOST];
  mpq_t out[2 * MOST];
  const size_t n = s->unknowns;
  for (uint32_t i = 0; i < n; i++) wanted[i] = (uint32_t)n - 1 - i;
  for (size_t i = 0; i < 2 * n; i++) mpq_init(out[i]);
  const tauler_error error = exact_system_solve(s, memory, NULL, wanted, n, out, hear());
  for (int right = 0; right < 2; right++) {
    matrix m = new_matrix((int)n);
    const bool single = solve_plainly(s, right, &m);
    ck_assert_msg(error == (single ? TAULER_OK : TAULER_INTERNAL), "%s", said.text);
    for (size_t i = 0; single && i < n; i++)
      ck_assert(mpq_equal(out[(size_t)right * n + i], *cell_of(&m, (int)wanted[i], m.n)));
    free_matrix(&m);
  }
  for (size_t i = 0; i < 2 * n; i++) mpq_clear(out[i]);
  ck_assert_uint_eq(memory_allocated(memory), 0);
}

CASE(solves_drawn_systems) {
  drawn_system d;
  uint64_t state = 88172645463325252u;
  memory_budget *memory = suite_budget(UINT64_C(1) << 28);
  for (int i = 0; i < 400; i++) {
    draw_system(&d, 1 + (uint32_t)draw_below(&state, MOST), &state);
    expect_solved(&d.system, memory);
  }
}

CASE(refuses_singular_systems) {
  drawn_system d;
  uint64_t state = 5;
  memory_budget *memory = suite_budget(UINT64_C(1) << 28);
  draw_system(&d, 2, &state);
  /* 6 x − 6 y and −6 x + 6 y. */
  d.first[0] = 0, d.first[1] = 1, d.first[2] = 2;
  d.column[0] = 1, d.column[1] = 0;
  d.weight[0] = d.weight[1] = d.diagonal[0] = d.diagonal[1] = 6;
  expect_solved(&d.system, memory);
}

/* --- games by elimination, from texts and moves alone --------------------------------------------------- */

/* Adds what the position's quantity is to its row: P the unknown `own`. */
static void write_move(const game *game, const game_rules *rules, game_place at, int quantity, int seats,
                       const game_move *move, long weight, long all, const matrix *m) {
  const int places = quantity < seats ? seats : 1, place = quantity < seats ? quantity : 0;
  const chance_gain(*gains)[CHANCE_MOST_QUANTITIES];
  game->chance->gains(rules, at.slice, &gains);
  add_to_cell(m, (int)at.index * places + place, m->n, weight * gains[move->gain][quantity].numerator,
              all * gains[move->gain][quantity].denominator);
  if (move->over) return;
  game_place to;
  ck_assert(game->locate(rules, &move->child, &to));
  const int turned = game->chance->first_seat(rules, &move->child);
  const int theirs = (place + places - turned % places) % places;
  add_to_cell(m, (int)at.index * places + place, (int)to.index * places + theirs, -weight, all);
}

static void write_position(const game *game, const game_rules *rules, game_place at, int quantity, int seats,
                           const matrix *m) {
  game_position position;
  const chance_roll *rolls;
  const size_t count = game->chance->rolls(rules, &rolls);
  long all = 0;
  int value;
  for (size_t i = 0; i < count; i++) all += (long)rolls[i].weight;
  game->position_at(rules, at, &position);
  if (game->position_ended(rules, &position, &value)) return;
  const bool passes = game->chance->must_pass(rules, &position);
  for (size_t roll = 0; roll < (passes ? 1 : count); roll++) {
    game_moves moves = {0};
    MUST(game->chance->moves(rules, &position, passes ? CHANCE_CERTAIN : roll, &moves));
    ck_assert_uint_eq(moves.used, 1);
    write_move(game, rules, at, quantity, seats, &moves.moves[0], passes ? all : (long)rolls[roll].weight,
               all, m);
    game_moves_free(&moves);
  }
}

/* One quantity, or all that turn, of every position of a slice. */
static matrix eliminate_slice(const game *game, const game_rules *rules, uint32_t slice, int quantity) {
  chance_quantities q;
  game->chance->quantities(rules, slice, &q);
  const int places = quantity < q.seats ? q.seats : 1;
  const uint64_t positions = game->positions(rules, slice);
  matrix m = new_matrix((int)positions * places);
  for (int i = 0; i < m.n; i++) add_to_cell(&m, i, i, 1, 1);
  for (uint64_t index = 0; index < positions; index++) {
    uint8_t copies;
    game->copies(rules, slice, index, 1, &copies);
    for (int place = 0; copies && place < places; place++)
      write_position(game, rules, (game_place){slice, index}, quantity + place, q.seats, &m);
  }
  ck_assert(eliminate(&m));
  return m;
}

static game_rules *open_oca(const char *text) {
  game_rules *rules = suite_rules(&oca_game, text, NULL);
  return rules;
}

static void solve_exactly(const game *game, const game_rules *rules, game_place from,
                          mpq_t out[CHANCE_MOST_QUANTITIES]) {
  memory_budget *memory = suite_budget(UINT64_C(1) << 30);
  MUST(exact_chain_solve(game, rules, from, memory, NULL, out, hear()));
}

static void init_all(mpq_t out[CHANCE_MOST_QUANTITIES]) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) mpq_init(out[q]);
}

static void clear_all(mpq_t out[CHANCE_MOST_QUANTITIES]) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) mpq_clear(out[q]);
}

/* A well that holds a token, a bridge back, turns to lose. */
#define BOARD_6                                                                                              \
  "goose-59=stay,board=length-6_geese-1-6_bridges-none_dice-none_inn-2-1_prison-none_well-4_labyrinth-none_" \
  "death-5-to-0"

static const struct {
  const char *rules;
  uint32_t players, every; /* every so many positions are looked at */
} slices[] = {
    {"base", 1, 1}, {"dice=2,goose-59=bounce", 1, 3}, {"well=off", 1, 7}, {BOARD_6, 1, 1}, {BOARD_6, 2, 5}};
enum { SLICES = sizeof slices / sizeof *slices };

CASE(equals_elimination) {
  game_rules *rules = open_oca(slices[_i].rules);
  const uint32_t slice = slices[_i].players;
  const uint64_t positions = oca_game.positions(rules, slice);
  chance_quantities q;
  mpq_t out[CHANCE_MOST_QUANTITIES];
  init_all(out);
  oca_chance.quantities(rules, slice, &q);
  for (int quantity = 0; quantity < q.used; quantity += quantity < q.seats ? q.seats : 1) {
    const int places = quantity < q.seats ? q.seats : 1;
    matrix m = eliminate_slice(&oca_game, rules, slice, quantity);
    for (uint64_t index = 0; index < positions; index += slices[_i].every) {
      solve_exactly(&oca_game, rules, (game_place){slice, index}, out);
      for (int place = 0; place < places; place++)
        ck_assert_msg(mpq_equal(out[quantity + place], *cell_of(&m, (int)index * places + place, m.n)),
                      "index %llu, quantity %d", (unsigned long long)index, quantity + place);
    }
    free_matrix(&m);
  }
  clear_all(out);
}

/* --- published figures ---------------------------------------------------------------------------------- */

static void solve_start(const game_rules *rules, uint32_t players, mpq_t out[CHANCE_MOST_QUANTITIES]) {
  game_position start;
  game_place from;
  oca_chance.start(rules, players, &start);
  ck_assert(oca_game.locate(rules, &start, &from));
  solve_exactly(&oca_game, rules, from, out);
}

CASE(oca_alone_as_published) {
  game_rules *rules = open_oca("base");
  mpq_t out[CHANCE_MOST_QUANTITIES], published;
  init_all(out);
  mpq_init(published);
  mpq_set_str(published,
              "175624630924816029684637425982424243923519241/242428832615484770090295665631222801425184768",
              10);
  solve_start(rules, 1, out);
  ck_assert(mpq_equal(out[0], published));
  ck_assert(fabs(mpq_get_d(out[1]) - 14.410951048086227) < 1e-14);
  ck_assert(fabs(mpq_get_d(out[2]) - 17.193176027029008) < 1e-14);
  mpq_clear(published);
  clear_all(out);
}

CASE(oca_for_two_as_published) {
  game_rules *rules = open_oca("base");
  mpq_t out[CHANCE_MOST_QUANTITIES];
  init_all(out);
  solve_start(rules, 2, out);
  ck_assert(fabs(mpq_get_d(out[0]) - 0.511066874585) < 1e-12);
  ck_assert(fabs(mpq_get_d(out[1]) - 0.488933125415) < 1e-12);
  ck_assert(fabs(mpq_get_d(out[2]) - 27.951880482) < 1e-9);
  ck_assert(fabs(mpq_get_d(out[3]) - 28.355067203) < 1e-9);
  mpq_add(out[0], out[0], out[1]);
  ck_assert(mpq_cmp_ui(out[0], 1, 1) == 0);
  clear_all(out);
}

CASE(ladders_as_published) {
  toy_odds *ladders = toy_ladders_new();
  mpq_t out[CHANCE_MOST_QUANTITIES];
  init_all(out);
  solve_exactly(&ladders->game, ladders->rules, (game_place){0, 0}, out);
  ck_assert(fabs(mpq_get_d(out[0]) - 39.225122308235) < 1e-12);
  clear_all(out);
}

/* --- a game by hand ------------------------------------------------------------------------------------- */

static void expect_rational(const mpq_t found, const char *wanted) {
  mpq_t value;
  mpq_init(value);
  mpq_set_str(value, wanted, 10);
  if (!mpq_equal(found, value)) ck_abort_msg("%f is not %s", mpq_get_d(found), wanted);
  mpq_clear(value);
}

/* The values of toy_coin.c by hand: 0:5 is worth 2/3 · (1/3, 2, 0) + 1/3 · (0, 1/4, 0) = (2/9, 17/12, 0), and
 * 2/3 in the last. 1:3 has at place t what 0:5 has at t − 1, and 1/4 at place 1: (0, 2/9 + 1/4, 17/12). 1:7:
 * with y_t = 2/3 (row 1 at t + what 1:3 has at t − 2), x_t = y_t + x_(t − 1) / 3, so x_t = (y_t + y_(t − 1) /
 * 3 + y_(t − 2) / 9) · 27 / 26. Here y = (2/3 (1/3 + 17/36), 2/3 (2 + 17/12), 0) = (29/54, 41/18, 0); in the
 * last 3/2 · (2/3 · (1 + 2/3)).
 */
CASE(turns_passes_and_leaves_slices) {
  mpq_t out[CHANCE_MOST_QUANTITIES];
  init_all(out);
  solve_exactly(&toy_coin_game, NULL, (game_place){0, 0}, out);
  for (int q = 0; q < 4; q++) expect_rational(out[q], "0");
  solve_exactly(&toy_coin_game, NULL, (game_place){0, 5}, out);
  expect_rational(out[0], "2/9");
  expect_rational(out[1], "17/12");
  expect_rational(out[2], "0");
  expect_rational(out[3], "2/3");
  solve_exactly(&toy_coin_game, NULL, (game_place){1, 3}, out);
  expect_rational(out[0], "0");
  expect_rational(out[1], "17/36");
  expect_rational(out[2], "17/12");
  expect_rational(out[3], "2/3");
  solve_exactly(&toy_coin_game, NULL, (game_place){1, 7}, out);
  expect_rational(out[0], "32/39");
  expect_rational(out[1], "199/78");
  expect_rational(out[2], "199/234");
  expect_rational(out[3], "5/3");
  clear_all(out);
}

/* --- what cannot be solved so --------------------------------------------------------------------------- */

static void expect_refused(const game *game, const game_rules *rules, game_place from, const char *why) {
  mpq_t out[CHANCE_MOST_QUANTITIES];
  memory_budget *memory = suite_budget(UINT64_C(1) << 28);
  init_all(out);
  REFUSED(TAULER_BAD_USAGE, why, exact_chain_solve(game, rules, from, memory, NULL, out, hear()));
  clear_all(out);
}

CASE(refuses_what_it_cannot_solve) {
  game_rules *rules = open_oca("base");
  toy_odds *pig = toy_pig_new(5);
  expect_refused(&oca_game, rules, (game_place){3, 0}, "at most 20000 equations");
  expect_refused(&pig->game, pig->rules, (game_place){0, 0}, "a game without choices");
  expect_refused(&toy_coin_game, NULL, (game_place){1, 20}, "a game without choices");
  expect_refused(&toy_coin_game, NULL, (game_place){1, 29}, "it may go on for ever");
  expect_refused(&toy_coin_game, NULL, (game_place){1, 31}, "it may go on for ever");
}

CASE(says_how_far_it_is) {
  game_rules *rules = open_oca(BOARD_6);
  mpq_t out[CHANCE_MOST_QUANTITIES];
  char text[4096] = "";
  FILE *steps = fmemopen(text, sizeof text, "w");
  progress shown;
  init_all(out);
  progress_open(&shown, steps, PROGRESS_JSON);
  memory_budget *memory = suite_budget(UINT64_C(1) << 28);
  MUST(exact_chain_solve(&oca_game, rules, (game_place){2, 0}, memory, &shown, out, NULL));
  fclose(steps);
  ck_assert_ptr_nonnull(strstr(text, "\"step\":\"elimination\""));
  ck_assert_ptr_nonnull(strstr(text, "\"step\":\"lifting\""));
  clear_all(out);
}

CASE(gives_back_memory_that_fails) {
  game_rules *rules = open_oca(BOARD_6);
  mpq_t out[CHANCE_MOST_QUANTITIES];
  tauler_error error = TAULER_NO_MEMORY;
  init_all(out);
  memory_budget *memory = suite_budget(UINT64_C(1) << 28);
  uint64_t takes = 0;
  for (; error == TAULER_NO_MEMORY; takes++) {
    memory_fail_allocation(memory, takes + 1, false);
    error = exact_chain_solve(&oca_game, rules, (game_place){2, 0}, memory, NULL, out, hear());
    ck_assert_uint_eq(memory_allocated(memory), 0);
  }
  ck_assert_int_eq(error, TAULER_OK);
  ck_assert_uint_gt(takes, 10);
  memory_budget_open(memory, 1 << 20);
  MUST(exact_chain_solve(&oca_game, rules, (game_place){2, 0}, memory, NULL, out, hear()));
  memory_budget_open(memory, 1 << 16);
  ck_assert_int_eq(exact_chain_solve(&oca_game, rules, (game_place){2, 0}, memory, NULL, out, hear()),
                   TAULER_NO_MEMORY);
  clear_all(out);
}

SUITE("exact_chain") {
  TESTS(solves_drawn_systems, refuses_singular_systems);
  LOOP(equals_elimination, SLICES);
  TESTS(oca_alone_as_published, oca_for_two_as_published, ladders_as_published,
        turns_passes_and_leaves_slices, refuses_what_it_cannot_solve, says_how_far_it_is,
        gives_back_memory_that_fails);
}
