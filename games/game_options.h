/* The options that choose a game, its rule set and its slices, the same for every command.
 *
 * The first argument of such a command is GAME; the options of game_options_group say the rest, and
 * the folder of tables comes from game_options_folder_group. Nothing is owned; the texts handed out
 * are those of the command line, the environment or the program itself.
 */
#ifndef GAMES_GAME_OPTIONS_H
#define GAMES_GAME_OPTIONS_H

#include "base/command/options.h"
#include "games/registry.h"

/* --rules, --cycles, --seeds, --pieces, --material, --board, --players, --tokens */
extern const option_group game_options_group;

/* --rules and --cycles alone, for commands that find the slice by themselves */
extern const option_group game_options_rules_group;

/* --db */
extern const option_group game_options_folder_group;

/* For `arguments_completion` of a command whose first argument is GAME. */
#define GAME_OPTIONS_COMPLETION GAME_NAMES

/* The game called `name`. Errors: TAULER_BAD_USAGE, with the name that was probably meant. */
tauler_error game_options_find(const char *name, const game **out, tauler_message *message);

/* Opens the game and rule set that the command line names; *rules is then the caller's, to be closed
 * with (*game)->close. *request (may be NULL where the command asks for no slices) is what the size
 * options say; one that does not fit the game is refused. A board that is a file becomes a flag of the rules.
 * Errors: TAULER_BAD_USAGE, TAULER_NO_MEMORY, TAULER_IO (a board). */
tauler_error game_options_open(const options *parsed, const game **game, game_rules **rules,
                               game_request *request, tauler_message *message);

/* True if --board or --rules says which board the rules are about. */
bool game_options_name_board(const options *parsed);

/* --db, or else $TAULER_DB, or else "tables". */
const char *game_options_folder(const options *parsed);

#endif
