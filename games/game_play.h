/* A game's interface for search: one position after the other, fast, without texts or slice numbers.
 *
 * A state is a few words; equal positions have equal states. Positions that the rules treat alike, such as a
 * position and its image with the sides exchanged, should have the same state. A game without this interface
 * is searched through its text level, slowly. Functions are pure; any number of threads may call them.
 */
#ifndef GAMES_GAME_PLAY_H
#define GAMES_GAME_PLAY_H

#include "games/game.h"

enum { GAME_PLAY_MOST_WORDS = 64, GAME_PLAY_SURE = 10000 };

typedef struct {
  int16_t gain;  /* if `over`, the whole value of the move, else the mover's gain at once */
  int16_t eager; /* moves with a larger number are tried first, and look better in exercises */
  uint16_t key;  /* a number that like moves of other positions share, such as those of one pit, or 0 */
  bool over, converts;
} game_play_move;

/* A stack of moves of the positions under search. The caller frees it with game_play_list_free. */
typedef struct {
  size_t words; /* words per state */
  game_play_move *moves;
  uint64_t *states; /* [moves × words] the state after each move, unused if the move is `over` */
  size_t used, room, state_room;
  /* Called now and then while moves are added; if it returns true, no more are wanted. NULL: all are
   * wanted. */
  bool (*enough)(void *user);
  void *user;
} game_play_list;

/* Errors: TAULER_NO_MEMORY; TAULER_STOPPED, without a message, if `enough` returns true. */
tauler_error game_play_add(game_play_list *list, const game_play_move *move, const uint64_t *state);
void game_play_list_free(game_play_list *list);

struct game_play {
  /* Words per state, 1 … GAME_PLAY_MOST_WORDS, for a position and all that play leads to. */
  size_t (*words)(const game_rules *rules, const game_position *position);
  void (*read)(const game_rules *rules, const game_position *position, uint64_t *state);
  void (*write)(const game_rules *rules, const uint64_t *state, game_position *position);
  /* Adds all moves; several may lead to the same position. If there are none, the game is over, and `ended`
   * gives the result of the side to move. `state` must not be in the list. Errors: those of game_play_add. */
  tauler_error (*moves)(const game_rules *rules, const uint64_t *state, game_play_list *list);
  int (*ended)(const game_rules *rules, const uint64_t *state);
  /* OPTIONAL. A guess at the mover's result, for players: in hundredths of what a gain of 1 is, or, for wins,
   * draws and losses, any number of less than GAME_PLAY_SURE. NULL: 0. */
  int (*guess)(const game_rules *rules, const uint64_t *state);
};

#endif
