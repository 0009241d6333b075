/* Chooses tables of a published folder by their path and slice. */
#include "analysis/publish/fetch.h"

#include <stdlib.h>
#include <string.h>

/* Ignores slashes at the end of the folder's name. */
static bool is_below(const char *path, const char *folder) {
  size_t n = strlen(folder);
  while (n && folder[n - 1] == '/') n--;
  return n == 0 || (strncmp(path, folder, n) == 0 && path[n] == '/');
}

static bool has_same_rules(const table_header *a, const table_header *b) {
  return strcmp(a->game, b->game) == 0 && strcmp(a->rules, b->rules) == 0 &&
         strcmp(a->cycles, b->cycles) == 0;
}

static tauler_error list_slices(fetch_choice *choice, const table_header *header, const game *game,
                                const game_rules *rules, tauler_message *message) {
  if (choice->slices.slices && has_same_rules(&choice->of, header)) return TAULER_OK;
  choice_free(choice);
  choice->of = *header;
  return game->slices(rules, choice->request, &choice->slices, message);
}

tauler_error choice_has(fetch_choice *choice, const char *path, const table_header *header, const game *game,
                        const game_rules *rules, bool *has, tauler_message *message) {
  *has = !choice->below || is_below(path, choice->below);
  if (!*has || !choice->request) return TAULER_OK;
  const tauler_error error = list_slices(choice, header, game, rules, message);
  *has = !error && game_slices_have(game, rules, &choice->slices, header->slice);
  return error;
}

void choice_free(fetch_choice *choice) {
  free(choice->slices.slices);
  choice->slices = (game_slices){NULL, 0};
}
