/* The slow definition of la oca asesina, written from the rules text alone: what a seat may do with a roll.
 */
#ifndef NAIVE_ASESINA_H
#define NAIVE_ASESINA_H

#include <stdbool.h>

enum {
  NAIVE_ASE_MOST_PLAYERS = 4,
  NAIVE_ASE_MOST_TOKENS = 12,
  NAIVE_ASE_MOST_SQUARES = 64,
  NAIVE_ASE_MOST_GEESE = 20,
  NAIVE_ASE_TEXT_BYTES = 256
};

/* Squares; 0 where the board has none of a kind. The geese rise, and the last one stands on `home`. */
typedef struct {
  int home;
  int geese[NAIVE_ASE_MOST_GEESE]; /* up to a 0, or all of them */
  int bridge[2], dice[2];
  int inn, well, prison;
  int inn_turns, well_turns, prison_turns;
  int labyrinth, out_of_labyrinth, death;
} naive_ase_board;

extern const naive_ase_board naive_ase_board_63, naive_ase_board_20;

/* All zero: the default rules, one colour each. */
typedef struct {
  int colours; /* colours of each player, where 0 stands for 1 */
  bool goose_1_off, capture_final_square, lost_turns_die, labyrinth_exit_roll;
  bool one_left; /* home=one-left */
  bool no_death, no_lost_turns, no_overshoot,
      no_bounce; /* rules for a last token. All four together: immune */
  bool interaction_off, last_turn_off;
} naive_ase_rules;

typedef struct {
  naive_ase_rules rules;
  naive_ase_board board;
  int players; /* seats */
  int tokens;  /* tokens of each player, as many of each colour */
  int alone;   /* the seat, 1 … 3, of three that raises its score while the other two lower it, or 0 */
} naive_ase_game;

/* Tokens are listed colour by colour, and by rising square within each. */
typedef struct {
  int seat;   /* to roll: 0 ... players - 1 */
  int forced; /* 1 + colour of the token of `seat` that must go back from home, or 0 */
  int square[NAIVE_ASE_MOST_PLAYERS][NAIVE_ASE_MOST_TOKENS];
  int lost[NAIVE_ASE_MOST_PLAYERS];
  int culprit[NAIVE_ASE_MOST_PLAYERS]; /* square of the token that lost them if it matters, else 0 */
} naive_ase_position;

typedef struct {
  naive_ase_position after;
  int winners; /* a bit for each seat that shares the win, or 0 if the game goes on, with after.seat to roll
                */
  int token;   /* the token that has moved, by its place in the position before, or -1 */
} naive_ase_event;

/* The game that was asked for, with everything at the start. */
naive_ase_position naive_ase_start(void);
int naive_ase_colour(const naive_ase_game *game, int token);
bool naive_ase_must_pass(const naive_ase_position *position);
naive_ase_event naive_ase_pass(const naive_ase_game *game, const naive_ase_position *position);
/* All that a seat that need not pass can make of a roll, at least one; equal ones may come twice. */
int naive_ase_events(const naive_ase_game *game, const naive_ase_position *position, int roll,
                     naive_ase_event events[NAIVE_ASE_MOST_TOKENS]);

/* "0,5/12,63 lost=0,1 seat=1", "63/2 lost=0,0 seat=1 forced", "12a,12b/0a,4b lost=0,0 seat=2". */
void naive_ase_write(const naive_ase_game *game, const naive_ase_position *position,
                     char text[NAIVE_ASE_TEXT_BYTES]);
/* False if the text is no such thing. Tokens must be sorted. Whether play can lead there is not asked. */
bool naive_ase_read(const naive_ase_game *game, const char *text, naive_ase_position *position);

#endif
