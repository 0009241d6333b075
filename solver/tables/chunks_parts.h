/* The parts that move windows of cells. Private to chunks*.c.
 *
 * What one shard holds of one window travels as a blob: the stored cells in rising order of index, and
 * behind them the plain values of those that are reserved, compressed together. Frames travel in blobs too,
 * a piece of a chunk each, but their cells need not: digests go from home to home instead.
 */
#ifndef SOLVER_TABLES_CHUNKS_PARTS_H
#define SOLVER_TABLES_CHUNKS_PARTS_H

#include "databases/table_frames.h"
#include "parallel/byte_streams.h"
#include "parallel/failure.h"
#include "solver/tables/chunks.h"
#include "solver/tables/slice_tables.h"

typedef enum { WINDOWS_VALUES, WINDOWS_DEPTHS, WINDOWS_PLAIN } chunks_kind;

enum { WINDOWS_MOST_CELL = sizeof(uint16_t), WINDOWS_HEAD = 40 };

/* One plane of a slice on its way, batch by batch. */
typedef struct {
  const build_job *job;
  sharded_slice *slice;
  uint64_t positions, windows;
  int rank, ranks, threads, plane;
  chunks_kind kind;
  bool wide;
  bool alone;        /* the slice has one shard: nothing travels */
  size_t cell_bytes; /* in the file, and as they travel */
  int64_t reserved;
  bool implied;         /* there are reserved cells */
  uint64_t here;        /* windows of a batch at one home */
  uint64_t first, used; /* windows of the batch under work */
  byte_streams out, in;
  size_t window_bytes;     /* room for a window at home here */
  uint8_t *stored, *plain; /* [here] of them */
  const uint8_t *cells;    /* plain, of all of a slice of one shard; NULL: not values, or several */
  size_t room;             /* scratch of each thread */
  uint8_t *scratch;
} window_batch;

/* A blob in a stream. */
typedef struct {
  uint64_t window;
  uint32_t shard;
  size_t cells, n;
  const uint8_t *bytes;
} window_blob;

static inline uint64_t chunks_cells(uint64_t positions, uint64_t window) {
  const uint64_t left = positions - window * STORE_WINDOW;
  return left < STORE_WINDOW ? left : STORE_WINDOW;
}

static inline uint8_t *chunks_stored(const window_batch *b, uint64_t window) {
  return b->stored + (window - b->first) / (uint64_t)b->ranks * b->window_bytes;
}
static inline const uint8_t *chunks_plain(const window_batch *b, uint64_t window) {
  if (b->cells) return b->cells + window * STORE_WINDOW;
  return b->plain + (window - b->first) / (uint64_t)b->ranks * b->window_bytes;
}

/* Three times a window of the widest cells, with its values behind it; where windows do not travel, one of
 * depths, or a piece of one of values, which may not get smaller when it is compressed. */
enum {
  WINDOWS_ROOM = 2 * STORE_WINDOW * WINDOWS_MOST_CELL + 64,
  WINDOWS_ROOM_DEPTHS = STORE_WINDOW * WINDOWS_MOST_CELL + 64,
  WINDOWS_ROOM_VALUES = STORE_WINDOW / 4 * 5
};
static inline uint8_t *chunks_scratch(const window_batch *b, int thread, int i) {
  return b->scratch + (size_t)thread * b->room + (b->alone ? 0 : (size_t)i * WINDOWS_ROOM);
}

/* job, slice, plane, kind and wide are given. Collective; all ranks agree on the size of batches. */
tauler_error chunks_open(window_batch *b, tauler_message *message);
void chunks_close(window_batch *b);
/* Goes on to the first or next batch; false after the last. */
bool chunks_next(window_batch *b);

/* Adds a blob to what goes to a rank; by any thread. */
tauler_error chunks_add_blob(window_batch *b, int to, const window_blob *blob, tauler_message *message);
/* Takes the next blob of a stream; false at its end or, with *error, where it makes no sense. */
bool chunks_take_blob(const window_batch *b, const byte_stream *stream, size_t *at, window_blob *blob,
                      tauler_error *error, tauler_message *message);

tauler_error chunks_bad_blob(tauler_message *message);

/* Shards to homes: fills stored and plain of the windows at home here. Collective. */
tauler_error chunks_collect(window_batch *b, tauler_message *message);

#endif
