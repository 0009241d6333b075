/* Gathers runs of cells of finished slices, and single cells, from the ranks that own them. */
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "solver/shards/store_parts.h"
#include "solver/shards/store_talk.h"

/* NEAR: largest gap, in cells, between two runs that are joined, since the cells between them cost less than
 * another run. PARTS: most parts in one question. QUESTION_OPENS: bytes of a question before its parts. */
enum { NEAR = 16, PARTS = 16384, QUESTION_OPENS = 1 };

/* Consecutive cells of one chunk, and the index of their copy among the gathered cells. */
typedef struct {
  uint32_t slice;
  uint32_t count;
  uint64_t first, to;
} store_part;

/* A place in the list of runs, where the next part begins. */
typedef struct {
  size_t run;
  uint64_t done; /* cells of the run before that place */
} store_place;

/* Sorted runs. bases[i] is the number of cells in the runs before run i. */
typedef struct {
  game_run *runs;
  uint64_t *bases;
  size_t n;
} store_runs;

/* The runs of a slice. Bucket first_bucket + k has the first run that begins at or after index k × 2^shift.
 */
typedef struct {
  uint64_t positions; /* 0 if the slice has no runs */
  size_t first_bucket;
  unsigned shift;
} slice_index;

struct store_cells {
  memory_budget *memory;
  arena lists;
  store_runs runs;
  unsigned planes; /* a bit for each plane */
  uint64_t total;  /* cells of one plane */
  uint32_t room;
  slice_index *slices;
  uint32_t *buckets;
  uint8_t *cells; /* planes one after the other, the last one first */
};

/* Returns the bytes per cell of the planes that lie before a plane, or of all planes if it is −1. Depths come
 * first, since they have two bytes and must be aligned. */
static size_t bytes_before(unsigned planes, int plane) {
  size_t bytes = 0;
  for (int before = plane + 1; before < STORE_PLANES; before++)
    bytes += planes >> before & 1 ? store_cell_bytes(before) : 0;
  return bytes;
}

static int compare_runs(const void *left, const void *right) {
  const game_run *a = left, *b = right;
  if (a->slice != b->slice) return a->slice < b->slice ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

size_t store_merge_runs(game_run *runs, size_t n) {
  if (n > 0) qsort(runs, n, sizeof *runs, compare_runs);
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    game_run *last = used ? &runs[used - 1] : NULL;
    if (runs[i].count == 0) continue;
    if (last && last->slice == runs[i].slice && runs[i].first <= last->first + last->count + NEAR) {
      const uint64_t end = runs[i].first + runs[i].count;
      if (end > last->first + last->count) last->count = end - last->first;
    } else {
      runs[used++] = runs[i];
    }
  }
  return used;
}

/* True if the store has these cells. Depths may be missing, since a depth that is not stored is 0. */
static bool has_planes(const slice_store *store, uint32_t slice, unsigned planes, uint64_t first,
                       uint64_t count) {
  for (int plane = 0; plane < STORE_DEPTHS; plane++) {
    const store_plane *from = store_find_plane(store, slice, plane);
    if (planes >> plane & 1 && (!from || first > from->positions || count > from->positions - first))
      return false;
  }
  return true;
}

static tauler_error check_runs(const slice_store *store, const game_run *runs, size_t n, unsigned planes,
                               tauler_message *message) {
  for (size_t i = 0; i < n; i++) {
    if (!has_planes(store, runs[i].slice, planes, runs[i].first, runs[i].count))
      return tauler_fail(message, TAULER_INTERNAL, "cells from %" PRIu64 " on of slice %u are not stored",
                         runs[i].first, runs[i].slice);
  }
  return TAULER_OK;
}

/* Finds the next part that `rank` owns, of at most `most` cells. Returns false if none is left. */
static bool find_next_part(const slice_store *store, const store_runs *runs, int rank, store_place *place,
                           uint64_t most, store_part *part) {
  for (; place->run < runs->n; place->run++, place->done = 0) {
    const game_run *run = &runs->runs[place->run];
    const uint64_t end = run->first + run->count;
    const store_chunk *chunks = store_find_plane(store, run->slice, 0)->chunks;
    uint64_t at = run->first + place->done;
    while (at < end && chunks[at / STORE_CHUNK].owner != (uint32_t)rank)
      at = (at / STORE_CHUNK + 1) * STORE_CHUNK;
    if (at >= end) continue;
    const uint64_t chunk_end = (at / STORE_CHUNK + 1) * STORE_CHUNK;
    uint64_t n = (end < chunk_end ? end : chunk_end) - at;
    if (n > most) n = most;
    *part = (store_part){run->slice, (uint32_t)n, at, runs->bases[place->run] + (at - run->first)};
    place->done = at + n - run->first;
    return true;
  }
  return false;
}

static uint64_t frame_of(uint64_t index) {
  return index / STORE_FRAME;
}

static void copy_part(const store_part *part, uint64_t frame, const uint8_t *cells, size_t width,
                      uint8_t *to) {
  const uint64_t start = frame * STORE_FRAME;
  const uint64_t first = part->first > start ? part->first : start;
  const uint64_t part_end = part->first + part->count, frame_end = start + STORE_FRAME;
  const uint64_t end = part_end < frame_end ? part_end : frame_end;
  memcpy(to + (part->to + (first - part->first)) * width, cells + (first - start) * width,
         (end - first) * width);
}

static bool shares_first_frame(const store_part *before, const store_part *part) {
  return before->slice == part->slice && frame_of(before->first + before->count - 1) == frame_of(part->first);
}

/* Decodes the frames of a part. If earlier parts have cells of a frame, the first of them decodes it and
 * copies its cells to all later parts. */
static tauler_error fetch_part(const slice_store *store, store_worker *worker, int plane,
                               const store_part *parts, size_t n, size_t i, uint8_t *to,
                               tauler_message *message) {
  const store_part *part = &parts[i];
  const size_t width = store_cell_bytes(plane);
  const uint64_t last = frame_of(part->first + part->count - 1);
  uint64_t frame = frame_of(part->first) + (i > 0 && shares_first_frame(part - 1, part));
  tauler_error error = TAULER_OK;
  for (; frame <= last && !error; frame++) {
    const uint64_t start = frame * STORE_FRAME;
    const bool whole = part->first <= start && start + STORE_FRAME <= part->first + part->count;
    void *cells = whole ? to + (part->to + (start - part->first)) * width : worker->cells;
    error = store_decode(store, worker, part->slice, plane, frame / STORE_CHUNK_FRAMES,
                         (uint32_t)(frame % STORE_CHUNK_FRAMES), cells, message);
    if (error || whole) continue;
    copy_part(part, frame, worker->cells, width, to);
    for (size_t k = i + 1; k < n && shares_first_frame(part, &parts[k]) && frame == frame_of(parts[k].first);
         k++)
      copy_part(&parts[k], frame, worker->cells, width, to);
  }
  return error;
}

/* Copies a plane's cells of parts that do not overlap and are sorted by slice and first cell. Decodes each
 * frame once, with all threads. */
static tauler_error fetch_plane(const slice_store *store, int plane, const store_part *parts, size_t n,
                                uint8_t *to, tauler_message *message) {
  failure first = {0};
  const int most = store->settings.threads;
  const int threads = n < 2 ? 1 : n < (size_t)most ? (int)n : most;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
  for (size_t i = 0; i < n; i++) {
    tauler_message cause = {""};
    store_worker *worker = &store->workers[omp_get_thread_num()];
    if (first.error) continue;
    if (store_find_plane(store, parts[i].slice, plane))
      failure_note(&first, fetch_part(store, worker, plane, parts, n, i, to, &cause), &cause);
    else
      memset(to + parts[i].to * store_cell_bytes(plane), 0, parts[i].count * store_cell_bytes(plane));
  }
  return failure_outcome(&first, message);
}

/* Copies the cells of parts in `planes`. In `to` each plane has `total` cells. */
static tauler_error fetch_parts(const slice_store *store, unsigned planes, const store_part *parts, size_t n,
                                uint64_t total, uint8_t *to, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < STORE_PLANES && !error; plane++) {
    if (planes >> plane & 1)
      error = fetch_plane(store, plane, parts, n, to + bytes_before(planes, plane) * total, message);
  }
  return error;
}

typedef struct {
  slice_store *store;
  store_cells *cells;
  arena lists;
  store_part *parts;           /* [PARTS] */
  store_place *places, *asked; /* [ranks] place of the next question, and of the last one */
} gathering;

static size_t put_part(uint8_t *to, const store_part *part, const store_part *before) {
  const bool same = before && before->slice == part->slice;
  const uint64_t gap = same ? part->first - before->first - before->count : part->first;
  size_t n = varint_put(to, gap << 1 | !same);
  if (!same) n += varint_put(to + n, part->slice);
  return n + varint_put(to + n, part->count);
}

static bool get_part(const uint8_t **at, const uint8_t *end, const store_part *before, store_part *part) {
  if (*at >= end) return false;
  const uint64_t gap = varint_get(at, end);
  part->first = gap >> 1;
  if (gap & 1)
    part->slice = (uint32_t)varint_get(at, end);
  else if (before)
    part->slice = before->slice, part->first += before->first + before->count;
  else
    return false;
  part->count = (uint32_t)varint_get(at, end);
  return part->count > 0;
}

static size_t ask_parts(void *user, int to, uint8_t *question, size_t room) {
  gathering *g = user;
  const store_cells *cells = g->cells;
  uint64_t left = room / bytes_before(cells->planes, -1); /* cells of a plane in one answer */
  size_t used = QUESTION_OPENS;
  store_part part, before;
  g->asked[to] = g->places[to];
  question[0] = (uint8_t)cells->planes;
  for (size_t n = 0; n < PARTS && left && room - used >= 3 * VARINT_BYTES; n++, before = part) {
    if (!find_next_part(g->store, &cells->runs, to, &g->places[to], left, &part)) break;
    used += put_part(question + used, &part, n ? &before : NULL);
    left -= part.count;
  }
  return used > QUESTION_OPENS ? used : 0;
}

static bool is_part_here(const slice_store *store, const store_part *part, unsigned planes) {
  return has_planes(store, part->slice, planes | 1, part->first, part->count) &&
         store_is_here(store, store_find_plane(store, part->slice, 0), part->first / STORE_CHUNK);
}

static tauler_error answer_parts(void *user, const uint8_t *question, size_t n, uint8_t *answer, size_t room,
                                 size_t *answer_n, tauler_message *message) {
  gathering *g = user;
  const uint8_t *at = question + QUESTION_OPENS, *end = question + n;
  const unsigned planes = question[0];
  uint64_t cells = 0;
  size_t used = 0;
  bool sound = planes >= 1 && planes < 1 << STORE_PLANES;
  while (sound && used < PARTS && get_part(&at, end, used ? &g->parts[used - 1] : NULL, &g->parts[used])) {
    g->parts[used].to = cells;
    cells += g->parts[used].count;
    sound = cells <= room / bytes_before(planes, -1) && is_part_here(g->store, &g->parts[used], planes);
    used++;
  }
  if (!sound) return tauler_fail(message, TAULER_INTERNAL, "another rank asked for cells that are not here");
  *answer_n = cells * bytes_before(planes, -1);
  return fetch_parts(g->store, planes, g->parts, used, cells, answer, message);
}

static tauler_error receive_parts(void *user, int from, const uint8_t *answer, size_t n,
                                  tauler_message *message) {
  gathering *g = user;
  store_cells *cells = g->cells;
  const uint64_t each = n / bytes_before(cells->planes, -1);
  store_place *place = &g->asked[from];
  store_part part;
  for (uint64_t done = 0; done < each; done += part.count) {
    if (!find_next_part(g->store, &cells->runs, from, place, each - done, &part))
      return tauler_fail(message, TAULER_INTERNAL, "another rank answered what was not asked");
    for (int plane = 0; plane < STORE_PLANES; plane++) {
      const size_t before = bytes_before(cells->planes, plane), width = store_cell_bytes(plane);
      if (cells->planes >> plane & 1)
        memcpy(cells->cells + before * cells->total + part.to * width, answer + before * each + done * width,
               part.count * width);
    }
  }
  return TAULER_OK;
}

static tauler_error fetch_own_parts(gathering *g, tauler_message *message) {
  store_cells *cells = g->cells;
  store_place place = {0};
  tauler_error error = TAULER_OK;
  for (size_t n = PARTS; n == PARTS && !error;) {
    for (n = 0; n < PARTS &&
                find_next_part(g->store, &cells->runs, g->store->rank, &place, STORE_CHUNK, &g->parts[n]);
         n++) {}
    error = fetch_parts(g->store, cells->planes, g->parts, n, cells->total, cells->cells, message);
  }
  return error;
}

/* Returns the smallest shift for which a slice has at most two buckets per run. */
static unsigned choose_shift(uint64_t positions, size_t runs) {
  unsigned shift = 0;
  while ((positions - 1) >> shift >= 2 * runs) shift++;
  return shift;
}

static void index_runs(const store_cells *cells, const slice_store *store) {
  const game_run *runs = cells->runs.runs;
  size_t used = 0;
  for (size_t i = 0; i < cells->runs.n;) {
    slice_index *index = &cells->slices[runs[i].slice];
    size_t end = i;
    while (end < cells->runs.n && runs[end].slice == runs[i].slice) end++;
    const uint64_t positions = store_find_plane(store, runs[i].slice, 0)->positions;
    *index = (slice_index){positions, used, choose_shift(positions, end - i)};
    size_t at = i;
    for (uint64_t bucket = 0; bucket <= ((positions - 1) >> index->shift) + 1; bucket++) {
      while (at < end && runs[at].first < bucket << index->shift) at++;
      cells->buckets[used++] = (uint32_t)at;
    }
    i = end;
  }
}

static void list_arrays(arena *a, void *of) {
  store_cells *cells = of;
  const uint64_t n = cells->runs.n;
  cells->runs.bases = arena_allocate(a, n, sizeof *cells->runs.bases);
  cells->slices = arena_allocate(a, cells->room, sizeof *cells->slices);
  cells->buckets = arena_allocate(a, 3 * n + 1, sizeof *cells->buckets);
  cells->cells = arena_allocate(a, cells->total, bytes_before(cells->planes, -1));
}

static const char what_cells[] = "cells of finished slices";

/* Allocates cells with room for n runs, which the caller fills in. */
static tauler_error open_cells(slice_store *store, size_t n, unsigned planes, store_cells **out,
                               tauler_message *message) {
  tauler_error error = memory_allocate(store->memory, sizeof **out, what_cells, out, message);
  if (error) return error;
  **out = (store_cells){.memory = store->memory, .planes = planes, .room = store->settings.room};
  error = memory_allocate_array(store->memory, n, sizeof *(*out)->runs.runs, what_cells, &(*out)->runs.runs,
                                message);
  if (!error) (*out)->runs.n = n;
  return error;
}

static tauler_error lay_out_cells(slice_store *store, store_cells *cells, tauler_message *message) {
  store_runs *runs = &cells->runs;
  tauler_error error = check_runs(store, runs->runs, runs->n, cells->planes, message);
  if (error) return error;
  runs->n = store_merge_runs(runs->runs, runs->n);
  for (size_t i = 0; i < runs->n; i++) cells->total += runs->runs[i].count;
  error = arena_fill(&cells->lists, store->memory, what_cells, list_arrays, cells, message);
  if (error) return error;
  for (size_t i = 1; i < runs->n; i++) runs->bases[i] = runs->bases[i - 1] + runs->runs[i - 1].count;
  index_runs(cells, store);
  return TAULER_OK;
}

static void list_parts(arena *a, void *of) {
  gathering *g = of;
  g->parts = arena_allocate(a, PARTS, sizeof *g->parts);
  g->places = arena_allocate(a, (uint64_t)g->store->ranks, sizeof *g->places);
  g->asked = arena_allocate(a, (uint64_t)g->store->ranks, sizeof *g->asked);
}

/* Gathers the cells of the runs of *cells. `error` is the error of this rank so far. After an error, frees
 * the cells and sets *cells to NULL. */
static tauler_error gather_cells(slice_store *store, store_cells **cells, tauler_error error,
                                 tauler_message *message) {
  gathering g = {.store = store, .cells = *cells};
  if (!error) error = lay_out_cells(store, g.cells, message);
  if (!error)
    error = arena_fill(&g.lists, store->memory, "parts of finished slices", list_parts, &g, message);
  if (!error) error = fetch_own_parts(&g, message);
  if (store->ranks > 1) {
    const store_talk talk = {&g, ask_parts, answer_parts, receive_parts};
    const uint64_t most = g.cells ? g.cells->total * bytes_before(g.cells->planes, -1) : 0;
    error = store_talk_run(store->settings.comm, store->memory, store->settings.threads, most, &talk, error,
                           message);
  }
  arena_close(&g.lists);
  if (!error) return TAULER_OK;
  store_cells_free(g.cells);
  *cells = NULL;
  return error;
}

tauler_error store_gather(slice_store *store, const game_run *runs, size_t n, int planes, store_cells **out,
                          tauler_message *message) {
  const tauler_error error = open_cells(store, n, (1U << planes) - 1, out, message);
  if (!error && n) memcpy((*out)->runs.runs, runs, n * sizeof *runs);
  return gather_cells(store, out, error, message);
}

void store_cells_free(store_cells *cells) {
  if (!cells) return;
  arena_close(&cells->lists);
  memory_free(cells->memory, cells->runs.runs);
  memory_free(cells->memory, cells);
}

/* Returns the gathered cells of a plane from `first` on, or NULL if they were not gathered. */
static const void *find_cells(const store_cells *cells, uint32_t slice, int plane, uint64_t first,
                              size_t count) {
  if (slice >= cells->room || first >= cells->slices[slice].positions || !(cells->planes >> plane & 1))
    return NULL;
  const slice_index *index = &cells->slices[slice];
  const uint32_t *bucket = cells->buckets + index->first_bucket + (first >> index->shift);
  size_t low = bucket[0], high = bucket[1];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (cells->runs.runs[middle].first <= first)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return NULL;
  const game_run *run = &cells->runs.runs[low - 1];
  if (run->slice != slice || first + count > run->first + run->count) return NULL;
  const uint64_t at = cells->runs.bases[low - 1] + (first - run->first);
  return cells->cells + bytes_before(cells->planes, plane) * cells->total + at * store_cell_bytes(plane);
}

static const int8_t *read_cells(void *user, uint32_t slice, int plane, uint64_t first, size_t count,
                                int8_t *scratch) {
  (void)scratch;
  return find_cells(user, slice, plane, first, count);
}

game_finished store_reader(const store_cells *cells) {
  return (game_finished){read_cells, (void *)(uintptr_t)cells};
}

tauler_error store_ask(slice_store *store, const game_place *places, size_t n, int planes, int8_t *values[],
                       uint16_t *depths[], tauler_message *message) {
  unsigned wanted = (1U << planes) - 1;
  for (int plane = 0; depths && plane < planes; plane++)
    wanted |= (unsigned)(depths[plane] != NULL) << (STORE_DEPTHS + plane);
  store_cells *cells;
  tauler_error error = open_cells(store, n, wanted, &cells, message);
  for (size_t i = 0; i < n && !error; i++)
    cells->runs.runs[i] = (game_run){places[i].slice, places[i].index, 1};
  error = gather_cells(store, &cells, error, message);
  for (size_t i = 0; i < n && !error; i++) {
    for (int plane = 0; plane < planes; plane++) {
      const int depth = STORE_DEPTHS + plane;
      values[plane][i] = *(const int8_t *)find_cells(cells, places[i].slice, plane, places[i].index, 1);
      if (wanted >> depth & 1)
        depths[plane][i] = *(const uint16_t *)find_cells(cells, places[i].slice, depth, places[i].index, 1);
    }
  }
  store_cells_free(cells);
  return error;
}
