/* Worths of positions of games of dice, and moves under a roll sorted by worth. The bounds of quantities come
 * from tables or, if a position has no index, from its moves. Private to analysis/. */
#ifndef ANALYSIS_PROBE_CHANCE_WORTH_H
#define ANALYSIS_PROBE_CHANCE_WORTH_H

#include "analysis/probe/worth.h"

/* Bounds of quantities. Those that rotate are in the order of the seats, whichever seat rolls. */
typedef struct {
  bool known;
  int used;
  double lower[CHANCE_MOST_QUANTITIES], upper[CHANCE_MOST_QUANTITIES];
} chance_values;

typedef struct {
  ranked_move ranked;
  /* True if all worths are known and no move has a lower bound above the upper bound of this one. */
  bool best;
} chance_move;

/* The side whose worth is computed, and the quantity from which the worth follows. */
typedef struct {
  int quantity;
  bool falling; /* a smaller quantity is better */
  int seats;    /* number of players with quantities of their own */
} chance_side;

chance_side chance_side_of(const tauler_tables *tables, const chance_quantities *quantities,
                           const game_position *position);

tauler_worth chance_worth_from_values(const chance_quantities *quantities, chance_side side,
                                      const chance_values *values);

/* The quantities that an answer shows, with that of seat 2 if it follows from that of seat 1. */
typedef struct {
  struct {
    char name[CHANCE_NAME_BYTES];
    tauler_worth worth;
  } list[CHANCE_MOST_QUANTITIES + 1];
  int used, seats; /* the first `seats` of the `used` quantities belong to one seat each */
} shown_quantities;
shown_quantities chance_show_quantities(const chance_quantities *quantities, const chance_values *values);

/* Sets the bounds of quantity s. `first_seat` is the seat to roll. Errors: TAULER_DAMAGED_FILE (not lower ≤
 * upper). */
tauler_error chance_set_bounds(const tauler_tables *tables, const chance_quantities *quantities,
                               int first_seat, int s, double lower, double upper, chance_values *values,
                               tauler_message *message);

/* After an error the quantities are not known. Errors: those of slice_table, TAULER_INTERNAL. */
tauler_error chance_values_of(tauler_tables *tables, const game_position *position, chance_values *out,
                              tauler_message *message);

/* Errors: those of slice_table; chance_worth_of also returns TAULER_INTERNAL. */
tauler_error chance_worth_of(tauler_tables *tables, const game_position *position, bool with_depths,
                             tauler_worth *worth, tauler_message *message);
tauler_error chance_worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                             tauler_message *message);

/* Applies the rule of tauler.h for games of dice. `most` is the sum of the worths of both players. */
tauler_category chance_category(tauler_worth worth, double most, chance_side side);

/* Sets ranked[0 … moves->used − 1], best first: by lower, then by upper bound. After TAULER_TABLE_MISSING
 * some moves are unknown and come last. Other errors: TAULER_INTERNAL, those of slice_table. */
tauler_error chance_rank_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                               chance_move *ranked, tauler_message *message);

#endif
