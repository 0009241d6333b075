/* Parts of the store of finished slices. Private to store*.c.
 *
 * A chunk is kept as frames of STORE_FRAME cells, each a zstd frame with a checksum, one behind the other,
 * and the list of their ends. Cells of this rank's chunks are named by parts (rows of cells) or by keys
 * (single cells); a key is a slice and a cell's index.
 */
#ifndef SOLVER_SHARDS_STORE_PARTS_H
#define SOLVER_SHARDS_STORE_PARTS_H

#include <zstd.h>

#include "base/unnamed_file.h"
#include "solver/shards/store.h"

/* 8 KiB: rows are read at random places, and a frame twice as large takes nearly twice as long to decode
 * for one hundredth of the size. */
enum {
  STORE_FRAME = 1 << 13,
  STORE_CHUNK_FRAMES = STORE_CHUNK / STORE_FRAME,
  STORE_KEY_BITS = 44 /* of the place in a key */
};

typedef struct {
  uint32_t frames, owner; /* owner: a rank */
  uint64_t at;            /* in the file, where there is one */
  uint32_t *ends;         /* of each frame; behind them the frames, if in memory; NULL: not put yet */
} store_chunk;

typedef struct {
  uint64_t positions;
  store_chunk *chunks; /* all of them; those of other ranks are empty */
} store_plane;

/* The decoder of a thread. */
typedef struct {
  ZSTD_DCtx *decoder;
  uint8_t *cells, *compressed;
} store_worker;

struct slice_store {
  store_settings settings;
  int rank, ranks;
  memory_budget *memory;
  solved_slice *plain; /* [room]; NULL: compressed */
  store_plane *planes; /* [slice × STORE_PLANES + plane] */
  store_worker *workers;
  unnamed_file *file; /* NULL: in memory */
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

/* NULL where there is none. */
const store_plane *store_find_plane(const slice_store *store, uint32_t slice, int plane);

/* Decodes one frame of a chunk of this rank into all of its cells. */
tauler_error store_decode(const slice_store *store, store_worker *worker, uint32_t slice, int plane,
                          uint64_t chunk, uint32_t frame, void *cells, tauler_message *message);

/* Settings of zstd that suit cells. Those of one byte have few values, which take few bits each: hardly any
 * match is looked for, which is three times as fast and 4 % longer. Packets are kept shorter. NULL
 * without memory. */
ZSTD_CCtx *store_new_compressor(bool cells_are_bytes);

#endif
