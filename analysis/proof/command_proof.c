/* Runs the command proof: sends tables to the proven checker and prints the theorem that holds for them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/export/export.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/probe/tauler.h"
#include "analysis/proof/checker.h"
#include "base/command/command.h"
#include "base/json.h"
#include "base/text.h"
#include "games/game_options.h"

enum { WATCHDOG_SECONDS = 600, PIECE = 4096, MOST_STREAMS = 4 };

static const option own_options[] = {
    {"threads", "N", "threads to read with; default: the processors this process may use", NULL},
    {"memory", "SIZE", "most memory for values of this process, such as 512M; the checker takes its own",
     NULL},
    {"checker", "FILE", "the checker; default: tauler-proof beside this program", NULL},
    {"watchdog", "TIME", "end it with exit code 75 when the checker does nothing for TIME (10m); 0s: never",
     NULL},
    {"quiet", NULL, "no progress, only the result and errors", NULL},
    {"json", NULL, "one JSON object", NULL},
};
static const option_group own_group = OPTION_GROUP("Proving", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folder_group, &own_group,
                                             NULL};

typedef struct {
  const char *game;
  const char *rules, *cycles; /* rule set of the tables, or NULL for all */
  const char *kind;           /* kind of cells, as in checker_question, or NULL for the rule set */
  const char *name, *about, *unit, *says;
  unsigned most; /* most seeds or pieces that the checker takes */
} theorem;

static const theorem theorems[] = {
    {"auale", "awari", "even", "scores", "scores_hold", "board that can come up", "seeds",
     "the table has what either side can force by play that captures or ends: the mover forces k net seeds\n"
     "exactly if its value is k or more, the other side exactly if it is -k or less, for each k from 1 on.",
     CHECKER_SEEDS},
    {"auale", "abapa", "forced", "bounds", "guarantees_hold", "board that can come up", "seeds",
     "the tables have what each side is guaranteed by play that captures or ends, and no less: the mover\n"
     "forces k net seeds exactly if the lower bound is k or more, the other side exactly if the upper bound "
     "is\n"
     "-k or less, for each k above minus the seeds of the board.",
     CHECKER_SEEDS},
    {"auale", "abapa", "own-row", "exact", "exact_values_hold", "board that can come up", "seeds",
     "the table has what it is worth right after a capture, and at the start, if the first board that comes "
     "back\n"
     "ends play and each side takes its own row: of all seeds captured or taken from now on the mover can "
     "get k\n"
     "net exactly if its value is k or more, the other side exactly if it is -k or less, for each k.",
     CHECKER_SEEDS},
    {"doushouqi", NULL, NULL, NULL, "endings_hold", "position with a piece of each side and none on a den",
     "pieces",
     "the table has the value and the distance to the end: the mover wins within n plies, whatever the\n"
     "other side does, exactly if its value is 1 and its depth n or less, and the other side exactly if\n"
     "the value is -1 and the depth n or less, for each n. So neither forces the end exactly if it is 0.",
     CHECKER_PIECES},
};

typedef struct {
  char slice[20], stream[16], digest[TABLE_DIGEST_TEXT];
  uint64_t positions;
} proof_table;

typedef struct {
  checker child;
  const theorem *theorem;
  char rules[160];
  uint64_t cells;
  size_t used;
  proof_table *tables; /* tables sent, with space for all streams of all slices */
} proof;

static bool theorem_covers(const theorem *t, const game_rules *rules, const game *g) {
  if (strcmp(g->name, t->game) != 0) return false;
  return !t->rules ||
         (strcmp(g->rules_text(rules), t->rules) == 0 && strcmp(g->cycles_text(rules), t->cycles) == 0);
}

static const theorem *find_theorem(const game_rules *rules, const game *g) {
  for (size_t i = 0; i < sizeof theorems / sizeof *theorems; i++) {
    if (theorem_covers(&theorems[i], rules, g)) return &theorems[i];
  }
  return NULL;
}

/* Sets the bits of slices with values by lines of play, whose tables leave no cell out. */
static tauler_error find_slices_by_lines(const export_job *job, uint64_t *lines, tauler_message *message) {
  for (size_t i = 0; i < job->slices->used; i++) {
    const uint32_t slice = job->slices->slices[i].slice;
    const table *values = NULL;
    slice_entry *entry = slice_entry_of(job->tables, slice, message);
    if (!entry) return TAULER_NO_MEMORY;
    const tauler_error error = slice_table(job->tables, entry, STREAMS_VALUE, 0, &values, message);
    if (error == TAULER_TABLE_MISSING)
      return fail_slice_missing(job->tables, job->request, slice, job->depths, message);
    if (error) return error;
    if (!slice_is_exact(entry))
      return tauler_fail(message, TAULER_BAD_USAGE,
                         "slice %u holds bounds, and there are proofs for values: build it with a larger "
                         "--lines-budget",
                         slice);
    if (table_get_header(values)->coding == TABLE_PLAIN) *lines |= UINT64_C(1) << slice;
  }
  return TAULER_OK;
}

/* Sends depths as two bytes each, also if the table's cells have one. */
static tauler_error send_cells(void *user, const table_header *header, const char *cells, size_t bytes,
                               tauler_message *message) {
  proof *p = user;
  char wide[2 * PIECE];
  if (header->cell != TABLE_U8) return checker_send(&p->child, cells, bytes, message);
  memset(wide, 0, sizeof wide);
  tauler_error error = TAULER_OK;
  for (size_t first = 0; first < bytes && !error; first += PIECE) {
    const size_t n = bytes - first < PIECE ? bytes - first : PIECE;
    for (size_t i = 0; i < n; i++) wide[2 * i] = cells[first + i];
    error = checker_send(&p->child, wide, 2 * n, message);
  }
  return error;
}

static void note_table(void *user, const export_copy *copy) {
  proof *p = user;
  proof_table *t = &p->tables[p->used++];
  snprintf(t->slice, sizeof t->slice, "%s", copy->slice);
  snprintf(t->stream, sizeof t->stream, "%s", copy->stream);
  table_digest_text(copy->digest, t->digest);
  t->positions = copy->positions;
  if (strcmp(copy->stream, "value") == 0 || strcmp(copy->stream, "lower") == 0) p->cells += copy->positions;
}

static uint64_t count_boards_on_trust(const proof *p) {
  uint64_t boards = 0;
  for (size_t n = 0; n <= CHECKER_SEEDS; n++) boards += p->child.on_trust[n];
  return boards;
}

static void print_trust(const proof *p) {
  const uint64_t boards = count_boards_on_trust(p);
  if (boards == 0) return;
  printf(
      "\nTaken on trust are the values of %llu of them, which lines of play have closed (seeds: boards):\n",
      (unsigned long long)boards);
  for (size_t n = 0; n <= CHECKER_SEEDS; n++)
    if (p->child.on_trust[n]) printf("%zu: %llu\n", n, (unsigned long long)p->child.on_trust[n]);
  printf("tauler verify searches these lines again.\n");
}

static void print_text(const proof *p) {
  const theorem *t = p->theorem;
  for (size_t i = 0; i < p->used; i++)
    printf("%-3s %-12s %12llu cells  %s\n", p->tables[i].slice, p->tables[i].stream,
           (unsigned long long)p->tables[i].positions, p->tables[i].digest);
  printf("\nTheorem %s holds of these tables. For each %s\n"
         "with at most %s %s under %s, %llu cells in all,\n%s\n",
         t->name, t->about, p->child.asked.most, t->unit, p->rules, (unsigned long long)p->cells, t->says);
  print_trust(p);
  printf("\nChecked by tauler-proof %s, SHA-256 %s.\n", tauler_version(), p->child.digest);
}

static void print_proof_json(const proof *p) {
  json_writer json;
  json_open_line(&json, stdout);
  json_fields(&json, JSON_TEXT("theorem", p->theorem->name), JSON_TEXT("rules", p->rules),
              json_or_nothing(p->theorem->cycles, JSON_TEXT("cycles", p->theorem->cycles)),
              JSON_COUNT(p->theorem->unit, strtoull(p->child.asked.most, NULL, 10)),
              JSON_COUNT("positions", p->cells), JSON_COUNT("on_trust", count_boards_on_trust(p)),
              JSON_TEXT("version", tauler_version()), JSON_TEXT("checker", p->child.digest));
  json_field_array(&json, "tables");
  for (size_t i = 0; i < p->used; i++) {
    const proof_table *t = &p->tables[i];
    json_object(&json, JSON_TEXT("slice", t->slice), JSON_TEXT("stream", t->stream),
                JSON_COUNT("positions", t->positions), JSON_TEXT("table", t->digest));
  }
  json_end_array(&json);
  json_close_line(&json);
}

static tauler_error refuse_slice(const export_job *job, size_t number, tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  job->tables->game->slice_name(job->tables->rules, job->slices->slices[number].slice, name);
  return tauler_fail(message, TAULER_NOT_PROVEN,
                     "slice %s does not pass the proven check: tauler verify says where it is wrong", name);
}

static tauler_error run_checker(const export_job *job, proof *p, const checker_question *question,
                                bool as_json, tauler_message *message) {
  tauler_error error = checker_start(question, &p->child, message);
  if (error) return error;
  error = export_tables(job, message);
  if (job->shown) progress_start(job->shown, "checking the last slice", "boards", 0, 0);
  if (!error) error = checker_end(&p->child, message);
  checker_close(&p->child);
  if (job->shown) progress_abandon(job->shown);
  if (p->child.refused) return refuse_slice(job, p->child.held, message);
  if (error) return error;
  if (as_json)
    print_proof_json(p);
  else
    print_text(p);
  return TAULER_OK;
}

static tauler_error make_question(const options *parsed, export_sources *sources, const export_job *job,
                                  proof *p, checker_question *out, tauler_message *message) {
  game_slices *slices = &sources->slices;
  if (!sources->request.largest)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a proof is about all tables up to a size: give --%s in place of --material",
                       p->theorem->unit);
  if (strtoull(sources->request.largest, NULL, 10) > p->theorem->most)
    return tauler_fail(message, TAULER_BAD_USAGE, "the checker takes tables of at most %u %s, not %s",
                       p->theorem->most, p->theorem->unit, sources->request.largest);
  for (size_t i = 0; i < slices->used; i++) slices->slices[i].asked = true;
  p->tables = calloc(slices->used + 1, MOST_STREAMS * sizeof *p->tables);
  if (!p->tables) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of tables");
  snprintf(p->rules, sizeof p->rules, "%s", sources->game->rules_text(job->tables->rules));
  *out = (checker_question){.path = options_get(parsed, "checker"),
                            .about = p->theorem->rules ? p->theorem->rules : p->theorem->game,
                            .kind = p->theorem->kind ? p->theorem->kind : p->rules,
                            .most = sources->request.largest,
                            .slices = slices->used,
                            .seconds = WATCHDOG_SECONDS};
  const tauler_error error = options_duration(parsed, "watchdog", &out->seconds, message);
  return error || strcmp(out->kind, "exact") != 0 ? error : find_slices_by_lines(job, &out->lines, message);
}

static tauler_error run_proof(const options *parsed, tauler_message *message) {
  export_sources sources;
  proof p = {.used = 0};
  checker_question question;
  export_job job = {.take = send_cells, .depths = true, .report = note_table, .user = &p};
  tauler_error error = export_sources_read(parsed, &sources, &job, message);
  if (!error && !(p.theorem = find_theorem(sources.rules, sources.game)))
    error = tauler_fail(
        message, TAULER_BAD_USAGE,
        "there are proofs for auale with --rules awari (--cycles even) and --rules abapa (--cycles forced or "
        "own-row), for doushouqi, and for nothing else");
  if (!error) error = export_sources_open(parsed, &sources, &job, message);
  if (!error) error = make_question(parsed, &sources, &job, &p, &question, message);
  if (!error) error = run_checker(&job, &p, &question, options_has(parsed, "json"), message);
  export_sources_close(&sources);
  free(p.tables);
  return error;
}

const command command_proof = {.name = "proof",
                               .arguments = "GAME",
                               .arguments_completion = GAME_OPTIONS_COMPLETION,
                               .groups = groups,
                               .run = run_proof};
