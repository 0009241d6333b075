/* The headers and paths of the tables of a slice: all of databases/ that knows a game, and of it names alone.
 */
#ifndef DATABASES_NAMES_H
#define DATABASES_NAMES_H

#include "databases/folder.h"
#include "games/game.h"

/* Fills the texts of a table's header that follow from the game, its rules and the slice. */
void names_header(const game *game, const game_rules *rules, uint32_t slice, const char *stream,
                  table_header *header);

/* The path of a table of a slice, whose header is given. Errors: TAULER_BAD_USAGE when it does not fit. */
tauler_error names_path(const game *game, const game_rules *rules, const char *folder, uint32_t slice,
                        const table_header *header, char path[FOLDER_PATH_BYTES], tauler_message *message);
/* The folder below that of its rule set where a slice's tables stand; "" for that itself. */
void names_subfolder(const game *game, const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);

#endif
