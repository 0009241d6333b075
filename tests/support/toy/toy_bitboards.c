#include "tests/support/toy/toy_bitboards.h"

#include "tests/support/suite.h"

/* How the cells of a slice lie in words. */
typedef struct {
  const toy_game *toy;
  const toy_slice *slice;
  toy_bitboards *words;
  uint32_t number;
  uint64_t cells, run; /* cells of a block and length of a run, as in the shape */
  uint64_t runs;       /* runs of cells */
  uint64_t front;      /* runs of the first half */
} toy_map;

typedef struct {
  uint64_t block, bit; /* a single bit */
  uint64_t column;
} word_place;

typedef enum { HOLDS_NOTHING, HOLDS_DRAW, HOLDS_WIN, HOLDS_LOSS } holding;

typedef struct {
  holding kind;
  uint32_t depth;
} conversion;

static toy_bitboards *words_of(const toy_game *toy) {
  return toy->more;
}

static toy_map map_of(const toy_game *toy, uint32_t number) {
  toy_bitboards *words = words_of(toy);
  toy_map map = {toy, &toy->slices[number], words, number, words->shape.cells, words->shape.run, 0, 0};
  map.runs = (map.slice->positions + map.cells - 1) / map.cells;
  map.front = (map.runs + 1) / 2;
  return map;
}

static uint64_t block_of_run(const toy_map *map, uint64_t run) {
  const uint64_t rank = run < map->front ? 2 * run : 2 * (run - map->front) + 1;
  return map->run ? rank / map->run * 2 * map->run + rank % map->run : rank;
}

/* False for blocks that stand for nothing. */
static bool run_of_block(const toy_map *map, uint64_t block, uint64_t *run) {
  uint64_t rank = block;
  if (map->run) {
    if (block / map->run % 2 == 1) return false;
    rank = block / (2 * map->run) * map->run + block % map->run;
  }
  *run = rank % 2 ? map->front + rank / 2 : rank / 2;
  return rank < map->runs;
}

static word_place place_of(const toy_map *map, uint64_t index) {
  const uint64_t column = map->cells - 1 - index % map->cells;
  return (word_place){block_of_run(map, index / map->cells), UINT64_C(1) << (3 * column + 2),
                      column + 1 < map->cells ? column : map->cells};
}

static uint8_t *depth_at(const toy_map *map, const game_bitboards_state *state, const word_place *at) {
  return &state->depth[at->block * (map->cells + 1) + at->column];
}

static void plan(const game_rules *rules, uint32_t slice, game_bitboards_plan *out) {
  const toy_map map = map_of(toy_of(rules), slice);
  const uint32_t tile_blocks = map.words->shape.tile_blocks;
  const uint64_t blocks = block_of_run(&map, map.runs - 1) + 2;
  const uint64_t even = map.runs > 1 ? block_of_run(&map, map.front - 1) + 2 : 0;
  *out = (game_bitboards_plan){.positions = map.slice->positions,
                               .blocks = blocks > even ? blocks : even,
                               .tile_blocks = tile_blocks,
                               .columns = (uint32_t)map.cells + 1,
                               .scratch_bytes = TOY_BITBOARDS_CELLS * sizeof(uint64_t),
                               .touched_blocks = map.runs,
                               .most_waves = map.words->shape.most_waves,
                               .converts = slice > 0};
  out->tiles = (out->blocks + tile_blocks - 1) / tile_blocks;
  out->groups = map.words->shape.groups;
  out->sweeps = out->groups > 0;
  if (out->sweeps) out->spare = out->tiles + map.words->shape.spare;
}

static uint64_t group_end(const void *tables, uint32_t group) {
  const toy_map *map = tables;
  game_bitboards_plan whole;
  plan(map->toy->rules, map->number, &whole);
  return whole.tiles * (group + 1) / whole.groups;
}

static tauler_error open_tables(const game_rules *rules, uint32_t slice, void **out) {
  toy_map *map = calloc(1, sizeof *map);
  if (!map) abort();
  *map = map_of(toy_of(rules), slice);
  if (slice && slice == map->words->failing_slice) {
    free(map);
    return TAULER_INTERNAL;
  }
  map->words->opened++;
  *out = map;
  return TAULER_OK;
}

static void close_tables(void *tables) {
  ((toy_map *)tables)->words->opened--;
  free(tables);
}

/* --- what a cell is worth --- */

/* Of a finished slice. */
static conversion worth_there(const toy_map *map, const game_bitboards_state *state, game_place to) {
  const toy_map there = map_of(map->toy, to.slice);
  const game_bitboards_finished *cells = &state->finished[to.slice];
  const game_bitboards_state finished = {.depth = (uint8_t *)(uintptr_t)cells->depth};
  const word_place at = place_of(&there, to.index);
  const uint8_t code = *depth_at(&there, &finished, &at);
  if (cells->lost[at.block] & at.bit) return (conversion){HOLDS_WIN, bitboards_lost_depth(code) + 1u};
  if (cells->won[at.block] & at.bit) return (conversion){HOLDS_LOSS, bitboards_won_depth(code) + 1u};
  return (conversion){HOLDS_DRAW, 0};
}

static conversion better(conversion a, conversion b) {
  static const int order[] = {[HOLDS_NOTHING] = 0, [HOLDS_LOSS] = 1, [HOLDS_DRAW] = 2, [HOLDS_WIN] = 3};
  if (a.kind != b.kind) return order[a.kind] > order[b.kind] ? a : b;
  const bool shorter = a.depth < b.depth;
  return (a.kind == HOLDS_WIN) == shorter ? a : b;
}

/* The best of the moves that convert, or what a position where the game has ended is held by. */
static conversion best_conversion(const toy_map *map, const game_bitboards_state *state, uint64_t index) {
  if (map->slice->ended[index] == 0) return (conversion){HOLDS_DRAW, 0};
  conversion best = {HOLDS_NOTHING, 0};
  for (uint64_t e = map->slice->first[index]; e < map->slice->first[index + 1]; e++) {
    const game_edge *edge = &map->slice->edges[e];
    if (edge->to.slice == map->number) continue;
    const conversion ends = {edge->gain > 0 ? HOLDS_WIN : HOLDS_DRAW, edge->gain > 0};
    best = better(best, edge->to.slice == GAME_OVER ? ends : worth_there(map, state, edge->to));
  }
  return best;
}

static bool some_child_is_lost(const toy_map *map, const game_bitboards_state *state, uint64_t index) {
  for (uint64_t e = map->slice->first[index]; e < map->slice->first[index + 1]; e++) {
    const game_edge *edge = &map->slice->edges[e];
    if (edge->to.slice != map->number) continue;
    const word_place child = place_of(map, edge->to.index);
    if (state->lost[child.block] & child.bit) return true;
  }
  return false;
}

static bool all_children_are_won(const toy_map *map, const game_bitboards_state *state, uint64_t index) {
  for (uint64_t e = map->slice->first[index]; e < map->slice->first[index + 1]; e++) {
    const game_edge *edge = &map->slice->edges[e];
    if (edge->to.slice != map->number) continue;
    const word_place child = place_of(map, edge->to.index);
    if (!(state->won[child.block] & child.bit)) return false;
  }
  return true;
}

/* --- waves --- */

static void mark_parents(const toy_map *map, const game_bitboards_state *state, uint64_t index) {
  for (uint64_t e = map->slice->back_first[index]; e < map->slice->back_first[index + 1]; e++) {
    bitboards_mark(state, (state->wave + 1) % 2, place_of(map, map->slice->back[e].to.index).block);
  }
}

static void decide(const toy_map *map, const game_bitboards_state *state, uint64_t index, bool wins) {
  const word_place at = place_of(map, index);
  (wins ? state->won : state->lost)[at.block] |= at.bit;
  *depth_at(map, state, &at) = bitboards_code(state->wave);
  if (!map->words->shape.groups) mark_parents(map, state, index);
}

static void note_due(uint8_t *due, uint8_t code) {
  if (*due == BITBOARDS_NEVER || code < *due) *due = code;
}

static void hold(const toy_map *map, const game_bitboards_state *state, uint64_t index, conversion best) {
  const word_place at = place_of(map, index);
  const bool decides = best.kind == HOLDS_WIN || best.kind == HOLDS_LOSS;
  state->held[at.block] |= at.bit;
  if (best.kind == HOLDS_WIN) state->gaining[at.block] |= at.bit;
  *depth_at(map, state, &at) = decides ? bitboards_code(best.depth) : BITBOARDS_NEVER;
  if (decides) note_due(&state->due[at.block], bitboards_code(best.depth));
}

typedef struct {
  uint64_t first, n;
} run_cells;

static run_cells cells_of(const toy_map *map, uint64_t run) {
  const uint64_t first = run * map->cells, rest = map->slice->positions - first;
  return (run_cells){first, rest < map->cells ? rest : map->cells};
}

typedef struct {
  uint64_t block, end;
} tile_blocks;

static tile_blocks blocks_of(const toy_map *map, uint64_t tile) {
  game_bitboards_plan whole;
  plan(map->toy->rules, map->number, &whole);
  const uint64_t first = tile * whole.tile_blocks, end = first + whole.tile_blocks;
  return (tile_blocks){first, end < whole.blocks ? end : whole.blocks};
}

static bool is_through(const game_bitboards_state *state, uint64_t tile) {
  return __atomic_load_n(&state->spare[tile], __ATOMIC_RELAXED) == state->wave + UINT64_C(1);
}

/* All tiles of the groups before, none of those behind. */
static void look_around(const toy_map *map, const game_bitboards_state *state, uint64_t tile) {
  const uint32_t groups = map->words->shape.groups;
  if (!groups) {
    if (state->spare || !state->marked[0] || !state->marked[1]) map->words->disorder++;
    return;
  }
  if (!state->spare || state->marked[0] || state->marked[1] || is_through(state, tile)) {
    map->words->disorder++;
    return;
  }
  uint32_t own = 0;
  while (group_end(map, own) <= tile) own++;
  const uint64_t first = own ? group_end(map, own - 1) : 0, end = group_end(map, own);
  const uint64_t last = group_end(map, groups - 1), around = 40;
  for (uint64_t i = first > around ? first - around : 0; i < first; i++)
    map->words->disorder += !is_through(state, i);
  for (uint64_t i = end; i < last && i < end + around; i++) map->words->disorder += is_through(state, i);
}

static void leave_tile(const toy_map *map, const game_bitboards_state *state, uint64_t tile) {
  if (map->words->shape.groups && state->spare)
    __atomic_store_n(&state->spare[tile], state->wave + UINT64_C(1), __ATOMIC_RELAXED);
}

static tauler_error begin(const void *tables, const game_bitboards_state *state, uint64_t tile, void *scratch,
                          uint64_t *changed, uint32_t *latest) {
  const toy_map *map = tables;
  map->words->begun++;
  look_around(map, state, tile);
  uint64_t run;
  for (tile_blocks t = blocks_of(map, tile); t.block < t.end; t.block++) {
    if (!run_of_block(map, t.block, &run)) continue;
    const run_cells cells = cells_of(map, run);
    for (uint64_t i = cells.first; i < cells.first + cells.n; i++) {
      if (map->slice->ended[i] == -1) {
        decide(map, state, i, false);
        ++*changed;
        continue;
      }
      const conversion best = best_conversion(map, state, i);
      if (best.kind == HOLDS_NOTHING) continue;
      if (best.depth > BITBOARDS_MOST_WAVES + 1) return TAULER_INTERNAL;
      if (best.depth > *latest) *latest = best.depth;
      if (state->held) hold(map, state, i, best);
      const bool marks = !state->held && !map->words->shape.groups;
      if (marks && best.kind == HOLDS_WIN) bitboards_mark(state, 1, t.block);
    }
  }
  leave_tile(map, state, tile);
  return TAULER_OK;
}

static bool wins_now(const toy_map *map, const game_bitboards_state *state, uint64_t index) {
  const word_place at = place_of(map, index);
  if (some_child_is_lost(map, state, index)) return true;
  if (!state->held) return best_conversion(map, state, index).kind == HOLDS_WIN;
  return (state->gaining[at.block] & at.bit) && *depth_at(map, state, &at) <= bitboards_code(state->wave);
}

static bool loses_now(const toy_map *map, const game_bitboards_state *state, uint64_t index) {
  const word_place at = place_of(map, index);
  if (!state->held && best_conversion(map, state, index).kind != HOLDS_NOTHING) return false;
  if (state->held && (state->held[at.block] & at.bit)) {
    const uint8_t code = *depth_at(map, state, &at);
    if (code == BITBOARDS_NEVER || code > bitboards_code(state->wave) || (state->gaining[at.block] & at.bit))
      return false;
  }
  return all_children_are_won(map, state, index);
}

/* Cells of the block without a later conversion wait for marks alone. */
static void find_next_due(const toy_map *map, const game_bitboards_state *state, uint64_t block,
                          run_cells cells) {
  state->due[block] = BITBOARDS_NEVER;
  for (uint64_t i = cells.first; i < cells.first + cells.n; i++) {
    const word_place at = place_of(map, i);
    if (!(state->held[block] & at.bit) || ((state->won[block] | state->lost[block]) & at.bit)) continue;
    const uint8_t code = *depth_at(map, state, &at);
    if (code > bitboards_code(state->wave)) note_due(&state->due[block], code);
  }
}

static void relax_block(const toy_map *map, const game_bitboards_state *state, uint64_t block,
                        run_cells cells, uint64_t *decided, uint64_t *changed) {
  const bool odd = state->wave % 2 == 1;
  size_t n = 0;
  for (uint64_t i = cells.first; i < cells.first + cells.n; i++) {
    if ((state->won[block] | state->lost[block]) & place_of(map, i).bit) continue;
    if (odd ? wins_now(map, state, i) : loses_now(map, state, i)) decided[n++] = i;
  }
  for (size_t i = 0; i < n; i++) decide(map, state, decided[i], odd);
  *changed += n;
}

static tauler_error relax(const void *tables, const game_bitboards_state *state, uint64_t tile, void *scratch,
                          uint64_t *changed, uint32_t *latest) {
  const toy_map *map = tables;
  const uint8_t code = bitboards_code(state->wave);
  map->words->relaxed++;
  look_around(map, state, tile);
  if (map->words->failing_wave && state->wave == map->words->failing_wave) return TAULER_INTERNAL;
  uint64_t run;
  for (tile_blocks t = blocks_of(map, tile); t.block < t.end; t.block++) {
    if (!run_of_block(map, t.block, &run)) continue;
    const bool marked = map->words->shape.groups || bitboards_clear_mark(state, state->wave % 2, t.block);
    const bool due = state->due && state->due[t.block] == code;
    if (!marked && !due) continue;
    const run_cells cells = cells_of(map, run);
    relax_block(map, state, t.block, cells, scratch, changed);
    if (due && state->wave % 2 == 0) find_next_due(map, state, t.block, cells);
  }
  leave_tile(map, state, tile);
  return TAULER_OK;
}

/* --- tables --- */

static void gather(const void *tables, const game_bitboards_state *state, uint64_t first, size_t count,
                   int8_t *cells, uint16_t *depths) {
  const toy_map *map = tables;
  for (size_t i = 0; i < count; i++) {
    const word_place at = place_of(map, first + i);
    const bool won = state->won[at.block] & at.bit, lost = state->lost[at.block] & at.bit;
    const uint8_t code = *depth_at(map, state, &at);
    cells[i] = (int8_t)(won - lost);
    depths[i] = won ? bitboards_won_depth(code) : lost ? bitboards_lost_depth(code) : 0;
  }
}

static tauler_error
scatter(const void *tables, const game_bitboards_state *state, uint64_t tile, void *scratch, int8_t reserved,
        tauler_error (*read)(void *user, uint64_t first, size_t count, int8_t *cells, uint16_t *depths),
        void *user) {
  const toy_map *map = tables;
  uint16_t *depths = scratch;
  int8_t *values = (int8_t *)(depths + TOY_BITBOARDS_CELLS);
  uint64_t run;
  for (tile_blocks t = blocks_of(map, tile); t.block < t.end; t.block++) {
    if (!run_of_block(map, t.block, &run)) continue;
    const run_cells cells = cells_of(map, run);
    const tauler_error error = read(user, cells.first, cells.n, values, depths);
    if (error) return error;
    for (uint64_t i = 0; i < cells.n; i++) {
      const word_place at = place_of(map, cells.first + i);
      if (values[i] == reserved || values[i] == 0) continue;
      (values[i] > 0 ? state->won : state->lost)[at.block] |= at.bit;
      *depth_at(map, state, &at) = bitboards_code(depths[i]);
    }
  }
  return TAULER_OK;
}

/* In which a cell that is left out comes back; those of the second need some of the first. */
static uint16_t pass_of(uint64_t index) {
  return index % 2;
}

/* Other threads decide other cells of the same words meanwhile. */
static uint64_t look_at(const uint64_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static void recover_cell(const toy_map *map, const game_bitboards_state *state, uint64_t index,
                         uint64_t *changed, uint32_t *latest) {
  conversion best = best_conversion(map, state, index);
  for (uint64_t e = map->slice->first[index]; e < map->slice->first[index + 1]; e++) {
    const game_edge *edge = &map->slice->edges[e];
    if (edge->to.slice != map->number) continue;
    const word_place child = place_of(map, edge->to.index);
    const uint8_t code = *depth_at(map, state, &child);
    conversion worth = {HOLDS_DRAW, 0};
    if (look_at(&state->lost[child.block]) & child.bit)
      worth = (conversion){HOLDS_WIN, bitboards_lost_depth(code) + 1u};
    if (look_at(&state->won[child.block]) & child.bit)
      worth = (conversion){HOLDS_LOSS, bitboards_won_depth(code) + 1u};
    best = better(best, worth);
  }
  if (map->slice->ended[index] == -1) best = (conversion){HOLDS_LOSS, 0};
  if (best.kind != HOLDS_WIN && best.kind != HOLDS_LOSS) return;
  const word_place at = place_of(map, index);
  uint64_t *word = &(best.kind == HOLDS_WIN ? state->won : state->lost)[at.block];
  __atomic_fetch_or(word, at.bit, __ATOMIC_RELAXED);
  *depth_at(map, state, &at) = bitboards_code(best.depth);
  if (best.depth > *latest) *latest = best.depth;
  ++*changed;
}

static tauler_error recover(const void *tables, const game_bitboards_state *state, uint64_t tile,
                            void *scratch, uint64_t *changed, uint32_t *latest) {
  const toy_map *map = tables;
  map->words->recovered++;
  uint64_t run;
  for (tile_blocks t = blocks_of(map, tile); t.block < t.end; t.block++) {
    if (!run_of_block(map, t.block, &run)) continue;
    const run_cells cells = cells_of(map, run);
    for (uint64_t i = cells.first; i < cells.first + cells.n; i++) {
      if (map->words->left_out[map->number][i] && pass_of(i) == state->wave)
        recover_cell(map, state, i, changed, latest);
    }
  }
  return TAULER_OK;
}

static const game_bitboards kernels = {.open = open_tables,
                                       .close = close_tables,
                                       .plan = plan,
                                       .begin = begin,
                                       .relax = relax,
                                       .group_end = group_end,
                                       .gather = gather,
                                       .scatter = scatter,
                                       .recover = recover};

/* --- the toy --- */

static void left_out(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  memcpy(out, words_of(toy_of(rules))->left_out[slice] + first, count);
}

/* Quiet moves lead from one to another only if that one has come back already. */
static bool may_be_left_out(const toy_slice *slice, uint32_t number, const uint8_t *out, uint64_t index) {
  for (uint64_t e = slice->first[index]; e < slice->first[index + 1]; e++) {
    const game_place to = slice->edges[e].to;
    if (to.slice != number) continue;
    if (to.index == index || (out[to.index] && pass_of(to.index) >= pass_of(index))) return false;
  }
  for (uint64_t e = slice->back_first[index]; e < slice->back_first[index + 1]; e++) {
    const uint64_t parent = slice->back[e].to.index;
    if (out[parent] && pass_of(index) >= pass_of(parent)) return false;
  }
  return true;
}

toy_bitboards *toy_bitboards_add(toy_game *toy, const toy_bitboards_shape *shape, uint64_t seed) {
  toy_bitboards *words = calloc(1, sizeof *words);
  if (!words) abort();
  words->shape = *shape;
  for (uint32_t s = 0; s < toy->used; s++) {
    uint8_t *out = words->left_out[s] = calloc(toy->slices[s].positions + 1, 1);
    if (!out) abort();
    for (uint64_t i = 0; i < toy->slices[s].positions; i++) {
      const bool drawn = toy_draw(&seed) % 100 < (uint64_t)shape->left_out_percent;
      out[i] = drawn && may_be_left_out(&toy->slices[s], s, out, i);
    }
  }
  toy->more = words;
  toy->game.bitboards = &kernels;
  toy->game.lookup = NULL;
  toy->game.left_out = shape->left_out_percent ? left_out : NULL;
  return words;
}

void toy_bitboards_free(const toy_game *toy) {
  toy_bitboards *words = words_of(toy);
  for (uint32_t s = 0; s < TOY_SLICES; s++) free(words->left_out[s]);
  free(words);
}
