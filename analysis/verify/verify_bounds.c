/* Checks the tables of bounds of a game of dice, and their headers. */
#include "analysis/verify/verify_family.h"
#include "analysis/verify/verify_parts.h"

static void settle_fault(const verify_family *of, const verify_entry *at, verify_file *file, int kind,
                         const chance_fault *fault) {
  char text[GAME_TEXT_BYTES];
  verify_note_position(of, at, file, fault->index, text);
  file->expects = fault->kind == CHANCE_FAULT_MOVES || fault->kind == CHANCE_FAULT_FALSE;
  file->stored = fault->stored;
  file->expected = fault->expected;
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

/* Settles a file with a false header and returns false. If the widths and `endless` are 0, the header claims
 * nothing. */
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
  char reason[VERIFY_REASON_BYTES];
  bool wrong = found->wrong;
  for (int i = 0; i < at->values; i++) {
    const int kind = i % BOUND_KINDS;
    const chance_fault *fault = &found->fault[kind][i / BOUND_KINDS];
    if (fault->kind) settle_fault(of, at, at->files[i], kind, fault);
    if (!found->wrong) wrong = !check_header(at->files[i], found) || wrong;
  }
  const bool rests = !wrong && verify_find_bad_slice(of, at, true, reason);
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

static tauler_error load_bounds(const verify_family *of, const verify_entry *at, verify_open_tables tables,
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

static tauler_error prove_bounds(const verify_family *of, const verify_entry *at, verify_open_tables tables,
                                 verify_slice *slice, tauler_message *message) {
  chance_verdict found;
  const tauler_error error = verify_chance_logic(&of->logic, slice->slice, &found, message);
  if (!error) settle_verdict(of, at, &found);
  return error;
}

static uint64_t check_bytes(const verify_family *of, const verify_entry *at) {
  return verify_chance_bytes(at->positions) + parts_bytes(of->job->ranks, 0);
}

const verify_kind verify_of_dice = {
    .dice = true, .cell = TABLE_F64, .check_bytes = check_bytes, .load = load_bounds, .prove = prove_bounds};
