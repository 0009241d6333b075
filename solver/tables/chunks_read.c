/* Reads the tables of a slice and sends their cells to the shards that own them. */
#include <omp.h>
#include <string.h>

#include "databases/streams.h"
#include "solver/shards/store_talk.h"
#include "solver/tables/chunks_parts.h"

typedef struct {
  chunk_batch batch;
  table *from;
} reading;

static int part_number(const chunk_batch *b) {
  return (b->kind == CHUNKS_DEPTHS ? SHARD_DEPTHS : SHARD_CELLS) + b->plane;
}

/* Converts n depths of one byte, which are in the upper half of the array, to depths of two bytes. Reserved
 * ones become SOLVE_NO_DEPTH. */
static void widen_depths(const table_header *header, uint16_t *depths, uint64_t n) {
  const uint8_t *bytes = (uint8_t *)depths + n;
  const bool implied = header->coding == TABLE_IMPLIED;
  for (uint64_t i = 0; i < n; i++) depths[i] = implied && bytes[i] == UINT8_MAX ? SOLVE_NO_DEPTH : bytes[i];
}

/* Wide reserved depths are SOLVE_NO_DEPTH already. */
static tauler_error read_cells(const reading *r, uint64_t chunk, uint8_t *to, tauler_message *message) {
  const chunk_batch *b = &r->batch;
  const table_header *header = table_get_header(r->from);
  const uint64_t cells = chunks_cells(b->positions, chunk);
  const bool widens = b->kind == CHUNKS_DEPTHS && header->cell != TABLE_U16;
  const tauler_error error =
      table_read(r->from, chunk * STORE_CHUNK, cells, to + (widens ? cells : 0), message);
  if (!error && widens) widen_depths(header, (uint16_t *)(void *)to, cells);
  return error;
}

static tauler_error send_chunk(reading *r, uint64_t item, uint64_t chunk, tauler_message *message) {
  chunk_batch *b = &r->batch;
  const slice_layout *layout = b->slice->layout;
  const int thread = omp_get_thread_num();
  const uint64_t cells = chunks_cells(b->positions, chunk);
  uint8_t *raw = chunks_scratch(b, thread, 0), *compressed = chunks_scratch(b, thread, 1);
  tauler_error error = read_cells(r, chunk, chunks_stored_at(b, item), message);
  for (uint32_t shard = 0; shard < layout->shards && !error; shard++) {
    const uint64_t n = layout_copy_range(layout, shard, chunk * STORE_CHUNK, cells, b->cell_bytes,
                                         (layout_array){raw, CELLS_OF_BOTH},
                                         (layout_array){chunks_stored_at(b, item), CELLS_OF_RANGE});
    if (n == 0) continue;
    const chunk_blob blob = {item, shard, n, store_talk_compress(raw, n * b->cell_bytes, compressed),
                             compressed};
    error = chunks_add_blob(b, (int)(shard / layout->shards_per_rank), &blob, message);
  }
  return error;
}

/* Fills a loaded shard from the blobs of this batch. */
static tauler_error fill_shard(chunk_batch *b, uint32_t i, tauler_message *message) {
  const uint32_t shard = b->slice->first_shard + i;
  const layout_array none = {NULL, CELLS_OF_BOTH};
  uint8_t *raw = chunks_scratch(b, 0, 0);
  tauler_error error = TAULER_OK;
  for (int r = 0; r < b->ranks && !error; r++) {
    chunk_blob blob;
    for (size_t at = 0; chunks_read_blob(b, &b->mail.in[r], &at, &blob, &error, message);) {
      if (blob.shard != shard) continue;
      const uint64_t chunk = chunks_number(b, blob.item), first = chunk * STORE_CHUNK;
      const uint64_t count = chunks_cells(b->positions, chunk);
      size_t bytes;
      if (!store_talk_decompress(blob.bytes, blob.n, raw, CHUNKS_ROOM, &bytes) ||
          bytes != b->cell_bytes * layout_copy_range(b->slice->layout, shard, first, count, 0, none, none))
        return chunks_bad_blob(message);
      layout_copy_range(b->slice->layout, shard, first, count, b->cell_bytes,
                        (layout_array){b->slice->shards[i].parts[part_number(b)], CELLS_OF_SHARD},
                        (layout_array){raw, CELLS_OF_BOTH});
    }
  }
  return error;
}

static tauler_error fill_shards(chunk_batch *b, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t i = 0; i < b->slice->shards_here && !error; i++) {
    error = sharded_load(b->slice, i, part_number(b), message);
    if (!error) error = fill_shard(b, i, message);
    sharded_unload(b->slice, i);
  }
  return error;
}

static tauler_error allocate_shards(sharded_slice *slice, int part, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t i = 0; i < slice->shards_here && !error; i++) {
    error = sharded_allocate(slice, i, part, message);
    sharded_unload(slice, i);
  }
  return error;
}

static tauler_error read_own_chunks(reading *r, tauler_message *message) {
  const chunk_batch *b = &r->batch;
  uint8_t *alone = b->slice->shards[0].parts[part_number(b)];
  failure first = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
  for (uint64_t i = 0; i < b->here; i++) {
    tauler_message cause = {""};
    const uint64_t item = chunks_item_here(b, i), chunk = chunks_number(b, item);
    if (chunk == b->chunks) continue;
    const tauler_error error = b->alone
                                   ? read_cells(r, chunk, alone + chunk * STORE_CHUNK * b->cell_bytes, &cause)
                                   : send_chunk(r, item, chunk, &cause);
    failure_note(&first, error, &cause);
  }
  return failure_outcome(&first, message);
}

static tauler_error read_batch(reading *r, tauler_message *message) {
  chunk_batch *b = &r->batch;
  if (b->alone) {
    sharded_drop_pages(b->slice);
    const tauler_error error = sharded_load(b->slice, 0, part_number(b), message);
    return error ? error : read_own_chunks(r, message);
  }
  mail_clear(&b->mail, b->mail.out);
  tauler_error error = read_own_chunks(r, message);
  error = mail_send(&b->mail, error, NULL, NULL, message);
  return error ? error : comm_agree(b->job->work.comm, fill_shards(b, message), message);
}

static tauler_error read_plane(reading *r, const char *stream, tauler_message *message) {
  chunk_batch *b = &r->batch;
  comm *comm = b->job->work.comm;
  tauler_error error = chunks_open(b, message);
  if (!error) {
    error = slice_table_need(b->job, b->slice->slice, stream, &r->from, message);
    if (!error) error = allocate_shards(b->slice, part_number(b), message);
    error = comm_agree(comm, error, message);
  }
  while (!error && chunks_next(b)) error = read_batch(r, message);
  table_close(r->from);
  chunks_close(b);
  return error;
}

/* If bounds are equal everywhere, the slice has a table of values instead of tables of bounds. */
static tauler_error find_traits(const build_job *job, sharded_slice *slice, tauler_message *message) {
  table *found = NULL, *bounds = NULL;
  tauler_error error = TAULER_OK;
  const bool may_be_exact = game_may_be_exact(job->problem.game, job->problem.rules);
  if (may_be_exact) error = slice_table_find(job, slice->slice, STREAM_VALUE, &found, message);
  if (may_be_exact && !error && !found)
    error = slice_table_find(job, slice->slice, STREAM_LOWER, &bounds, message);
  const table *any = found ? found : bounds;
  slice->traits = found ? SLICE_EXACT : 0;
  if (any && table_get_header(any)->coding == TABLE_PLAIN) slice->traits |= SLICE_ALL_STORED;
  table_close(found);
  table_close(bounds);
  return comm_agree(job->work.comm, error, message);
}

/* If one table of values has both bounds, it is read for each bound, because the cells that it leaves out are
 * recovered as bounds. */
tauler_error chunks_read(const build_job *job, sharded_slice *slice, bool depths, tauler_message *message) {
  tauler_error error = find_traits(job, slice, message);
  const slice_streams streams = slice_streams_of(&job->problem, slice->traits & SLICE_EXACT);
  for (int plane = 0; plane < slice->planes && !error; plane++) {
    reading r = {.batch = {.job = job,
                           .slice = slice,
                           .kind = depths ? CHUNKS_DEPTHS : CHUNKS_PLAIN,
                           .wide = true,
                           .plane = plane}};
    error = read_plane(&r,
                       depths ? streams.names[SOLVE_PLANES + plane]
                              : streams.names[slice->traits & SLICE_EXACT ? 0 : plane],
                       message);
  }
  return error;
}
