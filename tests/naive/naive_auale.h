/* The rules of aualé, written a second time: slowly, obviously, from the rules text alone.
 *
 * Tests use this as the oracle for the real game, so it shares nothing with it: no header, no helper, no
 * idea. Nothing here is meant to be fast. */
#ifndef NAIVE_AUALE_H
#define NAIVE_AUALE_H

#include <stdbool.h>

/* Seeds in the pits in sowing order: 0-5 are the mover's, 6-11 the opponent's. */
typedef struct {
  unsigned char pit[12];
} naive_board;

typedef enum {
  NAIVE_AWARI,          /* a grand slam is illegal unless every move leaves the opponent without seeds */
  NAIVE_AWARI_CAPTURES, /* awari,grand-slam=captures: a grand slam is always legal and captures everything */
  NAIVE_ABAPA           /* a grand slam is legal and captures nothing */
} naive_rules;

typedef struct {
  int pit;           /* 0-5: the pit whose seeds are sown */
  int captured;      /* seeds taken off the board */
  naive_board child; /* the board after the move, turned: its mover is the side that did not move */
} naive_move;

int naive_seeds(const naive_board *board);

/* Writes the legal moves in order of their pits and returns how many there are. */
int naive_moves(naive_rules rules, const naive_board *board, naive_move moves[6]);

/* Whether the game is over on this board. If so, *net is what the mover takes of the seeds left less what
 * the opponent takes. */
bool naive_ended(naive_rules rules, const naive_board *board, int *net);

/* Whether the opponent's row has an empty pit, as it has after every move. */
bool naive_is_table_board(const naive_board *board);

/* The board as the text of a position with empty stores, which is returned. */
const char *naive_write(const naive_board *board, char text[64]);

#endif
