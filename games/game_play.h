/* A game's page for search: one position after the other, fast, without text or numbers of slices.
 *
 * A state is a few words in which equal positions are equal; positions that the rules treat alike, such as
 * one and its image with the sides exchanged, should have one state. A game without this page is searched by
 * its text level, slowly. Functions are pure; any number of threads may call them.
 */
#ifndef GAMES_GAME_PLAY_H
#define GAMES_GAME_PLAY_H

#include "games/game.h"

enum { GAME_PLAY_MOST_WORDS = 64 };

typedef struct {
  int16_t gain;  /* for the mover, at once; the whole value of the move if `over` */
  int16_t eager; /* moves with more of it are tried first, and look better in exercises */
  bool over, converts;
} game_play_move;

/* Moves on top of those of positions under search; freed with game_play_list_free. */
typedef struct {
  size_t words; /* of a state */
  game_play_move *moves;
  uint64_t *states; /* of move i from words · i on; meaningless if it is over */
  size_t used, room, state_room;
  /* Asked now and then while moves are added; true: no more are wanted. NULL: all are wanted. */
  bool (*enough)(void *user);
  void *user;
} game_play_list;

/* Errors: TAULER_NO_MEMORY; TAULER_STOPPED, without a message, when `enough` says so. */
tauler_error game_play_add(game_play_list *list, const game_play_move *move, const uint64_t *state);
void game_play_list_free(game_play_list *list);

struct game_play {
  /* Words of the states of a position and of all that play leads to, 1 … GAME_PLAY_MOST_WORDS. */
  size_t (*words)(const game_rules *rules, const game_position *position);
  void (*read)(const game_rules *rules, const game_position *position, uint64_t *state);
  void (*write)(const game_rules *rules, const uint64_t *state, game_position *position);
  /* Adds all moves; the same position may be reached by several. None: the game is over, and `ended` is what
   * the side to move has of it. Errors: of game_play_add. `state` does not lie in the list. */
  tauler_error (*moves)(const game_rules *rules, const uint64_t *state, game_play_list *list);
  int (*ended)(const game_rules *rules, const uint64_t *state);
};

#endif
