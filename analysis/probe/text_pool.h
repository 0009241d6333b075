/* Copies of texts that are freed together. Their addresses never change. A zeroed text_pool is empty. Only
 * one thread may use it at a time. Private to analysis/. */
#ifndef ANALYSIS_PROBE_TEXT_POOL_H
#define ANALYSIS_PROBE_TEXT_POOL_H

#include <stddef.h>

typedef struct text_pool_block text_pool_block;

typedef struct {
  text_pool_block *newest;
} text_pool;

/* Returns a copy of the text, or NULL if out of memory. */
const char *text_pool_add(text_pool *pool, const char *text);
void text_pool_free(text_pool *pool);

#endif
