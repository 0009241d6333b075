/* Computes the cells that tables leave out: boards whose mover's row has less than half of the seeds. Every
 * quiet child of such a board has at least half of them in its mover's row, so all moves together give the
 * value of the board. Of the other boards, tables may leave out those with the value of their best converting
 * move. */
#include "games/auale/grid.h"

/* Writes the best values by converting moves or, if `left_out`, by all moves. `to` is laid out as state->own
 * is. If `reserved` is not NULL, only cells that equal it are written. */
static tauler_error compute_tile(const void *tables, const game_grid_state *state, const grid_tile *tile,
                                 void *scratch, bool left_out, const int8_t *reserved,
                                 int8_t *const to[GRID_PLANES]) {
  grid_row row = grid_open_row(tables, state, tile, tile->from);
  for (uint32_t z = tile->from; z < tile->to; z++) {
    grid_go_to_row(&row, z);
    const grid_conversions out = grid_carve_conversions(&row, scratch);
    const tauler_error error =
        left_out ? grid_find_conversions(&row, &out) : grid_find_converting_moves(&row, &out);
    if (error) return error;
    for (int plane = 0; plane < state->planes; plane++) {
      if (left_out) grid_raise_by_quiet_moves(&row, state->planes - 1 - plane, out.best[plane]);
      for (uint32_t a = 0; a < row.own->rows; a++) {
        int8_t *cell = &to[plane][row.column + a * row.width];
        if (!reserved || *cell == reserved[plane]) *cell = out.best[plane][a];
      }
    }
  }
  return TAULER_OK;
}

tauler_error grid_lookup(const void *tables, game_grid_state *state, uint64_t tile_number, void *scratch,
                         uint64_t *n_changed) {
  const sowing_tables *sowing = tables;
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  *n_changed += (uint64_t)sowing->rows[tile.k].rows * (tile.to - tile.from);
  return compute_tile(tables, state, &tile, scratch, false, NULL, state->bounds);
}

tauler_error grid_recover(const void *tables, game_grid_state *state, uint64_t tile_number, void *scratch,
                          game_lookup pass, const int8_t *reserved) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  const bool left_out = auale_is_left_out(tile.seeds, tile.k);
  if (left_out != (pass == LOOKUP_ALL)) return TAULER_OK;
  return compute_tile(tables, state, &tile, scratch, left_out, left_out ? NULL : reserved, state->own);
}
