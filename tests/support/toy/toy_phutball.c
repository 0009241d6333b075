#include "tests/support/toy/toy_phutball.h"

#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

const char *const toy_phb_rule_sets[TOY_PHB_RULE_SETS] = {"base", "base,corner=exit", "base,goal-line=stop",
                                                          "base,corner=exit,goal-line=stop"};

game_rules *toy_phb_open(const char *text) {
  return suite_rules(&phutball_game, text, NULL);
}

phb_position toy_phb_read(const game_rules *rules, const char *text) {
  game_position game;
  if (phb_parse(rules, text, &game, hear())) ck_abort_msg("%s", said.text);
  return phb_from_game(&game);
}

void toy_phb_print(const phb_position *position, char text[GAME_TEXT_BYTES]) {
  game_position game;
  phb_to_game(position, &game);
  phb_print(NULL, &game, text);
}

phb_position toy_phb_position(int rows, int columns, uint64_t men, uint64_t *state) {
  phb_position position = {.rows = (uint8_t)rows, .columns = (uint8_t)columns};
  position.side = (uint8_t)draw_below(state, 2);
  const int balls = (rows - 2) * columns;
  position.ball = (uint16_t)(columns + (int)draw_below(state, (uint64_t)balls));
  for (int point = 0; point < rows * columns; point++) {
    if (point != position.ball && draw_below(state, 100) < men) phb_set_man(&position, point, true);
  }
  return position;
}

static int mirror_point(const phb_position *position, int point) {
  const int columns = position->columns;
  return point - point % columns + columns - 1 - point % columns;
}

static int turn_point(const phb_position *position, int point) {
  return position->rows * position->columns - 1 - point;
}

static phb_position move_points(const phb_position *position, int (*image)(const phb_position *, int)) {
  phb_position moved = {.rows = position->rows, .columns = position->columns, .side = position->side};
  moved.ball = (uint16_t)image(position, position->ball);
  for (int word = 0; word < PHB_SET_WORDS; word++) {
    for (uint64_t men = position->men[word]; men; men &= men - 1)
      phb_set_man(&moved, image(position, word * 64 + __builtin_ctzll(men)), true);
  }
  return moved;
}

phb_position toy_phb_mirror(const phb_position *position) {
  return move_points(position, mirror_point);
}

phb_position toy_phb_turn_round(const phb_position *position) {
  phb_position turned = move_points(position, turn_point);
  turned.side = !position->side;
  return turned;
}
