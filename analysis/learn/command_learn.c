/* Runs the command learn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/learn/learn.h"
#include "base/clock.h"
#include "base/command/command.h"
#include "base/command/signals.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/text_show.h"
#include "games/game_options.h"

static const option own_options[] = {
    {"out", "FILE", "file of what is learned; an existing one is continued (learned.net)", "@file"},
    {"games", "N", "games to play in all, over which --rate falls (20000)", NULL},
    {"also", "BOARDS", "boards to learn on by turns with --board, separated by commas", "@file"},
    {"ends", "DIR", "tables of fewer tokens, as exact ends of games of more", "@dir"},
    {"seed", "S", "seed of the rolls and of the first weights (1)", NULL},
    {"hidden", "N", "units of the hidden layer, a multiple of 8 (40)", NULL},
    {"lambda", "L", "how much of later errors counts for earlier positions, 0 … 1 (0.7)", NULL},
    {"rate", "R", "length of the first steps (0.002)", NULL},
    {"tried", "SHARE", "share of moves that are taken at random, to see more positions (0.02)", NULL},
    {"json", NULL, "one JSON object", NULL},
    {"quiet", NULL, "no progress", NULL},
};
static const option_group own_group = OPTION_GROUP("Learning", own_options);
static const option_group *const groups[] = {&game_options_group, &own_group, NULL};

typedef struct {
  const options *parsed;
  const game *game;
  game_request request;
  const char *path;
  learn_settings settings;
  game_rules *rules[LEARN_BOARDS];
  learn_field field[LEARN_BOARDS];
  size_t fields;
  tauler *db[LEARN_BOARDS]; /* tables of the ends of games */
  learned_from from;
  learned learned;
  progress shown;
} lesson;

static tauler_error read_settings(lesson *l, tauler_message *message) {
  const options *parsed = l->parsed;
  uint64_t hidden = 40;
  l->settings = (learn_settings){.seed = 1, .games = 20000, .lambda = 0.7, .rate = 0.002, .tried = 0.02};
  tauler_error error = options_number(parsed, "games", 1, UINT64_C(1) << 40, &l->settings.games, message);
  if (!error) error = options_number(parsed, "seed", 0, UINT64_MAX, &l->settings.seed, message);
  if (!error) error = options_number(parsed, "hidden", NETWORK_LANES, NETWORK_MOST_HIDDEN, &hidden, message);
  if (!error) error = options_real(parsed, "lambda", 0, 1, &l->settings.lambda, message);
  if (!error) error = options_real(parsed, "rate", 1e-9, 1, &l->settings.rate, message);
  if (!error) error = options_real(parsed, "tried", 0, 1, &l->settings.tried, message);
  l->settings.hidden = (uint32_t)hidden;
  l->path = options_has(parsed, "out") ? options_get(parsed, "out") : "learned.net";
  if (!error && hidden % NETWORK_LANES)
    return tauler_fail(message, TAULER_BAD_USAGE, "--hidden must be a multiple of %d", (int)NETWORK_LANES);
  return error;
}

/* Adds the field of the last rules opened; its games start in the largest slice that is asked for. */
static tauler_error add_field(lesson *l, tauler_message *message) {
  game_slices slices = {0};
  learn_field *field = &l->field[l->fields];
  const game_rules *rules = l->rules[l->fields];
  const tauler_error error = l->game->slices(rules, &l->request, &slices, message);
  if (!error) {
    *field = (learn_field){.game = l->game, .rules = rules, .slice = slices.slices[slices.used - 1].slice};
    text_add(l->from.text, sizeof l->from.text, "%s%s %s %s%s", *l->from.text ? "\n" : "",
             l->game->rules_text(rules), l->game->size_option, l->request.largest ? l->request.largest : "1",
             options_has(l->parsed, "ends") ? ", ends in tables" : "");
    l->fields++;
  }
  free(slices.slices);
  return error;
}

static tauler_error add_board(lesson *l, const char *board, tauler_message *message) {
  char flag[GAME_TEXT_BYTES], text[4 * GAME_TEXT_BYTES];
  const char *given = options_get(l->parsed, "rules");
  if (l->fields == LEARN_BOARDS)
    return tauler_fail(message, TAULER_BAD_USAGE, "more than %d boards", (int)LEARN_BOARDS);
  tauler_error error = l->game->board_flag(board, flag, message);
  if (error) return error;
  snprintf(text, sizeof text, "%s%s%s", given ? given : "", given ? "," : "", flag);
  error = l->game->open(text, options_get(l->parsed, "cycles"), &l->rules[l->fields], message);
  return error ? error : add_field(l, message);
}

static tauler_error add_boards(lesson *l, tauler_message *message) {
  const char *also = options_get(l->parsed, "also");
  tauler_error error = add_field(l, message);
  while (!error && also && *also) {
    char board[4096];
    const size_t n = strcspn(also, ",");
    if (n == 0)
      return tauler_fail(message, TAULER_BAD_USAGE, "--also %.100s: there is no board before a comma",
                         options_get(l->parsed, "also"));
    snprintf(board, sizeof board, "%.*s", (int)n, also);
    error = add_board(l, board, message);
    also += n + (also[n] == ',');
  }
  return error;
}

/* Refuses a folder that has no table of a game of fewer tokens. Positions are reduced to such games, so the
 * folder or the board must be a mistake. */
static tauler_error require_ends(const lesson *l, tauler_tables *ends, tauler_message *message) {
  char size[GAME_TEXT_BYTES];
  game_request fewer = l->request;
  tauler_error error = TAULER_TABLE_MISSING;
  long tokens = fewer.largest ? strtol(fewer.largest, NULL, 10) : 1;
  fewer.largest = size;
  if (tokens == 1)
    return tauler_fail(message, TAULER_BAD_USAGE, "--ends: no game has less than --%s 1",
                       l->game->size_option);
  while (--tokens > 0 && error == TAULER_TABLE_MISSING) {
    game_slices slices = {0};
    const table *opened;
    slice_entry *entry = NULL;
    snprintf(size, sizeof size, "%ld", tokens);
    error = l->game->slices(ends->rules, &fewer, &slices, message);
    const uint32_t slice = error ? 0 : slices.slices[slices.used - 1].slice;
    free(slices.slices);
    if (!error && !(entry = slice_entry_of(ends, slice, message))) error = TAULER_NO_MEMORY;
    if (!error) error = slice_table(ends, entry, STREAMS_LOWER, 0, &opened, message);
    if (error == TAULER_TABLE_MISSING) error = fail_slice_missing(ends, &fewer, slice, false, message);
  }
  return error;
}

static tauler_error open_ends(lesson *l, tauler_message *message) {
  const char *folder = options_get(l->parsed, "ends");
  const tauler_settings settings = {.cache_bytes = (size_t)256 << 20};
  tauler_error error = TAULER_OK;
  for (size_t i = 0; folder && i < l->fields && !error; i++) {
    learn_field *field = &l->field[i];
    error = tauler_open(folder, &settings, &l->db[i], message);
    if (!error)
      error = tauler_select(l->db[i], l->game->name, l->game->rules_text(field->rules), NULL, &field->ends,
                            message);
    if (!error) error = require_ends(l, field->ends, message);
  }
  return error;
}

static bool same_settings(const learn_settings *a, const learn_settings *b) {
  return a->seed == b->seed && a->lambda == b->lambda && a->rate == b->rate && a->tried == b->tried &&
         a->hidden == b->hidden;
}

/* Loads the file, or writes a new one, so that a file that cannot be written is refused before any work. */
static tauler_error open_learned(lesson *l, tauler_message *message) {
  learned_from from;
  tauler_error error;
  if (access(l->path, F_OK) != 0) {
    error = learned_open(l->game, &l->settings, &l->learned, message);
    return error ? error : learned_save(l->path, l->game, &l->from, &l->learned, message);
  }
  error = learned_load(l->path, l->game, &l->learned, &from, message);
  if (error) return error;
  if (!same_settings(&l->learned.settings, &l->settings) || strcmp(from.text, l->from.text) != 0)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%s was learned from %.400s with other options; give the same ones, or another --out",
                       l->path, from.text);
  l->learned.settings.games = l->settings.games;
  return TAULER_OK;
}

static tauler_error play_games(lesson *l, self_play *games, tauler_message *message) {
  static const double seconds_kept = 60;
  learned *learned = &l->learned;
  double kept = clock_wall();
  tauler_error error = TAULER_OK;
  progress_start(&l->shown, l->game->name, "games", learned->settings.games, learned->played);
  while (!error && learned->played < learned->settings.games && !signals_asked()) {
    error = self_play_game(games, message);
    progress_add(&l->shown, 1);
    if (error || clock_wall() - kept < seconds_kept) continue;
    error = learned_save(l->path, l->game, &l->from, learned, message);
    kept = clock_wall();
  }
  if (!error) error = learned_save(l->path, l->game, &l->from, learned, message);
  if (error || learned->played < learned->settings.games) {
    progress_abandon(&l->shown);
  } else {
    progress_finish(&l->shown);
  }
  if (error || learned->played >= learned->settings.games) return error;
  return tauler_fail(
      message, TAULER_STOPPED, "stopped after %llu of %llu games, which %s keeps; run it again",
      (unsigned long long)learned->played, (unsigned long long)learned->settings.games, l->path);
}

static void print_lesson(const lesson *l) {
  if (options_has(l->parsed, "json"))
    json_line(stdout, JSON_TEXT("game", l->game->name), JSON_TEXT("from", l->from.text),
              JSON_TEXT("file", l->path), JSON_COUNT("games", l->learned.played),
              JSON_COUNT("seed", l->settings.seed));
  else
    printf("learned %s from %llu games of\n%s\n", text_shown(l->path).text,
           (unsigned long long)l->learned.played, text_shown(l->from.text).text);
}

static tauler_error learn_lesson(lesson *l, tauler_message *message) {
  self_play *games = NULL;
  tauler_error error = open_learned(l, message);
  if (!error) error = self_play_open(&l->learned, l->field, l->fields, &games, message);
  if (!error) error = play_games(l, games, message);
  if (!error) print_lesson(l);
  self_play_close(games);
  learned_close(&l->learned);
  return error;
}

static tauler_error run_learn(const options *parsed, tauler_message *message) {
  lesson l = {.parsed = parsed};
  signals_hold();
  progress_open(&l.shown, stderr, progress_choose(options_has(parsed, "quiet"), false));
  tauler_error error = game_options_open(parsed, &l.game, &l.rules[0], &l.request, message);
  if (!error) error = read_settings(&l, message);
  if (!error && !(l.game->chance && l.game->chance->features))
    error = tauler_fail(message, TAULER_BAD_USAGE, "%s cannot be learned; oca-asesina can", l.game->name);
  if (!error) error = add_boards(&l, message);
  if (!error) error = open_ends(&l, message);
  if (!error) error = learn_lesson(&l, message);
  for (size_t i = 0; i < LEARN_BOARDS; i++) {
    tauler_close(l.db[i]);
    if (l.rules[i]) l.game->close(l.rules[i]);
  }
  return error;
}

const command command_learn = {.name = "learn",
                               .arguments = "GAME",
                               .arguments_completion = GAME_OPTIONS_COMPLETION,
                               .groups = groups,
                               .run = run_learn};
