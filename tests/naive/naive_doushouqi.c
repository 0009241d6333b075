#include "naive_doushouqi.h"

#include <stdlib.h>

const naive_dsq_rules naive_dsq_base = {0};
const naive_dsq_rules naive_dsq_liacs = {.leopard = NAIVE_LEOPARD_NONE,
                                         .jump_block_path = true,
                                         .elephant_takes_rat = true,
                                         .rat_shore_liacs = true,
                                         .stalemate_loss = true};

typedef enum { NO_LAKE, WEST_LAKE, EAST_LAKE } lake;

static int file_of(int square) {
  return square % 7;
} /* a = 0 */
static int rank_of(int square) {
  return square / 7 + 1;
}
static int square_at(int file, int rank) {
  return (rank - 1) * 7 + file;
}
static bool is_black(int piece) {
  return piece < 0;
}

static bool is_den(int square, bool black) {
  return square == square_at(3, black ? 9 : 1);
}

static bool is_trap(int square, bool black) {
  int home = black ? 9 : 1, before = black ? 8 : 2;
  return square == square_at(2, home) || square == square_at(4, home) || square == square_at(3, before);
}

static lake lake_at(const naive_dsq_rules *rules, int square) {
  int file = file_of(square), rank = rank_of(square);
  if (rules->lakes == NAIVE_LAKES_PLAIN || rank < 4 || rank > 6) return NO_LAKE;
  if (file == 1 || file == 2) return WEST_LAKE;
  if (file == 4 || file == 5) return EAST_LAKE;
  return NO_LAKE;
}

static bool is_water(const naive_dsq_rules *rules, int square) {
  return lake_at(rules, square) != NO_LAKE;
}

static bool rat_swims_in(const naive_dsq_rules *rules, const naive_dsq_board *board, lake where) {
  for (int square = 0; square < NAIVE_DSQ_SQUARES; square++)
    if (abs(board->piece[square]) == NAIVE_RAT && lake_at(rules, square) == where) return true;
  return false;
}

static int strength(const naive_dsq_rules *rules, int animal) {
  if (rules->wolf_over_dog && animal == NAIVE_WOLF) return 4;
  if (rules->wolf_over_dog && animal == NAIVE_DOG) return 3;
  return animal;
}

bool naive_dsq_may_stand(const naive_dsq_rules *rules, int animal, int square) {
  if (is_den(square, false) || is_den(square, true)) return false;
  if (!is_water(rules, square) || animal == NAIVE_RAT) return true;
  return rules->lakes == NAIVE_LAKES_DRINK && animal != NAIVE_CAT;
}

int naive_dsq_winner(const naive_dsq_board *board) {
  int white = 0, black = 0;
  for (int square = 0; square < NAIVE_DSQ_SQUARES; square++) {
    if (board->piece[square] > 0) white++;
    if (board->piece[square] < 0) black++;
    if (board->piece[square] > 0 && is_den(square, true)) return 1;
    if (board->piece[square] < 0 && is_den(square, false)) return -1;
  }
  if (black == 0) return 1;
  if (white == 0) return -1;
  return 0;
}

/* In or out of the water, or from one of its squares to the other: rats among themselves only. */
static bool may_capture_wet(const naive_dsq_rules *rules, int from, int to, int attacker, int victim) {
  if (attacker != NAIVE_RAT || victim != NAIVE_RAT) return false;
  if (is_water(rules, from) && is_water(rules, to)) return true;
  return rules->rat_shore_liacs;
}

static bool may_capture(const naive_dsq_rules *rules, const naive_dsq_board *board, int from, int to) {
  int attacker = abs(board->piece[from]), victim = abs(board->piece[to]);
  bool black_attacks = is_black(board->piece[from]);
  if (is_black(board->piece[to]) == black_attacks) return false;
  if (is_water(rules, from) || is_water(rules, to)) return may_capture_wet(rules, from, to, attacker, victim);
  if (is_trap(to, black_attacks)) return true;
  if (rules->clearings && is_trap(to, !black_attacks)) return true;
  if (attacker == NAIVE_RAT && victim == NAIVE_ELEPHANT) return true;
  if (attacker == NAIVE_ELEPHANT && victim == NAIVE_RAT) return rules->elephant_takes_rat;
  return strength(rules, attacker) >= strength(rules, victim);
}

/* Onto an empty square next to it. */
static bool may_walk(const naive_dsq_rules *rules, const naive_dsq_board *board, int from, int to) {
  int animal = abs(board->piece[from]);
  if (animal == NAIVE_RAT) return true;
  if (!is_water(rules, to)) return true;
  if (is_water(rules, from)) return false;
  return rules->lakes == NAIVE_LAKES_DRINK && animal != NAIVE_CAT &&
         !rat_swims_in(rules, board, lake_at(rules, to));
}

static bool may_step(const naive_dsq_rules *rules, const naive_dsq_board *board, int from, int to) {
  if (is_den(to, is_black(board->piece[from]))) return false;
  if (board->piece[to] == 0) return may_walk(rules, board, from, to);
  return may_capture(rules, board, from, to);
}

static bool may_jump_along(const naive_dsq_rules *rules, int animal, bool along_a_rank) {
  if (animal == NAIVE_LION || animal == NAIVE_TIGER) return true;
  if (animal != NAIVE_LEOPARD) return false;
  if (rules->leopard == NAIVE_LEOPARD_WIDE) return true;
  return rules->leopard == NAIVE_LEOPARD_NARROW && along_a_rank;
}

static bool blocks_jumps(const naive_dsq_rules *rules, const naive_dsq_board *board, int crossed) {
  int animal = abs(board->piece[crossed]);
  if (animal == NAIVE_RAT) return true;
  if (animal != 0 && rules->drinkers_block) return true;
  return !rules->jump_block_path && rat_swims_in(rules, board, lake_at(rules, crossed));
}

/* Where a jump from there comes down, or -1 if there is none in this direction. */
static int jump(const naive_dsq_rules *rules, const naive_dsq_board *board, int from, int files, int ranks) {
  int file = file_of(from) + files, rank = rank_of(from) + ranks;
  if (is_water(rules, from) || !may_jump_along(rules, abs(board->piece[from]), ranks == 0)) return -1;
  if (!is_water(rules, square_at(file, rank))) return -1;
  while (is_water(rules, square_at(file, rank))) {
    if (blocks_jumps(rules, board, square_at(file, rank))) return -1;
    file += files;
    rank += ranks;
  }
  int to = square_at(file, rank);
  return board->piece[to] == 0 || may_capture(rules, board, from, to) ? to : -1;
}

static int moves_of_piece(const naive_dsq_rules *rules, const naive_dsq_board *board, int from,
                          naive_dsq_move *moves) {
  static const int directions[4][2] = {{0, 1}, {0, -1}, {1, 0}, {-1, 0}};
  int count = 0;
  for (int d = 0; d < 4; d++) {
    int files = directions[d][0], ranks = directions[d][1];
    int file = file_of(from) + files, rank = rank_of(from) + ranks;
    if (file < 0 || file > 6 || rank < 1 || rank > 9) continue;
    int to = square_at(file, rank);
    if (may_step(rules, board, from, to)) moves[count++] = (naive_dsq_move){from, to};
    int landing = jump(rules, board, from, files, ranks);
    if (landing >= 0) moves[count++] = (naive_dsq_move){from, landing};
  }
  return count;
}

int naive_dsq_moves(const naive_dsq_rules *rules, const naive_dsq_board *board,
                    naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES]) {
  int count = 0;
  for (int square = 0; square < NAIVE_DSQ_SQUARES; square++)
    if (board->piece[square] != 0 && is_black(board->piece[square]) == board->black_moves)
      count += moves_of_piece(rules, board, square, moves + count);
  return count;
}

naive_dsq_board naive_dsq_after(const naive_dsq_board *board, naive_dsq_move move) {
  naive_dsq_board after = *board;
  after.piece[move.to] = after.piece[move.from];
  after.piece[move.from] = 0;
  after.black_moves = !board->black_moves;
  return after;
}

long naive_dsq_count(const naive_dsq_rules *rules, const naive_dsq_board *board, int plies) {
  if (plies == 0) return 1;
  if (naive_dsq_winner(board) != 0) return 0;
  naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES];
  int count = naive_dsq_moves(rules, board, moves);
  long sum = 0;
  for (int m = 0; m < count; m++) {
    naive_dsq_board after = naive_dsq_after(board, moves[m]);
    sum += naive_dsq_count(rules, &after, plies - 1);
  }
  return sum;
}
