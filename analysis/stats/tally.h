/* Counts positions by value and depth. A zeroed tally is empty; a tally owns its memory until tally_free. */
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
  tally_row *slots; /* [room] hash table with open addressing, of which slots with count 0 are free */
  size_t room, used;
} tally;

tauler_error tally_add(tally *t, plain_cell cell, uint64_t count, tauler_message *message);
tauler_error tally_add_all(tally *t, const tally *from, tauler_message *message);
void tally_free(tally *t);

/* Makes slots[0 … used − 1] the rows, in increasing order of lower, upper and depths (TAULER_NO_DEPTH first).
 * Afterwards nothing may be added. */
void tally_sort(tally *t);

/* Numbers of positions in a sorted tally that are won, drawn, lost and open for the side to move. */
enum { TALLY_SHARES = 4 };
typedef struct {
  uint64_t positions, counts[TALLY_SHARES];
} tally_shares;
tally_shares tally_shares_of(const tally *t);

typedef struct {
  bool with_depths; /* true to count by depth, too. If false, all rows have TAULER_NO_DEPTH */
  bool outside;     /* true to count positions without an index, too */
  int threads;
  progress *shown; /* or NULL */
  unsigned share;  /* number of the share that is counted, from 0 */
  unsigned shares; /* number of shares, among which pieces are dealt one by one, or 0 to count all */
} tally_settings;

/* True if the headers of tables have the counts, so that no cell is read. */
bool tally_is_in_headers(const tauler_tables *tables, const tally_settings *settings);

/* True if positions without an index can be counted in batches, from slices in memory. */
bool tally_has_batches(const tauler_tables *tables, const tally_settings *settings);

/* Adds the positions of a slice, or of one share. `loaded` may be NULL. Errors: those of slice_table. */
tauler_error tally_slice(tauler_tables *tables, uint32_t slice, const bulk_slice *loaded,
                         const tally_settings *settings, tally *t, tauler_message *message);

/* Adds `count` cells of a slice from `first` on; settings->outside is ignored. Errors: those of
 * slice_table. */
tauler_error tally_part(tauler_tables *tables, uint32_t slice, const bulk_slice *loaded, uint64_t first,
                        uint64_t count, const tally_settings *settings, tally *t, tauler_message *message);

#endif
