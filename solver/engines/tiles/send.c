/* Sends changed cells to the shards that read them. Packs them row by row into packets. */
#include <stdlib.h>
#include <string.h>

#include "solver/engines/tiles/packets.h"

/* LEVEL: level of zstd. LEAST_COMPRESSED: fewest bytes for which zstd pays. LEAST_UNCODED: fewest bytes of
 * values for which zstd is better than codes on a slow link. */
enum { LEVEL = 1, LEAST_COMPRESSED = 160, LEAST_UNCODED = 1024 };
static const char what_packets[] = "packets of changed cells";

/* Most bytes of the open packets of a thread, unless packets would become shorter than
 * EXCHANGE_LEAST_PACKET. */
enum { OPEN_BYTES = 1 << 20 };

static uint32_t count_readers(const slice_layout *layout) {
  return layout->shards - 1;
}

static size_t choose_limit(size_t packet_bytes, uint32_t readers) {
  const size_t most = packet_bytes - sizeof(tiles_packet_head),
               least = EXCHANGE_LEAST_PACKET - sizeof(tiles_packet_head);
  const size_t share = OPEN_BYTES / 2 / readers;
  return share < least ? least : share < most ? share : most;
}

static void list_sender_arrays(arena *a, void *of) {
  tiles_sender *sender = of;
  sender->open = arena_allocate(a, sender->readers, sizeof *sender->open);
  sender->rows = arena_allocate(a, sender->packet_bytes, 1);
  sender->values = arena_allocate(a, sender->packet_bytes, 1);
  sender->packet = arena_allocate(a, sender->packet_bytes, 1);
  for (uint32_t r = 0; r < sender->readers; r++) {
    uint8_t *rows = arena_allocate(a, sender->limit, 1), *values = arena_allocate(a, sender->limit, 1);
    if (sender->open) sender->open[r] = (tiles_open_packet){.rows = rows, .values = values};
  }
}

static tiles_sender plan_sender(size_t packet_bytes, const slice_layout *layout) {
  const uint32_t readers = count_readers(layout);
  return (tiles_sender){
      .readers = readers, .packet_bytes = packet_bytes, .limit = choose_limit(packet_bytes, readers)};
}

uint64_t tiles_sender_bytes(size_t packet_bytes, const slice_layout *layout) {
  tiles_sender planned = plan_sender(packet_bytes, layout);
  return arena_bytes(list_sender_arrays, &planned) + 600000; /* state of zstd */
}

static tauler_error open_sender(const tiles_run *run, tiles_sender *sender, tauler_message *message) {
  *sender = plan_sender(exchange_packet_bytes(run->exchange), run->layout);
  const tauler_error error =
      arena_fill(&sender->lists, run->job->work.memory, what_packets, list_sender_arrays, sender, message);
  if (error) return error;
  sender->compressor = ZSTD_createCCtx();
  sender->decompressor = ZSTD_createDCtx();
  if (sender->compressor && sender->decompressor) return TAULER_OK;
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress changed cells");
}

tauler_error tiles_senders_open(tiles_run *run, tauler_message *message) {
  tauler_error error =
      memory_allocate_array(run->job->work.memory, (uint64_t)run->threads, sizeof *run->senders,
                            "the threads' working space", &run->senders, message);
  for (int i = 0; i < run->threads && !error; i++) error = open_sender(run, &run->senders[i], message);
  return error;
}

void tiles_senders_close(tiles_run *run) {
  memory_budget *memory = run->job->work.memory;
  for (int i = 0; i < run->threads && run->senders; i++) {
    tiles_sender *sender = &run->senders[i];
    arena_close(&sender->lists);
    ZSTD_freeCCtx(sender->compressor);
    ZSTD_freeDCtx(sender->decompressor);
    exchange_cursor_free(&sender->cursor);
  }
  memory_free(memory, run->senders);
  run->senders = NULL;
}

static size_t compress_bytes(ZSTD_CCtx *compressor, uint8_t *to, const uint8_t *bytes, size_t n,
                             uint8_t *packing) {
  *packing = PACKED_PLAIN;
  if (n >= LEAST_COMPRESSED) {
    const size_t less = ZSTD_compressCCtx(compressor, to, n - 1, bytes, n, LEVEL);
    if (!ZSTD_isError(less)) {
      *packing = PACKED_ZSTD;
      return less;
    }
  }
  memcpy(to, bytes, n);
  return n;
}

/* Codes the values if few of them are distinct and codes are shorter, otherwise compresses them if that makes
 * them shorter. Returns the bytes written. */
static size_t encode_values(ZSTD_CCtx *compressor, uint8_t *to, const uint8_t *bytes, size_t n,
                            uint8_t *packing) {
  enum { NONE = 255 };
  uint8_t code[256];
  unsigned values = 0;
  memset(code, NONE, sizeof code);
  for (size_t i = 0; i < n && values <= TILES_MOST_CODED; i++) {
    if (code[bytes[i]] != NONE) continue;
    if (values < TILES_MOST_CODED) to[1 + values] = bytes[i];
    code[bytes[i]] = (uint8_t)values++;
  }
  if (values > TILES_MOST_CODED || 1 + values + tiles_code_bytes(values, n) >= n)
    return compress_bytes(compressor, to, bytes, n, packing);
  const unsigned bits = tiles_code_bits(values);
  *packing = PACKED_CODES;
  to[0] = (uint8_t)values;
  uint8_t *codes = to + 1 + values;
  memset(codes, 0, tiles_code_bytes(values, n));
  size_t at_once = 0;
  for (; at_once + 8 <= n && at_once * bits / 8 + 8 <= tiles_code_bytes(values, n); at_once += 8) {
    uint64_t word = 0;
    for (unsigned j = 0; j < 8; j++) word |= (uint64_t)code[bytes[at_once + j]] << (j * bits);
    memcpy(codes + at_once * bits / 8, &word, sizeof word);
  }
  for (size_t i = at_once; i < n; i++) {
    const unsigned shifted = (unsigned)code[bytes[i]] << (i * bits % 8);
    codes[i * bits / 8] |= (uint8_t)shifted;
    codes[i * bits / 8 + 1] |= (uint8_t)(shifted >> 8);
  }
  return 1 + values + tiles_code_bytes(values, n);
}

static size_t pack_values(const tiles_run *run, tiles_sender *sender, uint8_t *to,
                          const tiles_open_packet *open, uint8_t *packing) {
  if (run->compresses && open->values_n >= LEAST_UNCODED)
    return compress_bytes(sender->compressor, to, open->values, open->values_n, packing);
  return encode_values(sender->compressor, to, open->values, open->values_n, packing);
}

static uint32_t shard_of_reader(const tiles_run *run, uint32_t reader) {
  return reader + (reader >= tiles_shard_number(run));
}

static tauler_error push_packet(const tiles_sent *t, tiles_sender *sender, uint32_t reader) {
  const tiles_run *run = t->run;
  tiles_open_packet *open = &sender->open[reader];
  if (open->rows_n == 0) return TAULER_OK;
  tiles_packet_head head = {.sending = (uint8_t)t->what,
                            .rows_raw = (uint32_t)open->rows_n,
                            .values_raw = (uint32_t)open->values_n};
  uint8_t *to = sender->packet + sizeof head;
  head.rows_n =
      (uint32_t)compress_bytes(sender->compressor, to, open->rows, open->rows_n, &head.rows_packing);
  head.values_n = (uint32_t)pack_values(run, sender, to + head.rows_n, open, &head.values_packing);
  memcpy(sender->packet, &head, sizeof head);
  open->rows_n = open->values_n = 0;
  return exchange_push(run->exchange, tiles_shard_number(run), shard_of_reader(run, reader), sender->packet,
                       sizeof head + head.rows_n + head.values_n);
}

/* The body of a segment's row. It is packed once for all readers; only the first bytes of the row differ. */
typedef struct {
  uint64_t words[GRID_MOST_SEGMENT / 64];
  uint16_t columns[GRID_MOST_SEGMENT];
  uint8_t values[GRID_MOST_SEGMENT], gaps[2 * GRID_MOST_SEGMENT];
  const uint8_t *body;
  size_t count, body_n;
  bool has_gaps;
} packed_segment;

/* Finds which of the n columns from p->from on of a slab's row are sent, one bit each. p->from is a multiple
 * of 64. */
static void find_sent_columns(const tiles_sent *t, const tiles_portion *p, const game_grid_slab *slab,
                              uint64_t row, uint64_t n, uint64_t *words) {
  const tiles_run *run = t->run;
  words[(n - 1) / 64] = 0;
  if (t->what != SEND_CELLS) {
    const uint8_t *bits = t->what == SEND_KNOWN ? run->known_own : run->sent[p->plane];
    bits += slab->first_changed + row * slab->changed_width + p->from / 8;
    /* Copies are short because a call for the whole row takes longer. */
    for (uint64_t i = 0; i < n / 64; i++) memcpy(&words[i], bits + 8 * i, 8);
    for (uint64_t i = n / 64 * 8; i < (n + 7) / 8; i++) words[i / 8] |= (uint64_t)bits[i] << (i % 8 * 8);
    return;
  }
  memset(words, 0, (n + 63) / 64 * 8);
  const int plane = tiles_cell_plane(run, p->plane);
  const int8_t *cells = run->state.own[plane] + slab->first_cell + row * slab->width + p->from;
  for (uint64_t i = 0; i < n; i++) {
    if (cells[i] != run->plan.open[plane]) words[i / 64] |= UINT64_C(1) << (i % 64);
  }
}

static void pack_gaps(packed_segment *segment) {
  size_t n = 0;
  unsigned next = 0;
  for (size_t i = 0; i < segment->count; i++) {
    n += varint_put(segment->gaps + n, segment->columns[i] - next);
    next = segment->columns[i] + 1u;
  }
  segment->body = segment->gaps;
  segment->body_n = n;
}

/* Packs n columns of the portion's block, from its next column on. Returns false if none of them is sent. */
static bool pack_segment(const tiles_sent *t, const tiles_portion *p, const game_grid_slab *slab,
                         uint64_t row, uint64_t n, packed_segment *segment) {
  const int plane = tiles_cell_plane(t->run, p->plane);
  const int8_t *cells = tiles_has_values(t->what)
                            ? t->run->state.own[plane] + slab->first_cell + row * slab->width + p->from
                            : NULL;
  find_sent_columns(t, p, slab, row, n, segment->words);
  size_t count = 0;
  for (unsigned w = 0; w * 64 < n; w++) {
    for (uint64_t word = segment->words[w]; word; word &= word - 1) {
      const unsigned column = w * 64 + (unsigned)__builtin_ctzll(word);
      segment->columns[count++] = (uint16_t)column;
      if (cells) __builtin_prefetch(&cells[column]);
    }
  }
  segment->count = count;
  segment->body = (const uint8_t *)segment->words;
  segment->body_n = (n + 7) / 8;
  segment->has_gaps = count * 5 / 4 < segment->body_n;
  if (segment->has_gaps) pack_gaps(segment);
  for (size_t i = 0; cells && i < count; i++) segment->values[i] = (uint8_t)cells[segment->columns[i]];
  return count > 0;
}

static void add_segment(const tiles_sent *t, const tiles_portion *p, const packed_segment *segment,
                        tiles_open_packet *open) {
  const uint64_t ahead = p->block - open->block;
  const bool jumps = open->rows_n == 0 || p->plane != open->plane || ahead >= ROW_JUMPS || p->from > 0;
  const size_t count = !segment->has_gaps             ? ROW_BITMAP
                       : segment->count < ROW_COUNTED ? segment->count
                                                      : ROW_COUNTED;
  uint8_t *to = open->rows + open->rows_n;
  *to++ = (uint8_t)(count << 4 | (jumps ? ROW_JUMPS : ahead));
  if (jumps) {
    to += varint_put(to, p->block * GRID_PLANES + (uint64_t)p->plane);
    to += varint_put(to, p->from / 64);
  }
  if (count == ROW_COUNTED) to += varint_put(to, segment->count);
  memcpy(to, segment->body, segment->body_n);
  open->rows_n = (size_t)(to - open->rows) + segment->body_n;
  open->block = p->block;
  open->plane = p->plane;
  if (!tiles_has_values(t->what)) return;
  memcpy(open->values + open->values_n, segment->values, segment->count);
  open->values_n += segment->count;
}

static bool find_next_reader(const tiles_run *run, uint64_t block, uint32_t *reader) {
  const uint32_t readers = count_readers(run->layout);
  while (*reader < readers && !tiles_reads_block(run, shard_of_reader(run, *reader), block)) ++*reader;
  return *reader < readers;
}

/* Packs a portion. Returns before its end if a packet was pushed and the exchange is full. */
static tauler_error pack_portion(const tiles_sent *t, tiles_sender *sender) {
  const tiles_run *run = t->run;
  tiles_portion *p = &sender->portion;
  const game_grid_group *group = &run->layout->groups[p->group];
  const game_grid_slab *slab = &run->state.slabs[p->group];
  const uint64_t most = tiles_segment_columns(sender->limit);
  packed_segment segment;
  tiles_limit_pages(run);
  for (; p->block < p->end; p->block++, p->from = 0) {
    if (tiles_sends_changes(t->what))
      p->block = tiles_next_marked(run->sent_blocks[p->plane], p->block, p->end);
    if (p->block == p->end) break;
    for (; p->from < slab->columns; p->from += most, p->reader = 0) {
      const uint64_t rest = slab->columns - p->from;
      if (!find_next_reader(run, p->block, &p->reader) ||
          !pack_segment(t, p, slab, p->block - group->first_block, rest < most ? rest : most, &segment))
        continue;
      for (; find_next_reader(run, p->block, &p->reader); p->reader++) {
        tiles_open_packet *open = &sender->open[p->reader];
        if (open->rows_n + GRID_ROW_HEAD + segment.body_n + open->values_n + segment.count > sender->limit) {
          const tauler_error error = push_packet(t, sender, p->reader);
          if (error || exchange_is_full(run->exchange)) return error;
        }
        add_segment(t, p, &segment, open);
      }
    }
  }
  sender->busy = false;
  return TAULER_OK;
}

static bool find_portion(const tiles_sent *t, uint64_t i, tiles_portion *out) {
  const tiles_run *run = t->run;
  const uint64_t per_plane = t->portions / (uint64_t)t->planes;
  uint64_t rest = i % per_plane;
  size_t g = 0;
  for (uint64_t here; rest >= (here = tiles_portions_of(&run->layout->groups[g])); g++) rest -= here;
  const game_grid_group *group = &run->layout->groups[g];
  const uint64_t end = (rest + 1) * GRID_PORTION_BLOCKS;
  *out = (tiles_portion){.plane = (int)(i / per_plane),
                         .group = g,
                         .block = group->first_block + rest * GRID_PORTION_BLOCKS,
                         .end = group->first_block + (end < group->blocks ? end : group->blocks)};
  return layout_slabs(run->layout, tiles_shard_number(run))[g].columns > 0;
}

static void push_until_full(tiles_run *run, worker *self) {
  tiles_sent *t = &run->sending;
  tiles_sender *sender = &run->senders[self->number];
  tauler_error error = TAULER_OK;
  while (!error && !run->failed.error && !exchange_is_full(run->exchange)) {
    uint64_t i;
    if (sender->busy)
      error = pack_portion(t, sender);
    else if ((i = atomic_fetch_add(&t->next, 1)) < t->portions)
      sender->busy = find_portion(t, i, &sender->portion);
    else if (sender->pushed < count_readers(run->layout))
      error = push_packet(t, sender, sender->pushed++);
    else
      break;
  }
  failure_note(&run->failed, error, NULL);
}

static void begin_sending(void *user) {
  tiles_run *run = user;
  tiles_sent *t = &run->sending;
  t->portions = tiles_portions(run->layout) * (uint64_t)t->planes;
  t->next = 0;
  for (int i = 0; i < run->threads; i++) {
    run->senders[i].busy = false;
    run->senders[i].pushed = 0;
  }
}

static void advance_exchange(void *user) {
  tiles_run *run = user;
  bool more = run->sending.next < run->sending.portions;
  for (int i = 0; i < run->threads; i++)
    more = more || run->senders[i].busy || run->senders[i].pushed < count_readers(run->layout);
  more = more && !run->failed.error;
  run->of_ranks = tiles_own_totals(run);
  const tauler_error error = exchange_advance(run->exchange, &more, &run->of_ranks.changed,
                                              more ? 0 : TILES_TOTALS, &run->failed.message);
  failure_note(&run->failed, error, NULL);
  run->of_ranks.failed |= error != TAULER_OK;
  run->more = more && !error;
}

void tiles_send(tiles_run *run, worker *self, tiles_sending what) {
  if (!run->exchange) return;
  if (self->number == 0) {
    run->sending.what = what;
    run->sending.planes = tiles_planes_sent(run, what);
  }
  worker_barrier(self, begin_sending, run);
  bool more = true;
  while (more) {
    push_until_full(run, self);
    worker_barrier_main(self, advance_exchange, run);
    more = run->more;
    tiles_receive_packets(run, self);
  }
  worker_barrier(self, NULL, NULL);
}
