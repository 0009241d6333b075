/* Works on one row of boards of aualé: conversions, changed cells, values of children. */
#include "games/auale/grid.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

grid_tile grid_find_tile(const sowing_tables *tables, uint32_t slice, uint64_t tile) {
  const sowing_slice *layout = &tables->slices[slice];
  unsigned k = 0;
  while (tile >= layout->tiles[k + 1]) k++;
  const uint32_t width = tables->rows[slice - k].open_rows;
  const uint32_t from = (uint32_t)(tile - layout->tiles[k]) * SOWING_TILE;
  return (grid_tile){slice, k, from, from + SOWING_TILE < width ? from + SOWING_TILE : width};
}

grid_row grid_open_row(const sowing_tables *tables, const game_grid_state *state, const grid_tile *tile,
                       uint32_t z) {
  static const game_grid_slab nowhere = {0};
  const game_grid_slab *slab = state ? &state->slabs[tile->k] : &nowhere;
  const unsigned z_seeds = tile->seeds - tile->k;
  grid_row row = {.tables = tables,
                  .state = state,
                  .slab = slab,
                  .own = &tables->rows[tile->k],
                  .others = &tables->rows[z_seeds],
                  .seeds = tile->seeds,
                  .k = tile->k,
                  .z_seeds = z_seeds,
                  .width = slab->width,
                  .next_changed_width = slab->changed_width};
  grid_go_to_row(&row, z);
  return row;
}

landing grid_find_landing(const grid_row *row, unsigned pattern) {
  const unsigned u = sowing_landing(pattern);
  uint8_t pits[ROW_PITS];
  memcpy(pits, row->z_pits, ROW_PITS);
  const unsigned captured = sowing_apply_pattern(row->tables->grand_slam, pattern, pits);
  const unsigned left = row->z_seeds + u - captured;
  if (captured == 0) return (landing){left ? LANDS_QUIETLY : LANDS_NOWHERE, 0, left, row->landed[u]};
  return (landing){left ? LANDS_CAPTURING : LANDS_SLAMMING, (int)captured, left, (uint32_t)row_rank(pits)};
}

static void raise_by_captures(const grid_row *row, unsigned pattern, int captured, const int8_t *children,
                              int8_t *best) {
  const sowing_move *moves = row->own->by_pattern[pattern];
  for (uint32_t i = 0; i < row->own->by_pattern_n[pattern]; i++) {
    const int8_t value = (int8_t)(captured - children[moves[i].after]);
    int8_t *bound = &best[moves[i].row];
    *bound = value > *bound ? value : *bound;
  }
}

game_run grid_captured_run(const grid_row *row, const landing *lands) {
  const uint32_t slice = row->seeds - (unsigned)lands->captured;
  const uint64_t width = row->tables->rows[slice - lands->left].open_rows;
  return (game_run){slice, row->tables->slices[slice].first[lands->left] + lands->left_rank * width, width};
}

/* A mover's lower bound comes from the opponent's upper bound, and the reverse. */
static tauler_error convert_by_captures(const grid_row *row, unsigned pattern, const landing *lands,
                                        const grid_conversions *out) {
  const game_run run = grid_captured_run(row, lands);
  const game_finished *finished = row->state->finished;
  const int planes = row->state->planes;
  for (int plane = 0; plane < planes; plane++) {
    const int8_t *children =
        finished->read(finished->user, run.slice, planes - 1 - plane, run.first, run.count, out->spare);
    if (!children) return TAULER_IO;
    raise_by_captures(row, pattern, lands->captured, children, out->best[plane]);
  }
  return TAULER_OK;
}

static void settle_board(const grid_row *row, const grid_conversions *out, uint32_t a, int value,
                         uint8_t depth) {
  for (int plane = 0; plane < row->state->planes; plane++) out->best[plane][a] = (int8_t)value;
  out->settled[a] = depth;
}

/* Settles the boards of a pattern that makes a grand slam, if slams are always legal: the mover gets all
 * seeds. */
static void settle_slams(const grid_row *row, unsigned pattern, const grid_conversions *out) {
  const sowing_move *moves = row->own->by_pattern[pattern];
  for (uint32_t i = 0; i < row->own->by_pattern_n[pattern]; i++)
    settle_board(row, out, moves[i].row, (int)row->seeds, 1);
}

/* Settles the boards on which no move leaves the opponent a seed: the mover gets all seeds, at once if the
 * game ends, one ply later if the moves are legal. */
static void settle_starved_boards(const grid_row *row, uint64_t feeding, const grid_conversions *out) {
  const uint8_t depth = auale_ends_without_feeding(row->tables->grand_slam) ? 0 : 1;
  for (uint32_t a = 0; a < row->own->rows; a++) {
    bool fed = false;
    for (int pit = 0; pit < ROW_PITS && !fed; pit++) {
      const unsigned pattern = row->own->moves[(size_t)a * ROW_PITS + (unsigned)pit] & 63;
      fed = pattern != SOWING_NO_MOVE && (feeding >> pattern & 1);
    }
    if (!fed) settle_board(row, out, a, (int)row->seeds, depth);
  }
}

tauler_error grid_find_conversions(const grid_row *row, const grid_conversions *out) {
  const uint32_t rows = row->own->rows;
  for (int plane = 0; plane < row->state->planes; plane++) memset(out->best[plane], (uint8_t)NO_BOUND, rows);
  memset(out->settled, UINT8_MAX, rows);
  if (row->k == 0) {
    settle_board(row, out, 0, -(int)row->seeds, 0);
    return TAULER_OK;
  }
  uint64_t feeding = 0; /* patterns that leave the opponent a seed */
  bool starving = false;
  for (unsigned p = 0; p < row->own->patterns; p++) {
    if (row->own->by_pattern_n[p] == 0) continue;
    const landing lands = grid_find_landing(row, p);
    if (lands.kind == LANDS_CAPTURING || lands.kind == LANDS_QUIETLY) {
      feeding |= UINT64_C(1) << p;
    } else {
      starving = true;
    }
    if (lands.kind != LANDS_CAPTURING) continue;
    const tauler_error error = convert_by_captures(row, p, &lands, out);
    if (error) return error;
  }
  if (!starving) return TAULER_OK;
  settle_starved_boards(row, feeding, out);
  if (row->tables->grand_slam == GRAND_SLAM_CAPTURES) {
    for (unsigned p = 0; p < row->own->patterns; p++) {
      if (row->own->by_pattern_n[p] && grid_find_landing(row, p).kind == LANDS_SLAMMING)
        settle_slams(row, p, out);
    }
  }
  return TAULER_OK;
}

tauler_error grid_find_converting_moves(const grid_row *row, const grid_conversions *out) {
  const tauler_error error = grid_find_conversions(row, out);
  if (error || row->z_seeds > 0 || auale_ends_without_feeding(row->tables->grand_slam)) return error;
  /* On a board that is settled here without a slam, no move leaves the opponent a seed and none captures, so
   * only quiet moves settled it. */
  for (uint32_t a = 0; a < row->own->rows; a++) {
    if (out->settled[a] != 1) continue;
    bool slams = false;
    for (int pit = 0; pit < ROW_PITS && !slams; pit++) {
      const unsigned pattern = row->own->moves[(size_t)a * ROW_PITS + (unsigned)pit] & 63;
      slams = pattern != SOWING_NO_MOVE && grid_find_landing(row, pattern).kind == LANDS_SLAMMING;
    }
    if (!slams) settle_board(row, out, a, NO_BOUND, 1);
  }
  return TAULER_OK;
}

void grid_raise_by_quiet_moves(const grid_row *row, int plane, int8_t *best) {
  for (uint64_t left = row->quiet; left;) {
    const unsigned p = grid_next_pattern(&left);
    const int8_t *children = row->state->cells[plane] + grid_child_row(row, p);
    const sowing_move *moves = row->own->by_pattern[p];
    const uint32_t n = row->own->by_pattern_n[p];
    for (uint32_t i = 0; i < n; i++) {
      const int8_t value = (int8_t)-cell_load(&children[moves[i].after]);
      int8_t *bound = &best[moves[i].row];
      *bound = value > *bound ? value : *bound;
    }
  }
}

bool grid_has_changed(const grid_row *row, int plane) {
  const uint8_t *dirty = row->state->dirty[plane];
  for (uint64_t left = row->quiet; left;) {
    if (dirty[grid_child_block(row, grid_next_pattern(&left))]) return true;
  }
  return false;
}

grid_conversions grid_carve_conversions(const grid_row *row, void *scratch) {
  int8_t *at = grid_working_space(row->tables, row->seeds, scratch);
  const size_t rows = row->own->rows;
  return (grid_conversions){{at, at + rows}, (uint8_t *)at + 2 * rows, at + 3 * rows, at + 4 * rows};
}

static inline int8_t *carve_bytes(char **at, uint64_t bytes) {
  char *here = *at;
  *at += (bytes + 63) / 64 * 64;
  return (int8_t *)here;
}

grid_changed grid_carve_changed(const grid_row *row, void *scratch) {
  char *at = grid_working_space(row->tables, row->seeds, scratch);
  const uint64_t rows = row->own->rows, longest = row->tables->rows[row->seeds].rows;
  grid_changed changed = {.marked = scratch};
  changed.children = (uint32_t *)(void *)carve_bytes(&at, longest * 4);
  changed.doubtful = (uint32_t *)(void *)carve_bytes(&at, rows * 4);
  for (int plane = 0; plane < row->state->planes; plane++) {
    changed.bounds[plane] = row->state->bounds[plane] + row->bounds;
    changed.bounds[plane][rows] = NO_BOUND; /* bound of a parent that does not exist */
  }
  return changed;
}

enum { MARKS_AT_ONCE = 16 };

/* Returns a bit for each of sixteen bytes, 1 if it is marked. */
static inline uint32_t find_marks(const uint8_t *marked) {
#ifdef __SSE2__
  const __m128i marks = _mm_loadu_si128((const __m128i *)(const void *)marked);
  return (uint32_t)_mm_movemask_epi8(_mm_sub_epi8(_mm_setzero_si128(), marks));
#else
  uint32_t found = 0;
  for (uint32_t i = 0; i < MARKS_AT_ONCE; i++) found |= (uint32_t)(marked[i] != 0) << i;
  return found;
#endif
}

size_t grid_list_marked(uint8_t *marked, uint32_t rows, uint32_t *out) {
  size_t used = 0;
  uint32_t a = 0;
  for (; a + MARKS_AT_ONCE <= rows; a += MARKS_AT_ONCE) {
    for (uint32_t found = find_marks(marked + a); found; found &= found - 1) {
      out[used++] = a + (uint32_t)__builtin_ctz(found);
    }
  }
  for (; a < rows; a++) {
    if (marked[a]) out[used++] = a;
  }
  memset(marked, 0, rows + 1);
  return used;
}

static size_t list_bits(const uint8_t *bytes, uint32_t bits, uint32_t *out) {
  size_t used = 0;
  for (uint32_t at = 0; at < bits; at += 64) {
    uint64_t word;
    memcpy(&word, bytes + at / 8, sizeof word);
    if (bits - at < 64) word &= (UINT64_C(1) << (bits - at)) - 1;
    for (; word; word &= word - 1) out[used++] = at + (uint32_t)__builtin_ctzll(word);
  }
  return used;
}

size_t grid_list_changed_children(const grid_row *row, unsigned pattern, int plane, uint32_t *children) {
  const game_grid_state *state = row->state;
  if (!state->dirty[plane][grid_child_block(row, pattern)]) return 0;
  const uint32_t cells = row->tables->rows[row->k - sowing_landing(pattern)].open_rows;
  return list_bits(state->changed[plane] + grid_child_changed(row, pattern), cells, children);
}
