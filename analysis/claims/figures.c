/* Writes lists of numbers, and positions, as JSON. */
#include "analysis/claims/figures.h"

static void begin_array(json_writer *json, const char *key) {
  if (key) json_key(json, key);
  json_begin_array(json);
}

void figures_write_counts(json_writer *json, const char *key, const uint64_t *counts, size_t n) {
  begin_array(json, key);
  for (size_t i = 0; i < n; i++) json_unsigned(json, counts[i]);
  json_end_array(json);
}

void figures_write_bytes(json_writer *json, const char *key, const int8_t *numbers, size_t n) {
  begin_array(json, key);
  for (size_t i = 0; i < n; i++) json_integer(json, numbers[i]);
  json_end_array(json);
}

void figures_write_numbers(json_writer *json, const char *key, const double *numbers, size_t n) {
  begin_array(json, key);
  for (size_t i = 0; i < n; i++) json_number(json, numbers[i]);
  json_end_array(json);
}

void figures_write_place(const claim_tables *t, json_writer *json, const char *key, game_place place) {
  const game_position position = claim_position_at(t, place);
  if (key) json_key(json, key);
  json_string(json, claim_print(t, &position).text);
}
