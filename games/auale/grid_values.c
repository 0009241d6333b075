/* Values of a slice, tile by tile: first what captures are worth and one dense look at quiet moves,
 * then rounds in which each row of boards (z, ·) takes in what changed in the free rows that its
 * moves lead to. A child that is lost for its mover raises its parents at once; one that is won
 * makes them doubtful, and a doubtful board is looked at again with all its quiet moves. */
#include "games/auale/grid.h"

enum { BEGIN_BUFFER = 1 << 18 };

/* So many columns at a time that the rows under work stay in the second-level cache. */
static uint32_t begin_columns(uint32_t rows, uint32_t width) {
  uint32_t columns = SOWING_TILE;
  while (columns > 8 && columns * rows > BEGIN_BUFFER) columns /= 2;
  return columns < width ? columns : width;
}

static uint64_t news_bytes(uint64_t rows, uint64_t width) {
  return width * 8 + (ROW_PITS + 1) * rows * 4 + rows + 2 * (rows + 64) + (rows / 64 + 1) * 8 + 1024;
}

uint64_t grid_scratch_bytes(unsigned seeds) {
  uint64_t most = 0;
  for (unsigned k = 0; k <= seeds; k++) {
    const uint64_t rows = row_count(k), longest = row_count(seeds) + 64;
    const uint64_t columns = begin_columns((uint32_t)rows, (uint32_t)open_row_count(seeds - k));
    const uint64_t begin = 2 * columns * rows + 4 * rows + longest + 1024;
    const uint64_t news = news_bytes(rows, longest);
    if (begin > most) most = begin;
    if (news > most) most = news;
  }
  return most;
}

static inline int8_t *carve(char **at, uint64_t bytes) {
  char *here = *at;
  *at += (bytes + 63) / 64 * 64;
  return (int8_t *)here;
}

grid_news grid_carve_news(const grid_row *row, void *scratch) {
  char *at = scratch;
  const uint64_t rows = row->own->rows, longest = row->tables->rows[row->seeds].rows;
  grid_news news = {0};
  news.marked = (uint64_t *)(void *)carve(&at, (rows / 64 + 1) * 8);
  news.lost = (uint32_t *)(void *)carve(&at, longest * 4);
  news.won = (uint32_t *)(void *)carve(&at, longest * 4);
  news.raised = (uint32_t *)(void *)carve(&at, ROW_PITS * rows * 4);
  news.doubtful = (uint32_t *)(void *)carve(&at, rows * 4);
  news.best = carve(&at, rows);
  news.bounds[0] = carve(&at, rows + 1);
  news.bounds[1] = carve(&at, rows + 1);
  memset(news.marked, 0, (rows / 64 + 1) * 8);
  return news;
}

static size_t list_bits(const uint64_t *words, uint64_t n, uint32_t *out) {
  size_t used = 0;
  for (uint64_t w = 0; w < n; w++) {
    for (uint64_t word = words[w]; word; word &= word - 1) {
      out[used++] = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(word);
    }
  }
  return used;
}

void grid_gather(const grid_row *row, unsigned pattern, grid_news *news) {
  const game_grid_state *state = row->state;
  const sowing_slice *layout = &row->tables->slices[row->seeds];
  const unsigned u = sowing_landing(pattern), m = row->z_seeds + u;
  const uint64_t block = layout->blocks[m] + row->landed[u];
  const uint64_t words = (row->tables->rows[row->k - u].open_rows + SOWING_TILE - 1) / SOWING_TILE;
  const uint64_t first = layout->news[m] + row->landed[u] * words;
  news->lost_n = news->won_n = 0;
  if (state->planes == 2) {
    if (state->stirred[PLANE_UPPER][block]) {
      news->lost_n = list_bits(state->news[PLANE_UPPER] + first, words, news->lost);
    }
    if (state->stirred[PLANE_LOWER][block]) {
      news->won_n = list_bits(state->news[PLANE_LOWER] + first, words, news->won);
    }
    return;
  }
  if (!state->stirred[PLANE_SCORE][block]) return;
  const int8_t *cells = state->cells[PLANE_SCORE] + grid_child_row(row, pattern);
  const size_t n = list_bits(state->news[PLANE_SCORE] + first, words, news->won);
  for (size_t i = 0; i < n; i++) {
    const uint32_t o = news->won[i];
    const int8_t score = cell_load(&cells[o]);
    news->lost[news->lost_n] = o;
    news->lost_n += score < 0;
    news->won[news->won_n] = o;
    news->won_n += score > 0;
  }
}

static void raise_origins(grid_news *news, const int8_t *children, const uint32_t *origin) {
  int8_t *bounds = news->bounds[PLANE_LOWER];
  for (size_t i = 0; i < news->lost_n; i++) {
    const uint32_t o = news->lost[i], a = origin[o];
    const int8_t worth = (int8_t)-cell_load(&children[o]), bound = bounds[a];
    const bool better = worth > bound;
    bounds[a] = better ? worth : bound;
    news->raised[news->raised_n] = a;
    news->raised_n += better;
  }
}

/* Boards whose upper bound cannot fall (best capture ≥ limit) are not doubted. */
static void doubt_origins(grid_news *news, const int8_t *bounds, int limit, const uint32_t *origin) {
  for (size_t i = 0; i < news->won_n; i++) {
    const uint32_t a = origin[news->won[i]];
    const uint64_t word = news->marked[a / 64];
    const bool fresh = (bounds[a] < limit) & !(word >> (a % 64) & 1);
    news->marked[a / 64] = word | (uint64_t)fresh << (a % 64);
    news->doubtful[news->doubtful_n] = a;
    news->doubtful_n += fresh;
  }
}

static void follow_laps(const grid_row *row, unsigned pattern, grid_news *news, const int8_t *lost_children,
                        const int8_t *doubt_bounds, int limit) {
  const sowing_origins *laps = &row->own->laps[pattern];
  for (size_t i = 0; i < news->lost_n; i++) {
    const uint32_t o = news->lost[i];
    const int8_t worth = (int8_t)-cell_load(&lost_children[o]);
    for (uint32_t j = laps->first[o]; j < laps->first[o + 1]; j++) {
      const uint32_t a = laps->rows[j];
      if (worth <= news->bounds[PLANE_LOWER][a]) continue;
      news->bounds[PLANE_LOWER][a] = worth;
      news->raised[news->raised_n++] = a;
    }
  }
  for (size_t i = 0; i < news->won_n; i++) {
    const uint32_t o = news->won[i];
    for (uint32_t j = laps->first[o]; j < laps->first[o + 1]; j++) {
      const uint32_t a = laps->rows[j];
      if (doubt_bounds[a] >= limit || (news->marked[a / 64] >> (a % 64) & 1)) continue;
      news->marked[a / 64] |= UINT64_C(1) << (a % 64);
      news->doubtful[news->doubtful_n++] = a;
    }
  }
}

/* Where the cells of the children by each pattern stand; a row of cells that no move prefers for
 * patterns that are not quiet. */
static void find_children(const grid_row *row, int plane, const int8_t *children[SOWING_PATTERNS]) {
  for (unsigned p = 0; p < row->own->patterns; p++) {
    children[p] = grid_is_quiet(row, p) ? row->state->cells[plane] + grid_child_row(row, p) : row->tables->never;
  }
  children[SOWING_NO_MOVE] = row->tables->never;
}

static void look_again(const grid_row *row, grid_news *news, const int8_t *bounds,
                       const int8_t *const children[SOWING_PATTERNS]) {
  for (size_t i = 0; i < news->doubtful_n; i++) {
    const uint32_t a = news->doubtful[i];
    const uint32_t *moves = &row->own->moves[(size_t)a * ROW_PITS];
    int8_t best = bounds[a];
    for (int pit = 0; pit < ROW_PITS; pit++) {
      const int8_t worth = (int8_t)-cell_load(&children[moves[pit] & 63][moves[pit] >> 6]);
      best = worth > best ? worth : best;
    }
    news->best[i] = best;
    news->marked[a / 64] = 0;
  }
}

static uint64_t store_scores(const grid_row *row, const grid_news *news, int8_t *bounds) {
  int8_t *cells = row->state->cells[PLANE_SCORE] + row->column;
  uint64_t changed = 0;
  for (size_t i = 0; i < news->raised_n; i++) {
    const uint32_t a = news->raised[i];
    bounds[a] = news->bounds[PLANE_LOWER][a];
    cell_store(&cells[a * row->width], bounds[a]);
    grid_announce(row, PLANE_SCORE, a);
    changed++;
  }
  for (size_t i = 0; i < news->doubtful_n; i++) {
    const uint32_t a = news->doubtful[i];
    int8_t *cell = &cells[a * row->width];
    if (news->best[i] >= 0 || news->best[i] == *cell) continue;
    cell_store(cell, news->best[i]);
    grid_announce(row, PLANE_SCORE, a);
    changed++;
  }
  return changed;
}

static uint64_t store_guarantees(const grid_row *row, const grid_news *news, int8_t *lower) {
  int8_t *lower_cells = row->state->cells[PLANE_LOWER] + row->column;
  int8_t *upper_cells = row->state->cells[PLANE_UPPER] + row->column;
  uint64_t changed = 0;
  for (size_t i = 0; i < news->raised_n; i++) {
    const uint32_t a = news->raised[i];
    lower[a] = news->bounds[PLANE_LOWER][a];
    cell_store(&lower_cells[a * row->width], lower[a]);
    grid_announce(row, PLANE_LOWER, a);
    changed++;
  }
  for (size_t i = 0; i < news->doubtful_n; i++) {
    const uint32_t a = news->doubtful[i];
    int8_t *cell = &upper_cells[a * row->width];
    if (news->best[i] >= *cell) continue;
    cell_store(cell, news->best[i]);
    grid_announce(row, PLANE_UPPER, a);
    changed++;
  }
  return changed;
}

static uint64_t relax_row(const grid_row *row, void *scratch) {
  const game_grid_state *state = row->state;
  const bool scores = state->planes == 1;
  const uint32_t rows = row->own->rows;
  grid_news news = grid_carve_news(row, scratch);
  /* One more cell behind the copy, the origin of moves that do not exist: nothing can better it. */
  for (int plane = 0; plane < state->planes; plane++) {
    memcpy(news.bounds[plane], state->bounds[plane] + row->bounds, rows);
    news.bounds[plane][rows] = INT8_MAX;
  }
  const int8_t *doubt_bounds = news.bounds[state->planes - 1];
  const int limit = scores ? 0 : (int)row->seeds;
  for (unsigned p = 0; p < row->own->patterns; p++) {
    if (!grid_is_quiet(row, p)) continue;
    grid_gather(row, p, &news);
    if (news.lost_n + news.won_n == 0) continue;
    const int8_t *children = state->cells[state->planes - 1] + grid_child_row(row, p);
    const uint32_t *origins[ROW_PITS];
    const unsigned lists = grid_origin_lists(row, p, origins);
    if (lists == 0) follow_laps(row, p, &news, children, doubt_bounds, limit);
    for (unsigned i = 0; i < lists; i++) {
      raise_origins(&news, children, origins[i]);
      doubt_origins(&news, doubt_bounds, limit, origins[i]);
    }
  }
  if (news.doubtful_n) {
    const int8_t *children[SOWING_PATTERNS];
    find_children(row, PLANE_LOWER, children);
    look_again(row, &news, doubt_bounds, children);
  }
  int8_t *bounds = state->bounds[PLANE_LOWER] + row->bounds;
  return scores ? store_scores(row, &news, bounds) : store_guarantees(row, &news, bounds);
}

tauler_error grid_relax(const void *tables, game_grid_state *state, uint64_t tile_number, void *scratch,
                        uint64_t *changed) {
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  if (tile.k == 0) return TAULER_OK;
  for (uint32_t z = tile.from; z < tile.to; z++) {
    const grid_row row = grid_open_row(tables, state, &tile, z);
    if (grid_has_news(&row)) *changed += relax_row(&row, scratch);
  }
  return TAULER_OK;
}

/* What bounds and cells start from, with one dense look at the quiet moves. */
static tauler_error begin_row(const grid_row *row, int8_t *best[GRID_PLANES], const grid_conversions *spare) {
  const game_grid_state *state = row->state;
  const uint32_t rows = row->own->rows;
  const grid_conversions out = {{best[0], best[1]}, spare->settled, spare->spare};
  const tauler_error error = grid_convert(row, &out);
  if (error) return error;
  for (int plane = 0; plane < state->planes; plane++) {
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

/* Writes columns [from, to) of the tile, held row by row in `best`, into the cells. */
static uint64_t transpose_into_cells(const sowing_tables *tables, const game_grid_state *state,
                                     const grid_tile *tile, uint32_t from, uint32_t to, int plane,
                                     const int8_t *best) {
  const uint32_t rows = tables->rows[tile->k].rows;
  const grid_row first = grid_open_row(tables, state, tile, from);
  int8_t *cells = state->cells[plane] + first.column;
  uint64_t changed = 0;
  for (uint32_t a = 0; a < rows; a++, cells += first.width) {
    uint64_t fresh = 0;
    for (uint32_t i = 0; i < to - from; i++) {
      const int8_t value = best[(size_t)i * rows + a];
      if (value == cells[i]) continue;
      cell_store(&cells[i], value);
      fresh |= first.bit << i;
      changed++;
    }
    if (!fresh) continue;
    state->fresh[plane][first.word + a * first.words] |= fresh;
    const uint64_t block = tables->slices[tile->seeds].blocks[tile->k] + a;
    __atomic_store_n(&state->stirring[plane][block], 1, __ATOMIC_RELAXED);
  }
  return changed;
}

tauler_error grid_begin(const void *tables_given, game_grid_state *state, uint64_t tile_number, void *scratch,
                        uint64_t *changed) {
  const sowing_tables *tables = tables_given;
  const grid_tile tile = grid_find_tile(tables, state->slice, tile_number);
  const uint32_t rows = tables->rows[tile.k].rows, columns = begin_columns(rows, tile.to - tile.from);
  int8_t *buffers[GRID_PLANES] = {scratch, (int8_t *)scratch + (size_t)columns * rows};
  const grid_conversions spare = {{NULL, NULL},
                                  (uint8_t *)buffers[1] + (size_t)columns * rows,
                                  buffers[1] + (size_t)columns * rows + rows};
  for (uint32_t from = tile.from; from < tile.to; from += columns) {
    const uint32_t to = from + columns < tile.to ? from + columns : tile.to;
    for (uint32_t z = from; z < to; z++) {
      const grid_row row = grid_open_row(tables, state, &tile, z);
      int8_t *best[GRID_PLANES] = {buffers[0] + (size_t)(z - from) * rows,
                                   buffers[1] + (size_t)(z - from) * rows};
      const tauler_error error = begin_row(&row, best, &spare);
      if (error) return error;
    }
    for (int plane = 0; plane < state->planes; plane++) {
      *changed += transpose_into_cells(tables, state, &tile, from, to, plane, buffers[plane]);
    }
  }
  return TAULER_OK;
}
