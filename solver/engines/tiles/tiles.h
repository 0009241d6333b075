/* Private to the grid engine: its parts, and what they share while a slice is solved.
 *
 * A share that owns all of a slice reads its own cells, has no halo and tells nobody. Of several, a share
 * owns strips (layout.h) and reads whole blocks, its halo, of which others own columns. In a turn the kernels
 * work on the share's tiles; what changed in its cells is then told to all shares that read the block: the
 * bits, and the values while values are solved. Readers write them into their halo and have them as news in
 * their next turn. All shares hold the same fixpoint in the end, whoever told what when, since cells only
 * ever move away from open; depths are told wave by wave.
 *
 * One share per rank stays in memory and has a turn per round, in step with the others. Of several per
 * rank one at a time is in memory; it works until it has no news of its own, so that few turns are
 * needed, and its arrays lie on the disk in between.
 */
#ifndef SOLVER_ENGINES_TILES_TILES_H
#define SOLVER_ENGINES_TILES_TILES_H

#include <stdatomic.h>
#include <string.h>

#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/tiles/state.h"
#include "solver/parallel/exchange.h"
#include "solver/parallel/workers.h"
#include "solver/shards/slice.h"

/* What a telling is about: cells that changed, with their values; decided depths; and after a resumption,
 * what is no news: all cells that are not open, and what was decided in earlier waves. */
typedef enum { TELL_CHANGES, TELL_DECISIONS, TELL_CELLS, TELL_KNOWN } grid_telling;

/* What a run is for, and so which arrays it has. */
typedef enum { RUN_VALUES, RUN_DEPTHS, RUN_LOOKS, RUN_RECOVERY } grid_purpose;

/* The most that the arrays of a share here take. */
typedef struct {
  share_size own;
  uint64_t halo_cells, halo_news; /* bytes of the pages that are touched */
} grid_share_needs;

typedef struct grid_teller grid_teller; /* of one thread; send.c, receive.c */

/* A telling under way: blocks of one reader and plane are a portion, taken in turn by the threads. */
typedef struct {
  struct grid_spread_run *run;
  grid_telling what;
  _Atomic uint64_t next;
  uint64_t portions, per_reader; /* per_reader: of one plane */
  int planes;
} grid_told;

typedef struct grid_spread_run {
  const solve_job *job;
  const game_grid *grid;
  game_grid_plan plan;
  spread_slice *slice;
  const slice_layout *layout;
  int threads;
  grid_purpose purpose;
  grid_share_needs needs;
  exchange *exchange;

  /* The share at work, `at` of the shares here. Halo arrays have the addresses of the whole slice. */
  uint32_t at;
  int8_t *halo[GRID_PLANES];
  uint8_t *news[GRID_PLANES], *stirred[GRID_PLANES];
  uint8_t *fresh[GRID_PLANES], *stirring[GRID_PLANES];   /* of the kernel's round */
  uint8_t *told[GRID_PLANES], *told_blocks[GRID_PLANES]; /* of the whole turn */
  uint8_t *known;                                        /* laid out as news */
  uint8_t *known_own;                                    /* laid out as told */
  int8_t *bounds[GRID_PLANES];
  game_grid_state state;
  game_finished finished;

  uint8_t *reads; /* [share]: a bit per block that it reads */
  uint64_t reads_width;
  char *scratch;
  size_t scratch_bytes; /* per thread */
  grid_teller *tellers; /* per thread */
  grid_told telling;
  packed_cells *cells;           /* finished ones, of the tiles at work */
  uint64_t first_tile, end_tile; /* of the share's tiles, those at work */

  /* What all members of all crews go by; set where they meet. */
  bool more;         /* of the telling or the tiles under way */
  bool goes_on;      /* another round */
  bool beginning;    /* this round is the first */
  uint32_t next;     /* share that has its turn next */
  uint64_t in_turn;  /* cells changed in the last round of the turn */
  uint64_t in_round; /* and by this rank in the round of all shares */

  game_look pass;               /* of recovery */
  int8_t reserved[GRID_PLANES]; /* cells to be recovered */
  grid_progress run;
  _Atomic uint64_t changed; /* here, in this round */
  _Atomic int failed;       /* a tauler_error */
  tauler_message message;
  keeper keeper;
  unit_arrays kept; /* of the share at work */
  keeper_units units;
  bool resumed;
} grid_spread_run;

/* needs.c: a bit per block that the tiles of each share read. */
tauler_error grid_find_readers(const solve_job *job, const slice_layout *layout, uint8_t *reads,
                               uint64_t width, tauler_message *message);
/* The largest of the shares that a rank holds: of those from `first` on. `reads` NULL: guessed, by the guess
 * if there is one. */
grid_share_needs grid_find_needs(const halo_guess *guess, const slice_layout *layout, const uint8_t *reads,
                                 uint64_t width, uint32_t first, uint32_t count);
exchange_settings grid_exchange_settings(const solve_job *job, const slice_layout *layout);
int grid_crew_size(const solve_job *job, const slice_layout *layout);

uint64_t tiles_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                     uint32_t shards_per_rank, uint64_t *waiting);

/* arrays.c */
tauler_error grid_run_open(grid_spread_run *run, const solve_job *job, spread_slice *slice,
                           grid_purpose purpose, tauler_message *message);
void grid_run_close(grid_spread_run *run);
static inline uint32_t grid_share_number(const grid_spread_run *run) {
  return run->slice->first_share + run->at;
}
static inline bool grid_reads_block(const grid_spread_run *run, uint32_t share, uint64_t block) {
  return run->reads[share * run->reads_width + block / 8] >> (block % 8) & 1;
}
/* One share owns all. While values are solved its fresh news is its news; the news of depths is that of the
 * wave before, so two sets of it take turns. */
static inline bool grid_is_alone(const grid_spread_run *run) {
  return run->layout->shares == 1;
}
/* The first byte from `from` on that is not 0, or `end`: late rounds concern few blocks. */
static inline uint64_t grid_next_marked(const uint8_t *bytes, uint64_t from, uint64_t end) {
  uint64_t word = 0;
  while (from + sizeof word <= end) {
    memcpy(&word, bytes + from, sizeof word);
    if (word) return from + (uint64_t)__builtin_ctzll(word) / 8;
    from += sizeof word;
  }
  while (from < end && !bytes[from]) from++;
  return from;
}
/* Has the i-th share here in memory; fresh: with nothing in it but what was open at first. */
tauler_error grid_visit(grid_spread_run *run, uint32_t i, bool fresh);
tauler_error grid_leave(grid_spread_run *run);
/* Names the arrays of the share at work for the keeper. */
void grid_name_arrays(grid_spread_run *run);
void grid_note_failure(grid_spread_run *run, tauler_error error, const tauler_message *message);
/* What was fresh in this wave is the news of the next one; of one share. */
void grid_swap_news(void *run);

/* All that follows is called by all members of the crew, who meet at the end of each; what is collective
 * is done by the leading one.
 *
 * send.c, receive.c: tells the other shares, and takes in what comes while one share per rank stays in
 * memory. */
tauler_error grid_tellers_open(grid_spread_run *run, tauler_message *message);
void grid_tellers_close(grid_spread_run *run);
uint64_t grid_teller_bytes(size_t piece_bytes);
void grid_tell(grid_spread_run *run, crew_member *member, grid_telling what);
/* The part of it that stays here, as a whole and in items for one member each. */
void grid_tell_self(grid_spread_run *run, crew_member *member, grid_telling what);
uint64_t grid_self_items(const grid_spread_run *run, grid_telling what);
void grid_tell_self_item(grid_spread_run *run, grid_telling what, uint64_t item);
/* What was kept for the share at work, with several shares per rank. */
void grid_take_in(grid_spread_run *run, crew_member *member);

/* kernels.c. Calls a kernel (NULL: recovery, in its pass) on the tiles of the share at work, chunk by
 * chunk, with the finished cells that they read at hand. Collective. */
void grid_work_with_finished(grid_spread_run *run, crew_member *member, game_grid_kernel *kernel);
/* The same without finished cells, on this rank alone. */
void grid_work_on_tiles(grid_spread_run *run, crew_member *member, game_grid_kernel *kernel);
void grid_take_all_tiles(grid_spread_run *run);
/* After a kernel: forgets the news that it took in and tells the share itself what changed. */
void grid_end_kernel(grid_spread_run *run, crew_member *member, grid_news_plane taken_in, grid_telling what);
/* Keeps the news of the first plane as known. */
void grid_note_known(grid_spread_run *run, crew_member *member);
/* After a resumption: what all cells are, to all; and what was told last, as news to the share itself. */
void grid_tell_state(grid_spread_run *run, crew_member *member);
void grid_tell_self_again(grid_spread_run *run, crew_member *member);
uint64_t grid_finished_limit(const slice_layout *layout, int planes);

#endif
