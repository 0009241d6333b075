/* Writes the tables of a slice from its bitboards, range by range, so that the slice is never whole in index
 * order. */
#include <string.h>

#include "databases/folder.h"
#include "databases/names.h"
#include "solver/engines/bitboard/work.h"
#include "solver/tables/slice_tables.h"

enum { PIECE = 4096 };

/* The state of a thread that fills a piece of a table. */
typedef struct {
  const build_job *build;
  const bitboard_slice *slice;
  bool wide; /* depths have two bytes */
} word_source;

/* Reads up to PIECE cells from `first` on; *n is their number. */
static tauler_error read_piece(const bitboard_slice *slice, uint64_t first, size_t count,
                               bitboard_reader *reader, int8_t *cells, uint16_t *depths, size_t *n,
                               tauler_message *message) {
  const tauler_error error = bitboard_reader_move(slice, first, reader, message);
  if (error) return error;
  *n = count < PIECE ? count : PIECE;
  if (*n > reader->end - first) *n = (size_t)(reader->end - first);
  slice->kernels->gather(slice->tables, &reader->state, first, *n, cells, depths);
  bitboard_disk_note_read(slice, (*n + 31) / 32);
  return TAULER_OK;
}

static tauler_error fill_values(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                tauler_message *message) {
  const word_source *source = user;
  const bitboard_slice *slice = source->slice;
  comm_note_progress(source->build->work.comm);
  int8_t *cells = plain;
  uint16_t depths[PIECE];
  bitboard_reader reader;
  tauler_error error = TAULER_OK;
  bitboard_reader_open(false, &reader);
  for (size_t done = 0, n = 0; done < count && !error; done += n)
    error = read_piece(slice, first + done, count - done, &reader, cells + done, depths, &n, message);
  bitboard_reader_close(slice, &reader);
  if (!error) slice_code_values(source->build, slice->slice, first, count, cells, NULL, stored);
  return error;
}

static tauler_error fill_depths(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                tauler_message *message) {
  const word_source *source = user;
  const bitboard_slice *slice = source->slice;
  comm_note_progress(source->build->work.comm);
  const size_t bytes = source->wide ? sizeof(uint16_t) : sizeof(uint8_t);
  int8_t cells[PIECE];
  uint16_t depths[PIECE];
  bitboard_reader reader;
  tauler_error error = TAULER_OK;
  bitboard_reader_open(true, &reader);
  for (size_t done = 0, n = 0; done < count && !error; done += n) {
    error = read_piece(slice, first + done, count - done, &reader, cells, depths, &n, message);
    if (!error)
      slice_code_depths(source->build, slice->slice, first + done, n, depths, source->wide,
                        (char *)stored + done * bytes, (char *)plain + done * bytes);
  }
  bitboard_reader_close(slice, &reader);
  return error;
}

static tauler_error write_stream(const word_source *source, int threads, const table_header *header,
                                 table_fill fill, table_header *written, tauler_message *message) {
  char path[FOLDER_PATH_BYTES];
  tauler_error error = names_path(source->build->problem.game, source->build->problem.rules,
                                  source->build->folder, source->slice->slice, header, path, message);
  if (error) return error;
  const table_write_settings settings = {.level = source->build->level, .threads = threads};
  error = table_write(path, header, &settings, fill, (void *)(uintptr_t)source, written, message);
  return error ? error : slice_table_recode(source->build, path, written, message);
}

tauler_error bitboard_slice_write(const build_job *build, const solve_job *job, const bitboard_slice *slice,
                                  table_header written[BITBOARD_TABLES], tauler_message *message) {
  const word_source source = {build, slice, slice->longest >= UINT8_MAX};
  const bool shared = job->ranks > 1;
  const int rank = shared ? comm_rank(job->work.comm) : 0;
  tauler_error error = TAULER_OK;
  table_header header;
  memset(written, 0, BITBOARD_TABLES * sizeof *written);
  slice_values_header(&build->problem, slice->slice, 0, 0, &header);
  if (rank == BITBOARD_VALUES)
    error =
        write_stream(&source, job->work.threads, &header, fill_values, &written[BITBOARD_VALUES], message);
  slice_depths_header(build, slice->slice, 0, source.wide, &header);
  if (!error && (!shared || rank == BITBOARD_DEPTHS))
    error =
        write_stream(&source, job->work.threads, &header, fill_depths, &written[BITBOARD_DEPTHS], message);
  return shared ? comm_agree(job->work.comm, error, message) : error;
}
