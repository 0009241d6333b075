/* Counts what the duties to move and to jump cost in la oca asesina, and whether a 6 is better spent on
 * leaving the labyrinth or on another move. The values come from tables, for two players with tokens of one
 * colour each.
 *
 * One exception from a duty is granted. After it both sides keep the rules and play as well as they can. So a
 * figure says how often a player would wish to be free of a duty, not what the game would be worth without
 * it. A last turn and a turn with a forced token are not counted.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_DUTIES_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_DUTIES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/slices/reached.h"

typedef enum {
  DUTY_MOVE,  /* a move that the player may wish not to make */
  DUTY_JUMP,  /* a jump on, in place of which the player may wish to stay where the move lands */
  DUTY_STAY,  /* a 6 with a token in the labyrinth that is better spent on another move */
  DUTY_LEAVE, /* a 6 with a token in the labyrinth that is better spent on leaving it */
  DUTIES
} duty_kind;

typedef struct {
  uint64_t choices;   /* positions and rolls */
  uint64_t better;    /* choices whose alternative is surely better than all else */
  uint64_t gain_2_32; /* sum of what that gains at least, in units of 2^-32, cut off */
  double most;        /* the largest */
  uint64_t index;     /* and where it is: of equal ones the least index, then roll */
  int roll;
} duty;

/* The position after the exception that is worth most to the mover: DUTY_MOVE or DUTY_JUMP. Returns false if
 * there is none. Errors are kept in the report of the tables, as below. */
bool asesina_duty_exception(const claim_tables *t, const game_position *at, int roll, duty_kind kind,
                            game_position *out);

/* Counts in the positions of a slice that play reaches, or in all stored ones if `reached` is NULL. */
void asesina_duties(const claim_tables *t, const reached *reached, uint32_t slice, duty out[DUTIES]);

#endif
