#include "tests/support/toy/toy_dice.h"

#include <math.h>

enum { SQUARES = 100, DIE = 6, NOTHING = 0, ONE = 2 /* rows of gains */ };

static toy_odds *new_game(toy_odds_kind kind, uint64_t positions) {
  toy_odds *toy = toy_odds_new(kind, DIE, 1, &positions);
  for (int roll = 0; roll < DIE; roll++) toy->roll[roll].weight = 1;
  return toy;
}

/* --- Pig: both scores, who is to throw, what the turn has brought so far --- */

typedef struct {
  int mine, yours, seat, turn;
} pig;

static uint64_t pig_index(int target, pig at) {
  const int index = ((at.mine * target + at.yours) * 2 + at.seat) * target + at.turn;
  return (uint64_t)index;
}

static void throw_pig(toy_odds *toy, int target, uint64_t index, pig at, uint16_t roll) {
  const int turn = at.turn + roll + 1, held = roll > 0 ? at.mine + turn : at.mine;
  chance_edge edge = {.roll = roll};
  if (held >= target) {
    edge.gain = at.seat == 0 ? ONE : NOTHING;
    edge.to.slice = GAME_OVER;
    toy_odds_add(toy, 0, index, edge);
    return;
  }
  edge.to.index = pig_index(target, (pig){at.yours, held, 1 - at.seat, 0});
  toy_odds_add(toy, 0, index, edge);
  if (roll == 0) return;
  edge.to.index = pig_index(target, (pig){at.mine, at.yours, at.seat, turn});
  toy_odds_add(toy, 0, index, edge);
}

toy_odds *toy_pig_new(int target) {
  const uint64_t positions = pig_index(target, (pig){target, 0, 0, 0});
  toy_odds *toy = new_game(TOY_ODDS_ENDS, positions);
  for (uint64_t i = 0; i < positions; i++) {
    const int n = (int)i, rows = n / target;
    const pig at = {rows / 2 / target, rows / 2 % target, rows % 2, n % target};
    toy->slice[0].aim[i] = at.seat ? -1 : 1;
    for (uint16_t roll = 0; roll < DIE && at.mine + at.turn < target; roll++)
      throw_pig(toy, target, i, at, roll);
  }
  toy_odds_seal(toy);
  return toy;
}

/* --- Chutes and Ladders --- */

static int end_of_move(int square) {
  static const int from[] = {1, 4, 9, 21, 28, 36, 51, 71, 80, 16, 47, 49, 56, 62, 64, 87, 93, 95, 98};
  static const int to[] = {38, 14, 31, 42, 84, 44, 67, 91, 100, 6, 26, 11, 53, 19, 60, 24, 73, 75, 78};
  for (size_t i = 0; i < sizeof from / sizeof *from; i++)
    if (square == from[i]) return to[i];
  return square;
}

toy_odds *toy_ladders_new(void) {
  toy_odds *toy = new_game(TOY_ODDS_ENDS, SQUARES);
  toy->quantities = (chance_quantities){.used = 1, .list = {{"turns", INFINITY}}};
  for (int square = 0; square < SQUARES; square++) {
    for (int roll = 0; roll < DIE; roll++) {
      const int reached = square + roll + 1, end = reached > SQUARES ? square : end_of_move(reached);
      chance_edge edge = {.roll = (uint16_t)roll, .gain = ONE, .to = {0, (uint64_t)end}};
      if (end == SQUARES) edge.to = (game_place){GAME_OVER, 0};
      toy_odds_add(toy, 0, (uint64_t)square, edge);
    }
  }
  toy_odds_seal(toy);
  return toy;
}
