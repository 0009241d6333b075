#include "tests/support/rules.h"

#include "tests/support/suite.h"

typedef struct {
  void (*close)(game_rules *rules);
  game_rules *rules;
} opened;

static void close_opened(void *thing) {
  const opened *o = thing;
  o->close(o->rules);
}

game_rules *suite_rules(const game *game, const char *rules, const char *cycles) {
  opened *o = suite_zeros(1, sizeof *o);
  o->close = game->close;
  if (game->open(rules, cycles, &o->rules, hear())) ck_abort_msg("%s, %s: %s", game->name, rules, said.text);
  suite_own(o, close_opened);
  return o->rules;
}
