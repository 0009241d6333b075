#include "solver/tables/slice_tables.h"
#include "solver/engines/solve.h"
#include "solver/tables/paths.h"

#include <string.h>

#include "base/durable_file.h"
#include "databases/folder.h"
#include "databases/streams.h"

slice_streams slice_streams_of(const game *game, const game_rules *rules) {
  if (game->kind(rules) == SOLVE_GUARANTEES) {
    return (slice_streams){{STREAM_LOWER, STREAM_UPPER, STREAM_DEPTH_LOWER, STREAM_DEPTH_UPPER}, 2};
  }
  return (slice_streams){{STREAM_VALUE, NULL, STREAM_DEPTH, NULL}, 1};
}

static bool describes(const table_header *found, const table_header *wanted) {
  return strcmp(found->game, wanted->game) == 0 && strcmp(found->rules, wanted->rules) == 0 &&
         strcmp(found->cycles, wanted->cycles) == 0 && strcmp(found->slice, wanted->slice) == 0 &&
         strcmp(found->stream, wanted->stream) == 0 && found->positions == wanted->positions &&
         found->index_version == wanted->index_version;
}

tauler_error slice_table_find(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message) {
  *out = NULL;
  table_header wanted;
  build_header(job->game, job->rules, slice, stream, &wanted);
  char path[FOLDER_PATH_BYTES];
  tauler_error error = build_table_path(job->game, job->rules, job->folder, slice, &wanted, path, message);
  if (error) return error;
  error = table_open(path, out, message);
  if (error == TAULER_TABLE_MISSING) return TAULER_OK;
  if (error) return error;
  if (!describes(table_get_header(*out), &wanted)) {
    table_close(*out);
    *out = NULL;
    return tauler_fail(
        message, TAULER_DAMAGED_FILE,
        "%.300s holds another table than its name says (or an older numbering); move it away and "
        "build again",
        path);
  }
  return TAULER_OK;
}

void slice_values_header(const build_job *job, uint32_t slice, int plane, table_header *header) {
  const slice_streams streams = slice_streams_of(job->game, job->rules);
  build_header(job->game, job->rules, slice, streams.names[plane], header);
  header->cell = TABLE_I8;
  header->coding = TABLE_IMPLIED;
  header->reserved = SLICE_RESERVED;
}

bool slice_leaves_out_depths(const build_job *job) {
  return job->game->left_out && !solve_is_own_row(job->game, job->rules);
}

void slice_depths_header(const build_job *job, uint32_t slice, int plane, bool wide, table_header *header) {
  const slice_streams streams = slice_streams_of(job->game, job->rules);
  build_header(job->game, job->rules, slice, streams.names[SOLVE_PLANES + plane], header);
  header->cell = wide ? TABLE_U16 : TABLE_U8;
  header->coding = slice_leaves_out_depths(job) ? TABLE_IMPLIED : TABLE_PLAIN;
  header->reserved = header->coding == TABLE_PLAIN ? 0 : wide ? UINT16_MAX : UINT8_MAX;
}

void slice_table_report(const build_job *job, uint32_t slice, const table_header *written) {
  if (!job->report) return;
  char name[GAME_TEXT_BYTES];
  job->game->slice_name(job->rules, slice, name);
  const build_table about = {
      name, written->stream, written->positions, written->stored_bytes, written->plain_digest, true};
  job->report(job->user, &about);
}

static tauler_error write_stream(const build_job *job, uint32_t slice, table_header *header, table_fill fill,
                                 void *user, tauler_message *message) {
  char path[FOLDER_PATH_BYTES];
  tauler_error error = build_table_path(job->game, job->rules, job->folder, slice, header, path, message);
  if (error) return error;
  const table_write_settings settings = {.level = job->level, .threads = job->threads};
  table_header written;
  error = table_write(path, header, &settings, fill, user, &written, message);
  if (!error) slice_table_report(job, slice, &written);
  return error;
}

enum { CODE_PIECE = 4096 };

static void find_left_out(const build_job *job, uint32_t slice, uint64_t first, size_t n,
                          uint8_t out[CODE_PIECE]) {
  memset(out, 0, n);
  if (job->game->left_out) job->game->left_out(job->rules, slice, first, n, out);
}

void slice_code_values(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const int8_t *cells, const int8_t *looks, int8_t *stored) {
  uint8_t left_out[CODE_PIECE];
  for (size_t done = 0; done < count; done += CODE_PIECE) {
    const size_t n = count - done < CODE_PIECE ? count - done : CODE_PIECE;
    find_left_out(job, slice, first + done, n, left_out);
    for (size_t i = 0; i < n; i++) {
      const int8_t cell = cells[done + i];
      stored[done + i] = left_out[i] || (looks && cell == looks[done + i]) ? (int8_t)SLICE_RESERVED : cell;
    }
  }
}

void slice_code_depths(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const uint16_t *depths, bool wide, void *stored, void *plain) {
  uint8_t left_out[CODE_PIECE];
  for (size_t done = 0; done < count; done += CODE_PIECE) {
    const size_t n = count - done < CODE_PIECE ? count - done : CODE_PIECE;
    memset(left_out, 0, n);
    if (slice_leaves_out_depths(job)) job->game->left_out(job->rules, slice, first + done, n, left_out);
    for (size_t i = 0; i < n; i++) {
      const size_t at = done + i;
      const uint16_t depth = depths[at] == SOLVE_NO_DEPTH ? 0 : depths[at];
      if (wide) {
        ((uint16_t *)plain)[at] = depth;
        ((uint16_t *)stored)[at] = left_out[i] ? UINT16_MAX : depth;
      } else {
        ((uint8_t *)plain)[at] = (uint8_t)depth;
        ((uint8_t *)stored)[at] = left_out[i] ? UINT8_MAX : (uint8_t)depth;
      }
    }
  }
}

bool slice_needs_wide_depths(const uint16_t *depths, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    if (depths[i] != SOLVE_NO_DEPTH && depths[i] >= UINT8_MAX) return true;
  }
  return false;
}

/* What a thread needs to fill a piece of a table. */
typedef struct {
  const build_job *job;
  const solved_slice *solved;
  const int8_t *looks; /* or NULL */
  int plane;
  bool wide; /* depths of two bytes */
} stream_source;

static tauler_error fill_values(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                tauler_message *message) {
  (void)message;
  const stream_source *source = user;
  team_note_progress(source->job->team);
  const int8_t *cells = source->solved->cells[source->plane] + first;
  memcpy(plain, cells, count);
  slice_code_values(source->job, source->solved->slice, first, count, cells,
                    source->looks ? source->looks + first : NULL, stored);
  return TAULER_OK;
}

tauler_error slice_values_write(const build_job *job, const solve_job *solving, const solved_slice *solved,
                                tauler_message *message) {
  const slice_streams streams = slice_streams_of(job->game, job->rules);
  int8_t *looks[SOLVE_PLANES] = {NULL};
  tauler_error error = job->game->look ? solve_looks(solving, solved, looks, message) : TAULER_OK;
  for (int plane = 0; plane < streams.planes && !error; plane++) {
    table_header header;
    slice_values_header(job, solved->slice, plane, &header);
    stream_source source = {job, solved, looks[plane], plane, false};
    error = write_stream(job, solved->slice, &header, fill_values, &source, message);
  }
  for (int plane = 0; plane < SOLVE_PLANES; plane++) memory_give(job->memory, looks[plane]);
  return error;
}

static tauler_error fill_depths(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                tauler_message *message) {
  (void)message;
  const stream_source *source = user;
  team_note_progress(source->job->team);
  slice_code_depths(source->job, source->solved->slice, first, count,
                    source->solved->depths[source->plane] + first, source->wide, stored, plain);
  return TAULER_OK;
}

tauler_error slice_depths_write(const build_job *job, const solved_slice *solved, tauler_message *message) {
  const slice_streams streams = slice_streams_of(job->game, job->rules);
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < streams.planes && !error; plane++) {
    table_header header;
    const bool wide = slice_needs_wide_depths(solved->depths[plane], solved->positions);
    slice_depths_header(job, solved->slice, plane, wide, &header);
    stream_source source = {job, solved, NULL, plane, wide};
    error = write_stream(job, solved->slice, &header, fill_depths, &source, message);
  }
  return error;
}

/* A table that was there when the build began. */
static tauler_error open_stream(const build_job *job, uint32_t slice, const char *stream, table **out,
                                tauler_message *message) {
  const tauler_error error = slice_table_find(job, slice, stream, out, message);
  if (error || *out) return error;
  return tauler_fail(message, TAULER_TABLE_MISSING, "the %s table of slice %u went away during the build",
                     stream, slice);
}

tauler_error slice_values_load(const build_job *job, const solve_job *solving, uint32_t slice,
                               solved_slice *out, tauler_message *message) {
  const slice_streams streams = slice_streams_of(job->game, job->rules);
  *out = (solved_slice){
      .slice = slice, .positions = job->game->positions(job->rules, slice), .planes = streams.planes};
  tauler_error error = TAULER_OK;
  const int8_t reserved[SOLVE_PLANES] = {SLICE_RESERVED, SLICE_RESERVED};
  for (int plane = 0; plane < streams.planes && !error; plane++) {
    table *found;
    error = open_stream(job, slice, streams.names[plane], &found, message);
    if (error) break;
    error = memory_take(job->memory, out->positions, "the cells of a finished slice", &out->cells[plane],
                        message);
    if (!error) error = table_read(found, 0, out->positions, out->cells[plane], message);
    table_close(found);
  }
  if (!error) error = solve_recover(solving, out, reserved, message);
  return error;
}

void slice_decode_depths(const table_header *header, uint16_t *depths, uint64_t n) {
  if (header->cell == TABLE_U16) return; /* reserved is SOLVE_NO_DEPTH */
  const uint8_t *bytes = (uint8_t *)depths + n;
  const bool implied = header->coding == TABLE_IMPLIED;
  for (uint64_t i = 0; i < n; i++) depths[i] = implied && bytes[i] == UINT8_MAX ? SOLVE_NO_DEPTH : bytes[i];
}

static tauler_error read_depths(const table *from, uint16_t *depths, uint64_t n, tauler_message *message) {
  const table_header *header = table_get_header(from);
  const uint64_t behind = header->cell == TABLE_U16 ? 0 : n; /* bytes */
  const tauler_error error = table_read(from, 0, n, (uint8_t *)depths + behind, message);
  if (!error) slice_decode_depths(header, depths, n);
  return error;
}

tauler_error slice_depths_load(const build_job *job, const solve_job *solving, solved_slice *out,
                               tauler_message *message) {
  const slice_streams streams = slice_streams_of(job->game, job->rules);
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < streams.planes && !error; plane++) {
    table *found;
    error = slice_table_find(job, out->slice, streams.names[SOLVE_PLANES + plane], &found, message);
    if (error) break;
    error = memory_take_array(job->memory, out->positions, sizeof *out->depths[plane],
                              "the depths of a finished slice", &out->depths[plane], message);
    if (!error) error = read_depths(found, out->depths[plane], out->positions, message);
    table_close(found);
  }
  return error ? error : solve_recover_depths(solving, out, message);
}
