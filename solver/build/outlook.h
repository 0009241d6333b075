/* The estimate of a build: needed and available memory and disk, and time. Printed as text or JSON. */
#ifndef SOLVER_BUILD_OUTLOOK_H
#define SOLVER_BUILD_OUTLOOK_H

#include <stdio.h>

#include "base/json.h"
#include "solver/build/build.h"

/* Fills an estimate except its time. `missing` are the slices to be built, `tables` the bytes of their
 * tables. */
void build_look_ahead(const build_job *job, const build_plan *plan, const game_slices *missing,
                      uint64_t tables, build_outlook *ahead);
/* Fills the time, from small slices that are solved now. If `quickly`, nothing is solved for a build of less
 * than a minute. grid_tables as in build_plan_for. */
void build_look_at_time(const game_slices *slices, const game_slices *missing, const void *grid_tables,
                        bool quickly, build_outlook *ahead);

bool build_memory_fits(const build_outlook *ahead);
bool build_disk_fits(const build_outlook *ahead);

/* Refuses a build that does not fit. Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE. */
tauler_error build_outlook_check(const build_outlook *ahead, tauler_message *message);

void build_outlook_print(FILE *out, const build_outlook *ahead);
/* Writes the estimate as fields of an object. */
void build_outlook_fields(json_writer *json, const build_outlook *ahead);

/* The slice that is measured instead of another. In a game whose slices need no smaller ones, the game names
 * a similar smaller slice, or GAME_NO_SLICE if there is none. */
uint32_t build_slice_alike(const solve_problem *problem, uint32_t slice);

/* A measurement: small slices that were solved now, as a basis for others. If `quickly`, build_try has only
 * the memory of the plan. */
typedef struct {
  const engine *engine;
  uint64_t positions;
  double seconds;     /* processor seconds of one worker; 0: nothing could be solved */
  engine_trial tried; /* result of the last slice */
  double sweeps;      /* sweeps over each position; 0 except for games of chance */
  /* The exponent of the number of waves: twice the positions take 2^lengthening times as many waves. */
  double lengthening;
} build_trial;
void build_try(const build_job *job, const game_slices *slices, const void *grid_tables,
               const build_plan *plan, bool quickly, build_trial *done);

/* Seconds by the clock, computed from a trial; 0: not known. They are divided by all threads. The additional
 * work of shards is counted, waiting for the network is not. */
double build_seconds(const build_job *job, const game_slices *slices, const game_slices *missing,
                     const build_plan *plan, const build_trial *done);
/* Bytes between ranks, including those that only a trial can tell. */
uint64_t build_traffic(const build_job *job, const game_slices *slices, const build_plan *plan,
                       const build_trial *done);
/* True if this is certainly less than a minute. */
bool build_is_brief(const build_job *job, const game_slices *missing, const build_plan *plan);

/* In command_ask.c, which is part of the program. Prints the estimate on standard error, as an event if
 * `as_json`. */
void build_say_plan(const build_outlook *ahead, bool as_json);

/* True if a build must be confirmed: it takes more than an hour, it fits, and there is a terminal. */
bool build_has_doubts(const build_outlook *ahead);

/* Asks and waits for a line, and meanwhile calls `stop`. Errors: TAULER_STOPPED unless the answer is yes. */
tauler_error build_ask(const build_outlook *ahead, bool (*stop)(void *user), void *user,
                       tauler_message *message);

#endif
