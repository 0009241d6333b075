/* Runs the command fetch. If the fetch of a file is interrupted, the bytes received stay under a hidden name
 * beside its path, and the next fetch adds the rest. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/publish/catalogue.h"
#include "analysis/publish/fetch.h"
#include "analysis/publish/place.h"
#include "analysis/publish/sums.h"
#include "base/available.h"
#include "base/command/command.h"
#include "base/durable_file.h"
#include "base/folder_lock.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/text_show.h"
#include "databases/names.h"
#include "databases/table.h"
#include "databases/table_frames.h"
#include "games/game_options.h"

static const option own_options[] = {
    {"only", "GAME[/RULES[/CYCLES]]", "only tables in or below this folder of the published ones", NULL},
    {"timeout", "DURATION", "end when an address brings less than 1 kB a second for so long; default: 60s",
     NULL},
    {"quiet", NULL, "no progress, no summary, only errors", NULL},
    {"json", NULL, "the summary as one JSON object", NULL},
};
static const option_group own_group = OPTION_GROUP("Fetching", own_options);
static const option_group *const groups[] = {&game_options_folder_group, &own_group,
                                             &game_options_sizes_group, NULL};

/* Sums over the chosen tables of a rule set. */
typedef struct {
  char name[FOLDER_PATH_BYTES]; /* "auale/abapa/own-row" */
  size_t tables, missing;
  uint64_t bytes; /* bytes of the missing tables */
} rule_set_size;

typedef struct {
  fetch_source source;
  const char *db;
  const char *below;           /* only tables in or below this folder, "auale/abapa", or NULL */
  const game_request *request; /* only slices of this size and those that they need, or NULL */
  table_header of;             /* header of the table for whose rules `slices` was made */
  game_slices slices;
  progress shown;
  size_t fetched, kept; /* tables received, and tables that existed here with the same cells */
  uint64_t fetched_bytes;
  sums digests;
  growing catalogue; /* compressed bytes of the published catalogue */
  names_places places;
  size_t entries;
  uint64_t bytes; /* bytes of tables that are missing here */
  rule_set_size size;
  size_t chosen;
  char had[256]; /* rule sets that are published, for a message */
  tauler_message *message;
} fetching;

static const sum *expected_sum(const fetching *f, const char *below) {
  const sum *expected = sums_find(&f->digests, below);
  if (!expected)
    (void)tauler_fail(f->message, TAULER_DAMAGED_FILE,
                      "%.400s does not list %.400s; publish the folder again", SUMS_NAME, below);
  return expected;
}

static tauler_error fail_different(const fetching *f, const char *below) {
  return tauler_fail(
      f->message, TAULER_DAMAGED_FILE,
      "%.500s of %.300s is not what its SHA-256 says: damaged there or on its way; nothing of it "
      "is kept",
      below, f->source.name);
}

/* --- lists of the published folder --- */

static tauler_error add_to_memory(void *user, uint64_t at, const void *bytes, size_t n,
                                  tauler_message *message) {
  (void)at; /* A list is read from its first byte, so bytes come in order. */
  return growing_add(user, bytes, n, message);
}

static tauler_error read_list(const fetching *f, const char *below, uint64_t most, growing *out) {
  fetch_wish wish = {&f->source, below, .most = most, .take = add_to_memory, .user = out};
  const tauler_error error = growing_add(out, "", 0, f->message);
  return error ? error : fetch_file(&wish, f->message);
}

static tauler_error read_sums(fetching *f) {
  growing text = {0};
  tauler_error error = read_list(f, SUMS_NAME, SUMS_MOST_BYTES, &text);
  if (!error) error = sums_read(&f->digests, SUMS_NAME, text.bytes, text.used, f->message);
  free(text.bytes);
  return error;
}

static tauler_error read_catalogue(fetching *f) {
  char digest[SUM_TEXT];
  const sum *expected = expected_sum(f, CATALOGUE_NAME);
  if (!expected) return TAULER_DAMAGED_FILE;
  const tauler_error error = read_list(f, CATALOGUE_NAME, CATALOGUE_MOST_BYTES, &f->catalogue);
  if (error) return error;
  digest_bytes(f->catalogue.bytes, f->catalogue.used, digest);
  return strcmp(digest, expected->digest) == 0 ? TAULER_OK : fail_different(f, CATALOGUE_NAME);
}

/* A table of the catalogue. `below` is its path in the published folder, `path` its path here. */
typedef struct {
  const catalogue_entry *entry;
  char below[FOLDER_PATH_BYTES], path[FOLDER_PATH_BYTES];
  table_header header;
  const sum *expected;
} listed_table;

/* True if a path is below a folder; slashes at the end of the folder's name do not count. */
static bool is_below(const char *path, const char *folder) {
  size_t n = strlen(folder);
  while (n && folder[n - 1] == '/') n--;
  return n == 0 || (strncmp(path, folder, n) == 0 && path[n] == '/');
}

static tauler_error match_table(fetching *f, const listed_table *listed, bool *chosen) {
  const game *game = f->places.game;
  const game_rules *rules = f->places.rules;
  tauler_error error = TAULER_OK;
  *chosen = !f->below || is_below(listed->entry->path, f->below);
  if (!*chosen || !f->request) return TAULER_OK;
  if (!f->slices.slices || !rules_match_header(game, rules, &f->of)) {
    free(f->slices.slices);
    f->slices = (game_slices){NULL, 0};
    f->of = listed->header;
    error = game->slices(rules, f->request, &f->slices, f->message);
  }
  *chosen = !error && game_slices_have(game, rules, &f->slices, listed->header.slice);
  return error;
}

/* Fills *out for an entry and checks it. *chosen becomes false if the options do not choose the table, or if
 * the entry is a file of offsets, for which *out is not filled. */
static tauler_error look_up_entry(fetching *f, const catalogue_entry *entry, listed_table *out,
                                  bool *chosen) {
  *chosen = false;
  if (entry->head_bytes == 0) return TAULER_OK;
  out->entry = entry;
  snprintf(out->below, sizeof out->below, "%s/%s", CATALOGUE_FOLDER, entry->path);
  if (snprintf(out->path, sizeof out->path, "%s/%s", f->db, entry->path) >= (int)sizeof out->path)
    return tauler_fail(f->message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s", f->db);
  if (!(out->expected = expected_sum(f, out->below))) return TAULER_DAMAGED_FILE;
  if (entry->head_bytes != TABLE_FRAMES_AT)
    return tauler_fail(f->message, TAULER_DAMAGED_FILE, "the catalogue has no header of %.400s", out->below);
  tauler_error error =
      table_header_parse(entry->head, entry->head_bytes, out->below, entry->bytes, &out->header, f->message);
  if (!error) error = names_check(&f->places, CATALOGUE_FOLDER, out->below, &out->header, f->message);
  return error ? error : match_table(f, out, chosen);
}

static void print_rule_set_size(fetching *f) {
  const rule_set_size *size = &f->size;
  if (!size->tables) return;
  progress_note(&f->shown, "%s: %zu table%s, of which %zu, %s, are to come", text_shown(size->name).text,
                size->tables, size->tables == 1 ? "" : "s", size->missing, text_size(size->bytes).text);
}

/* If the table is of another rule set than the last one, prints the sums of that one and begins new ones. */
static void begin_rule_set(fetching *f, const table_header *header) {
  char name[FOLDER_PATH_BYTES];
  snprintf(name, sizeof name, "%s/%s%s%s", header->game, header->rules, *header->cycles ? "/" : "",
           header->cycles);
  if (strcmp(name, f->size.name) == 0) return;
  print_rule_set_size(f);
  f->size = (rule_set_size){.tables = 0};
  snprintf(f->size.name, sizeof f->size.name, "%s", name);
  text_add(f->had, sizeof f->had, "%s%s", *f->had ? ", " : "", name);
}

static tauler_error check_entry(void *user, const catalogue_entry *entry, tauler_message *message) {
  fetching *f = user;
  listed_table listed;
  struct stat about;
  bool chosen = false;
  if (++f->entries > f->digests.used)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "%s lists more files than %s", CATALOGUE_NAME,
                       SUMS_NAME);
  const tauler_error error = look_up_entry(f, entry, &listed, &chosen);
  if (error || entry->head_bytes == 0) return error;
  begin_rule_set(f, &listed.header);
  if (!chosen) return TAULER_OK;
  f->chosen++;
  f->size.tables++;
  if (stat(listed.path, &about) == 0) return TAULER_OK;
  f->size.missing++;
  f->size.bytes += entry->bytes;
  f->bytes = entry->bytes < UINT64_MAX - f->bytes ? f->bytes + entry->bytes : UINT64_MAX;
  return TAULER_OK;
}

/* --- tables --- */

/* Refuses a table that exists here if its cells differ from those of the published one. */
static tauler_error compare_own_table(fetching *f, const listed_table *listed) {
  table_header own;
  const tauler_error error = table_read_header(listed->path, &own, f->message);
  if (error) return error;
  if (!table_digests_equal(own.plain_digest, listed->header.plain_digest))
    return tauler_fail(f->message, TAULER_DAMAGED_FILE,
                       "%.400s has other cells than the published table: one of them is wrong; tauler verify "
                       "finds out which, or fetch into another folder",
                       listed->path);
  f->kept++;
  return TAULER_OK;
}

static tauler_error write_to_file(void *user, uint64_t at, const void *bytes, size_t n,
                                  tauler_message *message) {
  return durable_file_write_at(user, at, bytes, n, message);
}

/* Receives the bytes from n on. *right becomes true if the whole file has the digest of SHA256SUMS. */
static tauler_error complete_file(const fetching *f, const listed_table *listed, durable_file *file,
                                  uint64_t n, bool *right) {
  char digest[SUM_TEXT];
  const uint64_t wanted = listed->entry->bytes;
  fetch_wish wish = {&f->source, listed->below, n, wanted, write_to_file, file, .end = n};
  tauler_error error = n < wanted ? fetch_file(&wish, f->message) : TAULER_OK;
  if (!error && wish.end < wanted)
    error = tauler_fail(f->message, TAULER_DAMAGED_FILE,
                        "%.400s of %.300s has %" PRIu64 " bytes, not the %" PRIu64 " that the catalogue says",
                        listed->below, f->source.name, wish.end, wanted);
  if (!error) error = digest_parts(durable_file_descriptor(file), listed->below, wanted, digest, f->message);
  *right = !error && strcmp(digest, listed->expected->digest) == 0;
  return error;
}

/* Receives a file, of which n bytes are here. If the digest then differs, these bytes may be of another
 * publication, so receives the whole file once more. */
static tauler_error receive_file(const fetching *f, const listed_table *listed, durable_file *file,
                                 uint64_t n, bool *right) {
  tauler_error error = TAULER_OK;
  if (n > listed->entry->bytes) error = durable_file_resize(file, n = 0, f->message);
  if (!error) error = complete_file(f, listed, file, n, right);
  if (error || *right || n == 0) return error;
  error = durable_file_resize(file, 0, f->message);
  return error ? error : complete_file(f, listed, file, 0, right);
}

/* Checks that a file whose digest is right is a table, has the header of the catalogue, and still has its
 * hidden name. */
static tauler_error check_table(const fetching *f, const listed_table *listed, const durable_file *file) {
  unsigned char head[TABLE_FRAMES_AT];
  table *opened;
  tauler_error error =
      durable_read_range(durable_file_descriptor(file), listed->below, 0, head, sizeof head, f->message);
  if (!error && memcmp(head, listed->entry->head, sizeof head) != 0)
    error =
        tauler_fail(f->message, TAULER_DAMAGED_FILE, "%.400s of %.300s has another header than the catalogue",
                    listed->below, f->source.name);
  if (!error) error = table_open(durable_file_hidden(file), false, &opened, f->message);
  if (error) return error;
  table_close(opened);
  if (durable_file_is_named(file)) return TAULER_OK;
  return tauler_fail(f->message, TAULER_IO, "%.400s was replaced by another process; run the command again",
                     durable_file_hidden(file));
}

/* Receives a table and gives it its name. After an error a wrong file is removed; a file that is incomplete
 * or cannot be read stays for the next fetch. */
static tauler_error receive_and_name(const fetching *f, const listed_table *listed, durable_file *file,
                                     uint64_t n) {
  bool right = false;
  tauler_error error = receive_file(f, listed, file, n, &right);
  if (error) {
    durable_file_keep(file);
    return error;
  }
  error = right ? check_table(f, listed, file) : fail_different(f, listed->below);
  if (!error) error = durable_file_sync(file, f->message);
  if (!error) return durable_file_commit(file, f->message);
  (error == TAULER_DAMAGED_FILE ? durable_file_abandon : durable_file_keep)(file);
  return error;
}

static tauler_error fetch_table(fetching *f, const listed_table *listed) {
  char hidden[FOLDER_PATH_BYTES];
  durable_file *file;
  uint64_t n;
  if (access(listed->path, F_OK) == 0) return compare_own_table(f, listed);
  const char *name = strrchr(listed->path, '/') + 1;
  const int folder = (int)(name - listed->path);
  if (snprintf(hidden, sizeof hidden, "%.*s.%s.fetch", folder, listed->path, name) >= (int)sizeof hidden)
    return tauler_fail(f->message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s", f->db);
  tauler_error error = place_folder(listed->path, f->message);
  if (!error) error = durable_file_resume(listed->path, hidden, &file, &n, f->message);
  if (!error) error = receive_and_name(f, listed, file, n);
  if (error) return error;
  progress_add(&f->shown, listed->entry->bytes);
  f->fetched++;
  f->fetched_bytes += listed->entry->bytes;
  return TAULER_OK;
}

static tauler_error fetch_entry(void *user, const catalogue_entry *entry, tauler_message *message) {
  fetching *f = user;
  listed_table listed;
  (void)message;
  bool chosen;
  const tauler_error error = look_up_entry(f, entry, &listed, &chosen);
  return error || !chosen ? error : fetch_table(f, &listed);
}

static tauler_error check_room(const fetching *f) {
  const uint64_t room = disk_available(f->db);
  if (f->bytes <= room) return TAULER_OK;
  return tauler_fail(
      f->message, TAULER_NO_SPACE,
      "the tables that are not there take %s, and %.400s has room for %s: free some, or fetch into "
      "another folder",
      text_size(f->bytes).text, f->db, text_size(room).text);
}

static tauler_error check_choice(const fetching *f) {
  if (f->chosen || !f->below) return TAULER_OK;
  return tauler_fail(f->message, TAULER_TABLE_MISSING,
                     "nothing of this choice is published; there are tables of: %s", text_shown(f->had).text);
}

static tauler_error read_entries(fetching *f, catalogue_visit visit) {
  return catalogue_read(CATALOGUE_NAME, f->catalogue.bytes, f->catalogue.used, visit, f, f->message);
}

static tauler_error fetch_all(fetching *f) {
  tauler_error error = read_sums(f);
  if (!error) error = read_catalogue(f);
  if (!error) error = read_entries(f, check_entry);
  print_rule_set_size(f);
  if (!error) error = check_choice(f);
  if (!error) error = check_room(f);
  if (error) return error;
  progress_start(&f->shown, "fetch", "bytes", f->bytes, 0);
  return read_entries(f, fetch_entry);
}

/* A file gets its name only if its SHA-256 is that of SHA256SUMS, it opens as a table, and its header agrees
 * with the catalogue and with its path. SHA256SUMS and the catalogue are checked before the first table is
 * received. */
static tauler_error fetch_tables(fetching *f) {
  folder_lock *lock = NULL;
  tauler_error error = fetch_check_source(f->source.name, f->message);
  if (!error) error = durable_folder_create(f->db, f->message);
  if (!error) error = folder_lock_acquire(f->db, &lock, f->message);
  if (!error) error = fetch_all(f);
  folder_lock_release(lock);
  sums_free(&f->digests);
  names_places_close(&f->places);
  free(f->catalogue.bytes);
  free(f->slices.slices);
  return error;
}

/* --- command --- */

static void print_figures(const fetching *f, bool as_json) {
  if (as_json) {
    json_line(stdout, JSON_TEXT("folder", f->db), JSON_COUNT("fetched", f->fetched),
              JSON_COUNT("kept", f->kept), JSON_COUNT("bytes", f->fetched_bytes));
  } else {
    printf("fetched %zu tables, %s, into %s; %zu were there\n", f->fetched, text_size(f->fetched_bytes).text,
           f->db, f->kept);
  }
}

static bool has_size(const options *parsed) {
  for (size_t i = 0; i < game_options_sizes_group.n; i++)
    if (options_has(parsed, game_options_sizes_group.options[i].name)) return true;
  return false;
}

static tauler_error read_choice(const options *parsed, fetching *f, game_request *request,
                                tauler_message *message) {
  char name[64];
  const game *chosen;
  const bool sized = has_size(parsed);
  f->below = options_get(parsed, "only");
  if (!f->below && sized)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a size needs --only, which names the game: --only auale/abapa --seeds 12");
  if (!f->below) return TAULER_OK;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(f->below, "/"), f->below);
  tauler_error error = game_options_find(name, &chosen, message);
  if (error || !sized) return error;
  error = game_options_request_read(parsed, chosen, request, message);
  if (!error && options_has(parsed, "board") && chosen->board_flag)
    return tauler_fail(message, TAULER_BAD_USAGE, "a board of %s is part of its rules: name it in --only",
                       chosen->name);
  f->request = request;
  return error;
}

static tauler_error run_fetch(const options *parsed, tauler_message *message) {
  game_request request;
  fetching f = {
      .source = {options_argument(parsed, 0), 60}, .db = game_options_folder(parsed), .message = message};
  double *timeout = &f.source.timeout;
  progress_open(&f.shown, stderr, progress_choose(options_has(parsed, "quiet"), false));
  tauler_error error = options_duration(parsed, "timeout", timeout, message);
  if (!error && (*timeout < 0.1 || *timeout > 86400))
    error = tauler_fail(message, TAULER_BAD_USAGE, "--timeout is from a tenth of a second to one day");
  if (!error) error = read_choice(parsed, &f, &request, message);
  if (!error) error = fetch_tables(&f);
  progress_abandon(&f.shown);
  if (!error && (options_has(parsed, "json") || !options_has(parsed, "quiet")))
    print_figures(&f, options_has(parsed, "json"));
  return error;
}

const command command_fetch = {.name = "fetch",
                               .arguments = "DIR|URL",
                               .arguments_completion = "@dir",
                               .groups = groups,
                               .stopped = "stopped; what was fetched is kept: run the same command again",
                               .run = run_fetch};
