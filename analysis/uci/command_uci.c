/* Runs the command uci: an engine for graphical programs. */
#include "analysis/uci/session.h"
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

static const char *const examples[] = {"# the engine command of the program Aualé",
                                       "tauler uci --db /var/lib/tauler", "# another game",
                                       "tauler uci doushouqi --db tables", NULL};

const command command_uci = {
    .name = "uci",
    .arguments = "[GAME]",
    .least_arguments = 0,
    .most_arguments = 1,
    .arguments_completion = GAME_OPTIONS_COMPLETION,
    .summary = "an engine for graphical programs that speak UCI",
    .details =
        "Reads commands of the Universal Chess Interface from standard input until quit or the end of the "
        "input, and answers on standard output. Without GAME it plays oware as the program Aualé does: "
        "auale, --rules abapa, --cycles own-row. Positions and moves are in the game's own notation: "
        "`position startpos moves FfBe`, `position fen 4-4-…-S moves FfBe`.\n\n"
        "Where tables tell the best move, it is played at once; otherwise the engine searches, "
        "down to the tables, for as long as go allows (depth, movetime, nodes, wtime and btime, ponder, "
        "infinite). Scores are in hundredths of a seed, stores included, or moves to the end of the game. A "
        "position that cannot be read gets a line `info string` with the reason, and its best move is 0000. "
        "Unknown commands are ignored.\n\n"
        "Options that the program may set: Rules, Cycles, TablesPath (as --rules, --cycles and --db), "
        "Strength (perfect, or slips: in one position of four the second best move), Threads, and Hash in "
        "MiB. Games of dice are refused.",
    .groups = groups,
    .examples = examples,
    .run = run_uci};
