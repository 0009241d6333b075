/* Lists the slices of an engine that has them whole on a rank, and frees them. */
#include "solver/engines/engine.h"

#include <string.h>

static void list_slices(arena *a, void *of) {
  whole_slices *whole = of;
  whole->slices = arena_allocate(a, whole->room, whole->engine->slice_bytes);
  whole->views = arena_allocate(a, whole->room, whole->engine->view_bytes);
}

uint64_t whole_list_bytes(const engine *engine, const game_slices *slices) {
  whole_slices planned = {.engine = engine->whole, .room = game_slices_largest(slices) + 1};
  return arena_bytes(list_slices, &planned);
}

tauler_error whole_open(engine_run *run, tauler_message *message) {
  const build_job *job = run->job;
  run->whole = (whole_slices){.engine = run->engine->whole, .room = game_slices_largest(&run->needed) + 1};
  const tauler_error error = arena_fill(&run->whole.lists, job->work.memory, "the list of finished slices",
                                        list_slices, &run->whole, message);
  uint64_t missing = ~memory_left(job->work.memory);
  const tauler_error lost = comm_allreduce(job->work.comm, COMM_MAX, &missing, 1, message);
  run->solving.room = ~missing;
  return lost ? lost : comm_agree(job->work.comm, error, message);
}

void whole_close(engine_run *run) {
  for (size_t i = 0; run->whole.lists.block && i < run->needed.used; i++) whole_free_slice(run, i);
  arena_close(&run->whole.lists);
}

static char *entry(const engine_run *run, size_t place, void *list, size_t bytes) {
  return (char *)list + run->slices.slices[place].slice * bytes;
}

void *whole_at(const engine_run *run, size_t place) {
  return entry(run, place, run->whole.slices, run->whole.engine->slice_bytes);
}

void whole_free_slice(engine_run *run, size_t place) {
  const whole_engine *engine = run->whole.engine;
  engine->free(run->job->work.memory, whole_at(run, place));
  memset(entry(run, place, run->whole.views, engine->view_bytes), 0, engine->view_bytes);
}
