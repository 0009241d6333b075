/* Allocates memory within a limit, and says before work starts whether the limit suffices.
 *
 * The system may grant more memory than it has, and later kill the process or swap without end. So a
 * memory_budget counts allocated bytes against a limit, and refuses a request beyond it. A block belongs to
 * its caller until it is freed to the same budget. The bytes asked for are charged, but not the head of a
 * block (64 bytes) and its padding (less than a page). If the limit does not suffice for a block, a budget
 * may put it on the disk. Several threads may call functions on a budget at once, except memory_budget_open,
 * memory_use_disk, memory_keep and memory_fail_allocation.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct {
  uint64_t limit; /* bytes, like `taken` and `peak` */
  _Atomic uint64_t taken;
  _Atomic uint64_t peak;
  _Atomic uint64_t takes;     /* allocations so far, refused ones included */
  uint64_t fail_from;         /* for tests: ordinal of the first allocation that fails */
  uint64_t fail_to;           /* for tests: ordinal of the last allocation that fails, 0 if none fails */
  const char *disk_folder;    /* NULL if no block may be on the disk */
  _Atomic uint64_t disk_left; /* bytes that blocks on the disk may still have */
  uint64_t disk_kept;         /* bytes of the limit that stay free for blocks that may not be on the disk */
} memory_budget;

/* Opens an empty budget. `limit` is in bytes; 0 means 15/16 of memory_available(""). */
void memory_budget_open(memory_budget *budget, uint64_t limit);

/* Lets memory_allocate put blocks of MEMORY_DISK_BLOCK bytes or more for which the limit does not suffice
 * into hidden files of `folder`, which is borrowed. All such blocks together have at most `bytes`. They are
 * mapped and not charged, and the system keeps some of their pages in memory while there is free memory. */
enum { MEMORY_DISK_BLOCK = 1 << 12 };
void memory_use_disk(memory_budget *budget, const char *folder, uint64_t bytes);
/* Keeps bytes of the limit free for blocks that may not be on the disk. If the disk has no room for another
 * block, that block may use them nevertheless. */
void memory_keep(memory_budget *budget, uint64_t bytes);

/* Allocates a block of zeros, aligned to 64 bytes, and stores its address in the pointer that `slot` points
 * to (`double *cells; memory_allocate(b, n, "cells", &cells, m)`). From 256 KiB on, pages that are never
 * touched cost no memory. `bytes` may be 0: such a block can be freed, but not used. `what` names the block
 * in messages ("counters of slice 12"). After an error *slot is NULL and nothing is charged. Errors:
 * TAULER_NO_MEMORY; with a disk also TAULER_NO_SPACE, TAULER_IO. */
tauler_error memory_allocate(memory_budget *budget, uint64_t bytes, const char *what, void *slot,
                             tauler_message *message);

tauler_error memory_allocate_array(memory_budget *budget, uint64_t count, uint64_t item_bytes,
                                   const char *what, void *slot, tauler_message *message);

/* Allocates `bytes` zeros of which the caller touches at most `touched`; only these are charged. */
tauler_error memory_allocate_sparse(memory_budget *budget, uint64_t bytes, uint64_t touched, const char *what,
                                    void *slot, tauler_message *message);

/* Sets n bytes of a sparse block to zero and returns the whole pages among them to the system. */
void memory_clear(void *bytes, uint64_t n);

/* Charge and discharge bytes that are allocated in another way. Errors: TAULER_NO_MEMORY. */
tauler_error memory_charge(memory_budget *budget, uint64_t bytes, const char *what, tauler_message *message);
void memory_discharge(memory_budget *budget, uint64_t bytes);

/* Replaces the block in *slot (or NULL) by one of `bytes` bytes. The content that fits is kept, and new bytes
 * are zero. Both blocks are charged during the copy. After an error *slot is unchanged. */
tauler_error memory_resize(memory_budget *budget, uint64_t bytes, const char *what, void *slot,
                           tauler_message *message);

void memory_free(memory_budget *budget, void *block); /* NULL is ignored */

/* Returns TAULER_NO_MEMORY if `bytes` more would not fit into the free memory and disk space of the budget
 * or, with a disk, if fewer bytes are free than memory_keep demands. Nothing is allocated. */
tauler_error memory_plan(const memory_budget *budget, uint64_t bytes, const char *what,
                         tauler_message *message);

uint64_t memory_allocated(const memory_budget *budget);
uint64_t memory_peak(const memory_budget *budget);
uint64_t memory_left(const memory_budget *budget);

/* For tests: makes the nth allocation from now on fail (1 is the next one) and, with `onwards`, all after it.
 * If nth is 0, none fails any more. No other thread may allocate meanwhile. */
void memory_fail_allocation(memory_budget *budget, uint64_t nth, bool onwards);

/* --- growing arrays, from malloc and charged to no budget --- */

/* Makes space for `wanted` items in the array (or NULL) in *slot. *room at least doubles. If there is no
 * memory, returns false and changes nothing. */
bool memory_grow(void *slot, size_t *room, size_t wanted, size_t item_bytes);

static inline bool memory_make_room(void *slot, size_t *room, size_t wanted, size_t item_bytes) {
  return wanted <= *room || memory_grow(slot, room, wanted, item_bytes);
}

/* --- sorted arrays --- */

/* Returns the place of the last of n items whose number is at most `key`, or 0 if there is none. The numbers
 * rise and are `stride` bytes apart, from `first` on. */
static inline size_t memory_find_last(const uint64_t *first, size_t stride, size_t n, uint64_t key) {
  const char *const numbers = (const char *)first;
  size_t low = 0, high = n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(*(const uint64_t *)(const void *)(numbers + middle * stride) <= key ? &low : &high) = middle;
  }
  return low;
}

/* --- sets of bits --- */

static inline bool has_bit(const uint64_t *bits, uint64_t i) {
  return bits[i / 64] >> (i % 64) & 1;
}
static inline void set_bit(uint64_t *bits, uint64_t i) {
  bits[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline void clear_bit(uint64_t *bits, uint64_t i) {
  bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* --- arenas ---
 * A function of type arena_list names all arrays of one purpose. With it, arena_bytes counts their bytes for
 * a plan, and arena_fill allocates them. One call frees them all.
 *
 *   static void list_mail(arena *a, void *of) {
 *     mail *m = of;
 *     m->first = arena_allocate(a, m->ranks + 1, sizeof *m->first);
 *     m->sent = arena_allocate(a, m->ranks, sizeof *m->sent);
 *   }
 *   bytes = arena_bytes(list_mail, &m);
 *   error = arena_fill(&m.arena, memory, "what ranks send", list_mail, &m, message);
 *   arena_close(&m.arena);
 *
 * An arena of arena_open is empty and grows; arena_return frees what was allocated since a mark. Only one
 * thread may use an arena at a time.
 */

typedef struct arena_block arena_block;

typedef struct {
  memory_budget *memory; /* NULL if malloc is used and nothing is charged */
  const char *what;
  arena_block *block; /* block in use, linked to earlier ones */
  arena_block *spare; /* block kept for the next growth, or NULL */
  bool counts;        /* true if bytes are counted and nothing is allocated */
  uint64_t counted;
  tauler_error error; /* the first refusal */
} arena;

void arena_open(arena *a, memory_budget *memory, const char *what);
void arena_close(arena *a); /* also for an arena of zeros */
/* Allocates `count` items; they are zeros if arena_fill allocated the arena. Returns NULL while bytes are
 * counted, and if memory is refused; the arena keeps the first refusal. Arrays of 1 KiB or more are aligned
 * to 64 bytes, others to 16. */
void *arena_allocate(arena *a, uint64_t count, uint64_t item_bytes);

/* Must ask for the same arrays each time. */
typedef void arena_list(arena *a, void *of);
uint64_t arena_bytes(arena_list *list, void *of);
/* Opens an arena of exactly the bytes of the list. After an error it is empty, and no pointer in `of` is
 * valid. Errors: those of memory_allocate. */
tauler_error arena_fill(arena *a, memory_budget *memory, const char *what, arena_list *list, void *of,
                        tauler_message *message);

typedef struct {
  arena_block *block;
  uint64_t used;
} arena_mark;
arena_mark arena_here(const arena *a);
void arena_return(arena *a, arena_mark mark); /* frees the arrays that were allocated since the mark */

#endif
