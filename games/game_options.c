#include "games/game_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "games/registry.h"

#define RULES_OPTION                                                                                         \
  { "rules", "NAME[,FLAG…]", "rule set and flags; default: the game's own, see tauler games GAME", NULL }
#define CYCLES_OPTION                                                                                        \
  {                                                                                                          \
    "cycles", "NAME", "aualé: what infinite play is worth, even or forced; default: as the rules say",       \
        "even forced"                                                                                        \
  }

static const option which[] = {
    RULES_OPTION,
    CYCLES_OPTION,
    {"seeds", "N", "aualé: all boards with 0 to N seeds", NULL},
    {"pieces", "K", "dou shou qi: all materials with K pieces in all", NULL},
    {"material", "Lr", "dou shou qi: one material, White's letters upper case, strongest first", NULL},
    {"board", "7x3", "phutball: rows x columns; oca asesina: 63, 20 or a file", NULL},
    {"players", "P", "oca: how many play", NULL},
    {"tokens", "K", "oca asesina: tokens of each side", NULL},
};
static const option rules_only[] = {RULES_OPTION, CYCLES_OPTION};
static const option folder[] = {
    {"db", "DIR", "folder of the tables; default: $TAULER_DB, or else ./tables", "@dir"},
};

const option_group game_options_group = OPTION_GROUP("Which tables", which);
const option_group game_options_rules_group = OPTION_GROUP("Which rules", rules_only);
const option_group game_options_folder_group = OPTION_GROUP("Where the tables are", folder);

enum { MOST_GAMES = 32 };

tauler_error game_options_find(const char *name, const game **out, tauler_message *message) {
  *out = game_find(name);
  if (*out) return TAULER_OK;
  const char *names[MOST_GAMES];
  char all[256] = "";
  size_t n = 0;
  for (const game *const *g = game_list(); *g && n < MOST_GAMES; g++) {
    names[n++] = (*g)->name;
    if (n > 1) strncat(all, ", ", sizeof all - strlen(all) - 1);
    strncat(all, (*g)->name, sizeof all - strlen(all) - 1);
  }
  const char *near = text_nearest(name, names, n);
  if (near) {
    tauler_fail(message, TAULER_BAD_USAGE, "there is no game '%.60s'; did you mean %s?", name, near);
  } else {
    tauler_fail(message, TAULER_BAD_USAGE, "there is no game '%.60s'; the games are: %s", name, all);
  }
  return TAULER_BAD_USAGE;
}

/* Size options that only games of another kind have are refused, lest they be ignored in silence. */
static tauler_error read_request(const options *parsed, const game *chosen, game_request *request,
                                 tauler_message *message) {
  static const struct {
    const char *option, *size_options; /* the games that know it, by their size option */
  } sizes[] = {{"seeds", "seeds"},        {"pieces", "pieces"},   {"material", "pieces"},
               {"board", "board tokens"}, {"players", "players"}, {"tokens", "tokens"}};
  *request = (game_request){NULL, NULL, NULL};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const char *name = sizes[i].option, *value = options_get(parsed, name);
    if (!value) continue;
    if (!strstr(sizes[i].size_options, chosen->size_option)) {
      return tauler_fail(message, TAULER_BAD_USAGE, "%s has no --%s; what is wanted is said with --%s",
                         chosen->name, name, chosen->size_option);
    }
    if (strcmp(name, "material") == 0) {
      request->material = value;
    } else if (strcmp(name, "board") == 0) {
      request->board = value;
    } else {
      request->largest = value;
    }
  }
  return TAULER_OK;
}

tauler_error game_options_open(const options *parsed, const game **chosen, game_rules **rules,
                               game_request *request, tauler_message *message) {
  *chosen = NULL;
  *rules = NULL;
  const char *name = options_argument(parsed, 0);
  if (!name) return tauler_fail(message, TAULER_BAD_USAGE, "the game is missing; tauler games lists them");
  tauler_error error = game_options_find(name, chosen, message);
  if (!error && request) error = read_request(parsed, *chosen, request, message);
  if (error) return error;
  return (*chosen)->open(options_get(parsed, "rules"), options_get(parsed, "cycles"), rules, message);
}

const char *game_options_folder(const options *parsed) {
  const char *given = options_get(parsed, "db"), *set = getenv("TAULER_DB");
  if (given) return given;
  return set && *set ? set : "tables";
}
