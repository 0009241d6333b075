/* Keeps the answers of a prover: proven ones in the memo, leaning ones on a list until they are proven or
 * dropped. */
#include "analysis/search/search.h"

#include <string.h>

enum { FIRST_ROOM = 1024, MOST_LEANING = (1 << 24) - 1 };

/* An answer that holds if the answers on which it leans hold. */
struct prover_leaning {
  prover_step step;
  size_t best;
};

static void note_best_move(memo_entry *entry, size_t best) {
  if (best != SIZE_MAX) entry->best = (uint16_t)(best < UINT16_MAX ? best : UINT16_MAX);
}

void keep_proven(prover *p, const prover_step *step, const uint64_t *state, prover_answer answer,
                 size_t best) {
  memo_entry *entry = memo_add(p->memo, step->hash, state, step->largest);
  if (answer == PROVER_YES && entry->lower < step->at_least) entry->lower = (int16_t)step->at_least;
  if (answer == PROVER_NO && entry->upper >= step->at_least) entry->upper = (int16_t)(step->at_least - 1);
  note_best_move(entry, best);
}

void keep_open_question(prover *p, const prover_step *step, const uint64_t *state, int depth, size_t best) {
  memo_entry *entry = memo_add(p->memo, step->hash, state, step->largest);
  entry->asked[step->wanted] = (int16_t)step->at_least;
  entry->depth[step->wanted] = (uint8_t)depth;
  note_best_move(entry, best);
}

static const uint64_t *leaning_state(const prover *p, size_t i) {
  return p->leaning_states + i * p->words;
}

static tauler_error make_room_for_leaning(prover *p) {
  const size_t room = p->leaning_room ? 2 * p->leaning_room : FIRST_ROOM;
  const char *what = "answers that lean on others";
  tauler_error error = memory_resize(&p->budget, room * sizeof *p->leaning, what, &p->leaning, p->message);
  if (!error)
    error =
        memory_resize(&p->budget, room * p->words * sizeof(uint64_t), what, &p->leaning_states, p->message);
  if (!error) p->leaning_room = room;
  return error;
}

tauler_error keep_leaning(prover *p, size_t ply, size_t best) {
  const prover_step *step = &p->path[ply];
  const tauler_error error = p->leaning_used == p->leaning_room ? make_room_for_leaning(p) : TAULER_OK;
  if (error) return error;
  const size_t i = p->leaning_used++;
  p->leaning[i] = (prover_leaning){*step, best};
  memcpy(p->leaning_states + i * p->words, path_state(p, ply), p->words * sizeof(uint64_t));
  memo_entry *entry = memo_add(p->memo, step->hash, path_state(p, ply), step->largest);
  entry->leaning = p->leaning_used <= MOST_LEANING ? p->leaning_used & MOST_LEANING : 0;
  note_best_move(entry, best);
  return TAULER_OK;
}

void keep_proven_and_leaning(prover *p, size_t ply, size_t mark, prover_answer answer, size_t best) {
  const prover_step *step = &p->path[ply];
  const bool all_hold = p->cycles_are_drawn && answer == repetition_answer(step->at_least);
  for (size_t i = mark; all_hold && i < p->leaning_used; i++) {
    const prover_leaning *is = &p->leaning[i];
    keep_proven(p, &is->step, leaning_state(p, i), repetition_answer(is->step.at_least), is->best);
  }
  keep_proven(p, step, path_state(p, ply), answer, best);
}

bool keep_find_leaning(const prover *p, const memo_entry *entry, const prover_step *step,
                       const uint64_t *state, uint64_t *number) {
  const size_t i = entry->leaning;
  if (i == 0 || i > p->leaning_used) return false;
  const prover_leaning *is = &p->leaning[i - 1];
  if (is->step.at_least != step->at_least ||
      memcmp(leaning_state(p, i - 1), state, p->words * sizeof *state) != 0)
    return false;
  *number = is->step.number;
  return true;
}
