/* Keeps the tables of one rule set, and the cells of slices while others need them. */
#include "analysis/verify/verify_family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verify/verify_pass.h"
#include "base/memory.h"
#include "databases/streams.h"
#include "games/registry.h"

verify_entry *verify_family_find(const verify_family *of, const char *name) {
  for (size_t i = 0; i < of->used; i++) {
    if (strcmp(of->entries[i].name, name) == 0) return &of->entries[i];
  }
  return NULL;
}

static void count_streams(const verify_family *of, verify_entry *at) {
  chance_quantities quantities;
  if (of->dice) of->logic.game->chance->quantities(of->rules, at->slice, &quantities);
  at->values = of->dice ? BOUND_KINDS * quantities.used : of->logic.planes;
  at->streams = of->dice ? at->values : 2 * at->values;
}

static tauler_error add_entry(verify_family *of, const char *name, verify_entry **out,
                              tauler_message *message) {
  *out = NULL;
  game_slices needs;
  const tauler_error error = game_slices_under(of->logic.game, of->rules, name, &needs, message);
  if (error || needs.used == 0) return error;
  if (!memory_make_room(&of->entries, &of->room, of->used + 1, sizeof *of->entries)) {
    free(needs.slices);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  }
  const game_slice own = needs.slices[--needs.used];
  *out = &of->entries[of->used++];
  **out = (verify_entry){.slice = own.slice, .positions = own.positions, .needs = needs};
  snprintf((*out)->name, sizeof(*out)->name, "%s", name);
  count_streams(of, *out);
  return TAULER_OK;
}

static int compare_slices(const void *a, const void *b) {
  const verify_entry *x = a, *y = b;
  return x->slice < y->slice ? -1 : x->slice > y->slice;
}

static void check_header(const verify_family *of, const verify_entry *at, verify_file *file, bool depth) {
  const table_header *header = &file->header;
  const bool fits = depth ? header->cell == TABLE_U8 || header->cell == TABLE_U16
                          : header->cell == (of->dice ? TABLE_F64 : TABLE_I8);
  if (header->index_version != game_index_version(of->logic.game)) {
    verify_settle(file, VERIFY_FILES_ONLY, "its positions are numbered by version %u of the index, not %u",
                  header->index_version, game_index_version(of->logic.game));
  } else if (header->positions != at->positions) {
    verify_settle(file, VERIFY_DAMAGED, "it has %llu positions, but slice %s has %llu",
                  (unsigned long long)header->positions, at->name, (unsigned long long)at->positions);
  } else if (!fits) {
    verify_settle(file, VERIFY_DAMAGED, "its cells are not of a type that stream %s has", header->stream);
  }
}

const char *verify_family_fallback(const verify_family *of) {
  const game *game = of->logic.game;
  return game->fallback_cycles ? game->fallback_cycles(of->rules) : NULL;
}

void verify_stream_name(const verify_family *of, const verify_entry *at, int i,
                        char name[CHANCE_STREAM_BYTES]) {
  static const char *const scores[] = {STREAM_VALUE, STREAM_DEPTH}, *const bounds[] = {STREAM_LOWER,
                                                                                       STREAM_UPPER,
                                                                                       STREAM_DEPTH_LOWER,
                                                                                       STREAM_DEPTH_UPPER};
  chance_quantities quantities;
  if (!of->dice) {
    snprintf(name, CHANCE_STREAM_BYTES, "%s", of->logic.planes == 1 ? scores[i] : bounds[i]);
    return;
  }
  of->logic.game->chance->quantities(of->rules, at->slice, &quantities);
  chance_stream_name(&quantities, i / BOUND_KINDS, i % BOUND_KINDS == BOUND_UPPER, name);
}

/* Returns NULL if the stream is unknown. *depth becomes true for a stream of depths. */
static verify_file **find_stream(const verify_family *of, verify_entry *at, const verify_file *file,
                                 bool *depth) {
  const char *stream = file->header.stream;
  if (game_may_be_exact(of->logic.game, of->rules) && strcmp(stream, STREAM_VALUE) == 0) return &at->exact;
  for (int i = 0; i < (verify_family_fallback(of) ? at->values : at->streams); i++) {
    char name[CHANCE_STREAM_BYTES];
    verify_stream_name(of, at, i, name);
    *depth = i >= at->values;
    if (strcmp(stream, name) == 0) return &at->files[i];
  }
  return NULL;
}

/* If a repetition ends play, other bounds than the best ones can agree with the moves, too. */
static verify_proof proof_kind(const verify_family *of, const verify_file *file, bool depth) {
  const bool repeats = game_ends_by_repetition(of->logic.game, of->rules);
  if (repeats && !depth && file->header.coding == TABLE_PLAIN) return VERIFY_SEARCHED;
  if (repeats && strcmp(file->header.stream, STREAM_VALUE) == 0) return VERIFY_VALUES;
  if (depth) return repeats ? VERIFY_STAGES : VERIFY_DEPTHS;
  if (of->dice || repeats) return VERIFY_SOUND_BOUNDS;
  return of->logic.planes == 1 ? VERIFY_VALUES : VERIFY_BEST_BOUNDS;
}

tauler_error verify_family_add(verify_family *of, verify_file *file, tauler_message *message) {
  verify_entry *at = verify_family_find(of, file->header.slice);
  const tauler_error error = at ? TAULER_OK : add_entry(of, file->header.slice, &at, message);
  if (error) return error;
  if (!at) {
    verify_settle(file, VERIFY_FILES_ONLY, "%s has no slice %s", file->header.game, file->header.slice);
    return TAULER_OK;
  }
  bool depth = false;
  verify_file **place = find_stream(of, at, file, &depth);
  if (!place) {
    verify_settle(file, VERIFY_FILES_ONLY, "the stream %s is unknown", file->header.stream);
    return TAULER_OK;
  }
  *place = file;
  file->found.proof = proof_kind(of, file, depth);
  check_header(of, at, file, depth);
  return TAULER_OK;
}

void verify_family_free_slice(const verify_family *of, uint32_t slice) {
  memory_budget *memory = of->job->memory;
  for (int i = 0; i < VERIFY_MOST_FILES && of->logic.bounds; i++) {
    double **bound = &of->logic.bounds[slice].bound[i % BOUND_KINDS][i / BOUND_KINDS];
    memory_free(memory, *bound);
    *bound = NULL;
  }
  if (of->logic.cells) {
    memory_free(memory, of->logic.cells[slice]);
    of->logic.cells[slice] = NULL;
  }
  if (of->logic.depths) {
    memory_free(memory, of->logic.depths[slice]);
    of->logic.depths[slice] = NULL;
  }
}

void verify_family_free(verify_family *of) {
  for (uint32_t slice = 0; slice < of->logic.slices; slice++) verify_family_free_slice(of, slice);
  arena_close(&of->lists);
  for (size_t i = 0; i < of->used; i++) free(of->entries[i].needs.slices);
  free(of->entries);
  free(of->asked.slices);
  if (of->rules) of->logic.game->close(of->rules);
}

tauler_error verify_family_open(verify_family *of, const table_header *header, bool *known,
                                tauler_message *message) {
  const game *asked = of->job->game;
  const game *game = asked && strcmp(asked->name, header->game) == 0 ? asked : game_find(header->game);
  *known = false;
  if (!game) return TAULER_OK;
  const tauler_error error =
      game->open(header->rules, header->cycles[0] ? header->cycles : NULL, &of->rules, message);
  if (error) return error == TAULER_NO_MEMORY ? error : TAULER_OK;
  const solve_kind kind = game->kind(of->rules);
  *known = strcmp(game->rules_text(of->rules), header->rules) == 0 &&
           strcmp(game->cycles_text(of->rules), header->cycles) == 0;
  of->names = *header;
  of->logic = (verify_set){.game = game,
                           .rules = of->rules,
                           .planes = kind == SOLVE_GUARANTEES ? 2 : 1,
                           .threads = of->job->threads,
                           .ranks = of->job->ranks,
                           .memory = of->job->memory,
                           .shown = of->job->shown,
                           .lines_budget = of->job->lines_budget};
  of->dice = kind == SOLVE_CHANCE;
  return TAULER_OK;
}

static bool has_all_values(const verify_entry *at) {
  int i = 0;
  while (i < at->values && at->files[i]) i++;
  return i == at->values;
}

/* Returns the bytes of the cells and of the depths of outcomes that are kept, or 0 if values are missing. */
static uint64_t kept_bytes(const verify_family *of, const verify_entry *at) {
  const bool depths = of->logic.depths && at->files[at->values];
  const uint64_t cell = (of->dice ? sizeof(double) : 1) + (depths ? sizeof(uint16_t) : 0);
  return has_all_values(at) ? at->positions * (unsigned)at->values * cell : 0;
}

/* Returns the most bytes at a time: all slices that are still needed, and the check of one slice. */
static uint64_t family_bytes(const verify_family *of) {
  uint64_t kept = 0, most = 0;
  for (size_t i = 0; i < of->used; i++) {
    const verify_entry *at = &of->entries[i];
    if (!has_all_values(at)) continue;
    kept += kept_bytes(of, at);
    const uint64_t extra = verify_check_bytes(of, at);
    if (kept + extra > most) most = kept + extra;
    for (size_t other = 0; other <= i; other++) {
      if (of->entries[other].last_use == i) kept -= kept_bytes(of, &of->entries[other]);
    }
  }
  return most + verify_file_bytes();
}

static void place_exact_file(verify_entry *at) {
  for (int plane = 0; at->exact && plane < VERIFY_PLANES; plane++) {
    if (at->files[plane])
      verify_settle(at->files[plane], VERIFY_FILES_ONLY, "the values of the slice stand for its bounds");
    at->files[plane] = at->exact;
  }
}

void verify_family_order(verify_family *of) {
  if (of->used == 0) return;
  qsort(of->entries, of->used, sizeof *of->entries, compare_slices);
  for (size_t i = 0; i < of->used; i++) place_exact_file(&of->entries[i]);
  of->logic.slices = of->entries[of->used - 1].slice + 1;
  for (size_t i = 0; i < of->used; i++) {
    of->entries[i].last_use = of->below ? SIZE_MAX : i;
    for (size_t n = 0; !of->below && !of->fallback && n < of->entries[i].needs.used; n++) {
      const verify_entry wanted = {.slice = of->entries[i].needs.slices[n].slice};
      verify_entry *needed = bsearch(&wanted, of->entries, i, sizeof wanted, compare_slices);
      if (needed) needed->last_use = i;
    }
  }
}

/* Returns the bytes that a check allocates for a slice without positions, and so at least for every other
 * one. */
static uint64_t least_check_bytes(const verify_family *of) {
  const verify_entry none = {.positions = 0};
  return verify_check_bytes(of, &none) + verify_file_bytes();
}

/* The cells of the slice that is checked are read and written most. So cells of smaller slices, which are
 * loaded before, leave space for them in memory. */
void verify_family_keep_for_later(const verify_family *of, const verify_entry *at) {
  uint64_t most = 0;
  for (const verify_entry *later = at; later < of->entries + of->used; later++) {
    const uint64_t cells = later == at ? 0 : kept_bytes(of, later);
    const uint64_t bytes = cells + verify_check_bytes(of, later);
    if (bytes > most) most = bytes;
  }
  memory_keep(of->job->memory, least_check_bytes(of) + most);
}

void verify_family_keep_for_check(const verify_family *of) {
  memory_keep(of->job->memory, least_check_bytes(of));
}

static tauler_error plan_memory(const verify_family *of, tauler_message *message) {
  uint64_t kept = 0;
  for (size_t i = 0; of->fallback && i < of->fallback->used; i++)
    kept += kept_bytes(of->fallback, &of->fallback->entries[i]);
  tauler_message why;
  verify_family_keep_for_check(of);
  const tauler_error error =
      memory_plan(of->job->memory, kept + family_bytes(of), "the proof of the tables", &why);
  if (!error) return TAULER_OK;
  return tauler_fail(message, error, "%s; cells may lie on the disk, with --disk SIZE", why.text);
}

static void list_slice_arrays(arena *a, void *family) {
  verify_family *of = family;
  const uint32_t slices = of->logic.slices;
  of->logic.cells = arena_allocate(a, slices, sizeof *of->logic.cells);
  of->states = arena_allocate(a, slices, sizeof *of->states);
  if (of->dice) of->logic.bounds = arena_allocate(a, slices, sizeof *of->logic.bounds);
  if (of->logic.game->kind(of->rules) == SOLVE_OUTCOMES)
    of->logic.depths = arena_allocate(a, slices, sizeof *of->logic.depths);
}

tauler_error verify_family_prepare(verify_family *of, tauler_message *message) {
  const tauler_error error =
      arena_fill(&of->lists, of->job->memory, "a list of slices", list_slice_arrays, of, message);
  if (of->fallback) of->logic.beyond = of->fallback->logic.cells;
  return error ? error : plan_memory(of, message);
}
