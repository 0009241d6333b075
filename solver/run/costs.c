/* Lists the measured figures with which plans compute. */
#include "solver/run/run.h"

#include <math.h>
#include <string.h>

static const build_costs measured[] = {
    /* Measured with awari of up to 20 seeds. */
    {.engine = "tiles",
     .game = "auale",
     .sent_value = 0.13,
     .sent_depth = 0.147,
     .sent_growth = 4.9,
     .sent_rim = 250,
     .sent_to_others = true,
     .measures_links = true,
     .slowing = 0.025,
     .shards_base = 0.7,
     .shards_more = 0.47,
     .shards_wait = 0.14,
     .halo = {1.8, 0.25}},
    /* Measured with boards of three and four columns, with waves in 1, 3 and 10 parts. A figure for traffic
     * is not needed, since the engine's sent_bytes computes it. */
    {.engine = "bitboard", .game = "phutball", .sharing = 0.11, .shards_base = 1.05, .shards_more = 0.25},
    /* Measured with classes of three to five pieces, and those of five also in 2 to 23 parts and shared by 2
     * and 4 ranks. */
    {.engine = "bitboard",
     .game = "doushouqi",
     .sent_shared = 0.95,
     .sharing = 0.11,
     .slowing = 0.08,
     .shards_base = 1.35,
     .shards_more = 0.03},
    /* Measured with awari of 12 and 13 seeds. */
    {.engine = "retrograde",
     .sent_value = 2.45,
     .sent_depth = 0.15,
     .sent_growth = 0.19,
     .shards_base = 0.7,
     .shards_more = 0.8},
    /* Measured with abapa of up to 11, 12 and 13 seeds on 2 to 4 ranks. */
    {.engine = "repetition",
     .sent_value = 5.6,
     .sent_depth = 0.6,
     .sent_growth = 0.12,
     .sent_fallback = 2.9,
     .shards_base = 0.7,
     .shards_more = 0.8},
    /* La oca: traffic was measured with two players, time with two and three. La oca asesina, on 20 squares:
       traffic was measured with two tokens, time with three players, whose builds took 181, 277 and 373
       sweeps for widths of 1e-3, 1e-6 and 1e-9. */
    {.engine = "chance", .sent_finished = 38.75, .sweeps = 86, .slowing = 0.08, .seconds_each = 1.875e-7},
    {.engine = "chance",
     .game = "oca-asesina",
     .sent_finished = 165,
     .sweeps = 169,
     .slowing = 0.08,
     .seconds_each = 4.2e-7,
     .decade = 0.086},
    {.engine = "chance-edges",
     .sent_finished = 38.75,
     .sweeps = 86,
     .slowing = 0.08,
     .seconds_each = 1.875e-7}};

const build_costs *build_costs_of(const engine *engine, const game *game) {
  static const build_costs nobody = {.shards_base = 1};
  const build_costs *found = &nobody;
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
    if (strcmp(measured[i].engine, engine->name) != 0) continue;
    if (!measured[i].game || strcmp(measured[i].game, game->name) == 0) found = &measured[i];
  }
  return found;
}

double build_slowing(const build_costs *costs, uint64_t positions, uint64_t against) {
  return positions > against ? pow(1 + costs->slowing, log2((double)positions / (double)against)) : 1;
}
