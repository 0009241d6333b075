/* Any text as a position of any game and rule set: it is refused with a sentence, or it is a position
 * that prints as text which reads as the same position, whose moves can be listed and played (if they are
 * not too many). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "games/game_text.h"
#include "games/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds) {
  if (!holds) abort();
}

/* Rule sets, and whether tables hold positions of any size. */
static const struct {
  const char *game, *rules;
  bool any_size;
} rule_sets[] = {{"auale", "awari", true},
                 {"auale", "abapa", true},
                 {"doushouqi", "base", false},
                 {"doushouqi", "liacs,clearings", false},
                 {"doushouqi", "base,lakes=drink,drinkers=block", false},
                 {"phutball", "base", false},
                 {"phutball", "corner=exit,goal-line=stop", false}};
enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets };

/* Of Phutball, whose jump paths have no useful bound, boards of few men. */
enum { MOST_MEN = 14 };

static bool has_few_moves(const game *game, const char *printed) {
  size_t men = 0;
  for (const char *at = printed; *at; at++) men += *at == 'x';
  return strcmp(game->name, "phutball") != 0 || men <= MOST_MEN;
}

static void try_position(const game *game, const game_rules *rules, bool any_size, const char *text) {
  game_position position, again;
  tauler_message message = {""};
  const tauler_error error = game_text_parse(game, rules, text, &position, NULL, &message);
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
  if (!has_few_moves(game, printed)) return;
  game_moves moves = {0};
  check(game->moves(rules, &position, &moves) == TAULER_OK);
  int value;
  check(game->position_ended(rules, &position, &value) == (moves.used == 0));
  game_place place;
  const bool held = game->locate(rules, &position, &place);
  if (held) check(place.index < game->positions(rules, place.slice));
  for (size_t i = 0; i < moves.used; i++) {
    const game_move *move = &moves.moves[i];
    if (move->over || !(held || any_size)) continue;
    check(game->locate(rules, &move->child, &place) && place.index < game->positions(rules, place.slice));
  }
  game_moves_free(&moves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 4096) return 0;
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  static game_rules *opened[RULE_SETS]; /* once: some take milliseconds */
  for (int i = 0; i < RULE_SETS; i++) {
    const game *game = game_find(rule_sets[i].game);
    if (!opened[i] && game->open(rule_sets[i].rules, NULL, &opened[i], NULL)) abort();
    try_position(game, opened[i], rule_sets[i].any_size, text);
  }
  free(text);
  return 0;
}
