/* Manages the list of moves that games fill for search. */
#include "games/game_play.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ASKED_EVERY = 1024 };

tauler_error game_play_add(game_play_list *list, const game_play_move *move, const uint64_t *state) {
  if (!memory_make_room(&list->moves, &list->room, list->used + 1, sizeof *list->moves) ||
      !memory_make_room(&list->states, &list->state_room, list->used + 1, list->words * sizeof *list->states))
    return TAULER_NO_MEMORY;
  if (list->enough && (list->used + 1) % ASKED_EVERY == 0 && list->enough(list->user)) return TAULER_STOPPED;
  list->moves[list->used] = *move;
  if (!move->over) memcpy(list->states + list->used * list->words, state, list->words * sizeof *state);
  list->used++;
  return TAULER_OK;
}

void game_play_list_free(game_play_list *list) {
  free(list->moves);
  free(list->states);
  *list = (game_play_list){.words = list->words};
}
