/* Stores arrays of shards compressed in a file, and reads them back. */
#include "solver/shards/spill.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "solver/parallel/unnamed_file.h"

/* The file is cut into slots of the size of a piece as it is in memory. A piece fills the front of its
 * slot and a hole is punched behind it, so that arrays may be stored again and again in the same place
 * though their pieces shrink and grow, and the disk holds what was compressed only. */
enum { PIECE_BYTES = 1 << 20, LEVEL = 1, LEAST_ARRAYS = 32, LEAST_SLOTS = 64 };

/* A worker's buffer, and what zstd takes for both of its contexts at this level and size. */
static const uint64_t BUFFER_BYTES = PIECE_BYTES, CONTEXT_BYTES = UINT64_C(1) << 20;

typedef struct {
  uint64_t digest; /* of the piece as it is in memory */
  uint32_t slot, stored;
} piece;

typedef struct {
  uint32_t share, part;
  uint64_t n, pieces_n;
  piece *pieces;
  bool whole; /* nothing failed when it was stored */
} array;

typedef struct {
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  void *buffer;   /* a piece as it is stored */
  char *gathered; /* a piece that lies in several ranges */
} worker;

struct spill {
  memory_budget *memory;
  nameless_file *file;
  int threads;
  worker *workers;
  array *arrays;
  uint64_t arrays_n, arrays_room;
  uint32_t slots;      /* made so far */
  uint32_t *free_list; /* has room for all slots made */
  uint32_t free_n, free_room;
};

/* One array on its way to the disk or back. The first error is kept and ends the work of all. */
typedef struct {
  spill *spill;
  const array *array;
  const spill_range *ranges;
  bool puts;
  atomic_uint_fast64_t next;
  atomic_bool failed;
  pthread_mutex_t lock;
  tauler_error error;
  tauler_message message;
} transfer;

uint64_t spill_working_bytes(int threads) {
  return (uint64_t)threads * (sizeof(worker) + 2 * BUFFER_BYTES + CONTEXT_BYTES);
}

static tauler_error open_worker(spill *spill, worker *worker, tauler_message *message) {
  /* The part behind the buffer is never touched, so it costs nothing; it stands for the contexts, which
   * are not taken from the budget. */
  const tauler_error error = memory_take(spill->memory, 2 * BUFFER_BYTES + CONTEXT_BYTES,
                                         "buffer for what is put aside", &worker->buffer, message);
  if (error) return error;
  worker->gathered = (char *)worker->buffer + BUFFER_BYTES;
  worker->compressor = ZSTD_createCCtx();
  worker->decompressor = ZSTD_createDCtx();
  if (worker->compressor && worker->decompressor) return TAULER_OK;
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress what is put aside");
}

tauler_error spill_open(const char *folder, int threads, memory_budget *memory, spill **out,
                        tauler_message *message) {
  *out = NULL;
  spill *made;
  if (threads < 1) threads = 1;
  tauler_error error = memory_take(memory, sizeof *made, "list of what is put aside", &made, message);
  if (error) return error;
  *made = (spill){.memory = memory, .threads = threads};
  error = memory_take_array(memory, (uint64_t)threads, sizeof(worker), "list of what is put aside",
                            &made->workers, message);
  for (int i = 0; i < threads && !error; i++) error = open_worker(made, &made->workers[i], message);
  if (!error) error = nameless_file_open(folder, &made->file, message);
  if (error) {
    spill_close(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

void spill_close(spill *spill) {
  if (!spill) return;
  for (int i = 0; spill->workers && i < spill->threads; i++) {
    ZSTD_freeCCtx(spill->workers[i].compressor);
    ZSTD_freeDCtx(spill->workers[i].decompressor);
    memory_give(spill->memory, spill->workers[i].buffer);
  }
  for (uint64_t i = 0; i < spill->arrays_n; i++) memory_give(spill->memory, spill->arrays[i].pieces);
  nameless_file_close(spill->file);
  memory_give(spill->memory, spill->workers);
  memory_give(spill->memory, spill->arrays);
  memory_give(spill->memory, spill->free_list);
  memory_give(spill->memory, spill);
}

static array *find_array(const spill *spill, uint32_t share, uint32_t part) {
  for (uint64_t i = 0; i < spill->arrays_n; i++) {
    array *found = &spill->arrays[i];
    if (found->share == share && found->part == part) return found;
  }
  return NULL;
}

static tauler_error add_array(spill *spill, uint32_t share, uint32_t part, array **out,
                              tauler_message *message) {
  if (spill->arrays_n == spill->arrays_room) {
    const uint64_t room = spill->arrays_room ? 2 * spill->arrays_room : LEAST_ARRAYS;
    const tauler_error error = memory_resize(spill->memory, room * sizeof(array), "list of what is put aside",
                                             &spill->arrays, message);
    if (error) return error;
    spill->arrays_room = room;
  }
  *out = &spill->arrays[spill->arrays_n++];
  **out = (array){.share = share, .part = part};
  return TAULER_OK;
}

static uint64_t slot_offset(uint32_t slot) {
  return (uint64_t)slot * PIECE_BYTES;
}

static void empty_array(spill *spill, array *array) {
  for (uint64_t i = 0; i < array->pieces_n; i++) {
    nameless_file_forget(spill->file, slot_offset(array->pieces[i].slot), PIECE_BYTES);
    spill->free_list[spill->free_n++] = array->pieces[i].slot;
  }
  memory_give(spill->memory, array->pieces);
  array->pieces = NULL;
  array->pieces_n = array->n = 0;
  array->whole = false;
}

static tauler_error make_slots(spill *spill, uint64_t wanted, tauler_message *message) {
  if (wanted <= spill->free_n) return TAULER_OK;
  const uint64_t fresh = wanted - spill->free_n, all = spill->slots + fresh;
  if (all > UINT32_MAX) return tauler_fail(message, TAULER_NO_SPACE, "an array is too large to be put aside");
  if (all > spill->free_room) {
    uint64_t room = spill->free_room ? spill->free_room : LEAST_SLOTS;
    while (room < all) room *= 2;
    if (room > UINT32_MAX) room = UINT32_MAX;
    const tauler_error error = memory_resize(spill->memory, room * sizeof(uint32_t),
                                             "list of what is put aside", &spill->free_list, message);
    if (error) return error;
    spill->free_room = (uint32_t)room;
  }
  while (spill->slots < all) spill->free_list[spill->free_n++] = spill->slots++;
  return TAULER_OK;
}

/* Gives the array room for n bytes, whatever it held. */
static tauler_error shape_array(spill *spill, array *array, uint64_t n, tauler_message *message) {
  const uint64_t pieces = n / PIECE_BYTES + (n % PIECE_BYTES != 0);
  if (pieces != array->pieces_n) {
    empty_array(spill, array);
    tauler_error error = make_slots(spill, pieces, message);
    if (!error)
      error = memory_take_array(spill->memory, pieces, sizeof(piece), "list of what is put aside",
                                &array->pieces, message);
    if (error) return error;
    array->pieces_n = pieces;
    for (uint64_t i = 0; i < pieces; i++) array->pieces[i].slot = spill->free_list[--spill->free_n];
  }
  array->n = n;
  return TAULER_OK;
}

static size_t piece_size(const array *array, uint64_t i) {
  const uint64_t rest = array->n - i * PIECE_BYTES;
  return rest < PIECE_BYTES ? (size_t)rest : PIECE_BYTES;
}

/* The range that byte `offset` of the array lies in, and its place there. */
static size_t find_range(const transfer *t, uint64_t *offset) {
  size_t r = 0;
  while (*offset >= t->ranges[r].n) *offset -= t->ranges[r++].n;
  return r;
}

/* Where a piece stands if it lies in one range; else the worker's room for it. */
static char *place_piece(const transfer *t, const worker *worker, uint64_t i, size_t size) {
  uint64_t offset = i * PIECE_BYTES;
  const size_t r = find_range(t, &offset);
  return size <= t->ranges[r].n - offset ? (char *)t->ranges[r].bytes + offset : worker->gathered;
}

/* Copies a piece between its ranges and the worker's room. */
static void move_piece(const transfer *t, const worker *worker, uint64_t i, size_t size) {
  uint64_t offset = i * PIECE_BYTES;
  size_t r = find_range(t, &offset);
  for (size_t done = 0; done < size; r++, offset = 0) {
    const uint64_t rest = t->ranges[r].n - offset;
    const size_t n = rest < size - done ? (size_t)rest : size - done;
    char *there = (char *)t->ranges[r].bytes + offset, *here = worker->gathered + done;
    memcpy(t->puts ? here : there, t->puts ? there : here, n);
    done += n;
  }
}

static tauler_error put_piece(const transfer *t, const worker *worker, uint64_t i, tauler_message *message) {
  piece *piece = &t->array->pieces[i];
  const size_t size = piece_size(t->array, i);
  const char *from = place_piece(t, worker, i, size);
  if (from == worker->gathered) move_piece(t, worker, i, size);
  const void *bytes = worker->buffer;
  /* With no more room than the piece itself has, zstd fails where nothing is gained. */
  size_t stored = ZSTD_compressCCtx(worker->compressor, worker->buffer, size - 1, from, size, LEVEL);
  if (ZSTD_isError(stored)) {
    bytes = from;
    stored = size;
  }
  const uint64_t offset = slot_offset(piece->slot), before = nameless_file_round(piece->stored);
  const uint64_t after = nameless_file_round(stored);
  piece->digest = XXH3_64bits(from, size);
  const tauler_error error = nameless_file_write(t->spill->file, offset, bytes, stored, message);
  if (error) return error;
  if (after < before) nameless_file_forget(t->spill->file, offset + after, before - after);
  piece->stored = (uint32_t)stored;
  return TAULER_OK;
}

static tauler_error get_piece(const transfer *t, const worker *worker, uint64_t i, tauler_message *message) {
  const piece *piece = &t->array->pieces[i];
  const size_t size = piece_size(t->array, i);
  char *to = place_piece(t, worker, i, size);
  const bool plain = piece->stored == size;
  void *bytes = plain ? to : worker->buffer;
  const tauler_error error =
      nameless_file_read(t->spill->file, slot_offset(piece->slot), bytes, piece->stored, message);
  if (error) return error;
  const size_t decoded =
      plain ? size : ZSTD_decompressDCtx(worker->decompressor, to, size, bytes, piece->stored);
  if (decoded != size || XXH3_64bits(to, size) != piece->digest)
    return nameless_file_refuse(t->spill->file, message);
  if (to == worker->gathered) move_piece(t, worker, i, size);
  return TAULER_OK;
}

static void note_failure(transfer *t, tauler_error error, const tauler_message *message) {
  pthread_mutex_lock(&t->lock);
  if (!t->error) {
    t->error = error;
    t->message = *message;
  }
  pthread_mutex_unlock(&t->lock);
  atomic_store(&t->failed, true);
}

static void transfer_pieces(transfer *t, const worker *worker) {
  for (;;) {
    const uint64_t i = atomic_fetch_add(&t->next, 1);
    if (i >= t->array->pieces_n || atomic_load(&t->failed)) return;
    tauler_message message = {""};
    const tauler_error error =
        t->puts ? put_piece(t, worker, i, &message) : get_piece(t, worker, i, &message);
    if (error) note_failure(t, error, &message);
  }
}

static tauler_error run_transfer(transfer *t, tauler_message *message) {
  const uint64_t pieces = t->array->pieces_n;
  const int threads = pieces < (uint64_t)t->spill->threads ? (int)pieces : t->spill->threads;
  if (threads == 0) return TAULER_OK;
  pthread_mutex_init(&t->lock, NULL);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int i = 0; i < threads; i++) transfer_pieces(t, &t->spill->workers[i]);
  pthread_mutex_destroy(&t->lock);
  return t->error ? tauler_fail(message, t->error, "%s", t->message.text) : TAULER_OK;
}

static uint64_t count_bytes(const spill_range *ranges, size_t n) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < n; i++) bytes += ranges[i].n;
  return bytes;
}

tauler_error spill_put_ranges(spill *spill, uint32_t share, uint32_t part, const spill_range *ranges,
                              size_t n, tauler_message *message) {
  array *array = find_array(spill, share, part);
  tauler_error error = array ? TAULER_OK : add_array(spill, share, part, &array, message);
  if (error) return error;
  array->whole = false;
  error = shape_array(spill, array, count_bytes(ranges, n), message);
  if (!error) {
    transfer t = {.spill = spill, .array = array, .ranges = ranges, .puts = true};
    error = run_transfer(&t, message);
  }
  if (error) {
    empty_array(spill, array);
    return error;
  }
  array->whole = true;
  return TAULER_OK;
}

tauler_error spill_get_ranges(spill *spill, uint32_t share, uint32_t part, const spill_range *ranges,
                              size_t n, tauler_message *message) {
  const array *array = find_array(spill, share, part);
  if (!array || !array->whole || array->n != count_bytes(ranges, n))
    return tauler_fail(message, TAULER_INTERNAL, "array %u of share %u was not put aside like that", part,
                       share);
  transfer t = {.spill = spill, .array = array, .ranges = ranges};
  return run_transfer(&t, message);
}

tauler_error spill_put(spill *spill, uint32_t share, uint32_t part, const void *bytes, uint64_t n,
                       tauler_message *message) {
  const spill_range all = {(void *)(uintptr_t)bytes, n};
  return spill_put_ranges(spill, share, part, &all, 1, message);
}

tauler_error spill_get(spill *spill, uint32_t share, uint32_t part, void *bytes, uint64_t n,
                       tauler_message *message) {
  const spill_range all = {bytes, n};
  return spill_get_ranges(spill, share, part, &all, 1, message);
}

void spill_drop(spill *spill, uint32_t share) {
  for (uint64_t i = spill->arrays_n; i-- > 0;) {
    if (spill->arrays[i].share != share) continue;
    empty_array(spill, &spill->arrays[i]);
    spill->arrays[i] = spill->arrays[--spill->arrays_n];
  }
}

uint64_t spill_disk_bytes(const spill *spill) {
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < spill->arrays_n; i++)
    for (uint64_t k = 0; k < spill->arrays[i].pieces_n; k++)
      bytes += nameless_file_round(spill->arrays[i].pieces[k].stored);
  return bytes;
}
