/* Has the public functions that need no table: positions as numbers, places of texts, positions that play
 * reaches, counts of positions without an index, names of rules, and digests. */
#include <stdlib.h>
#include <string.h>

#include "analysis/slices/cells.h"
#include "analysis/slices/reached.h"
#include "games/game_text.h"

enum { PIECE = 4096 };

typedef struct {
  const tauler_tables *tables;
  uint32_t slice;
  bool outside;
  size_t width;
} source;

static void find_position(const source *s, uint64_t index, game_position *out) {
  const game *g = s->tables->game;
  if (s->outside)
    g->outside_at(s->tables->rules, s->slice, index, out);
  else
    g->position_at(s->tables->rules, (game_place){s->slice, index}, out);
}

/* Writes a row per position. If an index has no position, every number is TAULER_NO_POSITION. */
static void write_rows(const source *s, uint64_t first, size_t count, int8_t *out) {
  const game *g = s->tables->game;
  uint8_t copies[PIECE];
  memset(copies, 1, sizeof copies);
  if (g->copies && !s->outside) g->copies(s->tables->rules, s->slice, first, count, copies);
  for (size_t i = 0; i < count; i++) {
    game_position position;
    int8_t *row = out + i * s->width;
    if (!copies[i]) {
      memset(row, TAULER_NO_POSITION, s->width);
      continue;
    }
    find_position(s, first + i, &position);
    g->numbers(s->tables->rules, &position, row);
  }
}

static size_t find_width(const source *s) {
  game_position position;
  find_position(s, 0, &position);
  return s->tables->game->numbers(s->tables->rules, &position, NULL);
}

static tauler_error refuse_numbers(const tauler_tables *tables, tauler_message *message) {
  return tauler_fail(message, TAULER_BAD_USAGE, "positions of %s are not written as numbers",
                     tables->game->name);
}

tauler_error tauler_board_of(tauler_tables *tables, const char *position, size_t *width, int8_t *numbers,
                             tauler_message *message) {
  game_position read;
  const game *g = tables->game;
  *width = 0;
  if (!g->numbers) return refuse_numbers(tables, message);
  const tauler_error error = game_text_parse(g, tables->rules, position, &read, NULL, message);
  if (!error) *width = g->numbers(tables->rules, &read, numbers);
  return clear_message(error, message);
}

tauler_error tauler_boards_at(tauler_tables *tables, uint32_t slice_number, bool outside, uint64_t first,
                              size_t count, int threads, size_t *width, int8_t *numbers,
                              tauler_message *message) {
  *width = 0;
  const tauler_error error = numbered_check_range(tables, slice_number, outside, first, count, message);
  if (error) return error;
  if (!tables->game->numbers) return refuse_numbers(tables, message);
  source s = {tables, slice_number, outside, 0};
  *width = s.width = count || !outside ? find_width(&s) : 0;
  if (!numbers) return clear_message(TAULER_OK, message);
  const int workers = numbered_count_workers(threads, count, 4 * PIECE);
  const size_t pieces = (count + PIECE - 1) / PIECE;
#pragma omp parallel for num_threads(workers) schedule(dynamic, 1)
  for (size_t k = 0; k < pieces; k++) {
    const size_t done = k * PIECE, left = count - done;
    write_rows(&s, first + done, left < PIECE ? left : PIECE, numbers + done * s.width);
  }
  return clear_message(TAULER_OK, message);
}

tauler_error tauler_reached_at(tauler_tables *tables, uint32_t slice_number, uint64_t first, size_t count,
                               int threads, uint8_t *reached_out, tauler_message *message) {
  game_slices slices = {0};
  memory_budget memory;
  reached found;
  if (tables->kind != SOLVE_CHANCE)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s is no game of dice, and only of those is known what play reaches",
                       tables->game->name);
  tauler_error error = numbered_check_range(tables, slice_number, false, first, count, message);
  if (!error) error = reached_slices(tables->game, tables->rules, slice_number, &slices, message);
  if (error) return error;
  memory_budget_open(&memory, 0);
  const reached_job job = {.game = tables->game,
                           .rules = tables->rules,
                           .slices = &slices,
                           .threads = numbered_count_workers(threads, count, 1),
                           .memory = &memory};
  error = reached_open(&job, &found, message);
  for (size_t i = 0; i < count && !error; i++)
    reached_out[i] = reached_has(&found, (game_place){slice_number, first + i});
  reached_close(&found);
  free(slices.slices);
  return clear_message(error, message);
}

tauler_error tauler_outside(tauler_tables *tables, uint32_t slice_number, uint64_t *positions,
                            tauler_message *message) {
  const game *g = tables->game;
  const tauler_error error = numbered_check_range(tables, slice_number, true, 0, 0, message);
  *positions = !error && g->outside ? g->outside(tables->rules, slice_number) : 0;
  return clear_message(error, message);
}

const char *tauler_rules_text(const tauler_tables *tables) {
  return tables->game->rules_text(tables->rules);
}

const char *tauler_cycles_text(const tauler_tables *tables) {
  return tables->game->cycles_text(tables->rules);
}

tauler_error tauler_places(tauler_tables *tables, const char *const *positions, size_t count,
                           uint32_t *slices, uint64_t *indexes, tauler_message *message) {
  const game *g = tables->game;
  for (size_t i = 0; i < count; i++) {
    game_position position;
    game_place place;
    tauler_message why = {""};
    const tauler_error error = g->parse(tables->rules, positions[i], &position, &why);
    if (error) return tauler_fail(message, error, "position %zu of the list: %.900s", i, why.text);
    const bool placed = g->locate(tables->rules, &position, &place);
    slices[i] = placed ? place.slice : TAULER_OVER;
    indexes[i] = placed ? place.index : TAULER_NO_INDEX;
  }
  return clear_message(TAULER_OK, message);
}

_Static_assert((int)TAULER_DIGEST_BYTES == (int)TABLE_DIGEST_TEXT, "room for every digest");

tauler_error tauler_digest(const void *bytes, size_t count, char text[TAULER_DIGEST_BYTES],
                           tauler_message *message) {
  table_digester *digester = table_digester_new();
  text[0] = '\0';
  if (!digester) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a digest");
  table_digester_add(digester, bytes, count);
  table_digest_text(table_digester_end(digester), text);
  return clear_message(TAULER_OK, message);
}
