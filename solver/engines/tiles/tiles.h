/* The tiles engine: value iteration on the tiles of a slice. Private to the engine.
 *
 * A kernel works on one tile at a time, because the cells of a tile fit a cache. It writes only cells of its
 * own shard, and reads cells of other shards from a copy, the halo, so that no kernel waits for another rank.
 *
 * A rank has one shard. A shard that owns the whole slice reads its own cells, has no halo and sends nothing.
 * If there are several ranks, each owns slabs (layout.h) and reads whole blocks, in which other ranks own
 * columns. In a round the kernels work on the shard's tiles. For values they work on a band up to three
 * times, while its cells change, so that few rounds are needed. Then the changed cells are sent to all shards
 * that read their block. Readers write values into their halo and stamp the block. Cells whose depth was
 * decided they mark as changed for the next round. Packets may arrive in any order: each cell only moves away
 * from open, so all shards reach the same fixpoint, and depths are sent wave by wave. While values are
 * solved, the shard's own cells are in the arrays of the halo (tiles_is_joined).
 *
 * If the arrays do not fit in memory, the large ones are mapped from a file, and their pages are in memory by
 * turns. Before each tile, and regularly in loops over rows, tiles_limit_pages drops pages if the process has
 * so much in memory that the budget leaves no room for the pages that the tiles at work touch. The file keeps
 * the contents of a dropped page.
 */
#ifndef SOLVER_ENGINES_TILES_TILES_H
#define SOLVER_ENGINES_TILES_TILES_H

#include <stdatomic.h>
#include <string.h>

#include "parallel/exchange.h"
#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/checkpoint/unit_arrays.h"
#include "solver/shards/slice.h"

/* The contents of a checkpoint of the tiles engine, which any number of shards can resume.
 *
 * While values are solved, the unit of a tile contains the cells and bounds of each plane, and a resumed run
 * relaxes all tiles. While depths are solved, it contains the bounds and depths of each plane, then the known
 * cells and the cells that the last wave decided, which a resumed run sends again.
 */

/* Least positions of a slice for which threads pay. In a smaller one a round takes less time than a barrier.
 */
enum { GRID_WORTH_THREADS = 1 << 18 };

/* The state of a run, the same on all ranks. */
typedef struct {
  uint64_t round;        /* number of rounds done, or for depths the next wave */
  uint64_t shown;        /* positions that the progress has counted as done */
  uint64_t changed_last; /* cells that the last round changed */
  /* Unless a repetition ends play (regions.c), phase and apart are 0, and checkpoints leave them out. */
  uint64_t phase; /* odd while safe regions are found, even while attractors grow from them */
  uint64_t apart; /* sum of upper minus lower bounds after the last attractor */
} tiles_progress;

/* The cells that a send carries. SEND_CHANGES: changed cells and their values. SEND_DECISIONS: cells whose
 * depth the last wave decided. SEND_CELLS: all cells that are not open, and their values. SEND_KNOWN: the
 * cells in known_own, sent after a resume. */
typedef enum { SEND_CHANGES, SEND_DECISIONS, SEND_CELLS, SEND_KNOWN } tiles_sending;

/* The purpose of a run, which determines its arrays. */
typedef enum { RUN_VALUES, RUN_DEPTHS, RUN_LOOKUPS, RUN_RECOVERY } tiles_purpose;

/* The largest size of each array among some shards (tiles_find_needs). */
typedef struct {
  shard_size own;
  uint64_t halo_cells, halo_changed; /* bytes in the pages that are touched */
  uint64_t read_cells;               /* cells of the blocks that the shard reads */
} tiles_shard_needs;

/* Numbers that the last packets of a send carry, to be added up over all ranks. */
typedef struct {
  uint64_t changed, failed, requests;
} tiles_totals;
enum { TILES_TOTALS = sizeof(tiles_totals) / sizeof(uint64_t) };

typedef struct tiles_sender tiles_sender; /* buffers of one thread (send.c and receive.c) */

/* A send in progress. A portion is some blocks of one group and plane. Each worker sends one portion at a
 * time. */
typedef struct {
  struct tiles_run *run;
  tiles_sending what;
  _Atomic uint64_t next;
  uint64_t portions;
  int planes;
} tiles_sent;

/* Blocks in a span, the unit of work over blocks. */
enum { TILES_SPAN = 512 };

typedef struct tiles_run {
  const solve_job *job;
  const game_grid *grid;
  game_grid_plan plan;
  sharded_slice *slice;
  const slice_layout *layout;
  int threads;
  tiles_purpose purpose;
  tiles_shard_needs needs;
  exchange *exchange;
  arena own; /* arrays of tiles_list_own */

  uint64_t tile_room; /* most bytes of pages that the tiles at work touch, 0 if nothing is mapped */

  /* The arrays of the halo are laid out as the whole slice. `halo` is NULL if one shard owns all, and for
   * lookups. `changed` and `dirty` are NULL unless depths are solved or tiles_is_joined, since kernels for
   * values use `clock`. */
  int8_t *halo[GRID_PLANES];
  uint8_t *changed[GRID_PLANES], *dirty[GRID_PLANES];
  game_grid_clock clock; /* used while values are solved */
  /* Cells that the current wave changes. NULL unless depths are solved and one shard owns all. */
  uint8_t *next_changed[GRID_PLANES], *next_dirty[GRID_PLANES];
  /* The changes of the round. They point to `changed` and `dirty` if tiles_is_joined, and are NULL if one
   * shard owns all, for lookups and for a recovery. */
  uint8_t *sent[GRID_PLANES], *sent_blocks[GRID_PLANES];
  uint8_t *known;              /* cells decided in earlier waves, laid out as `changed` */
  uint8_t *known_own;          /* the shard's own decided cells, also the last wave's, laid out as `sent` */
  int8_t *bounds[GRID_PLANES]; /* [plane][bounds of the shard] */
  game_grid_state state;
  /* finished: the reader of finished cells for kernels. stored: the reader that `finished` calls if planes
   * are swapped. */
  game_finished finished, stored;
  game_grid_slab *joined; /* [groups] the shard's slabs in the halo, or NULL unless tiles_is_joined */
  uint8_t *sent_spans;    /* [plane][span] 1 if sent_blocks has a block there */

  uint8_t *reads; /* [shards][reads_width] one bit per block that the shard reads */
  uint64_t reads_width;
  bool compresses;       /* true if the link is slower than GRID_FAST_LINK */
  char *scratch;         /* [threads] working space of kernels */
  size_t scratch_bytes;  /* bytes per thread */
  tiles_sender *senders; /* [threads] */
  tiles_sent sending;
  store_cells *cells;            /* gathered finished cells that the current tiles read */
  uint64_t first_tile, end_tile; /* the current tiles, counted among those of the shard */
  /* For tiles_relax: group of the current tiles, number of passes done over its band, and n_changed before
   * the current pass. */
  size_t group;
  int passes;
  uint64_t changed_before;

  /* Decisions and counts that are made at barriers, so that all workers follow them. */
  bool more;             /* true if the send or the pass over tiles needs another step */
  bool goes_on;          /* true if another round follows */
  uint64_t changed_now;  /* cells that this rank changed in the last counted round */
  uint64_t in_round;     /* cells that this rank has changed in this round */
  uint64_t request;      /* nonzero if this rank asks for a checkpoint at the end of the round */
  tiles_totals of_ranks; /* sums over all ranks after a send, or this rank's numbers without an exchange */

  game_lookup pass;             /* pass of a recovery */
  int8_t reserved[GRID_PLANES]; /* [plane] value that marks a cell to be recovered */
  tiles_progress run;
  _Atomic uint64_t n_changed; /* cells that this rank changed since the last count */
  failure failed;
  checkpointer checkpointer;
  unit_arrays kept; /* arrays that a checkpoint contains */
  checkpoint_units units;
  bool resumed;
} tiles_run;

/* needs.c. For each shard: sets a bit in run->reads for each block that its tiles read. */
tauler_error tiles_find_readers(tiles_run *run, tauler_message *message);
/* Returns the largest needs among `count` shards from `first` on. If run->reads is NULL, guesses the halo. */
tiles_shard_needs tiles_find_needs(const tiles_run *run, uint32_t first, uint32_t count);

/* Finds run->tile_room. Errors: TAULER_NO_MEMORY. */
tauler_error tiles_find_room(tiles_run *run, tauler_message *message);
uint64_t tiles_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards, uint32_t parts,
                     uint64_t *waiting);

/* arrays.c. Returns a run that has no arrays yet. */
tiles_run tiles_run_of(const solve_job *job, const slice_layout *layout, tiles_purpose purpose);
/* Lists the working space of the threads, and small arrays. */
arena_list tiles_list_own;
/* Returns the bytes of the run's arrays, without those of the slice: if `paged`, of those that may be mapped,
 * otherwise of those that are always in memory. */
uint64_t tiles_arrays_bytes(tiles_run *run, bool paged);
tauler_error tiles_run_open(tiles_run *run, const solve_job *job, sharded_slice *slice, tiles_purpose purpose,
                            tauler_message *message);
void tiles_run_close(tiles_run *run);
tiles_totals tiles_own_totals(const tiles_run *run);
static inline uint32_t tiles_shard_number(const tiles_run *run) {
  return run->slice->first_shard;
}
static inline bool tiles_reads_block(const tiles_run *run, uint32_t shard, uint64_t block) {
  return run->reads[shard * run->reads_width + block / 8] >> (block % 8) & 1;
}
/* True if one shard owns the whole slice. While its depths are solved, a wave reads `changed` and writes
 * `next_changed`, and these are swapped after the wave. */
static inline bool tiles_has_one_shard(const tiles_run *run) {
  return run->layout->shards == 1;
}
/* True if the shard's own cells are in the arrays of the halo, and its own changed cells in `changed`. This
 * saves a copy: the cells that a kernel changed are sent from there and then cleared. */
static inline bool tiles_is_joined(const tiles_run *run) {
  return run->purpose == RUN_VALUES && run->layout->shards > 1;
}
static inline uint64_t tiles_spans(const tiles_run *run) {
  return run->layout->blocks / TILES_SPAN + 1;
}
/* Returns a byte for each span: 1 if the shard has sent cells of the plane there. */
static inline uint8_t *tiles_sent_spans(const tiles_run *run, int plane) {
  return run->sent_spans + (uint64_t)plane * tiles_spans(run);
}
/* Returns the index of the first byte from `from` on that is not 0, or `end`. Skips eight bytes at a time,
 * since in late rounds few blocks have changes. */
static inline uint64_t tiles_next_marked(const uint8_t *bytes, uint64_t from, uint64_t end) {
  uint64_t word = 0;
  while (from + sizeof word <= end) {
    memcpy(&word, bytes + from, sizeof word);
    if (word) return from + (uint64_t)__builtin_ctzll(word) / 8;
    from += sizeof word;
  }
  while (from < end && !bytes[from]) from++;
  return from;
}
/* If arrays are mapped, drops pages until what the process has in memory leaves tile_room of the budget. */
void tiles_limit_pages(const tiles_run *run);
/* Loads or allocates the arrays of the slice that the run needs. Sets new cells and the halo to the open
 * value. Also notes an error in run->failed. */
tauler_error tiles_begin(tiles_run *run);
/* Lists the arrays for the checkpointer. */
void tiles_list_arrays(tiles_run *run);
/* Requires tiles_has_one_shard. Makes the cells that this wave changed the changed cells of the next wave. */
void tiles_swap_changed(void *run);

/* All workers call each function below that has a worker. If it does anything, it ends with a barrier. The
 * leading worker makes the collective calls.
 *
 * send.c and receive.c: tiles_send sends to the shards of other ranks and receives their packets.
 */
tauler_error tiles_senders_open(tiles_run *run, tauler_message *message);
void tiles_senders_close(tiles_run *run);
uint64_t tiles_sender_bytes(size_t packet_bytes, const slice_layout *layout);
void tiles_send(tiles_run *run, worker *self, tiles_sending what);
/* Marks the shard's own decisions as known and, if it reads them, as changed. SEND_CELLS and SEND_KNOWN
 * instead copy the cells that the shard reads into its halo. Does nothing if tiles_is_joined. If one shard
 * owns all, only calls tiles_swap_changed after decisions. */
void tiles_send_self(tiles_run *run, worker *self, tiles_sending what);
/* Clears the marks of the cells that the last round sent. */
void tiles_clear_sent(tiles_run *run, worker *self);

/* regions.c finds bounds if a repetition ends play. True if the current phase finds safe regions. */
static inline bool tiles_finds_regions(const tiles_run *run) {
  return run->run.phase % 2 == 1;
}
/* Sets the cells of the shard and of its halo to those with which a phase begins. */
void tiles_enter_phase(tiles_run *run, worker *self);
/* Adds the differences of upper and lower bounds in the shard to n_changed. */
void tiles_add_differences(tiles_run *run, worker *self);
/* Makes run->finished read the other plane of finished cells. */
void tiles_swap_finished(tiles_run *run);

/* kernels.c. Calls a kernel on the tiles of the shard, batch by batch, and gathers before each batch
 * the finished cells that its tiles read. If `kernel` is NULL, runs the current pass of recovery.
 * Collective. */
void tiles_work_with_finished(tiles_run *run, worker *self, game_grid_kernel *kernel);
/* Requires tiles_is_joined. Calls the kernel that begins values as tiles_work_with_finished does, and fills
 * the lookups of the slice, since they need the same finished cells. */
void tiles_begin_with_lookups(tiles_run *run, worker *self);
/* Calls a kernel that reads no finished cells on the selected tiles. Not collective. */
void tiles_work_on_tiles(tiles_run *run, worker *self, game_grid_kernel *kernel);
void tiles_select_all(tiles_run *run);
/* Calls `work` for the marked blocks of a span, or for all of them if `marks` is NULL. */
typedef void tiles_block_work(tiles_run *run, int plane, const game_grid_group *group, uint64_t row);
void tiles_work_on_blocks(tiles_run *run, int plane, const uint8_t *marks, uint64_t span,
                          tiles_block_work *work);
/* Relaxes the tiles of the shard band by band. Repeats a band while its cells change, up to three times in
 * all. */
void tiles_relax(tiles_run *run, worker *self);
/* Makes the next tiles_relax work on all tiles. */
void tiles_make_all_stale(tiles_run *run, worker *self);
void tiles_clear_changed(tiles_run *run, worker *self);
/* Adds the changed cells of the first plane to `known`. */
void tiles_note_known(tiles_run *run, worker *self);
/* After a resume: tiles_send_state sends all cells and, if depths are solved, all known cells to all readers.
 * tiles_send_self_again marks the last sent cells as changed. */
void tiles_send_state(tiles_run *run, worker *self);
void tiles_send_self_again(tiles_run *run, worker *self);
/* Returns the most bytes of gathered finished cells if 1 / parts of the arrays is in memory. */
uint64_t tiles_finished_limit(const slice_layout *layout, int planes, uint64_t parts);

#endif
