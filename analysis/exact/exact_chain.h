/* Exact rationals of games of dice without choices.
 *
 * The expectations of a position are the one solution of linear equations over the positions that play can
 * reach from it. They are read from the game's batches alone (game_chance.h) and solved in rationals
 * (exact_system.h): a second way to the values, without doubles, sweeps or tables.
 */
#ifndef ANALYSIS_EXACT_EXACT_CHAIN_H
#define ANALYSIS_EXACT_EXACT_CHAIN_H

#include <gmp.h>

#include "base/memory.h"
#include "base/progress.h"
#include "games/game_chance.h"

/* All quantities of the position, in the slice's order; out has been initialised, an mpq_t for each;
 * `shown` may be NULL.
 * Errors: TAULER_BAD_USAGE (somebody chooses; play may go on for ever; more positions than can be solved
 * so), TAULER_NO_MEMORY, TAULER_INTERNAL, what the game returns. */
tauler_error exact_chain_solve(const game *game, const game_rules *rules, game_place from,
                               memory_budget *memory, progress *shown, mpq_t *out, tauler_message *message);

#endif
