/* Appends frames in order, then counts, seek table and header, and checks the file. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "databases/table_format.h"
#include "databases/table_parts.h"

_Static_assert((int)TABLE_FRAMES_AT == (int)TABLE_HEADER_BYTES, "frames stand behind the header");

enum { TRANSFER_BYTES = 1 << 20 };

struct table_writer {
  table_layout layout;
  char *path;
  durable_file *file;
  table_digester *stored, *plain, *frames; /* `plain` is NULL unless cells are implied */
  table_seek_entry *entries;               /* entries of the header, of each frame, and of the counts */
  uint64_t next;                           /* number of the next frame */
  uint64_t frames_bytes;                   /* bytes of all frames so far */
  cell_histogram *histogram;               /* NULL for floating-point cells */
  bool is_given;                           /* true if cells are digested elsewhere, so that `given` is used */
  bool is_shared;                          /* true if other processes write the frames */
  table_digests given;
  const table_recoding *recoding; /* NULL unless the cells are coded adaptively */
};

typedef struct {
  const void *bytes;
  size_t n;
} byte_range;

static tauler_error append_with_digest(table_writer *writer, const byte_range ranges[3], table_digest *digest,
                                       tauler_message *message) {
  tauler_error error = TAULER_OK;
  table_digester *digester = table_digester_new();
  if (!digester) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", writer->path);
  for (int i = 0; i < 3 && !error; i++) {
    table_digester_add(digester, ranges[i].bytes, ranges[i].n);
    error = durable_file_write(writer->file, ranges[i].bytes, ranges[i].n, message);
  }
  *digest = table_digester_end(digester);
  return error;
}

static tauler_error append_counts(table_writer *writer, tauler_message *message) {
  table_layout *layout = &writer->layout;
  size_t used = 0;
  table_count *counts = writer->histogram ? cell_histogram_counts(writer->histogram, &used) : NULL;
  if (writer->histogram && !counts)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the counts of %s", writer->path);
  layout->counts_used = used;
  const table_skippable start = table_counts_start(layout);
  const byte_range ranges[] = {{&start, sizeof start},
                               {counts, used * sizeof *counts},
                               {writer->recoding ? writer->recoding->priors : NULL, layout->priors_bytes}};
  const tauler_error error = append_with_digest(writer, ranges, &layout->counts_digest, message);
  free(counts);
  return error;
}

static tauler_error append_seek_table(table_writer *writer, tauler_message *message) {
  const uint64_t frames = writer->layout.frames, entries = frames + TABLE_SEEK_EXTRA_ENTRIES;
  const table_skippable start = table_seek_start(frames);
  const table_seek_footer footer = table_seek_footer_of(frames);
  const byte_range ranges[] = {
      {&start, sizeof start}, {writer->entries, entries * sizeof *writer->entries}, {&footer, sizeof footer}};
  writer->entries[0] = (table_seek_entry){TABLE_HEADER_BYTES, 0};
  writer->entries[frames + 1] = (table_seek_entry){(uint32_t)table_counts_bytes(&writer->layout), 0};
  return append_with_digest(writer, ranges, &writer->layout.seek_table_digest, message);
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

/* Reads the file back and compares it with four digests, which together cover each byte. Returns TAULER_IO if
 * a digest differs. */
static tauler_error check_file(const table_writer *writer, const unsigned char header[TABLE_HEADER_BYTES],
                               tauler_message *message) {
  enum { FRAMES = 1 };
  const table_layout *layout = &writer->layout;
  const struct {
    uint64_t bytes;
    table_digest digest;
  } parts[] = {
      {TABLE_HEADER_BYTES, table_digest_of(header, TABLE_HEADER_BYTES)},
      {writer->frames_bytes, layout->frames_digest},
      {table_counts_bytes(layout), layout->counts_digest},
      {table_seek_table_bytes(layout->frames), layout->seek_table_digest},
  };
  uint64_t offset = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; offset += parts[i++].bytes) {
    table_digest digest;
    if (i == FRAMES && writer->is_shared) continue; /* other processes read back the frames that they wrote */
    const tauler_error error = digest_range(writer, offset, parts[i].bytes, &digest, message);
    if (error == TAULER_DAMAGED_FILE || (error == TAULER_OK && !table_digests_equal(digest, parts[i].digest)))
      return tauler_fail(message, TAULER_IO,
                         "%s does not read back as it was written: check the disk, then build it again",
                         writer->path);
    if (error != TAULER_OK) return error;
  }
  return TAULER_OK;
}

static void end_digests(table_writer *writer) {
  table_header *header = &writer->layout.header;
  header->stored_digest = table_digester_end(writer->stored);
  header->plain_digest = writer->plain ? table_digester_end(writer->plain) : header->stored_digest;
  if (writer->is_given) {
    header->stored_digest = writer->given.stored;
    header->plain_digest = writer->given.plain;
  }
  writer->layout.frames_digest = table_digester_end(writer->frames);
  if (writer->is_shared) writer->layout.frames_digest = writer->given.frames;
  writer->stored = writer->plain = writer->frames = NULL;
}

static tauler_error write_counts_and_header(table_writer *writer, tauler_message *message) {
  table_layout *layout = &writer->layout;
  unsigned char header[TABLE_HEADER_BYTES];
  tauler_error error = append_counts(writer, message);
  if (error == TAULER_OK) error = append_seek_table(writer, message);
  if (error != TAULER_OK) return error;
  layout->header.stored_bytes = table_writer_bytes(writer);
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
  writer->entries = malloc((writer->layout.frames + TABLE_SEEK_EXTRA_ENTRIES) * sizeof *writer->entries);
  writer->histogram = real ? NULL : cell_histogram_new(header->cell);
  if (!writer->stored || (implied && !writer->plain) || !writer->frames || !writer->entries ||
      (!real && !writer->histogram))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", writer->path);
  const tauler_error error = durable_file_create(writer->path, &writer->file, message);
  if (error == TAULER_OK) durable_file_seek(writer->file, TABLE_HEADER_BYTES);
  return error;
}

tauler_error table_writer_begin(const char *path, const table_header *header,
                                const table_write_settings *settings, table_writer **out,
                                tauler_message *message) {
  *out = NULL;
  table_writer *writer = calloc(1, sizeof *writer);
  if (writer) writer->path = strdup(path);
  if (!writer || !writer->path) {
    free(writer);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", path);
  }
  table_start_header(&writer->layout.header, header, settings);
  writer->recoding = settings->recoding;
  if (writer->recoding) writer->layout.priors_bytes = writer->recoding->priors_bytes;
  tauler_error error = table_check_request(path, &writer->layout.header, settings, message);
  if (error == TAULER_OK) {
    writer->layout.frames = table_frame_count(&writer->layout.header);
    error = init_writer(writer, message);
  }
  if (error != TAULER_OK) {
    table_writer_abandon(writer);
    return error;
  }
  *out = writer;
  return TAULER_OK;
}

static size_t frames_cells_bytes(const table_writer *writer, const table_frames *frames) {
  const table_header *header = &writer->layout.header;
  return (size_t)((frames->used - 1) * header->frame_bytes) +
         table_frame_size(header, frames->first + frames->used - 1);
}

tauler_error table_writer_note(table_writer *writer, const table_frames *frames, tauler_message *message) {
  if (frames->first != writer->next || frames->used == 0 ||
      frames->used > writer->layout.frames - writer->next)
    return tauler_fail(message, TAULER_INTERNAL, "frames from %" PRIu64 " on do not follow in %s",
                       frames->first, writer->path);
  const unsigned char *bytes = frames->bytes;
  for (uint64_t i = 0; i < frames->used; i++) {
    const uint64_t frame = frames->first + i;
    const uint64_t payload = writer->recoding ? ZSTD_getFrameContentSize(bytes, frames->sizes[i])
                                              : table_payload_size(&writer->layout.header, frame);
    writer->entries[frame + 1] = (table_seek_entry){frames->sizes[i], (uint32_t)payload};
    if (writer->recoding) bytes += frames->sizes[i];
  }
  writer->next += frames->used;
  writer->frames_bytes += frames->n;
  return TAULER_OK;
}

tauler_error table_writer_add(table_writer *writer, const table_frames *frames, tauler_message *message) {
  const tauler_error error = table_writer_note(writer, frames, message);
  if (error != TAULER_OK) return error;
  table_digester_add(writer->frames, frames->bytes, frames->n);
  return durable_file_write(writer->file, frames->bytes, frames->n, message);
}

tauler_error table_writer_share(table_writer *writer, uint64_t bytes, const char **hidden,
                                tauler_message *message) {
  writer->is_shared = true;
  *hidden = durable_file_hidden(writer->file);
  durable_file_seek(writer->file, TABLE_HEADER_BYTES + bytes);
  return durable_file_resize(writer->file, TABLE_HEADER_BYTES + bytes, message);
}

void table_writer_set_digests(table_writer *writer, const table_digests *digests, const table_count *counts,
                              size_t used) {
  writer->is_given = true;
  writer->given = *digests;
  for (size_t i = 0; i < used; i++) cell_histogram_add_count(writer->histogram, counts[i]);
}

tauler_error table_writer_append(table_writer *writer, const table_frames *frames, const void *stored,
                                 const void *plain, tauler_message *message) {
  const tauler_error error = table_writer_add(writer, frames, message);
  if (error != TAULER_OK) return error;
  const size_t bytes = frames_cells_bytes(writer, frames);
  table_digester_add(writer->stored, stored, bytes);
  if (writer->plain) table_digester_add(writer->plain, plain, bytes);
  return TAULER_OK;
}

uint64_t table_writer_bytes(const table_writer *writer) {
  return TABLE_HEADER_BYTES + writer->frames_bytes + table_counts_bytes(&writer->layout) +
         table_seek_table_bytes(writer->layout.frames);
}

void table_writer_count(table_writer *writer, const cell_histogram *histogram) {
  cell_histogram_merge(writer->histogram, histogram);
}

tauler_error table_writer_end(table_writer *writer, table_header *written, tauler_message *message) {
  end_digests(writer);
  tauler_error error = TAULER_OK;
  if (writer->next != writer->layout.frames)
    error = tauler_fail(message, TAULER_INTERNAL, "frames from %" PRIu64 " on are missing in %s",
                        writer->next, writer->path);
  if (error == TAULER_OK) error = write_counts_and_header(writer, message);
  const table_header full = writer->layout.header;
  if (error == TAULER_OK) {
    error = durable_file_commit(writer->file, message);
    writer->file = NULL;
  }
  table_writer_abandon(writer);
  if (error == TAULER_OK && written) *written = full;
  return error;
}

void table_writer_abandon(table_writer *writer) {
  if (!writer) return;
  end_digests(writer);
  free(writer->entries);
  free(writer->histogram);
  durable_file_abandon(writer->file);
  free(writer->path);
  free(writer);
}
