/* Private to the proof check: the tables of one rule set, slice by slice.
 *
 * A family owns its rules, its entries and the cells of proven slices; files belong to the list. One
 * thread drives.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_FAMILY_H
#define ANALYSIS_VERIFY_VERIFY_FAMILY_H

#include "analysis/verify/verify_chance.h"
#include "analysis/verify/verify_files.h"

/* One slice: its tables, and the slices that its moves lead to. */
typedef struct {
  uint32_t slice;
  char name[GAME_TEXT_BYTES];
  uint64_t positions;
  uint32_t *needs;
  size_t needs_used;
  size_t last_use; /* number of the last entry that needs it, or its own */
  verify_file *values[VERIFY_PLANES], *depths[VERIFY_PLANES];
  verify_file *exact; /* values that stand for both bounds, in values[] twice, or NULL */
  verify_file *bounds[BOUND_KINDS][CHANCE_MOST_QUANTITIES]; /* in games of chance, in place of values */
} verify_entry;

typedef struct verify_family verify_family;

/* The functions that differ between tables of values and tables of bounds of dice; chosen once for a family.
 * */
typedef struct {
  bool dice;
  table_cell cell; /* type of values or bounds */
  /* Where a file stands among those of its slice, and whether it is of depths; NULL: its stream is not known.
   */
  verify_file **(*place)(const verify_family *of, verify_entry *at, const verify_file *file, bool *depth);
  bool (*is_whole)(const verify_family *of, const verify_entry *at); /* no value or bound is missing */
  /* Bytes that are kept of a position, and those that the check of a slice takes beside them. */
  uint64_t (*cell_bytes)(const verify_family *of, const verify_entry *at);
  uint64_t (*check_bytes)(const verify_family *of, const verify_entry *at);
  /* Checks files and logic of one slice and settles each of its files. Its cells stay, and of outcomes its
   * depths, if it was proven; bounds stay if nothing is wrong with them. Errors: those that are no finding.
   */
  tauler_error (*check)(const verify_family *of, const verify_entry *at, tauler_message *message);
} verify_kind;

extern const verify_kind verify_of_moves, verify_of_dice;

/* All tables of one rule set. */
struct verify_family {
  const verify_job *job;
  verify_set logic;
  game_rules *rules;
  game_slices asked;     /* slices asked for by name, and those that they need, or none when all are */
  verify_entry *entries; /* by slice number: each behind those it needs */
  size_t used, room;
  const char *
      *states; /* by slice number, the reason for which others cannot rest on it, or NULL if it is missing */
  const verify_kind *kind;
  chance_cells *bounds; /* by slice number in games of chance, otherwise NULL */
  verify_family
      *fallback; /* the tables that converting moves lead to (game->fallback_cycles), or NULL for these */
  bool below;    /* others rest on it so: its cells are kept for them */
};

/* Finds game and rules by the header's texts; *known is false where this program has none that mean them.
 * `of` has its job and nothing else. To be freed also then; cells are given back, files are the list's.
 * Errors: TAULER_NO_MEMORY. */
tauler_error verify_family_open(verify_family *of, const table_header *header, bool *known,
                                tauler_message *message);
void verify_family_free(verify_family *of);

/* Puts a table into its place, or settles it where there is none for it. */
tauler_error verify_family_add(verify_family *of, verify_file *file, tauler_message *message);
/* The slice of that name; NULL when there is no table of it. */
verify_entry *verify_family_find(const verify_family *of, const char *name);
/* When all are there: slices in their order. Then, when all families are in order, room for their cells,
 * those of `fallback` first. Errors: TAULER_NO_MEMORY, also where the proof would take more than there is. */
void verify_family_order(verify_family *of);
tauler_error verify_family_prepare(verify_family *of, tauler_message *message);
/* Memory that cells on the disk leave free: before those of a slice are loaded, and before it is checked. */
void verify_family_keep_for_later(const verify_family *of, const verify_entry *at);
void verify_family_keep_for_check(const verify_family *of);
/* Gives a slice's cells back. */
void verify_family_free_slice(verify_family *of, uint32_t slice);

/* The cycle rule whose tables converting moves lead to; NULL: the family's own. */
const char *verify_family_fallback(const verify_family *of);

/* The stream of a plane: values or bounds, or their depths. */
const char *verify_stream(int planes, int plane, bool depth);

/* Of games of chance: gives the memory of bounds back. */
void verify_bounds_free(const verify_family *of, uint32_t slice);

/* True if it is this rank's turn to check the i-th file of a slice as a whole: frames, digests, counts. */
static inline bool verify_has_turn(const verify_family *of, const verify_entry *at, int i) {
  return (at->slice + (unsigned)i) % (unsigned)comm_ranks(of->job->ranks) ==
         (unsigned)comm_rank(of->job->ranks);
}

/* verify_of_moves.check */
tauler_error verify_entry_check(const verify_family *of, const verify_entry *at, tauler_message *message);

#endif
