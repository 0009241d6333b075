/* Private to the tiles engine: what a shard sends, as its sender packs it (send.c) and its readers take it in
 * (receive.c).
 *
 * A packet is a head, rows, and values. A row is a segment of a block's slab: a byte with how many blocks
 * after the last row's and how many cells, or where these are many, numbers; then the cells as gaps, or as a
 * bitmap, whichever is shorter. Values stand apart: codes of as few bits as the packet has values, after a
 * list of these. Rows are compressed, and values instead of codes where ranks send slowly.
 */
#ifndef SOLVER_ENGINES_TILES_PACKETS_H
#define SOLVER_ENGINES_TILES_PACKETS_H

#include <zstd.h>

#include "parallel/varint.h"
#include "solver/engines/tiles/tiles.h"

/* Bytes a second. zstd takes some 8 ns for a value, there and back, and saves a tenth of a byte over a code.
 */
enum { GRID_FAST_LINK = 100000000 };

enum { GRID_MOST_SEGMENT = 8192, GRID_PORTION_BLOCKS = 256, GRID_ROW_HEAD = 32 };

/* The first byte of a row: the low half says how many blocks it is after the last row's, or that numbers
 * follow, block and plane in one and then the segment; the high half says how many gaps there are, or that a
 * number follows, or a bitmap. */
enum { ROW_JUMPS = 15, ROW_BITMAP = 0, ROW_COUNTED = 15 };

/* How the two parts of a packet are packed. */
typedef enum { PACKED_PLAIN, PACKED_ZSTD, PACKED_CODES } tiles_packing;

typedef struct {
  uint8_t sending, rows_packing, values_packing, unused;
  uint32_t rows_raw, rows_n, values_raw, values_n;
} tiles_packet_head;

/* Blocks of one group, worked through by one thread: next block, the last one's successor, next column and
 * next reader of it. */
typedef struct {
  int plane;
  size_t group;
  uint64_t block, end, from;
  uint32_t reader;
} tiles_portion;

/* A packet for one reader that rows are added to. */
typedef struct {
  uint8_t *rows, *values; /* `limit` bytes each */
  size_t rows_n, values_n;
  uint64_t block; /* of the last row */
  int plane;
} tiles_open_packet;

struct tiles_sender {
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  tiles_portion portion;
  bool busy;
  tiles_open_packet *open; /* [reader]: shards of other ranks, in order */
  uint32_t pushed;         /* readers whose last packet is out */
  uint8_t *rows, *values;  /* of a packet that came; packet_bytes each */
  uint8_t *packet;
  size_t limit;
  exchange_cursor cursor;
};

enum { TILES_MOST_CODED = 32 };
/* Bits of the code of a value where there are so many. */
static inline unsigned tiles_code_bits(unsigned values) {
  return values <= 1 ? 0 : 32 - (unsigned)__builtin_clz(values - 1);
}

/* Bytes of `n` codes, with a byte that the last one may reach into. */
static inline size_t tiles_code_bytes(unsigned values, size_t n) {
  return (n * tiles_code_bits(values) + 7) / 8 + 1;
}

static inline bool tiles_has_values(tiles_sending what) {
  return what == SEND_CHANGES || what == SEND_CELLS;
}

static inline bool tiles_is_changed(tiles_sending what) {
  return what == SEND_CHANGES || what == SEND_DECISIONS;
}

static inline int tiles_cell_plane(const tiles_run *run, int plane) {
  return plane == 0 ? 0 : run->plan.planes - 1;
}

/* So long that a segment of which every cell is sent fits a packet, a multiple of 64 columns. */
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

/* Takes in what has come for the shard at work; by all workers, without a barrier. */
void tiles_take_packets(tiles_run *run, worker *self);

#endif
