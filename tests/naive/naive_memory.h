/* Memory of the slow definitions, which belongs to an owner. A lack of memory aborts. */
#ifndef NAIVE_MEMORY_H
#define NAIVE_MEMORY_H

#include <stddef.h>

/* The owner of all things that are handed out. Suites set it before anything is solved. */
extern void (*naive_owner)(void *thing, void (*release)(void *thing));

void *naive_allocate(int count, size_t size); /* zeroed */

/* The array, moved if all its places are used. Its owner has to be told how it is released. */
void *naive_grown(void *array, int used, int *room, size_t size);

#endif
