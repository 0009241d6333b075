/* Runs passes over all positions of a slice, and computes values and depths from their moves. Private to the
 * proof check.
 *
 * A check is the state of one slice while it is proven, and a worker is the state of one thread. A pass
 * visits a slice in chunks, each with one thread of one rank. A thread writes cells and depths of its own
 * chunk only; it changes `open`, `frontier` and `marked` of others by atomic operations. Cells and depths of
 * chunks of other ranks are received when they are filled. For these chunks `held` and `open` are those of
 * the last exchange, but `open` is lowered by the notices sent since. So a cell that is proven on its own
 * rank may still be open on this one. `frontier` and `marked` belong to this rank alone.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_PASS_H
#define ANALYSIS_VERIFY_VERIFY_PASS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/verify/verify_parts.h"
#include "analysis/verify/verify_slice.h"

/* A chunk has PASS_CHUNK positions, so that its bits are whole words. The cells of PASS_EDGES moves are
 * prefetched at once. A rank sends its findings after PASS_SLOTS_SENT slots, later perhaps after more. */
enum { PASS_CHUNK = 1024, PASS_EDGES = 512, PASS_NO_WORTH = INT16_MIN, PASS_SLOTS_SENT = 512 };

/* The best worth of the moves so far, the number of quiet moves with this worth, and the least and the
 * greatest depth of the children of all moves with it. */
typedef struct {
  int16_t best;
  uint16_t quiet, least, greatest;
} move_summary;

/* The fault at the least index that any thread of this rank has met. */
typedef struct {
  _Atomic uint64_t index; /* least index (of all ranks after a pass), or UINT64_MAX if there is no fault */
  verify_fault fault;
} first_fault;

typedef struct {
  const verify_set *set;
  const verify_slice *slice;
  parts parts;
  arena lists;            /* memory of workers, settled, pays */
  arena proof;            /* memory of open, frontier, marked, held, for a proof without depths */
  struct worker *workers; /* [threads] */
  mail mail;
  uint64_t sent_slots; /* number of slots between two exchanges of findings */
  int8_t *cells;
  int8_t *const *beyond; /* [slice] cells that converting moves lead to */
  int8_t *pays;          /* [position] worth for the mover if the position repeats, or NULL */
  uint16_t *depths;      /* [cell] depths or stages, or NULL */
  uint8_t *open;     /* [cell] number of moves that its proof waits for (pass_waits), 0 if proven, or NULL */
  uint64_t *settled; /* bits of positions that were settled first */
  /* Bits of proven cells that are to notify their predecessors, or of dropped cells. */
  uint64_t *frontier;
  /* Bits of positions whose moves have been retracted; later, of those whose held cells must be
   * checked again. */
  uint64_t *marked;
  uint64_t *held; /* bits of cells that a repetition may prove, or NULL */
  bool by_open; /* the depth of a quiet child counts as 1 if the child is open and not held, otherwise as 0 */
  bool only_converting; /* quiet moves are ignored */
  bool by_pays;
  int largest;
  first_fault values, depth_faults;
  tauler_error error;
  tauler_message said; /* message of an error between ranks */
} check;

typedef struct worker {
  check *owner;
  game_sink sink;
  game_edge edges[PASS_EDGES];
  uint64_t index[PASS_CHUNK]; /* [used] positions to expand or retract */
  size_t used;
  bool ended[PASS_CHUNK]; /* [used] true if the position has no moves */
  move_summary summaries[PASS_CHUNK][VERIFY_PLANES];
  int8_t pays[PASS_CHUNK];      /* worth of each position of a chunk if it repeats */
  uint8_t left_out[PASS_CHUNK]; /* true if tables leave this position of a chunk out */
  uint8_t notifies[PASS_CHUNK]; /* a bit per plane whose cell notifies predecessors */
  bool first[PASS_CHUNK];       /* true if the position is retracted for the first time */
  mail_stream outgoing;         /* numbers of cells of other ranks */
  uint64_t edges_out, edges_in; /* sums of pass_edge_number over the quiet moves of expand, and of retract */
} worker;

/* Fills the summaries of the w->used positions in w->index. If owner->open is not NULL, also adds the numbers
 * of their quiet moves to w->edges_out. Errors: those of the game, TAULER_INTERNAL. */
tauler_error pass_expand(worker *w);

/* pass_forcer returns the side that forces a value, and pass_depth the depth of the i-th position in w->index
 * by the depth rule. */
typedef enum { NOBODY, MOVER, OPPONENT } forcer;
forcer pass_forcer(const check *owner, int plane, int value);
int pass_depth(const worker *w, size_t i, int plane);

/* Returns the number of moves that the proof of a value waits for, or UINT8_MAX if it is larger. */
uint8_t pass_waits(const worker *w, size_t i, int plane);

void pass_report(first_fault *first, verify_fault found);
uint64_t pass_first_fault(const first_fault *first);

static inline uint64_t pass_cell(const check *owner, uint64_t index, int plane) {
  return index * (unsigned)owner->set->planes + (unsigned)plane;
}

static inline int8_t load_cell(const int8_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

static inline uint8_t load_open(const uint8_t *open) {
  return __atomic_load_n(open, __ATOMIC_RELAXED);
}

static inline bool pass_is_held(const check *owner, uint64_t cell) {
  return __atomic_load_n(&owner->held[cell / 64], __ATOMIC_RELAXED) >> cell % 64 & 1;
}

/* Returns a number for an edge, mixed so that different sets of edges hardly ever have the same sum. */
static inline uint64_t pass_edge_number(uint64_t from, uint64_t to) {
  uint64_t x = (from + 1) * UINT64_C(0x9E3779B97F4A7C15) ^ to * UINT64_C(0xC2B2AE3D27D4EB4F);
  x = (x ^ x >> 32) * UINT64_C(0xBF58476D1CE4E5B9);
  return x ^ x >> 29;
}

/* True if the cell is in a chunk of this rank. */
static inline bool pass_is_own(const check *owner, uint64_t cell) {
  const uint64_t cells = PASS_CHUNK * (uint64_t)owner->set->planes;
  return !owner->parts.comm || parts_owner(&owner->parts, cell / cells) == owner->parts.rank;
}

static inline void pass_send(worker *w, uint64_t cell) {
  const tauler_error error = mail_append(&w->owner->mail, &w->outgoing, &cell, sizeof cell, NULL);
  if (error) __atomic_store_n(&w->owner->error, error, __ATOMIC_RELAXED);
}

/* Computes a chunk. *changed becomes true if a cell or its bits changed. */
typedef tauler_error pass_chunk(worker *w, uint64_t first, size_t count, bool *changed);

/* Collective. Runs a pass over all chunks, each on its rank, and merges errors and first faults of all ranks.
 * Returns true if any chunk was changed and no rank has an error. `receive`, if not NULL, receives the cells
 * that other ranks send. Chunks after the first fault of the values are left out. */
bool pass_run(check *owner, pass_chunk *run, mail_receive *receive, bool backwards);

/* Does what pass_run does, for a pass that reads `open` and `held` of other chunks. Both are shared first. */
bool pass_run_by_open(check *owner, pass_chunk *run, bool backwards);

/* Collective: shares an array that has `bits` bits for each position. An error is stored in owner->error. */
void pass_share(check *owner, void *array, uint64_t bits);

/* Proves, without depths, all cells that can be proven, after the settling passes have counted the moves that
 * each cell waits for. Reports the first cell that cannot be proven. */
void verify_ends(check *owner);

#endif
