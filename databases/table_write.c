/* Writes a table with several threads, in the order of its cells. Recodes a table adaptively. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "databases/table_format.h"
#include "databases/table_parts.h"

/* The state shared by all threads. `writer` and `error` change only in the ordered part of the loop, by one
 * thread at a time in the order of the chunks, or after the loop. */
typedef struct {
  const char *path;
  table_header header;
  const table_write_settings *settings;
  table_fill fill;
  void *user;
  table_writer *writer;
  atomic_int error; /* first error in the order of the cells */
} table_job;

typedef struct {
  table_framer *framer;
  unsigned char *stored, *plain; /* the same array for TABLE_PLAIN */
  table_frames frames;
  cell_histogram *histogram; /* NULL for floating-point cells and if a table is recoded */
} write_worker;

static tauler_error init_worker(write_worker *worker, const table_job *job, tauler_message *message) {
  const table_header *header = &job->header;
  const size_t chunk = table_chunk_frames(header) * header->frame_bytes;
  const bool real = table_cell_is_real(header->cell);
  memset(worker, 0, sizeof *worker);
  worker->stored = malloc(chunk);
  worker->plain = header->coding == TABLE_PLAIN ? worker->stored : malloc(chunk);
  worker->histogram = real || job->settings->recoding ? NULL : cell_histogram_new(header->cell);
  if (!worker->stored || !worker->plain || (!real && !job->settings->recoding && !worker->histogram))
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

/* Threads make chunks in any order and append them in the order of the cells. So the file does not depend on
 * the number of threads, and each thread holds only one chunk. */
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
      if (error == TAULER_OK && !job->error) error = make_chunk(job, &worker, chunk, &cause);
#pragma omp ordered
      if (!job->error) {
        if (error == TAULER_OK)
          error = table_writer_append(job->writer, &worker.frames, worker.stored, worker.plain, &cause);
        if (error && message) *message = cause;
        job->error = error;
      }
    }
#pragma omp critical(table_write_histogram)
    if (worker.histogram) table_writer_count(job->writer, worker.histogram);
    table_framer_free(worker.framer);
    if (worker.plain != worker.stored) free(worker.plain);
    free(worker.stored);
    free(worker.histogram);
  }
  return (tauler_error)job->error;
}

tauler_error table_write(const char *path, const table_header *header, const table_write_settings *settings,
                         table_fill fill, void *user, table_header *written, tauler_message *message) {
  table_job job = {.path = path, .settings = settings, .fill = fill, .user = user};
  table_start_header(&job.header, header, settings);
  tauler_error error = table_writer_begin(path, header, settings, &job.writer, message);
  if (error != TAULER_OK) return error;
  error = write_frames(&job, message);
  const bool wanted = !settings->recoding || table_recoding_end(settings->recoding, job.writer);
  if (error == TAULER_OK && wanted) return table_writer_end(job.writer, written, message);
  if (error == TAULER_OK && written) *written = (table_header){0};
  table_writer_abandon(job.writer);
  return error;
}

enum { ADAPTIVE_FRAME_BYTES = 1 << 15, PIECE_CELLS = 1 << 18, STRONG_LEVEL = 19 };

static tauler_error report_no_memory(const table *from, tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to recode %s; use fewer threads", from->path);
}

static tauler_error count_decisions(const table *from, adaptive_model *model, const table_classes *classes,
                                    int threads, adaptive_count all[ADAPTIVE_PRIORS],
                                    tauler_message *message) {
  const uint64_t positions = from->layout.header.positions, pieces = (positions - 1) / PIECE_CELLS + 1;
  tauler_error error = TAULER_OK;
#pragma omp parallel num_threads(table_threads_for(pieces, threads))
  {
    adaptive_coder *coder = adaptive_coder_new();
    adaptive_count *counts = calloc(ADAPTIVE_PRIORS, sizeof *counts);
    uint8_t *cells = malloc(PIECE_CELLS);
    tauler_message cause = {""};
    tauler_error own = coder && counts && cells ? TAULER_OK : report_no_memory(from, &cause);
#pragma omp for schedule(dynamic, 1)
    for (uint64_t first = 0; first < positions; first += PIECE_CELLS) {
      const size_t n = positions - first < PIECE_CELLS ? (size_t)(positions - first) : PIECE_CELLS;
      if (!own) own = table_read(from, first, n, cells, &cause);
      if (!own) adaptive_learn(coder, model, classes, first, n, cells, counts);
    }
#pragma omp critical(table_recode_learn)
    {
      for (size_t i = 0; !own && i < ADAPTIVE_PRIORS; i++) {
        all[i].all += counts[i].all;
        all[i].ones += counts[i].ones;
      }
      if (own && !error) {
        error = own;
        if (message) *message = cause;
      }
    }
    free(coder);
    free(counts);
    free(cells);
  }
  return error;
}

static tauler_error make_priors(table_recoding *recoding, const adaptive_count *counts,
                                tauler_message *message) {
  adaptive_coder *coder = adaptive_coder_new();
  ZSTD_CCtx *compressor = ZSTD_createCCtx();
  uint8_t *packed = malloc(ADAPTIVE_PACKED_MOST);
  recoding->priors = malloc(ZSTD_compressBound(ADAPTIVE_PACKED_MOST));
  tauler_error error = TAULER_NO_MEMORY;
  if (coder && compressor && packed && recoding->priors) {
    adaptive_set_priors(coder, &recoding->model, counts);
    const size_t n = adaptive_pack_priors(&recoding->model, packed);
    (void)ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, STRONG_LEVEL);
    const size_t size = zstd_compress_parts(compressor, packed, ADAPTIVE_PRIORS / 8, n, recoding->priors);
    recoding->priors_bytes = (uint32_t)size;
    if (!ZSTD_isError(size)) error = TAULER_OK;
  }
  free(coder);
  ZSTD_freeCCtx(compressor);
  free(packed);
  return error ? report_no_memory(recoding->from, message) : TAULER_OK;
}

static tauler_error learn_priors(table_recoding *recoding, const table_classes *classes, int threads,
                                 tauler_message *message) {
  adaptive_count *counts = calloc(ADAPTIVE_PRIORS, sizeof *counts);
  if (!counts) return report_no_memory(recoding->from, message);
  tauler_error error = count_decisions(recoding->from, &recoding->model, classes, threads, counts, message);
  if (!error) error = make_priors(recoding, counts, message);
  free(counts);
  return error;
}

static tauler_error fill_from_table(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                    tauler_message *message) {
  const tauler_error error = table_read(user, first, count, stored, message);
  if (plain != stored) memcpy(plain, stored, count);
  return error;
}

bool table_recoding_end(const table_recoding *recoding, table_writer *writer) {
  const table_header *header = &recoding->from->layout.header;
  const table_digests digests = {.stored = header->stored_digest, .plain = header->plain_digest};
  table_writer_set_digests(writer, &digests, header->counts, header->counts_used);
  return table_writer_bytes(writer) + header->counts_used * TABLE_COUNT_BYTES < header->stored_bytes;
}

tauler_error table_recode(const table *from, const table_classes *classes, const char *path, int threads,
                          table_header *written, tauler_message *message) {
  const table_header *header = &from->layout.header;
  *written = (table_header){0};
  if (table_cell_bytes(header->cell) != 1 || table_is_adaptive(header)) return TAULER_OK;
  table_recoding *recoding = calloc(1, sizeof *recoding);
  if (!recoding) return report_no_memory(from, message);
  recoding->from = from;
  adaptive_model_open(&recoding->model, header);
  const table_write_settings settings = {.level = STRONG_LEVEL,
                                         .frame_bytes = ADAPTIVE_FRAME_BYTES,
                                         .threads = threads,
                                         .classes = classes->find ? classes : NULL,
                                         .recoding = recoding};
  tauler_error error = learn_priors(recoding, classes, threads, message);
  if (!error)
    error = table_write(path, header, &settings, fill_from_table, (void *)(uintptr_t)from, written, message);
  free(recoding->priors);
  free(recoding);
  return error;
}
