/* Finds a notation of other programs by its name. */
#include "games/game_notation.h"

#include <string.h>

#include "base/text.h"

tauler_error game_notation_called(const game *game, const char *name, const game_notation **out,
                                  tauler_message *message) {
  char all[256] = "";
  for (*out = game->notations; *out && (*out)->name; ++*out) {
    if (strcmp((*out)->name, name) == 0) return TAULER_OK;
    text_add(all, sizeof all, "%s%s", *all ? ", " : "", (*out)->name);
  }
  *out = NULL;
  return tauler_fail(message, TAULER_BAD_USAGE, "%s has no notation '%.60s'; %s%s", game->name, name,
                     *all ? "it has " : "it is written in its own alone", all);
}
