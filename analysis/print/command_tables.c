/* Runs the command tables: lists the rule sets that have tables. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/print/open_folders.h"
#include "analysis/probe/probe_tables.h"
#include "base/command/command.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_show.h"
#include "games/game_options.h"

static const option own_options[] = {{"json", NULL, "one JSON object per rule set, with its slices", NULL}};
static const option_group own_group = OPTION_GROUP("Output", own_options);
static const option_group *const groups[] = {&game_options_folders_group, &own_group, NULL};

typedef struct {
  const tauler_slice *first;
  size_t slices, with_depths;
  uint64_t positions;
} rule_set;

static rule_set rule_set_at(const tauler_contents *all, size_t i) {
  rule_set set = {.first = &all->slices[i], .slices = contents_count_rule_set(all, i)};
  for (const tauler_slice *slice = set.first; slice < set.first + set.slices; slice++) {
    set.with_depths += slice->depths != NULL;
    set.positions += slice->positions;
  }
  return set;
}

static void print_rule_set_json(const rule_set *set) {
  json_writer json;
  json_open_line(&json, stdout);
  json_fields(&json, JSON_TEXT("game", set->first->game), JSON_TEXT("rules", set->first->rules),
              JSON_TEXT("cycles", set->first->cycles), JSON_COUNT("positions", set->positions));
  json_field_array(&json, "slices");
  for (size_t i = 0; i < set->slices; i++) {
    const tauler_slice *slice = &set->first[i];
    json_object(&json, JSON_TEXT("slice", slice->slice), JSON_COUNT("positions", slice->positions),
                JSON_TEXT("table", slice->table), JSON_TEXT("depths", slice->depths));
  }
  json_end_array(&json);
  json_close_line(&json);
}

/* Prints "auale awari, cycles even: 13 slices, 0 to 12, 2704156 positions, with depths". */
static void print_rule_set(const rule_set *set) {
  const tauler_slice *first = set->first, *last = first + set->slices - 1;
  printf("%s %s%s%s: %zu slice%s, %s", first->game, first->rules, *first->cycles ? ", cycles " : "",
         first->cycles, set->slices, set->slices > 1 ? "s" : "", first->slice);
  if (set->slices > 1) printf(" to %s", last->slice);
  printf(", %" PRIu64 " position%s", set->positions, set->positions == 1 ? "" : "s");
  if (set->with_depths == set->slices) {
    printf(", with depths");
  } else if (set->with_depths) {
    printf(", %zu with depths", set->with_depths);
  }
  printf("\n");
}

static tauler_error run_tables(const options *parsed, tauler_message *message) {
  tauler *db;
  tauler_contents *all;
  tauler_error error = open_folders(parsed, 0, &db, message);
  if (error) return error;
  error = tauler_list(db, &all, message);
  for (size_t i = 0; !error && i < all->slices_used;) {
    const rule_set set = rule_set_at(all, i);
    (options_has(parsed, "json") ? print_rule_set_json : print_rule_set)(&set);
    i += set.slices;
  }
  if (!error && all->passed_over)
    fprintf(stderr, "tauler tables: %zu more cannot be used; tauler verify says why\n", all->passed_over);
  if (!error && all->slices_used == 0)
    error = tauler_fail(message, TAULER_TABLE_MISSING,
                        "there are no tables in %s; tauler build makes some, and --db names another folder",
                        text_shown(db->folder).text);
  tauler_contents_free(all);
  tauler_close(db);
  return error;
}

const command command_tables = {.name = "tables", .groups = groups, .run = run_tables};
