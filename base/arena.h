/* Arrays that are listed once. A list says which arrays there are; from it come the bytes for a plan, and the
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
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/memory.h"

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
