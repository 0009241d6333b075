/* Makes and visits the paths of tables: FOLDER/GAME/RULES[/CYCLES][/BELOW]/SLICE.STREAM.zst.
 *
 * The names are texts of a table's header. Only the header says what a table is; the path serves to find it.
 * BELOW, which the caller gets from the game, divides thousands of slices into small folders.
 */
#ifndef DATABASES_FOLDER_H
#define DATABASES_FOLDER_H

#include "databases/table.h"

enum { FOLDER_PATH_BYTES = 4096 };

/* Writes the path of the table that `header` describes (game, rules, cycles, slice, stream). `below` is "" if
 * the table is in the folder of its rule set. Errors: TAULER_BAD_USAGE if the path is too long. */
tauler_error folder_table_path(const char *folder, const char *below, const table_header *header,
                               char path[FOLDER_PATH_BYTES], tauler_message *message);

/* Calls `visit` with each path below the folder that has a table's name, in a fixed order (shorter names
 * first). Stops at the first error and returns it. The path may also be that of a folder, a pipe or a link to
 * nowhere. Hidden files and folders, files with other names and links to a folder that contains them are
 * skipped. Errors: TAULER_IO or TAULER_NO_MEMORY if a folder cannot be read or has too long a path,
 * TAULER_TABLE_MISSING if there is no such folder. */
tauler_error folder_walk(const char *folder, tauler_error (*visit)(void *user, const char *path), void *user,
                         tauler_message *message);

#endif
