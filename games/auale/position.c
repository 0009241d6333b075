/* Converts positions of aualé to boards and back, and plays their moves. */
#include "games/auale/position.h"

#include <string.h>

auale_board auale_board_of(const auale_position *position) {
  auale_board board;
  const int first = position->side * ROW_PITS;
  for (int i = 0; i < AUALE_PITS; i++) board.pits[i] = position->pits[(first + i) % AUALE_PITS];
  return board;
}

auale_board auale_board_of_game(const game_position *game) {
  const auale_position position = auale_from_game(game);
  return auale_board_of(&position);
}

void auale_board_to_game(const auale_board *board, game_position *out) {
  auale_position position = {.side = 0};
  memcpy(position.pits, board->pits, AUALE_PITS);
  auale_to_game(&position, out);
}

auale_position auale_position_after(const game_rules *rules, const auale_position *position, int pit,
                                    int *captured) {
  const auale_board board = auale_board_of(position);
  auale_board child;
  *captured = auale_play(rules->grand_slam, &board, pit, &child);
  auale_position after = *position;
  after.side = !position->side;
  const int first = after.side * ROW_PITS;
  for (int i = 0; i < AUALE_PITS; i++) after.pits[(first + i) % AUALE_PITS] = child.pits[i];
  after.stores[position->side] = (uint8_t)(after.stores[position->side] + *captured);
  return after;
}

char auale_pit_letter(const auale_position *position, int pit) {
  return (char)((position->side ? 'a' : 'A') + pit);
}
