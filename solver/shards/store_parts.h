/* Declares the data of the store of finished slices. Private to store*.c.
 *
 * A chunk has frames of STORE_FRAME cells, each a zstd frame with a checksum, and a list of their ends. The
 * last frame may have fewer cells.
 */
#ifndef SOLVER_SHARDS_STORE_PARTS_H
#define SOLVER_SHARDS_STORE_PARTS_H

#include <zstd.h>

#include "base/unnamed_file.h"
#include "parallel/failure.h"
#include "solver/shards/store.h"

/* Rows are read at random places. A frame of 16 KiB takes nearly twice as long to decode as one of 8 KiB and
 * saves one hundredth of the size. */
enum { STORE_FRAME = 1 << 13, STORE_CHUNK_FRAMES = STORE_CHUNK / STORE_FRAME };

typedef struct {
  uint32_t frames;
  uint32_t owner; /* rank */
  uint64_t at;    /* offset in the file */
  /* [frames] Ends of the frames, NULL until the chunk is put. If the store is in memory, the frames follow.
   */
  uint32_t *ends;
} store_chunk;

typedef struct {
  uint64_t positions;
  store_chunk *chunks; /* [chunks of the plane] without frames if another rank owns them */
} store_plane;

typedef struct {
  ZSTD_DCtx *decoder;
  uint8_t *cells, *compressed; /* buffers for one frame each */
} store_worker;

struct slice_store {
  store_settings settings;
  int rank, ranks;
  memory_budget *memory;
  solved_slice *plain;   /* [room] or NULL if the store is compressed */
  store_plane *planes;   /* [slice × STORE_PLANES + plane] */
  store_worker *workers; /* [threads] */
  uint8_t *frames;       /* [threads] buffers of the workers */
  arena lists;           /* memory of planes, workers and frames, empty if the store is plain */
  unnamed_file *file;    /* NULL if the cells are in memory */
  _Atomic uint64_t file_end;
};

static inline size_t store_cell_bytes(int plane) {
  return plane < STORE_DEPTHS ? sizeof(int8_t) : sizeof(uint16_t);
}

static inline uint64_t store_chunks(uint64_t positions) {
  return positions / STORE_CHUNK + (positions % STORE_CHUNK != 0);
}

static inline bool store_is_here(const slice_store *store, const store_plane *plane, uint64_t chunk) {
  return chunk < store_chunks(plane->positions) && plane->chunks[chunk].owner == (uint32_t)store->rank;
}

/* Returns a plane, or plane 0 if plane 1 is absent because both bounds are equal. NULL if the store has
 * neither. */
const store_plane *store_find_plane(const slice_store *store, uint32_t slice, int plane);

/* Decodes one frame of a chunk of this rank into `cells`. */
tauler_error store_decode(const slice_store *store, store_worker *worker, uint32_t slice, int plane,
                          uint64_t chunk, uint32_t frame, void *cells, tauler_message *message);

/* Returns a compressor with settings for cells, or NULL if memory is missing. Cells of one byte have few
 * values, which entropy coding alone packs well. Looking for hardly any match makes compression three times
 * as fast and the result 4 % longer. Depths and packets use the settings that give shorter results. */
ZSTD_CCtx *store_new_compressor(bool cells_are_bytes);

#endif
