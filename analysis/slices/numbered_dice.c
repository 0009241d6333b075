/* Reads bounds of games of dice by slice and index, many at once. */
#include "analysis/slices/cells.h"

#include <stdlib.h>

#include "analysis/probe/chance_worth.h"

enum { PIECE = TABLE_FRAME_BYTES / sizeof(double) };

/* Stored cells of a piece, by quantity. */
typedef struct {
  double lower[CHANCE_MOST_QUANTITIES][PIECE], upper[CHANCE_MOST_QUANTITIES][PIECE];
} piece_cells;

static tauler_error read_piece(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t n,
                               piece_cells *cells, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int s = 0; s < entry->quantities.used && !error; s++) {
    const table *from;
    error = slice_table(tables, entry, STREAMS_LOWER, s, &from, message);
    if (!error) error = table_read(from, first, n, cells->lower[s], message);
    if (!error) error = slice_table(tables, entry, STREAMS_UPPER, s, &from, message);
    if (!error) error = table_read(from, first, n, cells->upper[s], message);
  }
  return error;
}

static tauler_error worth_in_piece(tauler_tables *tables, const slice_entry *entry, uint64_t index,
                                   const piece_cells *cells, size_t i, tauler_worth *worth,
                                   tauler_message *message) {
  const game *g = tables->game;
  const chance_quantities *quantities = &entry->quantities;
  game_position position;
  g->position_at(tables->rules, (game_place){entry->slice, index}, &position);
  const int first_seat = g->chance->first_seat(tables->rules, &position);
  chance_values values = {.known = true, .used = quantities->used};
  for (int s = 0; s < quantities->used; s++) {
    const tauler_error error = chance_values_put(tables, quantities, first_seat, s, cells->lower[s][i],
                                                 cells->upper[s][i], &values, message);
    if (error) return error;
  }
  *worth = chance_worth_in(quantities, chance_side_of(tables, quantities, &position), &values);
  return TAULER_OK;
}

tauler_error numbered_dice(tauler_tables *tables, slice_entry *entry, uint64_t first, size_t count,
                           tauler_worth *worths, tauler_message *message) {
  piece_cells *cells = malloc(sizeof *cells);
  if (!cells) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read cells of a table");
  tauler_error error = TAULER_OK;
  for (size_t done = 0; done < count && !error;) {
    const size_t in_frame = PIECE - (size_t)((first + done) % PIECE);
    const size_t n = count - done < in_frame ? count - done : in_frame;
    error = read_piece(tables, entry, first + done, n, cells, message);
    for (size_t i = 0; i < n && !error; i++)
      error = worth_in_piece(tables, entry, first + done + i, cells, i, &worths[done + i], message);
    done += n;
  }
  free(cells);
  return error;
}
