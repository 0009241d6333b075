/* Makes the tables with which the values of a slice of Dou Shou Qi are compared with its moves. */
#include "games/doushouqi/proof.h"

#include <string.h>

static void describe_remainder(game_proof_run *run, int captured) {
  remainder *left = &run->remainders[captured];
  dsq_view view;
  left->turned = run->slice->piece[captured].side == DSQ_BLACK;
  if (!dsq_view_without(run->job.rules, run->slice->piece, run->slice->pieces, captured, left->turned, &view,
                        left->from))
    return;
  left->slice = dsq_slice_at(run->job.rules, view.slice);
  left->part = view.flipped;
}

static void describe_twin(game_proof_run *run) {
  dsq_view view;
  if (run->slice->parts == 1)
    (void)dsq_view_without(run->job.rules, run->slice->piece, run->slice->pieces, -1, true, &view, run->twin);
}

static void add_shift(game_proof_run *run, int from, const dsq_target *target) {
  const int by = target->to - from;
  int i = 0;
  while (i < run->shifts_used && (run->shifts[i].by != by || run->shifts[i].no_rat != target->no_rat ||
                                  run->shifts[i].no_drinker != target->no_drinker))
    i++;
  last_shift *shift = &run->shifts[i];
  if (i == run->shifts_used) {
    run->shifts_used++;
    *shift = (last_shift){.by = by, .no_rat = target->no_rat, .no_drinker = target->no_drinker};
  }
  shift->from |= dsq_bit(from);
}

static void list_shifts(game_proof_run *run) {
  const game_rules *rules = run->job.rules;
  const dsq_piece piece = run->slice->piece[run->last];
  for (int from = 0; from < DSQ_SQUARES; from++) {
    for (int t = 0; t < rules->targets_used[piece.side][piece.animal][from]; t++) {
      const dsq_target *target = &rules->targets[piece.side][piece.animal][from][t];
      if (proof_forbidding(run, target) >> from & 1) continue;
      if (target->to != rules->den[!piece.side]) add_shift(run, from, target);
    }
  }
  for (int i = 0; i < run->shifts_used; i++) proof_fill_mask(run->shifts[i].from, run->shifts[i].lanes);
}

static void lay_out(game_proof_run *run) {
  for (int i = 0; i < DSQ_SQUARES; i++) run->mirror[i] = (uint8_t)placement_mirror(DSQ_FILES, i);
  run->rows = 1;
  for (int i = run->last - 1; i >= 0; i--) {
    const placement_index *place = &run->slice->place;
    const uint64_t ground = place->squares[i] & (i == 0 ? place->left | place->middle : UINT64_MAX);
    run->stride[i] = run->rows;
    uint8_t n = 0;
    for (int square = 0; square < DSQ_SQUARES; square++) {
      run->ordinal[i][square] = n;
      n = (uint8_t)(n + (ground >> square & 1));
    }
    run->rows *= n;
  }
}

static void list_proof_arrays(arena *a, game_proof_run *run) {
  const uint64_t cells = 2 * run->rows * LANES;
  int16_t *worths = arena_allocate(a, cells + 2 * LANES, sizeof *worths); /* shifts read beyond both ends */
  const uint64_t words = (dsq_positions(run->job.rules, run->slice->slice) + 63) / 64;
  run->filled = arena_allocate(a, words, sizeof *run->filled);
  if (a->error) return;
  run->worths = worths + LANES;
  memset(run->filled, 0, words * sizeof *run->filled);
  for (uint64_t i = 0; i < cells + 2 * LANES; i++) worths[i] = NO_MOVE;
}

game_proof_run *dsq_proof_open(const game_proof_job *job, arena *arrays) {
  game_proof_run *run = arena_allocate(arrays, 1, sizeof *run);
  if (!run) return NULL;
  const dsq_slice *slice = dsq_slice_at(job->rules, job->slice);
  memset(run, 0, sizeof *run);
  run->job = *job;
  run->slice = slice;
  run->last = slice->pieces - 1;
  lay_out(run);
  for (int i = 0; i <= run->last; i++) describe_remainder(run, i);
  describe_twin(run);
  list_shifts(run);
  list_proof_arrays(arrays, run);
  return run;
}
