/* Reads changed cells from the other shards of a rank without packets, although only one shard is loaded.
 *
 * The changes that a shard sent in its last visit stay in its arrays until its next visit. Shards are always
 * visited in the same order. In between, every other shard is therefore visited once and reads the changes
 * once. For depths each shard has two such arrays, since a wave may read only what the previous wave decided.
 */
#include <string.h>

#include "solver/engines/tiles/packets.h"

static const game_grid_slab *neighbour_slab(const tiles_run *run, const game_grid_group *group) {
  const uint32_t neighbour = run->slice->first_shard + run->from.at;
  return &layout_slabs(run->layout, neighbour)[group - run->layout->groups];
}

/* Returns the first byte of a slab's columns in a row of the halo's bits. */
static uint64_t first_halo_byte(const game_grid_group *group, const game_grid_slab *slab, uint64_t row) {
  return group->first_changed + row * ((group->columns + 7) / 8) + slab->from / 8;
}

/* Copies the cells, among 64, whose bit is set. */
static void copy_cells(int8_t *halo, const int8_t *cells, uint64_t bits) {
  if (bits == UINT64_MAX) {
    memcpy(halo, cells, 64);
    return;
  }
  for (; bits; bits &= bits - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(bits);
    halo[i] = cells[i];
  }
}

static void copy_changed(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const game_grid_slab *slab = neighbour_slab(run, group);
  const uint64_t block = group->first_block + row, width = (slab->columns + 7) / 8;
  if (width == 0 || !tiles_reads_block(run, tiles_shard_number(run), block)) return;
  const int cell_plane = tiles_cell_plane(run, plane);
  const uint8_t *sent = run->from.sent[run->sent_read][plane] + slab->first_changed + row * width;
  const int8_t *cells = run->from.cells[cell_plane] + slab->first_cell + row * slab->columns;
  int8_t *halo = run->halo[cell_plane] + group->first_cell + row * group->columns + slab->from;
  for (uint64_t i = 0; i < width; i += 8) {
    const size_t n = width - i < 8 ? (size_t)(width - i) : 8;
    uint64_t bits = 0;
    memcpy(&bits, sent + i, n);
    if (bits) copy_cells(halo + 8 * i, cells + 8 * i, bits);
  }
  game_grid_stamp(&run->clock, block);
}

static void copy_decided(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const game_grid_slab *slab = neighbour_slab(run, group);
  const uint64_t block = group->first_block + row, width = (slab->columns + 7) / 8;
  if (width == 0 || !tiles_reads_block(run, tiles_shard_number(run), block)) return;
  const uint8_t *sent = run->from.sent[run->sent_read][plane] + slab->first_changed + row * width;
  uint8_t *changed = run->changed[plane] + first_halo_byte(group, slab, row);
  for (uint64_t i = 0; i < width; i++) changed[i] |= sent[i];
  run->dirty[plane][block] = 1;
}

static void copy_row(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const game_grid_slab *slab = neighbour_slab(run, group);
  if (!tiles_reads_block(run, tiles_shard_number(run), group->first_block + row)) return;
  memcpy(run->halo[plane] + group->first_cell + row * group->columns + slab->from,
         run->from.cells[plane] + slab->first_cell + row * slab->columns, slab->columns);
}

static void copy_known(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  (void)plane;
  const game_grid_slab *slab = neighbour_slab(run, group);
  const uint64_t width = (slab->columns + 7) / 8;
  if (!tiles_reads_block(run, tiles_shard_number(run), group->first_block + row)) return;
  memcpy(run->known + first_halo_byte(group, slab, row), run->from.known + slab->first_changed + row * width,
         width);
}

/* True if the loaded shard reads a block of the span. */
static bool reads_span(const tiles_run *run, uint64_t span) {
  const uint64_t from = span * TILES_SPAN / 8, end = from + TILES_SPAN / 8;
  const uint8_t *reads = run->reads + tiles_shard_number(run) * run->reads_width;
  const uint64_t last = end < run->reads_width ? end : run->reads_width;
  return tiles_next_marked(reads, from, last) < last;
}

/* True if the loaded shard must read shard `at`. The loaded shard has its own changes at once, except
 * decisions, which it reads a wave later, like those of others. */
static bool must_read(const tiles_run *run, uint32_t at, tiles_sending what) {
  if (at == run->at && what != SEND_DECISIONS) return false;
  if (!tiles_sends_changes(what)) return true;
  const uint64_t spans = tiles_spans(run);
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    const uint8_t *sent = tiles_sent_spans(run, run->sent_read, at, plane);
    for (uint64_t span = 0; (span = tiles_next_marked(sent, span, spans)) < spans; span++)
      if (reads_span(run, span)) return true;
  }
  return false;
}

static void copy_from_neighbour(tiles_run *run, worker *self, tiles_sending what) {
  const uint64_t spans = tiles_spans(run);
  const bool changed = tiles_sends_changes(what);
  tiles_block_work *work = what == SEND_CELLS     ? copy_row
                           : what == SEND_KNOWN   ? copy_known
                           : what == SEND_CHANGES ? copy_changed
                                                  : copy_decided;
  uint64_t item;
  while (!run->failed.error && worker_next(self, (uint64_t)tiles_planes_sent(run, what) * spans, &item)) {
    const int plane = (int)(item / spans);
    if (changed && !tiles_sent_spans(run, run->sent_read, run->from.at, plane)[item % spans]) continue;
    tiles_work_on_blocks(run, plane, changed ? run->from.sent_blocks[run->sent_read][plane] : NULL,
                         item % spans, work);
  }
}

void tiles_copy_shared(tiles_run *run, worker *self, tiles_sending what) {
  if (!run->slice->mapped) return;
  for (uint32_t i = 0; i < run->slice->shards_here; i++) {
    if (!must_read(run, i, what)) continue;
    if (self->number == 0) run->from.at = i;
    worker_barrier(self, tiles_load_neighbour, run);
    copy_from_neighbour(run, self, what);
    worker_barrier(self, tiles_unload_neighbour, run);
  }
}
