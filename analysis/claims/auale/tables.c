#include "analysis/claims/auale/tables.h"

#include <stdio.h>
#include <string.h>

int auale_tables_seeds(const claim_job *job) {
  return job->seeds ? job->seeds : AUALE_SEEDS;
}

static tauler_error load(auale_tables *a, int seeds, tauler_message *message) {
  tauler_error error =
      bulk_open(a->t.tables, (uint32_t)seeds, a->t.job->threads, a->t.job->memory, &a->values, message);
  for (int n = 0; n <= seeds && !error; n++) {
    bulk_slice loaded;
    error = bulk_load(a->values, (uint32_t)n, &loaded, message);
    if (error) break;
    const solved_slice *values = loaded.values;
    a->layers[n] = (auale_layer){values->positions, values->cells[0], values->cells[values->planes - 1]};
  }
  return error;
}

tauler_error auale_tables_open(const claim_job *job, const char *rules, const char *cycles, int seeds,
                               auale_tables *out, tauler_message *message) {
  char largest[16];
  const game_request request = {.largest = largest};
  snprintf(largest, sizeof largest, "%d", seeds);
  *out = (auale_tables){.values = NULL};
  tauler_error error = claim_tables_open(job, "auale", rules, cycles, &out->t, message);
  if (error) return error;
  out->t.values_only = true;
  error = claim_tables_need(&out->t, &request, message);
  if (!error) error = load(out, seeds, message);
  if (error) auale_tables_close(out);
  return error;
}

void auale_tables_close(auale_tables *a) {
  bulk_close(a->values);
  claim_tables_close(&a->t);
}

tauler_error auale_tables_open_all(const claim_job *job, const auale_rule_set *sets, size_t n, int seeds,
                                   auale_tables *out, tauler_message *message) {
  for (size_t i = 0; i < n; i++) {
    const tauler_error error = auale_tables_open(job, sets[i].rules, sets[i].cycles, seeds, &out[i], message);
    if (!error) continue;
    auale_tables_close_all(out, i);
    return error;
  }
  return TAULER_OK;
}

void auale_tables_close_all(auale_tables *a, size_t n) {
  for (size_t i = 0; i < n; i++) auale_tables_close(&a[i]);
}

tauler_error auale_tables_tell_all(const auale_tables *a, size_t n, report *out, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < n && !error; i++) error = claim_tables_tell(&a[i].t, out, message);
  return error;
}

void auale_tables_show(const auale_tables *a, game_place place, const char *title, report *out) {
  const tauler_tables *tables = a->t.tables;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES];
  game_position position;
  tables->game->position_at(tables->rules, place, &position);
  tables->game->print(tables->rules, &position, text);
  tables->game->draw(tables->rules, &position, drawing);
  report_witness_begin(out, title, text, drawing);
}

double auale_percent(uint64_t count, uint64_t of) {
  return 100.0 * (double)count / (double)of;
}

/* The last of a run of flags that begins at n. */
static int end_of_run(const bool *set, int n, int seeds) {
  while (n < seeds && set[n + 1]) n++;
  return n;
}

void auale_list_seeds(const bool *set, int seeds, char text[AUALE_LIST_BYTES]) {
  size_t used = 0;
  int last = -1;
  for (int n = 0; n <= seeds; n++)
    if (set[n]) last = n;
  snprintf(text, AUALE_LIST_BYTES, "none");
  for (int n = 0; n <= last; n++) {
    if (!set[n]) continue;
    const int end = end_of_run(set, n, seeds);
    const char *before = used == 0 ? "" : end == last ? " and " : ", ";
    used +=
        (size_t)snprintf(text + used, AUALE_LIST_BYTES - used, end > n ? "%s%d-%d" : "%s%d", before, n, end);
    n = end;
  }
}
