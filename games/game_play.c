/* Has the list of moves that games fill for search. */
#include "games/game_play.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256, ASKED_EVERY = 1024 };

static tauler_error make_room(game_play_list *list) {
  if (list->used < list->room) return TAULER_OK;
  const size_t room = list->room ? 2 * list->room : FIRST_ROOM;
  game_play_move *moves = realloc(list->moves, room * sizeof *moves);
  if (moves) list->moves = moves;
  uint64_t *states = moves ? realloc(list->states, room * list->words * sizeof *states) : NULL;
  if (!states) return TAULER_NO_MEMORY;
  list->states = states;
  list->room = room;
  return TAULER_OK;
}

tauler_error game_play_add(game_play_list *list, const game_play_move *move, const uint64_t *state) {
  const tauler_error error = make_room(list);
  if (error) return error;
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
