/* Runs the command games: prints games, options and notation. */
#include <stdio.h>
#include <string.h>

#include "analysis/print/print.h"
#include "base/command/command.h"
#include "base/json.h"
#include "games/game_chance.h"
#include "games/game_options.h"
#include "games/game_record.h"
#include "games/registry.h"

static const option own_options[] = {{"json", NULL, "one JSON object per game", NULL}};
static const option_group own_group = OPTION_GROUP("Output", own_options);
static const option_group *const groups[] = {&own_group, NULL};

/* The rolls under a game's default rules, or none in games without dice. */
typedef struct {
  game_rules *rules; /* open rules, or NULL in games without dice */
  const chance_roll *list;
  size_t n;
} game_rolls;

static tauler_error find_rolls(const game *g, game_rolls *out, tauler_message *message) {
  *out = (game_rolls){.n = 0};
  if (!g->chance) return TAULER_OK;
  const tauler_error error = g->open(NULL, NULL, &out->rules, message);
  if (!error) out->n = g->chance->rolls(out->rules, &out->list);
  return error;
}

static void rolls_to_json(json_writer *json, const chance_roll *rolls, size_t n) {
  json_field_array(json, "rolls");
  for (size_t i = 0; i < n; i++) {
    json_object(json, dice_roll_field(rolls[i].name), JSON_COUNT("weight", rolls[i].weight));
  }
  json_end_array(json);
}

static void notations_to_json(json_writer *json, const game_notation *notation) {
  if (!notation) return;
  json_field_array(json, "notations");
  for (; notation->name; notation++) json_string(json, notation->name);
  json_end_array(json);
}

static void game_to_json(const game *g, const game_rolls *rolls) {
  json_writer json;
  const game_help help = game_help_of(g);
  json_open_line(&json, stdout);
  json_fields(&json, JSON_TEXT("game", g->name), JSON_TEXT("title", help.title),
              JSON_TEXT("size_option", g->size_option ? g->size_option : ""), JSON_TEXT("size", g->size_help),
              JSON_TEXT("unit", g->unit), JSON_TEXT("rules", help.rule_sets),
              JSON_TEXT("notation", help.notation));
  notations_to_json(&json, g->notations);
  json_fields(&json, JSON_TEXT("example", help.example), JSON_COUNT("index_version", game_index_version(g)));
  if (rolls->n) rolls_to_json(&json, rolls->list, rolls->n);
  json_close_line(&json);
}

static void print_lines(const char *title, const char *text) {
  printf("  %s\n", title);
  while (*text) {
    const size_t n = strcspn(text, "\n");
    printf("    %.*s\n", (int)n, text);
    text += n + (text[n] == '\n');
  }
}

/* Prints rolls: "1 2 3" or, if their weights differ, "2 (1) 3 (2)". */
static void print_rolls(const chance_roll *rolls, size_t n) {
  bool alike = true;
  for (size_t i = 1; i < n; i++) alike = alike && rolls[i].weight == rolls[0].weight;
  if (n) printf("  rolls%s\n   ", alike ? ", each as likely" : " and their weights");
  for (size_t i = 0; i < n; i++) {
    printf(" %s", rolls[i].name);
    if (!alike) printf(" (%u)", (unsigned)rolls[i].weight);
  }
  if (n) printf("\n");
}

static void print_game(const game *g, const game_rolls *rolls) {
  const game_help help = game_help_of(g);
  printf("%s: %s\n", g->name, help.title);
  if (g->other_names) print_lines("also called", g->other_names);
  if (g->size_option) printf("  --%s\n    %s\n", g->size_option, g->size_help);
  print_lines("--rules", help.rule_sets);
  print_lines("positions", help.notation);
  if (g->notations) printf("  --notation\n");
  for (const game_notation *n = g->notations; n && n->name; n++) printf("    %s: %s\n", n->name, n->about);
  print_rolls(rolls->list, rolls->n);
  printf("  example\n    tauler probe %s '%s'\n", g->name, help.example);
}

static tauler_error run_games(const options *parsed, tauler_message *message) {
  const char *name = options_argument(parsed, 0);
  const bool as_json = options_has(parsed, "json");
  const game *only = NULL;
  if (name) {
    const tauler_error error = game_options_find(name, &only, message);
    if (error) return error;
  }
  bool first = true;
  for (const game *const *g = game_list(); *g; g++) {
    game_rolls rolls;
    if (only && *g != only) continue;
    const tauler_error error = find_rolls(*g, &rolls, message);
    if (error) return error;
    if (as_json) {
      game_to_json(*g, &rolls);
    } else {
      if (!first) printf("\n");
      print_game(*g, &rolls);
    }
    if (rolls.rules) (*g)->close(rolls.rules);
    first = false;
  }
  return TAULER_OK;
}

const command command_games = {.name = "games",
                               .arguments = "[GAME]",
                               .arguments_completion = GAME_OPTIONS_COMPLETION,
                               .groups = groups,
                               .run = run_games};
