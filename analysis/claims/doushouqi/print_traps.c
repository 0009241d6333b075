/* Prints the figures animal-traps: results of endings of Dou Shou Qi by the ground of each animal. */
#include "analysis/claims/doushouqi/animal_survey.h"
#include "analysis/claims/figures.h"

/* The ground of an animal for its owner: beside the enemy's den, beside its own one, in the water, on land
 * beside the water, or elsewhere. */
typedef enum { ENEMY_TRAP, OWN_TRAP, WATER, SHORE, LAND, GROUNDS } ground;

/* The counts of a piece for each ground: positions by their result for its owner (lost, drawn, won), and
 * those in which White can capture the piece of Black at once. */
enum { RESULTS = 3, TAKEN = RESULTS, KINDS };

static bool is_beside(int square, int other) {
  const int files = square % DSQ_FILES - other % DSQ_FILES, ranks = square / DSQ_FILES - other / DSQ_FILES;
  return files * files + ranks * ranks == 1;
}

static ground ground_of(const game_rules *rules, int side, int square) {
  if (is_beside(square, rules->den[!side])) return ENEMY_TRAP;
  if (is_beside(square, rules->den[side])) return OWN_TRAP;
  if (DSQ_WATER >> square & 1) return WATER;
  const uint64_t shore = DSQ_WATER << 1 | DSQ_WATER >> 1 | DSQ_WATER << DSQ_FILES | DSQ_WATER >> DSQ_FILES;
  return shore >> square & 1 ? SHORE : LAND;
}

/* True if the only move that wins captures a stronger animal in a trap. */
static bool wins_by_trap(const animal_surveyed *at, const dsq_move *moves, size_t used) {
  int wins = 0, by_trap = 0;
  for (size_t i = 0; i < used; i++) {
    const bool stronger =
        moves[i].taken != DSQ_NOBODY && !(at->rules->takes[moves[i].animal] >> moves[i].taken & 1);
    const bool won = animal_worth(at, &moves[i]) > 0;
    wins += won;
    by_trap += won && stronger;
  }
  return wins == 1 && by_trap == 1;
}

static void count_traps(const animal_surveyed *at, counted *counts) {
  dsq_move moves[DSQ_MOST_MOVES];
  const size_t used = dsq_list_moves(at->rules, &at->position, moves);
  unsigned taken = 0;
  bool stronger = false;
  for (size_t i = 0; i < used; i++) {
    if (moves[i].taken == DSQ_NOBODY) continue;
    taken |= 1U << moves[i].taken;
    stronger = stronger || !(at->rules->takes[moves[i].animal] >> moves[i].taken & 1);
  }
  for (int i = 0; i < at->slice->pieces; i++) {
    const dsq_piece piece = at->piece[i];
    const bool white = piece.side == DSQ_WHITE;
    const int kind = KINDS * (int)ground_of(at->rules, piece.side, at->square[i]);
    uint64_t *of = animal_counts_of(counts, i) + kind;
    of[(white ? at->value : -at->value) + 1] += at->copies;
    if (!white && taken >> piece.animal & 1) of[TAKEN] += at->copies;
  }
  if (stronger && at->value > 0 && wins_by_trap(at, moves, used))
    counted_note_most(counts, 1, at->place.index);
}

void figures_animal_traps(claim_tables *t, json_writer *json) {
  animal_survey(t, json, GROUNDS * KINDS, count_traps);
}
