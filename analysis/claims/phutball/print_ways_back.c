/* Prints the figures phutball-ways-back: worths of jumps ahead after which the other side can jump back. */
#include "analysis/claims/figures.h"
#include "analysis/claims/phutball/survey.h"

/* The counts. A jump ahead is free if the other side cannot jump back to the ball's row. A position counts if
 * it is not lost, cannot be won at once, and has jumps ahead of both kinds. */
enum { POSITIONS, BACK, BACK_KEPT, FREE, FREE_KEPT, BOTH_KEEP, ONLY_BACK, ONLY_FREE, COUNTS };

typedef struct {
  const phutball_surveyed *at;
  int row; /* row of the ball */
  uint64_t of[FREE_KEPT + 1];
} jumps;

static tauler_error count_jump_turn(void *user, const phb_turn *turn) {
  jumps *own = user;
  uint64_t paths = 0;
  if (!turn->jumps || turn->result != PHB_LIVE) return TAULER_OK;
  if (turn->after.ball / turn->after.columns <= own->row) return TAULER_OK;
  const int kind = phutball_jumps_to(own->at->rules, &turn->after, own->row, &paths) ? BACK : FREE;
  own->of[kind]++;
  own->of[kind + 1] += phutball_worth(own->at, turn) == own->at->value;
  return TAULER_OK;
}

static void count_ways_back(const phutball_surveyed *at, counted *counts) {
  jumps own = {.at = at, .row = at->position.ball / at->position.columns};
  if (at->value < 0 || phutball_wins_at_once(at->rules, &at->position)) return;
  if (phb_each_turn(at->rules, &at->position, count_jump_turn, &own)) counts->failed = true;
  if (own.of[BACK] == 0 || own.of[FREE] == 0) return;
  counts->of[POSITIONS] += at->copies;
  for (int i = BACK; i <= FREE_KEPT; i++) counts->of[i] += at->copies * own.of[i];
  if (own.of[BACK_KEPT] && own.of[FREE_KEPT]) counts->of[BOTH_KEEP] += at->copies;
  if (own.of[BACK_KEPT] && !own.of[FREE_KEPT]) counts->of[ONLY_BACK] += at->copies;
  if (own.of[BACK_KEPT] || !own.of[FREE_KEPT]) return;
  counts->of[ONLY_FREE] += at->copies;
  counted_note_most(counts, 64 - (uint64_t)__builtin_popcountll(at->position.men[0]), at->number);
}

void figures_phutball_ways_back(claim_tables *t, json_writer *json) {
  phutball_survey(t, json, COUNTS, 0, count_ways_back);
}
