#include "naive_auale.h"

#include <stdio.h>
#include <string.h>

static int seeds_in(const naive_board *board, int first_pit, int pits) {
  int seeds = 0;
  for (int pit = first_pit; pit < first_pit + pits; pit++) seeds += board->pit[pit];
  return seeds;
}

static int mover_seeds(const naive_board *board) {
  return seeds_in(board, 0, 6);
}

static int opponent_seeds(const naive_board *board) {
  return seeds_in(board, 6, 6);
}

int naive_seeds(const naive_board *board) {
  return mover_seeds(board) + opponent_seeds(board);
}

/* Sows the seeds of one pit, one by one, and returns the pit that gets the last of them. The pit of origin
 * gets none, however often the sowing comes round to it. */
static int sow(naive_board *board, int origin) {
  int hand = board->pit[origin];
  int pit = origin;
  board->pit[origin] = 0;
  while (hand > 0) {
    pit = (pit + 1) % 12;
    if (pit == origin) continue;
    board->pit[pit]++;
    hand--;
  }
  return pit;
}

static bool can_be_captured(const naive_board *board, int pit) {
  bool is_opponents = pit >= 6 && pit <= 11;
  return is_opponents && (board->pit[pit] == 2 || board->pit[pit] == 3);
}

/* Captures backwards from the pit of the last seed and returns the seeds taken. */
static int capture(naive_board *board, int last) {
  int captured = 0;
  for (int pit = last; can_be_captured(board, pit); pit--) {
    captured += board->pit[pit];
    board->pit[pit] = 0;
  }
  return captured;
}

static naive_board turned(const naive_board *board) {
  naive_board result;
  for (int pit = 0; pit < 12; pit++) result.pit[pit] = board->pit[(pit + 6) % 12];
  return result;
}

/* The effect of one move, legal or not; the board it leaves is still seen from the side that moved. */
typedef struct {
  naive_board board;
  int captured;
  bool feeds;      /* the opponent is left a seed */
  bool grand_slam; /* the opponent is left none, because they were captured */
} outcome;

static outcome play(naive_rules rules, const naive_board *board, int pit) {
  outcome result = {.board = *board};
  int last = sow(&result.board, pit);
  naive_board sown = result.board;
  result.captured = capture(&result.board, last);
  result.grand_slam = result.captured > 0 && opponent_seeds(&result.board) == 0;
  if (rules == NAIVE_ABAPA && result.grand_slam) {
    result.board = sown;
    result.captured = 0;
    result.grand_slam = false;
  }
  result.feeds = opponent_seeds(&result.board) > 0;
  return result;
}

static bool some_move_feeds(naive_rules rules, const naive_board *board) {
  for (int pit = 0; pit < 6; pit++)
    if (board->pit[pit] > 0 && play(rules, board, pit).feeds) return true;
  return false;
}

/* "A move is legal if it leaves the opponent a seed; if none does, all are legal" (awari), or the game is
 * over (abapa). A grand slam that captures does not feed, so it forbids no other move. */
static bool is_legal(naive_rules rules, const outcome *move, bool some_feeds) {
  if (move->feeds) return true;
  switch (rules) {
  case NAIVE_AWARI:
    return !some_feeds;
  case NAIVE_AWARI_CAPTURES:
    return move->grand_slam || !some_feeds;
  case NAIVE_ABAPA:
    return false;
  }
  return false;
}

int naive_moves(naive_rules rules, const naive_board *board, naive_move moves[6]) {
  bool some_feeds = some_move_feeds(rules, board);
  int count = 0;
  for (int pit = 0; pit < 6; pit++) {
    if (board->pit[pit] == 0) continue;
    outcome move = play(rules, board, pit);
    if (!is_legal(rules, &move, some_feeds)) continue;
    moves[count++] = (naive_move){.pit = pit, .captured = move.captured, .child = turned(&move.board)};
  }
  return count;
}

bool naive_ended(naive_rules rules, const naive_board *board, int *net) {
  if (mover_seeds(board) == 0) {
    *net = -opponent_seeds(board);
    return true;
  }
  if (rules == NAIVE_ABAPA && !some_move_feeds(rules, board)) {
    *net = mover_seeds(board) - opponent_seeds(board);
    return true;
  }
  return false;
}

bool naive_is_table_board(const naive_board *board) {
  for (int pit = 6; pit < 12; pit++)
    if (board->pit[pit] == 0) return true;
  return false;
}

const char *naive_write(const naive_board *board, char text[64]) {
  int used = 0;
  for (int pit = 0; pit < 12; pit++) used += sprintf(text + used, "%d-", board->pit[pit]);
  sprintf(text + used, "0-0-S");
  return text;
}
