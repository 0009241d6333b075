/* Memory of the slow definitions. Whoever runs them has it given back; one that gets none has nothing to say,
 * so it aborts. */
#ifndef NAIVE_MEMORY_H
#define NAIVE_MEMORY_H

#include <stddef.h>

/* What owns the things that are handed out; set before anything is solved. */
extern void (*naive_owner)(void *thing, void (*release)(void *thing));

void *naive_allocate(int count, size_t size); /* zeroed */

/* The array, moved if all its places are used. Its owner has to be told how it is released. */
void *naive_grown(void *array, int used, int *room, size_t size);

#endif
