/* The grid of a slice, and the table of its kernels. */
#include "games/auale/grid.h"

enum {
  CHANGED_READ_AHEAD = 8
}; /* bytes beyond the last row of changed cells, since eight are read at a time */

static void plan_grid(const game_rules *rules, uint32_t slice, game_grid_plan *out) {
  sowing_slice layout;
  sowing_lay_out(slice, &layout);
  const bool bounds = rules->cycles != CYCLES_EVEN;
  *out = (game_grid_plan){.tiles = layout.tiles[slice + 1],
                          .bounds = layout.bounds[slice + 1],
                          .changed_bytes = layout.changed[slice + 1] + CHANGED_READ_AHEAD,
                          .blocks = layout.blocks[slice + 1],
                          .groups = slice + 1,
                          .scratch_bytes = grid_scratch_bytes(slice),
                          .planes = bounds ? 2 : 1};
  if (bounds) {
    out->open[PLANE_LOWER] = (int8_t)(-(int)slice);
    out->open[PLANE_UPPER] = (int8_t)slice;
  }
}

/* Moves that sow in the mover's row alone lead from k seeds in that row to slice − k. These two groups are a
 * band. */
static void describe_group(const game_rules *rules, uint32_t slice, size_t i, game_grid_group *out) {
  sowing_slice layout;
  sowing_lay_out(slice, &layout);
  const unsigned k = (unsigned)i;
  *out = (game_grid_group){.first_tile = layout.tiles[k],
                           .tiles = layout.tiles[k + 1] - layout.tiles[k],
                           .first_block = layout.blocks[k],
                           .blocks = row_count(k),
                           .columns = open_row_count(slice - k),
                           .tile_columns = SOWING_TILE,
                           .first_cell = layout.first[k],
                           .first_changed = layout.changed[k],
                           .first_bound = layout.bounds[k],
                           .bounds = row_count(k) + 1,
                           .band = k < slice - k ? k : slice - k};
}

static void list_read_blocks(const void *tables, uint32_t slice, uint64_t tile_number, uint8_t *blocks) {
  const grid_tile tile = grid_find_tile(tables, slice, tile_number);
  grid_row row = grid_open_row(tables, NULL, &tile, tile.from);
  for (uint32_t z = tile.from; z < tile.to; z++) {
    grid_go_to_row(&row, z);
    for (uint64_t left = row.quiet; left;) blocks[grid_child_block(&row, grid_next_pattern(&left))] = 1;
  }
}

static tauler_error list_finished_runs(const void *tables, uint32_t slice, uint64_t tile_number,
                                       game_runs *runs) {
  const grid_tile tile = grid_find_tile(tables, slice, tile_number);
  grid_row row = grid_open_row(tables, NULL, &tile, tile.from);
  for (uint32_t z = tile.from; z < tile.to; z++) {
    grid_go_to_row(&row, z);
    for (uint64_t left = row.own->patterns_in_use; left;) {
      const landing lands = grid_find_landing(&row, grid_next_pattern(&left));
      if (lands.kind != LANDS_CAPTURING) continue;
      const game_run run = grid_captured_run(&row, &lands);
      const game_run *last = runs->used ? &runs->runs[runs->used - 1] : NULL;
      if (last && last->slice == run.slice && last->first == run.first && last->count == run.count) continue;
      const tauler_error error = game_runs_add(runs, run);
      if (error) return error;
    }
  }
  return TAULER_OK;
}

const game_grid auale_grid = {.prepare = sowing_prepare,
                              .release = sowing_release,
                              .prepared_bytes = sowing_prepared_bytes,
                              .plan = plan_grid,
                              .group = describe_group,
                              .reads = list_read_blocks,
                              .reads_finished = list_finished_runs,
                              .begin = grid_begin,
                              .relax = grid_relax,
                              .begin_depths = grid_begin_depths,
                              .relax_depths = grid_relax_depths,
                              .lookup = grid_lookup,
                              .recover = grid_recover};
