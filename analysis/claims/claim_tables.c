/* Opens the tables that a claim reads, and builds those that are missing. */
#include "analysis/claims/claim_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_show.h"
#include "solver/run/build.h"

enum { CHECKPOINT_SECONDS = 600 };

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

/* True if the table is there; an error is kept if it cannot be read. */
static bool have_table(claim_tables *t, slice_entry *entry, stream_kind kind, int plane) {
  const table *opened;
  tauler_message why;
  const tauler_error error = slice_table(t->tables, entry, kind, plane, &opened, &why);
  if (error && error != TAULER_TABLE_MISSING) claim_fail(t->kept, error, "%s", why.text);
  return error == TAULER_OK;
}

bool claim_tables_have(claim_tables *t, uint32_t slice) {
  slice_entry *entry = t->kept->error ? NULL : slice_entry_of(t->tables, slice, &t->kept->message);
  bool have = entry || (!t->kept->error && !claim_keep(t->kept, TAULER_NO_MEMORY));
  for (int q = 0; have && q < entry->quantities.used; q++)
    have = have_table(t, entry, STREAMS_LOWER, q) && have_table(t, entry, STREAMS_UPPER, q);
  for (int plane = 0; have && plane < t->tables->planes; plane++) {
    have = have_table(t, entry, STREAMS_VALUE, plane);
    if (have && !t->values_only) have = have_table(t, entry, STREAMS_DEPTH, plane);
  }
  return have;
}

static void note_building(const claim_tables *t, const game_request *request) {
  const char *cycles = t->game->cycles_text(t->rules);
  const char *size = request->material ? request->material
                     : request->board  ? request->board
                                       : request->largest;
  const char *option = request->material ? "material" : request->board ? "board" : t->game->size_option;
  progress_note(t->job->shown, "building %s %s%s%s, --%s %s, in %s", t->game->name,
                t->game->rules_text(t->rules), *cycles ? ", cycles " : "", cycles, option ? option : "slice",
                size ? size : "all", text_shown(t->job->folder).text);
}

static void build_missing(claim_tables *t, const game_request *request) {
  const build_job build = {.problem.game = t->game,
                           .problem.rules = t->rules,
                           .request = request,
                           .folder = t->job->folder,
                           .depths = !t->values_only && t->game->kind(t->rules) != SOLVE_CHANCE,
                           .width = t->width,
                           .level = t->job->level,
                           .work.threads = t->job->threads,
                           .work.memory = t->job->memory,
                           .work.shown = t->job->shown,
                           .checkpoint_interval = CHECKPOINT_SECONDS,
                           .stop = t->job->stop};
  build_cost cost;
  if (t->job->shown) note_building(t, request);
  if (t->job->hold) t->job->hold(true);
  const bool failed = CLAIM_CATCH(t->kept, build_tables(&build, &cost, &t->kept->message));
  if (t->job->hold && (!failed || t->kept->error != TAULER_STOPPED)) t->job->hold(false);
}

/* Opens all tables of the slices until one is missing. */
static bool have_all(claim_tables *t, const game_slices *slices) {
  bool all = true;
  for (size_t i = 0; i < slices->used && all; i++) all = claim_tables_have(t, slices->slices[i].slice);
  return all;
}

bool claim_tables_need(claim_tables *t, const game_request *request) {
  game_slices slices = {0};
  if (!CLAIM_CATCH(t->kept, t->game->slices(t->rules, request, &slices, &t->kept->message)) &&
      !have_all(t, &slices) && !t->kept->error) {
    build_missing(t, request);
    if (!t->kept->error && !have_all(t, &slices))
      claim_fail(t->kept, TAULER_INTERNAL, "a build left tables out");
  }
  free(slices.slices);
  return t->kept->error == TAULER_OK;
}

bool claim_tables_need_up_to(claim_tables *t, int largest) {
  char text[16];
  snprintf(text, sizeof text, "%d", largest);
  return claim_tables_need(t, &(game_request){.largest = text});
}

int claim_tables_ask(claim_tables *t, game_place place, int *depth) {
  int value = 0;
  if (depth) *depth = TAULER_NO_DEPTH;
  if (!CLAIM_CATCH(t->kept, resolve_value(t->tables, 0, place, NULL, &value, &t->kept->message)) && depth)
    CLAIM_CATCH(t->kept, resolve_depth(t->tables, 0, place, value, depth, &t->kept->message));
  return value;
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

bool claim_parse(const claim_tables *t, const char *text, game_position *out) {
  return !CLAIM_CATCH(t->kept, t->game->parse(t->rules, text, out, &t->kept->message));
}

bool claim_moves(const claim_tables *t, const game_position *position, game_moves *out) {
  *out = (game_moves){0};
  if (t->kept->error) return false;
  const tauler_error error = t->game->moves(t->rules, position, out);
  if (error) claim_fail(t->kept, error, "the moves of a position cannot be had");
  return !error;
}

void claim_tables_close(claim_tables *t) {
  tauler_close(t->db);
  *t = (claim_tables){.job = NULL};
}

bool claim_tables_reach(const claim_tables *t, const game_slices *slices, reached *out) {
  const reached_job job = {.game = t->game,
                           .rules = t->rules,
                           .slices = slices,
                           .threads = t->job->threads,
                           .memory = t->job->memory};
  return !CLAIM_CATCH(t->kept, reached_open(&job, out, &t->kept->message));
}
