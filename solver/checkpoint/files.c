/* Names, reads, writes and removes the files of a checkpoint. */
#include "solver/checkpoint/files.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/durable_file.h"

/* The head of a marker. After the head the marker has the identity, the run, the entries of the files, and an
 * XXH3-128 digest of all bytes before the digest. */
typedef struct {
  char magic[8];
  uint64_t identity_bytes, run_bytes, ranks;
  uint64_t generation, units;
} marker_head;

static const char magic[8] = {'T', 'A', 'U', 'L', 'C', 'H', 'K', '2'};

enum { LARGEST_MARKER = 1 << 28, VERSION_AT = sizeof magic - 1 };

uint64_t unit_digest(uint64_t unit, const void *bytes, size_t n) {
  return XXH3_64bits_withSeed(bytes, n, unit);
}

char *data_file_path(const char *path, uint64_t generation, uint64_t rank) {
  char *made;
  return asprintf(&made, "%s.%" PRIu64 "-%" PRIu64, path, generation, rank) < 0 ? NULL : made;
}

void marker_free(marker *marker) {
  free(marker->run);
  free(marker->files);
  marker->run = NULL;
  marker->files = NULL;
}

static void *copy_bytes(const void *bytes, size_t n) {
  void *copy = malloc(n + 1);
  if (copy && n) memcpy(copy, bytes, n);
  return copy;
}

tauler_error refuse_checkpoint(const char *path, const char *why, tauler_message *message) {
  return tauler_fail(message, TAULER_DAMAGED_FILE, "the checkpoint %.300s %s", path, why);
}

static bool digest_agrees(const char *bytes, size_t n) {
  XXH128_hash_t found;
  memcpy(&found, bytes + n - sizeof found, sizeof found);
  return XXH128_isEqual(found, XXH3_128bits(bytes, n - sizeof found));
}

static tauler_error parse_marker(const char *path, const char *bytes, size_t n, marker *out,
                                 tauler_message *message) {
  marker_head head;
  if (n > VERSION_AT && memcmp(bytes, magic, VERSION_AT) == 0 && bytes[VERSION_AT] != magic[VERSION_AT])
    return refuse_checkpoint(path, "is of another version of the program", message);
  if (n < sizeof head + sizeof(XXH128_hash_t) || !digest_agrees(bytes, n))
    return refuse_checkpoint(path, "is damaged", message);
  memcpy(&head, bytes, sizeof head);
  const uint64_t rest = n - sizeof head - sizeof(XXH128_hash_t);
  if (memcmp(head.magic, magic, sizeof magic) != 0 || head.identity_bytes >= sizeof out->identity ||
      head.run_bytes > rest || head.ranks > rest / sizeof(data_file) ||
      head.identity_bytes + head.run_bytes + head.ranks * sizeof(data_file) != rest)
    return refuse_checkpoint(path, "is damaged", message);
  *out = (marker){
      .generation = head.generation, .units = head.units, .run_bytes = head.run_bytes, .ranks = head.ranks};
  const char *at = bytes + sizeof head;
  memcpy(out->identity, at, head.identity_bytes);
  at += head.identity_bytes;
  out->run = copy_bytes(at, head.run_bytes);
  at += head.run_bytes;
  out->files = copy_bytes(at, head.ranks * sizeof *out->files);
  if (out->run && out->files) return TAULER_OK;
  marker_free(out);
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a checkpoint");
}

tauler_error marker_read(const char *path, marker *out, tauler_message *message) {
  *out = (marker){0};
  int descriptor;
  uint64_t n = 0;
  tauler_error error = durable_read_open(path, &descriptor, &n, message);
  if (error == TAULER_DAMAGED_FILE || n > LARGEST_MARKER)
    error = refuse_checkpoint(path, "is damaged", message);
  char *bytes = error ? NULL : malloc(n + 1);
  if (!error && !bytes) error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a checkpoint");
  if (!error) error = durable_read_range(descriptor, path, 0, bytes, n, message);
  if (!error) error = parse_marker(path, bytes, n, out, message);
  free(bytes);
  if (descriptor >= 0) close(descriptor);
  return error;
}

tauler_error marker_write(const char *path, const marker *marker, tauler_message *message) {
  marker_head head = {.identity_bytes = strlen(marker->identity),
                      .run_bytes = marker->run_bytes,
                      .ranks = marker->ranks,
                      .generation = marker->generation,
                      .units = marker->units};
  memcpy(head.magic, magic, sizeof magic);
  const struct {
    const void *bytes;
    size_t n;
  } parts[] = {{&head, sizeof head},
               {marker->identity, head.identity_bytes},
               {marker->run, marker->run_bytes},
               {marker->files, marker->ranks * sizeof *marker->files}};
  size_t n = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) n += parts[i].n;
  char *bytes = malloc(n + sizeof(XXH128_hash_t));
  if (!bytes) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to write a checkpoint");
  char *at = bytes;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i].n) memcpy(at, parts[i].bytes, parts[i].n);
    at += parts[i].n;
  }
  const XXH128_hash_t digest = XXH3_128bits(bytes, n);
  memcpy(at, &digest, sizeof digest);
  const tauler_error error = durable_file_put(path, bytes, n + sizeof digest, message);
  free(bytes);
  return error;
}

/* True if the candidate is NAME.GENERATION-RANK as data_file_path writes it. */
static bool is_data_file(const char *candidate, const char *name, uint64_t *generation, uint64_t *rank) {
  const size_t length = strlen(name);
  int end = 0;
  if (strncmp(candidate, name, length) != 0 || candidate[length] != '.') return false;
  const char *numbers = candidate + length + 1;
  if (sscanf(numbers, "%20" SCNu64 "-%20" SCNu64 "%n", generation, rank, &end) != 2 || numbers[end])
    return false;
  char again[64];
  snprintf(again, sizeof again, "%" PRIu64 "-%" PRIu64, *generation, *rank);
  return strcmp(again, numbers) == 0;
}

uint64_t remove_orphans(const char *path) {
  marker present;
  const tauler_error error = marker_read(path, &present, NULL);
  const bool known = error == TAULER_OK || error == TAULER_TABLE_MISSING;
  uint64_t greatest = error ? 0 : present.generation;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char *above = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  DIR *folder = above ? opendir(above) : NULL;
  const struct dirent *entry;
  while (folder && (entry = readdir(folder))) {
    uint64_t generation, rank;
    if (!is_data_file(entry->d_name, name, &generation, &rank)) continue;
    if (generation > greatest) greatest = generation;
    const bool named = !error && generation == present.generation && rank < present.ranks;
    if (known && !named) unlinkat(dirfd(folder), entry->d_name, 0);
  }
  if (folder) closedir(folder);
  free(above);
  marker_free(&present);
  return greatest;
}
