/* Loads slices as bitboards from their tables.
 *
 * Kernels ask for the cells of a tile, which lie in a few places of the index. Each worker keeps chunks of
 * both tables, so that a frame is decoded about once. Each chunk is checked before use: values, depths that
 * go with them, and that only implied cells are missing.
 */
#include <string.h>

#include "databases/streams.h"
#include "solver/engines/bitboard/work.h"
#include "solver/tables/slice_tables.h"

enum { BUFFERS = 4, BUFFER_CELLS = 1 << 14, CHECK_PIECE = 1024 };

typedef struct {
  bool filled;
  uint64_t number, used;
  int8_t *cells;
  uint16_t *depths;
} table_buffer;

typedef struct {
  bitboard_work work;
  const build_job *build;
  table *values, *depths;
  bool wide;
  uint16_t reserved_depth; /* in the table of depths, where cells are left out */
  uint64_t buffers, buffer_cells;
  char *room;               /* of all threads' buffers */
  _Atomic uint32_t deepest; /* depth of a cell */
} loading;

typedef struct {
  loading *load;
  uint64_t clock;
  table_buffer buffers[BUFFERS];
} reader;

static uint64_t buffer_cells(uint64_t positions) {
  return positions < BUFFER_CELLS ? positions : BUFFER_CELLS;
}

static uint64_t buffers_of(uint64_t positions) {
  return positions > BUFFERS * (uint64_t)BUFFER_CELLS ? BUFFERS
                                                      : (positions + BUFFER_CELLS - 1) / BUFFER_CELLS;
}

/* Bytes of one thread, rounded so that depths are aligned and threads write to lines of their own. */
static uint64_t buffers_room(uint64_t positions) {
  return (buffers_of(positions) * buffer_cells(positions) * (sizeof(uint16_t) + sizeof(int8_t)) + 127) / 64 *
         64;
}

uint64_t bitboard_load_bytes(const game_bitboards_plan *plan, int threads) {
  return (uint64_t)threads * buffers_room(plan->positions);
}

static reader open_reader(loading *load, const worker *self) {
  reader r = {.load = load};
  const uint64_t positions = load->work.slice->positions;
  uint16_t *depths = (uint16_t *)(void *)(load->room + (size_t)self->number * buffers_room(positions));
  int8_t *cells = (int8_t *)(depths + load->buffers * load->buffer_cells);
  for (uint64_t i = 0; i < load->buffers; i++) {
    r.buffers[i].cells = cells + i * load->buffer_cells;
    r.buffers[i].depths = depths + i * load->buffer_cells;
  }
  return r;
}

static tauler_error refuse(const loading *load, uint64_t index, int value, unsigned depth,
                           tauler_message *message) {
  const table_header *header = table_get_header(load->values);
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "%s.%s and %s.%s of slice %s in %.300s: cell %llu has value %d and depth %u, which "
                     "cannot be; remove both and build again",
                     header->slice, header->stream, header->slice, STREAM_DEPTH, header->slice,
                     load->build->folder, (unsigned long long)index, value, depth);
}

/* A loss at once is that of a position where the game has ended. */
static bool is_lost_at_once(const loading *load, uint64_t index) {
  const solve_job *job = load->work.job;
  int16_t value = GAME_NOT_ENDED;
  if (job->problem.game->ended(job->problem.rules, load->work.slice->slice, &index, 1, &value)) return false;
  return value == -1;
}

static bool agree(const loading *load, uint64_t index, int8_t value, uint16_t depth) {
  switch (value) {
  case 0:
    return depth == 0;
  case 1:
    return depth % 2 == 1 && depth <= bitboards_most_waves(&load->work.slice->plan);
  case -1:
    return depth % 2 == 0 && depth <= bitboards_most_waves(&load->work.slice->plan) &&
           (depth > 0 || is_lost_at_once(load, index));
  default:
    return false;
  }
}

static void note_depth(loading *load, uint32_t depth) {
  uint32_t known = atomic_load(&load->deepest);
  while (known < depth && !atomic_compare_exchange_weak(&load->deepest, &known, depth)) {}
}

static tauler_error check_piece(loading *load, uint64_t first, size_t n, const int8_t *cells,
                                const uint16_t *depths, tauler_message *message) {
  const solve_job *job = load->work.job;
  uint8_t left_out[CHECK_PIECE] = {0};
  uint16_t deepest = 0;
  if (job->problem.game->left_out)
    job->problem.game->left_out(job->problem.rules, load->work.slice->slice, first, n, left_out);
  for (size_t i = 0; i < n; i++) {
    const bool sound = left_out[i] ? cells[i] == SLICE_RESERVED && depths[i] == load->reserved_depth
                                   : agree(load, first + i, cells[i], depths[i]);
    if (!sound) return refuse(load, first + i, cells[i], depths[i], message);
    if (!left_out[i] && depths[i] > deepest) deepest = depths[i];
  }
  note_depth(load, deepest);
  return TAULER_OK;
}

/* Bytes are read into the upper half of the array and spread over all of it. */
static tauler_error read_depths(const loading *load, uint64_t first, size_t n, uint16_t *depths,
                                tauler_message *message) {
  if (load->wide) return table_read(load->depths, first, n, depths, message);
  const uint8_t *bytes = (uint8_t *)depths + n;
  const tauler_error error = table_read(load->depths, first, n, (uint8_t *)depths + n, message);
  for (size_t i = 0; i < n && !error; i++) depths[i] = bytes[i];
  return error;
}

static tauler_error fill_buffer(loading *load, table_buffer *buffer, uint64_t number,
                                tauler_message *message) {
  const uint64_t first = number * load->buffer_cells, rest = load->work.slice->positions - first;
  const size_t n = (size_t)(rest < load->buffer_cells ? rest : load->buffer_cells);
  buffer->filled = false;
  tauler_error error = table_read(load->values, first, n, buffer->cells, message);
  if (!error) error = read_depths(load, first, n, buffer->depths, message);
  for (size_t done = 0; done < n && !error; done += CHECK_PIECE) {
    const size_t piece = n - done < CHECK_PIECE ? n - done : CHECK_PIECE;
    error = check_piece(load, first + done, piece, buffer->cells + done, buffer->depths + done, message);
  }
  buffer->number = number;
  buffer->filled = !error;
  return error;
}

/* The buffer of that number, or the one that was not used for longest, filled with it; NULL on an error. */
static const table_buffer *find_buffer(reader *r, uint64_t number) {
  table_buffer *oldest = &r->buffers[0];
  r->clock++;
  for (uint64_t i = 0; i < r->load->buffers; i++) {
    table_buffer *buffer = &r->buffers[i];
    if (buffer->filled && buffer->number == number) {
      buffer->used = r->clock;
      return buffer;
    }
    if (buffer->used < oldest->used) oldest = buffer;
  }
  tauler_message message = {""};
  const tauler_error error = fill_buffer(r->load, oldest, number, &message);
  if (error) {
    failure_note(&r->load->work.failed, error, &message);
    return NULL;
  }
  oldest->used = r->clock;
  return oldest;
}

static tauler_error read_cells(void *user, uint64_t first, size_t count, int8_t *cells, uint16_t *depths) {
  reader *r = user;
  const uint64_t size = r->load->buffer_cells;
  for (size_t done = 0; done < count;) {
    const uint64_t at = (first + done) % size, rest = size - at;
    const size_t n = count - done < rest ? count - done : (size_t)rest;
    const table_buffer *buffer = find_buffer(r, (first + done) / size);
    if (!buffer) return (tauler_error)r->load->work.failed.error;
    memcpy(cells + done, buffer->cells + at, n);
    memcpy(depths + done, buffer->depths + at, n * sizeof *depths);
    done += n;
  }
  return TAULER_OK;
}

static void scatter_tiles(loading *load, worker *self) {
  bitboard_work *work = &load->work;
  reader r = open_reader(load, self);
  uint64_t from, to;
  while (bitboard_work_next(work, self, 0, work->slice->plan.tiles, &from, &to)) {
    tauler_error error = (tauler_error)work->failed.error;
    for (uint64_t tile = from; tile < to && !error; tile++)
      error = work->kernels->scatter(work->slice->tables, &work->state, tile,
                                     bitboard_work_scratch(work, self), SLICE_RESERVED, read_cells, &r);
    failure_note(&work->failed, error, NULL);
  }
}

/* The second pass reads what the first one decided. */
static void recover_tiles(loading *load, worker *self) {
  bitboard_work *work = &load->work;
  uint64_t from, to, decided = 0;
  uint32_t latest = 0;
  if (!work->kernels->recover) return;
  while (bitboard_work_next(work, self, 0, work->slice->plan.tiles, &from, &to)) {
    tauler_error error = (tauler_error)work->failed.error;
    for (uint64_t tile = from; tile < to && !error; tile++)
      error = work->kernels->recover(work->slice->tables, &work->state, tile,
                                     bitboard_work_scratch(work, self), &decided, &latest);
    failure_note(&work->failed, error, NULL);
  }
  note_depth(load, latest);
}

static void second_pass(void *user) {
  loading *load = user;
  load->work.state.wave = 1;
}

static void load_all(void *user, worker *self) {
  loading *load = user;
  scatter_tiles(load, self);
  worker_barrier(self, NULL, NULL);
  recover_tiles(load, self);
  worker_barrier(self, second_pass, load);
  recover_tiles(load, self);
}

static tauler_error open_table(const build_job *build, uint32_t slice, const char *stream, table **out,
                               tauler_message *message) {
  const tauler_error error = slice_table_find(build, slice, stream, out, message);
  if (error || *out) return error;
  return tauler_fail(message, TAULER_TABLE_MISSING, "the %s table of slice %u is not there", stream, slice);
}

static tauler_error open_tables(loading *load, tauler_message *message) {
  const uint32_t slice = load->work.slice->slice;
  tauler_error error = open_table(load->build, slice, STREAM_VALUE, &load->values, message);
  if (!error) error = open_table(load->build, slice, STREAM_DEPTH, &load->depths, message);
  if (error) return error;
  const table_header *header = table_get_header(load->depths);
  load->wide = header->cell == TABLE_U16;
  load->reserved_depth = load->wide ? UINT16_MAX : UINT8_MAX;
  if ((load->wide || header->cell == TABLE_U8) && table_get_header(load->values)->cell == TABLE_I8)
    return TAULER_OK;
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "the tables of slice %s in %.300s have cells of another kind", header->slice,
                     load->build->folder);
}

tauler_error bitboard_slice_load(const build_job *build, const solve_job *job,
                                 const bitboard_slices *finished, uint32_t slice, bitboard_slice *out,
                                 tauler_message *message) {
  tauler_error error = bitboard_slice_open(job, slice, false, out, message);
  if (error) return error;
  loading load = {
      .build = build, .buffers = buffers_of(out->positions), .buffer_cells = buffer_cells(out->positions)};
  error = bitboard_work_open(&load.work, job, finished, out, message);
  if (!error) error = open_tables(&load, message);
  if (!error)
    error = memory_take(job->work.memory, bitboard_load_bytes(&out->plan, load.work.threads),
                        "buffers of the tables of a finished slice", &load.room, message);
  if (!error) {
    workers_run(load.work.threads, load_all, &load);
    error = bitboard_work_outcome(&load.work, message);
  }
  out->longest = (uint16_t)load.deepest;
  table_close(load.values);
  table_close(load.depths);
  memory_give(job->work.memory, load.room);
  bitboard_work_close(&load.work);
  if (error) bitboard_slice_close(job->work.memory, out);
  return error;
}
