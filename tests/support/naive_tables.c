#include "tests/support/naive_tables.h"

#include "base/durable_file.h"
#include "databases/folder.h"
#include "databases/streams.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { NO_WORTH = -99, LONGEST_CYCLE = 64 };

static game_place place_of(const naive_tables *tables, const naive_board *board) {
  char text[64];
  game_position position;
  game_place place;
  if (tables->game->parse(tables->rules, naive_write(board, text), &position, NULL)) abort();
  if (!tables->game->locate(tables->rules, &position, &place)) abort();
  return place;
}

static void map_slice(naive_tables *tables, int seeds) {
  const naive_layer *layer = &tables->naive->layers[seeds];
  naive_slice *slice = &tables->slices[seeds];
  slice->positions = (int)tables->game->positions(tables->rules, (uint32_t)seeds);
  slice->rank = suite_zeros((uint64_t)slice->positions, sizeof *slice->rank);
  slice->index = suite_zeros((uint64_t)layer->count, sizeof *slice->index);
  for (int rank = 0; rank < layer->count; rank++) {
    slice->index[rank] = -1;
    if (!naive_is_table_board(&layer->boards[rank])) continue;
    slice->index[rank] = (int)place_of(tables, &layer->boards[rank]).index;
    slice->rank[slice->index[rank]] = rank;
  }
  for (int plane = 0; plane < tables->planes; plane++) {
    slice->plain[plane] = suite_zeros((uint64_t)slice->positions, 1);
    slice->stored[plane] = suite_zeros((uint64_t)slice->positions, 1);
    slice->plain_depths[plane] = suite_zeros((uint64_t)slice->positions, sizeof(uint16_t));
    slice->stored_depths[plane] = suite_zeros((uint64_t)slice->positions, sizeof(uint16_t));
  }
}

/* The value of the best moves, and its depth. */
typedef struct {
  int worth, least, greatest;
} look;

/* Returns the least (plane 0) or greatest worth of a board to its mover, if it may have been met: then each
 * takes its row. */
static int arrive(const naive_layer *layer, int rank, int plane, int value) {
  int net = -layer->seeds;
  for (int pit = 0; pit < 6; pit++) net += 2 * layer->boards[rank].pit[pit];
  return (plane == 0 ? net < value : net > value) ? net : value;
}

/* All moves of a board, or those that convert. The children's cells come from the other plane: what the
 * mover is sure of is what the opponent cannot exceed. */
static look look_at(const naive_tables *tables, int seeds, int index, int plane, bool all) {
  const naive_slice *slice = &tables->slices[seeds];
  const naive_layer *layer = &tables->naive->layers[seeds];
  const int rank = slice->rank[index], child_plane = tables->planes - 1 - plane;
  if (layer->ended[rank]) return (look){layer->net[rank], -1, -1};
  look best = {NO_WORTH, 0, 0};
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    const naive_edge edge = layer->edges[rank][e];
    if (!edge.captured && !all) continue;
    const naive_tables *from = edge.captured && tables->fallback ? tables->fallback : tables;
    const naive_slice *to = &from->slices[seeds - edge.captured];
    const int child = to->index[edge.child];
    int value = to->plain[child_plane][child];
    if (tables->fallback && !edge.captured) value = arrive(layer, edge.child, child_plane, value);
    const int worth = edge.captured - value;
    const int depth = edge.captured ? 0 : to->plain_depths[child_plane][child];
    if (worth > best.worth) best = (look){worth, depth, depth};
    if (worth == best.worth && depth < best.least) best.least = depth;
    if (worth == best.worth && depth > best.greatest) best.greatest = depth;
  }
  return best;
}

int naive_tables_best(const naive_tables *tables, int seeds, int index, int plane) {
  return look_at(tables, seeds, index, plane, true).worth;
}

static int depth_of(const naive_tables *tables, int seeds, int plane, look best) {
  const bool both = tables->planes == 2;
  const bool gains = both ? plane == 0 && best.worth > -seeds : best.worth > 0;
  const bool loses = both ? plane == 1 && best.worth < seeds : best.worth < 0;
  return gains ? 1 + best.least : loses ? 1 + best.greatest : 0;
}

static bool is_left_out(const naive_tables *tables, int seeds, int index) {
  uint8_t left_out;
  tables->game->left_out(tables->rules, (uint32_t)seeds, (uint64_t)index, 1, &left_out);
  return left_out;
}

void naive_tables_encode(naive_tables *tables, int seeds) {
  const naive_slice *slice = &tables->slices[seeds];
  for (int plane = 0; plane < tables->planes; plane++) {
    for (int i = 0; i < slice->positions; i++) {
      const bool left_out = is_left_out(tables, seeds, i);
      const int8_t value = slice->plain[plane][i];
      const bool implied = left_out || look_at(tables, seeds, i, plane, false).worth == value;
      slice->stored[plane][i] = implied ? NAIVE_RESERVED : value;
      slice->stored_depths[plane][i] = left_out ? UINT16_MAX : slice->plain_depths[plane][i];
    }
  }
}

static void decode_pass(naive_tables *tables, int seeds, bool left_out) {
  const naive_slice *slice = &tables->slices[seeds];
  for (int plane = 0; plane < tables->planes; plane++) {
    for (int i = 0; i < slice->positions; i++) {
      if (is_left_out(tables, seeds, i) != left_out) continue;
      const look best = look_at(tables, seeds, i, plane, left_out);
      const int8_t stored = slice->stored[plane][i];
      const uint16_t depth = slice->stored_depths[plane][i];
      slice->plain[plane][i] = stored == NAIVE_RESERVED ? (int8_t)best.worth : stored;
      slice->plain_depths[plane][i] =
          depth == UINT16_MAX ? (uint16_t)depth_of(tables, seeds, plane, best) : depth;
    }
  }
}

void naive_tables_decode(naive_tables *tables, int seeds) {
  decode_pass(tables, seeds, false);
  decode_pass(tables, seeds, true);
}

static uint16_t depth_cell_of(int depth) {
  return depth == NAIVE_NO_DEPTH ? 0 : (uint16_t)depth;
}

static void fill_scores(naive_tables *tables) {
  naive_forced *scores = naive_solve_even(tables->naive);
  for (int seeds = 0; seeds <= tables->max_seeds; seeds++) {
    const naive_slice *slice = &tables->slices[seeds];
    for (int i = 0; i < slice->positions; i++) {
      slice->plain[0][i] = (int8_t)scores[seeds].value[0][slice->rank[i]];
      slice->plain_depths[0][i] = depth_cell_of(scores[seeds].depth[0][slice->rank[i]]);
    }
  }
}

static naive_bounds *solve_bounds(const naive_tables *tables, const char *cycles) {
  if (strcmp(cycles, "forced") == 0) return naive_solve_forced(tables->naive);
  naive_bounds *fresh = naive_solve_own_row(tables->naive);
  if (strcmp(cycles, "own-row") == 0) return fresh;
  return naive_solve_own_row_any(tables->naive, fresh);
}

/* Under own-row and own-row-any nobody has depths. */
static void fill_bounds(naive_tables *tables) {
  const char *cycles = tables->game->cycles_text(tables->rules);
  const bool forced = strcmp(cycles, "forced") == 0;
  naive_bounds *bounds = solve_bounds(tables, cycles);
  for (int seeds = 0; seeds <= tables->max_seeds; seeds++) {
    const naive_slice *slice = &tables->slices[seeds];
    const naive_layer *layer = &tables->naive->layers[seeds];
    for (int i = 0; i < slice->positions; i++) {
      const int rank = slice->rank[i];
      slice->plain[0][i] = (int8_t)naive_lower(layer, bounds, rank);
      slice->plain[1][i] = (int8_t)naive_upper(layer, bounds, rank);
      if (!forced) continue;
      slice->plain_depths[0][i] = depth_cell_of(bounds[seeds].depth_lower[rank]);
      slice->plain_depths[1][i] = depth_cell_of(bounds[seeds].depth_upper[rank]);
    }
  }
}

void naive_tables_make_exact(naive_tables *tables) {
  naive_bounds *exact = naive_solve_own_row_search(tables->naive);
  tables->planes = 1;
  tables->all_stored = true;
  for (int seeds = 0; seeds <= tables->max_seeds; seeds++) {
    const naive_slice *slice = &tables->slices[seeds];
    for (int i = 0; i < slice->positions; i++)
      slice->plain[0][i] = slice->plain[1][i] = slice->stored[0][i] =
          (int8_t)naive_lower(&tables->naive->layers[seeds], exact, slice->rank[i]);
  }
}

static naive_rules naive_rules_of(const char *rules) {
  if (strcmp(rules, "abapa") == 0) return NAIVE_ABAPA;
  return strcmp(rules, "awari") == 0 ? NAIVE_AWARI : NAIVE_AWARI_CAPTURES;
}

naive_tables *naive_tables_new(const char *rules, const char *cycles, int max_seeds) {
  naive_tables *tables = suite_zeros(1, sizeof *tables);
  tables->game = game_find("auale");
  tables->rules = suite_rules(tables->game, rules, cycles);
  tables->naive = naive_game_new(naive_rules_of(rules), max_seeds);
  tables->max_seeds = max_seeds;
  tables->planes = tables->game->kind(tables->rules) == SOLVE_GUARANTEES ? 2 : 1;
  tables->slices = suite_zeros((uint64_t)max_seeds + 1, sizeof *tables->slices);
  for (int seeds = 0; seeds <= max_seeds; seeds++) map_slice(tables, seeds);
  if (tables->planes == 2) {
    fill_bounds(tables);
  } else {
    fill_scores(tables);
  }
  const char *beyond = tables->game->fallback_cycles(tables->rules);
  if (beyond) tables->fallback = naive_tables_new(rules, beyond, max_seeds);
  for (int seeds = 0; seeds <= max_seeds; seeds++) naive_tables_encode(tables, seeds);
  return tables;
}

/* --- values that agree with each other, and with nothing that ends --- */

/* The only child of a board whose one move is quiet, or -1. */
static int only_child(const naive_tables *tables, int seeds, int index) {
  const naive_slice *slice = &tables->slices[seeds];
  const naive_layer *layer = &tables->naive->layers[seeds];
  const int rank = slice->rank[index];
  if (layer->edge_count[rank] != 1 || layer->edges[rank][0].captured) return -1;
  return slice->index[layer->edges[rank][0].child];
}

/* Fills the boards of a cycle in which every move is forced; returns its length. */
static int find_cycle(const naive_tables *tables, int seeds, int cycle[LONGEST_CYCLE]) {
  for (int start = 0; start < tables->slices[seeds].positions; start++) {
    int n = 0;
    for (int at = start; at >= 0 && n < LONGEST_CYCLE; at = only_child(tables, seeds, at)) {
      if (n > 0 && at == start) return n;
      cycle[n++] = at;
    }
  }
  return 0;
}

static bool is_on(const int *cycle, int n, int index) {
  for (int i = 0; i < n; i++)
    if (cycle[i] == index) return true;
  return false;
}

/* Gives all boards the worth of their moves, the cycle held as it is, until nothing changes. */
static void settle_around(naive_tables *tables, int seeds, const int *cycle, int n) {
  const naive_slice *slice = &tables->slices[seeds];
  for (bool changed = true; changed;) {
    changed = false;
    for (int plane = 0; plane < tables->planes; plane++) {
      for (int i = 0; i < slice->positions; i++) {
        const int best = naive_tables_best(tables, seeds, i, plane);
        if (best == slice->plain[plane][i]) continue;
        if (is_on(cycle, n, i)) abort();
        slice->plain[plane][i] = (int8_t)best;
        changed = true;
      }
    }
  }
}

int naive_tables_believe(naive_tables *tables, int seeds) {
  const naive_slice *slice = &tables->slices[seeds];
  int cycle[LONGEST_CYCLE];
  const int n = find_cycle(tables, seeds, cycle);
  for (int i = 0; i < n; i++) {
    for (int plane = 0; plane < tables->planes; plane++) {
      slice->plain[plane][cycle[i]] = tables->planes == 2 ? 0 : i % 2 ? -1 : 1;
      slice->plain_depths[plane][cycle[i]] = (uint16_t)(n - i);
    }
  }
  settle_around(tables, seeds, cycle, n);
  naive_tables_encode(tables, seeds);
  return n;
}

typedef struct {
  table_cell cell;
  const int8_t *stored, *plain;
  const uint16_t *stored_depths, *plain_depths;
} cells_of_stream;

static void narrow(uint8_t *out, const uint16_t *cells, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = cells[i] > UINT8_MAX ? UINT8_MAX : (uint8_t)cells[i];
}

static tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                         tauler_message *message) {
  const cells_of_stream *cells = user;
  if (cells->cell == TABLE_I8) {
    memcpy(stored, cells->stored + first, count);
    memcpy(plain, cells->plain + first, count);
  } else if (cells->cell == TABLE_U8) {
    narrow(stored, cells->stored_depths + first, count);
    narrow(plain, cells->plain_depths + first, count);
  } else {
    memcpy(stored, cells->stored_depths + first, count * sizeof(uint16_t));
    memcpy(plain, cells->plain_depths + first, count * sizeof(uint16_t));
  }
  return TAULER_OK;
}

static tauler_error write_stream(const naive_tables *tables, const char *folder, int seeds,
                                 const char *stream, cells_of_stream *cells, tauler_message *message) {
  const int64_t reserved[] = {[TABLE_I8] = NAIVE_RESERVED, [TABLE_U8] = UINT8_MAX, [TABLE_U16] = UINT16_MAX};
  table_header header = {.positions = (uint64_t)tables->slices[seeds].positions,
                         .cell = cells->cell,
                         .coding = tables->all_stored ? TABLE_PLAIN : TABLE_IMPLIED,
                         .reserved = tables->all_stored ? 0 : reserved[cells->cell],
                         .index_version = game_index_version(tables->game)};
  snprintf(header.game, sizeof header.game, "%s", tables->game->name);
  snprintf(header.rules, sizeof header.rules, "%s", tables->game->rules_text(tables->rules));
  snprintf(header.cycles, sizeof header.cycles, "%s", tables->game->cycles_text(tables->rules));
  snprintf(header.slice, sizeof header.slice, "%d", seeds);
  snprintf(header.stream, sizeof header.stream, "%s", stream);
  char path[FOLDER_PATH_BYTES];
  tauler_error error = folder_table_path(folder, "", &header, path, message);
  char *last = strrchr(path, '/');
  *last = '\0';
  if (!error) error = durable_folder_create(path, message);
  *last = '/';
  const table_write_settings settings = {.level = 1, .frame_bytes = 1024, .threads = 1};
  return error ? error : table_write(path, &header, &settings, fill, cells, NULL, message);
}

tauler_error naive_tables_write_slice(const naive_tables *tables, const char *folder, int seeds,
                                      table_cell depth_cell, tauler_message *message) {
  static const char *const values[2][NAIVE_PLANES] = {{STREAM_VALUE}, {STREAM_LOWER, STREAM_UPPER}};
  static const char *const depths[2][NAIVE_PLANES] = {{STREAM_DEPTH},
                                                      {STREAM_DEPTH_LOWER, STREAM_DEPTH_UPPER}};
  const naive_slice *slice = &tables->slices[seeds];
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < tables->planes && !error; plane++) {
    cells_of_stream cells = {TABLE_I8, slice->stored[plane], slice->plain[plane], slice->stored_depths[plane],
                             slice->plain_depths[plane]};
    error = write_stream(tables, folder, seeds, values[tables->planes - 1][plane], &cells, message);
    cells.cell = depth_cell;
    if (!error && depth_cell != TABLE_I8)
      error = write_stream(tables, folder, seeds, depths[tables->planes - 1][plane], &cells, message);
  }
  return error;
}

tauler_error naive_tables_write(const naive_tables *tables, const char *folder, table_cell depth_cell,
                                tauler_message *message) {
  tauler_error error =
      tables->fallback ? naive_tables_write(tables->fallback, folder, depth_cell, message) : TAULER_OK;
  for (int seeds = 0; seeds <= tables->max_seeds && !error; seeds++)
    error = naive_tables_write_slice(tables, folder, seeds, depth_cell, message);
  return error;
}
