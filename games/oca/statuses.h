/* The statuses of a token, square and turns to lose, as numbers, and what a roll or a pass makes of each.
 *
 * A status comes behind another one if its square does or, on the same square, fewer turns are to be lost; so
 * that nearly everything that a token does raises its number, and a pass by one. Every square counts on which
 * a position may have a token, also where play never leaves one. An oca_statuses is part of a game_rules.
 */
#ifndef GAMES_OCA_STATUSES_H
#define GAMES_OCA_STATUSES_H

#include "games/game.h"
#include "games/goose_board.h"
#include "indexers/tuple_sums.h"

enum { OCA_MOST_STATUSES = TUPLE_MOST_DIGITS, OCA_MOST_ROLLS = 11, OCA_NO_STATUS = -1 };

typedef struct {
  uint8_t square, lost; /* lost: turns still to lose */
} oca_token;

/* The effect of a roll: the turn ends, or it ends in the well (a token that waits there goes free), or it
 * goes on, or the game is won. */
typedef enum { OCA_STANDS, OCA_FALLS, OCA_ROLLS_AGAIN, OCA_WINS } oca_effect;

typedef struct {
  uint8_t status, effect;
} oca_outcome;

typedef struct {
  int used;
  int well;     /* of a token that waits in it, or OCA_NO_STATUS */
  int mid_turn; /* that only the player to roll may have, or OCA_NO_STATUS */
  oca_token token[OCA_MOST_STATUSES];
  bool passes[OCA_MOST_STATUSES];                         /* its turn is lost */
  uint8_t passed[OCA_MOST_STATUSES];                      /* the status after that */
  uint8_t without[GOOSE_LONGEST + 1];                     /* on a square, without turns to lose */
  oca_outcome outcome[OCA_MOST_STATUSES][OCA_MOST_ROLLS]; /* by ordinals of rolls */
  tuple_sums sums; /* numbers of positions, a status a digit, the player to roll first */
} oca_statuses;

/* Fills those of rules that have everything else. */
void oca_statuses_open(game_rules *rules);

/* The token must be one that may stand. */
uint8_t oca_status_of(const game_rules *rules, oca_token token);

/* True if there is a position with these statuses, the player to roll first: at most one in the well. */
bool oca_statuses_stand(const oca_statuses *statuses, int players, const uint8_t status[]);

#endif
