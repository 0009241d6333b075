/* Prints the figures animal-refuges: worths of moves of threatened animals of Dou Shou Qi. */
#include "analysis/claims/doushouqi/animal_survey.h"
#include "analysis/claims/figures.h"

/* The counts of White's animal, in positions without a winning move. It is stalked if it is threatened on
 * land and can step into the water. Counts after SAVED are those in saved positions. */
enum {
  STALKED,    /* positions in which the animal is stalked */
  SAVED,      /* positions of these that are not lost */
  STEPS,      /* steps of the animal into the water */
  STEPS_KEPT, /* steps that keep the value */
  WALKS,      /* other moves of the animal */
  WALKS_KEPT,
  OTHERS, /* moves of other animals */
  OTHERS_KEPT,
  SAFE,      /* steps after which nothing can capture the animal */
  FOLLOWED,  /* steps after which another animal than the rat can capture it */
  SOME_STEP, /* positions in which some step keeps the value */
  ONLY_STEP, /* positions in which only steps keep the value */
  KINDS
};

typedef struct {
  const animal_surveyed *at;
  const dsq_move *moves;
  size_t used;
  int animal;
} stalked;

static bool is_step(const stalked *s, const dsq_move *move) {
  return move->animal == s->animal && DSQ_WATER >> move->to & 1;
}

static void count_step(const stalked *s, const dsq_move *step, uint64_t of[KINDS]) {
  dsq_position child = s->at->position;
  uint8_t by[DSQ_ANIMALS];
  dsq_play(&child, step);
  const bool threatened = animal_find_threatened(s->at, &child, by) >> s->animal & 1;
  of[SAFE] += !threatened;
  of[FOLLOWED] += threatened && by[s->animal] != 1 << DSQ_RAT;
}

static void count_moves(const stalked *s, uint64_t of[KINDS]) {
  for (size_t i = 0; i < s->used; i++) {
    const dsq_move *move = &s->moves[i];
    const bool step = is_step(s, move);
    const int kind = step ? STEPS : move->animal == s->animal ? WALKS : OTHERS;
    of[kind]++;
    of[kind + 1] += animal_worth(s->at, move) == s->at->value;
    if (step) count_step(s, move, of);
  }
  of[SOME_STEP] = of[STEPS_KEPT] > 0;
  of[ONLY_STEP] = of[STEPS_KEPT] && !of[WALKS_KEPT] && !of[OTHERS_KEPT];
}

/* Adds the counts of the animal to those of its own piece and of each piece that stalks it. */
static void add_counts(const stalked *s, uint8_t by, const uint64_t of[KINDS], counted *counts) {
  for (int i = 0; i < s->at->slice->pieces; i++) {
    const dsq_piece piece = s->at->piece[i];
    const bool own = piece.side == DSQ_WHITE && piece.animal == s->animal;
    if (!own && (piece.side == DSQ_WHITE || !(by >> piece.animal & 1))) continue;
    for (int k = 0; k < KINDS; k++) animal_counts_of(counts, i)[k] += s->at->copies * of[k];
  }
  if (of[ONLY_STEP] && s->at->value > 0) counted_note_most(counts, 1, s->at->place.index);
}

static void count_refuges(const animal_surveyed *at, counted *counts) {
  dsq_move moves[DSQ_MOST_MOVES];
  uint8_t by[DSQ_ANIMALS];
  const unsigned threatened = animal_find_threatened(at, &at->position, by);
  if (!threatened) return;
  stalked s = {.at = at, .moves = moves, .used = dsq_list_moves(at->rules, &at->position, moves)};
  for (size_t i = 0; i < s.used; i++)
    if (moves[i].wins) return;
  for (s.animal = 0; s.animal < DSQ_ANIMALS; s.animal++) {
    uint64_t of[KINDS] = {0};
    bool steps = false;
    if (!(threatened >> s.animal & 1) || DSQ_WATER >> at->position.square[DSQ_WHITE][s.animal] & 1) continue;
    for (size_t i = 0; i < s.used; i++) steps = steps || is_step(&s, &moves[i]);
    if (!steps) continue;
    of[STALKED] = 1;
    of[SAVED] = at->value >= 0;
    if (of[SAVED]) count_moves(&s, of);
    add_counts(&s, by[s.animal], of, counts);
  }
}

void figures_animal_refuges(claim_tables *t, json_writer *json) {
  animal_survey(t, json, KINDS, count_refuges);
}
