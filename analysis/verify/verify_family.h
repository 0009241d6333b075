/* Private to the proof check: the tables of one rule set, slice by slice.
 *
 * A verify_list owns the files of a folder. A family owns its rules, its entries and the cells of proven
 * slices, and borrows files. One thread makes all calls.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_FAMILY_H
#define ANALYSIS_VERIFY_VERIFY_FAMILY_H

#include "analysis/verify/verify.h"
#include "analysis/verify/verify_chance.h"

/* --- verify_files.c: the table files of a folder, and their cells in and out of memory --- */

typedef struct {
  char *path;
  table_header header; /* counts == NULL */
  bool readable;       /* the header can be read, and the file is in the place that it names */
  bool settled;        /* the file has a verdict */
  bool reported;       /* its finding was reported, or nobody asked for it */
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

/* Lists every table below the folder and reads the headers. A file that cannot be read, or is not in the
 * place that its header names, gets a verdict. Errors: TAULER_TABLE_MISSING (no folder), TAULER_IO,
 * TAULER_NO_MEMORY. */
tauler_error verify_list_folder(verify_list *list, const char *folder, tauler_message *message);
void verify_list_free(verify_list *list);

/* Collective. Errors: TAULER_BAD_USAGE (the ranks do not see the same tables), TAULER_IO. */
tauler_error verify_list_agree(const verify_list *list, comm *ranks, tauler_message *message);

/* Names the verdict in the reason of a table that rests on this one: "wrong", "not proven". */
const char *verify_verdict_state(verify_verdict verdict);

/* Gives the file a verdict and its reason, unless it has a verdict. */
void verify_settle(verify_file *file, verify_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { VERIFY_MOST_FILES = 2 * CHANCE_MOST_QUANTITIES }; /* files of one slice */

/* Collective. All ranks have the same files, some of which may be NULL. If one rank has a verdict about a
 * file, all get the verdict and the reason of the lowest such rank. Errors: the error of the lowest rank that
 * has one, TAULER_IO. */
tauler_error verify_files_agree(verify_file *const *files, size_t n, comm *ranks, tauler_error error,
                                tauler_message *message);

/* Opens a file and, with `checks`, checks every frame and digest. If they do not hold, the file gets the
 * verdict that it is damaged, and *out is NULL. Errors: those that are no damage. */
tauler_error verify_open(verify_file *file, bool checks, int threads, table **out, tauler_message *message);

/* Reads a stream into cells `planes` apart, as stored: i8 into values, or else u8 and u16 into depths, with
 * VERIFY_RESERVED_DEPTH for the reserved cell. The other pointer is NULL. Damage is a finding. */
tauler_error verify_read(verify_file *file, const table *from, int8_t *values, uint16_t *depths, int planes,
                         memory_budget *memory, tauler_message *message);

/* Reads a stream of f64. */
tauler_error verify_read_bounds(verify_file *file, const table *from, double *cells, tauler_message *message);

/* Most bytes that reading and comparing allocate beside the cells. */
uint64_t verify_file_bytes(void);

/* Compares plain cells with the digest and the counts in the header. If they differ, the file is damaged. */
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
  arena lists; /* lists of slices: `states`, and those of `logic` */
  verify_set logic;
  game_rules *rules;
  game_slices asked;     /* slices asked for by name, with those that they need. Empty: all slices */
  verify_entry *entries; /* by rising slice number, so that each comes after those that it needs */
  size_t used, room;
  const char *
      *states; /* [slices] reason for which no slice can rest on this one. NULL: none, or it is missing */
  const verify_kind *kind;
  verify_family
      *fallback; /* the tables that converting moves lead to (game->fallback_cycles), or NULL for these */
  bool below;    /* it is the fallback of another family, for which its cells are kept */
};

/* Finds game and rules by the texts of the header. If this program does not have them, *known is false. `of`
 * must have its job and be zero otherwise. The caller frees it in any case. Errors: TAULER_NO_MEMORY. */
tauler_error verify_family_open(verify_family *of, const table_header *header, bool *known,
                                tauler_message *message);
void verify_family_free(verify_family *of);

/* Puts a table into its place. If there is none for it, the table gets a verdict. */
tauler_error verify_family_add(verify_family *of, verify_file *file, tauler_message *message);
/* The slice of that name. NULL: there is no table of it. */
verify_entry *verify_family_find(const verify_family *of, const char *name);
/* Once all tables are in place, verify_family_order sorts the slices. Once all families are sorted,
 * verify_family_prepare allocates the lists of a family, after those of its fallback. Errors:
 * TAULER_NO_MEMORY, also if the proof needs more memory than there is. */
void verify_family_order(verify_family *of);
tauler_error verify_family_prepare(verify_family *of, tauler_message *message);
/* Say how much memory blocks on the disk leave free, before the cells of a slice are loaded, and before it is
 * checked. */
void verify_family_keep_for_later(const verify_family *of, const verify_entry *at);
void verify_family_keep_for_check(const verify_family *of);
/* Frees the cells of a slice. */
void verify_family_free_slice(const verify_family *of, uint32_t slice);

/* The cycle rule whose tables converting moves lead to; NULL: the family's own. */
const char *verify_family_fallback(const verify_family *of);

/* The name of a stream of a slice. */
void verify_stream_name(const verify_family *of, const verify_entry *at, int i,
                        char name[CHANCE_STREAM_BYTES]);

/* --- verify_entry.c: the check of one slice --- */

/* Checks files and logic of one slice; each of its files gets a verdict. If nothing is wrong with them, the
 * cells stay in the family, and so do depths of outcomes. Errors: those that are no finding. */
tauler_error verify_entry_check(const verify_family *of, const verify_entry *at, tauler_message *message);

/* True if this rank checks the i-th file of a slice as a whole: frames, digests, counts. */
bool verify_checks_file(const verify_family *of, const verify_entry *at, int i);

/* Collective: verify_files_agree for the files of a slice. */
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
