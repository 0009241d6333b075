/* The worth of a position, and its moves in order: the slow level of the probe library, one position at a
 * time. Private to analysis/. */
#ifndef ANALYSIS_PROBE_WORTH_H
#define ANALYSIS_PROBE_WORTH_H

#include "analysis/probe/probe_tables.h"

typedef struct {
  size_t order; /* ordinal in the game's list of moves */
  bool converts;
  tauler_worth worth; /* for the mover */
  tauler_worth child; /* for the side to move after it, unknown if the move ends the game */
} ranked_move;

/* The moves of a position of any game without dice. `moves` must be empty; it may be freed after an error
 * too. Errors: TAULER_BAD_POSITION (more moves than may be listed), TAULER_NO_MEMORY. */
tauler_error moves_of_position(const tauler_tables *tables, const game_position *position, game_moves *moves,
                               tauler_message *message);

/* Without dice: the worth of a position; not known after an error. Errors: those of slice_table. */
tauler_error worth_of_position(tauler_tables *tables, const game_position *position, bool with_depths,
                               tauler_worth *worth, tauler_message *message);

/* Fills ranked[0 … moves->used − 1], best first. TAULER_TABLE_MISSING: some moves are unknown and come last;
 * the message is about one of them. After another error ranked has no useful content. */
tauler_error worth_of_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                            bool with_depths, ranked_move *ranked, tauler_message *message);

/* The worth of a position from its moves; not known unless there are moves and all are known. */
tauler_worth worth_from_moves(const tauler_tables *tables, const ranked_move *ranked, size_t n);

bool worth_is_exact(tauler_worth worth);

/* The depth of a win or a loss; draws and open bounds have none. */
int worth_settled_depth(tauler_worth worth);

/* True if the first of two known worths is better: by lower, then by upper bound; for win, draw and loss also
 * by the sooner win and the later loss. In games of scores depths are not plies to the end. */
bool worth_is_better(solve_kind kind, tauler_worth a, tauler_worth b);

/* The worth of the position at `place`, by the tables of its slice alone. */
tauler_error worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                      tauler_message *message);

/* How much more the side to move has in its store than the other: what it gains on the whole if the rest of
 * the game is even; 0 without stores. */
double position_lead(const tauler_tables *tables, const game_position *position);

/* The winner of the whole game: the sign of the worth and of what the stores already have. */
tauler_category worth_outcome(tauler_worth worth, double lead);

#endif
