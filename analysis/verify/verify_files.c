/* Lists the table files of a folder and checks their bytes. */
#include "analysis/verify/verify_family.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_show.h"
#include "databases/folder.h"
#include "databases/names.h"
#include "games/registry.h"

enum { PIECE = 65536, CELL_VALUES = 65536 };

/* --- list of files --- */

const char *verify_verdict_state(verify_verdict verdict) {
  const bool unknown = verdict == VERIFY_FILES_ONLY || verdict == VERIFY_UNFOUNDED;
  return unknown ? "not proven" : verify_verdict_name(verdict);
}

void verify_settle(verify_file *file, verify_verdict verdict, const char *format, ...) {
  if (file->settled) return;
  file->settled = true;
  file->found.verdict = verdict;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(file->reason.text, sizeof file->reason.text, format, arguments);
  va_end(arguments);
}

/* Leaves out the path at the beginning, since the finding has the path. */
static const char *text_without_path(const tauler_message *cause, const char *path) {
  const char *text = cause->text;
  const text_display shown = text_shown(path);
  const size_t n = strlen(shown.text);
  return strncmp(text, shown.text, n) == 0 && strncmp(text + n, ": ", 2) == 0 ? text + n + 2 : text;
}

/* If the error is damage, settles the file and returns TAULER_OK. Otherwise returns it with its message. */
static tauler_error note_damage(verify_file *file, tauler_error error, const tauler_message *cause,
                                tauler_message *message) {
  if (error == TAULER_DAMAGED_FILE) {
    verify_settle(file, VERIFY_DAMAGED, "%s", text_without_path(cause, file->found.path));
    return TAULER_OK;
  }
  if (error && message) *message = *cause;
  return error;
}

typedef struct {
  verify_list *list;
  const char *folder;
  tauler_message *message;
  names_places places;
} listing;

static tauler_error check_place(listing *all, verify_file *file) {
  const table_header *is = &file->header;
  char path[FOLDER_PATH_BYTES];
  const tauler_error error = names_place(&all->places, all->folder, is, path, all->message);
  if (error == TAULER_NO_MEMORY) return error;
  file->readable = !error && strcmp(path, file->found.path) == 0;
  if (!file->readable)
    verify_settle(file, VERIFY_MISPLACED,
                  "it stands in the wrong place: its header says game %s, rules %s%s%s, slice %s, stream %s",
                  is->game, is->rules, is->cycles[0] ? ", cycles " : "", is->cycles, is->slice, is->stream);
  return TAULER_OK;
}

static bool may_be_table(const char *folder, const char *path) {
  char game[GAME_TEXT_BYTES];
  const char *below = path + strlen(folder), *name = strrchr(path, '/') + 1;
  below += strspn(below, "/");
  snprintf(game, sizeof game, "%.*s", (int)strcspn(below, "/"), below);
  const char *stream = strchr(name, '.');
  const size_t n = stream ? strspn(stream + 1, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
  return game_find(game) && below < name && stream > name && n && strcmp(stream + 1 + n, ".zst") == 0;
}

static tauler_error list_file(void *user, const char *path) {
  listing *all = user;
  verify_list *list = all->list;
  if (!memory_make_room(&list->files, &list->room, list->used + 1, sizeof *list->files))
    return tauler_fail(all->message, TAULER_NO_MEMORY, "no memory for a list of tables");
  verify_file *file = &list->files[list->used];
  *file = (verify_file){.found.path = strdup(path)};
  if (!file->found.path) return tauler_fail(all->message, TAULER_NO_MEMORY, "no memory for a list of tables");
  list->used++;
  table *opened;
  tauler_message cause = {""};
  const tauler_error error = table_open(path, false, &opened, &cause);
  if (error == TAULER_TABLE_MISSING) verify_settle(file, VERIFY_DAMAGED, "its name leads to no file");
  if (error == TAULER_TABLE_MISSING) return TAULER_OK;
  if (error == TAULER_DAMAGED_FILE && !may_be_table(all->folder, path))
    verify_settle(file, VERIFY_NO_TABLE, "no table is called so: GAME/RULES[/CYCLES]/SLICE.STREAM.zst");
  if (error) return note_damage(file, error, &cause, all->message);
  file->header = *table_get_header(opened);
  file->header.counts = NULL;
  table_close(opened);
  return check_place(all, file);
}

tauler_error verify_list_folder(verify_list *list, const char *folder, tauler_message *message) {
  *list = (verify_list){0};
  listing all = {.list = list, .folder = folder, .message = message};
  const tauler_error error = folder_walk(folder, list_file, &all, message);
  names_places_close(&all.places);
  return error;
}

void verify_list_free(verify_list *list) {
  for (size_t i = 0; i < list->used; i++) free((char *)list->files[i].found.path);
  free(list->files);
  *list = (verify_list){0};
}

/* --- ranks --- */

typedef struct {
  verify_verdict verdict;
  tauler_message reason;
} settled_file;

tauler_error verify_files_agree(verify_file *const *files, size_t n, comm *ranks, tauler_error error,
                                tauler_message *message) {
  const uint64_t self = (uint64_t)(comm_ranks(ranks) - comm_rank(ranks));
  uint64_t first[VERIFY_MOST_FILES];
  for (size_t i = 0; i < n; i++) first[i] = files[i] && files[i]->settled ? self : 0;
  error = comm_agree(ranks, error, message);
  if (!error) error = comm_allreduce(ranks, COMM_MAX, first, n, message);
  for (size_t i = 0; i < n && !error; i++) {
    if (first[i] == 0) continue;
    settled_file found = {0};
    if (files[i]) found = (settled_file){files[i]->found.verdict, files[i]->reason};
    error = comm_bcast(ranks, comm_ranks(ranks) - (int)first[i], &found, sizeof found, message);
    if (!error && files[i]) verify_settle(files[i], found.verdict, "%s", found.reason.text);
  }
  return error;
}

/* Returns a hash (as FNV-1a) of names and digests. Folders are left out, since ranks may know them by
 * different paths. */
static uint64_t hash_list(const verify_list *list) {
  uint64_t number = UINT64_C(0xCBF29CE484222325);
  for (size_t i = 0; i < list->used; i++) {
    const verify_file *file = &list->files[i];
    const char *name = strrchr(file->found.path, '/');
    for (; name && *name; name++) number = (number ^ (unsigned char)*name) * UINT64_C(0x100000001B3);
    const uint64_t words[] = {file->readable, file->header.plain_digest.low, file->header.plain_digest.high,
                              file->header.stored_digest.low, file->header.stored_digest.high};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
      number = (number ^ words[w]) * UINT64_C(0x100000001B3);
  }
  return number;
}

tauler_error verify_list_agree(const verify_list *list, comm *ranks, tauler_message *message) {
  const uint64_t own = hash_list(list);
  uint64_t numbers[] = {own, ~own};
  const tauler_error error = comm_allreduce(ranks, COMM_MAX, numbers, 2, message);
  if (error || numbers[0] == ~numbers[1]) return error;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "the ranks do not see the same tables: give all of them the same folder");
}

/* --- cells --- */

tauler_error verify_open(verify_file *file, bool checks, int threads, table **out, tauler_message *message) {
  tauler_message cause = {""};
  *out = NULL;
  tauler_error error = names_open(file->found.path, false, out, &cause);
  if (!error && checks) error = table_check(*out, threads, &cause);
  if (!error) return TAULER_OK;
  table_close(*out);
  *out = NULL;
  return note_damage(file, error, &cause, message);
}

static uint64_t piece_cells(const table *of, uint64_t first) {
  const uint64_t left = table_get_header(of)->positions - first;
  return left < PIECE ? left : PIECE;
}

static void decode_depths(const table_header *header, const void *piece, uint64_t n, uint16_t *out,
                          int planes) {
  const uint8_t *narrow = piece;
  const uint16_t *wide = piece;
  for (uint64_t i = 0; i < n; i++) {
    const uint16_t cell = header->cell == TABLE_U8 ? narrow[i] : wide[i];
    const bool reserved = header->coding == TABLE_IMPLIED && cell == header->reserved;
    out[i * (unsigned)planes] = reserved ? VERIFY_RESERVED_DEPTH : cell;
  }
}

tauler_error verify_read(verify_file *file, const table *from, int8_t *values, uint16_t *depths, int planes,
                         memory_budget *memory, tauler_message *message) {
  const table_header *header = table_get_header(from);
  tauler_message cause = {""};
  uint16_t *piece;
  tauler_error error =
      memory_allocate_array(memory, PIECE, sizeof *piece, "a piece of a table", &piece, &cause);
  for (uint64_t first = 0; first < header->positions && !error; first += PIECE) {
    const uint64_t n = piece_cells(from, first), at = first * (unsigned)planes;
    error = table_read(from, first, n, piece, &cause);
    if (!error && depths) decode_depths(header, piece, n, depths + at, planes);
    for (uint64_t i = 0; i < n && !error && values; i++)
      values[at + i * (unsigned)planes] = ((int8_t *)piece)[i];
  }
  memory_free(memory, piece);
  return note_damage(file, error, &cause, message);
}

tauler_error verify_read_bounds(verify_file *file, const table *from, double *cells,
                                tauler_message *message) {
  tauler_message cause = {""};
  const tauler_error error = table_read(from, 0, table_get_header(from)->positions, cells, &cause);
  return note_damage(file, error, &cause, message);
}

typedef struct {
  uint64_t counts[CELL_VALUES]; /* [value − INT8_MIN] or [depth] number of cells */
  uint16_t piece[PIECE];
} plain_cells;

/* Copies n plain cells into the piece, in the type of the table's cells, and counts them. */
static void gather_cells(plain_cells *plain, const int8_t *values, const uint16_t *depths, uint64_t n,
                         int planes, table_cell cell) {
  uint8_t *narrow = (uint8_t *)plain->piece;
  const bool wide = table_cell_bytes(cell) > 1;
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t at = i * (unsigned)planes;
    const int number = values ? values[at] : depths[at];
    plain->counts[values ? number - INT8_MIN : number]++;
    if (wide)
      plain->piece[i] = (uint16_t)number;
    else
      narrow[i] = (uint8_t)number;
  }
}

uint64_t verify_file_bytes(void) {
  return sizeof(plain_cells);
}

static bool counts_agree(const table_header *header, const plain_cells *plain, int least) {
  size_t used = 0;
  for (int i = 0; i < CELL_VALUES; i++) {
    if (plain->counts[i] == 0) continue;
    if (used == header->counts_used) return false;
    const table_count *count = &header->counts[used++];
    if (count->value != i + least || count->count != plain->counts[i]) return false;
  }
  return used == header->counts_used;
}

tauler_error verify_check_plain(verify_file *file, const table *of, const int8_t *values,
                                const uint16_t *depths, int planes, memory_budget *memory,
                                tauler_message *message) {
  const table_header *header = table_get_header(of);
  plain_cells *plain;
  const tauler_error error = memory_allocate(memory, sizeof *plain, "plain cells", &plain, message);
  if (error) return error;
  table_digester *digester = table_digester_new();
  if (!digester) {
    memory_free(memory, plain);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a digest");
  }
  for (uint64_t first = 0; first < header->positions; first += PIECE) {
    const uint64_t n = piece_cells(of, first), at = first * (unsigned)planes;
    gather_cells(plain, values ? values + at : NULL, values ? NULL : depths + at, n, planes, header->cell);
    table_digester_add(digester, plain->piece, n * table_cell_bytes(header->cell));
  }
  const table_digest digest = table_digester_end(digester);
  if (!table_digests_equal(digest, header->plain_digest)) {
    verify_settle(
        file, VERIFY_DAMAGED,
        "its cells, looked up where they are left out, do not agree with the digest of plain cells");
  } else if (!counts_agree(header, plain, values ? INT8_MIN : 0)) {
    verify_settle(file, VERIFY_DAMAGED, "its counts are not those of its cells");
  }
  memory_free(memory, plain);
  return TAULER_OK;
}
