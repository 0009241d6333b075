/* Opens the tables of one slice and compares them with the game. */
#include "analysis/verify/verify_family.h"

#include <stdio.h>

#include "analysis/verify/verify_pass.h"
#include "databases/streams.h"

const char *verify_stream(int planes, int plane, bool depth) {
  if (planes == 1) return depth ? STREAM_DEPTH : STREAM_VALUE;
  if (plane == 0) return depth ? STREAM_DEPTH_LOWER : STREAM_LOWER;
  return depth ? STREAM_DEPTH_UPPER : STREAM_UPPER;
}

static void note_position(const verify_family *of, const verify_entry *at, verify_file *file,
                          const verify_fault *fault, char text[GAME_TEXT_BYTES]) {
  file->has_position = true;
  file->expects = fault->kind == FAULT_VALUE || fault->kind == FAULT_DEPTH;
  file->index = fault->index;
  file->stored = fault->stored;
  file->expected = fault->expected;
  of->logic.game->position_at(of->rules, (game_place){at->slice, fault->index}, &file->position);
  of->logic.game->print(of->rules, &file->position, text);
}

static void settle_fault(const verify_family *of, const verify_entry *at, verify_file *file,
                         const verify_fault *fault) {
  if (file->settled) return;
  char text[GAME_TEXT_BYTES];
  note_position(of, at, file, fault, text);
  const char *stream = file->header.stream;
  /* Where other bounds than the best ones are sound, better ones may be true. */
  const verify_verdict verdict = file->proof == VERIFY_SOUND_BOUNDS ? VERIFY_UNFOUNDED : VERIFY_WRONG;
  switch (fault->kind) {
  case FAULT_NONE:
    break;
  case FAULT_RANGE:
    verify_settle(file, VERIFY_WRONG, "%s has %s %d, beyond %d, the most there can be", text, stream,
                  fault->stored, fault->expected);
    break;
  case FAULT_LOOKUP:
    verify_settle(file, VERIFY_WRONG, "%s has a %s to be looked up, but no converting move gives it", text,
                  stream);
    break;
  case FAULT_VALUE:
  case FAULT_DEPTH:
    verify_settle(file, verdict, "%s has %s %d, but its moves make it %d", text, stream, fault->stored,
                  fault->expected);
    break;
  case FAULT_STAGE:
    verify_settle(file, VERIFY_WRONG, "%s has %s %d, but its moves do not lead to stages that bear it out",
                  text, stream, fault->stored);
    break;
  case FAULT_OPEN:
    verify_settle(file, VERIFY_CONSISTENT,
                  "%s has %s %d, but lines of play prove no %s than %d: raise --lines-budget", text, stream,
                  fault->stored, fault->plane ? "less" : "more", fault->expected);
    break;
  case FAULT_ENDLESS:
    verify_settle(file, verdict,
                  "%s has %s %d, which agrees with its moves, but no play that ends can force it", text,
                  stream, fault->stored);
    break;
  }
}

typedef struct {
  table *values[VERIFY_PLANES], *depths[VERIFY_PLANES];
} open_tables;

/* Values that stand for both bounds are checked once. */
static bool has_turn(const verify_family *of, const verify_entry *at, int plane) {
  return verify_has_turn(of, at, plane) && !(at->exact && plane > 0);
}

static tauler_error open_files(const verify_family *of, const verify_entry *at, open_tables *out,
                               tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < of->logic.planes && !error; plane++) {
    const int threads = of->job->threads;
    if (at->values[plane])
      error = verify_open(at->values[plane], has_turn(of, at, plane), threads, &out->values[plane], message);
    if (!error && at->depths[plane])
      error = verify_open(at->depths[plane], verify_has_turn(of, at, of->logic.planes + plane), threads,
                          &out->depths[plane], message);
  }
  return error;
}

/* All ranks take over what one rank finds in a file. */
static tauler_error agree(const verify_family *of, const verify_entry *at, tauler_error error,
                          tauler_message *message) {
  verify_file *files[2 * VERIFY_PLANES];
  for (int i = 0; i < 2 * VERIFY_PLANES; i++) files[i] = i % 2 ? at->depths[i / 2] : at->values[i / 2];
  return verify_files_agree(files, sizeof files / sizeof *files, of->job->ranks, error, message);
}

static void close_files(open_tables *tables) {
  for (int plane = 0; plane < VERIFY_PLANES; plane++) {
    table_close(tables->values[plane]);
    table_close(tables->depths[plane]);
  }
}

static void settle_rest(const verify_family *of, const verify_entry *at, verify_verdict verdict,
                        const char *reason) {
  for (int plane = 0; plane < of->logic.planes; plane++) {
    if (at->values[plane]) verify_settle(at->values[plane], verdict, "%s", reason);
    if (at->depths[plane]) verify_settle(at->depths[plane], verdict, "%s", reason);
  }
}

static const char *state_of(const verify_file *file) {
  if (!file) return "missing";
  if (!file->settled || file->verdict == VERIFY_PROVEN) return NULL;
  return verify_verdict_state(file->verdict);
}

/* The first stream of a kind that cannot be relied on; false where there is none. */
static bool find_bad_stream(const verify_family *of, verify_file *const *files, bool depth,
                            char reason[GAME_TEXT_BYTES]) {
  for (int plane = 0; plane < of->logic.planes; plane++) {
    const char *state = state_of(files[plane]);
    if (!state) continue;
    snprintf(reason, GAME_TEXT_BYTES, "it rests on the stream %s, which is %s",
             verify_stream(of->logic.planes, plane, depth), state);
    return true;
  }
  return false;
}

static bool find_bad_slice(const verify_family *of, const verify_entry *at,
                           char reason[2 * GAME_TEXT_BYTES]) {
  const verify_family *below = of->fallback ? of->fallback : of;
  for (size_t i = 0; i < at->needs_used; i++) {
    const uint32_t slice = at->needs[i];
    if (below->logic.cells[slice]) continue;
    char name[GAME_TEXT_BYTES];
    of->logic.game->slice_name(of->rules, slice, name);
    snprintf(reason, 2 * GAME_TEXT_BYTES, "it rests on slice %s%s%s, which is %s", name,
             of->fallback ? " of " : "", of->fallback ? of->logic.game->cycles_text(below->rules) : "",
             below->states[slice] ? below->states[slice] : "missing");
    return true;
  }
  return false;
}

/* Depths of outcomes count on in smaller slices. */
static bool find_bad_depths(const verify_family *of, const verify_entry *at,
                            char reason[2 * GAME_TEXT_BYTES]) {
  for (size_t i = 0; of->logic.depths && i < at->needs_used; i++) {
    const uint32_t slice = at->needs[i];
    if (of->logic.depths[slice]) continue;
    char name[GAME_TEXT_BYTES];
    of->logic.game->slice_name(of->rules, slice, name);
    snprintf(reason, 2 * GAME_TEXT_BYTES, "it rests on the depths of slice %s, which are not proven", name);
    return true;
  }
  return false;
}

/* True if depths are there that can be checked. */
static bool find_bad_depth(const verify_family *of, const verify_entry *at,
                           char reason[2 * GAME_TEXT_BYTES]) {
  return find_bad_stream(of, at->depths, true, reason) || find_bad_depths(of, at, reason);
}

static tauler_error load(const verify_family *of, const verify_entry *at, const open_tables *tables,
                         verify_slice *slice, tauler_message *message) {
  const int planes = of->logic.planes;
  memory_budget *memory = of->job->memory;
  int8_t *cells;
  const uint64_t n = at->positions * (unsigned)planes;
  tauler_error error = memory_allocate(memory, n, "the cells of a slice", &cells, message);
  of->logic.cells[at->slice] = cells;
  for (int plane = 0; plane < planes && !error; plane++) {
    const table_header *header = &at->values[plane]->header;
    slice->all_stored = header->coding == TABLE_PLAIN && game_may_be_exact(of->logic.game, of->rules);
    slice->reserved[plane] = header->coding == TABLE_IMPLIED ? (int)header->reserved : VERIFY_NO_RESERVED;
    error =
        verify_read_values(at->values[plane], tables->values[plane], cells, planes, plane, memory, message);
  }
  char reason[2 * GAME_TEXT_BYTES];
  if (error || find_bad_depth(of, at, reason)) return error;
  error = memory_allocate_array(memory, n, sizeof *slice->depths, "the depths of a slice", &slice->depths,
                                message);
  for (int plane = 0; plane < planes && !error; plane++)
    error = verify_read_depths(at->depths[plane], tables->depths[plane], slice->depths, planes, plane, memory,
                               message);
  return error;
}

static tauler_error check_plain(const verify_family *of, const verify_entry *at, const open_tables *tables,
                                const verify_slice *slice, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < of->logic.planes && !error; plane++) {
    if (has_turn(of, at, plane))
      error = verify_plain_values(at->values[plane], tables->values[plane], of->logic.cells[at->slice],
                                  of->logic.planes, plane, of->job->memory, message);
    if (!error && slice->depths && verify_has_turn(of, at, of->logic.planes + plane))
      error = verify_plain_depths(at->depths[plane], tables->depths[plane], slice->depths, of->logic.planes,
                                  plane, of->job->memory, message);
  }
  return error;
}

/* The logic of a slice in memory, and what it means for each of its tables. */
static tauler_error prove(const verify_family *of, const verify_entry *at, const open_tables *tables,
                          verify_slice *slice, tauler_message *message) {
  uint64_t *searched = &at->values[0]->searched;
  slice->searched = searched;
  char reason[2 * GAME_TEXT_BYTES];
  verify_fault values, depths;
  tauler_error error = verify_slice_logic(&of->logic, slice, &values, &depths, message);
  if (error) return error;
  if (values.kind) {
    *searched = 0;
    settle_fault(of, at, at->values[values.plane], &values);
    return TAULER_OK;
  }
  for (int plane = 1; plane < of->logic.planes; plane++) at->values[plane]->searched = *searched;
  if (depths.kind) settle_fault(of, at, at->depths[depths.plane], &depths);
  error = agree(of, at, check_plain(of, at, tables, slice, message), message);
  if (!error && find_bad_depth(of, at, reason)) {
    for (int plane = 0; plane < of->logic.planes; plane++)
      if (at->depths[plane]) verify_settle(at->depths[plane], VERIFY_FILES_ONLY, "%s", reason);
  }
  return error;
}

static bool is_false(const verify_family *of, const verify_entry *at) {
  for (int plane = 0; plane < of->logic.planes; plane++) {
    const verify_file *file = at->values[plane];
    if (file->settled && file->verdict >= VERIFY_DAMAGED) return true;
  }
  return false;
}

static tauler_error check_logic(const verify_family *of, const verify_entry *at, const open_tables *tables,
                                tauler_message *message) {
  char reason[2 * GAME_TEXT_BYTES];
  int8_t **cells = &of->logic.cells[at->slice];
  verify_slice slice = {.slice = at->slice, .positions = at->positions};
  bool bad = find_bad_stream(of, at->values, false, reason);
  if (bad || find_bad_slice(of, at, reason)) {
    of->states[at->slice] = bad ? "damaged or incomplete" : "not proven";
    settle_rest(of, at, VERIFY_FILES_ONLY, reason);
    return TAULER_OK;
  }
  verify_family_keep_for_later(of, at);
  tauler_error error = agree(of, at, load(of, at, tables, &slice, message), message);
  verify_family_keep_for_check(of);
  bad = !error && find_bad_stream(of, at->values, false, reason);
  if (!error && !bad) error = prove(of, at, tables, &slice, message);
  bad = bad || (!error && find_bad_stream(of, at->values, false, reason));
  const bool keep = !error && !bad && of->logic.depths && slice.depths && !state_of(at->depths[0]);
  if (keep) of->logic.depths[at->slice] = slice.depths;
  if (!keep) memory_free(of->job->memory, slice.depths);
  if (error) return error;
  if (!bad) {
    settle_rest(of, at, VERIFY_PROVEN, "");
    return TAULER_OK;
  }
  settle_rest(of, at, VERIFY_FILES_ONLY, reason);
  of->states[at->slice] = is_false(of, at) ? "wrong or damaged" : "not proven";
  memory_free(of->job->memory, *cells);
  *cells = NULL;
  return TAULER_OK;
}

tauler_error verify_entry_check(const verify_family *of, const verify_entry *at, tauler_message *message) {
  open_tables tables = {{NULL}, {NULL}};
  tauler_error error = agree(of, at, open_files(of, at, &tables, message), message);
  if (!error) error = check_logic(of, at, &tables, message);
  close_files(&tables);
  return error;
}
