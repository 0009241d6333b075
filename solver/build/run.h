/* Private to the build: what its files share, and the ways to go through the slices: whole ones in one
 * process (build_whole.c), shares of them over ranks or with the disk (build_shares.c), whole ones of games
 * with words side by side over threads and ranks (build_words.c), and those of games of chance, whole on
 * every rank (build_chance.c).
 */
#ifndef SOLVER_BUILD_RUN_H
#define SOLVER_BUILD_RUN_H

#include "databases/folder.h"
#include "solver/build/build.h"
#include "solver/tables/slice_tables.h"

typedef struct build_run build_run;

/* `load` has the values of the i-th slice at hand for those behind it; `solve` makes the tables of it that
 * are missing as well. `go_through` does all of that for all slices, in its own order, where it is not NULL.
 * `close` gives everything back, also after a failed `open` or none. With ranks all are collective. */
typedef struct {
  tauler_error (*open)(build_run *run, tauler_message *message);
  tauler_error (*load)(build_run *run, size_t i, tauler_message *message);
  tauler_error (*solve)(build_run *run, size_t i, tauler_message *message);
  tauler_error (*go_through)(build_run *run, tauler_message *message);
  void (*close)(build_run *run);
} build_way;

extern const build_way build_whole, build_shares, build_words, build_chance;

struct build_run {
  const build_job *job;
  solve_job solving;
  game_slices slices;
  size_t needed; /* of them, up to the last that is missing */
  const build_way *way;
  finished_slices finished;    /* whole slices */
  packed_slices *packed;       /* those in shares */
  struct words_run *words;     /* those in words */
  struct chance_build *chance; /* those of chance */
  void *grid_tables;
  uint64_t overhead;             /* bytes charged for what no budget is asked for */
  bool *has_values, *has_depths; /* by place in slices */
  bool wants_depths;
  build_cost *cost;
  /* Where converting moves lead to tables of another cycle rule: how those are built. NULL rules elsewhere.
   */
  game_rules *fresh_rules;
  build_job fresh;
  build_cost fresh_cost;
  char tables_folder[FOLDER_PATH_BYTES]; /* where tables and checkpoints of this rule set stand */
  solve_checkpoints checkpoints;
};

bool build_is_chance(const build_job *job);
bool build_wants_depths(const build_job *job);

/* Whether what converts counts on with the depth of where it leads. */
bool build_keeps_depths(const build_job *job);
bool build_uses_grid(const build_job *job);
/* Whether values and depths of a slice are worked out together. */
bool build_solves_at_once(const build_job *job);

/* Processor time per position of a build in whole slices, against one of a million positions. */
double build_effort(const build_job *job, uint64_t positions);

/* About what the tables of a slice take: values, depths or both. */
uint64_t build_table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths);
/* Bytes with which one process holds all slices whole, and what any build takes beside its arrays. */
uint64_t build_whole_bytes(const build_job *job, const game_slices *slices);
uint64_t build_overhead_bytes(const build_job *job, const game_slices *slices, int ranks);

/* build_fresh.c: builds those tables if there are such, loads a slice of them, and gives them back. */
tauler_error build_fresh_tables(build_run *run, tauler_message *message);
tauler_error build_fresh_load(build_run *run, size_t i, solved_slice *out, tauler_message *message);
void build_fresh_close(build_run *run);

/* Times one kind of work: processor seconds since `start` are added to a cost. */
void build_note_solving(build_run *run, double cpu_start, double wall_start);

#endif
