/* Where the tables of a database folder stand: FOLDER/GAME/RULES[/CYCLES][/BELOW]/SLICE.STREAM.zst.
 *
 * Names come from the texts in a table's header; nothing but the header says what a table is, the
 * path only finds it. BELOW keeps folders of thousands of slices small; the caller knows it from the game.
 * Pure functions and a walk over the folder; nothing is owned.
 */
#ifndef DATABASES_FOLDER_H
#define DATABASES_FOLDER_H

#include <stddef.h>

#include "databases/table.h"

enum { FOLDER_PATH_BYTES = 4096 };

/* Writes the path of the table that `header` describes (game, rules, cycles, slice, stream), `below` being ""
 * where it stands in the folder of its rule set. Errors: TAULER_BAD_USAGE when it does not fit. */
tauler_error folder_table_path(const char *folder, const char *below, const table_header *header,
                               char path[FOLDER_PATH_BYTES], tauler_message *message);

/* Calls visit with the path of everything below the folder that is named as a table, in a fixed order
 * (shorter names first), and stops at the first error, which it returns. It may be no file: a folder, a pipe,
 * a link to nowhere. Hidden files and files of other names are passed over, and so are links to a folder
 * that they stand in.
 * Errors: TAULER_IO when a folder cannot be read, TAULER_TABLE_MISSING when there is no such folder. */
tauler_error folder_walk(const char *folder, tauler_error (*visit)(void *user, const char *path), void *user,
                         tauler_message *message);

#endif
