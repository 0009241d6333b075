/* Receives packets of changed cells from other shards, and copies a shard's own changes into its halo. */
#include <stdlib.h>
#include <string.h>

#include "solver/engines/tiles/packets.h"

enum { ROWS_AT_ONCE = 256 };

/* A packet while it is unpacked, and the place of the current segment in the arrays of the halo. */
typedef struct {
  tiles_run *run;
  const game_grid_slab *slabs; /* slabs of the sender */
  tiles_sending what;
  uint64_t most; /* most columns of a segment */
  const uint8_t *rows, *rows_end, *values, *values_end;

  int plane;
  uint64_t block;
  size_t group;
  /* Number of columns of the current segment. halo and bits point to the first. */
  uint64_t columns;
  int8_t *halo;  /* NULL if the packet has no values */
  uint8_t *bits; /* NULL if the packet has values */
} unpacking;

static bool get_number(unpacking *u, uint64_t *number) {
  return varint_read(&u->rows, u->rows_end, number);
}

/* The functions below are compiled for packets with values and for those without. They copy members to local
 * variables, because the compiler must assume that a store to a byte changes any variable that a pointer can
 * reach. */
static inline bool unpack_gap_cells(unpacking *u, uint64_t count, bool has_values) {
  const uint8_t *rows = u->rows, *const rows_end = u->rows_end, *values = u->values;
  uint8_t *const bits = u->bits;
  int8_t *const halo = u->halo;
  const uint64_t columns = u->columns, most = u->most;
  uint64_t column = 0;
  if (!has_values && !bits) return false;
  for (uint64_t i = 0; i < count; i++, column++) {
    if (rows == rows_end) return false;
    uint64_t gap = *rows++;
    if (gap >= 0x80) {
      rows--;
      if (!varint_read(&rows, rows_end, &gap)) return false;
    }
    if (gap > most || (column += gap) >= columns) return false;
    if (has_values)
      halo[column] = (int8_t)*values++;
    else
      bits[column / 8] |= (uint8_t)(1u << (column % 8));
  }
  u->rows = rows;
  u->values = values;
  return true;
}

static bool unpack_gaps(unpacking *u, uint64_t count) {
  if (u->halo && (uint64_t)(u->values_end - u->values) < count) return false;
  return u->halo ? unpack_gap_cells(u, count, true) : unpack_gap_cells(u, count, false);
}

static inline bool unpack_bitmap_cells(unpacking *u, uint64_t bytes, bool has_values) {
  const uint8_t *const rows = u->rows, *const values_end = u->values_end, *values = u->values;
  uint8_t *const bits = u->bits;
  int8_t *const halo = u->halo;
  const uint64_t columns = u->columns;
  if (!has_values && !bits) return false;
  for (uint64_t i = 0; i < bytes; i++) {
    unsigned byte = rows[i];
    if (!byte) continue;
    if (8 * i + 31 - (unsigned)__builtin_clz(byte) >= columns) return false;
    if (!has_values) bits[i] |= (uint8_t)byte;
    for (; byte && has_values; byte &= byte - 1) {
      if (values == values_end) return false;
      halo[8 * i + (unsigned)__builtin_ctz(byte)] = (int8_t)*values++;
    }
  }
  u->rows += bytes;
  u->values = values;
  return true;
}

static bool unpack_bitmap(unpacking *u) {
  const uint64_t bytes = (u->columns + 7) / 8;
  if ((uint64_t)(u->rows_end - u->rows) < bytes) return false;
  return u->halo ? unpack_bitmap_cells(u, bytes, true) : unpack_bitmap_cells(u, bytes, false);
}

/* Finds the place of a segment in the arrays of the halo. Returns false if the packet is damaged. */
static bool find_segment(unpacking *u, uint64_t segment) {
  const slice_layout *layout = u->run->layout;
  if (u->block >= layout->blocks || segment > UINT32_MAX ||
      !tiles_reads_block(u->run, tiles_shard_number(u->run), u->block))
    return false;
  while (u->block < layout->groups[u->group].first_block) u->group--;
  while (u->block >= layout->groups[u->group].first_block + layout->groups[u->group].blocks) u->group++;
  const game_grid_group *group = &layout->groups[u->group];
  const game_grid_slab *slab = &u->slabs[u->group];
  const uint64_t first = segment * 64, row = u->block - group->first_block, at = slab->from + first;
  if (first >= slab->columns) return false;
  u->columns = slab->columns - first < u->most ? slab->columns - first : u->most;
  if (tiles_has_values(u->what))
    u->halo =
        u->run->halo[tiles_cell_plane(u->run, u->plane)] + group->first_cell + row * group->columns + at;
  else
    u->bits = (u->what == SEND_KNOWN ? u->run->known : u->run->changed[u->plane]) + group->first_changed +
              row * ((group->columns + 7) / 8) + at / 8;
  return true;
}

static bool unpack_row(unpacking *u) {
  const unsigned head = *u->rows++, ahead = head % 16;
  uint64_t count = head / 16, segment = 0;
  if (ahead == ROW_JUMPS) {
    uint64_t place;
    if (!get_number(u, &place) || !get_number(u, &segment)) return false;
    u->block = place / GRID_PLANES;
    u->plane = (int)(place % GRID_PLANES);
  } else {
    u->block += ahead;
  }
  if ((count == ROW_COUNTED && !get_number(u, &count)) || !find_segment(u, segment)) return false;
  if (u->what == SEND_DECISIONS) __atomic_store_n(&u->run->dirty[u->plane][u->block], 1, __ATOMIC_RELAXED);
  if (u->what == SEND_CHANGES) game_grid_stamp(&u->run->clock, u->block);
  return count == ROW_BITMAP ? unpack_bitmap(u) : unpack_gaps(u, count);
}

static bool decode_values(const uint8_t *bytes, size_t n, size_t raw, uint8_t *out) {
  if (n < 1 || bytes[0] >= n) return false;
  const unsigned values = bytes[0], bits = tiles_code_bits(values), mask = (1u << bits) - 1;
  if (values == 0 || values > TILES_MOST_CODED || n != 1 + values + tiles_code_bytes(values, raw))
    return false;
  const uint8_t *codes = bytes + 1 + values;
  uint8_t list[TILES_MOST_CODED] = {0};
  memcpy(list, bytes + 1, values);
  bool holds = true;
  size_t at_once = 0;
  for (; at_once + 8 <= raw && at_once * bits / 8 + 8 <= tiles_code_bytes(values, raw); at_once += 8) {
    uint64_t word;
    memcpy(&word, codes + at_once * bits / 8, sizeof word);
    for (unsigned j = 0; j < 8; j++, word >>= bits) {
      holds = holds && (word & mask) < values;
      out[at_once + j] = list[word & mask];
    }
  }
  if (!holds) return false;
  for (size_t i = at_once; i < raw; i++) {
    const uint8_t *at = codes + i * bits / 8;
    const unsigned code = (at[0] | (unsigned)at[1] << 8) >> (i * bits % 8) & mask;
    if (code >= values) return false;
    out[i] = bytes[1 + code];
  }
  return true;
}

static const uint8_t *unpack_bytes(ZSTD_DCtx *decompressor, const uint8_t *bytes, size_t n, size_t raw,
                                   tiles_packing packing, uint8_t *room, size_t room_n) {
  if (packing == PACKED_PLAIN) return raw == n ? bytes : NULL;
  if (raw > room_n) return NULL;
  if (packing == PACKED_CODES) return decode_values(bytes, n, raw, room) ? room : NULL;
  return ZSTD_decompressDCtx(decompressor, room, raw, bytes, n) == raw ? room : NULL;
}

static bool unpack_packet(tiles_run *run, tiles_sender *sender, const exchange_packet *packet) {
  tiles_packet_head head;
  if (packet->n < sizeof head || packet->from >= run->layout->shards) return false;
  memcpy(&head, packet->bytes, sizeof head);
  const uint64_t rest = packet->n - sizeof head;
  if (head.sending > SEND_KNOWN || (uint64_t)head.rows_n + head.values_n != rest) return false;
  if ((head.sending == SEND_CHANGES && !run->clock.changed) ||
      ((head.sending == SEND_DECISIONS || head.sending == SEND_KNOWN) && !run->known))
    return false;
  const uint8_t *packed = packet->bytes + sizeof head;
  unpacking u = {.run = run,
                 .slabs = layout_slabs(run->layout, packet->from),
                 .what = (tiles_sending)head.sending,
                 .most = tiles_segment_columns(sender->limit)};
  u.rows = unpack_bytes(sender->decompressor, packed, head.rows_n, head.rows_raw, head.rows_packing,
                        sender->rows, sender->limit);
  u.values = unpack_bytes(sender->decompressor, packed + head.rows_n, head.values_n, head.values_raw,
                          head.values_packing, sender->values, sender->limit);
  if (!u.rows || !u.values) return false;
  u.rows_end = u.rows + head.rows_raw;
  u.values_end = u.values + head.values_raw;
  for (unsigned rows = 1; u.rows < u.rows_end; rows++) {
    if (!unpack_row(&u)) return false;
    if (rows % ROWS_AT_ONCE == 0) tiles_limit_pages(run);
  }
  return true;
}

void tiles_receive_packets(tiles_run *run, worker *self) {
  tiles_sender *sender = &run->senders[self->number];
  exchange_packet packet;
  while (!run->failed.error &&
         exchange_receive(run->exchange, tiles_shard_number(run), &sender->cursor, &packet, &run->failed)) {
    if (unpack_packet(run, sender, &packet)) continue;
    tauler_message message;
    const tauler_error error =
        tauler_fail(&message, TAULER_IO, "shard %u sent a packet that cannot be read", packet.from);
    failure_note(&run->failed, error, &message);
    return;
  }
}

static uint64_t read_bits(const uint8_t *bytes, size_t n) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, n);
  return bits;
}

static void add_bits(uint8_t *bytes, size_t n, uint64_t bits) {
  const uint64_t sum = read_bits(bytes, n) | bits;
  memcpy(bytes, &sum, n);
}

/* Marks as known the cells of a row whose depth a kernel decided, if they are in plane 0. If the shard
 * `reads` their block, also marks them as changed. */
static void send_row_to_self(tiles_run *run, int plane, const game_grid_group *group,
                             const game_grid_slab *slab, uint64_t row, bool reads) {
  const uint64_t width = (slab->columns + 7) / 8, at = slab->first_changed + row * width;
  const uint8_t *sent = run->sent[plane] + at;
  uint8_t *changed =
      run->changed[plane] + group->first_changed + row * ((group->columns + 7) / 8) + slab->from / 8;
  for (uint64_t i = 0; i < width; i += 8) {
    const size_t n = width - i < 8 ? (size_t)(width - i) : 8;
    const uint64_t bits = read_bits(sent + i, n);
    if (!bits) continue;
    if (plane == 0) add_bits(run->known_own + at + i, n, bits);
    if (reads) add_bits(changed + i, n, bits);
  }
}

static void copy_row_to_self(tiles_run *run, tiles_sending what, int plane, const game_grid_group *group,
                             const game_grid_slab *slab, uint64_t row) {
  if (what == SEND_CELLS) {
    memcpy(run->halo[plane] + group->first_cell + row * group->columns + slab->from,
           run->state.own[plane] + slab->first_cell + row * slab->columns, slab->columns);
    return;
  }
  const uint64_t width = (slab->columns + 7) / 8;
  memcpy(run->known + group->first_changed + row * ((group->columns + 7) / 8) + slab->from / 8,
         run->known_own + slab->first_changed + row * width, width);
}

static void send_rows_to_self(tiles_run *run, tiles_sending what, int plane, size_t g, uint64_t row,
                              uint64_t end) {
  const game_grid_group *group = &run->layout->groups[g];
  const uint32_t self = tiles_shard_number(run);
  const game_grid_slab *slab = &layout_slabs(run->layout, self)[g];
  uint8_t *spans = tiles_sent_spans(run, plane);
  for (; row < end; row++) {
    if (tiles_sends_changes(what)) {
      row = tiles_next_marked(run->sent_blocks[plane] + group->first_block, row, end);
      if (row == end) return;
    }
    const uint64_t block = group->first_block + row;
    const bool reads = tiles_reads_block(run, self, block);
    if (!tiles_sends_changes(what)) {
      if (reads && slab->columns > 0) copy_row_to_self(run, what, plane, group, slab, row);
      continue;
    }
    __atomic_store_n(&spans[block / TILES_SPAN], 1, __ATOMIC_RELAXED);
    if (reads) run->dirty[plane][block] = 1;
    send_row_to_self(run, plane, group, slab, row, reads);
  }
}

void tiles_send_self(tiles_run *run, worker *self, tiles_sending what) {
  const slice_layout *layout = run->layout;
  const uint64_t per_plane = tiles_has_one_shard(run) || run->joined ? 0 : tiles_portions(layout);
  uint64_t item;
  while (per_plane > 0 && !run->failed.error &&
         worker_next(self, per_plane * (uint64_t)tiles_planes_sent(run, what), &item)) {
    const int plane = (int)(item / per_plane);
    size_t g = 0;
    item %= per_plane;
    for (uint64_t here; item >= (here = tiles_portions_of(&layout->groups[g])); g++) item -= here;
    tiles_limit_pages(run);
    const uint64_t row = item * GRID_PORTION_BLOCKS, blocks = layout->groups[g].blocks;
    send_rows_to_self(run, what, plane, g, row,
                      row + GRID_PORTION_BLOCKS < blocks ? row + GRID_PORTION_BLOCKS : blocks);
  }
  worker_barrier(self,
                 tiles_has_one_shard(run) && run->next_changed[0] && tiles_sends_changes(what)
                     ? tiles_swap_changed
                     : NULL,
                 run);
}
