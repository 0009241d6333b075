#include "games/registry.h"

#include <string.h>

#include "games/auale/auale.h"
#include "games/doushouqi/doushouqi.h"
#include "games/morris/morris.h"
#include "games/oca/oca.h"
#include "games/oca_asesina/oca_asesina.h"
#include "games/phutball/phutball.h"

const game *const *game_list(void) {
  static const game *const games[] = {
      &auale_game, &doushouqi_game, &phutball_game, &oca_game, &oca_asesina_game, &morris_game, NULL};
  return games;
}

const game *game_find(const char *name) {
  for (const game *const *g = game_list(); *g; g++) {
    if (strcmp((*g)->name, name) == 0) return *g;
  }
  return NULL;
}
