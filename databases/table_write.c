/* Writes a table with all threads, in the order of its cells. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "databases/table_format.h"
#include "databases/table_parts.h"
#include "databases/table_writer.h"

/* The state shared by all threads. All except `stopped` is used only in the ordered part of the loop, by one
 * thread at a time in the order of the chunks, or outside the loop. */
typedef struct {
  const char *path;
  table_header header;
  const table_write_settings *settings;
  table_fill fill;
  void *user;
  table_writer *writer;
  tauler_error error; /* the first error in the order of the cells */
  atomic_bool stopped;
} table_job;

/* The state of a thread that makes a chunk: some frames with their cells, compressed and checked. */
typedef struct {
  table_framer *framer;
  unsigned char *stored, *plain; /* the same array if plain */
  table_frames frames;
  cell_histogram *histogram; /* NULL for floating-point cells */
} write_worker;

static void free_worker(write_worker *worker) {
  table_framer_free(worker->framer);
  if (worker->plain != worker->stored) free(worker->plain);
  free(worker->stored);
  cell_histogram_free(worker->histogram);
}

static tauler_error init_worker(write_worker *worker, const table_job *job, tauler_message *message) {
  const table_header *header = &job->header;
  const size_t chunk = table_chunk_frames(header) * header->frame_bytes;
  const bool real = table_cell_is_real(header->cell);
  memset(worker, 0, sizeof *worker);
  worker->stored = malloc(chunk);
  worker->plain = header->coding == TABLE_PLAIN ? worker->stored : malloc(chunk);
  worker->histogram = real ? NULL : cell_histogram_new(header->cell);
  if (!worker->stored || !worker->plain || (!real && !worker->histogram))
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress %s; use fewer threads", job->path);
  return table_framer_new(job->path, header, job->settings, &worker->framer, message);
}

static tauler_error make_chunk(table_job *job, write_worker *worker, uint64_t chunk,
                               tauler_message *message) {
  const table_header *header = &job->header;
  const uint64_t most = table_chunk_frames(header) * header->frame_bytes / table_cell_bytes(header->cell);
  const uint64_t first = chunk * most, left = header->positions - first;
  const size_t count = (size_t)(left < most ? left : most);
  const tauler_error error = job->fill(job->user, first, count, worker->stored, worker->plain, message);
  if (error != TAULER_OK) return error;
  if (worker->histogram) cell_histogram_add(worker->histogram, worker->plain, count);
  return table_frames_make(worker->framer, chunk * table_chunk_frames(header), count, worker->stored,
                           worker->plain, &worker->frames, message);
}

static void stop_job(table_job *job, tauler_error error, const tauler_message *cause,
                     tauler_message *message) {
  if (job->error != TAULER_OK) return;
  job->error = error;
  if (message) *message = *cause;
  atomic_store(&job->stopped, true);
}

/* Threads make chunks in any order and append them in the order of the cells. So the file, or the error, does
 * not depend on the number of threads, and memory holds no more than a chunk per thread. */
static tauler_error write_frames(table_job *job, tauler_message *message) {
  const uint64_t chunk_frames = table_chunk_frames(&job->header);
  const uint64_t chunks = (table_frame_count(&job->header) + chunk_frames - 1) / chunk_frames;
  const int threads = table_threads_for(chunks, job->settings->threads);
#pragma omp parallel num_threads(threads)
  {
    write_worker worker;
    tauler_message cause = {""};
    const tauler_error missing = init_worker(&worker, job, &cause);
#pragma omp for ordered schedule(dynamic, 1)
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
      tauler_error error = missing;
      if (error == TAULER_OK && !atomic_load(&job->stopped)) error = make_chunk(job, &worker, chunk, &cause);
#pragma omp ordered
      {
        if (error == TAULER_OK && job->error == TAULER_OK)
          error = table_writer_append(job->writer, &worker.frames, worker.stored, worker.plain, &cause);
        if (error != TAULER_OK) stop_job(job, error, &cause, message);
      }
    }
#pragma omp critical(table_write_histogram)
    if (worker.histogram) table_writer_count(job->writer, worker.histogram);
    free_worker(&worker);
  }
  return job->error;
}

tauler_error table_write(const char *path, const table_header *header, const table_write_settings *settings,
                         table_fill fill, void *user, table_header *written, tauler_message *message) {
  table_job job = {.path = path, .settings = settings, .fill = fill, .user = user};
  table_start_header(&job.header, header, settings);
  tauler_error error = table_writer_begin(path, header, settings, &job.writer, message);
  if (error != TAULER_OK) return error;
  error = write_frames(&job, message);
  if (error == TAULER_OK) return table_writer_end(job.writer, written, message);
  table_writer_abandon(job.writer);
  return error;
}
