/* The two kinds of engines, as tables of functions, and the data that a build passes to them.
 *
 * A build runs through the slices of a request in their solving order (solver/run/schedule.c). Its engine
 * solves each slice and stores its tables, or loads tables that exist. A cell engine cuts a slice into shards
 * (cells.c); finished slices are in run->store. A whole engine has each slice whole on a rank;
 * finished slices are in run->whole. A slice is named by its place in run->slices.
 *
 * Slices differ in size. Most engines solve a slice with all ranks and workers at once; their calls are
 * collective and come from the thread that opened the ranks. A whole engine that solves side by side, for
 * games of many small slices, has each slice solved by one rank. Several threads then call solve and load at
 * once, each with its own task. Slices that all ranks had better share are solved before them, one at a time.
 */
#ifndef SOLVER_ENGINES_ENGINE_H
#define SOLVER_ENGINES_ENGINE_H

#include "base/folder_lock.h"
#include "databases/folder.h"
#include "solver/engines/levels.h"
#include "solver/tables/job.h"

/* Sweeps of one kind over slices of chance. An update is one position in one sweep, with all rolls, choices
 * and quantities, and with both bounds if it is a sweep of bounds. */
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
  double loading;      /* loading of tables that exist */
  double solving_wall; /* seconds by the clock of set-up and solving */
  uint64_t positions_solved;
  uint64_t peak_memory;  /* bytes of the budget */
  uint64_t solving_peak; /* bytes allocated while the largest slice was solved, without smaller slices */
  uint64_t bytes_sent;   /* bytes that all ranks sent to each other */
  uint64_t open;         /* positions with two bounds, for rules whose bounds may meet */
  build_sweeps sweeps[BUILD_SWEEPS];            /* over all solved slices of chance */
  build_sweeps sweeps_of_largest[BUILD_SWEEPS]; /* measured on the largest of them, of several the last */
  uint64_t largest_solved;                      /* positions of the largest solved slice */
  double width;                                 /* largest distance of bounds in all slices of chance */
} build_cost;

typedef struct engine engine;
typedef struct whole_engine whole_engine;

/* The slices of a whole engine by number, zero while they are not here. */
typedef struct {
  const whole_engine *engine;
  arena lists;
  uint32_t room;
  void *slices; /* [room] of slice_bytes */
  void *views;  /* [room] of view_bytes: what a kernel sees of other slices */
} whole_slices;

/* One build on one rank. */
typedef struct {
  const build_job *job;
  const engine *engine;
  solve_job solving;
  game_slices slices;
  game_slices needed;  /* the first of them, up to the last whose tables are missing */
  slice_levels levels; /* levels of the needed slices */
  slice_state *states; /* [slices] */
  bool wants_depths;
  build_cost *cost;
  whole_slices whole; /* slices of a whole engine */
  slice_store *store; /* finished slices, for engines that solve in shards */
  slice_store *small; /* small ones of them, plain, if bounds may meet (cells.c), otherwise NULL */
  bool keeps_plain;   /* the store is plain */
  void *grid_tables;
  uint64_t overhead; /* bytes charged for allocations without a budget */
  /* How tables of another cycle rule are built, if converting moves lead to them; otherwise NULL. */
  game_rules *fallback_rules;
  build_job fallback;
  build_cost fallback_cost;
  char tables_folder[FOLDER_PATH_BYTES]; /* folder of the tables and checkpoints of this rule set */
  folder_lock *lock;                     /* lock of that folder, held by the leading rank */
  solve_checkpoints checkpoints;
} engine_run;

enum { ENGINE_TABLES = 2 };

/* The functions in which engines with cells in shards (cells.h) differ. All calls but `bytes` are
 * collective. */
typedef struct {
  bool spills;      /* shards may be spilled */
  bool move_tables; /* uses game->grid's tables of moves, if the game has them */
  bool moves_alone; /* move_tables applies only if one rank holds the slice */
  bool stages;      /* finds stages, the depths of rules by which a repetition ends play */
  /* Makes an empty slice with so many shards per rank. */
  tauler_error (*open)(const solve_job *job, uint32_t slice, uint32_t shards_per_rank, sharded_slice *out,
                       tauler_message *message);
  /* Fills the cells of the slice and, if `depths`, its depths. */
  tauler_error (*solve)(const solve_job *job, bool depths, sharded_slice *slice, solve_effort *effort,
                        tauler_message *message);
  /* Fills the depths of a slice whose values are there. NULL if depths come with the values. */
  tauler_error (*depths)(const solve_job *job, sharded_slice *slice, solve_effort *effort,
                         tauler_message *message);
  /* Fills the cells equal to `reserved` by a one-ply lookup. If `reserved` is NULL, it computes what tables
   * need to leave cells out. */
  tauler_error (*lookup)(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                         tauler_message *message);
  /* Bytes of memory per rank for solving in so many shards. *waiting becomes the bytes that a spilled shard
   * has on the disk. */
  uint64_t (*bytes)(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                    uint32_t shards_per_rank, uint64_t *waiting);
} cell_engine;

/* Waves and traffic of a slice that was solved only to be timed. All members are 0 for engines whose ranks
 * send less, or in another proportion. */
typedef struct {
  uint64_t waves, swept; /* swept: waves that looked at the whole slice, not only at what changed */
  double packed;         /* bytes per position, to each other rank */
} engine_trial;

/* A slice to be solved or loaded, and the result. */
typedef struct {
  size_t place;
  /* Has the workers of this task, and checkpoints if its state is to be saved. */
  const solve_job *solving;
  bool alone;                   /* all workers of this rank work on it, and nothing else runs */
  bool stores;                  /* tables are written, otherwise the slice is solved only to be timed */
  engine_trial tried;           /* result of such a slice */
  uint64_t shown;               /* positions that the progress has counted as done */
  double solved, wrote, loaded; /* processor seconds */
  /* Tables that were written, for the schedule to report. None if the engine reports them itself. */
  table_header written[ENGINE_TABLES];
  int tables;
} engine_task;

/* The functions in which engines with whole slices differ. `slice` is the entry in run->whole. */
struct whole_engine {
  bool side_by_side;              /* each rank solves slices of its own */
  bool loads_alone;               /* loads tables without the slices that a slice needs */
  size_t slice_bytes, view_bytes; /* bytes of an entry of the lists in whole_slices */
  /* Solves a slice whose needs are finished, and stores the missing tables. Resumes and saves a checkpoint as
   * task->solving says. Errors: those of solving (TAULER_STOPPED: all is saved) and storing. */
  tauler_error (*solve)(engine_run *run, engine_task *task, void *slice, tauler_message *message);
  tauler_error (*load)(engine_run *run, engine_task *task, void *slice, tauler_message *message);
  /* Frees what an entry owns; it may be all zeros. */
  void (*free)(memory_budget *memory, void *slice);
  /* For side_by_side: true if this rank has the finished slice. */
  bool (*is_here)(const void *slice);
  /* Most bytes of solving or loading a slice, including the finished slice. */
  uint64_t (*task_bytes)(const solve_job *job, uint32_t slice);
  /* Bytes of the finished slice. */
  uint64_t (*finished_bytes)(const solve_job *job, uint32_t slice);
  /* Bytes on the disk while a slice is solved, and the number of parts. NULL if nothing is ever spilled. */
  uint64_t (*waiting_bytes)(const solve_job *job, uint32_t slice, uint32_t *parts);
  /* Bytes between ranks that share a slice, computed from what a trial measured; 0 if no ranks share it. NULL
   * if traffic is estimated in another way. */
  uint64_t (*sent_bytes)(const solve_job *job, uint32_t slice, double waves, double packed);
  /* Bytes of a slice's tables on the disk. NULL if the bits per cell of measured tables tell them. */
  uint64_t (*table_bytes)(const build_job *job, uint32_t slice);
  /* Sets *there if all tables of a slice exist, and reports them. NULL if a slice has a table of values and,
   * if they are wanted, one of depths. */
  tauler_error (*find)(const build_job *job, uint32_t slice, bool *there, tauler_message *message);
  /* True if so many ranks are to share a slice; solve_job.ranks is then that number, and solve is collective,
   * called by the thread that opened the ranks. `outweighs`: the other slices of its level would leave ranks
   * idle (slice_levels_outweighs). The same on all ranks. NULL if ranks never share. */
  bool (*is_shared)(const solve_job *job, uint32_t slice, int ranks, bool outweighs);
};

struct engine {
  const char *name;
  /* True if the engine solves the slices of these rules. */
  bool (*serves)(const game *game, const game_rules *rules);
  /* One of these is set. */
  const cell_engine *cells;
  const whole_engine *whole;
};

/* engine_chance_edges is engine_chance without the kernels of a game, for comparison. */
extern const engine engine_retrograde, engine_tiles, engine_bitboard, engine_repetition, engine_chance,
    engine_chance_edges;

static inline bool engine_is_side_by_side(const engine *engine) {
  return engine->whole && engine->whole->side_by_side;
}
/* True if loading a slice needs the same slices as solving it. */
static inline bool engine_loads_needs(const engine *engine) {
  return !engine->whole || !engine->whole->loads_alone;
}
static inline bool engine_has_move_tables(const engine *engine, const game *game) {
  return game->grid && engine->cells && engine->cells->move_tables;
}

/* The engine of that name, or NULL. */
const engine *engine_named(const char *name);
/* The first engine after `before` that solves the problem, including depths if `depths`; with NULL, the first
 * of all. */
const engine *engine_after(const engine *before, const solve_problem *problem, bool depths);
/* Refuses an engine that was asked for and does not serve. Errors: TAULER_BAD_USAGE. */
tauler_error engine_check(const build_job *job, tauler_message *message);

/* The engine that was asked for, or the first that serves. */
const engine *engine_of(const build_job *job);
/* True if each of so many ranks must prepare its tables of moves. */
bool engine_uses_move_tables(const build_job *job, int ranks);
/* True if a build makes tables of depths: always for outcomes, never for chance. */
bool engine_wants_depths(const build_job *job);
/* True if the depths of finished slices are needed: depths of outcomes count through conversions. */
bool engine_keeps_depths(const solve_problem *problem);

/* The job of solving a slice on so many ranks, with the number of ranks that share it. */
solve_job engine_share(const engine *engine, const solve_job *solving, int ranks, uint32_t slice,
                       bool outweighs);

/* The bytes of a slice's task on one of `ranks` ranks. If `kept`, the finished slice is not counted. */
level_task engine_size_task(const engine *engine, const solve_job *solving, int ranks,
                            const game_slice *slice, size_t place, bool kept);

/* The steps of a build, for both kinds of engines. engine_close frees everything, also after a failed
 * engine_open or none. */
tauler_error engine_open(engine_run *run, tauler_message *message);
void engine_close(engine_run *run);
tauler_error engine_solve(engine_run *run, engine_task *task, tauler_message *message);
/* Loads a slice whose tables exist. */
tauler_error engine_load(engine_run *run, engine_task *task, tauler_message *message);

/* Processor time of the calling thread, or of the process if all workers do the task. */
double engine_task_time(const engine_task *task);
/* Adds the processor and wall time since a start to the cost of solving. */
void engine_note_solving(engine_run *run, double cpu_start, double wall_start);

/* Bytes of the lists of finished slices of an engine that has them whole on a rank. */
uint64_t whole_list_bytes(const engine *engine, const game_slices *slices);

/* The entry of a slice. */
void *whole_at(const engine_run *run, size_t place);
/* Frees a slice that nothing needs any more. */
void whole_free_slice(engine_run *run, size_t place);

#endif
