/* Declares the edges of a slice of chance (edges.c), and expectations computed from them (means.c). Private
 * to the solver.
 *
 * Sums add the rolls one by one, rounded to nearest. Where bounds are needed, sums are then moved outward by
 * more than twice the largest error of rounding. All summands are ≥ 0, so the margin is a fraction of the
 * sum. docs/proofs.md has the bound of the error. */
#ifndef SOLVER_ENGINES_CHANCE_MEANS_H
#define SOLVER_ENGINES_CHANCE_MEANS_H

#include "solver/engines/chance/sweeps.h"

/* The edges of a slice of chance as the general kernel reads them, 16 bytes each.
 *
 * Positions are computed in groups, here called chunks. A chunk lies within one stage and within this rank's
 * part of it. A game takes longer to find edges than the kernel takes to read them. So the edges that the
 * game has found for a chunk are checked and, while memory is free, kept for the next sweeps. Results do not
 * depend on whether they are kept. */
enum { CHANCE_CHUNK = 256, CHANCE_BATCH_EDGES = 2048 };

/* Values of `roll` that name no roll. LINK_CERTAIN: the position has one edge, without a roll. LINK_NONE: the
 * position has no edges. */
enum { LINK_CERTAIN = CHANCE_MOST_ROLLS, LINK_NONE };
enum { LINK_LAST = 1, LINK_RAISES = 2, LINK_LOWERS = 4 };

/* A checked edge. A position without edges has one link, whose roll is LINK_NONE. */
typedef struct {
  uint64_t to;
  uint32_t slice;
  uint8_t roll, turn, gain;
  /* LINK_LAST: this is the last link of its position. LINK_RAISES, LINK_LOWERS: aim of the player who
   * chooses. */
  uint8_t flags;
} chance_link;

typedef struct {
  chance_link *list;
  uint64_t used;
} chance_links;

typedef struct {
  uint64_t first, end;
  uint64_t chunk; /* number of the first chunk */
} chance_part;

typedef struct {
  struct chance_edges *edges;
  chance_edge sunk[CHANCE_BATCH_EDGES];
  uint64_t index[CHANCE_CHUNK];
  int8_t aim[CHANCE_CHUNK];
  chance_links links;
  uint64_t room;
  uint32_t positions;
  uint32_t from; /* position of the next link, counted from the first of the chunk */
  tauler_message message;
} chance_asker;

typedef struct chance_edges {
  const chance_work *work;
  arena lists;
  uint64_t rolls, rows;
  uint64_t stages;
  chance_part *parts; /* [stages] */
  uint64_t chunks;
  chance_links *kept;   /* [chunks] kept links, with a NULL list if they are not kept */
  chance_asker *askers; /* [threads] */
  int threads;
} chance_edges;

tauler_error chance_edges_open(chance_edges *edges, const chance_work *work, tauler_message *message);
void chance_edges_close(chance_edges *edges);
uint64_t chance_edges_bytes(const solve_job *job, uint32_t slice);

/* For a stage after the last, chance_stage_first returns the number of positions. */
uint64_t chance_stages(const solve_problem *problem, uint32_t slice);
uint64_t chance_stage_first(const solve_problem *problem, uint32_t slice, uint64_t stage);
uint64_t chance_part_first(const chance_edges *edges, uint64_t stage, int rank);

static inline uint64_t chance_part_chunks(const chance_part *part) {
  return (part->end - part->first + CHANCE_CHUNK - 1) / CHANCE_CHUNK;
}

/* Sets *out to the links of a stage's i-th chunk, which are valid until the same worker calls again. Errors:
 * those of the game, TAULER_INTERNAL (impossible edges), TAULER_NO_MEMORY. The message is in the worker's
 * asker. */
tauler_error chance_edges_of(chance_edges *edges, int worker, uint64_t stage, uint64_t i, chance_links *out);

typedef enum { MEAN_OF_MIDDLES, MEAN_OF_LOWER, MEAN_OF_UPPER } chance_side;

typedef struct {
  const chance_work *work;
  int quantities, seats;
  uint64_t rolls;
  double weight[CHANCE_MOST_ROLLS], weights; /* weight of each roll, and their sum */
  double gain[CHANCE_MOST_GAINS][CHANCE_MOST_QUANTITIES];
  double margin; /* fraction of a sum by which it is moved outward */
} chance_means;

void chance_means_open(chance_means *means, const chance_work *work);
/* Returns the margin of a sum over this number of rolls. */
double chance_means_margin(uint64_t rolls);

size_t chance_means_span(const chance_link *link);

/* Computes T x (sweeps.h) of all quantities, rounded to nearest. MEAN_OF_MIDDLES reads the middle of the
 * bounds of finished slices and work->lower of this slice. */
void chance_means_of(const chance_means *means, const chance_link *link, chance_side side,
                     double out[CHANCE_MOST_QUANTITIES]);
/* Returns 1 + the mean over rolls of the greatest potential of a child, rounded to nearest, or 0 without
 * edges. */
double chance_means_potential(const chance_means *means, const chance_link *link);
/* True if under every roll some choice leads to an endless position. */
bool chance_means_endless(const chance_means *means, const chance_link *link);

double chance_round_down(const chance_means *means, double mean);
double chance_round_up(const chance_means *means, double mean);

#endif
