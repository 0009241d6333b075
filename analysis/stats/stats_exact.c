/* Lists the expectations from the start of each slice, in exact rationals. */
#include "analysis/stats/stats.h"

#include <stdio.h>

#include "analysis/exact/exact.h"

/* The texts hold nothing that CSV or JSON would have to quote. */
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

static tauler_error print_slice(const game *game, const game_rules *rules, uint32_t slice, int form,
                                memory_budget *memory, progress *shown, tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  game_position start;
  game_place from;
  chance_quantities quantities;
  mpq_t value[CHANCE_MOST_QUANTITIES];
  game_slice_title(game, rules, slice, name);
  game->chance->quantities(rules, slice, &quantities);
  game->chance->start(rules, slice, &start);
  if (!game->locate(rules, &start, &from)) return TAULER_INTERNAL;
  for (int q = 0; q < quantities.used; q++) mpq_init(value[q]);
  const tauler_error error = exact_chain_solve(game, rules, from, memory, shown, value, message);
  if (!error && form == FORM_TEXT) printf("slice %s\n", name);
  if (!error && form == FORM_JSON) printf("{\"slice\":\"%s\",\"exact\":{", name);
  for (int q = 0; q < quantities.used; q++) {
    if (!error) print_quantity(form, name, quantities.list[q].name, value[q], q + 1 == quantities.used);
    mpq_clear(value[q]);
  }
  return error;
}

tauler_error stats_exact(const game *game, const game_rules *rules, const game_slices *slices, int form,
                         memory_budget *memory, progress *shown, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (form == FORM_CSV) printf("slice,quantity,exact\n");
  for (size_t i = 0; i < slices->used && !error; i++) {
    if (slices->slices[i].asked)
      error = print_slice(game, rules, slices->slices[i].slice, form, memory, shown, message);
  }
  return error;
}
