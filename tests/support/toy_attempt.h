/* All slices of a random game of chance (tests/support/toy/toy_odds.h) solved one by one, for the suites of
 * solver/engines/chance/chance.h; and what holds of bounds, reckoned in long doubles. */
#ifndef TOY_ATTEMPT_H
#define TOY_ATTEMPT_H

#include "solver/engines/chance/chance.h"
#include "solver/engines/chance/sweeps.h"
#include "tests/support/toy/toy_odds.h"

/* Bytes that are enough for anything. */
#define TOY_ATTEMPT_ROOM (UINT64_C(1) << 32)

typedef struct {
  chance_job job; /* first: a watching engine finds the rest from it */
  solve_job of;
  memory_budget memory;
  chance_slice list[TOY_ODDS_SLICES];
  chance_slices finished;
  chance_effort effort[TOY_ODDS_SLICES];
  const chance_engine *engine; /* NULL: whichever serves */
  const toy_odds *toy;
  chance_step meddles; /* in the first sweep of this kind, */
  int meddled;         /* 0 to change the lower bound, 1 the upper one, 2 nothing more */
  tauler_error error;
  tauler_message message;
} toy_attempt;

toy_attempt *toy_attempt_new(const toy_odds *toy, double width, int threads, comm *comm, uint64_t room);
tauler_error toy_attempt_solve(toy_attempt *a);

/* All else aborts the test: an error, */
void toy_attempt_solve_well(toy_attempt *a);
/* bounds of a slice that do not follow from each other, */
void toy_attempt_assert_proven(const toy_attempt *a, uint32_t s);
/* or that the slow definition's values are not between, in any slice, */
void toy_attempt_assert_hold(const toy_attempt *a);
/* and cells that are not the same, bit by bit. */
void toy_attempt_assert_same(const toy_attempt *a, const toy_attempt *b, const char *how);

/* An engine that looks on: bounds only ever close in. */
chance_engine toy_attempt_watch(void);

#endif
