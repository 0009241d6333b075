/* The parts of an open table, and the reading of one frame. Private to databases/.
 *
 * A table never changes between table_open and table_close. A frame_decoder owns what decoding needs besides
 * the table, and belongs to one thread at a time.
 */
#ifndef DATABASES_TABLE_PARTS_H
#define DATABASES_TABLE_PARTS_H

#include <sys/stat.h>

#include "databases/table.h"
#include "databases/table_format.h"

struct table {
  int descriptor;
  struct stat opened; /* the file when it was opened */
  char *path;
  uint64_t
      id; /* random number that distinguishes this table from all others whose frames may be in a cache */
  table_layout layout;
  uint64_t cells_per_frame;
  table_classes classes; /* without `find` until table_sort_by */
  table_count *counts;
  uint64_t *offsets; /* [frames + 1] offset of each frame in the file, or NULL if they stay in a file */
  int offsets_descriptor;
};

/* Number of threads for so many chunks of frames. With fewer than four chunks each, starting threads costs
 * more than it saves. */
static inline int table_threads_for(uint64_t chunks, int wanted) {
  const uint64_t most = chunks / 4;
  return most < 1 ? 1 : most < (uint64_t)wanted ? (int)most : wanted;
}

typedef struct frame_decoder frame_decoder;

frame_decoder *frame_decoder_new(void); /* NULL if out of memory */
void frame_decoder_free(frame_decoder *decoder);

/* Decodes the n bytes of a frame into all of its cells. */
tauler_error frame_decode(frame_decoder *decoder, const table *table, uint64_t frame,
                          const unsigned char *compressed, size_t n, void *cells, tauler_message *message);

/* Opens the file of offsets beside a table whose header has been read. Returns false if there is none. */
bool table_offsets_open(table *table);

/* The place of a frame in the file, and its bytes. */
tauler_error table_frame_place(const table *table, uint64_t frame, uint64_t *from, size_t *n,
                               tauler_message *message);

/* Reads and decodes one frame. */
tauler_error frame_read(frame_decoder *decoder, const table *table, uint64_t frame, void *cells,
                        tauler_message *message);

/* Copies one cell of n bytes, through the cache if there is one. */
tauler_error frame_cache_fetch(frame_cache *cache, const table *table, uint64_t index, void *cell, size_t n,
                               tauler_message *message);

#endif
