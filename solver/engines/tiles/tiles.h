/* Private to the tiles engine: its parts, and what they share while a slice is solved.
 *
 * A shard that owns all of a slice reads its own cells, has no halo and sends nothing. If there are several,
 * a shard owns slabs (layout.h) and reads whole blocks, its halo, of which others own columns. In a turn the
 * kernels work on the shard's tiles; what changed in its cells is then sent to all shards that read the
 * block: the bits, and the values while values are solved. Readers write them into their halo and have them
 * as changed cells in their next turn. All shards reach the same fixpoint in any order of packets, because
 * each cell only moves away from open; depths are sent wave by wave.
 *
 * One shard per rank stays in memory and has a turn per round, in step with the others: what one kernel
 * changed is sent before the next one starts, so that all ranks together do the work of one. While values are
 * solved its own cells stand in the arrays of the halo, too (tiles_is_joined). If a rank has several, one at
 * a time is in memory; it works until it has no changed cells of its own, so that few turns are needed, and
 * its arrays lie on the disk in between. Such shards look into each other's arrays (share.c): packets go to
 * other ranks alone.
 */
#ifndef SOLVER_ENGINES_TILES_TILES_H
#define SOLVER_ENGINES_TILES_TILES_H

#include <stdatomic.h>
#include <string.h>

#include "parallel/exchange.h"
#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/tiles/state.h"
#include "solver/shards/slice.h"

/* The subject of a sending: cells that changed, with their values; decided depths; and after a resumption,
 * what has not changed: all cells that are not open, and what was decided in earlier waves. */
typedef enum { SEND_CHANGES, SEND_DECISIONS, SEND_CELLS, SEND_KNOWN } tiles_sending;

/* The purpose of a run, which decides its arrays. */
typedef enum { RUN_VALUES, RUN_DEPTHS, RUN_LOOKUPS, RUN_RECOVERY } tiles_purpose;

/* A shard here while another one takes from it what it sent, or all that it has; laid out by its slabs. */
typedef struct {
  uint32_t at; /* of the shards here */
  int8_t *cells[GRID_PLANES];
  uint8_t *sent[2][GRID_PLANES], *sent_blocks[2][GRID_PLANES];
  uint8_t *known;
} tiles_neighbour;

/* The most that the arrays of a shard here take. */
typedef struct {
  shard_size own;
  uint64_t halo_cells, halo_changed; /* bytes of the pages that are touched */
  uint64_t read_cells;               /* of blocks that it reads, without the rest of its own */
} tiles_shard_needs;

/* Sums that ranks send with their packets; with the last packets of a round, the sums of the round. */
typedef struct {
  uint64_t changed, failed, wishes;
} tiles_totals;
enum { TILES_TOTALS = sizeof(tiles_totals) / sizeof(uint64_t) };

typedef struct tiles_sender tiles_sender; /* of one thread; send.c, receive.c */

/* A sending under way: blocks of one group and plane are a portion, taken in turn by the threads. */
typedef struct {
  struct tiles_run *run;
  tiles_sending what;
  _Atomic uint64_t next;
  uint64_t portions;
  int first_plane, planes;
} tiles_sent;

/* Blocks that a worker takes at once. */
enum { TILES_SPAN = 512 };
static inline uint64_t tiles_sent_span_bytes(const slice_layout *layout) {
  return 2 * (uint64_t)layout->shards_per_rank * GRID_PLANES * (layout->blocks / TILES_SPAN + 1);
}

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

  /* The shard at work, `at` of the shards here. Halo arrays have the addresses of the whole slice. */
  uint32_t at;
  int8_t *halo[GRID_PLANES];
  uint8_t *changed[GRID_PLANES], *dirty[GRID_PLANES];
  /* For one kernel, where a turn has several rounds or one shard owns all; else NULL. */
  uint8_t *next_changed[GRID_PLANES], *next_dirty[GRID_PLANES];
  uint8_t *sent[GRID_PLANES], *sent_blocks[GRID_PLANES]; /* of the whole turn: points into sent_of */
  uint8_t *sent_of[2][GRID_PLANES], *sent_blocks_of[2][GRID_PLANES]; /* [1]: depths of shards that wait */
  uint8_t *known;                                                    /* laid out as changed cells */
  uint8_t *known_own;                                                /* laid out as sent */
  int8_t *bounds[GRID_PLANES];
  game_grid_state state;
  game_finished finished, stored; /* what kernels read, and what it stands for */
  game_grid_slab *joined;         /* of the shard at work, where tiles_is_joined */
  tiles_neighbour from;           /* the shard here that the one at work takes from */
  uint8_t *sent_spans[2];         /* as sent_of: [shard here][plane][span]: a block of it is in sent_blocks */
  int sent_now, sent_read;        /* which of sent_of this turn writes, and reads of others */

  uint8_t *reads; /* [shard]: a bit per block that it reads */
  uint64_t reads_width;
  bool compresses; /* what it sends */
  char *scratch;
  size_t scratch_bytes;  /* per thread */
  tiles_sender *senders; /* per thread */
  tiles_sent sending;
  store_cells *cells;            /* finished ones, of the tiles at work */
  uint64_t first_tile, end_tile; /* of the shard's tiles, those at work */

  /* Decisions that all workers of all ranks follow; set at barriers. */
  bool more;             /* of the sending or the tiles under way */
  bool goes_on;          /* another round */
  bool beginning;        /* this round is the first */
  uint32_t next;         /* shard that has its turn next */
  uint64_t in_turn;      /* cells changed in the last round of the turn */
  uint64_t in_round;     /* and by this rank in the round of all shards */
  uint64_t wish;         /* of this rank, for the checkpointer at the end of the round */
  tiles_totals of_ranks; /* as of the last advance of the exchange */

  game_lookup pass;             /* of recovery */
  int8_t reserved[GRID_PLANES]; /* cells to be recovered */
  tiles_progress run;
  _Atomic uint64_t n_changed; /* here, in this round */
  failure failed;
  checkpointer checkpointer;
  unit_arrays kept; /* of the shard at work */
  checkpoint_units units;
  bool resumed;
} tiles_run;

/* needs.c: a bit per block that the tiles of each shard read. */
tauler_error tiles_find_readers(const solve_job *job, const slice_layout *layout, uint8_t *reads,
                                uint64_t width, tauler_message *message);
/* The largest of the shards that a rank holds: of those from `first` on. `reads` NULL: uses `guess`. */
tiles_shard_needs tiles_find_needs(const halo_guess *guess, const slice_layout *layout, const uint8_t *reads,
                                   uint64_t width, uint32_t first, uint32_t count);
int tiles_threads(const workspace *work, const slice_layout *layout);

uint64_t tiles_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                     uint32_t shards_per_rank, uint64_t *waiting);

/* arrays.c */
tauler_error tiles_run_open(tiles_run *run, const solve_job *job, sharded_slice *slice, tiles_purpose purpose,
                            tauler_message *message);
void tiles_run_close(tiles_run *run);
/* The totals of this rank in the round under way. */
tiles_totals tiles_own_totals(const tiles_run *run);
static inline uint32_t tiles_shard_number(const tiles_run *run) {
  return run->slice->first_shard + run->at;
}
static inline bool tiles_reads_block(const tiles_run *run, uint32_t shard, uint64_t block) {
  return run->reads[shard * run->reads_width + block / 8] >> (block % 8) & 1;
}
/* One shard owns all. While values are solved, `next_changed` and `changed` are one set. While depths are
 * solved, a wave reads one set and writes the other, and they swap after it. */
static inline bool tiles_is_alone(const tiles_run *run) {
  return run->layout->shards == 1;
}
/* Own cells stand among those that the shard reads, and own changed cells among its changed cells: what a
 * kernel changed is what is sent, since changed cells of others come to a plane when its own are sent. */
static inline bool tiles_is_joined(const tiles_run *run) {
  return run->purpose == RUN_VALUES && run->layout->shards > 1 && !run->slice->mapped;
}
/* The spans in which a shard here has sent cells of a plane. */
static inline uint8_t *tiles_sent_spans(const tiles_run *run, int sent, uint32_t at, int plane) {
  return run->sent_spans[sent] +
         (at * GRID_PLANES + (uint64_t)plane) * (run->layout->blocks / TILES_SPAN + 1);
}
/* The first byte from `from` on that is not 0, or `end`: late rounds concern few blocks. */
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
/* Brings the i-th shard of this rank into memory; is_new: it holds only what was open at first. */
tauler_error tiles_visit(tiles_run *run, uint32_t i, bool is_new);
void tiles_leave(void *run);
/* Has another shard here at hand, or the one at work itself, as run->from. */
void tiles_visit_neighbour(void *run);
void tiles_leave_neighbour(void *run);
/* Where own cells stand among those of others: copies them to their part of the slice. The bounds go first.
 * Collective. */
tauler_error tiles_part_cells(tiles_run *run);
/* Names the arrays of the shard at work for the checkpointer. */
void tiles_name_arrays(tiles_run *run);
/* With one shard: the cells that changed in this wave are the changed cells of the next one. */
void tiles_swap_changed(void *run);

/* All that follows is called by all workers, with a barrier at the end of each; what is collective
 * is done by the leading one.
 *
 * send.c, receive.c: sends changes to the other shards and receives theirs while one shard per rank stays in
 * memory. */
tauler_error tiles_senders_open(tiles_run *run, tauler_message *message);
void tiles_senders_close(tiles_run *run);
uint64_t tiles_sender_bytes(size_t packet_bytes, const slice_layout *layout);
void tiles_send(tiles_run *run, worker *self, tiles_sending what);
/* Sends the changes of one plane. */
void tiles_send_plane(tiles_run *run, worker *self, tiles_changed_plane plane);
/* The part of it that stays here, as a whole and in items of one plane for one worker each. */
void tiles_send_self(tiles_run *run, worker *self, tiles_sending what);
uint64_t tiles_self_items(const tiles_run *run);
void tiles_send_self_item(tiles_run *run, tiles_sending what, int plane, uint64_t item);
/* Receives what was kept for the shard at work, with several shards per rank. */
void tiles_take_in(tiles_run *run, worker *self);
/* share.c: what the other shards here have for the one at work; nothing where there is one per rank. */
void tiles_take_shared(tiles_run *run, worker *self, tiles_sending what);
/* A new turn has sent nothing yet. */
void tiles_forget_sent(tiles_run *run, worker *self);

/* regions.c: bounds where a repetition ends play. */
static inline bool tiles_finds_regions(const tiles_run *run) {
  return run->run.phase % 2 == 1;
}
/* Cells of the shard at work become those that a phase begins with. */
void tiles_enter_phase(tiles_run *run, worker *self);
/* Adds up how far the bounds of the shard at work lie apart, as changed cells. */
void tiles_add_apart(tiles_run *run, worker *self);
/* Reads finished cells of the other plane. */
void tiles_swap_finished(tiles_run *run);

/* kernels.c. Calls a kernel (NULL: recovery, in its pass) on the tiles of the shard at work, chunk by
 * chunk, with the finished cells that they read at hand. Collective. */
void tiles_work_with_finished(tiles_run *run, worker *self, game_grid_kernel *kernel);
/* Begins with values where tiles_is_joined, and leaves the lookups of the slice. */
void tiles_begin_with_lookups(tiles_run *run, worker *self);
/* The same without finished cells, on this rank alone. */
void tiles_work_on_tiles(tiles_run *run, worker *self, game_grid_kernel *kernel);
void tiles_take_all_tiles(tiles_run *run);
/* The blocks of a span that are marked (NULL: all). */
typedef void tiles_block_work(tiles_run *run, int plane, const game_grid_group *group, uint64_t row);
uint64_t tiles_spans(const tiles_run *run);
void tiles_work_on_blocks(tiles_run *run, int plane, const uint8_t *marks, uint64_t span,
                          tiles_block_work *work);
/* After a kernel: clears the changed cells that it took in and marks in the shard itself what changed. */
void tiles_end_kernel(tiles_run *run, worker *self, tiles_changed_plane taken_in, tiles_sending what);
/* Keeps the changed cells of the first plane as known. */
void tiles_note_known(tiles_run *run, worker *self);
/* After a resumption: what all cells are, to all; and what was sent last, as changed cells to the shard
 * itself. */
void tiles_send_state(tiles_run *run, worker *self);
void tiles_send_self_again(tiles_run *run, worker *self);
uint64_t tiles_finished_limit(const slice_layout *layout, int planes);

#endif
