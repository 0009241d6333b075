/* Writes lists of numbers, and positions, as JSON. */
#include "analysis/claims/figures.h"

void figures_write_counts(json_writer *json, const char *key, const uint64_t *counts, size_t n) {
  json_field_array(json, key);
  for (size_t i = 0; i < n; i++) json_unsigned(json, counts[i]);
  json_end_array(json);
}

void figures_write_bytes(json_writer *json, const char *key, const int8_t *numbers, size_t n) {
  json_field_array(json, key);
  for (size_t i = 0; i < n; i++) json_integer(json, numbers[i]);
  json_end_array(json);
}

void figures_write_place(const claim_tables *t, json_writer *json, const char *key, game_place place) {
  const game_position position = claim_position_at(t, place);
  json_field_string(json, key, claim_print(t, &position).text);
}
