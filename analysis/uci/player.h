/* A player: chooses a move in a position, from tables at once where they know it, otherwise by search.
 * Private to analysis/uci/.
 *
 * A player owns what its searches have seen. One thread at a time may call player_think; while it runs, other
 * threads may change `limits`, and nothing else.
 */
#ifndef ANALYSIS_UCI_PLAYER_H
#define ANALYSIS_UCI_PLAYER_H

#include "analysis/uci/look.h"

typedef struct {
  tauler_tables *tables;
  seen *seen;
  int threads;
  bool slips; /* plays the second best move in some positions */
  look_limits limits;
  int depth;     /* plies to look ahead, at most LOOK_MOST_DEPTH */
  bool may_stop; /* false: goes on until `limits` ends the search, even if no more can be found out */
  /* Called by the thread that thinks, with a line of the protocol. */
  void (*say)(void *user, const char *line);
  void *user;
} player;

/* Texts belong to the caller, who frees them with player_choice_free. */
typedef struct {
  char *move;   /* NULL: there is none */
  char *answer; /* the answer expected from the other side, or NULL */
} player_choice;

/* Chooses a move in a position given as text, "moves …" included, where a repetition counts if the rules say
 * so. `say` receives reports meanwhile. If the game is over, *choice is empty and `say` receives the reason.
 * Errors: TAULER_BAD_POSITION, TAULER_NO_MEMORY. Then the choice is empty. */
tauler_error player_think(player *p, const char *position, player_choice *choice, tauler_message *message);
void player_choice_free(player_choice *choice);

#endif
