#include "analysis/claims/claim_tables.h"

#include <stdlib.h>

#include "solver/build.h"

enum { CHECKPOINT_SECONDS = 600 };

tauler_error claim_tables_open(const claim_job *job, const char *game, const char *rules, const char *cycles,
                               claim_tables *out, tauler_message *message) {
  *out = (claim_tables){.job = job};
  tauler_error error = tauler_open(job->folder, NULL, &out->db, message);
  if (!error) error = tauler_select(out->db, game, rules, cycles, &out->tables, message);
  if (error) claim_tables_close(out);
  return error;
}

void claim_tables_close(claim_tables *t) {
  tauler_close(t->db);
  *t = (claim_tables){.job = NULL};
}

tauler_error claim_tables_have(claim_tables *t, uint32_t slice, bool *have, tauler_message *message) {
  *have = false;
  slice_entry *entry = slice_entry_of(t->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  for (int plane = 0; plane < t->tables->planes; plane++) {
    const table *opened;
    tauler_message why;
    tauler_error error = slice_table(t->tables, entry, STREAMS_VALUE, plane, &opened, &why);
    if (!error) error = slice_table(t->tables, entry, STREAMS_DEPTH, plane, &opened, &why);
    if (error == TAULER_TABLE_MISSING) return TAULER_OK;
    if (error) return tauler_fail(message, error, "%s", why.text);
  }
  *have = true;
  return TAULER_OK;
}

static tauler_error build_missing(claim_tables *t, const game_request *request, tauler_message *message) {
  const build_job build = {.game = t->tables->game,
                           .rules = t->tables->rules,
                           .request = request,
                           .folder = t->job->folder,
                           .depths = true,
                           .level = t->job->level,
                           .threads = t->job->threads,
                           .memory = t->job->memory,
                           .shown = t->job->shown,
                           .checkpoint_interval = CHECKPOINT_SECONDS};
  build_cost cost;
  return build_tables(&build, &cost, message);
}

tauler_error claim_tables_need(claim_tables *t, const game_request *request, tauler_message *message) {
  game_slices slices = {0};
  bool all = true;
  tauler_error error = t->tables->game->slices(t->tables->rules, request, &slices, message);
  for (size_t i = 0; i < slices.used && all && !error; i++)
    error = claim_tables_have(t, slices.slices[i].slice, &all, message);
  free(slices.slices);
  if (error || all) return error;
  return build_missing(t, request, message);
}

tauler_error claim_tables_ask(claim_tables *t, game_place place, int *value, int *depth,
                              tauler_message *message) {
  *depth = TAULER_NO_DEPTH;
  const tauler_error error = resolve_value(t->tables, 0, place, value, message);
  return error ? error : resolve_depth(t->tables, 0, place, *value, depth, message);
}
