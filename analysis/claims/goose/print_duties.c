/* Prints the figures asesina-duties, slice by slice: counts of rolls for which it would be best to pass or
 * not to jump, and of the best uses of a 6 with a token in the labyrinth. */
#include <math.h>

#include "analysis/claims/figures.h"
#include "analysis/claims/goose/asesina_duties.h"
#include "analysis/claims/goose/asesina_scores.h"

static void print_duty(const claim_tables *t, json_writer *json, uint32_t slice, int kind,
                       const survey_trait *found) {
  char name[GAME_TEXT_BYTES];
  const game_position at = claim_position_at(t, (game_place){slice, found->worst.index});
  game_position after;
  game_slice_title(t->game, t->rules, slice, name);
  json_begin_object(json);
  json_fields(json, JSON_TEXT("slice", name), JSON_INTEGER("kind", kind),
              JSON_COUNT("choices", found->choices), JSON_COUNT("better", found->wrong),
              JSON_NUMBER("gain", ldexp((double)found->cost_2_32, -32)),
              JSON_NUMBER("most", found->worst.regret), JSON_TEXT("position", claim_print(t, &at).text),
              JSON_COUNT("roll", found->worst.roll));
  if (asesina_find_duty_exception(t, &at, (int)found->worst.roll, (duty_kind)kind, &after))
    json_field_string(json, "after", claim_print(t, &after).text);
  json_end_object(json);
}

static void print_slices(claim_tables *t, json_writer *json, const game_slices *slices) {
  reached found = {.used = 0};
  const reached *looked_at = t->job->every ? NULL : &found;
  if (looked_at && !claim_tables_reach(t, slices, &found)) return;
  for (size_t i = 0; i < slices->used && !t->kept->error; i++) {
    survey_trait duties[DUTIES];
    asesina_count_duties(t, looked_at, slices->slices[i].slice, duties);
    for (int kind = 0; kind < DUTIES; kind++)
      if (duties[kind].choices) print_duty(t, json, slices->slices[i].slice, kind, &duties[kind]);
  }
  reached_close(&found);
}

void figures_asesina_duties(claim_tables *t, json_writer *json) {
  const int tokens = t->job->tokens ? t->job->tokens : 1;
  asesina_table at;
  json_field_array(json, "rows");
  if (asesina_table_open(&at, t, tokens)) print_slices(t, json, &at.slices);
  json_end_array(json);
  asesina_table_close(&at);
}
