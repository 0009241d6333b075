/* Private to the proof check: passes over all positions of a slice, and what the rules of values and depths
 * make of their moves.
 *
 * A check is the state of one slice while it is proven; a worker is what one thread works with. Passes go
 * over a slice in chunks, each done by one thread of one rank; a thread writes cells of its own chunk, or
 * values that every thread would write. Of chunks of other ranks, cells and depths are there as they were
 * shared when they were filled; `open` and `held` as they were shared last, so they may show less as proven
 * than is, and `frontier` and `marked` are of this rank alone.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_PASS_H
#define ANALYSIS_VERIFY_VERIFY_PASS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "analysis/verify/verify_parts.h"
#include "analysis/verify/verify_slice.h"

/* A chunk of PASS_CHUNK positions is a batch of one thread; its bits are whole words. PASS_EDGES moves are
 * fetched ahead at once. At first a rank sends its findings after PASS_SLOTS_SENT chunks. */
enum { PASS_CHUNK = 1024, PASS_EDGES = 512, PASS_NO_WORTH = INT16_MIN, PASS_SLOTS_SENT = 512 };

/* The best worth of the moves so far. Of the moves with that worth: how many stay in the slice, and the least
 * and the greatest depth behind them. */
typedef struct {
  int16_t best;
  uint16_t quiet, least, greatest;
} move_summary;

/* The fault at the least index that any thread has met. */
typedef struct {
  _Atomic uint64_t index; /* UINT64_MAX: none */
  verify_fault fault;
} first_fault;

typedef struct {
  const verify_set *set;
  const verify_slice *slice;
  parts parts;
  arena lists;            /* arrays of every check */
  arena proof;            /* arrays of a proof without depths: open, frontier, marked, held */
  struct worker *workers; /* [threads] */
  mail mail;
  uint64_t sent_slots; /* slots between two exchanges of findings */
  int8_t *cells;
  int8_t *const *beyond; /* values that converting moves lead to, by slice */
  int8_t *pays; /* [positions] worth if the position repeats, for stages and for values on every history, or
                   NULL */
  uint16_t *depths;   /* depths of the cells, or NULL. `open` takes their place */
  uint8_t *open;      /* number of moves that the proof of each cell waits for, 0 if the cell is proven */
  uint64_t *settled;  /* positions that were settled first, a bit each */
  uint64_t *frontier; /* cells that are proven and have not notified their predecessors, a bit each */
  /* Positions, a bit each: their moves have been retracted. Later, if a repetition ends play: one of their
   * held cells must be checked again. */
  uint64_t *marked;
  uint64_t *held; /* cells that may be kept since a repetition pays them, a bit each, or NULL */
  bool by_open;   /* a quiet move is one deep if its child is open and not held, otherwise 0 */
  bool only_converting;
  bool by_pays; /* `pays` is needed */
  int largest;  /* largest value of the slice */
  first_fault values, depth_faults;
  tauler_error error;
  tauler_message said; /* text of errors that ranks exchange */
} check;

typedef struct worker {
  check *owner;
  game_sink sink;
  game_edge edges[PASS_EDGES];
  uint64_t index[PASS_CHUNK]; /* positions looked at, in the order of the arrays below */
  size_t used;
  bool moves[PASS_CHUNK], ended[PASS_CHUNK];
  move_summary summaries[PASS_CHUNK][VERIFY_PLANES];
  uint64_t still[PASS_CHUNK]; /* those of them that have no moves */
  size_t which[PASS_CHUNK];   /* place of each of these in `index` */
  int16_t ended_value[PASS_CHUNK];
  int8_t pays[PASS_CHUNK];      /* worth of each position of a chunk if it repeats */
  uint8_t left_out[PASS_CHUNK]; /* tables leave the position of a chunk out */
  uint8_t notifies[PASS_CHUNK]; /* cells whose predecessors are notified, a bit per plane */
  bool first[PASS_CHUNK];       /* the position is retracted for the first time */
  mail_stream outgoing;         /* numbers of cells of other ranks */
  uint64_t edges_out, edges_in; /* sums of the numbers of quiet moves that expand, and retract, have listed */
} worker;

/* Fills the summaries of the w->used positions in w->index, and adds their quiet moves to w->edges_out. */
tauler_error pass_expand(worker *w);

/* The side that the depth rule is about, and the depth that it gives the i-th position looked at. */
typedef enum { NOBODY, MOVER, OPPONENT } forcer;
forcer pass_forcer(const check *owner, int plane, int value);
int pass_depth(const worker *w, size_t i, int plane);

/* The number of moves that the proof of a value waits for, cut to UINT8_MAX. */
uint8_t pass_open(const worker *w, size_t i, int plane);

void pass_report(first_fault *first, verify_fault found);
uint64_t pass_first_fault(const first_fault *first);

static inline uint64_t pass_cell(const check *owner, uint64_t index, int plane) {
  return index * (unsigned)owner->set->planes + (unsigned)plane;
}

static inline int8_t load_cell(const int8_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

static inline bool has_bit(const uint64_t *bits, uint64_t at) {
  return bits[at / 64] >> at % 64 & 1;
}
static inline void set_bit(uint64_t *bits, uint64_t at) {
  bits[at / 64] |= UINT64_C(1) << at % 64;
}
static inline uint8_t load_open(const uint8_t *open) {
  return __atomic_load_n(open, __ATOMIC_RELAXED);
}

static inline bool pass_is_held(const check *owner, uint64_t cell) {
  return __atomic_load_n(&owner->held[cell / 64], __ATOMIC_RELAXED) >> cell % 64 & 1;
}

/* An edge as a number whose sums differ between sets of edges. */
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

/* Adds a cell of another rank to those that are sent there. */
static inline void pass_send(worker *w, uint64_t cell) {
  const tauler_error error = mail_append(&w->owner->mail, &w->outgoing, &cell, sizeof cell, NULL);
  if (error) __atomic_store_n(&w->owner->error, error, __ATOMIC_RELAXED);
}

/* Works on a chunk. *changed becomes true if a cell changed for which others may wait. */
typedef tauler_error pass_chunk(worker *w, uint64_t first, size_t count, bool *changed);

/* Collective. Runs a pass over all chunks, each on its rank. Returns true if any chunk changed a cell; errors
 * and first faults are then those of all ranks. `receive` (or NULL) receives the cells that other ranks send.
 * Chunks after the first fault of the values are left out. */
bool pass_run(check *owner, pass_chunk *run, mail_receive *receive, worker *workers, bool backwards);

/* The same for a pass that reads `open` and `held` of other chunks, which are shared first. */
bool pass_run_by_open(check *owner, pass_chunk *run, worker *workers, bool backwards);

/* Collective: shares an array, of which each position has `bits`. */
void pass_share(check *owner, void *array, uint64_t bits);

/* If a repetition ends play: proves the greatest set of open cells in which the forcing side can keep play or
 * go to proven cells, on positions that pay it as much if they repeat. Returns true if there are any; they
 * are then in the frontier. */
bool verify_held(check *owner, worker *workers);

/* Without depths: proves all cells that can be proven, after the settling passes have counted the moves that
 * each cell waits for. Reports the first cell that cannot be proven. */
void verify_ends(check *owner, worker *workers);

#endif
