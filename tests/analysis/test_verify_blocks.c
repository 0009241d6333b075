/* The moves of the proof of aualé against those of its batches, on cells of any value: each move then has a
 * chance to be the best, those too that go round the board. */

#include "analysis/dice/dice_random.h"
#include "games/auale/proof.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { SEEDS = 14, SAMPLES = 300, MOST_EDGES = 16 };

static const struct {
  const char *rules, *cycles;
} rule_sets[] = {{"awari", "even"},   {"awari,grand-slam=captures", "even"},
                 {"abapa", "even"},   {"awari", "forced"},
                 {"abapa", "forced"}, {"abapa", "own-row"}};

typedef struct {
  const game *game;
  game_rules *rules;
  int planes;
  int8_t *cells[SEEDS + 1];
  int best, staying; /* worths of the moves of a board, or NO_WORTH */
  int plane;
} bench;

static tauler_error receive_edges(void *user, const game_edge *edges, size_t n) {
  bench *b = user;
  for (size_t i = 0; i < n; i++) {
    const uint64_t cell = edges[i].to.index * (unsigned)b->planes + (unsigned)(b->planes - 1 - b->plane);
    const int worth = ZERO_WORTH + edges[i].gain - b->cells[edges[i].to.slice][cell];
    int *best = edges[i].to.slice == SEEDS ? &b->staying : &b->best;
    if (worth > *best) *best = worth;
  }
  return TAULER_OK;
}

static void expand(bench *b, uint64_t index, int plane) {
  game_edge edges[MOST_EDGES];
  game_sink sink = {edges, 0, MOST_EDGES, receive_edges, b};
  int16_t ended;
  b->best = b->staying = NO_WORTH;
  b->plane = plane;
  ck_assert_int_eq(b->game->ended(b->rules, SEEDS, &index, 1, &ended), TAULER_OK);
  if (ended != GAME_NOT_ENDED) {
    b->best = ZERO_WORTH + ended;
    return;
  }
  ck_assert_int_eq(b->game->expand(b->rules, SEEDS, &index, 1, &sink), TAULER_OK);
  ck_assert_int_eq(game_sink_flush(&sink), TAULER_OK);
}

static void open_bench(bench *b, int number) {
  *b = (bench){.game = game_find("auale")};
  b->rules = suite_rules(b->game, rule_sets[number].rules, rule_sets[number].cycles);
  b->planes = b->game->kind(b->rules) == SOLVE_GUARANTEES ? 2 : 1;
  dice_random random = dice_random_open(7, 0);
  for (uint32_t n = 0; n <= SEEDS; n++) {
    const uint64_t cells = b->game->positions(b->rules, n) * (unsigned)b->planes;
    b->cells[n] = suite_zeros(cells, 1);
    for (uint64_t i = 0; i < cells; i++)
      b->cells[n][i] = (int8_t)((int)dice_random_below(&random, 2 * SEEDS + 1) - SEEDS);
  }
}

/* Has all cells of the slice where strips read them. */
static void place_cells(game_proof_run *run) {
  for (uint64_t part = 0; part < auale_proof.parts(run, PROOF_VALUES) / 6 * 4; part++) {
    for (uint64_t item = 0; item < auale_proof.items(run, PROOF_VALUES, part); item++)
      ck_assert_uint_eq(auale_proof.work(run, PROOF_VALUES, part, item), 0);
  }
}

static void compare_strip(bench *b, const game_proof_run *run, const proof_strip *at, int plane) {
  uint8_t converting[STRIP] = {NO_WORTH}, staying[STRIP] = {NO_WORTH};
  auale_proof_raise_converting(run, at, plane, converting);
  auale_proof_raise_quiet(run, at, plane, staying);
  for (uint32_t z = 0; z < at->n; z++) {
    expand(b, at->index + z, plane);
    ck_assert_int_eq(converting[z], b->best);
    ck_assert_int_eq(staying[z], b->staying);
  }
}

CASE(strips_have_the_moves_of_batches) {
  static const int none[] = {INT16_MIN, INT16_MIN};
  bench b;
  open_bench(&b, _i);
  const game_proof_job job = {b.rules, SEEDS, b.planes, b.cells, none, NULL, NULL};
  arena arrays;
  arena_open(&arrays, suite_budget(0), "strips");
  game_proof_run *run = auale_proof.open(&job, &arrays);
  ck_assert_int_eq(arrays.error, TAULER_OK);
  place_cells(run);
  dice_random random = dice_random_open(3, 0);
  for (unsigned k = 0; k <= SEEDS; k++) {
    for (int i = 0; i < SAMPLES / SEEDS; i++) {
      const proof_strip at =
          auale_proof_find_strip(run, k, (uint32_t)dice_random_below(&random, run->groups[k].rows),
                                 (uint32_t)dice_random_below(&random, run->groups[k].strips));
      for (int plane = 0; plane < b.planes; plane++) compare_strip(&b, run, &at, plane);
    }
  }
  arena_close(&arrays);
}

CASE(a_proof_without_memory_is_an_error) {
  bench b;
  open_bench(&b, 0);
  static const int none[] = {INT16_MIN, INT16_MIN};
  const game_proof_job job = {b.rules, SEEDS, b.planes, b.cells, none, NULL, NULL};
  for (uint64_t megabytes = 1; megabytes < 8; megabytes++) {
    arena arrays;
    arena_open(&arrays, suite_budget(megabytes << 20), "strips");
    auale_proof.open(&job, &arrays);
    ck_assert_int_eq(arrays.error, TAULER_NO_MEMORY);
    arena_close(&arrays);
  }
}

SUITE("verify_blocks") {
  LOOP(strips_have_the_moves_of_batches, ROWS(rule_sets));
  TEST(a_proof_without_memory_is_an_error);
}
