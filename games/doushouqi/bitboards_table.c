/* Copies cells between bitboards and tables, and computes those that tables leave out. */
#include <stdlib.h>

#include "games/doushouqi/bitboards_moves.h"

/* A block of the table. Its squares are those of the table, where White is to move. */
typedef struct {
  uint8_t square[DSQ_MOST_PIECES], order[DSQ_SQUARES];
  uint64_t first;
  size_t cells;
} table_block;

static void set_run(const dsq_bits_tables *t, int part, placement_run run, table_block *block) {
  block->cells = placement_order(run, block->order);
  block->first = run.first + (part ? placement_count(&t->slice->place) : 0);
}

static int turned_square(int part, int square) {
  return part ? dsq_flip(square) : square;
}

static void gather(const void *tables, const game_bitboards_state *state, uint64_t first, size_t count,
                   int8_t *cells, uint16_t *depths) {
  const dsq_bits_tables *t = tables;
  const dsq_bits_layout *layout = &t->layout;
  const uint64_t part_cells = placement_count(&t->slice->place);
  for (size_t done = 0; done < count;) {
    const int part = first + done >= part_cells;
    table_block from;
    const uint64_t number = first + done - (part ? part_cells : 0);
    set_run(t, part, placement_unrank_block(&t->slice->place, number, from.square), &from);
    uint64_t block = part ? layout->turn : 0;
    for (int i = 0; i < layout->pieces - 1; i++)
      block += layout->ordinal[i][turned_square(part, from.square[i])] * layout->stride[i];
    const uint64_t won = state->won[block], lost = state->lost[block];
    const uint8_t *codes = state->depth + block * layout->columns;
    for (size_t i = (size_t)(first + done - from.first); i < from.cells && done < count; i++, done++) {
      const int square = turned_square(part, from.order[i]);
      const uint8_t code = codes[layout->column[square]];
      const bool wins = won >> square & 1, loses = lost >> square & 1;
      cells[done] = (int8_t)(wins - loses);
      depths[done] = wins ? bitboards_won_depth(code) : loses ? bitboards_lost_depth(code) : 0;
    }
  }
}

static void set_cell(const dsq_bits_tables *t, const game_bitboards_state *state, dsq_bits_place at,
                     int8_t cell, uint16_t depth) {
  uint64_t *words = cell > 0 ? state->won : state->lost;
  __atomic_fetch_or(&words[at.block], dsq_bit(at.square), __ATOMIC_RELAXED);
  state->depth[at.block * t->layout.columns + t->layout.column[at.square]] = bitboards_code(depth);
}

/* If slice->parts is 1, a cell also stands for the position with colours exchanged. Sets the cells of that
 * position and of its mirror image. */
static void set_twin(const dsq_bits_tables *t, const game_bitboards_state *state, const uint8_t square[],
                     int8_t cell, uint16_t depth) {
  uint8_t twin[DSQ_MOST_PIECES], image[DSQ_MOST_PIECES];
  for (int i = 0; i < t->layout.pieces; i++) {
    twin[t->twin[i]] = (uint8_t)dsq_flip(square[i]);
    image[t->twin[i]] = (uint8_t)placement_mirror(DSQ_FILES, dsq_flip(square[i]));
  }
  set_cell(t, state, dsq_bits_find(&t->layout, 1, twin), cell, depth);
  set_cell(t, state, dsq_bits_find(&t->layout, 1, image), cell, depth);
}

static void set_block(const dsq_bits_tables *t, const game_bitboards_state *state, int part, uint64_t block,
                      table_block *from, const int8_t *cells, const uint16_t *depths, int8_t reserved) {
  const int last = t->layout.pieces - 1;
  const bool both_images = last == 1 && dsq_bit(from->square[0]) & t->slice->place.middle;
  uint8_t *codes = state->depth + block * t->layout.columns;
  uint64_t won = 0, lost = 0;
  for (size_t i = 0; i < from->cells; i++) {
    if (cells[i] == reserved || cells[i] == 0) continue;
    const int square = turned_square(part, from->order[i]);
    *(cells[i] > 0 ? &won : &lost) |= dsq_bit(square);
    codes[t->layout.column[square]] = bitboards_code(depths[i]);
    if (both_images)
      set_cell(t, state, (dsq_bits_place){block, placement_mirror(DSQ_FILES, square)}, cells[i], depths[i]);
    from->square[last] = from->order[i];
    if (t->slice->parts == 1) set_twin(t, state, from->square, cells[i], depths[i]);
  }
  __atomic_fetch_or(&state->won[block], won, __ATOMIC_RELAXED);
  __atomic_fetch_or(&state->lost[block], lost, __ATOMIC_RELAXED);
}

/* Finds the cells of all blocks of a tile in the table; a block may have none. Lowers *first and raises *end,
 * so that *first … *end − 1 include the indexes of these cells. */
static void find_blocks(const dsq_bits_tables *t, const dsq_bits_tile *tile, table_block blocks[],
                        uint64_t *first, uint64_t *end) {
  const int inner = t->layout.pieces - 2;
  for (int i = 0; i < t->layout.count[inner]; i++) {
    table_block *block = &blocks[i];
    *block = (table_block){.cells = 0};
    const dsq_bits_block at = dsq_bits_block_at(tile, i);
    if (!at.valid) continue;
    for (int j = 0; j <= inner; j++)
      block->square[j] = (uint8_t)turned_square(tile->part, j == inner ? at.inner : tile->square[j]);
    set_run(t, tile->part, placement_run_of(&t->slice->place, block->square), block);
    if (block->first < *first) *first = block->first;
    if (block->first + block->cells > *end) *end = block->first + block->cells;
  }
}

static tauler_error
scatter(const void *tables, const game_bitboards_state *state, uint64_t tile, void *scratch, int8_t reserved,
        tauler_error (*read)(void *user, uint64_t first, size_t count, int8_t *cells, uint16_t *depths),
        void *user) {
  const dsq_bits_tables *t = tables;
  dsq_bits_scratch *own = scratch;
  dsq_bits_tile *here = &own->tile;
  table_block blocks[DSQ_SQUARES];
  uint64_t first = UINT64_MAX, end = 0;
  if (!dsq_bits_tile_open(t, tile, here) || here->part >= t->slice->parts) return TAULER_OK;
  find_blocks(t, here, blocks, &first, &end);
  if (end == 0) return TAULER_OK;
  const tauler_error error = read(user, first, (size_t)(end - first), own->cells, own->depths);
  for (int i = 0; i < t->layout.count[t->layout.pieces - 2] && !error; i++) {
    const uint64_t from = blocks[i].first - first;
    if (blocks[i].cells > 0)
      set_block(t, state, here->part, here->first + (uint64_t)i, &blocks[i], own->cells + from,
                own->depths + from, reserved);
  }
  return error;
}

/* Returns the squares of the last piece whose cells tables leave out. dsq_left_out finds the same cells by
 * index. */
static uint64_t left_out_squares(const dsq_bits_tile *tile, const dsq_bits_block *at) {
  const dsq_bits_tables *t = tile->tables;
  const int last = t->layout.pieces - 1;
  int sum = 0;
  for (int i = 0; i < last; i++) {
    const int square = i == last - 1 ? at->inner : tile->square[i];
    if (t->piece[i].side == tile->part && (t->rules->materials->far[t->piece[i].animal] >> square & 1))
      return 0;
    sum += square;
  }
  const uint64_t even = sum % 2 ? ~DSQ_EVEN : DSQ_EVEN;
  const uint64_t far =
      t->piece[last].side == tile->part ? t->rules->materials->far[t->piece[last].animal] : 0;
  return at->valid & even & ~far;
}

typedef struct {
  const dsq_bits_tables *t;
  const game_bitboards_state *state;
  uint64_t won, lost;
  uint8_t *code;
} depth_search;

static inline bool find_depths(void *user, const dsq_bits_step *step) {
  depth_search *s = user;
  const uint8_t *depth = s->state->depth + step->block * s->t->layout.columns;
  const uint64_t wins = s->won & step->from & dsq_bits_parents(step, s->state->lost[step->block]);
  for (uint64_t rest = wins; rest; rest &= rest - 1) {
    const int square = __builtin_ctzll(rest);
    const uint8_t code = (uint8_t)(depth[s->t->layout.column[dsq_bits_child_square(step, square)]] + 1);
    if (code < s->code[square]) s->code[square] = code;
  }
  for (uint64_t rest = s->lost & step->from; rest; rest &= rest - 1) {
    const int square = __builtin_ctzll(rest);
    const uint8_t code = depth[s->t->layout.column[dsq_bits_child_square(step, square)]];
    if (code > s->code[square]) s->code[square] = code;
  }
  return true;
}

static uint64_t recover_block(dsq_bits_tile *tile, const dsq_bits_block *at,
                              const game_bitboards_state *state, uint64_t left, dsq_bits_conversions *c,
                              uint32_t *latest) {
  const dsq_bits_tables *t = tile->tables;
  dsq_bits_find_conversions(tile, at, state, c);
  const uint64_t moving = dsq_bits_with_moves(tile, at) | c->losing;
  const uint64_t won = left & (c->gaining | dsq_bits_some_move(tile, at, state->lost));
  const uint64_t among = left & ~(won | c->gaining | c->drawing) &
                         (t->rules->base.flag[DSQ_STALEMATE_LOSES] ? UINT64_MAX : moving);
  const uint64_t lost = among ? dsq_bits_every_move(tile, at, state->won, among) : 0;
  for (uint64_t rest = won & ~c->gaining; rest; rest &= rest - 1) c->code[__builtin_ctzll(rest)] = UINT8_MAX;
  for (uint64_t rest = lost & ~c->losing; rest; rest &= rest - 1) c->code[__builtin_ctzll(rest)] = 0;
  depth_search search = {t, state, won, lost, c->code};
  dsq_bits_each_step(tile, at, find_depths, &search);
  uint8_t *depth = state->depth + at->block * t->layout.columns;
  for (uint64_t rest = won | lost; rest; rest &= rest - 1) {
    const int square = __builtin_ctzll(rest);
    const uint8_t code = c->code[square];
    const uint32_t plies = won >> square & 1 ? bitboards_won_depth(code) : bitboards_lost_depth(code);
    depth[t->layout.column[square]] = code;
    if (plies > *latest) *latest = plies;
  }
  state->won[at->block] |= won;
  state->lost[at->block] |= lost;
  return won | lost;
}

tauler_error dsq_bits_recover(const void *tables, const game_bitboards_state *state, uint64_t tile,
                              void *scratch, uint64_t *changed, uint32_t *latest) {
  const dsq_bits_tables *t = tables;
  dsq_bits_scratch *own = scratch;
  if (!dsq_bits_tile_open(t, tile, &own->tile) || own->tile.part != state->wave) return TAULER_OK;
  for (int i = 0; i < t->layout.count[t->layout.pieces - 2]; i++) {
    const dsq_bits_block at = dsq_bits_block_at(&own->tile, i);
    const uint64_t left = at.valid ? left_out_squares(&own->tile, &at) : 0;
    if (!left) continue;
    const uint64_t found = recover_block(&own->tile, &at, state, left, &own->conversions, latest);
    *changed += (uint64_t)__builtin_popcountll(found);
  }
  return TAULER_OK;
}

const game_bitboards dsq_bitboards = {.open = dsq_bits_open,
                                      .close = free,
                                      .plan = dsq_bits_plan,
                                      .begin = dsq_bits_begin,
                                      .relax = dsq_bits_relax,
                                      .group_end = dsq_bits_group_end,
                                      .gather = gather,
                                      .scatter = scatter,
                                      .recover = dsq_bits_recover,
                                      .parts = &dsq_bits_parts};
