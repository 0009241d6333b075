/* Exercises out of tables: a position where one move alone keeps the value, and another one looks as good.
 * Private to analysis/serve.
 *
 * Looks are the rules' own (game_play.eager): what is captured at once, then what a search tries first; with
 * dice, what a simple policy of the game chooses. Positions are looked at in runs of neighbours, which lie in
 * the same frames, from places that the seed decides. Within a fixed effort: the same tables and the same
 * seed give the same exercise on every machine.
 */
#ifndef ANALYSIS_SERVE_EXERCISE_H
#define ANALYSIS_SERVE_EXERCISE_H

#include "analysis/probe/probe_tables.h"

enum { EXERCISE_GRADES = 3, EXERCISE_NO_PLIES = -1 };

typedef struct {
  uint32_t slice;
  uint64_t positions; /* of the slice */
  uint64_t seed;
  int grade;             /* 1 … EXERCISE_GRADES; 0: any */
  tauler_tables *unlike; /* rules of the same game that give the position another value; NULL: any may */
} exercise_wanted;

/* plies: the look-ahead that tells the right move from the others: to the end of a win, else to the last
 * loss; where tables have no plies to the end, until captures tell. With dice there are none; the loss of the
 * natural move decides the grade. */
typedef struct {
  tauler_answer *answer;              /* NULL: none was found; freed by the caller */
  const char *roll;                   /* of dice, else NULL; all these belong to the answer */
  const tauler_move *right, *natural; /* the one that looks as good, and is wrong */
  int grade, plies;                   /* EXERCISE_NO_PLIES: not within sight */
  uint64_t looked;                    /* positions */
} exercise;

/* Errors: TAULER_BAD_USAGE (a game of dice without choices), as tauler_probe. */
tauler_error exercise_find(tauler_tables *tables, const exercise_wanted *wanted, exercise *out,
                           tauler_message *message);

#endif
