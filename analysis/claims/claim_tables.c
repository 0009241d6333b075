/* Opens the tables that a claim reads, and builds those that are missing. */
#include "analysis/claims/claim_tables.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_show.h"
#include "solver/build/build.h"

enum { CHECKPOINT_SECONDS = 600 };

bool claim_tables_open(claim_tables *t, const claim_job *job, report *out, const char *game,
                       const char *rules, const char *cycles) {
  *t = (claim_tables){.job = job, .out = out};
  if (REPORT_CATCH(out, tauler_open(job->folder, NULL, &t->db, &out->message)) ||
      REPORT_CATCH(out, tauler_select(t->db, game, rules, cycles, &t->tables, &out->message))) {
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
  if (error && error != TAULER_TABLE_MISSING) report_fail(t->out, error, "%s", why.text);
  return error == TAULER_OK;
}

bool claim_tables_have(claim_tables *t, uint32_t slice) {
  slice_entry *entry = t->out->error ? NULL : slice_entry_of(t->tables, slice, &t->out->message);
  bool have = entry || (!t->out->error && !report_keep(t->out, TAULER_NO_MEMORY));
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
  const bool failed = REPORT_CATCH(t->out, build_tables(&build, &cost, &t->out->message));
  if (t->job->hold && (!failed || t->out->error != TAULER_STOPPED)) t->job->hold(false);
}

/* Opens all tables of the slices until one is missing. */
static bool have_all(claim_tables *t, const game_slices *slices) {
  bool all = true;
  for (size_t i = 0; i < slices->used && all; i++) all = claim_tables_have(t, slices->slices[i].slice);
  return all;
}

bool claim_tables_need(claim_tables *t, const game_request *request) {
  game_slices slices = {0};
  if (!REPORT_CATCH(t->out, t->game->slices(t->rules, request, &slices, &t->out->message)) &&
      !have_all(t, &slices) && !t->out->error) {
    build_missing(t, request);
    if (!t->out->error && !have_all(t, &slices))
      report_fail(t->out, TAULER_INTERNAL, "a build left tables out");
  }
  free(slices.slices);
  return t->out->error == TAULER_OK;
}

bool claim_tables_need_up_to(claim_tables *t, int largest) {
  char text[16];
  snprintf(text, sizeof text, "%d", largest);
  return claim_tables_need(t, &(game_request){.largest = text});
}

bool claim_tables_load(claim_tables *t, int largest) {
  report *out = t->out;
  if (!claim_tables_need_up_to(t, largest) ||
      REPORT_CATCH(out, bulk_open(t->tables, (uint32_t)largest, t->job->threads, t->job->memory, &t->values,
                                  &out->message)))
    return false;
  for (int n = 0; n <= largest; n++) {
    bulk_slice loaded;
    if (REPORT_CATCH(out, bulk_load(t->values, (uint32_t)n, &loaded, &out->message))) return false;
    const solved_slice *values = &loaded.all[n];
    t->loaded = loaded.all;
    t->layers[n] = (claim_layer){values->positions, values->cells[0], values->cells[values->planes - 1]};
  }
  return true;
}

int claim_tables_ask(claim_tables *t, game_place place, int *depth) {
  int value = 0;
  if (depth) *depth = TAULER_NO_DEPTH;
  if (!REPORT_CATCH(t->out, resolve_value(t->tables, 0, place, NULL, &value, &t->out->message)) && depth)
    REPORT_CATCH(t->out, resolve_depth(t->tables, 0, place, value, depth, &t->out->message));
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
  return !REPORT_CATCH(t->out, t->game->parse(t->rules, text, out, &t->out->message));
}

void claim_show(const claim_tables *t, const game_position *position, const char *format, ...) {
  char drawing[GAME_DRAWING_BYTES], title[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(title, sizeof title, format, arguments);
  va_end(arguments);
  t->game->draw(t->rules, position, drawing);
  report_witness_begin(t->out, title, claim_print(t, position).text, drawing);
}

bool claim_moves(const claim_tables *t, const game_position *position, game_moves *out) {
  *out = (game_moves){0};
  if (t->out->error) return false;
  const tauler_error error = t->game->moves(t->rules, position, out);
  if (error) report_fail(t->out, error, "the moves of a position cannot be had");
  return !error;
}

bool claim_play(const claim_tables *t, const game_position *from, const char *name, game_move *out) {
  game_moves moves;
  bool legal = false;
  claim_moves(t, from, &moves);
  for (size_t i = 0; i < moves.used && !legal; i++) {
    legal = strcmp(moves.moves[i].name, name) == 0;
    if (legal) *out = moves.moves[i];
    if (legal) out->name = name;
  }
  game_moves_free(&moves);
  return legal;
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

static void add_sources(claim_tables *t) {
  const size_t n = list_headers(t->tables, NULL);
  const table_header **headers = n ? report_calloc(t->out, n, sizeof *headers) : NULL;
  if (!headers) return;
  list_headers(t->tables, headers);
  qsort(headers, n, sizeof *headers, by_slice_and_stream);
  for (size_t i = 0; i < n; i++) {
    char rules[TABLE_RULES_BYTES + TABLE_NAME_BYTES + 16];
    snprintf(rules, sizeof rules, headers[i]->cycles[0] ? "%s, cycles %s" : "%s", headers[i]->rules,
             headers[i]->cycles);
    report_add_source(t->out, rules, headers[i]->slice, headers[i]->stream, headers[i]->plain_digest);
  }
  free(headers);
}

void claim_tables_close(claim_tables *t) {
  if (t->tables && !t->out->error) add_sources(t);
  bulk_close(t->values);
  tauler_close(t->db);
  *t = (claim_tables){.job = NULL};
}
