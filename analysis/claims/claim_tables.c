/* Opens a rule set for figures, lists its slices and its reached positions, and keeps the first error. */
#include "analysis/claims/claim_tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* --- the first error --- */

bool claim_keep(claim_error *e, tauler_error error) {
  if (!e->error) e->error = error;
  return e->error != TAULER_OK;
}

void claim_fail(claim_error *e, tauler_error error, const char *format, ...) {
  va_list arguments;
  if (e->error) return;
  e->error = error;
  va_start(arguments, format);
  vsnprintf(e->message.text, sizeof e->message.text, format, arguments);
  va_end(arguments);
}

void *claim_calloc(claim_error *e, size_t n, size_t bytes) {
  void *taken = e->error ? NULL : calloc(n, bytes);
  if (!taken) claim_fail(e, TAULER_NO_MEMORY, "no memory for %zu bytes that a claim needs", n * bytes);
  return taken;
}

tauler_error claim_error_of(const claim_error *e, tauler_message *message) {
  if (!e->error) return TAULER_OK;
  if (*e->message.text) return tauler_fail(message, e->error, "%s", e->message.text);
  return tauler_fail(message, e->error,
                     e->error == TAULER_NO_MEMORY ? "no memory for the figures of a claim"
                                                  : "the figures of a claim cannot be worked out");
}

/* --- tables --- */

bool claim_tables_open(claim_tables *t, const claim_job *job, claim_error *kept, const char *game,
                       const char *rules, const char *cycles) {
  *t = (claim_tables){.job = job, .kept = kept};
  if (CLAIM_CATCH(kept, tauler_open(job->folder, NULL, &t->db, &kept->message)) ||
      CLAIM_CATCH(kept, tauler_select(t->db, game, rules, cycles, &t->tables, &kept->message))) {
    claim_tables_close(t);
    return false;
  }
  t->game = t->tables->game;
  t->rules = t->tables->rules;
  return true;
}

bool claim_tables_slices(const claim_tables *t, const game_request *request, game_slices *out) {
  *out = (game_slices){0};
  return !CLAIM_CATCH(t->kept, t->game->slices(t->rules, request, out, &t->kept->message));
}

bool claim_tables_slices_up_to(const claim_tables *t, int largest, game_slices *out) {
  char text[16];
  snprintf(text, sizeof text, "%d", largest);
  return claim_tables_slices(t, &(game_request){.largest = text}, out);
}

/* --- positions --- */

game_position claim_position_at(const claim_tables *t, game_place place) {
  game_position position;
  t->game->position_at(t->rules, place, &position);
  return position;
}

claim_position_text claim_print(const claim_tables *t, const game_position *position) {
  claim_position_text out;
  t->game->print(t->rules, position, out.text);
  return out;
}

void claim_tables_close(claim_tables *t) {
  tauler_close(t->db);
  *t = (claim_tables){.job = NULL};
}

claim_position_text claim_print_at(const claim_tables *t, game_place place) {
  const game_position position = claim_position_at(t, place);
  return claim_print(t, &position);
}

bool claim_tables_reach(const claim_tables *t, const game_slices *slices, reached *out) {
  const reached_job job = {.game = t->game,
                           .rules = t->rules,
                           .slices = slices,
                           .threads = t->job->threads,
                           .memory = t->job->memory};
  return !CLAIM_CATCH(t->kept, reached_open(&job, out, &t->kept->message));
}
