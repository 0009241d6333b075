/* Finds where a record contradicts itself: rules, start and result that it names twice. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/records/judge.h"
#include "games/game_record.h"
#include "games/game_text.h"

enum { SENTENCE_BYTES = 320 };

__attribute__((format(printf, 3, 4))) static tauler_error say(judged_game *out, tauler_message *message,
                                                              const char *format, ...) {
  char text[SENTENCE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const char *kept = text_pool_add(&out->pool, text);
  if (!kept) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to judge a game");
  out->contradictions[out->contradictions_used++] = kept;
  return TAULER_OK;
}

/* An unknown variant contradicts every rule set. */
static bool is_variant(tauler *db, const tauler_tables *tables, const char *variant, const char *cycles) {
  tauler_tables *named = NULL;
  const char *rules = judge_variant_rules(tables->game, variant);
  return rules && !tauler_select(db, tables->game->name, rules, cycles, &named, NULL) && named == tables;
}

static tauler_error check_rules(tauler *db, const record *r, const judge_wish *wish,
                                const tauler_tables *tables, judged_game *out, tauler_message *message) {
  const record_tag *variant = record_tag_of(r, "Variant"), *rules = record_tag_of(r, "Rules");
  const char *cycles = wish->cycles ? wish->cycles : record_tag_value(r, "Cycles");
  if (!variant || !rules || wish->rules || !record_tag_value(r, "Variant") || !record_tag_value(r, "Rules") ||
      is_variant(db, tables, variant->value, cycles))
    return TAULER_OK;
  return say(out, message, "Variant says %.60s (line %zu), but Rules says %.60s (line %zu), which holds",
             variant->value, variant->line, rules->value, rules->line);
}

static bool is_start(const tauler_tables *tables, const char *text, const game_position *start) {
  game_position position;
  return !game_text_parse(tables->game, tables->rules, text, &position, NULL, NULL) &&
         memcmp(&position, start, sizeof position) == 0;
}

static tauler_error check_start(const record *r, const tauler_tables *tables, judged_game *out,
                                tauler_message *message) {
  game_position start;
  const record_tag *tag = record_tag_of(r, "Position");
  const char *other = record_tag_value(r, "Position");
  if (!other || !record_tag_value(r, "FEN")) return TAULER_OK;
  const tauler_error error =
      game_text_parse(tables->game, tables->rules, judge_start(r, tables->game), &start, NULL, message);
  if (error || is_start(tables, judge_start_of(tables->game, other), &start)) return error;
  return say(out, message, "FEN and Position (line %zu) are different positions; FEN holds", tag->line);
}

static tauler_error check_results(const record *r, judged_game *out, tauler_message *message) {
  const char *tag, *ending;
  size_t tag_line, ending_line;
  if (!judge_results_differ(r, &tag, &tag_line, &ending, &ending_line)) return TAULER_OK;
  return say(out, message, "Result says %.40s (line %zu), but the moves end with %.40s (line %zu)", tag,
             tag_line, ending, ending_line);
}

tauler_error judge_contradictions(tauler *db, const record *r, const judge_wish *wish,
                                  const tauler_tables *tables, judged_game *out, tauler_message *message) {
  tauler_error error = check_rules(db, r, wish, tables, out, message);
  if (!error) error = check_start(r, tables, out, message);
  return error ? error : check_results(r, out, message);
}
