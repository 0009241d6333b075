/* The statuses of a token, square and turns to lose, as numbers, and what a roll or a pass makes of each.
 *
 * Statuses are ordered by rising square and, on one square, by falling number of turns to lose. So nearly
 * everything that a token does raises its number, and a pass raises it by one. Every square on which a
 * position may have a token counts, even if tokens never stop there. An oca_statuses is part of a game_rules.
 */
#ifndef GAMES_OCA_STATUSES_H
#define GAMES_OCA_STATUSES_H

#include "games/game.h"
#include "games/goose_board.h"
#include "indexers/tuple_sums.h"

enum { OCA_MOST_STATUSES = TUPLE_MOST_DIGITS, OCA_MOST_ROLLS = 11, OCA_NO_STATUS = -1 };

typedef struct {
  uint8_t square, lost; /* turns still to lose, in `lost` */
} oca_token;

/* The effect of a roll: the turn ends; or it ends in the well, which frees a token there; or it goes on; or
 * the game is won. */
typedef enum { OCA_STANDS, OCA_FALLS, OCA_ROLLS_AGAIN, OCA_WINS } oca_effect;

typedef struct {
  uint8_t status, effect;
} oca_outcome;

typedef struct {
  int used;
  int well;     /* status of a token that waits in the well, or OCA_NO_STATUS */
  int mid_turn; /* status that only the player to roll may have, or OCA_NO_STATUS */
  oca_token token[OCA_MOST_STATUSES];
  bool passes[OCA_MOST_STATUSES];     /* a token with this status loses its turn */
  uint8_t passed[OCA_MOST_STATUSES];  /* status after a lost turn */
  uint8_t without[GOOSE_LONGEST + 1]; /* status of a token on a square without turns to lose */
  oca_outcome outcome[OCA_MOST_STATUSES][OCA_MOST_ROLLS]; /* by ordinals of rolls */
  tuple_sums sums; /* numbers of positions. A status is a digit, and the player to roll comes first */
} oca_statuses;

/* Fills the statuses of rules that are complete otherwise. */
void oca_statuses_open(game_rules *rules);

/* The status of a token, which must be one that may be there. */
uint8_t oca_status_of(const game_rules *rules, oca_token token);

/* True if there is a position with these statuses, the player to roll first: at most one is in the well. */
bool oca_statuses_stand(const oca_statuses *statuses, int players, const uint8_t status[]);

#endif
