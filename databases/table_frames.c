/* Makes and checks frames that are written elsewhere. */
#include "databases/table_frames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "databases/table_parts.h"

tauler_error zstd_error(size_t result, tauler_error other) {
  return ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation ? TAULER_NO_MEMORY : other;
}

struct table_framer {
  char *path;
  table_header header;
  ZSTD_CCtx *compressor;
  frame_decoder *decoder;
  table_classes classes;       /* the caller's classes. `find` is NULL if it has none */
  const adaptive_model *model; /* NULL unless the cells are coded adaptively */
  unsigned char *decoded;      /* payload or cells of one frame, to compare */
  unsigned char *compressed;   /* frames of the last call of table_frames_make */
  uint32_t *sizes;
  uint64_t room; /* number of frames for which there is memory */
};

/* Parameters of zstd for small frames of cells, which proved better than the usual ones of the level
 * (README.md). Runs of few symbols compress best if only long matches are used. */
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

static bool set_tuned_level(ZSTD_CCtx *compressor, const tuned_level *tuned) {
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
      set = set && set_tuned_level(compressor, &tuned_levels[i]);
  return set;
}

void table_start_header(table_header *to, const table_header *from, const table_write_settings *settings) {
  *to = *from;
  to->classes = settings->classes ? settings->classes->version : 0;
  to->format_version = settings->recoding ? TABLE_FORMAT_ADAPTIVE
                       : to->classes      ? TABLE_FORMAT_SORTED
                                          : TABLE_FORMAT_PLACED;
  to->frame_bytes = settings->frame_bytes ? settings->frame_bytes : TABLE_FRAME_BYTES;
  to->zstd_version = ZSTD_versionNumber();
  to->stored_bytes = 0;
  to->counts = NULL;
  to->counts_used = 0;
}

tauler_error table_check_request(const char *path, const table_header *header,
                                 const table_write_settings *settings, tauler_message *message) {
  const char *fault = table_header_fault(header);
  if (!fault && (settings->level < 1 || settings->level > 22)) fault = "the compression level is not 1 to 22";
  if (!fault && settings->threads < 1) fault = "the number of threads is not positive";
  if (fault) return tauler_fail(message, TAULER_INTERNAL, "cannot write the table %s: %s", path, fault);
  return TAULER_OK;
}

static tauler_error no_memory_to_compress(const char *path, tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress %s; use fewer threads", path);
}

static tauler_error open_framer(table_framer *framer, const char *path, int level, tauler_message *message) {
  framer->path = strdup(path);
  framer->compressor = ZSTD_createCCtx();
  framer->decoder = frame_decoder_new();
  framer->decoded = malloc(frame_order_payload(framer->header.frame_bytes));
  if (!framer->path || !framer->compressor || !framer->decoder || !framer->decoded ||
      (framer->model && !(framer->decoder->coder = adaptive_coder_new())) ||
      ((framer->header.classes || framer->model) &&
       !frame_order_reserve(&framer->decoder->order, framer->header.frame_bytes)))
    return no_memory_to_compress(path, message);
  if (!set_parameters(framer->compressor, level, &framer->header))
    return tauler_fail(message, TAULER_INTERNAL, "zstd refuses compression level %d", level);
  return TAULER_OK;
}

tauler_error table_framer_new(const char *path, const table_header *header,
                              const table_write_settings *settings, table_framer **out,
                              tauler_message *message) {
  *out = NULL;
  table_framer *framer = calloc(1, sizeof *framer);
  if (!framer) return no_memory_to_compress(path, message);
  table_start_header(&framer->header, header, settings);
  if (settings->classes) framer->classes = *settings->classes;
  if (settings->recoding) framer->model = &settings->recoding->model;
  tauler_error error = table_check_request(path, &framer->header, settings, message);
  if (!error) error = open_framer(framer, path, settings->level, message);
  if (error) {
    table_framer_free(framer);
    return error;
  }
  *out = framer;
  return TAULER_OK;
}

void table_framer_free(table_framer *framer) {
  if (!framer) return;
  ZSTD_freeCCtx(framer->compressor);
  frame_decoder_free(framer->decoder);
  free(framer->decoded);
  free(framer->compressed);
  free(framer->sizes);
  free(framer->path);
  free(framer);
}

static bool are_cells_coded(const table_header *header, const void *stored, const void *plain, size_t count) {
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

static bool reserve_frames(table_framer *framer, uint64_t frames) {
  if (frames <= framer->room) return true;
  unsigned char *compressed = realloc(
      framer->compressed, frames * ZSTD_compressBound(frame_order_payload(framer->header.frame_bytes)));
  if (!compressed) return false;
  framer->compressed = compressed;
  uint32_t *sizes = realloc(framer->sizes, frames * sizeof *sizes);
  if (!sizes) return false;
  framer->sizes = sizes;
  framer->room = frames;
  return true;
}

size_t zstd_compress_parts(ZSTD_CCtx *compressor, const unsigned char *bytes, size_t part, size_t n,
                           unsigned char *to) {
  ZSTD_outBuffer out = {to, ZSTD_compressBound(n), 0};
  if (part == n) return ZSTD_compress2(compressor, to, out.size, bytes, n);
  ZSTD_inBuffer in = {bytes, part, 0};
  size_t left = ZSTD_CCtx_reset(compressor, ZSTD_reset_session_only);
  if (!ZSTD_isError(left)) left = ZSTD_CCtx_setPledgedSrcSize(compressor, n);
  if (!ZSTD_isError(left)) left = ZSTD_compressStream2(compressor, &out, &in, ZSTD_e_flush);
  in.size = n;
  if (!ZSTD_isError(left)) left = ZSTD_compressStream2(compressor, &out, &in, ZSTD_e_end);
  return left ? left : out.pos;
}

/* The payload of a frame: n bytes, of which the first `part` have little in common with the rest. */
typedef struct {
  const unsigned char *bytes;
  size_t part, n;
} frame_payload;

static frame_payload make_payload(table_framer *framer, uint64_t first, const unsigned char *cells,
                                  size_t n) {
  frame_order *order = &framer->decoder->order;
  if (framer->model) {
    const size_t size = adaptive_encode(framer->decoder->coder, framer->model, &framer->classes, first, n,
                                        cells, order->payload);
    return (frame_payload){order->payload, adaptive_blocks(n), size};
  }
  if (!framer->header.classes) return (frame_payload){cells, n, n};
  frame_order_sort(order, &framer->classes, first, n, (uint8_t)framer->header.reserved, cells);
  return (frame_payload){order->payload, n, frame_order_payload(n)};
}

static bool restores_cells(table_framer *framer, uint64_t frame, const unsigned char *cells, size_t n,
                           size_t payload) {
  return frame_restore(framer->decoder, &framer->header, framer->model, &framer->classes,
                       frame_whole(&framer->header, frame), payload, framer->decoded) &&
         memcmp(framer->decoded, cells, n) == 0;
}

/* Decodes the frame again, so that a fault of the encoder or of memory is found at once. */
static tauler_error compress_frame(table_framer *framer, uint64_t frame, const unsigned char *cells,
                                   size_t cells_size, unsigned char *to, size_t *frame_size,
                                   tauler_message *message) {
  const frame_payload payload = make_payload(framer, frame * framer->header.frame_bytes, cells, cells_size);
  const size_t n = zstd_compress_parts(framer->compressor, payload.bytes, payload.part, payload.n, to);
  if (ZSTD_isError(n))
    return tauler_fail(message, zstd_error(n, TAULER_INTERNAL), "zstd cannot compress a frame of %s: %s",
                       framer->path, ZSTD_getErrorName(n));
  const size_t back = ZSTD_decompressDCtx(framer->decoder->context, framer->decoded, payload.n, to, n);
  if (back != payload.n || memcmp(framer->decoded, payload.bytes, payload.n) != 0 ||
      (payload.bytes != cells && !restores_cells(framer, frame, cells, cells_size, payload.n)))
    return tauler_fail(
        message, TAULER_INTERNAL,
        "a frame of %s does not decode to what was compressed: faulty memory or a faulty zstd %s",
        framer->path, ZSTD_versionString());
  *frame_size = n;
  return TAULER_OK;
}

static bool are_whole_frames(const table_header *header, uint64_t first, size_t bytes) {
  if (first >= table_frame_count(header) || bytes == 0) return false;
  const uint64_t left = table_cells_bytes(header) - first * header->frame_bytes;
  return bytes == left || (bytes < left && bytes % header->frame_bytes == 0);
}

tauler_error table_frames_make(table_framer *framer, uint64_t first, size_t count, const void *stored,
                               const void *plain, table_frames *out, tauler_message *message) {
  const table_header *header = &framer->header;
  const size_t bytes = count * table_cell_bytes(header->cell);
  if (!are_whole_frames(header, first, bytes))
    return tauler_fail(message, TAULER_INTERNAL, "%zu cells are no frames of %s", count, framer->path);
  if (header->coding == TABLE_IMPLIED && !are_cells_coded(header, stored, plain, count))
    return tauler_fail(message, TAULER_INTERNAL,
                       "cells from %" PRIu64 " on for %s are neither implied nor equal to their value",
                       first * header->frame_bytes / table_cell_bytes(header->cell), framer->path);
  *out = (table_frames){.first = first, .used = (bytes - 1) / header->frame_bytes + 1};
  if (!reserve_frames(framer, out->used)) return no_memory_to_compress(framer->path, message);
  for (uint64_t i = 0; i < out->used; i++) {
    const size_t at = (size_t)(i * header->frame_bytes);
    const size_t size = bytes - at < header->frame_bytes ? bytes - at : header->frame_bytes;
    size_t n = 0;
    const tauler_error error = compress_frame(framer, first + i, (const unsigned char *)stored + at, size,
                                              framer->compressed + out->n, &n, message);
    if (error) return error;
    framer->sizes[i] = (uint32_t)n;
    out->n += n;
  }
  out->sizes = framer->sizes;
  out->bytes = framer->compressed;
  return TAULER_OK;
}
