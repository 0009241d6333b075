/* Checks the tables of bounds of a game of dice against each other and their headers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/verify/verify_family.h"
#include "analysis/verify/verify_parts.h"

/* A slice whose bounds agree with the moves, and are kept. */
static const char consistent[] = "consistent, not proven";

static int quantities_of(const verify_family *of, const verify_entry *at) {
  chance_quantities quantities;
  of->logic.game->chance->quantities(of->rules, at->slice, &quantities);
  return quantities.used;
}

void verify_bounds_free(const verify_family *of, uint32_t slice) {
  for (int kind = 0; kind < BOUND_KINDS; kind++) {
    for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++)
      memory_free(of->job->memory, of->bounds[slice].bound[kind][q]);
  }
  of->bounds[slice] = (chance_cells){0};
}

/* --- findings ---------------------------------------------------------------------------------------------
 */

static void settle_fault(const verify_family *of, const verify_entry *at, verify_file *file, int kind,
                         const chance_fault *fault) {
  const game *game = of->logic.game;
  file->has_position = true;
  file->expects = fault->kind == CHANCE_FAULT_MOVES || fault->kind == CHANCE_FAULT_FALSE;
  file->index = fault->index;
  file->stored = fault->stored;
  file->expected = fault->expected;
  game->position_at(of->rules, (game_place){at->slice, fault->index}, &file->position);
  char text[GAME_TEXT_BYTES];
  game->print(of->rules, &file->position, text);
  const char *stream = file->header.stream;
  switch (fault->kind) {
  case CHANCE_FAULT_NONE:
    break;
  case CHANCE_FAULT_RANGE:
    verify_settle(file, VERIFY_WRONG, "%s has %s %.17g, and values lie in 0 … %g", text, stream,
                  fault->stored, fault->expected);
    break;
  case CHANCE_FAULT_ORDER:
    verify_settle(file, VERIFY_WRONG, "%s has %s %.17g, above the upper bound %.17g", text, stream,
                  fault->stored, fault->expected);
    break;
  case CHANCE_FAULT_MOVES:
    verify_settle(file, VERIFY_UNFOUNDED, "%s has %s %.17g, but its moves make it %.17g at %s", text, stream,
                  fault->stored, fault->expected, kind == BOUND_LOWER ? "most" : "least");
    break;
  case CHANCE_FAULT_FALSE:
    verify_settle(file, VERIFY_WRONG,
                  "%s has %s %.17g, but by its moves and the other bounds it is %.17g at %s", text, stream,
                  fault->stored, fault->expected, kind == BOUND_LOWER ? "most" : "least");
    break;
  }
}

static void settle_kind(const verify_entry *at, int kind, verify_verdict verdict, const char *reason) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) {
    if (at->bounds[kind][q]) verify_settle(at->bounds[kind][q], verdict, "%s", reason);
  }
}

static void settle_rest(const verify_entry *at, verify_verdict verdict, const char *reason) {
  for (int kind = 0; kind < BOUND_KINDS; kind++) settle_kind(at, kind, verdict, reason);
}

static const char *state_of(const verify_file *file) {
  if (!file) return "missing";
  if (!file->settled) return NULL;
  return verify_verdict_state(file->verdict);
}

/* The first stream that cannot be relied on; false where there is none. */
static bool find_bad_stream(const verify_family *of, const verify_entry *at,
                            char reason[2 * GAME_TEXT_BYTES]) {
  chance_quantities quantities;
  of->logic.game->chance->quantities(of->rules, at->slice, &quantities);
  for (int i = 0; i < BOUND_KINDS * quantities.used; i++) {
    const int kind = i / quantities.used, q = i % quantities.used;
    const char *state = state_of(at->bounds[kind][q]);
    if (!state) continue;
    char stream[CHANCE_STREAM_BYTES];
    chance_stream_name(&quantities, q, kind == BOUND_UPPER, stream);
    snprintf(reason, 2 * GAME_TEXT_BYTES, "it rests on the stream %s, which is %s", stream, state);
    return true;
  }
  return false;
}

/* The first slice without cells, or else one whose cells are not proven. */
static bool find_bad_slice(const verify_family *of, const verify_entry *at, bool cells,
                           char reason[2 * GAME_TEXT_BYTES]) {
  for (size_t i = 0; i < at->needs_used; i++) {
    const uint32_t slice = at->needs[i];
    const bool known = slice < of->logic.slices, kept = known && of->bounds[slice].bound[BOUND_LOWER][0];
    if (kept && (cells || !of->states[slice])) continue;
    char name[GAME_TEXT_BYTES];
    of->logic.game->slice_name(of->rules, slice, name);
    snprintf(reason, 2 * GAME_TEXT_BYTES, "it rests on slice %s, which is %s", name,
             known && of->states[slice] ? of->states[slice] : "missing");
    return true;
  }
  return false;
}

/* --- files and logic --------------------------------------------------------------------------------------
 */

static tauler_error open_and_load(const verify_family *of, const verify_entry *at, bool load, int kind,
                                  int quantity, tauler_message *message) {
  verify_file *file = at->bounds[kind][quantity];
  double **cells = &of->bounds[at->slice].bound[kind][quantity];
  if (!file) return TAULER_OK;
  table *opened;
  tauler_error error = verify_open(file, verify_has_turn(of, at, BOUND_KINDS * quantity + kind),
                                   of->job->threads, &opened, message);
  if (!error && opened && load && !file->settled) {
    error = memory_allocate_array(of->job->memory, at->positions, sizeof **cells, "the bounds of a slice",
                                  cells, message);
    if (!error) error = verify_read_bounds(file, opened, *cells, message);
  }
  table_close(opened);
  return error;
}

static tauler_error open_all(const verify_family *of, const verify_entry *at, bool load,
                             tauler_message *message) {
  const int quantities = quantities_of(of, at);
  tauler_error error = TAULER_OK;
  for (int i = 0; i < BOUND_KINDS * quantities && !error; i++)
    error = open_and_load(of, at, load, i / quantities, i % quantities, message);
  return error;
}

/* True if the header's own words hold. Where all are 0, it says nothing. */
static bool check_header(verify_file *file, const chance_verdict *found) {
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

static void settle_verdict(const verify_family *of, const verify_entry *at, const chance_verdict *found) {
  const int quantities = quantities_of(of, at);
  char reason[2 * GAME_TEXT_BYTES];
  for (int i = 0; i < BOUND_KINDS * quantities; i++) {
    const int kind = i / quantities;
    const chance_fault *fault = &found->fault[kind][i % quantities];
    if (fault->kind) settle_fault(of, at, at->bounds[kind][i % quantities], kind, fault);
  }
  bool wrong = found->wrong;
  for (int i = 0; i < BOUND_KINDS * quantities && !found->wrong; i++)
    wrong = !check_header(at->bounds[i / quantities][i % quantities], found) || wrong;
  if (wrong) {
    find_bad_stream(of, at, reason);
    settle_rest(at, VERIFY_FILES_ONLY, reason);
    of->states[at->slice] = "not proven";
    verify_bounds_free(of, at->slice);
    return;
  }
  const bool rests = find_bad_slice(of, at, false, reason);
  for (int kind = 0; kind < BOUND_KINDS; kind++) {
    const unsigned long long endless = found->endless[kind];
    char why[GAME_TEXT_BYTES] = "";
    if (endless > 0)
      snprintf(why, sizeof why,
               "it agrees with its moves, but from %llu positions play that keeps its value need not end",
               endless);
    if (rests || endless > 0) settle_kind(at, kind, VERIFY_CONSISTENT, endless > 0 ? why : reason);
    if (rests || endless > 0) of->states[at->slice] = consistent;
  }
  settle_rest(at, VERIFY_PROVEN, "");
}

static tauler_error prove(const verify_family *of, const verify_entry *at, tauler_message *message) {
  const chance_set set = {.game = of->logic.game,
                          .rules = of->rules,
                          .threads = of->job->threads,
                          .ranks = of->job->ranks,
                          .memory = of->job->memory,
                          .shown = of->job->shown,
                          .cells = of->bounds,
                          .slices = of->logic.slices};
  chance_verdict found;
  const tauler_error error = verify_chance_logic(&set, at->slice, &found, message);
  if (!error) settle_verdict(of, at, &found);
  return error;
}

static tauler_error check_bounds(const verify_family *of, const verify_entry *at, tauler_message *message) {
  char reason[2 * GAME_TEXT_BYTES];
  const bool load = !find_bad_stream(of, at, reason) && !find_bad_slice(of, at, true, reason);
  tauler_error error = open_all(of, at, load, message);
  error = verify_files_agree(at->bounds[BOUND_LOWER], CHANCE_MOST_QUANTITIES, of->job->ranks, error, message);
  error = verify_files_agree(at->bounds[BOUND_UPPER], CHANCE_MOST_QUANTITIES, of->job->ranks, error, message);
  if (error) return error;
  const bool bad_stream = find_bad_stream(of, at, reason);
  if (!bad_stream && !find_bad_slice(of, at, true, reason)) return prove(of, at, message);
  of->states[at->slice] = bad_stream ? "damaged or incomplete" : "not proven";
  settle_rest(at, VERIFY_FILES_ONLY, reason);
  verify_bounds_free(of, at->slice);
  return TAULER_OK;
}

/* --- a slice among those of its family --- */

static verify_file **find_bound(const verify_family *of, verify_entry *at, const verify_file *file,
                                bool *depth) {
  chance_quantities quantities;
  of->logic.game->chance->quantities(of->rules, at->slice, &quantities);
  *depth = false;
  for (int i = 0; i < BOUND_KINDS * quantities.used; i++) {
    char stream[CHANCE_STREAM_BYTES];
    const int kind = i / quantities.used, q = i % quantities.used;
    chance_stream_name(&quantities, q, kind == BOUND_UPPER, stream);
    if (strcmp(file->header.stream, stream) == 0) return &at->bounds[kind][q];
  }
  return NULL;
}

static bool has_bounds(const verify_family *of, const verify_entry *at) {
  for (int i = 0; i < BOUND_KINDS * quantities_of(of, at); i++) {
    if (!at->bounds[i % BOUND_KINDS][i / BOUND_KINDS]) return false;
  }
  return true;
}

static uint64_t cell_bytes(const verify_family *of, const verify_entry *at) {
  return (uint64_t)(BOUND_KINDS * quantities_of(of, at)) * sizeof(double);
}

static uint64_t check_bytes(const verify_family *of, const verify_entry *at) {
  return verify_chance_bytes(at->positions) + parts_bytes(of->job->ranks, 0);
}

const verify_kind verify_of_dice = {.dice = true,
                                    .cell = TABLE_F64,
                                    .place = find_bound,
                                    .is_whole = has_bounds,
                                    .cell_bytes = cell_bytes,
                                    .check_bytes = check_bytes,
                                    .check = check_bounds};
