/* Reads rule sets of Dou Shou Qi, "base,leopard=wide", as flags. */
#include "games/doushouqi/rules.h"

static const rule_flag flags[DSQ_FLAGS] = {
    [DSQ_WOLF_OVER_DOG] = {.name = "wolf-over-dog"},
    [DSQ_LEOPARD_JUMPS] = {"leopard", {"narrow", "wide", "none"}, 0},
    [DSQ_CLEARINGS] = {.name = "clearings"},
    [DSQ_LAKES] = {"lakes", {"water", "plain", "drink"}, 0},
    [DSQ_DRINKERS_BLOCK] = {"drinkers", {NULL, "block"}, 0},
    [DSQ_JUMP_BLOCK_PATH] = {"jump-block", {NULL, "path"}, 0},
    [DSQ_STALEMATE_LOSES] = {"stalemate", {NULL, "loss"}, 0},
    [DSQ_ELEPHANT_TAKES_RAT] = {.name = "elephant-takes-rat"},
    [DSQ_RAT_SHORE_LIACS] = {"rat-shore", {NULL, "liacs"}, 0},
};

enum { BASE, LIACS, SETS };

static const rule_set sets[SETS] = {
    [BASE] = {.name = "base"},
    [LIACS] = {"liacs",
               {[DSQ_LEOPARD_JUMPS] = LEOPARD_NONE,
                [DSQ_JUMP_BLOCK_PATH] = 1,
                [DSQ_STALEMATE_LOSES] = 1,
                [DSQ_ELEPHANT_TAKES_RAT] = 1,
                [DSQ_RAT_SHORE_LIACS] = 1}},
};

static const char no_lakes[] = "there are no jumps and no water then";

static const rule_contradiction contradictions[] = {{DSQ_LAKES, LAKES_PLAIN, DSQ_LEOPARD_JUMPS, no_lakes},
                                                    {DSQ_LAKES, LAKES_PLAIN, DSQ_DRINKERS_BLOCK, no_lakes},
                                                    {DSQ_LAKES, LAKES_PLAIN, DSQ_JUMP_BLOCK_PATH, no_lakes},
                                                    {DSQ_LAKES, LAKES_PLAIN, DSQ_RAT_SHORE_LIACS, no_lakes}};

const rule_flags dsq_known_flags = {.game = "dou shou qi",
                                    .sets = sets,
                                    .n_sets = SETS,
                                    .flags = flags,
                                    .n_flags = DSQ_FLAGS,
                                    .contradictions = contradictions,
                                    .n_contradictions = sizeof contradictions / sizeof *contradictions};

/* Returns the rule set that the canonical text names: liacs if all its flags are set, except perhaps the
 * leopard's. */
static size_t rule_set_of(const uint8_t value[DSQ_FLAGS]) {
  for (int flag = 0; flag < DSQ_FLAGS; flag++) {
    if (flag != DSQ_LEOPARD_JUMPS && sets[LIACS].value[flag] && !value[flag]) return BASE;
  }
  return LIACS;
}

tauler_error dsq_flags_read(const char *text, rule_choice *out, tauler_message *message) {
  const tauler_error error = rule_flags_read(&dsq_known_flags, text, out, message);
  if (error) return error;
  if (out->value[DSQ_DRINKERS_BLOCK] && out->value[DSQ_LAKES] != LAKES_DRINK)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "drinkers=block contradicts lakes=water: nobody drinks without lakes=drink");
  out->set = rule_set_of(out->value);
  return TAULER_OK;
}
