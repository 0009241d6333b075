#include "naive_memory.h"

#include <stdlib.h>

void (*naive_owner)(void *thing, void (*release)(void *thing));

void *naive_allocate(int count, size_t size) {
  void *memory = calloc((size_t)count + 1, size);
  if (memory == NULL) abort();
  naive_owner(memory, free);
  return memory;
}

void *naive_grown(void *array, int used, int *room, size_t size) {
  if (used < *room) return array;
  *room = 2 * *room + 1000;
  array = realloc(array, (size_t)*room * size);
  if (array == NULL) abort();
  return array;
}
