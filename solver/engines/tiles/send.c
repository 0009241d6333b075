/* Sends changed cells to the shards that read them, packed row by row into packets. */
#include <stdlib.h>
#include <string.h>

#include "solver/engines/tiles/packets.h"

enum { LEVEL = 1, WORTH_COMPRESSING = 160 };

uint64_t grid_teller_bytes(size_t piece_bytes) {
  return 3 * (uint64_t)piece_bytes + 600000; /* and zstd's state */
}

tauler_error grid_tellers_open(grid_spread_run *run, tauler_message *message) {
  const size_t piece = exchange_piece_bytes(run->exchange);
  tauler_error error = memory_take_array(run->job->memory, (uint64_t)run->threads, sizeof *run->tellers,
                                         "the threads' working space", &run->tellers, message);
  for (int i = 0; i < run->threads && !error; i++) {
    grid_teller *teller = &run->tellers[i];
    teller->limit = piece - sizeof(grid_piece_head);
    error = memory_take(run->job->memory, 3 * piece, "pieces of news", &teller->rows, message);
    if (error) break;
    teller->values = teller->rows + piece;
    teller->piece = teller->values + piece;
    teller->compressor = ZSTD_createCCtx();
    teller->decompressor = ZSTD_createDCtx();
    if (!teller->compressor || !teller->decompressor)
      error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress news");
  }
  return error;
}

void grid_tellers_close(grid_spread_run *run) {
  for (int i = 0; i < run->threads && run->tellers; i++) {
    grid_teller *teller = &run->tellers[i];
    memory_give(run->job->memory, teller->rows);
    ZSTD_freeCCtx(teller->compressor);
    ZSTD_freeDCtx(teller->decompressor);
    exchange_taker_free(&teller->taker);
  }
  memory_give(run->job->memory, run->tellers);
  run->tellers = NULL;
}

static size_t shrink(ZSTD_CCtx *compressor, uint8_t *to, const uint8_t *bytes, size_t n, uint8_t *packed) {
  *packed = 0;
  if (n >= WORTH_COMPRESSING) {
    const size_t less = ZSTD_compressCCtx(compressor, to, n - 1, bytes, n, LEVEL);
    *packed = !ZSTD_isError(less);
    if (*packed) return less;
  }
  memcpy(to, bytes, n);
  return n;
}

static tauler_error push_piece(grid_told *t, grid_teller *teller) {
  if (teller->rows_n == 0) return TAULER_OK;
  grid_piece_head head = {.plane = (uint8_t)teller->plane,
                          .telling = (uint8_t)t->what,
                          .rows_raw = (uint32_t)teller->rows_n,
                          .values_raw = (uint32_t)teller->values_n};
  uint8_t *to = teller->piece + sizeof head;
  head.rows_n = (uint32_t)shrink(teller->compressor, to, teller->rows, teller->rows_n, &head.packed_rows);
  head.values_n = (uint32_t)shrink(teller->compressor, to + head.rows_n, teller->values, teller->values_n,
                                   &head.packed_values);
  memcpy(teller->piece, &head, sizeof head);
  teller->rows_n = teller->values_n = 0;
  teller->last_block = 0;
  return exchange_push(t->run->exchange, grid_share_number(t->run), teller->to, teller->piece,
                       sizeof head + head.rows_n + head.values_n);
}

/* The bits of columns [from, from + n) of a strip's row that are told, from a multiple of 64. */
static void find_bits(const grid_told *t, const grid_portion *p, const game_grid_strip *strip, uint64_t row,
                      uint64_t from, uint64_t n, uint64_t *words) {
  const grid_spread_run *run = t->run;
  memset(words, 0, (n + 63) / 64 * 8);
  if (t->what != TELL_CELLS) {
    const uint64_t width = (strip->columns + 7) / 8;
    const uint8_t *bits = t->what == TELL_KNOWN ? run->known_own : run->told[p->plane];
    memcpy(words, bits + strip->first_news + row * width + from / 8, (n + 7) / 8);
    return;
  }
  const int plane = grid_cell_plane(run, p->plane);
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

/* Adds one segment to the rows under way; false where it has nothing to tell. */
static void add_segment(grid_told *t, grid_teller *teller, const game_grid_strip *strip, uint64_t block,
                        uint64_t row, uint64_t from, uint64_t columns, const uint64_t *words,
                        uint64_t count) {
  uint8_t *rows = teller->rows;
  teller->rows_n += varint_put(rows + teller->rows_n, block - teller->last_block);
  teller->last_block = block;
  teller->rows_n += varint_put(rows + teller->rows_n, from / 64);
  const uint64_t bitmap = (columns + 7) / 8;
  const bool gaps = count * 5 / 4 < bitmap;
  teller->rows_n += varint_put(rows + teller->rows_n, count << 1 | gaps);
  if (gaps) {
    teller->rows_n += put_gaps(rows + teller->rows_n, words, columns);
  } else {
    memcpy(rows + teller->rows_n, words, bitmap);
    teller->rows_n += bitmap;
  }
  if (!grid_has_values(t->what)) return;
  const int8_t *cells = t->run->state.own[grid_cell_plane(t->run, teller->portion.plane)] +
                        strip->first_cell + row * strip->columns + from;
  for (uint64_t w = 0; w * 64 < columns; w++) {
    for (uint64_t word = words[w]; word; word &= word - 1)
      teller->values[teller->values_n++] = (uint8_t)cells[w * 64 + (uint64_t)__builtin_ctzll(word)];
  }
}

/* Most bytes that a segment adds: gaps take up to two bytes each. */
static size_t segment_room(uint64_t columns, uint64_t count) {
  const size_t bitmap = (columns + 7) / 8, gaps = 2 * count;
  return GRID_ROW_HEAD + (count * 5 / 4 < bitmap ? gaps : bitmap) + count;
}

/* Works through a portion until it is done or a piece has gone out and the exchange is full. */
static tauler_error work_on_portion(grid_told *t, grid_teller *teller) {
  const grid_spread_run *run = t->run;
  grid_portion *p = &teller->portion;
  const game_grid_group *group = &run->layout->groups[p->group];
  const game_grid_strip *strip = &layout_strips(run->layout, grid_share_number(run))[p->group];
  const uint64_t most = grid_segment_columns(teller->limit);
  uint64_t words[GRID_MOST_SEGMENT / 64];
  for (; p->first < p->end; p->first++, p->from = 0) {
    if (grid_is_news(t->what)) p->first = grid_next_marked(run->told_blocks[p->plane], p->first, p->end);
    const uint64_t block = p->first;
    if (block == p->end) break;
    if (!grid_reads_block(run, p->to, block)) continue;
    for (; p->from < strip->columns; p->from += most) {
      const uint64_t rest = strip->columns - p->from, columns = rest < most ? rest : most;
      uint64_t count = 0;
      find_bits(t, p, strip, block - group->first_block, p->from, columns, words);
      for (uint64_t w = 0; w * 64 < columns; w++) {
        if (words[w]) count += (uint64_t)__builtin_popcountll(words[w]);
      }
      if (count == 0) continue;
      if (teller->rows_n + teller->values_n + segment_room(columns, count) > teller->limit) {
        const tauler_error error = push_piece(t, teller);
        if (error || exchange_is_full(run->exchange)) return error;
      }
      add_segment(t, teller, strip, block, block - group->first_block, p->from, columns, words, count);
    }
  }
  teller->busy = false;
  return TAULER_OK;
}

/* The i-th portion; false where there is nothing to tell. */
static bool find_portion(const grid_told *t, uint64_t i, grid_portion *out) {
  const grid_spread_run *run = t->run;
  const uint64_t reader = i / (t->per_reader * (uint64_t)t->planes);
  const uint32_t self = grid_share_number(run);
  uint64_t rest = i % t->per_reader;
  *out = (grid_portion){.to = (uint32_t)(reader + (reader >= self)),
                        .plane = (int)(i / t->per_reader % (uint64_t)t->planes)};
  for (size_t g = 0; g < run->layout->groups_n; g++) {
    const game_grid_group *group = &run->layout->groups[g];
    if (rest >= grid_portions_of(group)) {
      rest -= grid_portions_of(group);
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

static void tell_step(grid_spread_run *run, crew_member *member) {
  grid_told *t = &run->telling;
  grid_teller *teller = &run->tellers[member->number];
  tauler_error error = TAULER_OK;
  while (!error && !run->failed && !exchange_is_full(run->exchange)) {
    if (!teller->busy) {
      const uint64_t i = atomic_fetch_add(&t->next, 1);
      if (i >= t->portions) break;
      teller->busy = find_portion(t, i, &teller->portion);
      if (!teller->busy) continue;
      if (teller->to != teller->portion.to || teller->plane != teller->portion.plane)
        error = push_piece(t, teller);
      teller->to = teller->portion.to;
      teller->plane = teller->portion.plane;
      if (error) break;
    }
    error = work_on_portion(t, teller);
  }
  if (!error) error = push_piece(t, teller);
  grid_note_failure(run, error, NULL);
}

static void begin_telling(void *user) {
  grid_spread_run *run = user;
  grid_told *t = &run->telling;
  t->per_reader = grid_portions(run->layout);
  t->planes = grid_planes_told(run, t->what);
  t->portions = (run->layout->shares - 1) * t->per_reader * (uint64_t)t->planes;
  t->next = 0;
  for (int i = 0; i < run->threads; i++) run->tellers[i].busy = false;
}

static void advance(void *user) {
  grid_spread_run *run = user;
  bool more = run->telling.next < run->telling.portions;
  for (int i = 0; i < run->threads; i++) more = more || run->tellers[i].busy;
  more = more && !run->failed;
  const tauler_error error = exchange_advance(run->exchange, &more, &run->message);
  grid_note_failure(run, error, NULL);
  run->more = more && !error;
}

void grid_tell(grid_spread_run *run, crew_member *member, grid_telling what) {
  if (grid_is_alone(run)) return;
  const bool stays = run->layout->shares_per_rank == 1;
  if (member->number == 0) run->telling.what = what;
  crew_meet(member, begin_telling, run);
  bool more = true;
  while (more) {
    tell_step(run, member);
    crew_lead(member, advance, run);
    more = run->more;
    if (stays) grid_take_pieces(run, member);
  }
  crew_meet(member, NULL, NULL);
}
