/* Lists the games and finds them by name. */
#include "games/registry.h"

#include <string.h>

#define GAME_TABLE(table, name) extern const game(table);
GAMES(GAME_TABLE)

#define GAME_ADDRESS(table, name) &(table),

const game *const *game_list(void) {
  static const game *const games[] = {GAMES(GAME_ADDRESS) NULL};
  return games;
}

const game *game_find(const char *name) {
  for (const game *const *g = game_list(); *g; g++) {
    if (strcmp((*g)->name, name) == 0) return *g;
  }
  return NULL;
}
