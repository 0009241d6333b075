/* Writes exact values of abapa as the endgame book of the engine Aalina. */
#include "analysis/export/aalina.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/probe/worth.h"
#include "base/durable_file.h"
#include "databases/folder.h"

enum { PITS = 12, MOST_SEEDS = 15, PIECE = 1 << 14, HEADER_BYTES = 1024, RIGHT_AFTER_CAPTURE = 1 };

typedef struct {
  const export_job *job;
  unsigned seeds; /* of the largest boards */
  uint64_t boards;
  uint8_t *book; /* a byte a board */
  int8_t pits[PIECE * PITS], lower[PIECE], upper[PIECE];
  tauler_message *message;
} writer;

static uint64_t choose(unsigned n, unsigned k) {
  uint64_t product = 1;
  for (unsigned i = 1; i <= k; i++) product = product * (n - k + i) / i;
  return product;
}

/* The number of a board in the book: pits from f down to A, by how many seeds are left up to each. */
static uint64_t number_of(const int8_t *pits) {
  uint64_t number = 0;
  unsigned seeds = 0;
  for (unsigned pit = 0; pit < PITS; pit++) {
    seeds += (unsigned)pits[pit];
    number += choose(seeds + pit, pit + 1);
  }
  return number;
}

/* All seeds are captured in the end. */
static void put(writer *w, const int8_t *pits, uint32_t seeds, int value) {
  const unsigned captures = (unsigned)((int)seeds + value) / 2;
  w->book[number_of(pits)] = (uint8_t)(captures << 2 | RIGHT_AFTER_CAPTURE);
}

static tauler_error refuse_bounds(const writer *w, uint32_t seeds) {
  return tauler_fail(
      w->message, TAULER_TABLE_MISSING,
      "the tables of %" PRIu32 " seeds hold bounds, not values; build them again with this version", seeds);
}

static tauler_error put_piece(writer *w, uint32_t seeds, uint64_t first, size_t n) {
  tauler_tables *tables = w->job->tables;
  size_t width;
  tauler_error error = tauler_bounds_at(tables, seeds, first, n, w->lower, w->upper, w->message);
  if (!error)
    error = tauler_boards_at(tables, seeds, false, first, n, w->job->threads, &width, w->pits, w->message);
  if (!error && memcmp(w->lower, w->upper, n) != 0) error = refuse_bounds(w, seeds);
  for (size_t i = 0; i < n && !error; i++) put(w, w->pits + i * PITS, seeds, w->lower[i]);
  return error;
}

/* Boards that no move leads to are worth what their moves are. */
static tauler_error put_outside(writer *w, uint32_t seeds) {
  tauler_tables *tables = w->job->tables;
  const game *g = tables->game;
  tauler_error error = TAULER_OK;
  for (uint64_t i = 0; i < g->outside(tables->rules, seeds) && !error; i++) {
    game_position position;
    tauler_worth worth;
    g->outside_at(tables->rules, seeds, i, &position);
    g->numbers(tables->rules, &position, w->pits);
    error = value_read(tables, &position, &worth, w->message);
    if (!error && worth.lower != worth.upper) error = refuse_bounds(w, seeds);
    if (!error) put(w, w->pits, seeds, (int)worth.lower);
  }
  return error;
}

static tauler_error put_slice(writer *w, uint32_t seeds) {
  const uint64_t positions = w->job->tables->game->positions(w->job->tables->rules, seeds);
  tauler_error error = TAULER_OK;
  for (uint64_t first = 0; first < positions && !error; first += PIECE) {
    const uint64_t left = positions - first;
    error = put_piece(w, seeds, first, left < PIECE ? (size_t)left : PIECE);
  }
  if (w->job->shown) progress_add(w->job->shown, positions);
  return error ? error : put_outside(w, seeds);
}

/* The header in UTF-16, the high byte first; an empty line ends it. */
static size_t write_header(const writer *w, char header[HEADER_BYTES]) {
  char text[HEADER_BYTES / 2];
  const int n = snprintf(text, sizeof text,
                         "Oware Endgames 2.0\nPositions: %" PRIu64
                         "\nName: Exact values of abapa, up to %u seeds\nAuthor: tauler %s\n\n",
                         w->boards, w->seeds, tauler_version());
  for (int i = 0; i < n; i++) {
    header[2 * i] = '\0';
    header[2 * i + 1] = text[i];
  }
  return 2 * (size_t)n;
}

static tauler_error write_book(const writer *w) {
  char path[FOLDER_PATH_BYTES], header[HEADER_BYTES];
  durable_file *file;
  const size_t head = write_header(w, header);
  if (snprintf(path, sizeof path, "%s/%s", w->job->folder, AALINA_NAME) >= (int)sizeof path)
    return tauler_fail(w->message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s",
                       w->job->folder);
  tauler_error error = durable_folder_create(w->job->folder, w->message);
  if (!error) error = durable_file_create(path, &file, w->message);
  if (error) return error;
  error = durable_file_write_at(file, 0, header, head, w->message);
  if (!error) error = durable_file_write_at(file, head, w->book, w->boards, w->message);
  if (!error) error = durable_file_sync(file, w->message);
  if (error) {
    durable_file_abandon(file);
    return error;
  }
  error = durable_file_commit(file, w->message);
  if (!error && w->job->report)
    w->job->report(w->job->user, &(export_copy){.slice = "total",
                                                .stream = "aalina",
                                                .path = path,
                                                .positions = w->boards,
                                                .file_bytes = head + w->boards,
                                                .made = true});
  return error;
}

static tauler_error check(const export_job *job, tauler_message *message) {
  const tauler_tables *tables = job->tables;
  const bool exact = strcmp(tables->game->name, "auale") == 0 &&
                     strcmp(tables->game->rules_text(tables->rules), "abapa") == 0 && tables->may_be_exact;
  if (!exact)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the format aalina has exact values of abapa: tauler export auale --rules abapa "
                       "--cycles own-row --seeds 12 --format aalina");
  if (game_slices_largest(job->slices) <= MOST_SEEDS) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "the format aalina has boards of up to %d seeds", MOST_SEEDS);
}

tauler_error aalina_export(const export_job *job, tauler_message *message) {
  tauler_error error = check(job, message);
  writer *w = NULL;
  if (!error) error = memory_take(job->memory, sizeof *w, "a part of a book", &w, message);
  if (error) return error;
  w->job = job;
  w->message = message;
  w->seeds = game_slices_largest(job->slices);
  w->boards = choose(w->seeds + PITS, PITS);
  w->book = NULL;
  error = memory_take(job->memory, w->boards, "a book", &w->book, message);
  if (!error && job->shown) progress_start(job->shown, "export", "positions", w->boards, 0);
  for (uint32_t seeds = 0; seeds <= w->seeds && !error; seeds++) error = put_slice(w, seeds);
  if (!error) error = write_book(w);
  memory_give(job->memory, w->book);
  memory_give(job->memory, w);
  return error;
}
