/* Checks the tables of one slice of any kind: the files first, then the logic of their cells. */
#include <stdio.h>

#include "analysis/verify/verify_family.h"
#include "analysis/verify/verify_parts.h"

enum { REASON_BYTES = 2 * GAME_TEXT_BYTES };

typedef table *open_tables[VERIFY_MOST_FILES]; /* [stream] */

/* True if this rank checks the i-th file of a slice as a whole: frames, digests, counts. */
static bool checks_file(const verify_family *of, const verify_entry *at, int i) {
  const unsigned ranks = (unsigned)comm_ranks(of->job->ranks), rank = (unsigned)comm_rank(of->job->ranks);
  const bool again = at->exact && i > 0 && i < at->values; /* a file of both bounds is checked only once */
  return !again && (at->slice + (unsigned)i) % ranks == rank;
}

static tauler_error open_files(const verify_family *of, const verify_entry *at, open_tables tables,
                               tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < at->streams && !error; i++) {
    if (at->files[i])
      error = verify_open(at->files[i], checks_file(of, at, i), of->job->threads, &tables[i], message);
  }
  return error;
}

/* Collective. */
static tauler_error agree_on_files(const verify_family *of, const verify_entry *at, tauler_error error,
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
  if (!file->settled || file->found.verdict == VERIFY_PROVEN) return NULL;
  if (of->dice && file->found.verdict == VERIFY_CONSISTENT) return NULL;
  return verify_verdict_state(file->found.verdict);
}

static bool explain_bad_stream(const verify_family *of, const verify_entry *at, int i,
                               char reason[REASON_BYTES]) {
  const char *state = file_state(of, at->files[i]);
  char stream[CHANCE_STREAM_BYTES];
  if (!state) return false;
  verify_stream_name(of, at, i, stream);
  snprintf(reason, REASON_BYTES, "it rests on the stream %s, which is %s", stream, state);
  return true;
}

/* Finds the first stream on which no table can rest. In games of dice the lower bounds of all quantities
 * come before the upper ones. */
static bool find_bad_stream(const verify_family *of, const verify_entry *at, bool depths,
                            char reason[REASON_BYTES]) {
  const int from = depths ? at->values : 0, end = depths ? at->streams : at->values;
  const int step = of->dice ? BOUND_KINDS : 1;
  for (int first = from; first < from + step; first++) {
    for (int i = first; i < end; i += step)
      if (explain_bad_stream(of, at, i, reason)) return true;
  }
  return false;
}

static bool has_cells(const verify_family *of, uint32_t slice) {
  if (slice >= of->logic.slices) return false;
  return of->dice ? of->logic.bounds[slice].bound[BOUND_LOWER][0] != NULL : of->logic.cells[slice] != NULL;
}

/* Finds the first needed slice whose cells are not loaded or, if `proven`, are not proven. Returns false if
 * there is none, otherwise writes the reason. */
static bool find_bad_slice(const verify_family *of, const verify_entry *at, bool proven,
                           char reason[REASON_BYTES]) {
  const verify_family *below = of->fallback ? of->fallback : of;
  for (size_t i = 0; i < at->needs.used; i++) {
    const uint32_t slice = at->needs.slices[i].slice;
    const char *state = slice < below->logic.slices ? below->states[slice] : NULL;
    if (has_cells(below, slice) && !(proven && state)) continue;
    char name[GAME_TEXT_BYTES];
    of->logic.game->slice_name(of->rules, slice, name);
    snprintf(reason, REASON_BYTES, "it rests on slice %s%s%s, which is %s", name, of->fallback ? " of " : "",
             of->fallback ? of->logic.game->cycles_text(below->rules) : "", state ? state : "missing");
    return true;
  }
  return false;
}

/* Depths of outcomes also rest on the depths of smaller slices, since depths add up over slices. */
static bool find_bad_depths(const verify_family *of, const verify_entry *at, char reason[REASON_BYTES]) {
  if (find_bad_stream(of, at, true, reason)) return true;
  for (size_t i = 0; of->logic.depths && i < at->needs.used; i++) {
    const uint32_t slice = at->needs.slices[i].slice;
    if (of->logic.depths[slice]) continue;
    char name[GAME_TEXT_BYTES];
    of->logic.game->slice_name(of->rules, slice, name);
    snprintf(reason, REASON_BYTES, "it rests on the depths of slice %s, which are not proven", name);
    return true;
  }
  return false;
}

/* Notes the fault in `file`, and writes its position as text. */
static void note_fault(const verify_family *of, const verify_entry *at, verify_file *file,
                       const verify_fault *fault, char text[GAME_TEXT_BYTES]) {
  file->has_position = true;
  file->found.index = fault->index;
  file->found.stored = fault->stored;
  file->found.expected = fault->expected;
  file->found.expects =
      fault->kind == FAULT_VALUE || fault->kind == FAULT_DEPTH || fault->kind == FAULT_FALSE;
  of->logic.game->position_at(of->rules, (game_place){at->slice, fault->index}, &file->position);
  of->logic.game->print(of->rules, &file->position, text);
}

/* If only sound bounds are proven, a bound that moves do not prove may be true. */
static verify_verdict find_verdict(const verify_file *file, verify_fault_kind kind) {
  const bool possible = kind == FAULT_VALUE || kind == FAULT_ENDLESS;
  return possible && file->found.proof == VERIFY_SOUND_BOUNDS ? VERIFY_UNFOUNDED : VERIFY_WRONG;
}

static void settle_fault(const verify_family *of, const verify_entry *at, verify_file *file,
                         const verify_fault *fault) {
  if (file->settled) return;
  char text[GAME_TEXT_BYTES];
  note_fault(of, at, file, fault, text);
  const char *stream = file->header.stream;
  const bool order = fault->kind == FAULT_ORDER;
  const char *bound = !of->dice || order ? "" : fault->plane == BOUND_LOWER ? " at most" : " at least";
  const verify_verdict verdict = find_verdict(file, fault->kind);
  switch (fault->kind) {
  case FAULT_NONE:
    break;
  case FAULT_RANGE:
    verify_settle(file, VERIFY_WRONG,
                  of->dice ? "%s has %s %.17g, and values lie in 0 … %g"
                           : "%s has %s %.17g, beyond %g, the most there can be",
                  text, stream, fault->stored, fault->expected);
    break;
  case FAULT_LOOKUP:
    verify_settle(file, VERIFY_WRONG, "%s has a %s to be looked up, but no converting move gives it", text,
                  stream);
    break;
  case FAULT_ORDER:
  case FAULT_VALUE:
  case FAULT_DEPTH:
  case FAULT_FALSE:
    verify_settle(file, verdict, "%s has %s %.17g, %s %.17g%s", text, stream, fault->stored,
                  order                        ? "above the upper bound"
                  : fault->kind == FAULT_FALSE ? "but by its moves and the other bounds it is"
                                               : "but its moves make it",
                  fault->expected, bound);
    break;
  case FAULT_STAGE:
  case FAULT_ENDLESS:
    verify_settle(file, verdict, "%s has %s %g, but %s", text, stream, fault->stored,
                  fault->kind == FAULT_STAGE ? "its moves do not lead to stages that bear it out"
                                             : "no play that ends can force it");
    break;
  case FAULT_OPEN:
    verify_settle(file, VERIFY_CONSISTENT,
                  "%s has %s %g, but lines of play prove no %s than %g: raise --lines-budget", text, stream,
                  fault->stored, fault->plane ? "less" : "more", fault->expected);
    break;
  }
}

/* --- values and depths --- */

static tauler_error load_values(const verify_family *of, const verify_entry *at, open_tables tables,
                                verify_slice *slice, tauler_message *message) {
  const int planes = of->logic.planes;
  memory_budget *memory = of->job->memory;
  int8_t *cells;
  const uint64_t n = at->positions * (unsigned)planes;
  tauler_error error = memory_allocate(memory, n, "the cells of a slice", &cells, message);
  of->logic.cells[at->slice] = cells;
  slice->all_stored = game_may_be_exact(of->logic.game, of->rules);
  for (int plane = 0; plane < planes && !error; plane++) {
    const table_header *header = &at->files[plane]->header;
    if (header->coding != TABLE_PLAIN) slice->all_stored = false;
    slice->reserved[plane] = header->coding == TABLE_IMPLIED ? (int)header->reserved : VERIFY_NO_RESERVED;
    error = verify_read(at->files[plane], tables[plane], cells + plane, NULL, planes, memory, message);
  }
  char reason[REASON_BYTES];
  if (error || find_bad_depths(of, at, reason)) return error;
  error = memory_allocate_array(memory, n, sizeof *slice->depths, "the depths of a slice", &slice->depths,
                                message);
  for (int plane = 0; plane < planes && !error; plane++)
    error = verify_read(at->files[planes + plane], tables[planes + plane], NULL, slice->depths + plane,
                        planes, memory, message);
  return error;
}

static tauler_error check_plain_cells(const verify_family *of, const verify_entry *at, open_tables tables,
                                      const verify_slice *slice, tauler_message *message) {
  const int planes = of->logic.planes;
  tauler_error error = TAULER_OK;
  for (int i = 0; i < (slice->depths ? 2 : 1) * planes && !error; i++) {
    const bool depth = i >= planes;
    if (checks_file(of, at, i))
      error = verify_check_plain(at->files[i], tables[i], depth ? NULL : of->logic.cells[at->slice] + i,
                                 depth ? slice->depths + i - planes : NULL, planes, of->job->memory, message);
  }
  return error;
}

static tauler_error prove_values(const verify_family *of, const verify_entry *at, open_tables tables,
                                 verify_slice *slice, tauler_message *message) {
  uint64_t *searched = &at->files[0]->found.searched;
  slice->searched = searched;
  char reason[REASON_BYTES];
  verify_fault values, depths;
  tauler_error error = verify_slice_logic(&of->logic, slice, &values, &depths, message);
  if (error) return error;
  if (values.kind) {
    *searched = 0;
    settle_fault(of, at, at->files[values.plane], &values);
    return TAULER_OK;
  }
  for (int plane = 1; plane < of->logic.planes; plane++) at->files[plane]->found.searched = *searched;
  if (depths.kind) settle_fault(of, at, at->files[at->values + depths.plane], &depths);
  error = agree_on_files(of, at, check_plain_cells(of, at, tables, slice, message), message);
  const bool bad_depths = !error && find_bad_depths(of, at, reason);
  for (int i = at->values; i < at->streams && bad_depths; i++)
    if (at->files[i]) verify_settle(at->files[i], VERIFY_FILES_ONLY, "%s", reason);
  return error;
}

/* --- bounds of games of dice --- */

/* If the header is false, settles the file and returns false. A header in which the widths and `endless` are
 * 0 claims nothing. */
static bool check_width(verify_file *file, const chance_verdict *found) {
  const table_header *header = &file->header;
  if (header->asked_width == 0 && header->width == 0 && header->endless == 0) return true;
  if (found->width > header->width)
    verify_settle(file, VERIFY_WRONG, "its header says that bounds are at most %g apart, but some are %g",
                  header->width, found->width);
  if (found->together != header->endless)
    verify_settle(file, VERIFY_WRONG,
                  "its header says that play may go on for ever from %llu positions, but it may from %llu",
                  (unsigned long long)header->endless, (unsigned long long)found->together);
  return !file->settled;
}

static void settle_files_by_verdict(const verify_family *of, const verify_entry *at,
                                    const chance_verdict *found) {
  char reason[REASON_BYTES];
  bool wrong = found->wrong;
  for (int i = 0; i < at->values; i++) {
    const verify_fault *fault = &found->fault[i % BOUND_KINDS][i / BOUND_KINDS];
    if (fault->kind) settle_fault(of, at, at->files[i], fault);
    if (!found->wrong) wrong = !check_width(at->files[i], found) || wrong;
  }
  const bool rests = !wrong && find_bad_slice(of, at, true, reason);
  for (int i = 0; i < at->values && !wrong; i++) {
    const unsigned long long endless = found->endless[i % BOUND_KINDS];
    if (!rests && endless == 0) continue;
    of->states[at->slice] = "consistent, not proven";
    if (endless == 0)
      verify_settle(at->files[i], VERIFY_CONSISTENT, "%s", reason);
    else
      verify_settle(
          at->files[i], VERIFY_CONSISTENT,
          "it agrees with its moves, but from %llu positions play that keeps its value need not end",
          endless);
  }
}

static tauler_error load_bounds(const verify_family *of, const verify_entry *at, open_tables tables,
                                verify_slice *slice, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < at->values && !error; i++) {
    double **cells = &of->logic.bounds[at->slice].bound[i % BOUND_KINDS][i / BOUND_KINDS];
    error = memory_allocate_array(of->job->memory, at->positions, sizeof **cells, "the bounds of a slice",
                                  cells, message);
    if (!error) error = verify_read_bounds(at->files[i], tables[i], *cells, message);
  }
  return error;
}

static tauler_error prove_bounds(const verify_family *of, const verify_entry *at, open_tables tables,
                                 verify_slice *slice, tauler_message *message) {
  chance_verdict found;
  const tauler_error error = verify_chance_logic(&of->logic, slice->slice, &found, message);
  if (!error) settle_files_by_verdict(of, at, &found);
  return error;
}

/* --- slices --- */

static bool has_false_values(const verify_entry *at) {
  for (int i = 0; i < at->values; i++) {
    if (at->files[i]->settled && at->files[i]->found.verdict >= VERIFY_DAMAGED) return true;
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

static tauler_error check_logic(const verify_family *of, const verify_entry *at, open_tables tables,
                                tauler_message *message) {
  char reason[REASON_BYTES];
  verify_slice slice = {.slice = at->slice, .positions = at->positions};
  bool bad = find_bad_stream(of, at, false, reason);
  if (bad || find_bad_slice(of, at, false, reason)) {
    of->states[at->slice] = bad ? "damaged or incomplete" : "not proven";
    settle_unsettled_files(at, VERIFY_FILES_ONLY, reason);
    return TAULER_OK;
  }
  verify_family_keep_for_later(of, at);
  tauler_error error = agree_on_files(
      of, at, (of->dice ? load_bounds : load_values)(of, at, tables, &slice, message), message);
  verify_family_keep_for_check(of);
  bad = !error && find_bad_stream(of, at, false, reason);
  if (!error && !bad) error = (of->dice ? prove_bounds : prove_values)(of, at, tables, &slice, message);
  bad = !error && find_bad_stream(of, at, false, reason);
  keep_depths(of, at, slice.depths, !error && !bad);
  if (error) return error;
  settle_unsettled_files(at, bad ? VERIFY_FILES_ONLY : VERIFY_PROVEN, bad ? reason : "");
  if (!bad) return TAULER_OK;
  of->states[at->slice] = !of->dice && has_false_values(at) ? "wrong or damaged" : "not proven";
  verify_family_free_slice(of, at->slice);
  return TAULER_OK;
}

tauler_error verify_entry_check(const verify_family *of, const verify_entry *at, tauler_message *message) {
  open_tables tables = {NULL};
  tauler_error error = agree_on_files(of, at, open_files(of, at, tables, message), message);
  if (!error) error = check_logic(of, at, tables, message);
  for (int i = 0; i < at->streams; i++) table_close(tables[i]);
  return error;
}

uint64_t verify_check_bytes(const verify_family *of, const verify_entry *at) {
  const game *game = of->logic.game;
  if (of->dice) return verify_chance_bytes(at->positions) + parts_bytes(of->job->ranks, 0);
  const uint64_t n = at->positions * (unsigned)of->logic.planes;
  const bool depths = at->files[at->values] && game->kind(of->rules) != SOLVE_OUTCOMES;
  const bool lines =
      game_ends_by_repetition(game, of->rules) && at->files[0] && at->files[0]->header.coding == TABLE_PLAIN;
  return (depths ? n * sizeof(uint16_t) : 0) +
         (lines ? verify_lines_bytes(at->positions) : verify_slice_bytes(&of->logic, at->positions));
}
