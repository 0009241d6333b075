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

static game_slices owned(const game *game, tauler_error error, game_slices slices) {
  if (error) ck_abort_msg("%s: %s", game->name, said.text);
  suite_own(slices.slices, free);
  return slices;
}

game_slices suite_slices(const game *game, const game_rules *rules, const game_request *request) {
  game_slices slices;
  const tauler_error error = game->slices(rules, request, &slices, hear());
  return owned(game, error, slices);
}

game_slices suite_needs(const game *game, const game_rules *rules, uint32_t slice) {
  game_slices slices;
  const tauler_error error = game->needs(rules, slice, &slices, hear());
  return owned(game, error, slices);
}
