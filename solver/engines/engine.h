/* One table of functions per engine, and what a build hands to them.
 *
 * A build goes through the slices of a request in their solving order (solver/build/schedule.h) and has its
 * engine solve each slice and store its tables, or load the tables that are there. Cell engines keep finished
 * slices in the store (run->store), others in run->state. Slices are named by their place in run->slices.
 *
 * Engines of two kinds: most solve a slice together, all ranks and workers at once; their calls are
 * collective and come from the thread that opened the ranks. One that solves side by side has each slice
 * solved by one rank; solve and load are then called by several threads at once, each with a task of its own.
 * Slices that are better shared by all ranks are solved before them, one at a time.
 */
#ifndef SOLVER_ENGINES_ENGINE_H
#define SOLVER_ENGINES_ENGINE_H

#include "base/folder_lock.h"
#include "databases/folder.h"
#include "solver/engines/levels.h"
#include "solver/tables/job.h"

/* Sweeps over slices of chance, of one kind. An update is one position in one sweep: whatever may be rolled
 * and chosen there, all quantities, of bounds both. */
typedef struct {
  uint64_t sweeps, updates;
  double seconds;
} build_sweeps;

typedef enum { BUILD_POTENTIALS, BUILD_VALUES, BUILD_BOUNDS, BUILD_SWEEPS } build_sweep;

/* The cost of a build, in processor seconds of all threads. */
typedef struct {
  double setup;        /* tables of the game */
  double solving;      /* all slices, without set-up, writing and reading back */
  double writing;      /* coding, compressing, writing and checking of tables */
  double loading;      /* tables that were there */
  double solving_wall; /* seconds by the clock of set-up and solving */
  uint64_t positions_solved;
  uint64_t peak_memory;  /* bytes of the budget */
  uint64_t solving_peak; /* bytes taken while the largest slice was solved, smaller slices left out */
  uint64_t bytes_sent;   /* between ranks, by all of them */
  uint64_t open;         /* positions with two bounds where bounds may meet */
  build_sweeps sweeps[BUILD_SWEEPS];            /* of chance, over all slices that were solved */
  build_sweeps sweeps_of_largest[BUILD_SWEEPS]; /* over the largest of them, the last if several are */
  uint64_t largest_solved;                      /* its positions */
  double width;                                 /* the largest distance of bounds in all of them */
} build_cost;

typedef struct engine engine;

/* One build on one rank. */
typedef struct {
  const build_job *job;
  const engine *engine;
  solve_job solving;
  game_slices slices;
  size_t needed;                 /* of them, up to the last that is missing */
  slice_levels levels;           /* of the needed ones */
  bool *has_values, *has_depths; /* by place: the tables are there */
  bool wants_depths;
  build_cost *cost;
  void *state;        /* the engine's */
  slice_store *store; /* finished slices of those that are solved in shards */
  slice_store *small; /* small ones of them as they are, where bounds may meet (close.h); else NULL */
  bool keeps_plain;   /* as they are */
  void *grid_tables;
  uint64_t overhead; /* bytes charged for what no budget is asked for */
  /* Where converting moves lead to tables of another cycle rule: how those are built. NULL rules elsewhere.
   */
  game_rules *fallback_rules;
  build_job fallback;
  build_cost fallback_cost;
  char tables_folder[FOLDER_PATH_BYTES]; /* where tables and checkpoints of this rule set stand */
  folder_lock *lock;                     /* of that folder, held by the leading rank */
  solve_checkpoints checkpoints;
} engine_run;

enum { ENGINE_TABLES = 2 };

/* Engines whose slices are cells in shards (cells.h) differ in these; all calls are collective.
 * open makes an empty slice of so many shards per rank.
 * solve fills it; with `depths` it fills the depths too.
 * depths fills the depths of a slice whose values are there. NULL: they come with the values.
 * lookup fills the cells equal to `reserved` by a one-ply lookup. If `reserved` is NULL, it computes what
 * tables need to leave cells out. bytes is the memory per rank that solving in so many shards takes; *waiting
 * what a shard leaves on the disk, 0 if shards of this engine do not wait there. */
typedef struct {
  bool waits; /* shards may wait on the disk */
  tauler_error (*open)(const solve_job *job, uint32_t slice, uint32_t shards_per_rank, sharded_slice *out,
                       tauler_message *message);
  tauler_error (*solve)(const solve_job *job, bool depths, sharded_slice *slice, solve_effort *effort,
                        tauler_message *message);
  tauler_error (*depths)(const solve_job *job, sharded_slice *slice, solve_effort *effort,
                         tauler_message *message);
  tauler_error (*lookup)(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                         tauler_message *message);
  uint64_t (*bytes)(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                    uint32_t shards_per_rank, uint64_t *waiting);
} cell_engine;

/* What a slice that was solved for its time says of traffic. Of engines whose ranks send each other less, or
 * by other laws, 0. */
typedef struct {
  uint64_t waves;
  double packed; /* bytes of a position, to each other rank */
} engine_trial;

/* A slice to be solved or loaded, and how that went. */
typedef struct {
  size_t place;
  const solve_job *solving; /* with the workers of this task, and checkpoints if its state is to be kept */
  bool alone;               /* by all workers of this rank: nothing else runs */
  bool stores;              /* tables are written; else the slice is solved for its time alone, */
  engine_trial tried;       /* and this is found */
  uint64_t shown;           /* positions reported to the progress as done */
  double solved, wrote, loaded; /* processor seconds */
  /* Tables that were written, for the schedule to report; of an engine that reports them itself none. */
  table_header written[ENGINE_TABLES];
  int tables;
} engine_task;

struct engine {
  const char *name;
  /* True if it solves the slices of these rules. */
  bool (*serves)(const game *game, const game_rules *rules);
  bool side_by_side;
  bool move_tables; /* it uses game->grid's tables of moves where a game has them, */
  bool moves_alone; /* but only where one rank holds the slice */
  bool stages;      /* it finds stages, the depths of rules by which a repetition ends play */
  bool loads_alone; /* tables are loaded without the slices that a slice needs */

  /* Takes the lists of the engine; close gives everything back, also after a failed open or none. */
  tauler_error (*open)(engine_run *run, tauler_message *message);
  void (*close)(engine_run *run);

  /* Solves a slice whose needs are finished, and stores the tables that are missing. Takes up a checkpoint
   * and keeps one, as task->solving says. Errors: those of solving (TAULER_STOPPED: everything is kept) and
   * storing. */
  tauler_error (*solve)(engine_run *run, engine_task *task, tauler_message *message);
  /* Loads a slice whose tables are there. */
  tauler_error (*load)(engine_run *run, engine_task *task, tauler_message *message);
  /* Nothing needs the slice any more. NULL: it stays. */
  void (*forget)(engine_run *run, size_t place);

  /* For slices that every rank holds whole: */
  /* The most bytes that solving or loading takes, the finished slice included. */
  uint64_t (*task_bytes)(const solve_job *job, uint32_t slice);
  uint64_t (*finished_bytes)(const solve_job *job, uint32_t slice); /* that stay of it */
  size_t list_bytes;                                                /* of the list, for each slice number */
  /* Bytes that wait on the disk while a slice is solved, and in how many parts; or NULL: nothing. */
  uint64_t (*waiting_bytes)(const solve_job *job, uint32_t slice, uint32_t *parts);
  /* Bytes between ranks that share a slice, all waves and cells counted as a trial found them; 0 if none do.
   * NULL: another law holds. */
  uint64_t (*sent_bytes)(const solve_job *job, uint32_t slice, double waves, double packed);
  /* Bytes of a slice's tables on the disk; NULL: by the bits of measured tables. */
  uint64_t (*table_bytes)(const build_job *job, uint32_t slice);
  /* True if all tables of a slice are there; reports them. NULL: a value or bounds, and depths where they are
   * wanted. */
  tauler_error (*find)(const build_job *job, uint32_t slice, bool *there, tauler_message *message);
  bool (*is_here)(const engine_run *run, size_t place); /* of side_by_side */
  /* True if so many ranks share a slice, as solve_job.ranks says then; solve is collective, from the thread
   * that opened the ranks. `outweighs`: others of its level would leave ranks idle (slice_levels_outweighs).
   * The same on all ranks. NULL: never. */
  bool (*is_shared)(const solve_job *job, uint32_t slice, int ranks, bool outweighs);

  const cell_engine *cells; /* of slices in shards; else NULL */
};

/* chance_edges is chance without the kernels of a game, for comparison. */
extern const engine engine_retrograde, engine_tiles, engine_bitboard, engine_repetition, engine_chance,
    engine_chance_edges;

/* The i-th engine in the order of preference, NULL behind the last. An engine earlier in the list is faster,
 * or serves rules that the later ones do not serve. */
const engine *engine_at(size_t i);
/* The engine of a name, or NULL. */
const engine *engine_named(const char *name);
/* Returns the first engine after `before` in the list that serves; NULL starts at the beginning. */
const engine *engine_after(const engine *before, const game *game, const game_rules *rules);
/* Refuses an engine that was asked for and does not serve. Errors: TAULER_BAD_USAGE. */
tauler_error engine_check(const build_job *job, tauler_message *message);

/* The engine that was asked for, or the first that serves. */
const engine *engine_of(const build_job *job);
/* True if each of so many ranks must prepare its tables of moves. */
bool engine_uses_move_tables(const build_job *job, int ranks);
/* True if a build makes tables of depths: always of outcomes, never of chance. */
bool engine_wants_depths(const build_job *job);
/* True if depths of finished slices are needed: those of outcomes count on through conversions. */
bool engine_keeps_depths(const solve_problem *problem);

/* How a slice is solved by so many ranks: the same job, and who shares the slice. */
solve_job engine_share(const engine *engine, const solve_job *solving, int ranks, uint32_t slice,
                       bool outweighs);

/* Bytes of the task of a slice on one of `ranks` ranks; with `kept`, without the finished slice. */
level_task engine_size_task(const engine *engine, const solve_job *solving, int ranks,
                            const game_slice *slice, size_t place, bool kept);

/* Adds processor and wall time since a start to what solving took. */
void engine_note_solving(engine_run *run, double cpu_start, double wall_start);

#endif
