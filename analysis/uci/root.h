/* The position that a player thinks about: its moves by name, the line that led there, and what is said about
 * it. Private to analysis/uci/. */
#ifndef ANALYSIS_UCI_ROOT_H
#define ANALYSIS_UCI_ROOT_H

#include "analysis/probe/line_past.h"
#include "analysis/uci/player.h"

typedef struct {
  const char *text;
  game_position position;
  line_past past;
  game_moves moves;
  int lead; /* seeds that the side to move has captured more than the other */
  bool over;
  int known; /* the position's value by tables, as a search counts, or LOOK_INFINITE if they have none */
  double began;
} root;

/* Reads a position. The root may be closed after an error too. Errors: those of player_think. */
tauler_error root_open(root *r, const tauler_tables *tables, const char *text, tauler_message *message);
void root_close(root *r);

/* The result of a search. */
typedef struct {
  size_t best; /* a move of the root */
  int value, depth;
  uint64_t nodes, probes;
} root_found;

/* Writes the moves that follow each other by what was seen, the best of the root first, and at most `depth`,
 * and gives the second one as an answer; *answer may be NULL. */
void root_say(const root *r, const player *p, const root_found *found, char **answer);

/* Says what a move is worth by tables, with best play after it, of which *answer receives the first move.
 * Errors: TAULER_NO_MEMORY. */
tauler_error root_say_table(const root *r, const player *p, const tauler_move *move,
                            const tauler_worth *worth, char **answer, tauler_message *message);

#endif
