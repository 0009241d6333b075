/* Writes the tables of a slice from its bitboards, range by range, so that memory never holds the whole slice
 * in index order. */
#include <string.h>

#include "solver/engines/bitboard/work.h"
#include "solver/tables/slice_tables.h"

enum { PIECE = 4096 };

typedef struct {
  const build_job *build;
  const bitboard_slice *slice;
  bool depths, wide; /* wide: depths have two bytes */
} word_source;

static tauler_error fill_range(void *user, uint64_t first, size_t count, void *stored, void *plain,
                               tauler_message *message) {
  const word_source *source = user;
  const bitboard_slice *slice = source->slice;
  const size_t bytes = source->wide ? sizeof(uint16_t) : sizeof(uint8_t);
  int8_t cells[PIECE] = {0};
  uint16_t depths[PIECE];
  bitboard_reader reader = {.depths = source->depths};
  tauler_error error = TAULER_OK;
  comm_note_progress(source->build->work.comm);
  for (size_t done = 0, n = 0; done < count; done += n) {
    const uint64_t from = first + done;
    char *to = (char *)stored + done * bytes, *plain_to = (char *)plain + done * bytes;
    int8_t *values = source->depths ? cells : (int8_t *)plain_to;
    error = bitboard_reader_move(slice, from, &reader, message);
    if (error) break;
    n = count - done < PIECE ? count - done : PIECE;
    if (n > reader.end - from) n = (size_t)(reader.end - from);
    slice->kernels->gather(slice->tables, &reader.state, from, n, values, depths);
    bitboard_disk_note_read(slice, (n + 31) / 32);
    if (source->depths)
      slice_code_depths(source->build, slice->slice, from, n, depths, source->wide, to, plain_to);
    else
      slice_code_values(source->build, slice->slice, from, n, values, NULL, (int8_t *)to);
  }
  bitboard_reader_close(slice, &reader);
  return error;
}

tauler_error bitboard_slice_write(const build_job *build, const solve_job *job, const bitboard_slice *slice,
                                  table_header written[BITBOARD_TABLES], tauler_message *message) {
  const bool shared = job->ranks > 1, wide = slice->longest >= UINT8_MAX;
  const int rank = shared ? comm_rank(job->work.comm) : 0;
  tauler_error error = TAULER_OK;
  memset(written, 0, BITBOARD_TABLES * sizeof *written);
  for (int table = 0; table < BITBOARD_TABLES && !error; table++) {
    const bool depths = table == BITBOARD_DEPTHS;
    word_source source = {build, slice, depths, depths && wide};
    table_header header;
    if (shared && rank != table) continue;
    if (depths)
      slice_depths_header(build, slice->slice, 0, wide, &header);
    else
      slice_values_header(&build->problem, slice->slice, 0, 0, &header);
    error = slice_table_write(build, slice->slice, &header, job->work.threads, fill_range, &source,
                              &written[table], message);
  }
  return shared ? comm_agree(job->work.comm, error, message) : error;
}
