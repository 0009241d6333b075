/* Copies tables with every cell written out. */
#include "analysis/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/probe/answer.h"
#include "analysis/slices/cells.h"
#include "base/durable_file.h"
#include "databases/folder.h"
#include "databases/names.h"
#include "parallel/failure.h"

enum { PIECE_BYTES = TABLE_FRAME_BYTES, PIECES_PER_THREAD = 8, NPY_HEADER_BYTES = 128 };

typedef struct {
  const export_job *job;
  slice_entry *entry;
  const bulk_slice *loaded;
  const table *from;
  stream_kind kind;
  int plane;
  char path[FOLDER_PATH_BYTES];
} export_stream;

/* --- cells ------------------------------------------------------------------------------------------- */

/* A negative number has the same bytes in signed and unsigned cells. */
static void put_cell(table_cell cell, void *cells, size_t i, int number) {
  if (table_cell_bytes(cell) == 1)
    ((uint8_t *)cells)[i] = (uint8_t)number;
  else
    ((uint16_t *)cells)[i] = (uint16_t)number;
}

static int cell_number(const export_stream *s, const plain_cell *cell) {
  if (s->kind == STREAMS_VALUE) return s->plane ? cell->upper : cell->lower;
  const int depth = s->plane ? cell->depth_upper : cell->depth_lower;
  return depth == TAULER_NO_DEPTH ? 0 : depth;
}

static tauler_error recover_cells(const export_stream *s, uint64_t first, size_t count, void *cells,
                                  tauler_message *message) {
  plain_cell *read = malloc(count * sizeof *read);
  if (!read) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to copy cells of a table");
  const table_cell cell = table_get_header(s->from)->cell;
  const tauler_error error = cells_read(s->job->tables, s->entry->slice, s->loaded->all, first, count,
                                        s->kind == STREAMS_DEPTH, read, message);
  for (size_t i = 0; i < count && !error; i++) put_cell(cell, cells, i, cell_number(s, &read[i]));
  free(read);
  return error;
}

static tauler_error gather_outcomes(const export_stream *s, uint64_t first, size_t count, void *cells,
                                    tauler_message *message) {
  int8_t *values = malloc(count);
  uint16_t *depths = malloc(count * sizeof *depths);
  const bool have = values && depths;
  const table_cell cell = table_get_header(s->from)->cell;
  if (have) bulk_read_outcomes(s->loaded, first, count, values, depths);
  for (size_t i = 0; i < count && have; i++)
    put_cell(cell, cells, i, s->kind == STREAMS_DEPTH ? depths[i] : values[i]);
  free(values);
  free(depths);
  return have ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory to copy cells of a table");
}

static tauler_error read_copy_cells(const export_stream *s, uint64_t first, size_t count, void *cells,
                                    tauler_message *message) {
  if (table_get_header(s->from)->coding == TABLE_PLAIN) {
    return table_read(s->from, first, count, cells, message);
  }
  if (s->loaded->outcomes) return gather_outcomes(s, first, count, cells, message);
  return recover_cells(s, first, count, cells, message);
}

static tauler_error fail_digest(const export_stream *s, tauler_message *message) {
  const table_header *header = table_get_header(s->from);
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "the cells of slice %.60s (%s) are not those that its table's digest is of; check it "
                     "with tauler verify, or build it again",
                     header->slice, header->stream);
}

/* --- pieces --------------------------------------------------------------------------------------------- */

static size_t buffer_bytes(const export_job *job) {
  return (size_t)job->threads * PIECES_PER_THREAD * PIECE_BYTES;
}

/* Reads as many cells as fit into the buffer; *count becomes their number. */
static tauler_error read_pieces(const export_stream *s, uint64_t first, char *cells, size_t *count,
                                tauler_message *message) {
  const table_header *header = table_get_header(s->from);
  const size_t bytes = table_cell_bytes(header->cell), piece = PIECE_BYTES / bytes;
  const uint64_t left = header->positions - first, room = buffer_bytes(s->job) / bytes;
  *count = (size_t)(left < room ? left : room);
  const size_t pieces = (*count + piece - 1) / piece;
  failure failed = {0};
#pragma omp parallel for num_threads(s->job->threads) schedule(dynamic, 1)
  for (size_t i = 0; i < pieces; i++) {
    const size_t at = i * piece, n = *count - at < piece ? *count - at : piece;
    tauler_message why = {""};
    failure_note(&failed, read_copy_cells(s, first + at, n, cells + at * bytes, &why), &why);
    if (s->job->shown) progress_add(s->job->shown, n);
  }
  return failure_outcome(&failed, message);
}

/* Passes all cells to `take`, which may be NULL, and compares their digest with the table's. */
static tauler_error read_and_check_cells(const export_stream *s, export_take *take, void *user,
                                         tauler_message *message) {
  const table_header *header = table_get_header(s->from);
  const size_t bytes = table_cell_bytes(header->cell);
  char *cells = malloc(buffer_bytes(s->job));
  table_digester *digester = table_digester_new();
  tauler_error error = TAULER_OK;
  if (!cells || !digester) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to copy a table");
  for (uint64_t first = 0; first < header->positions && !error;) {
    size_t n = 0;
    error = read_pieces(s, first, cells, &n, message);
    if (!error) table_digester_add(digester, cells, n * bytes);
    if (!error && take) error = take(user, header, cells, n * bytes, message);
    first += n;
  }
  free(cells);
  if (digester) {
    const table_digest digest = table_digester_end(digester);
    if (!error && !table_digests_equal(digest, header->plain_digest)) error = fail_digest(s, message);
  }
  return error;
}

/* --- files of numpy ------------------------------------------------------------------------------------- */

static const char *numpy_type(table_cell cell) {
  static const char *const types[] = {[TABLE_I8] = "|i1",  [TABLE_U8] = "|u1",  [TABLE_I16] = "<i2",
                                      [TABLE_U16] = "<u2", [TABLE_F32] = "<f4", [TABLE_F64] = "<f8"};
  return types[cell];
}

/* Writes a header of version 1.0: a dictionary, padded with blanks to a multiple of 64 bytes. */
static void write_numpy_header(const table_header *header, char out[NPY_HEADER_BYTES]) {
  static const char magic[] = {(char)0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, NPY_HEADER_BYTES - 10, 0};
  char dictionary[NPY_HEADER_BYTES - sizeof magic];
  const int n = snprintf(dictionary, sizeof dictionary,
                         "{'descr': '%s', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
                         numpy_type(header->cell), header->positions);
  memset(dictionary + n, ' ', sizeof dictionary - (size_t)n);
  dictionary[sizeof dictionary - 1] = '\n';
  memcpy(out, magic, sizeof magic);
  memcpy(out + sizeof magic, dictionary, sizeof dictionary);
}

static tauler_error write_cells(void *user, const table_header *header, const char *cells, size_t bytes,
                                tauler_message *message) {
  (void)header;
  return durable_file_write(user, cells, bytes, message);
}

static tauler_error write_numpy(const export_stream *s, uint64_t *file_bytes, tauler_message *message) {
  const table_header *header = table_get_header(s->from);
  char start[NPY_HEADER_BYTES];
  durable_file *file;
  tauler_error error = durable_file_create(s->path, &file, message);
  if (error) return error;
  write_numpy_header(header, start);
  error = durable_file_write(file, start, NPY_HEADER_BYTES, message);
  if (!error) error = read_and_check_cells(s, write_cells, file, message);
  if (error) {
    durable_file_abandon(file);
    return error;
  }
  *file_bytes = NPY_HEADER_BYTES + header->positions * table_cell_bytes(header->cell);
  return durable_file_commit(file, message);
}

/* --- tables --------------------------------------------------------------------------------------------- */

static tauler_error fill_plain_cells(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                     tauler_message *message) {
  (void)plain;
  return read_copy_cells(user, first, count, stored, message);
}

static tauler_error write_table(export_stream *s, uint64_t *file_bytes, tauler_message *message) {
  table_header header = *table_get_header(s->from), written = header;
  const table_write_settings settings = {
      .level = s->job->level, .frame_bytes = header.frame_bytes, .threads = s->job->threads};
  tauler_error error = read_and_check_cells(s, NULL, NULL, message);
  header.coding = TABLE_PLAIN;
  header.reserved = 0;
  if (!error) error = table_write(s->path, &header, &settings, fill_plain_cells, s, &written, message);
  if (!error) *file_bytes = written.stored_bytes;
  return error;
}

/* --- existing copies ------------------------------------------------------------------------------------ */

static bool is_whole_table(const export_stream *s, uint64_t *file_bytes) {
  table *there;
  if (table_open(s->path, false, &there, NULL)) return false;
  const table_header *is = table_get_header(there), *wanted = table_get_header(s->from);
  const bool whole = is->coding == TABLE_PLAIN && is->cell == wanted->cell &&
                     is->positions == wanted->positions && is->index_version == wanted->index_version &&
                     table_digests_equal(is->plain_digest, wanted->plain_digest) &&
                     table_check(there, s->job->threads, NULL) == TAULER_OK;
  *file_bytes = is->stored_bytes;
  table_close(there);
  return whole;
}

static bool is_whole_numpy(const export_stream *s, uint64_t *file_bytes) {
  const table_header *header = table_get_header(s->from);
  const size_t step = PIECE_BYTES;
  *file_bytes = NPY_HEADER_BYTES + header->positions * table_cell_bytes(header->cell);
  struct stat about;
  if (stat(s->path, &about) != 0 || (uint64_t)about.st_size != *file_bytes) return false;
  FILE *file = fopen(s->path, "rb");
  char wanted[NPY_HEADER_BYTES], start[NPY_HEADER_BYTES];
  char *cells = malloc(step);
  table_digester *digester = table_digester_new();
  write_numpy_header(header, wanted);
  bool whole = file && cells && digester && fread(start, 1, sizeof start, file) == sizeof start &&
               memcmp(start, wanted, sizeof start) == 0;
  for (size_t n = 1; whole && n > 0;) {
    n = fread(cells, 1, step, file);
    table_digester_add(digester, cells, n);
  }
  if (digester) whole = table_digests_equal(table_digester_end(digester), header->plain_digest) && whole;
  if (file) fclose(file);
  free(cells);
  return whole;
}

/* --- slices --------------------------------------------------------------------------------------------- */

static tauler_error find_path(export_stream *s, tauler_message *message) {
  const tauler_tables *tables = s->job->tables;
  const table_header *header = table_get_header(s->from);
  tauler_error error =
      names_path(tables->game, tables->rules, s->job->folder, s->entry->slice, header, s->path, message);
  if (error) return error;
  if (s->job->form == EXPORT_NUMPY) {
    char *end = strrchr(s->path, '.'); /* .npy is as long as .zst */
    memcpy(end, ".npy", sizeof ".npy");
  }
  char folder[FOLDER_PATH_BYTES];
  snprintf(folder, sizeof folder, "%s", s->path);
  *strrchr(folder, '/') = '\0';
  return durable_folder_create(folder, message);
}

/* Passes the cells to job->take or, if that is NULL, makes a copy unless the right one exists. *there becomes
 * true if it does, and *bytes the size of the file. */
static tauler_error copy_cells(export_stream *s, uint64_t *bytes, bool *there, tauler_message *message) {
  if (s->job->take) return read_and_check_cells(s, s->job->take, s->job->user, message);
  const bool numpy = s->job->form == EXPORT_NUMPY;
  const tauler_error error = find_path(s, message);
  if (error) return error;
  *there = numpy ? is_whole_numpy(s, bytes) : is_whole_table(s, bytes);
  if (*there) return TAULER_OK;
  return numpy ? write_numpy(s, bytes, message) : write_table(s, bytes, message);
}

void export_report(const export_job *job, const char *what, const char *path, uint64_t positions,
                   uint64_t bytes) {
  if (!job->report) return;
  if (job->shown) progress_hide(job->shown);
  job->report(job->user, &(export_copy){"total", what, path, positions, bytes, .made = true});
}

static tauler_error copy_stream(const export_job *job, slice_entry *entry, const bulk_slice *loaded,
                                stream_kind kind, int plane, tauler_message *message) {
  export_stream s = {.job = job, .entry = entry, .loaded = loaded, .kind = kind, .plane = plane};
  tauler_error error = slice_table(job->tables, entry, kind, plane, &s.from, message);
  uint64_t bytes = 0;
  bool there = false;
  if (!error) error = copy_cells(&s, &bytes, &there, message);
  if (error || !job->report) return error;
  if (job->shown) progress_hide(job->shown);
  const table_header *header = table_get_header(s.from);
  const export_copy copy = {header->slice, header->stream,       s.path, header->positions,
                            bytes,         header->plain_digest, !there};
  job->report(job->user, &copy);
  return TAULER_OK;
}

typedef tauler_error (*stream_visit)(const export_job *job, slice_entry *entry, const bulk_slice *loaded,
                                     stream_kind kind, int plane, tauler_message *message);

static tauler_error visit_streams(const export_job *job, uint32_t slice, const bulk_slice *loaded,
                                  stream_visit on, tauler_message *message) {
  const bool chance = job->tables->answers->dice;
  slice_entry *entry = slice_entry_of(job->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  const stream_kind kinds[2] = {chance ? STREAMS_LOWER : STREAMS_VALUE,
                                chance ? STREAMS_UPPER : STREAMS_DEPTH};
  const int planes = chance ? entry->quantities.used : job->tables->planes;
  tauler_error error = TAULER_OK;
  const bool both = chance || job->depths || job->tables->kind == SOLVE_OUTCOMES;
  for (int k = 0; k < (both ? 2 : 1); k++) {
    for (int plane = 0; plane < planes && !error; plane++) {
      error = on(job, entry, loaded, kinds[k], plane, message);
      if (kinds[k] == STREAMS_VALUE && slice_is_exact(entry)) break;
    }
  }
  return error;
}

static tauler_error visit_slice(void *user, uint32_t slice, const bulk_slice *loaded,
                                tauler_message *message) {
  return visit_streams(user, slice, loaded, copy_stream, message);
}

static tauler_error open_stream(const export_job *job, slice_entry *entry, const bulk_slice *loaded,
                                stream_kind kind, int plane, tauler_message *message) {
  const table *opened;
  (void)loaded;
  return slice_table(job->tables, entry, kind, plane, &opened, message);
}

/* Opens all tables, so that a missing one is found before the first copy is written. */
static tauler_error open_all_tables(const export_job *job, tauler_message *message) {
  for (size_t i = 0; i < job->slices->used; i++) {
    const uint32_t slice = job->slices->slices[i].slice;
    const tauler_error error = visit_streams(job, slice, NULL, open_stream, message);
    if (error == TAULER_TABLE_MISSING) {
      return fail_slice_missing(job->tables, job->request, slice, job->depths, message);
    }
    if (error) return error;
  }
  return TAULER_OK;
}

static tauler_error refuse_same_folder(const export_job *job, tauler_message *message) {
  struct stat tables, copies;
  if (stat(job->tables->db->folder, &tables) != 0 || stat(job->folder, &copies) != 0) return TAULER_OK;
  if (tables.st_dev != copies.st_dev || tables.st_ino != copies.st_ino) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "copies cannot go to the folder of the tables, %.400s: name another with --to",
                     job->folder);
}

tauler_error export_tables(const export_job *job, tauler_message *message) {
  export_job own = *job;
  const bulk_walk walk = {.tables = job->tables,
                          .slices = job->slices,
                          .in_memory = !job->tables->answers->dice,
                          .threads = job->threads,
                          .memory = job->memory,
                          .visit = visit_slice,
                          .user = &own,
                          .shown = job->shown};
  tauler_error error = job->take ? TAULER_OK : refuse_same_folder(job, message);
  if (!error) error = open_all_tables(job, message);
  return error ? error : bulk_walk_slices(&walk, message);
}
