/* Finds and describes the tables of a slice, and codes its cells for them. */
#include "solver/tables/slice_tables.h"
#include "databases/names.h"

#include <string.h>

#include "databases/folder.h"
#include "databases/streams.h"

slice_streams slice_streams_of(const solve_problem *problem, bool exact) {
  if (problem->game->kind(problem->rules) != SOLVE_GUARANTEES)
    return (slice_streams){{STREAM_VALUE, NULL, STREAM_DEPTH, NULL}, 1, 1};
  if (exact) return (slice_streams){{STREAM_VALUE, NULL, STREAM_DEPTH_LOWER, STREAM_DEPTH_UPPER}, 1, 2};
  return (slice_streams){{STREAM_LOWER, STREAM_UPPER, STREAM_DEPTH_LOWER, STREAM_DEPTH_UPPER}, 2, 2};
}

static bool describes_same_table(const table_header *found, const table_header *wanted) {
  return strcmp(found->game, wanted->game) == 0 && strcmp(found->rules, wanted->rules) == 0 &&
         strcmp(found->cycles, wanted->cycles) == 0 && strcmp(found->slice, wanted->slice) == 0 &&
         strcmp(found->stream, wanted->stream) == 0 && found->positions == wanted->positions &&
         found->index_version == wanted->index_version;
}

tauler_error slice_table_find(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message) {
  *out = NULL;
  table_header wanted;
  names_header(job->problem.game, job->problem.rules, slice, stream, &wanted);
  char path[FOLDER_PATH_BYTES];
  tauler_error error =
      names_path(job->problem.game, job->problem.rules, job->folder, slice, &wanted, path, message);
  if (error) return error;
  error = names_open(path, false, out, message);
  if (error == TAULER_TABLE_MISSING) return TAULER_OK;
  if (error) return error;
  if (!describes_same_table(table_get_header(*out), &wanted)) {
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

tauler_error slice_table_need(const build_job *job, uint32_t slice, const char *stream, table **out,
                              tauler_message *message) {
  const tauler_error error = slice_table_find(job, slice, stream, out, message);
  if (error || *out) return error;
  return tauler_fail(message, TAULER_TABLE_MISSING, "the %s table of slice %u went away during the build",
                     stream, slice);
}

void slice_values_header(const solve_problem *problem, uint32_t slice, unsigned traits, int plane,
                         table_header *header) {
  const slice_streams streams = slice_streams_of(problem, traits & SLICE_EXACT);
  names_header(problem->game, problem->rules, slice, streams.names[plane], header);
  header->cell = TABLE_I8;
  header->coding = traits & SLICE_ALL_STORED ? TABLE_PLAIN : TABLE_IMPLIED;
  header->reserved = traits & SLICE_ALL_STORED ? 0 : SLICE_RESERVED;
}

bool slice_leaves_out_depths(const solve_problem *problem) {
  return problem->game->left_out && !game_ends_by_repetition(problem->game, problem->rules);
}

void slice_depths_header(const build_job *job, uint32_t slice, int plane, bool wide, table_header *header) {
  const slice_streams streams = slice_streams_of(&job->problem, false);
  names_header(job->problem.game, job->problem.rules, slice, streams.names[SOLVE_PLANES + plane], header);
  header->cell = wide ? TABLE_U16 : TABLE_U8;
  header->coding = slice_leaves_out_depths(&job->problem) ? TABLE_IMPLIED : TABLE_PLAIN;
  header->reserved = header->coding == TABLE_PLAIN ? 0 : wide ? UINT16_MAX : UINT8_MAX;
}

tauler_error slice_table_recode(const build_job *job, const char *path, table_header *written,
                                tauler_message *message) {
  table *plainly;
  table_header smaller;
  if (!job->adaptive || written->cell == TABLE_F64) return TAULER_OK;
  tauler_error error = names_open(path, false, &plainly, message);
  if (error) return error;
  error = names_recode(plainly, path, job->work.threads, &smaller, message);
  table_close(plainly);
  if (!error && smaller.stored_bytes) *written = smaller;
  return error;
}

tauler_error slice_table_write(const build_job *job, uint32_t slice, const table_header *header, int threads,
                               table_fill fill, void *user, table_header *written, tauler_message *message) {
  char path[FOLDER_PATH_BYTES];
  tauler_error error =
      names_path(job->problem.game, job->problem.rules, job->folder, slice, header, path, message);
  if (error) return error;
  const table_write_settings settings = {.level = job->level, .threads = threads};
  error = table_write(path, header, &settings, fill, user, written, message);
  return error ? error : slice_table_recode(job, path, written, message);
}

void slice_table_report(const build_job *job, const table_header *header, bool built) {
  if (!job->report) return;
  const build_table about = {header->slice,        header->stream,       header->positions,
                             header->stored_bytes, header->plain_digest, built};
  job->report(job->user, &about);
}

enum { CODE_PIECE = 4096 };

static void find_left_out_cells(const solve_problem *problem, uint32_t slice, bool any, uint64_t first,
                                size_t n, uint8_t out[CODE_PIECE]) {
  memset(out, 0, n);
  if (any) problem->game->left_out(problem->rules, slice, first, n, out);
}

void slice_code_values(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const int8_t *cells, const int8_t *lookups, int8_t *stored) {
  const bool any = job->problem.game->left_out != NULL;
  uint8_t left_out[CODE_PIECE];
  for (size_t done = 0; done < count; done += CODE_PIECE) {
    const size_t n = count - done < CODE_PIECE ? count - done : CODE_PIECE;
    find_left_out_cells(&job->problem, slice, any, first + done, n, left_out);
    for (size_t i = 0; i < n; i++) {
      const int8_t cell = cells[done + i];
      stored[done + i] =
          left_out[i] || (lookups && cell == lookups[done + i]) ? (int8_t)SLICE_RESERVED : cell;
    }
  }
}

void slice_code_depths(const build_job *job, uint32_t slice, uint64_t first, size_t count,
                       const uint16_t *depths, bool wide, void *stored, void *plain) {
  const bool any = slice_leaves_out_depths(&job->problem);
  uint8_t left_out[CODE_PIECE];
  for (size_t done = 0; done < count; done += CODE_PIECE) {
    const size_t n = count - done < CODE_PIECE ? count - done : CODE_PIECE;
    find_left_out_cells(&job->problem, slice, any, first + done, n, left_out);
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
