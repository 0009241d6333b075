/* Checks the tables of one rule set, slice by slice. Private to the proof check.
 *
 * A verify_list owns the files of a folder. A family owns its rules, its entries and the cells of slices that
 * others rest on, and borrows files. One thread makes all calls.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_FAMILY_H
#define ANALYSIS_VERIFY_VERIFY_FAMILY_H

#include "analysis/verify/verify.h"
#include "analysis/verify/verify_chance.h"

/* --- verify_files.c: the table files of a folder and their cells --- */

typedef struct {
  verify_finding found; /* without header, reason and position, which are below */
  table_header header;  /* header without counts */
  bool readable;        /* the header can be read and names the place of the file */
  bool settled;         /* the file has a verdict */
  bool reported;        /* its finding was reported, or the job does not ask for it */
  tauler_message reason;
  bool has_position;
  game_position position;
} verify_file;

typedef struct {
  verify_file *files;
  size_t used, room;
} verify_list;

/* Lists the files that folder_walk visits, and reads their headers. A damaged file, a link to no file and a
 * file that is not in the place that its header names get a verdict. Errors: TAULER_TABLE_MISSING (no
 * folder), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error verify_list_folder(verify_list *list, const char *folder, tauler_message *message);
void verify_list_free(verify_list *list);

/* Collective: checks that all ranks have the same list. Errors: TAULER_BAD_USAGE (they do not), TAULER_IO. */
tauler_error verify_list_agree(const verify_list *list, comm *ranks, tauler_message *message);

/* Returns a word such as "not proven" for the reason of a table that rests on one with this verdict. */
const char *verify_verdict_state(verify_verdict verdict);

/* Gives the file a verdict and its reason, unless it has a verdict. */
void verify_settle(verify_file *file, verify_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { VERIFY_MOST_FILES = 2 * CHANCE_MOST_QUANTITIES };

/* Collective. All ranks have the same files, VERIFY_MOST_FILES at most, some of which may be NULL. If some
 * ranks have a verdict about a file, the others get the verdict and the reason of the lowest such rank.
 * Errors: the error of the lowest rank that has one, TAULER_IO. */
tauler_error verify_files_agree(verify_file *const *files, size_t n, comm *ranks, tauler_error error,
                                tauler_message *message);

/* Opens a file and, if `checks`, checks every frame and digest. If the file is damaged, it gets that verdict,
 * and *out is NULL. Errors: all that are no damage. */
tauler_error verify_open(verify_file *file, bool checks, int threads, table **out, tauler_message *message);

/* Reads the stored cells of a stream: i8 into `values`, u8 and u16 into `depths`, where VERIFY_RESERVED_DEPTH
 * stands for the reserved cell. Cells are `planes` items apart, and the other pointer is NULL. If the file is
 * damaged, it gets that verdict. */
tauler_error verify_read(verify_file *file, const table *from, int8_t *values, uint16_t *depths, int planes,
                         memory_budget *memory, tauler_message *message);

/* Reads the cells of a stream of f64. If the file is damaged, it gets that verdict. */
tauler_error verify_read_bounds(verify_file *file, const table *from, double *cells, tauler_message *message);

/* Returns the most bytes that reading and comparing allocate beside the cells. */
uint64_t verify_file_bytes(void);

/* Compares plain cells with the digest and the counts in the header. If they differ, the file gets the
 * verdict that it is damaged. The cells are laid out as in verify_read. Errors: TAULER_NO_MEMORY. */
tauler_error verify_check_plain(verify_file *file, const table *of, const int8_t *values,
                                const uint16_t *depths, int planes, memory_budget *memory,
                                tauler_message *message);

/* --- verify_family.c: the tables of a rule set --- */

/* One slice: its tables, and the slices that its moves lead to. Streams are numbered: first the values, or
 * the lower and the upper bound (in a game of dice those of each quantity), then their depths, which games of
 * dice do not have. */
typedef struct {
  uint32_t slice;
  char name[GAME_TEXT_BYTES];
  uint64_t positions;
  game_slices needs; /* slices that its moves lead to */
  /* Index of the last entry that needs the slice, or its own. SIZE_MAX in the fallback of another family. */
  size_t last_use;
  int values; /* number of streams of values or bounds */
  int streams;
  verify_file *files[VERIFY_MOST_FILES]; /* [stream] NULL if the file is missing */
  verify_file *exact;                    /* file of values for both bounds, twice in `files`, or NULL */
} verify_entry;

typedef struct verify_family {
  const verify_job *job;
  table_header names; /* texts of game, rules and cycles. The rest is unused */
  arena lists;        /* memory of `states` and of the lists in `logic` */
  verify_set logic;
  game_rules *rules;
  game_slices asked;     /* slices asked for, with those that they need. Not filled if all are asked for */
  verify_entry *entries; /* [used] in the order of slice numbers: each follows those that it needs */
  size_t used, room;
  /* [slices] Words for the state of a slice that was checked and not proven, otherwise NULL. */
  const char **states;
  bool dice;
  /* Family of the tables that converting moves lead to (game->fallback_cycles), or NULL for this family. */
  struct verify_family *fallback;
  bool below; /* the family is the fallback of another one, for which its cells are kept */
} verify_family;

/* Opens a family by the game and the rules in a header. If this program does not have them, *known is false.
 * Before the call `of` has its job and is otherwise zero. The caller frees it in any case. Errors:
 * TAULER_NO_MEMORY. */
tauler_error verify_family_open(verify_family *of, const table_header *header, bool *known,
                                tauler_message *message);
void verify_family_free(verify_family *of);

/* Adds a table to the entry of its slice. If the slice or the stream does not exist, or the header does not
 * fit them, the table gets a verdict. */
tauler_error verify_family_add(verify_family *of, verify_file *file, tauler_message *message);
/* Returns the entry of the slice with this name, or NULL if it has no table. */
verify_entry *verify_family_find(const verify_family *of, const char *name);
/* Once all tables are in place, verify_family_order sorts the slices. Once all families are sorted,
 * verify_family_prepare allocates the lists of a family, after those of its fallback. Errors:
 * TAULER_NO_MEMORY, also if the proof needs more memory than there is. */
void verify_family_order(verify_family *of);
tauler_error verify_family_prepare(verify_family *of, tauler_message *message);
/* Set how much memory is left free by blocks that may be on the disk (memory_keep): for_later before the
 * cells of a slice are loaded, for_check before it is checked. */
void verify_family_keep_for_later(const verify_family *of, const verify_entry *at);
void verify_family_keep_for_check(const verify_family *of);
void verify_family_free_slice(const verify_family *of, uint32_t slice);

/* Returns the cycle rule whose tables converting moves lead to, or NULL if it is the family's own. */
const char *verify_family_fallback(const verify_family *of);

/* Writes the name of the i-th stream of a slice. */
void verify_stream_name(const verify_family *of, const verify_entry *at, int i,
                        char name[CHANCE_STREAM_BYTES]);

/* --- verify_entry.c: the check of one slice --- */

/* Checks files and logic of one slice. Each of its files gets a verdict. If other slices can rest on this
 * one, its cells and, in outcomes, its depths stay in the family. Errors: all that are no finding. */
tauler_error verify_entry_check(const verify_family *of, const verify_entry *at, tauler_message *message);

/* Returns the bytes that the check of a slice takes beside its cells. */
uint64_t verify_check_bytes(const verify_family *of, const verify_entry *at);

#endif
