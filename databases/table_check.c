/* Reads all of a table, recomputes its digests and counts, and compares them. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/durable_file.h"
#include "base/memory.h"
#include "databases/cell_histogram.h"
#include "databases/table.h"
#include "databases/table_parts.h"

/* `stored`, `frames` and `error` change in the order of the chunks, by one thread at a time. */
typedef struct {
  const table *table;
  table_digester *stored, *frames;
  cell_histogram *histogram; /* NULL unless the cells are plain integers, which can be counted */
  atomic_int error;
} table_checker;

/* The state of a thread, with its last chunk, whose frames are in decoder->compressed. */
typedef struct {
  frame_decoder *decoder;
  unsigned char *cells;
  size_t compressed_bytes, cells_bytes;
  cell_histogram *histogram;
} check_worker;

static tauler_error no_memory_to_check(const table *table, tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory to check the table %s", table->path);
}

static tauler_error check_chunk(const table *table, check_worker *worker, uint64_t chunk,
                                tauler_message *message) {
  const uint64_t frames = table_chunk_frames(&table->layout.header), first = chunk * frames;
  const uint64_t end = first + frames < table->layout.frames ? first + frames : table->layout.frames;
  const uint64_t *offsets = table->offsets;
  frame_decoder *decoder = worker->decoder;
  worker->compressed_bytes = (size_t)(offsets[end] - offsets[first]);
  worker->cells_bytes = 0;
  if (!memory_make_room(&decoder->compressed, &decoder->room, worker->compressed_bytes, 1))
    return no_memory_to_check(table, message);
  tauler_error error = durable_read_range(table->descriptor, table->path, offsets[first], decoder->compressed,
                                          worker->compressed_bytes, message);
  for (uint64_t frame = first; frame < end && error == TAULER_OK; frame++) {
    error = frame_decode(decoder, table, frame_whole(&table->layout.header, frame),
                         decoder->compressed + (offsets[frame] - offsets[first]),
                         (size_t)(offsets[frame + 1] - offsets[frame]), worker->cells + worker->cells_bytes,
                         message);
    worker->cells_bytes += table_frame_size(&table->layout.header, frame);
  }
  if (error == TAULER_OK && worker->histogram)
    cell_histogram_add(worker->histogram, worker->cells,
                       worker->cells_bytes / table_cell_bytes(table->layout.header.cell));
  return error;
}

static tauler_error check_frames(table_checker *checker, int threads_wanted, tauler_message *message) {
  const table *table = checker->table;
  const table_header *header = &table->layout.header;
  const uint64_t chunk_frames = table_chunk_frames(header);
  const uint64_t chunks = (table->layout.frames + chunk_frames - 1) / chunk_frames;
  const int threads = table_threads_for(chunks, threads_wanted);
#pragma omp parallel num_threads(threads)
  {
    check_worker worker = {.decoder = frame_decoder_new(),
                           .cells = malloc(chunk_frames * header->frame_bytes),
                           .histogram = checker->histogram ? cell_histogram_new(header->cell) : NULL};
    tauler_message cause = {""};
    const bool made = worker.decoder && worker.cells && !checker->histogram == !worker.histogram;
    const tauler_error missing = made ? TAULER_OK : no_memory_to_check(table, &cause);
#pragma omp for ordered schedule(dynamic, 1)
    for (uint64_t chunk = 0; chunk < chunks; chunk++) {
      tauler_error error = missing;
      if (error == TAULER_OK && !checker->error) error = check_chunk(table, &worker, chunk, &cause);
#pragma omp ordered
      if (error != TAULER_OK && !checker->error) {
        checker->error = error;
        if (message) *message = cause;
      } else if (error == TAULER_OK && !checker->error) {
        table_digester_add(checker->frames, worker.decoder->compressed, worker.compressed_bytes);
        table_digester_add(checker->stored, worker.cells, worker.cells_bytes);
      }
    }
#pragma omp critical(table_check_histogram)
    if (worker.histogram) cell_histogram_merge(checker->histogram, worker.histogram);
    frame_decoder_free(worker.decoder);
    free(worker.cells);
    free(worker.histogram);
  }
  return (tauler_error)checker->error;
}

static tauler_error check_counts(const table_checker *checker, tauler_message *message) {
  const table_header *header = &checker->table->layout.header;
  size_t used = 0;
  table_count *counts = cell_histogram_counts(checker->histogram, &used);
  if (!counts) return no_memory_to_check(checker->table, message);
  bool agree = used == header->counts_used;
  for (size_t i = 0; i < used && agree; i++)
    agree = counts[i].value == header->counts[i].value && counts[i].count == header->counts[i].count;
  free(counts);
  return agree ? TAULER_OK
               : table_damaged(message, checker->table->path, "the counts are not those of the cells");
}

/* For a plain table the plain digest is the stored digest: table_open has checked that they are equal. */
tauler_error table_check(const table *table, int threads, tauler_message *message) {
  const table_layout *layout = &table->layout;
  const table_cell cell = layout->header.cell;
  const bool countable = layout->header.coding == TABLE_PLAIN && !table_cell_is_real(cell);
  if (!table->offsets) return tauler_fail(message, TAULER_INTERNAL, "%s is not open whole", table->path);
  table_checker checker = {.table = table,
                           .stored = table_digester_new(),
                           .frames = table_digester_new(),
                           .histogram = countable ? cell_histogram_new(cell) : NULL};
  const bool made = checker.stored && checker.frames && (!countable || checker.histogram);
  tauler_error error = made ? TAULER_OK : no_memory_to_check(table, message);
  if (error == TAULER_OK) error = check_frames(&checker, threads < 1 ? 1 : threads, message);
  const table_digest frames = table_digester_end(checker.frames), stored = table_digester_end(checker.stored);
  if (error == TAULER_OK && !table_digests_equal(frames, layout->frames_digest))
    error = table_damaged(message, table->path, "the compressed frames do not agree with their digest");
  if (error == TAULER_OK && !table_digests_equal(stored, layout->header.stored_digest))
    error = table_damaged(message, table->path, "the cells do not agree with their digest");
  if (error == TAULER_OK && checker.histogram) error = check_counts(&checker, message);
  free(checker.histogram);
  return error;
}
