/* The game of Oca for one to four players: rule sets, and what a roll or a pass makes of a position.
 *
 * A token stands on a square from 0, the start, to the last, and may have turns to lose. If a well costs no
 * turns, a token there waits until another one falls in. No token stands on the last square, where the game
 * is won, except under goose-59=bounce. Rolls decide everything: there are no choices. All functions are
 * pure. oca_open fills a game_rules; afterwards it is only read.
 */
#ifndef GAMES_OCA_RULES_H
#define GAMES_OCA_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "games/defaults.h"
#include "games/game_chance.h"
#include "games/goose_board.h"
#include "indexers/tuple_sums.h"

/* A status is a number for a token's square and its turns to lose. A roll or a pass turns it into another.
 * Statuses are ordered by rising square and, on one square, by falling number of turns to lose. So nearly
 * everything that a token does raises its number, and a pass raises it by one. Every square on which a
 * position may have a token counts, even if tokens never stop there. */
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

enum { OCA_MOST_PLAYERS = 4, OCA_GAINS = 5 };

/* The rule for a token that comes to the goose before the last square. */
typedef enum { LAST_GOOSE_WINS, LAST_GOOSE_BOUNCES, LAST_GOOSE_STAYS } last_goose;

struct game_rules {
  game_base base;
  goose_board board; /* changed by the flags */
  int dice, start;   /* first square of all tokens in `start` */
  last_goose last_goose;
  oca_statuses statuses;
  chance_gain gains[OCA_MOST_PLAYERS][OCA_GAINS][CHANCE_MOST_QUANTITIES]; /* by number of players */
};

/* The words of a game_position. */
typedef struct {
  oca_token token[OCA_MOST_PLAYERS]; /* zeros beyond the last player */
  uint8_t players, seat;             /* the seat, from 0, is that to roll */
} oca_position;

GAME_POSITION(oca_position, oca)

typedef struct {
  oca_position next; /* if `won`, the mover is on the last square */
  bool again;        /* the turn goes on: the same seat rolls again */
  bool won;          /* the seat that rolled has won */
} oca_step;

/* A member of game.h, in flags.c. */
GAME_MEMBER(open) oca_open;

/* In chance.c. Fills the rows of gains. */
void oca_gains_open(game_rules *rules);

/* All tokens are on the start, and the first seat is to roll. */
oca_position oca_start(const game_rules *rules, int players);

/* The number of the 6^dice rolls that have this sum; 0 if there is none. */
int oca_roll_weight(const game_rules *rules, int roll);

/* The square that a roll leads to, before that square has its effect. */
int oca_walk(const game_rules *rules, int square, int roll);

/* True if this token waits in a well until another one falls in. */
bool oca_waits(const game_rules *rules, oca_token token);

/* True if a token may be there. Only a token that is to roll, or one that a token from there freed from the
 * well, may be on the last square. */
bool oca_may_stand(const game_rules *rules, oca_token token, bool to_roll);

/* True if the seat loses its turn: it waits in the well, or has turns to lose. */
bool oca_must_pass(const game_rules *rules, const oca_position *position);

/* True if a single player is in the well, where the game never ends. */
bool oca_is_stuck(const game_rules *rules, const oca_position *position);

/* oca_pass is the turn of a seat that must pass, oca_roll that of one that need not. */
oca_position oca_pass(const game_rules *rules, const oca_position *position);
oca_step oca_roll(const game_rules *rules, const oca_position *position, int roll);

/* In statuses.c. Fills the statuses of rules that are complete otherwise. */
void oca_statuses_open(game_rules *rules);

/* The status of a token, which must be one that may be there. */
uint8_t oca_status_of(const game_rules *rules, oca_token token);

/* True if there is a position with these statuses, the player to roll first: at most one is in the well. */
bool oca_statuses_stand(const oca_statuses *statuses, int players, const uint8_t status[]);

/* Members of game.h, in text.c. */
GAME_MEMBER(parse) oca_parse;
GAME_MEMBER(print) oca_print;

#endif
