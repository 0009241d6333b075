/* The kernels over words of Dou Shou Qi, driven tile by tile: against the general engine, against their own
 * moves, and to the cells of a table and back. */
#include "games/doushouqi/bitboards.h"
#include "games/registry.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_doushouqi.h"
#include "tests/support/toy_store.h"

enum { SLICES = 1 << 16, RESERVED = INT8_MIN, CHUNK = 4096 };

typedef struct {
  game_rules *rules;
  game_slices list;
  game_bitboards_finished *finished; /* by number */
} solved;

typedef struct {
  void *tables;
  game_bitboards_plan plan;
  game_bitboards_state state;
  void *scratch;
} slice_words;

static slice_words open_words(const solved *s, uint32_t slice) {
  slice_words w = {0};
  MUST(dsq_bitboards.open(s->rules, slice, &w.tables));
  suite_own(w.tables, dsq_bitboards.close);
  dsq_bitboards.plan(s->rules, slice, &w.plan);
  const uint64_t blocks = w.plan.blocks;
  w.state = (game_bitboards_state){.won = suite_zeros(blocks, 8),
                                   .lost = suite_zeros(blocks, 8),
                                   .depth = suite_zeros(blocks, w.plan.columns),
                                   .held = suite_zeros(blocks, 8),
                                   .gaining = suite_zeros(blocks, 8),
                                   .due = suite_zeros(blocks, 1),
                                   .marked = {suite_zeros(blocks, 1), suite_zeros(blocks, 1)},
                                   .finished = s->finished};
  w.scratch = suite_zeros(1, w.plan.scratch_bytes);
  return w;
}

static game_bitboards_finished cells_of_words(const slice_words *w) {
  return (game_bitboards_finished){w->state.won, w->state.lost, w->state.depth};
}

/* Tiles in an order that `stride`, prime to their number or 1, gives. */
static uint64_t run_tiles(const slice_words *w, game_bitboards_kernel *kernel, uint64_t stride,
                          uint32_t *latest) {
  uint64_t changed = 0;
  for (uint64_t i = 0; i < w->plan.tiles; i++) {
    const uint64_t tile = stride == 1 ? i : i * stride % w->plan.tiles;
    if (kernel(w->tables, &w->state, tile, w->scratch, &changed, latest)) ck_abort_msg("a kernel failed");
  }
  return changed;
}

static uint64_t prime_to(uint64_t tiles) {
  static const uint64_t primes[] = {1000003, 7919, 101};
  for (size_t i = 0; i < 3; i++) {
    if (tiles % primes[i] != 0) return primes[i];
  }
  return 1;
}

static void solve_words(slice_words *w, bool shuffled) {
  const uint64_t stride = shuffled ? prime_to(w->plan.tiles) : 1;
  uint32_t latest = 0;
  uint64_t before = run_tiles(w, dsq_bitboards.begin, stride, &latest), now;
  for (w->state.wave = 1;; w->state.wave++, before = now) {
    if (w->state.wave > 200) ck_abort_msg("no end");
    now = run_tiles(w, dsq_bitboards.relax, stride, &latest);
    if (!now && !before && w->state.wave >= latest) return;
  }
}

static solved open_solved(const char *text, const char *pieces, const char *material) {
  solved s = {.rules = toy_dsq_open(text), .finished = suite_zeros(SLICES, sizeof *s.finished)};
  const game_request request = {.largest = pieces, .material = material};
  s.list = suite_slices(&doushouqi_game, s.rules, &request);
  return s;
}

static void gather(const slice_words *w, uint64_t first, size_t n, int8_t *cells, uint16_t *depths) {
  dsq_bitboards.gather(w->tables, &w->state, first, n, cells, depths);
}

/* --- against the general engine --- */

static void compare_with_general(const slice_words *w, const solved_slice *general) {
  int8_t cells[CHUNK];
  uint16_t depths[CHUNK];
  for (uint64_t first = 0; first < w->plan.positions;) {
    /* Runs that begin and end anywhere. */
    const uint64_t rest = w->plan.positions - first;
    const size_t n = rest < 1001 ? (size_t)rest : 1001;
    gather(w, first, n, cells, depths);
    for (size_t i = 0; i < n; i++) {
      const uint16_t depth = general->depths[0][first + i];
      if (cells[i] == general->cells[0][first + i] && depths[i] == (depth == SOLVE_NO_DEPTH ? 0 : depth))
        continue;
      ck_abort_msg("slice %u, index %llu: %d in %d instead of %d in %d", general->slice,
                   (unsigned long long)(first + i), cells[i], depths[i], general->cells[0][first + i], depth);
    }
    first += n;
  }
}

/* All slices of a request, both ways. */
static void compare_engines(const char *text, const char *pieces, const char *material, bool shuffled) {
  solved s = open_solved(text, pieces, material);
  memory_budget *memory = suite_budget(0);
  solved_slice *list;
  slice_store *finished = toy_store_open(memory, SLICES, &list);
  solve_job job = toy_job(&doushouqi_game, s.rules, 1, memory);
  job.problem.engine = &engine_retrograde;
  job.store = finished;
  for (size_t i = 0; i < s.list.used; i++) {
    const uint32_t slice = s.list.slices[i].slice;
    slice_words w = open_words(&s, slice);
    solve_words(&w, shuffled);
    MUST(solve_alone(&job, slice, true, &list[slice], hear()));
    compare_with_general(&w, &list[slice]);
    s.finished[slice] = cells_of_words(&w);
  }
}

enum { GROUPS = 8 };

CASE(two_pieces_are_as_the_general_engine_has_them_under_all_flags) {
  const int step = suite_is_long() ? 1 : 29;
  for (int i = _i * step; i < TOY_DSQ_RULE_SETS; i += GROUPS * step) {
    char text[RULE_BYTES];
    toy_dsq_rule_set(i, text);
    compare_engines(text, "2", NULL, i % 2 != 0);
  }
}

/* Swimmers, drinkers, who jumps far and who not at all; materials that are their own flip; the inner piece
 * and the last of either side. */
static const struct {
  const char *rules, *material;
} three[] = {{"base", "Lrc"},
             {"base", "RLe"},
             {"base", "ERr"},
             {"liacs", "RTr"},
             {"liacs,clearings", "Lel"},
             {"base,lakes=drink", "RLc"},
             {"base,lakes=drink,drinkers=block", "LEt"},
             {"base,lakes=drink,stalemate=loss", "Rcr"},
             {"base,leopard=wide,jump-block=path", "PRl"},
             {"base,lakes=plain", "Lrc"}};

CASE(three_pieces_are_as_the_general_engine_has_them) {
  compare_engines(three[_i].rules, NULL, three[_i].material, _i % 2 != 0);
}

CASE(four_pieces_are_as_the_general_engine_has_them) {
  static const char *const rules[] = {"base", "base,lakes=drink,stalemate=loss", "liacs", "base"};
  static const char *const materials[] = {"LRlr", "Rcer", "ECdr", "LTcd"};
  compare_engines(rules[_i], NULL, materials[_i], false);
}

/* --- larger slices: what moves make of positions anywhere in them --- */

typedef struct {
  solved *s;
  slice_words *all; /* by place in the list */
} forest;

static void cell_of(const forest *f, game_place place, int8_t *value, uint16_t *depth) {
  for (size_t i = 0; i < f->s->list.used; i++) {
    if (f->s->list.slices[i].slice == place.slice) gather(&f->all[i], place.index, 1, value, depth);
  }
}

/* Value and depth as the rules of proof have them, from the moves. */
static void look_forward(const forest *f, const game_position *position, int *value, int *depth) {
  game_moves moves = {0};
  *value = -2;
  *depth = 0;
  if (dsq_moves(f->s->rules, position, &moves)) ck_abort_msg("no moves");
  for (size_t i = 0; i < moves.used; i++) {
    int8_t child = -1;
    uint16_t below = 0;
    game_place place;
    if (!moves.moves[i].over) {
      if (!dsq_locate(f->s->rules, &moves.moves[i].child, &place)) ck_abort_msg("a child has no place");
      cell_of(f, place, &child, &below);
    }
    const int worth = -child, plies = worth ? below + 1 : 0;
    const bool sooner = worth > 0 ? plies < *depth : plies > *depth;
    if (worth > *value || (worth == *value && sooner)) *depth = plies;
    if (worth > *value) *value = worth;
  }
  if (moves.used == 0 && !dsq_position_ended(f->s->rules, position, value)) ck_abort_msg("no end");
  game_moves_free(&moves);
}

static void solve_forest(forest *f) {
  f->all = suite_zeros(f->s->list.used, sizeof *f->all);
  for (size_t i = 0; i < f->s->list.used; i++) {
    f->all[i] = open_words(f->s, f->s->list.slices[i].slice);
    solve_words(&f->all[i], true);
    f->s->finished[f->s->list.slices[i].slice] = cells_of_words(&f->all[i]);
  }
}

CASE(cells_of_larger_slices_are_what_their_moves_make_of_them) {
  static const char *const rules[] = {"base", "base,lakes=drink,clearings"};
  static const char *const materials[] = {"LRlr", "TCer"};
  solved s = open_solved(rules[_i], NULL, materials[_i]);
  forest f = {.s = &s};
  uint64_t random = 1 + (uint64_t)_i;
  solve_forest(&f);
  const size_t top = s.list.used - 1;
  for (int i = 0; i < (suite_is_long() ? 200000 : 20000); i++) {
    const game_place place = {s.list.slices[top].slice, draw_below(&random, f.all[top].plan.positions)};
    game_position position;
    int8_t cell;
    uint16_t plies;
    int value, depth;
    gather(&f.all[top], place.index, 1, &cell, &plies);
    dsq_position_at(s.rules, place, &position);
    look_forward(&f, &position, &value, &depth);
    if (cell == value && plies == depth) continue;
    ck_abort_msg("index %llu: %d in %d instead of %d in %d", (unsigned long long)place.index, cell, plies,
                 value, depth);
  }
}

/* --- to a table and back --- */

typedef struct {
  const solved *s;
  const slice_words *from;
  uint32_t slice;
  uint32_t longest; /* longest depth of the cells left out */
} table_source;

static tauler_error read_table(void *user, uint64_t first, size_t count, int8_t *cells, uint16_t *depths) {
  table_source *source = user;
  uint8_t *left_out = suite_zeros(count, 1);
  gather(source->from, first, count, cells, depths);
  dsq_left_out(source->s->rules, source->slice, first, count, left_out);
  for (size_t i = 0; i < count; i++) {
    if (!left_out[i]) continue;
    if (depths[i] > source->longest) source->longest = depths[i];
    cells[i] = RESERVED, depths[i] = 77;
  }
  return TAULER_OK;
}

static void read_back(const solved *s, uint32_t slice, const slice_words *w) {
  slice_words again = open_words(s, slice);
  table_source source = {s, w, slice, 0};
  uint32_t latest = 0;
  for (uint64_t tile = 0; tile < again.plan.tiles; tile++) {
    if (dsq_bitboards.scatter(again.tables, &again.state, tile, again.scratch, RESERVED, read_table, &source))
      ck_abort_msg("a tile cannot be read");
  }
  uint64_t found = 0;
  for (again.state.wave = 0; again.state.wave < 2; again.state.wave++)
    found += run_tiles(&again, dsq_bitboards.recover, prime_to(again.plan.tiles), &latest);
  ck_assert_uint_gt(found, 0);
  ck_assert_uint_eq(latest, source.longest);
  ck_assert_mem_eq(again.state.won, w->state.won, w->plan.blocks * 8);
  ck_assert_mem_eq(again.state.lost, w->state.lost, w->plan.blocks * 8);
  for (uint64_t block = 0; block < w->plan.blocks; block++) {
    for (int square = 0; square < DSQ_SQUARES; square++) {
      if (!((w->state.won[block] | w->state.lost[block]) >> square & 1)) continue;
      const dsq_bits_layout *layout = &((const dsq_bits_tables *)w->tables)->layout;
      const uint64_t at = block * layout->columns + layout->column[square];
      if (again.state.depth[at] != w->state.depth[at])
        ck_abort_msg("another depth at %llu", (unsigned long long)at);
    }
  }
}

CASE(what_a_table_leaves_out_comes_back) {
  solved s = open_solved(three[_i].rules, NULL, three[_i].material);
  for (size_t i = 0; i < s.list.used; i++) {
    const uint32_t slice = s.list.slices[i].slice;
    slice_words w = open_words(&s, slice);
    solve_words(&w, false);
    read_back(&s, slice, &w);
    s.finished[slice] = cells_of_words(&w);
  }
}

CASE(four_pieces_come_back_from_their_table) {
  static const char *const materials[] = {"LRlr", "RCer"};
  solved s = open_solved("base", NULL, materials[_i]);
  forest f = {.s = &s};
  solve_forest(&f);
  const size_t top = s.list.used - 1;
  read_back(&s, s.list.slices[top].slice, &f.all[top]);
}

/* --- parts --- */

static void solve_smaller(solved *s) {
  for (size_t i = 0; i + 1 < s->list.used; i++) {
    const uint32_t slice = s->list.slices[i].slice;
    slice_words w = open_words(s, slice);
    solve_words(&w, false);
    s->finished[slice] = cells_of_words(&w);
  }
}

enum { STATE_ARRAYS = 8, MARKS = 6 };

static size_t list_arrays(const slice_words *a, int i, uint8_t **bytes) {
  const game_bitboards_state *s = &a->state;
  void *const all[STATE_ARRAYS] = {s->won,   s->lost, s->held,      s->gaining,
                                   s->depth, s->due,  s->marked[0], s->marked[1]};
  *bytes = all[i];
  return i < 4 ? 8 : i == 4 ? a->plan.columns : 1;
}

static void mark_run(void *user, uint64_t first, uint64_t blocks) {
  memset((uint8_t *)user + first, 1, blocks);
}

/* The same state, but with nonsense in all blocks that a part does not say it reads. */
static void copy_seen(const slice_words *from, slice_words *to, const uint8_t *read) {
  to->state.wave = from->state.wave;
  for (int i = 0; i < STATE_ARRAYS; i++) {
    uint8_t *a, *b;
    const size_t each = list_arrays(from, i, &a);
    list_arrays(to, i, &b);
    for (uint64_t block = 0; block < from->plan.blocks; block++) {
      memcpy(b + block * each, a + block * each, each);
      if (!read[block]) memset(b + block * each, 0x5A, each);
    }
  }
}

static void run_part(const dsq_bits_tables *t, slice_words *a, uint32_t part) {
  const uint64_t first = part ? dsq_bitboards.group_end(t, part - 1) : 0;
  uint64_t changed = 0;
  uint32_t latest = 0;
  for (uint64_t tile = first; tile < dsq_bitboards.group_end(t, part); tile++)
    (void)(a->state.wave ? dsq_bitboards.relax : dsq_bitboards.begin)(t, &a->state, tile, a->scratch,
                                                                      &changed, &latest);
}

/* Outside of what a part reads nothing has changed; outside of what it writes only marks have. */
static void check_part(const slice_words *before, const slice_words *a, const slice_words *seen,
                       const uint8_t *read, const uint8_t *own) {
  for (int i = 0; i < STATE_ARRAYS; i++) {
    uint8_t *old, *all, *some;
    const size_t each = list_arrays(a, i, &all);
    list_arrays(before, i, &old);
    list_arrays(seen, i, &some);
    for (uint64_t block = 0; block < a->plan.blocks; block++) {
      for (size_t k = block * each; k < (block + 1) * each; k++) {
        if (read[block])
          EXPECT(all[k] == some[k], "array %d, block %lu depends on others", i, (unsigned long)block);
        else
          EXPECT(some[k] == 0x5A && all[k] == old[k], "array %d, block %lu is written", i,
                 (unsigned long)block);
      }
      EXPECT(own[block] || i >= MARKS || memcmp(all + block * each, old + block * each, each) == 0,
             "array %d, block %lu is another part's", i, (unsigned long)block);
    }
  }
}

static const struct {
  const char *rules, *material;
} cut[] = {{"base", "Lrc"}, {"liacs", "RTr"}, {"base,lakes=drink,stalemate=loss", "Rcr"}, {"liacs", "Lel"}};

CASE(parts_read_and_write_what_they_say) {
  solved s = open_solved(cut[_i].rules, NULL, cut[_i].material);
  const uint32_t slice = s.list.slices[s.list.used - 1].slice;
  solve_smaller(&s);
  slice_words a = open_words(&s, slice), seen = open_words(&s, slice), before = open_words(&s, slice);
  dsq_bits_tables *const tables = a.tables;
  uint8_t *const every = suite_zeros(a.plan.blocks, 1);
  memset(every, 1, a.plan.blocks);
  const uint64_t blocks = a.plan.blocks;
  uint8_t *const read = suite_zeros(blocks, 1), *const own = suite_zeros(blocks, 1);
  for (; a.state.wave < 30; a.state.wave++) {
    game_bitboards_cut parts;
    if (!dsq_bitboards.parts->plan(s.rules, slice, a.state.wave % 27, &parts))
      ck_assert(dsq_bitboards.parts->plan(s.rules, slice, 0, &parts));
    dsq_bitboards.parts->order(tables, &parts);
    uint64_t all = 0;
    for (uint32_t part = 0; part < parts.parts; part++) {
      memset(read, 0, blocks);
      memset(own, 0, blocks);
      uint64_t reads = 0, writes = 0;
      dsq_bits_visit_read(tables, part, mark_run, read);
      dsq_bitboards.parts->visit(tables, UINT64_C(1) << part, mark_run, own);
      for (uint64_t i = 0; i < blocks; i++) reads += read[i], writes += own[i];
      ck_assert_uint_le(reads, parts.read_units * bitboards_unit(blocks));
      ck_assert_uint_le(writes, parts.part_units * bitboards_unit(blocks));
      all += writes;
      copy_seen(&a, &before, every);
      copy_seen(&a, &seen, read);
      run_part(tables, &a, part);
      run_part(tables, &seen, part);
      check_part(&before, &a, &seen, read, own);
    }
    ck_assert_uint_eq(all, blocks);
  }
}

CASE(a_mirrored_set_is_mirrored_square_by_square) {
  uint64_t random = 5;
  for (int i = 0; i < 1000; i++) {
    const uint64_t set =
        (draw_below(&random, UINT64_C(1) << 32) << 31) ^ draw_below(&random, UINT64_C(1) << 32);
    uint64_t slowly = 0;
    for (int square = 0; square < DSQ_SQUARES; square++) {
      if (set >> square & 1)
        slowly |= UINT64_C(1) << (square / DSQ_FILES * DSQ_FILES + 6 - square % DSQ_FILES);
    }
    if (dsq_bits_mirror(set & ~(UINT64_C(1) << 63)) != slowly) ck_abort_msg("another image");
  }
}

SUITE("words of Dou Shou Qi") {
  const int threes = sizeof three / sizeof *three;
  TIMEOUT(1800);
  LOOP(two_pieces_are_as_the_general_engine_has_them_under_all_flags, GROUPS);
  LOOP(three_pieces_are_as_the_general_engine_has_them, threes);
  LOOP(cells_of_larger_slices_are_what_their_moves_make_of_them, 2);
  LOOP(what_a_table_leaves_out_comes_back, threes);
  LOOP(four_pieces_come_back_from_their_table, suite_is_long() ? 2 : 1);
  LOOP(parts_read_and_write_what_they_say, SOME(2, 4));
  TEST(a_mirrored_set_is_mirrored_square_by_square);
  if (suite_is_long()) LOOP(four_pieces_are_as_the_general_engine_has_them, 4);
}
