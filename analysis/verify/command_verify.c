/* Runs the command `verify`: reads options, shares the work among ranks, and prints findings as text or JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/print/open_folders.h"
#include "analysis/verify/verify.h"
#include "base/clock.h"
#include "base/command/command.h"
#include "base/command/terminal.h"
#include "base/command/threads.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_show.h"
#include "games/game_options.h"
#include "solver/run/command_ranks.h"

static const option own_options[] = {{"json", NULL, "one JSON object per table", NULL},
                                     {"digests", "FILE",
                                      "only compare the digests that tables name with this list, such as "
                                      "docs/results/awari-digests.csv",
                                      "@file"},
                                     TERMINAL_COLOR_OPTION};
static const option_group own_group = OPTION_GROUP("Output", own_options);
static const option lines_options[] = {
    {"lines-budget", "N", "own-row: positions that lines of play may look at to prove one value (33554432)",
     NULL}};
static const option_group lines_group = OPTION_GROUP("Lines of play", lines_options);
static const option disk_options[] = {
    {"disk", "SIZE",
     "most disk beside the tables, of each rank, for cells that do not fit in memory; default: none, see "
     "--memory",
     NULL}};
static const option_group disk_group = OPTION_GROUP("Disk", disk_options);
static const option ranks_options[] = {RANKS_FOLD_OPTION, RANKS_WATCHDOG_OPTION};
static const option_group ranks_group = OPTION_GROUP("Ranks", ranks_options);
static const option_group *const groups[] = {
    &game_options_group, &game_options_folder_group, &own_group, &lines_group, &ranks_group,
    &disk_group,         &options_running,           NULL};

typedef struct {
  bool as_json, colored;
  size_t folder_bytes; /* bytes of the folder's path, which lines leave out */
} output;

static terminal_ink verdict_ink(bool colored, verify_verdict verdict) {
  const bool false_or_lost = verdict >= VERIFY_DAMAGED;
  return terminal_ink_of(colored, verdict == VERIFY_PROVEN ? TERMINAL_GREEN
                                  : false_or_lost          ? TERMINAL_RED
                                                           : TERMINAL_YELLOW);
}

static void print_line(const output *out, const verify_finding *found) {
  enum { LEFT_COLUMN = 12 };
  const char *path = found->path + out->folder_bytes;
  while (*path == '/') path++;
  terminal_sentences sentences;
  const terminal_ink ink = verdict_ink(out->colored, found->verdict);
  printf("%s%-10s%s  ", ink.on, verify_verdict_name(found->verdict), ink.off);
  fprintf(terminal_open(&sentences, stdout), "%s: %s\n", text_shown(path).text,
          text_shown(found->verdict == VERIFY_PROVEN ? verify_proof_name(found->proof) : found->reason).text);
  terminal_close(&sentences, LEFT_COLUMN, LEFT_COLUMN);
  fflush(stdout);
}

static void print_json(const verify_finding *found) {
  static const table_header none;
  const table_header *header = found->header ? found->header : &none;
  const bool known = found->header, proven = found->verdict == VERIFY_PROVEN, placed = found->position;
  char digest[TABLE_DIGEST_TEXT];
  table_digest_text(header->plain_digest, digest);
  json_line(stdout, JSON_TEXT("path", found->path), json_or_nothing(known, JSON_TEXT("game", header->game)),
            json_or_nothing(known, JSON_TEXT("rules", header->rules)),
            json_or_nothing(known, JSON_TEXT("cycles", header->cycles)),
            json_or_nothing(known, JSON_TEXT("slice", header->slice)),
            json_or_nothing(known, JSON_TEXT("stream", header->stream)),
            json_or_nothing(known, JSON_COUNT("positions", header->positions)),
            json_or_nothing(known, JSON_TEXT("table", digest)),
            JSON_TEXT("verdict", verify_verdict_name(found->verdict)),
            json_or_nothing(proven, JSON_TEXT("proven", verify_proof_name(found->proof))),
            json_or_nothing(found->searched, JSON_COUNT("searched", found->searched)),
            json_or_nothing(*found->reason, JSON_TEXT("reason", found->reason)),
            json_or_nothing(placed, JSON_TEXT("position", found->position)),
            json_or_nothing(placed, JSON_COUNT("index", found->index)),
            json_or_nothing(placed, JSON_NUMBER("stored", found->stored)),
            json_or_nothing(placed && found->expects, JSON_NUMBER("expected", found->expected)));
}

static void print_finding(void *user, const verify_finding *found) {
  const output *out = user;
  if (out->as_json) {
    print_json(found);
  } else {
    print_line(out, found);
  }
}

static tauler_error refuse_options(const options *parsed, tauler_message *message) {
  for (size_t i = 0; i < game_options_group.n; i++) {
    const char *name = game_options_group.options[i].name;
    if (options_has(parsed, name))
      return tauler_fail(message, TAULER_BAD_USAGE, "--%s needs the game: tauler verify GAME --%s …", name,
                         name);
  }
  return TAULER_OK;
}

static void print_summary(const verify_summary *summary, double seconds) {
  const uint64_t *tables = summary->tables;
  terminal_sentences sentences;
  FILE *out = terminal_open(&sentences, stdout);
  fprintf(out, "%" PRIu64 " proven (%s cells", tables[VERIFY_PROVEN],
          text_count((double)summary->positions).text);
  const char *between = ": ";
  for (verify_proof proof = VERIFY_VALUES; proof < VERIFY_PROOFS; proof++) {
    if (!summary->proofs[proof]) continue;
    fprintf(out, "%s%" PRIu64 " of %s", between, summary->proofs[proof], verify_proof_name(proof));
    if (proof == VERIFY_SEARCHED) fprintf(out, " for %" PRIu64 " positions", summary->searched);
    between = "; ";
  }
  fprintf(out, "), ");
  static const verify_verdict seldom[] = {VERIFY_CONSISTENT, VERIFY_UNFOUNDED, VERIFY_MISPLACED,
                                          VERIFY_NO_TABLE};
  for (size_t i = 0; i < sizeof seldom / sizeof *seldom; i++)
    if (tables[seldom[i]])
      fprintf(out, "%" PRIu64 " %s, ", tables[seldom[i]], verify_verdict_name(seldom[i]));
  fprintf(out, "%" PRIu64 " wrong, %" PRIu64 " damaged, %" PRIu64 " files only; %s\n", tables[VERIFY_WRONG],
          tables[VERIFY_DAMAGED], tables[VERIFY_FILES_ONLY], text_duration(seconds).text);
  terminal_close(&sentences, 0, 2);
}

static tauler_error report_outcome(const verify_summary *summary, tauler_message *message) {
  const tauler_error error = verify_outcome(summary);
  if (error == TAULER_DAMAGED_FILE && !summary->tables[VERIFY_DAMAGED])
    return tauler_fail(message, error,
                       "%" PRIu64 " of the files stand where no table is looked for; move or remove them",
                       summary->tables[VERIFY_MISPLACED] + summary->tables[VERIFY_NO_TABLE]);
  if (error == TAULER_DAMAGED_FILE)
    return tauler_fail(message, error,
                       "%" PRIu64 " of the tables are damaged; restore them from a copy or build them again",
                       summary->tables[VERIFY_DAMAGED]);
  if (error == TAULER_TABLE_MISSING)
    return tauler_fail(message, error,
                       "of %" PRIu64
                       " tables the files are whole, but what they rest on is not there to prove them",
                       summary->tables[VERIFY_FILES_ONLY]);
  if (error) return error; /* the verdict was printed as the result of the command */
  if (!*summary->missing) return TAULER_OK;
  return tauler_fail(message, TAULER_TABLE_MISSING,
                     "slice %.60s was asked for, but there is no table of it: build it first",
                     summary->missing);
}

/* Checks the tables on a rank that does not wait. Only the output of rank 0 is shown. */
static tauler_error check_tables(const options *parsed, const verify_job *asked, const workspace *work,
                                 const ranks_run *ranks, output *out, tauler_message *message) {
  progress shown;
  progress_open(&shown, stderr,
                progress_choose(options_has(parsed, "quiet"), options_has(parsed, "log-json")));
  if (*ranks->folded) progress_note(&shown, "%s", ranks->folded);
  verify_summary summary;
  verify_job job = *asked;
  job.threads = work->threads;
  job.memory = work->memory;
  job.ranks = work->comm;
  job.shown = &shown;
  job.report = print_finding;
  job.user = out;
  const double start = clock_wall();
  const tauler_error error = verify_tables(&job, &summary, message);
  if (error) return error;
  if (!out->as_json) print_summary(&summary, clock_wall() - start);
  return report_outcome(&summary, message);
}

static tauler_error read_options(const options *parsed, verify_job *job, game_request *request,
                                 game_rules **rules, const ranks_run *ranks, memory_budget *memory,
                                 output *out, tauler_message *message) {
  tauler_error error = options_arguments(parsed) == 0
                           ? refuse_options(parsed, message)
                           : game_options_open(parsed, &job->game, rules, request, message);
  uint64_t limit = 0, disk = 0;
  job->rules = *rules;
  if (options_has(parsed, "rules")) job->any &= ~(unsigned)VERIFY_ANY_RULES;
  if (game_options_name_board(parsed)) job->any &= ~(unsigned)VERIFY_ANY_BOARD;
  if (options_has(parsed, "cycles")) job->any &= ~(unsigned)VERIFY_ANY_CYCLES;
  if (!error) error = threads_option(parsed, &job->threads, message);
  if (!error && options_has(parsed, "lines-budget"))
    error = options_number(parsed, "lines-budget", 1, UINT64_C(1) << 40, &job->lines_budget, message);
  if (!error) error = options_size(parsed, "memory", &limit, message);
  if (!error) error = options_size(parsed, "disk", &disk, message);
  if (!error) error = terminal_color_option(parsed, stdout, &out->colored, message);
  memory_budget_open(memory, limit);
  if (disk) memory_use_disk(memory, job->folder, disk);
  /* Several ranks print to a pipe of the launcher, not to a terminal. */
  if (comm_ranks(ranks->all) > 1 && !options_has(parsed, "color")) out->colored = false;
  return error;
}

static tauler_error run_over_ranks(const options *parsed, ranks_run *ranks, tauler_message *message) {
  if (options_has(parsed, "digests")) /* on one rank, since reading headers takes only a moment */
    return comm_agree(ranks->all, comm_is_root(ranks->all) ? command_digests(parsed, message) : TAULER_OK,
                      message);
  game_request request = {NULL, NULL, NULL};
  verify_job job = {.folder = game_options_folder(parsed),
                    .request = &request,
                    .any = VERIFY_ANY_RULES | VERIFY_ANY_BOARD | VERIFY_ANY_CYCLES};
  output out = {options_has(parsed, "json"), false, strlen(job.folder)};
  game_rules *rules = NULL;
  memory_budget memory;
  tauler_error error = read_options(parsed, &job, &request, &rules, ranks, &memory, &out, message);
  workspace work = {.threads = job.threads, .memory = &memory};
  error = ranks_fold(ranks, parsed, groups, error, &work, message);
  if (!error && !ranks->waits) error = check_tables(parsed, &job, &work, ranks, &out, message);
  if (rules) job.game->close(rules);
  return error;
}

static tauler_error run_verify(const options *parsed, tauler_message *message) {
  return ranks_command(parsed, run_over_ranks, message);
}

const command command_verify = {.name = "verify",
                                .arguments = "[GAME]",
                                .arguments_completion = GAME_OPTIONS_COMPLETION,
                                .groups = groups,
                                .run = run_verify,
                                .refused = ranks_refuse,
                                .waits_to_speak = ranks_wait_to_speak};
