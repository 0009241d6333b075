/* Benchmarks refuse what does not count as it must: tables of a build, and lines of play. */
#include <unistd.h>

#include "analysis/bench/bench_moves.h"
#include "analysis/bench/bench_trial.h"
#include "base/text.h"
#include "games/registry.h"
#include "tests/support/suite.h"

enum { SEEDS = 5 };

/* Boards of up to 5 seeds: C(17, 12). */
static const uint64_t boards = 6188;

static struct {
  int checked;
  uint64_t counted;
  tauler_error verdict;
} seen;

static tauler_error check_nothing(const bench_trial *trial, const bench_built *built,
                                  tauler_message *message) {
  (void)message;
  ck_assert_uint_eq(trial->size, SEEDS);
  ck_assert_uint_eq(built->slices->used, SEEDS + 1);
  seen.checked++;
  seen.counted = built->counted;
  return seen.verdict;
}

static json_writer json;
static progress quiet;
static bench measuring;

static void set_up(void) {
  make_folder();
  json_open_buffer(&json);
  json_begin_object(&json);
  progress_open(&quiet, stderr, PROGRESS_QUIET);
  measuring = (bench){.scratch = folder,
                      .seeds = BENCH_OWN,
                      .pieces = BENCH_OWN,
                      .players = BENCH_OWN,
                      .tokens = BENCH_OWN,
                      .plies = BENCH_OWN,
                      .threads = 1,
                      .shown = &quiet,
                      .json = &json};
  seen.checked = 0;
  seen.counted = 0;
  seen.verdict = TAULER_OK;
}

static void tear_down(void) {
  (void)json_close(&json, NULL);
  bench_remove_folder(folder);
  ck_assert_int_ne(access(folder, F_OK), 0);
}

static tauler_error build(const game *game, bench_result *result, tauler_message *message) {
  const bench_trial trial = {.game = game,
                             .rules = "awari",
                             .cycles = "even",
                             .size = SEEDS,
                             .level = 3,
                             .threads = 1,
                             .depths = true,
                             .check = check_nothing};
  return bench_build_and_report(&measuring, &trial, result, message);
}

CASE(a_build_is_counted_and_checked) {
  bench_result result;
  tauler_message message = {""};
  ck_assert_msg(!build(game_find("auale"), &result, &message), "%s", message.text);
  ck_assert_int_eq(seen.checked, 1);
  ck_assert_uint_eq(seen.counted, boards);
  ck_assert_uint_eq(result.positions, boards);
  ck_assert_uint_eq(result.largest, 4368);
  ck_assert_uint_eq(result.tables, 2 * (SEEDS + 1));
  ck_assert_uint_eq(result.asked_bytes, result.table_bytes);
  ck_assert_ptr_nonnull(strstr(json_text(&json, NULL), "\"boards\":6188"));
  ck_assert_ptr_nonnull(strstr(json_text(&json, NULL), "\"table_bits_per_board\":"));
}

CASE(who_knows_the_game_has_the_last_word) {
  bench_result result;
  seen.verdict = TAULER_NOT_PROVEN;
  ck_assert_int_eq(build(game_find("auale"), &result, NULL), TAULER_NOT_PROVEN);
  ck_assert_int_eq(seen.checked, 1);
  ck_assert_ptr_null(strstr(json_text(&json, NULL), "boards"));
}

static tauler_error check_dice(const bench_trial *trial, const bench_built *built, tauler_message *message) {
  (void)trial;
  (void)message;
  ck_assert_uint_eq(built->counted, 0);
  for (size_t i = 0; i < built->slices->used; i++)
    seen.counted += bench_count_copies(built, &built->slices->slices[i]);
  seen.checked++;
  return seen.verdict;
}

/* Two tokens of oca are never in the well together. On the short board of the other game there are 19 squares
 * for two tokens, one of them may be on the start, and that of who rolls home by a jump; either rolls, and
 * the other one has 0 to 3 turns to lose. In the last turn there is one token. */
static const struct {
  const char *game, *rules;
  uint64_t size, tables, streams, counted;
} dice[] = {{"oca", "base", 1, 6, 6, 70},
            {"oca", "base", 2, 8, 8, 70 * 70 - 1},
            {"oca-asesina", "base,board=20", 1, 4, 2, 2 * 4 * (19 * 18 + 19 + 2 * 19 + 2) + 19 + 2}};
enum { DICE = sizeof dice / sizeof *dice };

static tauler_error build_dice(const game *game, int i, bench_result *result, tauler_message *message) {
  const bench_trial trial = {.game = game,
                             .rules = dice[i].rules,
                             .size = dice[i].size,
                             .width = 1e-6,
                             .level = 3,
                             .threads = 1,
                             .check = check_dice};
  return bench_build_and_report(&measuring, &trial, result, message);
}

CASE(bounds_of_dice_have_a_table_each) {
  bench_result result;
  tauler_message message = {""};
  ck_assert_msg(!build_dice(game_find(dice[_i].game), _i, &result, &message), "%s", message.text);
  ck_assert_int_eq(seen.checked, 1);
  ck_assert_uint_eq(seen.counted, dice[_i].counted);
  ck_assert_uint_eq(result.tables, dice[_i].tables);
  ck_assert_uint_eq(result.streams, dice[_i].streams);
  ck_assert(result.cost.width > 1e-9 && result.cost.width <= 1e-6);
  seen.verdict = TAULER_NOT_PROVEN;
  ck_assert_int_eq(build_dice(game_find(dice[_i].game), _i, &result, NULL), TAULER_NOT_PROVEN);
}

CASE(formulas_of_dice_and_slices_agree) {
  const game *game = game_find("oca-asesina");
  const bool small = _i % 2;
  const uint64_t tokens = 1 + (uint64_t)_i / 2;
  game_rules *rules;
  game_slices slices;
  ck_assert(!game->open(small ? "base,board=20" : "base", NULL, &rules, NULL));
  const text_figure size = text_unsigned(tokens);
  const game_request request = {.largest = size.text};
  ck_assert(!game->slices(rules, &request, &slices, NULL));
  ck_assert_uint_eq(slices.used, tokens * (tokens + 1));
  for (size_t i = 0; i < slices.used; i++) {
    char name[GAME_TEXT_BYTES];
    unsigned first, second;
    game->slice_name(rules, slices.slices[i].slice, name);
    ck_assert_int_eq(sscanf(name, "%*u.%u-%u", &first, &second), 2);
    const uint64_t home[] = {first, second};
    ck_assert_uint_eq(bench_positions_of_asesina(small ? 20 : 63, tokens, home), slices.slices[i].positions);
  }
  free(slices.slices);
  game->close(rules);
}

/* The builds asked for first; their tables are compared later. */
static int listed;
static void (*change)(game_slices *list);

static void ask_for_another(game_slices *list) {
  list->slices[SEEDS].slice++;
}

static void move_a_position(game_slices *list) {
  list->slices[SEEDS].positions++;
  list->slices[SEEDS - 1].positions--;
}

static void drop_a_slice(game_slices *list) {
  list->used--;
}

static tauler_error list_otherwise(const game_rules *rules, const game_request *request, game_slices *out,
                                   tauler_message *message) {
  const tauler_error error = game_find("auale")->slices(rules, request, out, message);
  if (!error && listed++ > 0) change(out);
  return error;
}

static const struct {
  void (*change)(game_slices *list);
  tauler_error error;
} lies[] = {{ask_for_another, TAULER_TABLE_MISSING},
            {move_a_position, TAULER_NOT_PROVEN},
            {drop_a_slice, TAULER_NOT_PROVEN}};
enum { LIES = sizeof lies / sizeof *lies };

CASE(tables_must_be_there_and_of_their_size) {
  game lying = *game_find("auale");
  lying.slices = list_otherwise;
  bench_result result;
  listed = 0;
  change = lies[_i].change;
  ck_assert_int_eq(build(&lying, &result, NULL), lies[_i].error);
  ck_assert_int_eq(seen.checked, 0);
}

static tauler_error ask_for_the_last(const game_rules *rules, const game_request *request, game_slices *out,
                                     tauler_message *message) {
  const tauler_error error = game_find("auale")->slices(rules, request, out, message);
  for (size_t i = 0; !error && i < out->used; i++) out->slices[i].asked = i + 1 == out->used;
  return error;
}

CASE(files_asked_for_are_some_of_all) {
  game choosy = *game_find("auale");
  choosy.slices = ask_for_the_last;
  bench_result result;
  ck_assert(!build(&choosy, &result, NULL));
  ck_assert_uint_gt(result.asked_bytes, 0);
  ck_assert_uint_lt(result.asked_bytes, result.table_bytes);
}

static const uint64_t published[] = {6, 36, 190, 1014, 5219, 27332};
enum { PUBLISHED = sizeof published / sizeof *published };

static bench_walk walk_of(const game *game) {
  return (bench_walk){game, "awari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", PUBLISHED, published, PUBLISHED};
}

CASE(lines_are_counted_to_any_length) {
  const bench_walk walk = walk_of(game_find("auale"));
  measuring.plies = (uint64_t)_i;
  tauler_message message = {""};
  ck_assert_msg(!bench_count_lines(&measuring, &walk, &message), "%s", message.text);
  char leaves[64];
  static const char *const more = "139157";
  snprintf(leaves, sizeof leaves, "\"leaves\":%s,",
           _i > PUBLISHED ? more : text_unsigned(published[_i - 1]).text);
  ck_assert_ptr_nonnull(strstr(json_text(&json, NULL), leaves));
}

CASE(another_published_count_is_noticed) {
  uint64_t others[PUBLISHED];
  memcpy(others, published, sizeof others);
  others[_i]++;
  bench_walk walk = walk_of(game_find("auale"));
  walk.published = others;
  ck_assert_int_eq(bench_count_lines(&measuring, &walk, NULL), TAULER_NOT_PROVEN);
}

static uint64_t leave_out_one(const game_rules *rules, const game_position *position, int plies, bool made) {
  return game_find("auale")->leaves(rules, position, plies, made) - (made && plies > 1);
}

CASE(made_and_counted_lines_are_as_many) {
  game lying = *game_find("auale");
  lying.leaves = leave_out_one;
  bench_walk walk = walk_of(&lying);
  walk.published_used = 0;
  walk.plies = 3;
  ck_assert_int_eq(bench_count_lines(&measuring, &walk, NULL), TAULER_NOT_PROVEN);
}

static bool stop_at_once(void *user) {
  (void)user;
  return true;
}

CASE(long_counts_and_builds_can_be_stopped) {
  const bench_walk walk = walk_of(game_find("auale"));
  bench_result result;
  measuring.stop = stop_at_once;
  ck_assert_int_eq(bench_count_lines(&measuring, &walk, NULL), TAULER_STOPPED);
  ck_assert_int_eq(build(game_find("auale"), &result, NULL), TAULER_STOPPED);
}

CASE(copies_work_side_by_side) {
  const bench_trial trial = {.game = game_find("auale"),
                             .rules = "awari",
                             .cycles = "even",
                             .size = SEEDS,
                             .level = 3,
                             .threads = 1,
                             .check = check_nothing};
  double rate = 0;
  tauler_message message = {""};
  ck_assert_msg(!bench_build_copies(&measuring, &trial, 2, &rate, &message), "%s", message.text);
  ck_assert_double_gt(rate, 0);
  seen.verdict = TAULER_NOT_PROVEN;
  ck_assert_int_eq(bench_build_copies(&measuring, &trial, 2, &rate, NULL), TAULER_INTERNAL);
}

CASE(every_benchmark_has_a_name_of_its_own) {
  size_t n = 0;
  for (; bench_at(n); n++) {
    for (size_t i = 0; i < n; i++) ck_assert_str_ne(bench_at(i)->name, bench_at(n)->name);
  }
  ck_assert_uint_ge(n, 20);
  ck_assert_str_eq(bench_at(0)->name, "threads"); /* before anything has threads */
}

SUITE("bench") {
  FIXTURE(set_up, tear_down);
  TESTS(a_build_is_counted_and_checked, who_knows_the_game_has_the_last_word);
  LOOP(bounds_of_dice_have_a_table_each, DICE);
  LOOP(formulas_of_dice_and_slices_agree, 6);
  LOOP(tables_must_be_there_and_of_their_size, LIES);
  TEST(files_asked_for_are_some_of_all);
  LOOP_FROM(lines_are_counted_to_any_length, 1, PUBLISHED + 2);
  LOOP(another_published_count_is_noticed, PUBLISHED);
  TESTS(made_and_counted_lines_are_as_many, long_counts_and_builds_can_be_stopped, copies_work_side_by_side,
        every_benchmark_has_a_name_of_its_own);
}
