/* Lists and makes the legal moves of a position of Dou Shou Qi from the tables of rules.h. */
#ifndef GAMES_DOUSHOUQI_MOVES_H
#define GAMES_DOUSHOUQI_MOVES_H

#include "games/doushouqi/position.h"

enum { DSQ_MOST_MOVES = DSQ_ANIMALS * DSQ_TARGETS, DSQ_NOBODY = DSQ_ANIMALS };

typedef struct {
  uint8_t animal, from, to;
  uint8_t taken; /* an animal, or DSQ_NOBODY */
  bool wins;     /* true if the move enters the den or captures the last piece */
} dsq_move;

/* Lists the moves of the side to move, in the order of dsq_animal, and returns their number. There are none
 * if either side has won. */
size_t dsq_list_moves(const game_rules *rules, const dsq_position *position, dsq_move out[DSQ_MOST_MOVES]);

void dsq_play(dsq_position *position, const dsq_move *move);

/* Members of game.h; the last three are in batch.c. A won position has no moves. */
GAME_MEMBER(leaves) dsq_leaves;
GAME_MEMBER(moves) dsq_moves;
GAME_MEMBER(position_ended) dsq_position_ended;
GAME_MEMBER(ended) dsq_ended;
GAME_MEMBER(expand) dsq_expand, dsq_retract;

extern const game_bitboards dsq_bitboards;
extern const game_play dsq_play_page;
extern const game_proof dsq_proof;

#endif
