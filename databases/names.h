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

/* Whether the table at `path`, whose header is `is`, is the one `wanted`, of which all that names_header
 * fills is given; `cell` is that of the game's values. Errors: TAULER_DAMAGED_FILE. */
tauler_error names_compare(const char *path, const table_header *is, const table_header *wanted,
                           table_cell cell, tauler_message *message);

/* Tables of any game and the places where they belong. It keeps the rule set that it opened last. All zeros
 * to begin with; freed by names_places_close. One thread at a time. */
typedef struct {
  const game *game;
  game_rules *rules;
  table_header of; /* texts of its tables */
} names_places;

/* The path where a table belongs by its header. Errors: TAULER_BAD_USAGE when it does not fit,
 * TAULER_NO_MEMORY. */
tauler_error names_place(names_places *all, const char *folder, const table_header *header,
                         char path[FOLDER_PATH_BYTES], tauler_message *message);

/* Whether the table at `path` below the folder stands where its header says and is numbered as it is here; of
 * what this program does not know, the place alone. Errors: TAULER_DAMAGED_FILE, as names_place. */
tauler_error names_check(names_places *all, const char *folder, const char *path, const table_header *header,
                         tauler_message *message);
void names_places_close(names_places *all);

#endif
