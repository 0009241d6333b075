/* Lists slices of la oca asesina for claims, and plays games to their ends. */
#include "analysis/claims/goose/asesina_scores.h"

#include <stdlib.h>

/* Widths of the bounds of matches. Larger games take minutes, so their figures have fewer decimals. */
enum { SMALL_GAME = 100000 };
static const double small_width = 5e-8, large_width = 2e-6;

bool asesina_table_open(asesina_table *at, claim_tables *t, int tokens) {
  *at = (asesina_table){.t = t};
  if (!claim_tables_slices_up_to(t, tokens, &at->slices)) return false;
  at->first = claim_calloc(t->kept, at->slices.used + 1, sizeof *at->first);
  if (!at->first) return false;
  for (size_t i = 0; i < at->slices.used; i++)
    at->first[i + 1] = at->first[i] + t->game->positions(t->rules, at->slices.slices[i].slice);
  at->width = asesina_positions(at) < SMALL_GAME ? small_width : large_width;
  return true;
}

void asesina_table_close(asesina_table *at) {
  free(at->first);
  free(at->slices.slices);
}

uint64_t asesina_positions(const asesina_table *at) {
  return at->first[at->slices.used];
}

uint64_t asesina_number(const asesina_table *at, game_place place) {
  for (size_t i = 0; i < at->slices.used; i++)
    if (at->slices.slices[i].slice == place.slice) return at->first[i] + place.index;
  return ASESINA_NOWHERE;
}

game_place asesina_place(const asesina_table *at, uint64_t number) {
  size_t slice = 0;
  while (number >= at->first[slice + 1]) slice++;
  return (game_place){at->slices.slices[slice].slice, number - at->first[slice]};
}

game_position asesina_start_position(const asesina_table *at) {
  game_position start;
  at->t->game->chance->start(at->t->rules, at->slices.slices[at->slices.used - 1].slice, &start);
  return start;
}

asesina_estimate asesina_play_games(const asesina_table *at, game_position from, simulate_policy raises,
                                    simulate_policy lowers, uint64_t games, uint64_t seed) {
  const claim_tables *t = at->t;
  simulate_result found = {.games = 0};
  const simulate_job job = {.game = t->game,
                            .rules = t->rules,
                            .start = &from,
                            .raises = raises,
                            .lowers = lowers,
                            .games = games,
                            .seed = seed,
                            .threads = t->job->threads,
                            .memory = t->job->memory};
  CLAIM_CATCH(t->kept, simulate(&job, &found, &t->kept->message));
  return (asesina_estimate){found.mean[0], found.error[0]};
}
