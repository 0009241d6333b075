/* A build of the tables of a request: what is asked for, where tables go, and what is reported of them. */
#ifndef SOLVER_TABLES_JOB_H
#define SOLVER_TABLES_JOB_H

#include "databases/table.h"
#include "solver/shards/job.h"

#define BUILD_USUAL_WIDTH 1e-9

/* A table that is there now. */
typedef struct {
  const char *slice, *stream;
  uint64_t positions;
  uint64_t file_bytes;
  table_digest digest; /* of the plain cells */
  bool built;          /* by this call; else it was there */
} build_table;

struct build_outlook; /* build.h */

typedef struct {
  solve_problem problem;
  workspace work;
  const game_request *request;
  const char *folder;
  bool depths;           /* also for scores and bounds; outcomes always have them */
  double width;          /* of chance: how far the bounds of a position may lie apart; 0: BUILD_USUAL_WIDTH */
  uint64_t lines_budget; /* positions looked at for one position and threshold by lines of play; 0:
                            OWN_ROW_USUAL_BUDGET */
  int level;             /* of compression */
  double checkpoint_interval;                           /* seconds; 0: only when stopped */
  bool (*stop)(void *user);                             /* asked between rounds and slices; NULL: never */
  void (*report)(void *user, const build_table *table); /* or NULL; called in the solving order */
  /* Or NULL; called by the rank that leads, before any work. An error that it returns ends the build. */
  tauler_error (*approve)(void *user, const struct build_outlook *ahead, tauler_message *message);
  void *user;
} build_job;

#endif
