/* Files into a folder: paths joined, folders made, bytes and whole files put there. Private to
 * analysis/publish. Nothing is kept. */
#ifndef ANALYSIS_PUBLISH_PLACE_H
#define ANALYSIS_PUBLISH_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"
#include "databases/folder.h"

/* Bytes that grow; the owner frees `bytes`. */
typedef struct {
  char *bytes;
  size_t used, room;
} growing;

/* A NUL stands behind the last byte. Errors: TAULER_NO_MEMORY. */
tauler_error growing_add(growing *to, const void *bytes, size_t n, tauler_message *message);

/* All of a file. Errors: as place_read_file. */
tauler_error growing_read(growing *to, const char *path, tauler_message *message);

typedef tauler_error (*place_take_part)(void *user, const void *bytes, size_t n, tauler_message *message);

/* Gives `take` the bytes first … end − 1 of an open file, one part after another, until it fails; `path` is
 * for messages. Errors: TAULER_DAMAGED_FILE (it ends before), TAULER_IO, TAULER_NO_MEMORY, those of `take`.
 */
tauler_error place_read_parts(int descriptor, const char *path, uint64_t first, uint64_t end,
                              place_take_part take, void *user, tauler_message *message);

/* The same for a whole regular file. Errors: as durable_read_open, those above. */
tauler_error place_read_file(const char *path, place_take_part take, void *user, tauler_message *message);

/* Makes the folder that a path stands in. Errors: as durable_folder_create. */
tauler_error place_folder(const char *path, tauler_message *message);

/* FOLDER/BELOW, of which the folders are made. Errors: TAULER_BAD_USAGE (too long), as durable_folder_create.
 */
tauler_error place_path(const char *folder, const char *below, char path[FOLDER_PATH_BYTES],
                        tauler_message *message);

/* Writes a file FOLDER/BELOW. Errors: as durable_file_commit. */
tauler_error place_bytes(const char *folder, const char *below, const void *bytes, size_t n,
                         tauler_message *message);

/* Puts the file `from`, or what a link to it leads to, at `to` by another link to it, or a copy where none
 * can be made. Errors: as place_read_file, TAULER_NO_SPACE. */
tauler_error place_file(const char *from, const char *to, tauler_message *message);

#endif
