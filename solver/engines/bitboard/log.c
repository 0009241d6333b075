/* Writes sets and the cells that waves decided to a file, unit by unit, and computes depths from the cells.
 */
#include "solver/engines/bitboard/work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <zstd.h>

#include "base/unnamed_file.h"
#include "databases/table_frames.h"

enum { LEVEL = 1, ZSTD_STATE_BYTES = 200000 };

/* The place of a piece in the file. bytes is 0 if no such piece exists. */
typedef struct {
  uint64_t offset, bytes;
} log_place;

enum { ALL_CODES = 0 };
typedef struct {
  log_place before; /* place of the previous piece of the unit */
  uint64_t code;    /* code of the piece's cells, or ALL_CODES if the piece has the codes of all cells */
} piece_head;

typedef struct {
  atomic_flag taken;
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  uint8_t *plain, *piece, *codes; /* parts of log->room */
} log_desk;

struct bitboard_log {
  memory_budget *memory;
  unnamed_file *file;
  uint64_t blocks, unit, units; /* unit: blocks in a unit */
  /* code_bytes: bytes of a block's codes. desk_bytes: bytes per desk in `room`. */
  size_t code_bytes, desk_bytes;
  log_place *last; /* [units] last piece of each unit */
  /* [units] Compressed bytes of each unit of a set: those of a whole unit if not compressed, 0 if never
   * written. */
  uint32_t *set_bytes[LOG_SETS];
  _Atomic uint64_t end;
  atomic_flag linking;     /* set while a piece is linked to the piece before */
  pthread_mutex_t joining; /* held while cells of other ranks join sets */
  int threads;
  log_desk *desks;
  uint8_t *room;
  arena lists;
};

ZSTD_CCtx *bitboard_log_compressor(void) {
  ZSTD_CCtx *compressor = ZSTD_createCCtx();
  if (compressor && !ZSTD_isError(ZSTD_CCtx_setParameter(compressor, ZSTD_c_compressionLevel, LEVEL)) &&
      !ZSTD_isError(ZSTD_CCtx_setParameter(compressor, ZSTD_c_checksumFlag, 1)))
    return compressor;
  ZSTD_freeCCtx(compressor);
  return NULL;
}

static size_t set_bytes(uint64_t unit) {
  return unit * sizeof(uint64_t);
}

static size_t plain_bytes(uint64_t unit, size_t codes) {
  return unit * (codes > sizeof(uint64_t) ? codes : sizeof(uint64_t));
}
static size_t piece_bytes(uint64_t unit, size_t codes) {
  return (sizeof(piece_head) + ZSTD_compressBound(plain_bytes(unit, codes)) + 63) / 64 * 64;
}

/* Returns the bytes of a desk's buffers, plus an estimate of what zstd allocates for it. */
static size_t desk_bytes(uint64_t unit, size_t codes) {
  const size_t plain = plain_bytes(unit, codes), zstd = (2 * plain + ZSTD_STATE_BYTES) / 64 * 64;
  return 2 * plain + piece_bytes(unit, codes) + zstd;
}

static void list_log_arrays(arena *a, void *of) {
  bitboard_log *log = of;
  log->last = arena_allocate(a, log->units, sizeof *log->last);
  for (int set = 0; set < LOG_SETS; set++)
    log->set_bytes[set] = arena_allocate(a, log->units, sizeof(uint32_t));
  log->desks = arena_allocate(a, (uint64_t)log->threads, sizeof *log->desks);
  log->room = arena_allocate(a, (uint64_t)log->threads, log->desk_bytes);
}

static bitboard_log plan_log(uint64_t blocks, size_t codes, int threads) {
  const uint64_t unit = bitboards_unit(blocks);
  return (bitboard_log){.blocks = blocks,
                        .unit = unit,
                        .units = bitboards_units(blocks),
                        .code_bytes = codes,
                        .desk_bytes = desk_bytes(unit, codes),
                        .end = LOG_SETS * bitboards_units(blocks) * set_bytes(unit),
                        .threads = threads < 1 ? 1 : threads};
}

uint64_t bitboard_log_bytes(uint64_t blocks, size_t codes, int threads) {
  bitboard_log planned = plan_log(blocks, codes, threads);
  return sizeof planned + arena_bytes(list_log_arrays, &planned);
}

static tauler_error open_desks(bitboard_log *log, tauler_message *message) {
  const size_t plain = plain_bytes(log->unit, log->code_bytes);
  bool whole = true;
  for (int i = 0; i < log->threads; i++) {
    log_desk *desk = &log->desks[i];
    desk->plain = log->room + (size_t)i * log->desk_bytes;
    desk->codes = desk->plain + plain;
    desk->piece = desk->codes + plain;
    desk->compressor = bitboard_log_compressor();
    desk->decompressor = ZSTD_createDCtx();
    whole = whole && desk->compressor && desk->decompressor;
  }
  return whole ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory to compress depths");
}

tauler_error bitboard_log_open(const workspace *work, uint64_t blocks, size_t codes, bitboard_log **out,
                               tauler_message *message) {
  bitboard_log *log;
  *out = NULL;
  tauler_error error = memory_allocate(work->memory, sizeof *log, "bitboards on the disk", &log, message);
  if (error) return error;
  *log = plan_log(blocks, codes, work->threads);
  log->memory = work->memory;
  pthread_mutex_init(&log->joining, NULL);
  error = arena_fill(&log->lists, log->memory, "the list of bitboards on the disk", list_log_arrays, log,
                     message);
  if (error) log->desks = NULL;
  if (!error) error = open_desks(log, message);
  if (!error) error = unnamed_file_open(work->spill_folder, &log->file, message);
  if (error) {
    bitboard_log_close(log);
    return error;
  }
  *out = log;
  return TAULER_OK;
}

void bitboard_log_close(bitboard_log *log) {
  if (!log) return;
  unnamed_file_close(log->file);
  pthread_mutex_destroy(&log->joining);
  for (int i = 0; log->desks && i < log->threads; i++) {
    ZSTD_freeCCtx(log->desks[i].compressor);
    ZSTD_freeDCtx(log->desks[i].decompressor);
  }
  arena_close(&log->lists);
  memory_free(log->memory, log);
}

uint64_t bitboard_log_blocks(const bitboard_log *log, uint64_t unit) {
  const uint64_t rest = log->blocks - unit * log->unit;
  return rest < log->unit ? rest : log->unit;
}

/* Returns a free desk. Waits while callers occupy all desks. */
static log_desk *occupy_desk(bitboard_log *log) {
  int i = 0;
  while (atomic_flag_test_and_set(&log->desks[i].taken)) i = (i + 1) % log->threads;
  return &log->desks[i];
}

static void vacate_desk(log_desk *desk) {
  atomic_flag_clear(&desk->taken);
}

static size_t compress_bytes(const bitboard_log *log, const log_desk *desk, const void *bytes, size_t n) {
  const size_t room = piece_bytes(log->unit, log->code_bytes) - sizeof(piece_head);
  return ZSTD_compress2(desk->compressor, desk->piece + sizeof(piece_head), room, bytes, n);
}

static bool decompress_bytes(const log_desk *desk, size_t used, void *bytes, size_t n) {
  return ZSTD_decompressDCtx(desk->decompressor, bytes, n, desk->piece + sizeof(piece_head), used) == n;
}

/* --- sets --- */

static uint64_t set_offset(const bitboard_log *log, int set, uint64_t unit) {
  return ((uint64_t)set * log->units + unit) * set_bytes(log->unit);
}

tauler_error bitboard_log_put(bitboard_log *log, int set, uint64_t unit, const uint64_t *words,
                              tauler_message *message) {
  const size_t n = bitboard_log_blocks(log, unit) * sizeof *words;
  log_desk *desk = occupy_desk(log);
  const size_t used = compress_bytes(log, desk, words, n);
  const bool less = !ZSTD_isError(used) && used < n;
  const tauler_error error = unnamed_file_write(
      log->file, set_offset(log, set, unit), less ? (const void *)(desk->piece + sizeof(piece_head)) : words,
      less ? used : n, message);
  log->set_bytes[set][unit] = (uint32_t)(less ? used : set_bytes(log->unit));
  vacate_desk(desk);
  return error;
}

tauler_error bitboard_log_get(bitboard_log *log, int set, uint64_t unit, uint64_t *words,
                              tauler_message *message) {
  const size_t n = bitboard_log_blocks(log, unit) * sizeof *words, used = log->set_bytes[set][unit];
  const uint64_t offset = set_offset(log, set, unit);
  if (used == set_bytes(log->unit)) return unnamed_file_read(log->file, offset, words, n, message);
  memset(words, 0, n);
  if (!used) return TAULER_OK;
  log_desk *desk = occupy_desk(log);
  tauler_error error = unnamed_file_read(log->file, offset, desk->piece + sizeof(piece_head), used, message);
  if (!error && !decompress_bytes(desk, used, words, n)) error = unnamed_file_refuse(log->file, message);
  vacate_desk(desk);
  return error;
}

tauler_error bitboard_log_join(bitboard_log *log, int set, uint64_t unit, uint64_t *cells,
                               tauler_message *message) {
  const uint64_t blocks = bitboard_log_blocks(log, unit);
  uint64_t words[BITBOARDS_MOST_UNIT], any = 0;
  const tauler_error error = bitboard_log_get(log, set, unit, words, message);
  for (uint64_t i = 0; i < blocks && !error; i++) {
    any |= cells[i] &= ~words[i];
    words[i] |= cells[i];
  }
  if (error || !any) return error;
  log->set_bytes[set][unit] = (uint32_t)set_bytes(log->unit);
  return unnamed_file_write(log->file, set_offset(log, set, unit), words, blocks * sizeof *words, message);
}

/* --- codes --- */

static tauler_error add_compressed(bitboard_log *log, const log_desk *desk, uint64_t unit, uint64_t code,
                                   size_t used, tauler_message *message) {
  const size_t all = sizeof(piece_head) + used;
  const uint64_t offset = atomic_fetch_add(&log->end, all);
  while (atomic_flag_test_and_set(&log->linking)) {}
  const piece_head head = {log->last[unit], code};
  log->last[unit] = (log_place){offset, all};
  atomic_flag_clear(&log->linking);
  memcpy(desk->piece, &head, sizeof head);
  return unnamed_file_write(log->file, offset, desk->piece, all, message);
}

static tauler_error add_piece(bitboard_log *log, uint64_t unit, uint64_t code, const void *bytes, size_t n,
                              uint8_t *copy, size_t *copied, tauler_message *message) {
  log_desk *desk = occupy_desk(log);
  const size_t used = compress_bytes(log, desk, bytes, n);
  tauler_error error = TAULER_OK;
  if (ZSTD_isError(used)) {
    error = tauler_fail(message, zstd_error(used, TAULER_INTERNAL), "zstd: %s", ZSTD_getErrorName(used));
  } else {
    if (copy) memcpy(copy, desk->piece + sizeof(piece_head), *copied = used);
    error = add_compressed(log, desk, unit, code, used, message);
  }
  vacate_desk(desk);
  return error;
}

tauler_error bitboard_log_add_cells(bitboard_log *log, uint64_t unit, const uint64_t *cells, uint8_t code,
                                    uint8_t *copy, size_t *n, tauler_message *message) {
  const size_t bytes = bitboard_log_blocks(log, unit) * sizeof *cells;
  return add_piece(log, unit, code, cells, bytes, copy, n, message);
}

size_t bitboard_log_piece_bytes(uint64_t blocks) {
  return ZSTD_compressBound(set_bytes(bitboards_unit(blocks)));
}

tauler_error bitboard_log_receive_cells(bitboard_log *log, uint64_t unit, const uint8_t *bytes, size_t n,
                                        uint8_t code, int set, tauler_message *message) {
  if (unit >= log->units || n > piece_bytes(log->unit, log->code_bytes) - sizeof(piece_head))
    return tauler_fail(message, TAULER_IO,
                       "another rank sent cells that do not decompress: check the network");
  uint64_t cells[BITBOARDS_MOST_UNIT];
  log_desk *desk = occupy_desk(log);
  memcpy(desk->piece + sizeof(piece_head), bytes, n);
  tauler_error error = decompress_bytes(desk, n, cells, bitboard_log_blocks(log, unit) * sizeof *cells)
                           ? add_compressed(log, desk, unit, code, n, message)
                           : tauler_fail(message, TAULER_IO,
                                         "another rank sent cells that do not decompress: check the network");
  vacate_desk(desk);
  if (error) return error;
  pthread_mutex_lock(&log->joining);
  error = bitboard_log_join(log, set, unit, cells, message);
  pthread_mutex_unlock(&log->joining);
  return error;
}

tauler_error bitboard_log_add_codes(bitboard_log *log, uint64_t unit, const uint8_t *depth,
                                    tauler_message *message) {
  return add_piece(log, unit, ALL_CODES, depth, bitboard_log_blocks(log, unit) * log->code_bytes, NULL, NULL,
                   message);
}

static bool add_codes_of_cells(const bitboard_log *log, const log_desk *desk,
                               const game_bitboards_parts *parts, const void *tables, uint64_t unit,
                               size_t used, uint8_t code) {
  const uint64_t blocks = bitboard_log_blocks(log, unit);
  const game_bitboards_state codes = {.depth = desk->codes, .depth_from = 0};
  const uint64_t *cells = (const uint64_t *)(const void *)desk->plain;
  if (!decompress_bytes(desk, used, desk->plain, blocks * sizeof *cells)) return false;
  for (uint64_t i = 0; i < blocks; i++) {
    if (cells[i]) parts->keep_code(tables, &codes, i, cells[i], code);
  }
  return true;
}

static bool add_all_codes(const bitboard_log *log, const log_desk *desk, uint64_t unit, size_t used) {
  const size_t n = bitboard_log_blocks(log, unit) * log->code_bytes;
  if (!decompress_bytes(desk, used, desk->plain, n)) return false;
  for (size_t i = 0; i < n; i++) desk->codes[i] |= desk->plain[i];
  return true;
}

static tauler_error read_pieces(bitboard_log *log, log_desk *desk, const game_bitboards_parts *parts,
                                const void *tables, uint64_t unit, tauler_message *message) {
  memset(desk->codes, 0, plain_bytes(log->unit, log->code_bytes));
  for (log_place at = log->last[unit]; at.bytes;) {
    piece_head head;
    const tauler_error error = unnamed_file_read(log->file, at.offset, desk->piece, at.bytes, message);
    if (error) return error;
    memcpy(&head, desk->piece, sizeof head);
    const size_t used = at.bytes - sizeof head;
    const bool sound = head.code == ALL_CODES
                           ? add_all_codes(log, desk, unit, used)
                           : add_codes_of_cells(log, desk, parts, tables, unit, used, (uint8_t)head.code);
    if (!sound || head.before.bytes > piece_bytes(log->unit, log->code_bytes))
      return unnamed_file_refuse(log->file, message);
    at = head.before;
  }
  return TAULER_OK;
}

tauler_error bitboard_log_read_codes(bitboard_log *log, const game_bitboards_parts *parts, const void *tables,
                                     uint64_t unit, game_bitboards_state *state, tauler_message *message) {
  log_desk *desk = occupy_desk(log);
  const tauler_error error = read_pieces(log, desk, parts, tables, unit, message);
  state->depth = desk->codes;
  state->depth_from = unit * log->unit;
  if (error) bitboard_log_leave_codes(log, state);
  return error;
}

void bitboard_log_leave_codes(bitboard_log *log, game_bitboards_state *state) {
  for (int i = 0; i < log->threads && state->depth; i++) {
    if (log->desks[i].codes != state->depth) continue;
    vacate_desk(&log->desks[i]);
    state->depth = NULL;
  }
}
