/* Phutball in words on boards of every kind of sweep, larger ones than its slow definition can solve: each
 * position is worth the best of what its turns lead to, whatever the number of threads and the order of
 * tiles; to the cells of a table and back; the memory that is planned; and slices that memory does not hold.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "games/phutball/bitboards.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_phutball.h"
#include "tests/support/toy/toy_phutball_pair.h"

enum { SINK_ROOM = 256, RESERVED = -128 };

typedef struct {
  int rows, columns;
} size;

typedef struct {
  phb_pair pair;
  size board;
  uint32_t slice;
  memory_budget memory;
  solve_job job;
  bitboard_slice words;
  solved_slice cells;
} world;

static void solve(world *w, int threads) {
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  tauler_message message = {""};
  w->job.work.threads = threads;
  const tauler_error error = bitboard_slice_solve(&w->job, &none, w->slice, &w->words, &effort, &message);
  ck_assert_msg(!error, "%s, %dx%d: %s", w->pair.text, w->board.rows, w->board.columns, message.text);
}

static void open_unsolved(world *w, int rules, size board) {
  *w = (world){.pair = phb_pair_open(rules), .board = board};
  memory_budget_open(&w->memory, 0);
  w->slice = phb_pair_slice(&w->pair, board.rows, board.columns).slice;
  w->job =
      (solve_job){.problem.game = w->pair.game, .problem.rules = w->pair.rules, .work.memory = &w->memory};
}

/* With the cells of a table if `gathered`. The job points to the world's own memory. */
static void open_world(world *w, int rules, size board, int threads, bool gathered) {
  open_unsolved(w, rules, board);
  solve(w, threads);
  if (gathered) toy_gather(&w->memory, &w->words, &w->cells);
}

static void close_world(world *w) {
  solved_slice_free(&w->memory, &w->cells);
  bitboard_slice_close(&w->memory, &w->words);
  ck_assert_uint_eq(memory_taken(&w->memory), 0);
  phb_pair_close(&w->pair);
}

/* --- worth --- */

typedef struct {
  int value, depth; /* of draws 0 */
} worth;

static worth worth_at(const world *w, uint64_t index) {
  PAIR_EXPECT(index < w->cells.positions, "beyond the slice");
  const int value = w->cells.cells[0][index], depth = w->cells.depths[0][index];
  return (worth){value, value == 0 ? 0 : depth};
}

static bool is_better(worth one, worth other) {
  if (one.value != other.value) return one.value > other.value;
  return one.value > 0 ? one.depth < other.depth : one.depth > other.depth;
}

typedef struct {
  const world *w;
  worth best;
  bool any;
} look;

static tauler_error take_edges(void *user, const game_edge *edges, size_t n) {
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

static void check_by_turns(const world *w, uint64_t index) {
  game_edge edges[SINK_ROOM];
  look l = {.w = w};
  game_sink sink = {.edges = edges, .room = SINK_ROOM, .flush = take_edges, .user = &l};
  PAIR_EXPECT(!w->pair.game->expand(w->pair.rules, w->slice, &index, 1, &sink) && !game_sink_flush(&sink),
              "no turns");
  const worth found = worth_at(w, index);
  PAIR_EXPECT(l.any && found.value == l.best.value && found.depth == l.best.depth,
              "%s, %dx%d, index %lu: value %d, depth %d, but turns give %d and %d", w->pair.text,
              w->board.rows, w->board.columns, (unsigned long)index, found.value, found.depth, l.best.value,
              l.best.depth);
  PAIR_EXPECT(found.value == 0 || found.depth % 2 == (found.value > 0), "a depth of %d", found.depth);
}

static uint64_t located(const world *w, const game_position *position) {
  game_place place = {0, 0};
  PAIR_EXPECT(w->pair.game->locate(w->pair.rules, position, &place) && place.slice == w->slice, "no place");
  return place.index;
}

static void check_mirror(const world *w, const game_position *position) {
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
static void check_sample(const world *w, int trials) {
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

static void sample_board(int rules, size board, int trials) {
  world w;
  open_world(&w, rules, board, 2, true);
  check_sample(&w, suite_is_long() ? 20 * trials : trials);
  close_world(&w);
}

static const size boards[] = {{6, 3}, {5, 4}, {4, 5}, {3, 6}, {8, 2}, {15, 1}};
enum { BOARDS = sizeof boards / sizeof *boards };

START_TEST(worth_is_that_of_the_best_turn) {
  const size board = boards[_i / PHB_PAIR_RULE_SETS];
  if (board.columns <= 2 && _i % PHB_PAIR_RULE_SETS % 3 != 0 && !suite_is_long()) return;
  sample_board(_i % PHB_PAIR_RULE_SETS, board, suite_is_check() ? 4000 : 1000);
}
END_TEST

START_TEST(and_on_larger_boards) {
  static const size larger[] = {{7, 3}, {4, 6}, {3, 7}, {5, 5}, {6, 4}, {8, 3}};
  static const int rules[] = {3, 1, 0, 0, 2, 0};
  if (_i > (suite_is_check() ? 2 : 0) && !suite_is_long()) return;
  sample_board(rules[_i], larger[_i], 4000);
}
END_TEST

/* --- threads, and the kernels by themselves --- */

static bool same_words(const bitboard_slice *one, const game_bitboards_state *other) {
  const uint64_t blocks = one->plan.blocks;
  return memcmp(one->won, other->won, blocks * sizeof *one->won) == 0 &&
         memcmp(one->lost, other->lost, blocks * sizeof *one->lost) == 0 &&
         memcmp(one->depth, other->depth, blocks * one->plan.columns) == 0;
}

START_TEST(threads_change_nothing) {
  static const size threaded[] = {{6, 3}, {5, 4}, {4, 5}, {3, 6}, {7, 3}};
  world w;
  open_world(&w, _i % 2 ? 3 : 0, threaded[_i / 2], 1, false);
  bitboard_slice one = w.words;
  ck_assert_uint_ge(one.plan.blocks, 4096); /* or else one thread does it all */
  for (int threads = 2; threads <= 3; threads++) {
    solve(&w, threads);
    const game_bitboards_state state = {.won = w.words.won, .lost = w.words.lost, .depth = w.words.depth};
    ck_assert_msg(same_words(&one, &state), "%s, %dx%d: other words by %d threads", w.pair.text, w.board.rows,
                  w.board.columns, threads);
    ck_assert_uint_eq(w.words.longest, one.longest);
    if (threads == 2) bitboard_slice_close(&w.memory, &w.words);
  }
  bitboard_slice_close(&w.memory, &one);
  close_world(&w);
}
END_TEST

static void *zeros(uint64_t count, size_t each) {
  void *block = calloc(count + 1, each);
  if (!block) ck_abort_msg("no memory");
  return block;
}

static game_bitboards_state empty_state(const game_bitboards_plan *plan) {
  return (game_bitboards_state){.won = zeros(plan->blocks, 8),
                                .lost = zeros(plan->blocks, 8),
                                .depth = zeros(plan->blocks, plan->columns),
                                .spare = zeros(plan->spare, 8)};
}

static void free_state(game_bitboards_state *state) {
  free(state->won);
  free(state->lost);
  free(state->depth);
  free(state->spare);
}

/* Tiles of a group backwards. */
static uint64_t sweep_backwards(const world *w, const game_bitboards_state *state) {
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

START_TEST(tiles_of_a_group_need_no_order) {
  static const size swept[] = {{6, 3}, {4, 4}, {4, 5}, {3, 6}};
  world w;
  open_world(&w, _i % PHB_PAIR_RULE_SETS, swept[_i / PHB_PAIR_RULE_SETS], 1, false);
  ck_assert(w.words.plan.sweeps && w.words.plan.groups > 1);
  game_bitboards_state state = empty_state(&w.words.plan);
  /* What spare words hold from before is looked at by nobody. */
  memset(state.spare, 0xA5, w.words.plan.spare * sizeof *state.spare);
  uint64_t before = 1, now = 1;
  for (state.wave = 1; before || now; state.wave++) {
    before = now;
    now = sweep_backwards(&w, &state);
  }
  ck_assert_uint_eq(state.wave - 3, w.words.longest);
  ck_assert(same_words(&w.words, &state));
  free_state(&state);
  close_world(&w);
}
END_TEST

/* --- tables --- */

typedef struct {
  const solved_slice *cells;
  uint64_t every; /* so many-th cells are reserved; 0: none */
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

static void scatter(const world *w, const game_bitboards_state *state, reading *r) {
  void *scratch = zeros(1, w->words.plan.scratch_bytes);
  for (uint64_t tile = w->words.plan.tiles; tile-- > 0;)
    ck_assert_int_eq(phb_bitboards.scatter(w->words.tables, state, tile, scratch, RESERVED, read_cells, r),
                     TAULER_OK);
  ck_assert_int_eq(phb_bitboards.scatter(w->words.tables, state, 0, scratch, RESERVED, refuse, NULL),
                   TAULER_IO);
  ck_assert_uint_eq(r->asked, w->cells.positions);
  free(scratch);
}

/* Pieces of another length than those that scatter asks for. */
static void compare_gathered(const world *w, const game_bitboards_state *state, uint64_t every) {
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

START_TEST(to_the_cells_of_a_table_and_back) {
  static const size some[] = {{5, 3}, {4, 4}, {4, 5}, {3, 6}, {7, 2}, {13, 1}};
  world w;
  open_world(&w, _i / 2 % PHB_PAIR_RULE_SETS, some[_i / 2], 2, true);
  game_bitboards_state state = empty_state(&w.words.plan);
  reading r = {&w.cells, _i % 2 ? 3 : 0, 0};
  scatter(&w, &state, &r);
  ck_assert(same_words(&w.words, &state) == (r.every == 0));
  compare_gathered(&w, &state, r.every);
  free_state(&state);
  close_world(&w);
}
END_TEST

/* --- memory --- */

static uint64_t planned_bytes(int rules, size board, uint64_t *positions) {
  phb_pair pair = phb_pair_open(rules);
  const game_slice slice = phb_pair_slice(&pair, board.rows, board.columns);
  const solve_job job = {.problem.game = pair.game, .problem.rules = pair.rules, .work.threads = 2};
  *positions = slice.positions;
  const uint64_t bytes = bitboard_slice_bytes(&job, slice.slice);
  phb_pair_close(&pair);
  return bytes;
}

START_TEST(memory_is_as_planned) {
  static const size planned[] = {{6, 3}, {5, 4}, {4, 5}, {3, 6}, {7, 3}};
  uint64_t positions;
  const uint64_t bytes = planned_bytes(_i % 2 ? 3 : 0, planned[_i / 2], &positions);
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  world w;
  open_unsolved(&w, _i % 2 ? 3 : 0, planned[_i / 2]);
  memory_budget tight;
  memory_budget_open(&tight, bytes);
  bitboard_slice found = {0};
  w.job.work.memory = &tight;
  w.job.work.threads = 2;
  ck_assert_int_eq(bitboard_slice_solve(&w.job, &none, w.slice, &found, &effort, NULL), TAULER_OK);
  const uint64_t peak = memory_peak(&tight), windows = 1 << 19; /* of tables, which only loading takes */
  ck_assert_uint_ge(peak + bytes / 10 + windows, bytes);
  ck_assert_uint_eq(memory_taken(&tight), bitboard_slice_finished_bytes(&w.job, w.slice));
  bitboard_slice_close(&tight, &found);
  memory_budget_open(&tight, peak - 1);
  ck_assert_int_eq(bitboard_slice_solve(&w.job, &none, w.slice, &found, &effort, NULL), TAULER_NO_MEMORY);
  close_world(&w);
}
END_TEST

/* Of index positions, mirror images left out. */
START_TEST(little_memory_is_planned) {
  static const size large[] = {{7, 3}, {6, 4}, {8, 3}, {5, 5}, {6, 5}};
  const size board = large[_i];
  uint64_t positions;
  const uint64_t bytes = planned_bytes(0, board, &positions);
  const int points = board.rows * board.columns;
  const uint64_t all = (uint64_t)((board.rows - 2) * board.columns) << (points - 1);
  ck_assert_uint_ge(positions, all / 2);
  ck_assert_uint_le(positions, all / 2 + all / 100);
  ck_assert_msg((double)bytes <= 1.3 * (double)positions, "%dx%d: %.3f bytes per position", board.rows,
                board.columns, (double)bytes / (double)positions);
}
END_TEST

/* --- slices that memory does not hold --- */

/* Bytes of the slice in one part, in three or in ten. */
static uint64_t bytes_of_cut(const world *w, uint32_t fineness) {
  game_bitboards_plan plan;
  game_bitboards_cut cut;
  phb_bitboards.plan(w->pair.rules, w->slice, &plan);
  ck_assert(phb_bitboards.parts->plan(w->pair.rules, w->slice, fineness, &cut));
  const int threads = bitboard_threads(&w->job.work, &plan);
  return bitboard_cut_bytes(&w->job.work, &plan, &cut) + bitboard_scratch_bytes(&plan, threads);
}

static void give_room(world *w, uint32_t fineness) {
  w->job.work.spill_folder = folder;
  w->job.room = bytes_of_cut(w, fineness);
}

static void compare_with_whole(world *w, const solved_slice *whole) {
  solved_slice found;
  toy_gather(w->job.work.memory, &w->words, &found);
  ck_assert_mem_eq(found.cells[0], whole->cells[0], whole->positions);
  ck_assert_mem_eq(found.depths[0], whole->depths[0], whole->positions * sizeof *whole->depths[0]);
  solved_slice_free(w->job.work.memory, &found);
}

static const uint32_t cut_parts[] = {1, 3, 10};
static const size cut_boards[] = {{5, 4}, {3, 7}, {4, 5}, {7, 3}, {5, 5}};
enum { CUTS = PHB_FINEST + 1, CUT_BOARDS = sizeof cut_boards / sizeof *cut_boards };

START_TEST(a_cut_slice_has_the_same_cells) {
  const size board = cut_boards[_i / CUTS];
  const uint32_t fineness = (uint32_t)(_i % CUTS);
  world w;
  make_folder();
  open_world(&w, _i % PHB_PAIR_RULE_SETS, board, 2, true);
  const uint16_t longest = w.words.longest;
  bitboard_slice_close(&w.memory, &w.words);
  for (int threads = 1; threads <= 3; threads++) {
    w.job.work.threads = threads;
    give_room(&w, fineness);
    solve(&w, threads);
    ck_assert_uint_eq(w.words.cut.parts, cut_parts[fineness]);
    ck_assert_ptr_null(w.words.depth);
    ck_assert_uint_eq(w.words.longest, longest);
    compare_with_whole(&w, &w.cells);
    bitboard_slice_close(&w.memory, &w.words);
  }
  close_world(&w);
  remove_empty_folder();
}
END_TEST

START_TEST(a_cut_slice_keeps_to_its_memory) {
  const size board = suite_is_check() ? (size){7, 3} : (size){4, 5};
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  world w;
  make_folder();
  open_unsolved(&w, 0, board);
  const uint32_t fineness = (uint32_t)(_i % CUTS);
  w.job.work.threads = 1 + (_i + _i / CUTS) % 2;
  give_room(&w, fineness);
  const uint64_t room = w.job.room;
  ck_assert_uint_eq(bitboard_slice_bytes(&w.job, w.slice), room);
  uint32_t parts = 0;
  ck_assert_uint_gt(bitboard_slice_waiting(&w.job, w.slice, &parts), 0);
  ck_assert_uint_eq(parts, cut_parts[fineness]);
  memory_budget tight;
  memory_budget_open(&tight, room);
  w.job.work.memory = &tight;
  ck_assert_int_eq(bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, NULL), TAULER_OK);
  ck_assert_uint_ge(memory_peak(&tight), room - room / 10);
  ck_assert_uint_eq(memory_taken(&tight), bitboard_slice_finished_bytes(&w.job, w.slice));
  bitboard_slice_close(&tight, &w.words);
  for (uint64_t nth = 1;; nth++) {
    memory_fail_take(&tight, nth, false);
    const tauler_error error = bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, NULL);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    ck_assert_uint_eq(memory_taken(&tight), 0);
  }
  bitboard_slice_close(&tight, &w.words);
  w.job.work.memory = &w.memory;
  close_world(&w);
  remove_empty_folder();
}
END_TEST

/* --- parts --- */

typedef struct {
  uint64_t from, blocks;
  uint8_t *seen;
} visiting;

static void note_run(void *user, uint64_t first, uint64_t blocks) {
  visiting *v = user;
  PAIR_EXPECT(first >= v->from && blocks > 0, "runs fall");
  v->from = first + blocks;
  v->blocks += blocks;
  memset(v->seen + first, 1, blocks);
}

/* The tiles of a part, of a wave in which half of all cells are lost already; nothing is written but in its
 * runs. */
static uint64_t sweep_part(const world *w, uint32_t part, uint32_t groups, game_bitboards_state *state) {
  const phb_tables *t = w->words.tables;
  const uint64_t blocks = w->words.plan.blocks, first = part ? t->group_end[part * groups - 1] : 0;
  visiting v = {0, 0, zeros(blocks, 1)};
  uint64_t changed = 0;
  uint32_t latest = 0;
  memset(state->won, 0, blocks * sizeof *state->won);
  memset(state->lost, 0x5A, blocks * sizeof *state->lost);
  memset(state->decided, 0, blocks * sizeof *state->decided);
  for (uint64_t tile = first; tile < t->group_end[(part + 1) * groups - 1]; tile++)
    phb_bitboards.relax(t, state, tile, NULL, &changed, &latest);
  phb_bitboards.parts->visit(t, UINT64_C(1) << part, note_run, &v);
  ck_assert_mem_eq(state->won, state->decided, blocks * sizeof *state->decided);
  ck_assert_uint_gt(changed, 0);
  for (uint64_t i = 0; i < blocks; i++)
    PAIR_EXPECT(v.seen[i] || !state->won[i], "part %u writes block %lu", part, (unsigned long)i);
  free(v.seen);
  return v.blocks;
}

START_TEST(parts_write_what_they_say) {
  world w;
  open_world(&w, 0, cut_boards[_i], 1, false);
  game_bitboards_state state = empty_state(&w.words.plan);
  state.decided = zeros(w.words.plan.blocks, sizeof *state.decided);
  state.wave = 1;
  for (uint32_t fineness = 0; fineness < CUTS; fineness++) {
    game_bitboards_cut cut;
    uint64_t all = 0;
    ck_assert(phb_bitboards.parts->plan(w.pair.rules, w.slice, fineness, &cut));
    phb_bitboards.parts->order(w.words.tables, &cut);
    for (uint32_t part = 0; part < cut.parts; part++) {
      const uint64_t blocks = sweep_part(&w, part, cut.groups / cut.parts, &state);
      ck_assert_uint_le(blocks, cut.part_units * bitboards_unit(w.words.plan.blocks));
      all += blocks;
    }
    ck_assert_uint_eq(all, w.words.plan.blocks);
  }
  free(state.decided);
  free_state(&state);
  close_world(&w);
}
END_TEST

static bool now_and_then(void *user) {
  return ++*(int *)user % 2 == 0;
}

/* Stopped at every second wave, and each time gone on with in another way. */
START_TEST(a_cut_slice_goes_on_after_a_stop) {
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  int asked = 0, stops = 0;
  world w;
  make_folder();
  open_world(&w, 0, cut_boards[_i], 2, true);
  bitboard_slice_close(&w.memory, &w.words);
  const solve_checkpoints checkpoints = {folder, 0, now_and_then, &asked};
  w.job.checkpoints = &checkpoints;
  for (;; stops++) {
    w.job.work.threads = 1 + stops % 2;
    give_room(&w, (uint32_t)(stops % CUTS));
    if (stops % (CUTS + 1) == CUTS) w.job.room = 0;
    const tauler_error error = bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, NULL);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_STOPPED);
  }
  ck_assert_int_gt(stops, CUTS);
  compare_with_whole(&w, &w.cells);
  checkpointer_forget(&w.job, w.slice, true);
  w.job.checkpoints = NULL;
  close_world(&w);
  remove_empty_folder();
}
END_TEST

/* A disk that takes so many bytes and no more. */
START_TEST(a_full_disk_is_an_error) {
  const bitboard_slices none = {NULL, NULL, 0};
  solve_effort effort = {0};
  tauler_message message = {""};
  world w;
  make_folder();
  open_unsolved(&w, 0, (size){5, 4});
  w.job.work.threads = 2;
  give_room(&w, (uint32_t)_i);
  signal(SIGXFSZ, SIG_IGN);
  const struct rlimit little = {3 << 14, RLIM_INFINITY};
  ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
  ck_assert_int_eq(bitboard_slice_solve(&w.job, &none, w.slice, &w.words, &effort, &message),
                   TAULER_NO_SPACE);
  ck_assert_ptr_nonnull(strstr(message.text, folder));
  ck_assert_ptr_null(w.words.won);
  close_world(&w);
  remove_empty_folder();
}
END_TEST

SUITE("phutball in words") {
  GROUP("cells");
  TIMEOUT(1800);
  LOOP(worth_is_that_of_the_best_turn, BOARDS * PHB_PAIR_RULE_SETS);
  LOOP(and_on_larger_boards, 6);
  LOOP(threads_change_nothing, suite_is_long() ? 10 : suite_is_check() ? 8 : 4);
  LOOP(tiles_of_a_group_need_no_order, 4 * PHB_PAIR_RULE_SETS);
  GROUP("cut");
  TIMEOUT(1800);
  LOOP(a_cut_slice_has_the_same_cells, (suite_is_long() ? CUT_BOARDS : suite_is_check() ? 4 : 1) * CUTS);
  LOOP(a_cut_slice_keeps_to_its_memory, (suite_is_check() ? 2 : 1) * CUTS);
  LOOP(parts_write_what_they_say, 4);
  LOOP(a_cut_slice_goes_on_after_a_stop, suite_is_check() ? 4 : 1);
  LOOP(a_full_disk_is_an_error, CUTS);
  GROUP("tables");
  LOOP(to_the_cells_of_a_table_and_back, 12);
  LOOP(memory_is_as_planned, suite_is_long() ? 10 : 9);
  LOOP(little_memory_is_planned, 5);
}
