/* Runs the command uci: an engine for graphical programs. */
#include "analysis/uci/uci.h"
#include "base/command/command.h"
#include "games/game_options.h"

static const option_group *const groups[] = {&game_options_rules_group, &game_options_folder_group, NULL};

/* Without GAME: the game and the rules of the program Aualé. */
static const char *const usual_game = "auale", *const usual_rules = "abapa", *const usual_cycles = "own-row";

static tauler_error run_uci(const options *parsed, tauler_message *message) {
  const game *chosen;
  session s;
  const bool named = options_arguments(parsed) > 0;
  const char *rules = options_get(parsed, "rules"), *cycles = options_get(parsed, "cycles");
  tauler_error error = game_options_find(named ? options_argument(parsed, 0) : usual_game, &chosen, message);
  if (error) return error;
  if (!named && !rules) rules = usual_rules;
  if (!named && !cycles) cycles = usual_cycles;
  error = session_open(&s, chosen, rules, cycles, game_options_folder(parsed), stdin, stdout, message);
  if (!error) error = session_run(&s, message);
  session_close(&s);
  return error;
}

const command command_uci = {.name = "uci",
                             .arguments = "[GAME]",
                             .least_arguments = 0,
                             .most_arguments = 1,
                             .arguments_completion = GAME_OPTIONS_COMPLETION,
                             .groups = groups,
                             .run = run_uci};
