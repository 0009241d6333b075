/* Private to Dou Shou Qi: the tables with which the values of a slice are compared with its moves
 * (games/game_proof.h).
 *
 * A row has the cells that differ only in the square of the last piece, its lane. Rows are seen from White's
 * side, for both sides to move, with the first piece on the middle file or left of it. So a quiet move of any
 * other piece leads from one row to another row or to the mirror image of one, lane by lane, without an
 * index. A cell is stored as the worth of a move to it. proof_tables.c makes the tables; proof.c compares
 * rows with their moves.
 */
#ifndef GAMES_DOUSHOUQI_PROOF_H
#define GAMES_DOUSHOUQI_PROOF_H

#include "games/doushouqi/moves.h"
#include "games/game_proof.h"

/* A win in d plies is worth WIN − d, a loss in d plies d − WIN, a draw 0. NO_MOVE is less than any worth.
 * UNKNOWN, greater than any worth, stands for a cell that is left out or has an impossible value or depth. */
enum { LANES = 64, WIN = 1 << 14, NO_MOVE = INT16_MIN, UNKNOWN = INT16_MAX, LEFT_OUT = UINT16_MAX };
enum { MOST_SHIFTS = 40, ITEM = 1 << 16 };

/* A move of the last piece from one of several squares. */
typedef struct {
  int by; /* number added to the square that the piece leaves */
  uint64_t no_rat, no_drinker;
  uint64_t from;
  int16_t lanes[LANES]; /* −1 for a square of `from`, 0 for any other */
} last_shift;

/* The pieces that are left when one is captured. */
typedef struct {
  bool turned; /* true if colours are exchanged, because Black moves next */
  int part;
  const dsq_slice *slice;        /* NULL if the captured piece was the last of its side */
  uint8_t from[DSQ_MOST_PIECES]; /* [piece of the smaller slice] piece of this slice */
} remainder;

struct game_proof_run {
  game_proof_job job;
  const dsq_slice *slice;
  int last;
  uint64_t rows; /* number of rows per side to move */
  uint8_t mirror[DSQ_SQUARES];
  uint64_t stride[DSQ_MOST_PIECES];
  uint8_t ordinal[DSQ_MOST_PIECES][DSQ_SQUARES + 1];
  uint8_t twin[DSQ_MOST_PIECES]; /* if the slice has one part: piece that each piece becomes if colours are
                                    exchanged */
  remainder remainders[DSQ_MOST_PIECES];
  last_shift shifts[MOST_SHIFTS];
  int shifts_used;
  int16_t *worths;  /* [side to move][rows][LANES] */
  uint64_t *filled; /* a bit per position, 1 if its cell was left out and is filled */
};

game_proof_run *dsq_proof_open(const game_proof_job *job, arena *arrays);

/* Returns the squares on which the last piece forbids another piece the move to a target. */
static inline uint64_t proof_forbidding(const game_proof_run *run, const dsq_target *target) {
  return run->slice->piece[run->last].animal == DSQ_RAT ? target->no_rat : target->no_drinker;
}

static inline void proof_fill_mask(uint64_t set, int16_t mask[LANES]) {
  for (int i = 0; i < LANES; i++) mask[i] = (int16_t) - (int16_t)(set >> i & 1);
}

#endif
