/* Measures builds and answers of the two games of the goose. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bench/bench_trial.h"
#include "analysis/probe/tauler.h"
#include "games/game_chance.h"
#include "games/registry.h"

/* --- what is known --- */

/* Published values of a start: no further from the figure than its last digit says. */
typedef struct {
  const char *game, *rules;
  uint64_t size;
  const char *quantity;
  double value, within;
} known_start;

static const known_start known_starts[] = {
    {"oca", "base", 1, "turns", 14.410951048086, 5e-13},
    {"oca", "base", 1, "rolls", 17.193176027029, 5e-13},
    {"oca", "base", 2, "win-1", 0.511066874585, 5e-13},
    {"oca", "base", 2, "win-2", 0.488933125415, 5e-13},
    {"oca", "base", 2, "turns", 27.951880482, 5e-10},
    {"oca", "base", 2, "rolls", 28.355067203, 5e-10},
    {"oca-asesina", "base,board=20", 1, "score-1", 0.501104833671, 5e-13},
    {"oca-asesina", "base", 1, "score-1", 0.503219465746, 5e-13},
};
enum { KNOWN_STARTS = sizeof known_starts / sizeof *known_starts };

static tauler_error check_quantity(const tauler_answer *answer, const known_start *known,
                                   tauler_message *message) {
  size_t i = 0;
  while (i < answer->quantities_used && strcmp(answer->quantities[i].name, known->quantity) != 0) i++;
  if (i == answer->quantities_used)
    return tauler_fail(message, TAULER_NOT_PROVEN, "%s has no %s", known->game, known->quantity);
  const tauler_quantity *found = &answer->quantities[i];
  if (found->lower <= known->value + known->within && found->upper >= known->value - known->within)
    return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN,
                     "%s of %s, %s, of size %llu lies between %.15g and %.15g, not at %.12g", known->quantity,
                     known->game, known->rules, (unsigned long long)known->size, found->lower, found->upper,
                     known->value);
}

static tauler_error ask_start(const bench_trial *trial, const bench_built *built, tauler *db,
                              tauler_answer **answer, tauler_message *message) {
  char text[GAME_TEXT_BYTES];
  game_position start;
  tauler_tables *tables;
  const game_slice *last = &built->slices->slices[built->slices->used - 1];
  built->game->chance->start(built->rules, last->slice, &start);
  built->game->print(built->rules, &start, text);
  const tauler_error error = tauler_select(db, trial->game->name, trial->rules, NULL, &tables, message);
  return error ? error : tauler_probe(tables, text, answer, message);
}

static tauler_error check_start(const bench_trial *trial, const bench_built *built, tauler_message *message) {
  tauler *db = NULL;
  tauler_answer *answer = NULL;
  tauler_error error = tauler_open(built->folder, NULL, &db, message);
  if (!error) error = ask_start(trial, built, db, &answer, message);
  for (size_t i = 0; i < KNOWN_STARTS && !error; i++) {
    const known_start *known = &known_starts[i];
    if (strcmp(known->game, trial->game->name) == 0 && strcmp(known->rules, trial->rules) == 0 &&
        known->size == trial->size)
      error = check_quantity(answer, known, message);
  }
  tauler_answer_free(answer);
  tauler_close(db);
  return error;
}

static tauler_error compare_count(const char *name, uint64_t counted, uint64_t expected,
                                  tauler_message *message) {
  if (counted == expected) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "slice %.40s has %llu positions instead of %llu", name,
                     (unsigned long long)counted, (unsigned long long)expected);
}

/* --- oca --- */

/* By the rule book a token stands on 0 … 62, and has 1 or 2 turns to lose in the inn and in the labyrinth, 1
 * to 3 in the prison. One at most is in the well. */
enum { TOKEN_STANDS = 63 + 2 + 2 + 3 };

static uint64_t positions_of_oca(uint64_t players) {
  uint64_t outside = 1;
  for (uint64_t i = 1; i < players; i++) outside *= TOKEN_STANDS - 1;
  return outside * (TOKEN_STANDS - 1) + players * outside;
}

static tauler_error check_oca(const bench_trial *trial, const bench_built *built, tauler_message *message) {
  uint64_t counted = 0;
  for (size_t i = 0; i < built->slices->used; i++)
    counted += bench_count_copies(built, &built->slices->slices[i]);
  const tauler_error error = compare_count("of oca", counted, positions_of_oca(trial->size), message);
  return error ? error : check_start(trial, built, message);
}

/* --- la oca asesina --- */

/* On either board the player who does not roll has 0 to 3 turns to lose, save in the last turn. */
enum { LOST_TURNS = 4 };

static uint64_t subsets(uint64_t of, uint64_t some) {
  uint64_t ways = 1;
  for (uint64_t i = 0; i < some; i++) ways = ways * (of - i) / (i + 1);
  return some > of ? 0 : ways;
}

/* Ways in which `tokens` of one player stand on so many squares, one or two on each; *used: of `pairs`. */
static uint64_t with_pairs(uint64_t squares, uint64_t tokens, uint64_t pairs, uint64_t *used) {
  const uint64_t alone = tokens - 2 * pairs;
  *used = pairs + alone;
  return pairs + alone > squares ? 0 : subsets(squares, pairs) * subsets(squares - pairs, alone);
}

/* Squares hold tokens of one player only. */
static uint64_t both_stand(uint64_t squares, uint64_t tokens, uint64_t others) {
  uint64_t ways = 0, used, unused;
  for (uint64_t p = 0; 2 * p <= tokens; p++) {
    const uint64_t own = with_pairs(squares, tokens, p, &used);
    for (uint64_t q = 0; own && 2 * q <= others; q++)
      ways += own * with_pairs(squares - used, others, q, &unused);
  }
  return ways;
}

/* The ways to place the tokens of both players that are not home. Any number are on the start; one of the
 * mover's may be on the last square under a forced mark. */
static uint64_t both_hold(uint64_t squares, uint64_t left, uint64_t others_left) {
  uint64_t ways = 0;
  for (uint64_t a = 0; a <= left; a++)
    for (uint64_t b = 0; b <= others_left; b++) ways += both_stand(squares, a, b) * (a < left ? 2 : 1);
  return ways;
}

/* `home`: of both players; if all tokens of the first are home, only the second rolls, once. */
uint64_t bench_positions_of_asesina(uint64_t length, uint64_t tokens, const uint64_t home[2]) {
  const uint64_t first = tokens - home[0], second = tokens - home[1];
  if (first == 0) return both_hold(length - 1, second, 0);
  return LOST_TURNS * (both_hold(length - 1, first, second) + both_hold(length - 1, second, first));
}

/* 63 squares, or as many as the flag says. */
static uint64_t length_of(const char *rules) {
  const char *board = strstr(rules, "board=");
  return board ? strtoull(strchr(board, '=') + 1, NULL, 10) : 63;
}

static tauler_error check_slice_of_asesina(const bench_trial *trial, const bench_built *built,
                                           const game_slice *slice, tauler_message *message) {
  char name[GAME_TEXT_BYTES], *end;
  built->game->slice_name(built->rules, slice->slice, name);
  const uint64_t tokens = strtoull(name, &end, 10);
  uint64_t home[2] = {0, 0};
  for (int seat = 0; seat < 2 && *end; seat++) home[seat] = strtoull(end + 1, &end, 10);
  if (tokens != trial->size || home[0] > tokens || home[1] >= tokens)
    return tauler_fail(message, TAULER_NOT_PROVEN, "slice %.40s should not be there at all", name);
  const uint64_t expected = bench_positions_of_asesina(length_of(trial->rules), tokens, home);
  return compare_count(name, bench_count_copies(built, slice), expected, message);
}

/* Slices have 0 to all tokens of each player home, but never all of the second's. */
static tauler_error check_asesina(const bench_trial *trial, const bench_built *built,
                                  tauler_message *message) {
  const uint64_t slices = (trial->size + 1) * trial->size;
  if (built->slices->used != slices)
    return tauler_fail(message, TAULER_NOT_PROVEN, "there are %zu slices instead of %llu",
                       built->slices->used, (unsigned long long)slices);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < slices && !error; i++)
    error = check_slice_of_asesina(trial, built, &built->slices->slices[i], message);
  return error ? error : check_start(trial, built, message);
}

/* --- reporting --- */

static void report_sweeps(const bench *bench, const char *key, const build_sweeps sweeps[BUILD_SWEEPS]) {
  static const char *const names[] = {
      [BUILD_POTENTIALS] = "potentials", [BUILD_VALUES] = "values", [BUILD_BOUNDS] = "bounds"};
  json_key(bench->json, key);
  json_begin_object(bench->json);
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) {
    json_key(bench->json, names[kind]);
    json_begin_object(bench->json);
    json_field_unsigned(bench->json, "sweeps", sweeps[kind].sweeps);
    json_field_unsigned(bench->json, "updates", sweeps[kind].updates);
    bench_number(bench, "cpu_seconds", sweeps[kind].seconds);
    json_end_object(bench->json);
  }
  json_end_object(bench->json);
}

/* In games without choices nearly all sweeps are for values, and those of bounds prove them. */
static void report_dice(const bench *bench, const bench_trial *trial, const bench_result *result) {
  const build_cost *cost = &result->cost;
  const build_sweeps *bounds = &cost->sweeps[BUILD_BOUNDS];
  const uint64_t quantities = result->streams / 2, updates = build_updates(cost->sweeps);
  bench_number(bench, "width_asked", trial->width);
  bench_number(bench, "width", cost->width);
  json_field_unsigned(bench->json, "quantities", quantities);
  json_field_unsigned(bench->json, "updates", updates);
  bench_number(bench, "updates_per_cpu_second", (double)updates / bench_solving(result));
  json_field_unsigned(bench->json, "interval_updates", bounds->updates);
  bench_number(bench, "interval_updates_per_cpu_second", (double)bounds->updates / bench_solving(result));
  bench_number(bench, "interval_updates_per_cpu_second_of_sweeps", (double)bounds->updates / bounds->seconds);
  bench_number(bench, "solving_bytes_per_position_and_quantity",
               (double)cost->solving_peak / (double)(result->largest * quantities));
  report_sweeps(bench, "all_slices", cost->sweeps);
  report_sweeps(bench, "largest_slice", cost->sweeps_of_largest);
}

/* --- building --- */

typedef struct {
  const char *game, *rules;
  uint64_t size;
  double width;
  bool threads; /* true for as many threads as the command line says, false for one */
} dice_build;

static tauler_error build_one(bench *bench, const dice_build *one, uint64_t size, tauler_message *message) {
  const game *game = game_find(one->game);
  const bench_trial trial = {.game = game,
                             .rules = one->rules,
                             .size = size,
                             .width = one->width,
                             .level = 9,
                             .threads = one->threads ? bench->threads : 1,
                             .check = strcmp(one->game, "oca") == 0 ? check_oca : check_asesina};
  bench_result result;
  const tauler_error error = bench_build_and_report(bench, &trial, &result, message);
  if (error) return error;
  report_dice(bench, &trial, &result);
  if (result.cost.width <= trial.width) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN, "bounds lie up to %.3g apart instead of %.3g",
                     result.cost.width, trial.width);
}

/* A size from the command line is for the last of them, and the others are left out. */
static tauler_error build_all(bench *bench, const dice_build *builds, size_t used, uint64_t size,
                              tauler_message *message) {
  tauler_error error = TAULER_OK;
  json_key(bench->json, "builds");
  json_begin_array(bench->json);
  for (size_t i = size == BENCH_OWN ? 0 : used - 1; i < used && !error; i++) {
    json_begin_object(bench->json);
    error = build_one(bench, &builds[i], bench_size_or(size, builds[i].size), message);
    json_end_object(bench->json);
  }
  json_end_array(bench->json);
  return error;
}

static tauler_error bench_oca(bench *bench, tauler_message *message) {
  static const dice_build builds[] = {{"oca", "base", 2, 1e-9, false}, {"oca", "base", 3, 1e-9, false}};
  return build_all(bench, builds, 2, bench->players, message);
}

static tauler_error bench_oca_large(bench *bench, tauler_message *message) {
  static const dice_build builds[] = {{"oca", "base", 4, 1e-9, true}};
  return build_all(bench, builds, 1, bench->players, message);
}

static tauler_error bench_asesina(bench *bench, tauler_message *message) {
  static const dice_build builds[] = {{"oca-asesina", "base", 1, 1e-9, false},
                                      {"oca-asesina", "base,board=20", 2, 1e-9, false}};
  return build_all(bench, builds, 2, bench->tokens, message);
}

static tauler_error bench_asesina_large(bench *bench, tauler_message *message) {
  static const dice_build builds[] = {{"oca-asesina", "base", 2, 1e-8, true}};
  return build_all(bench, builds, 1, bench->tokens, message);
}

const benchmark bench_of_dice[] = {
    {"oca", "oca, bounds for 2 and 3 players, one thread", false, bench_oca},
    {"oca-asesina", "la oca asesina, bounds for 1 token on board 63 and 2 on board 20, one thread", false,
     bench_asesina},
    {"oca-large", "oca, bounds for 4 players, all threads", true, bench_oca_large},
    {"oca-asesina-large", "la oca asesina, bounds for 2 tokens on board 63, all threads", true,
     bench_asesina_large},
    {NULL, NULL, false, NULL}};
