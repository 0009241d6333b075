/* Declares the job of a build: the request, the folder, the options, and the report of each table. */
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
  table_digest digest;
  bool built; /* true if this build made it, false if it existed */
} build_table;

struct build_outlook; /* see build.h */

typedef struct {
  solve_problem problem;
  workspace work;
  const game_request *request;
  const char *folder;
  bool depths; /* true if scores and bounds get tables of depths. Outcomes have them in any case */
  /* In games of dice, the largest difference of a position's bounds, or 0 for BUILD_USUAL_WIDTH. */
  double width;
  /* Most positions of a search of lines of play (lines/lines.h), or 0 for OWN_ROW_USUAL_BUDGET. */
  uint64_t lines_budget;
  int level;
  bool adaptive;              /* true if tables are coded adaptively when that makes them smaller */
  double checkpoint_interval; /* seconds between checkpoints, or 0 if only a stopped build saves one */
  bool (*stop)(void *user);   /* true if the build must stop after this round or slice, or NULL */
  void (*report)(void *user, const build_table *table); /* reports tables in the order of solving, or NULL */
  /* Approves the outlook. The leading rank calls it before any work, unless it is NULL. Its error ends the
   * build. */
  tauler_error (*approve)(void *user, const struct build_outlook *ahead, tauler_message *message);
  void *user;
} build_job;

#endif
