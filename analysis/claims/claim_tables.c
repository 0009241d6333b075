#include "analysis/claims/claim_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/chance_worth.h"
#include "solver/build/build.h"

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
  for (int q = 0; q < entry->quantities.used; q++) {
    const table *opened;
    tauler_message why;
    tauler_error error = slice_table(t->tables, entry, STREAMS_LOWER, q, &opened, &why);
    if (!error) error = slice_table(t->tables, entry, STREAMS_UPPER, q, &opened, &why);
    if (error == TAULER_TABLE_MISSING) return TAULER_OK;
    if (error) return tauler_fail(message, error, "%s", why.text);
  }
  for (int plane = 0; plane < t->tables->planes; plane++) {
    const table *opened;
    tauler_message why;
    tauler_error error = slice_table(t->tables, entry, STREAMS_VALUE, plane, &opened, &why);
    if (!error && !t->values_only) error = slice_table(t->tables, entry, STREAMS_DEPTH, plane, &opened, &why);
    if (error == TAULER_TABLE_MISSING) return TAULER_OK;
    if (error) return tauler_fail(message, error, "%s", why.text);
  }
  *have = true;
  return TAULER_OK;
}

static tauler_error build_missing(claim_tables *t, const game_request *request, tauler_message *message) {
  const build_job build = {.problem.game = t->tables->game,
                           .problem.rules = t->tables->rules,
                           .request = request,
                           .folder = t->job->folder,
                           .depths =
                               !t->values_only && t->tables->game->kind(t->tables->rules) != SOLVE_CHANCE,
                           .width = t->width,
                           .level = t->job->level,
                           .work.threads = t->job->threads,
                           .work.memory = t->job->memory,
                           .work.shown = t->job->shown,
                           .checkpoint_interval = CHECKPOINT_SECONDS,
                           .stop = t->job->stop};
  build_cost cost;
  if (t->job->hold) t->job->hold(true);
  const tauler_error error = build_tables(&build, &cost, message);
  if (t->job->hold && error != TAULER_STOPPED) t->job->hold(false);
  return error;
}

/* Opens all tables of the slices until one is missing. */
static tauler_error have_all(claim_tables *t, const game_slices *slices, bool *all, tauler_message *message) {
  tauler_error error = TAULER_OK;
  *all = true;
  for (size_t i = 0; i < slices->used && *all && !error; i++)
    error = claim_tables_have(t, slices->slices[i].slice, all, message);
  return error;
}

tauler_error claim_tables_need(claim_tables *t, const game_request *request, tauler_message *message) {
  game_slices slices = {0};
  bool all = true;
  tauler_error error = t->tables->game->slices(t->tables->rules, request, &slices, message);
  if (!error) error = have_all(t, &slices, &all, message);
  if (!error && !all) {
    error = build_missing(t, request, message);
    if (!error) error = have_all(t, &slices, &all, message);
    if (!error && !all) error = tauler_fail(message, TAULER_INTERNAL, "a build left tables out");
  }
  free(slices.slices);
  return error;
}

tauler_error claim_tables_expect(claim_tables *t, const char *position, int quantity, double *lower,
                                 double *upper, tauler_message *message) {
  game_position start;
  chance_values values;
  tauler_error error = t->tables->game->parse(t->tables->rules, position, &start, message);
  if (!error) error = chance_values_of(t->tables, &start, &values, message);
  if (error) return error;
  *lower = values.lower[quantity];
  *upper = values.upper[quantity];
  return TAULER_OK;
}

/* --- sources --- */

static int by_slice_and_stream(const void *one, const void *other) {
  const table_header *a = *(const table_header *const *)one, *b = *(const table_header *const *)other;
  const int slices = strcmp(a->slice, b->slice);
  return slices ? slices : strcmp(a->stream, b->stream);
}

/* Lists the headers of all tables that are open; NULL only counts them. */
static size_t list_headers(const tauler_tables *tables, const table_header **out) {
  size_t n = 0;
  for (size_t b = 0; b < SLICE_BUCKETS; b++) {
    for (slice_entry *entry = atomic_load(&tables->buckets[b]); entry; entry = entry->next) {
      for (size_t i = 0; i < (size_t)STREAMS_KINDS * CHANCE_MOST_QUANTITIES; i++) {
        const table *opened =
            atomic_load(&entry->tables[i / CHANCE_MOST_QUANTITIES][i % CHANCE_MOST_QUANTITIES]);
        if (!opened) continue;
        if (out) out[n] = table_get_header(opened);
        n++;
      }
    }
  }
  return n;
}

tauler_error claim_tables_tell(const claim_tables *t, report *out, tauler_message *message) {
  const size_t n = list_headers(t->tables, NULL);
  if (n == 0) return TAULER_OK;
  const table_header **headers = malloc(n * sizeof *headers);
  if (!headers) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of tables");
  list_headers(t->tables, headers);
  qsort(headers, n, sizeof *headers, by_slice_and_stream);
  for (size_t i = 0; i < n; i++) {
    char rules[TABLE_RULES_BYTES + TABLE_NAME_BYTES + 16];
    snprintf(rules, sizeof rules, headers[i]->cycles[0] ? "%s, cycles %s" : "%s", headers[i]->rules,
             headers[i]->cycles);
    report_add_source(out, rules, headers[i]->slice, headers[i]->stream, headers[i]->plain_digest);
  }
  free(headers);
  return TAULER_OK;
}

tauler_error claim_tables_ask(claim_tables *t, game_place place, int *value, int *depth,
                              tauler_message *message) {
  *depth = TAULER_NO_DEPTH;
  const tauler_error error = resolve_value(t->tables, 0, place, value, message);
  return error ? error : resolve_depth(t->tables, 0, place, *value, depth, message);
}
