/* Writes the frames of all ranks into the file of a table. Each rank writes its own. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "base/durable_file.h"
#include "databases/folder.h"
#include "solver/tables/chunks_parts.h"

static uint64_t count_own_chunks(const chunk_batch *b) {
  return b->starts[b->rank + 1] - b->starts[b->rank];
}

tauler_error frame_hold_open(frame_hold *hold, const chunk_batch *b, const char *path,
                             tauler_message *message) {
  char above[FOLDER_PATH_BYTES];
  memory_budget *memory = b->job->work.memory;
  tauler_error error =
      memory_allocate_array(memory, (b->ranks == 1 ? b->here : count_own_chunks(b) + 1) * MOST_PIECES,
                            sizeof *hold->pieces, "frames of a table", &hold->pieces, message);
  if (error || b->ranks == 1) return error;
  snprintf(above, sizeof above, "%s", path);
  *strrchr(above, '/') = 0;
  error = memory_allocate_array(memory, chunks_batches(b) / b->together + 1, sizeof *hold->sent,
                                "batches of a table", &hold->sent, message);
  return error ? error : unnamed_file_open(above, &hold->file, message);
}

void frame_hold_close(frame_hold *hold, const chunk_batch *b) {
  unnamed_file_close(hold->file);
  memory_free(b->job->work.memory, hold->pieces);
  memory_free(b->job->work.memory, hold->sent);
  *hold = (frame_hold){0};
}

tauler_error frame_hold_put(frame_hold *hold, chunk_batch *b, uint64_t i, uint64_t piece,
                            const table_frames *frames, tauler_message *message) {
  const uint64_t place = (hold->file ? b->batch * b->here : 0) + i;
  held_piece *held = &hold->pieces[place * MOST_PIECES + piece];
  tauler_error error;
  held->n = (uint32_t)frames->n;
  held->frames = (uint32_t)frames->used;
  memcpy(held->sizes, frames->sizes, frames->used * sizeof *frames->sizes);
  if (hold->file) {
    held->at = atomic_fetch_add(&hold->end, unnamed_file_round(frames->n));
    held->digest = XXH3_128bits(frames->bytes, frames->n);
    return unnamed_file_write(hold->file, held->at, frames->bytes, frames->n, message);
  }
#pragma omp critical(frame_hold_put)
  {
    held->at = b->mail.out->n;
    error = mail_append(&b->mail, b->mail.out, frames->bytes, frames->n, message);
  }
  return error;
}

tauler_error frame_hold_get(const frame_hold *hold, const held_piece *piece, uint8_t *to,
                            tauler_message *message) {
  const tauler_error error = unnamed_file_read(hold->file, piece->at, to, piece->n, message);
  if (error || XXH128_isEqual(XXH3_128bits(to, piece->n), piece->digest)) return error;
  return unnamed_file_refuse(hold->file, message);
}

typedef struct {
  uint64_t n;
  XXH128_hash_t digest;
} kept_stream;

tauler_error frame_hold_keep(frame_hold *hold, const chunk_batch *b, tauler_message *message) {
  uint64_t bytes = 0;
  for (int r = 0; r < b->ranks; r++) bytes += sizeof(kept_stream) + b->mail.in[r].n;
  uint64_t at = hold->sent[b->batch / b->together] = atomic_fetch_add(&hold->end, unnamed_file_round(bytes));
  tauler_error error = TAULER_OK;
  for (int r = 0; r < b->ranks && !error; r++) {
    const mail_stream *stream = &b->mail.in[r];
    const kept_stream kept = {stream->n, XXH3_128bits(stream->bytes, stream->n)};
    error = unnamed_file_write(hold->file, at, &kept, sizeof kept, message);
    if (!error) error = unnamed_file_write(hold->file, at + sizeof kept, stream->bytes, stream->n, message);
    at += sizeof kept + stream->n;
  }
  return error;
}

tauler_error frame_hold_load(const frame_hold *hold, chunk_batch *b, tauler_message *message) {
  uint64_t at = hold->sent[b->batch / b->together];
  tauler_error error = TAULER_OK;
  mail_clear(&b->mail, b->mail.in);
  for (int r = 0; r < b->ranks && !error; r++) {
    kept_stream kept;
    uint8_t *bytes;
    error = unnamed_file_read(hold->file, at, &kept, sizeof kept, message);
    if (!error) error = mail_reserve(&b->mail, &b->mail.in[r], kept.n, &bytes, message);
    if (!error) error = unnamed_file_read(hold->file, at + sizeof kept, bytes, kept.n, message);
    if (!error && !XXH128_isEqual(XXH3_128bits(bytes, kept.n), kept.digest))
      error = unnamed_file_refuse(hold->file, message);
    if (!error) b->mail.in[r].n = kept.n;
    at += sizeof kept + kept.n;
  }
  return error;
}

/* starts[w] is the number of bytes of frames before chunk w. */
typedef struct {
  const chunk_batch *b;
  frame_hold *hold;
  uint64_t *starts;
  durable_file *file;
  const char *path;
} frame_way;

typedef tauler_error move_piece(const frame_way *way, const held_piece *piece, uint64_t at, uint8_t *bytes,
                                tauler_message *message);

static tauler_error write_piece(const frame_way *way, const held_piece *piece, uint64_t at, uint8_t *bytes,
                                tauler_message *message) {
  tauler_error error = frame_hold_get(way->hold, piece, bytes, message);
  if (!error) error = durable_file_write_at(way->file, at, bytes, piece->n, message);
  if (!error) unnamed_file_discard(way->hold->file, piece->at, unnamed_file_round(piece->n));
  return error;
}

static tauler_error check_piece(const frame_way *way, const held_piece *piece, uint64_t at, uint8_t *bytes,
                                tauler_message *message) {
  const tauler_error error =
      durable_read_range(durable_file_descriptor(way->file), way->path, at, bytes, piece->n, message);
  if (error && error != TAULER_DAMAGED_FILE) return error;
  if (!error && XXH128_isEqual(XXH3_128bits(bytes, piece->n), piece->digest)) return TAULER_OK;
  return tauler_fail(message, TAULER_IO,
                     "%s does not read back as it was written: check the disk, then build it again",
                     way->path);
}

static tauler_error visit_pieces(const frame_way *way, move_piece *move, tauler_message *message) {
  const chunk_batch *b = way->b;
  failure first = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
  for (uint64_t place = 0; place < count_own_chunks(b); place++) {
    tauler_message cause = {""};
    tauler_error error = TAULER_OK;
    uint64_t at = TABLE_FRAMES_AT + way->starts[b->list[b->starts[b->rank] + place]];
    for (int i = 0; i < MOST_PIECES && !error && !first.error; i++) {
      const held_piece *piece = &way->hold->pieces[place * MOST_PIECES + (uint64_t)i];
      if (piece->n) error = move(way, piece, at, chunks_scratch(b, omp_get_thread_num(), 0), &cause);
      at += piece->n;
    }
    failure_note(&first, error, &cause);
    comm_note_progress(b->job->work.comm);
  }
  return failure_outcome(&first, message);
}

static tauler_error find_chunk_starts(frame_way *way, tauler_message *message) {
  const chunk_batch *b = way->b;
  for (uint64_t i = 0; i < count_own_chunks(b) * MOST_PIECES; i++)
    way->starts[b->list[b->starts[b->rank] + i / MOST_PIECES] + 1] += way->hold->pieces[i].n;
  const tauler_error error = comm_allreduce(b->job->work.comm, COMM_SUM, way->starts + 1, b->chunks, message);
  for (uint64_t w = 0; w < b->chunks; w++) way->starts[w + 1] += way->starts[w];
  return error;
}

/* Each rank opens the file itself. The writer of the leading rank also keeps the file open, for the header
 * and the seek table. */
static tauler_error write_and_check(frame_way *way, const char *hidden, tauler_message *message) {
  comm *comm = way->b->job->work.comm;
  tauler_error error = durable_file_join(way->path, hidden, true, &way->file, message);
  if (!error) error = visit_pieces(way, write_piece, message);
  if (!error) error = durable_file_sync(way->file, message);
  durable_file_abandon(way->file);
  error = comm_agree(comm, error, message);
  if (error) return error;
  error = durable_file_join(way->path, hidden, false, &way->file, message);
  if (!error) error = visit_pieces(way, check_piece, message);
  durable_file_abandon(way->file);
  return comm_agree(comm, error, message);
}

static tauler_error send_sizes(chunk_batch *b, const frame_hold *hold, tauler_message *message) {
  mail_clear(&b->mail, b->mail.out);
  tauler_error error = TAULER_OK;
  for (uint64_t left = count_own_chunks(b) * MOST_PIECES; left > 0 && !error; left--) {
    const uint64_t place = (left - 1) / MOST_PIECES, i = MOST_PIECES - 1 - (left - 1) % MOST_PIECES;
    const held_piece *piece = &hold->pieces[place * MOST_PIECES + i];
    error = mail_append(&b->mail, b->mail.out, piece->sizes, sizeof piece->sizes, message);
  }
  return mail_send(&b->mail, error, NULL, NULL, message);
}

static tauler_error note_sizes(const frame_way *way, table_writer *writer, tauler_message *message) {
  const chunk_batch *b = way->b;
  size_t *next;
  tauler_error error = memory_allocate_array(b->job->work.memory, (uint64_t)b->ranks, sizeof *next,
                                             "sizes of frames", &next, message);
  for (uint64_t w = 0; w < b->chunks && !error; w++) {
    enum { PIECE = PIECE_FRAMES * sizeof(uint32_t) };
    const mail_stream *from = &b->mail.in[b->owners[w]];
    uint32_t sizes[MOST_PIECES * PIECE_FRAMES];
    table_frames frames = {.first = chunks_first_frame(b, w, 0), .sizes = sizes};
    if (from->n - next[b->owners[w]] < sizeof sizes) {
      error = chunks_bad_blob(message);
      break;
    }
    memcpy(sizes, from->bytes + next[b->owners[w]], sizeof sizes);
    next[b->owners[w]] += sizeof sizes;
    while (frames.used < MOST_PIECES * PIECE_FRAMES && sizes[frames.used]) frames.n += sizes[frames.used++];
    error = frames.n == way->starts[w + 1] - way->starts[w] ? table_writer_note(writer, &frames, message)
                                                            : chunks_bad_blob(message);
  }
  memory_free(b->job->work.memory, next);
  return error;
}

tauler_error frame_hold_write(frame_hold *hold, chunk_batch *b, const char *path, table_writer *writer,
                              tauler_message *message) {
  comm *comm = b->job->work.comm;
  frame_way way = {.b = b, .hold = hold, .path = path};
  char hidden[FOLDER_PATH_BYTES] = "";
  tauler_error error = memory_allocate_array(b->job->work.memory, b->chunks + 1, sizeof *way.starts,
                                             "places of frames", &way.starts, message);
  error = comm_agree(comm, error, message);
  if (!error) error = find_chunk_starts(&way, message);
  if (!error) {
    const char *name = "";
    if (writer) error = table_writer_share(writer, way.starts[b->chunks], &name, message);
    snprintf(hidden, sizeof hidden, "%s", name);
    error = comm_agree(comm, error, message);
  }
  if (!error) error = comm_bcast(comm, 0, hidden, sizeof hidden, message);
  if (!error) error = write_and_check(&way, hidden, message);
  if (!error) error = send_sizes(b, hold, message);
  if (!error) error = comm_agree(comm, writer ? note_sizes(&way, writer, message) : TAULER_OK, message);
  memory_free(b->job->work.memory, way.starts);
  return error;
}
