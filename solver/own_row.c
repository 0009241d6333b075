/* Thresholds from the largest value down, so that what guarantees more is in X from the start: each position
 * enters X once per plane, over all thresholds. At each, X grows by single moves and by regions in turn,
 * until a region adds nothing that could let another one stay.
 *
 * When that is: let X be closed under single moves, Z the region found, X' what single moves make of X and Z.
 * If all that X' has more than X pays t, it stays in X and itself, so it was in Z; and a region Z' beyond X'
 * would, together with Z, have stayed without X', so it is empty. Hence another region is looked for only
 * when X took in a position that pays less than t (`leaves`). And a threshold at which no position pays
 * exactly t, ends or converts for exactly t, has the regions and the single moves of the one before: nothing
 * is to be done. */
#include "solver/own_row.h"

#include "solver/own_row_work.h"

static const char *const what = "the own-row solver";

static void begin_threshold(void *user) {
  own_row *all = user;
  all->stage = 1;
  all->leaves = false;
}

static void begin_region(void *user) {
  own_row *all = user;
  all->leaves = false;
  all->staying = 0;
}

static void lower_threshold(void *user) {
  own_row *all = user;
  all->threshold--;
}

static void solve_threshold(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  crew_meet(crew, begin_threshold, all);
  own_row_begin(member, crew);
  own_row_grow(member, crew);
  do {
    crew_meet(crew, begin_region, all);
    own_row_hold(member, crew);
    own_row_grow(member, crew);
  } while (all->leaves && !all->failed);
}

/* Both planes as the mover's net result. */
static void finish(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  uint64_t block;
  while (crew_next(crew, own_row_blocks(all), &block)) {
    const uint64_t first = block * OWN_ROW_BLOCK, end = first + OWN_ROW_BLOCK;
    for (uint64_t i = first; i < end && i < all->n; i++) {
      for (int plane = 0; plane < SOLVE_PLANES; plane++) {
        const bool sure = all->states[plane][i] & STATE_SURE;
        const int guaranteed = sure ? all->cells[plane][i] : -all->largest;
        all->cells[plane][i] = (int8_t)(plane == SIDE_MOVES ? guaranteed : -guaranteed);
        if (!sure && all->stages[plane]) all->stages[plane][i] = SOLVE_NO_DEPTH;
      }
    }
  }
}

static void work(void *user, crew_member *crew) {
  own_row *all = user;
  own_row_member *member = &all->members[crew->number];
  member->all = all;
  own_row_look(member, crew);
  while (!all->failed && all->threshold > -all->largest) {
    if (own_row_is_level(all)) solve_threshold(member, crew);
    crew_meet(crew, lower_threshold, all);
  }
  if (!all->failed) finish(member, crew);
}

static uint64_t mark_words(uint64_t n) {
  return (n + 63) / 64;
}

static tauler_error open_plane(own_row *all, int plane, bool stages, solved_slice *out,
                               tauler_message *message) {
  memory_budget *memory = all->job->memory;
  tauler_error error = memory_take(memory, all->n, what, &out->cells[plane], message);
  if (!error && stages)
    error = memory_take_array(memory, all->n, sizeof *out->depths[plane], what, &out->depths[plane], message);
  if (!error) error = memory_take(memory, all->n, what, &all->states[plane], message);
  for (int i = 0; i < 2 && !error; i++) {
    error = memory_take_array(memory, mark_words(all->n), sizeof(uint64_t), what,
                              i ? &all->following[plane] : &all->marked[plane], message);
  }
  all->cells[plane] = out->cells[plane];
  all->stages[plane] = stages ? out->depths[plane] : NULL;
  return error;
}

static void close_work(own_row *all) {
  memory_budget *memory = all->job->memory;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memory_give(memory, all->states[plane]);
    memory_give(memory, all->marked[plane]);
    memory_give(memory, all->following[plane]);
  }
  memory_give(memory, all->pays);
  memory_give(memory, all->members);
}

tauler_error own_row_solve(const solve_job *job, uint32_t slice, bool stages, solved_slice *out,
                           tauler_message *message) {
  const int largest = job->game->largest_value(job->rules, slice);
  own_row all = {.job = job,
                 .slice = slice,
                 .n = job->game->positions(job->rules, slice),
                 .largest = largest,
                 .threshold = largest};
  out->slice = slice;
  out->positions = all.n;
  out->planes = SOLVE_PLANES;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < SOLVE_PLANES && !error; plane++)
    error = open_plane(&all, plane, stages, out, message);
  if (!error) error = memory_take(job->memory, all.n, what, &all.pays, message);
  if (!error)
    error = memory_take_array(job->memory, (uint64_t)job->threads, sizeof *all.members, what, &all.members,
                              message);
  if (!error) {
    crew_run(job->threads, work, &all);
    error = (tauler_error)all.failed;
    if (error) tauler_fail(message, error, "slice %u could not be solved by %s", slice, what);
  }
  close_work(&all);
  return error;
}

uint64_t own_row_solve_bytes(const solve_job *job, uint32_t slice, bool stages) {
  const uint64_t n = job->game->positions(job->rules, slice);
  const uint64_t planes = SOLVE_PLANES * (2 * n + (stages ? sizeof(uint16_t) * n : 0) + 16 * mark_words(n));
  return planes + n + (uint64_t)job->threads * sizeof(own_row_member);
}
