/* Stores finished slices: plain in memory, or compressed chunk by chunk in memory or in a file. */
#include "solver/shards/store.h"
#include "databases/table_frames.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "solver/shards/store_parts.h"

enum {
  FRAME_BYTES = STORE_FRAME * sizeof(uint16_t),
  WORKER_BYTES = FRAME_BYTES + ZSTD_COMPRESSBOUND(FRAME_BYTES),
  LEVEL = 1,
  MIN_MATCH = 7,
  FEW_MATCHES_LEVEL = -100
};

static const char *const what = "the list of finished slices";

static size_t frame_cells(uint64_t positions, uint64_t chunk, uint32_t frame) {
  const uint64_t left = positions - chunk * STORE_CHUNK - (uint64_t)frame * STORE_FRAME;
  return left < STORE_FRAME ? (size_t)left : STORE_FRAME;
}

static void list_arrays(arena *a, void *of) {
  slice_store *store = of;
  const uint64_t threads = (uint64_t)store->settings.threads;
  store->planes = arena_allocate(a, (uint64_t)store->settings.room * STORE_PLANES, sizeof *store->planes);
  store->workers = arena_allocate(a, threads, sizeof *store->workers);
  store->frames = arena_allocate(a, threads, WORKER_BYTES);
}

static tauler_error open_compressed(slice_store *store, tauler_message *message) {
  tauler_error error = arena_fill(&store->lists, store->memory, what, list_arrays, store, message);
  for (int i = 0; i < store->settings.threads && !error; i++) {
    store_worker *worker = &store->workers[i];
    worker->cells = store->frames + (size_t)i * WORKER_BYTES;
    worker->compressed = worker->cells + FRAME_BYTES;
    worker->decoder = ZSTD_createDCtx();
    if (!worker->decoder) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to read finished slices");
  }
  if (!error && store->settings.spill_folder)
    error = unnamed_file_open(store->settings.spill_folder, &store->file, message);
  return error;
}

tauler_error store_open(const store_settings *settings, memory_budget *memory, slice_store **out,
                        tauler_message *message) {
  *out = NULL;
  slice_store *store;
  tauler_error error = memory_allocate(memory, sizeof *store, "finished slices", &store, message);
  if (error) return error;
  store->settings = *settings;
  store->rank = comm_rank(settings->comm);
  store->ranks = comm_ranks(settings->comm);
  store->memory = memory;
  error = settings->plain ? memory_allocate_array(memory, settings->room, sizeof *store->plain, what,
                                                  &store->plain, message)
                          : open_compressed(store, message);
  if (error) {
    store_close(store);
    return error;
  }
  *out = store;
  return TAULER_OK;
}

void store_close(slice_store *store) {
  if (!store) return;
  for (uint32_t slice = 0; slice < store->settings.room; slice++) {
    if (store->plain) solved_slice_free(store->memory, &store->plain[slice]);
    for (int plane = 0; store->lists.block && plane < STORE_PLANES; plane++) store_drop(store, slice, plane);
  }
  for (int i = 0; store->lists.block && i < store->settings.threads; i++)
    ZSTD_freeDCtx(store->workers[i].decoder);
  arena_close(&store->lists);
  memory_free(store->memory, store->plain);
  unnamed_file_close(store->file);
  memory_free(store->memory, store);
}

static store_plane *plane_slot(const slice_store *store, uint32_t slice, int plane) {
  return &store->planes[(size_t)slice * STORE_PLANES + (size_t)plane];
}

const store_plane *store_find_plane(const slice_store *store, uint32_t slice, int plane) {
  if (slice >= store->settings.room || store->plain) return NULL;
  const store_plane *found = plane_slot(store, slice, plane);
  if (plane < STORE_DEPTHS && !found->positions) found = plane_slot(store, slice, 0);
  return found->positions ? found : NULL;
}

plain_slices store_plain(const slice_store *store) {
  if (!store || !store->plain) return (plain_slices){NULL, 0};
  return (plain_slices){store->plain, store->settings.room};
}

bool store_is_local(const slice_store *store) {
  return !store || store->plain;
}

static const int8_t *read_plain_cells(void *user, uint32_t slice, int plane, uint64_t first, size_t count,
                                      int8_t *scratch) {
  (void)count;
  (void)scratch;
  const plain_slices plain = store_plain(user);
  if (slice >= plain.room) return NULL;
  const int8_t *const *cells = (const int8_t *const *)plain.list[slice].cells;
  const int8_t *found = cells[plane] ? cells[plane] : cells[0];
  return found ? found + first : NULL;
}

game_finished store_plain_reader(const slice_store *store) {
  return (game_finished){read_plain_cells, (void *)(uintptr_t)store};
}

tauler_error store_begin(slice_store *store, uint32_t slice, int plane, uint64_t positions,
                         const uint32_t *owners, tauler_message *message) {
  if (slice >= store->settings.room || plane < 0 || plane >= STORE_PLANES || positions == 0)
    return tauler_fail(message, TAULER_INTERNAL, "plane %d of slice %u cannot be stored", plane, slice);
  store_drop(store, slice, plane);
  store_plane *begun = plane_slot(store, slice, plane);
  const uint64_t chunks = store_chunks(positions), ranks = (uint64_t)store->ranks;
  const tauler_error error = memory_allocate_array(store->memory, chunks, sizeof *begun->chunks,
                                                   "chunks of a finished slice", &begun->chunks, message);
  if (error) return error;
  begun->positions = positions;
  for (uint64_t w = 0; w < chunks; w++) begun->chunks[w].owner = owners ? owners[w] : (uint32_t)(w % ranks);
  return TAULER_OK;
}

static void discard_chunk(slice_store *store, store_chunk *chunk) {
  if (!chunk->ends) return;
  const uint64_t n = chunk->ends[chunk->frames - 1];
  /* If the bytes cannot be freed now, closing the file frees them. */
  if (store->file) unnamed_file_discard(store->file, chunk->at, n);
  memory_free(store->memory, chunk->ends);
  chunk->ends = NULL;
}

void store_drop(slice_store *store, uint32_t slice, int plane) {
  store_plane *dropped = plane_slot(store, slice, plane);
  for (uint64_t i = 0; i < store_chunks(dropped->positions); i++) discard_chunk(store, &dropped->chunks[i]);
  memory_free(store->memory, dropped->chunks);
  *dropped = (store_plane){0};
}

ZSTD_CCtx *store_new_compressor(bool cells_are_bytes) {
  ZSTD_CCtx *compressor = ZSTD_createCCtx();
  if (!compressor) return NULL;
  /* Parameter 5 is ZSTD_c_literalCompressionMode, and its value 1 means always. */
  const bool codes =
      cells_are_bytes && !ZSTD_isError(ZSTD_CCtx_setParameter(compressor, ZSTD_c_experimentalParam5, 1));
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, codes ? FEW_MATCHES_LEVEL : LEVEL);
  if (!codes) ZSTD_CCtx_setParameter(compressor, ZSTD_c_minMatch, MIN_MATCH);
  ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1);
  return compressor;
}

static tauler_error compress_frames(const store_plane *plane, uint64_t number, size_t cell_bytes,
                                    const uint8_t *cells, store_chunk *chunk, uint8_t *frames, size_t room,
                                    tauler_message *message) {
  ZSTD_CCtx *compressor = store_new_compressor(cell_bytes == 1);
  if (!compressor) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress finished cells");
  size_t used = 0;
  for (uint32_t i = 0; i < chunk->frames; i++) {
    const size_t bytes = frame_cells(plane->positions, number, i) * cell_bytes;
    const size_t n = ZSTD_compress2(compressor, frames + used, room - used, cells, bytes);
    if (ZSTD_isError(n)) {
      ZSTD_freeCCtx(compressor);
      return tauler_fail(message, zstd_error(n, TAULER_INTERNAL), "zstd cannot compress cells: %s",
                         ZSTD_getErrorName(n));
    }
    used += n;
    cells += bytes;
    chunk->ends[i] = (uint32_t)used;
  }
  ZSTD_freeCCtx(compressor);
  return TAULER_OK;
}

/* If the store has a file, only the list of ends stays in memory. */
static tauler_error keep_chunk(slice_store *store, store_chunk *chunk, size_t list, tauler_message *message) {
  const size_t n = chunk->ends[chunk->frames - 1];
  tauler_error error = TAULER_OK;
  if (store->file) {
    chunk->at = atomic_fetch_add(&store->file_end, n);
    error = unnamed_file_write(store->file, chunk->at, (uint8_t *)chunk->ends + list, n, message);
  }
  const size_t kept = list + (store->file ? 0 : n);
  uint32_t *ends = NULL;
  if (!error) error = memory_allocate(store->memory, kept, "finished cells", &ends, message);
  if (!error) memcpy(ends, chunk->ends, kept);
  memory_free(store->memory, chunk->ends);
  chunk->ends = ends;
  return error;
}

static tauler_error refuse_chunk(uint32_t slice, uint64_t chunk, tauler_message *message) {
  return tauler_fail(message, TAULER_INTERNAL, "chunk %" PRIu64 " of slice %u belongs to another rank", chunk,
                     slice);
}

tauler_error store_put(slice_store *store, uint32_t slice, int plane, uint64_t number, const void *cells,
                       tauler_message *message) {
  const store_plane *into = store_find_plane(store, slice, plane);
  if (!into || !store_is_here(store, into, number)) return refuse_chunk(slice, number, message);
  store_chunk *kept = &into->chunks[number];
  const uint64_t left = into->positions - number * STORE_CHUNK;
  store_chunk chunk = {.frames = left < STORE_CHUNK ? (uint32_t)((left + STORE_FRAME - 1) / STORE_FRAME)
                                                    : STORE_CHUNK_FRAMES,
                       .owner = kept->owner};
  const size_t cell_bytes = store_cell_bytes(plane), list = chunk.frames * sizeof *chunk.ends;
  const size_t room = chunk.frames * ZSTD_compressBound(STORE_FRAME * cell_bytes);
  tauler_error error = memory_allocate(store->memory, list + room, "compressed cells", &chunk.ends, message);
  if (error) return error;
  error =
      compress_frames(into, number, cell_bytes, cells, &chunk, (uint8_t *)chunk.ends + list, room, message);
  if (error) {
    memory_free(store->memory, chunk.ends);
    return error;
  }
  error = keep_chunk(store, &chunk, list, message);
  if (error) return error;
  discard_chunk(store, kept);
  *kept = chunk;
  return TAULER_OK;
}

tauler_error store_decode(const slice_store *store, store_worker *worker, uint32_t slice, int plane,
                          uint64_t number, uint32_t frame, void *cells, tauler_message *message) {
  const store_plane *from = store_find_plane(store, slice, plane);
  const store_chunk *chunk = from && number < store_chunks(from->positions) ? &from->chunks[number] : NULL;
  if (!chunk || !chunk->ends || frame >= chunk->frames)
    return tauler_fail(message, TAULER_INTERNAL, "chunk %" PRIu64 " of slice %u is not stored", number,
                       slice);
  const size_t start = frame ? chunk->ends[frame - 1] : 0, n = chunk->ends[frame] - start;
  const uint8_t *bytes = (const uint8_t *)(chunk->ends + chunk->frames) + start;
  if (store->file) {
    bytes = worker->compressed;
    const tauler_error error =
        unnamed_file_read(store->file, chunk->at + start, worker->compressed, n, message);
    if (error) return error;
  }
  const size_t size = frame_cells(from->positions, number, frame) * store_cell_bytes(plane);
  const size_t decoded = ZSTD_decompressDCtx(worker->decoder, cells, size, bytes, n);
  if (decoded == size) return TAULER_OK;
  return tauler_fail(
      message, TAULER_IO,
      "compressed cells of slice %u have changed since they were stored: check memory and disk, then run the "
      "same command again",
      slice);
}
