/* Lays out a board of Phutball for kernels over bitboards (rays, origins, tiles), opens their tables, and
 * plans slices. */
#include <stdlib.h>
#include <string.h>

#include "games/phutball/bitboards.h"

static void cast_ray(const game_rules *rules, const phb_board *board, int point, const int8_t step[2],
                     phb_ray *ray) {
  int row = point / board->columns + step[0], column = point % board->columns + step[1];
  *ray = (phb_ray){.exit = EXIT_NONE};
  for (; row >= 0 && row < board->rows && column >= 0 && column < board->columns;
       row += step[0], column += step[1]) {
    const int at = row * board->columns + column;
    ray->point[ray->used] = (uint8_t)at;
    ray->bit[ray->used++] = board->bit_of[at];
  }
  const bool sideways = column < 0 || column >= board->columns;
  if (row >= 0 && row < board->rows) return;
  if (!sideways || rules->corner_exit) ray->exit = row < 0 ? EXIT_OTHER_SCORES : EXIT_MOVER_SCORES;
}

static uint64_t count_cells(const phb_tables *t, const phb_origin *origin) {
  const phb_board *board = &t->board;
  const uint64_t sides = UINT64_C(1) << board->side_bits;
  return origin->paired ? sides * (sides + 1) / 2 << (board->low_bits + board->middle_bits - 1)
                        : UINT64_C(1) << (board->points - (origin->squeezed ? 1 : 0));
}

static uint64_t count_words(uint64_t cells) {
  return (cells + 63) / 64;
}

static void add_origin(const game_rules *rules, phb_tables *t, int point) {
  const phb_board *board = &t->board;
  phb_origin *origin = &t->origin[t->origins];
  const int column = point % board->columns, row = point / board->columns;
  *origin = (phb_origin){.point = (uint8_t)point, .bit = board->bit_of[point], .live = row > 0};
  origin->middle = board->has_middle && column == board->columns / 2;
  origin->squeezed = origin->bit >= board->low_bits;
  origin->paired = origin->live && origin->middle;
  for (int i = 0; i < PHB_DIRECTIONS; i++) cast_ray(rules, board, point, PHB_STEPS[i], &origin->rays[i]);
  origin->spare = t->spare_words;
  t->spare_words += count_words(count_cells(t, origin));
  if (origin->live) {
    origin->first = t->words;
    t->words += count_words(count_cells(t, origin));
  }
  t->origin_of[point] = (uint8_t)t->origins++;
}

static void list_origins(const game_rules *rules, phb_tables *t) {
  const phb_board *board = &t->board;
  const int kept = (board->columns + 1) / 2;
  memset(t->origin_of, PHB_NO_ORIGIN, sizeof t->origin_of);
  for (int row = rules->goal_line_stop ? 1 : 0; row < board->rows - 1; row++) {
    for (int column = 0; column < kept; column++) add_origin(rules, t, row * board->columns + column);
  }
  for (int i = 0; i < t->origins; i++) {
    const int row = t->origin[i].point / board->columns, column = t->origin[i].point % board->columns;
    if (t->origin[i].live)
      t->origin[i].flip = t->origin_of[(board->rows - 1 - row) * board->columns + column];
  }
}

static uint64_t count_tiles(const phb_board *board) {
  const uint64_t sides = UINT64_C(1) << board->side_bits;
  return sides * (sides + 1) / 2;
}

/* Makes a table of all sets of the `bits` bits from bit `from` on, with rows reversed. Returns NULL if there
 * is no memory. */
static uint32_t *make_flip_table(const phb_board *board, int from, int bits) {
  uint32_t *table = calloc(UINT64_C(1) << bits, sizeof *table);
  for (uint64_t set = 0; table && set < UINT64_C(1) << bits; set++) {
    for (int i = 0; i < bits; i++) {
      if (set >> i & 1) table[set] |= UINT32_C(1) << (board->flip_bit[from + i] - from);
    }
  }
  return table;
}

void phb_bits_measure(const game_rules *rules, uint32_t slice, phb_tables *t) {
  *t = (phb_tables){.goal_line_stop = rules->goal_line_stop};
  phb_board_of_slice(slice, &t->board);
  const int low = t->board.low_bits;
  t->bundle = low == 8 ? PHB_BUNDLE : 1;
  t->high_bits = t->board.points - low;
  t->tiles = low ? count_tiles(&t->board) : 1;
  list_origins(rules, t);
}

static void close_tables(void *tables) {
  phb_tables *t = tables;
  free(t->sides);
  free(t->flip_middle);
  free(t->flip_side);
  free(t);
}

static tauler_error open_tables(const game_rules *rules, uint32_t slice, void **out) {
  phb_tables *t = calloc(1, sizeof *t);
  *out = t;
  if (!t) return TAULER_NO_MEMORY;
  phb_bits_measure(rules, slice, t);
  const phb_board *board = &t->board;
  t->sides = calloc(count_tiles(board), sizeof *t->sides);
  bool whole = t->sides != NULL;
  if (board->low_bits > 0) {
    t->flip_middle = make_flip_table(board, board->low_bits, board->middle_bits);
    t->flip_side = make_flip_table(board, board->low_bits + board->middle_bits, board->side_bits);
    whole = whole && t->flip_middle && t->flip_side;
  }
  if (!whole) {
    close_tables(t);
    *out = NULL;
    return TAULER_NO_MEMORY;
  }
  phb_bits_order(t, &(game_bitboards_cut){.ranks = 1});
  return TAULER_OK;
}

static void plan_slice(const game_rules *rules, uint32_t slice, game_bitboards_plan *out) {
  phb_tables t;
  phb_bits_measure(rules, slice, &t);
  const bool plain = t.board.low_bits == 0;
  *out = (game_bitboards_plan){.positions = t.board.first[t.board.balls],
                               .blocks = t.words,
                               .tiles = t.tiles,
                               .tile_blocks = (uint32_t)((t.words + t.tiles - 1) / t.tiles),
                               .columns = PHB_CODES,
                               .most_waves = PHB_MOST_WAVES,
                               .touched_blocks = t.words,
                               .scratch_bytes = phb_bits_scratch(),
                               .sweeps = true,
                               .groups = plain ? 1 : (uint32_t)(2 * t.board.side_bits + 1),
                               .spare = t.spare_words,
                               .most_changes = plain ? 0 : t.words / PHB_WORDS_PER_CHANGE};
}

/* Does nothing, since no cell is decided before the first turn. */
static tauler_error begin_tile(const void *tables, const game_bitboards_state *state, uint64_t tile,
                               void *scratch, uint64_t *changed, uint32_t *latest) {
  (void)tables, (void)state, (void)tile, (void)scratch, (void)changed, (void)latest;
  return TAULER_OK;
}

static tauler_error relax_tile(const void *tables, const game_bitboards_state *state, uint64_t tile,
                               void *scratch, uint64_t *changed, uint32_t *latest) {
  const phb_tables *t = tables;
  return (t->board.low_bits ? phb_bits_sweep : phb_bits_sweep_cells)(tables, state, tile, scratch, changed,
                                                                     latest);
}

static uint64_t find_group_end(const void *tables, uint32_t group) {
  const phb_tables *t = tables;
  return t->group_end[group];
}

const game_bitboards phb_bitboards = {.open = open_tables,
                                      .close = close_tables,
                                      .plan = plan_slice,
                                      .begin = begin_tile,
                                      .relax = relax_tile,
                                      .follow = phb_bits_follow,
                                      .group_end = find_group_end,
                                      .gather = phb_bits_gather,
                                      .scatter = phb_bits_scatter,
                                      .parts = &phb_bits_parts};
