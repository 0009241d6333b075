/* Keeps copies of texts that are freed together. */
#include "analysis/probe/text_pool.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 4000 };

struct text_pool_block {
  text_pool_block *older;
  size_t used, room;
  char bytes[];
};

const char *text_pool_add(text_pool *pool, const char *text) {
  const size_t n = strlen(text) + 1;
  text_pool_block *block = pool->newest;
  if (!block || block->room - block->used < n) {
    const size_t room = n > BLOCK_BYTES ? n : BLOCK_BYTES;
    block = malloc(sizeof *block + room);
    if (!block) return NULL;
    *block = (text_pool_block){pool->newest, 0, room};
    pool->newest = block;
  }
  char *copy = memcpy(block->bytes + block->used, text, n);
  block->used += n;
  return copy;
}

void text_pool_free(text_pool *pool) {
  for (text_pool_block *block = pool->newest, *older; block; block = older) {
    older = block->older;
    free(block);
  }
  pool->newest = NULL;
}
