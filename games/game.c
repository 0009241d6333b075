/* Manages the lists that games fill (moves, edges, positions, runs, slices), finds slices and notations by
 * their names, and makes titles and help texts. */
#include "base/text.h"
#include "games/game_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "games/game_play.h"
#include "games/game_record.h"

enum {
  MOST_SLICES = 1 << 20, /* numbers of slices are smaller */
  ASKED_EVERY = 1024     /* moves between two calls of `enough` */
};

tauler_error game_sink_flush(game_sink *sink) {
  const size_t n = sink->used;
  sink->used = 0;
  return n ? sink->flush(sink->user, sink->edges, n) : TAULER_OK;
}

tauler_error game_moves_add(game_moves *moves, const game_move *move) {
  if (moves->most && moves->used == moves->most) return TAULER_NO_MEMORY;
  if (!memory_make_room(&moves->moves, &moves->room, moves->used + 1, sizeof *moves->moves))
    return TAULER_NO_MEMORY;
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
  if (!memory_make_room(&past->positions, &past->room, past->used + 1, sizeof *past->positions))
    return TAULER_NO_MEMORY;
  past->positions[past->used++] = *position;
  return TAULER_OK;
}

void game_past_free(game_past *past) {
  free(past->positions);
  *past = (game_past){0};
}

tauler_error game_runs_add(game_runs *runs, game_run run) {
  if (!memory_make_room(&runs->runs, &runs->room, runs->used + 1, sizeof *runs->runs))
    return TAULER_NO_MEMORY;
  runs->runs[runs->used++] = run;
  return TAULER_OK;
}

tauler_error game_slices_add(game_slices *slices, game_slice slice, tauler_message *message) {
  game_slice *grown = realloc(slices->slices, (slices->used + 1) * sizeof *grown);
  if (!grown) {
    free(slices->slices);
    *slices = (game_slices){0};
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  }
  grown[slices->used++] = slice;
  slices->slices = grown;
  return TAULER_OK;
}

uint32_t game_slices_largest(const game_slices *slices) {
  uint32_t largest = 0;
  for (size_t i = 0; i < slices->used; i++) {
    if (slices->slices[i].slice > largest) largest = slices->slices[i].slice;
  }
  return largest;
}

uint64_t game_slices_positions(const game_slices *slices) {
  uint64_t positions = 0;
  for (size_t i = 0; i < slices->used; i++) positions += slices->slices[i].positions;
  return positions;
}

game_help game_help_of(const game *game) {
  const char *start = game->start ? game->start : "POSITION";
  return (game_help){
      game->title ? game->title : game->name, game->rule_sets ? game->rule_sets : "there is no choice",
      game->notation ? game->notation : "as in the example", game->example ? game->example : start};
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

/* Tries the name as each option of a request, for games without slice_named or needs. */
static tauler_error find_slice_by_request(const game *game, const game_rules *rules, const char *name,
                                          game_slices *out, tauler_message *message) {
  const game_request requests[] = {{.largest = name}, {.material = name}, {.board = name}};
  for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
    const tauler_error error = game->slices(rules, &requests[r], out, message);
    if (error) *out = (game_slices){0};
    if (error == TAULER_NO_MEMORY) return error;
    if (error) continue;
    for (size_t i = 0; i < out->used; i++) {
      char found[GAME_TEXT_BYTES];
      game->slice_name(rules, out->slices[i].slice, found);
      out->slices[i].asked = strcmp(found, name) == 0 && out->slices[i].slice < MOST_SLICES;
      if (!out->slices[i].asked) continue;
      out->used = i + 1;
      return TAULER_OK;
    }
    free(out->slices);
  }
  *out = (game_slices){0};
  return TAULER_OK;
}

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

bool game_slices_have(const game *game, const game_rules *rules, const game_slices *slices,
                      const char *name) {
  uint32_t wanted = GAME_NO_SLICE;
  if (game->slice_named && !game->slice_named(rules, name, &wanted)) return false;
  for (size_t i = 0; i < slices->used; i++) {
    char own[GAME_TEXT_BYTES] = "";
    if (!game->slice_named) game->slice_name(rules, slices->slices[i].slice, own);
    if (game->slice_named ? slices->slices[i].slice == wanted : strcmp(own, name) == 0) return true;
  }
  return false;
}

tauler_error game_slices_under(const game *game, const game_rules *rules, const char *name, game_slices *out,
                               tauler_message *message) {
  uint32_t slice;
  *out = (game_slices){0};
  if (!game->slice_named || !game->needs) return find_slice_by_request(game, rules, name, out, message);
  if (!game->slice_named(rules, name, &slice) || slice >= MOST_SLICES) return TAULER_OK;
  const tauler_error error = game->needs(rules, slice, out, message);
  if (error) return error;
  for (size_t i = 0; i < out->used; i++) out->slices[i].asked = false;
  return game_slices_add(out, (game_slice){slice, true, game->positions(rules, slice)}, message);
}

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
