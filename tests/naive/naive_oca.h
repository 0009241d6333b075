/* The slow definition of the juego de la oca, written from the rules text alone: rolls and passes, positions
 * as text. */
#ifndef NAIVE_OCA_H
#define NAIVE_OCA_H

#include <stdbool.h>

enum {
  NAIVE_OCA_HOME = 63,
  NAIVE_OCA_WELL = 31,
  NAIVE_OCA_MOST_PLAYERS = 4,
  NAIVE_OCA_TEXT_BYTES = 64,
  NAIVE_OCA_NOBODY = -1
};

typedef enum { NAIVE_OCA_WIN, NAIVE_OCA_BOUNCE, NAIVE_OCA_STAY } naive_oca_last_goose;

/* All zero: the default rules. */
typedef struct {
  bool two_dice, start_1, goose_1_off, inn_1, prison_2, labyrinth_30, death_start, well_off;
  naive_oca_last_goose goose_59;
} naive_oca_rules;

/* A token on the well's square is in the well, unless there is none. On 63 stands only one that must go back
 * with the next roll of its turn. */
typedef struct {
  int square, lost;
} naive_oca_token;

typedef struct {
  int players, seat; /* to roll: 0 ... players - 1 */
  naive_oca_token token[NAIVE_OCA_MOST_PLAYERS];
} naive_oca_position;

typedef struct {
  naive_oca_position after; /* the token that wins stands on 63 */
  int winner;               /* a seat, or nobody yet */
  bool turn_ends;
} naive_oca_event;

naive_oca_position naive_oca_start(const naive_oca_rules *rules, int players);
bool naive_oca_must_pass(const naive_oca_rules *rules, const naive_oca_position *position);
naive_oca_event naive_oca_pass(const naive_oca_rules *rules, const naive_oca_position *position);
/* Of a seat that need not pass. */
naive_oca_event naive_oca_roll(const naive_oca_rules *rules, const naive_oca_position *position, int roll);
/* In how many of 6 or 36 cases that roll comes; 0: never. */
int naive_oca_cases(const naive_oca_rules *rules, int roll);
/* Turns that a square takes away. */
int naive_oca_turns_lost(const naive_oca_rules *rules, int square);
/* Whether these rules know such a position. */
bool naive_oca_is_position(const naive_oca_rules *rules, const naive_oca_position *position);

/* "oca:12,19~2/1" */
void naive_oca_write(const naive_oca_position *position, char text[NAIVE_OCA_TEXT_BYTES]);
/* False if the text is no position. */
bool naive_oca_read(const naive_oca_rules *rules, const char *text, naive_oca_position *position);

#endif
