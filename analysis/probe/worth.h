/* The worth of a position of play, and its moves in order: the slow level of the probe library, one position
 * at a time. Private to analysis/. */
#ifndef ANALYSIS_PROBE_WORTH_H
#define ANALYSIS_PROBE_WORTH_H

#include "analysis/probe/probe_tables.h"

typedef struct {
  size_t order; /* in the game's list of moves */
  bool converts;
  tauler_worth worth; /* for the mover */
  tauler_worth child; /* for the side to move after it; not known if the move ends the game */
} ranked_move;

/* The moves of a position, of any game without dice. `moves` is empty before, and may be freed after an error
 * too. Errors: TAULER_BAD_POSITION (more than may be listed), TAULER_NO_MEMORY. */
tauler_error moves_of_position(const tauler_tables *tables, const game_position *position, game_moves *moves,
                               tauler_message *message);

/* Without dice: the worth of a position; on error not known. Errors: as slice_table. */
tauler_error worth_of_position(tauler_tables *tables, const game_position *position, bool with_depths,
                               tauler_worth *worth, tauler_message *message);

/* Fills ranked[0 … moves->used − 1], best first. TAULER_TABLE_MISSING: some are not known, and stand last;
 * the message is about one of them. After another error ranked holds nothing of use. */
tauler_error worth_of_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                            bool with_depths, ranked_move *ranked, tauler_message *message);

/* The worth of a position out of its moves; not known unless all of them are and there is one. */
tauler_worth worth_from_moves(const tauler_tables *tables, const ranked_move *ranked, size_t n);

bool worth_is_exact(tauler_worth worth);

/* The depth of a win or a loss; draws and open bounds have none. */
int worth_settled_depth(tauler_worth worth);

/* True if the first of two known worths is better than the other: by lower, then upper bound; of wins, draws
 * and losses the sooner win and the later loss. In games of scores depths are no plies to the end. */
bool worth_is_better(solve_kind kind, tauler_worth a, tauler_worth b);

/* The worth of the position in the slice at `place` (by its tables alone). */
tauler_error worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                      tauler_message *message);

/* Who wins the whole game: the sign of a worth and of what the stores hold already. */
tauler_category worth_outcome(tauler_worth worth, double lead);

#endif
