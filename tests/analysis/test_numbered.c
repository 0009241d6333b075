/* Slices of a folder by name, positions and worths by number, for every game: against the rules' own
 * numbering and one position at a time, and with files in the folder that are not what they should be. */
#include <inttypes.h>
#include <unistd.h>

#include "analysis/probe/probe_tables.h"
#include "databases/folder.h"
#include "games/registry.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/probe_built.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"

enum { LOOKS = 400 }; /* positions of a slice that are asked for one by one, about */

static char all_games[256], own[256];
static tauler *db;

static void build_all(void) {
  make_folder_at(all_games);
  for (int i = 0; i < BUILT_SAMPLES; i++) build_sample(&built_samples[i], all_games);
}

static void remove_all(void) {
  remove_folder_at(all_games);
}

static void open_all(void) {
  MUST(tauler_open(all_games, NULL, &db, hear()));
}

static void open_own(void) {
  make_folder_at(own);
  MUST(tauler_open(own, NULL, &db, hear()));
}

static void close_db(void) {
  tauler_close(db);
}

static void remove_own(void) {
  tauler_close(db);
  remove_folder_at(own);
}

static const tauler_contents *list(void) {
  snprintf(said.text, sizeof said.text, "left over");
  const tauler_contents *contents = asked_contents(db);
  ck_assert_str_eq(said.text, "");
  return contents;
}

static uint64_t step_of(uint64_t positions) {
  return positions / LOOKS | 1;
}

/* --- the list --- */

CASE(a_folder_is_listed_in_order) {
  static const struct {
    const char *game, *rules, *cycles, *slice;
    uint64_t positions;
    bool depths;
  } wanted[] = {
      {"auale", "abapa", "forced", "0", 1, true},
      {"auale", "abapa", "forced", "1", 12, true},
      {"auale", "abapa", "forced", "5", 4368, true},
      {"auale", "abapa", "own-row", "5", 4368, true},
      {"auale", "abapa", "own-row-any", "5", 4368, false},
      {"auale", "awari", "even", "5", 4368, true},
      {"auale", "awari", "even", "6", 12375, true},
      {"doushouqi", "base", "", "Lr", 2982, true},
      {"oca", "base", "", "2", 4900, false},
      {"oca-asesina", "base,board=20,lost-turns=die-with-token", "", "1.1-0", 0, false},
      {"oca-asesina", "base,board=20,lost-turns=die-with-token", "", "1.0-0", 0, false},
      {"phutball", "base", "", "5x3", 76800, true},
  };
  enum { WANTED = sizeof wanted / sizeof *wanted, AUALE = 6 + 6 + 6 + 7 };
  const tauler_contents *contents = list();
  size_t found = 0;
  for (size_t i = 0; i < contents->slices_used; i++) {
    const tauler_slice *s = &contents->slices[i];
    ck_assert_uint_le(found, WANTED);
    if (found == WANTED || strcmp(s->slice, wanted[found].slice) != 0 ||
        strcmp(s->rules, wanted[found].rules) != 0 || strcmp(s->cycles, wanted[found].cycles) != 0)
      continue;
    ck_assert_str_eq(s->game, wanted[found].game);
    if (wanted[found].positions) ck_assert_uint_eq(s->positions, wanted[found].positions);
    ck_assert_int_eq(s->depths != NULL, wanted[found].depths);
    found++;
  }
  ck_assert_uint_eq(found, WANTED);
  ck_assert_uint_eq(contents->slices_used, AUALE + 1 + 1 + 1 + 2 + 1);
  ck_assert_uint_eq(contents->passed_over, 0);
}

CASE(what_is_listed_is_what_answers_name) {
  const tauler_contents *contents = list();
  for (size_t i = 0; i < contents->slices_used; i++) {
    const tauler_slice *s = &contents->slices[i];
    tauler_tables *tables;
    uint32_t number;
    uint64_t positions;
    char text[TAULER_POSITION_BYTES] = "";
    MUST(tauler_select(db, s->game, s->rules, s->cycles, &tables, hear()));
    MUST(tauler_find_slice(tables, s->slice, &number, &positions, hear()));
    ck_assert_uint_eq(number, s->slice_number);
    ck_assert_uint_eq(positions, s->positions);
    for (uint64_t index = 0; !text[0]; index++) MUST(tauler_position_at(tables, number, index, text, hear()));
    tauler_answer *answer = asked(tables, text, TAULER_OK);
    ck_assert_str_eq(answer->table, s->table);
    ck_assert_str_eq(answer->game, s->game);
    ck_assert_str_eq(answer->rules, s->rules);
    ck_assert_str_eq(answer->cycles, s->cycles);
    ck_assert_uint_eq(answer->slice_number, s->slice_number);
  }
}

CASE(no_folder_is_an_empty_one) {
  remove_folder_at(own);
  const tauler_contents *contents = list();
  ck_assert_uint_eq(contents->slices_used, 0);
  ck_assert_uint_eq(contents->passed_over, 0);
  tauler_contents_free(NULL);
}

static void run(const char *what) {
  char command[1024];
  snprintf(command, sizeof command, "cd '%s' && %s", own, what);
  ck_assert_int_eq(system(command), 0); /* NOLINT: the folder is ours */
}

/* A whole table where its own header says that it stands. */
static void plant(table_header header) {
  char path[FOLDER_PATH_BYTES];
  MUST(folder_table_path(own, "", &header, path, hear()));
  suite_write_table(path, &header, suite_zeros(header.positions, table_cell_bytes(header.cell)), NULL);
}

CASE(what_is_no_table_of_a_slice_is_passed_over) {
  build_sample(&built_samples[1], own); /* bounds: 0 … 5 */
  const table_header header = {.game = "auale",
                               .rules = "abapa",
                               .cycles = "forced",
                               .slice = "7",
                               .stream = "lower",
                               .positions = 31812,
                               .index_version = game_index_version(game_find("auale"))};
  table_header other = header;
  plant(header); /* half a slice: neither listed nor wrong */
  other = header, other.game[0] = 'x';
  plant(other);
  other = header, strcpy(other.rules, "awari,nonsense");
  plant(other);
  other = header, strcpy(other.rules, "abapa,grand-slam"), strcpy(other.cycles, "");
  plant(other);
  other = header, strcpy(other.slice, "49");
  plant(other);
  other = header, strcpy(other.slice, "07");
  plant(other);
  other = header, strcpy(other.slice, "6"), strcpy(other.stream, "value");
  plant(other);
  other = header, strcpy(other.slice, "6"), other.positions = 12375, other.index_version++;
  plant(other);
  other = header, strcpy(other.slice, "8"), other.positions--;
  plant(other);
  run("mkdir -p auale/abapa/even && cp auale/abapa/forced/3.lower.zst auale/abapa/even/3.value.zst");
  run("cp auale/abapa/forced/3.lower.zst auale/abapa/forced/9.lower.zst");
  run("printf nonsense > auale/abapa/forced/10.lower.zst && : > auale/abapa/forced/11.lower.zst");
  run("cp auale/abapa/forced/3.lower.zst auale/abapa/forced/.3.lower.zst.tmp");
  run("rm auale/abapa/forced/4.depth-upper.zst auale/abapa/forced/5.upper.zst");
  run("truncate -s -1 auale/abapa/forced/2.depth-lower.zst");
  const tauler_contents *contents = list();
  ck_assert_uint_eq(contents->slices_used, 5);
  for (uint32_t i = 0; i < 5; i++) {
    ck_assert_uint_eq(contents->slices[i].slice_number, i);
    ck_assert_int_eq(contents->slices[i].depths == NULL, i == 2 || i == 4);
  }
  ck_assert_uint_eq(contents->passed_over, 8 + 2 + 2 + 1);
}

CASE(a_list_says_what_is_there_now_and_outlives_the_handle) {
  build_sample(&built_samples[4], own);
  const tauler_contents *first = list();
  ck_assert_uint_eq(first->slices_used, 1);
  run("rm doushouqi/base/2/Lr.value.zst");
  const tauler_contents *second = list();
  ck_assert_uint_eq(second->slices_used, 0);
  build_sample(&built_samples[5], own);
  const tauler_contents *third = list();
  tauler_close(db);
  db = NULL;
  ck_assert_str_eq(first->slices[0].slice, "Lr");
  ck_assert_str_eq(third->slices[0].slice, "5x3");
  ck_assert_uint_eq(strlen(third->slices[0].table), TABLE_DIGEST_TEXT - 1);
}

/* --- by number --- */

static bool stands_for_one(const tauler_tables *tables, uint32_t slice, uint64_t index) {
  uint8_t copies = 1;
  if (tables->game->copies) tables->game->copies(tables->rules, slice, index, 1, &copies);
  return copies > 0;
}

CASE(positions_by_number_lead_back_to_their_number) {
  const tauler_contents *contents = list();
  uint64_t nothing = 0;
  for (size_t i = 0; i < contents->slices_used; i++) {
    const tauler_slice *s = &contents->slices[i];
    tauler_tables *tables;
    MUST(tauler_select(db, s->game, s->rules, s->cycles, &tables, hear()));
    for (uint64_t index = 0; index < s->positions; index += step_of(s->positions)) {
      char text[TAULER_POSITION_BYTES] = "left over";
      MUST(tauler_position_at(tables, s->slice_number, index, text, hear()));
      if (!stands_for_one(tables, s->slice_number, index) != !text[0])
        ck_abort_msg("%s %" PRIu64 " of %s: '%s'", s->slice, index, s->game, text);
      nothing += !text[0];
      if (!text[0]) continue;
      tauler_answer *answer = asked(tables, text, TAULER_OK);
      if (answer->index != index || answer->slice_number != s->slice_number ||
          strcmp(answer->position, text) != 0)
        ck_abort_msg("%s %" PRIu64 " of %s comes back as %" PRIu64 ": %s", s->slice, index, s->game,
                     answer->index, text);
    }
  }
  ck_assert_uint_gt(nothing, 0);
}

static bool same_worth(tauler_worth a, tauler_worth b) {
  return a.known && b.known && a.lower == b.lower && a.upper == b.upper && a.depth_lower == b.depth_lower &&
         a.depth_upper == b.depth_upper;
}

/* The same range a byte for each bound: what the worths say, and no byte more. Of dice there is none. */
static void assert_bounds(tauler_tables *tables, const tauler_slice *s, uint64_t first, size_t count,
                          const tauler_worth *worths) {
  int8_t *lower = suite_zeros(count + 1, 1), *upper = suite_zeros(count + 1, 1);
  ck_assert(lower && upper);
  lower[count] = upper[count] = 99;
  const tauler_error error = tauler_bounds_at(tables, s->slice_number, first, count, lower, upper, hear());
  ck_assert_int_eq(error, tables->kind == SOLVE_CHANCE ? TAULER_BAD_USAGE : TAULER_OK);
  for (size_t i = 0; !error && i < count; i++)
    ck_assert(lower[i] == worths[i].lower && upper[i] == worths[i].upper);
  ck_assert(lower[count] == 99 && upper[count] == 99);
  if (!error) MUST(tauler_bounds_at(tables, s->slice_number, first, count, NULL, NULL, hear()));
}

static void assert_range(tauler_tables *tables, const tauler_slice *s, uint64_t first, size_t count) {
  tauler_worth *worths = suite_zeros(count + 2, sizeof *worths), guard = {.known = true, .lower = -77};
  worths[count] = guard;
  snprintf(said.text, sizeof said.text, "left over");
  MUST(tauler_values_at(tables, s->slice_number, first, count, worths, hear()));
  ck_assert_str_eq(said.text, "");
  ck_assert_double_eq(worths[count].lower, guard.lower);
  assert_bounds(tables, s, first, count, worths);
  for (size_t i = 0; i < count; i += count < LOOKS ? 1 : step_of(count)) {
    tauler_worth one;
    MUST(tauler_value_at(tables, s->slice_number, first + i, &one, hear()));
    if (!same_worth(one, worths[i]))
      ck_abort_msg("%s %" PRIu64 " of %s: [%g, %g], not [%g, %g]", s->slice, first + i, s->game,
                   worths[i].lower, worths[i].upper, one.lower, one.upper);
  }
}

CASE(ranges_are_worth_what_their_positions_are) {
  const tauler_contents *contents = list();
  for (size_t i = 0; i < contents->slices_used; i++) {
    const tauler_slice *s = &contents->slices[i];
    tauler_tables *tables;
    MUST(tauler_select(db, s->game, s->rules, s->cycles, &tables, hear()));
    const uint64_t n = s->positions;
    assert_range(tables, s, 0, n);
    assert_range(tables, s, n / 3, n - n / 3);
    assert_range(tables, s, n / 2, n / 2 < 70 ? n / 2 : 70);
    assert_range(tables, s, n - 1, 1);
    assert_range(tables, s, n, 0);
  }
}

/* Positions of all over a slice, the last index first, and one that no table holds between. */
static void assert_list(tauler_tables *tables, const tauler_slice *s, const char *beyond) {
  enum { MOST = 60 };
  char texts[MOST][TAULER_POSITION_BYTES];
  const char *list[MOST];
  tauler_worth worths[MOST], one;
  const size_t count = s->positions < MOST ? (size_t)s->positions : MOST;
  for (size_t i = 0; i < count; i++) {
    const uint64_t index = s->positions - 1 - i * (s->positions / count);
    MUST(tauler_position_at(tables, s->slice_number, index, texts[i], hear()));
    list[i] = *texts[i] && (i != 7 || !beyond) ? texts[i] : beyond ? beyond : texts[0];
  }
  if (count == 0 || !*texts[0]) return;
  MUST(tauler_values(tables, list, count, worths, hear()));
  for (size_t i = 0; i < count; i++) {
    const tauler_error error = tauler_value(tables, list[i], &one, NULL);
    ck_assert_int_eq(worths[i].known, !error);
    ck_assert_msg(error || same_worth(one, worths[i]), "%s: %g, not %g", list[i], worths[i].lower, one.lower);
  }
}

CASE(a_list_is_worth_what_its_positions_are) {
  const tauler_contents *contents = list();
  for (size_t i = 0; i < contents->slices_used; i++) {
    const tauler_slice *s = &contents->slices[i];
    tauler_tables *tables;
    MUST(tauler_select(db, s->game, s->rules, s->cycles, &tables, hear()));
    const bool seeds = strcmp(s->game, "auale") == 0;
    assert_list(tables, s, seeds ? "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S" : NULL);
  }
}

CASE(a_list_says_which_is_no_position) {
  tauler_tables *tables = select_sample(db, &built_samples[0]);
  const char *list[] = {"0 0 0 0 0 1 1 0 0 0 0 0", "0 0 0 0 0 1 1", "x"};
  tauler_worth worths[3];
  ck_assert_int_eq(tauler_values(tables, list, 3, worths, hear()), TAULER_BAD_POSITION);
  ck_assert_msg(strncmp(said.text, "position 1 of the list: '0 0 0", 30) == 0, "%s", said.text);
  ck_assert_int_eq(tauler_values(tables, list, 3, worths, NULL), TAULER_BAD_POSITION);
  snprintf(said.text, sizeof said.text, "left over");
  MUST(tauler_values(tables, list, 0, worths, hear()));
  ck_assert_str_eq(said.text, "");
}

/* Asks for all of a slice in small ranges. */
static void go_through(tauler_tables *tables, const tauler_slice *s) {
  enum { RANGE = 600 };
  for (uint64_t first = 0; first < s->positions; first += RANGE)
    assert_range(tables, s, first, s->positions - first < RANGE ? (size_t)(s->positions - first) : RANGE);
}

CASE(a_slice_that_is_gone_through_comes_into_memory) {
  const tauler_contents *contents = list();
  int loaded = 0;
  for (size_t i = 0; i < contents->slices_used; i++) {
    const tauler_slice *s = &contents->slices[i];
    const table *from;
    tauler_tables *tables;
    MUST(tauler_select(db, s->game, s->rules, s->cycles, &tables, hear()));
    go_through(tables, s);
    slice_entry *entry = slice_entry_of(tables, s->slice_number, hear());
    if (tables->kind == SOLVE_CHANCE || tables->fallback != tables || s->positions < 600) continue;
    MUST(slice_table(tables, entry, STREAMS_VALUE, 0, &from, hear()));
    const bool implied = table_get_header(from)->coding == TABLE_IMPLIED;
    const bool kept = tables->whole.slice == s->slice_number && tables->whole.cells[0];
    ck_assert_msg(kept == implied, "%s %s %s of %s: %d", s->rules, s->cycles, s->slice, s->game, kept);
    loaded += implied;
  }
  ck_assert_int_ge(loaded, 4);
}

CASE(numbers_that_do_not_exist_are_refused) {
  static const uint32_t slices[] = {UINT32_MAX, 1 << 20, 100000, 4095};
  for (int i = 0; i < BUILT_SAMPLES; i++) {
    tauler_tables *tables = select_sample(db, &built_samples[i]);
    tauler_worth worths[2] = {{.known = true}};
    char text[TAULER_POSITION_BYTES] = "left over";
    for (size_t s = 0; s < sizeof slices / sizeof *slices; s++) {
      if (tables->game->positions(tables->rules, slices[s])) continue;
      ck_assert_int_eq(tauler_value_at(tables, slices[s], 0, worths, hear()), TAULER_BAD_USAGE);
      ck_assert(!worths[0].known);
      ck_assert_int_eq(tauler_values_at(tables, slices[s], 0, 0, worths, NULL), TAULER_BAD_USAGE);
      ck_assert_int_eq(tauler_position_at(tables, slices[s], 0, text, hear()), TAULER_BAD_USAGE);
      ck_assert_str_eq(text, "");
      ck_assert_ptr_nonnull(strstr(said.text, "no slice with the number"));
    }
  }
  tauler_tables *tables = select_sample(db, &built_samples[0]);
  tauler_worth worths[2];
  char text[TAULER_POSITION_BYTES];
  ck_assert_int_eq(tauler_values_at(tables, 2, 77, 2, worths, hear()), TAULER_BAD_USAGE);
  ck_assert_str_eq(said.text, "slice 2 has 78 positions, counted from 0, and so no index 78");
  ck_assert_int_eq(tauler_values_at(tables, 2, 2, SIZE_MAX, worths, hear()), TAULER_BAD_USAGE);
  ck_assert_int_eq(tauler_values_at(tables, 2, UINT64_MAX, 2, worths, hear()), TAULER_BAD_USAGE);
  ck_assert_int_eq(tauler_values_at(tables, 2, 79, 0, worths, hear()), TAULER_BAD_USAGE);
  ck_assert_int_eq(tauler_position_at(tables, 2, 78, text, hear()), TAULER_BAD_USAGE);
}

CASE(slices_are_found_by_the_name_of_their_tables) {
  static const struct {
    int sample;
    const char *name;
    uint64_t positions; /* 0: there is none */
  } cases[] = {{0, "12", 1339702},
               {0, "48", UINT64_MAX},
               {0, "49", 0},
               {0, "012", 0},
               {0, "", 0},
               {0, "1x", 0},
               {0, "-1", 0},
               {4, "Lr", 2982},
               {4, "rL", 0},
               {4, "Lz", 0},
               {5, "5x3", 76800},
               {5, "3x5", UINT64_MAX},
               {5, "5x", 0},
               {5, "05x3", 0},
               {6, "2", 4900},
               {6, "9", 0},
               {7, "1.0-0", UINT64_MAX},
               {7, "0-0", 0},
               {7, "1.1-1", 0},
               {8, "all", 498},
               {8, "al", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tauler_tables *tables = select_sample(db, &built_samples[cases[i].sample]);
    uint64_t positions = 0;
    uint32_t number = 0;
    const char *name = cases[i].name;
    const tauler_error error = tauler_find_slice(tables, name, &number, &positions, hear());
    ck_assert_msg(error == (cases[i].positions ? TAULER_OK : TAULER_BAD_USAGE), "%s: %s", name, said.text);
    if (error) {
      ck_assert_ptr_nonnull(strstr(said.text, "no slice called"));
      continue;
    }
    ck_assert_uint_gt(positions, 0);
    if (cases[i].positions != UINT64_MAX) ck_assert_uint_eq(positions, cases[i].positions);
    MUST(tauler_find_slice(tables, name, NULL, NULL, NULL));
  }
}

SUITE("numbered") {
  GROUP("all games");
  FIXTURE_ONCE(build_all, remove_all);
  FIXTURE(open_all, close_db);
  TESTS(a_folder_is_listed_in_order, what_is_listed_is_what_answers_name,
        positions_by_number_lead_back_to_their_number, a_list_is_worth_what_its_positions_are,
        a_list_says_which_is_no_position, ranges_are_worth_what_their_positions_are,
        a_slice_that_is_gone_through_comes_into_memory, numbers_that_do_not_exist_are_refused,
        slices_are_found_by_the_name_of_their_tables);
  GROUP("own folder");
  FIXTURE(open_own, remove_own);
  TESTS(no_folder_is_an_empty_one, what_is_no_table_of_a_slice_is_passed_over,
        a_list_says_what_is_there_now_and_outlives_the_handle);
}
