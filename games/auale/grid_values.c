/* Values of a slice, tile by tile: first the values of captures and one dense pass over quiet moves,
 * then rounds in which each row of boards (z, ·) takes in what changed in the free rows that its
 * moves lead to. Rounds take turns: in one, children against which more is forced raise their parents
 * at once; in the next, children that can force more make their parents doubtful, and a doubtful
 * board is evaluated again with all its quiet moves, once for all that changed. */
#include "games/auale/grid.h"

enum { BEGIN_BUFFER = 1 << 18 };

/* So many columns at a time that the rows under work stay in the second-level cache. */
static uint32_t begin_columns(uint32_t rows, uint32_t width) {
  uint32_t columns = SOWING_TILE;
  while (columns > 8 && columns * rows > BEGIN_BUFFER) columns /= 2;
  return columns < width ? columns : width;
}

uint64_t grid_scratch_bytes(unsigned seeds) {
  uint64_t most = 0;
  for (unsigned k = 0; k <= seeds; k++) {
    const uint64_t rows = row_count(k), longest = row_count(seeds) + 64;
    const uint64_t columns = begin_columns((uint32_t)rows, (uint32_t)open_row_count(seeds - k));
    const uint64_t begin = 2 * columns * rows + 4 * rows + 2 * longest + 1024;
    const uint64_t changed = longest * 5 + (ROW_PITS + 1) * rows * 4 + rows + 1024;
    if (begin > most) most = begin;
    if (changed > most) most = changed;
  }
  return most;
}

/* Takes in children whose value for their mover fell: their parents' bounds rise. */
static void raise_origins(grid_changed *changed, const int8_t *children, size_t n, const uint32_t *origin) {
  int8_t *bounds = changed->bounds[PLANE_LOWER];
  for (size_t i = 0; i < n; i++) {
    const uint32_t o = changed->children[i], a = origin[o];
    const int8_t value = (int8_t)-cell_load(&children[o]), bound = bounds[a];
    const bool better = value > bound;
    bounds[a] = better ? value : bound;
    changed->touched[changed->touched_n] = a;
    changed->touched_n += better;
  }
}

static void raise_origins_of_laps(grid_changed *changed, const int8_t *children, size_t n,
                                  const sowing_origins *laps) {
  for (size_t i = 0; i < n; i++) {
    const uint32_t o = changed->children[i];
    const int8_t value = (int8_t)-cell_load(&children[o]);
    for (uint32_t j = laps->first[o]; j < laps->first[o + 1]; j++) {
      const uint32_t a = laps->rows[j];
      if (value <= changed->bounds[PLANE_LOWER][a]) continue;
      changed->bounds[PLANE_LOWER][a] = value;
      changed->touched[changed->touched_n++] = a;
    }
  }
}

static uint64_t store_risen(const grid_row *row, const grid_changed *changed) {
  const int8_t *risen = changed->bounds[PLANE_LOWER];
  int8_t *cells = row->state->own[PLANE_LOWER] + row->column;
  for (size_t i = 0; i < changed->touched_n; i++) {
    const uint32_t a = changed->touched[i];
    cell_store(&cells[a * row->width], risen[a]);
    grid_mirror(row, PLANE_LOWER, a, &risen[a], 1);
    grid_announce(row, CHANGED_RISEN, a);
  }
  return changed->touched_n;
}

static uint64_t raise_row(const grid_row *row, void *scratch) {
  const game_grid_state *state = row->state;
  grid_changed changed = grid_carve_changed(row, scratch, INT8_MAX);
  for (uint64_t left = row->quiet; left;) {
    const unsigned p = grid_take_pattern(&left);
    const size_t n = grid_gather(row, p, CHANGED_FALLEN, changed.children);
    if (n == 0) continue;
    const int8_t *children = state->cells[state->planes - 1] + grid_child_row(row, p);
    const uint32_t *origins[ROW_PITS];
    const unsigned lists = grid_origin_lists(row, p, origins);
    for (unsigned i = 0; i < lists; i++) raise_origins(&changed, children, n, origins[i]);
    if (lists == 0) raise_origins_of_laps(&changed, children, n, &row->own->laps[p]);
  }
  return store_risen(row, &changed);
}

/* Takes in children that can force more: their parents are doubtful. */
static void doubt_origins(grid_changed *changed, size_t n, const uint32_t *origin) {
  for (size_t i = 0; i < n; i++) changed->marked[origin[changed->children[i]]] = 1;
}

static void doubt_origins_of_laps(grid_changed *changed, size_t n, const sowing_origins *laps) {
  for (size_t i = 0; i < n; i++) {
    const uint32_t o = changed->children[i];
    for (uint32_t j = laps->first[o]; j < laps->first[o + 1]; j++) changed->marked[laps->rows[j]] = 1;
  }
}

/* Where the cells of the children by each pattern stand; cells that no move prefers for patterns
 * that are not quiet. */
static void find_children(const grid_row *row, int plane, const int8_t *children[SOWING_PATTERNS]) {
  for (unsigned p = 0; p < row->own->patterns; p++) {
    children[p] =
        grid_is_quiet(row, p) ? row->state->cells[plane] + grid_child_row(row, p) : row->tables->never;
  }
  children[SOWING_NO_MOVE] = row->tables->never;
}

/* Evaluates the doubtful boards with all their moves and keeps those against which something is forced
 * (best < limit), for the cells to be compared. */
static void evaluate_again(const grid_row *row, const int8_t *bounds, int limit, grid_changed *changed) {
  const int8_t *children[SOWING_PATTERNS];
  find_children(row, PLANE_LOWER, children);
  const int8_t *cells = row->state->own[row->state->planes - 1] + row->column;
  size_t kept = 0;
  for (size_t i = 0; i < changed->doubtful_n; i++) {
    const uint32_t a = changed->doubtful[i];
    const uint32_t *moves = &row->own->moves[(size_t)a * ROW_PITS];
    int8_t best = bounds[a];
    for (int pit = 0; pit < ROW_PITS; pit++) {
      const int8_t value = (int8_t)-cell_load(&children[moves[pit] & 63][moves[pit] >> 6]);
      best = value > best ? value : best;
    }
    changed->doubtful[kept] = a;
    changed->best[kept] = best;
    __builtin_prefetch(&cells[a * row->width], 1);
    kept += best < limit;
  }
  changed->doubtful_n = kept;
}

static uint64_t store_fallen(const grid_row *row, const grid_changed *changed) {
  int8_t *cells = row->state->own[row->state->planes - 1] + row->column;
  uint64_t n_changed = 0;
  for (size_t i = 0; i < changed->doubtful_n; i++) {
    const uint32_t a = changed->doubtful[i];
    int8_t *cell = &cells[a * row->width];
    if (changed->best[i] >= *cell) continue;
    cell_store(cell, changed->best[i]);
    grid_mirror(row, row->state->planes - 1, a, &changed->best[i], 1);
    grid_announce(row, CHANGED_FALLEN, a);
    n_changed++;
  }
  return n_changed;
}

static uint64_t doubt_row(const grid_row *row, void *scratch) {
  const game_grid_state *state = row->state;
  const bool scores = state->planes == 1;
  grid_changed changed = grid_carve_changed(row, scratch, INT8_MAX);
  for (uint64_t left = row->quiet; left;) {
    const unsigned p = grid_take_pattern(&left);
    const size_t n = grid_gather(row, p, CHANGED_RISEN, changed.children);
    if (n == 0) continue;
    const uint32_t *origins[ROW_PITS];
    const unsigned lists = grid_origin_lists(row, p, origins);
    for (unsigned i = 0; i < lists; i++) doubt_origins(&changed, n, origins[i]);
    if (lists == 0) doubt_origins_of_laps(&changed, n, &row->own->laps[p]);
  }
  /* A score cannot become negative while a capture has the value 0 or more. */
  const int8_t *bounds = changed.bounds[state->planes - 1];
  changed.doubtful_n =
      grid_list_marked(changed.marked, scores ? bounds : NULL, row->own->rows, changed.doubtful);
  if (changed.doubtful_n == 0) return 0;
  evaluate_again(row, bounds, scores ? 0 : (int)row->seeds, &changed);
  return store_fallen(row, &changed);
}

typedef uint64_t row_work(const grid_row *row, void *scratch);

static void relax_tile(const void *tables, const game_grid_state *state, uint64_t tile_number,
                       int changed_plane, row_work *work, void *scratch, uint64_t *n_changed) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  if (tile.k == 0) return;
  grid_row row = grid_open_row(tables, state, &tile, tile.from);
  for (uint32_t z = tile.from; z < tile.to; z++) {
    grid_go_to_row(&row, z);
    if (grid_has_changed(&row, changed_plane)) *n_changed += work(&row, scratch);
  }
}

tauler_error grid_relax_lower(const void *tables, game_grid_state *state, uint64_t tile, void *scratch,
                              uint64_t *n_changed) {
  relax_tile(tables, state, tile, CHANGED_FALLEN, raise_row, scratch, n_changed);
  return TAULER_OK;
}

tauler_error grid_relax_upper(const void *tables, game_grid_state *state, uint64_t tile, void *scratch,
                              uint64_t *n_changed) {
  relax_tile(tables, state, tile, CHANGED_RISEN, doubt_row, scratch, n_changed);
  return TAULER_OK;
}

/* Sets the first bounds and cells, with one dense pass over the quiet moves. */
static tauler_error begin_row(const grid_row *row, int8_t *best[GRID_PLANES], const grid_conversions *spare) {
  const game_grid_state *state = row->state;
  const uint32_t rows = row->own->rows;
  const grid_conversions out = {{best[0], best[1]}, spare->settled, spare->spare};
  const tauler_error error = grid_convert(row, &out);
  if (error) return error;
  for (int plane = 0; plane < GRID_PLANES && plane < state->planes; plane++) {
    int8_t *bounds = state->bounds[plane] + row->bounds;
    memcpy(bounds, best[plane], rows);
    grid_relax_densely(row, state->planes - 1 - plane, best[plane]);
  }
  int8_t *lower = state->bounds[PLANE_LOWER] + row->bounds;
  for (uint32_t a = 0; a < rows; a++) {
    if (state->planes == 2 || best[0][a] > 0) lower[a] = best[0][a];
  }
  return TAULER_OK;
}

/* As grid_announce, for many columns from this row's on, of which the first is a multiple of eight. */
static void announce_columns(const grid_row *row, int plane, uint32_t a, uint64_t bits) {
  if (!bits) return;
  uint8_t *next_changed = row->state->next_changed[plane] + row->next_changed + a * row->next_changed_width;
  for (; bits; bits >>= 8) *next_changed++ |= (uint8_t)bits;
  const uint64_t block = row->tables->slices[row->seeds].blocks[row->k] + a;
  __atomic_store_n(&row->state->next_dirty[plane][block], 1, __ATOMIC_RELAXED);
}

/* A lower bound never falls, an upper one never rises: what the cell held before may be better. */
static int8_t keep_better(const game_grid_state *state, int plane, int8_t before, int8_t value,
                          int8_t *lower) {
  if (state->planes == 1) return value;
  if (plane == PLANE_UPPER) return value < before ? value : before;
  if (value < before) *lower = before;
  return value < before ? before : value;
}

/* Writes columns [from, to) of the tile, held row by row in `best`, into the cells. */
static void transpose_into_cells(const sowing_tables *tables, const game_grid_state *state,
                                 const grid_tile *tile, uint32_t from, uint32_t to, int plane,
                                 const int8_t *best) {
  const uint32_t rows = tables->rows[tile->k].rows;
  const grid_row first = grid_open_row(tables, state, tile, from);
  int8_t *cells = state->own[plane] + first.column;
  int8_t *lower = state->bounds[PLANE_LOWER] + first.bounds;
  for (uint32_t a = 0; a < rows; a++, cells += first.width) {
    uint64_t risen = 0, fallen = 0;
    for (uint32_t i = 0; i < to - from; i++) {
      const int8_t before = cells[i], value = keep_better(state, plane, before, best[(size_t)i * rows + a],
                                                          &lower[(size_t)i * (rows + 1) + a]);
      cell_store(&cells[i], value);
      risen |= (uint64_t)(value > before) << i;
      fallen |= (uint64_t)(value < before) << i;
    }
    grid_mirror(&first, plane, a, cells, to - from);
    announce_columns(&first, CHANGED_RISEN, a, risen);
    announce_columns(&first, CHANGED_FALLEN, a, fallen);
  }
}

tauler_error grid_begin(const void *tables_given, game_grid_state *state, uint64_t tile_number, void *scratch,
                        uint64_t *n_changed) {
  const sowing_tables *tables = tables_given;
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  const uint32_t rows = tables->rows[tile.k].rows, columns = begin_columns(rows, tile.to - tile.from);
  int8_t *space = grid_working_space(tables, tile.seeds, scratch);
  int8_t *buffers[GRID_PLANES] = {space, space + (size_t)columns * rows};
  const grid_conversions spare = {{NULL, NULL},
                                  (uint8_t *)buffers[1] + (size_t)columns * rows,
                                  buffers[1] + (size_t)columns * rows + rows};
  grid_row row = grid_open_row(tables, state, &tile, tile.from);
  for (uint32_t from = tile.from; from < tile.to; from += columns) {
    const uint32_t to = from + columns < tile.to ? from + columns : tile.to;
    for (uint32_t z = from; z < to; z++) {
      grid_go_to_row(&row, z);
      int8_t *best[GRID_PLANES] = {buffers[0] + (size_t)(z - from) * rows,
                                   buffers[1] + (size_t)(z - from) * rows};
      const tauler_error error = begin_row(&row, best, &spare);
      if (error) return error;
    }
    for (int plane = 0; plane < GRID_PLANES && plane < state->planes; plane++) {
      transpose_into_cells(tables, state, &tile, from, to, plane, buffers[plane]);
    }
    *n_changed += (uint64_t)(to - from) * rows;
  }
  return TAULER_OK;
}
