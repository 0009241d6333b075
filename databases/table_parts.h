/* Reads single frames of an open table, and declares the functions that framers and writers share. Private to
 * databases/.
 *
 * A frame_decoder owns the memory that decoding needs, and belongs to one thread at a time.
 */
#ifndef DATABASES_TABLE_PARTS_H
#define DATABASES_TABLE_PARTS_H

#include <sys/stat.h>
#include <zstd.h>

#include "databases/cell_histogram.h"
#include "databases/table_format.h"
#include "databases/table_frames.h"

struct table {
  int descriptor;
  struct stat opened; /* status of the file when it was opened */
  char *path;
  uint64_t id; /* random number that distinguishes this table from others in a frame_cache */
  table_layout layout;
  uint64_t cells_per_frame, cells_per_piece; /* a piece, decoded by itself, is a frame or a block */
  table_classes classes;                     /* without `find` until table_set_classes */
  table_count *counts;
  adaptive_model *model; /* NULL unless the cells are coded adaptively */
  /* [frames + 1] Places of the frames and end of the last one, or NULL if the file of offsets is used. */
  uint64_t *offsets;
  int offsets_descriptor;
};

/* Returns the number of threads to use for a number of chunks of frames. If threads have fewer than four
 * chunks each, starting them costs more than it saves. */
static inline int table_threads_for(uint64_t chunks, int wanted) {
  const uint64_t most = chunks / 4;
  return most < 1 ? 1 : most < (uint64_t)wanted ? (int)most : wanted;
}

typedef struct frame_decoder frame_decoder;
struct frame_decoder {
  ZSTD_DCtx *context;
  unsigned char *compressed;
  size_t room;
  frame_order order;
  adaptive_coder *coder; /* NULL until a frame needs it */
  frame_decoder *next;   /* next idle decoder of a frame_cache */
};

frame_decoder *frame_decoder_new(void); /* NULL if out of memory */
void frame_decoder_free(frame_decoder *decoder);

/* Some blocks of a frame. Without the adaptive coder the whole frame is decoded. */
typedef struct {
  uint64_t frame;
  size_t block, blocks;
} frame_part;

static inline frame_part frame_whole(const table_header *header, uint64_t frame) {
  return (frame_part){frame, 0, adaptive_blocks(table_frame_size(header, frame))};
}

/* Turns the payload in decoder->order back into cells. `model` is NULL unless they are coded adaptively.
 * Returns false if the payload contradicts itself. */
bool frame_restore(frame_decoder *decoder, const table_header *header, const adaptive_model *model,
                   const table_classes *classes, frame_part part, size_t payload, void *cells);

tauler_error frame_decode(frame_decoder *decoder, const table *table, frame_part part,
                          const unsigned char *compressed, size_t n, void *cells, tauler_message *message);
tauler_error frame_read(frame_decoder *decoder, const table *table, frame_part part, void *cells,
                        tauler_message *message);

/* Opens the file of offsets beside a table. Returns false if it cannot. */
bool table_offsets_open(table *table);

/* Sets *from to the place of a frame in the file, and *n to its size in bytes. */
tauler_error table_frame_place(const table *table, uint64_t frame, uint64_t *from, size_t *n,
                               tauler_message *message);

/* Reads one cell of n bytes, through the cache unless it is NULL. */
tauler_error frame_cache_fetch(frame_cache *cache, const table *table, uint64_t index, void *cell, size_t n,
                               tauler_message *message);

/* Settings that only table_recode passes to table_write. */
typedef struct table_recoding {
  const table *from;
  adaptive_model model;
  unsigned char *priors; /* compressed bytes of the priors */
  uint32_t priors_bytes;
} table_recoding;

/* Compresses n bytes. The first `part` bytes have little in common with the rest, and so become a block of
 * their own. `to` has space for ZSTD_compressBound(n) bytes. Returns the size, or an error of zstd. */
size_t zstd_compress_parts(ZSTD_CCtx *compressor, const unsigned char *bytes, size_t part, size_t n,
                           unsigned char *to);

/* Passes digests and counts to the writer. Returns true if the new file is smaller than the recoded one. */
bool table_recoding_end(const table_recoding *recoding, table_writer *writer);

/* Makes the header for a table to be written: copies the first group of members, and fills those of the
 * second that follow from the settings. */
void table_start_header(table_header *to, const table_header *from, const table_write_settings *settings);

/* Errors: TAULER_INTERNAL for headers and settings that contradict themselves. */
tauler_error table_check_request(const char *path, const table_header *header,
                                 const table_write_settings *settings, tauler_message *message);

/* As table_writer_add, but also digests the cells of the frames. table_writer_count counts them. */
tauler_error table_writer_append(table_writer *writer, const table_frames *frames, const void *stored,
                                 const void *plain, tauler_message *message);

/* Returns the size of the file with the frames so far, without counts that are not known yet. */
uint64_t table_writer_bytes(const table_writer *writer);
void table_writer_count(table_writer *writer, const cell_histogram *histogram);

#endif
