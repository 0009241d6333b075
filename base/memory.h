/* Memory that is planned before it is taken, and kept to.
 *
 * A memory_budget counts what is taken against a limit; what would go over it is refused before the
 * system is asked, with the figures and what to do. The budget owns its counters only: a block
 * belongs to its caller until it is given back to the same budget. The charge is the bytes asked
 * for; each block costs up to 128 bytes (a page from 1 MiB on) more. A budget may let large blocks lie on the
 * disk where its limit has no room for them. All functions on a budget may be called by any threads at once,
 * save memory_budget_open, memory_use_disk and memory_keep.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct {
  uint64_t limit;              /* bytes */
  _Atomic uint64_t taken;      /* bytes now */
  _Atomic uint64_t peak;       /* most bytes at any time */
  _Atomic uint64_t takes;      /* memory_take calls so far */
  uint64_t fail_from, fail_to; /* for tests: takes with these ordinals fail; 0, 0: none */
  const char *disk_folder;     /* NULL: nothing lies on the disk */
  _Atomic uint64_t disk_left;  /* bytes */
  uint64_t disk_kept;          /* bytes of the limit that blocks which may lie on the disk leave free */
} memory_budget;

/* Starts an empty budget. limit in bytes; 0 stands for 15/16 of memory_available(""). */
void memory_budget_open(memory_budget *budget, uint64_t limit);

/* Blocks of MEMORY_DISK_BLOCK bytes or more for which the limit has no room lie in hidden files of `folder`,
 * which is borrowed, up to `bytes` in all. They are mapped and charged nothing, and the system keeps as many
 * of their pages in memory as are free. */
enum { MEMORY_DISK_BLOCK = 1 << 12 };
void memory_use_disk(memory_budget *budget, const char *folder, uint64_t bytes);
/* Blocks that may lie on the disk leave so many bytes of the limit to others, while the disk has room. */
void memory_keep(memory_budget *budget, uint64_t bytes);

/* Takes a block of zeros, aligned to 64 bytes, and stores its address in the pointer that `slot`
 * points to (`double *cells; memory_take(b, n, "cells", &cells, m)`). From 1 MiB on, pages that are
 * never touched cost no memory. bytes may be 0: the block can be given back, not used. `what` names
 * the block in messages ("counters of slice 12"). On error *slot becomes NULL and nothing is
 * charged. Errors: TAULER_NO_MEMORY; with a disk also TAULER_NO_SPACE, TAULER_IO. */
tauler_error memory_take(memory_budget *budget, uint64_t bytes, const char *what, void *slot,
                         tauler_message *message);

/* The same for count items of item_bytes each; a product beyond 2^64 is refused, not wrapped. */
tauler_error memory_take_array(memory_budget *budget, uint64_t count, uint64_t item_bytes, const char *what,
                               void *slot, tauler_message *message);

/* A block of `bytes` zeros of which the caller touches no more than `touched`, which is what is charged:
 * an array that keeps its addresses though only parts of it are here. */
tauler_error memory_take_sparse(memory_budget *budget, uint64_t bytes, uint64_t touched, const char *what,
                                void *slot, tauler_message *message);

/* Makes n bytes of a sparse block zeros and gives the whole pages among them back. */
void memory_forget(void *bytes, uint64_t n);

/* Charges bytes that are taken in another way, and takes the charge back. Errors: TAULER_NO_MEMORY. */
tauler_error memory_charge(memory_budget *budget, uint64_t bytes, const char *what, tauler_message *message);
void memory_discharge(memory_budget *budget, uint64_t bytes);

/* Moves the block in *slot (or NULL) to one of `bytes` bytes; the content is kept, what is new is
 * zero. Both blocks are charged while it is copied. On error *slot is untouched. */
tauler_error memory_resize(memory_budget *budget, uint64_t bytes, const char *what, void *slot,
                           tauler_message *message);

/* Gives back a block taken from this budget; NULL is ignored. */
void memory_give(memory_budget *budget, void *block);

/* Says whether `bytes` more would fit, on the disk what may lie there, taking nothing: the question before
 * any work starts. */
tauler_error memory_plan(const memory_budget *budget, uint64_t bytes, const char *what,
                         tauler_message *message);

uint64_t memory_taken(const memory_budget *budget);
uint64_t memory_peak(const memory_budget *budget);
uint64_t memory_left(const memory_budget *budget);

/* For tests: lets the nth take from now on fail (1: the next one), and with `onwards` all after it.
 * nth 0: none fails any more. Not to be called while other threads take. */
void memory_fail_take(memory_budget *budget, uint64_t nth, bool onwards);

/* --- arrays that grow as items come, out of malloc and charged to no budget --- */

/* Makes room for at least `wanted` items of item_bytes each in the array (or NULL) in *slot; *room is how
 * many it has room for, and at least doubles. False if there is no memory: all is as before. */
bool memory_grow(void *slot, size_t *room, size_t wanted, size_t item_bytes);

/* The same, where the room does not suffice. */
static inline bool memory_make_room(void *slot, size_t *room, size_t wanted, size_t item_bytes) {
  return wanted <= *room || memory_grow(slot, room, wanted, item_bytes);
}

/* --- arenas ---
 *
 * Arrays that are listed once. A list says which arrays there are; from it come the bytes for a plan, and the
 * arrays, which one call frees.
 *
 *   static void list_mail(arena *a, void *of) {
 *     mail *m = of;
 *     m->first = arena_take(a, m->ranks + 1, sizeof *m->first);
 *     m->sent = arena_take(a, m->ranks, sizeof *m->sent);
 *   }
 *   bytes = arena_bytes(list_mail, &m);
 *   error = arena_fill(&m.arena, memory, "what ranks send", list_mail, &m, message);
 *   arena_close(&m.arena);
 *
 * An arena that is opened empty grows, and frees what was taken since a mark. One thread at a time.
 */

typedef struct arena_block arena_block;

typedef struct {
  memory_budget *memory; /* or NULL: out of malloc, charged to no budget */
  const char *what;      /* in messages */
  arena_block *block;    /* in use; earlier ones behind it */
  arena_block *spare;    /* freed last */
  bool counts;           /* takes nothing */
  uint64_t counted;      /* bytes */
  tauler_error error;    /* the first refusal */
} arena;

void arena_open(arena *a, memory_budget *memory, const char *what);
/* Frees all arrays; also of an arena of zeros. */
void arena_close(arena *a);
/* `count` items, cleared in an arena that was filled by a list. NULL after a refusal, which the arena keeps,
 * and while bytes are counted. Aligned to 64 bytes from 1 KiB on, else to 16. */
void *arena_take(arena *a, uint64_t count, uint64_t item_bytes);

/* Takes all arrays of one purpose, into `of`; called once to count and once to take. */
typedef void arena_list(arena *a, void *of);
uint64_t arena_bytes(arena_list *list, void *of);
/* Opens an arena of exactly these bytes. After an error it holds nothing, and no pointer of the list holds.
 * Errors: of memory_take. */
tauler_error arena_fill(arena *a, memory_budget *memory, const char *what, arena_list *list, void *of,
                        tauler_message *message);

typedef struct {
  arena_block *block;
  uint64_t used;
} arena_mark;
arena_mark arena_here(const arena *a);
/* Frees what was taken since. */
void arena_return(arena *a, arena_mark mark);

#endif
