/* Legal moves of a position of Dou Shou Qi, as the rules have it, from the tables of rules.h; fast enough to
 * count tens of millions of positions a second. Pure functions over values; nothing is owned. */
#ifndef GAMES_DOUSHOUQI_MOVES_H
#define GAMES_DOUSHOUQI_MOVES_H

#include "games/doushouqi/position.h"

enum { DSQ_MOST_MOVES = DSQ_ANIMALS * DSQ_TARGETS, DSQ_NOBODY = DSQ_ANIMALS };

typedef struct {
  uint8_t animal, from, to;
  uint8_t taken; /* an animal, or DSQ_NOBODY */
  bool wins;     /* enters the den or takes the last piece */
} dsq_move;

/* The moves of the side to move, by animal from the weakest up; returns how many. A side without pieces has
 * none. */
size_t dsq_list_moves(const game_rules *rules, const dsq_position *position, dsq_move out[DSQ_MOST_MOVES]);

/* The position after a legal move, with the other side to move. */
void dsq_play(dsq_position *position, const dsq_move *move);

/* Leaves of the tree of all lines of so many plies; a won position has no moves. `made`: every leaf is played
 * out, else the moves of the last ply are counted without being made. */
uint64_t dsq_count_leaves(const game_rules *rules, const dsq_position *position, int plies, bool made);

/* For game.h. */
tauler_error dsq_moves(const game_rules *rules, const game_position *position, game_moves *out);
bool dsq_position_ended(const game_rules *rules, const game_position *position, int *value);

/* batch.c; for game.h. */
tauler_error dsq_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                       int16_t *value);
tauler_error dsq_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        game_sink *sink);
tauler_error dsq_retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         game_sink *sink);

extern const game_bitboards dsq_bitboards; /* bitboards_table.c */
extern const game_play dsq_play_page;      /* play.c */

#endif
