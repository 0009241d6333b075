/* Tables of games in files of the running test: built as `tauler build` does, or of any cells. Any error ends
 * the test, unless it is returned. */
#ifndef TESTS_TABLES_H
#define TESTS_TABLES_H

#include "databases/folder.h"
#include "databases/table.h"
#include "solver/run/build.h"

/* A job without a folder, threads or memory gets the folder of the test, two threads, and no limit. */
tauler_error suite_try_build(build_job job, tauler_message *message);
void suite_build(build_job job);

/* Where a table stands in the folder of the test, and its header, but for its cells; NULL: it is not wanted.
 */
void suite_table_path(const game *game, const game_rules *rules, uint32_t slice, const char *stream,
                      table_header *header, char path[FOLDER_PATH_BYTES]);

/* Cells as they are stored, which the test owns. The header can be written again. */
void *suite_read_table(const char *path, table_header *header);

/* Writes a table, and the folder that it stands in. `plain`: cells as they are read back, NULL: as stored. */
void suite_write_table(const char *path, const table_header *header, const void *stored, const void *plain);

#endif
