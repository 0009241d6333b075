#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "databases/cell_histogram.h"
#include "databases/table.h"
#include "databases/table_format.h"
#include "databases/table_parts.h"

enum { TRANSFER_BYTES = 1 << 20, PIECE_ENTRIES = 4096 };

/* What the threads share. All but `stopped` is touched only in the ordered part of the loop, one
 * thread at a time and in the order of the chunks, or outside the loop. */
typedef struct {
  table_layout layout;
  const table_write_settings *settings;
  const char *path;
  table_fill fill;
  void *user;
  durable_file *file;
  table_digester *stored, *plain, *frames; /* plain: only when implied */
  uint32_t *frame_sizes;                   /* compressed, of every frame */
  uint64_t frames_bytes;                   /* appended so far */
  cell_histogram *histogram;               /* NULL for floating-point cells */
  tauler_error error;                      /* the first in the order of the cells */
  atomic_bool stopped;
} table_writer;

/* What one thread needs to make a chunk: some frames with their cells, compressed and checked. */
typedef struct {
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  unsigned char *stored, *plain; /* the same array when plain */
  unsigned char *compressed, *decoded;
  size_t compressed_bytes;
  uint32_t *frame_sizes;
  cell_histogram *histogram;
} write_worker;

static void free_worker(write_worker *worker) {
  ZSTD_freeCCtx(worker->compressor);
  ZSTD_freeDCtx(worker->decompressor);
  if (worker->plain != worker->stored) free(worker->plain);
  free(worker->stored);
  free(worker->compressed);
  free(worker->decoded);
  free(worker->frame_sizes);
  cell_histogram_free(worker->histogram);
}

/* Where other parameters than those of the level measure better on small frames of cells; see
 * README.md. Runs of few symbols are matched best when only long matches are taken. */
typedef struct {
  int level;
  size_t cell_bytes;
  int strategy, min_match, search_log, target_length;
} tuned_level;

static const tuned_level tuned_levels[] = {
    {9, 1, ZSTD_lazy2, 6, 6, 8},
    {9, 2, ZSTD_lazy, 4, 6, 8},
    {10, 1, ZSTD_btopt, 6, 1, 64},
    {10, 2, ZSTD_btopt, 5, 1, 64},
};

enum { TUNED_FRAME_MAX = 1 << 15, TUNED_HASH_LOG = 15, STRONGEST_FROM = 19 };

static bool set_parameter(ZSTD_CCtx *compressor, ZSTD_cParameter parameter, int value) {
  return !ZSTD_isError(ZSTD_CCtx_setParameter(compressor, parameter, value));
}

static bool set_tuned(ZSTD_CCtx *compressor, const tuned_level *tuned) {
  return set_parameter(compressor, ZSTD_c_strategy, tuned->strategy) &&
         set_parameter(compressor, ZSTD_c_minMatch, tuned->min_match) &&
         set_parameter(compressor, ZSTD_c_searchLog, tuned->search_log) &&
         set_parameter(compressor, ZSTD_c_targetLength, tuned->target_length) &&
         set_parameter(compressor, ZSTD_c_hashLog, TUNED_HASH_LOG);
}

static bool set_parameters(ZSTD_CCtx *compressor, int level, const table_header *header) {
  bool set = set_parameter(compressor, ZSTD_c_compressionLevel,
                           level >= STRONGEST_FROM ? ZSTD_maxCLevel() : level) &&
             set_parameter(compressor, ZSTD_c_checksumFlag, 1) &&
             set_parameter(compressor, ZSTD_c_contentSizeFlag, 1);
  if (header->frame_bytes > TUNED_FRAME_MAX) return set;
  for (size_t i = 0; i < sizeof tuned_levels / sizeof *tuned_levels; i++)
    if (tuned_levels[i].level == level && tuned_levels[i].cell_bytes == table_cell_bytes(header->cell))
      set = set && set_tuned(compressor, &tuned_levels[i]);
  return set;
}

static tauler_error init_worker(write_worker *worker, const table_writer *writer, tauler_message *message) {
  const table_header *header = &writer->layout.header;
  const size_t frames = table_chunk_frames(header), chunk = frames * header->frame_bytes;
  memset(worker, 0, sizeof *worker);
  worker->compressor = ZSTD_createCCtx();
  worker->decompressor = ZSTD_createDCtx();
  worker->stored = malloc(chunk);
  worker->plain = header->coding == TABLE_PLAIN ? worker->stored : malloc(chunk);
  worker->compressed = malloc(frames * ZSTD_compressBound(header->frame_bytes));
  worker->decoded = malloc(header->frame_bytes);
  worker->frame_sizes = malloc(frames * sizeof *worker->frame_sizes);
  const bool real = table_cell_is_real(header->cell);
  worker->histogram = real ? NULL : cell_histogram_new(header->cell);
  if (!worker->compressor || !worker->decompressor || !worker->stored || !worker->plain ||
      !worker->compressed || !worker->decoded || !worker->frame_sizes || (!real && !worker->histogram))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress %s; use fewer threads",
                       writer->path);
  if (!set_parameters(worker->compressor, writer->settings->level, header))
    return tauler_fail(message, TAULER_INTERNAL, "zstd refuses compression level %d",
                       writer->settings->level);
  return TAULER_OK;
}

/* A stored cell is the reserved one or the plain value. */
static bool coding_holds(const table_header *header, const void *stored, const void *plain, size_t count) {
  bool holds = true;
  if (table_cell_bytes(header->cell) == 1) {
    const uint8_t *s = stored, *p = plain, reserved = (uint8_t)header->reserved;
    for (size_t i = 0; i < count; i++) holds &= (s[i] == p[i]) | (s[i] == reserved);
  } else {
    const uint16_t *s = stored, *p = plain, reserved = (uint16_t)header->reserved;
    for (size_t i = 0; i < count; i++) holds &= (s[i] == p[i]) | (s[i] == reserved);
  }
  return holds;
}

static tauler_error fill_cells(table_writer *writer, write_worker *worker, uint64_t first, size_t count,
                               tauler_message *message) {
  const tauler_error error = writer->fill(writer->user, first, count, worker->stored, worker->plain, message);
  if (error != TAULER_OK) return error;
  if (worker->plain != worker->stored &&
      !coding_holds(&writer->layout.header, worker->stored, worker->plain, count))
    return tauler_fail(message, TAULER_INTERNAL,
                       "cells from %" PRIu64 " on for %s are neither implied nor equal to their value", first,
                       writer->path);
  if (worker->histogram) cell_histogram_add(worker->histogram, worker->plain, count);
  return TAULER_OK;
}

/* Compresses one frame to the end of the worker's chunk and decodes it again: a fault of the encoder
 * or of memory is found while the cells are still at hand. */
static tauler_error compress_frame(table_writer *writer, write_worker *worker, const unsigned char *cells,
                                   size_t size, uint32_t *frame_size, tauler_message *message) {
  unsigned char *to = worker->compressed + worker->compressed_bytes;
  const size_t n = ZSTD_compress2(worker->compressor, to, ZSTD_compressBound(size), cells, size);
  if (ZSTD_isError(n))
    return tauler_fail(message, TAULER_INTERNAL, "zstd cannot compress a frame of %s: %s", writer->path,
                       ZSTD_getErrorName(n));
  const size_t back = ZSTD_decompressDCtx(worker->decompressor, worker->decoded, size, to, n);
  if (back != size || memcmp(worker->decoded, cells, size) != 0)
    return tauler_fail(
        message, TAULER_INTERNAL,
        "a frame of %s does not decode to what was compressed: faulty memory or a faulty zstd %s",
        writer->path, ZSTD_versionString());
  *frame_size = (uint32_t)n;
  worker->compressed_bytes += n;
  return TAULER_OK;
}

static uint64_t first_frame_of(const table_writer *writer, uint64_t chunk) {
  return chunk * table_chunk_frames(&writer->layout.header);
}

static uint64_t frames_in(const table_writer *writer, uint64_t chunk) {
  const uint64_t most = table_chunk_frames(&writer->layout.header);
  const uint64_t left = writer->layout.frames - first_frame_of(writer, chunk);
  return left < most ? left : most;
}

static size_t bytes_in(const table_writer *writer, uint64_t chunk) {
  const table_header *header = &writer->layout.header;
  const uint64_t last = frames_in(writer, chunk) - 1;
  return last * header->frame_bytes + table_frame_size(header, first_frame_of(writer, chunk) + last);
}

static tauler_error make_chunk(table_writer *writer, write_worker *worker, uint64_t chunk,
                               tauler_message *message) {
  const table_header *header = &writer->layout.header;
  const size_t cell_bytes = table_cell_bytes(header->cell), bytes = bytes_in(writer, chunk);
  const uint64_t first = first_frame_of(writer, chunk) * header->frame_bytes / cell_bytes;
  worker->compressed_bytes = 0;
  tauler_error error = fill_cells(writer, worker, first, bytes / cell_bytes, message);
  for (size_t i = 0, at = 0; at < bytes && error == TAULER_OK; i++, at += header->frame_bytes) {
    const size_t size = bytes - at < header->frame_bytes ? bytes - at : header->frame_bytes;
    error = compress_frame(writer, worker, worker->stored + at, size, &worker->frame_sizes[i], message);
  }
  return error;
}

static tauler_error append_chunk(table_writer *writer, const write_worker *worker, uint64_t chunk,
                                 tauler_message *message) {
  const size_t bytes = bytes_in(writer, chunk);
  table_digester_add(writer->stored, worker->stored, bytes);
  if (writer->plain) table_digester_add(writer->plain, worker->plain, bytes);
  table_digester_add(writer->frames, worker->compressed, worker->compressed_bytes);
  memcpy(writer->frame_sizes + first_frame_of(writer, chunk), worker->frame_sizes,
         frames_in(writer, chunk) * sizeof *worker->frame_sizes);
  writer->frames_bytes += worker->compressed_bytes;
  return durable_file_write(writer->file, worker->compressed, worker->compressed_bytes, message);
}

static void stop_writer(table_writer *writer, tauler_error error, const tauler_message *cause,
                        tauler_message *message) {
  if (writer->error != TAULER_OK) return;
  writer->error = error;
  if (message) *message = *cause;
  atomic_store(&writer->stopped, true);
}

/* Threads make chunks in any order and append them in theirs, so the file, and the error if there is
 * one, do not depend on the number of threads, and no more than a chunk per thread is in memory. */
static tauler_error write_frames(table_writer *writer, tauler_message *message) {
  const uint64_t chunk_frames = table_chunk_frames(&writer->layout.header);
  const uint64_t chunks = (writer->layout.frames + chunk_frames - 1) / chunk_frames;
  const int threads = table_threads_for(chunks, writer->settings->threads);
#pragma omp parallel num_threads(threads)
  {
    write_worker worker;
    tauler_message cause = {""};
    const tauler_error missing = init_worker(&worker, writer, &cause);
#pragma omp for ordered schedule(dynamic, 1)
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
      tauler_error error = missing;
      if (error == TAULER_OK && !atomic_load(&writer->stopped))
        error = make_chunk(writer, &worker, chunk, &cause);
#pragma omp ordered
      {
        if (error == TAULER_OK && writer->error == TAULER_OK)
          error = append_chunk(writer, &worker, chunk, &cause);
        if (error != TAULER_OK) stop_writer(writer, error, &cause, message);
      }
    }
#pragma omp critical(table_write_histogram)
    if (worker.histogram) cell_histogram_merge(writer->histogram, worker.histogram);
    free_worker(&worker);
  }
  return writer->error;
}

static tauler_error append_digested(table_writer *writer, table_digester *digester, const void *bytes,
                                    size_t n, tauler_message *message) {
  table_digester_add(digester, bytes, n);
  return durable_file_write(writer->file, bytes, n, message);
}

static tauler_error append_counts(table_writer *writer, table_digester *digester, tauler_message *message) {
  size_t used = 0;
  table_count *counts = writer->histogram ? cell_histogram_counts(writer->histogram, &used) : NULL;
  if (writer->histogram && !counts)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the counts of %s", writer->path);
  writer->layout.counts_used = used;
  unsigned char bytes[PIECE_ENTRIES * TABLE_COUNT_BYTES];
  table_counts_start_encode(used, bytes);
  tauler_error error = append_digested(writer, digester, bytes, TABLE_SKIPPABLE_BYTES, message);
  for (size_t i = 0; i < used && error == TAULER_OK;) {
    size_t n = 0;
    for (; n < sizeof bytes && i < used; n += TABLE_COUNT_BYTES) table_count_encode(counts[i++], bytes + n);
    error = append_digested(writer, digester, bytes, n, message);
  }
  free(counts);
  return error;
}

static table_seek_entry seek_entry(const table_writer *writer, uint64_t entry) {
  const table_layout *layout = &writer->layout;
  if (entry == 0) return (table_seek_entry){TABLE_HEADER_BYTES, 0};
  if (entry == layout->frames + 1)
    return (table_seek_entry){(uint32_t)table_counts_bytes(layout->counts_used), 0};
  return (table_seek_entry){writer->frame_sizes[entry - 1],
                            (uint32_t)table_frame_size(&layout->header, entry - 1)};
}

static tauler_error append_seek_table(table_writer *writer, table_digester *digester,
                                      tauler_message *message) {
  const uint64_t frames = writer->layout.frames, entries = frames + TABLE_SEEK_EXTRA_ENTRIES;
  unsigned char bytes[PIECE_ENTRIES * TABLE_SEEK_ENTRY_BYTES];
  table_seek_start_encode(frames, bytes);
  tauler_error error = append_digested(writer, digester, bytes, TABLE_SKIPPABLE_BYTES, message);
  for (uint64_t entry = 0; entry < entries && error == TAULER_OK;) {
    size_t n = 0;
    for (; n < sizeof bytes && entry < entries; n += TABLE_SEEK_ENTRY_BYTES)
      table_seek_entry_encode(seek_entry(writer, entry++), bytes + n);
    error = append_digested(writer, digester, bytes, n, message);
  }
  if (error != TAULER_OK) return error;
  table_seek_footer_encode(frames, bytes);
  return append_digested(writer, digester, bytes, TABLE_SEEK_FOOTER_BYTES, message);
}

typedef tauler_error (*append_part)(table_writer *writer, table_digester *digester, tauler_message *message);

static tauler_error append_with_digest(table_writer *writer, append_part append, table_digest *digest,
                                       tauler_message *message) {
  table_digester *digester = table_digester_new();
  if (!digester) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", writer->path);
  const tauler_error error = append(writer, digester, message);
  *digest = table_digester_end(digester);
  return error;
}

static tauler_error digest_range(const table_writer *writer, uint64_t offset, uint64_t n,
                                 table_digest *digest, tauler_message *message) {
  unsigned char *bytes = malloc(TRANSFER_BYTES);
  table_digester *digester = table_digester_new();
  tauler_error error = TAULER_OK;
  if (!bytes || !digester)
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to check %s", writer->path);
  while (n && error == TAULER_OK) {
    const size_t part = n < TRANSFER_BYTES ? (size_t)n : TRANSFER_BYTES;
    error =
        durable_read_range(durable_file_descriptor(writer->file), writer->path, offset, bytes, part, message);
    if (error == TAULER_OK) table_digester_add(digester, bytes, part);
    offset += part;
    n -= part;
  }
  *digest = table_digester_end(digester);
  free(bytes);
  return error;
}

/* Reads the whole file back from the disk; every byte is under one of the four digests. */
static tauler_error check_file(const table_writer *writer, const unsigned char header[TABLE_HEADER_BYTES],
                               tauler_message *message) {
  const table_layout *layout = &writer->layout;
  const struct {
    uint64_t bytes;
    table_digest digest;
  } parts[] = {
      {TABLE_HEADER_BYTES, table_digest_of(header, TABLE_HEADER_BYTES)},
      {writer->frames_bytes, layout->frames_digest},
      {table_counts_bytes(layout->counts_used), layout->counts_digest},
      {table_seek_table_bytes(layout->frames), layout->seek_table_digest},
  };
  uint64_t offset = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    table_digest digest;
    const tauler_error error = digest_range(writer, offset, parts[i].bytes, &digest, message);
    if (error == TAULER_DAMAGED_FILE || (error == TAULER_OK && !table_digests_equal(digest, parts[i].digest)))
      return tauler_fail(message, TAULER_IO,
                         "%s does not read back as it was written: check the disk, then build it again",
                         writer->path);
    if (error != TAULER_OK) return error;
    offset += parts[i].bytes;
  }
  return TAULER_OK;
}

static void end_digests(table_writer *writer) {
  table_header *header = &writer->layout.header;
  header->stored_digest = table_digester_end(writer->stored);
  header->plain_digest = writer->plain ? table_digester_end(writer->plain) : header->stored_digest;
  writer->layout.frames_digest = table_digester_end(writer->frames);
  writer->stored = writer->plain = writer->frames = NULL;
}

static tauler_error write_parts(table_writer *writer, tauler_message *message) {
  table_layout *layout = &writer->layout;
  unsigned char header[TABLE_HEADER_BYTES];
  durable_file_seek(writer->file, TABLE_HEADER_BYTES);
  tauler_error error = write_frames(writer, message);
  end_digests(writer);
  if (error == TAULER_OK) error = append_with_digest(writer, append_counts, &layout->counts_digest, message);
  if (error == TAULER_OK)
    error = append_with_digest(writer, append_seek_table, &layout->seek_table_digest, message);
  if (error != TAULER_OK) return error;
  layout->header.stored_bytes = TABLE_HEADER_BYTES + writer->frames_bytes +
                                table_counts_bytes(layout->counts_used) +
                                table_seek_table_bytes(layout->frames);
  table_header_encode(layout, header);
  error = durable_file_write_at(writer->file, 0, header, sizeof header, message);
  if (error == TAULER_OK) error = durable_file_sync(writer->file, message);
  if (error == TAULER_OK) error = check_file(writer, header, message);
  return error;
}

static tauler_error init_writer(table_writer *writer, tauler_message *message) {
  const table_header *header = &writer->layout.header;
  const bool real = table_cell_is_real(header->cell), implied = header->coding == TABLE_IMPLIED;
  writer->stored = table_digester_new();
  writer->plain = implied ? table_digester_new() : NULL;
  writer->frames = table_digester_new();
  writer->frame_sizes = malloc(writer->layout.frames * sizeof *writer->frame_sizes);
  writer->histogram = real ? NULL : cell_histogram_new(header->cell);
  if (!writer->stored || (implied && !writer->plain) || !writer->frames || !writer->frame_sizes ||
      (!real && !writer->histogram))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", writer->path);
  return durable_file_create(writer->path, &writer->file, message);
}

static void free_writer(table_writer *writer) {
  end_digests(writer);
  free(writer->frame_sizes);
  cell_histogram_free(writer->histogram);
  durable_file_abandon(writer->file);
}

static void start_header(table_header *to, const table_header *from, const table_write_settings *settings) {
  *to = *from;
  to->format_version = TABLE_FORMAT_VERSION;
  to->frame_bytes = settings->frame_bytes ? settings->frame_bytes : TABLE_FRAME_BYTES;
  to->zstd_version = ZSTD_versionNumber();
  to->stored_bytes = 0;
  to->counts = NULL;
  to->counts_used = 0;
}

tauler_error table_write(const char *path, const table_header *header, const table_write_settings *settings,
                         table_fill fill, void *user, table_header *written, tauler_message *message) {
  table_writer writer = {.settings = settings, .path = path, .fill = fill, .user = user};
  start_header(&writer.layout.header, header, settings);
  const char *fault = table_header_fault(&writer.layout.header);
  if (!fault && (settings->level < 1 || settings->level > 22)) fault = "the compression level is not 1 to 22";
  if (!fault && settings->threads < 1) fault = "the number of threads is not positive";
  if (fault) return tauler_fail(message, TAULER_INTERNAL, "cannot write the table %s: %s", path, fault);
  writer.layout.frames = table_frame_count(&writer.layout.header);
  tauler_error error = init_writer(&writer, message);
  if (error == TAULER_OK) error = write_parts(&writer, message);
  const table_header full = writer.layout.header;
  if (error == TAULER_OK) {
    error = durable_file_commit(writer.file, message);
    writer.file = NULL;
  }
  free_writer(&writer);
  if (error == TAULER_OK && written) *written = full;
  return error;
}
