/* Chooses the game of a record, and its rules. */
#include <stdio.h>
#include <strings.h>

#include "analysis/records/judge.h"
#include "base/text.h"
#include "games/game_record.h"
#include "games/registry.h"

/* The games whose records are read, "auale, doushouqi". */
static const char *list_games(char text[256]) {
  *text = '\0';
  for (const game *const *g = game_list(); *g; g++)
    if ((*g)->sides) text_add(text, 256, "%s%s", *text ? ", " : "", (*g)->name);
  return text;
}

static tauler_error choose_game(const record *r, const char *file, const judge_wish *wish, const game **out,
                                tauler_message *message) {
  const char *name = record_game_name(r, wish->game);
  char all[256];
  if (!name)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%.200s:%zu: the record does not name its game: name it with --game (%s), or by a tag "
                       "[Game \"doushouqi\"]",
                       file, r->line, list_games(all));
  *out = game_called(name);
  if (!*out)
    return tauler_fail(message, TAULER_BAD_USAGE, "%.200s:%zu: there is no game '%.60s'; records are of %s",
                       file, r->line, name, list_games(all));
  if (!(*out)->sides)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "%.200s:%zu: %s has no records; games of two players without dice have them: %s", file,
                       r->line, name, list_games(all));
  return TAULER_OK;
}

const char *judge_variant_rules(const game *game, const char *variant) {
  const game_variant *known = game->record ? game->record->variants : NULL;
  for (; known && known->name; known++)
    if (strcasecmp(variant, known->name) == 0) return known->rules;
  return NULL;
}

tauler_error judge_choose(const record *r, const char *file, const judge_wish *wish, const game **out,
                          const char **rules, const char **cycles, tauler_message *message) {
  const char *variant = record_tag_value(r, "Variant");
  const tauler_error error = choose_game(r, file, wish, out, message);
  if (error) return error;
  *rules = wish->rules ? wish->rules : record_tag_value(r, "Rules");
  *cycles = wish->cycles ? wish->cycles : record_tag_value(r, "Cycles");
  if (!*rules && variant) *rules = judge_variant_rules(*out, variant);
  if (!*rules && !variant && r->cut)
    return tauler_fail(
        message, TAULER_BAD_USAGE,
        "%.200s:%zu: this record names no rules, and those before it have tags alone; name the "
        "rules with --rules or by a tag Rules",
        file, r->line);
  if (*rules || !variant) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_USAGE,
                     "%.200s:%zu: the variant '%.60s' is not known; choose the rules with --rules (tauler "
                     "games %s lists them)",
                     file, r->line, variant, (*out)->name);
}
