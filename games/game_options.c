/* Reads the options that choose a game, its rule set and its slices. */
#include "games/game_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "games/registry.h"

/* The first RULES_OPTIONS options choose the rules, the others the size. */
enum { RULES_OPTIONS = 2 };

static const option which[] = {
    {"rules", "NAME[,FLAG…]", "rule set and flags; default: the game's own, see tauler games GAME", NULL},
    {"cycles", "NAME",
     "aualé: what play that repeats counts, see tauler games auale; default: as the rules say",
     "even forced own-row own-row-any"},
    {"seeds", "N", "aualé: all boards with 0 to N seeds", NULL},
    {"pieces", "K", "dou shou qi: all materials with K pieces in all", NULL},
    {"material", "Lr", "dou shou qi: one material, White's letters upper case, strongest first", NULL},
    {"board", "7x3", "phutball: rows x columns; oca asesina: 63, 20 or a file; oca: a file", "@file"},
    {"players", "P", "oca: how many play", NULL},
    {"tokens", "K", "oca asesina: tokens of each side", NULL},
};
static const option folder[] = {
    {"db", "DIR", "folder of the tables; default: $TAULER_DB, or else ./tables", "@dir"},
};

static const option folders[] = {
    {"db", "DIR",
     "folder of the tables; default: $TAULER_DB, or else ./tables; given several times: the first that has a "
     "table answers",
     "@dirs"},
};

const option_group game_options_group = OPTION_GROUP("Which tables", which);
const option_group game_options_sizes_group = {"Which slices", which + RULES_OPTIONS,
                                               sizeof which / sizeof *which - RULES_OPTIONS};
const option_group game_options_rules_group = {"Which rules", which, RULES_OPTIONS};
const option_group game_options_folder_group = OPTION_GROUP("Where the tables are", folder);
const option_group game_options_folders_group = OPTION_GROUP("Where the tables are", folders);

enum { MOST_GAMES = 32 };

tauler_error game_options_find(const char *name, const game **out, tauler_message *message) {
  *out = game_called(name);
  if (*out) return TAULER_OK;
  const char *names[MOST_GAMES];
  char all[256] = "";
  size_t n = 0;
  for (const game *const *g = game_list(); *g && n < MOST_GAMES; g++) {
    text_add(all, sizeof all, "%s%s", n ? ", " : "", (*g)->name);
    names[n++] = (*g)->name;
  }
  const char *near = text_nearest(name, names, n);
  return tauler_fail(message, TAULER_BAD_USAGE, "there is no game '%.60s'; %s%s", name,
                     near ? "did you mean " : "the games are: ", near ? near : all);
}

static bool is_option(const char *own, const char *option) {
  return own && strcmp(own, option) == 0;
}

tauler_error game_options_request_read(const options *parsed, const game *chosen, game_request *request,
                                       tauler_message *message) {
  *request = (game_request){NULL, NULL, NULL};
  for (size_t i = RULES_OPTIONS; i < sizeof which / sizeof *which; i++) {
    const char *name = which[i].name, *value = options_get(parsed, name), *own = chosen->size_option;
    const bool is_board = strcmp(name, "board") == 0;
    if (!value || (is_board && chosen->board_flag)) continue;
    if (!is_option(own, name) && !is_option(chosen->other_size, name))
      return tauler_fail(message, TAULER_BAD_USAGE, "%s has no --%s; %s%s", chosen->name, name,
                         own ? "what is wanted is said with --" : "all of it is one slice", own ? own : "");
    const char **said = strcmp(name, "material") == 0 ? &request->material
                        : is_board                    ? &request->board
                                                      : &request->largest;
    *said = value;
  }
  return TAULER_OK;
}

static bool names_board(const char *rules) {
  static const char board[] = "board=";
  for (const char *word = rules; word; word = strchr(word, ',')) {
    word += *word == ',';
    if (strncmp(word, board, sizeof board - 1) == 0) return true;
  }
  return false;
}

/* Sets *rules to the text of --rules, or to a text in `room` with the board of --board as a flag if boards of
 * the game are flags. */
static tauler_error read_rules(const options *parsed, const game *chosen, char *room, size_t room_bytes,
                               const char **rules, tauler_message *message) {
  const char *given = options_get(parsed, "rules"), *board = options_get(parsed, "board");
  *rules = given;
  if (!board || !chosen->board_flag) return TAULER_OK;
  if (given && names_board(given))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--board %.60s and the board= of --rules name a board each; leave one of them out",
                       board);
  char flag[GAME_TEXT_BYTES];
  const tauler_error error = chosen->board_flag(board, flag, message);
  if (error) return error;
  const char *between = given ? "," : "";
  const int n = snprintf(room, room_bytes, "%s%s%s", given ? given : "", between, flag);
  if (n < 0 || (size_t)n >= room_bytes)
    return tauler_fail(message, TAULER_BAD_USAGE, "--rules %.60s… is too long", given ? given : flag);
  *rules = room;
  return TAULER_OK;
}

tauler_error game_options_open(const options *parsed, const game **chosen, game_rules **rules,
                               game_request *request, tauler_message *message) {
  *chosen = NULL;
  *rules = NULL;
  const char *name = options_argument(parsed, 0);
  if (!name) return tauler_fail(message, TAULER_BAD_USAGE, "the game is missing; tauler games lists them");
  tauler_error error = game_options_find(name, chosen, message);
  if (!error && request) error = game_options_request_read(parsed, *chosen, request, message);
  char room[4 * GAME_TEXT_BYTES];
  const char *text = NULL;
  if (!error) error = read_rules(parsed, *chosen, room, sizeof room, &text, message);
  if (error) return error;
  return (*chosen)->open(text, options_get(parsed, "cycles"), rules, message);
}

bool game_options_name_board(const options *parsed) {
  const char *rules = options_get(parsed, "rules");
  return options_has(parsed, "board") || (rules && names_board(rules));
}

const char *game_options_folder(const options *parsed) {
  const char *given = options_get(parsed, "db"), *set = getenv("TAULER_DB");
  if (given) return given;
  return set && *set ? set : "tables";
}

tauler_error game_options_folders_read(const options *parsed, game_options_folders *out,
                                       tauler_message *message) {
  *out = (game_options_folders){{game_options_folder(parsed)}};
  const char *name;
  for (size_t i = 0; (name = options_each(parsed, "db", i)) != NULL; i++) {
    if (i == GAME_OPTIONS_FOLDERS)
      return tauler_fail(message, TAULER_BAD_USAGE, "--db is given more than %d times", GAME_OPTIONS_FOLDERS);
    out->names[i] = name;
  }
  return TAULER_OK;
}
