#include "games/phutball/rules.h"

#include <stdlib.h>
#include <string.h>

#include "games/rule_flags.h"

_Static_assert(sizeof(phb_position) <= sizeof(game_position), "a position must fit");

phb_position phb_from_game(const game_position *game) {
  phb_position own;
  memcpy(&own, game->words, sizeof own);
  return own;
}

void phb_to_game(const phb_position *position, game_position *out) {
  memset(out, 0, sizeof *out);
  memcpy(out->words, position, sizeof *position);
}

/* --- rule sets --- */

enum { CORNER, GOAL_LINE, FLAGS };

static const rule_flag flags[FLAGS] = {
    [CORNER] = {"corner", {NULL, "exit"}, 0}, [GOAL_LINE] = {"goal-line", {NULL, "stop"}, 0}};
static const rule_set base = {.name = "base"};
static const rule_flags known = {
    .game = "phutball", .sets = &base, .n_sets = 1, .flags = flags, .n_flags = FLAGS};

tauler_error phb_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  *out = NULL;
  if (cycles)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "phutball has no --cycles: infinite play is drawn under all of its rules, not '%.60s'",
                       cycles);
  rule_choice choice;
  const tauler_error error = rule_flags_read(&known, name, &choice, message);
  if (error) return error;
  game_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the rules of phutball");
  rules->corner_exit = choice.value[CORNER];
  rules->goal_line_stop = choice.value[GOAL_LINE];
  rule_flags_write(&known, &choice, rules->text, sizeof rules->text);
  *out = rules;
  return TAULER_OK;
}

void phb_close(game_rules *rules) {
  free(rules);
}
