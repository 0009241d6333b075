/* Reads rule sets of Dou Shou Qi, "base,leopard=wide", as flags, and writes them. */
#include <string.h>

#include "games/doushouqi/rules.h"
#include "games/rule_flags.h"

enum {
  WOLF_OVER_DOG,
  LEOPARD,
  CLEARINGS,
  LAKES,
  DRINKERS,
  JUMP_BLOCK,
  STALEMATE,
  ELEPHANT_TAKES_RAT,
  RAT_SHORE,
  FLAGS
};

static const rule_flag flags[FLAGS] = {
    [WOLF_OVER_DOG] = {.name = "wolf-over-dog"},
    [LEOPARD] = {"leopard", {"narrow", "wide", "none"}, 0},
    [CLEARINGS] = {.name = "clearings"},
    [LAKES] = {"lakes", {"water", "plain", "drink"}, 0},
    [DRINKERS] = {"drinkers", {NULL, "block"}, 0},
    [JUMP_BLOCK] = {"jump-block", {NULL, "path"}, 0},
    [STALEMATE] = {"stalemate", {NULL, "loss"}, 0},
    [ELEPHANT_TAKES_RAT] = {.name = "elephant-takes-rat"},
    [RAT_SHORE] = {"rat-shore", {NULL, "liacs"}, 0},
};

enum { BASE, LIACS, SETS };

static const rule_set sets[SETS] = {
    [BASE] = {.name = "base"},
    [LIACS] = {"liacs",
               {[LEOPARD] = LEOPARD_NONE,
                [JUMP_BLOCK] = 1,
                [STALEMATE] = 1,
                [ELEPHANT_TAKES_RAT] = 1,
                [RAT_SHORE] = 1}},
};

static const char no_lakes[] = "there are no jumps and no water then";

static const rule_contradiction contradictions[] = {{LAKES, LAKES_PLAIN, LEOPARD, no_lakes},
                                                    {LAKES, LAKES_PLAIN, DRINKERS, no_lakes},
                                                    {LAKES, LAKES_PLAIN, JUMP_BLOCK, no_lakes},
                                                    {LAKES, LAKES_PLAIN, RAT_SHORE, no_lakes}};

static const rule_flags known = {.game = "dou shou qi",
                                 .sets = sets,
                                 .n_sets = SETS,
                                 .flags = flags,
                                 .n_flags = FLAGS,
                                 .contradictions = contradictions,
                                 .n_contradictions = sizeof contradictions / sizeof *contradictions};

/* Returns the rule set that the canonical text names: liacs if all its flags are set, except perhaps the
 * leopard's. */
static size_t set_of(const uint8_t value[FLAGS]) {
  for (int flag = 0; flag < FLAGS; flag++) {
    if (flag != LEOPARD && sets[LIACS].value[flag] && !value[flag]) return BASE;
  }
  return LIACS;
}

tauler_error dsq_flags_read(const char *text, dsq_flags *out, char canonical[DSQ_RULES_BYTES],
                            tauler_message *message) {
  rule_choice choice;
  const tauler_error error = rule_flags_read(&known, text, &choice, message);
  if (error) return error;
  const uint8_t *value = choice.value;
  if (value[DRINKERS] && value[LAKES] != LAKES_DRINK)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "drinkers=block contradicts lakes=water: nobody drinks without lakes=drink");
  *out = (dsq_flags){
      .wolf_over_dog = value[WOLF_OVER_DOG],
      .clearings = value[CLEARINGS],
      .drinkers_block = value[DRINKERS],
      .jump_block_path = value[JUMP_BLOCK],
      .stalemate_loses = value[STALEMATE],
      .elephant_takes_rat = value[ELEPHANT_TAKES_RAT],
      .shore_liacs = value[RAT_SHORE],
      .leopard = (leopard_jumps)value[LEOPARD],
      .lakes = (lake_kind)value[LAKES],
  };
  choice.set = set_of(value);
  rule_flags_write(&known, &choice, canonical, DSQ_RULES_BYTES);
  return TAULER_OK;
}
