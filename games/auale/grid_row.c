/* Works on one row of boards of aualé: conversions, values of children. */
#include "games/auale/grid.h"

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

static bool has_move(const grid_row *row, uint32_t a, uint64_t patterns) {
  for (int pit = 0; pit < ROW_PITS; pit++) {
    if (patterns >> (row->own->moves[(size_t)a * ROW_PITS + (unsigned)pit] & 63) & 1) return true;
  }
  return false;
}

/* Settles the boards on which no move leaves the opponent a seed: the mover gets all seeds, at once if the
 * game ends, one ply later if the moves are legal. */
static void settle_starved_boards(const grid_row *row, uint64_t feeding, const grid_conversions *out) {
  const uint8_t depth = auale_ends_without_feeding(row->tables->grand_slam) ? 0 : 1;
  for (uint32_t a = 0; a < row->own->rows; a++) {
    if (!has_move(row, a, feeding)) settle_board(row, out, a, (int)row->seeds, depth);
  }
}

static uint64_t find_slams(const grid_row *row) {
  uint64_t slams = 0;
  for (uint64_t left = row->own->patterns_in_use; left;) {
    const unsigned p = grid_next_pattern(&left);
    if (grid_find_landing(row, p).kind == LANDS_SLAMMING) slams |= UINT64_C(1) << p;
  }
  return slams;
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
  for (uint64_t left = row->own->patterns_in_use; left;) {
    const unsigned p = grid_next_pattern(&left);
    const landing lands = grid_find_landing(row, p);
    if (lands.left > 0) feeding |= UINT64_C(1) << p;
    if (lands.kind != LANDS_CAPTURING) continue;
    const tauler_error error = convert_by_captures(row, p, &lands, out);
    if (error) return error;
  }
  if (feeding == row->own->patterns_in_use) return TAULER_OK;
  settle_starved_boards(row, feeding, out);
  const uint64_t slams = row->tables->grand_slam == GRAND_SLAM_CAPTURES ? find_slams(row) : 0;
  for (uint32_t a = 0; a < rows && slams; a++) {
    if (has_move(row, a, slams)) settle_board(row, out, a, (int)row->seeds, 1);
  }
  return TAULER_OK;
}

tauler_error grid_find_converting_moves(const grid_row *row, const grid_conversions *out) {
  const tauler_error error = grid_find_conversions(row, out);
  if (error || row->z_seeds > 0 || auale_ends_without_feeding(row->tables->grand_slam)) return error;
  /* On a board that is settled here without a slam, no move leaves the opponent a seed and none captures, so
   * only quiet moves settled it. */
  const uint64_t slams = find_slams(row);
  for (uint32_t a = 0; a < row->own->rows; a++) {
    if (out->settled[a] == 1 && !has_move(row, a, slams)) settle_board(row, out, a, NO_BOUND, 1);
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

grid_conversions grid_carve_conversions(const grid_row *row, void *scratch) {
  int8_t *at = grid_working_space(row->tables, row->seeds, scratch);
  const size_t rows = row->own->rows;
  return (grid_conversions){{at, at + rows}, (uint8_t *)at + 2 * rows, at + 3 * rows, at + 4 * rows};
}
