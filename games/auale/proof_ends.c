/* Proves, band by band, that values follow from play that ends, by itself or by a repetition.
 *
 * A value that the mover must force is proven by a move to a proven board that gives it. A value against the
 * mover is proven if no move leads to an unproven board that gives it. So the worth of a move to a board
 * counts once the board is proven if the board's value is against its own mover, and otherwise until the
 * board is proven. While a worth does not count, NO_WORTH is stored instead. The proof of a strip is then a
 * maximum of bytes, as its value was.
 *
 * If a repetition ends play, boards whose value it pays are held: they count as proven as long as their
 * values follow from proven and held boards (docs/proofs.md, "Own row").
 *
 * Moves inside the own row stay between groups k and n − k, which are a band. Bands are numbered from the
 * ends to the middle; in each, blocks of the two groups alternate. */
#include <string.h>

#include "games/auale/proof.h"

enum { TURNS = 2 };

static void read_values(const game_proof_run *run, const proof_strip *at, int plane, uint8_t values[STRIP]) {
  const int8_t *cells = proof_cell(run, at, plane, 0);
  if (run->job.planes == 1) {
    for (uint32_t z = 0; z < at->n; z++) values[z] = (uint8_t)(ZERO_WORTH + cells[z]);
  } else {
    for (uint32_t z = 0; z < at->n; z++) values[z] = (uint8_t)(ZERO_WORTH + cells[2 * z]);
  }
}

/* Finds the side that must force each value: the mover a lower bound, the other side an upper one, and the
 * winner a score. A bound that excludes no value and a score of 0 need no proof. */
proof_forced auale_proof_find_forced(const game_proof_run *run, const proof_strip *at, int plane) {
  const bool scores = run->job.planes == 1;
  const int least = -(int)run->seeds;
  proof_forced out = {0, 0, {0}};
  uint8_t nothing[STRIP];
  read_values(run, at, plane, out.values);
  memset(nothing, ZERO_WORTH + (scores ? 0 : plane == 0 ? least : -least), STRIP);
  if (scores || plane == 0) out.mover = auale_proof_greater_lanes(out.values, nothing) & proof_lanes(at);
  if (scores || plane == 1) out.other = auale_proof_greater_lanes(nothing, out.values) & proof_lanes(at);
  return out;
}

void auale_proof_begin(game_proof_run *run, unsigned k, uint32_t block) {
  const proof_group *group = &run->groups[k];
  const bool scores = run->job.planes == 1;
  const uint64_t bytes = (uint64_t)group->columns * STRIP;
  for (int plane = 0; plane < run->job.planes; plane++) {
    uint8_t *worths = group->worths[plane] + block * bytes;
    const uint8_t most = scores ? ZERO_WORTH : plane == 0 ? UINT8_MAX : NO_WORTH;
    for (uint64_t i = 0; i < bytes; i++) worths[i] = worths[i] > most ? NO_WORTH : worths[i];
  }
}

static inline void set_mark(uint8_t *mark) {
  if (!__atomic_load_n(mark, __ATOMIC_RELAXED)) __atomic_store_n(mark, MARKED, __ATOMIC_RELAXED);
}

/* Marks the strips of the boards whose moves lead to the boards in `lanes` of a strip, and their blocks. */
static void mark_predecessors(game_proof_run *run, const proof_strip *at, int plane, uint64_t lanes) {
  const unsigned s = run->seeds - at->k;
  const int before_plane = run->job.planes - 1 - plane;
  uint8_t row[ROW_PITS];
  memcpy(row, run->groups[at->k].pits[at->place], ROW_PITS);
  for (unsigned u = 0; u <= at->k; u++) {
    if (u > 0 && row[(u - 1) % ROW_PITS]-- == 0) return;
    if (!row_is_open(row)) continue;
    const proof_group *before = &run->groups[s + u];
    const uint32_t strip = (uint32_t)open_row_rank(row) / STRIP;
    const proof_origins *origins = &run->groups[s].origins[u];
    uint8_t *marks = before->marks[before_plane] + (uint64_t)strip * before->rows;
    uint8_t *blocks = before->marked_blocks[before_plane] + (uint64_t)strip * before->blocks;
    for (uint64_t left = lanes; left; left &= left - 1) {
      const uint32_t z = at->strip * STRIP + (uint32_t)__builtin_ctzll(left);
      for (uint32_t i = origins->first[z]; i < origins->first[z + 1]; i++) {
        set_mark(&marks[origins->rows[i]]);
        set_mark(&blocks[origins->rows[i] / STRIP]);
      }
    }
  }
}

/* Writes the worths of moves to the boards in `lanes` of a strip, which are proven now or, if `proven` is
 * false, no longer. */
static void write_worths(game_proof_run *run, const proof_strip *at, int plane, const proof_forced *forced,
                         uint64_t lanes, bool proven) {
  const proof_group *group = &run->groups[at->k];
  uint8_t *worths = group->worths[plane] +
                    ((uint64_t)(at->place / STRIP) * group->columns + at->strip * STRIP) * STRIP +
                    at->place % STRIP;
  for (uint64_t left = lanes; left; left &= left - 1) {
    const uint32_t z = (uint32_t)__builtin_ctzll(left);
    const bool counts = (forced->other >> z & 1) == proven;
    const uint8_t worth = counts ? (uint8_t)-forced->values[z] : NO_WORTH;
    __atomic_store_n(&worths[z * STRIP], worth, __ATOMIC_RELAXED);
  }
}

static void write_worths_and_mark(game_proof_run *run, const proof_strip *at, int plane,
                                  const proof_forced *forced, uint64_t lanes, bool proven) {
  write_worths(run, at, plane, forced, lanes, proven);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  mark_predecessors(run, at, plane, lanes);
}

/* Returns the lanes whose values follow from quiet moves to proven and held boards. */
static uint64_t find_borne_out(const game_proof_run *run, const proof_strip *at, int plane,
                               const proof_forced *forced) {
  uint8_t worths[STRIP] = {NO_WORTH};
  auale_proof_raise_quiet(run, at, plane, worths);
  return (auale_proof_equal_lanes(worths, forced->values) & forced->mover) |
         (auale_proof_greater_lanes(forced->values, worths) & forced->other);
}

/* Proves values of a strip and returns how many are new, including those that converting moves give if
 * `first`. */
static uint64_t prove_strip(game_proof_run *run, const proof_strip *at, int plane, bool first) {
  const proof_group *group = &run->groups[at->k];
  uint64_t *proven = proof_bits(group->proven, group, plane, at);
  const proof_forced forced = auale_proof_find_forced(run, at, plane);
  const uint64_t wanted = (forced.mover | forced.other) & ~*proven;
  uint64_t found = first ? *proven : 0;
  if (wanted) found |= find_borne_out(run, at, plane, &forced) & wanted;
  *proven |= found;
  if (found) write_worths_and_mark(run, at, plane, &forced, found, true);
  return (uint64_t)__builtin_popcountll(found);
}

static uint64_t drop_strip(game_proof_run *run, const proof_strip *at, int plane, bool first) {
  const proof_group *group = &run->groups[at->k];
  uint64_t *held = proof_bits(group->filled, group, plane, at);
  if (*held == 0) return 0;
  const proof_forced forced = auale_proof_find_forced(run, at, plane);
  const uint64_t lost = *held & ~find_borne_out(run, at, plane, &forced);
  *held &= ~lost;
  *proof_bits(group->proven, group, plane, at) &= ~lost;
  if (lost) write_worths_and_mark(run, at, plane, &forced, lost, false);
  return (uint64_t)__builtin_popcountll(lost);
}

/* True if one of the next eight marks is set, or if fewer than eight are left. */
static bool may_have_marks(const uint8_t *marks, uint32_t n) {
  uint64_t eight = 0;
  if (n < sizeof eight) return true;
  memcpy(&eight, marks, sizeof eight);
  return eight != 0;
}

typedef uint64_t marked_work(game_proof_run *run, const proof_strip *at, int plane, bool first);

static uint64_t work_on_block(game_proof_run *run, marked_work *work, unsigned k, uint32_t block,
                              uint32_t strip) {
  const proof_group *group = &run->groups[k];
  uint64_t found = 0;
  if (block >= group->blocks || strip >= group->strips) return 0;
  for (int plane = 0; plane < run->job.planes; plane++) {
    uint8_t *marked = &group->marked_blocks[plane][(uint64_t)strip * group->blocks + block];
    uint8_t *marks = group->marks[plane] + (uint64_t)strip * group->rows;
    const uint32_t from = block * STRIP, to = from + STRIP < group->rows ? from + STRIP : group->rows;
    if (!__atomic_load_n(marked, __ATOMIC_RELAXED)) continue;
    __atomic_store_n(marked, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (uint32_t place = from; place < to; place++) {
      if ((place - from) % 8 == 0 && !may_have_marks(marks + place, to - place)) {
        place += 7;
        continue;
      }
      const uint8_t mark = __atomic_load_n(&marks[place], __ATOMIC_RELAXED);
      if (!mark) continue;
      /* The mark is cleared before the boards are read, so a mark set from now on stays. */
      __atomic_store_n(&marks[place], 0, __ATOMIC_RELAXED);
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
      const proof_strip at = auale_proof_find_strip(run, k, place, strip);
      found += work(run, &at, plane, mark == MARKED_FIRST);
    }
  }
  return found;
}

/* An item is a block of rows of the larger group, which is also a strip of the smaller one. */
uint64_t auale_proof_work_on_band(game_proof_run *run, unsigned band, uint32_t item, bool drops) {
  marked_work *work = drops ? drop_strip : prove_strip;
  const unsigned small = band, large = run->seeds - band;
  uint64_t found = 0;
  for (uint32_t other = 0; other < run->groups[small].blocks; other++) {
    for (int turn = 0; turn < TURNS; turn++) {
      uint64_t now = work_on_block(run, work, large, item, other);
      if (small != large) now += work_on_block(run, work, small, other, item);
      found += now;
      if (!now) break;
    }
  }
  return found;
}

/* Holds unproven values that a repetition bears out. A repetition pays the mover the seeds of the mover's row
 * less those of the other row. */
uint64_t auale_proof_hold(game_proof_run *run, const proof_strip *at, int plane) {
  const proof_group *group = &run->groups[at->k];
  uint64_t *proven = proof_bits(group->proven, group, plane, at);
  const proof_forced forced = auale_proof_find_forced(run, at, plane);
  uint8_t pays[STRIP];
  memset(pays, ZERO_WORTH + 2 * (int)at->k - (int)run->seeds, STRIP);
  const uint64_t less = (auale_proof_greater_lanes(forced.values, pays) & forced.mover) |
                        (auale_proof_greater_lanes(pays, forced.values) & forced.other);
  const uint64_t held = (forced.mover | forced.other) & ~*proven & ~less;
  *proof_bits(group->filled, group, plane, at) = held;
  if (held == 0) return 0;
  *proven |= held;
  write_worths(run, at, plane, &forced, held, true);
  set_mark(&group->marks[plane][(uint64_t)at->strip * group->rows + at->place]);
  set_mark(&group->marked_blocks[plane][(uint64_t)at->strip * group->blocks + at->place / STRIP]);
  return (uint64_t)__builtin_popcountll(held);
}

uint64_t auale_proof_mark_before_held(game_proof_run *run, const proof_strip *at, int plane) {
  const proof_group *group = &run->groups[at->k];
  const uint64_t held = *proof_bits(group->filled, group, plane, at);
  if (held) mark_predecessors(run, at, plane, held);
  return (uint64_t)__builtin_popcountll(held);
}

uint64_t auale_proof_count_unproven(game_proof_run *run, const proof_strip *at, int plane) {
  const proof_forced forced = auale_proof_find_forced(run, at, plane);
  const uint64_t proven = *proof_bits(run->groups[at->k].proven, &run->groups[at->k], plane, at);
  return (uint64_t)__builtin_popcountll((forced.mover | forced.other) & ~proven);
}
