/* The rules of aualé, one board at a time. */
#include "games/auale/rules.h"

#include <string.h>

unsigned auale_seeds(const auale_board *board) {
  return row_seeds(board->pits) + row_seeds(board->pits + ROW_PITS);
}

int auale_sow(auale_board *board, int origin) {
  int hand = board->pits[origin], pit = origin;
  board->pits[origin] = 0;
  while (hand > 0) {
    pit = (pit + 1) % AUALE_PITS;
    if (pit == origin) continue;
    board->pits[pit]++;
    hand--;
  }
  return pit;
}

static void swap_rows(auale_board *board) {
  uint8_t mover[ROW_PITS];
  memcpy(mover, board->pits, ROW_PITS);
  memcpy(board->pits, board->pits + ROW_PITS, ROW_PITS);
  memcpy(board->pits + ROW_PITS, mover, ROW_PITS);
}

int auale_play(auale_grand_slam rule, const auale_board *board, int pit, auale_board *child) {
  *child = *board;
  const int last = auale_sow(child, pit) - ROW_PITS;
  const unsigned captured = last < 0 ? 0 : auale_capture(rule, child->pits + ROW_PITS, last);
  swap_rows(child);
  return (int)captured;
}

unsigned auale_select_legal(auale_grand_slam rule, unsigned nonempty, unsigned feeding, unsigned slams) {
  if (feeding) return rule == GRAND_SLAM_CAPTURES ? feeding | slams : feeding;
  return auale_ends_without_feeding(rule) ? 0 : nonempty;
}

unsigned auale_play_all(auale_grand_slam rule, const auale_board *board, auale_board child[ROW_PITS],
                        int captured[ROW_PITS]) {
  unsigned nonempty = 0, feeding = 0, slams = 0;
  for (int pit = 0; pit < ROW_PITS; pit++) {
    if (board->pits[pit] == 0) continue;
    captured[pit] = auale_play(rule, board, pit, &child[pit]);
    nonempty |= 1u << pit;
    if (row_seeds(child[pit].pits) > 0) {
      feeding |= 1u << pit;
    } else if (captured[pit] > 0) {
      slams |= 1u << pit;
    }
  }
  return auale_select_legal(rule, nonempty, feeding, slams);
}

unsigned auale_legal_pits(auale_grand_slam rule, const auale_board *board) {
  auale_board child[ROW_PITS];
  int captured[ROW_PITS];
  return auale_play_all(rule, board, child, captured);
}

int auale_end_value(const auale_board *board) {
  return (int)row_seeds(board->pits) - (int)row_seeds(board->pits + ROW_PITS);
}
