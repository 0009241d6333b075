/* Answers of the probe library beyond values: categories, stores, lines, missing, damaged and foreign tables,
 * threads, JSON; on tables written from the slow definition of aualé. */
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/print/print.h"
#include "analysis/slices/bulk.h"
#include "databases/streams.h"
#include "games/registry.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/probe_fixture.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"

CASE(the_category_is_the_sign_or_unknown) {
  const tauler_worth open = {true, -1, 3, 0, 0}, above = {true, 0, 3, 0, 0}, below = {true, -3, 0, 0, 0};
  const tauler_worth win = {true, 1, 3, 0, 0}, loss = {true, -3, -1, 0, 0}, draw = {true, 0, 0, 0, 0};
  const tauler_worth missing = {false, 1, 1, 0, 0};
  ck_assert_int_eq(tauler_category_of(open), TAULER_UNKNOWN);
  ck_assert_int_eq(tauler_category_of(above), TAULER_UNKNOWN);
  ck_assert_int_eq(tauler_category_of(below), TAULER_UNKNOWN);
  ck_assert_int_eq(tauler_category_of(missing), TAULER_UNKNOWN);
  ck_assert_int_eq(tauler_category_of(win), TAULER_WIN);
  ck_assert_int_eq(tauler_category_of(loss), TAULER_LOSS);
  ck_assert_int_eq(tauler_category_of(draw), TAULER_DRAW);
}

CASE(what_both_have_in_the_end_counts_the_stores) {
  write_family(0, IMPLIED);
  tauler_answer *answer = probe(select_family(db, 0), "0-0-0-0-0-1-1-0-0-0-0-0-20-21-N");
  ck_assert(answer->has_final);
  ck_assert_double_eq(answer->final[0] + answer->final[1], 43);
  ck_assert_double_eq(answer->final[1] - answer->final[0], 1 + answer->worth.lower);
  answer = probe(select_family(db, 0), "0 0 0 0 0 1 1 0 0 0 0 0");
  ck_assert(!answer->has_stores && !answer->has_final);
}

CASE(a_line_of_moves_leads_to_the_position_behind_it) {
  write_family(0, IMPLIED);
  tauler_tables *tables = select_family(db, 0);
  tauler_answer *before = probe(tables, "0-1-0-0-1-0-0-1-0-0-1-0-3-2-S");
  for (size_t i = 0; i < before->moves_used; i++) {
    char text[128];
    snprintf(text, sizeof text, "%s moves %s", before->position, before->moves[i].name);
    tauler_answer *after = probe(tables, text);
    ck_assert_str_eq(after->position, before->moves[i].position);
    ck_assert_str_eq(after->turn, "N");
    ck_assert_double_eq(after->worth.lower, before->moves[i].child.lower);
  }
  tauler_answer *none = asked(tables, "0-1-0-0-1-0-0-1-0-0-1-0-3-2-S moves A", TAULER_BAD_POSITION);
  ck_assert_ptr_null(none);
  ck_assert_str_ne(said.text, "");
}

static size_t first_converting(const tauler_line *line) {
  size_t i = 0;
  while (i < line->steps_used && !line->steps[i].converts) i++;
  return i;
}

/* The side that gains converts in exactly as many plies as the depth says, whatever the other does best. */
CASE(lines_follow_the_depths_and_end) {
  const family f = family_of(_i);
  write_family(_i, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, _i);
  for (int seeds = 1; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[f.rules]->layers[seeds];
    const int step = seeds < MAX_SEEDS - 1 ? 1 : SOME(9, 1);
    for (int rank = 0; rank < layer->count; rank += step) {
      char text[64];
      tauler_line *line;
      const tauler_worth worth = naive_worth(f, seeds, rank);
      const tauler_error error =
          tauler_play(tables, naive_write(&layer->boards[rank], text), 0, &line, hear());
      ck_assert_msg(error == TAULER_OK, "%s: %s", text, said.text);
      ck_assert(line->end == TAULER_LINE_ENDED || line->end == TAULER_LINE_REPEATS);
      ck_assert_uint_eq(strlen(line->moves), line->steps_used);
      const tauler_category category = tauler_category_of(worth);
      const int depth = category == TAULER_WIN ? worth.depth_lower : worth.depth_upper;
      const size_t gain = first_converting(line), plies = gain + (gain < line->steps_used);
      if (category == TAULER_WIN || category == TAULER_LOSS) {
        ck_assert(line->end == TAULER_LINE_ENDED || gain < line->steps_used);
        ck_assert_msg(f.forced ? plies <= (size_t)depth : plies == (size_t)depth, "%s: %zu plies, not %d",
                      text, plies, depth);
      }
      tauler_line_free(line);
    }
  }
}

static int board_part(const char *position) {
  int dashes = 0, i = 0;
  for (; position[i] && dashes < 14; i++) dashes += position[i] == '-';
  return i;
}

CASE(a_line_stops_at_the_first_repetition) {
  write_family(0, _i ? IMPLIED : IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, 0);
  size_t seen = 0;
  for (int seeds = 2; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[0]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank += seeds < MAX_SEEDS ? 1 : SOME(7, 1)) {
      char text[64];
      const tauler_line *line = asked_line(tables, naive_write(&layer->boards[rank], text), 0);
      if (line->end == TAULER_LINE_REPEATS) {
        const char *last = line->steps[line->steps_used - 1].position;
        ck_assert(line->repeats < line->steps_used);
        for (size_t i = 0; i < line->steps_used; i++) {
          const char *before = i == 0 ? line->start : line->steps[i - 1].position;
          ck_assert_int_eq(strcmp(before, last) == 0, i == line->repeats);
        }
        ck_assert_int_eq(board_part(last), board_part(line->start));
        seen++;
      }
    }
  }
  ck_assert_uint_gt(seen, 0);
}

CASE(a_line_is_cut_where_asked) {
  write_family(0, IMPLIED_WITH_DEPTHS);
  const tauler_line *line = asked_line(select_family(db, 0), "1-0-0-0-0-0-1-0-0-0-0-0-0-0-S", 3);
  ck_assert_int_eq(line->end, TAULER_LINE_CUT);
  ck_assert_uint_eq(line->steps_used, 3);
}

CASE(without_a_table_moves_are_listed_and_the_build_command_given) {
  tauler_worth worth = {.known = true};
  tauler_line *line;
  tauler_tables *tables = select_family(db, 2 + RULES);
  const char *position = _i ? "1-0-0-0-0-1-1-1-1-1-1-1-3-2-S" : "1-0-0-0-0-1-1-0-1-1-1-1-3-2-S";
  tauler_answer *answer = asked(tables, position, TAULER_TABLE_MISSING);
  ck_assert_ptr_nonnull(answer);
  ck_assert_ptr_null(answer->table);
  ck_assert_uint_eq(answer->moves_used, 2);
  ck_assert_int_eq(answer->category, TAULER_UNKNOWN);
  ck_assert(!answer->worth.known && !answer->moves[0].worth.known && !answer->moves[1].worth.known);
  ck_assert(answer->has_stores && !answer->has_final);
  char command[400];
  snprintf(command, sizeof command, "tauler build auale --seeds %s --rules abapa --cycles forced --db %s",
           _i ? "8" : "7", folder);
  ck_assert_msg(strstr(said.text, command) || (_i && strstr(said.text, "tauler build auale --seeds ")), "%s",
                said.text);
  ck_assert_int_eq(tauler_value(tables, position, &worth, hear()), TAULER_TABLE_MISSING);
  ck_assert(!worth.known);
  ck_assert_int_eq(tauler_play(tables, position, 0, &line, hear()), TAULER_TABLE_MISSING);
  ck_assert_int_eq(line->end, TAULER_LINE_UNKNOWN);
  ck_assert_uint_eq(line->steps_used, 0);
  tauler_line_free(line);
}

static void file_of(int number, int seeds, const char *name, char path[FOLDER_PATH_BYTES]) {
  table_header header;
  path_of(family_of(number), seeds, name, &header, path);
}

/* A slice whose smaller slices are gone: never a wrong value, and what is known stays known. */
CASE(a_missing_smaller_slice_leaves_only_what_is_known) {
  char path[FOLDER_PATH_BYTES], text[64];
  write_family(0, IMPLIED);
  for (int seeds = 0; seeds < MAX_SEEDS; seeds++) {
    file_of(0, seeds, STREAM_VALUE, path);
    ck_assert_int_eq(unlink(path), 0);
  }
  tauler_tables *tables = select_family(db, 0);
  const family f = family_of(0);
  const naive_layer *layer = &games[0]->layers[MAX_SEEDS];
  size_t known = 0, missing = 0, moves_missing = 0;
  for (int rank = 0; rank < layer->count; rank++) {
    tauler_answer *answer;
    const tauler_error error = tauler_probe(tables, naive_write(&layer->boards[rank], text), &answer, hear());
    ck_assert(error == TAULER_OK || error == TAULER_TABLE_MISSING);
    ck_assert_int_eq(answer->worth.known, error == TAULER_OK);
    if (!error)
      assert_worth("a board", text, answer->worth, naive_worth(f, MAX_SEEDS, rank), layer->ended[rank]);
    known += !error;
    missing += !!error;
    for (size_t i = 0; i < answer->moves_used; i++) {
      moves_missing += !answer->moves[i].worth.known;
      if (i) ck_assert(answer->moves[i - 1].worth.known >= answer->moves[i].worth.known);
    }
    tauler_answer_free(answer);
  }
  ck_assert(known > 0 && missing > 0 && moves_missing > 0);
}

CASE(a_table_that_appears_later_is_found) {
  tauler_worth worth;
  tauler_tables *tables = select_family(db, 0);
  ck_assert_int_eq(tauler_value(tables, "0 0 0 0 0 1 1 0 0 0 0 0", &worth, hear()), TAULER_TABLE_MISSING);
  write_family(0, IMPLIED);
  MUST(tauler_value(tables, "0 0 0 0 0 1 1 0 0 0 0 0", &worth, hear()));
}

/* Header, payload and the rest of the file; values and depths. */
CASE(a_damaged_table_never_yields_a_value) {
  char path[FOLDER_PATH_BYTES], text[64];
  struct stat status;
  write_family(0, IMPLIED_WITH_DEPTHS);
  file_of(0, MAX_SEEDS, _i % 2 ? STREAM_DEPTH : STREAM_VALUE, path);
  ck_assert_int_eq(stat(path, &status), 0);
  const long places[] = {300, 1024 + 12, status.st_size - 40};
  flip_bit(path, places[_i / 2], 4);
  tauler_tables *tables = select_family(db, 0);
  const naive_layer *layer = &games[0]->layers[MAX_SEEDS];
  size_t refused = 0;
  for (int rank = 0; rank < layer->count; rank++) {
    tauler_answer *answer;
    const tauler_error error = tauler_probe(tables, naive_write(&layer->boards[rank], text), &answer, hear());
    if (error) {
      REFUSED(TAULER_DAMAGED_FILE, path, error);
      ck_assert_ptr_null(answer);
      refused++;
    } else {
      assert_worth("a board", text, answer->worth, naive_worth(family_of(0), MAX_SEEDS, rank), true);
    }
    tauler_answer_free(answer);
  }
  ck_assert_uint_gt(refused, 0);
}

/* Another rule set's table, another slice's and another stream's in the place of the one wanted. */
CASE(a_table_that_is_not_what_its_path_says_is_refused) {
  char from[FOLDER_PATH_BYTES], to[FOLDER_PATH_BYTES];
  tauler_worth worth = {.known = true};
  write_family(3, IMPLIED);
  write_family(4, IMPLIED);
  file_of(_i == 0 ? 4 : 3, _i == 1 ? 3 : 2, _i == 2 ? STREAM_UPPER : STREAM_LOWER, from);
  file_of(3, 2, STREAM_LOWER, to);
  ck_assert_int_eq(rename(from, to), 0);
  const tauler_error error = tauler_value(select_family(db, 3), "0 0 0 0 0 1 1 0 0 0 0 0", &worth, hear());
  ck_assert_int_eq(error, TAULER_DAMAGED_FILE);
  ck_assert(!worth.known);
}

/* Whole and rightly named, but no table of this game: a numbering of old, a value that no board can
 * have, cells left out that nothing gives back. */
CASE(a_table_that_contradicts_the_rules_is_refused) {
  char path[FOLDER_PATH_BYTES];
  table_header header;
  tauler_worth worth = {.known = true};
  write_family(0, PLAIN);
  path_of(family_of(0), 2, STREAM_VALUE, &header, path);
  header.positions = game_find("auale")->positions(NULL, 2);
  header.cell = TABLE_I8;
  header.coding = TABLE_IMPLIED;
  header.reserved = INT8_MIN;
  header.index_version += _i == 0;
  const int8_t cells[] = {0, 3, INT8_MIN};
  int8_t *stored = suite_zeros(header.positions, 1), *plain = suite_zeros(header.positions, 1);
  memset(stored, cells[_i], header.positions);
  if (_i == 1) memset(plain, cells[_i], header.positions);
  suite_write_table(path, &header, stored, plain);
  tauler_tables *tables = select_family(db, 0);
  const tauler_error error = tauler_value(tables, "0 0 0 1 0 0 1 0 0 0 0 0", &worth, hear());
  ck_assert_msg(error == TAULER_DAMAGED_FILE, "%d: %s", error, said.text);
  ck_assert(!worth.known);
  bulk *values;
  bulk_slice loaded;
  memory_budget *memory = suite_budget(1 << 24);
  MUST(bulk_open(tables, 2, 1, memory, &values, hear()));
  for (uint32_t seeds = 0; seeds < 2; seeds++) { MUST(bulk_load(values, seeds, &loaded, hear())); }
  ck_assert_int_eq(bulk_load(values, 2, &loaded, hear()), _i == 0 ? TAULER_DAMAGED_FILE : TAULER_NOT_PROVEN);
  bulk_close(values);
}

CASE(games_and_rules_that_do_not_exist_are_refused) {
  tauler_tables *tables;
  REFUSED(TAULER_BAD_USAGE, "auale", tauler_select(db, "auala", NULL, NULL, &tables, hear()));
  ck_assert_int_eq(tauler_select(db, "auale", "no", NULL, &tables, hear()), TAULER_BAD_USAGE);
  ck_assert_int_eq(tauler_select(db, "auale", NULL, "no", &tables, hear()), TAULER_BAD_USAGE);
  ck_assert_ptr_null(tables);
}

CASE(the_same_rule_set_is_the_same_object) {
  tauler_tables *named, *by_default;
  MUST(tauler_select(db, "auale", "awari", "even", &named, hear()));
  MUST(tauler_select(db, "auale", NULL, NULL, &by_default, hear()));
  ck_assert_ptr_eq(named, by_default);
  ck_assert_ptr_ne(select_family(db, 1), named);
  ck_assert_ptr_ne(select_family(db, 3), named);
}

static void *ask_everything(void *user) {
  tauler *shared = user;
  for (int number = 0; number < FAMILIES; number += 3) {
    const family f = family_of(number);
    tauler_tables *tables;
    tauler_message why;
    if (tauler_select(shared, "auale", rules_names[f.rules], cycles_of(f), &tables, &why)) return shared;
    for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
      const naive_layer *layer = &games[f.rules]->layers[seeds];
      for (int rank = 0; rank < layer->count; rank += 3) {
        char text[64];
        tauler_answer *answer;
        const tauler_worth wanted = naive_worth(f, seeds, rank);
        if (tauler_probe(tables, naive_write(&layer->boards[rank], text), &answer, &why)) return shared;
        const bool same = answer->worth.lower == wanted.lower && answer->worth.upper == wanted.upper &&
                          answer->worth.depth_lower == wanted.depth_lower;
        tauler_answer_free(answer);
        if (!same) return shared;
      }
    }
  }
  return NULL;
}

CASE(threads_share_one_handle) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  const tauler_settings settings = {.cache_bytes = 1 << 14};
  tauler *shared;
  for (int number = 0; number < FAMILIES; number += 3) write_family(number, IMPLIED_WITH_DEPTHS);
  MUST(tauler_open(folder, &settings, &shared, hear()));
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_everything, shared), 0);
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
    ck_assert_ptr_null(failed);
  }
  tauler_close(shared);
}

static void assert_json(const tauler_answer *answer, const tauler_line *line, const char *wanted) {
  json_writer json;
  json_open_buffer(&json);
  answer_to_json(&json, answer, line);
  char text[4096];
  snprintf(text, sizeof text, "%s", json_text(&json, NULL));
  MUST(json_close(&json, hear()));
  text[strcspn(text, "\n")] = '\0';
  ck_assert_str_eq(text, wanted);
}

CASE(json_has_the_keys_of_the_contract_in_their_order) {
  char wanted[2048];
  write_family(0, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, 0);
  tauler_answer *answer = probe(tables, "0-0-0-0-0-1-1-0-0-0-0-0-20-21-S");
  ck_assert_uint_eq(strlen(answer->table), 32);
  snprintf(wanted, sizeof wanted,
           "{\"game\":\"auale\",\"rules\":\"awari\",\"position\":\"0-0-0-0-0-1-1-0-0-0-0-0-20-21-S\","
           "\"turn\":\"S\",\"slice\":\"2\",\"category\":\"win\",\"outcome\":\"win\",\"value\":2,\"bounds\":["
           "2,2],\"depth\":1,\"table\":\"%s\",\"moves\":[{\"move\":\"F\",\"position\":\"0-0-0-0-0-0-0-0-0-0-"
           "0-0-22-21-N\",\"value\":2,\"child_value\":0,\"bounds\":[2,2],\"depth\":1,\"outcome\":\"win\","
           "\"best\":true,\"converts\":true}],\"final\":[22,21]}",
           answer->table);
  assert_json(answer, NULL, wanted);
  answer = probe(tables, "0-0-0-0-0-1-0-1-0-0-0-0-0-0-S");
  snprintf(wanted, sizeof wanted,
           "{\"game\":\"auale\",\"rules\":\"awari\",\"position\":\"0-0-0-0-0-1-0-1-0-0-0-0-0-0-S\",\"turn\":"
           "\"S\",\"slice\":\"2\",\"category\":\"loss\",\"outcome\":\"loss\",\"value\":-2,\"bounds\":[-2,-2],"
           "\"depth\":2,\"table\":\"%s\",\"moves\":[{\"move\":\"F\",\"position\":\"0-0-0-0-0-0-1-1-0-0-0-0-0-"
           "0-N\",\"value\":-2,\"child_value\":2,\"bounds\":[-2,-2],\"depth\":2,\"outcome\":\"loss\","
           "\"best\":true,\"converts\":false}],\"final\":[0,2]}",
           answer->table);
  assert_json(answer, NULL, wanted);
}

CASE(json_of_unknown_values_and_of_bounds) {
  tauler_tables *tables = select_family(db, 2 + RULES);
  tauler_answer *answer = asked(tables, "1 0 0 0 0 0 1 0 0 0 0 0", TAULER_TABLE_MISSING);
  assert_json(answer, NULL,
              "{\"game\":\"auale\",\"rules\":\"abapa\",\"position\":\"1-0-0-0-0-0-1-0-0-0-0-0-0-0-S\","
              "\"turn\":\"S\",\"slice\":\"2\",\"category\":\"unknown\",\"outcome\":\"unknown\",\"value\":"
              "null,\"bounds\":null,\"depth\":null,\"table\":null,\"moves\":[{\"move\":\"A\",\"position\":"
              "\"0-1-0-0-0-0-1-0-0-0-0-0-0-0-N\",\"value\":null,\"child_value\":null,\"bounds\":null,"
              "\"depth\":null,\"outcome\":\"unknown\",\"best\":false,\"converts\":false}]}");
  write_family(2 + RULES, IMPLIED_WITH_DEPTHS);
  answer = probe(tables, "1 0 0 0 0 0 1 0 0 0 0 0"); /* round for ever */
  ck_assert_uint_eq(strlen(answer->table), 65);
  char wanted[2048];
  snprintf(wanted, sizeof wanted,
           "{\"game\":\"auale\",\"rules\":\"abapa\",\"position\":\"1-0-0-0-0-0-1-0-0-0-0-0-0-0-S\",\"turn\":"
           "\"S\",\"slice\":\"2\",\"category\":\"unknown\",\"outcome\":\"unknown\",\"value\":null,\"bounds\":"
           "[-2,2],\"depth\":null,\"table\":\"%s\",\"moves\":[{\"move\":\"A\",\"position\":\"0-1-0-0-0-0-1-0-"
           "0-0-0-0-0-0-N\",\"value\":null,\"child_value\":null,\"bounds\":[-2,2],\"depth\":null,\"outcome\":"
           "\"unknown\",\"best\":true,\"converts\":false}]}",
           answer->table);
  assert_json(answer, NULL, wanted);
  answer = probe(tables, "1-0-0-0-0-0-1-0-0-0-0-0-20-26-S");
  ck_assert(answer->has_stores && !answer->has_final); /* the end depends on what a cycle is worth */
}

CASE(json_of_a_line_says_how_it_ended) {
  write_family(0, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, 0);
  tauler_answer *answer = probe(tables, "1 0 0 0 0 0 1 0 0 0 0 0");
  const tauler_line *line = asked_line(tables, "1 0 0 0 0 0 1 0 0 0 0 0", 0);
  json_writer json;
  json_open_buffer(&json);
  answer_to_json(&json, answer, line);
  ck_assert_ptr_nonnull(strstr(json_text(&json, NULL),
                               "\"converts\":false}],\"line\":{\"moves\":\"AaBbCcDdEeFf\",\"rule\":\"value\","
                               "\"end\":\"repeats\",\"repeats\":0,\"steps\":[{\"move\":\"A\""));
  MUST(json_close(&json, hear()));
}

SUITE("answer") {
  probe_fixture(suite);
  GROUP("positions");
  TESTS(the_category_is_the_sign_or_unknown, what_both_have_in_the_end_counts_the_stores,
        a_line_of_moves_leads_to_the_position_behind_it);
  GROUP("lines");
  LOOP(lines_follow_the_depths_and_end, FAMILIES);
  LOOP(a_line_stops_at_the_first_repetition, 2);
  TEST(a_line_is_cut_where_asked);
  GROUP("missing and damaged");
  LOOP(without_a_table_moves_are_listed_and_the_build_command_given, 2);
  TESTS(a_missing_smaller_slice_leaves_only_what_is_known, a_table_that_appears_later_is_found);
  LOOP(a_damaged_table_never_yields_a_value, 6);
  LOOP(a_table_that_is_not_what_its_path_says_is_refused, 3);
  LOOP(a_table_that_contradicts_the_rules_is_refused, 3);
  TESTS(games_and_rules_that_do_not_exist_are_refused, the_same_rule_set_is_the_same_object);
  GROUP("threads");
  TEST(threads_share_one_handle);
  GROUP("json");
  TESTS(json_has_the_keys_of_the_contract_in_their_order, json_of_unknown_values_and_of_bounds,
        json_of_a_line_says_how_it_ended);
}
