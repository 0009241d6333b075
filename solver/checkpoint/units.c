/* Writes the units of a checkpoint to one file per rank, and commits them with a marker. */
#include "solver/checkpoint/units.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "base/memory.h"
#include "databases/table_frames.h"
#include "solver/checkpoint/files.h"

enum { LEVEL = 1 };

struct checkpoint_file {
  checkpoint_plan plan;
  uint64_t generation;
  durable_file *data;
  pthread_mutex_t writing;
  uint64_t bytes;
  XXH3_state_t *digest;
  unit_head *heads;
  size_t used, room;
};

static tauler_error no_memory_to_write(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write a checkpoint");
}

static void free_file(checkpoint_file *file) {
  if (!file) return;
  durable_file_abandon(file->data);
  pthread_mutex_destroy(&file->writing);
  XXH3_freeState(file->digest);
  free(file->heads);
  free(file);
}

/* If a generation was used again, a process that is killed late or a file system that remembers names could
 * mix two checkpoints. The clock is used because the files of the last checkpoint may be gone. */
static uint64_t choose_generation(const char *path) {
  const uint64_t least = remove_orphans(path) + 1;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const uint64_t microseconds = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
  return microseconds > least ? microseconds : least;
}

static tauler_error open_data(checkpoint_file *file, tauler_message *message) {
  const checkpoint_plan *plan = &file->plan;
  if (strlen(plan->identity) >= CHECKPOINT_IDENTITY_BYTES)
    return tauler_fail(message, TAULER_INTERNAL, "the identity of a checkpoint is too long");
  file->digest = XXH3_createState();
  char *path = data_file_path(plan->path, file->generation, (uint64_t)comm_rank(plan->comm));
  tauler_error error = file->digest && path ? TAULER_OK : no_memory_to_write(message);
  if (!error) XXH3_128bits_reset(file->digest);
  if (!error) error = durable_file_create(path, &file->data, message);
  free(path);
  return error;
}

tauler_error checkpoint_begin(const checkpoint_plan *plan, checkpoint_file **out, tauler_message *message) {
  *out = NULL;
  uint64_t generation = comm_is_root(plan->comm) ? choose_generation(plan->path) : 0;
  tauler_error error = comm_bcast(plan->comm, 0, &generation, sizeof generation, message);
  if (error) return error;
  checkpoint_file *made = calloc(1, sizeof *made);
  if (made) {
    pthread_mutex_init(&made->writing, NULL);
    made->plan = *plan;
    made->generation = generation;
    error = open_data(made, message);
  } else {
    error = no_memory_to_write(message);
  }
  error = comm_agree(plan->comm, error, message);
  if (error) {
    free_file(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

static tauler_error append_bytes(checkpoint_file *file, const void *bytes, size_t n,
                                 tauler_message *message) {
  const tauler_error error = durable_file_write(file->data, bytes, n, message);
  if (error) return error;
  XXH3_128bits_update(file->digest, bytes, n);
  file->bytes += n;
  return TAULER_OK;
}

static tauler_error append_unit(checkpoint_file *file, unit_head head, const void *compressed,
                                tauler_message *message) {
  if (!memory_make_room(&file->heads, &file->room, file->used + 1, sizeof *file->heads))
    return no_memory_to_write(message);
  head.offset = file->bytes;
  file->heads[file->used++] = head;
  return append_bytes(file, compressed, head.compressed, message);
}

tauler_error checkpoint_store(checkpoint_file *file, uint64_t unit, const void *bytes, size_t n,
                              tauler_message *message) {
  if (unit >= file->plan.units || n > file->plan.unit_room)
    return tauler_fail(message, TAULER_INTERNAL, "no such unit of a checkpoint");
  const size_t room = ZSTD_compressBound(n);
  char *compressed = malloc(room);
  if (!compressed) return no_memory_to_write(message);
  const size_t size = ZSTD_compress(compressed, room, bytes, n, LEVEL);
  tauler_error error;
  if (ZSTD_isError(size)) {
    error = tauler_fail(message, zstd_error(size, TAULER_INTERNAL), "a checkpoint cannot be compressed: %s",
                        ZSTD_getErrorName(size));
  } else {
    const unit_head head = {
        .unit = unit, .compressed = size, .raw = n, .digest = unit_digest(unit, bytes, n)};
    pthread_mutex_lock(&file->writing);
    error = append_unit(file, head, compressed, message);
    pthread_mutex_unlock(&file->writing);
  }
  free(compressed);
  comm_note_progress(file->plan.comm);
  return error;
}

/* files[ranks] are zeros. Each rank fills its own entry, and the ranks add up their lists. */
static tauler_error gather_files(const checkpoint_file *file, data_file *files, tauler_message *message) {
  const XXH128_hash_t digest = XXH3_128bits_digest(file->digest);
  files[comm_rank(file->plan.comm)] = (data_file){
      .bytes = file->bytes, .units = file->used, .digest_low = digest.low64, .digest_high = digest.high64};
  const size_t numbers = (size_t)comm_ranks(file->plan.comm) * sizeof *files / sizeof(uint64_t);
  return comm_allreduce(file->plan.comm, COMM_SUM, (uint64_t *)files, numbers, message);
}

static tauler_error write_marker(const checkpoint_file *file, tauler_message *message) {
  const checkpoint_plan *plan = &file->plan;
  marker marker = {.generation = file->generation,
                   .units = plan->units,
                   .run_bytes = plan->run_bytes,
                   .ranks = (uint64_t)comm_ranks(plan->comm),
                   .run = plan->run};
  memcpy(marker.identity, plan->identity, strlen(plan->identity));
  marker.files = calloc(marker.ranks, sizeof *marker.files);
  tauler_error error =
      comm_agree(plan->comm, marker.files ? TAULER_OK : no_memory_to_write(message), message);
  if (!error && marker.files) error = gather_files(file, marker.files, message);
  if (!error && comm_is_root(plan->comm)) error = marker_write(plan->path, &marker, message);
  free(marker.files);
  return comm_agree(plan->comm, error, message);
}

/* If the new marker has its name but an error was returned, its folder may not be synced, and a crash may
 * restore the old marker. Then nothing is removed. */
static void remove_other_files(const checkpoint_file *file, tauler_error error) {
  marker present;
  const bool in_place =
      !marker_read(file->plan.path, &present, NULL) && present.generation == file->generation;
  marker_free(&present);
  if (in_place == !error) remove_orphans(file->plan.path);
}

tauler_error checkpoint_commit(checkpoint_file *file, tauler_error error, tauler_message *message) {
  comm *comm = file->plan.comm;
  if (!error && file->used)
    error = append_bytes(file, file->heads, file->used * sizeof *file->heads, message);
  error = comm_agree(comm, error, message);
  if (!error) {
    durable_file *data = file->data;
    file->data = NULL;
    error = comm_agree(comm, durable_file_commit(data, message), message);
  }
  if (!error) error = write_marker(file, message);
  if (comm_is_root(comm)) remove_other_files(file, error);
  free_file(file);
  return error;
}

void checkpoint_remove(const char *path) {
  remove(path);
  remove_orphans(path);
}
