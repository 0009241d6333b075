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
  int16_t gain;  /* whole value of the move if `over`, otherwise the mover's gain by the move itself */
  int16_t eager; /* number by which moves are tried, the largest first. Exercises take it for how good a move
                    looks */
  uint16_t key;  /* number that similar moves of other positions share, such as those of one pit, or 0 */
  bool over, converts;
} game_play_move;

/* A stack of moves of the positions under search. The caller frees it with game_play_list_free. */
typedef struct {
  size_t words; /* words per state */
  game_play_move *moves;
  uint64_t *states; /* [used × words] state after each move, unused if the move is `over` */
  size_t used, room, state_room;
  /* True if no more moves are wanted. Called now and then while moves are added. NULL: all are wanted. */
  bool (*enough)(void *user);
  void *user;
} game_play_list;

/* Adds a move and the state after it. Errors: TAULER_NO_MEMORY; TAULER_STOPPED, without a message, if
 * `enough` returns true. */
tauler_error game_play_add(game_play_list *list, const game_play_move *move, const uint64_t *state);
void game_play_list_free(game_play_list *list);

struct game_play {
  /* Returns the words per state, 1 … GAME_PLAY_MOST_WORDS, for a position and all positions to which play
   * leads from it. */
  size_t (*words)(const game_rules *rules, const game_position *position);
  void (*read)(const game_rules *rules, const game_position *position, uint64_t *state);
  void (*write)(const game_rules *rules, const uint64_t *state, game_position *position);
  /* Adds all moves; several may lead to the same position. If there are none, the game is over, and `ended`
   * returns the result of the side to move. `state` must not be in the list. Errors: those of
   * game_play_add. */
  tauler_error (*moves)(const game_rules *rules, const uint64_t *state, game_play_list *list);
  int (*ended)(const game_rules *rules, const uint64_t *state);
  /* OPTIONAL. Returns a guess at the mover's result, for players: in hundredths of a gain of 1 or, for wins,
   * draws and losses, any number whose absolute value is less than GAME_PLAY_SURE. NULL: 0. */
  int (*guess)(const game_rules *rules, const uint64_t *state);
};

#endif
