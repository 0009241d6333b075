/* Private to the tiles engine: what a shard sends, as its sender packs it (send.c) and its readers take it in
 * (receive.c).
 *
 * A packet is a head, rows, and values. A row is a segment of a block's strip: how many blocks after the last
 * row's, with two flags; which segment if not the first; then the cells as gaps, after how many there are, or
 * as a bitmap, whichever is shorter. Rows are compressed. Values stand apart: compressed where ranks send
 * slowly, else codes of as few bits as the packet has values, after a list of these.
 */
#ifndef SOLVER_ENGINES_TILES_PACKETS_H
#define SOLVER_ENGINES_TILES_PACKETS_H

#include <zstd.h>

#include "base/varint.h"
#include "solver/engines/tiles/tiles.h"

/* Bytes a second. zstd takes some 8 ns for a value, there and back, and saves a tenth of a byte over a code.
 */
enum { GRID_FAST_LINK = 100000000 };

enum { GRID_MOST_SEGMENT = 8192, GRID_PORTION_BLOCKS = 256, GRID_ROW_HEAD = 24 };

/* How the two parts of a packet are packed. */
typedef enum { PACKED_PLAIN, PACKED_ZSTD, PACKED_CODES } tiles_packing;

typedef struct {
  uint8_t plane, sending;
  uint8_t rows_packing, values_packing;
  uint32_t rows_raw, rows_n, values_raw, values_n;
} tiles_packet_head;

/* Blocks of one group for one reader, worked through by one thread. */
typedef struct {
  uint32_t to;
  int plane;
  size_t group;
  uint64_t first, end, from; /* next block, the last one's successor, next column of it */
} tiles_portion;

struct tiles_sender {
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  tiles_portion portion;
  bool busy;
  uint32_t to; /* reader and plane of the packet under work */
  int plane;
  uint64_t last_block;
  uint8_t *rows, *values, *packet; /* packet_bytes each */
  size_t rows_n, values_n, limit;
  exchange_cursor taker;
};

/* Bits of the code of a value where there are so many. */
static inline unsigned tiles_code_bits(unsigned values) {
  return values <= 1 ? 0 : 32 - (unsigned)__builtin_clz(values - 1);
}

/* Of `n` codes, with a byte that the last one may reach into. */
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
