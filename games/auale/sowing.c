/* Makes the tables of sowing for the grid kernels of aualé. */
#include "games/auale/sowing.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

void sowing_lay_out(unsigned seeds, sowing_slice *slice) {
  uint64_t first = 0, bounds = 0, changed = 0, blocks = 0, tiles = 0;
  for (unsigned k = 0; k <= seeds + 1; k++) {
    slice->first[k] = first;
    slice->bounds[k] = bounds;
    slice->changed[k] = changed;
    slice->blocks[k] = blocks;
    slice->tiles[k] = tiles;
    if (k > seeds) break;
    const uint64_t width = open_row_count(seeds - k);
    first += row_count(k) * width;
    bounds += (row_count(k) + 1) * width;
    changed += row_count(k) * sowing_changed_width(width);
    blocks += row_count(k);
    tiles += (width + SOWING_TILE - 1) / SOWING_TILE;
  }
}

/* Sows an own pit. Returns the pattern of the move. */
static unsigned sow_own_row(uint8_t row[ROW_PITS], unsigned pit) {
  auale_board board = {{0}};
  memcpy(board.pits, row, ROW_PITS);
  const bool last_lands = auale_sow(&board, (int)pit) >= ROW_PITS;
  memcpy(row, board.pits, ROW_PITS);
  return 2 * row_seeds(board.pits + ROW_PITS) + last_lands;
}

static void list_rows(arena *a, sowing_rows *rows, unsigned seeds) {
  rows->rows = (uint32_t)row_count(seeds);
  rows->open_rows = (uint32_t)open_row_count(seeds);
  rows->pits = arena_allocate(a, rows->rows, sizeof *rows->pits);
  rows->open = arena_allocate(a, rows->open_rows, sizeof *rows->open);
  rows->open_rank = arena_allocate(a, rows->rows, sizeof *rows->open_rank);
  if (a->error) return;
  uint8_t row[ROW_PITS];
  row_unrank(seeds, 0, row);
  uint32_t open = 0;
  for (uint32_t rank = 0; rank < rows->rows; rank++) {
    memcpy(rows->pits[rank], row, ROW_PITS);
    rows->open_rank[rank] = UINT32_MAX;
    if (row_is_open(row)) {
      rows->open_rank[rank] = open;
      rows->open[open++] = rank;
    }
    row_next(row);
  }
}

static void list_landings(arena *a, sowing_rows *rows, unsigned seeds, unsigned most) {
  const unsigned width = most - seeds + 1;
  rows->landed = arena_allocate(a, (uint64_t)rows->open_rows * width, sizeof *rows->landed);
  for (uint32_t open = 0; open < rows->open_rows && !a->error; open++) {
    uint8_t row[ROW_PITS];
    memcpy(row, rows->pits[rows->open[open]], ROW_PITS);
    for (unsigned u = 0; u < width; u++) {
      rows->landed[(size_t)open * width + u] = (uint32_t)row_rank(row);
      row[u % ROW_PITS]++;
    }
  }
}

static void list_moves(sowing_tables *tables, unsigned seeds) {
  arena *a = &tables->arrays;
  sowing_rows *rows = &tables->rows[seeds];
  rows->moves = arena_allocate(a, (uint64_t)rows->rows * ROW_PITS, sizeof *rows->moves);
  for (uint32_t rank = 0; rank < rows->rows && !a->error; rank++) {
    for (unsigned pit = 0; pit < ROW_PITS; pit++) {
      uint32_t *move = &rows->moves[(size_t)rank * ROW_PITS + pit];
      *move = SOWING_NO_MOVE;
      if (rows->pits[rank][pit] == 0) continue;
      uint8_t after[ROW_PITS];
      memcpy(after, rows->pits[rank], ROW_PITS);
      const unsigned pattern = sow_own_row(after, pit);
      const sowing_rows *left = &tables->rows[seeds - sowing_landing(pattern)];
      assert(left->open_rank); /* rows with fewer seeds are listed already */
      *move = left->open_rank[row_rank(after)] << 6 | pattern;
      rows->by_pattern_n[pattern]++;
      rows->patterns_in_use |= UINT64_C(1) << pattern;
      if (pattern >= rows->patterns) rows->patterns = pattern + 1;
    }
  }
  for (unsigned p = 0; p < rows->patterns; p++) {
    rows->by_pattern[p] = arena_allocate(a, rows->by_pattern_n[p], sizeof *rows->by_pattern[p]);
    rows->by_pattern_n[p] = 0;
  }
  for (unsigned pit = 0; pit < ROW_PITS && !a->error; pit++) {
    for (uint32_t rank = 0; rank < rows->rows; rank++) {
      const uint32_t move = rows->moves[(size_t)rank * ROW_PITS + pit], p = move & 63;
      if (p == SOWING_NO_MOVE) continue;
      rows->by_pattern[p][rows->by_pattern_n[p]++] = (sowing_move){rank, move >> 6};
    }
  }
}

/* Returns the rank of the row before a move inside the own row that ends in pit `end`, or the number of rows
 * if there is none. The move began in the last empty pit before `end`. */
static uint32_t row_before_inside(const sowing_rows *rows, const uint8_t after[ROW_PITS], int end) {
  if (after[end] == 0) return rows->rows;
  int pit = end - 1;
  while (pit >= 0 && after[pit] != 0) pit--;
  if (pit < 0) return rows->rows;
  uint8_t row[ROW_PITS];
  memcpy(row, after, ROW_PITS);
  row[pit] = (uint8_t)(end - pit);
  for (int i = pit + 1; i <= end; i++) row[i]--;
  return (uint32_t)row_rank(row);
}

static void list_moves_backwards(sowing_tables *tables, unsigned seeds) {
  arena *a = &tables->arrays;
  sowing_rows *left = &tables->rows[seeds];
  for (int end = 1; end < ROW_PITS; end++) {
    uint32_t *within = left->within[end - 1] = arena_allocate(a, left->open_rows, sizeof *within);
    for (uint32_t o = 0; o < left->open_rows && !a->error; o++) {
      within[o] = row_before_inside(left, left->pits[left->open[o]], end);
    }
  }
  for (unsigned u = 1; u <= ROW_PITS && seeds + u <= tables->seeds; u++) {
    uint32_t *beyond = left->beyond[u] = arena_allocate(a, left->open_rows, sizeof *beyond);
    if (a->error) return;
    const sowing_rows *before = &tables->rows[seeds + u];
    for (uint32_t o = 0; o < left->open_rows; o++) beyond[o] = before->rows;
    const unsigned p = 2 * u + 1;
    for (uint32_t i = 0; i < before->by_pattern_n[p]; i++) {
      beyond[before->by_pattern[p][i].after] = before->by_pattern[p][i].row;
    }
  }
}

static bool is_listed_directly(unsigned pattern) {
  return pattern == 0 || (sowing_last_lands(pattern) && sowing_landing(pattern) <= ROW_PITS);
}

static void list_laps(sowing_tables *tables, unsigned seeds) {
  arena *a = &tables->arrays;
  sowing_rows *before = &tables->rows[seeds];
  for (unsigned p = 0; p < before->patterns; p++) {
    const uint32_t n = before->by_pattern_n[p];
    if (n == 0 || is_listed_directly(p)) continue;
    const uint32_t afters = tables->rows[seeds - sowing_landing(p)].open_rows;
    sowing_origins *laps = &before->laps[p];
    laps->first = arena_allocate(a, (uint64_t)afters + 2, sizeof *laps->first);
    laps->rows = arena_allocate(a, n, sizeof *laps->rows);
    if (a->error) return;
    memset(laps->first, 0, ((size_t)afters + 2) * sizeof *laps->first);
    /* Rows before moves to open rank o are counted in first[o + 2] and filled in at first[o + 1], which
     * rises. In the end they are rows[first[o]] … rows[first[o + 1] − 1]. */
    const sowing_move *moves = before->by_pattern[p];
    for (uint32_t i = 0; i < n; i++) laps->first[moves[i].after + 2]++;
    for (uint32_t o = 2; o < afters + 2; o++) laps->first[o] += laps->first[o - 1];
    for (uint32_t i = 0; i < n; i++) laps->rows[laps->first[moves[i].after + 1]++] = moves[i].row;
  }
}

unsigned sowing_apply_pattern(auale_grand_slam rule, unsigned pattern, uint8_t row[ROW_PITS]) {
  const unsigned u = sowing_landing(pattern);
  for (unsigned i = 0; i < ROW_PITS; i++) row[i] = (uint8_t)(row[i] + u / ROW_PITS + (i < u % ROW_PITS));
  if (!sowing_last_lands(pattern)) return 0;
  return auale_capture(rule, row, (int)sowing_last_pit(pattern));
}

static void list_quiet_patterns(sowing_tables *tables, unsigned seeds) {
  sowing_rows *rows = &tables->rows[seeds];
  rows->quiet = arena_allocate(&tables->arrays, rows->open_rows, sizeof *rows->quiet);
  for (uint32_t open = 0; open < rows->open_rows && !tables->arrays.error; open++) {
    uint64_t quiet = seeds > 0;
    for (unsigned u = 1; u <= tables->seeds - seeds && 2 * u + 1 < SOWING_NO_MOVE; u++) {
      quiet |= UINT64_C(1) << (2 * u);
      uint8_t row[ROW_PITS];
      memcpy(row, rows->pits[rows->open[open]], ROW_PITS);
      if (sowing_apply_pattern(tables->grand_slam, 2 * u + 1, row) == 0) quiet |= UINT64_C(2) << (2 * u);
    }
    rows->quiet[open] = quiet;
  }
}

/* Returns the bytes of by_pattern and laps for rows with `seeds` seeds. */
static uint64_t move_list_bytes(unsigned seeds) {
  bool has_runs[SOWING_PATTERNS] = {false};
  uint64_t bytes = 0;
  for (unsigned pit = 0; pit < ROW_PITS; pit++) {
    for (unsigned hand = 1; hand <= seeds; hand++) {
      uint8_t row[ROW_PITS] = {0};
      row[pit] = (uint8_t)hand;
      const unsigned p = sow_own_row(row, pit);
      const uint64_t moves = binomial(seeds - hand + ROW_PITS - 2, ROW_PITS - 2);
      bytes += moves * sizeof(sowing_move);
      if (is_listed_directly(p)) continue;
      bytes += moves * sizeof(uint32_t);
      if (!has_runs[p]) bytes += (open_row_count(seeds - sowing_landing(p)) + 2) * sizeof(uint32_t);
      has_runs[p] = true;
    }
  }
  return bytes;
}

uint64_t sowing_prepared_bytes(const game_rules *rules, uint32_t seeds) {
  uint64_t bytes = sizeof(sowing_tables) + row_count(seeds) + 1;
  for (unsigned k = 0; k <= seeds; k++) {
    const uint64_t rows = row_count(k), open = open_row_count(k);
    const unsigned beyond = seeds - k < ROW_PITS ? seeds - k : ROW_PITS;
    bytes += rows * (ROW_PITS + 4 + 4 * ROW_PITS) + open * (8 + 4 * (ROW_PITS + beyond + seeds - k + 1)) +
             move_list_bytes(k);
  }
  return bytes;
}

tauler_error sowing_prepare(const game_rules *rules, uint32_t seeds, void **out) {
  sowing_tables *tables = *out = calloc(1, sizeof *tables);
  if (!tables) return TAULER_NO_MEMORY;
  arena *a = &tables->arrays;
  arena_open(a, NULL, "tables of sowing");
  tables->seeds = seeds;
  tables->grand_slam = rules->grand_slam;
  for (unsigned k = 0; k <= seeds && !a->error; k++) {
    sowing_lay_out(k, &tables->slices[k]);
    list_rows(a, &tables->rows[k], k);
    list_landings(a, &tables->rows[k], k, seeds);
    list_moves(tables, k);
  }
  for (unsigned k = 0; k <= seeds && !a->error; k++) {
    list_quiet_patterns(tables, k);
    list_moves_backwards(tables, k);
    list_laps(tables, k);
  }
  const size_t longest = (size_t)row_count(seeds) + 1;
  tables->never = arena_allocate(a, longest, 1);
  if (a->error) {
    sowing_release(tables);
    *out = NULL;
    return TAULER_NO_MEMORY;
  }
  memset(tables->never, INT8_MAX, longest);
  return TAULER_OK;
}

void sowing_release(void *of) {
  sowing_tables *tables = of;
  if (tables) arena_close(&tables->arrays);
  free(tables);
}
