/* Computes the cells that tables leave out: boards whose mover's row has less than half of the seeds. Every
 * quiet child of such a board has at least half of them in its mover's row, so all moves together give its
 * value. Of the other boards, tables may leave out those with the value of their best converting move. */
#include "games/auale/grid.h"

static grid_conversions carve_arrays(const grid_row *row, void *scratch) {
  int8_t *at = grid_working_space(row->tables, row->seeds, scratch);
  const size_t rows = row->own->rows;
  return (grid_conversions){{at, at + rows}, (uint8_t *)at + 2 * rows, at + 3 * rows};
}

tauler_error grid_lookup(const void *tables, game_grid_state *state, uint64_t tile_number, void *scratch,
                         uint64_t *n_changed) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  grid_row row = grid_open_row(tables, state, &tile, tile.from);
  for (uint32_t z = tile.from; z < tile.to; z++) {
    grid_go_to_row(&row, z);
    const grid_conversions out = carve_arrays(&row, scratch);
    const tauler_error error = grid_find_converting_moves(&row, &out);
    if (error) return error;
    for (int plane = 0; plane < state->planes; plane++) {
      int8_t *values = state->bounds[plane] + row.column;
      for (uint32_t a = 0; a < row.own->rows; a++) values[a * row.width] = out.best[plane][a];
    }
    *n_changed += row.own->rows;
  }
  return TAULER_OK;
}

tauler_error grid_recover(const void *tables, game_grid_state *state, uint64_t tile_number, void *scratch,
                          game_lookup pass, const int8_t *reserved) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  const bool left_out = auale_is_left_out(tile.seeds, tile.k);
  if (left_out != (pass == LOOKUP_ALL)) return TAULER_OK;
  grid_row row = grid_open_row(tables, state, &tile, tile.from);
  for (uint32_t z = tile.from; z < tile.to; z++) {
    grid_go_to_row(&row, z);
    const grid_conversions out = carve_arrays(&row, scratch);
    const tauler_error error =
        left_out ? grid_find_conversions(&row, &out) : grid_find_converting_moves(&row, &out);
    if (error) return error;
    for (int plane = 0; plane < state->planes; plane++) {
      int8_t *cells = state->own[plane] + row.column;
      if (left_out) grid_raise_by_quiet_moves(&row, state->planes - 1 - plane, out.best[plane]);
      for (uint32_t a = 0; a < row.own->rows; a++) {
        int8_t *cell = &cells[a * row.width];
        if (left_out || *cell == reserved[plane]) *cell = out.best[plane][a];
      }
    }
  }
  return TAULER_OK;
}
