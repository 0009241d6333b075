/* The table of Phutball's kernels over bitboards. */
#include "games/phutball/bitboards.h"

/* No cell is decided before the first turn. */
static tauler_error begin_tile(const void *tables, const game_bitboards_state *state, uint64_t tile,
                               void *scratch, uint64_t *changed, uint32_t *latest) {
  (void)tables, (void)state, (void)tile, (void)scratch, (void)changed, (void)latest;
  return TAULER_OK;
}

static tauler_error relax(const void *tables, const game_bitboards_state *state, uint64_t tile, void *scratch,
                          uint64_t *changed, uint32_t *latest) {
  const phb_tables *t = tables;
  return (t->board.low_bits ? phb_bits_sweep : phb_bits_plain)(tables, state, tile, scratch, changed, latest);
}

static uint64_t group_end(const void *tables, uint32_t group) {
  const phb_tables *t = tables;
  return t->group_end[group];
}

const game_bitboards phb_bitboards = {.open = phb_bits_open,
                                      .close = phb_bits_close,
                                      .plan = phb_bits_plan,
                                      .begin = begin_tile,
                                      .relax = relax,
                                      .follow = phb_bits_follow,
                                      .group_end = group_end,
                                      .gather = phb_bits_gather,
                                      .scatter = phb_bits_scatter,
                                      .parts = &phb_bits_parts};
