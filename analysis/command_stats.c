#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bulk.h"
#include "analysis/tally.h"
#include "base/command.h"
#include "base/csv.h"
#include "base/json.h"
#include "base/threads.h"
#include "games/game_options.h"

static const option own_options[] = {
    {"boards", "WHICH",
     "table (default): positions that tables hold; all: also those that no move leads to, valued by their "
     "moves",
     "all table"},
    {"depths", NULL, "count by depth as well; needs tables built with --depth", NULL},
    {"total", NULL, "also the sum of the slices", NULL},
    {"csv", NULL, "rows slice,value,count; of bounds slice,lower,upper,count", NULL},
    {"json", NULL, "one JSON object per slice", NULL},
    {"threads", "N", "threads to work with; default: the processors this process may use", NULL},
    {"memory", "SIZE",
     "most memory for values, such as 512M; what does not fit is looked up one by one, slower", NULL},
};
static const option_group own_group = OPTION_GROUP("Counting", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folder_group, &own_group,
                                             NULL};

enum { FORM_TEXT, FORM_CSV, FORM_JSON };

typedef struct {
  tauler_tables *tables;
  tally_settings settings;
  const game_slices *slices;
  memory_budget *memory;
  bool with_total;
  int form;
} job;

/* Wins, draws, losses and what is open, in that order. */
enum { SHARES = 4 };
typedef struct {
  uint64_t positions, counts[SHARES];
} shares;

static const char *const share_names[SHARES] = {"win", "draw", "loss", "unknown"};

static shares shares_of(const tally *t) {
  shares s = {0};
  for (size_t i = 0; i < t->used; i++) {
    const plain_cell cell = t->slots[i].cell;
    int which = 3;
    if (cell.lower > 0) {
      which = 0;
    } else if (cell.upper < 0) {
      which = 2;
    } else if (cell.lower == cell.upper) {
      which = 1;
    }
    s.counts[which] += t->slots[i].count;
    s.positions += t->slots[i].count;
  }
  return s;
}

static bool has_bounds(const job *j) {
  return j->tables->planes > 1;
}

static void csv_depth(csv_writer *csv, int32_t depth) {
  if (depth == TAULER_NO_DEPTH) {
    csv_text(csv, "");
  } else {
    csv_integer(csv, depth);
  }
}

static void print_csv_header(const job *j) {
  csv_writer csv;
  csv_open(&csv, stdout);
  csv_text(&csv, "slice");
  csv_text(&csv, has_bounds(j) ? "lower" : "value");
  if (has_bounds(j)) csv_text(&csv, "upper");
  if (j->settings.with_depths) {
    csv_text(&csv, has_bounds(j) ? "depth-lower" : "depth");
    if (has_bounds(j)) csv_text(&csv, "depth-upper");
  }
  csv_text(&csv, "count");
  csv_end_row(&csv);
}

static void print_csv(const job *j, const char *slice, const tally *t) {
  csv_writer csv;
  csv_open(&csv, stdout);
  for (size_t i = 0; i < t->used; i++) {
    const plain_cell cell = t->slots[i].cell;
    csv_text(&csv, slice);
    csv_integer(&csv, cell.lower);
    if (has_bounds(j)) csv_integer(&csv, cell.upper);
    if (j->settings.with_depths) {
      csv_depth(&csv, cell.depth_lower);
      if (has_bounds(j)) csv_depth(&csv, cell.depth_upper);
    }
    csv_unsigned(&csv, t->slots[i].count);
    csv_end_row(&csv);
  }
}

static void json_depth(json_writer *json, const char *key, int32_t depth) {
  json_key(json, key);
  if (depth == TAULER_NO_DEPTH) {
    json_null(json);
  } else {
    json_integer(json, depth);
  }
}

static void row_to_json(const job *j, json_writer *json, const tally_row *row) {
  json_begin_object(json);
  json_field_integer(json, has_bounds(j) ? "lower" : "value", row->cell.lower);
  if (has_bounds(j)) json_field_integer(json, "upper", row->cell.upper);
  if (j->settings.with_depths) {
    json_depth(json, has_bounds(j) ? "depth-lower" : "depth", row->cell.depth_lower);
    if (has_bounds(j)) json_depth(json, "depth-upper", row->cell.depth_upper);
  }
  json_field_unsigned(json, "count", row->count);
  json_end_object(json);
}

static void print_json(const job *j, const char *slice, const tally *t) {
  const tauler_tables *tables = j->tables;
  const shares s = shares_of(t);
  json_writer json;
  json_open_file(&json, stdout, JSON_COMPACT);
  json_begin_object(&json);
  json_field_string(&json, "game", tables->game->name);
  json_field_string(&json, "rules", tables->game->rules_text(tables->rules));
  json_field_string(&json, "cycles", tables->game->cycles_text(tables->rules));
  json_field_string(&json, "slice", slice);
  json_field_string(&json, "boards", j->settings.outside ? "all" : "table");
  json_field_unsigned(&json, "positions", s.positions);
  for (int i = 0; i < SHARES; i++) json_field_unsigned(&json, share_names[i], s.counts[i]);
  json_key(&json, "rows");
  json_begin_array(&json);
  for (size_t i = 0; i < t->used; i++) row_to_json(j, &json, &t->slots[i]);
  json_end_array(&json);
  json_end_object(&json);
  json_close(&json, NULL); /* a lost line is found when standard output is closed */
}

static void print_depth(int32_t depth) {
  if (depth == TAULER_NO_DEPTH) {
    printf("  %11s", "-");
  } else {
    printf("  %11" PRId32, depth);
  }
}

static void print_text(const job *j, const char *slice, const tally *t) {
  const shares s = shares_of(t);
  const bool bounds = has_bounds(j), depths = j->settings.with_depths;
  const double all = s.positions ? (double)s.positions : 1;
  printf("%s%s: %" PRIu64 " %s", strcmp(slice, "total") == 0 ? "" : "slice ", slice, s.positions,
         j->tables->game->unit);
  for (int i = 0; i < SHARES; i++) {
    if (i == SHARES - 1 && !bounds) continue;
    printf(", %s %.2f %%", share_names[i], 100.0 * (double)s.counts[i] / all);
  }
  printf("\n  %5s", bounds ? "lower" : "value");
  if (bounds) printf("  %5s", "upper");
  if (depths) printf("  %11s", bounds ? "depth-lower" : "depth");
  if (depths && bounds) printf("  %11s", "depth-upper");
  printf("  %18s  %9s\n", "count", "share");
  for (size_t i = 0; i < t->used; i++) {
    const tally_row *row = &t->slots[i];
    printf("  %5d", row->cell.lower);
    if (bounds) printf("  %5d", row->cell.upper);
    if (depths) print_depth(row->cell.depth_lower);
    if (depths && bounds) print_depth(row->cell.depth_upper);
    printf("  %18" PRIu64 "  %7.3f %%\n", row->count, 100.0 * (double)row->count / all);
  }
  printf("\n");
}

static void print_slice(const job *j, const char *slice, tally *t) {
  tally_sort(t);
  if (j->form == FORM_CSV) {
    print_csv(j, slice, t);
  } else if (j->form == FORM_JSON) {
    print_json(j, slice, t);
  } else {
    print_text(j, slice, t);
  }
}

static tauler_error open_streams(const job *j, uint32_t slice, tauler_message *message) {
  slice_entry *entry = slice_entry_of(j->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  for (int plane = 0; plane < j->tables->planes; plane++) {
    const table *opened;
    tauler_error error = slice_table(j->tables, entry, STREAMS_VALUE, plane, &opened, message);
    if (!error && j->settings.with_depths) {
      error = slice_table(j->tables, entry, STREAMS_DEPTH, plane, &opened, message);
    }
    if (error) return error;
  }
  return TAULER_OK;
}

/* Finds out that tables are missing before anything is printed, and says how to build all that was
 * asked for, not only the first that is missing. */
static tauler_error open_all(const job *j, tauler_message *message) {
  const bool each = strcmp(j->tables->game->size_option, "pieces") == 0;
  uint32_t last = 0;
  for (size_t i = 0; i < j->slices->used; i++) {
    if (j->slices->slices[i].asked) last = j->slices->slices[i].slice;
  }
  for (size_t i = 0; i < j->slices->used; i++) {
    const uint32_t slice = j->slices->slices[i].slice;
    if (!j->slices->slices[i].asked) continue;
    const tauler_error error = open_streams(j, slice, message);
    if (error != TAULER_TABLE_MISSING || each) {
      if (error) return error;
      continue;
    }
    char name[GAME_TEXT_BYTES];
    j->tables->game->slice_name(j->tables->rules, slice, name);
    return tauler_fail(message, error,
                       "there is no table of slice %.60s%s in %.200s; build what is missing: %s", name,
                       j->settings.with_depths ? ", or none of its depths," : "", j->tables->db->folder,
                       build_command_for(j->tables, last, j->settings.with_depths).text);
  }
  return TAULER_OK;
}

/* Loads the slice's values where that helps and they fit; from the first that does not fit on, all
 * are looked up. */
static tauler_error load_values(bulk **values, uint32_t slice, const solved_slice **loaded,
                                tauler_message *message) {
  *loaded = NULL;
  if (!*values) return TAULER_OK;
  const tauler_error error = bulk_load(*values, slice, loaded, message);
  if (error != TAULER_NO_MEMORY) return error;
  bulk_close(*values);
  *values = NULL;
  *loaded = NULL;
  return TAULER_OK;
}

static tauler_error count_slice(const job *j, bulk **values, const game_slice *slice, tally *total,
                                tauler_message *message) {
  char name[GAME_TEXT_BYTES];
  const solved_slice *loaded;
  tally t = {0};
  tauler_error error = load_values(values, slice->slice, &loaded, message);
  if (error || !slice->asked) return error;
  j->tables->game->slice_name(j->tables->rules, slice->slice, name);
  error = tally_slice(j->tables, slice->slice, loaded, &j->settings, &t, message);
  if (!error && j->with_total) error = tally_add_all(total, &t, message);
  if (!error) print_slice(j, name, &t);
  tally_free(&t);
  return error;
}

static tauler_error count_all(const job *j, tauler_message *message) {
  tally total = {0};
  bulk *values = NULL;
  uint32_t largest = 0;
  for (size_t i = 0; i < j->slices->used; i++) {
    if (j->slices->slices[i].slice > largest) largest = j->slices->slices[i].slice;
  }
  tauler_error error = open_all(j, message);
  if (!error && !tally_is_in_headers(j->tables, &j->settings)) {
    error = bulk_open(j->tables, largest, j->settings.threads, j->memory, &values, message);
    if (error == TAULER_NO_MEMORY) error = TAULER_OK;
  }
  if (!error && j->form == FORM_CSV) print_csv_header(j);
  for (size_t i = 0; i < j->slices->used && !error && !ferror(stdout); i++) {
    error = count_slice(j, &values, &j->slices->slices[i], &total, message);
  }
  if (!error && j->with_total) print_slice(j, "total", &total);
  bulk_close(values);
  tally_free(&total);
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
  job j = {.slices = &slices, .memory = &memory};
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
        "value "
        "and depth rising. Values alone come from the headers of the tables at once; bounds and depths are "
        "counted together, which reads every cell.",
    .groups = groups,
    .examples = examples,
    .run = run_stats};
