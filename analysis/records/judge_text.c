/* Interprets a record by its game: rules, start, sides, end, notation, and where it contradicts itself. */
#include "analysis/records/judge.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/print/print.h"
#include "analysis/probe/probe_tables.h"
#include "base/text.h"
#include "games/game_record.h"
#include "games/game_text.h"
#include "games/registry.h"

enum { RESULT_BYTES = 32, REASON_BYTES = 96, SENTENCE_BYTES = 320 };

/* --- game and rules --- */

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

/* Returns the rules for the name of a variant in other programs, or NULL if it is unknown. */
static const char *variant_rules(const game *game, const char *variant) {
  const game_variant *known = game->record ? game->record->variants : NULL;
  for (; known && known->name; known++)
    if (strcasecmp(variant, known->name) == 0) return known->rules;
  return NULL;
}

tauler_error judge_choose_rules(const record *r, const char *file, const judge_wish *wish, const game **out,
                                const char **rules, const char **cycles, tauler_message *message) {
  const char *variant = record_tag_value(r, "Variant");
  const tauler_error error = choose_game(r, file, wish, out, message);
  if (error) return error;
  *rules = wish->rules ? wish->rules : record_tag_value(r, "Rules");
  *cycles = wish->cycles ? wish->cycles : record_tag_value(r, "Cycles");
  if (!*rules && variant) *rules = variant_rules(*out, variant);
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

/* --- start and sides --- */

static const char *start_position(const game *game, const char *said) {
  return strcmp(said, "startpos") != 0 ? said : game->start;
}

const char *judge_find_start(const record *r, const game *game) {
  const char *said = r->position;
  if (!said) said = record_tag_value(r, "FEN");
  if (!said) said = record_tag_value(r, "Position");
  return said ? start_position(game, said) : game->start;
}

int judge_side_of_turn(const game *game, const char *turn) {
  return *turn == *game->sides[1].turn;
}

/* Reads the seeds of a canonical position. Returns false in games without stores. */
static bool read_shares(const game *game, const char *position, game_shares *out) {
  return game->record && game->record->shares && game->record->shares(position, out);
}

int judge_lead_of_side(const game *game, const char *position, int side) {
  game_shares s;
  return read_shares(game, position, &s) ? s.store[side] - s.store[!side] : 0;
}

int judge_count_seeds(const game *game, const char *position) {
  game_shares s;
  return read_shares(game, position, &s) ? s.all : 0;
}

/* --- results --- */

static tauler_error store_result(judged_game *out, double first, double second, const char **slot,
                                 tauler_message *message) {
  char text[RESULT_BYTES];
  snprintf(text, sizeof text, "%g-%g", first, second);
  return judge_copy_text(out, text, slot, message);
}

static tauler_error store_result_of_worth(judged_game *out, int side, double worth, const char *position,
                                          const char **slot, tauler_message *message) {
  game_shares s;
  double both[JUDGED_SIDES];
  if (read_shares(out->game, position, &s)) {
    const int board = s.row[0] + s.row[1];
    both[side] = s.store[side] + (board + worth) / 2;
    both[!side] = s.store[!side] + (board - worth) / 2;
    return store_result(out, both[0], both[1], slot, message);
  }
  if (worth == 0) {
    *slot = "1/2-1/2";
    return TAULER_OK;
  }
  return store_result(out, (worth > 0) == (side == 0), (worth > 0) != (side == 0), slot, message);
}

static bool is_repeated(const judged_game *out) {
  for (size_t i = 0; i < out->moves_used; i++)
    if (strcmp(out->moves[i].position, out->end) == 0) return true;
  return false;
}

/* True if one store has more than half of all seeds, so that players may stop. */
static bool is_decided(const judged_game *out, game_shares *s) {
  if (!read_shares(out->game, out->end, s)) return false;
  const int all = s->row[0] + s->row[1] + s->store[0] + s->store[1];
  return 2 * s->store[0] > all || 2 * s->store[1] > all;
}

static tauler_error find_result(judged_game *out, const tauler_answer *last, bool over,
                                tauler_message *message) {
  game_shares s;
  out->over = over || last->ended || last->history.over;
  if (over) {
    const judged_move *final = &out->moves[out->moves_used - 1];
    return store_result_of_worth(out, final->side, final->made.lower, final->position, &out->reached,
                                 message);
  }
  out->end_worth = last->history.given ? last->history.worth : last->worth;
  if (out->over && !out->end_worth.known) return TAULER_OK;
  if (out->end_worth.known && out->end_worth.lower == out->end_worth.upper) {
    const tauler_error error =
        store_result_of_worth(out, judge_side_of_turn(out->game, last->turn), out->end_worth.lower, out->end,
                              out->over ? &out->reached : &out->expected, message);
    if (error || out->over) return error;
  }
  out->repeated = is_repeated(out);
  if (out->repeated && read_shares(out->game, out->end, &s))
    return store_result(out, s.store[0] + s.row[0], s.store[1] + s.row[1], &out->reached, message);
  if (is_decided(out, &s)) return store_result(out, s.store[0], s.store[1], &out->reached, message);
  return TAULER_OK;
}

/* Reads a result: 1, 0.5 or 0 for each side, or seeds. Returns false if the text is no result. */
static bool read_result(const char *text, double *first, double *second, bool *seeds_said) {
  char *end;
  *seeds_said = false;
  *first = *second = 0.5;
  if (strcmp(text, "1/2-1/2") == 0) return true;
  *first = strtod(text, &end);
  if (end == text || *end != '-') return false;
  const char *behind = end + 1;
  *second = strtod(behind, &end);
  *seeds_said = *first + *second > 1;
  return end != behind && *end == '\0';
}

static int sign(double n) {
  return (n > 0) - (n < 0);
}

static bool results_agree(const char *said, const char *reached) {
  double a[JUDGED_SIDES], b[JUDGED_SIDES];
  bool seeds_said, seeds_reached;
  if (!read_result(said, &a[0], &a[1], &seeds_said) || !read_result(reached, &b[0], &b[1], &seeds_reached))
    return false;
  if (seeds_said && seeds_reached) return a[0] == b[0] && a[1] == b[1];
  return sign(a[0] - a[1]) == sign(b[0] - b[1]);
}

/* A result in the record. `text` is NULL if it is missing or unknown. */
typedef struct {
  const char *text;
  size_t line, column;
} said_result;

typedef struct {
  said_result tag, ending;
} said_results;

/* Finds the results in the tag Result and after the moves. If other items than comments follow a result, it
 * is that of a variation. */
static said_results find_said_results(const record *r) {
  said_results said = {.tag = {NULL, 0, 0}};
  const record_tag *tag = record_tag_of(r, "Result");
  size_t end = r->items_used;
  while (end > 0 && r->items[end - 1].kind == RECORD_COMMENT) end--;
  const record_item *last = end > 0 ? &r->items[end - 1] : NULL;
  if (record_tag_value(r, "Result") && strcmp(tag->value, "*") != 0)
    said.tag = (said_result){tag->value, tag->line, tag->column};
  if (last && last->kind == RECORD_ENDING && strcmp(last->text, "*") != 0)
    said.ending = (said_result){last->text, last->line, last->column};
  return said;
}

static bool read_seeds(const char *text, size_t shares[JUDGED_SIDES]) {
  char *end;
  shares[0] = strtoul(text, &end, 10);
  if (end == text || *end != '-' || !isdigit((unsigned char)end[1])) return false;
  shares[1] = strtoul(end + 1, &end, 10);
  return isdigit((unsigned char)*text) && *end == '\0';
}

/* Writes "" if the result is possible. Stores may be smaller than the captures of the whole game, since a
 * first position may omit seeds captured before it. */
static void write_why_impossible(const judged_game *out, const char *said, char why[REASON_BYTES]) {
  static const char *const outcomes[] = {"1-0", "0-1", "1/2-1/2"};
  size_t shares[JUDGED_SIDES] = {0, 0};
  game_shares s;
  *why = '\0';
  for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
    if (strcmp(said, outcomes[i]) == 0) return;
  if (!read_shares(out->game, out->end, &s)) {
    snprintf(why, REASON_BYTES, "it is none of 1-0, 0-1, 1/2-1/2 and *");
    return;
  }
  const size_t all = (size_t)s.all;
  if (!read_seeds(said, shares)) {
    snprintf(why, REASON_BYTES, "it is none of 1-0, 0-1, 1/2-1/2 and *, nor the seeds of both, 25-23");
  } else if (shares[0] > all || shares[1] > all - shares[0]) {
    snprintf(why, REASON_BYTES, "there are %zu seeds", all);
  }
  for (int side = 0; side < JUDGED_SIDES && !*why; side++)
    if (shares[side] < (size_t)s.store[side])
      snprintf(why, REASON_BYTES, "%s has captured %d", out->side_names[side], s.store[side]);
}

static tauler_error refuse_if_impossible(const judged_game *out, said_result said, const char *file,
                                         tauler_message *message) {
  char why[REASON_BYTES] = "";
  if (said.text) write_why_impossible(out, said.text, why);
  if (!*why) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_POSITION, "%.200s:%zu:%zu: the result %.40s cannot be: %s", file,
                     said.line, said.column, said.text, why);
}

/* Compares the record's result with the result reached. If one store has more than half of all seeds, the
 * stores are right, too, since players may stop. */
static result_check check_result(const judged_game *out) {
  char stores[RESULT_BYTES];
  game_shares s;
  if (!out->result) return RESULT_UNSAID;
  if (!out->reached) return RESULT_OPEN;
  if (results_agree(out->result, out->reached)) return RESULT_AGREES;
  if (!is_decided(out, &s)) return RESULT_DIFFERS;
  snprintf(stores, sizeof stores, "%d-%d", s.store[0], s.store[1]);
  return results_agree(out->result, stores) ? RESULT_AGREES : RESULT_DIFFERS;
}

tauler_error judge_set_end(judged_game *out, const record *r, const char *file, const tauler_answer *last,
                           bool over, tauler_message *message) {
  for (int side = 0; side < JUDGED_SIDES; side++) {
    out->side_names[side] = out->game->sides[side].name;
    out->players[side] = record_tag_value(r, out->side_names[side]);
  }
  const said_results said = find_said_results(r);
  tauler_error error = find_result(out, last, over, message);
  if (!error) error = refuse_if_impossible(out, said.tag, file, message);
  if (!error) error = refuse_if_impossible(out, said.ending, file, message);
  const said_result *kept = said.tag.text ? &said.tag : &said.ending;
  out->result = kept->text;
  out->result_line = kept->line;
  out->check = check_result(out);
  return error;
}

/* --- contradictions --- */

__attribute__((format(printf, 3, 4))) static tauler_error
add_contradiction(judged_game *out, tauler_message *message, const char *format, ...) {
  char text[SENTENCE_BYTES];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return judge_copy_text(out, text, &out->contradictions[out->contradictions_used++], message);
}

static bool variant_has_these_rules(tauler *db, const tauler_tables *tables, const char *variant,
                                    const char *cycles) {
  tauler_tables *named = NULL;
  const char *rules = variant_rules(tables->game, variant);
  return rules && !tauler_select(db, tables->game->name, rules, cycles, &named, NULL) && named == tables;
}

static tauler_error check_rules(tauler *db, const record *r, const judge_wish *wish,
                                const tauler_tables *tables, judged_game *out, tauler_message *message) {
  const record_tag *variant = record_tag_of(r, "Variant"), *rules = record_tag_of(r, "Rules");
  const char *cycles = wish->cycles ? wish->cycles : record_tag_value(r, "Cycles");
  if (!variant || !rules || wish->rules || !record_tag_value(r, "Variant") || !record_tag_value(r, "Rules") ||
      variant_has_these_rules(db, tables, variant->value, cycles))
    return TAULER_OK;
  return add_contradiction(out, message,
                           "Variant says %.60s (line %zu), but Rules says %.60s (line %zu), which holds",
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
      game_text_parse(tables->game, tables->rules, judge_find_start(r, tables->game), &start, NULL, message);
  if (error || is_start(tables, start_position(tables->game, other), &start)) return error;
  return add_contradiction(out, message, "FEN and Position (line %zu) are different positions; FEN holds",
                           tag->line);
}

static tauler_error check_results(const record *r, judged_game *out, tauler_message *message) {
  const said_results said = find_said_results(r);
  if (!said.tag.text || !said.ending.text || results_agree(said.tag.text, said.ending.text)) return TAULER_OK;
  return add_contradiction(out, message,
                           "Result says %.40s (line %zu), but the moves end with %.40s (line %zu)",
                           said.tag.text, said.tag.line, said.ending.text, said.ending.line);
}

tauler_error judge_add_contradictions(tauler *db, const record *r, const judge_wish *wish,
                                      const tauler_tables *tables, judged_game *out,
                                      tauler_message *message) {
  tauler_error error = check_rules(db, r, wish, tables, out, message);
  if (!error) error = check_start(r, tables, out, message);
  return error ? error : check_results(r, out, message);
}

/* --- notation --- */

static tauler_error write_move(const tauler_tables *tables, const char *notation, judged_game *out,
                               judged_move *move, tauler_message *message) {
  text_pool *pool = &out->pool;
  tauler_error error = notate_moves(tables, notation, pool, move->position, &move->name, message);
  if (!error) error = notate_moves(tables, notation, pool, move->position, &move->best_moves, message);
  return error ? error : notate_position(tables, notation, pool, &move->position, message);
}

tauler_error judge_rewrite_notation(const tauler_tables *tables, const char *notation, judged_game *out,
                                    tauler_message *message) {
  if (!notation) return TAULER_OK;
  tauler_error error = notate_position(tables, notation, &out->pool, &out->start, message);
  if (!error) error = notate_position(tables, notation, &out->pool, &out->end, message);
  for (size_t i = 0; i < out->moves_used && !error; i++)
    error = write_move(tables, notation, out, &out->moves[i], message);
  return error;
}
