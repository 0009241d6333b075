/* Prints the figures oca-search, by a search backward from the end in games of Oca with two players: whether
 * the game can end from every position. */
#include <stdlib.h>

#include "analysis/claims/figures.h"

enum { PLAYERS = 2 };

typedef struct {
  const claim_tables *t;
  uint32_t slice;
  uint64_t positions, counted; /* numbers of indexes, and of those that have a position */
  size_t rolls;
  uint32_t *child; /* [index][roll] index of the child + 1, or 0 */
  uint8_t *ends;   /* [index] 1 if a roll can end the game */
  uint32_t *steps; /* [index] least rolls and passes to the end, or 0 if not found */
} search;

static void add_moves(search *s, uint64_t index, const game_position *position, size_t roll, size_t slot) {
  const claim_tables *t = s->t;
  game_moves moves = {0};
  game_place to;
  if (CLAIM_CATCH(t->kept, t->game->chance->moves(t->rules, position, roll, &moves))) return;
  if (moves.used != 1) {
    claim_fail(t->kept, TAULER_INTERNAL, "a roll leaves a choice in the game of Oca");
  } else if (moves.moves[0].over) {
    s->ends[index] = 1;
  } else if (t->game->locate(t->rules, &moves.moves[0].child, &to) && to.slice == s->slice) {
    s->child[index * s->rolls + slot] = (uint32_t)to.index + 1;
  } else {
    claim_fail(t->kept, TAULER_INTERNAL, "a move leads to no position");
  }
  game_moves_free(&moves);
}

static void read_moves(search *s) {
  const claim_tables *t = s->t;
  for (uint64_t index = 0; index < s->positions && !t->kept->error; index++) {
    uint8_t copies = 1;
    t->game->copies(t->rules, s->slice, index, 1, &copies);
    if (copies == 0) continue;
    s->counted++;
    const game_position position = claim_position_at(t, (game_place){s->slice, index});
    const bool passes = t->game->chance->must_pass(t->rules, &position);
    for (size_t roll = 0; roll < (passes ? 1 : s->rolls); roll++)
      add_moves(s, index, &position, passes ? CHANCE_CERTAIN : roll, roll);
    if (s->ends[index]) s->steps[index] = 1;
  }
}

/* Finds the positions whose least number of rolls and passes to the end is 2, 3, 4 … Returns the largest of
 * these numbers, or 1; *found becomes the number of positions from which play can end. */
static uint32_t count_steps(search *s, uint64_t *found) {
  uint32_t step = 1;
  *found = 0;
  for (bool more = true; more; step++) {
    more = false;
    for (uint64_t index = 0; index < s->positions; index++) {
      if (s->steps[index]) continue;
      for (size_t roll = 0; roll < s->rolls && !s->steps[index]; roll++) {
        const uint32_t child = s->child[index * s->rolls + roll];
        if (child == 0 || s->steps[child - 1] != step) continue;
        s->steps[index] = step + 1;
        more = true;
      }
    }
  }
  for (uint64_t index = 0; index < s->positions; index++) *found += s->steps[index] != 0;
  return step - 1;
}

static void search_backward(search *s, json_writer *json) {
  uint64_t found = 0;
  read_moves(s);
  const uint32_t steps = count_steps(s, &found);
  json_field_unsigned(json, "positions", s->counted);
  json_field_unsigned(json, "stuck", s->counted - found);
  json_field_unsigned(json, "steps", steps);
}

void figures_oca_search(claim_tables *t, json_writer *json) {
  const chance_roll *rolls;
  search s = {.t = t, .slice = PLAYERS, .rolls = t->game->chance->rolls(t->rules, &rolls)};
  s.positions = t->game->positions(t->rules, s.slice);
  s.child = claim_calloc(t->kept, s.positions * s.rolls, sizeof *s.child);
  s.ends = claim_calloc(t->kept, s.positions, 1);
  s.steps = claim_calloc(t->kept, s.positions, sizeof *s.steps);
  if (!t->kept->error) search_backward(&s, json);
  free(s.child);
  free(s.ends);
  free(s.steps);
}
