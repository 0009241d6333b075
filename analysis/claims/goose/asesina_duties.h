/* Counts the costs of the duties to move and to jump in la oca asesina, and whether a 6 is better spent on
 * leaving the labyrinth or on another move. The values come from tables, for two players with tokens of one
 * colour each.
 *
 * A player is freed from a duty once. After that both sides keep the rules and play their best. So a figure
 * counts the rolls for which a player would be better off without a duty, not the worth of a game without it.
 * A last turn and a turn with a forced token do not count.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_DUTIES_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_DUTIES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/dice/survey.h"

typedef enum {
  DUTY_MOVE,  /* a move that the player may wish not to make */
  DUTY_JUMP,  /* a jump on that the player may wish not to make */
  DUTY_STAY,  /* a 6 with a token in the labyrinth that is better spent on another move */
  DUTY_LEAVE, /* a 6 with a token in the labyrinth that is better spent on leaving it */
  DUTIES
} duty_kind;

/* Sets *out to the position after the exception from DUTY_MOVE or DUTY_JUMP that is best for the mover.
 * Returns false if the roll allows none, for other kinds, and after an error, which is kept with the
 * tables. */
bool asesina_find_duty_exception(const claim_tables *t, const game_position *at, int roll, duty_kind kind,
                                 game_position *out);

/* Counts for each kind the rolls that offer its way to play (to pass, not to jump, to stay, to leave) and
 * another way. In `out` the other ways have the trait, so `wrong` counts rolls for which the way of the kind
 * is surely best, and costs are its least gains. Looks at the reached positions of a slice, or at all stored
 * ones if `reached` is NULL. Keeps errors with the tables. */
void asesina_count_duties(const claim_tables *t, const reached *reached, uint32_t slice,
                          survey_trait out[DUTIES]);

#endif
