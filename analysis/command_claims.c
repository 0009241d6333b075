#include <stdio.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/print_report.h"
#include "base/command.h"
#include "base/json.h"
#include "base/text.h"
#include "games/game_options.h"
#include "solver/build_options.h"

static const option own_options[] = {
    {"list", NULL, "a line for each claim, and no more", NULL},
    {"rules", "NAME[,FLAG…]", "another rule set than the claim's own, where it allows that", NULL},
    {"board", "7x3", "phutball: this board alone, rows x columns", NULL},
    {"pieces", "K", "dou shou qi: look at materials of up to K pieces, 2-4", NULL},
    {"players", "P", "oca: look at up to P players, 2-4; default 3", NULL},
    {"tokens", "K", "oca asesina: look at up to K tokens of each side, 1-3", NULL},
    {"level", "N", "zstd level of tables that are built, 1-22; default 9", NULL},
    {"json", NULL, "one JSON object per claim", NULL},
    {"markdown", NULL, "a chapter of Markdown per claim", NULL}};
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

static void list_claim(claim_form form, const claim *one) {
  if (form != AS_JSON) {
    printf(form == AS_TEXT ? "%-30s  %s\n" : "- `%s`: %s\n", one->name, one->title);
    return;
  }
  json_writer json;
  json_open_file(&json, stdout, JSON_COMPACT);
  json_begin_object(&json);
  json_field_string(&json, "claim", one->name);
  json_field_string(&json, "game", one->game);
  json_field_string(&json, "title", one->title);
  json_end_object(&json);
  json_close(&json, NULL); /* a lost line is found when standard output is closed */
}

typedef struct {
  claim_form form;
  progress *shown;
  bool any;
} output;

/* Printed claim by claim, since the next may take long. */
static bool print_claim(void *user, const claim *one, const report *found) {
  output *out = user;
  progress_hide(out->shown);
  if (out->form == AS_JSON) {
    print_report_json(stdout, one, found);
  } else {
    if (out->any) fputc('\n', stdout);
    (out->form == AS_TEXT ? print_report_text : print_report_markdown)(stdout, one, found);
  }
  out->any = true;
  fflush(stdout);
  return !ferror(stdout);
}

static tauler_error run_claims(const options *parsed, tauler_message *message) {
  const claim *chosen[MOST_CLAIMS];
  size_t n = 0;
  claim_form form = AS_TEXT;
  build_job settings = {.game = NULL};
  memory_budget memory;
  progress shown;
  tauler_error error = choose_claims(parsed, chosen, &n, message);
  uint64_t pieces = 0, players = 0, tokens = 0;
  if (!error) error = choose_form(parsed, &form, message);
  if (!error) error = options_number(parsed, "pieces", 2, 4, &pieces, message);
  if (!error) error = options_number(parsed, "players", 2, 4, &players, message);
  if (!error) error = options_number(parsed, "tokens", 1, 3, &tokens, message);
  if (error) return error;
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
                         .pieces = (int)pieces,
                         .players = (int)players,
                         .tokens = (int)tokens,
                         .level = settings.level,
                         .threads = settings.threads,
                         .memory = &memory,
                         .shown = &shown};
  output out = {form, &shown, false};
  return claim_run_all(chosen, n, &job, print_claim, &out, message);
}

static const char *const examples[] = {
    "tauler claims --list",
    "tauler claims phutball-small-boards --db tables",
    "# one board, and another rule set",
    "tauler claims phutball-small-boards --board 6x4 --rules goal-line=stop",
    "# all of them as a document",
    "tauler claims --markdown >claims.md",
    NULL};

const command command_claims = {
    .name = "claims",
    .arguments = "[NAME…]",
    .least_arguments = 0,
    .most_arguments = MOST_CLAIMS,
    .arguments_completion = "doushouqi-rat doushouqi-variants oca-asesina-catch-up oca-first-player oca-well "
                            "phutball-one-dimension phutball-small-boards",
    .summary = "run the claims: what sources say about the games, held against the tables",
    .details =
        "Of each claim: the sentence of its source, the method, figures from tables, a verdict (holds, holds "
        "for …, open, fails), and where there is one a witness, played move by move and checked again in "
        "ways "
        "that do not believe the tables. Without a name all claims are run. Tables that are missing are "
        "built first, into --db. The exit code is 1 if a claim fails.",
    .groups = groups,
    .examples = examples,
    .run = run_claims};
