/* Puts the cells of a slice into the store of finished slices for a while, for lookups. */
#include "solver/engines/retrograde/provisional.h"

#include <string.h>

enum { LEAST_CHUNK = 16 * 1024, ALL_CHUNKS = 32 * 1024 * 1024 };

static const char *const what = "cells on their way to windows";

typedef struct {
  sharded_slice *slice;
  int rank, ranks;
  uint64_t chunk; /* cells of a window that travel at once */
  comm_buffer *out, *in;
  int8_t *buffers, *window;
} packing;

typedef struct {
  uint64_t from, to;
} cell_range;

static cell_range common(cell_range a, cell_range b) {
  const cell_range both = {a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to};
  return both.from < both.to ? both : (cell_range){0, 0};
}

static cell_range range_of_shard(const packing *p, uint32_t shard) {
  const game_grid_strip *strip = layout_strips(p->slice->layout, shard);
  return (cell_range){strip->from, strip->from + strip->columns};
}

static cell_range range_of_rank(const packing *p, int rank) {
  const uint32_t each = p->slice->layout->shards_per_rank;
  return (cell_range){range_of_shard(p, (uint32_t)rank * each).from,
                      range_of_shard(p, (uint32_t)rank * each + each - 1).to};
}

/* Copies own cells; a shard that is not needed any more leaves the memory. */
static tauler_error copy_cells(const packing *p, int plane, cell_range wanted, int8_t *to,
                               tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t home = 0; home < p->slice->shards_here && !error; home++) {
    const cell_range range = range_of_shard(p, p->slice->first_shard + home);
    const cell_range found = common(range, wanted);
    if (found.from == found.to) continue;
    error = sharded_load(p->slice, home, SHARD_CELLS + plane, message);
    if (error) break;
    const int8_t *cells = p->slice->shards[home].parts[SHARD_CELLS + plane];
    memcpy(to + (found.from - wanted.from), cells + (found.from - range.from), found.to - found.from);
    if (found.to == range.to) error = sharded_unload(p->slice, home, SHARD_CELLS + plane, message);
  }
  return error;
}

/* A chunk of a window: that many cells of it, from `at` on. */
static cell_range chunk_of(const packing *p, uint64_t window, uint64_t at) {
  const uint64_t from = window * STORE_WINDOW + at, positions = p->slice->positions;
  const uint64_t rest = STORE_WINDOW - at, n = rest < p->chunk ? rest : p->chunk;
  return common((cell_range){from, from + n}, (cell_range){0, positions});
}

/* Chunks of as many windows as there are ranks travel to the homes of those. */
static tauler_error swap_chunks(const packing *p, int plane, uint64_t first_window, uint64_t at,
                                tauler_message *message) {
  tauler_error error = TAULER_OK;
  const cell_range own = range_of_rank(p, p->rank);
  for (int r = 0; r < p->ranks; r++) {
    const cell_range wanted = common(chunk_of(p, first_window + (uint64_t)r, at), own);
    p->out[r].n = wanted.to - wanted.from;
    p->in[r].n = 0;
    if (!error && p->out[r].n) error = copy_cells(p, plane, wanted, p->out[r].bytes, message);
  }
  error = comm_agree(p->slice->comm, error, message);
  if (!error) error = comm_alltoallv(p->slice->comm, p->out, p->in, p->chunk, message);
  for (int r = 0; r < p->ranks && !error; r++) {
    const uint64_t window = first_window + (uint64_t)p->rank;
    const cell_range came = common(chunk_of(p, window, at), range_of_rank(p, r));
    const comm_buffer *parcel = r == p->rank ? &p->out[r] : &p->in[r];
    if (parcel->n != came.to - came.from)
      error = tauler_fail(message, TAULER_IO, "rank %d sent %zu cells where %llu were due", r, parcel->n,
                          (unsigned long long)(came.to - came.from));
    if (!error && parcel->n)
      memcpy(p->window + (came.from - window * STORE_WINDOW), parcel->bytes, parcel->n);
  }
  return comm_agree(p->slice->comm, error, message);
}

static tauler_error pack_plane(const packing *p, slice_store *packed, int plane, tauler_message *message) {
  const uint64_t windows = (p->slice->positions + STORE_WINDOW - 1) / STORE_WINDOW;
  tauler_error error = store_begin(packed, p->slice->slice, plane, p->slice->positions, message);
  error = comm_agree(p->slice->comm, error, message);
  for (uint64_t first = 0; first < windows && !error; first += (uint64_t)p->ranks) {
    for (uint64_t at = 0; at < STORE_WINDOW && !error; at += p->chunk) {
      error = swap_chunks(p, plane, first, at, message);
    }
    const uint64_t window = first + (uint64_t)p->rank;
    if (!error && window < windows)
      error = store_put(packed, p->slice->slice, plane, window, p->window, message);
    error = comm_agree(p->slice->comm, error, message);
  }
  return error;
}

static tauler_error open_packing(packing *p, memory_budget *memory, tauler_message *message) {
  const uint64_t ranks = (uint64_t)p->ranks;
  tauler_error error = memory_take_array(memory, ranks, sizeof *p->out, what, &p->out, message);
  if (!error) error = memory_take_array(memory, ranks, sizeof *p->in, what, &p->in, message);
  if (!error) error = memory_take_array(memory, 2 * ranks, p->chunk, what, &p->buffers, message);
  if (!error) error = memory_take(memory, STORE_WINDOW, what, &p->window, message);
  for (uint64_t r = 0; r < ranks && !error; r++) {
    p->out[r].bytes = p->buffers + 2 * r * p->chunk;
    p->in[r].bytes = p->buffers + (2 * r + 1) * p->chunk;
  }
  return error;
}

tauler_error provisional_pack(const solve_job *job, sharded_slice *slice, tauler_message *message) {
  packing p = {.slice = slice, .rank = comm_rank(job->work.comm), .ranks = comm_ranks(job->work.comm)};
  p.chunk = ALL_CHUNKS / (uint64_t)p.ranks;
  if (p.chunk > STORE_WINDOW) p.chunk = STORE_WINDOW;
  if (p.chunk < LEAST_CHUNK) p.chunk = LEAST_CHUNK;
  tauler_error error = comm_agree(job->work.comm, open_packing(&p, job->work.memory, message), message);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    error = pack_plane(&p, job->packed, plane, message);
  }
  memory_give(job->work.memory, p.out);
  memory_give(job->work.memory, p.in);
  memory_give(job->work.memory, p.buffers);
  memory_give(job->work.memory, p.window);
  return error;
}
