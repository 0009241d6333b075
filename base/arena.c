/* Cuts arrays out of blocks of a memory budget. */
#include "base/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
  arena_block *before;
  uint64_t used, room;
  _Alignas(64) unsigned char bytes[];
};

enum { BLOCK = 1 << 20, LARGE = 1 << 10 };

void arena_open(arena *a, memory_budget *memory, const char *what) {
  *a = (arena){.memory = memory, .what = what};
}

static void give(const arena *a, arena_block *block) {
  if (a->memory)
    memory_give(a->memory, block);
  else
    free(block);
}

void arena_close(arena *a) {
  arena_return(a, (arena_mark){NULL, 0});
  give(a, a->spare);
  *a = (arena){.memory = NULL};
}

static bool add_block(arena *a, uint64_t room, tauler_message *message) {
  arena_block *block = NULL;
  tauler_error error = TAULER_OK;
  if (a->memory)
    error = memory_take(a->memory, sizeof *block + room, a->what, &block, message);
  else if (!(block = aligned_alloc(_Alignof(arena_block), (sizeof *block + room + 63) / 64 * 64)))
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for %s", a->what);
  else
    memset(block, 0, sizeof *block + room);
  if (error) {
    if (!a->error) a->error = error;
    return false;
  }
  block->room = room;
  block->before = a->block;
  a->block = block;
  return true;
}

static bool grow(arena *a, uint64_t bytes) {
  arena_block *block = a->spare;
  if (!block || block->room < bytes) return add_block(a, bytes > BLOCK ? bytes : BLOCK, NULL);
  a->spare = NULL;
  block->used = 0;
  block->before = a->block;
  a->block = block;
  return true;
}

void *arena_take(arena *a, uint64_t count, uint64_t item_bytes) {
  const uint64_t bytes = count * item_bytes, align = bytes >= LARGE ? 64 : 16;
  uint64_t *used = a->block ? &a->block->used : &a->counted;
  uint64_t from = (*used + align - 1) / align * align;
  if (item_bytes && count > (UINT64_MAX / 4) / item_bytes) {
    if (!a->error) a->error = TAULER_NO_MEMORY;
    return NULL;
  }
  if (a->counts) {
    a->counted = from + bytes;
    return NULL;
  }
  if (!a->block || a->block->room < from + bytes) {
    if (!grow(a, bytes)) return NULL;
    from = 0;
  }
  a->block->used = from + bytes;
  return a->block->bytes + from;
}

uint64_t arena_bytes(arena_list *list, void *of) {
  arena a = {.counts = true};
  list(&a, of);
  return a.error ? UINT64_MAX / 2 : sizeof(arena_block) + a.counted;
}

tauler_error arena_fill(arena *a, memory_budget *memory, const char *what, arena_list *list, void *of,
                        tauler_message *message) {
  const uint64_t bytes = arena_bytes(list, of);
  arena_open(a, memory, what);
  if (!add_block(a, bytes - sizeof(arena_block), message)) {
    const tauler_error error = a->error;
    *a = (arena){.memory = NULL};
    return error;
  }
  list(a, of);
  assert(!a->block->before); /* else the list names other arrays than it did */
  return TAULER_OK;
}

arena_mark arena_here(const arena *a) {
  return (arena_mark){a->block, a->block ? a->block->used : 0};
}

void arena_return(arena *a, arena_mark mark) {
  while (a->block != mark.block) {
    arena_block *block = a->block;
    a->block = block->before;
    give(a, a->spare);
    a->spare = block;
  }
  if (a->block) a->block->used = mark.used;
}
