/* The game of Oca for one to four players: rule sets, and what a roll or a pass makes of a position.
 *
 * A token stands on 0, the start, … the last square, and may have turns to lose. One that stands in a well
 * of no turns waits there until another token falls in. No token stands on the last square, where the game is
 * won, save under goose-59=bounce. The rolls decide everything: there are no choices. Pure functions
 * over values; a game_rules is filled by oca_open and only read from then on.
 */
#ifndef GAMES_OCA_RULES_H
#define GAMES_OCA_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "games/defaults.h"
#include "games/game_chance.h"
#include "games/goose_board.h"
#include "games/oca/statuses.h"

enum { OCA_MOST_PLAYERS = 4, OCA_GAINS = 5 };

/* The rule for a token that comes to the goose before the last square. */
typedef enum { LAST_GOOSE_WINS, LAST_GOOSE_BOUNCES, LAST_GOOSE_STAYS } last_goose;

struct game_rules {
  game_base base;
  goose_board board; /* as the flags have changed it */
  int dice, start;   /* start: the square of all tokens at first */
  last_goose last_goose;
  oca_statuses statuses;
  chance_gain gains[OCA_MOST_PLAYERS][OCA_GAINS][CHANCE_MOST_QUANTITIES]; /* by players */
};

/* Laid over the words of a game_position. */
typedef struct {
  oca_token token[OCA_MOST_PLAYERS]; /* zero where there is no player */
  uint8_t players, seat;             /* seat: whose turn it is, from 0 */
} oca_position;

GAME_POSITION(oca_position, oca)

typedef struct {
  oca_position next; /* the mover on the last square if `won` */
  bool again;        /* the same turn goes on with another roll of the same seat */
  bool won;          /* by the seat that rolled */
} oca_step;

/* flags.c. `name` as on the command line, NULL for base. Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY. */
tauler_error oca_open(const char *name, const char *cycles, game_rules **out, tauler_message *message);

/* chance.c. Fills the rows of gains. */
void oca_gains_open(game_rules *rules);

/* All tokens on the start, the first seat to roll. */
oca_position oca_start(const game_rules *rules, int players);

/* In how many of the 6^dice ways a sum comes up, 0: never. */
int oca_roll_weight(const game_rules *rules, int roll);

/* The square that a roll leads to, whatever happens there. */
int oca_walk(const game_rules *rules, int square, int roll);

/* True if this token waits in a well until another one falls in. */
bool oca_waits(const game_rules *rules, oca_token token);

/* True if a token may be there: on the last square only one that is to roll, or one freed from the well by a
 * token from there. */
bool oca_may_stand(const game_rules *rules, oca_token token, bool to_roll);

/* True if the turn of the seat is lost: it waits in the well, or has turns to lose. */
bool oca_must_pass(const game_rules *rules, const oca_position *position);

/* True if a player alone is in the well, where the game never ends. */
bool oca_is_stuck(const game_rules *rules, const oca_position *position);

/* The turn of a seat that must pass, and a roll of one that need not. */
oca_position oca_pass(const game_rules *rules, const oca_position *position);
oca_step oca_roll(const game_rules *rules, const oca_position *position, int roll);

/* text.c; for game.h. */
tauler_error oca_parse(const game_rules *rules, const char *text, game_position *out,
                       tauler_message *message);
void oca_print(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]);

#endif
