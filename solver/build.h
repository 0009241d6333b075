/* Building the tables of a request: slice by slice in the solving order, each written before the next
 * is begun, so that a build that was stopped at any moment goes on after its last whole table.
 *
 * build_tables owns everything it takes and gives it back; tables are written by databases/table.h,
 * whole or not at all. One call at a time per folder; it runs job->threads threads itself.
 */
#ifndef SOLVER_BUILD_H
#define SOLVER_BUILD_H

#include "databases/table.h"
#include "solver/solve.h"

/* A table that is there now. */
typedef struct {
  const char *slice, *stream;
  uint64_t positions;
  uint64_t file_bytes;
  table_digest digest; /* of the plain cells */
  bool built;          /* by this call; else it was there */
} build_table;

/* What a build costs, in processor seconds of all threads. */
typedef struct {
  double setup;        /* tables of the game */
  double solving;      /* all slices, without set-up, writing and reading back */
  double writing;      /* coding, compressing, writing and checking of tables */
  double loading;      /* tables that were there */
  double solving_wall; /* seconds by the clock of set-up and solving */
  uint64_t positions_solved;
  uint64_t peak_memory;  /* bytes of the budget */
  uint64_t solving_peak; /* bytes taken while the largest slice was solved, smaller slices left out */
} build_cost;

typedef struct {
  const game *game;
  const game_rules *rules;
  const game_request *request;
  const char *folder;
  bool depths;  /* also for scores and bounds; outcomes always have them */
  bool general; /* the general engine even where the game has a grid */
  int level;    /* of compression */
  int threads;
  memory_budget *memory;
  progress *shown;                                      /* or NULL */
  double checkpoint_interval;                           /* seconds; 0: only when stopped */
  bool (*stop)(void *user);                             /* asked between rounds and slices; NULL: never */
  void (*report)(void *user, const build_table *table); /* or NULL; called in the solving order */
  void *user;
} build_job;

/* Errors: TAULER_NO_MEMORY and TAULER_NO_SPACE (both before work starts where it can be known),
 * TAULER_IO, TAULER_DAMAGED_FILE (a table in the folder), TAULER_BAD_USAGE, TAULER_STOPPED (on request;
 * the next call goes on from there). */
tauler_error build_tables(const build_job *job, build_cost *cost, tauler_message *message);

/* What build_tables would need from an empty folder. */
typedef struct {
  uint64_t positions; /* stored, of all slices */
  uint64_t largest;   /* of one slice */
  uint64_t memory;    /* bytes */
  uint64_t disk;      /* bytes, by the bits per position of the game's larger tables */
} build_plan;

void build_plan_for(const build_job *job, const game_slices *slices, build_plan *plan);

/* Fills the texts of a table's header that follow from the game, its rules and the slice. */
void build_header(const game *game, const game_rules *rules, uint32_t slice, const char *stream,
                  table_header *header);

#endif
