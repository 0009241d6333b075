/* The options that choose a game, its rule set and its slices, the same for every command.
 *
 * The first argument of such a command is GAME; the options of game_options_group select rules and slices,
 * and game_options_folder_group selects the folder of tables. The module owns nothing: the texts that it
 * returns belong to the command line, the environment or the program.
 */
#ifndef GAMES_GAME_OPTIONS_H
#define GAMES_GAME_OPTIONS_H

#include "base/command/options.h"
#include "games/registry.h"

/* --rules, --cycles, --seeds, --pieces, --material, --board, --players, --tokens */
extern const option_group game_options_group;

/* The same without --rules and --cycles. */
extern const option_group game_options_sizes_group;

/* --rules and --cycles, for commands that find the slice by themselves. */
extern const option_group game_options_rules_group;

/* --db for one folder, and for several */
extern const option_group game_options_folder_group;
extern const option_group game_options_folders_group;

/* The value of `arguments_completion` for a command whose first argument is GAME. */
#define GAME_OPTIONS_COMPLETION GAME_NAMES

/* Finds the game called `name`. Errors: TAULER_BAD_USAGE, with a message that has the nearest name, or all
 * names. */
tauler_error game_options_find(const char *name, const game **out, tauler_message *message);

/* Opens the game and the rule set that the command line names. The caller closes *rules with (*game)->close.
 * *request receives the size options; it may be NULL if the command uses no slices. Refuses size options that
 * the game does not have. A board becomes a flag of the rules if the game has board_flag. Errors:
 * TAULER_BAD_USAGE, TAULER_NO_MEMORY, TAULER_IO (the file of a board). */
tauler_error game_options_open(const options *parsed, const game **game, game_rules **rules,
                               game_request *request, tauler_message *message);

/* Reads the size options alone, for a command that gets its game from elsewhere. Errors: TAULER_BAD_USAGE. */
tauler_error game_options_request_read(const options *parsed, const game *game, game_request *request,
                                       tauler_message *message);

/* True if --board or --rules names the board. */
bool game_options_name_board(const options *parsed);

/* Returns the value of --db, otherwise of $TAULER_DB, otherwise "tables". */
const char *game_options_folder(const options *parsed);

enum { GAME_OPTIONS_FOLDERS = 16 };

/* The folders of game_options_folders_group in their order. */
typedef struct {
  const char *names[GAME_OPTIONS_FOLDERS + 1]; /* one or more names. The list ends with NULL */
} game_options_folders;

/* Lists the folders of --db, or otherwise that of game_options_folder. Errors: TAULER_BAD_USAGE (too
 * many). */
tauler_error game_options_folders_read(const options *parsed, game_options_folders *out,
                                       tauler_message *message);

#endif
