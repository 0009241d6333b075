/* Checks the tables of one slice of any kind: the files first, then the logic of their cells. */
#include <stdio.h>

#include "analysis/verify/verify_family.h"

bool verify_checks_file(const verify_family *of, const verify_entry *at, int i) {
  const unsigned ranks = (unsigned)comm_ranks(of->job->ranks), rank = (unsigned)comm_rank(of->job->ranks);
  const bool again = at->exact && i > 0 && i < at->values; /* a file of both bounds is checked only once */
  return !again && (at->slice + (unsigned)i) % ranks == rank;
}

void verify_note_position(const verify_family *of, const verify_entry *at, verify_file *file, uint64_t index,
                          char text[GAME_TEXT_BYTES]) {
  file->has_position = true;
  file->index = index;
  of->logic.game->position_at(of->rules, (game_place){at->slice, index}, &file->position);
  of->logic.game->print(of->rules, &file->position, text);
}

static tauler_error open_files(const verify_family *of, const verify_entry *at, verify_open_tables tables,
                               tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < at->streams && !error; i++) {
    if (at->files[i])
      error = verify_open(at->files[i], verify_checks_file(of, at, i), of->job->threads, &tables[i], message);
  }
  return error;
}

tauler_error verify_agree(const verify_family *of, const verify_entry *at, tauler_error error,
                          tauler_message *message) {
  return verify_files_agree(at->files, (size_t)at->streams, of->job->ranks, error, message);
}

static void settle_unsettled_files(const verify_entry *at, verify_verdict verdict, const char *reason) {
  for (int i = 0; i < at->streams; i++) {
    if (at->files[i]) verify_settle(at->files[i], verdict, "%s", reason);
  }
}

/* Returns NULL if other tables can rest on the file, otherwise a word for its state. Bounds of dice can
 * rest on consistent ones. */
static const char *file_state(const verify_family *of, const verify_file *file) {
  if (!file) return "missing";
  if (!file->settled || file->verdict == VERIFY_PROVEN) return NULL;
  if (of->kind->dice && file->verdict == VERIFY_CONSISTENT) return NULL;
  return verify_verdict_state(file->verdict);
}

static bool explain_bad_stream(const verify_family *of, const verify_entry *at, int i,
                               char reason[VERIFY_REASON_BYTES]) {
  const char *state = file_state(of, at->files[i]);
  char stream[CHANCE_STREAM_BYTES];
  if (!state) return false;
  verify_stream_name(of, at, i, stream);
  snprintf(reason, VERIFY_REASON_BYTES, "it rests on the stream %s, which is %s", stream, state);
  return true;
}

/* Finds the first stream on which no table can rest. In games of dice the lower bounds of all quantities
 * come before the upper ones. */
static bool find_bad_stream(const verify_family *of, const verify_entry *at, bool depths,
                            char reason[VERIFY_REASON_BYTES]) {
  const int from = depths ? at->values : 0, end = depths ? at->streams : at->values;
  const int step = of->kind->dice ? BOUND_KINDS : 1;
  for (int first = from; first < from + step; first++) {
    for (int i = first; i < end; i += step)
      if (explain_bad_stream(of, at, i, reason)) return true;
  }
  return false;
}

static bool has_cells(const verify_family *of, uint32_t slice) {
  if (slice >= of->logic.slices) return false;
  return of->kind->dice ? of->logic.bounds[slice].bound[BOUND_LOWER][0] != NULL
                        : of->logic.cells[slice] != NULL;
}

bool verify_find_bad_slice(const verify_family *of, const verify_entry *at, bool proven,
                           char reason[VERIFY_REASON_BYTES]) {
  const verify_family *below = of->fallback ? of->fallback : of;
  for (size_t i = 0; i < at->needs_used; i++) {
    const uint32_t slice = at->needs[i];
    const char *state = slice < below->logic.slices ? below->states[slice] : NULL;
    if (has_cells(below, slice) && !(proven && state)) continue;
    char name[GAME_TEXT_BYTES];
    of->logic.game->slice_name(of->rules, slice, name);
    snprintf(reason, VERIFY_REASON_BYTES, "it rests on slice %s%s%s, which is %s", name,
             of->fallback ? " of " : "", of->fallback ? of->logic.game->cycles_text(below->rules) : "",
             state ? state : "missing");
    return true;
  }
  return false;
}

/* Depths of outcomes also rest on the depths of smaller slices, since depths add up over slices. */
bool verify_find_bad_depths(const verify_family *of, const verify_entry *at,
                            char reason[VERIFY_REASON_BYTES]) {
  if (find_bad_stream(of, at, true, reason)) return true;
  for (size_t i = 0; of->logic.depths && i < at->needs_used; i++) {
    const uint32_t slice = at->needs[i];
    if (of->logic.depths[slice]) continue;
    char name[GAME_TEXT_BYTES];
    of->logic.game->slice_name(of->rules, slice, name);
    snprintf(reason, VERIFY_REASON_BYTES, "it rests on the depths of slice %s, which are not proven", name);
    return true;
  }
  return false;
}

static bool has_false_values(const verify_entry *at) {
  for (int i = 0; i < at->values; i++) {
    if (at->files[i]->settled && at->files[i]->verdict >= VERIFY_DAMAGED) return true;
  }
  return false;
}

/* Frees depths on which those of larger slices do not rest. */
static void keep_depths(const verify_family *of, const verify_entry *at, uint16_t *depths, bool hold) {
  if (hold && of->logic.depths && depths && !file_state(of, at->files[at->values])) {
    of->logic.depths[at->slice] = depths;
  } else {
    memory_free(of->job->memory, depths);
  }
}

static tauler_error check_logic(const verify_family *of, const verify_entry *at, verify_open_tables tables,
                                tauler_message *message) {
  char reason[VERIFY_REASON_BYTES];
  verify_slice slice = {.slice = at->slice, .positions = at->positions};
  bool bad = find_bad_stream(of, at, false, reason);
  if (bad || verify_find_bad_slice(of, at, false, reason)) {
    of->states[at->slice] = bad ? "damaged or incomplete" : "not proven";
    settle_unsettled_files(at, VERIFY_FILES_ONLY, reason);
    return TAULER_OK;
  }
  verify_family_keep_for_later(of, at);
  tauler_error error = verify_agree(of, at, of->kind->load(of, at, tables, &slice, message), message);
  verify_family_keep_for_check(of);
  bad = !error && find_bad_stream(of, at, false, reason);
  if (!error && !bad) error = of->kind->prove(of, at, tables, &slice, message);
  bad = !error && find_bad_stream(of, at, false, reason);
  keep_depths(of, at, slice.depths, !error && !bad);
  if (error) return error;
  settle_unsettled_files(at, bad ? VERIFY_FILES_ONLY : VERIFY_PROVEN, bad ? reason : "");
  if (!bad) return TAULER_OK;
  of->states[at->slice] = !of->kind->dice && has_false_values(at) ? "wrong or damaged" : "not proven";
  verify_family_free_slice(of, at->slice);
  return TAULER_OK;
}

tauler_error verify_entry_check(const verify_family *of, const verify_entry *at, tauler_message *message) {
  verify_open_tables tables = {NULL};
  tauler_error error = verify_agree(of, at, open_files(of, at, tables, message), message);
  if (!error) error = check_logic(of, at, tables, message);
  for (int i = 0; i < at->streams; i++) table_close(tables[i]);
  return error;
}
