/* The packets of the tiles engine, as send.c packs them and receive.c unpacks them. Private to the engine.
 *
 * A packet has a head, rows and values. A row is a segment of a slab's columns in one block. Its first byte
 * says how many blocks it is after the last row, and how many gaps it has or that it has a bitmap; numbers
 * follow if these do not fit. Then follow the gaps or the bitmap, whichever is likely shorter. Values are
 * apart from rows, since they compress differently: if few are distinct, they are sent as a list of them and
 * a code of a few bits per value. Rows and other values are compressed with zstd unless they are few bytes.
 * If the link is slow, many values are compressed with zstd in any case.
 */
#ifndef SOLVER_ENGINES_TILES_PACKETS_H
#define SOLVER_ENGINES_TILES_PACKETS_H

#include <zstd.h>

#include "parallel/varint.h"
#include "solver/engines/tiles/tiles.h"

/* Bytes a second from which a link is fast. Compressing and decompressing a value with zstd takes some 8 ns
 * and saves a tenth of a byte over a code, which pays only on a slower link. */
enum { GRID_FAST_LINK = 100000000 };

enum { GRID_MOST_SEGMENT = 8192, GRID_PORTION_BLOCKS = 256, GRID_ROW_HEAD = 32 };

/* The first byte of a row. The low half is the number of blocks after the last row, or ROW_JUMPS: then two
 * numbers follow, block × GRID_PLANES + plane, and the segment's first column / 64. The high half is the
 * number of gaps, or ROW_COUNTED if a number follows, or ROW_BITMAP. */
enum { ROW_JUMPS = 15, ROW_BITMAP = 0, ROW_COUNTED = 15 };

typedef enum { PACKED_PLAIN, PACKED_ZSTD, PACKED_CODES } tiles_packing;

typedef struct {
  uint8_t sending, rows_packing, values_packing, unused;
  uint32_t rows_raw, rows_n, values_raw, values_n;
} tiles_packet_head;

/* Blocks of one group that one thread sends: the next block, the end of the blocks, the next column of the
 * block and its next reader. */
typedef struct {
  int plane;
  size_t group;
  uint64_t block, end, from;
  uint32_t reader;
} tiles_portion;

/* A packet for one reader, to which rows are being added. */
typedef struct {
  uint8_t *rows, *values; /* `limit` bytes each */
  size_t rows_n, values_n;
  uint64_t block; /* block of the last row */
  int plane;
} tiles_open_packet;

struct tiles_sender {
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  tiles_portion portion;
  bool busy;
  uint32_t readers;
  size_t packet_bytes;
  arena lists;
  tiles_open_packet *open; /* [readers] one per shard of other ranks, in their order */
  uint32_t pushed;         /* number of readers whose last packet is pushed */
  uint8_t *rows, *values;  /* [packet_bytes] buffers for a received packet */
  uint8_t *packet;
  size_t limit;
  exchange_cursor cursor;
};

enum { TILES_MOST_CODED = 32 };
/* Returns the bits of a code if `values` values are distinct. */
static inline unsigned tiles_code_bits(unsigned values) {
  return values <= 1 ? 0 : 32 - (unsigned)__builtin_clz(values - 1);
}

/* Returns the bytes of `n` codes and one more, so that the last code can be read as two bytes. */
static inline size_t tiles_code_bytes(unsigned values, size_t n) {
  return (n * tiles_code_bits(values) + 7) / 8 + 1;
}

static inline bool tiles_has_values(tiles_sending what) {
  return what == SEND_CHANGES || what == SEND_CELLS;
}

static inline bool tiles_sends_changes(tiles_sending what) {
  return what == SEND_CHANGES || what == SEND_DECISIONS;
}

static inline int tiles_cell_plane(const tiles_run *run, int plane) {
  return plane == 0 ? 0 : run->plan.planes - 1;
}

/* Returns the columns of a segment: the largest multiple of 64, up to GRID_MOST_SEGMENT, that fits a packet
 * if every cell is sent. */
static inline uint64_t tiles_segment_columns(size_t limit) {
  const uint64_t most = (limit - GRID_ROW_HEAD) * 8 / 9 / 64 * 64;
  return most < 64 ? 64 : most < GRID_MOST_SEGMENT ? most : GRID_MOST_SEGMENT;
}

static inline uint64_t tiles_portions_of(const game_grid_group *group) {
  return (group->blocks + GRID_PORTION_BLOCKS - 1) / GRID_PORTION_BLOCKS;
}

static inline uint64_t tiles_portions(const slice_layout *layout) {
  uint64_t portions = 0;
  for (size_t g = 0; g < layout->groups_n; g++) portions += tiles_portions_of(&layout->groups[g]);
  return portions;
}

static inline int tiles_planes_sent(const tiles_run *run, tiles_sending what) {
  return what == SEND_KNOWN ? 1 : what == SEND_CELLS ? run->plan.planes : GRID_PLANES;
}

/* Receives the packets for this rank's shard. All workers call it; it has no barrier. */
void tiles_receive_packets(tiles_run *run, worker *self);

#endif
