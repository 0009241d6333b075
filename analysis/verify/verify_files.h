/* Private to the proof check: the table files of a folder, and their cells in and out of memory.
 *
 * A verify_list owns its files; a verify_file keeps what was found out about it. Belongs to one thread.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_FILES_H
#define ANALYSIS_VERIFY_VERIFY_FILES_H

#include "analysis/verify/verify.h"
#include "analysis/verify/verify_slice.h"
#include "databases/table.h"
#include "games/game_chance.h"

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

#endif
