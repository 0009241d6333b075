/* Any text as a position of any game and rule set: it is refused with a sentence, or it is a position
 * that prints as text which reads as the same position, whose moves can be listed and played. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds) {
  if (!holds) abort();
}

static void try_position(const game *game, const game_rules *rules, const char *text) {
  game_position position, again;
  tauler_message message = {""};
  const tauler_error error = game->parse(rules, text, &position, &message);
  check(!error == !message.text[0]);
  if (error) {
    check(error == TAULER_BAD_POSITION);
    return;
  }
  char printed[GAME_TEXT_BYTES], drawn[GAME_DRAWING_BYTES];
  game->print(rules, &position, printed);
  game->draw(rules, &position, drawn);
  check(strlen(printed) < sizeof printed && strlen(drawn) < sizeof drawn);
  check(game->parse(rules, printed, &again, &message) == TAULER_OK);
  char printed_again[GAME_TEXT_BYTES];
  game->print(rules, &again, printed_again);
  check(strcmp(printed, printed_again) == 0);
  game_moves moves = {0};
  check(game->moves(rules, &position, &moves) == TAULER_OK);
  int value;
  check(game->position_ended(rules, &position, &value) == (moves.used == 0));
  game_place place;
  if (game->locate(rules, &position, &place)) check(place.index < game->positions(rules, place.slice));
  for (size_t i = 0; i < moves.used; i++)
    check(moves.moves[i].over || game->locate(rules, &moves.moves[i].child, &place));
  game_moves_free(&moves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096) return 0;
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  static const char *const rule_sets[] = {"awari", "abapa"};
  for (int i = 0; i < 2; i++) {
    const game *game = game_find("auale");
    game_rules *rules;
    if (game->open(rule_sets[i], NULL, &rules, NULL)) abort();
    try_position(game, rules, text);
    game->close(rules);
  }
  free(text);
  return 0;
}
