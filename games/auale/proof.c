/* Compares the cells of a slice of aualé with their moves, strip by strip, and fills cells that tables leave
 * out. */
#include "games/auale/proof.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* --- strips --- */

proof_strip auale_proof_find_strip(const game_proof_run *run, unsigned k, uint32_t place, uint32_t strip) {
  const proof_group *group = &run->groups[k];
  const uint32_t rest = group->columns - strip * STRIP;
  return (proof_strip){k, place, strip, rest < STRIP ? rest : STRIP,
                       run->index[run->seeds].first[k] + (uint64_t)group->rank[place] * group->columns +
                           (uint64_t)strip * STRIP};
}

uint64_t auale_proof_equal_lanes(const uint8_t a[STRIP], const uint8_t b[STRIP]) {
  uint64_t lanes = 0;
#ifdef __SSE2__
  for (unsigned i = 0; i < STRIP; i += 16) {
    const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(a + i));
    const __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(b + i));
    lanes |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, y)) << i;
  }
#else
  for (unsigned i = 0; i < STRIP; i++) lanes |= (uint64_t)(a[i] == b[i]) << i;
#endif
  return lanes;
}

uint64_t auale_proof_greater_lanes(const uint8_t a[STRIP], const uint8_t b[STRIP]) {
  uint8_t most[STRIP];
  for (int i = 0; i < STRIP; i++) most[i] = a[i] > b[i] ? a[i] : b[i];
  return ~auale_proof_equal_lanes(most, b);
}

/* --- moves --- */

static bool is_slam_legal(const game_proof_run *run, const proof_strip *at, uint32_t z, int pit) {
  const proof_group *own = &run->groups[at->k], *other = &run->groups[run->seeds - at->k];
  auale_board board;
  memcpy(board.pits, own->pits[at->place], ROW_PITS);
  memcpy(board.pits + ROW_PITS, other->pits[at->strip * STRIP + z], ROW_PITS);
  return auale_legal_pits(run->job.rules->grand_slam, &board) >> pit & 1;
}

static void raise_worth(uint8_t *worth, int value) {
  if (ZERO_WORTH + value > *worth) *worth = (uint8_t)(ZERO_WORTH + value);
}

static void raise_by_captures(const game_proof_run *run, const proof_strip *at, int plane,
                              const proof_move *move, uint8_t worths[STRIP]) {
  const unsigned s = run->seeds - at->k, u = move->landed, planes = (unsigned)run->job.planes;
  const proof_landing *landing = &run->groups[s].landings[u];
  const uint32_t end = landing->first_capture[at->strip + 1];
  for (uint32_t i = landing->first_capture[at->strip]; i < end; i++) {
    const proof_capture *capture = &landing->captures[i];
    const unsigned left = s + u - capture->captured, seeds = run->seeds - capture->captured;
    const uint64_t child =
        run->index[seeds].first[left] + (uint64_t)capture->left * run->groups[at->k - u].open + move->after;
    if (left == 0 && !is_slam_legal(run, at, capture->z, move->pit)) continue;
    raise_worth(&worths[capture->z],
                capture->captured - run->job.cells[seeds][child * planes + (planes - 1 - (unsigned)plane)]);
  }
}

void auale_proof_raise_converting(const game_proof_run *run, const proof_strip *at, int plane,
                                  uint8_t worths[STRIP]) {
  const proof_move *move = run->groups[at->k].moves[at->place];
  if (move->pit == NO_PROOF_MOVE) {
    const int value = 2 * (int)at->k - (int)run->seeds;
    for (uint32_t z = 0; z < at->n; z++) raise_worth(&worths[z], value);
    return;
  }
  for (int i = 0; i < ROW_PITS && move[i].pit != NO_PROOF_MOVE; i++) {
    if (move[i].last) raise_by_captures(run, at, plane, &move[i], worths);
  }
}

static inline void raise_bytes(uint8_t *restrict to, const uint8_t *restrict from, unsigned n) {
  for (unsigned i = 0; i < n; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
}

/* Raises n bytes. From 8 bytes on, pieces have a constant length, and the last two may overlap. */
static inline void raise_row(uint8_t *to, const uint8_t *from, unsigned n) {
  if (n >= 16) {
    for (unsigned i = 0; i + 16 <= n; i += 16) raise_bytes(to + i, from + i, 16);
    if (n % 16) raise_bytes(to + n - 16, from + n - 16, 16);
  } else if (n >= 8) {
    raise_bytes(to, from, 8);
    raise_bytes(to + n - 8, from + n - 8, 8);
  } else {
    raise_bytes(to, from, n);
  }
}

void auale_proof_raise_quiet(const game_proof_run *run, const proof_strip *at, int plane,
                             uint8_t worths[STRIP]) {
  const unsigned s = run->seeds - at->k;
  const proof_move *move = run->groups[at->k].moves[at->place];
  for (int i = 0; i < ROW_PITS && move[i].pit != NO_PROOF_MOVE; i++) {
    const unsigned u = move[i].landed;
    const proof_landing *landing = &run->groups[s].landings[u];
    const proof_group *child = &run->groups[s + u];
    const uint8_t *of_row = child->worths[run->job.planes - 1 - plane] + (uint64_t)move[i].after * STRIP;
    const uint64_t block = (uint64_t)child->columns * STRIP;
    const proof_run *r = &landing->runs[landing->first_run[at->strip]];
    const proof_run *end = &landing->runs[landing->first_run[at->strip + 1]];
    for (; r < end; r++) {
      if (move[i].last && !r->quiet) continue;
      raise_row(worths + r->z, of_row + r->to / STRIP * block + r->to % STRIP, r->n);
    }
  }
}

/* --- cells --- */

/* Fills the reserved cells. Returns how many of their values are beyond the number of seeds. */
static uint64_t fill_strip(game_proof_run *run, const proof_strip *at, int plane) {
  uint64_t wrong = 0, reserved = 0;
  for (uint32_t z = 0; z < at->n; z++)
    reserved |= (uint64_t)(*proof_cell(run, at, plane, z) == run->job.reserved[plane]) << z;
  if (!reserved) return 0;
  uint8_t worths[STRIP] = {NO_WORTH};
  auale_proof_raise_converting(run, at, plane, worths);
  if (auale_is_left_out(run->seeds, at->k)) auale_proof_raise_quiet(run, at, plane, worths);
  *proof_bits(run->groups[at->k].filled, &run->groups[at->k], plane, at) = reserved;
  for (; reserved; reserved &= reserved - 1) {
    const uint32_t z = (uint32_t)__builtin_ctzll(reserved);
    const int value = worths[z] - ZERO_WORTH;
    wrong += abs(value) > (int)run->seeds;
    *proof_cell(run, at, plane, z) = (int8_t)value;
  }
  return wrong;
}

static void write_block_worths(game_proof_run *run, unsigned k, uint32_t block, int plane) {
  const proof_group *group = &run->groups[k];
  uint8_t *worths = group->worths[plane] + (uint64_t)block * group->columns * STRIP;
  for (uint32_t strip = 0; strip < group->strips; strip++, worths += STRIP * STRIP) {
    for (uint32_t place = block * STRIP; place < group->rows && place < (block + 1) * STRIP; place++) {
      const proof_strip at = auale_proof_find_strip(run, k, place, strip);
      for (uint32_t z = 0; z < at.n; z++)
        worths[z * STRIP + place % STRIP] = (uint8_t)(ZERO_WORTH - *proof_cell(run, &at, plane, z));
    }
  }
}

/* Compares a strip with its moves, and returns the number of cells that do not agree. Values that the mover
 * gets by converting are proven at once. */
static uint64_t check_strip(game_proof_run *run, const proof_strip *at, int plane) {
  const proof_forced forced = auale_proof_find_forced(run, at, plane);
  uint8_t worths[STRIP] = {NO_WORTH};
  auale_proof_raise_converting(run, at, plane, worths);
  *proof_bits(run->groups[at->k].proven, &run->groups[at->k], plane, at) =
      forced.mover & auale_proof_equal_lanes(worths, forced.values);
  auale_proof_raise_quiet(run, at, plane, worths);
  return (uint64_t)__builtin_popcountll(~auale_proof_equal_lanes(worths, forced.values) & proof_lanes(at));
}

static uint64_t empty_filled_cells(game_proof_run *run, const proof_strip *at, int plane) {
  uint64_t filled = *proof_bits(run->groups[at->k].filled, &run->groups[at->k], plane, at);
  for (; filled; filled &= filled - 1)
    *proof_cell(run, at, plane, (uint32_t)__builtin_ctzll(filled)) = (int8_t)run->job.reserved[plane];
  return 0;
}

typedef uint64_t strip_work(game_proof_run *run, const proof_strip *at, int plane);

static uint64_t work_on_strips(game_proof_run *run, unsigned k, uint32_t strip, strip_work *work) {
  uint64_t cells = 0;
  for (int plane = 0; plane < run->job.planes; plane++) {
    for (uint32_t place = 0; place < run->groups[k].rows; place++) {
      const proof_strip at = auale_proof_find_strip(run, k, place, strip);
      cells += work(run, &at, plane);
    }
  }
  return cells;
}

/* --- parts and items --- */

/* The steps of PROOF_VALUES. Stored cells come first, since cells left out follow from them and from
 * smaller slices. */
enum { FILL_STORED, PLACE_STORED, FILL_LEFT_OUT, PLACE_LEFT_OUT, CHECK, BEGIN, STEPS };

static bool serves_proof(const game_rules *rules, bool depths) {
  return !depths && rules->cycles != CYCLES_OWN_ROW_ANY;
}

static bool works_on_bands(game_proof_aim aim) {
  return aim == PROOF_ENDS || aim == PROOF_DROP;
}

static uint64_t count_parts(const game_proof_run *run, game_proof_aim aim) {
  if (aim == PROOF_VALUES) return STEPS * (run->seeds + UINT64_C(1));
  return works_on_bands(aim) ? run->seeds / 2 + 1 : run->seeds + 1;
}

static int step_of(const game_proof_run *run, uint64_t part, unsigned *k) {
  *k = (unsigned)(part % (run->seeds + 1));
  return (int)(part / (run->seeds + 1));
}

/* True if an item of this step is a block of mover's rows. Otherwise an item is a strip of opponent's rows
 * with all mover's rows. */
static bool works_on_blocks(int step) {
  return step == PLACE_STORED || step == PLACE_LEFT_OUT || step == BEGIN;
}

static uint64_t count_items(const game_proof_run *run, game_proof_aim aim, uint64_t part) {
  unsigned k;
  if (works_on_bands(aim)) return run->groups[run->seeds - part].blocks;
  if (aim != PROOF_VALUES) return run->groups[part].strips;
  const int step = step_of(run, part, &k);
  if (step <= PLACE_LEFT_OUT && auale_is_left_out(run->seeds, k) != (step >= FILL_LEFT_OUT)) return 0;
  return works_on_blocks(step) ? run->groups[k].blocks : run->groups[k].strips;
}

static uint64_t work_on_item(game_proof_run *run, game_proof_aim aim, uint64_t part, uint64_t item) {
  static strip_work *const by_strips[] = {[PROOF_HOLD] = auale_proof_hold,
                                          [PROOF_KEEP] = auale_proof_mark_before_held,
                                          [PROOF_LEFT] = auale_proof_count_unproven,
                                          [PROOF_UNDO] = empty_filled_cells};
  unsigned k = (unsigned)part;
  const uint32_t at = (uint32_t)item;
  if (works_on_bands(aim)) return auale_proof_work_on_band(run, k, at, aim == PROOF_DROP);
  if (aim != PROOF_VALUES) return work_on_strips(run, k, at, by_strips[aim]);
  const int step = step_of(run, part, &k);
  if (!works_on_blocks(step)) return work_on_strips(run, k, at, step == CHECK ? check_strip : fill_strip);
  if (step == BEGIN) auale_proof_begin(run, k, at);
  for (int plane = 0; plane < run->job.planes && step != BEGIN; plane++)
    write_block_worths(run, k, at, plane);
  return 0;
}

const game_proof auale_proof = {.serves = serves_proof,
                                .open = auale_proof_open,
                                .parts = count_parts,
                                .items = count_items,
                                .work = work_on_item};
