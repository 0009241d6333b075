/* The figures with which plans compute, measured once for each engine. Private to the build.
 *
 * The figures are from the builds that docs/experiments.md names. A game without measured costs under an
 * engine gets the figures of the engine.
 */
#ifndef SOLVER_BUILD_COSTS_H
#define SOLVER_BUILD_COSTS_H

#include "solver/engines/engine.h"

typedef struct {
  const char *engine, *game; /* game: NULL for all other games */
  /* Bytes between ranks for a position's value and depth, per plane, and their growth with each doubling of
   * shards. */
  double sent_value, sent_depth, sent_growth;
  double sent_rim;      /* positions that are sent on top, for the square root of a slice's positions */
  double sent_fallback; /* bytes more for a value if converting moves lead to fallback tables */
  bool measures_links;  /* ranks measure their links with full packets */
  bool sent_to_others;  /* values are sent to all readers; readers of the same rank cost nothing */
  double sent_shared;   /* bytes per position of a shared slice, to each other rank */
  double sharing;       /* fraction of processor time that each rank adds to a shared slice */
  double sent_finished; /* bytes to each other rank for each byte of a finished slice */
  double sweeps;        /* sweeps over each position in which these were sent */
  /* Each doubling of positions beyond a million multiplies the processor time per position by 1 + slowing. R
   * shards need shards_base + shards_more × log2 R times the time of one. */
  double slowing, shards_base, shards_more;
  double shards_wait; /* further seconds of each rank for the rounds of a build */
  /* Largest halo of a shard, as a multiple of the cells that it owns: base + more × log2 R. 0: not measured.
   */
  halo_guess halo;
  /* For engines whose work is in proportion to finished bytes. Seconds for a byte at the usual width, used if
   * no small slice can be measured, and the fraction of them that a ten times larger width saves. */
  double seconds_each, decade;
} build_costs;

const build_costs *build_costs_of(const engine *engine, const game *game);

/* The factor by which a position takes longer than in a slice of `against` positions. */
double build_slowing(const build_costs *costs, uint64_t positions, uint64_t against);

/* Bytes outside the budget, with Open MPI 4.1, and figures for estimates of memory. */
typedef struct {
  uint64_t program, message_passing; /* including their libraries and working space */
  /* Bytes for each peer if ranks measure their links with full buffers, and the most peers that count. */
  uint64_t peer, most_peers;
  uint64_t unfilled;     /* bytes of the buffers that engines of cells already count */
  uint64_t thread;       /* bytes of each further thread: stack, and state of zstd at the level of tables */
  uint64_t mapping_part; /* of mapped slices, one part in so many is resident without being counted */
  double stored_bits;    /* bits in memory of a byte of finished cells, compressed */
} build_memory_costs;
extern const build_memory_costs build_memory;

/* Bits per position of the larger tables at level 9. They are a little more than measured, since a build that
 * has begun should not fail on a full disk. */
typedef struct {
  double value, depth;
} build_table_bits;
build_table_bits build_bits_of(solve_kind kind);

#endif
