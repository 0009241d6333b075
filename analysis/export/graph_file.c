/* Writes text in large pieces. */
#include "analysis/export/export.h"

#include <stdarg.h>
#include <stdio.h>

tauler_error graph_file_open(graph_file *f, const char *folder, const char *name, tauler_message *message) {
  f->file = NULL;
  f->bytes = 0;
  f->used = 0;
  f->message = message;
  f->error = TAULER_OK;
  if (snprintf(f->path, sizeof f->path, "%s/%s", folder, name) >= (int)sizeof f->path)
    return tauler_fail(message, TAULER_BAD_USAGE, "the path of the folder is too long: %.200s", folder);
  return durable_file_create(f->path, &f->file, message);
}

static void write_buffer(graph_file *f) {
  if (!f->error) f->error = durable_file_write(f->file, f->text, f->used, f->message);
  f->bytes += f->used;
  f->used = 0;
}

void graph_file_print(graph_file *f, const char *format, ...) {
  if (f->used + GRAPH_FILE_LINE > GRAPH_FILE_ROOM) write_buffer(f);
  if (f->error) return;
  va_list arguments;
  va_start(arguments, format);
  const int n = vsnprintf(f->text + f->used, GRAPH_FILE_LINE, format, arguments);
  va_end(arguments);
  f->used += n < GRAPH_FILE_LINE ? (size_t)n : GRAPH_FILE_LINE - 1;
}

tauler_error graph_file_close(graph_file *f, tauler_error error) {
  if (!f->file) return error;
  if (!error) write_buffer(f);
  if (!error) error = f->error;
  if (!error) return durable_file_commit(f->file, f->message);
  durable_file_abandon(f->file);
  return error;
}
