/* Private to the solver: a slice of chance under work, and the engines that sweep over it.
 *
 * chance.c owns the arrays and says what each sweep is to do; an engine does it, with all threads and ranks,
 * and says what it found. general.c knows nothing but a game's batches; columns.c calls kernels of games that
 * have them. An engine works off positions in an order of its own that does not depend
 * on threads or ranks, and sees what became of those before in the same sweep; so arrays are the same after
 * every sweep.
 */
#ifndef SOLVER_ENGINES_CHANCE_SWEEPS_H
#define SOLVER_ENGINES_CHANCE_SWEEPS_H

#include "parallel/workers.h"
#include "solver/engines/chance/chance.h"

/* T x of a position: the mean over rolls of the best choice's gain + x(child); 0 without edges.
 * POTENTIAL: potential ← 1 + the mean over rolls of the greatest potential of a child, whatever the aim; a
 *   child in another slice or an end counts 0. Without edges it is 0.
 * PROOF: nothing is written; positions whose potential is less than the same, rounded up, are refused.
 * VALUES: lower ← T lower; of finished slices the middle of the bounds.
 * BOUNDS: lower ← max(lower, T lower rounded down), upper ← min(upper, T upper rounded up); positions where
 *   T lower, rounded down, is less than lower, or T upper, rounded up, more than upper are refused, but none
 *   for an upper bound that is `most`.
 * ENDLESS: endless ← endless and under every roll there is a choice that leads to a position
 *   of this slice that is endless; positions that cease to be are refused. */
typedef enum { CHANCE_POTENTIAL, CHANCE_PROOF, CHANCE_VALUES, CHANCE_BOUNDS, CHANCE_ENDLESS } chance_step;

/* The result of a sweep, on all ranks. */
typedef struct {
  double change[CHANCE_MOST_QUANTITIES]; /* VALUES: largest |T x − x|; BOUNDS: the largest step of a bound;
                                            POTENTIAL: the largest rise, in the first */
  double width;                          /* BOUNDS: largest upper − lower after it */
  uint64_t refused;
} chance_round;

static inline void chance_raise_to(double *most, double value) {
  if (value > *most) *most = value;
}
/* All arrays are there in full on every rank. */
typedef struct {
  const chance_job *job;
  uint32_t slice;
  uint64_t positions;
  chance_quantities quantities;
  double *lower[CHANCE_MOST_QUANTITIES]; /* the values, until bounds are made of them */
  double *upper[CHANCE_MOST_QUANTITIES];
  float *potential;
  uint8_t *endless; /* NULL but where it is asked for */
  worker *lead; /* of the workers that is there for sweeps, whose others wait to help; NULL: there is none */
  void *own;    /* of the engine */
  comm_buffer *buffers; /* to all ranks and from them; NULL: there is one */
} chance_work;

/* --- round.c: what workers and ranks find in a sweep, and what they make --- */

void chance_round_add(chance_round *total, const chance_round *part);
/* The errors and rounds of all ranks; `refused` becomes that of one which has most. Collective. */
tauler_error chance_round_combine(chance_work *work, tauler_error error, chance_round *round,
                                  tauler_message *message);

/* An array of which each rank has made the items from first(of, rank) to first(of, rank + 1). */
typedef struct {
  void *array;
  size_t item_bytes;
  uint64_t (*first)(const void *of, int rank);
  const void *of;
} chance_shared;

/* Has the items of all ranks reach all. Collective. */
tauler_error chance_share(chance_work *work, const chance_shared *parts, int n, tauler_message *message);
tauler_error chance_sharing_open(chance_work *work, tauler_message *message);
uint64_t chance_sharing_bytes(const solve_job *job);

typedef struct {
  const char *name; /* what one keeps another does not take up */
  /* Tables and scratch, from job->work.memory. */
  tauler_error (*open)(chance_work *work, tauler_message *message);
  /* Collective; all ranks get the same error and round. */
  tauler_error (*sweep)(chance_work *work, chance_step step, chance_round *out, tauler_message *message);
  void (*close)(chance_work *work);                        /* also after a failed open */
  uint64_t (*bytes)(const solve_job *job, uint32_t slice); /* what open takes */
  /* For workers that stays for many sweeps: how large it is to be; and what its others do in one, which
   * begins with a worker_barrier of work->lead in `sweep`. Both NULL: `sweep` starts threads itself. */
  int (*threads)(const chance_work *work);
  void (*help)(chance_work *work, worker *self);
} chance_engine;

extern const chance_engine chance_general, chance_strips;
/* chance_strips as it is where registers hold two doubles; for tests. */
extern const chance_engine chance_strips_narrow;

/* True if the game has kernels for this slice, and the job wants them. */
bool chance_strips_serve(const solve_problem *problem, uint32_t slice);

/* The phase of a solve between two sweeps. CLOSES_ALL: bounds that start from 0 and `most`, where nothing
 * better is known. */
typedef enum {
  CHANCE_FINDS_POTENTIAL,
  CHANCE_PROVES_POTENTIAL,
  CHANCE_ASKS_ENDLESS,
  CHANCE_FINDS_VALUES,
  CHANCE_PROVES_BOUNDS,
  CHANCE_CLOSES_IN,
  CHANCE_CLOSES_ALL,
  CHANCE_IS_DONE
} chance_phase;

/* The state of a solve between two sweeps; with the arrays of chance_work it is all that a solve goes on
 * from, and the same on all ranks. Plain data, zeros at first. */
typedef struct {
  uint32_t phase;
  uint32_t refusals; /* of bounds; each doubles ε */
  uint32_t proofs;   /* of potentials that failed */
  bool hopeless;     /* no potential will be found */
  bool asked;        /* whether play can go on for ever */
  bool asking;       /* the array of what is endless is there */
  uint64_t potential_sweeps, value_sweeps, bound_sweeps;
  uint64_t calm;                         /* sweeps since the values last changed by less than ever */
  uint64_t endless;                      /* positions */
  double change[CHANCE_MOST_QUANTITIES]; /* of values in the last sweep */
  double first_change, least_change;     /* of values */
  double width, width_before;            /* of bounds; some sweeps ago */
  double longest;                        /* the largest potential */
  uint64_t reported;                     /* positions reported to job->work.shown as done */
} chance_run;

/* chance_solve with an engine of one's own; for tests. */
tauler_error chance_solve_by(const chance_engine *engine, const chance_job *job, uint32_t slice,
                             chance_slice *out, chance_effort *effort, tauler_message *message);

/* --- bounds.c: what is done to whole arrays between sweeps --- */

/* The largest distance of a pair of bounds in the finished slices. */
double chance_finished_width(const chance_job *job);
double chance_longest(const chance_work *work);               /* the largest potential */
double chance_largest(const chance_work *work, int quantity); /* the largest value */
/* potential ← somewhat more than 3/2 of it, which can be proven if its last rise was ≤ 1/3. */
void chance_raise_potential(chance_work *work);
/* bounds ← value ∓ (ε · potential + shift), within 0 … most. */
void chance_make_bounds(chance_work *work, int quantity, double epsilon, double shift);
void chance_make_trivial(chance_work *work);
void chance_take_middles(chance_work *work);

#endif
