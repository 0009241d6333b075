/* Prints the expectations from the start of each slice as exact rationals. */
#include "analysis/stats/stats.h"

#include <stdio.h>

#include "analysis/exact/exact.h"

/* The texts have no characters that CSV or JSON would escape. */
static void print_quantity(int form, const char *slice, const char *name, const mpq_t value, bool last) {
  if (form == FORM_CSV) {
    gmp_printf("%s,%s,%Qd\n", slice, name, value);
  } else if (form == FORM_JSON) {
    gmp_printf("\"%s\":\"%Qd\"%s", name, value, last ? "}}\n" : ",");
  } else {
    printf("  %-12s  %.15g\n", name, mpq_get_d(value));
    gmp_printf("  %-12s  %Qd\n", "exactly", value);
  }
}

static tauler_error print_slice(const stats_job *job, uint32_t slice, tauler_message *message) {
  const game *game = job->game;
  const int form = job->form;
  char name[GAME_TEXT_BYTES];
  game_position start;
  game_place from;
  chance_quantities quantities;
  mpq_t value[CHANCE_MOST_QUANTITIES];
  game_slice_title(game, job->rules, slice, name);
  game->chance->quantities(job->rules, slice, &quantities);
  game->chance->start(job->rules, slice, &start);
  if (!game->locate(job->rules, &start, &from))
    return tauler_fail(message, TAULER_INTERNAL, "the start of slice %s has no index", name);
  for (int q = 0; q < quantities.used; q++) mpq_init(value[q]);
  const tauler_error error =
      exact_chain_solve(game, job->rules, from, job->memory, job->shown, value, message);
  if (!error && form == FORM_TEXT) printf("slice %s\n", name);
  if (!error && form == FORM_JSON) printf("{\"slice\":\"%s\",\"exact\":{", name);
  for (int q = 0; q < quantities.used; q++) {
    if (!error) print_quantity(form, name, quantities.list[q].name, value[q], q + 1 == quantities.used);
    mpq_clear(value[q]);
  }
  return error;
}

tauler_error stats_print_exact(const stats_job *job, tauler_message *message) {
  const game_slices *slices = job->slices;
  tauler_error error = TAULER_OK;
  if (job->form == FORM_CSV) printf("slice,quantity,exact\n");
  for (size_t i = 0; i < slices->used && !error; i++)
    if (slices->slices[i].asked) error = print_slice(job, slices->slices[i].slice, message);
  return error;
}
