/* Phutball in words on boards of every kind of sweep, larger ones than its slow definition can solve: each
 * position is worth the best of what its turns lead to, whatever the number of threads and the order of
 * tiles; to the cells of a table and back; the memory that is planned. */
#include "games/phutball/bitboards.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_phutball.h"
#include "tests/support/toy/toy_phutball_pair.h"
#include "tests/support/toy/toy_phutball_world.h"

enum { SINK_ROOM = 256, RESERVED = -128 };

/* --- worth --- */

typedef struct {
  int value, depth; /* draws have depth 0 */
} worth;

static worth worth_at(const phb_world *w, uint64_t index) {
  PAIR_EXPECT(index < w->cells.positions, "beyond the slice");
  const int value = w->cells.cells[0][index], depth = w->cells.depths[0][index];
  return (worth){value, value == 0 ? 0 : depth};
}

static bool is_better(worth one, worth other) {
  if (one.value != other.value) return one.value > other.value;
  return one.value > 0 ? one.depth < other.depth : one.depth > other.depth;
}

typedef struct {
  const phb_world *w;
  worth best;
  bool any;
} look;

static tauler_error receive_edges(void *user, const game_edge *edges, size_t n) {
  look *l = user;
  for (size_t i = 0; i < n; i++) {
    worth found = {edges[i].gain, 1};
    if (edges[i].to.slice != GAME_OVER) {
      PAIR_EXPECT(edges[i].to.slice == l->w->slice, "a turn to another board");
      const worth child = worth_at(l->w, edges[i].to.index);
      found = (worth){-child.value, child.value ? child.depth + 1 : 0};
    }
    if (!l->any || is_better(found, l->best)) l->best = found;
    l->any = true;
  }
  return TAULER_OK;
}

static void check_by_turns(const phb_world *w, uint64_t index) {
  game_edge edges[SINK_ROOM];
  look l = {.w = w};
  game_sink sink = {.edges = edges, .room = SINK_ROOM, .flush = receive_edges, .user = &l};
  PAIR_EXPECT(!w->pair.game->expand(w->pair.rules, w->slice, &index, 1, &sink) && !game_sink_flush(&sink),
              "no turns");
  const worth found = worth_at(w, index);
  PAIR_EXPECT(l.any && found.value == l.best.value && found.depth == l.best.depth,
              "%s, %dx%d, index %lu: value %d, depth %d, but turns give %d and %d", w->pair.text,
              w->board.rows, w->board.columns, (unsigned long)index, found.value, found.depth, l.best.value,
              l.best.depth);
  PAIR_EXPECT(found.value == 0 || found.depth % 2 == (found.value > 0), "a depth of %d", found.depth);
}

static uint64_t located(const phb_world *w, const game_position *position) {
  game_place place = {0, 0};
  PAIR_EXPECT(w->pair.game->locate(w->pair.rules, position, &place) && place.slice == w->slice, "no place");
  return place.index;
}

static void check_mirror(const phb_world *w, const game_position *position) {
  const phb_position seen = phb_from_game(position), mirrored = toy_phb_mirror(&seen);
  game_position image;
  phb_to_game(&mirrored, &image);
  const uint64_t index = located(w, position), other = located(w, &image);
  const worth one = worth_at(w, index), two = worth_at(w, other);
  PAIR_EXPECT(one.value == two.value && one.depth == two.depth,
              "%s, %dx%d, index %lu: worth %d in %d, its mirror image %d in %d", w->pair.text, w->board.rows,
              w->board.columns, (unsigned long)index, one.value, one.depth, two.value, two.depth);
}

static uint64_t any_below(unsigned long *state, uint64_t n) {
  const uint64_t high = (uint64_t)phb_pair_any(state, 1 << 24);
  return (high << 24 | (uint64_t)phb_pair_any(state, 1 << 24)) % n;
}

/* Indexes drawn by themselves have many men; boards drawn by chance few, and often a side to move that sees
 * the board turned round. */
static void check_sample(const phb_world *w, int trials) {
  unsigned long state = 17 + w->slice;
  for (int t = 0; t < trials; t++) {
    game_position position;
    if (t % 2) {
      const naive_phb_board board = phb_pair_random(&state, w->board.rows, w->board.columns, 1 + t % 12);
      position = phb_pair_parsed(&w->pair, &board);
    } else {
      const game_place place = {w->slice, any_below(&state, w->cells.positions)};
      w->pair.game->position_at(w->pair.rules, place, &position);
      PAIR_EXPECT(located(w, &position) == place.index, "%lu is elsewhere", (unsigned long)place.index);
    }
    check_by_turns(w, located(w, &position));
    check_mirror(w, &position);
  }
}

static void sample_board(int rules, phb_size board, int trials) {
  phb_world w;
  phb_world_open(&w, rules, board, 2, true);
  check_sample(&w, suite_is_long() ? 20 * trials : trials);
  phb_world_close(&w);
}

static const phb_size boards[] = {{6, 3}, {5, 4}, {4, 5}, {3, 6}, {8, 2}, {15, 1}};
enum { BOARDS = sizeof boards / sizeof *boards };

CASE(worth_is_that_of_the_best_turn) {
  const phb_size board = boards[_i / PHB_PAIR_RULE_SETS];
  if (board.columns <= 2 && _i % PHB_PAIR_RULE_SETS % 3 != 0 && !suite_is_long()) return;
  sample_board(_i % PHB_PAIR_RULE_SETS, board, suite_is_check() ? 4000 : 1000);
}

CASE(and_on_larger_boards) {
  static const phb_size larger[] = {{7, 3}, {4, 6}, {3, 7}, {5, 5}, {6, 4}, {8, 3}};
  static const int rules[] = {3, 1, 0, 0, 2, 0};
  if (_i > (suite_is_check() ? 2 : 0) && !suite_is_long()) return;
  sample_board(rules[_i], larger[_i], 4000);
}

/* --- threads, and the kernels by themselves --- */

static bool same_words(const bitboard_slice *one, const game_bitboards_state *other) {
  const uint64_t blocks = one->plan.blocks;
  return memcmp(one->won, other->won, blocks * sizeof *one->won) == 0 &&
         memcmp(one->lost, other->lost, blocks * sizeof *one->lost) == 0 &&
         memcmp(one->depth, other->depth, blocks * one->plan.columns) == 0;
}

CASE(threads_change_nothing) {
  static const phb_size threaded[] = {{6, 3}, {5, 4}, {4, 5}, {3, 6}, {7, 3}};
  phb_world w;
  phb_world_open(&w, _i % 2 ? 3 : 0, threaded[_i / 2], 1, false);
  bitboard_slice one = w.words;
  ck_assert_uint_ge(one.plan.blocks, 4096); /* or else one thread does it all */
  ck_assert_uint_gt(one.swept, 2);
  ck_assert_uint_lt(one.swept + 2u, one.waves); /* the last waves only follow what changed */
  for (int threads = 2; threads <= 3; threads++) {
    phb_world_solve(&w, threads);
    const game_bitboards_state state = {.won = w.words.won, .lost = w.words.lost, .depth = w.words.depth};
    ck_assert_msg(same_words(&one, &state), "%s, %dx%d: other words by %d threads", w.pair.text, w.board.rows,
                  w.board.columns, threads);
    ck_assert_uint_eq(w.words.longest, one.longest);
    ck_assert_uint_eq(w.words.swept, one.swept);
    if (threads == 2) bitboard_slice_close(&w.memory, &w.words);
  }
  bitboard_slice_close(&w.memory, &one);
  phb_world_close(&w);
}

/* Tiles of a group backwards. */
static uint64_t sweep_backwards(const phb_world *w, const game_bitboards_state *state) {
  uint64_t first = 0, changed = 0;
  uint32_t latest = 0;
  for (uint32_t group = 0; group < w->words.plan.groups; group++) {
    const uint64_t end = phb_bitboards.group_end(w->words.tables, group);
    PAIR_EXPECT(end > first && end <= w->words.plan.tiles, "group %u ends at %lu", group, (unsigned long)end);
    for (uint64_t tile = end; tile-- > first;)
      PAIR_EXPECT(!phb_bitboards.relax(w->words.tables, state, tile, NULL, &changed, &latest),
                  "a kernel failed");
    first = end;
  }
  PAIR_EXPECT(first == w->words.plan.tiles, "tiles without a group");
  return changed;
}

CASE(tiles_of_a_group_need_no_order) {
  static const phb_size swept[] = {{6, 3}, {4, 4}, {4, 5}, {3, 6}};
  phb_world w;
  phb_world_open(&w, _i % PHB_PAIR_RULE_SETS, swept[_i / PHB_PAIR_RULE_SETS], 1, false);
  ck_assert(w.words.plan.sweeps && w.words.plan.groups > 1);
  game_bitboards_state state = phb_empty_state(&w.words.plan);
  /* The old content of spare words makes no difference. */
  memset(state.spare, 0xA5, w.words.plan.spare * sizeof *state.spare);
  uint64_t before = 1, now = 1;
  for (state.wave = 1; before || now; state.wave++) {
    before = now;
    now = sweep_backwards(&w, &state);
  }
  ck_assert_uint_eq(state.wave - 3, w.words.longest);
  ck_assert(same_words(&w.words, &state));
  phb_free_state(&state);
  phb_world_close(&w);
}

/* --- tables --- */

typedef struct {
  const solved_slice *cells;
  uint64_t every; /* distance of reserved cells, or 0 */
  uint64_t asked;
} reading;

static tauler_error read_cells(void *user, uint64_t first, size_t count, int8_t *cells, uint16_t *depths) {
  reading *r = user;
  PAIR_EXPECT(first + count <= r->cells->positions, "beyond the slice");
  r->asked += count;
  for (size_t i = 0; i < count; i++) {
    const uint64_t at = first + i;
    const bool reserved = r->every && at % r->every == 0;
    cells[i] = reserved ? RESERVED : r->cells->cells[0][at];
    depths[i] = reserved || r->cells->cells[0][at] == 0 ? 0 : r->cells->depths[0][at];
  }
  return TAULER_OK;
}

static tauler_error refuse(void *user, uint64_t first, size_t count, int8_t *cells, uint16_t *depths) {
  (void)user, (void)first, (void)count, (void)cells, (void)depths;
  return TAULER_IO;
}

static void scatter(const phb_world *w, const game_bitboards_state *state, reading *r) {
  void *scratch = phb_zeros(1, w->words.plan.scratch_bytes);
  for (uint64_t tile = w->words.plan.tiles; tile-- > 0;)
    MUST(phb_bitboards.scatter(w->words.tables, state, tile, scratch, RESERVED, read_cells, r));
  ck_assert_int_eq(phb_bitboards.scatter(w->words.tables, state, 0, scratch, RESERVED, refuse, NULL),
                   TAULER_IO);
  ck_assert_uint_eq(r->asked, w->cells.positions);
  free(scratch);
}

/* Pieces of another length than those that scatter asks for. */
static void compare_gathered(const phb_world *w, const game_bitboards_state *state, uint64_t every) {
  enum { PIECE = 777 };
  int8_t cells[PIECE];
  uint16_t depths[PIECE];
  for (uint64_t first = 0; first < w->cells.positions; first += PIECE) {
    const uint64_t rest = w->cells.positions - first;
    const size_t n = rest < PIECE ? (size_t)rest : PIECE;
    phb_bitboards.gather(w->words.tables, state, first, n, cells, depths);
    for (size_t i = 0; i < n; i++) {
      const uint64_t at = first + i;
      const bool open = every && at % every == 0;
      const int value = open ? 0 : w->cells.cells[0][at], depth = value ? w->cells.depths[0][at] : 0;
      PAIR_EXPECT(cells[i] == value && depths[i] == depth, "cell %lu: %d in %d, not %d in %d",
                  (unsigned long)at, cells[i], depths[i], value, depth);
    }
  }
}

CASE(to_the_cells_of_a_table_and_back) {
  static const phb_size some[] = {{5, 3}, {4, 4}, {4, 5}, {3, 6}, {7, 2}, {13, 1}};
  phb_world w;
  phb_world_open(&w, _i / 2 % PHB_PAIR_RULE_SETS, some[_i / 2], 2, true);
  game_bitboards_state state = phb_empty_state(&w.words.plan);
  reading r = {&w.cells, _i % 2 ? 3 : 0, 0};
  scatter(&w, &state, &r);
  ck_assert(same_words(&w.words, &state) == (r.every == 0));
  compare_gathered(&w, &state, r.every);
  phb_free_state(&state);
  phb_world_close(&w);
}

/* --- memory --- */

static uint64_t planned_bytes(int rules, phb_size board, uint64_t *positions) {
  phb_pair pair = phb_pair_open(rules);
  const game_slice slice = phb_pair_slice(&pair, board.rows, board.columns);
  const solve_job job = {.problem.game = pair.game, .problem.rules = pair.rules, .work.threads = 2};
  *positions = slice.positions;
  const uint64_t bytes = bitboard_slice_bytes(&job, slice.slice);
  phb_pair_close(&pair);
  return bytes;
}

CASE(memory_is_as_planned) {
  static const phb_size planned[] = {{6, 3}, {5, 4}, {4, 5}, {3, 6}, {7, 3}};
  uint64_t positions;
  const uint64_t bytes = planned_bytes(_i % 2 ? 3 : 0, planned[_i / 2], &positions);
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  phb_world w;
  phb_world_open_unsolved(&w, _i % 2 ? 3 : 0, planned[_i / 2]);
  memory_budget tight;
  memory_budget_open(&tight, bytes);
  bitboard_slice found = {0};
  w.job.work.memory = &tight;
  w.job.work.threads = 2;
  MUST(bitboard_slice_solve(&w.job, &none, w.slice, &found, &effort, NULL));
  const uint64_t peak = memory_peak(&tight),
                 windows = 1 << 19; /* bytes of tables, which only loading allocates */
  ck_assert_uint_ge(peak + bytes / 10 + windows, bytes);
  ck_assert_uint_eq(memory_allocated(&tight), bitboard_slice_finished_bytes(&w.job, w.slice));
  bitboard_slice_close(&tight, &found);
  memory_budget_open(&tight, peak - 1);
  ck_assert_int_eq(bitboard_slice_solve(&w.job, &none, w.slice, &found, &effort, NULL), TAULER_NO_MEMORY);
  phb_world_close(&w);
}

/* Of index positions, mirror images left out. */
CASE(little_memory_is_planned) {
  static const phb_size large[] = {{7, 3}, {6, 4}, {8, 3}, {5, 5}, {6, 5}};
  const phb_size board = large[_i];
  uint64_t positions;
  const uint64_t bytes = planned_bytes(0, board, &positions);
  const int points = board.rows * board.columns;
  const uint64_t all = (uint64_t)((board.rows - 2) * board.columns) << (points - 1);
  ck_assert_uint_ge(positions, all / 2);
  ck_assert_uint_le(positions, all / 2 + all / 100);
  ck_assert_msg((double)bytes <= 1.3 * (double)positions, "%dx%d: %.3f bytes per position", board.rows,
                board.columns, (double)bytes / (double)positions);
}

SUITE("phutball in words") {
  GROUP("cells");
  TIMEOUT(1800);
  LOOP(worth_is_that_of_the_best_turn, BOARDS * PHB_PAIR_RULE_SETS);
  LOOP(and_on_larger_boards, 6);
  LOOP(threads_change_nothing, suite_is_long() ? 10 : suite_is_check() ? 8 : 4);
  LOOP(tiles_of_a_group_need_no_order, 4 * PHB_PAIR_RULE_SETS);
  GROUP("tables");
  LOOP(to_the_cells_of_a_table_and_back, 12);
  LOOP(memory_is_as_planned, suite_is_long() ? 10 : 9);
  LOOP(little_memory_is_planned, 5);
}
