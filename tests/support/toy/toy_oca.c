#include "tests/support/toy/toy_oca.h"

#include <check.h>

game_rules *toy_oca_open(const char *text) {
  game_rules *rules;
  tauler_message message = {""};
  ck_assert_msg(!oca_game.open(text, NULL, &rules, &message), "%s: %s", text, message.text);
  return rules;
}
