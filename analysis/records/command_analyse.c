/* Runs the command analyse: reads records, judges them, and prints the judgements. */
#include <errno.h>
#include <string.h>

#include "analysis/print/open_folders.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/records/judge.h"
#include "base/command/command.h"
#include "base/command/terminal.h"
#include "games/game_options.h"

typedef enum { SHOW_TEXT, SHOW_JSON, SHOW_RECORD } form;

static const option own_options[] = {
    {"game", "GAME", "the game of records that do not say", GAME_OPTIONS_COMPLETION},
    {"json", NULL, "one JSON object per line and game", NULL},
    {"ogn", NULL, "the records with comments that say what was found", NULL},
    {"notation", "NAME", "write positions and moves as another program does; see tauler games GAME", NULL},
    TERMINAL_COLOR_OPTION,
};
static const option_group own_group = OPTION_GROUP("Records", own_options);
static const option_group *const groups[] = {&own_group, &game_options_rules_group,
                                             &game_options_folders_group, NULL};

typedef struct {
  tauler *db;
  judge_wish wish;
  form form;
  bool colored;
  progress shown;
  size_t games, failed, moves, judged;
  tauler_error error; /* error of the first failure */
  char missing[1024];
} run;

static void note_failure(run *r, tauler_error error, const tauler_message *message) {
  fflush(stdout);
  fprintf(stderr, "tauler analyse: %s\n", message->text);
  r->failed++;
  if (!r->error) r->error = error;
}

static bool concerns_one_game(tauler_error error) {
  return error == TAULER_BAD_POSITION || error == TAULER_BAD_USAGE || error == TAULER_DAMAGED_FILE;
}

static tauler_error print_game(run *r, const judged_game *judged, const record *of, const char *file,
                               size_t number, tauler_message *message) {
  if (r->form == SHOW_JSON) {
    (void)judged_print_json(stdout, judged, of, file, number,
                            NULL); /* a failed write is reported when standard output is closed */
    return TAULER_OK;
  }
  if (r->games > 1) printf("\n");
  if (r->form == SHOW_RECORD) return judged_write_record(stdout, judged, of, message);
  judged_print(stdout, judged, of, file, number, r->colored);
  return TAULER_OK;
}

static void count_moves(run *r, const judged_game *judged) {
  r->moves += judged->moves_used;
  for (int side = 0; side < JUDGED_SIDES; side++) r->judged += judged->sides[side].judged;
  if (judged->missing) snprintf(r->missing, sizeof r->missing, "%s", judged->missing);
}

/* Judges and prints a game. Prints and counts an error that concerns this game only. */
static tauler_error analyse_game(run *r, const record *of, const char *file, size_t number,
                                 tauler_message *message) {
  judged_game judged;
  tauler_error error = judge_record(r->db, of, file, &r->wish, &judged, message);
  if (error && !concerns_one_game(error)) return error;
  if (error) {
    note_failure(r, error, message);
    return TAULER_OK;
  }
  r->games++;
  count_moves(r, &judged);
  error = print_game(r, &judged, of, file, number, message);
  judged_free(&judged);
  return error;
}

static tauler_error analyse_games(run *r, record_reader *reader, const char *file, tauler_message *message) {
  size_t number = 0;
  for (;;) {
    record game;
    bool found;
    tauler_error error = record_read(reader, &game, &found, message);
    if (error == TAULER_BAD_POSITION) {
      note_failure(r, error, message);
      return TAULER_OK;
    }
    if (error) return error;
    if (!found) break;
    error = analyse_game(r, &game, file, ++number, message);
    record_free(&game);
    if (error || ferror(stdout)) return error;
  }
  if (number == 0) {
    tauler_message none;
    note_failure(r, tauler_fail(&none, TAULER_BAD_POSITION, "%s holds no game", file), &none);
  }
  return TAULER_OK;
}

static tauler_error analyse_file(run *r, const char *name, tauler_message *message) {
  const bool standard = strcmp(name, "-") == 0;
  const char *file = standard ? "standard input" : name;
  record_reader *reader;
  FILE *opened = standard ? stdin : fopen(name, "rb");
  if (!opened)
    return tauler_fail(message, tauler_errno_error(errno), "cannot open %s: %s", name, strerror(errno));
  tauler_error error = record_reader_open(opened, file, r->wish.game, &reader, message);
  if (!error) error = analyse_games(r, reader, file, message);
  record_reader_close(reader);
  if (!standard) fclose(opened);
  return error;
}

static tauler_error fail_if_some_failed(const run *r, tauler_message *message) {
  if (r->failed)
    return tauler_fail(message, r->error, "%zu game%s or file%s could not be judged", r->failed,
                       r->failed == 1 ? "" : "s", r->failed == 1 ? "" : "s");
  if (r->moves && !r->judged && *r->missing)
    return tauler_fail(message, TAULER_TABLE_MISSING,
                       "no move of any game is within the tables in %.200s; %.700s", r->db->folder,
                       r->missing);
  return TAULER_OK;
}

static tauler_error read_options(run *r, const options *parsed, tauler_message *message) {
  const game *chosen;
  r->wish = (judge_wish){.game = options_get(parsed, "game"),
                         .rules = options_get(parsed, "rules"),
                         .cycles = options_get(parsed, "cycles"),
                         .notation = options_get(parsed, "notation"),
                         .shown = &r->shown};
  progress_open(&r->shown, stderr, PROGRESS_BAR);
  r->form = options_has(parsed, "json") ? SHOW_JSON : options_has(parsed, "ogn") ? SHOW_RECORD : SHOW_TEXT;
  if (options_has(parsed, "json") && options_has(parsed, "ogn"))
    return tauler_fail(message, TAULER_BAD_USAGE, "--json and --ogn exclude each other");
  if (options_has(parsed, "notation") && options_has(parsed, "ogn"))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--ogn keeps the moves as the record has them; leave --notation out");
  tauler_error error = terminal_color_option(parsed, stdout, &r->colored, message);
  if (error || !r->wish.game) return error;
  error = game_options_find(r->wish.game, &chosen, message);
  if (error || chosen->sides) return error;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "%s has no records; games of two players without dice have them", chosen->name);
}

static tauler_error run_analyse(const options *parsed, tauler_message *message) {
  run r = {.games = 0};
  tauler_error error = read_options(&r, parsed, message);
  if (!error) error = open_folders(parsed, 0, &r.db, message);
  for (size_t i = 0; i < options_arguments(parsed) && !error && !ferror(stdout); i++)
    error = analyse_file(&r, options_argument(parsed, i), message);
  if (!error) error = fail_if_some_failed(&r, message);
  tauler_close(r.db);
  return error;
}

const command command_analyse = {.name = "analyse",
                                 .arguments = "FILE…",
                                 .arguments_completion = "@file",
                                 .groups = groups,
                                 .run = run_analyse};
