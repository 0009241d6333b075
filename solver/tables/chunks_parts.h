/* The parts that move chunks of cells. Private to chunks*.c.
 *
 * The part of a chunk that one shard holds travels as a blob: the stored cells in rising order of index, and
 * behind them the plain values of those that are reserved, compressed together. The owner of a chunk is the
 * rank that holds most of it, so most cells do not travel.
 *
 * Batches have as many chunks of each owner, so that all ranks have work, wherever in the table it is. An
 * item is a chunk's place among those of all owners. Several ranks begin with their last chunks: what a game
 * leaves out stands first in tables and costs little, so that all ranks have costly chunks in the same
 * batches. Packets of several batches are sent before the first of them, so that ranks do not wait in
 * between.
 */
#ifndef SOLVER_TABLES_CHUNKS_PARTS_H
#define SOLVER_TABLES_CHUNKS_PARTS_H

#include <xxhash.h>

#include "base/unnamed_file.h"
#include "databases/table_frames.h"
#include "parallel/byte_streams.h"
#include "parallel/failure.h"
#include "solver/tables/chunks.h"
#include "solver/tables/slice_tables.h"

typedef enum { CHUNKS_VALUES, CHUNKS_DEPTHS, CHUNKS_PLAIN } chunks_kind;

enum { CHUNKS_MOST_CELL = sizeof(uint16_t), CHUNKS_HEAD = 40 };

/* One plane of a slice on its way, batch by batch. */
typedef struct {
  const build_job *job;
  sharded_slice *slice;
  uint64_t positions, chunks;
  int rank, ranks, threads, plane;
  chunks_kind kind;
  bool wide;
  bool alone;        /* the slice has one shard: nothing travels */
  size_t cell_bytes; /* in the file, and as they travel */
  int64_t reserved;
  bool implied;        /* there are reserved cells */
  uint64_t here, most; /* chunks of one owner: of a batch, and of all at most */
  uint64_t together;   /* batches that travel at once */
  uint64_t batch;      /* the batch under work */
  uint32_t *owners;    /* [chunks] */
  uint32_t *list;      /* [chunks] by owner; those of owner o begin at starts[o] */
  uint32_t *starts;    /* [ranks + 1] */
  byte_streams out, in;
  size_t chunk_bytes;      /* room for a chunk of this rank */
  uint8_t *stored, *plain; /* [here] of them */
  const uint8_t *cells;    /* plain, of all of a slice of one shard; NULL: not values, or several */
  size_t room;             /* scratch of each thread */
  uint8_t *scratch;
} chunk_batch;

/* A blob in a stream. */
typedef struct {
  uint64_t item;
  uint32_t shard;
  size_t cells, n;
  const uint8_t *bytes;
} chunk_blob;

static inline uint64_t chunks_cells(uint64_t positions, uint64_t chunk) {
  const uint64_t left = positions - chunk * STORE_CHUNK;
  return left < STORE_CHUNK ? left : STORE_CHUNK;
}

static inline uint64_t chunks_batches(const chunk_batch *b) {
  return b->here ? (b->most + b->here - 1) / b->here : 0;
}
/* Items of one owner. */
static inline uint64_t chunks_items(const chunk_batch *b) {
  return chunks_batches(b) * b->here;
}
/* The item of a chunk of this rank that is the i-th of the batch, i < here. */
static inline uint64_t chunks_item_here(const chunk_batch *b, uint64_t i) {
  return (uint64_t)b->rank * chunks_items(b) + b->batch * b->here + i;
}
/* The chunk of an item; b->chunks where there is none. */
static inline uint64_t chunks_number(const chunk_batch *b, uint64_t item) {
  const uint64_t each = chunks_items(b);
  if (each == 0) return b->chunks;
  const uint64_t owner = item / each, at = b->starts[owner] + item % each;
  return at < b->starts[owner + 1] ? b->list[at] : b->chunks;
}
/* True if the batch is the first, or the last, of those that travel together. */
static inline bool chunks_begin_to_travel(const chunk_batch *b) {
  return b->batch % b->together == 0;
}
static inline bool chunks_have_travelled(const chunk_batch *b) {
  return (b->batch + 1) % b->together == 0 || b->batch + 1 == chunks_batches(b);
}
static inline bool chunks_is_here(const chunk_batch *b, uint64_t chunk) {
  return chunk < b->chunks && b->owners[chunk] == (uint32_t)b->rank;
}
static inline uint8_t *chunks_stored(const chunk_batch *b, uint64_t item) {
  return b->stored + item % b->here * b->chunk_bytes;
}
static inline const uint8_t *chunks_plain(const chunk_batch *b, uint64_t item) {
  if (b->cells) return b->cells + chunks_number(b, item) * STORE_CHUNK;
  return b->plain + item % b->here * b->chunk_bytes;
}

/* Three times a chunk of the widest cells, with its values behind it; where chunks do not travel, one of
 * depths, or a piece of one of values, which may not get smaller when it is compressed. */
enum {
  CHUNKS_ROOM = 2 * STORE_CHUNK * CHUNKS_MOST_CELL + 64,
  CHUNKS_ROOM_DEPTHS = STORE_CHUNK * CHUNKS_MOST_CELL + 64,
  CHUNKS_ROOM_VALUES = STORE_CHUNK / 4 * 5
};
static inline uint8_t *chunks_scratch(const chunk_batch *b, int thread, int i) {
  return b->scratch + (size_t)thread * b->room + (b->alone ? 0 : (size_t)i * CHUNKS_ROOM);
}

/* job, slice, plane, kind and wide are given. Collective; all ranks agree on the size of batches. */
tauler_error chunks_open(chunk_batch *b, tauler_message *message);
void chunks_close(chunk_batch *b);
/* The first batch or the next one; false after the last. */
bool chunks_next(chunk_batch *b);

/* Adds a blob to what goes to a rank; by any thread. */
tauler_error chunks_add_blob(chunk_batch *b, int to, const chunk_blob *blob, tauler_message *message);
/* Takes the next blob of a stream; false at its end or, with *error, where it makes no sense. */
bool chunks_take_blob(const chunk_batch *b, const byte_stream *stream, size_t *at, chunk_blob *blob,
                      tauler_error *error, tauler_message *message);

tauler_error chunks_bad_blob(tauler_message *message);

/* From shards to owners of chunks: brings what other ranks hold of the batches that travel together.
 * Collective. */
tauler_error chunks_travel(chunk_batch *b, tauler_message *message);
/* Fills stored and plain of the batch's chunks of this rank, once what other ranks hold of them is here. */
tauler_error chunks_collect(chunk_batch *b, tauler_message *message);

/* Frames are made in pieces of a chunk, so that several threads work on one. */
enum { PIECE_FRAMES = 16, MOST_PIECES = STORE_CHUNK * CHUNKS_MOST_CELL / TABLE_FRAME_BYTES / PIECE_FRAMES };
static inline uint64_t chunks_first_frame(const chunk_batch *b, uint64_t chunk, uint64_t piece) {
  return chunk * STORE_CHUNK * b->cell_bytes / TABLE_FRAME_BYTES + piece * PIECE_FRAMES;
}

/* Frames that this rank made, until all know where in the table theirs begin, and what other ranks sent,
 * until the cells are digested. Both wait in a hidden file beside the table; what was sent last stays here.
 */
typedef struct {
  uint64_t at;
  uint32_t n, frames;
  uint32_t sizes[PIECE_FRAMES];
  XXH128_hash_t digest;
} held_piece;

typedef struct {
  unnamed_file *file;
  held_piece *pieces; /* [chunks of this rank × MOST_PIECES] */
  uint64_t *sent;     /* where what travelled together begins */
  _Atomic uint64_t end;
} frame_hold;

tauler_error frame_hold_open(frame_hold *hold, const chunk_batch *b, const char *path,
                             tauler_message *message);
void frame_hold_close(frame_hold *hold, const chunk_batch *b);
/* Any thread. `turn`: the place of a chunk among those of this rank. */
tauler_error frame_hold_put(frame_hold *hold, uint64_t turn, uint64_t piece, const table_frames *frames,
                            tauler_message *message);
/* Into `to`, which has room for held_piece.n. */
tauler_error frame_hold_get(const frame_hold *hold, const held_piece *piece, uint8_t *to,
                            tauler_message *message);
/* Keeps what came in for the batch and those that travelled with it, and brings it back. */
tauler_error frame_hold_keep(frame_hold *hold, const chunk_batch *b, tauler_message *message);
tauler_error frame_hold_bring(const frame_hold *hold, chunk_batch *b, tauler_message *message);
/* Every rank writes its frames into the table, and reads them back. `writer`: of the leading rank.
 * Collective. */
tauler_error frame_hold_write(frame_hold *hold, chunk_batch *b, const char *path, table_writer *writer,
                              tauler_message *message);

#endif
