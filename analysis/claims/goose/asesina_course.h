/* Means over games of la oca asesina between two equal players: captures, long turns, leads and wins. They
 * are exact, or estimates from games played out.
 *
 * Every figure is a ratio, such as captures to rolls. Exact ones are those of best play by tables, propagated
 * from the start through all positions; estimates have a standard error.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_COURSE_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_COURSE_H

#include "analysis/claims/goose/asesina_scores.h"

enum {
  COURSE_TOKENS = 4, /* largest number of tokens of each player */
  COURSE_PHASES = 2 * COURSE_TOKENS - 1,
  COURSE_LONGEST = 8, /* largest number of rolls of a turn with its own ratio */
  COURSE_PAIRS = COURSE_TOKENS * COURSE_TOKENS
};

/* The numbers of ratios: one of these plus a further number. Lengths of turns are counted by the tokens that
 * the player to roll has home when the turn begins. A pair (course_pair) is a number for the tokens home of
 * both sides. */
enum {
  COURSE_CAPTURES = 0, /* captures to rolls before a side finishes, by tokens home of both */
  COURSE_ROLLS = COURSE_CAPTURES + COURSE_PHASES, /* rolls to turns, by tokens home */
  COURSE_LONG = COURSE_ROLLS + COURSE_TOKENS, /* turns of at least 2, 3 … rolls to turns (course_long) */
  COURSE_REACHED = COURSE_LONG + COURSE_TOKENS * (COURSE_LONGEST - 1), /* games that reach a pair to games */
  COURSE_BEHIND = COURSE_REACHED + COURSE_PAIRS, /* score of the side behind to games that reach the pair */
  COURSE_LEFT = COURSE_BEHIND + COURSE_PAIRS, /* games that end with 0, 1, 2 … tokens of the loser left (0
                                                 after a shared win) to games */
  COURSE_EVEN = COURSE_LEFT + COURSE_TOKENS + 1, /* lower score of both by tables, when each side first has
                                                    one token left, to games in which this happens */
  COURSE_OPEN, /* twice the lower score of every position to rolls, in exact courses only */
  COURSE_RATIOS
};

static inline int course_pair(int ahead, int behind) {
  return ahead * COURSE_TOKENS + behind;
}
static inline int course_long(int home, int rolls) {
  return COURSE_LONG + home * (COURSE_LONGEST - 1) + rolls - 2;
}

/* The sums over games of a numerator (top) and a denominator (bottom), of their squares and of their product.
 * An exact ratio has the first two sums alone, for one game. */
typedef struct {
  double top, bottom, tops, bottoms, both;
} course_ratio;

double course_mean(const course_ratio *r);           /* 0 for a denominator of 0 */
double course_standard_error(const course_ratio *r); /* 0 for an exact ratio */
void course_add(course_ratio *r, double top, double bottom);

typedef struct {
  int tokens;
  uint64_t games; /* number of games played out, or 0 for an exact course */
  course_ratio of[COURSE_RATIOS];
} asesina_course;

/* Compute the course of best play by the tables of `at`, exactly, or from `games` games played out. Errors of
 * these and of asesina_course_played are kept with the tables. */
void asesina_course_exact(const asesina_table *at, int tokens, asesina_course *out);
void asesina_course_of_best(const asesina_table *at, int tokens, uint64_t games, asesina_course *out);

/* Games of a policy to play out. `tables` have the positions in which each side has one token left: as they
 * are or, if `reduces`, reduced to one token each. */
typedef struct {
  const simulate_policy *policy;
  uint64_t games;
  tauler_tables *tables;
  bool reduces;
} course_play;
void asesina_course_played(const asesina_table *at, int tokens, const course_play *play, asesina_course *out);

/* --- parts of exact and of played courses --- */

/* Returns a move as a number: captures, whether the turn ends, and, if the game is over, the tokens that the
 * loser has left, 0 for a shared win. */
enum { COURSE_TAKEN = 3, COURSE_ENDS_TURN = 4, COURSE_LEFT_SHIFT = 3 };
uint32_t course_encode_move(const game_rules *rules, const game_position *game, size_t roll, size_t picked);

typedef struct {
  int home[2];   /* tokens home of each seat */
  bool one_each; /* true if each side has one token left */
  int pair;      /* course_pair, or −1 if a side has finished */
  int leader;    /* seat with more tokens home, or −1 if both have as many */
} course_standing;
course_standing course_find_standing(const game_rules *rules, uint32_t slice, int tokens);

/* Sets *out to the lower score of both sides, by the middle of its bounds. Errors: those of
 * chance_values_of. */
tauler_error course_lower_score(tauler_tables *tables, const game_position *position, double *out,
                                tauler_message *message);

#endif
