/* Prints the figures asesina-duties, slice by slice: counts of rolls for which it would be best to pass or
 * not to jump, and of the best uses of a 6 with a token in the labyrinth. */
#include <math.h>

#include "analysis/claims/figures.h"
#include "analysis/claims/goose/asesina_duties.h"
#include "analysis/claims/goose/asesina_scores.h"

static void print_duty(const claim_tables *t, json_writer *json, uint32_t slice, int kind,
                       const duty *found) {
  char name[GAME_TEXT_BYTES];
  const game_place place = {slice, found->index};
  const game_position at = claim_position_at(t, place);
  game_position after;
  game_slice_title(t->game, t->rules, slice, name);
  json_begin_object(json);
  json_field_string(json, "slice", name);
  json_field_integer(json, "kind", kind);
  json_field_unsigned(json, "choices", found->choices);
  json_field_unsigned(json, "better", found->better);
  json_field_number(json, "gain", ldexp((double)found->gain_2_32, -32));
  json_field_number(json, "most", found->most);
  figures_write_place(t, json, "position", place);
  json_field_integer(json, "roll", found->roll);
  if (asesina_duty_exception(t, &at, found->roll, (duty_kind)kind, &after))
    json_field_string(json, "after", claim_print(t, &after).text);
  json_end_object(json);
}

static void print_slices(claim_tables *t, json_writer *json, const game_slices *slices) {
  reached found = {.used = 0};
  const reached *looked_at = t->job->every ? NULL : &found;
  if (looked_at && !claim_tables_reach(t, slices, &found)) return;
  for (size_t i = 0; i < slices->used && !t->kept->error; i++) {
    duty duties[DUTIES];
    asesina_duties(t, looked_at, slices->slices[i].slice, duties);
    for (int kind = 0; kind < DUTIES; kind++)
      if (duties[kind].choices) print_duty(t, json, slices->slices[i].slice, kind, &duties[kind]);
  }
  reached_close(&found);
}

void figures_asesina_duties(claim_tables *t, json_writer *json) {
  const int tokens = t->job->tokens ? t->job->tokens : 1;
  asesina_table at;
  json_key(json, "rows");
  json_begin_array(json);
  if (asesina_table_open(&at, t, tokens)) print_slices(t, json, &at.slices);
  json_end_array(json);
  asesina_table_close(&at);
}
