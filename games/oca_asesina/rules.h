/* La oca asesina: the flags of a rule set with its board, and positions.
 *
 * Squares are 0 (not yet on the board) … N, the board's length (home). Seats are 0, 1, … in C and 1, 2, … in
 * texts. ase_open fills a game_rules; afterwards only its layouts change (layout.h).
 */
#ifndef GAMES_OCA_ASESINA_RULES_H
#define GAMES_OCA_ASESINA_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "games/defaults.h"
#include "games/game_chance.h"
#include "games/game_text.h"
#include "games/goose_board.h"

enum {
  ASE_MOST_SEATS = 6,
  ASE_MOST_COLOURS = 3,
  ASE_MOST_TOKENS = 12, /* tokens of one player, all colours together */
  ASE_DIE = 6
};

typedef struct {
  bool goose_1_off;
  uint8_t colours;
  bool capture_on_final_square; /* false if a token also captures on the square where a jump starts */
  bool lost_turns_die;          /* a capture of the token that lost turns ends their loss */
  bool labyrinth_exit_rolls;
  bool home_one_left;
  bool no_death, no_lost_turns, no_overshoot, no_bounce; /* exceptions for a player's last token */
  bool no_interaction;
  bool no_last_turn;
  uint8_t players;
  uint8_t alone; /* the seat, 1 … 3, against which the other two of three play together, or 0 */
} ase_flags;

struct ase_layouts;

struct game_rules {
  game_base base;
  ase_flags flags;
  goose_board board;
  struct ase_layouts *layouts;
  chance_gain gains[1 << ASE_MOST_SEATS][CHANCE_MOST_QUANTITIES]; /* [set of winners, a bit for each seat] */
};

/* The words of a game_position; unused bytes are 0. */
typedef struct {
  uint8_t square[ASE_MOST_SEATS]
                [ASE_MOST_TOKENS]; /* squares of each seat, colour by colour, rising within a colour */
  uint8_t lost[ASE_MOST_SEATS];    /* turns still to lose */
  uint8_t culprit[ASE_MOST_SEATS]; /* square of the token that lost them, under lost-turns=die-with-token */
  uint8_t seats;
  uint8_t tokens; /* tokens of each colour */
  uint8_t seat;   /* seat to roll */
  uint8_t forced; /* 0, or 1 + the colour of the mover's token on N that is under a forced mark */
} ase_position;

GAME_POSITION(ase_position, ase)

void ase_sort(const game_rules *rules, ase_position *position);

static inline int ase_tokens(const game_rules *rules, const ase_position *position) {
  return rules->flags.colours * position->tokens;
}

static inline int ase_home(const game_rules *rules) {
  return rules->board.length;
}

/* Returns the number of a seat's tokens that are home. A forced token is not. */
int ase_tokens_home(const game_rules *rules, const ase_position *position, int seat);

/* Returns the largest number of turns that a square of the board costs. */
int ase_most_turns(const game_rules *rules);

/* Members of oca_asesina_game, in flags.c. The canonical text of the rules has flags in a fixed order and the
 * short name of a board that has one. ase_open refuses boards whose labyrinth, well or death this game does
 * not know with TAULER_BAD_USAGE. ase_board_flag takes "63", "20" or a file. */
GAME_MEMBER(board_flag) ase_board_flag;
GAME_MEMBER(open) ase_open;
GAME_MEMBER(close) ase_close;

void ase_gains_open(game_rules *rules);

/* Members of oca_asesina_game, in text.c. */
GAME_MEMBER(parse) ase_parse;
GAME_MEMBER(print) ase_print;
GAME_MEMBER(draw) ase_draw;

/* True if the rules allow the position and its game is not over. Otherwise in->why is the reason. Under
 * lost-turns=die-with-token, sets a culprit that the text does not name if only the tokens of one square can
 * have lost the turns. */
bool ase_check(const game_rules *rules, ase_position *position, game_text *in);

/* True if a text must name the token that lost a player's turns. */
bool ase_culprit_is_doubtful(const game_rules *rules, const ase_position *position, int seat);

#endif
