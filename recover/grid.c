/* Recovers cells tile by tile: first by converting moves alone, then by all moves. */
#include "recover/grid.h"

#include <stdlib.h>

static const int8_t *read_finished(void *user, uint32_t slice, int plane, uint64_t first, size_t count,
                                   int8_t *scratch) {
  const recover_grid_job *job = user;
  (void)count;
  (void)scratch;
  if (slice >= job->finished.room || !job->finished.list[slice].cells[plane]) return NULL;
  return job->finished.list[slice].cells[plane] + first;
}

/* Returns a slab for each group, with all columns of the group, or NULL if there is no memory. */
static game_grid_slab *list_slabs(const recover_grid_job *job, uint32_t slice, size_t groups) {
  game_grid_slab *slabs = calloc(groups + 1, sizeof *slabs);
  for (size_t i = 0; i < groups && slabs; i++) {
    game_grid_group group;
    job->game->grid->group(job->rules, slice, i, &group);
    slabs[i] = (game_grid_slab){.columns = group.columns,
                                .first_cell = group.first_cell,
                                .first_changed = group.first_changed,
                                .first_bound = group.first_bound,
                                .width = group.columns,
                                .changed_width = (group.columns + 7) / 8};
  }
  return slabs;
}

typedef struct {
  const recover_grid_job *job;
  game_grid_plan plan;
  game_grid_state state;
  const int8_t *reserved;
} recovery;

static tauler_error recover_tiles_in_pass(const recovery *r, game_lookup pass) {
  tauler_error result = TAULER_OK;
#pragma omp parallel num_threads(r->job->threads)
  {
    game_grid_state state = r->state;
    char *scratch = malloc(r->plan.scratch_bytes + 1);
    tauler_error error = scratch ? TAULER_OK : TAULER_NO_MEMORY;
#pragma omp for schedule(dynamic, 1)
    for (uint64_t tile = 0; tile < r->plan.tiles; tile++) {
      if (!error)
        error = r->job->game->grid->recover(r->job->tables, &state, tile, scratch, pass, r->reserved);
    }
    free(scratch);
#pragma omp critical(recover_grid)
    if (!result) result = error;
  }
  return result;
}

tauler_error recover_grid(const recover_grid_job *job, const solved_slice *slice,
                          const int8_t reserved[GRID_PLANES], tauler_message *message) {
  const game_finished finished = {read_finished, (void *)(uintptr_t)job};
  recovery r = {.job = job, .reserved = reserved};
  job->game->grid->plan(job->rules, slice->slice, &r.plan);
  game_grid_slab *slabs = list_slabs(job, slice->slice, r.plan.groups);
  r.state = (game_grid_state){
      .slice = slice->slice, .planes = slice->planes, .slabs = slabs, .finished = &finished};
  for (int plane = 0; plane < slice->planes; plane++)
    r.state.cells[plane] = r.state.own[plane] = slice->cells[plane];
  tauler_error error = slabs ? recover_tiles_in_pass(&r, LOOKUP_CONVERTING) : TAULER_NO_MEMORY;
  if (!error) error = recover_tiles_in_pass(&r, LOOKUP_ALL);
  free(slabs);
  if (!error) return TAULER_OK;
  return tauler_fail(message, error, "the cells of slice %u that its tables leave out did not come back: %s",
                     slice->slice, tauler_error_name(error));
}
