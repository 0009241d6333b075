/* Reads and decodes one frame, or explains why it cannot. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "base/memory.h"
#include "databases/table_frames.h"
#include "databases/table_parts.h"

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
  free(decoder->coder);
  free(decoder);
}

/* True if the bytes are exactly one zstd frame with a content checksum. Without this check, zstd would also
 * accept frames without checksum, skippable frames and several frames in a row. */
static bool is_checked_frame(const unsigned char *bytes, size_t n) {
  static const unsigned char magic[4] = {0x28, 0xB5, 0x2F, 0xFD};
  const unsigned checksum_flag = 4;
  return n > sizeof magic && memcmp(bytes, magic, sizeof magic) == 0 &&
         (bytes[sizeof magic] & checksum_flag) && ZSTD_findFrameCompressedSize(bytes, n) == n;
}

static tauler_error report_no_memory(const table *table, tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to decode %s", table->path);
}

static tauler_error decode_payload(frame_decoder *decoder, const table *table, uint64_t frame,
                                   const unsigned char *compressed, size_t n, void *payload, size_t *decoded,
                                   tauler_message *message) {
  const table_header *header = &table->layout.header;
  const size_t size = table_payload_size(header, frame);
  if (!is_checked_frame(compressed, n))
    return table_damaged(message, table->path, "frame %" PRIu64 " is not a zstd frame with a checksum",
                         frame);
  *decoded = ZSTD_decompressDCtx(decoder->context, payload, size, compressed, n);
  if (zstd_error(*decoded, TAULER_OK)) return report_no_memory(table, message);
  if (ZSTD_isError(*decoded))
    return table_damaged(message, table->path, "frame %" PRIu64 " cannot be decoded: %s", frame,
                         ZSTD_getErrorName(*decoded));
  if (!table_payload_fits(header, frame, *decoded))
    return table_damaged(message, table->path, "frame %" PRIu64 " holds %zu bytes and must hold %zu", frame,
                         *decoded, size);
  return TAULER_OK;
}

bool frame_restore(frame_decoder *decoder, const table_header *header, const adaptive_model *model,
                   const table_classes *classes, frame_part part, size_t payload, void *cells) {
  const size_t size = table_frame_size(header, part.frame);
  const uint64_t first = part.frame * header->frame_bytes; /* cells have one byte */
  return model ? adaptive_decode(decoder->coder, model, classes, first, size, decoder->order.payload, payload,
                                 part.block, part.blocks, cells)
               : frame_order_restore(&decoder->order, classes, first, size, (uint8_t)header->reserved, cells);
}

tauler_error frame_decode(frame_decoder *decoder, const table *table, frame_part part,
                          const unsigned char *compressed, size_t n, void *cells, tauler_message *message) {
  const table_header *header = &table->layout.header;
  const bool adaptive = table_is_adaptive(header);
  size_t decoded = 0;
  if (!header->classes && !adaptive)
    return decode_payload(decoder, table, part.frame, compressed, n, cells, &decoded, message);
  if (header->classes && !table->classes.find)
    return tauler_fail(message, TAULER_INTERNAL, "the cells of %s are sorted by unknown classes",
                       table->path);
  if (adaptive && !decoder->coder) decoder->coder = adaptive_coder_new();
  if (!frame_order_reserve(&decoder->order, table_frame_size(header, part.frame)) ||
      (adaptive && !decoder->coder))
    return report_no_memory(table, message);
  const tauler_error error =
      decode_payload(decoder, table, part.frame, compressed, n, decoder->order.payload, &decoded, message);
  if (error || frame_restore(decoder, header, table->model, &table->classes, part, decoded, cells))
    return error;
  return table_damaged(message, table->path, "the payload of frame %" PRIu64 " contradicts itself",
                       part.frame);
}

tauler_error frame_read(frame_decoder *decoder, const table *table, frame_part part, void *cells,
                        tauler_message *message) {
  uint64_t from;
  size_t n;
  tauler_error error = table_frame_place(table, part.frame, &from, &n, message);
  if (error != TAULER_OK) return error;
  if (!memory_make_room(&decoder->compressed, &decoder->room, n, 1))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a frame of %s", table->path);
  error = durable_read_range(table->descriptor, table->path, from, decoder->compressed, n, message);
  return error == TAULER_OK ? frame_decode(decoder, table, part, decoder->compressed, n, cells, message)
                            : error;
}
