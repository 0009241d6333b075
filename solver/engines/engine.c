/* Says what all engines have in common: sizes of tasks, and the time that solving takes. */
#include "solver/engines/engine.h"

#include "base/clock.h"

static uint64_t beyond(uint64_t bytes, uint64_t kept) {
  return bytes > kept ? bytes - kept : 0;
}

level_task engine_size_task(const engine *engine, const solve_job *solving, const game_slice *slice,
                            size_t place, bool kept) {
  solve_job by_one = *solving;
  by_one.threads = 1;
  const uint64_t finished = kept ? engine->finished_bytes(solving, slice->slice) : 0;
  return (level_task){.place = place,
                      .positions = slice->positions,
                      .alone = beyond(engine->task_bytes(solving, slice->slice), finished),
                      .side = beyond(engine->task_bytes(&by_one, slice->slice), finished)};
}

void engine_note_solving(engine_run *run, double cpu_start, double wall_start) {
  run->cost->solving += clock_process_cpu() - cpu_start;
  run->cost->solving_wall += clock_wall() - wall_start;
}
