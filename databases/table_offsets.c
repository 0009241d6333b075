/* Stores the absolute offsets of a large table's frames in a file of blocks beside it. To find a frame, one
 * block is read instead of the whole seek table. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "databases/table_parts.h"

/* A block has the offsets of some frames, the end of the last one, and a digest. */
enum {
  BLOCK_BYTES = 4096,
  BLOCK_WORDS = BLOCK_BYTES / sizeof(uint64_t),
  DIGEST_WORDS = sizeof(table_digest) / sizeof(uint64_t),
  BLOCK_FRAMES = BLOCK_WORDS - DIGEST_WORDS - 1
};

/* The digest also covers the table and the number of the first frame, so that it differs for a block of
 * another table or place. */
typedef struct {
  table_digest table;
  uint64_t first, words[BLOCK_WORDS];
  size_t frames;
} offsets_block;

bool table_wants_offsets(const table_header *header) {
  return table_frame_count(header) > BLOCK_FRAMES;
}

tauler_error table_offsets_path(const char *path, char out[TABLE_PATH_BYTES], tauler_message *message) {
  if (snprintf(out, TABLE_PATH_BYTES, "%s.offsets", path) < TABLE_PATH_BYTES) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "the path of a table is too long: %.200s", path);
}

static size_t offsets_bytes(const offsets_block *block) {
  return (block->frames + 1) * sizeof *block->words;
}

static table_digest block_digest(const offsets_block *block) {
  return table_digest_of(block, offsetof(offsets_block, words) + offsets_bytes(block));
}

static void begin_block(const table *table, uint64_t number, offsets_block *block) {
  const uint64_t left = table->layout.frames - number * BLOCK_FRAMES;
  block->table = table->layout.seek_table_digest;
  block->first = number * BLOCK_FRAMES;
  block->frames = left < BLOCK_FRAMES ? (size_t)left : BLOCK_FRAMES;
}

static tauler_error write_blocks(const table *table, durable_file *file, tauler_message *message) {
  for (uint64_t number = 0; number * BLOCK_FRAMES < table->layout.frames; number++) {
    offsets_block block;
    begin_block(table, number, &block);
    memcpy(block.words, table->offsets + block.first, offsets_bytes(&block));
    const table_digest digest = block_digest(&block);
    memcpy(block.words + block.frames + 1, &digest, sizeof digest);
    const tauler_error error =
        durable_file_write(file, block.words, offsets_bytes(&block) + sizeof digest, message);
    if (error) return error;
  }
  return TAULER_OK;
}

tauler_error table_offsets_write(const table *table, const char *path, tauler_message *message) {
  durable_file *file;
  if (!table->offsets) return tauler_fail(message, TAULER_INTERNAL, "%s is not open whole", table->path);
  tauler_error error = durable_file_create(path, &file, message);
  if (error) return error;
  error = write_blocks(table, file, message);
  if (!error) return durable_file_commit(file, message);
  durable_file_abandon(file);
  return error;
}

bool table_offsets_open(table *table) {
  char path[TABLE_PATH_BYTES];
  if (!table_wants_offsets(&table->layout.header) || table_offsets_path(table->path, path, NULL))
    return false;
  table->offsets_descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  return table->offsets_descriptor >= 0;
}

static tauler_error read_block(const table *table, offsets_block *block, tauler_message *message) {
  char path[TABLE_PATH_BYTES];
  table_digest digest;
  tauler_error error = table_offsets_path(table->path, path, message);
  if (!error)
    error = durable_read_range(table->offsets_descriptor, path, block->first / BLOCK_FRAMES * BLOCK_BYTES,
                               block->words, offsets_bytes(block) + sizeof digest, message);
  if (error) return error;
  digest = block_digest(block);
  return memcmp(&digest, block->words + block->frames + 1, sizeof digest) == 0
             ? TAULER_OK
             : tauler_fail(message, TAULER_DAMAGED_FILE,
                           "%.400s is damaged or of another table: remove it, or publish the table again",
                           path);
}

tauler_error table_frame_place(const table *table, uint64_t frame, uint64_t *from, size_t *n,
                               tauler_message *message) {
  uint64_t end;
  if (table->offsets) {
    *from = table->offsets[frame];
    end = table->offsets[frame + 1];
  } else {
    offsets_block block;
    begin_block(table, frame / BLOCK_FRAMES, &block);
    const tauler_error error = read_block(table, &block, message);
    if (error) return error;
    *from = block.words[frame - block.first];
    end = block.words[frame - block.first + 1];
  }
  const size_t size = table_payload_size(&table->layout.header, frame);
  if (end <= *from || end > table->layout.header.stored_bytes || end - *from > ZSTD_compressBound(size))
    return table_damaged(message, table->path, "the place of frame %" PRIu64 " cannot be right", frame);
  *n = (size_t)(end - *from);
  return TAULER_OK;
}
