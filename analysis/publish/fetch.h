/* Fetches published tables into another folder. Private to analysis/publish.
 *
 * One thread calls. If a file is interrupted, the bytes received stay under a hidden name beside its path,
 * and the next fetch continues it.
 */
#ifndef ANALYSIS_PUBLISH_FETCH_H
#define ANALYSIS_PUBLISH_FETCH_H

#include <stdbool.h>

#include "analysis/publish/place.h"
#include "base/progress.h"
#include "base/tauler_error.h"
#include "databases/names.h"

/* The program curl under control: what it reads from an address comes through a pipe, so that it writes no
 * file, and it ends with this process. Private to analysis/publish.
 *
 * It reads no configuration, and of the environment only the proxies (http_proxy, https_proxy, all_proxy,
 * no_proxy). Only http and https are read, and an answer cannot redirect https to http. One thread calls;
 * after a call nothing is left running.
 */

/* The least number of bytes per second that counts as progress. */
enum { CURL_LEAST_SPEED = 1000 };

typedef struct {
  const char *address;
  uint64_t first;  /* first byte that is asked for */
  double *seconds; /* seconds for which little or nothing may arrive, reduced by those that a call uses */
  double timeout;  /* largest number of seconds left, however much arrives */
} curl_request;

/* Passes the bytes of the address from `first` on to `take`. *no_part: nothing was passed on, since the
 * server has no part that begins there. Errors: TAULER_UNAVAILABLE (no curl), TAULER_IO, TAULER_NO_MEMORY,
 * those of take. */
tauler_error curl_read(const curl_request *request, place_use_part take, void *user, bool *no_part,
                       tauler_message *message);

/* Reads files of a published folder, from a folder or by HTTP. Private to analysis/publish.
 *
 * The files may be hostile: no more bytes are passed on than were asked for, and no wait is longer than the
 * timeout.
 */

typedef struct {
  const char *source; /* a folder or an address */
  double timeout;     /* seconds within which an address must send something */
} bring_source;

/* Errors: TAULER_BAD_USAGE (an address that is neither http nor https). */
tauler_error bring_check_source(const char *source, tauler_message *message);

/* Passes the bytes of the file `below` to `take`, each with its place in the file: those from `first` on, or
 * all of them if the server cannot begin there. Errors: TAULER_TABLE_MISSING (no such file),
 * TAULER_DAMAGED_FILE (it has more than `most` bytes, of which only so many are passed on; or it is no
 * regular file), TAULER_UNAVAILABLE (no curl), TAULER_IO, TAULER_NO_MEMORY, those of take. */
typedef struct {
  const char *below;
  uint64_t first, most; /* bytes */
  tauler_error (*take)(void *user, uint64_t at, const void *bytes, size_t n, tauler_message *message);
  void *user;
  uint64_t end; /* result: place after the last byte passed on */
} bring_wish;
tauler_error bring_file(const bring_source *from, bring_wish *wish, tauler_message *message);

/* Chooses tables of a published folder by their path and slice. Private to analysis/publish.
 *
 * A choice is set up by its caller and owns what it remembers until choice_free. One thread uses it.
 */

typedef struct {
  const char *below; /* "auale/abapa/own-row" for the tables in or below this folder, or NULL for all */
  const game_request *request; /* the slices of this size and those that they need, or NULL for all */
  /* The rule set of the last table, and its slices of the request. */
  table_header of;
  game_slices slices;
} fetch_choice;

/* True if the choice has the table. `path` is below the folder of tables; `game` and `rules` are those of its
 * header. Errors: those of game->slices. */
tauler_error choice_has(fetch_choice *choice, const char *path, const table_header *header, const game *game,
                        const game_rules *rules, bool *has, tauler_message *message);
void choice_free(fetch_choice *choice);

/* --- fetch --- */

typedef struct {
  const char *source; /* a folder, or the address of one */
  const char *db;
  double timeout;       /* seconds within which an address must send something */
  fetch_choice *choice; /* the chosen tables, or NULL for all */
  progress *shown;      /* first shows how much each rule set has that is chosen */
} fetch_job;

typedef struct {
  size_t fetched; /* tables fetched */
  size_t kept;    /* tables whose cells were here already */
  uint64_t bytes; /* bytes of the tables fetched */
} fetch_figures;

/* A file gets its name only after its SHA-256 is that of SHA256SUMS, it opens as a table, and its header
 * agrees with the catalogue and with its path. All that the lists say is checked before the first table is
 * received. Errors: TAULER_DAMAGED_FILE (another SHA-256, size or header; or a table with other cells exists
 * here), TAULER_TABLE_MISSING (nothing is published, or nothing of the choice), TAULER_NO_SPACE (before it
 * begins, if that can be known), TAULER_BUSY (another process works in db), those of bring_file and
 * bring_check_source. */
tauler_error fetch_tables(const fetch_job *job, fetch_figures *figures, tauler_message *message);

#endif
