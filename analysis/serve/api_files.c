/* Answers with the files of the page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/serve/api_parts.h"

enum { MOST_FILE_BYTES = 8 << 20 };

typedef struct {
  const char *suffix, *type;
  bool is_program_text; /* true for files that are not in the explorer's folder */
} file_type;

static const file_type types[] = {
    {".html", "text/html; charset=utf-8", false},     {".css", "text/css; charset=utf-8", false},
    {".js", "text/javascript; charset=utf-8", false}, {".svg", "image/svg+xml", false},
    {".md", "text/markdown; charset=utf-8", true},    {".json", "application/json; charset=utf-8", true}};

static const file_type *type_of(const char *name) {
  const size_t length = strlen(name);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const size_t n = strlen(types[i].suffix);
    if (length > n && strcmp(name + length - n, types[i].suffix) == 0) return &types[i];
  }
  return NULL;
}

static bool is_plain_name(const char *name) {
  const size_t folder = strspn(name, "abcdefghijklmnopqrstuvwxyz");
  if (folder && name[folder] == '/') name += folder + 1;
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  return *name && *name != '.' && !name[strspn(name, allowed)] && strlen(name) < 128;
}

/* The caller frees *bytes. Returns false, with nothing to free, if the file cannot be read or is larger than
 * MOST_FILE_BYTES. */
static bool read_file(const char *folder, const char *name, char **bytes, size_t *length) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) return false;
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  *bytes = malloc(MOST_FILE_BYTES + 1);
  *length = *bytes ? fread(*bytes, 1, MOST_FILE_BYTES + 1, file) : 0;
  const bool whole = *bytes && !ferror(file) && *length <= MOST_FILE_BYTES;
  fclose(file);
  if (!whole) free(*bytes);
  return whole;
}

static bool set_file(const api_settings *settings, const char *name, api_response *out) {
  const file_type *type = type_of(name);
  char *bytes;
  size_t length;
  if (!type || !is_plain_name(name)) return false;
  if (settings->explorer && !type->is_program_text) {
    if (!read_file(settings->explorer, name, &bytes, &length)) return false;
    api_set_body(out, 200, type->type, bytes, length, false);
    return true;
  }
  for (size_t i = 0; i < settings->files_used; i++) {
    const api_file *file = &settings->files[i];
    if (strcmp(file->name, name) != 0) continue;
    api_set_body(out, 200, type->type, (char *)file->bytes, file->length, true);
    return true;
  }
  return false;
}

void api_answer_file(const api_settings *settings, const char *name, api_response *out) {
  if (set_file(settings, name, out)) {
    api_set_keeping(out, API_ASK_AGAIN);
  } else {
    api_set_error(out, 404, "not found", "the explorer has no such file");
  }
}
