/* Exercises from tables: a position in which only one move keeps the value, and another one looks as good.
 * Private to analysis/serve.
 *
 * How a move looks comes from the rules (game_play.eager): what it captures at once, then what a search tries
 * first; with dice, what a simple policy of the game chooses. Positions are examined in runs of neighbours,
 * which are in the same frames, at places that the seed determines. The effort is limited, and the same
 * tables and seed give the same exercise on every machine.
 */
#ifndef ANALYSIS_SERVE_EXERCISE_H
#define ANALYSIS_SERVE_EXERCISE_H

#include "analysis/probe/probe_tables.h"

enum { EXERCISE_GRADES = 3, EXERCISE_NO_PLIES = -1 };

typedef struct {
  uint32_t slice;
  uint64_t positions; /* positions of the slice */
  uint64_t seed;
  int grade;             /* 1 … EXERCISE_GRADES, or 0 for any */
  tauler_tables *unlike; /* rules of the same game that give the position another value, or NULL if that is
                            not required */
} exercise_wanted;

/* plies: the look-ahead that distinguishes the right move: to the end of a win, otherwise to the last loss;
 * if tables have no plies to the end, until captures show it. With dice there are none, and the loss of the
 * natural move determines the grade. */
typedef struct {
  tauler_answer *answer; /* the answer, which the caller frees, or NULL if none was found */
  const char *roll; /* with dice the roll, otherwise NULL. The members from here on belong to the answer */
  const tauler_move *right, *natural; /* natural: looks as good, and is wrong */
  int grade, plies;                   /* EXERCISE_NO_PLIES: beyond the look-ahead */
  uint64_t looked;                    /* number of positions */
} exercise;

/* Errors: TAULER_BAD_USAGE (a game of dice without choices), those of tauler_probe. */
tauler_error exercise_find(tauler_tables *tables, const exercise_wanted *wanted, exercise *out,
                           tauler_message *message);

#endif
