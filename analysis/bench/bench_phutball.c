/* Measures builds of small boards of Phutball. */
#include <stdlib.h>

#include "analysis/bench/bench_moves.h"
#include "analysis/bench/bench_trial.h"
#include "games/registry.h"

enum { MOST_BUILDS = 2 };

/* Boards one after the other, unless the command line names one. */
typedef struct {
  const char *boards[MOST_BUILDS];
  bool threads; /* true for as many threads as the command line says, false for one */
} board_list;

static tauler_error open_board(const char *text, game_rules **rules, game_slices *slices,
                               tauler_message *message) {
  const game *game = game_find("phutball");
  const game_request request = {.board = text};
  tauler_error error = game->open("base", NULL, rules, message);
  if (error) return error;
  error = game->slices(*rules, &request, slices, message);
  if (error) game->close(*rules);
  return error;
}

tauler_error bench_check_board(const char *text, tauler_message *message) {
  game_rules *rules;
  game_slices slices;
  const tauler_error error = open_board(text, &rules, &slices, message);
  if (error) return error;
  free(slices.slices);
  game_find("phutball")->close(rules);
  return TAULER_OK;
}

/* By the rule book, mirror images counted: the ball on a row between the goal lines, men on any other points.
 */
static uint64_t positions_of(const char *board) {
  char *end;
  const uint64_t rows = strtoull(board, &end, 10), columns = strtoull(end + 1, NULL, 10);
  return (rows - 2) * columns << (rows * columns - 1);
}

static tauler_error check_copies(const bench_trial *trial, const bench_built *built,
                                 tauler_message *message) {
  const uint64_t expected = positions_of(trial->board);
  uint64_t counted = 0;
  for (size_t i = 0; i < built->slices->used; i++)
    counted += bench_count_copies(built, &built->slices->slices[i]);
  if (counted == expected) return TAULER_OK;
  return tauler_fail(message, TAULER_NOT_PROVEN,
                     "the cells of the board %.20s stand for %llu positions instead of %llu", trial->board,
                     (unsigned long long)counted, (unsigned long long)expected);
}

/* Base rules, values with distances. */
static tauler_error build_board(bench *bench, const char *board, int threads, tauler_message *message) {
  const bench_trial trial = {.game = game_find("phutball"),
                             .rules = "base",
                             .board = board,
                             .level = 9,
                             .threads = threads,
                             .depths = true,
                             .check = check_copies};
  bench_result result;
  const tauler_error error = bench_build_and_report(bench, &trial, &result, message);
  if (error) return error;
  const uint64_t all = positions_of(board);
  json_field_unsigned(bench->json, "mirrored_positions", all);
  bench_number(bench, "mirrored_positions_per_cpu_second", (double)all / bench_solving(&result));
  bench_number(bench, "table_bits_per_mirrored_position", 8 * (double)result.table_bytes / (double)all);
  return TAULER_OK;
}

static tauler_error build_boards(bench *bench, const board_list *list, tauler_message *message) {
  tauler_error error = TAULER_OK;
  json_key(bench->json, "builds");
  json_begin_array(bench->json);
  for (int i = 0; i < (bench->board ? 1 : MOST_BUILDS) && !error; i++) {
    json_begin_object(bench->json);
    error = build_board(bench, bench->board ? bench->board : list->boards[i],
                        list->threads ? bench->threads : 1, message);
    json_end_object(bench->json);
  }
  json_end_array(bench->json);
  return error;
}

static tauler_error bench_boards(bench *bench, tauler_message *message) {
  static const board_list list = {{"6x4", "8x3"}, false};
  return build_boards(bench, &list, message);
}

static tauler_error bench_boards_large(bench *bench, tauler_message *message) {
  static const board_list list = {{"6x5", "5x6"}, true};
  return build_boards(bench, &list, message);
}

static tauler_error bench_turns(bench *bench, tauler_message *message) {
  static const uint64_t published[] = {24, 560, 12596};
  const bench_walk walk = {
      game_find("phutball"), "base", "5/5/2o2/5/5 O", 5, published, sizeof published / sizeof *published};
  return bench_count_lines(bench, &walk, message);
}

const benchmark bench_of_phutball[] = {
    {"boards", "phutball, values and depths of two boards, one thread", false, bench_boards},
    {"turns", "phutball, lines of play on an empty board, one thread", false, bench_turns},
    {"boards-large", "phutball, two boards of 30 points, all threads", true, bench_boards_large},
    {NULL, NULL, false, NULL}};
