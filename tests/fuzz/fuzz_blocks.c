/* Fuzzing of the adaptive coder: any bytes may be given as the payload of a frame, whose checksum a writer
 * can make agree. The first bytes of an input say what the model is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "databases/adaptive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MODEL_BYTES = 7 };

static void must(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "does not hold: %s\n", what);
  abort();
}

static void find_classes(const void *of, uint64_t first, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = (uint8_t)((first + i) * 0x9E3779B97F4A7C15u >> 61);
}

static void open_model(adaptive_model *model, const uint8_t *data) {
  model->is_signed = data[0] & 1;
  model->is_implied = data[0] & 2;
  model->common = data[1];
  model->low = model->is_signed ? (int8_t)data[2] : data[2];
  model->high = model->low + data[3];
  if (model->high > (model->is_signed ? INT8_MAX : UINT8_MAX)) model->high = model->low;
  for (size_t i = 0; data[0] & 4 && i < ADAPTIVE_PRIORS; i++)
    model->priors[i] = (uint8_t)((i * data[4] >> 7) % 64);
}

/* A frame is read whole, and block by block; what it holds can be written again. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { CELLS = 5 * ADAPTIVE_BLOCK };
  static uint8_t cells[CELLS], again[CELLS], payload[CELLS + CELLS / ADAPTIVE_BLOCK];
  const table_classes classes = {.version = 1, .find = find_classes};
  if (size < MODEL_BYTES) return 0;
  adaptive_model *model = calloc(1, sizeof *model);
  adaptive_coder *coder = adaptive_coder_new();
  if (!model || !coder) abort();
  const size_t n = 1 + ((size_t)data[5] << 8 | data[6]) % CELLS, blocks = adaptive_blocks(n);
  model->positions = n;
  open_model(model, data);
  data += MODEL_BYTES;
  size -= MODEL_BYTES;
  bool each = true;
  const bool whole = adaptive_decode(coder, model, &classes, 0, n, data, size, 0, blocks, cells);
  for (size_t i = 0; i < blocks; i++)
    each =
        adaptive_decode(coder, model, &classes, 0, n, data, size, i, 1, again + i * ADAPTIVE_BLOCK) && each;
  must(whole == each && (!whole || memcmp(cells, again, n) == 0), "blocks are those of the frame");
  if (whole) {
    const size_t made = adaptive_encode(coder, model, &classes, 0, n, cells, payload);
    must(made <= n + blocks, "a payload is not too long");
  }
  free(model);
  free(coder);
  return 0;
}
