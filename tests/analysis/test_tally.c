/* Counts of positions by value and depth, for whole slices and for parts of them, symmetric copies included:
 * those of the slow definition, on random graphs. */
#include "analysis/probe/answer.h"
#include "analysis/stats/tally.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy_union.h"

enum { SLICES = 3, VALUES = 3, DEPTHS = 64, FAR = 600 };

static int copies_of(uint32_t slice, uint64_t index) {
  return (int)((index * 7 + slice) % 3);
}

static void copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = (uint8_t)copies_of(slice, first + i);
}

static void close_nothing(game_rules *rules) {}

/* Tables of a toy, asked as if the toy were a game that could be chosen. */
typedef struct {
  toy_game *toy;
  toy_union truth;
  tauler *db;
  tauler_tables *tables;
} asked_toy;

static asked_toy ask_toy(toy_game *toy) {
  asked_toy asked = {.toy = toy, .truth = toy_unite(toy)};
  suite_build((build_job){.problem = {.game = &toy->game, .rules = toy->rules}});
  toy->game.close = close_nothing;
  asked.db = asked_folder();
  tauler_tables *tables = calloc(1, sizeof *tables);
  ck_assert_ptr_nonnull(tables);
  tables->db = asked.db;
  tables->game = &toy->game;
  tables->rules = toy->rules;
  tables->kind = SOLVE_OUTCOMES;
  tables->answers = &answers_of_moves;
  tables->planes = 1;
  tables->fallback = tables;
  pthread_mutex_init(&tables->lock, NULL);
  asked.tables = asked.db->selected = tables;
  return asked;
}

/* By value, and by depth + 1; 0: none. */
typedef struct {
  uint64_t counts[VALUES][DEPTHS];
} plain_counts;

static void add_truth(const asked_toy *asked, uint32_t slice, uint64_t first, uint64_t count, bool depths,
                      plain_counts *out) {
  for (uint64_t i = first; i < first + count; i++) {
    const naive_wdl right = asked->truth.answer[asked->truth.offset[slice] + (int)i];
    ck_assert_int_lt(right.depth + 1, DEPTHS);
    out->counts[right.value + 1][depths ? right.depth + 1 : 0] +=
        asked->toy->game.copies ? (uint64_t)copies_of(slice, i) : 1;
  }
}

static void compare_counts(tally *counted, const plain_counts *truth) {
  size_t rows = 0;
  tally_sort(counted);
  for (int value = -1; value <= 1; value++) {
    for (int depth = -1; depth + 1 < DEPTHS; depth++) {
      const uint64_t wanted = truth->counts[value + 1][depth + 1];
      if (!wanted) continue;
      ck_assert_uint_lt(rows, counted->used);
      const tally_row row = counted->slots[rows++];
      ck_assert_int_eq(row.cell.lower, value);
      ck_assert_int_eq(row.cell.upper, value);
      ck_assert_int_eq(row.cell.depth_lower, depth);
      ck_assert_int_eq(row.cell.depth_upper, depth);
      ck_assert_uint_eq(row.count, wanted);
    }
  }
  ck_assert_uint_eq(rows, counted->used);
}

static const toy_shape shape = {.kind = SOLVE_OUTCOMES,
                                .slices = SLICES,
                                .positions = {60, 3000, 140000},
                                .most_moves = 3,
                                .ended_percent = 3,
                                .converts_percent = 5,
                                .finishes_percent = 2,
                                .draws_percent = 20,
                                .most_gain = 1};

static void count_slice(const asked_toy *asked, uint32_t slice, const tally_settings *settings) {
  const uint64_t positions = shape.positions[slice];
  const uint64_t ranges[][2] = {{0, positions}, {0, positions / 2}, {positions / 2, positions / 2}, {17, 1}};
  const size_t parts = sizeof ranges / sizeof *ranges;
  for (size_t r = 0; r <= parts; r++) {
    const uint64_t first = r < parts ? ranges[r][0] : 0, count = r < parts ? ranges[r][1] : positions;
    tally counted = {0};
    plain_counts truth = {{{0}}};
    const tauler_error error =
        r < parts ? tally_part(asked->tables, slice, NULL, first, count, settings, &counted, hear())
                  : tally_slice(asked->tables, slice, NULL, settings, &counted, hear());
    ck_assert_msg(!error, "%s", said.text);
    add_truth(asked, slice, first, count, settings->with_depths, &truth);
    compare_counts(&counted, &truth);
    tally_free(&counted);
  }
}

CASE(slices_and_parts_are_counted) {
  asked_toy asked = ask_toy(toy_random(&shape, 5, true));
  for (int mode = 0; mode < 4; mode++) {
    asked.toy->game.copies = mode & 1 ? copies : NULL;
    for (int threads = 1; threads <= 3; threads++) {
      const tally_settings settings = {.with_depths = mode & 2, .threads = threads};
      for (uint32_t slice = 0; slice < SLICES; slice++) count_slice(&asked, slice, &settings);
    }
  }
}

/* Depths that no array has room for are counted all the same. */
CASE(far_depths_are_counted) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 1, (uint64_t[]){FAR});
  toy_end(toy, 0, 0, -1);
  for (uint64_t i = 1; i < FAR; i++) toy_quiet(toy, 0, i, i - 1);
  toy_seal(toy, true);
  asked_toy asked = ask_toy(toy);
  const tally_settings settings = {.with_depths = true, .threads = 1};
  tally counted = {0};
  MUST(tally_slice(asked.tables, 0, NULL, &settings, &counted, NULL));
  tally_sort(&counted);
  ck_assert_uint_eq(counted.used, FAR);
  for (int i = 0; i < FAR; i++) {
    const tally_row row = counted.slots[i];
    const int depth = i < FAR / 2 ? 2 * i : 2 * (i - FAR / 2) + 1;
    ck_assert_int_eq(row.cell.lower, i < FAR / 2 ? -1 : 1);
    ck_assert_int_eq(row.cell.depth_lower, depth);
    ck_assert_uint_eq(row.count, 1);
  }
  tally_free(&counted);
}

SUITE("tally") {
  FIXTURE(make_folder, remove_folder);
  TESTS(slices_and_parts_are_counted, far_depths_are_counted);
}
