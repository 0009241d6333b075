/* Opens a table, and reads ranges of cells and single cells. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "databases/table.h"
#include "databases/table_parts.h"

enum { PIECE_ENTRIES = 4096 };

/* A reader of the end of a file, which digests all that it reads. */
typedef struct {
  const table *table;
  uint64_t offset;
  table_digester *digester;
} tail_reader;

static tauler_error read_tail(tail_reader *reader, void *bytes, size_t n, tauler_message *message) {
  const tauler_error error =
      durable_read_range(reader->table->descriptor, reader->table->path, reader->offset, bytes, n, message);
  if (error != TAULER_OK) return error;
  table_digester_add(reader->digester, bytes, n);
  reader->offset += n;
  return TAULER_OK;
}

static tauler_error report_no_memory(const table *table, tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read the table %s", table->path);
}

static tauler_error open_file(table *table, uint64_t *file_bytes, tauler_message *message) {
  struct stat *status = &table->opened;
  /* With O_NONBLOCK, open does not wait if a pipe has the table's name. */
  do {
    table->descriptor = open(table->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  } while (table->descriptor < 0 && errno == EINTR);
  if (table->descriptor < 0 && (errno == ENOENT || errno == ENOTDIR))
    return tauler_fail(message, TAULER_TABLE_MISSING, "there is no table %s; build it first", table->path);
  if (table->descriptor < 0 || fstat(table->descriptor, status) != 0)
    return tauler_fail(message, tauler_errno_error(errno), "cannot open the table %s: %s", table->path,
                       strerror(errno));
  if (!S_ISREG(status->st_mode))
    return table_damaged(message, table->path, "this is not a regular file and so no table");
  *file_bytes = (uint64_t)status->st_size;
  return TAULER_OK;
}

static tauler_error read_header(table *table, uint64_t file_bytes, tauler_message *message) {
  unsigned char bytes[TABLE_HEADER_BYTES];
  if (file_bytes < TABLE_HEADER_BYTES)
    return table_damaged(message, table->path, "%" PRIu64 " bytes are too few for a table", file_bytes);
  const tauler_error error =
      durable_read_range(table->descriptor, table->path, 0, bytes, sizeof bytes, message);
  if (error != TAULER_OK) return error;
  return table_header_decode(bytes, table->path, file_bytes, &table->layout, message);
}

tauler_error table_header_parse(const void *bytes, size_t n, const char *path, uint64_t file_bytes,
                                table_header *out, tauler_message *message) {
  table_layout layout;
  if (n < TABLE_HEADER_BYTES)
    return table_damaged(message, path, "%zu bytes are too few for the header of a table", n);
  const tauler_error error = table_header_decode(bytes, path, file_bytes, &layout, message);
  if (!error) *out = layout.header;
  return error;
}

tauler_error table_read_header(const char *path, table_header *out, tauler_message *message) {
  table table = {.descriptor = -1, .path = (char *)path};
  uint64_t file_bytes = 0;
  tauler_error error = open_file(&table, &file_bytes, message);
  if (error == TAULER_OK) error = read_header(&table, file_bytes, message);
  if (table.descriptor >= 0) close(table.descriptor);
  if (error == TAULER_OK) *out = table.layout.header;
  return error;
}

static const char *counts_fault(const table *table) {
  const table_header *header = &table->layout.header;
  int64_t low, high;
  table_cell_range(header->cell, &low, &high);
  uint64_t left = header->positions;
  for (size_t i = 0; i < header->counts_used; i++) {
    const table_count entry = table->counts[i];
    if (entry.value < low || entry.value > high) return "a counted value does not fit a cell";
    if (i && entry.value <= table->counts[i - 1].value) return "the counted values do not rise";
    if (entry.count == 0 || entry.count > left) return "the counts do not add up to the number of positions";
    left -= entry.count;
  }
  return header->counts_used && left ? "the counts do not add up to the number of positions" : NULL;
}

static tauler_error read_priors(table *table, tail_reader *reader, tauler_message *message) {
  const size_t n = table->layout.priors_bytes; /* less than the file size, since the header was checked */
  unsigned char *compressed = malloc(n + 1), *packed = malloc(ADAPTIVE_PACKED_MOST);
  table->model = malloc(sizeof *table->model);
  tauler_error error = compressed && packed && table->model ? read_tail(reader, compressed, n, message)
                                                            : report_no_memory(table, message);
  if (!error) {
    adaptive_model_open(table->model, &table->layout.header);
    const size_t size = ZSTD_decompress(packed, ADAPTIVE_PACKED_MOST, compressed, n);
    if (ZSTD_isError(size) || !adaptive_unpack_priors(table->model, packed, size))
      error = table_damaged(message, table->path, "the priors of its coder are none");
  }
  free(compressed);
  free(packed);
  return error;
}

static tauler_error read_counts(table *table, tail_reader *reader, tauler_message *message) {
  const size_t used = (size_t)table->layout.counts_used; /* at most 65 536, since the header was checked */
  const table_skippable right = table_counts_start(&table->layout);
  table_skippable start;
  table->counts = malloc((used + 1) * sizeof *table->counts);
  if (!table->counts) return report_no_memory(table, message);
  tauler_error error = read_tail(reader, &start, sizeof start, message);
  if (error == TAULER_OK) error = read_tail(reader, table->counts, used * sizeof *table->counts, message);
  if (error != TAULER_OK) return error;
  table->layout.header.counts = table->counts;
  table->layout.header.counts_used = used;
  const char *fault = memcmp(&start, &right, sizeof right) == 0 ? counts_fault(table)
                                                                : "the counts do not start as they must";
  if (fault) return table_damaged(message, table->path, "%s", fault);
  return table_is_adaptive(&table->layout.header) ? read_priors(table, reader, message) : TAULER_OK;
}

/* Returns false if an entry is wrong. Entry 0 is that of the header, the last entry that of the counts. */
static bool read_seek_entry(table *table, uint64_t i, table_seek_entry entry) {
  const table_layout *layout = &table->layout;
  if (i == 0) return entry.compressed == TABLE_HEADER_BYTES && entry.decompressed == 0;
  if (i == layout->frames + 1)
    return entry.compressed == table_counts_bytes(layout) && entry.decompressed == 0;
  const size_t size = table_payload_size(&layout->header, i - 1);
  table->offsets[i] = table->offsets[i - 1] + entry.compressed;
  return table_payload_fits(&layout->header, i - 1, entry.decompressed) && entry.compressed > 0 &&
         entry.compressed <= ZSTD_compressBound(size);
}

static tauler_error read_entries(table *table, tail_reader *reader, tauler_message *message) {
  table_seek_entry piece[PIECE_ENTRIES];
  const uint64_t entries = table->layout.frames + TABLE_SEEK_EXTRA_ENTRIES;
  for (uint64_t i = 0; i < entries;) {
    const size_t n = entries - i < PIECE_ENTRIES ? (size_t)(entries - i) : PIECE_ENTRIES;
    const tauler_error error = read_tail(reader, piece, n * sizeof *piece, message);
    if (error != TAULER_OK) return error;
    for (size_t k = 0; k < n; k++, i++)
      if (!read_seek_entry(table, i, piece[k]))
        return table_damaged(message, table->path, "entry %" PRIu64 " of the seek table is wrong", i);
  }
  return TAULER_OK;
}

static tauler_error read_seek_table(table *table, tail_reader *reader, tauler_message *message) {
  const table_layout *layout = &table->layout;
  const table_skippable right_start = table_seek_start(layout->frames);
  const table_seek_footer right_footer = table_seek_footer_of(layout->frames);
  table_skippable start;
  table_seek_footer footer;
  /* The number of frames is bounded by the file size, since the header was checked against it. */
  table->offsets = calloc(layout->frames + 1, sizeof *table->offsets);
  if (!table->offsets) return report_no_memory(table, message);
  table->offsets[0] = TABLE_HEADER_BYTES;
  tauler_error error = read_tail(reader, &start, sizeof start, message);
  if (error == TAULER_OK) error = read_entries(table, reader, message);
  if (error == TAULER_OK) error = read_tail(reader, &footer, sizeof footer, message);
  if (error != TAULER_OK) return error;
  if (memcmp(&start, &right_start, sizeof start) != 0 || memcmp(&footer, &right_footer, sizeof footer) != 0)
    return table_damaged(message, table->path, "the seek table does not start or end as it must");
  const uint64_t end =
      table->offsets[layout->frames] + table_counts_bytes(layout) + table_seek_table_bytes(layout->frames);
  if (end != layout->header.stored_bytes)
    return table_damaged(message, table->path,
                         "the sizes in the seek table do not add up to that of the file");
  return TAULER_OK;
}

typedef tauler_error (*read_part)(table *table, tail_reader *reader, tauler_message *message);

static tauler_error read_with_digest(table *table, read_part read, uint64_t offset, table_digest expected,
                                     const char *what, tauler_message *message) {
  tail_reader reader = {.table = table, .offset = offset, .digester = table_digester_new()};
  if (!reader.digester) return report_no_memory(table, message);
  const tauler_error error = read(table, &reader, message);
  const table_digest digest = table_digester_end(reader.digester);
  if (error == TAULER_OK && !table_digests_equal(digest, expected))
    return table_damaged(message, table->path, "%s do not agree with their digest", what);
  return error;
}

static tauler_error read_table(table *table, bool in_part, tauler_message *message) {
  const table_layout *layout = &table->layout;
  uint64_t file_bytes = 0;
  tauler_error error = open_file(table, &file_bytes, message);
  if (error == TAULER_OK) error = read_header(table, file_bytes, message);
  if (error != TAULER_OK) return error;
  table->cells_per_frame = layout->header.frame_bytes / table_cell_bytes(layout->header.cell);
  table->cells_per_piece = table_is_adaptive(&layout->header) ? ADAPTIVE_BLOCK : table->cells_per_frame;
  const uint64_t seek_table = file_bytes - table_seek_table_bytes(layout->frames);
  const uint64_t counts = seek_table - table_counts_bytes(layout);
  error = read_with_digest(table, read_counts, counts, layout->counts_digest, "the counts", message);
  if (error == TAULER_OK && !(in_part && table_offsets_open(table)))
    error = read_with_digest(table, read_seek_table, seek_table, layout->seek_table_digest,
                             "the entries of the seek table", message);
  return error;
}

tauler_error table_open(const char *path, bool in_part, table **out, tauler_message *message) {
  *out = NULL;
  table *table = calloc(1, sizeof *table);
  if (!table) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read the table %s", path);
  table->descriptor = table->offsets_descriptor = -1;
  table->path = strdup(path);
  tauler_error error =
      table->path ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory to read %s", path);
  if (error == TAULER_OK && getrandom(&table->id, sizeof table->id, 0) != sizeof table->id)
    error = tauler_fail(message, tauler_errno_error(errno), "the system gives no random number: %s",
                        strerror(errno));
  if (error == TAULER_OK) error = read_table(table, in_part, message);
  if (error != TAULER_OK) {
    table_close(table);
    return error;
  }
  *out = table;
  return TAULER_OK;
}

static void close_classes(const table_classes *classes) {
  if (classes->close) classes->close(classes->of);
}

tauler_error table_set_classes(table *table, const table_classes *classes, tauler_message *message) {
  const uint32_t version = table->layout.header.classes;
  if (version && version == classes->version) {
    close_classes(&table->classes);
    table->classes = *classes;
    return TAULER_OK;
  }
  close_classes(classes);
  if (version == 0) return TAULER_OK;
  return table_damaged(message, table->path,
                       "its cells are sorted by version %" PRIu32
                       " of the classes of its game, which is not known here",
                       version);
}

void table_close(table *table) {
  if (!table) return;
  if (table->descriptor >= 0) close(table->descriptor);
  if (table->offsets_descriptor >= 0) close(table->offsets_descriptor);
  free(table->path);
  free(table->counts);
  free(table->offsets);
  free(table->model);
  close_classes(&table->classes);
  free(table);
}

static bool are_times_equal(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool table_is_current(const table *table) {
  const struct stat *was = &table->opened;
  struct stat is;
  return stat(table->path, &is) == 0 && is.st_dev == was->st_dev && is.st_ino == was->st_ino &&
         is.st_size == was->st_size && are_times_equal(is.st_mtim, was->st_mtim) &&
         are_times_equal(is.st_ctim, was->st_ctim);
}

const table_header *table_get_header(const table *table) {
  return &table->layout.header;
}

/* `whole` has space for a frame, and is used for frames of which some bytes are not wanted. */
static tauler_error read_bytes(frame_decoder *decoder, const table *table, uint64_t offset, size_t n,
                               unsigned char *to, unsigned char *whole, tauler_message *message) {
  const table_header *header = &table->layout.header;
  const size_t frame_bytes = header->frame_bytes;
  tauler_error error = TAULER_OK;
  while (n && error == TAULER_OK) {
    const uint64_t frame = offset / frame_bytes;
    const size_t from = (size_t)(offset % frame_bytes);
    const size_t part = n < frame_bytes - from ? n : frame_bytes - from;
    const bool all = part == table_frame_size(header, frame);
    error = frame_read(decoder, table, frame_whole(header, frame), all ? to : whole, message);
    if (error == TAULER_OK && !all) memcpy(to, whole + from, part);
    to += part;
    offset += part;
    n -= part;
  }
  return error;
}

tauler_error table_read(const table *table, uint64_t first, size_t count, void *cells,
                        tauler_message *message) {
  const table_header *header = &table->layout.header;
  const size_t cell_bytes = table_cell_bytes(header->cell);
  if (first > header->positions || count > header->positions - first)
    return tauler_fail(message, TAULER_INTERNAL,
                       "cells %" PRIu64 " to %" PRIu64 " + %zu of %s, which has %" PRIu64, first, first,
                       count, table->path, header->positions);
  frame_decoder *decoder = frame_decoder_new();
  unsigned char *whole = malloc(header->frame_bytes);
  tauler_error error = TAULER_OK;
  if (!decoder || !whole)
    error = report_no_memory(table, message);
  else
    error = read_bytes(decoder, table, first * cell_bytes, count * cell_bytes, cells, whole, message);
  free(whole);
  frame_decoder_free(decoder);
  return error;
}

static tauler_error fetch_cell(const table *table, frame_cache *cache, uint64_t index, bool real, void *cell,
                               tauler_message *message) {
  const table_header *header = &table->layout.header;
  if (index >= header->positions)
    return tauler_fail(message, TAULER_INTERNAL, "cell %" PRIu64 " of %s, which has %" PRIu64, index,
                       table->path, header->positions);
  if (table_cell_is_real(header->cell) != real)
    return tauler_fail(message, TAULER_INTERNAL, "the cells of %s are of another kind than asked for",
                       table->path);
  return frame_cache_fetch(cache, table, index, cell, table_cell_bytes(header->cell), message);
}

tauler_error table_get(const table *table, frame_cache *cache, uint64_t index, int64_t *cell,
                       tauler_message *message) {
  uint16_t raw = 0;
  const tauler_error error = fetch_cell(table, cache, index, false, &raw, message);
  if (error != TAULER_OK) return error;
  const table_cell type = table->layout.header.cell;
  *cell = type == TABLE_I8 ? (int8_t)raw : type == TABLE_I16 ? (int16_t)raw : raw;
  return TAULER_OK;
}

tauler_error table_get_real(const table *table, frame_cache *cache, uint64_t index, double *cell,
                            tauler_message *message) {
  union {
    float f32;
    double f64;
  } raw;
  const tauler_error error = fetch_cell(table, cache, index, true, &raw, message);
  if (error != TAULER_OK) return error;
  *cell = table->layout.header.cell == TABLE_F32 ? (double)raw.f32 : raw.f64;
  return TAULER_OK;
}
