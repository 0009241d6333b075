#include "solver/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/durable_file.h"

/* Layout: head, identity, then records { piece_head, compressed bytes } in any order. Numbers are
 * little-endian, as on every machine that the tables are made for. */
enum { PIECE_BYTES = 1 << 20, LEVEL = 1 };

static const char magic[8] = {'T', 'A', 'U', 'L', 'C', 'H', 'K', '1'};

typedef struct {
  char magic[8];
  uint64_t identity_bytes, pieces, bytes; /* of all parts */
  uint64_t digest;                        /* of this head and the identity, digest being 0 */
} file_head;

typedef struct {
  uint64_t piece, compressed;
  uint64_t digest; /* of the piece's number and its bytes as they were */
} piece_head;

struct checkpoint_file {
  durable_file *file;
  const checkpoint_part *parts;
  size_t n;
  uint64_t pieces;
  pthread_mutex_t writing;
};

static uint64_t count_pieces(const checkpoint_part *parts, size_t n) {
  uint64_t pieces = 0;
  for (size_t i = 0; i < n; i++) pieces += (parts[i].n + PIECE_BYTES - 1) / PIECE_BYTES;
  return pieces;
}

/* The bytes that a piece stands for; false where there is no such piece. */
static bool find_piece(const checkpoint_part *parts, size_t n, uint64_t piece, char **bytes, size_t *size) {
  for (size_t i = 0; i < n; i++) {
    const uint64_t here = (parts[i].n + PIECE_BYTES - 1) / PIECE_BYTES;
    if (piece >= here) {
      piece -= here;
      continue;
    }
    const uint64_t from = piece * PIECE_BYTES, rest = parts[i].n - from;
    *bytes = (char *)parts[i].bytes + from;
    *size = rest < PIECE_BYTES ? (size_t)rest : PIECE_BYTES;
    return true;
  }
  return false;
}

static uint64_t digest_head(file_head head, const char *identity) {
  head.digest = 0;
  return XXH3_64bits_withSeed(identity, head.identity_bytes, XXH3_64bits(&head, sizeof head));
}

static file_head make_head(const char *identity, const checkpoint_part *parts, size_t n) {
  file_head head = {.identity_bytes = strlen(identity), .pieces = count_pieces(parts, n)};
  memcpy(head.magic, magic, sizeof magic);
  for (size_t i = 0; i < n; i++) head.bytes += parts[i].n;
  head.digest = digest_head(head, identity);
  return head;
}

tauler_error checkpoint_begin(const char *path, const char *identity, const checkpoint_part *parts, size_t n,
                              checkpoint_file **out, tauler_message *message) {
  *out = NULL;
  checkpoint_file *made = calloc(1, sizeof *made);
  if (!made) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a checkpoint");
  *made = (checkpoint_file){.parts = parts, .n = n, .pieces = count_pieces(parts, n)};
  tauler_error error = durable_file_create(path, &made->file, message);
  if (error) {
    free(made);
    return error;
  }
  pthread_mutex_init(&made->writing, NULL);
  const file_head head = make_head(identity, parts, n);
  error = durable_file_write(made->file, &head, sizeof head, message);
  if (!error) error = durable_file_write(made->file, identity, strlen(identity), message);
  if (error) {
    checkpoint_abandon(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

uint64_t checkpoint_pieces(const checkpoint_file *file) {
  return file->pieces;
}

tauler_error checkpoint_store(checkpoint_file *file, uint64_t piece, tauler_message *message) {
  char *bytes;
  size_t size;
  if (!find_piece(file->parts, file->n, piece, &bytes, &size)) return TAULER_INTERNAL;
  const size_t room = ZSTD_compressBound(size);
  char *record = malloc(sizeof(piece_head) + room);
  if (!record) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress a checkpoint");
  const size_t compressed = ZSTD_compress(record + sizeof(piece_head), room, bytes, size, LEVEL);
  tauler_error error = TAULER_OK;
  if (ZSTD_isError(compressed)) {
    error = tauler_fail(message, TAULER_NO_MEMORY, "a checkpoint cannot be compressed: %s",
                        ZSTD_getErrorName(compressed));
  } else {
    const piece_head head = {piece, compressed, XXH3_64bits_withSeed(bytes, size, piece)};
    memcpy(record, &head, sizeof head);
    pthread_mutex_lock(&file->writing);
    error = durable_file_write(file->file, record, sizeof head + compressed, message);
    pthread_mutex_unlock(&file->writing);
  }
  free(record);
  return error;
}

tauler_error checkpoint_commit(checkpoint_file *file, tauler_message *message) {
  const tauler_error error = durable_file_commit(file->file, message);
  pthread_mutex_destroy(&file->writing);
  free(file);
  return error;
}

void checkpoint_abandon(checkpoint_file *file) {
  if (!file) return;
  durable_file_abandon(file->file);
  pthread_mutex_destroy(&file->writing);
  free(file);
}

/* What loading needs besides the parts. */
typedef struct {
  int descriptor;
  const char *path;
  uint64_t size, at;
  char *compressed, *checked; /* a piece as it is stored, and as it was */
  bool *seen;
} reader;

static tauler_error refuse(const reader *r, const char *why, tauler_message *message) {
  return tauler_fail(message, TAULER_DAMAGED_FILE, "the checkpoint %.300s %s", r->path, why);
}

static tauler_error read_next(reader *r, void *bytes, size_t n, tauler_message *message) {
  if (n > r->size - r->at) return refuse(r, "is cut short", message);
  const tauler_error error = durable_read_range(r->descriptor, r->path, r->at, bytes, n, message);
  r->at += n;
  return error;
}

static tauler_error load_head(reader *r, const char *identity, const checkpoint_part *parts, size_t n,
                              tauler_message *message) {
  const file_head wanted = make_head(identity, parts, n);
  file_head head;
  char found[512];
  tauler_error error = read_next(r, &head, sizeof head, message);
  if (error) return error;
  if (memcmp(&head, &wanted, sizeof head) != 0) return refuse(r, "is not of this solve", message);
  if (head.identity_bytes > sizeof found) return TAULER_INTERNAL;
  error = read_next(r, found, head.identity_bytes, message);
  if (!error && memcmp(found, identity, head.identity_bytes) != 0)
    error = refuse(r, "is not of this solve", message);
  return error;
}

static tauler_error load_piece(reader *r, const checkpoint_part *parts, size_t n, uint64_t pieces, bool fill,
                               tauler_message *message) {
  piece_head head;
  tauler_error error = read_next(r, &head, sizeof head, message);
  if (error) return error;
  char *bytes;
  size_t size;
  if (head.piece >= pieces || r->seen[head.piece] || head.compressed > ZSTD_compressBound(PIECE_BYTES) ||
      !find_piece(parts, n, head.piece, &bytes, &size)) {
    return refuse(r, "is damaged", message);
  }
  if (!fill) bytes = r->checked;
  error = read_next(r, r->compressed, head.compressed, message);
  if (error) return error;
  const size_t decoded = ZSTD_decompress(bytes, size, r->compressed, head.compressed);
  if (decoded != size || XXH3_64bits_withSeed(bytes, size, head.piece) != head.digest) {
    return refuse(r, "is damaged", message);
  }
  r->seen[head.piece] = true;
  return TAULER_OK;
}

/* Without `fill` pieces are only checked: a solve starts anew on arrays as they were if its checkpoint
 * is damaged, so none is touched before all are found sound. */
static tauler_error load_pieces(reader *r, const checkpoint_part *parts, size_t n, bool fill,
                                tauler_message *message) {
  const uint64_t pieces = count_pieces(parts, n);
  tauler_error error = TAULER_OK;
  memset(r->seen, 0, pieces * sizeof *r->seen);
  for (uint64_t i = 0; i < pieces && !error; i++) error = load_piece(r, parts, n, pieces, fill, message);
  return error;
}

tauler_error checkpoint_load(const char *path, const char *identity, const checkpoint_part *parts, size_t n,
                             tauler_message *message) {
  reader r = {.descriptor = open(path, O_RDONLY | O_CLOEXEC), .path = path};
  if (r.descriptor < 0) {
    const tauler_error error = errno == ENOENT ? TAULER_TABLE_MISSING : TAULER_IO;
    return tauler_fail(message, error, "cannot read the checkpoint %.300s: %s", path, strerror(errno));
  }
  struct stat about;
  r.size = fstat(r.descriptor, &about) == 0 ? (uint64_t)about.st_size : 0;
  r.compressed = malloc(ZSTD_compressBound(PIECE_BYTES));
  r.checked = malloc(PIECE_BYTES);
  r.seen = calloc(count_pieces(parts, n) + 1, sizeof *r.seen);
  tauler_error error = TAULER_OK;
  if (!r.compressed || !r.checked || !r.seen)
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a checkpoint");
  if (!error) error = load_head(&r, identity, parts, n, message);
  const uint64_t first = r.at;
  if (!error) error = load_pieces(&r, parts, n, false, message);
  if (!error && r.at != r.size) error = refuse(&r, "has something behind its end", message);
  r.at = first;
  if (!error) {
    error = load_pieces(&r, parts, n, true, message);
    if (error == TAULER_DAMAGED_FILE) error = TAULER_IO; /* it was sound a moment ago */
  }
  close(r.descriptor);
  free(r.compressed);
  free(r.checked);
  free(r.seen);
  return error;
}
