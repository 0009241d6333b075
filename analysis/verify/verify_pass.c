/* Runs passes over the positions of a slice, and summarises the moves of each position. */
#include "analysis/verify/verify_pass.h"

#include <omp.h>

enum { CHUNKS_PER_THREAD = 16 }; /* least number: with fewer, waking a thread costs more than it saves */

static inline void add_to_summary(move_summary *f, int worth, uint16_t depth, bool quiet) {
  if (worth > f->best) {
    *f = (move_summary){(int16_t)worth, quiet, depth, depth};
  } else if (worth == f->best) {
    f->quiet = (uint16_t)(f->quiet + quiet);
    if (depth < f->least) f->least = depth;
    if (depth > f->greatest) f->greatest = depth;
  }
}

/* Returns 0 after a converting move unless depths add up over slices. If there are no depths, returns 1 after
 * a quiet move or, with `by_open`, only if the child is neither proven nor held. */
static inline uint16_t depth_of_child(const check *owner, game_place to, bool quiet, uint64_t cell) {
  if (!quiet) return owner->depths && owner->set->depths ? owner->set->depths[to.slice][cell] : 0;
  if (owner->depths) return __atomic_load_n(&owner->depths[cell], __ATOMIC_RELAXED);
  if (!owner->by_open) return 1;
  return load_open(&owner->open[cell]) > 0 && !(owner->held && pass_is_held(owner, cell));
}

static inline const int8_t *cells_of_slice(const check *owner, uint32_t slice) {
  return slice == owner->slice->slice ? owner->cells : owner->beyond[slice];
}

/* Returns the worth of a child for its mover, for guarantees on every history. Play may have met the child
 * before, so its worth is its value or what its repetition pays, whichever is worse for the side with the
 * guarantee. In plane 0 the child's mover is this side's opponent, so the larger is worse; in plane 1 it is
 * this side, so the smaller is worse. A cell without a value is returned as it is. */
static inline int worth_if_met(const check *owner, int plane, uint64_t index, int child) {
  const int met = owner->pays[index];
  if (child < -owner->largest || child > owner->largest) return child;
  return plane == 0 ? (met > child ? met : child) : (met < child ? met : child);
}

static inline void add_edge_to_summaries(worker *w, const game_edge *edge, int planes) {
  const check *owner = w->owner;
  w->ended[edge->from] = false;
  if (edge->to.slice == GAME_OVER) {
    for (int plane = 0; plane < planes; plane++)
      add_to_summary(&w->summaries[edge->from][plane], edge->gain, 0, false);
    return;
  }
  const bool quiet = edge->to.slice == owner->slice->slice;
  if (quiet && owner->only_converting) return;
  if (quiet && owner->open) w->edges_out += pass_edge_number(w->index[edge->from], edge->to.index);
  const int8_t *cells = cells_of_slice(owner, edge->to.slice);
  const uint64_t cell = edge->to.index * (unsigned)planes;
  for (int plane = 0; plane < planes; plane++) {
    const uint64_t other = cell + (unsigned)(planes - 1 - plane);
    int child = load_cell(&cells[other]);
    if (quiet && owner->set->beyond) child = worth_if_met(owner, plane, edge->to.index, child);
    add_to_summary(&w->summaries[edge->from][plane], edge->gain - child,
                   depth_of_child(owner, edge->to, quiet, other), quiet);
  }
}

static inline void prefetch_child(const check *owner, const game_edge *edge) {
  if (edge->to.slice == GAME_OVER) return;
  const uint64_t cell = edge->to.index * (unsigned)owner->set->planes;
  __builtin_prefetch(&cells_of_slice(owner, edge->to.slice)[cell]);
  if (!owner->depths) return;
  if (edge->to.slice == owner->slice->slice) {
    __builtin_prefetch(&owner->depths[cell]);
  } else if (owner->set->depths) {
    __builtin_prefetch(&owner->set->depths[edge->to.slice][cell]);
  }
}

static bool leads_to_cells(const check *owner, game_place to) {
  return to.slice == GAME_OVER || (to.slice < owner->set->slices && cells_of_slice(owner, to.slice));
}

static tauler_error add_edges_to_summaries(void *user, const game_edge *edges, size_t n) {
  worker *w = user;
  for (size_t i = 0; i < n; i++) {
    if (!leads_to_cells(w->owner, edges[i].to)) return TAULER_INTERNAL;
    prefetch_child(w->owner, &edges[i]);
  }
  if (w->owner->set->planes == 1) {
    for (size_t i = 0; i < n; i++) add_edge_to_summaries(w, &edges[i], 1);
  } else {
    for (size_t i = 0; i < n; i++) add_edge_to_summaries(w, &edges[i], 2);
  }
  return TAULER_OK;
}

static tauler_error fill_ended_summaries(worker *w) {
  const verify_set *set = w->owner->set;
  uint64_t index[PASS_CHUNK];
  size_t which[PASS_CHUNK], n = 0;
  int16_t value[PASS_CHUNK];
  for (size_t i = 0; i < w->used; i++) {
    if (!w->ended[i]) continue;
    index[n] = w->index[i];
    which[n++] = i;
  }
  if (n == 0) return TAULER_OK;
  const tauler_error error = set->game->ended(set->rules, w->owner->slice->slice, index, n, value);
  for (size_t i = 0; i < n && !error; i++) {
    if (value[i] == GAME_NOT_ENDED) return TAULER_INTERNAL;
    for (int plane = 0; plane < set->planes; plane++) w->summaries[which[i]][plane].best = value[i];
  }
  return error;
}

tauler_error pass_expand(worker *w) {
  const verify_set *set = w->owner->set;
  for (size_t i = 0; i < w->used; i++) {
    w->ended[i] = true;
    for (int plane = 0; plane < set->planes; plane++)
      w->summaries[i][plane] = (move_summary){PASS_NO_WORTH, 0, 0, 0};
  }
  if (w->used == 0) return TAULER_OK;
  w->sink = (game_sink){.edges = w->edges, .room = PASS_EDGES, .flush = add_edges_to_summaries, .user = w};
  tauler_error error = set->game->expand(set->rules, w->owner->slice->slice, w->index, w->used, &w->sink);
  if (!error) error = game_sink_flush(&w->sink);
  return error ? error : fill_ended_summaries(w);
}

forcer pass_forcer(const check *owner, int plane, int value) {
  if (owner->set->planes == 1) return value > 0 ? MOVER : value < 0 ? OPPONENT : NOBODY;
  if (plane == 0) return value > -owner->largest ? MOVER : NOBODY;
  return value < owner->largest ? OPPONENT : NOBODY;
}

static forcer forcer_of(const worker *w, size_t i, int plane) {
  return w->ended[i] ? NOBODY : pass_forcer(w->owner, plane, w->summaries[i][plane].best);
}

int pass_depth(const worker *w, size_t i, int plane) {
  const move_summary *f = &w->summaries[i][plane];
  const forcer who = forcer_of(w, i, plane);
  return who == NOBODY ? 0 : 1 + (who == MOVER ? f->least : f->greatest);
}

/* If the mover forces the value, the proof waits for one best move, or for none if one of them converts. If
 * the opponent forces it, the proof waits for all quiet best moves. */
uint8_t pass_waits(const worker *w, size_t i, int plane) {
  const move_summary *f = &w->summaries[i][plane];
  const forcer who = forcer_of(w, i, plane);
  if (who == MOVER) return f->least > 0;
  return who == NOBODY ? 0 : f->quiet < UINT8_MAX ? (uint8_t)f->quiet : UINT8_MAX;
}

uint64_t pass_first_fault(const first_fault *first) {
  return atomic_load_explicit(&first->index, memory_order_relaxed);
}

void pass_report(first_fault *first, verify_fault found) {
  if (found.index > pass_first_fault(first)) return;
#pragma omp critical(verify_report)
  if (found.index < pass_first_fault(first) ||
      (found.index == pass_first_fault(first) && found.plane < first->fault.plane)) {
    first->fault = found;
    atomic_store_explicit(&first->index, found.index, memory_order_relaxed);
  }
}

static void run_chunk(check *owner, pass_chunk *run, worker *w, uint64_t chunk, bool *changed) {
  const uint64_t first = chunk * PASS_CHUNK, left = owner->slice->positions - first;
  if (first > pass_first_fault(&owner->values) || __atomic_load_n(&owner->error, __ATOMIC_RELAXED)) return;
  const tauler_error error = run(w, first, left < PASS_CHUNK ? (size_t)left : PASS_CHUNK, changed);
  if (error) __atomic_store_n(&owner->error, error, __ATOMIC_RELAXED);
  comm_note_progress(owner->set->ranks);
}

/* Runs the pass over the slots first … end − 1 of this rank. */
static bool run_slots(check *owner, pass_chunk *run, bool backwards, uint64_t first, uint64_t end) {
  const uint64_t useful = 1 + (end - first) / CHUNKS_PER_THREAD;
  const int threads = useful < (uint64_t)owner->set->threads ? (int)useful : owner->set->threads;
  bool changed = false;
#pragma omp parallel num_threads(threads) reduction(|| : changed)
  {
    worker *w = &owner->workers[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 4)
    for (uint64_t i = first; i < end; i++) {
      const uint64_t chunk = parts_chunk(&owner->parts, backwards ? first + end - 1 - i : i);
      if (chunk < owner->parts.chunks) run_chunk(owner, run, w, chunk, &changed);
    }
  }
  return changed;
}

/* The least index has the greatest complement, so COMM_MAX finds it. */
static bool merge_faults(check *owner, bool changed) {
  uint64_t found[] = {changed, (uint64_t)owner->error, ~pass_first_fault(&owner->values),
                      ~pass_first_fault(&owner->depth_faults)};
  const tauler_error lost =
      comm_allreduce(owner->set->ranks, COMM_MAX, found, sizeof found / sizeof *found, &owner->said);
  owner->error = lost ? lost : (tauler_error)found[1];
  atomic_store(&owner->values.index, ~found[2]);
  atomic_store(&owner->depth_faults.index, ~found[3]);
  return found[0] && !owner->error;
}

/* If every stream fits into a packet, the next cells are sent after twice as many slots; if one is longer
 * than four packets, after half as many. */
static bool send_findings(check *owner, mail_receive *receive, bool changed) {
  const verify_set *set = owner->set;
  mail *m = &owner->mail;
  for (int thread = 0; thread < set->threads && receive && !owner->error; thread++)
    owner->error =
        parts_post(&owner->parts, &owner->workers[thread].outgoing, PASS_CHUNK * (uint64_t)set->planes, m);
  changed = merge_faults(owner, changed);
  if (owner->error || !receive) return changed;
  owner->error = mail_send(m, TAULER_OK, receive, owner, &owner->said);
  if (m->longest <= m->packet && owner->sent_slots < owner->parts.slots) owner->sent_slots *= 2;
  if (m->longest > 4 * m->packet && owner->sent_slots > PASS_SLOTS_SENT) owner->sent_slots /= 2;
  return changed;
}

bool pass_run(check *owner, pass_chunk *run, mail_receive *receive, bool backwards) {
  const uint64_t slots = owner->parts.slots;
  const bool sends = receive && comm_ranks(owner->set->ranks) > 1;
  bool changed = false;
  for (uint64_t done = 0, end; done < slots; done = end) {
    end = sends && slots - done > owner->sent_slots ? done + owner->sent_slots : slots;
    const bool found =
        run_slots(owner, run, backwards, backwards ? slots - end : done, backwards ? slots - done : end);
    changed = send_findings(owner, receive, found) || changed;
  }
  return changed && !owner->error;
}

void pass_share(check *owner, void *array, uint64_t bits) {
  const uint64_t n = (owner->slice->positions * bits + 63) / 64 * 8;
  const uint64_t bytes = bits < 8 ? n : owner->slice->positions * bits / 8;
  const tauler_error error =
      parts_share(&owner->parts, &owner->mail, array, bytes, PASS_CHUNK * bits / 8, &owner->said);
  if (error) owner->error = error;
}

bool pass_run_by_open(check *owner, pass_chunk *run, bool backwards) {
  const uint64_t planes = (uint64_t)owner->set->planes;
  pass_share(owner, owner->open, 8 * planes);
  if (owner->held) pass_share(owner, owner->held, planes);
  return pass_run(owner, run, NULL, backwards);
}
