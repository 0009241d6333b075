/* The grid of a slice, and the table of its kernels. */
#include "games/auale/grid.h"

#include "games/auale/position.h"

static tauler_error prepare(const game_rules *rules, uint32_t largest_slice, void **out) {
  *out = sowing_tables_new(largest_slice, rules->grand_slam);
  return *out ? TAULER_OK : TAULER_NO_MEMORY;
}

static void release(void *tables) {
  sowing_tables_free(tables);
}

static uint64_t prepared_bytes(const game_rules *rules, uint32_t largest_slice) {
  (void)rules;
  return sowing_bytes(largest_slice);
}

static void plan(const game_rules *rules, uint32_t slice, game_grid_plan *out) {
  sowing_slice layout;
  sowing_lay_out(slice, &layout);
  const bool bounds = rules->cycles == CYCLES_FORCED;
  *out = (game_grid_plan){.tiles = layout.tiles[slice + 1],
                          .bounds = layout.bounds[slice + 1],
                          .news_bytes = layout.news[slice + 1] + 8, /* rows are read eight bytes at a time */
                          .blocks = layout.blocks[slice + 1],
                          .scratch_bytes = grid_scratch_bytes(slice),
                          .planes = bounds ? 2 : 1};
  if (bounds) {
    out->open[PLANE_LOWER] = (int8_t)(-(int)slice);
    out->open[PLANE_UPPER] = (int8_t)slice;
  }
}

const game_grid auale_grid = {.prepare = prepare,
                              .release = release,
                              .prepared_bytes = prepared_bytes,
                              .plan = plan,
                              .begin = grid_begin,
                              .relax_lower = grid_relax_lower,
                              .relax_upper = grid_relax_upper,
                              .begin_depths = grid_begin_depths,
                              .relax_depths = grid_relax_depths,
                              .look = grid_look,
                              .recover = grid_recover};
