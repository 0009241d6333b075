/* Prints the figures animal-jumps: worths of jumps over a lake that Black's rat in the water stops. */
#include "analysis/claims/doushouqi/animal_survey.h"
#include "analysis/claims/figures.h"

/* The counts of White's animal whose jump is stopped, and of the rat for all animals together: positions,
 * those in which a jump would be worth more than every move (DECIDED), those of DECIDED in which it would
 * win, those of DECIDED that are lost, and jumps. */
enum { STOPPED, DECIDED, WON, LOST, JUMPS, KINDS };

static bool is_jump(const dsq_target *target) {
  return target->no_rat & DSQ_WATER && !(DSQ_WATER >> target->to & 1);
}

static int find_animal(const uint8_t square[DSQ_ANIMALS], int wanted) {
  int animal = 0;
  while (animal < DSQ_ANIMALS && square[animal] != wanted) animal++;
  return animal;
}

/* True if a jump is illegal only because of Black's rat; completes *move, which has the animal and `from`. */
static bool is_stopped_by_rat(const animal_surveyed *at, const dsq_target *target, dsq_move *move) {
  const uint8_t *white = at->position.square[DSQ_WHITE], *black = at->position.square[DSQ_BLACK];
  if (!is_jump(target) || !(target->no_rat >> black[DSQ_RAT] & 1)) return false;
  if (white[DSQ_RAT] != DSQ_NOWHERE && target->no_rat >> white[DSQ_RAT] & 1) return false;
  if (find_animal(white, target->to) < DSQ_ANIMALS) return false;
  const int met = find_animal(black, target->to);
  move->to = target->to;
  move->taken = met < DSQ_ANIMALS ? (uint8_t)met : DSQ_NOBODY;
  move->wins = false; /* Black keeps its rat, and no jump ends on a den. */
  return met == DSQ_ANIMALS || dsq_may_capture(at->rules, target, move->animal, DSQ_BLACK, (uint8_t)met);
}

static void count_animal(const animal_surveyed *at, int animal, uint64_t of[KINDS]) {
  const int from = at->position.square[DSQ_WHITE][animal];
  int best = -2;
  for (int i = 0; i < at->rules->targets_used[DSQ_WHITE][animal][from]; i++) {
    dsq_move jump = {.animal = (uint8_t)animal, .from = (uint8_t)from};
    if (!is_stopped_by_rat(at, &at->rules->targets[DSQ_WHITE][animal][from][i], &jump)) continue;
    const int worth = animal_worth(at, &jump);
    best = worth > best ? worth : best;
    of[JUMPS]++;
  }
  if (!of[JUMPS]) return;
  of[STOPPED] = 1;
  of[DECIDED] = best > at->value;
  of[WON] = of[DECIDED] && best > 0;
  of[LOST] = of[DECIDED] && at->value < 0;
}

static void count_jumps(const animal_surveyed *at, counted *counts) {
  const int rat = at->position.square[DSQ_BLACK][DSQ_RAT];
  uint64_t together[KINDS] = {0};
  int rats_piece = -1;
  if (rat == DSQ_NOWHERE || !(DSQ_WATER >> rat & 1)) return;
  for (int i = 0; i < at->slice->pieces; i++) {
    uint64_t of[KINDS] = {0};
    if (at->piece[i].side == DSQ_WHITE) count_animal(at, at->piece[i].animal, of);
    if (at->piece[i].side == DSQ_BLACK && at->piece[i].animal == DSQ_RAT) rats_piece = i;
    for (int k = 0; k < KINDS; k++) {
      animal_counts_of(counts, i)[k] += at->copies * of[k];
      together[k] = k == JUMPS ? together[k] + of[k] : together[k] | of[k];
    }
  }
  for (int k = 0; k < KINDS; k++) animal_counts_of(counts, rats_piece)[k] += at->copies * together[k];
  if (together[WON] && together[LOST]) counted_note_most(counts, 1, at->place.index);
}

void figures_animal_jumps(claim_tables *t, json_writer *json) {
  animal_survey(t, json, KINDS, count_jumps);
}
