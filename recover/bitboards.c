/* Fills slices in bitboards from their tables.
 *
 * Kernels read the cells of a tile, which lie in a few ranges of the index. Each worker has buffers for parts
 * of both tables, so that a frame is decoded about once. Each buffer is checked before use: its values,
 * whether depths go with them, and whether only implied cells are missing.
 */
#include "recover/bitboards.h"

#include <omp.h>
#include <string.h>

#include "databases/streams.h"
#include "parallel/failure.h"

enum { BUFFERS = 4, BUFFER_CELLS = 1 << 14, CHECK_PIECE = 1024, RESERVED = INT8_MIN };

/* Least bytes of a sparse array, in which blocks that are not touched cost no memory. If nearly all blocks
 * are touched, an array is not sparse, since large pages are better. */
static const uint64_t SPARSE_FROM = UINT64_C(1) << 20;

static bool is_sparse(const game_bitboards_plan *plan, uint64_t block_bytes) {
  return plan->blocks >= SPARSE_FROM / block_bytes && plan->touched_blocks < plan->blocks / 8 * 7;
}

uint64_t bitboard_array_bytes(const game_bitboards_plan *plan, uint64_t block_bytes) {
  return (is_sparse(plan, block_bytes) ? plan->touched_blocks : plan->blocks) * block_bytes;
}

tauler_error bitboard_array_allocate(memory_budget *memory, const game_bitboards_plan *plan,
                                     uint64_t block_bytes, const char *what, void *slot,
                                     tauler_message *message) {
  if (!is_sparse(plan, block_bytes))
    return memory_allocate_array(memory, plan->blocks, block_bytes, what, slot, message);
  return memory_allocate_sparse(memory, plan->blocks * block_bytes, plan->touched_blocks * block_bytes, what,
                                slot, message);
}

typedef struct {
  bool filled;
  uint64_t number, used;
  int8_t *cells;
  uint16_t *depths;
} table_buffer;

typedef struct {
  const recover_bitboards_job *job;
  game_bitboards_state state;
  uint64_t positions;
  bool wide;
  uint16_t reserved_depth; /* depth of cells that the table of depths leaves out */
  uint64_t buffers, buffer_cells;
  char *room; /* [threads] room_bytes bytes: buffers, then scratch of kernels */
  size_t room_bytes;
  _Atomic uint32_t deepest; /* largest depth of a cell so far */
  failure failed;
} loading;

typedef struct {
  loading *load;
  char *scratch;
  uint64_t clock;
  table_buffer buffers[BUFFERS];
} reader;

static uint64_t buffer_cells(uint64_t positions) {
  return positions < BUFFER_CELLS ? positions : BUFFER_CELLS;
}

static uint64_t count_buffers(uint64_t positions) {
  return positions > BUFFERS * (uint64_t)BUFFER_CELLS ? BUFFERS
                                                      : (positions + BUFFER_CELLS - 1) / BUFFER_CELLS;
}

/* Rounds up so that depths are aligned and threads write to different cache lines. */
static uint64_t buffer_bytes(uint64_t positions) {
  return (count_buffers(positions) * buffer_cells(positions) * (sizeof(uint16_t) + sizeof(int8_t)) + 127) /
         64 * 64;
}

static size_t thread_bytes(const game_bitboards_plan *plan) {
  return buffer_bytes(plan->positions) + (plan->scratch_bytes + 127) / 64 * 64;
}

uint64_t recover_bitboards_bytes(const game_bitboards_plan *plan, int threads) {
  return (uint64_t)threads * thread_bytes(plan);
}

static reader open_reader(loading *load) {
  reader r = {.load = load, .scratch = load->room + (size_t)omp_get_thread_num() * load->room_bytes};
  uint16_t *depths = (uint16_t *)(void *)r.scratch;
  int8_t *cells = (int8_t *)(depths + load->buffers * load->buffer_cells);
  r.scratch += buffer_bytes(load->positions);
  for (uint64_t i = 0; i < load->buffers; i++) {
    r.buffers[i].cells = cells + i * load->buffer_cells;
    r.buffers[i].depths = depths + i * load->buffer_cells;
  }
  return r;
}

static tauler_error refuse_cell(const loading *load, uint64_t index, int value, unsigned depth,
                                tauler_message *message) {
  const table_header *header = table_get_header(load->job->values);
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "%s.%s and %s.%s of slice %s in %.300s: cell %llu has value %d and depth %u, which "
                     "cannot be; remove both and build again",
                     header->slice, header->stream, header->slice, STREAM_DEPTH, header->slice,
                     load->job->folder, (unsigned long long)index, value, depth);
}

/* A loss has depth 0 only if the game has ended. */
static bool is_lost_at_once(const loading *load, uint64_t index) {
  const recover_bitboards_job *job = load->job;
  int16_t value = GAME_NOT_ENDED;
  if (job->game->ended(job->rules, job->slice, &index, 1, &value)) return false;
  return value == -1;
}

static bool is_possible_cell(const loading *load, uint64_t index, int8_t value, uint16_t depth) {
  switch (value) {
  case 0:
    return depth == 0;
  case 1:
    return depth % 2 == 1 && depth <= bitboards_most_waves(load->job->plan);
  case -1:
    return depth % 2 == 0 && depth <= bitboards_most_waves(load->job->plan) &&
           (depth > 0 || is_lost_at_once(load, index));
  default:
    return false;
  }
}

static void raise_deepest(loading *load, uint32_t depth) {
  uint32_t known = atomic_load(&load->deepest);
  while (known < depth && !atomic_compare_exchange_weak(&load->deepest, &known, depth)) {}
}

static tauler_error check_piece(loading *load, uint64_t first, size_t n, const int8_t *cells,
                                const uint16_t *depths, tauler_message *message) {
  const recover_bitboards_job *job = load->job;
  uint8_t left_out[CHECK_PIECE] = {0};
  uint16_t deepest = 0;
  if (job->game->left_out) job->game->left_out(job->rules, job->slice, first, n, left_out);
  for (size_t i = 0; i < n; i++) {
    const bool sound = left_out[i] ? cells[i] == RESERVED && depths[i] == load->reserved_depth
                                   : is_possible_cell(load, first + i, cells[i], depths[i]);
    if (!sound) return refuse_cell(load, first + i, cells[i], depths[i], message);
    if (!left_out[i] && depths[i] > deepest) deepest = depths[i];
  }
  raise_deepest(load, deepest);
  return TAULER_OK;
}

/* Reads depths. If they have one byte, reads them into the upper half of the array and widens them. */
static tauler_error read_depths(const loading *load, uint64_t first, size_t n, uint16_t *depths,
                                tauler_message *message) {
  if (load->wide) return table_read(load->job->depths, first, n, depths, message);
  const uint8_t *bytes = (uint8_t *)depths + n;
  const tauler_error error = table_read(load->job->depths, first, n, (uint8_t *)depths + n, message);
  for (size_t i = 0; i < n && !error; i++) depths[i] = bytes[i];
  return error;
}

static tauler_error fill_buffer(loading *load, table_buffer *buffer, uint64_t number,
                                tauler_message *message) {
  const uint64_t first = number * load->buffer_cells, rest = load->positions - first;
  const size_t n = (size_t)(rest < load->buffer_cells ? rest : load->buffer_cells);
  if (load->job->note) load->job->note(load->job->user);
  buffer->filled = false;
  tauler_error error = table_read(load->job->values, first, n, buffer->cells, message);
  if (!error) error = read_depths(load, first, n, buffer->depths, message);
  for (size_t done = 0; done < n && !error; done += CHECK_PIECE) {
    const size_t piece = n - done < CHECK_PIECE ? n - done : CHECK_PIECE;
    error = check_piece(load, first + done, piece, buffer->cells + done, buffer->depths + done, message);
  }
  buffer->number = number;
  buffer->filled = !error;
  return error;
}

/* Returns a buffer with part `number` of the tables. If none has it, fills the least recently used buffer.
 * Returns NULL after an error. */
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
    failure_note(&r->load->failed, error, &message);
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
    if (!buffer) return (tauler_error)r->load->failed.error;
    memcpy(cells + done, buffer->cells + at, n);
    memcpy(depths + done, buffer->depths + at, n * sizeof *depths);
    done += n;
  }
  return TAULER_OK;
}

/* Returns the number of tiles that a thread gets at a time, so few that all threads end at about one time. */
static int tiles_at_once(const recover_bitboards_job *job) {
  enum { BLOCKS = 1024, ITEMS = 16 };
  uint64_t tiles = BLOCKS / (job->plan->tile_blocks > 0 ? job->plan->tile_blocks : 1);
  const uint64_t fair = job->plan->tiles / ((uint64_t)job->threads * ITEMS);
  if (job->threads > 1 && tiles > fair) tiles = fair;
  return tiles > 0 ? (int)tiles : 1;
}

/* All threads call this function and recover_tiles together. */
static void scatter_tiles(loading *load, reader *r) {
  const recover_bitboards_job *job = load->job;
#pragma omp for schedule(dynamic, tiles_at_once(job))
  for (uint64_t tile = 0; tile < job->plan->tiles; tile++) {
    if (load->failed.error) continue;
    failure_note(
        &load->failed,
        job->game->bitboards->scatter(job->tables, &load->state, tile, r->scratch, RESERVED, read_cells, r),
        NULL);
  }
}

/* Does pass load->state.wave, 0 or 1. Pass 1 reads cells that pass 0 decided. */
static void recover_tiles(loading *load, reader *r) {
  const recover_bitboards_job *job = load->job;
  uint64_t decided = 0;
  uint32_t latest = 0;
  if (!job->game->bitboards->recover) return;
#pragma omp for schedule(dynamic, tiles_at_once(job))
  for (uint64_t tile = 0; tile < job->plan->tiles; tile++) {
    if (load->failed.error) continue;
    failure_note(
        &load->failed,
        job->game->bitboards->recover(job->tables, &load->state, tile, r->scratch, &decided, &latest), NULL);
  }
  raise_deepest(load, latest);
}

static void scatter_and_recover_tiles(loading *load) {
#pragma omp parallel num_threads(load->job->threads)
  {
    reader r = open_reader(load);
    scatter_tiles(load, &r);
    recover_tiles(load, &r);
#pragma omp single
    load->state.wave = 1;
    recover_tiles(load, &r);
  }
}

static tauler_error check_cell_types(loading *load, tauler_message *message) {
  const table_header *values = table_get_header(load->job->values),
                     *depths = table_get_header(load->job->depths);
  load->wide = depths->cell == TABLE_U16;
  load->reserved_depth = load->wide ? UINT16_MAX : UINT8_MAX;
  if ((load->wide || depths->cell == TABLE_U8) && values->cell == TABLE_I8) return TAULER_OK;
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "the tables of slice %s in %.300s have cells of another kind", depths->slice,
                     load->job->folder);
}

tauler_error recover_bitboards(const recover_bitboards_job *job, uint32_t *deepest, tauler_message *message) {
  const uint64_t positions = job->plan->positions;
  loading load = {.job = job,
                  .state = job->state,
                  .positions = positions,
                  .buffers = count_buffers(positions),
                  .buffer_cells = buffer_cells(positions),
                  .room_bytes = thread_bytes(job->plan)};
  tauler_error error = check_cell_types(&load, message);
  if (!error)
    error = memory_allocate_array(job->memory, (uint64_t)job->threads, load.room_bytes,
                                  "buffers of the tables of a finished slice", &load.room, message);
  if (error) return error;
  scatter_and_recover_tiles(&load);
  memory_free(job->memory, load.room);
  *deepest = load.deepest;
  error = failure_outcome(&load.failed, message);
  if (!error || load.failed.message.text[0]) return error;
  return tauler_fail(message, error, "a kernel gave slice %u up: %s", job->slice, tauler_error_name(error));
}
