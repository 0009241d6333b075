/* Prints the figures phutball-paths: numbers of paths of jumps until one wins, and of all paths. */
#include "analysis/claims/figures.h"
#include "analysis/claims/phutball/survey.h"

enum { NO_ROW = INT16_MAX };
enum { WON, WON_NEEDED, OPEN, OPEN_NEEDED, PATHS, COUNTS };

static void count_paths(const phutball_surveyed *at, counted *counts) {
  uint64_t needed = 0, all = 0;
  const bool wins = phutball_jumps_to(at->rules, &at->position, at->position.rows - 1, &needed);
  phutball_jumps_to(at->rules, &at->position, NO_ROW, &all);
  counts->of[wins ? WON : OPEN] += at->copies;
  counts->of[wins ? WON_NEEDED : OPEN_NEEDED] += at->copies * needed;
  counts->of[PATHS] += at->copies * all;
  if (needed) counted_note_most(counts, needed, at->number);
}

void figures_phutball_paths(claim_tables *t, json_writer *json) {
  phutball_survey(t, json, COUNTS, 0, count_paths);
}
