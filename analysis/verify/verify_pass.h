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

/* CHUNK positions are one batch of one thread; a chunk's bits are whole words. PASS_EDGES of them are
 * fetched ahead at once. At first a rank sends after SLOTS_SENT chunks. */
enum { PASS_CHUNK = 1024, PASS_EDGES = 512, PASS_NO_WORTH = INT16_MIN, PASS_SLOTS_SENT = 512 };

/* The best worth of the moves seen so far, and of the moves of that worth: how many stay in the slice,
 * and the least and the greatest depth behind them. */
typedef struct {
  int16_t best;
  uint16_t quiet, least, greatest;
} fold;

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
  arena proof;            /* arrays of a proof without depths */
  struct worker *workers; /* one per thread */
  mail mail;
  uint64_t sent_slots; /* after which is sent what there is to send */
  int8_t *cells;
  int8_t *const *beyond; /* values that converting moves lead to */
  int8_t
      *pays; /* per position its worth if it repeats, for stages and for values on every history, else NULL */
  uint16_t *depths;   /* when they are stored */
  uint8_t *open;      /* otherwise moves that the proof of a cell waits for, 0 if it is proven */
  uint64_t *settled;  /* a bit per position */
  uint64_t *frontier; /* a bit per cell: proven, and its predecessors have not been notified */
  uint64_t *marked;   /* a bit per position: first its moves have been retracted, later, if a repetition ends
                         play, one of its held cells must be checked again */
  uint64_t
      *held;    /* if a repetition ends play, a bit per cell that may be kept because a repetition pays it */
  bool by_open; /* a quiet move is as deep as its child is open and not held, 0 or 1 */
  bool only_converting;
  int largest;
  first_fault values, depth_faults;
  tauler_error error;
  tauler_message said; /* text of errors that ranks exchange */
} check;

typedef struct worker {
  check *owner;
  game_sink sink;
  game_edge edges[PASS_EDGES];
  uint64_t index[PASS_CHUNK]; /* positions looked at */
  uint64_t still[PASS_CHUNK]; /* positions without moves */
  size_t which[PASS_CHUNK], used;
  int16_t ended_value[PASS_CHUNK];
  int8_t pays[PASS_CHUNK];
  bool moves[PASS_CHUNK], ended[PASS_CHUNK];
  uint8_t left_out[PASS_CHUNK];
  uint8_t notifies[PASS_CHUNK]; /* the cells whose predecessors are notified: a bit per plane */
  bool first[PASS_CHUNK];       /* whether the position is retracted for the first time */
  fold folds[PASS_CHUNK][VERIFY_PLANES];
  mail_stream outgoing;         /* cells of other ranks, to be sent */
  uint64_t edges_out, edges_in; /* sums over quiet moves, as expand and as retract know them */
} worker;

/* Fills the folds of the w->used positions in w->index, and adds their quiet moves to w->edges_out. */
tauler_error pass_expand(worker *w);

/* The side whose gain the depth rule is about, and the depth that the rule gives a position looked at. */
typedef enum { NOBODY, MOVER, OPPONENT } forcer;
forcer pass_forcer(const check *owner, int plane, int value);
int pass_depth(const worker *w, size_t i, int plane);

/* Moves that must be proven before its value is, if no more than these: at most UINT8_MAX. */
uint8_t pass_open(const worker *w, size_t i, int plane);

void pass_report(first_fault *first, verify_fault found);
uint64_t pass_first_fault(const first_fault *first);

static inline uint64_t pass_cell(const check *owner, uint64_t index, int plane) {
  return index * (unsigned)owner->set->planes + (unsigned)plane;
}

static inline int8_t load_cell(const int8_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

/* True if a repetition ends play under these rules. */
static inline bool pass_repeats(const verify_set *set) {
  return set->game->repeated && set->game->repeated(set->rules, 0, 0, 0, NULL);
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

/* Puts a cell of another rank on the list of what is sent there. */
static inline void pass_send(worker *w, uint64_t cell) {
  const tauler_error error = mail_append(&w->owner->mail, &w->outgoing, &cell, sizeof cell, NULL);
  if (error) __atomic_store_n(&w->owner->error, error, __ATOMIC_RELAXED);
}

/* One chunk of a pass; *changed is set when it changed something that others may wait for. */
typedef tauler_error pass_chunk(worker *w, uint64_t first, size_t count, bool *changed);

/* Collective. Runs a pass over all chunks, each on its rank, and says whether any changed something; errors
 * and first faults are then those of all ranks. `receive` (or NULL) takes what others send. Positions
 * behind the first fault of the values are left out. */
bool pass_run(check *owner, pass_chunk *run, mail_receive *receive, worker *workers, bool backwards);

/* The same for a pass that expands moves by what is open and held. */
bool pass_run_by_open(check *owner, pass_chunk *run, worker *workers, bool backwards);

/* Collective: shares an array, of which each position has `bits`. */
void pass_share(check *owner, void *array, uint64_t bits);

/* Where a repetition ends play: proves the greatest set of open cells in which the forcing side can keep
 * play, on positions that pay it as much if they repeat, save where play goes to proven cells. True if there
 * are any; they are in the frontier. */
bool verify_held(check *owner, worker *workers);

/* Without depths: proves all that can be proven, after the settling passes have counted what each cell
 * waits for, and reports the first cell that cannot be. */
void verify_ends(check *owner, worker *workers);

#endif
