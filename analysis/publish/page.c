/* Writes the page of a published folder. */
#include "analysis/publish/publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/publish/place.h"

#define EXPLORER "explorer/"
#define STATIC_PART "static/"
#define MODULE STATIC_PART "tauler.wasm"
#define INDEX "index.html"
#define OFFLINE STATIC_PART "offline.js"

/* Lines of index.html that the server's page lacks: where the tables are, and what the page may load. */
static const char before[] = "    <meta charset=\"utf-8\">\n";
static const char added[] = "    <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self'; "
                            "script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'\">\n"
                            "    <meta name=\"tauler-tables\" content=\"tables/\">\n";

static tauler_error write_index(const api_file *file, const char *folder, tauler_message *message) {
  growing text = {0}, out = {0};
  tauler_error error = growing_add(&text, file->bytes, file->length, message);
  const char *at = error ? NULL : strstr(text.bytes, before);
  if (!error && !at) error = tauler_fail(message, TAULER_INTERNAL, "index.html does not say its charset");
  const size_t head = at ? (size_t)(at - text.bytes) + sizeof before - 1 : 0;
  if (!error) error = growing_add(&out, text.bytes, head, message);
  if (!error) error = growing_add(&out, added, sizeof added - 1, message);
  if (!error) error = growing_add(&out, text.bytes + head, text.used - head, message);
  if (!error) error = place_bytes(folder, INDEX, out.bytes, out.used, message);
  free(text.bytes);
  free(out.bytes);
  return error;
}

/* A worker that answers for the network serves only what is below its own path, so it is beside
 * index.html. */
static tauler_error write_file(const api_file *file, const char *folder, page_note note, void *user,
                               tauler_message *message) {
  char below[FOLDER_PATH_BYTES];
  const bool offline = strcmp(file->name, OFFLINE) == 0;
  snprintf(below, sizeof below, EXPLORER "%s", file->name);
  if (strcmp(file->name, INDEX) == 0) {
    const tauler_error error = write_index(file, folder, message);
    return error ? error : note(user, INDEX);
  }
  const char *name = offline ? &OFFLINE[sizeof STATIC_PART - 1] : below;
  const tauler_error error = place_bytes(folder, name, file->bytes, file->length, message);
  return error ? error : note(user, name);
}

tauler_error page_write(const page_source *page, const char *folder, page_note note, void *user,
                        tauler_message *message) {
  growing module = {0};
  tauler_error error = growing_read(&module, page->module, message);
  if (!error) error = place_bytes(folder, EXPLORER MODULE, module.bytes, module.used, message);
  free(module.bytes);
  if (!error) error = note(user, EXPLORER MODULE);
  for (size_t i = 0; i < page->files_used && !error; i++)
    error = write_file(&page->files[i], folder, note, user, message);
  return error;
}

bool page_find_module(char path[FOLDER_PATH_BYTES]) {
  static const char *const places[] = {"tauler.wasm", "../share/tauler/tauler.wasm"};
  char program[FOLDER_PATH_BYTES];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  if (n <= 0) return false;
  program[n] = '\0';
  *(strrchr(program, '/') + 1) = '\0';
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (snprintf(path, FOLDER_PATH_BYTES, "%s%s", program, places[i]) < FOLDER_PATH_BYTES &&
        access(path, R_OK) == 0)
      return true;
  return false;
}
