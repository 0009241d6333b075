/* Phutball in words on boards of every kind of sweep, larger ones than its slow definition can solve: each
 * position is worth the best of what its turns lead to, whatever the number of threads and the order of
 * tiles; to the cells of a table and back; the memory that is planned. */
#include "games/phutball/bitboards.h"
#include "solver/engines/bitboard/cut.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_bitboards_world.h"
#include "tests/support/toy/toy_phutball.h"
#include "tests/support/toy/toy_phutball_pair.h"

enum { SINK_ROOM = 256, RESERVED = -128 };

/* --- boards --- */

typedef struct {
  int rows, columns;
} phb_size;

typedef struct {
  phb_pair pair;
  phb_size board;
  uint32_t slice;
  memory_budget *memory;
  solve_job job;
  bitboard_slice words;
  solved_slice cells;
} phb_world;

static void phb_world_solve(phb_world *w, int threads) {
  solve_effort effort = {0};
  w->job.work.threads = threads;
  const tauler_error error = bitboard_slice_solve(&w->job, NULL, w->slice, &w->words, &effort, hear());
  ck_assert_msg(!error, "%s, %dx%d: %s", w->pair.text, w->board.rows, w->board.columns, said.text);
  if (!w->words.tables || !w->words.won || !w->words.positions) abort();
}

static void phb_world_open_unsolved(phb_world *w, int rules, phb_size board) {
  *w = (phb_world){.pair = phb_pair_open(rules), .board = board};
  w->memory = suite_budget(0);
  w->slice = phb_pair_slice(&w->pair, board.rows, board.columns).slice;
  w->job =
      (solve_job){.problem.game = w->pair.game, .problem.rules = w->pair.rules, .work.memory = w->memory};
}

static void phb_world_open(phb_world *w, int rules, phb_size board, int threads, bool gathered) {
  phb_world_open_unsolved(w, rules, board);
  phb_world_solve(w, threads);
  if (gathered) toy_gather(w->memory, &w->words, &w->cells);
}

static void phb_world_close(phb_world *w) {
  solved_slice_free(w->memory, &w->cells);
  bitboard_slice_close(w->memory, &w->words);
}

static game_bitboards_state phb_empty_state(const game_bitboards_plan *plan) {
  return (game_bitboards_state){.won = suite_zeros(plan->blocks, 8),
                                .lost = suite_zeros(plan->blocks, 8),
                                .depth = suite_zeros(plan->blocks, plan->columns),
                                .spare = suite_zeros(plan->spare, 8)};
}

/* --- worth --- */

typedef struct {
  int value, depth; /* draws have depth 0 */
} worth;

static worth worth_at(const phb_world *w, uint64_t index) {
  EXPECT(index < w->cells.positions, "beyond the slice");
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
      EXPECT(edges[i].to.slice == l->w->slice, "a turn to another board");
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
  EXPECT(!w->pair.game->expand(w->pair.rules, w->slice, &index, 1, &sink) && !game_sink_flush(&sink),
         "no turns");
  const worth found = worth_at(w, index);
  EXPECT(l.any && found.value == l.best.value && found.depth == l.best.depth,
         "%s, %dx%d, index %lu: value %d, depth %d, but turns give %d and %d", w->pair.text, w->board.rows,
         w->board.columns, (unsigned long)index, found.value, found.depth, l.best.value, l.best.depth);
  EXPECT(found.value == 0 || found.depth % 2 == (found.value > 0), "a depth of %d", found.depth);
}

static uint64_t located(const phb_world *w, const game_position *position) {
  game_place place = {0, 0};
  EXPECT(w->pair.game->locate(w->pair.rules, position, &place) && place.slice == w->slice, "no place");
  return place.index;
}

static void check_mirror(const phb_world *w, const game_position *position) {
  const phb_position seen = phb_from_game(position), mirrored = toy_phb_mirror(&seen);
  game_position image;
  phb_to_game(&mirrored, &image);
  const uint64_t index = located(w, position), other = located(w, &image);
  const worth one = worth_at(w, index), two = worth_at(w, other);
  EXPECT(one.value == two.value && one.depth == two.depth,
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
      EXPECT(located(w, &position) == place.index, "%lu is elsewhere", (unsigned long)place.index);
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

/* --- waves that follow changes --- */

static bool same_words(const bitboard_slice *one, const game_bitboards_state *other) {
  const uint64_t blocks = one->plan.blocks;
  return memcmp(one->won, other->won, blocks * sizeof *one->won) == 0 &&
         memcmp(one->lost, other->lost, blocks * sizeof *one->lost) == 0 &&
         memcmp(one->depth, other->depth, blocks * one->plan.columns) == 0;
}

/* Plans lists of changes so long that every wave after the first swept ones follows. */
static void plan_long_lists(const game_rules *rules, uint32_t slice, game_bitboards_plan *plan) {
  phb_bitboards.plan(rules, slice, plan);
  if (plan->most_changes) plan->most_changes = plan->blocks * 64;
}

CASE(waves_that_follow_decide_what_sweeps_decide) {
  static const phb_size followed[] = {{4, 5}, {3, 5}, {5, 4}, {6, 3}};
  phb_world swept, w;
  phb_world_open(&swept, _i % PHB_PAIR_RULE_SETS, followed[_i / PHB_PAIR_RULE_SETS], 2, false);
  phb_world_open_unsolved(&w, _i % PHB_PAIR_RULE_SETS, followed[_i / PHB_PAIR_RULE_SETS]);
  game_bitboards long_lists = phb_bitboards;
  game by_lists = *w.pair.game;
  long_lists.plan = plan_long_lists;
  by_lists.bitboards = &long_lists;
  w.job.problem.game = &by_lists;
  phb_world_solve(&w, 2);
  ck_assert_uint_le(w.words.swept, swept.words.swept);
  const game_bitboards_state found = bitboard_slice_state(NULL, &w.words);
  EXPECT(same_words(&swept.words, &found), "%s, %dx%d: other words", w.pair.text, w.board.rows,
         w.board.columns);
  phb_world_close(&w);
  phb_world_close(&swept);
}

/* --- threads, and the kernels by themselves --- */

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
    if (threads == 2) bitboard_slice_close(w.memory, &w.words);
  }
  bitboard_slice_close(w.memory, &one);
  phb_world_close(&w);
}

/* Tiles of a group backwards. */
static uint64_t sweep_backwards(const phb_world *w, const game_bitboards_state *state) {
  uint64_t first = 0, changed = 0;
  uint32_t latest = 0;
  for (uint32_t group = 0; group < w->words.plan.groups; group++) {
    const uint64_t end = phb_bitboards.group_end(w->words.tables, group);
    EXPECT(end > first && end <= w->words.plan.tiles, "group %u ends at %lu", group, (unsigned long)end);
    for (uint64_t tile = end; tile-- > first;)
      EXPECT(!phb_bitboards.relax(w->words.tables, state, tile, NULL, &changed, &latest), "a kernel failed");
    first = end;
  }
  EXPECT(first == w->words.plan.tiles, "tiles without a group");
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
  EXPECT(first + count <= r->cells->positions, "beyond the slice");
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
  return TAULER_IO;
}

static void scatter(const phb_world *w, const game_bitboards_state *state, reading *r) {
  void *scratch = suite_zeros(1, w->words.plan.scratch_bytes);
  for (uint64_t tile = w->words.plan.tiles; tile-- > 0;)
    MUST(phb_bitboards.scatter(w->words.tables, state, tile, scratch, RESERVED, read_cells, r));
  ck_assert_int_eq(phb_bitboards.scatter(w->words.tables, state, 0, scratch, RESERVED, refuse, NULL),
                   TAULER_IO);
  ck_assert_uint_eq(r->asked, w->cells.positions);
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
      EXPECT(cells[i] == value && depths[i] == depth, "cell %lu: %d in %d, not %d in %d", (unsigned long)at,
             cells[i], depths[i], value, depth);
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
  phb_world_close(&w);
}

/* --- parts --- */

typedef struct {
  uint64_t from, blocks;
  uint8_t *seen;
} visiting;

static void note_run(void *user, uint64_t first, uint64_t blocks) {
  visiting *v = user;
  EXPECT(first >= v->from && blocks > 0, "runs fall");
  v->from = first + blocks;
  v->blocks += blocks;
  memset(v->seen + first, 1, blocks);
}

/* The tiles of a part, of a wave in which half of all cells are lost already; nothing is written but in its
 * runs. */
static uint64_t sweep_part(const phb_world *w, uint32_t part, uint32_t groups, game_bitboards_state *state) {
  const phb_tables *t = w->words.tables;
  const uint64_t blocks = w->words.plan.blocks, first = part ? t->group_end[part * groups - 1] : 0;
  visiting v = {0, 0, suite_zeros(blocks, 1)};
  uint64_t changed = 0;
  uint32_t latest = 0;
  memset(state->won, 0, blocks * sizeof *state->won);
  memset(state->lost, 0x5A, blocks * sizeof *state->lost);
  memset(state->decided, 0, blocks * sizeof *state->decided);
  for (uint64_t tile = first; tile < t->group_end[(part + 1) * groups - 1]; tile++)
    (void)phb_bitboards.relax(t, state, tile, NULL, &changed, &latest);
  phb_bitboards.parts->visit(t, UINT64_C(1) << part, note_run, &v);
  ck_assert_mem_eq(state->won, state->decided, blocks * sizeof *state->decided);
  ck_assert_uint_gt(changed, 0);
  for (uint64_t i = 0; i < blocks; i++)
    EXPECT(v.seen[i] || !state->won[i], "part %u writes block %lu", part, (unsigned long)i);
  return v.blocks;
}

static const phb_size cut[] = {{5, 4}, {3, 7}, {4, 5}, {7, 3}};

CASE(parts_write_what_they_say) {
  phb_world w;
  phb_world_open(&w, 0, cut[_i], 1, false);
  game_bitboards_state state = phb_empty_state(&w.words.plan);
  state.decided = suite_zeros(w.words.plan.blocks, sizeof *state.decided);
  state.wave = 1;
  for (uint32_t fineness = 0; fineness <= PHB_FINEST; fineness++) {
    game_bitboards_cut parts;
    uint64_t all = 0;
    ck_assert(phb_bitboards.parts->plan(w.pair.rules, w.slice, fineness, &parts));
    phb_bitboards.parts->order(w.words.tables, &parts);
    for (uint32_t part = 0; part < parts.parts; part++) {
      const uint64_t blocks = sweep_part(&w, part, parts.groups / parts.parts, &state);
      ck_assert_uint_le(blocks, parts.part_units * bitboards_unit(w.words.plan.blocks));
      all += blocks;
    }
    ck_assert_uint_eq(all, w.words.plan.blocks);
  }
  phb_world_close(&w);
}

/* --- memory --- */

static uint64_t planned_bytes(int rules, phb_size board, int ranks, uint64_t *positions) {
  phb_pair pair = phb_pair_open(rules);
  const game_slice slice = phb_pair_slice(&pair, board.rows, board.columns);
  const solve_job job = {
      .problem.game = pair.game, .problem.rules = pair.rules, .work.threads = 2, .ranks = ranks};
  *positions = slice.positions;
  const uint64_t bytes = bitboard_slice_bytes(&job, slice.slice);
  return bytes;
}

CASE(memory_is_as_planned) {
  static const phb_size planned[] = {{6, 3}, {5, 4}, {4, 5}, {3, 6}, {7, 3}};
  uint64_t positions;
  const uint64_t bytes = planned_bytes(_i % 2 ? 3 : 0, planned[_i / 2], 1, &positions);
  solve_effort effort = {0};
  phb_world w;
  phb_world_open_unsolved(&w, _i % 2 ? 3 : 0, planned[_i / 2]);
  memory_budget *tight = suite_budget(bytes);
  bitboard_slice found = {0};
  w.job.work.memory = tight;
  w.job.work.threads = 2;
  MUST(bitboard_slice_solve(&w.job, NULL, w.slice, &found, &effort, NULL));
  const uint64_t peak = memory_peak(tight),
                 windows = 1 << 19; /* bytes of tables, which only loading allocates */
  ck_assert_uint_ge(peak + bytes / 10 + windows, bytes);
  ck_assert_uint_eq(memory_allocated(tight), bitboard_slice_finished_bytes(&w.job, w.slice));
  bitboard_slice_close(tight, &found);
  memory_budget_open(tight, peak - 1);
  ck_assert_int_eq(bitboard_slice_solve(&w.job, NULL, w.slice, &found, &effort, NULL), TAULER_NO_MEMORY);
  phb_world_close(&w);
}

/* Of index positions, mirror images left out. */
CASE(little_memory_is_planned) {
  static const phb_size large[] = {{7, 3}, {6, 4}, {8, 3}, {5, 5}, {6, 5}};
  const phb_size board = large[_i];
  uint64_t positions;
  const uint64_t bytes = planned_bytes(0, board, 1, &positions);
  const int points = board.rows * board.columns;
  const uint64_t all = (uint64_t)((board.rows - 2) * board.columns) << (points - 1);
  ck_assert_uint_ge(positions, all / 2);
  ck_assert_uint_le(positions, all / 2 + all / 100);
  ck_assert_msg((double)bytes <= 1.3 * (double)positions, "%dx%d: %.3f bytes per position", board.rows,
                board.columns, (double)bytes / (double)positions);
}

/* Against one process; each rank has both sets, a fifth of what one process takes. */
CASE(memory_falls_with_ranks) {
  static const struct {
    phb_size board;
    int ranks;
    double most;
  } planned[] = {
      {{8, 3}, 4, 0.33}, {{8, 3}, 8, 0.30}, {{5, 6}, 2, 0.38}, {{5, 6}, 4, 0.29}, {{5, 6}, 16, 0.24}};
  uint64_t positions;
  const double alone = (double)planned_bytes(0, planned[_i].board, 1, &positions);
  const double shared = (double)planned_bytes(0, planned[_i].board, planned[_i].ranks, &positions);
  ck_assert_msg(shared <= planned[_i].most * alone, "each takes %.3f", shared / alone);
}

static void check_shares(const game_bitboards_cut *cut, uint32_t ranks) {
  uint64_t shares[64] = {0}, fair = 0;
  phb_tables t = {.fineness = 0};
  ck_assert_uint_eq(phb_list_parts(&t, cut->fineness), cut->parts);
  for (uint64_t tops = 0; tops < UINT64_C(1) << 2 * cut->fineness; tops++) {
    ck_assert_uint_lt(cut->owner[t.part_of[tops]], ranks);
    shares[cut->owner[t.part_of[tops]]]++;
    fair++;
  }
  for (uint32_t rank = 0; rank < ranks; rank++)
    ck_assert_msg(shares[rank] * ranks * 8 <= fair * 10, "rank %u of %u has %lu of %lu", rank, ranks,
                  (unsigned long)shares[rank], (unsigned long)fair);
}

CASE(shares_are_about_equal) {
  phb_pair pair = phb_pair_open(0);
  const uint32_t slice = phb_pair_slice(&pair, 6, 4).slice;
  for (uint32_t ranks = 2; ranks <= 12; ranks++) {
    game_bitboards_cut cut;
    ck_assert(phb_bitboards.parts->deal(pair.rules, slice, ranks, &cut));
    check_shares(&cut, ranks);
  }
}

SUITE("phutball in words") {
  GROUP("cells");
  TIMEOUT(1800);
  LOOP(worth_is_that_of_the_best_turn, BOARDS * PHB_PAIR_RULE_SETS);
  LOOP(and_on_larger_boards, 6);
  LOOP(waves_that_follow_decide_what_sweeps_decide, 4 * PHB_PAIR_RULE_SETS);
  LOOP(threads_change_nothing, suite_is_long() ? 10 : suite_is_check() ? 8 : 4);
  LOOP(tiles_of_a_group_need_no_order, 4 * PHB_PAIR_RULE_SETS);
  GROUP("tables");
  LOOP(to_the_cells_of_a_table_and_back, 12);
  LOOP(parts_write_what_they_say, SOME(2, 4));
  LOOP(memory_is_as_planned, suite_is_long() ? 10 : 9);
  LOOP(little_memory_is_planned, 5);
  LOOP(memory_falls_with_ranks, 5);
  TEST(shares_are_about_equal);
}
