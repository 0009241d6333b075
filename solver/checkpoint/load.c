/* Reads a checkpoint and delivers each unit to the ranks that want it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "base/memory.h"
#include "solver/checkpoint/files.h"

typedef struct {
  char *bytes;
  tauler_error error;
  tauler_message message;
} slot;

typedef struct {
  const checkpoint_plan *plan;
  const checkpoint_reader *reader;
  marker marker;
  uint64_t *seen; /* one bit per unit */
  uint64_t units_seen;
  int threads;
  slot *slots;   /* [threads] units that threads read at the same time */
  bool receives; /* true while units are delivered, false while files are checked */
  uint32_t pass;
} loading;

/* An open data file, and the heads of its units that this rank wants. */
typedef struct {
  int descriptor;
  char *path;
  const data_file *about;
  unit_head *heads;
  uint64_t wanted;
} open_file;

static tauler_error no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a checkpoint");
}

static tauler_error check_marker(const checkpoint_plan *plan, const marker *marker, tauler_message *message) {
  if (strcmp(marker->identity, plan->identity) != 0)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "the checkpoint %.300s is of another solve (%.400s)",
                       plan->path, marker->identity);
  if (marker->units != plan->units || marker->run_bytes != plan->run_bytes)
    return refuse_checkpoint(plan->path, "is of another version of the program", message);
  return TAULER_OK;
}

static tauler_error share_marker(loading *l, tauler_message *message) {
  const checkpoint_plan *plan = l->plan;
  marker *marker = &l->marker;
  tauler_error error = TAULER_OK;
  if (comm_is_root(plan->comm)) {
    remove_orphans(plan->path);
    error = marker_read(plan->path, marker, message);
    if (!error) error = check_marker(plan, marker, message);
  }
  error = comm_agree(plan->comm, error, message);
  uint64_t shape[] = {marker->generation, marker->ranks};
  if (!error) error = comm_bcast(plan->comm, 0, shape, sizeof shape, message);
  if (error) return error;
  if (!comm_is_root(plan->comm)) {
    marker->generation = shape[0];
    marker->ranks = shape[1];
    marker->files = calloc(marker->ranks + 1, sizeof *marker->files);
    marker->run = calloc(1, plan->run_bytes + 1);
    if (!marker->files || !marker->run) error = no_memory(message);
  }
  error = comm_agree(plan->comm, error, message);
  if (!error)
    error = comm_bcast(plan->comm, 0, marker->files, marker->ranks * sizeof *marker->files, message);
  if (!error && plan->run_bytes) error = comm_bcast(plan->comm, 0, marker->run, plan->run_bytes, message);
  return error;
}

static tauler_error check_digest(const open_file *file, comm *comm, tauler_message *message) {
  enum { PART = 1 << 20 };
  XXH3_state_t *state = XXH3_createState();
  char *part = malloc(PART);
  tauler_error error = state && part ? TAULER_OK : no_memory(message);
  if (!error) XXH3_128bits_reset(state);
  for (uint64_t at = 0; at < file->about->bytes && !error; at += PART) {
    const uint64_t rest = file->about->bytes - at, n = rest < PART ? rest : PART;
    error = durable_read_range(file->descriptor, file->path, at, part, n, message);
    if (!error) XXH3_128bits_update(state, part, n);
    comm_note_progress(comm);
  }
  if (!error) {
    const XXH128_hash_t digest = XXH3_128bits_digest(state);
    if (digest.low64 != file->about->digest_low || digest.high64 != file->about->digest_high)
      error = refuse_checkpoint(file->path, "is damaged", message);
  }
  XXH3_freeState(state);
  free(part);
  return error;
}

/* Until all ranks have agreed on digests, the file may be damaged, so a head may contain anything. */
static bool is_possible_head(const loading *l, const data_file *about, const unit_head *head) {
  const uint64_t end = about->bytes - about->units * sizeof *head;
  if (head->unit >= l->plan->units || head->offset > end || head->compressed > end - head->offset)
    return false;
  return l->receives || !has_bit(l->seen, head->unit);
}

/* Marks the units of a file as seen, and keeps the heads of those that this rank wants: in this pass or,
 * while files are checked, in any pass. */
static tauler_error read_heads(loading *l, open_file *file, tauler_message *message) {
  const uint64_t n = file->about->units, bytes = n * sizeof *file->heads;
  file->heads = malloc(bytes + 1);
  if (!file->heads) return no_memory(message);
  const tauler_error error = durable_read_range(file->descriptor, file->path, file->about->bytes - bytes,
                                                file->heads, bytes, message);
  for (uint64_t i = 0; i < n && !error; i++) {
    const unit_head head = file->heads[i];
    size_t wanted_bytes = 0;
    uint32_t pass = 0;
    if (!is_possible_head(l, file->about, &head)) return refuse_checkpoint(file->path, "is damaged", message);
    set_bit(l->seen, head.unit);
    l->units_seen++;
    if (!l->reader->wants(l->reader->user, head.unit, &wanted_bytes, &pass) ||
        (l->receives && pass != l->pass))
      continue;
    if (head.raw != wanted_bytes) return refuse_checkpoint(file->path, "has a unit of another size", message);
    file->heads[file->wanted++] = head;
  }
  return error;
}

static tauler_error read_unit(const open_file *file, const unit_head *head, slot *slot) {
  char *compressed = malloc(head->compressed + 1);
  slot->bytes = malloc(head->raw + 1);
  tauler_error error = compressed && slot->bytes ? TAULER_OK : no_memory(&slot->message);
  if (!error)
    error = durable_read_range(file->descriptor, file->path, head->offset, compressed, head->compressed,
                               &slot->message);
  if (!error) {
    const size_t n = ZSTD_decompress(slot->bytes, head->raw, compressed, head->compressed);
    if (n != head->raw || unit_digest(head->unit, slot->bytes, n) != head->digest)
      error = refuse_checkpoint(file->path, "is damaged", &slot->message);
  }
  free(compressed);
  return error;
}

static tauler_error read_units(loading *l, const open_file *file, tauler_message *message) {
  for (uint64_t at = 0; at < file->wanted; at += (uint64_t)l->threads) {
    const uint64_t rest = file->wanted - at;
    const int n = rest < (uint64_t)l->threads ? (int)rest : l->threads;
#pragma omp parallel for num_threads(n) schedule(static, 1) if (n > 1)
    for (int i = 0; i < n; i++) {
      l->slots[i].error = read_unit(file, &file->heads[at + (uint64_t)i], &l->slots[i]);
    }
    tauler_error error = TAULER_OK;
    for (int i = 0; i < n; i++) {
      const slot *slot = &l->slots[i];
      const unit_head *head = &file->heads[at + (uint64_t)i];
      if (slot->error && !error) {
        error = slot->error;
        if (message) *message = slot->message;
      }
      if (l->receives && !error)
        error = l->reader->receive(l->reader->user, head->unit, slot->bytes, head->raw, message);
      free(slot->bytes);
    }
    if (error) return error;
    comm_note_progress(l->plan->comm);
  }
  return TAULER_OK;
}

static tauler_error open_data(open_file *file, tauler_message *message) {
  uint64_t bytes = 0;
  const tauler_error error = durable_read_open(file->path, &file->descriptor, &bytes, message);
  if (error == TAULER_TABLE_MISSING || error == TAULER_DAMAGED_FILE)
    return tauler_fail(message, TAULER_DAMAGED_FILE, "cannot read %.300s, a part of a checkpoint: %s",
                       file->path, error == TAULER_DAMAGED_FILE ? "it is no regular file" : strerror(ENOENT));
  if (error) return error;
  if (bytes != file->about->bytes || file->about->units > bytes / sizeof *file->heads)
    return refuse_checkpoint(file->path, "has another size than its marker says", message);
  return TAULER_OK;
}

static tauler_error read_file(loading *l, uint64_t i, tauler_message *message) {
  const checkpoint_plan *plan = l->plan;
  open_file file = {.path = data_file_path(plan->path, l->marker.generation, i),
                    .about = &l->marker.files[i]};
  if (!file.path) return no_memory(message);
  tauler_error error = open_data(&file, message);
  const bool digest_here = i % (uint64_t)comm_ranks(plan->comm) == (uint64_t)comm_rank(plan->comm);
  if (!error && !l->receives && digest_here) error = check_digest(&file, plan->comm, message);
  if (!error) error = read_heads(l, &file, message);
  if (!error) error = read_units(l, &file, message);
  if (file.descriptor >= 0) close(file.descriptor);
  free(file.heads);
  free(file.path);
  return error;
}

static tauler_error read_files(loading *l, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint64_t i = 0; i < l->marker.ranks && !error; i++) error = read_file(l, i, message);
  return error;
}

/* Checks all files on all ranks before any array changes, because the solve must start on unchanged arrays if
 * the checkpoint is damaged. */
static tauler_error check_files(loading *l, tauler_message *message) {
  l->slots = calloc((size_t)l->threads, sizeof *l->slots);
  l->seen = calloc(l->plan->units / 64 + 1, sizeof *l->seen);
  tauler_error error = l->slots && l->seen && l->marker.files ? TAULER_OK : no_memory(message);
  if (!error) error = read_files(l, message);
  if (!error && l->units_seen != l->plan->units)
    error = refuse_checkpoint(l->plan->path, "is not whole", message);
  return comm_agree(l->plan->comm, error, message);
}

static tauler_error load_files(loading *l, tauler_message *message) {
  l->receives = true;
  if (l->plan->run_bytes) memcpy(l->plan->run, l->marker.run, l->plan->run_bytes);
  tauler_error error = TAULER_OK;
  for (l->pass = 0; l->pass < l->reader->passes && !error; l->pass++) error = read_files(l, message);
  if (error == TAULER_DAMAGED_FILE) error = TAULER_IO; /* the file was sound when it was checked */
  return comm_agree(l->plan->comm, error, message);
}

tauler_error checkpoint_load(const checkpoint_plan *plan, const checkpoint_reader *reader,
                             tauler_message *message) {
  loading l = {.plan = plan, .reader = reader, .threads = plan->threads > 1 ? plan->threads : 1};
  tauler_error error = share_marker(&l, message);
  if (!error) error = check_files(&l, message);
  if (!error) error = load_files(&l, message);
  free(l.slots);
  free(l.seen);
  marker_free(&l.marker);
  return error;
}
