/* Writes files into a folder, and reads files part by part. Private to analysis/publish. */
#ifndef ANALYSIS_PUBLISH_PLACE_H
#define ANALYSIS_PUBLISH_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"
#include "databases/folder.h"

/* A growing array of bytes; its owner frees `bytes`. */
typedef struct {
  char *bytes;
  size_t used, room;
} growing;

/* Appends bytes; a NUL follows the last one. Errors: TAULER_NO_MEMORY. */
tauler_error growing_add(growing *to, const void *bytes, size_t n, tauler_message *message);

/* Appends a whole file. Errors: those of place_read_file. */
tauler_error growing_read(growing *to, const char *path, tauler_message *message);

typedef tauler_error (*place_use_part)(void *user, const void *bytes, size_t n, tauler_message *message);

/* Passes the bytes first … end − 1 of an open file to `take`, part by part, until it fails; `path` is for
 * messages. Errors: TAULER_DAMAGED_FILE (the file is too short), TAULER_IO, TAULER_NO_MEMORY, those of
 * `take`. */
tauler_error place_read_parts(int descriptor, const char *path, uint64_t first, uint64_t end,
                              place_use_part take, void *user, tauler_message *message);

/* Passes a whole regular file to `take`. Errors: those of place_read_parts and durable_read_open. */
tauler_error place_read_file(const char *path, place_use_part take, void *user, tauler_message *message);

/* Makes the folder that contains a path, which has a slash. Errors: those of durable_folder_create. */
tauler_error place_folder(const char *path, tauler_message *message);

/* Writes the path FOLDER/BELOW and makes its folders. Errors: TAULER_BAD_USAGE (too long), those of
 * durable_folder_create. */
tauler_error place_path(const char *folder, const char *below, char path[FOLDER_PATH_BYTES],
                        tauler_message *message);

tauler_error place_bytes(const char *folder, const char *below, const void *bytes, size_t n,
                         tauler_message *message);

/* Replaces `to` by a link to the file `from`, with symbolic links followed, or by a copy if linking fails. If
 * both are the same file, does nothing. Errors: those of place_read_file, TAULER_NO_SPACE. */
tauler_error place_file(const char *from, const char *to, tauler_message *message);

#endif
