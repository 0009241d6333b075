/* Results of la oca asesina between two players who choose by simple rules, by plain sweeps. */
#ifndef NAIVE_ASESINA_MATCH_H
#define NAIVE_ASESINA_MATCH_H

#include "naive_asesina_solve.h"

/* The simple rules, by their names in the rules text. Of equally good moves, the one whose token is listed
 * first. */
typedef enum {
  NAIVE_ASE_RANDOM,
  NAIVE_ASE_FURTHEST,
  NAIVE_ASE_REARMOST,
  NAIVE_ASE_CAPTURE,
  NAIVE_ASE_HOME
} naive_ase_policy;

typedef struct {
  long double score; /* score of seat 1 */
  long double turns; /* turns of both, where a turn lost and all rolls in one go are one each */
} naive_ase_match;

/* From the start; seat 1 plays by the first policy. */
naive_ase_match naive_ase_play_match(const naive_ase_world *world, const naive_ase_game *game,
                                     naive_ase_policy first, naive_ase_policy second);

/* Positions in which somebody rolls and from which such play surely never ends and brings no token home. */
int naive_ase_count_endless(const naive_ase_world *world, const naive_ase_game *game, naive_ase_policy first,
                            naive_ase_policy second);

/* Which of the events a policy takes; -1: any, with even odds. */
int naive_ase_choose(const naive_ase_game *game, const naive_ase_position *position, naive_ase_policy policy,
                     const naive_ase_event *events, int count);

/* naive_ase_events, but tokens of one colour on one square count as one. */
int naive_ase_choices(const naive_ase_game *game, const naive_ase_position *position, int roll,
                      naive_ase_event events[NAIVE_ASE_MOST_TOKENS]);

#endif
