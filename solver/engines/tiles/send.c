/* Sends changed cells to the shards that read them, packed row by row into packets. */
#include <stdlib.h>
#include <string.h>

#include "solver/engines/tiles/packets.h"

/* Bytes below which zstd saves nothing; against codes of values it needs more. */
enum { LEVEL = 1, LEAST_COMPRESSED = 160, LEAST_UNCODED = 1024 };

uint64_t tiles_sender_bytes(size_t packet_bytes) {
  return 3 * (uint64_t)packet_bytes + 600000; /* and zstd's state */
}

tauler_error tiles_senders_open(tiles_run *run, tauler_message *message) {
  const size_t packet = exchange_packet_bytes(run->exchange);
  tauler_error error = memory_take_array(run->job->work.memory, (uint64_t)run->threads, sizeof *run->senders,
                                         "the threads' working space", &run->senders, message);
  for (int i = 0; i < run->threads && !error; i++) {
    tiles_sender *sender = &run->senders[i];
    sender->limit = packet - sizeof(tiles_packet_head);
    error =
        memory_take(run->job->work.memory, 3 * packet, "packets of changed cells", &sender->rows, message);
    if (error) break;
    sender->values = sender->rows + packet;
    sender->packet = sender->values + packet;
    sender->compressor = ZSTD_createCCtx();
    sender->decompressor = ZSTD_createDCtx();
    if (!sender->compressor || !sender->decompressor)
      error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress changed cells");
  }
  return error;
}

void tiles_senders_close(tiles_run *run) {
  for (int i = 0; i < run->threads && run->senders; i++) {
    tiles_sender *sender = &run->senders[i];
    memory_give(run->job->work.memory, sender->rows);
    ZSTD_freeCCtx(sender->compressor);
    ZSTD_freeDCtx(sender->decompressor);
    exchange_cursor_free(&sender->taker);
  }
  memory_give(run->job->work.memory, run->senders);
  run->senders = NULL;
}

static size_t compress(ZSTD_CCtx *compressor, uint8_t *to, const uint8_t *bytes, size_t n, uint8_t *packing) {
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

/* Values as codes, if few are different. */
static size_t encode(ZSTD_CCtx *compressor, uint8_t *to, const uint8_t *bytes, size_t n, uint8_t *packing) {
  enum { NONE = 255, MOST_CODED = 32 };
  uint8_t code[256];
  unsigned values = 0;
  memset(code, NONE, sizeof code);
  for (size_t i = 0; i < n && values <= MOST_CODED; i++) {
    if (code[bytes[i]] != NONE) continue;
    if (values < MOST_CODED) to[1 + values] = bytes[i];
    code[bytes[i]] = (uint8_t)values++;
  }
  if (values > MOST_CODED || 1 + values + tiles_code_bytes(values, n) >= n)
    return compress(compressor, to, bytes, n, packing);
  const unsigned bits = tiles_code_bits(values);
  *packing = PACKED_CODES;
  to[0] = (uint8_t)values;
  uint8_t *codes = to + 1 + values;
  memset(codes, 0, tiles_code_bytes(values, n));
  for (size_t i = 0; i < n; i++) {
    const unsigned shifted = (unsigned)code[bytes[i]] << (i * bits % 8);
    codes[i * bits / 8] |= (uint8_t)shifted;
    codes[i * bits / 8 + 1] |= (uint8_t)(shifted >> 8);
  }
  return 1 + values + tiles_code_bytes(values, n);
}

static tauler_error push_packet(tiles_sent *t, tiles_sender *sender) {
  if (sender->rows_n == 0) return TAULER_OK;
  tiles_packet_head head = {.plane = (uint8_t)sender->plane,
                            .sending = (uint8_t)t->what,
                            .rows_raw = (uint32_t)sender->rows_n,
                            .values_raw = (uint32_t)sender->values_n};
  uint8_t *to = sender->packet + sizeof head;
  const bool codes = !t->run->compresses || sender->values_n < LEAST_UNCODED;
  head.rows_n = (uint32_t)compress(sender->compressor, to, sender->rows, sender->rows_n, &head.rows_packing);
  to += head.rows_n;
  head.values_n = (uint32_t)(codes ? encode(sender->compressor, to, sender->values, sender->values_n,
                                            &head.values_packing)
                                   : compress(sender->compressor, to, sender->values, sender->values_n,
                                              &head.values_packing));
  memcpy(sender->packet, &head, sizeof head);
  sender->rows_n = sender->values_n = 0;
  sender->last_block = 0;
  return exchange_push(t->run->exchange, tiles_shard_number(t->run), sender->to, sender->packet,
                       sizeof head + head.rows_n + head.values_n);
}

/* The bits of columns [from, from + n) of a strip's row that are sent, from a multiple of 64. */
static void find_bits(const tiles_sent *t, const tiles_portion *p, const game_grid_strip *strip, uint64_t row,
                      uint64_t from, uint64_t n, uint64_t *words) {
  const tiles_run *run = t->run;
  memset(words, 0, (n + 63) / 64 * 8);
  if (t->what != SEND_CELLS) {
    const uint64_t width = (strip->columns + 7) / 8;
    const uint8_t *bits = t->what == SEND_KNOWN ? run->known_own : run->sent[p->plane];
    memcpy(words, bits + strip->first_changed + row * width + from / 8, (n + 7) / 8);
    return;
  }
  const int plane = tiles_cell_plane(run, p->plane);
  const int8_t *cells = run->state.own[plane] + strip->first_cell + row * strip->columns + from;
  for (uint64_t i = 0; i < n; i++) {
    if (cells[i] != run->plan.open[plane]) words[i / 64] |= UINT64_C(1) << (i % 64);
  }
}

static size_t put_gaps(uint8_t *to, const uint64_t *words, uint64_t columns) {
  size_t n = 0;
  uint64_t next = 0;
  for (uint64_t w = 0; w * 64 < columns; w++) {
    for (uint64_t word = words[w]; word; word &= word - 1) {
      const uint64_t column = w * 64 + (uint64_t)__builtin_ctzll(word);
      n += varint_put(to + n, column - next);
      next = column + 1;
    }
  }
  return n;
}

/* Adds one segment to the rows under way; false where it has nothing to send. */
static void add_segment(tiles_sent *t, tiles_sender *sender, const game_grid_strip *strip, uint64_t block,
                        uint64_t row, uint64_t from, uint64_t columns, const uint64_t *words,
                        uint64_t count) {
  uint8_t *rows = sender->rows;
  const uint64_t bitmap = (columns + 7) / 8;
  const bool gaps = count * 5 / 4 < bitmap;
  const uint64_t ahead = block - sender->last_block;
  sender->last_block = block;
  sender->rows_n += varint_put(rows + sender->rows_n, ahead << 2 | (uint64_t)(from > 0) << 1 | gaps);
  if (from > 0) sender->rows_n += varint_put(rows + sender->rows_n, from / 64);
  if (gaps) sender->rows_n += varint_put(rows + sender->rows_n, count);
  if (gaps) {
    sender->rows_n += put_gaps(rows + sender->rows_n, words, columns);
  } else {
    memcpy(rows + sender->rows_n, words, bitmap);
    sender->rows_n += bitmap;
  }
  if (!tiles_has_values(t->what)) return;
  const int8_t *cells = t->run->state.own[tiles_cell_plane(t->run, sender->portion.plane)] +
                        strip->first_cell + row * strip->columns + from;
  for (uint64_t w = 0; w * 64 < columns; w++) {
    for (uint64_t word = words[w]; word; word &= word - 1)
      sender->values[sender->values_n++] = (uint8_t)cells[w * 64 + (uint64_t)__builtin_ctzll(word)];
  }
}

/* Most bytes that a segment adds: gaps take up to two bytes each. */
static size_t segment_room(uint64_t columns, uint64_t count) {
  const size_t bitmap = (columns + 7) / 8, gaps = 2 * count;
  return GRID_ROW_HEAD + (count * 5 / 4 < bitmap ? gaps : bitmap) + count;
}

/* Works through a portion until it is done or a packet has gone out and the exchange is full. */
static tauler_error work_on_portion(tiles_sent *t, tiles_sender *sender) {
  const tiles_run *run = t->run;
  tiles_portion *p = &sender->portion;
  const game_grid_group *group = &run->layout->groups[p->group];
  const game_grid_strip *strip = &layout_strips(run->layout, tiles_shard_number(run))[p->group];
  const uint64_t most = tiles_segment_columns(sender->limit);
  uint64_t words[GRID_MOST_SEGMENT / 64];
  for (; p->first < p->end; p->first++, p->from = 0) {
    if (tiles_is_changed(t->what)) p->first = tiles_next_marked(run->sent_blocks[p->plane], p->first, p->end);
    const uint64_t block = p->first;
    if (block == p->end) break;
    if (!tiles_reads_block(run, p->to, block)) continue;
    for (; p->from < strip->columns; p->from += most) {
      const uint64_t rest = strip->columns - p->from, columns = rest < most ? rest : most;
      uint64_t count = 0;
      find_bits(t, p, strip, block - group->first_block, p->from, columns, words);
      for (uint64_t w = 0; w * 64 < columns; w++) {
        if (words[w]) count += (uint64_t)__builtin_popcountll(words[w]);
      }
      if (count == 0) continue;
      if (sender->rows_n + sender->values_n + segment_room(columns, count) > sender->limit) {
        const tauler_error error = push_packet(t, sender);
        if (error || exchange_is_full(run->exchange)) return error;
      }
      add_segment(t, sender, strip, block, block - group->first_block, p->from, columns, words, count);
    }
  }
  sender->busy = false;
  return TAULER_OK;
}

/* The i-th portion; false where there is nothing to send. */
static bool find_portion(const tiles_sent *t, uint64_t i, tiles_portion *out) {
  const tiles_run *run = t->run;
  const uint64_t reader = i / (t->per_reader * (uint64_t)t->planes);
  const uint32_t self = tiles_shard_number(run);
  uint64_t rest = i % t->per_reader;
  const uint32_t here = run->layout->shards_per_rank;
  *out = (tiles_portion){.to = (uint32_t)(reader + (reader >= run->slice->first_shard ? here : 0)),
                         .plane = t->first_plane + (int)(i / t->per_reader % (uint64_t)t->planes)};
  for (size_t g = 0; g < run->layout->groups_n; g++) {
    const game_grid_group *group = &run->layout->groups[g];
    if (rest >= tiles_portions_of(group)) {
      rest -= tiles_portions_of(group);
      continue;
    }
    const uint64_t end = (rest + 1) * GRID_PORTION_BLOCKS;
    out->group = g;
    out->first = group->first_block + rest * GRID_PORTION_BLOCKS;
    out->end = group->first_block + (end < group->blocks ? end : group->blocks);
    return layout_strips(run->layout, self)[g].columns > 0;
  }
  return false;
}

static void send_step(tiles_run *run, worker *self) {
  tiles_sent *t = &run->sending;
  tiles_sender *sender = &run->senders[self->number];
  tauler_error error = TAULER_OK;
  while (!error && !run->failed.error && !exchange_is_full(run->exchange)) {
    if (!sender->busy) {
      const uint64_t i = atomic_fetch_add(&t->next, 1);
      if (i >= t->portions) break;
      sender->busy = find_portion(t, i, &sender->portion);
      if (!sender->busy) continue;
      if (sender->to != sender->portion.to || sender->plane != sender->portion.plane)
        error = push_packet(t, sender);
      sender->to = sender->portion.to;
      sender->plane = sender->portion.plane;
      continue; /* that may have been the last packet for now */
    }
    error = work_on_portion(t, sender);
  }
  if (!error) error = push_packet(t, sender);
  failure_note(&run->failed, error, NULL);
}

static void begin_sending(void *user) {
  tiles_run *run = user;
  tiles_sent *t = &run->sending;
  t->per_reader = tiles_portions(run->layout);
  t->portions = (run->layout->shards - run->layout->shards_per_rank) * t->per_reader * (uint64_t)t->planes;
  t->next = 0;
  for (int i = 0; i < run->threads; i++) run->senders[i].busy = false;
}

static void advance(void *user) {
  tiles_run *run = user;
  bool more = run->sending.next < run->sending.portions;
  for (int i = 0; i < run->threads; i++) more = more || run->senders[i].busy;
  more = more && !run->failed.error;
  const tauler_error error = exchange_advance(run->exchange, &more, NULL, 0, &run->failed.message);
  failure_note(&run->failed, error, NULL);
  run->more = more && !error;
}

static void send_planes(tiles_run *run, worker *self, tiles_sending what, int first, int planes) {
  if (!run->exchange) return;
  const bool stays = run->layout->shards_per_rank == 1;
  if (self->number == 0) {
    run->sending.what = what;
    run->sending.first_plane = first;
    run->sending.planes = planes;
  }
  worker_barrier(self, begin_sending, run);
  bool more = true;
  while (more) {
    send_step(run, self);
    worker_barrier_main(self, advance, run);
    more = run->more;
    if (stays) tiles_take_packets(run, self);
  }
  worker_barrier(self, NULL, NULL);
}

void tiles_send(tiles_run *run, worker *self, tiles_sending what) {
  send_planes(run, self, what, 0, tiles_planes_sent(run, what));
}

void tiles_send_plane(tiles_run *run, worker *self, tiles_changed_plane plane) {
  send_planes(run, self, SEND_CHANGES, (int)plane, 1);
}
