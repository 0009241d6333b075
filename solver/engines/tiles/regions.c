/* Bounds under a rule by which the first repetition ends play. Phases of safe regions and attractors
 * alternate, for all thresholds at once.
 *
 * docs/proofs.md, "Own row", defines the bounds for one threshold at a time: a set X grows by attractors and
 * by safe regions Z. The sets of a larger threshold lie within those of a smaller one. One number per
 * position and side therefore stands for all sets: the largest threshold whose set contains the position. A
 * region is a greatest fixpoint: its numbers begin with what a repetition pays, or the number of X if that is
 * larger, and fall to the best of the moves. An attractor is a least fixpoint, as in finite play: its numbers
 * begin with the region and rise.
 *
 * The kernels have cells that rise (lower bounds) and cells that fall (upper bounds). A guarantee of the
 * mover falls in a region and rises in an attractor. A guarantee of the other side is an upper bound for the
 * mover and does the opposite. The planes are therefore swapped at the beginning of each phase, and the
 * kernels need not know the phase.
 */
#include "solver/engines/tiles/tiles.h"

enum { PIECE = 4096 };

static void swap_planes(const tiles_run *run, uint64_t index, uint64_t n, int8_t *lower, int8_t *upper) {
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

/* Swaps the planes of a block that the shard reads, otherwise of the shard's own columns. */
static void swap_block_planes(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  (void)plane;
  const game_grid_slab *slab = &run->state.slabs[group - run->layout->groups];
  const uint64_t index = group->first_cell + row * group->columns;
  const uint64_t own = slab->first_cell + row * slab->width;
  if (run->halo[0] && tiles_reads_block(run, tiles_shard_number(run), group->first_block + row)) {
    swap_planes(run, index, group->columns, run->halo[0] + index, run->halo[1] + index);
    return;
  }
  swap_planes(run, index + slab->from, slab->columns, run->state.own[0] + own, run->state.own[1] + own);
}

void tiles_enter_phase(tiles_run *run, worker *self) {
  uint64_t span;
  while (!run->failed.error && worker_next(self, tiles_spans(run), &span))
    tiles_work_on_blocks(run, 0, NULL, span, swap_block_planes);
  worker_barrier(self, NULL, NULL);
}

static void add_block_differences(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  (void)plane;
  const game_grid_slab *slab = &run->state.slabs[group - run->layout->groups];
  const uint64_t own = slab->first_cell + row * slab->width;
  const int8_t *lower = run->state.own[0] + own, *upper = run->state.own[1] + own;
  uint64_t apart = 0;
  for (uint64_t i = 0; i < slab->columns; i++) apart += (uint64_t)(upper[i] - lower[i]);
  if (apart) atomic_fetch_add(&run->n_changed, apart);
}

void tiles_add_differences(tiles_run *run, worker *self) {
  uint64_t span;
  while (!run->failed.error && worker_next(self, tiles_spans(run), &span))
    tiles_work_on_blocks(run, 0, NULL, span, add_block_differences);
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
