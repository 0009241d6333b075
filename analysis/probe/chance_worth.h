/* Worths of positions of games of dice: their quantities between two bounds, out of the tables or, where a
 * position has no index, out of its moves; and the moves under a roll in order. One position at a time.
 * Private to analysis/. */
#ifndef ANALYSIS_PROBE_CHANCE_WORTH_H
#define ANALYSIS_PROBE_CHANCE_WORTH_H

#include "analysis/probe/worth.h"

/* Those that turn stand by absolute seat: seat 1's first, whoever rolls. */
typedef struct {
  bool known;
  int used;
  double lower[CHANCE_MOST_QUANTITIES], upper[CHANCE_MOST_QUANTITIES];
} chance_values;

typedef struct {
  ranked_move ranked;
  bool best; /* no other move is surely better; false while some are not known */
} chance_move;

/* Whose side a worth takes, and how it follows from the quantities. */
typedef struct {
  int quantity;
  bool falling; /* the less of it, the better */
  int seats;    /* 2: two players, whose worths add up to the most */
} chance_side;

chance_side chance_side_of(const tauler_tables *tables, const chance_quantities *quantities,
                           const game_position *position);

tauler_worth chance_worth_in(const chance_quantities *quantities, chance_side side,
                             const chance_values *values);

/* The quantities as they are shown: those of seat 2 that follow from seat 1's are included. */
typedef struct {
  struct {
    char name[CHANCE_NAME_BYTES];
    tauler_worth worth;
  } list[CHANCE_MOST_QUANTITIES + 1];
  int used, seats; /* the first `seats` are one per seat */
} shown_quantities;
shown_quantities chance_show(const chance_quantities *quantities, const chance_values *values);

/* Puts the stored bounds of quantity s of a place whose first seat is given. Errors: TAULER_DAMAGED_FILE. */
tauler_error chance_values_put(const tauler_tables *tables, const chance_quantities *quantities,
                               int first_seat, int s, double lower, double upper, chance_values *values,
                               tauler_message *message);

/* The quantities of a position; on error not known. Errors: as slice_table. */
tauler_error chance_values_of(tauler_tables *tables, const game_position *position, chance_values *out,
                              tauler_message *message);

/* The worth of the side to move. Errors: as slice_table. */
tauler_error chance_worth_of(tauler_tables *tables, const game_position *position, bool with_depths,
                             tauler_worth *worth, tauler_message *message);
tauler_error chance_worth_at(tauler_tables *tables, game_place place, bool with_depths, tauler_worth *worth,
                             tauler_message *message);

/* Win, draw or loss where two play, by which side of one half the bounds lie on, clear of it at one decimal
 * of a percentage. */
tauler_category chance_category(tauler_worth worth, double most, chance_side side);

/* Fills ranked[0 … moves->used − 1], best first: by lower, then upper bound. TAULER_TABLE_MISSING: some are
 * not known, and stand last. */
tauler_error chance_rank_moves(tauler_tables *tables, const game_position *position, const game_moves *moves,
                               chance_move *ranked, tauler_message *message);

#endif
