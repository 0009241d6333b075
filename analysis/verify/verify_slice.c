/* Proves one slice in memory: compares values, depths and stages with the moves, and notes faults. */
#include "analysis/verify/verify_slice.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/verify/verify_pass.h"

static void settle_value(check *owner, const worker *w, size_t i, int plane, bool fill) {
  const int best = w->summaries[i][plane].best;
  int8_t *cell = &owner->cells[pass_cell(owner, w->index[i], plane)];
  const int stored = load_cell(cell);
  if (abs(best) > owner->largest) {
    pass_report(&owner->values, (verify_fault){FAULT_RANGE, w->index[i], plane, best, owner->largest});
  } else if (fill && stored == owner->slice->reserved[plane]) {
    __atomic_store_n(cell, (int8_t)best, __ATOMIC_RELAXED);
  } else if (stored != best) {
    pass_report(&owner->values, (verify_fault){FAULT_VALUE, w->index[i], plane, stored, best});
  }
}

static void settle_depth(check *owner, const worker *w, size_t i, int plane, bool fill) {
  const int expected = pass_depth(w, i, plane);
  uint16_t *depth = &owner->depths[pass_cell(owner, w->index[i], plane)];
  if (fill && *depth == VERIFY_RESERVED_DEPTH && expected < VERIFY_RESERVED_DEPTH) {
    __atomic_store_n(depth, (uint16_t)expected, __ATOMIC_RELAXED);
  } else if (*depth != expected) {
    pass_report(&owner->depth_faults, (verify_fault){FAULT_DEPTH, w->index[i], plane, *depth, expected});
  }
}

/* True if the stage keeps the promise of the repetition engine: it is 0 if no side forces the best worth.
 * Otherwise it is positive and, unless play has ended, one move of this worth (all of them, if the opponent
 * forces it) converts or leads to a lower stage or, if a repetition pays as much, to an equal one. */
static bool keeps_promise(const check *owner, const worker *w, size_t i, int plane, uint16_t stage) {
  const move_summary *f = &w->summaries[i][plane];
  const forcer who = pass_forcer(owner, plane, f->best);
  if (who == NOBODY) return stage == 0;
  if (stage == 0 || stage == VERIFY_RESERVED_DEPTH) return false;
  if (w->ended[i]) return true;
  const int pays = owner->pays[w->index[i]];
  const bool stays = who == MOVER ? pays >= f->best : pays <= f->best;
  const uint16_t next = who == MOVER ? f->least : f->greatest;
  return next < stage || (stays && next == stage);
}

static void settle_stage(check *owner, const worker *w, size_t i, int plane) {
  const uint16_t stage = owner->depths[pass_cell(owner, w->index[i], plane)];
  if (!keeps_promise(owner, w, i, plane, stage))
    pass_report(&owner->depth_faults, (verify_fault){FAULT_STAGE, w->index[i], plane, stage, 0});
}

/* Stores the number of moves that the proof of a cell waits for. If it is 0, the cell is proven; it is added
 * to the frontier unless no side forces it, since no cell waits for it then. */
static void store_waits(check *owner, const worker *w, size_t i, int plane) {
  const uint64_t cell = pass_cell(owner, w->index[i], plane);
  owner->open[cell] = pass_waits(w, i, plane);
  if (owner->open[cell] == 0 && pass_forcer(owner, plane, w->summaries[i][plane].best) != NOBODY)
    set_bit(owner->frontier, cell);
}

static void find_left_out_positions(worker *w, uint64_t first, size_t count) {
  const verify_set *set = w->owner->set;
  if (set->game->left_out) {
    set->game->left_out(set->rules, w->owner->slice->slice, first, count, w->left_out);
  } else {
    memset(w->left_out, 0, count);
  }
}

static bool is_reserved(const check *owner, uint64_t index, int plane) {
  return owner->cells[pass_cell(owner, index, plane)] == owner->slice->reserved[plane];
}

static bool check_reserved(check *owner, uint64_t index) {
  bool wanted = false;
  for (int plane = 0; plane < owner->set->planes; plane++) {
    const int stored = owner->cells[pass_cell(owner, index, plane)];
    if (is_reserved(owner, index, plane)) {
      wanted = true;
    } else if (abs(stored) > owner->largest) {
      pass_report(&owner->values, (verify_fault){FAULT_RANGE, index, plane, stored, owner->largest});
    }
  }
  return wanted;
}

/* If the game has no lookup, reports the cell, because only those of game->left_out may then be reserved. */
static bool check_lookup(check *owner, uint64_t index) {
  const game_place place = {owner->slice->slice, index};
  const game *game = owner->set->game;
  if (game->lookup) return game->lookup(owner->set->rules, place) == LOOKUP_CONVERTING;
  pass_report(&owner->values, (verify_fault){FAULT_LOOKUP, index, 0, 0, 0});
  return false;
}

static tauler_error look_up_reserved_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  find_left_out_positions(w, first, count);
  w->used = 0;
  for (size_t i = 0; i < count; i++) {
    if (check_reserved(owner, first + i) && !w->left_out[i] && check_lookup(owner, first + i))
      w->index[w->used++] = first + i;
  }
  const tauler_error error = pass_expand(w);
  for (size_t i = 0; i < w->used && !error; i++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      if (!is_reserved(owner, w->index[i], plane)) continue;
      const int best = w->summaries[i][plane].best;
      owner->cells[pass_cell(owner, w->index[i], plane)] = (int8_t)best;
      *changed = true;
      if (best == PASS_NO_WORTH)
        pass_report(&owner->values, (verify_fault){FAULT_LOOKUP, w->index[i], plane, 0, 0});
    }
  }
  return error;
}

static bool is_unfilled(const check *owner, const worker *w, uint64_t index, size_t i) {
  if (w->left_out[i]) return true;
  for (int plane = 0; plane < owner->set->planes; plane++) {
    if (is_reserved(owner, index, plane)) return true;
  }
  return false;
}

static tauler_error settle_positions(worker *w, bool fill) {
  check *owner = w->owner;
  tauler_error error = pass_expand(w);
  for (size_t i = 0; i < w->used && !error; i++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      settle_value(owner, w, i, plane, fill);
      if (owner->depths && owner->pays)
        settle_stage(owner, w, i, plane);
      else if (owner->depths)
        settle_depth(owner, w, i, plane, fill);
      if (owner->open) store_waits(owner, w, i, plane);
    }
  }
  if (owner->set->shown) progress_add(owner->set->shown, w->used * (uint64_t)comm_ranks(owner->set->ranks));
  return error;
}

/* Settles the cells that are left out or still reserved, before all others. All their moves must lead to
 * filled cells; the reserved cell of builds, INT8_MIN, would show as a worth out of range. */
static tauler_error settle_unfilled_positions(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  find_left_out_positions(w, first, count);
  w->used = 0;
  for (size_t i = 0; i < count; i++) {
    if (!is_unfilled(owner, w, first + i, i)) continue;
    set_bit(owner->settled, first + i);
    w->index[w->used++] = first + i;
    *changed = true;
  }
  return settle_positions(w, true);
}

static tauler_error settle_other_positions(worker *w, uint64_t first, size_t count, bool *changed) {
  w->used = 0;
  for (size_t i = 0; i < count; i++) {
    if (!has_bit(w->owner->settled, first + i)) w->index[w->used++] = first + i;
  }
  return settle_positions(w, false);
}

static bool has_no_fault(const check *owner) {
  return !owner->error && pass_first_fault(&owner->values) == UINT64_MAX;
}

static void share_filled_cells(check *owner) {
  const uint64_t planes = (uint64_t)owner->set->planes;
  pass_share(owner, owner->cells, 8 * planes);
  if (owner->depths) pass_share(owner, owner->depths, 16 * planes);
}

static void settle_slice(check *owner) {
  owner->only_converting = true;
  if (pass_run(owner, look_up_reserved_cells, NULL, false)) share_filled_cells(owner);
  owner->only_converting = false;
  if (has_no_fault(owner) && pass_run(owner, settle_unfilled_positions, NULL, false))
    share_filled_cells(owner);
  if (has_no_fault(owner)) pass_run(owner, settle_other_positions, NULL, false);
}

static uint64_t *allocate_bits(arena *a, uint64_t n) {
  return arena_allocate(a, (n + 63) / 64, sizeof(uint64_t));
}

static uint64_t count_cells(const check *owner) {
  return owner->slice->positions * (unsigned)owner->set->planes;
}

static void list_proof_arrays(arena *a, void *of) {
  check *owner = of;
  owner->open = arena_allocate(a, count_cells(owner), 1);
  owner->frontier = allocate_bits(a, count_cells(owner));
  owner->marked = allocate_bits(a, owner->slice->positions);
  if (game_ends_by_repetition(owner->set->game, owner->set->rules))
    owner->held = allocate_bits(a, count_cells(owner));
}

static tauler_error allocate_proof_arrays(check *owner, tauler_message *message) {
  return arena_fill(&owner->proof, owner->set->memory, "what is proven", list_proof_arrays, owner, message);
}

static void list_worker_arrays(arena *a, void *of) {
  check *owner = of;
  const uint64_t threads = (uint64_t)owner->set->threads;
  owner->workers = arena_allocate(a, threads, sizeof *owner->workers);
  owner->settled = allocate_bits(a, owner->slice->positions);
  if (owner->by_pays) owner->pays = arena_allocate(a, owner->slice->positions, 1);
}

static tauler_error allocate_workers(check *owner, tauler_message *message) {
  const verify_set *set = owner->set;
  const tauler_error error =
      arena_fill(&owner->lists, set->memory, "buffers of the threads", list_worker_arrays, owner, message);
  if (error) owner->workers = NULL;
  for (int thread = 0; thread < set->threads && !error; thread++) owner->workers[thread].owner = owner;
  return error ? error : mail_open(&owner->mail, set->ranks, set->memory, 0, message);
}

/* If depths do not hold, values are proven again without them. Bounds after every history need only agree
 * with their moves: a side that keeps its bound move by move gets it, since a repetition ends play. */
static tauler_error run_check(check *owner, tauler_message *message) {
  const bool always = owner->set->beyond;
  owner->depths = always ? NULL : owner->slice->depths;
  owner->by_pays = always || (owner->depths && game_ends_by_repetition(owner->set->game, owner->set->rules));
  tauler_error error = allocate_workers(owner, message);
  if (!error && !always && !owner->depths) error = allocate_proof_arrays(owner, message);
  error = comm_agree(owner->set->ranks, error, message);
  if (error) return error;
  if (owner->pays)
    owner->set->game->repeated(owner->set->rules, owner->slice->slice, 0, owner->slice->positions,
                               owner->pays);
  settle_slice(owner);
  if (owner->depths && has_no_fault(owner) && pass_first_fault(&owner->depth_faults) != UINT64_MAX) {
    owner->depths = NULL;
    owner->pays = NULL;
    memset(owner->settled, 0, (owner->slice->positions + 63) / 64 * sizeof *owner->settled);
    error = comm_agree(owner->set->ranks, allocate_proof_arrays(owner, message), message);
    if (!error) settle_slice(owner);
  }
  if (!error && owner->open && has_no_fault(owner)) verify_ends(owner);
  if (error || !owner->error) return error;
  if (owner->said.text[0]) return tauler_fail(message, owner->error, "%s", owner->said.text);
  if (owner->error == TAULER_NO_MEMORY)
    return tauler_fail(message, owner->error, "no memory for what ranks send each other");
  return tauler_fail(message, owner->error, "the moves of %s that expand and retract give do not agree",
                     owner->set->game->name);
}

static void free_check(check *owner) {
  for (int thread = 0; owner->workers && thread < owner->set->threads; thread++)
    memory_free(owner->set->memory, owner->workers[thread].outgoing.bytes);
  arena_close(&owner->lists);
  arena_close(&owner->proof);
  mail_close(&owner->mail);
}

static tauler_error share_fault(const verify_set *set, const first_fault *first, verify_fault *out,
                                tauler_message *message) {
  bool has = first->fault.kind && first->fault.index == pass_first_fault(first);
  *out = has ? first->fault : (verify_fault){.kind = FAULT_NONE};
  return pass_first_fault(first) == UINT64_MAX
             ? TAULER_OK
             : comm_bcast_first(set->ranks, &has, out, sizeof *out, message);
}

tauler_error verify_slice_logic(const verify_set *set, const verify_slice *slice, verify_fault *values,
                                verify_fault *depths, tauler_message *message) {
  if (slice->all_stored)
    return comm_agree(set->ranks, verify_lines(set, slice, values, depths, message), message);
  *values = *depths = (verify_fault){.kind = FAULT_NONE};
  if (verify_blocks(set, slice)) return TAULER_OK;
  check owner = {.set = set,
                 .slice = slice,
                 .parts = parts_of(set->ranks, (slice->positions + PASS_CHUNK - 1) / PASS_CHUNK),
                 .sent_slots = PASS_SLOTS_SENT,
                 .cells = set->cells[slice->slice],
                 .beyond = set->beyond ? set->beyond : set->cells,
                 .largest = set->game->largest_value(set->rules, slice->slice),
                 .values = {.index = UINT64_MAX},
                 .depth_faults = {.index = UINT64_MAX}};
  tauler_error error = run_check(&owner, message);
  if (!error) error = share_fault(set, &owner.values, values, message);
  if (!error) error = share_fault(set, &owner.depth_faults, depths, message);
  free_check(&owner);
  return error;
}

uint64_t verify_slice_bytes(const verify_set *set, uint64_t positions) {
  const verify_slice slice = {.positions = positions};
  check planned = {.set = set, .slice = &slice, .by_pays = game_ends_by_repetition(set->game, set->rules)};
  const uint64_t sent = PASS_SLOTS_SENT * PASS_CHUNK * (uint64_t)set->planes, cells = count_cells(&planned);
  return arena_bytes(list_worker_arrays, &planned) + arena_bytes(list_proof_arrays, &planned) +
         parts_bytes(set->ranks, sent < cells ? sent : cells);
}
