/* Defines the two kinds of engines as tables of functions, and the data that a build passes to them.
 *
 * A build runs through the slices of a request in their solving order (solver/run/schedule.c). Its engine
 * solves each slice and stores its tables, or loads tables that exist. A cell engine cuts a slice into shards
 * (cells.c); finished slices are in run->store. A whole engine holds each slice undivided on a rank; finished
 * slices are in run->whole. A `place` is the place of a slice in run->slices, a `slice` its number.
 *
 * Calls are collective and come from the thread that opened the ranks, with one exception. A whole engine for
 * games of many small slices solves side by side: one rank solves each slice, and several threads call solve
 * and load at once, each with its own task. In each level, slices that all ranks share are solved first, one
 * at a time. */
#ifndef SOLVER_ENGINES_ENGINE_H
#define SOLVER_ENGINES_ENGINE_H

#include "base/folder_lock.h"
#include "databases/folder.h"
#include "solver/engines/levels.h"
#include "solver/tables/job.h"

/* Sweeps of one kind over slices of chance. An update computes one position in one sweep, with all rolls,
 * choices and quantities, and with both bounds in a sweep of bounds. */
typedef struct {
  uint64_t sweeps, updates;
  double seconds;
} build_sweeps;

typedef enum { BUILD_POTENTIALS, BUILD_VALUES, BUILD_BOUNDS, BUILD_SWEEPS } build_sweep;

/* The cost of a build, in processor seconds of all threads. */
typedef struct {
  double setup; /* making tables of moves */
  double solving;
  double writing; /* coding, compressing, writing and checking of tables */
  double loading;
  double solving_wall; /* setup and solving, in seconds by the clock */
  uint64_t positions_solved;
  uint64_t peak_memory;  /* most bytes of the budget in use at a time */
  uint64_t solving_peak; /* largest rise while a slice or level was solved, above the bytes in use before */
  uint64_t bytes_sent;   /* bytes that all ranks sent to each other */
  uint64_t open;         /* positions whose bounds differ, under rules whose bounds may meet */
  build_sweeps sweeps[BUILD_SWEEPS]; /* over all solved slices of chance */
  /* Sweeps of the largest solved slice, or of the last if several are equally large. */
  build_sweeps sweeps_of_largest[BUILD_SWEEPS];
  uint64_t largest_solved; /* positions of the largest solved slice of chance */
  double width;            /* largest difference of bounds in all solved slices of chance */
} build_cost;

typedef struct engine engine;
typedef struct whole_engine whole_engine;

/* The slices of a whole engine by number. The entry of a slice that this rank does not have is zero. */
typedef struct {
  const whole_engine *engine;
  arena lists;
  uint32_t room;
  void *slices; /* [room] entries of slice_bytes bytes */
  void *views;  /* [room] entries of view_bytes bytes, which kernels read for other slices */
} whole_slices;

/* The state of one build on one rank. */
typedef struct {
  const build_job *job;
  const engine *engine;
  solve_job solving;
  game_slices slices;
  game_slices needed;  /* first part of `slices`, up to the last slice whose tables are missing */
  slice_levels levels; /* levels of the needed slices */
  slice_state *states; /* [slices] */
  bool wants_depths;
  build_cost *cost;
  whole_slices whole;
  slice_store *store; /* finished slices, for engines that solve in shards */
  slice_store *small; /* finished small slices, plain, or NULL (cells.c) */
  bool keeps_plain;
  void *grid_tables;
  uint64_t overhead; /* bytes charged for memory that is allocated outside the budget */
  /* Rules of the fallback tables, to which converting moves lead, or NULL. `fallback` is the job of building
   * these tables. */
  game_rules *fallback_rules;
  build_job fallback;
  build_cost fallback_cost;
  char tables_folder[FOLDER_PATH_BYTES]; /* folder of the tables and checkpoints of this rule set */
  folder_lock *lock;                     /* lock of tables_folder on the leading rank, otherwise NULL */
  solve_checkpoints checkpoints;
} engine_run;

enum { ENGINE_TABLES = 2 };

/* The functions by which engines with cells in shards (cells.h) differ. All calls except `bytes` are
 * collective. */
typedef struct {
  bool spills; /* true if a slice may be spilled */
  /* True if a rank always has one shard, and only some pages of a spilled slice are in memory at a time.
   * False if a rank has several shards of a spilled slice and loads one at a time. */
  bool pages;
  bool move_tables; /* true if the engine uses game->grid's tables of moves when the game has them */
  bool moves_alone; /* true if move_tables applies only to a slice that one rank holds */
  bool stages;      /* true if the engine finds stages, the depths of rules by which a repetition ends play */
  /* Opens an empty slice. Each rank has one of its `parts` parts in memory at a time: a shard or, if `pages`,
   * that fraction of the pages of its shard. If parts is 1, nothing is spilled. */
  tauler_error (*open)(const solve_job *job, uint32_t slice, uint32_t parts, sharded_slice *out,
                       tauler_message *message);
  /* Fills the cells of the slice and, if `depths`, its depths. */
  tauler_error (*solve)(const solve_job *job, bool depths, sharded_slice *slice, solve_effort *effort,
                        tauler_message *message);
  /* Fills the depths of a slice whose values are filled. NULL if `solve` finds depths with the values. */
  tauler_error (*depths)(const solve_job *job, sharded_slice *slice, solve_effort *effort,
                         tauler_message *message);
  /* Fills the cells equal to `reserved` by a one-ply lookup. If `reserved` is NULL, computes the lookups by
   * which tables leave cells out. */
  tauler_error (*lookup)(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                         tauler_message *message);
  /* Returns the bytes of memory per rank for solving a slice in `parts` parts per rank, `shards` in all. If
   * `spills`, *waiting (may be NULL) becomes the bytes that a part has on the disk. */
  uint64_t (*bytes)(const solve_job *job, uint32_t slice, bool depths, uint32_t shards, uint32_t parts,
                    uint64_t *waiting);
} cell_engine;

/* Waves and traffic of a slice that was solved only to be timed. All members are 0 for engines without
 * sent_bytes. */
typedef struct {
  uint64_t waves, swept; /* `swept` counts the waves that did not follow the changes of the wave before */
  double packed;         /* bytes per position, to each other rank */
} engine_trial;

/* A slice to be solved or loaded, and the result. */
typedef struct {
  size_t place;
  /* Job with the workers of this task. It has checkpoints if the state of the slice is to be saved. */
  const solve_job *solving;
  bool alone;                   /* true if all workers of this rank do this task together */
  bool stores;                  /* true if tables are written, false if the slice is only timed */
  engine_trial tried;           /* result of a slice that is only timed */
  uint64_t shown;               /* positions that the progress has counted as done */
  double solved, wrote, loaded; /* processor seconds */
  /* Headers of the written tables, for the schedule to report. Empty if the engine reports them itself. */
  table_header written[ENGINE_TABLES];
  int tables;
} engine_task;

/* The functions by which engines with whole slices differ. A `void *slice` is an entry of run->whole.slices.
 */
struct whole_engine {
  bool side_by_side;              /* true if each rank solves slices of its own */
  bool loads_alone;               /* true if loading a slice does not read the slices that it needs */
  size_t slice_bytes, view_bytes; /* bytes of an entry of the lists in whole_slices */
  /* Solves a slice whose needs are finished and, if task->stores, writes its tables. If task->solving has
   * checkpoints, resumes and saves them. Errors: those of solving (TAULER_STOPPED: all is saved) and storing.
   */
  tauler_error (*solve)(engine_run *run, engine_task *task, void *slice, tauler_message *message);
  tauler_error (*load)(engine_run *run, engine_task *task, void *slice, tauler_message *message);
  /* Frees the arrays of an entry. An entry that is all zeros has none. */
  void (*free)(memory_budget *memory, void *slice);
  /* True if this rank has the finished slice. NULL unless side_by_side. */
  bool (*is_here)(const void *slice);
  /* Returns the most bytes in memory while a slice is solved, including the finished slice. */
  uint64_t (*task_bytes)(const solve_job *job, uint32_t slice);
  uint64_t (*finished_bytes)(const solve_job *job, uint32_t slice);
  /* Returns the bytes on the disk while a slice is solved. *parts becomes the number of parts. NULL if the
   * engine never spills. */
  uint64_t (*waiting_bytes)(const solve_job *job, uint32_t slice, uint32_t *parts);
  /* Estimates the bytes that ranks send each other to solve a slice, from the waves and `packed` of a trial.
   * Returns 0 if no ranks share the slice, or if a trial does not measure its traffic. NULL if traffic is
   * estimated in another way.
   */
  uint64_t (*sent_bytes)(const solve_job *job, uint32_t slice, double waves, double packed);
  /* Returns the bytes of a slice's tables on the disk. NULL if plans use measured bits per cell instead. */
  uint64_t (*table_bytes)(const build_job *job, uint32_t slice);
  /* Sets *there if all tables of a slice exist and need not be built again. If so, reports them. NULL if a
   * slice has a table of values and, if depths are wanted, a table of depths. */
  tauler_error (*find)(const build_job *job, uint32_t slice, bool *there, tauler_message *message);
  /* True if `ranks` ranks are to share a slice; the same on all ranks. Then solve_job.ranks is that number,
   * and the thread that opened the ranks calls `solve`, which is collective. `outweighs` is true if the other
   * slices of its level would leave ranks idle (slice_levels_outweighs). NULL if ranks never share. */
  bool (*is_shared)(const solve_job *job, uint32_t slice, int ranks, bool outweighs);
};

struct engine {
  const char *name;
  bool (*serves)(const game *game, const game_rules *rules);
  /* One of the two pointers is NULL. */
  const cell_engine *cells;
  const whole_engine *whole;
};

/* All engines. engine_chance_edges is engine_chance without the strips of a game, for comparison. */
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

/* Returns the engine of that name, or NULL. */
const engine *engine_named(const char *name);
/* Returns the first engine after `before` that solves the problem, including depths if `depths`, or NULL. If
 * `before` is NULL, starts with the first engine. */
const engine *engine_after(const engine *before, const solve_problem *problem, bool depths);
/* Refuses the job if the user named an engine that does not solve it. Errors: TAULER_BAD_USAGE. */
tauler_error engine_check(const build_job *job, tauler_message *message);

/* Returns the engine that the user named, or else the first that solves the job. */
const engine *engine_of(const build_job *job);
/* True if each of `ranks` ranks must prepare tables of moves. */
bool engine_uses_move_tables(const build_job *job, int ranks);
/* True if a build makes tables of depths: always for outcomes, never for chance. */
bool engine_wants_depths(const build_job *job);
/* True if the depths of finished slices are kept: only for outcomes, whose depths also count plies after
 * conversions. */
bool engine_keeps_depths(const solve_problem *problem);

/* Returns the job of solving a slice. Its member `ranks` is `ranks` if they share the slice, otherwise 1. */
solve_job engine_shared_job(const engine *engine, const solve_job *solving, int ranks, uint32_t slice,
                            bool outweighs);

/* Returns the task of a slice. If `kept`, the bytes of the task do not include the finished slice. */
level_task engine_size_task(const engine *engine, const solve_job *solving, int ranks,
                            const game_slice *slice, size_t place, bool kept);

/* The steps of a build, for both kinds of engines. engine_close frees all slices. It may also be called if
 * engine_open failed or was not called. */
tauler_error engine_open(engine_run *run, tauler_message *message);
void engine_close(engine_run *run);
tauler_error engine_solve(engine_run *run, engine_task *task, tauler_message *message);
tauler_error engine_load(engine_run *run, engine_task *task, tauler_message *message);

/* Returns the processor time of the calling thread, or of the process if all workers do the task. */
double engine_task_time(const engine_task *task);
void engine_note_solving(engine_run *run, double cpu_start, double wall_start);
/* Raises cost->solving_peak to the bytes that a step allocated beyond the `before` bytes with which it began,
 * if it raised the peak above `earlier`. */
void engine_note_peak(engine_run *run, uint64_t before, uint64_t earlier);

uint64_t whole_list_bytes(const engine *engine, const game_slices *slices);

/* Returns the entry of a slice in run->whole.slices. */
void *whole_at(const engine_run *run, size_t place);
void whole_free_slice(engine_run *run, size_t place);

#endif
