/* Kernels over whole tiles of a slice, for games whose index has a structure to exploit.
 *
 * In such games the successors of neighbouring cells are neighbours, too. So it is cheaper to compute a whole
 * tile again, with vectors and without an index, than to follow single cells to their predecessors.
 *
 * One thread at a time works on a tile. The engine (solver/engines/tiles) owns the arrays, sends changes
 * between shards and decides when a kernel runs; a game knows the cells to which the moves of a tile lead.
 * Kernels are pure functions of the tables, the state and the tile; any number of threads may call them on
 * different tiles.
 */
#ifndef GAMES_GAME_GRID_H
#define GAMES_GAME_GRID_H

#include "games/game.h"

/* Finished cells of earlier slices, for grid kernels. `read` returns `count` cells of a plane from `first`
 * on, in memory or copied to scratch. If it fails, it returns NULL, and `user` keeps the error. */
typedef struct {
  const int8_t *(*read)(void *user, uint32_t slice, int plane, uint64_t first, size_t count, int8_t *scratch);
  void *user;
} game_finished;

enum { GRID_PLANES = 2, GRID_UNKNOWN_DEPTH = 0xFFFF };

/* A group of tiles whose cells lie in the same blocks.
 *
 *      group 0 of band 0               group 1 of band 0
 *     tile 0    tile 1   tile 2         tile 3    tile 4
 *   +---------+---------+------+      +---------+-------+
 *   | · · · · | · · · · | · · ·|      | · · · · | · · · |   blocks 0 and 2     Cells of a column stand
 *   | · · · · | · · · · | · · ·|      | · · · · | · · · |   blocks 1 and 3     one below the other.
 *   +---------+---------+------+      +---------+-------+
 *   |<-slab-->|<---- slab ---->|      |<-slab-->|<-slab>|
 *     shard 0        shard 1            shard 0   shard 1
 *
 * A block is a run of neighbouring cells, one per column. Tile i has the columns from i · tile_columns on, in
 * every block of the group; the last tile may be narrower. If a slice is divided into shards, the bands in
 * rising order are cut into shards of about equally many cells, and all groups of a band are cut at about the
 * same fractions of their columns. So most moves should stay in a band or lead to the next. A shard has a
 * slab of every group, which is empty if the shard has nothing of the band. If a game names no bands, there
 * is one.
 *
 * tile_columns is a multiple of 8 unless the group has one tile. A column has `bounds` neighbouring bounds,
 * in the kernel's own order; a block has (columns + 7) / 8 bytes of changed cells.
 */
typedef struct {
  uint64_t first_tile, tiles;
  uint64_t first_block, blocks;
  uint64_t columns, tile_columns;
  uint64_t first_cell;    /* index of the first cell */
  uint64_t first_changed; /* first byte of changed cells */
  uint64_t first_bound, bounds;
  uint32_t band;
} game_grid_group;

/* The columns of a group that are stored here, and their places in the owner's arrays. Column c of block b is
 * at first_cell + (b − first_block) · width + (c − from). Its changed cells have the same layout, in rows of
 * changed_width bytes. `columns` may be 0. */
typedef struct {
  uint64_t from, columns;
  uint64_t first_cell, first_changed, first_bound;
  uint64_t width, changed_width;
} game_grid_slab;

/* A run of finished cells from `first` on. */
typedef struct {
  uint32_t slice;
  uint64_t first, count;
} game_run;

typedef struct {
  game_run *runs;
  size_t used, room;
} game_runs;

tauler_error game_runs_add(game_runs *runs, game_run run);

/* Shows which tiles are up to date while values are solved. A visit to a tile takes the next number. A block
 * in which cells change gets the number that the next visit takes. If that is larger than the number of the
 * last visit to a tile, the visit may have missed the change. A tile with 0 has not been visited. */
typedef struct {
  uint32_t next;
  uint32_t *changed; /* [blocks] */
  uint32_t *visited; /* [tiles] */
} game_grid_clock;

/* Returns the number of a new visit. Its cells must be read after this call. */
static inline uint32_t game_grid_begin_visit(game_grid_clock *clock) {
  const uint32_t now = __atomic_fetch_add(&clock->next, 1, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return now;
}

/* Gives a block with changed cells the number that the next visit takes. Without the fence, a processor may
 * read the number before others see the changed cells: then a visit that began in between would miss them,
 * and so would the next. */
static inline void game_grid_stamp(game_grid_clock *clock, uint64_t block) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  const uint32_t now = __atomic_load_n(&clock->next, __ATOMIC_ACQUIRE);
  uint32_t before = __atomic_load_n(&clock->changed[block], __ATOMIC_RELAXED);
  while (before < now && !__atomic_compare_exchange_n(&clock->changed[block], &before, now, true,
                                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
}

/* A slice as a grid while it is solved. One thread works on a tile. It alone writes the tile's cells, bounds
 * and bytes of `next_changed`, and it reads `cells` and `changed` of the blocks that `reads` lists. The
 * engine owns all arrays. It fills cells with plan.open and all other arrays with zeros. `cells`, `changed`
 * and `known` cover the whole slice in index order, but only the blocks that tiles here read have to be
 * filled. The arrays "by slabs" hold only what the tiles here own. If one owner has the whole slice, each
 * slab is a whole group. Then `own` may alias `cells`, and `next_changed` may alias `changed`. There is one
 * plane of cells for scores (the value so far), and two for guarantees (lower, upper). Changed cells always
 * have two planes: [0] cells whose mover can force more, [1] cells against whose mover more is forced. */
typedef struct {
  uint32_t slice;
  int planes;
  const game_grid_slab *slabs;         /* one per group */
  const int8_t *cells[GRID_PLANES];    /* in index order */
  int8_t *own[GRID_PLANES];            /* by slabs */
  int8_t *bounds[GRID_PLANES];         /* by slabs, in the kernel's own order */
  uint16_t *depths[GRID_PLANES];       /* by slabs. NULL while values are solved */
  const uint8_t *changed[GRID_PLANES]; /* changed cells, in index order */
  const uint8_t *known; /* changed cells [0] of earlier waves, in index order. NULL while values are solved */
  uint8_t *next_changed[GRID_PLANES]; /* by slabs: cells that change in this round */
  const uint8_t *dirty[GRID_PLANES];  /* [blocks] 1 if a block has changed cells */
  uint8_t *next_dirty[GRID_PLANES];   /* [blocks] 1 if cells of a block change in this round */
  const game_finished *finished;
  game_grid_clock *clock; /* or NULL if `relax` computes every tile */
  uint16_t wave;          /* number of this round while depths are solved */
} game_grid_state;

typedef struct {
  uint64_t tiles;
  uint64_t bounds;        /* bounds per plane, at least as many as positions */
  uint64_t changed_bytes; /* bytes of changed cells per plane, in the kernel's own layout */
  uint64_t blocks;
  size_t groups;
  size_t scratch_bytes; /* bytes per thread */
  int planes;
  int8_t open[GRID_PLANES]; /* cell about which nothing is known */
} game_grid_plan;

/* A kernel over a tile. It adds the number of cells that it changed to *n_changed. Errors: TAULER_IO
 * (finished->read). To solve values, the engine calls `begin` once per tile, which sets its bounds, then
 * `relax` in rounds until nothing changes. Since cells only ever move away from `open`, the result depends
 * neither on the order of tiles nor on whether a round sees cells that it wrote. To solve depths, it calls
 * `begin_depths`, then `relax_depths` with wave = 1, 2, …; a wave decides exactly the cells of its depth.
 * `lookup` writes into bounds, laid out as `own` is, the value of the best converting move of each position,
 * the value of an ended position, or INT8_MIN if there is neither. `recover` computes the cells that a table
 * left out, first with LOOKUP_CONVERTING, then with LOOKUP_ALL. */
typedef tauler_error game_grid_kernel(const void *tables, game_grid_state *state, uint64_t tile,
                                      void *scratch, uint64_t *n_changed);

struct game_grid {
  /* Makes tables for all slices up to the largest; `release` frees them. Errors: TAULER_NO_MEMORY. */
  tauler_error (*prepare)(const game_rules *rules, uint32_t largest_slice, void **tables);
  void (*release)(void *tables);
  uint64_t (*prepared_bytes)(const game_rules *rules, uint32_t largest_slice);
  void (*plan)(const game_rules *rules, uint32_t slice, game_grid_plan *plan);
  /* Describes group i < plan.groups. Tiles, blocks, cells, changed cells and bounds of groups follow each
   * other without gaps. */
  void (*group)(const game_rules *rules, uint32_t slice, size_t i, game_grid_group *out);
  /* `reads` sets the bytes of the blocks whose cells or changed cells a tile reads while values, depths or
   * cells left out are computed. `reads_finished` adds the runs of finished cells that begin, depths, lookup
   * and recover read. */
  void (*reads)(const void *tables, uint32_t slice, uint64_t tile, uint8_t *blocks);
  tauler_error (*reads_finished)(const void *tables, uint32_t slice, uint64_t tile, game_runs *runs);
  game_grid_kernel *begin, *relax, *begin_depths, *relax_depths, *lookup;
  tauler_error (*recover)(const void *tables, game_grid_state *state, uint64_t tile, void *scratch,
                          game_lookup pass, const int8_t *reserved);
};

#endif
