/* The contents of a checkpoint of the tiles engine, for any number of shards. Private to the engine.
 *
 * The unit of a tile contains, per plane, cells and bounds while values are solved: a resumed run relaxes all
 * tiles. Afterwards it contains bounds and depths. Then follow the known cells and the changed cells that no
 * reader has received yet.
 */
#ifndef SOLVER_ENGINES_TILES_STATE_H
#define SOLVER_ENGINES_TILES_STATE_H

#include "solver/checkpoint/unit_arrays.h"

/* Positions of a slice for which threads pay. In a smaller slice a round takes less time than a barrier. */
enum { GRID_WORTH_THREADS = 1 << 18 };

/* The state of a run, the same on all ranks. */
typedef struct {
  uint64_t round;        /* number of rounds done; for depths, the next wave */
  uint64_t shown;        /* positions that the progress has counted as done */
  uint64_t changed_last; /* cells that the last round changed */
  /* If a repetition ends play (regions.c). Otherwise both are 0, and checkpoints leave them out. */
  uint64_t phase; /* odd: safe regions are found; even: attractors grow from them */
  uint64_t apart; /* sum of upper minus lower bounds after the last attractor */
} tiles_progress;

typedef struct {
  int planes;
  bool in_slice; /* true: cells and changed cells have the addresses of the whole slice */
  int8_t *own[GRID_PLANES], *bounds[GRID_PLANES];
  uint16_t *depths[GRID_PLANES]; /* NULL while values are solved */
  uint8_t *known;
  uint8_t *changed[GRID_PLANES], *dirty[GRID_PLANES]; /* NULL while values are solved */
} tiles_state_arrays;

static inline void tiles_add_state(unit_arrays *kept, const tiles_state_arrays *state) {
  kept->n = 0;
  kept->in_slice = state->in_slice;
  for (int plane = 0; plane < state->planes; plane++) {
    const bool depths = state->depths[plane] != NULL;
    if (!depths) unit_arrays_add(kept, UNIT_CELLS, state->own[plane], sizeof(int8_t));
    unit_arrays_add(kept, UNIT_BOUNDS, state->bounds[plane], 1);
    if (depths) unit_arrays_add(kept, UNIT_CELLS, state->depths[plane], sizeof(uint16_t));
  }
  unit_arrays_add_changed(kept, state->known, NULL);
  for (int plane = 0; plane < GRID_PLANES; plane++)
    unit_arrays_add_changed(kept, state->changed[plane], state->dirty[plane]);
}

#endif
