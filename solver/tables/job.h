/* A build of the tables of a request: what is wanted, where tables are written, and what is reported about
 * them. */
#ifndef SOLVER_TABLES_JOB_H
#define SOLVER_TABLES_JOB_H

#include "databases/table.h"
#include "solver/shards/job.h"

#define BUILD_USUAL_WIDTH 1e-9

/* A table that exists now. */
typedef struct {
  const char *slice, *stream;
  uint64_t positions;
  uint64_t file_bytes;
  table_digest digest; /* digest of the plain cells */
  bool built;          /* this call built it, otherwise it existed */
} build_table;

struct build_outlook; /* see build.h */

typedef struct {
  solve_problem problem;
  workspace work;
  const game_request *request;
  const char *folder;
  bool depths; /* true for tables of depths also for scores and bounds. Outcomes have them in any case */
  /* For chance: the most that the bounds of a position may be apart. 0: BUILD_USUAL_WIDTH. */
  double width;
  /* Positions that lines of play may look at for one position and threshold. 0: OWN_ROW_USUAL_BUDGET. */
  uint64_t lines_budget;
  int level;                  /* level of compression */
  bool adaptive;              /* tables that this makes smaller are coded adaptively */
  double checkpoint_interval; /* seconds, or 0 for only when stopped */
  bool (*stop)(void *user);   /* asked between rounds and slices, or NULL */
  void (*report)(void *user, const build_table *table); /* called in the solving order, or NULL */
  /* The leading rank calls it before any work, unless it is NULL. An error that it returns ends the build. */
  tauler_error (*approve)(void *user, const struct build_outlook *ahead, tauler_message *message);
  void *user;
} build_job;

#endif
