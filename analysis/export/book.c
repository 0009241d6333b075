/* Writes the values of a rule set as a book for another program. */
#include "analysis/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/probe/worth.h"
#include "base/durable_file.h"
#include "databases/folder.h"
#include "games/game_record.h"

enum { PIECE = 1 << 14, MOST_NUMBERS = 128 };

typedef struct {
  const export_job *job;
  const game_book *format;
  uint32_t largest;
  uint64_t boards;
  uint8_t *book; /* [boards] bytes of the format */
  int8_t numbers[PIECE * MOST_NUMBERS], lower[PIECE], upper[PIECE];
  tauler_message *message;
} writer;

static void put_value(writer *w, const int8_t *numbers, uint32_t slice, int value) {
  w->book[w->format->number(numbers)] = w->format->byte(slice, value);
}

static tauler_error refuse_bounds(const writer *w, uint32_t slice) {
  return tauler_fail(
      w->message, TAULER_TABLE_MISSING,
      "the tables of slice %" PRIu32 " hold bounds, not values; build them again with this version", slice);
}

static tauler_error put_piece(writer *w, uint32_t slice, uint64_t first, size_t n) {
  tauler_tables *tables = w->job->tables;
  size_t width = 0;
  tauler_error error = tauler_bounds_at(tables, slice, first, n, w->lower, w->upper, w->message);
  if (!error)
    error = tauler_boards_at(tables, slice, false, first, n, w->job->threads, &width, w->numbers, w->message);
  if (!error && memcmp(w->lower, w->upper, n) != 0) error = refuse_bounds(w, slice);
  for (size_t i = 0; i < n && !error; i++) put_value(w, w->numbers + i * width, slice, w->lower[i]);
  return error;
}

/* Writes the values of boards without an index, to which no move leads. Computes them from the moves. */
static tauler_error put_outside_boards(writer *w, uint32_t slice) {
  tauler_tables *tables = w->job->tables;
  const game *g = tables->game;
  tauler_error error = TAULER_OK;
  for (uint64_t i = 0; i < g->outside(tables->rules, slice) && !error; i++) {
    game_position position;
    tauler_worth worth;
    g->outside_at(tables->rules, slice, i, &position);
    g->numbers(tables->rules, &position, w->numbers);
    error = value_of_position(tables, &position, &worth, w->message);
    if (!error && worth.lower != worth.upper) error = refuse_bounds(w, slice);
    if (!error) put_value(w, w->numbers, slice, (int)worth.lower);
  }
  return error;
}

static tauler_error put_slice(writer *w, uint32_t slice) {
  const uint64_t positions = w->job->tables->game->positions(w->job->tables->rules, slice);
  tauler_error error = TAULER_OK;
  for (uint64_t first = 0; first < positions && !error; first += PIECE) {
    const uint64_t left = positions - first;
    error = put_piece(w, slice, first, left < PIECE ? (size_t)left : PIECE);
  }
  if (w->job->shown) progress_add(w->job->shown, positions);
  return error ? error : put_outside_boards(w, slice);
}

static tauler_error write_book(const writer *w) {
  char path[FOLDER_PATH_BYTES], header[GAME_DRAWING_BYTES], author[80];
  durable_file *file;
  snprintf(author, sizeof author, "tauler %s", tauler_version());
  const size_t head = w->format->header(w->largest, author, header);
  if (snprintf(path, sizeof path, "%s/%s", w->job->folder, w->format->file) >= (int)sizeof path)
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
  if (!error) export_report(w->job, w->format->format, path, w->boards, head + w->boards);
  return error;
}

static tauler_error check_format(const export_job *job, tauler_message *message) {
  const tauler_tables *tables = job->tables;
  const game_book *format = tables->game->book;
  if (!format)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s has no format of other programs", tables->game->name);
  if (!format->fits(tables->rules))
    return tauler_fail(message, TAULER_BAD_USAGE, "the format %s needs tables of %s", format->format,
                       format->needs);
  if (game_slices_largest(job->slices) <= format->largest) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE, "the format %s has slices up to %" PRIu32, format->format,
                     format->largest);
}

tauler_error export_book(const export_job *job, tauler_message *message) {
  tauler_error error = check_format(job, message);
  writer *w = NULL;
  if (!error) error = memory_allocate(job->memory, sizeof *w, "a part of a book", &w, message);
  if (error) return error;
  w->job = job;
  w->message = message;
  w->largest = game_slices_largest(job->slices);
  w->format = job->tables->game->book;
  w->boards = w->format->positions(w->largest);
  error = memory_allocate(job->memory, w->boards, "a book", &w->book, message);
  if (!error && job->shown) progress_start(job->shown, "export", "positions", w->boards, 0);
  for (uint32_t slice = 0; slice <= w->largest && !error; slice++) error = put_slice(w, slice);
  if (!error) error = write_book(w);
  memory_free(job->memory, w->book);
  memory_free(job->memory, w);
  return error;
}
