/* Runs the command probe: reads positions, asks, and prints answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/print/open_folders.h"
#include "analysis/print/print.h"
#include "analysis/probe/probe_tables.h"
#include "base/command/command.h"
#include "base/command/signals.h"
#include "base/command/terminal.h"
#include "base/progress.h"
#include "games/game_options.h"
#include "games/game_record.h"
#include "games/game_text.h"

static const option own_options[] = {
    {"json", NULL, "one JSON object per line and position", NULL},
    {"notation", "NAME", "write positions and moves as another program does; see tauler games GAME", NULL},
    {"verbose", NULL, "also all digits of games of dice, and the digests of the tables", NULL},
    {"line", NULL, "also show best play to the end or the first repetition", NULL},
    {"ogn", NULL, "with --line: only that, as records that the program Aualé opens, and analyse", NULL},
    TERMINAL_COLOR_OPTION,
};
static const option_group own_group = OPTION_GROUP("Answers", own_options);
static const option search_options[] = {
    {"search", "TIME", "search each position that no table reaches for a time such as 500ms, 30s or 2m",
     NULL},
    {"search-positions", "N", "search N positions at most: the same answer every time", NULL},
    {"memory", "SIZE", "memory for what a search proves; default: 256M, or a quarter of what is available",
     NULL},
};
static const option_group search_group = OPTION_GROUP("Above the tables", search_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folders_group, &own_group,
                                             &search_group, NULL};

enum { MOST_LINE = 4 << 20 };

typedef struct {
  tauler_tables *tables;
  solve_kind kind;
  bool as_json, as_record, with_line, with_search;
  const char *notation; /* name of the notation, or NULL for the game's own */
  answer_look look;
  tauler_search_limits limits;
  progress shown;
  size_t asked, failed;
  tauler_error error; /* first error, but TAULER_TABLE_MISSING only if there is no other one */
} run;

enum { LINE_WIDTH = 79 };

/* Prints the tags of a record, among them "Variant" if other programs have a name for the rule set. */
static void print_record_tags(FILE *out, const game *game, const tauler_answer *answer) {
  const game_variant *variant = game->record ? game->record->variants : NULL;
  while (variant && variant->name && strcmp(variant->rules, answer->rules) != 0) variant++;
  if (variant && variant->name) fprintf(out, "[Variant \"%s\"]\n", variant->name);
  fprintf(out, "[Game \"%s\"]\n[Rules \"%s\"]\n", answer->game, answer->rules);
  if (*answer->cycles) fprintf(out, "[Cycles \"%s\"]\n", answer->cycles);
  fprintf(out, "[FEN \"%s\"]\n\n", answer->position);
}

/* Prints the line as a record that other programs open. */
static void print_record(FILE *out, const game *game, const tauler_answer *answer, const tauler_line *line) {
  size_t column = 0;
  print_record_tags(out, game, answer);
  for (size_t i = 0; i < line->steps_used; i++) {
    char number[32] = "";
    const char *move = line->steps[i].move;
    if (i % 2 == 0) snprintf(number, sizeof number, "%zu. ", i / 2 + 1);
    const size_t width = strlen(number) + strlen(move);
    if (column && column + 1 + width > LINE_WIDTH) {
      fputc('\n', out);
      column = 0;
    }
    fprintf(out, "%s%s%s", column ? " " : "", number, move);
    column += width + (column > 0);
  }
  fprintf(out, "%s*\n", column ? " " : "");
}

static void print_answer(const run *r, const tauler_answer *answer, const tauler_line *line) {
  if (r->as_json) {
    json_writer json;
    json_open_file(&json, stdout);
    answer_to_json(&json, answer, line);
    (void)json_close(&json, NULL); /* a failed write is reported when standard output is closed */
    return;
  }
  if (r->asked > 1) printf("\n");
  if (r->as_record) {
    if (line) print_record(stdout, r->tables->game, answer, line);
    return;
  }
  answer_print(stdout, answer, line, r->kind, r->look);
}

static tauler_error answer_question(run *r, const char *position, tauler_message *message) {
  tauler_answer *answer;
  tauler_line *line = NULL;
  if (r->with_search || r->with_line)
    progress_start(&r->shown, r->with_search ? "search" : "line", "positions", 0, 0);
  tauler_error error = r->with_search ? tauler_search(r->tables, position, &r->limits, &answer, message)
                                      : tauler_probe(r->tables, position, &answer, message);
  if (!error && r->with_line) error = tauler_play(r->tables, position, 0, &line, message);
  progress_abandon(&r->shown);
  if (answer && (!error || error == TAULER_TABLE_MISSING)) {
    const tauler_error written = notate_answer(r->tables, r->notation, answer, line, message);
    if (written)
      error = written;
    else
      print_answer(r, answer, line);
  }
  tauler_line_free(line);
  tauler_answer_free(answer);
  return error;
}

/* Lets a signal that comes during a search take effect only after the bounds proven so far are printed. */
static tauler_error answer_with_search(run *r, const char *position, tauler_message *message) {
  if (!r->with_search) return answer_question(r, position, message);
  signals_hold();
  const tauler_error error = answer_question(r, position, message);
  if (signals_asked()) fflush(stdout);
  signals_release();
  return error;
}

/* True if an error concerns one position only. TAULER_BAD_USAGE comes from a search that the rules do not
 * allow. */
static bool concerns_one_position(tauler_error error) {
  return error == TAULER_BAD_USAGE || error == TAULER_BAD_POSITION || error == TAULER_DAMAGED_FILE ||
         error == TAULER_TABLE_MISSING;
}

/* Returns the error only if other positions would fail too. `where` is "line" or "position". */
static tauler_error note_failure(run *r, const char *where, size_t number, tauler_error error,
                                 const tauler_message *message) {
  if (!concerns_one_position(error)) return error;
  fflush(stdout);
  fprintf(stderr, "tauler probe: %s %zu: %s\n", where, number, message->text);
  r->failed++;
  if (!r->error || r->error == TAULER_TABLE_MISSING) r->error = error;
  return TAULER_OK;
}

static tauler_error fail_if_some_failed(const run *r, tauler_message *message) {
  if (!r->failed) return TAULER_OK;
  return tauler_fail(message, r->error, "%zu of %zu positions could not be answered", r->failed, r->asked);
}

/* Sets *more to false at the end of the input. */
static tauler_error read_position_line(char line[MOST_LINE + 1], size_t number, size_t *length, bool *more,
                                       tauler_message *message) {
  int c;
  *length = 0;
  while ((c = getchar()) != EOF && c != '\n') {
    if (*length == MOST_LINE)
      return tauler_fail(message, TAULER_BAD_POSITION, "line %zu has more than %d bytes", number, MOST_LINE);
    line[(*length)++] = (char)c;
  }
  line[*length] = '\0';
  *more = c != EOF || *length > 0;
  return ferror(stdin) ? tauler_fail(message, TAULER_IO, "standard input could not be read") : TAULER_OK;
}

static tauler_error ask_line(run *r, char *line, size_t length, size_t number, tauler_message *message) {
  const text_line position = text_clean(line, length);
  if (position.length == 0) return TAULER_OK;
  r->asked++;
  tauler_error error = game_text_check(position, message); /* refuses NUL bytes too */
  if (!error) error = answer_with_search(r, line, message);
  if (error) error = note_failure(r, "line", number, error, message);
  fflush(stdout); /* a caller that feeds positions one by one waits for each answer */
  return error;
}

static tauler_error ask_lines(run *r, tauler_message *message) {
  char *line = malloc(MOST_LINE + 1);
  if (!line) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read positions");
  tauler_error error = TAULER_OK;
  bool more = true;
  for (size_t number = 1, length; more && !error && !ferror(stdout); number++) {
    error = read_position_line(line, number, &length, &more, message);
    if (!error && more) error = ask_line(r, line, length, number, message);
  }
  free(line);
  return error ? error : fail_if_some_failed(r, message);
}

static tauler_error ask_all_positions(run *r, const options *parsed, tauler_message *message) {
  const size_t n = options_arguments(parsed);
  if (n == 1) return ask_lines(r, message);
  if (n == 2) {
    r->asked = 1;
    return answer_with_search(r, options_argument(parsed, 1), message);
  }
  for (size_t i = 1; i < n; i++) {
    r->asked++;
    tauler_error error = answer_with_search(r, options_argument(parsed, i), message);
    if (error) error = note_failure(r, "position", i, error, message);
    if (error) return error;
  }
  return fail_if_some_failed(r, message);
}

/* Checks a size that is not needed, since a position determines its slice. */
static tauler_error check_size(const game *chosen, const game_rules *rules, const game_request *request,
                               tauler_message *message) {
  if (!request->largest && !request->material && !request->board) return TAULER_OK;
  game_slices slices;
  const tauler_error error = chosen->slices(rules, request, &slices, message);
  free(slices.slices);
  return error;
}

static tauler_error refuse_line(const game *chosen, tauler_message *message) {
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "%s is a game of dice, which has no single line of best play; without --line the best "
                     "moves stand under each roll",
                     chosen->name);
}

static tauler_error read_search(const options *parsed, run *r, tauler_message *message) {
  tauler_search_limits *limits = &r->limits;
  limits->stop = signals_stop;
  r->with_search = options_has(parsed, "search") || options_has(parsed, "search-positions");
  tauler_error error = options_duration(parsed, "search", &limits->seconds, message);
  if (!error) error = options_number(parsed, "search-positions", 1, UINT64_MAX, &limits->positions, message);
  if (!error) error = options_size(parsed, "memory", &limits->memory, message);
  if (error) return error;
  if (options_has(parsed, "search") && limits->seconds <= 0)
    return tauler_fail(message, TAULER_BAD_USAGE, "--search needs some time, such as 30s");
  if (options_has(parsed, "memory") && !r->with_search)
    return tauler_fail(message, TAULER_BAD_USAGE, "--memory is for --search, which is missing");
  if (r->with_search && r->with_line)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--line plays by tables and does not go with --search; leave one of them out");
  return TAULER_OK;
}

static tauler_error run_probe(const options *parsed, tauler_message *message) {
  const game *chosen;
  game_rules *rules;
  game_request request; /* sizes, which are only checked */
  tauler *db = NULL;
  run r = {.as_json = options_has(parsed, "json"),
           .as_record = options_has(parsed, "ogn"),
           .with_line = options_has(parsed, "line")};
  tauler_error error = game_options_open(parsed, &chosen, &rules, &request, message);
  if (error) return error;
  progress_open(&r.shown, stderr, PROGRESS_BAR);
  r.kind = chosen->kind(rules);
  if (r.as_record && (r.as_json || !r.with_line))
    error = tauler_fail(message, TAULER_BAD_USAGE, "--ogn needs --line and excludes --json");
  if (!error) error = check_size(chosen, rules, &request, message);
  if (!error) error = terminal_color_option(parsed, stdout, &r.look.colored, message);
  r.look.verbose = options_has(parsed, "verbose");
  r.notation = options_get(parsed, "notation");
  /* Checked before the first question, since a wrong name would fail every one. */
  const game_notation *notation;
  if (!error && r.notation) error = game_notation_called(chosen, r.notation, &notation, message);
  if (!error) error = read_search(parsed, &r, message);
  if (!error && r.with_line && r.kind == SOLVE_CHANCE) error = refuse_line(chosen, message);
  if (!error) error = open_folders(parsed, 0, &db, message);
  if (!error) {
    error = tables_select(db, chosen, rules, &r.tables, message);
  } else {
    chosen->close(rules);
  }
  if (!error) error = ask_all_positions(&r, parsed, message);
  tauler_close(db);
  return error;
}

const command command_probe = {.name = "probe",
                               .arguments = "GAME POSITION…",
                               .arguments_completion = GAME_OPTIONS_COMPLETION,
                               .groups = groups,
                               .run = run_probe};
