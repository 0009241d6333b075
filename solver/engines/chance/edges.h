/* The edges of a slice of chance as the general kernel reads them, 16 bytes each. Private to the solver.
 *
 * Positions are handled in chunks. A chunk lies within one stage and within this rank's part of it. A game
 * takes longer to find edges than the kernel takes to read them. The edges of a chunk are therefore asked
 * from the game, checked, and kept for the next sweep while memory has room. The result is the same either
 * way.
 */
#ifndef SOLVER_ENGINES_CHANCE_EDGES_H
#define SOLVER_ENGINES_CHANCE_EDGES_H

#include "solver/engines/chance/sweeps.h"

enum { CHANCE_CHUNK = 256, CHANCE_BATCH_EDGES = 2048 };

/* Used instead of a roll. LINK_CERTAIN: the position has one edge, without a roll. LINK_NONE: it has no
 * edges. */
enum { LINK_CERTAIN = CHANCE_MOST_ROLLS, LINK_NONE };
enum { LINK_LAST = 1, LINK_RAISES = 2, LINK_LOWERS = 4 };

/* A checked edge. Every position has at least one. */
typedef struct {
  uint64_t to;
  uint32_t slice;
  uint8_t roll, turn, gain;
  /* LAST: last link of its position. RAISES, LOWERS: the aim of the player that chooses there. */
  uint8_t flags;
} chance_link;

typedef struct {
  chance_link *list;
  uint64_t used;
} chance_links;

/* A rank's part of a stage. */
typedef struct {
  uint64_t first, end; /* positions [first, end) */
  uint64_t chunk;      /* number of the first chunk */
} chance_part;

/* The buffers of a thread. */
typedef struct {
  struct chance_edges *edges;
  chance_edge sunk[CHANCE_BATCH_EDGES];
  uint64_t index[CHANCE_CHUNK];
  int8_t aim[CHANCE_CHUNK];
  chance_links links;
  uint64_t room;
  /* Positions of the chunk. Ordinal of the position of the next link. */
  uint32_t positions, from;
  tauler_message message;
} chance_asker;

typedef struct chance_edges {
  const chance_work *work;
  arena lists;
  uint64_t rolls, rows;
  uint64_t stages;
  chance_part *parts; /* [stages] */
  uint64_t chunks;
  chance_links *kept;   /* [chunks] */
  chance_asker *askers; /* [threads] */
  int threads;
} chance_edges;

tauler_error chance_edges_open(chance_edges *edges, const chance_work *work, tauler_message *message);
void chance_edges_close(chance_edges *edges); /* also after an error of open */
uint64_t chance_edges_bytes(const solve_job *job, uint32_t slice);

/* The number of stages of a slice, and the first position of a stage. For stage = number of stages it is the
 * number of positions. */
uint64_t chance_stages(const game *game, const game_rules *rules, uint32_t slice);
uint64_t chance_stage_first(const game *game, const game_rules *rules, uint32_t slice, uint64_t stage);
/* The first position of a rank's part. */
uint64_t chance_part_first(const chance_edges *edges, uint64_t stage, int rank);

static inline uint64_t chance_part_chunks(const chance_part *part) {
  return (part->end - part->first + CHANCE_CHUNK - 1) / CHANCE_CHUNK;
}

/* The links of a stage's i-th chunk. They are valid until the same worker calls again. Errors: those of the
 * game, TAULER_INTERNAL (impossible edges), TAULER_NO_MEMORY; the asker has the message. */
tauler_error chance_edges_of(chance_edges *edges, int worker, uint64_t stage, uint64_t i, chance_links *out);

#endif
