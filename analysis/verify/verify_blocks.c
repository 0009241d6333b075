/* Proves the values of a slice many cells at a time, by functions of the game. */
#include "analysis/verify/verify_pass.h"
#include "games/game_proof.h"

static uint64_t compute_part(const verify_set *set, game_proof_run *run, game_proof_aim aim, uint64_t part) {
  const game_proof *page = set->game->proof;
  const uint64_t items = page->items(run, aim, part);
  uint64_t cells = 0;
#pragma omp parallel for num_threads(set->threads) schedule(dynamic) reduction(+ : cells) if (items > 1)
  for (uint64_t item = 0; item < items; item++) cells += page->work(run, aim, part, item);
  return cells;
}

static uint64_t compute_parts(const verify_set *set, game_proof_run *run, game_proof_aim aim) {
  const uint64_t parts = set->game->proof->parts(run, aim);
  uint64_t cells = 0;
  for (uint64_t part = 0; part < parts; part++) cells += compute_part(set, run, aim, part);
  return cells;
}

/* A part is computed up to REPEATS times in a row, since a cell that is found mostly leads to others in its
 * part. */
enum { REPEATS = 8 };

static void repeat_parts(const verify_set *set, game_proof_run *run, game_proof_aim aim) {
  const uint64_t parts = set->game->proof->parts(run, aim);
  uint64_t found;
  do {
    found = 0;
    for (uint64_t part = 0; part < parts; part++) {
      uint64_t now = 1;
      for (int i = 0; i < REPEATS && now; i++) found += now = compute_part(set, run, aim, part);
    }
  } while (found);
}

static bool prove_held_region(const verify_set *set, game_proof_run *run) {
  if (!game_ends_by_repetition(set->game, set->rules) || compute_parts(set, run, PROOF_HOLD) == 0)
    return false;
  repeat_parts(set, run, PROOF_DROP);
  return compute_parts(set, run, PROOF_KEEP) > 0;
}

static bool prove_ends(const verify_set *set, game_proof_run *run) {
  do { repeat_parts(set, run, PROOF_ENDS); } while (prove_held_region(set, run));
  return compute_parts(set, run, PROOF_LEFT) == 0;
}

static bool prove_values(const verify_set *set, const verify_slice *slice, game_proof_run *run) {
  const bool agree = compute_parts(set, run, PROOF_VALUES) == 0;
  char step[4 * GAME_TEXT_BYTES];
  if (!agree) compute_parts(set, run, PROOF_UNDO);
  if (agree && set->shown) progress_add(set->shown, slice->positions);
  if (slice->depths || !agree) return agree;
  verify_ends_start(set->shown, slice->positions, step);
  const bool proven = prove_ends(set, run);
  if (set->shown) progress_abandon(set->shown);
  return proven;
}

bool verify_blocks(const verify_set *set, const verify_slice *slice) {
  const game_proof *page = set->game->proof;
  if (!page || !page->serves(set->rules, slice->depths) || set->beyond || comm_ranks(set->ranks) > 1)
    return false;
  const game_proof_job job = {set->rules,      slice->slice,  set->planes, set->cells,
                              slice->reserved, slice->depths, set->depths};
  arena arrays;
  arena_open(&arrays, set->memory, "the proof of values");
  game_proof_run *run = page->open(&job, &arrays);
  const bool proven = !arrays.error && prove_values(set, slice, run);
  arena_close(&arrays);
  return proven;
}
