/* Writes the cells of a slice in shards into tables, and puts them into the store. */
#include "solver/tables/chunks.h"

#include <omp.h>
#include <string.h>

#include "databases/folder.h"
#include "databases/names.h"
#include "solver/tables/chunks_parts.h"

enum { DIGEST_STORED, DIGEST_PLAIN, DIGEST_FRAMES, DIGESTS };

/* The batches whose cells stay in memory until they are digested: batches `lowest` … lowest + slots − 1 and
 * the last one. */
typedef struct {
  /* own: cells of the last batch. If slots is 0, cells of the current one. */
  uint8_t *bytes, *own;
  uint64_t slots, lowest, last;
  uint64_t sent; /* group of batches whose streams are in memory */
} batch_window;

typedef struct {
  chunk_batch batch;
  slice_store *store; /* NULL if cells are not stored */
  char path[FOLDER_PATH_BYTES];
  table_header header;
  table_write_settings settings;
  table_classes classes;  /* classes by which values are sorted, or zeros if they are not sorted */
  table_framer **framers; /* [threads] */
  table_writer *writer;   /* NULL except on the leading rank */
  table_digester *digesters[DIGESTS];
  frame_hold hold;
  batch_window window;
  uint64_t *counts; /* [threads][values] counts of plain cells */
  size_t values;
} table_way;

static int number_in_store(const chunk_batch *b) {
  return b->plane + (b->kind == CHUNKS_DEPTHS ? STORE_DEPTHS : 0);
}

static tauler_error put_chunk(const table_way *way, uint64_t item, uint64_t chunk, tauler_message *message) {
  const chunk_batch *b = &way->batch;
  const void *cells = chunks_plain(b, item);
  if (!way->store) return TAULER_OK;
  if (b->kind == CHUNKS_DEPTHS && !b->wide) {
    const uint8_t *narrow = cells;
    uint16_t *wide = (uint16_t *)(void *)chunks_scratch(b, omp_get_thread_num(), 2);
    for (size_t i = 0; i < chunks_cells(b->positions, chunk); i++) wide[i] = narrow[i];
    cells = wide;
  }
  return store_put(way->store, b->slice->slice, number_in_store(b), chunk, cells, message);
}

static tauler_error make_piece(table_way *way, uint64_t item, uint64_t chunk, uint64_t piece,
                               tauler_message *message) {
  chunk_batch *b = &way->batch;
  const size_t most = PIECE_FRAMES * TABLE_FRAME_BYTES / b->cell_bytes, from = piece * most;
  const size_t cells = chunks_cells(b->positions, chunk);
  if (from >= cells) return TAULER_OK;
  const size_t count = cells - from < most ? cells - from : most;
  const uint8_t *stored = chunks_stored_at(b, item) + from * b->cell_bytes;
  const uint8_t *plain = b->implied ? chunks_plain(b, item) + from * b->cell_bytes : stored;
  table_frames frames;
  const tauler_error error =
      table_frames_make(way->framers[omp_get_thread_num()], chunks_first_frame(b, chunk, piece), count,
                        stored, plain, &frames, message);
  return error ? error : frame_hold_put(&way->hold, b, item % b->here, piece, &frames, message);
}

/* Counts with four counters for each value, since in a run of one value each addition to a single counter
 * would wait for the one before. */
static void count_bytes(uint64_t *counts, const uint8_t *cells, uint64_t n) {
  enum { LANES = 4 };
  uint32_t lanes[LANES][UINT8_MAX + 1] = {{0}};
  for (uint64_t i = 0; i < n; i++) lanes[i % LANES][cells[i]]++;
  for (int value = 0; value <= UINT8_MAX; value++)
    for (int lane = 0; lane < LANES; lane++) counts[value] += lanes[lane][value];
}

static void count_chunk_values(table_way *way, uint64_t item, uint64_t chunk) {
  const chunk_batch *b = &way->batch;
  const uint8_t *plain = chunks_plain(b, item);
  const uint16_t *wide = (const uint16_t *)(const void *)plain;
  uint64_t *counts = way->counts + (size_t)omp_get_thread_num() * way->values;
  const uint64_t n = chunks_cells(b->positions, chunk);
  if (b->cell_bytes == 1)
    count_bytes(counts, plain, n);
  else
    for (uint64_t i = 0; i < n; i++) counts[wide[i]]++;
}

static tauler_error process_own_chunks(table_way *way, bool frames, tauler_message *message) {
  chunk_batch *b = &way->batch;
  failure first = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->threads)
  for (uint64_t i = 0; i < b->here * (MOST_PIECES + 1); i++) {
    tauler_message cause = {""};
    const uint64_t item = chunks_item_here(b, i / (MOST_PIECES + 1)), chunk = chunks_number(b, item);
    const uint64_t piece = i % (MOST_PIECES + 1);
    if (chunk == b->chunks) continue;
    if (piece == 0 && frames) count_chunk_values(way, item, chunk);
    const tauler_error error = piece == 0 ? put_chunk(way, item, chunk, &cause)
                               : frames   ? make_piece(way, item, chunk, piece - 1, &cause)
                                          : TAULER_OK;
    failure_note(&first, error, &cause);
  }
  return failure_outcome(&first, message);
}

static tauler_error share_digesters(table_way *way, int from, tauler_message *message) {
  chunk_batch *b = &way->batch;
  unsigned char states[DIGESTS][TABLE_DIGESTER_BYTES] = {{0}};
  for (int i = 0; i < DIGESTS && b->rank == from; i++) table_digester_pack(way->digesters[i], states[i]);
  tauler_error error = comm_bcast(b->job->work.comm, from, states, sizeof states, message);
  for (int i = 0; i < DIGESTS && !error; i++) {
    if (!table_digester_unpack(way->digesters[i], states[i], sizeof states[i]))
      error = chunks_bad_blob(message);
  }
  return error;
}

static void digest_cells(table_way *way, uint64_t item, uint64_t chunk) {
  const chunk_batch *b = &way->batch;
  const size_t bytes = chunks_cells(b->positions, chunk) * b->cell_bytes;
  table_digester_add(way->digesters[DIGEST_STORED], chunks_stored_at(b, item), bytes);
  table_digester_add(way->digesters[DIGEST_PLAIN], chunks_plain(b, item), bytes);
}

static tauler_error digest_frames(table_way *way, uint64_t place, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < MOST_PIECES && !error; i++) {
    const held_piece *piece = &way->hold.pieces[place * MOST_PIECES + (uint64_t)i];
    uint8_t *bytes = chunks_scratch(&way->batch, 0, 0);
    if (!piece->n) continue;
    error = frame_hold_get(&way->hold, piece, bytes, message);
    if (!error) table_digester_add(way->digesters[DIGEST_FRAMES], bytes, piece->n);
  }
  return error;
}

/* --- digests -------------------------------------------------------------------------------------------- */

/* If there are several ranks, points b->stored and b->plain at the cells of a batch in the window. */
static void point_at_batch(table_way *way, uint64_t batch) {
  chunk_batch *b = &way->batch;
  const batch_window *w = &way->window;
  const uint64_t bytes = b->here * b->chunk_bytes;
  if (b->ranks == 1) return;
  b->batch = batch;
  b->stored = w->slots == 0 || batch == w->last ? w->own : w->bytes + batch % w->slots * 2 * bytes;
  b->plain = b->stored + bytes;
}

static tauler_error collect_batches(table_way *way, uint64_t lowest, tauler_message *message) {
  chunk_batch *b = &way->batch;
  tauler_error error = TAULER_OK;
  while (way->window.lowest > lowest && !error) {
    point_at_batch(way, --way->window.lowest);
    if (b->batch / b->together != way->window.sent) error = frame_hold_load(&way->hold, b, message);
    way->window.sent = b->batch / b->together;
    if (!error) error = chunks_collect(b, message);
    comm_note_progress(b->job->work.comm);
  }
  return error;
}

/* Collects as many batches as the window has room for. `left` chunks of this rank are not digested yet. */
static tauler_error collect_next_batches(table_way *way, uint64_t left, tauler_message *message) {
  const uint64_t slots = way->window.slots ? way->window.slots : 1;
  const uint64_t end = (left + way->batch.here - 1) / way->batch.here;
  return collect_batches(way, end > slots ? end - slots : 0, message);
}

static tauler_error digest_chunk(table_way *way, uint64_t chunk, uint64_t place, tauler_message *message) {
  chunk_batch *b = &way->batch;
  const tauler_error error = collect_batches(way, place / b->here, message);
  if (error) return error;
  point_at_batch(way, place / b->here);
  digest_cells(way, chunks_item_here(b, place % b->here), chunk);
  return digest_frames(way, place, message);
}

/* Allocates the window from the memory that solving the slice has freed, and leaves some for streams. */
static tauler_error open_window(table_way *way, tauler_message *message) {
  const chunk_batch *b = &way->batch;
  memory_budget *memory = b->job->work.memory;
  const uint64_t bytes = 2 * b->here * b->chunk_bytes, last = chunks_batches(b) - 1;
  const uint64_t fit = bytes > 0 ? (memory_peak(memory) - memory_allocated(memory)) / bytes : 0;
  const uint64_t slots = fit > b->together / 2 ? fit - b->together / 2 : 0;
  way->window = (batch_window){.own = b->stored, .last = last, .slots = slots < last ? slots : last};
  way->window.lowest = last - way->window.slots;
  way->window.sent = last / b->together;
  /* Pages are small, since large pages that were not in use before cost more than they save. */
  return memory_allocate_sparse(memory, way->window.slots * bytes, way->window.slots * bytes,
                                "chunks to be digested", &way->window.bytes, message);
}

/* Digests cells and frames in the order of the table. Each owner of chunks continues where the owner before
 * ended, and then sends the digesters to all ranks: a kilobyte instead of the cells. A rank that failed sends
 * them, too. Batches in the window are still in memory. The others are collected again while other ranks
 * digest. */
static tauler_error digest_in_order(table_way *way, tauler_message *message) {
  chunk_batch *b = &way->batch;
  uint64_t left = b->starts[b->rank + 1] - b->starts[b->rank];
  tauler_error error = TAULER_OK, failed = collect_next_batches(way, left, message);
  for (uint64_t chunk = 0; chunk < b->chunks && !error; chunk++) {
    if (chunks_is_here(b, chunk) && !failed) failed = digest_chunk(way, chunk, --left, message);
    if (chunk + 1 == b->chunks || b->owners[chunk] == b->owners[chunk + 1]) continue;
    error = share_digesters(way, (int)b->owners[chunk], message);
    if (chunks_is_here(b, chunk) && !error && !failed) failed = collect_next_batches(way, left, message);
  }
  return error ? error : comm_agree(b->job->work.comm, failed, message);
}

/* Called in a build of one process, where chunks come in the order of the table. */
static tauler_error append_batch(table_way *way, tauler_message *message) {
  chunk_batch *b = &way->batch;
  held_piece *pieces = way->hold.pieces;
  tauler_error error = TAULER_OK;
  for (uint64_t i = 0; i < b->here; i++) {
    const uint64_t item = chunks_item_here(b, i), chunk = chunks_number(b, item);
    if (chunk == b->chunks) continue;
    digest_cells(way, item, chunk);
    for (uint64_t k = 0; k < MOST_PIECES && !error; k++) {
      const held_piece *piece = &pieces[i * MOST_PIECES + k];
      const table_frames frames = {chunks_first_frame(b, chunk, k), piece->frames, piece->sizes,
                                   b->mail.out->bytes + piece->at, piece->n};
      if (piece->n) error = table_writer_add(way->writer, &frames, message);
    }
  }
  mail_clear(&b->mail, b->mail.out);
  memset(pieces, 0, b->here * MOST_PIECES * sizeof *pieces);
  return error;
}

static tauler_error finish_writer(table_way *way, tauler_message *message) {
  chunk_batch *b = &way->batch;
  comm *comm = b->job->work.comm;
  for (int thread = 1; thread < b->threads; thread++) {
    for (size_t i = 0; i < way->values; i++) way->counts[i] += way->counts[(size_t)thread * way->values + i];
  }
  tauler_error error = comm_allreduce(comm, COMM_SUM, way->counts, way->values, message);
  if (error) return error;
  table_digests digests = {table_digester_end(way->digesters[DIGEST_STORED]),
                           table_digester_end(way->digesters[DIGEST_PLAIN]),
                           table_digester_end(way->digesters[DIGEST_FRAMES])};
  memset(way->digesters, 0, sizeof way->digesters);
  error = comm_bcast(comm, (int)b->owners[b->chunks - 1], &digests, sizeof digests, message);
  if (error || !way->writer) return error;
  table_count *counts;
  error = memory_allocate_array(b->job->work.memory, way->values, sizeof *counts, "counts of a table",
                                &counts, message);
  size_t used = 0;
  for (size_t i = 0; i < way->values && !error; i++) {
    const int64_t value = way->header.cell == TABLE_I8 ? (int8_t)i : (int64_t)i;
    if (way->counts[i]) counts[used++] = (table_count){value, way->counts[i]};
  }
  if (!error) table_writer_set_digests(way->writer, &digests, counts, used);
  memory_free(b->job->work.memory, counts);
  return error;
}

static tauler_error move_batch(table_way *way, bool frames, tauler_message *message) {
  chunk_batch *b = &way->batch;
  tauler_error error = chunks_collect(b, message);
  if (!error) error = process_own_chunks(way, frames, message);
  if (!error && frames && b->ranks == 1) error = append_batch(way, message);
  if (!error && frames && b->ranks > 1 && chunks_batch_ends_group(b) && b->batch + 1 < chunks_batches(b))
    error = frame_hold_keep(&way->hold, b, message);
  return error;
}

/* A rank that fails takes part until the end of a group of batches, where ranks agree on the error. */
static tauler_error move_batches(table_way *way, bool frames, tauler_message *message) {
  chunk_batch *b = &way->batch;
  tauler_error error = TAULER_OK, failed = TAULER_OK;
  while (!error && chunks_next(b)) {
    if (chunks_batch_begins_group(b)) error = chunks_exchange(b, message);
    if (frames) point_at_batch(way, b->batch);
    if (!error && !failed) failed = move_batch(way, frames, message);
    if (!error && chunks_batch_ends_group(b)) error = comm_agree(b->job->work.comm, failed, message);
  }
  return error;
}

static tauler_error open_classes(table_way *way, tauler_message *message) {
  const chunk_batch *b = &way->batch;
  const solve_problem *problem = &b->job->problem;
  const uint32_t slice = b->slice->slice;
  if (b->kind == CHUNKS_DEPTHS || way->header.coding != TABLE_IMPLIED) return TAULER_OK;
  if (!problem->game->classes || !problem->game->classes->are_used(problem->rules, slice)) return TAULER_OK;
  way->settings.classes = &way->classes;
  return names_classes(problem->game, problem->rules, slice, &way->classes, message);
}

static tauler_error begin_table(table_way *way, bool frames, tauler_message *message) {
  chunk_batch *b = &way->batch;
  tauler_error error = TAULER_OK;
  if (way->store)
    error = store_begin(way->store, b->slice->slice, number_in_store(b), b->positions, b->owners, message);
  if (error || !frames) return error;
  way->settings =
      (table_write_settings){.level = b->job->level, .frame_bytes = TABLE_FRAME_BYTES, .threads = b->threads};
  if (b->kind == CHUNKS_DEPTHS)
    slice_depths_header(b->job, b->slice->slice, b->plane, b->wide, &way->header);
  else
    slice_values_header(&b->job->problem, b->slice->slice, b->slice->traits, b->plane, &way->header);
  error = names_path(b->job->problem.game, b->job->problem.rules, b->job->folder, b->slice->slice,
                     &way->header, way->path, message);
  if (!error) error = open_classes(way, message);
  if (!error)
    error = memory_allocate_array(b->job->work.memory, (uint64_t)b->threads, sizeof *way->framers,
                                  "threads that compress", &way->framers, message);
  way->values = b->cell_bytes == 1 ? UINT8_MAX + 1 : UINT16_MAX + 1;
  if (!error)
    error = memory_allocate_array(b->job->work.memory, (uint64_t)b->threads * way->values,
                                  sizeof *way->counts, "counts of cells", &way->counts, message);
  for (int i = 0; i < DIGESTS && !error; i++) {
    way->digesters[i] = table_digester_new();
    if (!way->digesters[i])
      error = tauler_fail(message, TAULER_NO_MEMORY, "no memory to write %s", way->path);
  }
  if (!error) error = frame_hold_open(&way->hold, b, way->path, message);
  if (!error && b->ranks > 1) error = open_window(way, message);
  for (int i = 0; i < b->threads && !error; i++)
    error = table_framer_new(way->path, &way->header, &way->settings, &way->framers[i], message);
  if (!error && comm_is_root(b->job->work.comm))
    error = table_writer_begin(way->path, &way->header, &way->settings, &way->writer, message);
  return error;
}

static tauler_error end_table(table_way *way, tauler_error error, tauler_message *message) {
  chunk_batch *b = &way->batch;
  table_header written = {0};
  if (!error && way->writer) {
    error = table_writer_end(way->writer, &written, message);
    way->writer = NULL;
  }
  table_writer_abandon(way->writer);
  for (int i = 0; way->framers && i < b->threads; i++) table_framer_free(way->framers[i]);
  if (way->classes.of) way->classes.close(way->classes.of);
  memory_free(b->job->work.memory, way->framers);
  memory_free(b->job->work.memory, way->counts);
  for (int i = 0; i < DIGESTS; i++) table_digester_end(way->digesters[i]);
  frame_hold_close(&way->hold, b);
  if (way->window.own) point_at_batch(way, way->window.last);
  memory_free(b->job->work.memory, way->window.bytes);
  if (!error && written.stored_bytes) error = slice_table_recode(b->job, way->path, &written, message);
  if (!error && written.stored_bytes) slice_table_report(b->job, &written, true);
  chunks_close(b);
  return error;
}

static tauler_error move_plane(table_way *way, bool frames, tauler_message *message) {
  comm *comm = way->batch.job->work.comm;
  tauler_error error = chunks_open(&way->batch, message);
  if (!error) error = comm_agree(comm, begin_table(way, frames, message), message);
  if (!error) error = move_batches(way, frames, message);
  if (!error && frames && way->batch.ranks > 1) {
    error = digest_in_order(way, message);
    if (!error) error = frame_hold_write(&way->hold, &way->batch, way->path, way->writer, message);
  }
  if (!error && frames) error = comm_agree(comm, finish_writer(way, message), message);
  const bool moved = !error;
  error = end_table(way, error, message);
  if (moved) error = comm_agree(comm, error, message);
  if (error && way->store) store_drop(way->store, way->batch.slice->slice, number_in_store(&way->batch));
  return error;
}

static bool needs_wide_cells(const uint16_t *depths, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    if (depths[i] != SOLVE_NO_DEPTH && depths[i] >= UINT8_MAX) return true;
  }
  return false;
}

static tauler_error find_width(const workspace *work, sharded_slice *slice, int plane, bool *wide,
                               tauler_message *message) {
  tauler_error error = TAULER_OK;
  uint64_t found = 0;
  for (uint32_t i = 0; i < slice->shards_here && !error; i++) {
    error = sharded_load(slice, i, SHARD_DEPTHS + plane, message);
    if (error) break;
    const uint16_t *depths = slice->shards[i].parts[SHARD_DEPTHS + plane];
    for (uint64_t at = 0, end, n = slice->shards[i].n; at < n && !found; at = end) {
      end = sharded_next_piece(slice, at, n);
      found = needs_wide_cells(depths + at, end - at);
    }
    sharded_unload(slice, i);
  }
  error = comm_agree(work->comm, error, message);
  if (!error) error = comm_allreduce(work->comm, COMM_OR, &found, 1, message);
  *wide = found;
  return error;
}

static tauler_error move_planes(const build_job *job, sharded_slice *slice, chunks_kind kind, bool frames,
                                slice_store *store, tauler_message *message) {
  const int planes = slice->traits & SLICE_EXACT && kind != CHUNKS_DEPTHS ? 1 : slice->planes;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < planes && !error; plane++) {
    table_way way = {.batch = {.job = job, .slice = slice, .kind = kind, .wide = true, .plane = plane},
                     .store = store};
    if (kind == CHUNKS_DEPTHS && frames)
      error = find_width(&job->work, slice, plane, &way.batch.wide, message);
    if (!error) error = move_plane(&way, frames, message);
    for (uint32_t i = 0; i < slice->shards_here && kind == CHUNKS_VALUES; i++)
      sharded_drop(slice, i, SHARD_LOOKUPS + plane);
  }
  return error;
}

tauler_error chunks_write(const build_job *job, sharded_slice *slice, bool depths, slice_store *store,
                          tauler_message *message) {
  return move_planes(job, slice, depths ? CHUNKS_DEPTHS : CHUNKS_VALUES, true, store, message);
}

tauler_error chunks_pack(const build_job *job, sharded_slice *slice, bool depths, slice_store *store,
                         tauler_message *message) {
  return move_planes(job, slice, depths ? CHUNKS_DEPTHS : CHUNKS_PLAIN, false, store, message);
}
