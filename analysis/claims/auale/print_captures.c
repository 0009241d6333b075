/* The figures auale-captures: the largest captures of one move under three rule sets, by cases. */
#include <stdlib.h>

#include "analysis/claims/auale/capture.h"
#include "analysis/claims/figures.h"

static void print_moves(json_writer *json, const char *key, const capture_move *moves, int seeds) {
  json_key(json, key);
  json_begin_array(json);
  for (int n = 1; n <= seeds; n++) {
    json_begin_object(json);
    json_field_integer(json, "captured", moves[n].captured);
    json_field_integer(json, "seeds", moves[n].seeds);
    json_field_integer(json, "sown", moves[n].sown);
    json_field_integer(json, "origin", moves[n].origin);
    json_field_bool(json, "open", moves[n].open);
    figures_write_bytes(json, "pits", (const int8_t *)moves[n].pits, CAPTURE_BOARD_PITS);
    json_end_object(json);
  }
  json_end_array(json);
}

static void print_captures(claim_tables *t, json_writer *json) {
  static const char *const names[] = {"abapa", "awari", "captures"};
  const int seeds = t->job->seeds ? t->job->seeds : CAPTURE_MOST_SEEDS;
  capture_records *records = claim_calloc(t->kept, CAPTURE_RULES, sizeof *records);
  if (!records) return;
  capture_search(seeds, records);
  for (int k = 0; k < CAPTURE_RULES; k++) {
    json_key(json, names[k]);
    json_begin_object(json);
    print_moves(json, "by_seeds", records[k].by_seeds, seeds);
    print_moves(json, "by_sown", records[k].by_sown, seeds);
    print_moves(json, "by_seeds_open", records[k].open, seeds);
    json_end_object(json);
  }
  free(records);
}

extern const figures figures_auale_captures;
const figures figures_auale_captures = {"auale-captures", "auale", print_captures};
