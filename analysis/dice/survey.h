/* A survey of the decisions in a slice of a game of dice and choice: the number of real ones, the regrets of
 * policies, and the costs of traits. Private to analysis/.
 *
 * A decision is a roll in a position that play reaches from the start, or with `every` in any stored one;
 * each counts once, whatever its probability. The player who rolls chooses. A decision is real if one move is
 * surely better than another: its lower bound is above the other's upper bound. The regret of a policy at a
 * decision is the worth of the best move less that of the policy's pick, to the player who chooses.
 */
#ifndef ANALYSIS_DICE_SURVEY_H
#define ANALYSIS_DICE_SURVEY_H

#include "analysis/dice/simulate.h"
#include "analysis/probe/chance_worth.h"
#include "analysis/slices/reached.h"
#include "parallel/workspace.h"

enum { SURVEY_MOST_POLICIES = 16, SURVEY_POSITIONS = 10000000 };

/* The regrets of a policy. `index` and `roll` are those of the largest one, the first of several. */
typedef struct {
  const char *policy;
  bool any;           /* true if there is a decision */
  double regret;      /* lower bound of the largest regret */
  uint64_t cost_2_32; /* sum of lower bounds of all regrets in units of 2^-32, each rounded down */
  uint64_t index;
  size_t roll;
} survey_policy;

typedef struct {
  const char *trait;
  uint64_t choices;   /* decisions between a move with the trait and one without */
  uint64_t wrong;     /* choices in which every move with it is surely worse than the best */
  uint64_t right;     /* choices in which every move without it is surely worse than the best */
  uint64_t cost_2_32; /* sum of lower bounds of what the best move with it loses, in units of 2^-32, each
                         rounded down */
  survey_policy worst;
} survey_trait;

typedef struct {
  uint64_t stride;    /* stored positions per surveyed one, 1 for all */
  bool every;         /* true if all stored positions count, not only reached ones */
  uint64_t positions; /* surveyed positions in which a player rolls and chooses */
  uint64_t decisions; /* rolls in these positions, also those with one move */
  uint64_t real_ones; /* decisions in which some move is surely worse than another */
  survey_policy policies[SURVEY_MOST_POLICIES];
  size_t policies_used;
  survey_trait traits[CHANCE_MOST_TRAITS];
  size_t traits_used;
} survey;

/* Bounds of the best of several moves. */
typedef struct {
  bool any;
  double lower, upper;
} survey_best;

void survey_raise_best(survey_best *best, tauler_worth worth);

/* Counts a decision by the best moves with and without a trait. Does nothing if one of them is missing. */
void survey_compare(const survey_best *with, const survey_best *without, uint64_t index, size_t roll,
                    survey_trait *found);

void survey_merge_trait(const survey_trait *from, survey_trait *to);

/* A policy that is surveyed besides the game's own ones. */
typedef struct {
  const char *name;
  simulate_policy policy;
} survey_player;

/* Returns a lower bound of a policy's mean regret, or 0 without decisions. */
double survey_mean_regret(const survey *found, size_t policy);

/* Returns a lower bound of what the best move with a trait costs, as a mean over all choices, or 0 without
 * choices. */
double survey_mean_cost(const survey_trait *trait);

/* Returns a lower bound of the regret of a pick among moves, best first, at least 0. A pick of −1 means a
 * random move, each with even odds. */
double survey_regret(const chance_move *ranked, size_t n, int pick);

/* Returns the least stride with at most SURVEY_POSITIONS surveyed positions, or 0 without positions. */
uint64_t survey_stride(uint64_t positions);

typedef struct {
  tauler_tables *tables;
  const reached *reached;    /* positions to survey, or NULL for every stored one */
  uint64_t stride;           /* stored positions per surveyed one */
  const survey_player *more; /* a further player, or NULL */
  const workspace *work;     /* threads, ranks, memory, and progress in stored positions */
} survey_job;

/* Surveys a slice. The result is the same on all ranks and for any number of threads. Errors: those of
 * slice_table, of the game and of the further player, TAULER_NO_MEMORY. */
tauler_error survey_slice(const survey_job *job, uint32_t slice, survey *out, tauler_message *message);

#endif
