/* Private to the build: what plans count with, measured once for each engine.
 *
 * The figures come from the builds that docs/experiments.md names. A game without measured costs under an
 * engine gets the figures of the engine.
 */
#ifndef SOLVER_BUILD_COSTS_H
#define SOLVER_BUILD_COSTS_H

#include "solver/engines/engine.h"

typedef struct {
  const char *engine, *game; /* game: NULL for all others */
  /* Between ranks, bytes for a position's value and for its depth per plane, and how they grow
   * with each doubling of shards. */
  double sent_value, sent_depth, sent_growth;
  double sent_fallback; /* more for a value where converting moves lead to fallback tables */
  bool measures_links;  /* by full packets between all ranks */
  bool sent_to_others;  /* all readers get them, and those of the same rank cost nothing */
  double sent_shared;   /* bytes of a position in a slice that ranks share, to each other rank */
  double sharing;       /* processor time that each rank adds to a slice that they share, of one rank's */
  double sent_finished; /* bytes to each other rank for each byte of a finished slice, */
  double sweeps;        /* by so many sweeps over each position */
  /* Processor time: each doubling beyond a million positions makes it 1 + slowing times as long per position,
   * and in R shards it is shards_base + shards_more log2 R times that of one. */
  double slowing, shards_base, shards_more;
  double shards_wait; /* seconds besides of each rank, of the rounds of a build */
  /* A shard reads at most halo.base + halo.more · log2 R times what it owns; 0: not measured. */
  halo_guess halo;
  /* For engines whose work follows the finished bytes: seconds for one at the usual width, where no small
   * slice can be measured, and which part of them a width of ten times that does without. */
  double seconds_each, decade;
} build_costs;

const build_costs *build_costs_of(const engine *engine, const game *game);

/* How many times as long a position takes as in a slice of `against` positions. */
double build_slowing(const build_costs *costs, uint64_t positions, uint64_t against);

/* Bytes that no budget knows of, with Open MPI 4.1, and what stands for estimates of memory. */
typedef struct {
  uint64_t program, message_passing; /* with their libraries and working space */
  uint64_t peer,
      most_peers;        /* where ranks measure their links with full buffers: for each, at most so many */
  uint64_t unfilled;     /* of the buffers that engines of cells count with between ranks */
  uint64_t thread;       /* of each further one: stack, and state of zstd at the level of tables */
  uint64_t mapping_part; /* of mapped slices: one part in so many more is resident than is counted */
  double stored_bits;    /* of a byte of finished cells, compressed in memory */
} build_memory_costs;
extern const build_memory_costs build_memory;

/* Bits a position of the larger tables at level 9: a little more than measured, since a build that is begun
 * should not end on a full disk. */
typedef struct {
  double value, depth;
} build_table_bits;
build_table_bits build_bits_of(solve_kind kind);

#endif
