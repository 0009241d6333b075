/* Private to dou shou qi: notations of other programs. */
#ifndef GAMES_DOUSHOUQI_NOTATIONS_H
#define GAMES_DOUSHOUQI_NOTATIONS_H

#include "games/game_notation.h"
#include "games/game_text.h"

/* The letter that this program uses: r for m, a mouse, and p for j, a jaguar; otherwise the same. */
char dsq_usual_letter(char letter);

/* As game_text_take_side, and takes r, red, for the side of upper case. */
bool dsq_take_side(game_text *in, uint8_t *side);

/* Skips the counters of a FEN, "- - 0 1" or "0 1". */
void dsq_skip_counters(game_text *in);

extern const game_notation dsq_notations[];

#endif
