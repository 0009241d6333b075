/* The greatest capture of one move of aualé over all boards up to a number of seeds, by cases that leave none
 * out. Its own sowing and capture, apart from the rules of the game; nothing is owned.
 *
 * The capture of a move depends on its pit, the seeds in hand and the opponent's row; a pit of four seeds or
 * more is never taken, so one such content stands for all. The rest of the mover's row matters only under
 * awari, if the move takes all: the move is legal if no other one leaves the opponent a seed, which can be
 * tested pit by pit.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_CAPTURE_H
#define ANALYSIS_CLAIMS_AUALE_CAPTURE_H

#include "indexers/rows.h"

enum { CAPTURE_MOST_SEEDS = 48, CAPTURE_KROO = 12, CAPTURE_BOARD_PITS = 2 * ROW_PITS };

typedef enum {
  CAPTURE_ABAPA,          /* a move that would take all takes nothing */
  CAPTURE_AWARI,          /* it is legal only where no move leaves the opponent a seed */
  CAPTURE_AWARI_CAPTURES, /* it takes all */
  CAPTURE_RULES
} capture_rules;

/* A move that captures; pits as its mover sees them. */
typedef struct {
  int captured, seeds, sown, origin;
  bool slam; /* takes all that the opponent has */
  bool open; /* the opponent's row has an empty pit, as it has after every move */
  uint8_t pits[CAPTURE_BOARD_PITS];
} capture_move;

/* captured is 0 where there is none. */
typedef struct {
  capture_move by_seeds[CAPTURE_MOST_SEEDS + 1]; /* the most on a board of exactly so many */
  capture_move by_sown[CAPTURE_MOST_SEEDS + 1];  /* with so many in hand, on a board of the fewest seeds */
  capture_move open[CAPTURE_MOST_SEEDS + 1];     /* by seeds, on boards with an empty pit opposite */
} capture_records;

/* Seeds from 1 to CAPTURE_MOST_SEEDS. */
void capture_search(int seeds, capture_records out[CAPTURE_RULES]);

/* True if one takes more than the other; or as many on fewer seeds, or on a board that is open. */
bool capture_is_better(const capture_move *move, const capture_move *than);

/* Sows that many seeds from a pit, changes the opponent's row, and returns the seeds captured there. */
int capture_land(int origin, int sown, uint8_t row[ROW_PITS]);

#endif
