#include "games/game.h"

#include <stdlib.h>
#include <string.h>

tauler_error game_sink_flush(game_sink *sink) {
  const size_t n = sink->used;
  sink->used = 0;
  return n ? sink->flush(sink->user, sink->edges, n) : TAULER_OK;
}

tauler_error game_moves_add(game_moves *moves, const game_move *move) {
  if (moves->most && moves->used == moves->most) return TAULER_NO_MEMORY;
  if (moves->used == moves->room) {
    const size_t room = moves->room ? 2 * moves->room : 8;
    game_move *grown = realloc(moves->moves, room * sizeof *grown);
    if (!grown) return TAULER_NO_MEMORY;
    moves->moves = grown;
    moves->room = room;
  }
  char *name = strdup(move->name);
  if (!name) return TAULER_NO_MEMORY;
  moves->moves[moves->used] = *move;
  moves->moves[moves->used++].name = name;
  return TAULER_OK;
}

void game_moves_free(game_moves *moves) {
  for (size_t i = 0; i < moves->used; i++) free((char *)(uintptr_t)moves->moves[i].name);
  free(moves->moves);
  *moves = (game_moves){0};
}

tauler_error game_past_add(game_past *past, const game_position *position) {
  if (past->used == past->room) {
    const size_t room = past->room ? 2 * past->room : 16;
    game_position *grown = realloc(past->positions, room * sizeof *grown);
    if (!grown) return TAULER_NO_MEMORY;
    past->positions = grown;
    past->room = room;
  }
  past->positions[past->used++] = *position;
  return TAULER_OK;
}

void game_past_free(game_past *past) {
  free(past->positions);
  *past = (game_past){0};
}

tauler_error game_runs_add(game_runs *runs, game_run run) {
  if (runs->used == runs->room) {
    const size_t room = runs->room ? 2 * runs->room : 256;
    game_run *grown = realloc(runs->runs, room * sizeof *grown);
    if (!grown) return TAULER_NO_MEMORY;
    runs->runs = grown;
    runs->room = room;
  }
  runs->runs[runs->used++] = run;
  return TAULER_OK;
}

uint32_t game_slices_largest(const game_slices *slices) {
  uint32_t largest = 0;
  for (size_t i = 0; i < slices->used; i++) {
    if (slices->slices[i].slice > largest) largest = slices->slices[i].slice;
  }
  return largest;
}

void game_slice_title(const game *game, const game_rules *rules, uint32_t slice, char name[GAME_TEXT_BYTES]) {
  game_part part, next;
  const bool single = game->part && game->part(rules, slice, 0, &part) && !game->part(rules, slice, 1, &next);
  if (single) {
    memcpy(name, part.name, GAME_TEXT_BYTES);
  } else {
    game->slice_name(rules, slice, name);
  }
}
