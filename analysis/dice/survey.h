/* All decisions of a slice of a game of dice and choice: how many are real ones, and what simple policies
 * lose. Private to analysis/.
 *
 * A decision is a position that play from the start leads to, or with `every` any stored one, and a roll,
 * each counted once whatever its chance; the player who rolls chooses, and positions without a roll have
 * none. It is a real one if some move is surely better than another: the lower bound of one is above the
 * upper bound of the other. A policy's regret at a decision is the worth of the best move less that of its
 * pick, to the player who chooses; the survey reports a lower bound, the best lower bound less the upper
 * bound of the pick.
 *
 * For each trait of moves (chance->traits) the survey counts decisions between a move with it and one
 * without, and in how many of them a move with it is wrong: the best lower bound of all moves is above the
 * upper bounds of all that have it. The difference is the least that this costs.
 */
#ifndef ANALYSIS_DICE_SURVEY_H
#define ANALYSIS_DICE_SURVEY_H

#include "analysis/dice/simulate.h"
#include "analysis/probe/chance_worth.h"
#include "analysis/slices/reached.h"
#include "parallel/workspace.h"

enum { SURVEY_MOST_POLICIES = 16, SURVEY_POSITIONS = 10000000 };

/* Regrets of a policy. `index` and `roll` say where the largest occurs, of several the first. */
typedef struct {
  const char *policy;
  bool any;           /* there is a decision at all */
  double regret;      /* the largest, at least this */
  uint64_t cost_2_32; /* the sum of all, as of traits */
  uint64_t index;
  size_t roll;
} survey_policy;

typedef struct {
  const char *trait;
  uint64_t choices;    /* decisions between a move with the trait and one without */
  uint64_t wrong;      /* choices in which every move with it is surely worse than the best */
  uint64_t right;      /* choices in which every move without it is */
  uint64_t cost_2_32;  /* sum of what the best move with it costs at least, in units of 2^-32, cut off */
  survey_policy worst; /* where it costs most */
} survey_trait;

typedef struct {
  uint64_t stride;    /* distance of the positions looked at among neighbours, 1 for all */
  bool every;         /* all stored positions count, not only those that play reaches */
  uint64_t positions; /* looked at, in which somebody rolls and chooses */
  uint64_t decisions; /* positions and rolls with a choice */
  uint64_t real_ones; /* decisions in which some move is surely worse than another */
  survey_policy policies[SURVEY_MOST_POLICIES];
  size_t policies_used;
  survey_trait traits[CHANCE_MOST_TRAITS];
  size_t traits_used;
} survey;

/* A way to choose that is looked at besides the game's own. */
typedef struct {
  const char *name;
  simulate_policy policy;
} survey_player;

/* A lower bound on a policy's mean regret; 0 if there are no decisions. */
double survey_mean_regret(const survey *found, size_t policy);

/* A lower bound on the mean cost per choice of the best move with a trait; 0 if there are no choices. */
double survey_mean_cost(const survey_trait *trait);

/* The loss of a pick among moves, best first; −1: any of them, with even odds. Rounded down, at least 0.
 */
double survey_regret(const chance_move *ranked, size_t n, int pick);

/* The least stride at which at most SURVEY_POSITIONS of so many positions are looked at; 0 if there are
 * none. */
uint64_t survey_stride(uint64_t positions);

typedef struct {
  tauler_tables *tables;
  const reached *reached;    /* the positions that are looked at, or NULL for every stored one */
  uint64_t stride;           /* distance of the positions looked at among stored neighbours */
  const survey_player *more; /* or NULL */
  const workspace *work;     /* its ranks and `shown` are used. `shown` counts skipped neighbours as done */
} survey_job;

/* The result is the same for any number of threads and ranks, which all get it. Errors: as slice_table. */
tauler_error survey_slice(const survey_job *job, uint32_t slice, survey *out, tauler_message *message);

#endif
