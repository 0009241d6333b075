/* The kernel for strips for any processor, and the scratch of both kernels. */
#define STRIP_RELAX strip_relax_narrow
#include "solver/engines/chance/kernel_rows.h"

static uint64_t rows_of(const strip_source *source) {
  return source->way == STRIP_CONSTANT ? 1 : source->mover_first[source->mover_strips];
}

uint64_t strip_scratch_bytes(uint64_t source_rows) {
  return sizeof(strip_scratch) + source_rows * ROW * sizeof(double);
}

tauler_error strip_scratch_open(const strip_tables *tables, memory_budget *memory, strip_scratch **out,
                                tauler_message *message) {
  tauler_error error = memory_allocate(memory, sizeof **out, "the work on a strip", out, message);
  for (int i = 0; i < tables->sections && !error; i++) {
    for (int k = 0; k < tables->section[i].sources; k++) {
      const uint64_t rows = rows_of(&tables->section[i].source[k]);
      if (rows > (*out)->room[k]) (*out)->room[k] = rows;
    }
  }
  for (int k = 0; k < STRIP_SOURCES && !error; k++) {
    if ((*out)->room[k] == 0) continue;
    error = memory_allocate_array(memory, (*out)->room[k], ROW * sizeof(double), "the rows of a strip",
                                  &(*out)->local[k], message);
  }
  return error;
}

void strip_scratch_close(memory_budget *memory, strip_scratch *scratch) {
  if (!scratch) return;
  for (int k = 0; k < STRIP_SOURCES; k++) memory_free(memory, scratch->local[k]);
  memory_free(memory, scratch);
}
