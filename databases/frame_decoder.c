/* Reads and decodes one frame, or explains why it cannot. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "base/memory.h"
#include "databases/table_frames.h"
#include "databases/table_parts.h"

struct frame_decoder {
  ZSTD_DCtx *context;
  unsigned char *compressed;
  size_t room;
  frame_order order;
};

frame_decoder *frame_decoder_new(void) {
  frame_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->context = ZSTD_createDCtx();
  if (!decoder->context) {
    free(decoder);
    return NULL;
  }
  return decoder;
}

void frame_decoder_free(frame_decoder *decoder) {
  if (!decoder) return;
  ZSTD_freeDCtx(decoder->context);
  free(decoder->compressed);
  frame_order_free(&decoder->order);
  free(decoder);
}

/* True for exactly one zstd frame with a content checksum and nothing after it. Without this check, zstd
 * would also accept frames without checksum, skippable frames and several frames in a row. */
static bool is_checked_frame(const unsigned char *bytes, size_t n) {
  static const unsigned char magic[4] = {0x28, 0xB5, 0x2F, 0xFD};
  const unsigned checksum_flag = 4;
  return n > sizeof magic && memcmp(bytes, magic, sizeof magic) == 0 &&
         (bytes[sizeof magic] & checksum_flag) && ZSTD_findFrameCompressedSize(bytes, n) == n;
}

static tauler_error decode_payload(frame_decoder *decoder, const table *table, uint64_t frame,
                                   const unsigned char *compressed, size_t n, void *payload,
                                   tauler_message *message) {
  const size_t size = table_payload_size(&table->layout.header, frame);
  if (!is_checked_frame(compressed, n))
    return table_damaged(message, table->path, "frame %" PRIu64 " is not a zstd frame with a checksum",
                         frame);
  const size_t decoded = ZSTD_decompressDCtx(decoder->context, payload, size, compressed, n);
  if (zstd_error(decoded, TAULER_OK))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to decode %s", table->path);
  if (ZSTD_isError(decoded))
    return table_damaged(message, table->path, "frame %" PRIu64 " cannot be decoded: %s", frame,
                         ZSTD_getErrorName(decoded));
  if (decoded != size)
    return table_damaged(message, table->path, "frame %" PRIu64 " holds %zu bytes and must hold %zu", frame,
                         decoded, size);
  return TAULER_OK;
}

static tauler_error decode_sorted(frame_decoder *decoder, const table *table, uint64_t frame,
                                  const unsigned char *compressed, size_t n, void *cells,
                                  tauler_message *message) {
  const table_header *header = &table->layout.header;
  const size_t size = table_frame_size(header, frame);
  if (!table->classes.find)
    return tauler_fail(message, TAULER_INTERNAL, "the cells of %s are sorted by unknown classes",
                       table->path);
  if (!frame_order_reserve(&decoder->order, size))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to decode %s", table->path);
  const tauler_error error =
      decode_payload(decoder, table, frame, compressed, n, decoder->order.payload, message);
  if (error || frame_order_restore(&decoder->order, &table->classes, frame * table->cells_per_frame, size,
                                   (uint8_t)header->reserved, cells))
    return error;
  return table_damaged(message, table->path, "the cells and flags of frame %" PRIu64 " contradict each other",
                       frame);
}

tauler_error frame_decode(frame_decoder *decoder, const table *table, uint64_t frame,
                          const unsigned char *compressed, size_t n, void *cells, tauler_message *message) {
  return (table->layout.header.classes ? decode_sorted : decode_payload)(decoder, table, frame, compressed, n,
                                                                         cells, message);
}

tauler_error frame_read(frame_decoder *decoder, const table *table, uint64_t frame, void *cells,
                        tauler_message *message) {
  uint64_t from;
  size_t n;
  tauler_error error = table_frame_place(table, frame, &from, &n, message);
  if (error != TAULER_OK) return error;
  if (!memory_make_room(&decoder->compressed, &decoder->room, n, 1))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a frame of %s", table->path);
  error = durable_read_range(table->descriptor, table->path, from, decoder->compressed, n, message);
  return error == TAULER_OK ? frame_decode(decoder, table, frame, decoder->compressed, n, cells, message)
                            : error;
}
