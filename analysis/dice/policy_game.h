/* A game of chance and choice for two as it is when both choose by policies: there are no choices any more,
 * and two quantities, the game's own and the turns still to come. A turn is a chain of rolls of one seat, or
 * a pass.
 *
 * It has the slices, the index and the stages of the game it is made of, and is solved as any other. A policy
 * that takes any move with even odds has each roll cut into so many equal ones that every number of moves
 * divides them. Stored positions that are left out have no moves. A policy_game owns itself alone; several
 * threads may expand it at once. Private to analysis/.
 */
#ifndef ANALYSIS_DICE_POLICY_GAME_H
#define ANALYSIS_DICE_POLICY_GAME_H

#include "analysis/dice/simulate.h"
#include "analysis/slices/reached.h"

enum { POLICY_SCORE, POLICY_TURNS, POLICY_QUANTITIES };

typedef struct policy_game policy_game;

/* For a game with one quantity and with choices, in the positions of `among` alone, or in every stored one
 * (NULL). Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error policy_game_open(const game *of, const game_rules *rules, uint32_t slice, const reached *among,
                              const simulate_policy *raises, const simulate_policy *lowers, policy_game **out,
                              tauler_message *message);
void policy_game_close(policy_game *players);

/* For the solver. */
const game *policy_game_table(const policy_game *players);
const game_rules *policy_game_rules(const policy_game *players);

/* A slice may need more cuts of its rolls, which shows while it is solved: after an error this returns true
 * if rolls have been cut further and the slice must be solved again. Slices that are finished stay right. */
bool policy_game_cut(policy_game *players);

#endif
