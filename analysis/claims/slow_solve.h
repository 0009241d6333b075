/* A slice of win, draw and loss solved by its moves alone, one position at a time and ply by ply: no table,
 * no kernel, nothing clever. For slices of some ten thousand positions that no quiet move leaves. */
#ifndef ANALYSIS_CLAIMS_SLOW_SOLVE_H
#define ANALYSIS_CLAIMS_SLOW_SOLVE_H

#include "games/game.h"

typedef struct {
  uint64_t positions;
  int8_t *value;
  uint16_t *depth; /* plies to the end; 0 where drawn */
} slow_solved;

/* slow_solved_free after success. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (a move leaves the slice), of
 * moves. */
tauler_error slow_solve(const game *game, const game_rules *rules, uint32_t slice, slow_solved *out,
                        tauler_message *message);
void slow_solved_free(slow_solved *solved);

#endif
