/* A slice of chance while it is solved, and the kernels that sweep over it. Private to the solver.
 *
 * chance.c owns the arrays and decides what each sweep does. A chance_engine sweeps, with all threads and
 * ranks, and reports what it measured. general.c uses only a game's batches; columns.c calls kernels of games
 * that have them. A sweep visits positions in an order that does not depend on threads or ranks, and uses new
 * values of positions that it visited before. The arrays are therefore the same after every sweep, whatever
 * computed it.
 */
#ifndef SOLVER_ENGINES_CHANCE_SWEEPS_H
#define SOLVER_ENGINES_CHANCE_SWEEPS_H

#include "parallel/mail.h"
#include "parallel/workers.h"
#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/chance/chance.h"

/* The steps of a sweep. T x of a position is the mean over rolls of the best choice's gain + x(child); 0
 * without edges.
 * POTENTIAL: potential ← 1 + the mean over rolls of the greatest potential of a child, whatever the aim. A
 *   child in another slice or an end counts 0. Without edges it is 0.
 * PROOF: writes nothing. Refuses positions whose potential is less than what POTENTIAL would write, rounded
 *   up.
 * VALUES: lower ← T lower. Of finished slices it reads the middle of the bounds.
 * BOUNDS: lower ← max(lower, T lower rounded down), upper ← min(upper, T upper rounded up). Refuses positions
 *   if T lower, rounded down, is less than lower, or T upper, rounded up, is more than upper, unless upper is
 *   `most`.
 * ENDLESS: endless ← endless and under every roll some choice leads to an endless position of this slice.
 *   Refuses positions that are no longer endless.
 */
typedef enum { CHANCE_POTENTIAL, CHANCE_PROOF, CHANCE_VALUES, CHANCE_BOUNDS, CHANCE_ENDLESS } chance_step;

/* The result of a sweep, the same on all ranks. */
typedef struct {
  /* [quantity] VALUES: largest |T x − x|. BOUNDS: largest change of a bound. POTENTIAL: largest rise, in the
   * first. */
  double change[CHANCE_MOST_QUANTITIES];
  double width; /* BOUNDS: largest upper − lower after the sweep */
  uint64_t refused;
} chance_measures;

static inline void chance_raise_to(double *most, double value) {
  if (value > *most) *most = value;
}
/* Every rank has all arrays in full. */
typedef struct {
  const chance_job *job;
  uint32_t slice;
  uint64_t positions;
  chance_quantities quantities;
  double *lower[CHANCE_MOST_QUANTITIES]; /* the values, until bounds are computed from them */
  double *upper[CHANCE_MOST_QUANTITIES];
  float *potential; /* [positions] */
  uint8_t *endless; /* NULL unless it is being computed */
  /* If workers stay for several sweeps, the leading one of them, for which the others wait. Otherwise
   * NULL. */
  worker *lead;
  void *own; /* belongs to the chance_engine */
  mail mail; /* shares what each rank computes */
} chance_work;

void chance_measures_add(chance_measures *total, const chance_measures *part);
/* Combines the errors and measures of all ranks. `refused` becomes the largest of any rank. Collective. */
tauler_error chance_measures_combine(chance_work *work, tauler_error error, chance_measures *measures,
                                     tauler_message *message);

typedef struct {
  const char *name; /* a checkpoint of one is not resumed by another */
  /* Allocates tables and scratch from job->work.memory. */
  tauler_error (*open)(chance_work *work, tauler_message *message);
  /* Collective. All ranks return the same error and measures. */
  tauler_error (*sweep)(chance_work *work, chance_step step, chance_measures *out, tauler_message *message);
  void (*close)(chance_work *work);                        /* also after an error of open */
  uint64_t (*bytes)(const solve_job *job, uint32_t slice); /* bytes that open allocates */
  /* For workers that stay for several sweeps: their number, and what the workers other than work->lead do in
   * a sweep. `sweep` then begins with a worker_barrier of work->lead. If both are NULL, `sweep` starts
   * threads itself. */
  int (*threads)(const chance_work *work);
  void (*help)(chance_work *work, worker *self);
} chance_engine;

extern const chance_engine chance_general, chance_strips;
/* chance_strips with registers of two doubles; for tests. */
extern const chance_engine chance_strips_narrow;

/* True if the game has kernels for this slice and the job does not forbid them. */
bool chance_strips_serve(const solve_problem *problem, uint32_t slice);

/* The phase of a solve between two sweeps; chance.c begins with a diagram. CHANCE_CLOSES_ALL closes bounds
 * that started from 0 and `most`, because no better ones are known. */
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

/* The state of a solve between two sweeps. With the arrays of chance_work it is all that a solve resumes
 * from. It is plain data, the same on all ranks, and zero at first. */
typedef struct {
  uint32_t phase;
  uint32_t refusals; /* number of refused bounds, each of which doubles ε */
  uint32_t proofs;   /* number of potentials whose proof failed */
  bool hopeless;     /* no potential will be found */
  bool asked;        /* it is known whether play can be endless */
  bool asking;       /* the array `endless` exists */
  uint64_t sweeps[BUILD_SWEEPS];
  uint64_t calm;                         /* sweeps since the change of values was last a new minimum */
  uint64_t endless;                      /* number of positions */
  double change[CHANCE_MOST_QUANTITIES]; /* change of values in the last sweep */
  double first_change, least_change;     /* change of values in the first sweep, and least so far */
  double width, width_before;            /* width of bounds now, and some sweeps ago */
  double longest;                        /* largest potential */
  uint64_t reported;                     /* positions that job->work.shown has counted as done */
} chance_run;

enum { CHANCE_KEPT_POSITIONS = 1 << 14 /* positions of a unit of a checkpoint */ };

/* chance_solve with a given chance_engine; for tests. */
tauler_error chance_solve_by(const chance_engine *engine, const chance_job *job, uint32_t slice,
                             chance_slice *out, chance_effort *effort, tauler_message *message);

/* --- bounds.c: changes of whole arrays between sweeps --------------------------------------------------- */

/* The largest distance of a pair of bounds in the finished slices. */
double chance_finished_width(const chance_job *job);
double chance_largest_potential(const chance_work *work);           /* largest potential */
double chance_largest_value(const chance_work *work, int quantity); /* largest value */

/* Multiplies the potential by 7/4. It can be proven if its last rise was at most 1/3. */
void chance_raise_potential(chance_work *work);
/* bounds ← value ∓ (ε · potential + shift), within 0 … most. */
void chance_make_bounds(chance_work *work, int quantity, double epsilon, double shift);
void chance_set_trivial_bounds(chance_work *work);
void chance_set_middles(chance_work *work);

#endif
