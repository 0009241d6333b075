/* Proves the values or the two bounds of one slice, and its depths. */
#include "analysis/verify/verify_family.h"
#include "analysis/verify/verify_pass.h"

static void settle_fault(const verify_family *of, const verify_entry *at, verify_file *file,
                         const verify_fault *fault) {
  if (file->settled) return;
  char text[GAME_TEXT_BYTES];
  verify_note_position(of, at, file, fault->index, text);
  file->expects = fault->kind == FAULT_VALUE || fault->kind == FAULT_DEPTH;
  file->stored = fault->stored;
  file->expected = fault->expected;
  const char *stream = file->header.stream;
  /* If the proof is only of sound bounds, a better bound may be true. */
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
    verify_settle(file, verdict, "%s has %s %d, but no play that ends can force it", text, stream,
                  fault->stored);
    break;
  }
}

static tauler_error load_values(const verify_family *of, const verify_entry *at, verify_open_tables tables,
                                verify_slice *slice, tauler_message *message) {
  const int planes = of->logic.planes;
  memory_budget *memory = of->job->memory;
  int8_t *cells;
  const uint64_t n = at->positions * (unsigned)planes;
  tauler_error error = memory_allocate(memory, n, "the cells of a slice", &cells, message);
  of->logic.cells[at->slice] = cells;
  for (int plane = 0; plane < planes && !error; plane++) {
    const table_header *header = &at->files[plane]->header;
    slice->all_stored = header->coding == TABLE_PLAIN && game_may_be_exact(of->logic.game, of->rules);
    slice->reserved[plane] = header->coding == TABLE_IMPLIED ? (int)header->reserved : VERIFY_NO_RESERVED;
    error = verify_read(at->files[plane], tables[plane], cells + plane, NULL, planes, memory, message);
  }
  char reason[VERIFY_REASON_BYTES];
  if (error || verify_find_bad_depths(of, at, reason)) return error;
  error = memory_allocate_array(memory, n, sizeof *slice->depths, "the depths of a slice", &slice->depths,
                                message);
  for (int plane = 0; plane < planes && !error; plane++)
    error = verify_read(at->files[planes + plane], tables[planes + plane], NULL, slice->depths + plane,
                        planes, memory, message);
  return error;
}

static tauler_error check_plain_cells(const verify_family *of, const verify_entry *at,
                                      verify_open_tables tables, const verify_slice *slice,
                                      tauler_message *message) {
  const int planes = of->logic.planes;
  tauler_error error = TAULER_OK;
  for (int i = 0; i < (slice->depths ? 2 : 1) * planes && !error; i++) {
    const bool depth = i >= planes;
    if (verify_checks_file(of, at, i))
      error = verify_check_plain(at->files[i], tables[i], depth ? NULL : of->logic.cells[at->slice] + i,
                                 depth ? slice->depths + i - planes : NULL, planes, of->job->memory, message);
  }
  return error;
}

static tauler_error prove_values(const verify_family *of, const verify_entry *at, verify_open_tables tables,
                                 verify_slice *slice, tauler_message *message) {
  uint64_t *searched = &at->files[0]->searched;
  slice->searched = searched;
  char reason[VERIFY_REASON_BYTES];
  verify_fault values, depths;
  tauler_error error = verify_slice_logic(&of->logic, slice, &values, &depths, message);
  if (error) return error;
  if (values.kind) {
    *searched = 0;
    settle_fault(of, at, at->files[values.plane], &values);
    return TAULER_OK;
  }
  for (int plane = 1; plane < of->logic.planes; plane++) at->files[plane]->searched = *searched;
  if (depths.kind) settle_fault(of, at, at->files[at->values + depths.plane], &depths);
  error = verify_agree(of, at, check_plain_cells(of, at, tables, slice, message), message);
  const bool bad_depths = !error && verify_find_bad_depths(of, at, reason);
  for (int i = at->values; i < at->streams && bad_depths; i++)
    if (at->files[i]) verify_settle(at->files[i], VERIFY_FILES_ONLY, "%s", reason);
  return error;
}

static uint64_t check_bytes(const verify_family *of, const verify_entry *at) {
  const uint64_t n = at->positions * (unsigned)of->logic.planes;
  const bool depths = at->files[at->values] && of->logic.game->kind(of->rules) != SOLVE_OUTCOMES;
  const bool lines = game_ends_by_repetition(of->logic.game, of->rules) && at->files[0] &&
                     at->files[0]->header.coding == TABLE_PLAIN;
  return (depths ? n * sizeof(uint16_t) : 0) +
         (lines ? verify_lines_bytes(at->positions) : verify_slice_bytes(&of->logic, at->positions));
}

const verify_kind verify_of_moves = {
    .cell = TABLE_I8, .check_bytes = check_bytes, .load = load_values, .prove = prove_values};
