/* Declares what chunks*.c share to move chunks of cells. Private to these files.
 *
 * A blob is the part of a chunk that one shard has, compressed: the stored cells in rising order of index
 * and, while a table is written, the plain values of the reserved cells.
 *
 * A batch has the same number of chunks of each owner that still has enough, so that all ranks have work in
 * each batch. An item is the number of a chunk in the order of owners, where each owner has equally many
 * numbers. If there are several ranks, they begin with their last chunks. Cells that a game leaves out come
 * first in tables and cost little, so in this order all ranks have costly chunks in the same batches. The
 * blobs of several batches, a group, are sent together before the first of these batches, so that ranks do
 * not wait in between.
 */
#ifndef SOLVER_TABLES_CHUNKS_PARTS_H
#define SOLVER_TABLES_CHUNKS_PARTS_H

#include <xxhash.h>

#include "base/unnamed_file.h"
#include "databases/table_frames.h"
#include "parallel/failure.h"
#include "parallel/mail.h"
#include "solver/tables/chunks.h"
#include "solver/tables/slice_tables.h"

typedef enum { CHUNKS_VALUES, CHUNKS_DEPTHS, CHUNKS_PLAIN } chunks_kind;

enum { CHUNKS_MOST_CELL = sizeof(uint16_t), CHUNKS_HEAD = 40 };

/* One plane of a slice while it is moved, batch by batch. */
typedef struct {
  const build_job *job;
  sharded_slice *slice;
  uint64_t positions, chunks;
  int rank, ranks, threads, plane;
  chunks_kind kind;
  bool wide;
  bool alone;        /* true if the slice has one shard, so that no blob is sent */
  size_t cell_bytes; /* bytes of a cell in the file and in blobs */
  int64_t reserved;
  bool implied; /* true if the table may have reserved cells */
  /* here: chunks of each owner in a batch. most: most chunks of any owner. */
  uint64_t here, most;
  uint64_t together; /* number of batches that are sent together */
  uint64_t batch;
  arena lists;
  uint32_t *owners; /* [chunks] rank that owns each chunk */
  /* [chunks] Chunks sorted by owner. Those of owner o begin at starts[o]. */
  uint32_t *list;
  uint32_t *starts; /* [ranks + 1] */
  mail mail;
  size_t chunk_bytes;
  uint8_t *stored, *plain; /* [here] chunks of this rank in the batch */
  /* Plain values of the whole slice if it has one shard. NULL if it has several, and for depths. */
  const uint8_t *cells;
  size_t room; /* bytes of scratch of each thread */
  uint8_t *scratch;
} chunk_batch;

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
static inline uint64_t chunks_items(const chunk_batch *b) {
  return chunks_batches(b) * b->here;
}
/* Returns the item of this rank's i-th chunk in the batch, i < here. */
static inline uint64_t chunks_item_here(const chunk_batch *b, uint64_t i) {
  return (uint64_t)b->rank * chunks_items(b) + b->batch * b->here + i;
}
/* Returns the chunk of an item, or b->chunks if the owner has fewer chunks. */
static inline uint64_t chunks_number(const chunk_batch *b, uint64_t item) {
  const uint64_t each = chunks_items(b);
  if (each == 0) return b->chunks;
  const uint64_t owner = item / each, at = b->starts[owner] + item % each;
  return at < b->starts[owner + 1] ? b->list[at] : b->chunks;
}
static inline bool chunks_batch_begins_group(const chunk_batch *b) {
  return b->batch % b->together == 0;
}
static inline bool chunks_batch_ends_group(const chunk_batch *b) {
  return (b->batch + 1) % b->together == 0 || b->batch + 1 == chunks_batches(b);
}
static inline bool chunks_is_here(const chunk_batch *b, uint64_t chunk) {
  return chunk < b->chunks && b->owners[chunk] == (uint32_t)b->rank;
}
static inline uint8_t *chunks_stored_at(const chunk_batch *b, uint64_t item) {
  return b->stored + item % b->here * b->chunk_bytes;
}
static inline const uint8_t *chunks_plain(const chunk_batch *b, uint64_t item) {
  if (b->cells) return b->cells + chunks_number(b, item) * STORE_CHUNK;
  return b->plain + item % b->here * b->chunk_bytes;
}

/* Bytes of scratch. Each thread has three times CHUNKS_ROOM, a chunk of the widest cells and its values. If
 * the slice has one shard, a thread has CHUNKS_ROOM_DEPTHS for depths and nothing for values. */
enum {
  CHUNKS_ROOM = 2 * STORE_CHUNK * CHUNKS_MOST_CELL + 64,
  CHUNKS_ROOM_DEPTHS = STORE_CHUNK * CHUNKS_MOST_CELL + 64
};
static inline uint8_t *chunks_scratch(const chunk_batch *b, int thread, int i) {
  return b->scratch + (size_t)thread * b->room + (b->alone ? 0 : (size_t)i * CHUNKS_ROOM);
}

/* Opens a plane. The caller has set job, slice, plane, kind and wide. Collective, since all ranks agree on
 * the size of batches. The caller closes the plane also after an error. */
tauler_error chunks_open(chunk_batch *b, tauler_message *message);
void chunks_close(chunk_batch *b);
/* Returns false after the last batch. */
bool chunks_next(chunk_batch *b);

/* Adds a blob to the stream for rank `to`. Any thread may call it. */
tauler_error chunks_add_blob(chunk_batch *b, int to, const chunk_blob *blob, tauler_message *message);
/* Reads the next blob of a stream. Returns false at its end and if *error is set. If the blob is impossible,
 * sets *error and returns false. */
bool chunks_read_blob(const chunk_batch *b, const mail_stream *stream, size_t *at, chunk_blob *blob,
                      tauler_error *error, tauler_message *message);

tauler_error chunks_bad_blob(tauler_message *message);

/* Sends the cells of the current group of batches to the ranks that own their chunks, and receives those of
 * this rank's chunks. Collective. */
tauler_error chunks_exchange(chunk_batch *b, tauler_message *message);
/* Fills the stored and plain cells of this rank's chunks in the batch, after chunks_exchange. */
tauler_error chunks_collect(chunk_batch *b, tauler_message *message);

/* Frames are made in pieces of a chunk, so that several threads can work on one chunk. */
enum { PIECE_FRAMES = 16, MOST_PIECES = STORE_CHUNK * CHUNKS_MOST_CELL / TABLE_FRAME_BYTES / PIECE_FRAMES };
static inline uint64_t chunks_first_frame(const chunk_batch *b, uint64_t chunk, uint64_t piece) {
  return chunk * STORE_CHUNK * b->cell_bytes / TABLE_FRAME_BYTES + piece * PIECE_FRAMES;
}

/* The frames of a piece in a frame_hold. */
typedef struct {
  uint64_t at; /* offset in the file or in mail.out */
  uint32_t n, frames;
  uint32_t sizes[PIECE_FRAMES];
  XXH128_hash_t digest;
} held_piece;

/* The frames that this rank made, until all ranks know where theirs begin in the table, and the streams of
 * other ranks, until the cells are digested. Both are in an unnamed file beside the table. The last streams
 * stay in memory. A single process holds only the frames of a batch, in mail.out. */
typedef struct {
  unnamed_file *file; /* NULL in a single process */
  held_piece *pieces; /* [chunks of this rank, or of the batch in a single process × MOST_PIECES] */
  uint64_t *sent;     /* [groups of batches] offsets of their streams in the file */
  _Atomic uint64_t end;
} frame_hold;

tauler_error frame_hold_open(frame_hold *hold, const chunk_batch *b, const char *path,
                             tauler_message *message);
void frame_hold_close(frame_hold *hold, const chunk_batch *b);
/* Keeps the frames of a piece of this rank's i-th chunk in the batch. Any thread may call it. */
tauler_error frame_hold_put(frame_hold *hold, chunk_batch *b, uint64_t i, uint64_t piece,
                            const table_frames *frames, tauler_message *message);
tauler_error frame_hold_get(const frame_hold *hold, const held_piece *piece, uint8_t *to,
                            tauler_message *message);
/* Write the received streams of the current group of batches to the file, and read them again. */
tauler_error frame_hold_keep(frame_hold *hold, const chunk_batch *b, tauler_message *message);
tauler_error frame_hold_load(const frame_hold *hold, chunk_batch *b, tauler_message *message);
/* Writes the frames of every rank into the table and reads them back. `writer` is NULL except on the leading
 * rank. Collective. */
tauler_error frame_hold_write(frame_hold *hold, chunk_batch *b, const char *path, table_writer *writer,
                              tauler_message *message);

#endif
