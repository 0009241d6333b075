/* Prints the figures asesina-blocked: counts of positions of la oca asesina in which a side cannot move, or
 * play need not end. */
#include "analysis/claims/figures.h"
#include "analysis/claims/goose/asesina_stuck.h"

static void print_count(json_writer *json, const char *name, const stuck_count *count) {
  json_field_array(json, name);
  json_unsigned(json, count->positions);
  for (int kind = 0; kind < STUCK_KINDS; kind++) json_unsigned(json, count->of[kind]);
  json_end_array(json);
}

/* Prints for every kind a position that play reaches, or null if none is known. */
static void print_examples(json_writer *json, const asesina_stuck *s) {
  json_field_array(json, "shown");
  for (int kind = 0; kind < STUCK_KINDS; kind++) {
    if (s->played.of[kind])
      json_string(json, claim_print_at(s->t, asesina_place(&s->at, s->shown[kind])).text);
    else
      json_null(json);
  }
  json_end_array(json);
}

void figures_asesina_blocked(claim_tables *t, json_writer *json) {
  asesina_stuck s;
  const bool looked = asesina_stuck_open(&s, t, t->job->tokens ? t->job->tokens : 1);
  json_field_bool(json, "looked_at", looked);
  if (looked) {
    json_field_unsigned(json, "stride", s.stride);
    print_count(json, "stored", &s.stored);
    print_count(json, "played", &s.played);
    print_examples(json, &s);
  }
  asesina_stuck_close(&s);
}
