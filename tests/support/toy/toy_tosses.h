/* Games of dice for the suites that ask tables, so small that every number can be worked out by hand; and
 * tables of them with whatever cells a test wants, whether they follow from each other or not.
 *
 * All are about a pile of 0 … 4 and the seat to roll; "3/2~1" is a pile of 3, seat 2 to roll, and its turn is
 * lost. Piles of two neighbours are a slice, "0" (0, 1) and "1" (2, 3); a pile of 4 and a turn that is lost
 * have no index. Rolls are `low`, of weight 1, and `high`, of weight 2.
 *
 * duel: two seats, score-1; index = 2 · (pile mod 2) + seat. low: wait (the other's turn), take one away
 * (from nothing: seat 1 wins what is to win if it takes, else gets nothing), and of a pile of 3 share (1/3).
 * high: again (the same seat), trip (the other's turn, which is lost). A pile of 4, low: take, drop two.
 * high: again, with one taken away. carousel: three seats, win-1 … win-3, which turn, and turns; index = pile
 * mod 2. low: on. high: down, from nothing: out, and the seat wins. trio: the same with score-1 … score-3,
 * which do not turn; index = 3 · (pile mod 2) + seat.
 */
#ifndef TOY_TOSSES_H
#define TOY_TOSSES_H

#include "databases/table.h"
#include "games/game_chance.h"

extern const game toy_tosses;

/* One table each; `upper` and `lower` have as many cells as the slice has positions. quantity: its place. */
void tosses_write(const char *rules, uint32_t slice, int quantity, const double *lower, const double *upper);

typedef struct {
  table_cell cell;
  uint64_t used;
  const void *cells;
} tosses_cells;

/* Any cells under any stream's name. */
void tosses_write_cells(const char *rules, uint32_t slice, const char *stream, const tosses_cells *cells);

#endif
