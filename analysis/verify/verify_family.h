/* Private to the proof check: the tables of one rule set, slice by slice.
 *
 * A family owns its rules, its entries and the cells of proven slices; files belong to the list. One
 * thread drives.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_FAMILY_H
#define ANALYSIS_VERIFY_VERIFY_FAMILY_H

#include "analysis/verify/verify.h"
#include "analysis/verify/verify_chance.h"

/* --- verify_files.c: the table files of a folder, and their cells in and out of memory --- */

typedef struct {
  char *path;
  table_header header; /* counts == NULL */
  bool readable;       /* the header could be read and stands in its place */
  bool settled;        /* the verdict has fallen */
  bool reported;       /* or not asked for */
  verify_verdict verdict;
  verify_proof proof; /* the kind of proof if it is proven */
  tauler_message reason;
  uint64_t searched; /* positions for which lines of play were searched */
  bool has_position, expects;
  game_position position;
  uint64_t index;
  double stored, expected;
} verify_file;

typedef struct {
  verify_file *files;
  size_t used, room;
} verify_list;

/* Lists every table below the folder and reads the headers; what cannot be read, or stands where its
 * header does not belong, is settled. Errors: TAULER_TABLE_MISSING (no folder), TAULER_IO,
 * TAULER_NO_MEMORY. */
tauler_error verify_list_folder(verify_list *list, const char *folder, tauler_message *message);
void verify_list_free(verify_list *list);

/* Collective: whether all ranks see the same tables. Errors: TAULER_BAD_USAGE (they do not), TAULER_IO. */
tauler_error verify_list_agree(const verify_list *list, comm *ranks, tauler_message *message);

/* The verdict as what others rest on is said to be: "wrong", "not proven". */
const char *verify_verdict_state(verify_verdict verdict);

/* Ends the file with a verdict, unless it has one. */
void verify_settle(verify_file *file, verify_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Files of one slice at most. */
enum { VERIFY_MOST_FILES = 2 * CHANCE_MOST_QUANTITIES };

/* Collective over ranks, which have the same files: what one has settled is settled in all, in the words of
 * the lowest rank. files[i] may be NULL. Errors: that of the lowest rank that has one, TAULER_IO. */
tauler_error verify_files_agree(verify_file *const *files, size_t n, comm *ranks, tauler_error error,
                                tauler_message *message);

/* Opens a file and, with `checks`, checks every frame and digest. *out is NULL, and the file found damaged,
 * when they do not hold. Errors: those that are no damage. */
tauler_error verify_open(verify_file *file, bool checks, int threads, table **out, tauler_message *message);

/* Reads a stream into cells `planes` apart, as stored: i8 into values, or else u8 and u16 into depths, with
 * VERIFY_RESERVED_DEPTH for the reserved cell. The other pointer is NULL. Damage is a finding. */
tauler_error verify_read(verify_file *file, const table *from, int8_t *values, uint16_t *depths, int planes,
                         memory_budget *memory, tauler_message *message);

/* Reads a stream of f64. */
tauler_error verify_read_bounds(verify_file *file, const table *from, double *cells, tauler_message *message);

/* Bytes that reading and comparing take at most beside the cells. */
uint64_t verify_file_bytes(void);

/* Holds plain cells against the digest and the counts in the header; a difference is damage. */
tauler_error verify_check_plain(verify_file *file, const table *of, const int8_t *values,
                                const uint16_t *depths, int planes, memory_budget *memory,
                                tauler_message *message);

/* --- verify_family.c: the tables of a rule set --- */

enum { VERIFY_REASON_BYTES = 2 * GAME_TEXT_BYTES };

/* One slice: its tables, and the slices that its moves lead to. Its streams have numbers. Those of values or
 * bounds come first: the lower and the upper bound, of each quantity if the game is one of dice. Then come
 * their depths. */
typedef struct {
  uint32_t slice;
  char name[GAME_TEXT_BYTES];
  uint64_t positions;
  uint32_t *needs;
  size_t needs_used;
  size_t last_use;                       /* number of the last entry that needs it, or its own */
  int values;                            /* streams of values or bounds */
  int streams;                           /* all streams */
  verify_file *files[VERIFY_MOST_FILES]; /* by stream, NULL: missing */
  verify_file *exact;                    /* values that stand for both bounds, in files[] twice, or NULL */
} verify_entry;

/* The open tables of a slice, by stream. */
typedef table *verify_open_tables[VERIFY_MOST_FILES];

typedef struct verify_family verify_family;

/* The differences between tables of values and tables of bounds of dice; chosen once for a family. */
typedef struct {
  bool dice;
  table_cell cell; /* type of values or bounds */
  /* Bytes that the check of a slice takes beside its cells. */
  uint64_t (*check_bytes)(const verify_family *of, const verify_entry *at);
  /* `load` reads the cells of a slice, and its depths, into the family and *slice. `prove` settles the files
   * that the logic of these cells does not prove. Errors: those that are no finding. */
  tauler_error (*load)(const verify_family *of, const verify_entry *at, verify_open_tables tables,
                       verify_slice *slice, tauler_message *message);
  tauler_error (*prove)(const verify_family *of, const verify_entry *at, verify_open_tables tables,
                        verify_slice *slice, tauler_message *message);
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
void verify_family_free_slice(const verify_family *of, uint32_t slice);

/* The cycle rule whose tables converting moves lead to; NULL: the family's own. */
const char *verify_family_fallback(const verify_family *of);

/* The name of a stream of a slice. */
void verify_stream_name(const verify_family *of, const verify_entry *at, int i,
                        char name[CHANCE_STREAM_BYTES]);

/* Frees the bounds of a slice of a game of dice. */
void verify_bounds_free(const verify_family *of, uint32_t slice);

/* --- verify_entry.c: the check of one slice --- */

/* Checks files and logic of one slice and settles each of its files. Its cells stay, and of outcomes its
 * depths, if nothing is wrong with them. Errors: those that are no finding. */
tauler_error verify_entry_check(const verify_family *of, const verify_entry *at, tauler_message *message);

/* True if this rank checks the i-th file of a slice as a whole: frames, digests, counts. */
bool verify_has_turn(const verify_family *of, const verify_entry *at, int i);

/* Collective: all ranks take over what one rank finds in a file. */
tauler_error verify_agree(const verify_family *of, const verify_entry *at, tauler_error error,
                          tauler_message *message);

/* Writes the position of a fault into the finding, and its text. */
void verify_note_position(const verify_family *of, const verify_entry *at, verify_file *file, uint64_t index,
                          char text[GAME_TEXT_BYTES]);

/* Finds the first slice that this one cannot rest on, since it has no cells here or (`proven`) they are not
 * proven. */
bool verify_find_bad_slice(const verify_family *of, const verify_entry *at, bool proven,
                           char reason[VERIFY_REASON_BYTES]);

/* True if the depths of a slice cannot be checked. */
bool verify_find_bad_depths(const verify_family *of, const verify_entry *at,
                            char reason[VERIFY_REASON_BYTES]);

#endif
