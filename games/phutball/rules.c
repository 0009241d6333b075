/* Opens rule sets of Phutball. */
#include "games/phutball/rules.h"
#include "games/registry.h"

enum { CORNER, GOAL_LINE, FLAGS };

static const rule_flag flags[FLAGS] = {
    [CORNER] = {"corner", {NULL, "exit"}, 0}, [GOAL_LINE] = {"goal-line", {NULL, "stop"}, 0}};
static const rule_set base = {.name = "base"};
static const rule_flags known = {.game = "phutball",
                                 .sets = &base,
                                 .n_sets = 1,
                                 .flags = flags,
                                 .n_flags = FLAGS,
                                 .endless = "infinite play is drawn under all of its rules"};

tauler_error phb_open(const char *name, const char *cycles, game_rules **out, tauler_message *message) {
  const tauler_error error = game_base_open(&phutball_game, &known, name, cycles, sizeof **out, out, message);
  if (error) return error;
  (*out)->corner_exit = (*out)->base.flag[CORNER];
  (*out)->goal_line_stop = (*out)->base.flag[GOAL_LINE];
  return TAULER_OK;
}
