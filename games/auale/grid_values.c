/* Values of a slice, tile by tile. A strip is the boards of one own row in up to 64 neighbouring columns of a
 * tile. Their children by one pit become neighbours when the cells of one free row per column are transposed,
 * so the best child is a maximum of bytes. `begin` stores the values of conversions in strips. For each strip
 * of a tile, `relax` takes the maximum of these and all quiet moves, and writes the values that store_strip
 * accepts. */
#include "games/auale/grid.h"

/* The thread sanitizer reports vector loads of cells that other threads may write. */
#if defined(__SANITIZE_THREAD__)
#define NO_VECTORS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_VECTORS
#endif
#endif
#if defined(__SSE2__) && !defined(NO_VECTORS)
#include <emmintrin.h>
#define HAS_VECTORS
#endif

enum { STRIP = SOWING_TILE, LANES = 16, ZERO_WORTH = 128, ROOM = 1 << 18, LINE = 63, AHEAD = 12 };

/* Returns the number of columns at a time, halved until their strips fit in the second-level cache or only
 * LANES columns are left. */
static uint32_t columns_at_once(uint32_t rows, uint32_t width) {
  uint32_t columns = STRIP;
  while (columns > LANES && columns * rows > ROOM) columns /= 2;
  return columns < width ? columns : width;
}

static uint32_t padded_width(uint32_t columns) {
  return (columns + LANES - 1) / LANES * LANES;
}

uint64_t grid_scratch_bytes(unsigned seeds) {
  uint64_t most = 0;
  for (unsigned k = 0; k <= seeds; k++) {
    const uint64_t rows = row_count(k), longest = row_count(seeds) + 64;
    const uint64_t columns = columns_at_once((uint32_t)rows, (uint32_t)open_row_count(seeds - k));
    const uint64_t strips =
        longest + 2 * padded_width((uint32_t)columns) * rows + 4 * rows + 2 * longest + 1024;
    const uint64_t changed = longest * 5 + 4 * rows + 1024;
    if (strips > most) most = strips;
    if (changed > most) most = changed;
  }
  return most;
}

/* Columns of a tile while their strips are worked on. Strips hold worths: ZERO_WORTH plus the value. */
typedef struct {
  grid_row first;
  uint32_t columns, width; /* number of columns, and of columns with padding */
  uint64_t
      bounds; /* place of the first strip's bounds. Bounds of own row a are a · columns places behind it */
  uint32_t visited;  /* number of the last visit to the tile, or 0 before the first or without a clock */
  uint8_t *best;     /* [own row][width] */
  uint8_t *children; /* [open rank of the own row after a move][width] worth for the mover */
} grid_strips;

#ifdef HAS_VECTORS
static inline __m128i load_lanes(const void *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

static inline void interleave_rows(__m128i to[LANES], const __m128i from[LANES]) {
  for (int i = 0; i < LANES / 2; i++) {
    to[2 * i] = _mm_unpacklo_epi8(from[i], from[i + LANES / 2]);
    to[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + LANES / 2]);
  }
}

static void transpose_square(const int8_t *const rows[LANES], uint32_t at, uint8_t *to, uint32_t width) {
  __m128i a[LANES], b[LANES];
  for (int i = 0; i < LANES; i++) a[i] = _mm_sub_epi8(_mm_set1_epi8(-ZERO_WORTH), load_lanes(rows[i] + at));
  interleave_rows(b, a);
  interleave_rows(a, b);
  interleave_rows(b, a);
  interleave_rows(a, b);
  for (int i = 0; i < LANES; i++) _mm_storeu_si128((__m128i *)(void *)(to + (size_t)i * width), a[i]);
}
#endif

/* Transposes rows of n cells, one per column, into strips of worths for the other side. */
static void transpose_rows(const int8_t *const rows[STRIP], uint32_t n, uint32_t width, uint8_t *to) {
  for (uint32_t lane = 0; lane < width; lane += LANES) {
    uint32_t at = 0;
#ifdef HAS_VECTORS
    for (; at + LANES <= n; at += LANES)
      transpose_square(rows + lane, at, to + (size_t)at * width + lane, width);
#endif
    for (; at < n; at++) {
      for (uint32_t i = lane; i < lane + LANES; i++)
        to[(size_t)at * width + i] = (uint8_t)(ZERO_WORTH - cell_load(&rows[i][at]));
    }
  }
}

static inline void raise_strips(const grid_strips *s, const sowing_move *moves, uint32_t n, uint32_t width) {
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *restrict best = s->best + (size_t)moves[i].row * width;
    const uint8_t *restrict child = s->children + (size_t)moves[i].after * width;
    for (uint32_t lane = 0; lane < width; lane += LANES) {
      for (uint32_t j = lane; j < lane + LANES; j++) best[j] = child[j] > best[j] ? child[j] : best[j];
    }
  }
}

/* True if the last visit may have missed changes of the children by a quiet pattern. */
static inline bool has_newer_children(const grid_row *row, unsigned pattern, uint32_t visited) {
  if (visited == 0) return true;
  return __atomic_load_n(&row->state->clock->changed[grid_child_block(row, pattern)], __ATOMIC_RELAXED) >
         visited;
}

static void raise_by_pattern(const grid_strips *s, unsigned pattern, int plane) {
  grid_row row = s->first;
  const int8_t *rows[STRIP];
  /* Children that have not changed since the last visit cannot raise a lower bound. */
  const bool all = row.state->planes == 1 || plane == PLANE_LOWER;
  bool matters = false;
  for (uint32_t i = 0; i < STRIP; i++) rows[i] = row.tables->never;
  for (uint32_t i = 0; i < s->columns; i++) {
    grid_go_to_row(&row, s->first.z + i);
    if (!grid_is_quiet(&row, pattern)) continue;
    rows[i] = row.state->cells[plane] + grid_child_row(&row, pattern);
    matters |= all || has_newer_children(&row, pattern, s->visited);
  }
  if (!matters) return;
  transpose_rows(rows, row.tables->rows[row.k - sowing_landing(pattern)].open_rows, s->width, s->children);
  const sowing_move *moves = row.own->by_pattern[pattern];
  const uint32_t n = row.own->by_pattern_n[pattern];
  if (s->width == STRIP)
    raise_strips(s, moves, n, STRIP); /* a constant width is faster */
  else
    raise_strips(s, moves, n, s->width);
}

/* Returns a bit for each column in which a strip of worths and the cells differ. */
static inline uint64_t find_different_columns(const uint8_t *best, const int8_t *cells, uint32_t columns) {
  uint64_t different = 0;
  uint32_t i = 0;
#ifdef HAS_VECTORS
  for (; i + LANES <= columns; i += LANES) {
    const __m128i worths = _mm_xor_si128(load_lanes(cells + i), _mm_set1_epi8(-ZERO_WORTH));
    const int same = _mm_movemask_epi8(_mm_cmpeq_epi8(worths, load_lanes(best + i)));
    different |= (uint64_t)(uint16_t)~same << i;
  }
#endif
  for (; i < columns; i++) different |= (uint64_t)(best[i] != ZERO_WORTH + cells[i]) << i;
  return different;
}

/* Marks columns of own row a as changed in this round, if next_changed is kept. The first column,
 * that of `row`, is a multiple of eight. */
static void mark_changed_columns(const grid_row *row, int plane, uint32_t a, uint64_t bits) {
  const game_grid_state *state = row->state;
  if (!bits || !state->next_changed[plane]) return;
  uint8_t *next_changed = state->next_changed[plane] + row->next_changed + a * row->next_changed_width;
  for (; bits; bits >>= 8) *next_changed++ |= (uint8_t)bits;
  const uint64_t block = row->tables->slices[row->seeds].blocks[row->k] + a;
  __atomic_store_n(&state->next_dirty[plane][block], 1, __ATOMIC_RELAXED);
}

/* Writes the different columns of own row a in which a positive score or a lower bound rises, or a negative
 * score or an upper bound falls. Returns the number of cells written. */
static uint64_t store_strip(const grid_strips *s, int plane, uint32_t a, uint64_t different) {
  const grid_row *row = &s->first;
  const game_grid_state *state = row->state;
  const bool scores = state->planes == 1;
  const uint8_t *best = s->best + (size_t)a * s->width;
  int8_t *cells = state->own[plane] + row->column + a * row->width;
  uint64_t risen = 0, fallen = 0;
  for (; different; different &= different - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(different);
    const int value = best[i] - ZERO_WORTH;
    if (value > cells[i] && (scores ? value > 0 : plane == PLANE_LOWER))
      risen |= UINT64_C(1) << i;
    else if (value < cells[i] && (scores ? value < 0 : plane == PLANE_UPPER))
      fallen |= UINT64_C(1) << i;
    else
      continue;
    cell_store(&cells[i], (int8_t)value);
  }
  if (!(risen | fallen)) return 0;
  mark_changed_columns(row, CHANGED_RISEN, a, risen);
  mark_changed_columns(row, CHANGED_FALLEN, a, fallen);
  if (state->clock) game_grid_stamp(state->clock, row->tables->slices[row->seeds].blocks[row->k] + a);
  return (uint64_t)__builtin_popcountll(risen | fallen);
}

static uint64_t relax_strips(const grid_strips *s, int plane) {
  const grid_row *row = &s->first;
  const game_grid_state *state = row->state;
  const uint32_t rows = row->own->rows;
  const uint8_t *bounds = (const uint8_t *)state->bounds[plane] + s->bounds;
  const int8_t *cells = state->own[plane] + row->column;
  uint64_t n_changed = 0;
  const bool full = s->width == s->columns;
  for (uint32_t a = 0; a < (full ? 1 : rows); a++)
    memcpy(s->best + (size_t)a * s->width, bounds + (size_t)a * s->columns,
           full ? (size_t)rows * s->width : s->columns);
  for (uint64_t left = row->own->patterns_in_use; left;)
    raise_by_pattern(s, grid_next_pattern(&left), state->planes - 1 - plane);
  for (uint32_t a = 0; a < rows; a++) {
    for (uint32_t i = 0; i < s->columns; i += LINE) __builtin_prefetch(&cells[(a + AHEAD) * row->width + i]);
    const uint64_t different =
        find_different_columns(s->best + (size_t)a * s->width, cells + a * row->width, s->columns);
    if (different) n_changed += store_strip(s, plane, a, different);
  }
  return n_changed;
}

/* True if the visit with this number may have missed changes, or if it is 0. */
static bool is_stale(grid_row row, const grid_tile *tile, uint32_t visited) {
  for (uint32_t z = tile->from; z < tile->to && visited; z++) {
    grid_go_to_row(&row, z);
    for (uint64_t left = row.quiet; left;) {
      if (has_newer_children(&row, grid_next_pattern(&left), visited)) return true;
    }
  }
  return visited == 0;
}

static void open_strips(grid_strips *s, const grid_tile *tile, uint32_t from, uint32_t most) {
  grid_go_to_row(&s->first, tile->from);
  s->columns = tile->to - from < most ? tile->to - from : most;
  s->width = padded_width(s->columns);
  s->bounds = s->first.bounds + (uint64_t)(from - tile->from) * s->first.own->rows;
  grid_go_to_row(&s->first, from);
}

tauler_error grid_relax(const void *tables, game_grid_state *state, uint64_t tile_number, void *scratch,
                        uint64_t *n_changed) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  game_grid_clock *clock = state->clock;
  grid_strips s = {.first = grid_open_row(tables, state, &tile, tile.from)};
  if (clock) {
    s.visited = clock->visited[tile_number];
    if (!is_stale(s.first, &tile, s.visited)) return TAULER_OK;
    clock->visited[tile_number] = game_grid_begin_visit(clock);
  }
  const uint32_t rows = s.first.own->rows, most = columns_at_once(rows, tile.to - tile.from);
  s.best = grid_working_space(tables, tile.seeds, scratch);
  s.children = s.best + (size_t)padded_width(most) * rows;
  for (uint32_t from = tile.from; from < tile.to; from += most) {
    open_strips(&s, &tile, from, most);
    for (int plane = 0; plane < state->planes; plane++) *n_changed += relax_strips(&s, plane);
  }
  return TAULER_OK;
}

/* Writes the values of conversions, which are column by column in `best`, as strips into the bounds. */
static void store_conversions(const grid_strips *s, int plane, const int8_t *best) {
  const uint32_t rows = s->first.own->rows;
  uint8_t *bounds = (uint8_t *)s->first.state->bounds[plane] + s->bounds;
  for (uint32_t a = 0; a < rows; a++) {
    for (uint32_t i = 0; i < s->columns; i++) *bounds++ = (uint8_t)(ZERO_WORTH + best[(size_t)i * rows + a]);
  }
}

tauler_error grid_begin(const void *tables, game_grid_state *state, uint64_t tile_number, void *scratch,
                        uint64_t *n_changed) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  grid_strips s = {.first = grid_open_row(tables, state, &tile, tile.from)};
  const size_t rows = s.first.own->rows;
  const uint32_t most = columns_at_once((uint32_t)rows, tile.to - tile.from);
  int8_t *buffer = grid_working_space(tables, tile.seeds, scratch), *behind = buffer + 2 * most * rows;
  for (uint32_t from = tile.from; from < tile.to; from += most) {
    open_strips(&s, &tile, from, most);
    grid_row row = s.first;
    for (uint32_t i = 0; i < s.columns; i++) {
      grid_go_to_row(&row, from + i);
      const grid_conversions out = {.best = {buffer + i * rows, buffer + (most + i) * rows},
                                    .settled = (uint8_t *)behind,
                                    .spare = behind + rows};
      const tauler_error error = grid_find_conversions(&row, &out);
      if (error) return error;
    }
    for (int plane = 0; plane < state->planes; plane++)
      store_conversions(&s, plane, buffer + (size_t)plane * most * rows);
  }
  return TAULER_OK;
}
