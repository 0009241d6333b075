/* Lists the games and finds them by name. */
#include "games/registry.h"

#include <string.h>
#include <strings.h>

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

static bool is_one_of(const char *words, const char *word) {
  const size_t length = strlen(word);
  if (strchr(word, ' ')) return false;
  for (const char *at = words; at && length; at = strchr(at, ' ')) {
    at += *at == ' ';
    if (strncasecmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0')) return true;
  }
  return false;
}

const game *game_called(const char *name) {
  for (const game *const *g = game_list(); *g; g++) {
    if (strcasecmp((*g)->name, name) == 0 || is_one_of((*g)->other_names, name)) return *g;
  }
  return NULL;
}
