/* Bounds under a rule by which the first repetition ends play: safe regions and attractors in turn, for all
 * thresholds at once.
 *
 * docs/proofs.md, "Own row", asks for one threshold at a time: X grows by attractors and by safe regions Z.
 * Each threshold has sets of its own and larger ones lie within smaller ones, so a number per position and
 * side stands for all of them: the largest threshold of whose set it is a member. A region is a greatest
 * fixpoint: numbers begin with what a repetition pays, or what X has, and fall to the best of the moves. An
 * attractor is a least one, as of finite play: numbers begin with the region and rise.
 *
 * The kernels have cells that rise (lower bounds) and cells that fall (upper ones). Guarantees of the mover
 * fall in a region and rise in an attractor; those of the other side, which are upper bounds of the mover, do
 * the opposite. So planes are exchanged at the beginning of each phase, and the kernels know of no phase. */
#include "solver/engines/tiles/tiles.h"

enum { PIECE = 4096 };

static void exchange_cells(const tiles_run *run, uint64_t index, uint64_t n, int8_t *lower, int8_t *upper) {
  const solve_problem *problem = &run->job->problem;
  const bool regions = tiles_finds_regions(run);
  int8_t pays[PIECE];
  for (uint64_t done = 0; done < n; done += PIECE) {
    const size_t piece = n - done < PIECE ? (size_t)(n - done) : PIECE;
    if (regions) problem->game->repeated(problem->rules, run->slice->slice, index + done, piece, pays);
    for (size_t i = 0; i < piece; i++) {
      const int8_t least = lower[done + i], most = upper[done + i];
      lower[done + i] = regions && pays[i] < most ? pays[i] : most;
      upper[done + i] = regions && pays[i] > least ? pays[i] : least;
    }
  }
}

/* Whole blocks that the shard reads, and its own part of them where that stands elsewhere. */
static void exchange_block(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  (void)plane;
  const game_grid_slab *slab = &run->state.slabs[group - run->layout->groups];
  const uint64_t index = group->first_cell + row * group->columns;
  const uint64_t own = slab->first_cell + row * slab->width;
  if (run->halo[0] && tiles_reads_block(run, tiles_shard_number(run), group->first_block + row)) {
    exchange_cells(run, index, group->columns, run->halo[0] + index, run->halo[1] + index);
    if (run->joined) return;
  }
  exchange_cells(run, index + slab->from, slab->columns, run->state.own[0] + own, run->state.own[1] + own);
}

void tiles_enter_phase(tiles_run *run, worker *self) {
  uint64_t span;
  while (!run->failed.error && worker_next(self, tiles_spans(run), &span))
    tiles_work_on_blocks(run, 0, NULL, span, exchange_block);
  worker_barrier(self, NULL, NULL);
}

static void add_apart(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  (void)plane;
  const game_grid_slab *slab = &run->state.slabs[group - run->layout->groups];
  const uint64_t own = slab->first_cell + row * slab->width;
  const int8_t *lower = run->state.own[0] + own, *upper = run->state.own[1] + own;
  uint64_t apart = 0;
  for (uint64_t i = 0; i < slab->columns; i++) apart += (uint64_t)(upper[i] - lower[i]);
  if (apart) atomic_fetch_add(&run->n_changed, apart);
}

void tiles_add_apart(tiles_run *run, worker *self) {
  uint64_t span;
  while (!run->failed.error && worker_next(self, tiles_spans(run), &span))
    tiles_work_on_blocks(run, 0, NULL, span, add_apart);
  worker_barrier(self, NULL, NULL);
}

static const int8_t *read_other_plane(void *user, uint32_t slice, int plane, uint64_t first, size_t count,
                                      int8_t *spare) {
  const tiles_run *run = user;
  return run->stored.read(run->stored.user, slice, 1 - plane, first, count, spare);
}

void tiles_swap_finished(tiles_run *run) {
  run->stored = run->finished;
  run->finished = (game_finished){.read = read_other_plane, .user = run};
}
