/* The expected visits of each position in a game of chance and choice in which all players follow fixed
 * policies, and the edges of each roll.
 *
 * Sums over visits and edges are exact expectations, up to rounding and VISITS_LEFT. A visits borrows its
 * job, and owns its arrays until visits_close. Private to analysis/.
 */
#ifndef ANALYSIS_DICE_VISITS_H
#define ANALYSIS_DICE_VISITS_H

#include "analysis/dice/simulate.h"

#define VISITS_OVER UINT32_MAX

/* The largest sum of visits that may stay in a slice without being propagated. */
#define VISITS_LEFT 1e-13

typedef struct {
  uint32_t to;   /* number of the position after all passes, or VISITS_OVER */
  uint32_t note; /* result of job->note for the move */
} visits_edge;

/* The policies must pick one move; even odds are refused. */
typedef struct {
  const game *game;
  const game_rules *rules;
  const game_slices *slices;      /* slices in solving order */
  simulate_policy raises, lowers; /* policies as in simulate_job */
  uint32_t (*note)(const game_rules *rules, const game_position *position, size_t roll, size_t picked);
  memory_budget *memory;
} visits_job;

/* Visits of positions, which are numbered slice by slice in the order of the job. */
typedef struct {
  const visits_job *job;
  uint32_t *first; /* [slices + 1] number of the first position of each slice, and the number of all */
  uint32_t start;
  size_t rolls;
  double *odds;       /* [rolls] probability of each roll */
  double *times;      /* [positions] expected visits */
  visits_edge *edges; /* [positions × rolls] edges of visited positions */
} visits;

/* Computes all visits. Errors: TAULER_BAD_USAGE (no slices, too many positions, a policy of even odds),
 * TAULER_NO_MEMORY, those of the game and the policies. */
tauler_error visits_open(const visits_job *job, visits *out, tauler_message *message);
void visits_close(visits *v);

/* Returns the place in the job's list of the slice with a position. */
size_t visits_slice(const visits *v, uint32_t number);

void visits_position(const visits *v, uint32_t number, game_position *out);

#endif
