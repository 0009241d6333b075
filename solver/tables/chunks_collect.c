/* Collects chunks of cells in index order from the shards of all ranks. */
#include <omp.h>
#include <string.h>

#include "solver/shards/store_talk.h"
#include "solver/tables/chunks_parts.h"

/* HERE_MOST: most chunks of each owner in a batch, unless the slice has one shard or ranks have several.
 * SPILLED_PART: if cells are spilled, a batch depends on the free memory divided by this number. */
enum { HERE_MOST = 16, SPILLED_PART = 4 };

/* Returns the bytes on a rank for one chunk of each owner: stored and plain cells of the rank's chunk, and
 * the streams if all of them leave one rank and compression halves the cells. */
static uint64_t bytes_for_one_chunk_each(int ranks) {
  return 2 * (uint64_t)STORE_CHUNK * CHUNKS_MOST_CELL * ((uint64_t)ranks + 2);
}

/* Returns the number of chunks of each owner in a batch. If it is above 1, the batch has no more bytes than
 * the shard has cells. */
static uint64_t count_batch_chunks(int ranks, uint64_t shard_cells) {
  const uint64_t here = shard_cells / bytes_for_one_chunk_each(ranks);
  return here < 1 ? 1 : here > HERE_MOST ? HERE_MOST : here;
}

static uint64_t count_chunks_of_one_shard(int threads, uint64_t positions) {
  const uint64_t most = positions / STORE_CHUNK + 1, here = (uint64_t)threads;
  return here < most ? here : most;
}

/* Returns the bytes for a slice of one shard: chunks (values are in the shard already), the stream of
 * compressed chunks, which is copied when it grows, and counts. */
static uint64_t one_shard_bytes(int threads, uint64_t positions, bool depths) {
  const uint64_t cell = depths ? CHUNKS_MOST_CELL : 1, chunk = STORE_CHUNK * cell;
  const uint64_t counts = (UINT64_C(1) << 8 * cell) * sizeof(uint64_t);
  return count_chunks_of_one_shard(threads, positions) * (depths ? 3 : 2) * chunk +
         (uint64_t)threads * ((depths ? CHUNKS_ROOM_DEPTHS : STORE_CHUNK / 4 * 5) + counts);
}

uint64_t chunks_bytes(int threads, uint32_t shards, uint32_t shards_per_rank, uint64_t shard_cells,
                      bool depths) {
  const int ranks = (int)(shards / shards_per_rank);
  if (shards == 1) return one_shard_bytes(threads, shard_cells, depths);
  return bytes_for_one_chunk_each(ranks) * count_batch_chunks(ranks, shard_cells) +
         3 * (uint64_t)threads * CHUNKS_ROOM + (uint64_t)ranks * 256;
}

/* Returns the number of chunks of each owner that may be sent at once: one batch if cells are spilled or no
 * memory is left. Otherwise they get half of the memory that was used before and is free now. Most cells of a
 * chunk stay on their rank, and the cells that are sent and received need less than the whole chunk, since
 * they are compressed. */
static uint64_t count_chunks_ahead(const chunk_batch *b, uint64_t here) {
  const memory_budget *memory = b->job->work.memory;
  const uint64_t taken =
      memory_allocated(memory) + 2 * here * b->chunk_bytes + (uint64_t)b->threads * b->room;
  if (b->ranks == 1 || b->slice->mapped || taken > memory_peak(memory)) return here;
  return (memory_peak(memory) - taken) / 2 / b->chunk_bytes;
}

/* If a rank has several shards, every batch reads all of them from the disk, so a batch may use a quarter of
 * the free memory. If ranks have one spilled shard each, a batch uses no more than that. */
static tauler_error choose_batch(chunk_batch *b, tauler_message *message) {
  const uint64_t held = b->slice->shards_here ? b->slice->shards[0].n : 0;
  uint64_t here =
      b->alone ? count_chunks_of_one_shard(b->threads, b->positions) : count_batch_chunks(b->ranks, held);
  if (b->slice->mapped && !b->alone) {
    const uint64_t spilled =
        memory_left(b->job->work.memory) / SPILLED_PART / bytes_for_one_chunk_each(b->ranks);
    if (b->slice->shards_here > 1 ? spilled > here : spilled < here) here = spilled > 1 ? spilled : 1;
  }
  if (here > b->most) here = b->most;
  uint64_t less[] = {UINT64_MAX - here, UINT64_MAX - count_chunks_ahead(b, here)};
  const tauler_error error = comm_allreduce(b->job->work.comm, COMM_MAX, less, 2, message);
  b->here = UINT64_MAX - less[0];
  b->together = (UINT64_MAX - less[1]) / b->here;
  if (b->together == 0) b->together = 1;
  return error;
}

static void list_owners(arena *a, void *of) {
  chunk_batch *b = of;
  b->owners = arena_allocate(a, b->chunks, sizeof *b->owners);
  b->list = arena_allocate(a, b->chunks, sizeof *b->list);
  b->starts = arena_allocate(a, (uint64_t)b->ranks + 1, sizeof *b->starts);
}

static tauler_error assign_chunks(chunk_batch *b, tauler_message *message) {
  const uint64_t ranks = (uint64_t)b->ranks;
  tauler_error error =
      arena_fill(&b->lists, b->job->work.memory, "the ranks that own chunks", list_owners, b, message);
  if (!error) error = layout_chunk_owners(b->slice->layout, STORE_CHUNK, b->owners, message);
  if (error) return error;
  for (uint64_t w = 0; w < b->chunks; w++) b->starts[b->owners[w] + 1]++;
  for (uint64_t r = 0; r < ranks; r++) {
    if (b->starts[r + 1] > b->most) b->most = b->starts[r + 1];
    b->starts[r + 1] += b->starts[r];
  }
  for (uint64_t i = 0; i < b->chunks; i++) {
    const uint64_t w = b->ranks > 1 ? b->chunks - 1 - i : i;
    b->list[b->starts[b->owners[w]]++] = (uint32_t)w;
  }
  for (uint64_t r = ranks; r > 0; r--) b->starts[r] = b->starts[r - 1];
  b->starts[0] = 0;
  b->batch = UINT64_MAX;
  return TAULER_OK;
}

tauler_error chunks_open(chunk_batch *b, tauler_message *message) {
  memory_budget *memory = b->job->work.memory;
  b->rank = comm_rank(b->job->work.comm);
  b->ranks = comm_ranks(b->job->work.comm);
  b->threads = b->job->work.threads;
  b->alone = b->slice->layout->shards == 1;
  b->positions = b->slice->positions;
  b->chunks = (b->positions + STORE_CHUNK - 1) / STORE_CHUNK;
  b->cell_bytes = b->kind == CHUNKS_DEPTHS && b->wide ? 2 : 1;
  b->implied = b->kind == CHUNKS_VALUES   ? !(b->slice->traits & SLICE_ALL_STORED)
               : b->kind == CHUNKS_DEPTHS ? slice_leaves_out_depths(&b->job->problem)
                                          : false;
  b->reserved = b->kind == CHUNKS_VALUES ? SLICE_RESERVED : b->wide ? UINT16_MAX : UINT8_MAX;
  const bool depths = b->kind == CHUNKS_DEPTHS;
  b->chunk_bytes = STORE_CHUNK * b->cell_bytes;
  b->room = !b->alone ? 3 * CHUNKS_ROOM : depths ? CHUNKS_ROOM_DEPTHS : 0;
  tauler_error error = comm_agree(b->job->work.comm, assign_chunks(b, message), message);
  if (!error) error = choose_batch(b, message);
  if (error) return error;
  const uint64_t bytes = b->here * b->chunk_bytes;
  error = mail_open(&b->mail, b->job->work.comm, memory, 0, message);
  if (!error)
    error = memory_allocate(memory, (b->alone && !depths ? 1 : 2) * bytes, "chunks of cells", &b->stored,
                            message);
  if (!error) b->plain = b->stored + bytes;
  if (!error)
    error =
        memory_allocate(memory, (uint64_t)b->threads * b->room, "chunks that travel", &b->scratch, message);
  return comm_agree(b->job->work.comm, error, message);
}

void chunks_close(chunk_batch *b) {
  mail_close(&b->mail);
  arena_close(&b->lists);
  memory_free(b->job->work.memory, b->stored);
  memory_free(b->job->work.memory, b->scratch);
  b->stored = b->plain = b->scratch = NULL;
}

bool chunks_next(chunk_batch *b) {
  comm_note_progress(b->job->work.comm);
  b->batch++;
  return b->batch < chunks_batches(b);
}

tauler_error chunks_bad_blob(tauler_message *message) {
  return tauler_fail(message, TAULER_IO, "a chunk has changed on its way between ranks: check the network");
}

tauler_error chunks_add_blob(chunk_batch *b, int to, const chunk_blob *blob, tauler_message *message) {
  tauler_error error;
#pragma omp critical(chunks_add_blob)
  {
    uint8_t *end;
    error = mail_reserve(&b->mail, &b->mail.out[to], CHUNKS_HEAD + blob->n, &end, message);
    if (!error) {
      size_t n = varint_put(end, blob->item);
      n += varint_put(end + n, blob->shard);
      n += varint_put(end + n, blob->cells);
      n += varint_put(end + n, blob->n);
      memcpy(end + n, blob->bytes, blob->n);
      b->mail.out[to].n += n + blob->n;
    }
  }
  return error;
}

bool chunks_read_blob(const chunk_batch *b, const mail_stream *stream, size_t *at, chunk_blob *blob,
                      tauler_error *error, tauler_message *message) {
  if (*error || *at >= stream->n) return false;
  const uint8_t *from = stream->bytes + *at, *end = stream->bytes + stream->n;
  blob->item = varint_get(&from, end);
  blob->shard = (uint32_t)varint_get(&from, end);
  blob->cells = varint_get(&from, end);
  blob->n = varint_get(&from, end);
  blob->bytes = from;
  if (blob->item >= chunks_items(b) * (uint64_t)b->ranks || chunks_number(b, blob->item) == b->chunks ||
      blob->cells > STORE_CHUNK || blob->n > (size_t)(end - from)) {
    *error = chunks_bad_blob(message);
    return false;
  }
  *at = (size_t)(from - stream->bytes) + blob->n;
  return true;
}

/* Lists the plain cells that are reserved in `stored`. Returns the bytes of the list. */
static inline size_t list_reserved_cells(const chunk_batch *b, const uint8_t *stored, const uint8_t *plain,
                                         size_t n, size_t width, uint8_t *list) {
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    memcpy(list + used, plain + i * width, width);
    used += memcmp(stored + i * width, &b->reserved, width) == 0 ? width : 0;
  }
  return used;
}

static size_t list_reserved(const chunk_batch *b, const uint8_t *stored, const uint8_t *plain, size_t n,
                            uint8_t *list) {
  if (!b->implied) return 0;
  return b->cell_bytes == 1 ? list_reserved_cells(b, stored, plain, n, 1, list)
                            : list_reserved_cells(b, stored, plain, n, 2, list);
}

/* Returns false if the list has another length than the cells require. */
static inline bool put_reserved_cells(const chunk_batch *b, const uint8_t *stored, size_t n, size_t width,
                                      const uint8_t *list, size_t list_bytes, uint8_t *plain) {
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    if (memcmp(stored + i * width, &b->reserved, width) != 0) continue;
    if (used == list_bytes) return false;
    memcpy(plain + i * width, list + used, width);
    used += width;
  }
  return used == list_bytes;
}

static bool put_reserved(const chunk_batch *b, const uint8_t *stored, size_t n, const uint8_t *list,
                         size_t list_bytes, uint8_t *plain) {
  memcpy(plain, stored, n * b->cell_bytes);
  if (!b->implied) return list_bytes == 0;
  return b->cell_bytes == 1 ? put_reserved_cells(b, stored, n, 1, list, list_bytes, plain)
                            : put_reserved_cells(b, stored, n, 2, list, list_bytes, plain);
}

/* A shard's part of a chunk while it is copied: cell after cell or, if in_place, each cell to its place in
 * the chunk. */
typedef struct {
  const chunk_batch *b;
  const void *cells;
  const int8_t *lookups;
  uint8_t *stored, *plain;
  bool in_place;
  uint64_t start; /* index of the chunk's first cell */
  size_t n;
} shard_part;

static void copy_run(void *user, uint64_t index, uint64_t own, uint64_t n) {
  shard_part *part = user;
  const chunk_batch *b = part->b;
  const size_t to = (part->in_place ? index - part->start : part->n) * b->cell_bytes;
  uint8_t *stored = part->stored + to, *plain = part->plain + to;
  part->n += n;
  if (b->kind == CHUNKS_DEPTHS) {
    slice_code_depths(b->job, b->slice->slice, index, n, (const uint16_t *)part->cells + own, b->wide, stored,
                      plain);
    return;
  }
  const int8_t *cells = (const int8_t *)part->cells + own;
  if (!b->alone) memcpy(plain, cells, n); /* a single shard has the plain cells in this order already */
  if (!b->implied)
    memcpy(stored, cells, n);
  else
    slice_code_values(b->job, b->slice->slice, index, n, cells, part->lookups ? part->lookups + own : NULL,
                      (int8_t *)stored);
}

static shard_part describe_part(const chunk_batch *b, uint32_t i, uint8_t *stored, uint8_t *plain) {
  const slice_shard *shard = &b->slice->shards[i];
  const bool depths = b->kind == CHUNKS_DEPTHS;
  return (shard_part){.b = b,
                      .cells = shard->parts[(depths ? SHARD_DEPTHS : SHARD_CELLS) + b->plane],
                      .lookups = shard->parts[SHARD_LOOKUPS + b->plane],
                      .stored = stored,
                      .plain = plain};
}

static uint8_t *plain_cells(const chunk_batch *b, uint64_t item) {
  return b->plain + (chunks_stored_at(b, item) - b->stored);
}

static tauler_error send_part(chunk_batch *b, uint32_t i, uint64_t item, tauler_message *message) {
  const int thread = omp_get_thread_num();
  const uint64_t chunk = chunks_number(b, item);
  const bool here = chunks_is_here(b, chunk);
  uint8_t *raw = chunks_scratch(b, thread, 0), *compressed = chunks_scratch(b, thread, 1);
  shard_part part = describe_part(b, i, here ? chunks_stored_at(b, item) : raw,
                                  here ? plain_cells(b, item) : chunks_scratch(b, thread, 2));
  part.in_place = here;
  part.start = chunk * STORE_CHUNK;
  layout_visit_range(b->slice->layout, b->slice->first_shard + i, part.start,
                     chunks_cells(b->positions, chunk), copy_run, &part);
  if (part.n == 0 || here) return TAULER_OK;
  const size_t bytes = part.n * b->cell_bytes;
  const size_t listed = list_reserved(b, raw, part.plain, part.n, raw + bytes);
  const chunk_blob blob = {.item = item,
                           .shard = b->slice->first_shard + i,
                           .cells = part.n,
                           .n = store_talk_compress(raw, bytes + listed, compressed),
                           .bytes = compressed};
  return chunks_add_blob(b, (int)b->owners[chunk], &blob, message);
}

static tauler_error load_parts(const chunk_batch *b, uint32_t i, tauler_message *message) {
  if (b->kind == CHUNKS_DEPTHS) return sharded_load(b->slice, i, SHARD_DEPTHS + b->plane, message);
  const tauler_error error = sharded_load(b->slice, i, SHARD_CELLS + b->plane, message);
  if (error || b->kind != CHUNKS_VALUES || !b->job->problem.game->lookup) return error;
  return sharded_load(b->slice, i, SHARD_LOOKUPS + b->plane, message);
}

/* If `here`, copies a shard's cells to this rank's chunks of the batch. Otherwise adds its cells of other
 * ranks' chunks in the group of batches to the streams. */
static tauler_error send_shard(chunk_batch *b, uint32_t i, bool here, tauler_message *message) {
  const uint64_t each = (here ? 1 : b->together) * b->here, from = b->batch * b->here;
  const uint64_t rank = (uint64_t)b->rank, owners = here ? 1 : (uint64_t)b->ranks - 1;
  const tauler_error error = load_parts(b, i, message);
  if (error) return error;
  failure first = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
  for (uint64_t k = 0; k < owners * each; k++) {
    tauler_message cause = {""};
    const uint64_t owner = here ? rank : k / each + (k / each >= rank), place = from + k % each;
    const uint64_t item = owner * chunks_items(b) + place;
    if (place < chunks_items(b) && chunks_number(b, item) < b->chunks)
      failure_note(&first, send_part(b, i, item, &cause), &cause);
  }
  sharded_unload(b->slice, i);
  return failure_outcome(&first, message);
}

static tauler_error place_blob(const chunk_batch *b, const chunk_blob *blob, tauler_message *message) {
  const int thread = omp_get_thread_num();
  uint8_t *stored = chunks_scratch(b, thread, 0), *plain = chunks_scratch(b, thread, 1);
  const size_t bytes = blob->cells * b->cell_bytes;
  const uint64_t chunk = chunks_number(b, blob->item), first = chunk * STORE_CHUNK;
  const uint64_t count = chunks_cells(b->positions, chunk);
  const layout_array none = {NULL, CELLS_OF_BOTH};
  size_t found;
  if (!chunks_is_here(b, chunk) || blob->shard >= b->slice->layout->shards ||
      !store_talk_decompress(blob->bytes, blob->n, stored, CHUNKS_ROOM, &found) || found < bytes ||
      !put_reserved(b, stored, blob->cells, stored + bytes, found - bytes, plain) ||
      layout_copy_range(b->slice->layout, blob->shard, first, count, 0, none, none) != blob->cells)
    return chunks_bad_blob(message);
  layout_copy_range(b->slice->layout, blob->shard, first, count, b->cell_bytes,
                    (layout_array){chunks_stored_at(b, blob->item), CELLS_OF_RANGE},
                    (layout_array){stored, CELLS_OF_BOTH});
  layout_copy_range(b->slice->layout, blob->shard, first, count, b->cell_bytes,
                    (layout_array){plain_cells(b, blob->item), CELLS_OF_RANGE},
                    (layout_array){plain, CELLS_OF_BOTH});
  return TAULER_OK;
}

/* Every thread reads all streams and places its share of the blobs, since finding a blob costs little
 * compared with placing it. */
static tauler_error place_blobs(chunk_batch *b, tauler_message *message) {
  failure first = {0};
#pragma omp parallel num_threads(b->threads)
  {
    tauler_message cause = {""};
    tauler_error error = TAULER_OK;
    uint64_t ordinal = 0;
    for (int r = 0; r < b->ranks; r++) {
      chunk_blob blob;
      for (size_t at = 0; chunks_read_blob(b, &b->mail.in[r], &at, &blob, &error, &cause);) {
        if (blob.item % chunks_items(b) / b->here != b->batch) continue;
        if (ordinal++ % (uint64_t)omp_get_num_threads() == (uint64_t)omp_get_thread_num())
          error = place_blob(b, &blob, &cause);
      }
    }
    failure_note(&first, error, &cause);
  }
  return failure_outcome(&first, message);
}

/* The cells of a single shard are in the order of chunks already. */
static void collect_single_shard(chunk_batch *b) {
  if (b->kind != CHUNKS_DEPTHS) b->cells = b->slice->shards[0].parts[SHARD_CELLS + b->plane];
  if (b->kind == CHUNKS_PLAIN) return;
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
  for (uint64_t i = 0; i < b->here; i++) {
    const uint64_t item = chunks_item_here(b, i), chunk = chunks_number(b, item), first = chunk * STORE_CHUNK;
    if (chunk == b->chunks) continue;
    shard_part part = describe_part(b, 0, chunks_stored_at(b, item), plain_cells(b, item));
    copy_run(&part, first, first, chunks_cells(b->positions, chunk));
  }
}

tauler_error chunks_exchange(chunk_batch *b, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (b->ranks == 1) return error;
  mail_clear(&b->mail, b->mail.out);
  for (uint32_t i = 0; i < b->slice->shards_here && !error; i++) error = send_shard(b, i, false, message);
  return mail_send(&b->mail, error, NULL, NULL, message);
}

tauler_error chunks_collect(chunk_batch *b, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (b->alone) {
    sharded_drop_pages(b->slice);
    if (b->slice->mapped) error = load_parts(b, 0, message);
    if (!error) collect_single_shard(b);
    return error;
  }
  for (uint32_t i = 0; i < b->slice->shards_here && !error; i++) error = send_shard(b, i, true, message);
  return error ? error : place_blobs(b, message);
}
