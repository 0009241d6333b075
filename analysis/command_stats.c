#include <stdio.h>
#include <stdlib.h>

#include "analysis/bulk.h"
#include "analysis/print_counts.h"
#include "base/command.h"
#include "base/threads.h"
#include "games/game_options.h"

static const option own_options[] = {
    {"boards", "WHICH",
     "table (default): positions that tables hold; all: also those that no move leads to, valued by their "
     "moves",
     "all table"},
    {"depths", NULL, "count by depth as well; needs tables built with --depth", NULL},
    {"total", NULL, "also the sum of all that is printed", NULL},
    {"csv", NULL,
     "rows slice,value,count; of bounds slice,lower,upper,count; with --depths a depth before the count",
     NULL},
    {"json", NULL, "one JSON object per slice or material", NULL},
    {"threads", "N", "threads to work with; default: the processors this process may use", NULL},
    {"memory", "SIZE",
     "most memory for values, such as 512M; what does not fit is looked up one by one, slower", NULL},
};
static const option_group own_group = OPTION_GROUP("Counting", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folder_group, &own_group,
                                             NULL};

typedef struct {
  tauler_tables *tables;
  tally_settings settings;
  const game_request *request;
  const game_slices *slices;
  memory_budget *memory;
  bool with_total;
  int form;
} job;

/* A slice while it is counted: parts may share cells, which are counted once. */
typedef struct {
  uint64_t first, count;
  tally counted;
} counted_run;

typedef struct {
  counted_run *runs;
  size_t used;
} counted_runs;

static bool reads_cells(const job *j) {
  return !tally_is_in_headers(j->tables, &j->settings);
}

static tauler_error open_streams(const job *j, uint32_t slice, tauler_message *message) {
  slice_entry *entry = slice_entry_of(j->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  for (int plane = 0; plane < j->tables->planes; plane++) {
    const table *opened;
    tauler_error error = slice_table(j->tables, entry, STREAMS_VALUE, plane, &opened, message);
    if (!error && (j->settings.with_depths || bulk_has_words(j->tables))) {
      error = slice_table(j->tables, entry, STREAMS_DEPTH, plane, &opened, message);
    }
    if (error) return error;
  }
  return TAULER_OK;
}

/* Finds out that tables are missing before anything is printed, and says how to build all that was
 * asked for, not only the first that is missing. Cells that a table leaves out need the smaller slices. */
static tauler_error open_all(const job *j, tauler_message *message) {
  for (size_t i = 0; i < j->slices->used; i++) {
    const game_slice *slice = &j->slices->slices[i];
    if (!slice->asked && !reads_cells(j)) continue;
    const tauler_error error = open_streams(j, slice->slice, message);
    if (error != TAULER_TABLE_MISSING) {
      if (error) return error;
      continue;
    }
    char name[GAME_TEXT_BYTES];
    j->tables->game->slice_name(j->tables->rules, slice->slice, name);
    return tauler_fail(message, error,
                       "there is no table of slice %.60s%s in %.200s; build what is missing: %s", name,
                       j->settings.with_depths ? ", or none of its depths," : "", j->tables->db->folder,
                       build_command_of(j->tables, j->request, j->settings.with_depths).text);
  }
  return TAULER_OK;
}

/* Loads the slice's values where that helps and they fit; from the first that does not fit on, all
 * are looked up. */
static tauler_error load_values(bulk **values, uint32_t slice, bulk_slice *loaded, tauler_message *message) {
  *loaded = (bulk_slice){NULL, NULL};
  if (!*values) return TAULER_OK;
  const tauler_error error = bulk_load(*values, slice, loaded, message);
  if (error != TAULER_NO_MEMORY) return error;
  bulk_close(*values);
  *values = NULL;
  *loaded = (bulk_slice){NULL, NULL};
  return TAULER_OK;
}

static tauler_error count_run(const job *j, uint32_t slice, const bulk_slice *loaded, const game_part *part,
                              counted_runs *runs, const tally **out, tauler_message *message) {
  for (size_t i = 0; i < runs->used; i++) {
    const counted_run *run = &runs->runs[i];
    *out = &run->counted;
    if (run->first == part->first && run->count == part->count) return TAULER_OK;
  }
  counted_run *grown = realloc(runs->runs, (runs->used + 1) * sizeof *grown);
  if (!grown) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to count positions");
  runs->runs = grown;
  counted_run *run = &grown[runs->used++];
  *run = (counted_run){.first = part->first, .count = part->count};
  *out = &run->counted;
  const tauler_error error =
      j->tables->game->part
          ? tally_part(j->tables, slice, loaded, run->first, run->count, &j->settings, &run->counted, message)
          : tally_slice(j->tables, slice, loaded, &j->settings, &run->counted, message);
  if (!error) tally_sort(&run->counted);
  return error;
}

/* The i-th part of a slice; without parts the whole slice is one. */
static bool find_part(const job *j, uint32_t slice, size_t i, game_part *out) {
  const game *g = j->tables->game;
  if (g->part) return g->part(j->tables->rules, slice, i, out);
  g->slice_name(j->tables->rules, slice, out->name);
  out->first = 0;
  out->count = g->positions(j->tables->rules, slice);
  return i == 0;
}

static tauler_error count_slice(const job *j, const counts_output *shown, uint32_t slice,
                                const bulk_slice *loaded, tally *total, tauler_message *message) {
  const game *g = j->tables->game;
  counted_runs runs = {NULL, 0};
  game_part part;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; !error && find_part(j, slice, i, &part); i++) {
    if (g->part_asked && !g->part_asked(j->tables->rules, j->request, &part)) continue;
    const tally *counted = NULL;
    error = count_run(j, slice, loaded, &part, &runs, &counted, message);
    if (!error && j->with_total) error = tally_add_all(total, counted, message);
    if (!error) print_counts(shown, part.name, counted);
  }
  for (size_t i = 0; i < runs.used; i++) tally_free(&runs.runs[i].counted);
  free(runs.runs);
  return error;
}

/* For each slice the last one in the order that needs it, itself where none does; NULL: all are kept.
 * The caller frees it. */
static tauler_error find_last_uses(const job *j, size_t **out, tauler_message *message) {
  const game *g = j->tables->game;
  const game_slices *all = j->slices;
  *out = NULL;
  if (!g->needs || all->used == 0) return TAULER_OK;
  const uint32_t room = game_slices_largest(all) + 1;
  size_t *last = calloc(room, sizeof *last);
  if (!last) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < all->used && !error; i++) {
    game_slices needs = {0};
    last[all->slices[i].slice] = i;
    error = g->needs(j->tables->rules, all->slices[i].slice, &needs, message);
    for (size_t n = 0; n < needs.used && !error; n++) last[needs.slices[n].slice] = i;
    free(needs.slices);
  }
  *out = last;
  return error;
}

static void drop_unneeded(const job *j, bulk *values, size_t done, const size_t *last) {
  const game *g = j->tables->game;
  if (!values || !last) return;
  const uint32_t slice = j->slices->slices[done].slice;
  game_slices needs = {0};
  if (last[slice] == done) bulk_drop(values, slice);
  if (g->needs(j->tables->rules, slice, &needs, NULL)) return; /* they go with the last */
  for (size_t n = 0; n < needs.used; n++) {
    if (last[needs.slices[n].slice] == done) bulk_drop(values, needs.slices[n].slice);
  }
  free(needs.slices);
}

static tauler_error count_slices(const job *j, const counts_output *shown, bulk **values, const size_t *last,
                                 tally *total, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < j->slices->used && !error && !ferror(stdout); i++) {
    const game_slice *slice = &j->slices->slices[i];
    bulk_slice loaded;
    error = load_values(values, slice->slice, &loaded, message);
    if (!error && slice->asked) error = count_slice(j, shown, slice->slice, &loaded, total, message);
    drop_unneeded(j, *values, i, last);
  }
  return error;
}

static tauler_error count_all(const job *j, tauler_message *message) {
  const counts_output shown = {j->tables, j->settings.with_depths, j->settings.outside, j->form};
  tally total = {0};
  bulk *values = NULL;
  size_t *last = NULL;
  tauler_error error = open_all(j, message);
  if (!error && reads_cells(j)) {
    error = find_last_uses(j, &last, message);
    if (!error)
      error = bulk_open(j->tables, game_slices_largest(j->slices), j->settings.threads, j->memory, &values,
                        message);
    if (error == TAULER_NO_MEMORY) error = TAULER_OK;
  }
  if (!error) print_counts_header(&shown);
  if (!error) error = count_slices(j, &shown, &values, last, &total, message);
  if (!error && j->with_total) {
    tally_sort(&total);
    print_counts_total(&shown, &total);
  }
  bulk_close(values);
  tally_free(&total);
  free(last);
  return error;
}

static tauler_error read_options(const options *parsed, job *j, tauler_message *message) {
  int threads = 1;
  uint64_t bytes = 0;
  size_t boards = 1;
  tauler_error error = threads_option(parsed, &threads, message);
  if (!error) error = options_word(parsed, "boards", &boards, message);
  if (!error) error = options_size(parsed, "memory", &bytes, message);
  memory_budget_open(j->memory, bytes);
  j->settings = (tally_settings){options_has(parsed, "depths"), boards == 0, threads};
  j->with_total = options_has(parsed, "total");
  j->form = options_has(parsed, "csv") ? FORM_CSV : options_has(parsed, "json") ? FORM_JSON : FORM_TEXT;
  if (!error && options_has(parsed, "csv") && options_has(parsed, "json")) {
    error = tauler_fail(message, TAULER_BAD_USAGE, "--csv and --json exclude each other");
  }
  return error;
}

static tauler_error run_stats(const options *parsed, tauler_message *message) {
  const game *chosen;
  game_rules *rules;
  game_request request;
  game_slices slices = {0};
  tauler *db = NULL;
  memory_budget memory;
  job j = {.request = &request, .slices = &slices, .memory = &memory};
  tauler_error error = game_options_open(parsed, &chosen, &rules, &request, message);
  if (error) return error;
  error = read_options(parsed, &j, message);
  if (!error) error = chosen->slices(rules, &request, &slices, message);
  chosen->close(rules);
  if (!error) error = tauler_open(game_options_folder(parsed), NULL, &db, message);
  if (!error) {
    error = tauler_select(db, chosen->name, options_get(parsed, "rules"), options_get(parsed, "cycles"),
                          &j.tables, message);
  }
  if (!error) error = count_all(&j, message);
  tauler_close(db);
  free(slices.slices);
  return error;
}

static const char *const examples[] = {
    "tauler stats auale --seeds 12 --db tables",
    "# for comparison with published tables: boards that no move can reach included",
    "tauler stats auale --seeds 12 --boards all --csv",
    "# what each side can force, by depth",
    "tauler stats auale --rules abapa --cycles forced --seeds 10 --depths --csv --total",
    "# all materials of three pieces, and one alone",
    "tauler stats doushouqi --rules liacs --pieces 3 --csv --total",
    "tauler stats doushouqi --material ELr --depths",
    NULL};

const command command_stats = {
    .name = "stats",
    .arguments = "GAME",
    .least_arguments = 1,
    .most_arguments = 1,
    .arguments_completion = GAME_OPTIONS_COMPLETION,
    .summary = "how many positions have which value, for every slice asked for",
    .details =
        "Counts are of positions, symmetric copies included. Rows stand in the order of the slices, then by "
        "value and depth rising. Values alone come from the headers of the tables at once, where every cell "
        "is one position; else, and for bounds and depths, every cell is read.\n\n"
        "Of dou shou qi, --pieces K prints the materials of exactly K pieces, White to move, each with a row "
        "of its own although many share a table; --material prints one. Without --csv or --json a material "
        "is "
        "one line, with --depths the longest win and loss.",
    .groups = groups,
    .examples = examples,
    .run = run_stats};
