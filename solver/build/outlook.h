/* The estimate of a build: memory and disk needed and available, and time; as text and as JSON. */
#ifndef SOLVER_BUILD_OUTLOOK_H
#define SOLVER_BUILD_OUTLOOK_H

#include <stdio.h>

#include "base/json.h"
#include "solver/build/build.h"

/* An estimate without its time. `missing` are those of the slices that are to be built, `tables` the bytes of
 * their tables. */
void build_look_ahead(const build_job *job, const build_plan *plan, const game_slices *missing,
                      uint64_t tables, build_outlook *ahead);
/* Its time, from small slices that are solved here and now; where `quickly`, nothing is solved for a build
 * that takes less than a minute. grid_tables as in build_plan_for. */
void build_look_at_time(const game_slices *slices, const game_slices *missing, const void *grid_tables,
                        bool quickly, build_outlook *ahead);

bool build_memory_fits(const build_outlook *ahead);
bool build_disk_fits(const build_outlook *ahead);

/* Refuses what does not fit. Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE. */
tauler_error build_outlook_check(const build_outlook *ahead, tauler_message *message);

void build_outlook_print(FILE *out, const build_outlook *ahead);
/* The fields of an object. */
void build_outlook_fields(json_writer *json, const build_outlook *ahead);

/* The slice that is measured in place of one: a game whose slices need no smaller ones names another that is
 * like it, or GAME_NO_SLICE if there is none. */
uint32_t build_slice_alike(const solve_problem *problem, uint32_t slice);

/* What small slices that were solved here and now say of others. `quickly`: in the memory of the plan. */
typedef struct {
  const engine *engine;
  uint64_t positions;
  double seconds;     /* of one worker's processor time; 0: nothing could be solved */
  engine_trial tried; /* of the last one */
  double sweeps;      /* over each position; 0 but for games of chance */
  double lengthening; /* so many times log2 more positions is log2 of how many times as many waves */
} build_trial;
void build_try(const build_job *job, const game_slices *slices, const void *grid_tables,
               const build_plan *plan, bool quickly, build_trial *done);

/* Seconds by the clock by a trial; 0: not known. Time is for one thread after the other: that shards have
 * more to do than a whole slice is counted, waiting for the network is not.
 */
double build_seconds(const build_job *job, const game_slices *slices, const game_slices *missing,
                     const build_plan *plan, const build_trial *done);
/* Bytes between ranks, those that only a trial knows of counted too. */
uint64_t build_traffic(const build_job *job, const game_slices *slices, const build_plan *plan,
                       const build_trial *done);
/* True if that is less than a minute for certain. */
bool build_is_brief(const build_job *job, const game_slices *missing, const build_plan *plan);

/* command_ask.c: part of the program. Prints what lies ahead on standard error, as an event where `as_json`.
 */
void build_say_plan(const build_outlook *ahead, bool as_json);

/* True if a build must be confirmed: one of more than an hour that fits, where there is a terminal. */
bool build_has_doubts(const build_outlook *ahead);

/* Asks, and waits for a line; `stop` is asked meanwhile. Errors: TAULER_STOPPED unless the answer is yes. */
tauler_error build_ask(const build_outlook *ahead, bool (*stop)(void *user), void *user,
                       tauler_message *message);

#endif
