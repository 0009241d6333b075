/* Finds the worth of one position and sorts its moves. Bulk reads, which are faster, are in analysis/slices/.
 * Private to analysis/. */
#ifndef ANALYSIS_PROBE_WORTH_H
#define ANALYSIS_PROBE_WORTH_H

#include "analysis/probe/probe_tables.h"

extern const tauler_worth worth_unknown;

static inline tauler_worth worth_between(double lower, double upper) {
  return (tauler_worth){true, lower, upper, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
}

typedef struct {
  size_t order; /* ordinal in the game's list of moves */
  bool converts;
  tauler_worth worth;
  tauler_worth child; /* worth of the position after the move, unknown if the move ends the game */
} ranked_move;

/* Lists the moves of a position of a game without dice. The caller frees *moves, also after an error. Errors:
 * TAULER_BAD_POSITION (more moves than may be listed), TAULER_NO_MEMORY. */
tauler_error moves_of_position(const tauler_tables *tables, const game_position *position, game_moves *moves,
                               tauler_message *message);

/* After an error *worth is not known. Errors: those of slice_table and moves_of_position, TAULER_INTERNAL. */
tauler_error worth_of_position(tauler_tables *tables, const game_position *position, bool with_depths,
                               tauler_worth *worth, tauler_message *message);

/* Sets ranked[0 … moves->used − 1], best first. After TAULER_TABLE_MISSING some moves are unknown and come
 * last, and the message is about one of them. After another error `ranked` means nothing. */
tauler_error worth_of_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                            bool with_depths, ranked_move *ranked, tauler_message *message);

/* Returns the worth of a position from its ranked moves. It is known if there are moves and all are known. */
tauler_worth worth_from_moves(const tauler_tables *tables, const ranked_move *ranked, size_t n);

bool worth_is_exact(tauler_worth worth);

/* Returns the depth of a win or a loss, otherwise TAULER_NO_DEPTH. */
int worth_settled_depth(tauler_worth worth);

/* True if the first of two known worths is better: by its lower, then by its upper bound, then, if the kind
 * is win, draw and loss, as a sooner win or a later loss. */
bool worth_is_better(solve_kind kind, tauler_worth a, tauler_worth b);

/* After an error *worth is not known. Errors: those of slice_table, TAULER_INTERNAL. */
tauler_error worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                      tauler_message *message);

/* Returns by how much the store of the side to move exceeds that of the other side; 0 without stores. */
double position_lead(const tauler_tables *tables, const game_position *position);

/* Returns the outcome of the whole game for the side to move: the sign of the worth plus the lead. */
tauler_category worth_outcome(tauler_worth worth, double lead);

#endif
