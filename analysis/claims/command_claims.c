/* Runs the command claims: reads its options, runs claims, and prints their reports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/print_report.h"
#include "analysis/claims/start_python.h"
#include "base/command/command.h"
#include "base/command/signals.h"
#include "base/command/terminal.h"
#include "base/json.h"
#include "base/text.h"
#include "games/game_options.h"
#include "solver/build/options.h"

static const option own_options[] = {
    {"list", NULL, "a line for each claim, and no more", NULL},
    {"all", NULL, "all claims, as without a name", NULL},
    {"rules", "NAME[,FLAG…]", "another rule set than the claim's own, where it allows that", NULL},
    {"board", "7x3", "phutball: this board alone, rows x columns", NULL},
    {"book", "FILE", "auale-public-book: the endgame book to hold against the tables", "@file"},
    {"seeds", "N", "aualé: look at up to N seeds, 1-24; each claim has its own default", NULL},
    {"pieces", "K", "dou shou qi: look at materials of up to K pieces, 2-4; doushouqi-longest 2-5", NULL},
    {"players", "P", "oca: look at up to P players, 2-4; each claim has its own default", NULL},
    {"tokens", "K", "oca asesina: look at up to K tokens of each side, 1-3", NULL},
    {"level", "N", "zstd level of tables that are built, 1-22; default 9", NULL},
    {"plots", "DIR",
     "draw the plots of each report as DIR/CLAIM-PLOT.svg and .png, by gnuplot; Markdown and JSON name them "
     "by "
     "the path given here",
     "@dir"},
    {"json", NULL, "one JSON object per claim", NULL},
    {"markdown", NULL,
     "a chapter of Markdown per claim, behind a table of the verdicts when there are several", NULL}};
static const option_group own_group = OPTION_GROUP("Claims", own_options);
static const option_group *const groups[] = {&game_options_folder_group, &own_group, &options_running, NULL};

enum { MOST_CLAIMS = 64 };

typedef enum { AS_TEXT, AS_JSON, AS_MARKDOWN } claim_form;

static tauler_error refuse_name(const char *name, tauler_message *message) {
  const char *names[MOST_CLAIMS];
  size_t n = 0;
  for (; n < MOST_CLAIMS && claim_list[n]; n++) names[n] = claim_list[n]->name;
  const char *near = text_nearest(name, names, n);
  if (near)
    return tauler_fail(message, TAULER_BAD_USAGE, "there is no claim '%.60s'; did you mean %s?", name, near);
  return tauler_fail(message, TAULER_BAD_USAGE, "there is no claim '%.60s'; tauler claims --list names them",
                     name);
}

/* The claims that were named, each once, in the order of the list; all when none was. */
static tauler_error choose_claims(const options *parsed, const claim *chosen[MOST_CLAIMS], size_t *used,
                                  tauler_message *message) {
  const size_t named = options_arguments(parsed);
  for (size_t i = 0; i < named; i++)
    if (!claim_find(options_argument(parsed, i))) return refuse_name(options_argument(parsed, i), message);
  *used = 0;
  for (size_t k = 0; k < MOST_CLAIMS && claim_list[k]; k++) {
    bool wanted = named == 0;
    for (size_t i = 0; i < named; i++)
      wanted = wanted || claim_find(options_argument(parsed, i)) == claim_list[k];
    if (wanted) chosen[(*used)++] = claim_list[k];
  }
  return TAULER_OK;
}

static tauler_error choose_form(const options *parsed, claim_form *form, tauler_message *message) {
  const bool json = options_has(parsed, "json"), markdown = options_has(parsed, "markdown");
  if (json && markdown)
    return tauler_fail(message, TAULER_BAD_USAGE, "--json and --markdown exclude each other");
  *form = json ? AS_JSON : markdown ? AS_MARKDOWN : AS_TEXT;
  return TAULER_OK;
}

static void list_limits(json_writer *json, const claim *one) {
  static const char *const limits[] = {"seeds", "pieces", "players", "tokens"};
  json_key(json, "options");
  json_begin_array(json);
  for (const char *at = one->options; *at; at += strspn(at, " ")) {
    const size_t length = strcspn(at, " ");
    json_string_part(json, at, length);
    at += length;
  }
  json_end_array(json);
  json_key(json, "limits");
  json_begin_array(json);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (strstr(one->options, limits[i])) json_string(json, limits[i]);
  json_end_array(json);
}

static void list_claim(claim_form form, const claim *one) {
  enum { LEFT_COLUMN = 30 };
  if (form == AS_MARKDOWN) printf("- `%s`: %s\n", one->name, one->text->title);
  if (form == AS_TEXT) {
    printf("%-*s", LEFT_COLUMN, one->name);
    terminal_wrap(stdout, one->text->title, LEFT_COLUMN, LEFT_COLUMN);
  }
  if (form != AS_JSON) return;
  json_writer json;
  json_open_file(&json, stdout);
  json_begin_object(&json);
  json_field_string(&json, "claim", one->name);
  json_field_string(&json, "game", one->game);
  json_field_string(&json, "title", one->text->title);
  list_limits(&json, one);
  json_end_object(&json);
  (void)json_close(&json, NULL); /* a lost line is found when standard output is closed */
}

/* Reports are printed claim by claim, since the next may take long. Chapters of Markdown wait for the table
 * of verdicts that stands in front of them. */
typedef struct {
  claim_form form;
  progress *shown;
  bool any;
  FILE *contents, *chapters; /* into memory; NULL: nothing waits */
  char *contents_text, *chapters_text;
  size_t contents_bytes, chapters_bytes;
} output;

static bool print_claim(void *user, const claim *one, const report *found) {
  output *out = user;
  FILE *to = out->chapters ? out->chapters : stdout;
  progress_hide(out->shown);
  if (out->form == AS_JSON) {
    print_report_json(to, one, found);
  } else {
    if (out->any || out->chapters) fputc('\n', to);
    (out->form == AS_TEXT ? print_report_text : print_report_markdown)(to, one, found);
  }
  if (out->contents) print_report_markdown_row(out->contents, one, found);
  out->any = true;
  fflush(to);
  return !ferror(to);
}

static tauler_error begin_output(output *out, size_t claims, tauler_message *message) {
  if (out->form != AS_MARKDOWN || claims < 1) return TAULER_OK;
  out->contents = open_memstream(&out->contents_text, &out->contents_bytes);
  out->chapters = open_memstream(&out->chapters_text, &out->chapters_bytes);
  if (out->contents && out->chapters) return TAULER_OK;
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the reports of %zu claims", claims);
}

/* Also after a claim could not be run: those before it may have taken hours. */
static tauler_error end_output(output *out, tauler_message *message) {
  bool whole = true;
  if (out->contents) whole = fclose(out->contents) == 0;
  if (out->chapters) whole = fclose(out->chapters) == 0 && whole;
  if (whole && out->any && out->contents) {
    print_report_markdown_contents(stdout);
    fwrite(out->contents_text, 1, out->contents_bytes, stdout);
    fwrite(out->chapters_text, 1, out->chapters_bytes, stdout);
  }
  free(out->contents_text);
  free(out->chapters_text);
  return whole ? TAULER_OK : tauler_fail(message, TAULER_NO_MEMORY, "no memory for the reports of claims");
}

/* Builds can keep everything. Elsewhere a claim may run for hours without a point to stop at, and an
 * immediate end loses nothing. */
static void hold_signals(bool now) {
  (now ? signals_hold : signals_release)();
}

static tauler_error run_and_print(const claim *const *chosen, size_t n, const claim_job *job, claim_form form,
                                  tauler_message *message) {
  output out = {.form = form, .shown = job->shown};
  tauler_message about_output = {""};
  tauler_error error = begin_output(&out, n, message);
  if (!error) error = claim_run_all(chosen, n, job, print_claim, &out, message);
  const tauler_error unprinted = end_output(&out, &about_output);
  if (!unprinted || (error && error != TAULER_NOT_PROVEN)) return error;
  return tauler_fail(message, unprinted, "%s", about_output.text);
}

/* Python runs claims, and has this program run those that are still C: then `in_c` is set. */
static const char in_c[] = "TAULER_CLAIMS_IN_C";

static tauler_error hand_over(const options *parsed, tauler_message *message) {
  static const char *const named[] = {"rules",   "board",  "book",  "plots",   "seeds", "pieces",
                                      "players", "tokens", "level", "threads", "memory"};
  static const char *const flags[] = {"list", "all", "json", "markdown", "quiet", "log-json"};
  enum { NAMED = sizeof named / sizeof *named, FLAGS = sizeof flags / sizeof *flags };
  static char words[NAMED + FLAGS][32];
  const char *list[2 * (NAMED + 1) + FLAGS + MOST_CLAIMS + 2] = {"--db", game_options_folder(parsed)};
  size_t used = 2, spelt = 0;
  for (size_t i = 0; i < NAMED + FLAGS; i++) {
    const char *name = i < NAMED ? named[i] : flags[i - NAMED];
    if (!options_has(parsed, name)) continue;
    snprintf(words[spelt], sizeof words[spelt], "--%s", name);
    list[used++] = words[spelt++];
    if (i < NAMED) list[used++] = options_get(parsed, name);
  }
  list[used++] = "--";
  for (size_t i = 0; i < options_arguments(parsed); i++) list[used++] = options_argument(parsed, i);
  return start_python("tauler.claims.__main__", list, message);
}

static tauler_error run_claims(const options *parsed, tauler_message *message) {
  const claim *chosen[MOST_CLAIMS];
  size_t n = 0;
  claim_form form = AS_TEXT;
  build_job settings = {.problem.game = NULL};
  memory_budget memory;
  progress shown;
  tauler_error error = getenv(in_c) ? choose_claims(parsed, chosen, &n, message) : TAULER_OK;
  uint64_t seeds = 0, pieces = 0, players = 0, tokens = 0;
  if (!error) error = choose_form(parsed, &form, message);
  if (!error) error = options_number(parsed, "seeds", 1, 24, &seeds, message);
  if (!error) error = options_number(parsed, "pieces", 2, 5, &pieces, message);
  if (!error) error = options_number(parsed, "players", 2, 4, &players, message);
  if (!error) error = options_number(parsed, "tokens", 1, 3, &tokens, message);
  if (!error && options_arguments(parsed) && options_has(parsed, "all"))
    error = tauler_fail(message, TAULER_BAD_USAGE, "--all and the names of claims exclude each other");
  if (error) return error;
  if (!getenv(in_c)) {
    error = build_options_read(parsed, &settings, &memory, message);
    return error ? error : hand_over(parsed, message);
  }
  if (options_has(parsed, "list")) {
    for (size_t i = 0; i < n; i++) list_claim(form, chosen[i]);
    return TAULER_OK;
  }
  error = build_options_read(parsed, &settings, &memory, message);
  if (error) return error;
  progress_open(&shown, stderr,
                progress_choose(options_has(parsed, "quiet"), options_has(parsed, "log-json")));
  const claim_job job = {.folder = settings.folder,
                         .rules = options_get(parsed, "rules"),
                         .board = options_get(parsed, "board"),
                         .plots = options_get(parsed, "plots"),
                         .seeds = (int)seeds,
                         .pieces = (int)pieces,
                         .players = (int)players,
                         .tokens = (int)tokens,
                         .level = settings.level,
                         .threads = settings.work.threads,
                         .memory = &memory,
                         .shown = &shown,
                         .stop = signals_stop,
                         .hold = hold_signals};
  return run_and_print(chosen, n, &job, form, message);
}

static const char *const examples[] = {
    "tauler claims --list",
    "tauler claims phutball-small-boards --db tables",
    "# one board, and another rule set",
    "tauler claims phutball-small-boards --board 6x4 --rules goal-line=stop",
    "# all of them as a document",
    "tauler claims --all --markdown --plots pictures >claims.md",
    "# a look at each within a minute",
    "tauler claims --all --seeds 6 --pieces 2 --players 2 --tokens 1",
    NULL};

const command command_claims = {
    .name = "claims",
    .arguments = "[NAME…|FILE.py…]",
    .least_arguments = 0,
    .most_arguments = MOST_CLAIMS,
    .arguments_completion = CLAIM_NAMES TAULER_PYTHON_CLAIMS,
    .summary = "run the claims: what sources say about the games, held against the tables",
    .details =
        "Prints for each claim the sentence of its source, the method, figures from tables, and a verdict "
        "(holds, holds for …, open, fails). Some claims have a witness, which is played move by move and "
        "checked again in ways that do not use the tables. Without a name all claims are run. Missing "
        "tables are built first, into --db, and standard error says which. Some claims have a stored figure "
        "of a larger size, which is "
        "printed behind today's and compared with it. The exit code is 1 if a claim fails. Ctrl-C "
        "(SIGINT), SIGTERM and SIGUSR1 end it with exit code 75; tables, and the state of a build under "
        "way, are kept.\n\n"
        "gnuplot draws the plots; where it is missing (Debian: gnuplot-nox) the exit code is 69 before "
        "anything is built. Markdown shows them by the path given with --plots, so the document belongs in "
        "the folder that the command is run in: for docs/report.md with pictures in docs/report run it in "
        "docs with --plots report, as make report does.",
    .groups = groups,
    .examples = examples,
    .stopped = "stopped; tables that were finished are kept: run the same command again",
    .run = run_claims};
