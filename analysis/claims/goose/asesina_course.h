/* Means over games of la oca asesina between two equal players: captures, long turns, leads and wins; exact,
 * or of games played out.
 *
 * Every figure is a ratio, captures to rolls, say. Exact ones are of best play by tables, propagated from the
 * start through all positions (visits.h); others have a standard error. Nothing is owned.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_COURSE_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_COURSE_H

#include "analysis/claims/goose/asesina_scores.h"

enum {
  COURSE_TOKENS = 4, /* tokens of each player, at most */
  COURSE_PHASES = 2 * COURSE_TOKENS - 1,
  COURSE_LONGEST = 8, /* rolls of a turn that are counted apart */
  COURSE_PAIRS = COURSE_TOKENS * COURSE_TOKENS
};

/* Which ratio: one of these plus a number. Lengths of turns are by the tokens that the player to roll has
 * home when the turn begins. A pair is the larger number of tokens home times COURSE_TOKENS, plus the smaller
 * one: course_pair. */
enum {
  COURSE_CAPTURES = 0,                            /* to rolls, by tokens home of both */
  COURSE_ROLLS = COURSE_CAPTURES + COURSE_PHASES, /* to turns, by tokens home */
  COURSE_LONG = COURSE_ROLLS + COURSE_TOKENS, /* turns of at least 2, 3 … rolls, to turns: course_long */
  COURSE_REACHED = COURSE_LONG + COURSE_TOKENS * (COURSE_LONGEST - 1), /* games, by pair, to games */
  COURSE_BEHIND = COURSE_REACHED + COURSE_PAIRS, /* score of the side behind, to games reached */
  COURSE_LEFT = COURSE_BEHIND + COURSE_PAIRS,    /* games that end with so many tokens of the loser left, to
                                                    games. 0 tokens: a shared win */
  COURSE_EVEN = COURSE_LEFT + COURSE_TOKENS + 1, /* lower score of both, by tables, when each side has one
                                                    token left, to such games */
  COURSE_OPEN, /* twice the lower score of every position, to rolls, in exact courses only */
  COURSE_RATIOS
};

static inline int course_pair(int ahead, int behind) {
  return ahead * COURSE_TOKENS + behind;
}
static inline int course_long(int home, int rolls) {
  return COURSE_LONG + home * (COURSE_LONGEST - 1) + rolls - 2;
}

/* Sums over games of two numbers of each, of their squares and of their product; of exact ones the first two
 * alone, for one game. */
typedef struct {
  double top, bottom, tops, bottoms, both;
} course_ratio;

double course_mean(const course_ratio *r);           /* 0 of nothing */
double course_standard_error(const course_ratio *r); /* 0 for exact ones */
void course_add(course_ratio *r, double top, double bottom);

typedef struct {
  int tokens;
  uint64_t games; /* games played out, or 0 if exact */
  course_ratio of[COURSE_RATIOS];
} asesina_course;

/* Best play by the tables of `at`, exactly, or in so many games played out. Errors of these and of
 * asesina_course_played are kept with the tables. */
void asesina_course_exact(const asesina_table *at, int tokens, asesina_course *out);
void asesina_course_of_best(const asesina_table *at, int tokens, uint64_t games, asesina_course *out);

/* So many games played out by a policy. `tables` judge positions of one token each, to which others are
 * reduced if `reduces`. */
typedef struct {
  const simulate_policy *policy;
  uint64_t games;
  tauler_tables *tables;
  bool reduces;
} course_play;
void asesina_course_played(const asesina_table *at, int tokens, const course_play *play, asesina_course *out);

/* --- what both ways count --- */

/* A move in a number: captures, whether the turn ends, and, where the game is over, how many tokens the loser
 * has left; 0 of a shared win. */
enum { COURSE_TAKEN = 3, COURSE_ENDS_TURN = 4, COURSE_LEFT_SHIFT = 3 };
uint32_t course_note(const game_rules *rules, const game_position *game, size_t roll, size_t picked);

/* The standing of both sides in a slice. */
typedef struct {
  int home[2];
  bool one_each; /* left */
  int pair;      /* −1: a side has finished */
  int leader;    /* seat that leads, or −1 */
} course_standing;
course_standing course_stand(const game_rules *rules, uint32_t slice, int tokens);

/* The lower of both scores. Errors: of chance_values_of. */
tauler_error course_lower_score(tauler_tables *tables, const game_position *position, double *out,
                                tauler_message *message);

#endif
