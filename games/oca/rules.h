/* The game of Oca for one to four players: rule sets, and the positions after a roll or a pass.
 *
 * A token stands on a square from 0 to the last, and may have turns to lose. If a well costs no turns, a
 * token there waits until another one falls in. No token stands on the last square, where the game is won,
 * except under goose-59=bounce. Rolls decide everything: there are no choices. oca_open fills a game_rules;
 * afterwards it is only read.
 *
 * A slice is a number of players, 1 … 4, each playing alone. Its positions are seen from the seat to roll and
 * ordered by the sum of their statuses (indexers/tuple_sums.h), so that a token that moves forward leads to a
 * greater index.
 */
#ifndef GAMES_OCA_RULES_H
#define GAMES_OCA_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "games/defaults.h"
#include "games/game_chance.h"
#include "games/goose_board.h"
#include "games/registry.h"
#include "indexers/tuple_sums.h"

/* A status is a number for a token's square and its turns to lose. Statuses are ordered by rising square and,
 * on one square, by falling number of turns to lose. So nearly everything that a token does raises its
 * number, and a pass raises it by one, unless the token waits in the well. Every square before the last has
 * statuses, even if no token stops there. */
enum { OCA_MOST_STATUSES = TUPLE_MOST_DIGITS, OCA_MOST_ROLLS = 11, OCA_NO_STATUS = -1 };

typedef struct {
  uint8_t square, lost; /* `lost`: number of turns still to lose */
} oca_token;

/* The effect of a roll. OCA_STANDS: the turn ends. OCA_FALLS: the turn ends in the well, and a token that
 * waits there is freed. OCA_ROLLS_AGAIN: the same player rolls again. OCA_WINS: the game is won. */
typedef enum { OCA_STANDS, OCA_FALLS, OCA_ROLLS_AGAIN, OCA_WINS } oca_effect;

typedef struct {
  uint8_t status, effect;
} oca_outcome;

typedef struct {
  int used;
  int well;     /* status of a token that waits in the well, or OCA_NO_STATUS */
  int mid_turn; /* status that only the player to roll may have, or OCA_NO_STATUS */
  oca_token token[OCA_MOST_STATUSES];
  bool passes[OCA_MOST_STATUSES];     /* [status] true if a token loses its turn */
  uint8_t passed[OCA_MOST_STATUSES];  /* [status] status after a lost turn */
  uint8_t without[GOOSE_LONGEST + 1]; /* [square] status of a token without turns to lose */
  oca_outcome outcome[OCA_MOST_STATUSES][OCA_MOST_ROLLS]; /* [status][ordinal of the roll] */
  tuple_sums sums; /* index of the positions: a digit is a status, the first one that of the player to roll */
} oca_statuses;

enum { OCA_MOST_PLAYERS = 4, OCA_GAINS = 5 };

/* The rule for a token on the goose before the last square. */
typedef enum { LAST_GOOSE_WINS, LAST_GOOSE_BOUNCES, LAST_GOOSE_STAYS } last_goose;

struct game_rules {
  game_base base;
  goose_board board;
  int dice, start; /* number of dice, first square of all tokens */
  last_goose last_goose;
  oca_statuses statuses;
  chance_gain gains[OCA_MOST_PLAYERS][OCA_GAINS][CHANCE_MOST_QUANTITIES]; /* [players − 1] */
};

/* The words of a game_position. */
typedef struct {
  oca_token token[OCA_MOST_PLAYERS]; /* zeros beyond the last player */
  uint8_t players, seat;             /* `seat`: seat to roll, from 0 */
} oca_position;

GAME_POSITION(oca_position, oca)

typedef struct {
  oca_position next; /* position after the roll, with the mover on the last square if it has won */
  bool again;
  bool won;
} oca_step;

oca_position oca_start(const game_rules *rules, int players);

/* Returns the square that a roll leads to, before that square has its effect. */
int oca_walk(const game_rules *rules, int square, int roll);

/* True if the token waits in a well until another token falls in. */
bool oca_waits(const game_rules *rules, oca_token token);

/* True if some position has such a token. On the last square only the token to roll may be, or one freed from
 * the well by a token that came from there. */
bool oca_may_stand(const game_rules *rules, oca_token token, bool to_roll);

/* True if the seat to roll loses its turn because its token waits in the well or has turns to lose. */
bool oca_must_pass(const game_rules *rules, const oca_position *position);

/* True if the only player waits in the well, so that the game never ends. */
bool oca_is_stuck(const game_rules *rules, const oca_position *position);

/* oca_pass returns the position after the turn of a seat that must pass; oca_roll, for any other seat, the
 * position after a roll and whether the turn or the game ends. */
oca_position oca_pass(const game_rules *rules, const oca_position *position);
oca_step oca_roll(const game_rules *rules, const oca_position *position, int roll);

/* Fills the statuses of rules whose other members, except the gains, are set (statuses.c). */
void oca_statuses_open(game_rules *rules);

/* Returns the status of a token for which oca_may_stand is true. */
uint8_t oca_status_of(const game_rules *rules, oca_token token);

/* True if some position has these statuses, that of the player to roll first: at most one token waits in the
 * well, and only the player to roll has the status mid_turn. */
bool oca_statuses_stand(const oca_statuses *statuses, int players, const uint8_t status[]);

/* In chance.c. */
extern const game_chance oca_chance;
void oca_gains_open(game_rules *rules);

/* Members of oca_game and oca_chance, in flags.c, text.c, draw.c and place.c. */
GAME_MEMBER(open) oca_open;
GAME_MEMBER(parse) oca_parse;
GAME_MEMBER(print) oca_print;
GAME_MEMBER(draw) oca_draw;
GAME_MEMBER(slices) oca_slices;
GAME_MEMBER(slice_name) oca_slice_name;
GAME_MEMBER(slice_named) oca_slice_named;
GAME_MEMBER(alike) oca_alike;
GAME_MEMBER(positions) oca_positions, oca_stages;
GAME_MEMBER(slice_of) oca_slice_of;
GAME_MEMBER(locate) oca_locate;
GAME_MEMBER(position_at) oca_position_at;
GAME_MEMBER(numbers) oca_numbers;
GAME_MEMBER(copies) oca_count_copies;
uint64_t oca_stage_first(const game_rules *rules, uint32_t slice, uint64_t stage);

#endif
