/* Worths of positions of games of dice: their quantities between two bounds, from the tables or, if a
 * position has no index, from its moves; and the moves under a roll in order. One position at a time. Private
 * to analysis/. */
#ifndef ANALYSIS_PROBE_CHANCE_WORTH_H
#define ANALYSIS_PROBE_CHANCE_WORTH_H

#include "analysis/probe/worth.h"

/* Quantities that rotate are ordered by absolute seat: seat 1's first, whoever rolls. */
typedef struct {
  bool known;
  int used;
  double lower[CHANCE_MOST_QUANTITIES], upper[CHANCE_MOST_QUANTITIES];
} chance_values;

typedef struct {
  ranked_move ranked;
  /* No move has a lower bound above this one's upper bound. False for all moves while one is unknown. */
  bool best;
} chance_move;

/* The side that a worth takes, and how it follows from the quantities. */
typedef struct {
  int quantity;
  bool falling; /* a smaller quantity is better */
  int seats;    /* 2: two players, whose worths add up to the greatest value */
} chance_side;

chance_side chance_side_of(const tauler_tables *tables, const chance_quantities *quantities,
                           const game_position *position);

tauler_worth chance_worth_in(const chance_quantities *quantities, chance_side side,
                             const chance_values *values);

/* The quantities as shown, with those of seat 2 that follow from seat 1's. */
typedef struct {
  struct {
    char name[CHANCE_NAME_BYTES];
    tauler_worth worth;
  } list[CHANCE_MOST_QUANTITIES + 1];
  int used, seats; /* the first `seats` quantities are one per seat */
} shown_quantities;
shown_quantities chance_show(const chance_quantities *quantities, const chance_values *values);

/* Stores the bounds of quantity s of a place whose first seat is given. Errors: TAULER_DAMAGED_FILE. */
tauler_error chance_values_put(const tauler_tables *tables, const chance_quantities *quantities,
                               int first_seat, int s, double lower, double upper, chance_values *values,
                               tauler_message *message);

/* The quantities of a position; not known after an error. Errors: those of slice_table. */
tauler_error chance_values_of(tauler_tables *tables, const game_position *position, chance_values *out,
                              tauler_message *message);

/* The worth for the side to move. Errors: those of slice_table. */
tauler_error chance_worth_of(tauler_tables *tables, const game_position *position, bool with_depths,
                             tauler_worth *worth, tauler_message *message);
tauler_error chance_worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                             tauler_message *message);

/* If there are two players: win, draw or loss, depending on which side of one half the bounds are. They must
 * differ from it by one decimal of a percentage. */
tauler_category chance_category(tauler_worth worth, double most, chance_side side);

/* Fills ranked[0 … moves->used − 1], best first: by lower, then by upper bound. TAULER_TABLE_MISSING: some
 * moves are unknown, and come last. */
tauler_error chance_rank_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                               chance_move *ranked, tauler_message *message);

#endif
