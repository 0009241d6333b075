/* Declares the state of a slice of chance while it is solved, and the engines that sweep over it. Private to
 * the solver.
 *
 * chance.c owns the arrays and chooses the step of each sweep. A chance_engine sweeps with all threads and
 * ranks and returns its measures. The engine in general.c works for all games; the one in columns.c works for
 * games with tables of strips. A sweep reads the new values of the stages that it has computed before. The
 * order of stages does not depend on threads or ranks, so neither do the arrays after a sweep. */
#ifndef SOLVER_ENGINES_CHANCE_SWEEPS_H
#define SOLVER_ENGINES_CHANCE_SWEEPS_H

#include "parallel/mail.h"
#include "parallel/workers.h"
#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/chance/chance.h"

/* The kinds of sweeps. T x of a position is the mean over rolls of the best choice's gain + x(child), or 0
 * without edges.
 * POTENTIAL: potential ← 1 + the mean over rolls of the greatest potential of a child, whatever the aim. A
 *   child in another slice or an end counts 0. Without edges it is 0.
 * PROOF: writes nothing. Refuses positions whose potential is less than what POTENTIAL would write, rounded
 *   up.
 * VALUES: lower ← T lower. From finished slices it reads the middle of the bounds.
 * BOUNDS: lower ← max(lower, T lower rounded down), upper ← min(upper, T upper rounded up). Refuses positions
 *   if T lower, rounded down, is less than lower, or T upper, rounded up, is more than upper, unless upper is
 *   `most`.
 * ENDLESS: endless ← endless and under every roll some choice leads to an endless position of this slice.
 *   Refuses positions that are no longer endless.
 */
typedef enum { CHANCE_POTENTIAL, CHANCE_PROOF, CHANCE_VALUES, CHANCE_BOUNDS, CHANCE_ENDLESS } chance_step;

/* The result of a sweep, the same on all ranks. */
typedef struct {
  /* [quantity] VALUES: largest |T x − x|. BOUNDS: largest change of a bound. POTENTIAL: change[0] is the
   * largest rise. */
  double change[CHANCE_MOST_QUANTITIES];
  double width; /* BOUNDS: largest upper − lower after the sweep */
  uint64_t refused;
} chance_measures;

static inline void chance_raise_to(double *most, double value) {
  if (value > *most) *most = value;
}

/* The arrays of a slice while it is solved. Every rank has all of them whole. */
typedef struct {
  const chance_job *job;
  uint32_t slice;
  uint64_t positions;
  chance_quantities quantities;
  double *lower[CHANCE_MOST_QUANTITIES]; /* lower bounds, or values until bounds are made from them */
  double *upper[CHANCE_MOST_QUANTITIES];
  float *potential; /* [positions] potential, or NULL if the solve starts from trivial bounds */
  uint8_t *endless; /* [positions] marks of endless play, or NULL while they are not computed */
  /* Leading worker if workers stay for several sweeps, otherwise NULL. */
  worker *lead;
  void *own;
  mail mail;
} chance_work;

void chance_measures_add(chance_measures *total, const chance_measures *part);
/* Combines the errors and measures of all ranks. `refused` becomes the largest of any rank. Collective. */
tauler_error chance_measures_combine(chance_work *work, tauler_error error, chance_measures *measures,
                                     tauler_message *message);

typedef struct {
  const char *name; /* part of the identity of a checkpoint */
  tauler_error (*open)(chance_work *work, tauler_message *message);
  /* Makes a sweep and sets *out. The error and, without one, *out are the same on all ranks. Collective. */
  tauler_error (*sweep)(chance_work *work, chance_step step, chance_measures *out, tauler_message *message);
  /* Also called after an error of `open`. */
  void (*close)(chance_work *work);
  uint64_t (*bytes)(const solve_job *job, uint32_t slice);
  /* If workers stay for several sweeps, `threads` returns their number, and workers other than work->lead
   * call `help` in each sweep; `sweep` then begins with a worker_barrier of work->lead. If both are NULL,
   * `sweep` itself starts threads. */
  int (*threads)(const chance_work *work);
  void (*help)(chance_work *work, worker *self);
} chance_engine;

extern const chance_engine chance_general, chance_strips;
/* chance_strips with the kernel for all processors, for tests. */
extern const chance_engine chance_strips_narrow;

/* True if the game has tables of strips for this slice, its only quantity is chosen and has a `most` of 1,
 * and the problem's engine is not chance-edges. */
bool chance_strips_serve(const solve_problem *problem, uint32_t slice);

/* Computes one strip of lanes, with all rows, in a sweep: both bounds or, if `endless`, marks of endless
 * play. Adds its measures to *measures. Any number of threads may work on strips of one stage, each with its
 * own scratch. */
typedef struct strip_scratch strip_scratch;
typedef void strip_kernel(const strip_section *section, uint32_t strip, const chance_work *work, bool endless,
                          strip_scratch *scratch, chance_measures *measures);

/* Returns the kernel for registers of eight doubles, or NULL if the processor or this build has none. */
strip_kernel *strip_relax_wide(void);

/* The phase of a solve between two sweeps. A diagram in chance.c shows their order. */
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

/* The state of a solve between two sweeps. A solve resumes from it and the arrays of chance_work. It contains
 * no pointers, is the same on all ranks, and starts as zeros. */
typedef struct {
  uint32_t phase;
  uint32_t refusals; /* number of failed proofs of bounds, each of which doubles ε */
  uint32_t proofs;   /* number of potentials whose proof failed */
  bool hopeless;
  bool asked;  /* true if it is known from which positions play can be endless */
  bool asking; /* true while the array `endless` exists */
  uint64_t sweeps[BUILD_SWEEPS];
  uint64_t calm; /* sweeps since the change of values last reached a new minimum */
  uint64_t endless;
  double change[CHANCE_MOST_QUANTITIES]; /* change of values in the last sweep */
  double first_change, least_change;     /* change of values in the first sweep, and least so far */
  double width, width_before;            /* width of bounds now, and some sweeps ago */
  double longest;
  uint64_t reported;
} chance_run;

enum { CHANCE_KEPT_POSITIONS = 1 << 14 };

/* Does the same as chance_solve, but with the given engine. Declared for tests. */
tauler_error chance_solve_by(const chance_engine *engine, const chance_job *job, uint32_t slice,
                             chance_slice *out, chance_effort *effort, tauler_message *message);

/* --- functions of bounds.c on whole arrays, called between sweeps --- */

double chance_finished_width(const chance_job *job);
double chance_largest_potential(const chance_work *work);
double chance_largest_value(const chance_work *work, int quantity);

void chance_raise_potential(chance_work *work);
/* Sets the bounds of each value to value ∓ (ε · potential + shift), within 0 … most. */
void chance_make_bounds(chance_work *work, int quantity, double epsilon, double shift);
void chance_set_trivial_bounds(chance_work *work);
void chance_set_middles(chance_work *work);

#endif
