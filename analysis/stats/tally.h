/* How many positions have which values and depths, and the tally of a whole slice. Private to
 * analysis/. A zeroed tally is empty; it owns its memory until tally_free. */
#ifndef ANALYSIS_STATS_TALLY_H
#define ANALYSIS_STATS_TALLY_H

#include "analysis/slices/bulk.h"
#include "analysis/slices/cells.h"
#include "base/progress.h"

typedef struct {
  plain_cell cell;
  uint64_t count;
} tally_row;

typedef struct {
  tally_row *slots; /* open addressing, free if count is 0 */
  size_t room, used;
} tally;

tauler_error tally_add(tally *t, plain_cell cell, uint64_t count, tauler_message *message);
tauler_error tally_add_all(tally *t, const tally *from, tauler_message *message);
void tally_free(tally *t);

/* Makes slots[0 … used − 1] the rows, by lower, upper and depths rising (none before 0). Nothing may be added
 * afterwards. */
void tally_sort(tally *t);

/* Positions by who wins: won, drawn and lost for the side to move, and open, in that order. */
enum { TALLY_SHARES = 4 };
typedef struct {
  uint64_t positions, counts[TALLY_SHARES];
} tally_shares;
tally_shares tally_shares_of(const tally *t);

typedef struct {
  bool with_depths; /* else they are TAULER_NO_DEPTH in all rows */
  bool outside;     /* also positions that no move leads to */
  int threads;
  progress *shown; /* progress by positions, or NULL */
  int share;       /* the share of the pieces that is counted */
  int shares;      /* into which pieces are dealt by turns, or 0 to count all */
} tally_settings;

/* True if the headers of tables have the counts, so that no cell needs to be read. */
bool tally_is_in_headers(const tauler_tables *tables, const tally_settings *settings);

/* True if positions that no move leads to are counted in batches, from slices that are in memory. */
bool tally_has_batches(const tauler_tables *tables, const tally_settings *settings);

/* Adds all positions of a slice. `loaded` (may be NULL): the slice, where it is in memory already.
 * Errors: as slice_table. */
tauler_error tally_slice(tauler_tables *tables, uint32_t slice, const bulk_slice *loaded,
                         const tally_settings *settings, tally *t, tauler_message *message);

/* The same for `count` cells from `first` on, but settings->outside is ignored. */
tauler_error tally_part(tauler_tables *tables, uint32_t slice, const bulk_slice *loaded, uint64_t first,
                        uint64_t count, const tally_settings *settings, tally *t, tauler_message *message);

#endif
