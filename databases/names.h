/* Makes the headers and paths of the tables of a slice, and opens their classes. This is the only module of
 * databases/ that knows games. */
#ifndef DATABASES_NAMES_H
#define DATABASES_NAMES_H

#include "databases/folder.h"
#include "games/game.h"

/* Fills the texts, the number of positions and the index version of a header. Other members become 0. */
void names_header(const game *game, const game_rules *rules, uint32_t slice, const char *stream,
                  table_header *header);

/* Errors: TAULER_BAD_USAGE if the path is too long. */
tauler_error names_path(const game *game, const game_rules *rules, const char *folder, uint32_t slice,
                        const table_header *header, char path[FOLDER_PATH_BYTES], tauler_message *message);
/* Writes the folder of a slice's tables, relative to that of the rule set, or "" if both are the same. */
void names_subfolder(const game *game, const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]);

/* Opens the classes by which a game sorts the cells of a slice. If the game has none, *out is all zeros. The
 * caller closes them. Errors: TAULER_NO_MEMORY. */
tauler_error names_classes(const game *game, const game_rules *rules, uint32_t slice, table_classes *out,
                           tauler_message *message);

/* Opens a table as table_open does, with the classes of its game. Errors: those of table_open;
 * TAULER_DAMAGED_FILE if this program does not know the classes by which its cells are sorted or coded. */
tauler_error names_open(const char *path, bool in_part, table **out, tauler_message *message);

/* The option --coder of commands that write tables. */
#define NAMES_CODER_OPTION                                                                                   \
  {                                                                                                          \
    "coder", "NAME",                                                                                         \
        "zstd (default) or adaptive: cells of one byte a sixth smaller, where that is smaller, for "         \
        "publication",                                                                                       \
        "zstd adaptive"                                                                                      \
  }

/* As table_recode, with the classes of the table's game. */
tauler_error names_recode(const table *from, const char *path, int threads, table_header *written,
                          tauler_message *message);

/* Checks that the table at `path`, which has the header `is`, is the wanted one. `wanted` comes from
 * names_header, and `cell` is the type of the game's values. Errors: TAULER_DAMAGED_FILE. */
tauler_error names_compare(const char *path, const table_header *is, const table_header *wanted,
                           table_cell cell, tauler_message *message);

/* Finds the paths of tables of any game, and keeps the rule set that it opened last. A new one is all zeros.
 * The caller closes it with names_places_close. Only one thread may use it at a time. */
typedef struct {
  const game *game;
  game_rules *rules;
  table_header of; /* header with the texts of the rule set */
} names_places;

/* Errors: TAULER_BAD_USAGE if the path is too long, TAULER_NO_MEMORY. */
tauler_error names_place(names_places *all, const char *folder, const table_header *header,
                         char path[FOLDER_PATH_BYTES], tauler_message *message);

/* Checks that `path`, which begins with `folder`, is the path that the header requires, and that the header
 * has the number of positions, the numbering and the kind of cells that this program uses. If this program
 * does not know the slice, only the path is checked. Errors: TAULER_DAMAGED_FILE, those of names_place. */
tauler_error names_check(names_places *all, const char *folder, const char *path, const table_header *header,
                         tauler_message *message);
void names_places_close(names_places *all);

#endif
