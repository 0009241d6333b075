/* Which game a record is of, and by which rules. */
#include <string.h>
#include <strings.h>

#include "analysis/records/judge.h"
#include "games/registry.h"

/* Rule sets by the names that other programs give them. */
static const struct {
  const char *variant, *rules;
} variants[] = {{"Oware Abapa", "abapa"},
                {"Abapa", "abapa"},
                {"Awari", "awari"},
                {"awari,grand-slam=captures", "awari,grand-slam=captures"}};

static tauler_error choose_game(const record *r, const char *file, const judge_wish *wish, const game **out,
                                tauler_message *message) {
  const char *name = record_game_name(r, wish->game);
  if (!name)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%.200s:%zu: the record does not say of which game it is: --game auale, doushouqi or "
                       "phutball does, or a tag [Game \"doushouqi\"]",
                       file, r->line);
  *out = game_find(name);
  if (!*out)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%.200s:%zu: there is no game '%.60s'; records are of auale, doushouqi or phutball",
                       file, r->line, name);
  if ((*out)->chance)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%.200s:%zu: %s is a game of dice, of which no records are read", file, r->line, name);
  return TAULER_OK;
}

tauler_error judge_choose(const record *r, const char *file, const judge_wish *wish, const game **out,
                          const char **rules, const char **cycles, tauler_message *message) {
  const char *variant = record_tag_value(r, "Variant");
  const tauler_error error = choose_game(r, file, wish, out, message);
  if (error) return error;
  *rules = wish->rules ? wish->rules : record_tag_value(r, "Rules");
  *cycles = wish->cycles ? wish->cycles : record_tag_value(r, "Cycles");
  if (*rules || !variant) return TAULER_OK;
  for (size_t i = 0; i < sizeof variants / sizeof *variants && strcmp((*out)->name, "auale") == 0; i++) {
    if (strcasecmp(variant, variants[i].variant) == 0) *rules = variants[i].rules;
  }
  if (*rules) return TAULER_OK;
  return tauler_fail(
      message, TAULER_BAD_USAGE,
      "%.200s:%zu: the variant '%.60s' is not known; choose the rules with --rules (tauler games "
      "%s lists them)",
      file, r->line, variant, (*out)->name);
}
