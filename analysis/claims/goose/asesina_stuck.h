/* Counts of the positions of la oca asesina in which a side cannot move, or play need not end, by kind.
 *
 * They come from the rules alone, for two players with one colour each, and cover the positions that tables
 * contain: those whose side to roll has no turns to lose. An asesina_stuck owns its arrays until
 * asesina_stuck_close. Errors are kept with the tables.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_STUCK_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_STUCK_H

#include "analysis/claims/goose/asesina_scores.h"

typedef enum {
  STUCK_ROLL,      /* the side to roll has no move under some roll */
  STUCK_LABYRINTH, /* it has no move under any roll, with all tokens in the labyrinth */
  STUCK_BARRIER,   /* it has no move under any roll, with no token in the labyrinth */
  STUCK_MIXED,     /* it has no move under any roll, with some tokens in the labyrinth */
  STUCK_FORCED,    /* a forced token cannot go back under some roll */
  STUCK_NOBODY,    /* neither side has a move under any roll, now or later */
  STUCK_NO_END,    /* no rolls and moves lead to an end */
  STUCK_BOTH,      /* both sides together can keep play from its end under all rolls */
  STUCK_SEAT_1,    /* seat 1 alone can keep play from its end under all rolls and against any play */
  STUCK_SEAT_2,    /* seat 2 alone can keep play from its end under all rolls and against any play */
  STUCK_KINDS
} stuck_kind;

typedef struct {
  uint64_t positions, of[STUCK_KINDS];
} stuck_count;

typedef struct {
  const claim_tables *t;
  int tokens;
  uint64_t stride; /* one of `stride` indexes is examined. Above 1, only kinds to STUCK_NOBODY are counted */
  stuck_count stored;
  stuck_count played;          /* counts of those that play reaches from the start, or 0 if stride > 1 */
  uint64_t shown[STUCK_KINDS]; /* number of the first position of each kind, a reached one if any */
  asesina_table at;            /* slices of `tokens` tokens each */
  uint16_t *marks;             /* [positions] a bit for each kind, and STORED */
  uint32_t *edges;             /* [positions][roll][token] number after the move, or NULL if stride > 1 */
} asesina_stuck;

/* Counts all kinds for `tokens` tokens each. Returns false after an error, or if there are too many
 * positions. The caller always calls asesina_stuck_close. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL, those of
 * the game. */
bool asesina_stuck_open(asesina_stuck *s, claim_tables *t, int tokens);
void asesina_stuck_close(asesina_stuck *s);

#endif
