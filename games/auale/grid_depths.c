/* Depths of a slice whose values are known, wave by wave. A lower guarantee is decided as soon as one of the
 * mover's best moves is, an upper one as soon as all of the best moves are. A positive score is a lower
 * guarantee, a negative one an upper guarantee.
 *
 * Bounds are the values of boards whose depth is still open, and NO_BOUND for all others. */
#include "games/auale/grid.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* --- changes of a row --- */

/* Arrays in scratch for the changes of one row, and its bounds. */
typedef struct {
  uint32_t *children; /* open ranks of children with changed cells */
  uint8_t *marked;    /* [own row] 1 if it must be evaluated again. list_marked clears it */
  uint32_t *doubtful; /* own rows to evaluate again */
  size_t doubtful_n;
  int8_t *bounds[GRID_PLANES];
} row_changes;

/* True if a free row to which a quiet move leads has changed cells of this plane. */
static bool has_changed(const grid_row *row, int plane) {
  const uint8_t *dirty = row->state->dirty[plane];
  for (uint64_t left = row->quiet; left;) {
    if (dirty[grid_child_block(row, grid_next_pattern(&left))]) return true;
  }
  return false;
}

static inline int8_t *carve_bytes(char **at, uint64_t bytes) {
  char *here = *at;
  *at += (bytes + 63) / 64 * 64;
  return (int8_t *)here;
}

static row_changes carve_changes(const grid_row *row, void *scratch) {
  char *at = grid_working_space(row->tables, row->seeds, scratch);
  const uint64_t rows = row->own->rows, longest = row->tables->rows[row->seeds].rows;
  row_changes changed = {.marked = scratch};
  changed.children = (uint32_t *)(void *)carve_bytes(&at, longest * 4);
  changed.doubtful = (uint32_t *)(void *)carve_bytes(&at, rows * 4);
  for (int plane = 0; plane < row->state->planes; plane++) {
    changed.bounds[plane] = row->state->bounds[plane] + row->bounds;
    changed.bounds[plane][rows] = NO_BOUND; /* bound of a parent that does not exist */
  }
  return changed;
}

enum { MARKS_AT_ONCE = 16 };

/* Returns a bit for each of sixteen bytes, 1 if it is marked. */
static inline uint32_t find_marks(const uint8_t *marked) {
#ifdef __SSE2__
  const __m128i marks = _mm_loadu_si128((const __m128i *)(const void *)marked);
  return (uint32_t)_mm_movemask_epi8(_mm_sub_epi8(_mm_setzero_si128(), marks));
#else
  uint32_t found = 0;
  for (uint32_t i = 0; i < MARKS_AT_ONCE; i++) found |= (uint32_t)(marked[i] != 0) << i;
  return found;
#endif
}

/* Lists the marked own rows, clears the marks, and returns the number of marked rows. */
static size_t list_marked(uint8_t *marked, uint32_t rows, uint32_t *out) {
  size_t used = 0;
  uint32_t a = 0;
  for (; a + MARKS_AT_ONCE <= rows; a += MARKS_AT_ONCE) {
    for (uint32_t found = find_marks(marked + a); found; found &= found - 1) {
      out[used++] = a + (uint32_t)__builtin_ctz(found);
    }
  }
  for (; a < rows; a++) {
    if (marked[a]) out[used++] = a;
  }
  memset(marked, 0, rows + 1);
  return used;
}

static size_t list_bits(const uint8_t *bytes, uint32_t bits, uint32_t *out) {
  size_t used = 0;
  for (uint32_t at = 0; at < bits; at += 64) {
    uint64_t word;
    memcpy(&word, bytes + at / 8, sizeof word);
    if (bits - at < 64) word &= (UINT64_C(1) << (bits - at)) - 1;
    for (; word; word &= word - 1) out[used++] = at + (uint32_t)__builtin_ctzll(word);
  }
  return used;
}

static size_t list_changed_children(const grid_row *row, unsigned pattern, int plane, uint32_t *children) {
  const game_grid_state *state = row->state;
  if (!state->dirty[plane][grid_child_block(row, pattern)]) return 0;
  const uint32_t cells = row->tables->rows[row->k - sowing_landing(pattern)].open_rows;
  return list_bits(state->changed[plane] + grid_child_changed(row, pattern), cells, children);
}

/* Writes the lists of origins of a pattern, and returns their number: lists[i][o] is the own row before a
 * move that left the own row of open rank o, or own->rows. Patterns whose moves go round the board have laps
 * instead. */
static inline unsigned find_origin_lists(const grid_row *row, unsigned pattern,
                                         const uint32_t *lists[ROW_PITS]) {
  const unsigned u = sowing_landing(pattern);
  const sowing_rows *left = &row->tables->rows[row->k - u];
  if (pattern == 0) {
    for (int end = 0; end < ROW_PITS - 1; end++) lists[end] = left->within[end];
    return ROW_PITS - 1;
  }
  if (sowing_last_lands(pattern) && u <= ROW_PITS) {
    lists[0] = left->beyond[u];
    return 1;
  }
  return 0;
}

/* --- the first waves --- */

static inline bool is_known(const game_grid_state *state, uint64_t changed, uint32_t column) {
  return state->known[changed + column / 8] >> (column % 8) & 1;
}

/* Decides the mover's guarantee (CHANGED_RISEN) or that against the mover (CHANGED_FALLEN). */
static void decide_board(const grid_row *row, int changed, uint32_t a, uint16_t depth) {
  const game_grid_state *state = row->state;
  const int plane = state->planes == 1 ? PLANE_SCORE : changed;
  state->bounds[plane][row->bounds + a] = NO_BOUND;
  state->depths[plane][row->column + a * row->width] = depth;
  grid_mark_changed(row, changed, a);
}

/* True if the value guarantees nothing, so that it has no depth. */
static bool guarantees_nothing(const game_grid_state *state, int plane, int value) {
  if (state->planes == 1) return value == 0;
  return plane == PLANE_LOWER ? value == -(int)state->slice : value == (int)state->slice;
}

static void copy_values(const sowing_tables *tables, const game_grid_state *state, const grid_tile *tile) {
  const grid_row first = grid_open_row(tables, state, tile, tile->from);
  const uint32_t rows = first.own->rows, columns = tile->to - tile->from;
  for (int plane = 0; plane < state->planes; plane++) {
    const int8_t *cells = state->own[plane] + first.column;
    int8_t *bounds = state->bounds[plane] + first.bounds;
    for (uint32_t a = 0; a < rows; a++, cells += first.width) {
      for (uint32_t i = 0; i < columns; i++) {
        const int8_t value = cells[i];
        bounds[(size_t)i * (rows + 1) + a] = guarantees_nothing(state, plane, value) ? NO_BOUND : value;
      }
    }
  }
}

static tauler_error decide_ended_boards(const grid_row *row, void *scratch, uint64_t *n_changed) {
  const grid_conversions out = grid_carve_conversions(row, scratch);
  const tauler_error error = grid_find_conversions(row, &out);
  if (error) return error;
  for (uint32_t a = 0; a < row->own->rows; a++) {
    if (out.settled[a] != 0) continue;
    for (int plane = 0; plane < row->state->planes; plane++) {
      const int8_t value = row->state->bounds[plane][row->bounds + a];
      const int changed =
          plane == PLANE_UPPER || (row->state->planes == 1 && value < 0) ? CHANGED_FALLEN : CHANGED_RISEN;
      if (value == NO_BOUND) continue;
      decide_board(row, changed, a, 0);
      (*n_changed)++;
    }
  }
  return TAULER_OK;
}

tauler_error grid_begin_depths(const void *tables, game_grid_state *state, uint64_t tile_number,
                               void *scratch, uint64_t *n_changed) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  copy_values(tables, state, &tile);
  /* Only boards with an empty row can have ended. */
  if (tile.k != 0 && tile.k != tile.seeds) return TAULER_OK;
  grid_row row = grid_open_row(tables, state, &tile, tile.from);
  for (uint32_t z = tile.from; z < tile.to; z++) {
    grid_go_to_row(&row, z);
    const tauler_error error = decide_ended_boards(&row, scratch, n_changed);
    if (error) return error;
  }
  return TAULER_OK;
}

/* Decides the first wave: guarantees that converting moves alone give. */
static tauler_error decide_conversions(const grid_row *row, void *scratch, uint64_t *n_changed) {
  const game_grid_state *state = row->state;
  const int planes = state->planes, upper = planes - 1;
  const grid_conversions out = grid_carve_conversions(row, scratch);
  const tauler_error error = grid_find_conversions(row, &out);
  if (error) return error;
  memset(out.quiet, (uint8_t)NO_BOUND, row->own->rows);
  grid_raise_by_quiet_moves(row, PLANE_LOWER, out.quiet);
  const int8_t *lower_bounds = state->bounds[PLANE_LOWER] + row->bounds;
  const int8_t *upper_bounds = state->bounds[upper] + row->bounds;
  for (uint32_t a = 0; a < row->own->rows; a++) {
    const int8_t low = lower_bounds[a], high = upper_bounds[a];
    const bool mover_converts =
        low != NO_BOUND && (planes == 2 || low > 0) && out.best[PLANE_LOWER][a] == low;
    const bool all_convert = high != NO_BOUND && (planes == 2 || high < 0) && out.quiet[a] < high;
    if (mover_converts) decide_board(row, CHANGED_RISEN, a, 1);
    if (all_convert) decide_board(row, CHANGED_FALLEN, a, 1);
    *n_changed += mover_converts + all_convert;
  }
  return TAULER_OK;
}

/* --- later waves --- */

static uint64_t decide_origin(const grid_row *row, row_changes *changed, uint32_t a, int8_t value) {
  if (changed->bounds[PLANE_LOWER][a] != value) return 0;
  decide_board(row, CHANGED_RISEN, a, row->state->wave);
  return 1;
}

/* Follows moves back from the children by a pattern whose guarantee the last wave decided. If `fell`, that
 * guarantee is against the child's mover, and the parents that get their value from it are decided. Otherwise
 * it is the child mover's own, and such parents are marked as doubtful. Returns the number of decided
 * boards. */
static uint64_t follow_pattern(const grid_row *row, unsigned pattern, bool fell, row_changes *changed) {
  const game_grid_state *state = row->state;
  const int upper = state->planes - 1;
  uint64_t decided = 0;
  const size_t n =
      list_changed_children(row, pattern, fell ? CHANGED_FALLEN : CHANGED_RISEN, changed->children);
  const int8_t *children = state->cells[fell ? upper : PLANE_LOWER] + grid_child_row(row, pattern);
  const uint32_t *origins[ROW_PITS];
  const unsigned lists = find_origin_lists(row, pattern, origins);
  const sowing_origins *laps = &row->own->laps[pattern];
  for (size_t i = 0; i < n; i++) {
    const uint32_t o = changed->children[i];
    const int8_t value = (int8_t)-children[o];
    const uint32_t from = lists ? 0 : laps->first[o], to = lists ? lists : laps->first[o + 1];
    for (uint32_t j = from; j < to; j++) {
      const uint32_t a = lists ? origins[j][o] : laps->rows[j];
      if (fell) {
        decided += decide_origin(row, changed, a, value);
      } else {
        changed->marked[a] |= changed->bounds[upper][a] == value;
      }
    }
  }
  return decided;
}

/* True if all quiet moves that keep the bound lead to boards decided in earlier waves.
 *
 * A child that keeps the bound is decided with its own mover's guarantee: its lower bound, or its score,
 * which is positive. Only this sets CHANGED_RISEN in the child's changed cells, once. So `known`, the changed
 * cells of all earlier waves, has the child if and only if its depth is less than this wave. A guarantee of
 * nothing is never decided. */
static bool are_children_decided(const grid_row *row, uint32_t a, int8_t bound) {
  const game_grid_state *state = row->state;
  const uint32_t *moves = &row->own->moves[(size_t)a * ROW_PITS];
  for (int pit = 0; pit < ROW_PITS; pit++) {
    const unsigned pattern = moves[pit] & 63;
    if (pattern == SOWING_NO_MOVE || !grid_is_quiet(row, pattern)) continue;
    const uint32_t child = moves[pit] >> 6;
    if (-state->cells[PLANE_LOWER][grid_child_row(row, pattern) + child] != bound) continue;
    if (!is_known(state, grid_child_changed(row, pattern), child)) return false;
  }
  return true;
}

static uint64_t relax_row(const grid_row *row, void *scratch) {
  const int upper = row->state->planes - 1;
  row_changes changed = carve_changes(row, scratch);
  uint64_t n_changed = 0;
  for (uint64_t left = row->quiet; left;) {
    const unsigned p = grid_next_pattern(&left);
    n_changed += follow_pattern(row, p, true, &changed);
    n_changed += follow_pattern(row, p, false, &changed);
  }
  changed.doubtful_n = list_marked(changed.marked, row->own->rows, changed.doubtful);
  for (size_t i = 0; i < changed.doubtful_n; i++) {
    const uint32_t a = changed.doubtful[i];
    if (!are_children_decided(row, a, changed.bounds[upper][a])) continue;
    decide_board(row, CHANGED_FALLEN, a, row->state->wave);
    n_changed++;
  }
  return n_changed;
}

tauler_error grid_relax_depths(const void *tables, game_grid_state *state, uint64_t tile_number,
                               void *scratch, uint64_t *n_changed) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  if (tile.k == 0) return TAULER_OK;
  grid_row row = grid_open_row(tables, state, &tile, tile.from);
  for (uint32_t z = tile.from; z < tile.to; z++) {
    grid_go_to_row(&row, z);
    if (state->wave == 1) {
      const tauler_error error = decide_conversions(&row, scratch, n_changed);
      if (error) return error;
    }
    if (has_changed(&row, CHANGED_FALLEN) || has_changed(&row, CHANGED_RISEN))
      *n_changed += relax_row(&row, scratch);
  }
  return TAULER_OK;
}
