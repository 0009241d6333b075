/* Positions of la oca asesina in which nobody moves, or play need not end: all of them, by kind.
 *
 * By the rules alone, of two players with one colour each. It looks at the positions that tables hold: those
 * whose side to roll has no turns to lose. An asesina_stuck owns its arrays until asesina_stuck_close. Errors
 * are kept with the tables.
 */
#ifndef ANALYSIS_CLAIMS_GOOSE_ASESINA_STUCK_H
#define ANALYSIS_CLAIMS_GOOSE_ASESINA_STUCK_H

#include "analysis/claims/claim_tables.h"

typedef enum {
  STUCK_ROLL,      /* with some roll the side to roll has no move */
  STUCK_LABYRINTH, /* with no roll it has one: its tokens are in the labyrinth, */
  STUCK_BARRIER,   /* behind a barrier, */
  STUCK_MIXED,     /* or some here and some there */
  STUCK_FORCED,    /* with some roll a forced token cannot go back */
  STUCK_NOBODY,    /* neither side has a move with any roll, now and ever after */
  STUCK_NO_END,    /* no rolls and moves lead to an end */
  STUCK_BOTH,      /* both sides together keep play from its end, whatever is rolled */
  STUCK_SEAT_1,    /* seat 1 alone keeps play from its end against any play */
  STUCK_SEAT_2,
  STUCK_KINDS
} stuck_kind;

/* Positions, and those of each kind. */
typedef struct {
  uint64_t positions, of[STUCK_KINDS];
} stuck_count;

typedef struct {
  const claim_tables *t;
  int tokens;
  uint64_t stride;    /* distance of examined positions. Above 1, only kinds up to STUCK_NOBODY are counted */
  stuck_count stored; /* counts of the positions that are looked at */
  stuck_count played; /* counts of those that play from the start leads to */
  uint64_t shown[STUCK_KINDS]; /* number of the first position of each kind, a played one if any */
  /* Slice by slice as they are solved. */
  game_slices slices;
  uint64_t *first; /* number of each slice's first position, and one more */
  uint16_t *marks; /* [positions] a bit for each kind and more */
  uint32_t *edges; /* [positions][roll][token] number after the move, or NULL if stride > 1 */
} asesina_stuck;

/* Counts all kinds with so many tokens each. Returns false after an error, and if there are too many
 * positions. The caller calls asesina_stuck_close in any case. Errors: TAULER_NO_MEMORY. */
bool asesina_stuck_open(asesina_stuck *s, const claim_tables *t, int tokens);
void asesina_stuck_close(asesina_stuck *s);

game_place asesina_stuck_place(const asesina_stuck *s, uint64_t number);

#endif
