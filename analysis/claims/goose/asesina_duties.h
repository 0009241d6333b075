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
#include "analysis/slices/reached.h"

typedef enum {
  DUTY_MOVE,  /* a move that the player may wish not to make */
  DUTY_JUMP,  /* a jump on that the player may wish not to make */
  DUTY_STAY,  /* a 6 with a token in the labyrinth that is better spent on another move */
  DUTY_LEAVE, /* a 6 with a token in the labyrinth that is better spent on leaving it */
  DUTIES
} duty_kind;

/* Counts of a kind: of rolls with its way to play (to pass, not to jump, to stay, to leave) and other ways.
 */
typedef struct {
  uint64_t choices;   /* number of such rolls in positions */
  uint64_t better;    /* choices in which the way is surely better than all others */
  uint64_t gain_2_32; /* sum of the least gains by the way in units of 2^-32, each rounded down */
  double most;        /* largest of the least gains */
  uint64_t index;     /* least index with this gain */
  int roll;           /* least roll with this gain at the index */
} duty;

/* Sets *out to the position after the exception from DUTY_MOVE or DUTY_JUMP that is best for the mover.
 * Returns false if the roll allows none, for other kinds, and after an error, which is kept with the
 * tables. */
bool asesina_duty_exception(const claim_tables *t, const game_position *at, int roll, duty_kind kind,
                            game_position *out);

/* Counts duties in the reached positions of a slice, or in all stored ones if `reached` is NULL. Keeps errors
 * with the tables. */
void asesina_duties(const claim_tables *t, const reached *reached, uint32_t slice, duty out[DUTIES]);

#endif
