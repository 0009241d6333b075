/* Proves the bounds of one slice of a game of dice. */
#include "analysis/verify/verify_chance.h"

#include <math.h>
#include <string.h>

#include "analysis/exact/exact_sum.h"
#include "analysis/verify/verify_parts.h"

/* A chunk has CHUNK positions, so that its bits are whole words. With fewer than CHUNKS_PER_THREAD chunks,
 * waking a thread costs more than it saves. */
enum { CHUNK = 1024, CHUNKS_PER_THREAD = 4, WORD_BITS = 64 };

/* The sets from which positions are removed: one for each kind of bounds, one without a protected side. */
enum { TOGETHER = BOUND_KINDS, SETS };

typedef struct {
  const verify_set *set;
  uint32_t slice;
  uint64_t positions;
  parts parts;
  mail mail;
  chance_quantities quantities;
  const chance_roll *rolls;
  size_t rolls_used;
  uint64_t weights;
  uint64_t *left[SETS]; /* bits of the positions that are not removed */
  chance_verdict *found;
  bool counts; /* true if bounds are checked, false if positions are only removed */
  tauler_error error;
  tauler_message said; /* message of an error between ranks */
} proof;

typedef struct {
  proof *owner;
  ways_reader ways;
  double width;
} worker;

/* A gain, in 1 ÷ unit, and the cell that is added to it. */
typedef struct {
  uint64_t gain;
  double child;
} worth;

static worth worth_of(const worker *w, const chance_way *way, int kind, int quantity) {
  const worth gain = {way->gain[quantity], 0};
  if (way->to.slice == GAME_OVER) return gain;
  const int seats = w->ways.seats;
  const int there = quantity < seats ? (quantity - way->turn + seats) % seats : quantity;
  return (worth){gain.gain, w->owner->set->bounds[way->to.slice].bound[kind][there][way->to.index]};
}

static int compare_worths(const worker *w, worth a, worth b) {
  if (a.gain == b.gain || isinf(a.child) || isinf(b.child)) return (a.child > b.child) - (a.child < b.child);
  exact_sum x = {{0}}, y = {{0}};
  exact_add(&x, 1, a.gain);
  exact_add(&x, a.child, w->ways.unit);
  exact_add(&y, 1, b.gain);
  exact_add(&y, b.child, w->ways.unit);
  return exact_compare(&x, &y);
}

static worth best_worth(const worker *w, int kind, int quantity) {
  worth best = worth_of(w, &w->ways.ways[0], kind, quantity);
  for (size_t i = 1; i < w->ways.used; i++) {
    const worth other = worth_of(w, &w->ways.ways[i], kind, quantity);
    if (compare_worths(w, other, best) * w->ways.aim > 0) best = other;
  }
  return best;
}

static bool is_in_set(const proof *owner, int set, game_place to) {
  if (to.slice != owner->slice) return false;
  const uint64_t word = __atomic_load_n(&owner->left[set][to.index / WORD_BITS], __ATOMIC_RELAXED);
  return word >> to.index % WORD_BITS & 1;
}

/* Removes a position from a set. Only the thread of its chunk writes its bit. */
static void remove_position(proof *owner, int set, uint64_t index) {
  uint64_t *word = &owner->left[set][index / WORD_BITS];
  __atomic_store_n(word, *word & ~(UINT64_C(1) << index % WORD_BITS), __ATOMIC_RELAXED);
}

/* True if after the roll a best choice of the protected side or, if that side does not choose, every choice
 * leaves the remaining positions. */
static bool leaves_set(const worker *w, int set) {
  const bool protects = set != TOGETHER && w->ways.aim == (set == BOUND_LOWER ? 1 : -1);
  const int kind = set == BOUND_LOWER ? BOUND_LOWER : BOUND_UPPER;
  const worth best = protects ? best_worth(w, kind, 0) : (worth){0, 0};
  bool some = false, all = true;
  for (size_t i = 0; i < w->ways.used; i++) {
    const chance_way *way = &w->ways.ways[i];
    const bool out = !is_in_set(w->owner, set, way->to);
    all = all && out;
    some = some || (protects && out && compare_worths(w, worth_of(w, way, kind, 0), best) == 0);
  }
  return protects ? some : all;
}

/* The mean of the best worths, times `weights · unit`. */
typedef struct {
  exact_sum sum;
  bool infinite;
} mean;

static void add_to_mean(const worker *w, mean *m, uint64_t weight, worth best) {
  if (isinf(best.child)) {
    m->infinite = true;
    return;
  }
  exact_add(&m->sum, (double)weight, best.gain);
  exact_add(&m->sum, best.child, weight * w->ways.unit);
}

static void report_fault(proof *owner, int quantity, verify_fault fault) {
#pragma omp critical(verify_chance_report)
  {
    verify_fault *first = &owner->found->fault[fault.plane][quantity];
    const int worse = (fault.kind == FAULT_FALSE) - (first->kind == FAULT_FALSE);
    if (!first->kind || worse > 0 || (worse == 0 && fault.index < first->index)) *first = fault;
    owner->found->wrong = true;
  }
}

/* Returns the expected bound for messages: `about`, or a neighbour of `stored` if rounding hides which of the
 * two is larger. */
static double expected_bound(int kind, double about, double stored) {
  if (kind == BOUND_LOWER) return about < stored ? about : nextafter(stored, -INFINITY);
  return about > stored ? about : nextafter(stored, INFINITY);
}

static int compare_mean(const worker *w, double stored, const mean *m, uint64_t weights) {
  if (m->infinite) return -1;
  exact_sum own = {{0}};
  exact_add(&own, stored, weights * w->ways.unit);
  return exact_compare(&own, &m->sum);
}

/* Reports the stored bound if `means`, the bounds of the quantity by the moves, do not prove it. */
static void check_mean(const worker *w, int kind, int quantity, uint64_t index, const mean means[BOUND_KINDS],
                       uint64_t weights) {
  const double stored = w->owner->set->bounds[w->owner->slice].bound[kind][quantity][index];
  if (kind == BOUND_UPPER && isinf(stored)) return;
  const int beyond = kind == BOUND_LOWER ? 1 : -1;
  if (compare_mean(w, stored, &means[kind], weights) * beyond <= 0) return;
  const bool is_false = compare_mean(w, stored, &means[1 - kind], weights) * beyond > 0;
  const mean *m = &means[is_false ? 1 - kind : kind];
  const double about = m->infinite ? INFINITY : exact_estimate(&m->sum, weights * w->ways.unit);
  report_fault(w->owner, quantity,
               (verify_fault){is_false ? FAULT_FALSE : FAULT_VALUE, index, kind, stored,
                              expected_bound(kind, about, stored)});
}

typedef tauler_error chance_pass(worker *w, uint64_t index, bool *changed);

static tauler_error check_range(worker *w, uint64_t index, bool *changed) {
  const proof *owner = w->owner;
  const chance_cells *cells = &owner->set->bounds[owner->slice];
  for (int q = 0; q < owner->quantities.used; q++) {
    const double lower = cells->bound[BOUND_LOWER][q][index], upper = cells->bound[BOUND_UPPER][q][index];
    const double most = owner->quantities.list[q].most;
    const bool low = lower >= 0 && lower <= most && isfinite(lower), up = upper >= 0 && upper <= most;
    if (upper - lower > w->width) w->width = upper - lower;
    if (!low) report_fault(w->owner, q, (verify_fault){FAULT_RANGE, index, BOUND_LOWER, lower, most});
    if (!up) report_fault(w->owner, q, (verify_fault){FAULT_RANGE, index, BOUND_UPPER, upper, most});
    if (low && up && lower > upper)
      report_fault(w->owner, q, (verify_fault){FAULT_ORDER, index, BOUND_LOWER, lower, upper});
  }
  return TAULER_OK;
}

/* Follows all rolls of a position where play has not ended: checks its bounds if owner->counts, and sets
 * away[set] if play leaves a set under some roll. */
static tauler_error follow_moves(worker *w, uint64_t index, bool away[SETS]) {
  const proof *owner = w->owner;
  const size_t rolls = w->ways.passes ? 1 : owner->rolls_used;
  const int bounds = owner->counts ? BOUND_KINDS * owner->quantities.used : 0;
  mean means[CHANCE_MOST_QUANTITIES][BOUND_KINDS] = {{{{{0}}, false}}};
  for (size_t roll = 0; roll < rolls; roll++) {
    const uint64_t weight = w->ways.passes ? 1 : owner->rolls[roll].weight;
    const tauler_error error = ways_read(&w->ways, w->ways.passes ? CHANCE_CERTAIN : roll);
    if (error) return error;
    for (int set = 0; set < SETS; set++) away[set] = away[set] || (weight > 0 && leaves_set(w, set));
    for (int i = 0; i < bounds; i++)
      add_to_mean(w, &means[i / BOUND_KINDS][i % BOUND_KINDS], weight,
                  best_worth(w, i % BOUND_KINDS, i / BOUND_KINDS));
  }
  for (int i = 0; i < bounds; i++)
    check_mean(w, i % BOUND_KINDS, i / BOUND_KINDS, index, means[i / BOUND_KINDS],
               w->ways.passes ? 1 : owner->weights);
  return TAULER_OK;
}

static void check_ended(const worker *w, uint64_t index) {
  const mean nothing[BOUND_KINDS] = {{.infinite = false}};
  for (int i = 0; i < BOUND_KINDS * w->owner->quantities.used && w->owner->counts; i++)
    check_mean(w, i % BOUND_KINDS, i / BOUND_KINDS, index, nothing, 1);
}

static tauler_error check_position(worker *w, uint64_t index, bool *changed) {
  proof *owner = w->owner;
  bool goes_on, away[SETS], all_away = true;
  for (int set = 0; set < SETS; set++) {
    away[set] = !is_in_set(owner, set, (game_place){owner->slice, index});
    all_away = all_away && away[set];
  }
  if (!owner->counts && all_away) return TAULER_OK;
  tauler_error error = ways_set_position(&w->ways, index, &goes_on);
  if (error) return error;
  if (goes_on) {
    error = follow_moves(w, index, away);
  } else {
    check_ended(w, index);
    for (int set = 0; set < SETS; set++) away[set] = true;
  }
  for (int set = 0; set < SETS && !error; set++) {
    if (!away[set] || !is_in_set(owner, set, (game_place){owner->slice, index})) continue;
    remove_position(owner, set, index);
    *changed = true;
  }
  return error;
}

static void run_chunk(worker *w, chance_pass *pass, uint64_t chunk, bool *changed) {
  proof *owner = w->owner;
  const uint64_t first = chunk * CHUNK, left = owner->positions - first;
  const uint64_t count = left < CHUNK ? left : CHUNK;
  for (uint64_t i = count; i-- > 0;) {
    if (__atomic_load_n(&owner->error, __ATOMIC_RELAXED)) return;
    const tauler_error error = pass(w, first + i, changed);
    if (error) __atomic_store_n(&owner->error, error, __ATOMIC_RELAXED);
  }
  if (owner->counts && owner->set->shown && pass == check_position)
    progress_add(owner->set->shown, count * (uint64_t)comm_ranks(owner->set->ranks));
  comm_note_progress(owner->set->ranks);
}

/* Merges changes, errors, wrong bounds, widths and the positions left of all ranks. Returns true if any rank
 * removed a position and none failed. Widths are not negative, so their bits have the same order. */
static bool merge_findings(proof *owner, bool changed) {
  chance_verdict *found = owner->found;
  comm *ranks = owner->set->ranks;
  uint64_t numbers[] = {changed, (uint64_t)owner->error, found->wrong, 0};
  memcpy(&numbers[3], &found->width, sizeof found->width);
  tauler_error lost =
      comm_allreduce(ranks, COMM_MAX, numbers, sizeof numbers / sizeof *numbers, &owner->said);
  owner->error = (tauler_error)numbers[1];
  found->wrong = numbers[2];
  memcpy(&found->width, &numbers[3], sizeof found->width);
  for (int set = 0; set < SETS && numbers[0] && !lost; set++)
    lost = parts_share(&owner->parts, &owner->mail, owner->left[set],
                       (owner->positions + WORD_BITS - 1) / WORD_BITS * sizeof(uint64_t), CHUNK / 8,
                       &owner->said);
  if (lost) owner->error = lost;
  return numbers[0] && !owner->error;
}

/* Runs a pass over all positions, the last first, since play mostly leads to later ones. Returns true if any
 * rank removed a position and none failed. */
static bool run_pass(proof *owner, chance_pass *pass) {
  const uint64_t slots = owner->parts.slots, useful = 1 + slots / CHUNKS_PER_THREAD;
  const int threads = useful < (uint64_t)owner->set->threads ? (int)useful : owner->set->threads;
  bool changed = false;
#pragma omp parallel num_threads(threads) reduction(|| : changed)
  {
    worker w = {.owner = owner};
    const tauler_error error = ways_open(owner->set, owner->slice, &w.ways);
    if (error) __atomic_store_n(&owner->error, error, __ATOMIC_RELAXED);
#pragma omp for schedule(dynamic)
    for (uint64_t i = 0; i < slots; i++) {
      const uint64_t chunk = parts_chunk(&owner->parts, slots - 1 - i);
      if (chunk < owner->parts.chunks) run_chunk(&w, pass, chunk, &changed);
    }
    ways_close(&w.ways);
#pragma omp critical(verify_chance_report)
    if (w.width > owner->found->width) owner->found->width = w.width;
  }
  return merge_findings(owner, changed);
}

/* *fault becomes the worst one of all ranks: a false bound before all others, then the least index. */
static tauler_error find_worst_fault(const proof *owner, verify_fault *fault, tauler_message *message) {
  const uint64_t rank = fault->kind ? UINT64_MAX / 2 - fault->index : 0;
  const uint64_t own = fault->kind == FAULT_FALSE ? rank | UINT64_C(1) << 63 : rank;
  uint64_t worst = own;
  const tauler_error error = comm_allreduce(owner->set->ranks, COMM_MAX, &worst, 1, message);
  bool has = own > 0 && own == worst;
  return error || worst == 0 ? error
                             : comm_bcast_first(owner->set->ranks, &has, fault, sizeof *fault, message);
}

static tauler_error find_worst_faults(const proof *owner, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < BOUND_KINDS * owner->quantities.used && owner->found->wrong && !error; i++)
    error = find_worst_fault(owner, &owner->found->fault[i % BOUND_KINDS][i / BOUND_KINDS], message);
  return error;
}

static uint64_t count_set(const proof *owner, int set) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < (owner->positions + WORD_BITS - 1) / WORD_BITS; i++)
    count += (uint64_t)__builtin_popcountll(owner->left[set][i]);
  return count;
}

static void prove_slice(proof *owner) {
  owner->counts = true;
  run_pass(owner, check_range);
  if (owner->found->wrong || owner->error) return;
  bool changed = run_pass(owner, check_position);
  owner->counts = false;
  while (changed && !owner->found->wrong && !owner->error) changed = run_pass(owner, check_position);
  for (int kind = 0; kind < BOUND_KINDS; kind++) owner->found->endless[kind] = count_set(owner, kind);
  owner->found->together = count_set(owner, TOGETHER);
}

static tauler_error allocate_bits(proof *owner, int set, tauler_message *message) {
  const uint64_t words = (owner->positions + WORD_BITS - 1) / WORD_BITS;
  const tauler_error error = memory_allocate_array(owner->set->memory, words, sizeof(uint64_t),
                                                   "marks of positions", &owner->left[set], message);
  if (error) return error;
  for (uint64_t i = 0; i < owner->positions; i++)
    owner->left[set][i / WORD_BITS] |= UINT64_C(1) << i % WORD_BITS;
  return TAULER_OK;
}

tauler_error verify_chance_logic(const verify_set *set, uint32_t slice, chance_verdict *out,
                                 tauler_message *message) {
  *out = (chance_verdict){.wrong = false};
  proof owner = {
      .set = set, .slice = slice, .positions = set->game->positions(set->rules, slice), .found = out};
  set->game->chance->quantities(set->rules, slice, &owner.quantities);
  owner.parts = parts_of(set->ranks, (owner.positions + CHUNK - 1) / CHUNK);
  owner.rolls_used = set->game->chance->rolls(set->rules, &owner.rolls);
  for (size_t i = 0; i < owner.rolls_used; i++) owner.weights += owner.rolls[i].weight;
  tauler_error error = TAULER_OK;
  for (int which = 0; which < SETS && !error; which++) error = allocate_bits(&owner, which, message);
  if (!error) error = mail_open(&owner.mail, set->ranks, set->memory, 0, message);
  error = comm_agree(set->ranks, error, message);
  if (!error) prove_slice(&owner);
  if (!error && !owner.error) error = find_worst_faults(&owner, message);
  for (int which = 0; which < SETS; which++) memory_free(set->memory, owner.left[which]);
  mail_close(&owner.mail);
  if (error || !owner.error) return error;
  if (owner.said.text[0]) return tauler_fail(message, owner.error, "%s", owner.said.text);
  if (owner.error == TAULER_NO_MEMORY)
    return tauler_fail(message, owner.error, "no memory for moves of %s", set->game->name);
  return tauler_fail(message, owner.error, "the rules and the numbering of %s contradict each other",
                     set->game->name);
}

uint64_t verify_chance_bytes(uint64_t positions) {
  return SETS * ((positions + WORD_BITS - 1) / WORD_BITS) * sizeof(uint64_t);
}
