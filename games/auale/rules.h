/* The rules of aualé, one board at a time. Functions keep no state. */
#ifndef GAMES_AUALE_RULES_H
#define GAMES_AUALE_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "indexers/rows.h"

enum { AUALE_PITS = 2 * ROW_PITS, AUALE_MAX_SEEDS = 48 };

/* A board seen by the player to move: pits 0–5 are the mover's, 6–11 the opponent's, in sowing order. */
typedef struct {
  uint8_t pits[AUALE_PITS];
} auale_board;

/* The rule for a move that captures all seeds of the opponent. */
typedef enum {
  GRAND_SLAM_ILLEGAL,  /* awari: illegal while another move leaves the opponent a seed */
  GRAND_SLAM_CAPTURES, /* awari,grand-slam=captures: legal, captures all these seeds */
  GRAND_SLAM_KEEPS     /* abapa: legal, captures nothing */
} auale_grand_slam;

typedef enum { CYCLES_EVEN, CYCLES_FORCED, CYCLES_OWN_ROW, CYCLES_OWN_ROW_ANY } auale_cycles;

/* True if the game ends when no move leaves the opponent a seed, as in abapa. In awari it continues. */
static inline bool auale_ends_without_feeding(auale_grand_slam rule) {
  return rule == GRAND_SLAM_KEEPS;
}

/* True if tables leave out a board of `seeds` seeds, `own` of them in the mover's row. A quiet move turns the
 * board and gives u ≥ 0 seeds away, so the child's mover has seeds − own + u. Hence parent or child
 * has at least half of the seeds in its mover's row, and is not left out. */
static inline bool auale_is_left_out(unsigned seeds, unsigned own) {
  return 2 * own < seeds;
}

unsigned auale_seeds(const auale_board *board);

/* Sows the seeds of a pit one by one and skips the pit of origin. Returns the pit of the last seed. */
int auale_sow(auale_board *board, int origin);

/* Captures from the opponent's row after the last seed fell into pit `last`, 0–5, of this row. Removes the
 * captured seeds from `row` and returns their number. */
static inline unsigned auale_capture(auale_grand_slam rule, uint8_t row[ROW_PITS], int last) {
  uint8_t left[ROW_PITS];
  unsigned captured = 0;
  memcpy(left, row, ROW_PITS);
  for (int pit = last; pit >= 0 && (left[pit] == 2 || left[pit] == 3); pit--) {
    captured += left[pit];
    left[pit] = 0;
  }
  if (rule == GRAND_SLAM_KEEPS && row_seeds(left) == 0) return 0;
  memcpy(row, left, ROW_PITS);
  return captured;
}

/* Plays a non-empty own pit, whether or not the move is legal. `child` is the board seen by the other side,
 * without the captured seeds. Returns the seeds captured. */
int auale_play(auale_grand_slam rule, const auale_board *board, int pit, auale_board *child);

/* Returns the set of legal moves; all sets here have a bit per move. `nonempty` are the moves of non-empty
 * pits, `feeding` those that leave the opponent a seed, `slams` those that captured all of the opponent's
 * seeds. */
unsigned auale_select_legal(auale_grand_slam rule, unsigned nonempty, unsigned feeding, unsigned slams);

/* Plays all own pits that are not empty, as auale_play does; writes nothing for empty pits. Returns the legal
 * ones as bits 0–5, or 0 if the game has ended. */
unsigned auale_play_all(auale_grand_slam rule, const auale_board *board, auale_board child[ROW_PITS],
                        int captured[ROW_PITS]);

/* Returns the legal own pits as bits 0–5, or 0 if the game has ended. */
unsigned auale_legal_pits(auale_grand_slam rule, const auale_board *board);

/* Returns the mover's net seeds on a board without a legal move, where each side gets its own row. */
int auale_end_value(const auale_board *board);

#endif
