/* Holds the values of the probe library against the slow definition of aualé, on tables written from it:
 * all boards, all rule sets, implied and plain cells, boards that no move leads to, whole slices. */
#include <unistd.h>

#include "analysis/slices/bulk.h"
#include "analysis/slices/cells.h"
#include "databases/streams.h"
#include "games/game_grid.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/probe_fixture.h"
#include "tests/support/suite.h"

enum { BUILDS = 3, MAX_MOVES = 6 };

static void assert_order(const tauler_answer *answer) {
  for (size_t i = 1; i < answer->moves_used; i++) {
    const tauler_move *a = &answer->moves[i - 1], *b = &answer->moves[i];
    const tauler_worth x = a->worth, y = b->worth;
    ck_assert(x.lower >= y.lower);
    if (x.lower > y.lower) continue;
    if (x.lower > 0) ck_assert(x.depth_lower <= y.depth_lower);
    if (x.lower > 0 && x.depth_lower < y.depth_lower) continue;
    ck_assert(x.upper >= y.upper);
    if (x.upper > y.upper) continue;
    if (x.upper < 0) ck_assert(x.depth_upper >= y.depth_upper);
    if (x.upper < 0 && x.depth_upper > y.depth_upper) continue;
    ck_assert(a->converts >= b->converts);
    if (a->converts == b->converts) ck_assert(strcmp(a->name, b->name) < 0);
  }
}

/* All that are worth as much as any, by the slow definition. */
static void assert_best(family f, int seeds, int rank, const naive_move *moves, int n,
                        const tauler_answer *answer) {
  const naive_layer *layer = &games[f.rules]->layers[seeds];
  tauler_worth worths[MAX_MOVES];
  for (int m = 0; m < n; m++) worths[m] = naive_move_worth(f, seeds, layer->edges[rank][m]);
  for (size_t i = 0; i < answer->moves_used; i++) {
    bool best = true;
    int own = 0;
    while (answer->moves[i].name[0] != 'A' + moves[own].pit) own++;
    for (int m = 0; m < n; m++) {
      best = best && (worths[m].lower < worths[own].lower ||
                      (worths[m].lower == worths[own].lower && worths[m].upper <= worths[own].upper));
    }
    ck_assert_msg(answer->moves[i].best == best, "%s: %s is %sof the best", answer->position,
                  answer->moves[i].name, best ? "" : "not ");
  }
}

static void assert_moves(family f, int seeds, int rank, const tauler_answer *answer, bool with_depths) {
  const naive_layer *layer = &games[f.rules]->layers[seeds];
  naive_move moves[MAX_MOVES];
  ck_assert_uint_eq(answer->moves_used, (size_t)layer->edge_count[rank]);
  const int n = naive_moves((naive_rules)f.rules, &layer->boards[rank], moves);
  for (int m = 0; m < n; m++) {
    const naive_edge edge = layer->edges[rank][m];
    const tauler_move *found = NULL;
    for (size_t i = 0; i < answer->moves_used; i++) {
      if (answer->moves[i].name[0] == 'A' + moves[m].pit) found = &answer->moves[i];
    }
    ck_assert_ptr_nonnull(found);
    assert_worth("a move", answer->position, found->worth, naive_move_worth(f, seeds, edge), with_depths);
    assert_worth("a child", found->position, found->child, naive_worth(f, seeds - edge.captured, edge.child),
                 with_depths || layer[-edge.captured].ended[edge.child]);
    ck_assert_int_eq(found->converts, edge.captured > 0);
    ck_assert_int_eq(atoi(found->slice), seeds - edge.captured);
  }
  assert_order(answer);
  assert_best(f, seeds, rank, moves, n, answer);
}

CASE(every_board_is_worth_what_the_slow_definition_says) {
  const int number = _i % FAMILIES;
  const build how = (build)(_i / FAMILIES);
  const family f = family_of(number);
  write_family(number, how);
  tauler_tables *tables = select_family(db, number);
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[f.rules]->layers[seeds];
    const int step = seeds < MAX_SEEDS ? 1 : SOME(7, 1);
    for (int rank = 0; rank < layer->count; rank += step) {
      char text[64];
      tauler_worth value;
      const bool with_depths = how == IMPLIED_WITH_DEPTHS || layer->ended[rank];
      tauler_answer *answer = probe(tables, naive_write(&layer->boards[rank], text));
      ck_assert_str_eq(answer->position, text);
      ck_assert_int_eq(atoi(answer->slice), seeds);
      ck_assert_int_eq(answer->index == TAULER_NO_INDEX, !naive_is_table_board(&layer->boards[rank]));
      ck_assert_int_eq(answer->ended, layer->ended[rank]);
      assert_worth("a board", text, answer->worth, naive_worth(f, seeds, rank), with_depths);
      assert_moves(f, seeds, rank, answer, how == IMPLIED_WITH_DEPTHS);
      MUST(tauler_value(tables, text, &value, hear()));
      assert_worth("the value", text, value, answer->worth, false);
      if (value.depth_lower != TAULER_NO_DEPTH || value.depth_upper != TAULER_NO_DEPTH)
        ck_abort_msg("%s: a value with depths", text);
      if (answer->index != TAULER_NO_INDEX) {
        MUST(tauler_value_at(tables, answer->slice_number, answer->index, &value, hear()));
        assert_worth("the cell", text, value, answer->worth, false);
      }
    }
  }
}

/* Full opponent's rows take six seeds. */
CASE(boards_that_no_move_leads_to_are_valued_by_their_moves) {
  const family f = family_of(_i);
  char path[FOLDER_PATH_BYTES], text[64];
  table_header header;
  tauler_worth value;
  size_t seen = 0, half_known = 0;
  write_slices(_i, IMPLIED_WITH_DEPTHS, OUTSIDE_SEEDS);
  tauler_tables *tables = select_family(db, _i);
  path_of(f, OUTSIDE_SEEDS, f.forced ? STREAM_UPPER : STREAM_VALUE, &header, path);
  for (int gone = 0; gone < 2; gone++) {
    const naive_layer *layer = &games[f.rules]->layers[OUTSIDE_SEEDS];
    for (int rank = 0; rank < layer->count; rank += SOME(2, 1)) {
      if (naive_is_table_board(&layer->boards[rank]) || layer->ended[rank]) continue;
      tauler_answer *answer;
      const tauler_error error =
          tauler_probe(tables, naive_write(&layer->boards[rank], text), &answer, hear());
      ck_assert_uint_eq(answer->index, TAULER_NO_INDEX);
      ck_assert_int_eq(answer->worth.known, !error);
      ck_assert_int_eq(tauler_value(tables, text, &value, hear()), error);
      ck_assert_int_eq(value.known, !error);
      if (gone) {
        bool known = false;
        for (size_t i = 0; i < answer->moves_used; i++) known = known || answer->moves[i].worth.known;
        half_known += error && known;
        ck_assert(!error || error == TAULER_TABLE_MISSING);
      } else {
        ck_assert_msg(!error, "%s", said.text);
        assert_worth("a board", text, answer->worth, naive_worth(f, OUTSIDE_SEEDS, rank), true);
        assert_worth("the value", text, value, answer->worth, false);
        assert_moves(f, OUTSIDE_SEEDS, rank, answer, true);
        seen++;
      }
      tauler_answer_free(answer);
    }
    if (gone) break;
    ck_assert_int_eq(unlink(path), 0);
    db = asked_folder();
    tables = select_family(db, _i);
  }
  ck_assert_uint_gt(seen, 0);
  ck_assert_uint_gt(half_known, 0);
}

/* With values in memory or without. */
CASE(cells_of_whole_slices_are_those_of_their_positions) {
  const family f = family_of(_i % FAMILIES);
  write_family(_i % FAMILIES, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, _i % FAMILIES);
  stream s = {.game = tables->game, .rules = tables->rules, .family = f};
  bulk *values = NULL;
  bulk_slice loaded = {.all = NULL};
  memory_budget *memory = suite_budget(1 << 24);
  if (_i >= FAMILIES) MUST(bulk_open(tables, MAX_SEEDS, 1, memory, &values, hear()));
  for (s.seeds = 0; s.seeds <= MAX_SEEDS; s.seeds++) {
    const uint64_t positions = s.game->positions(s.rules, (uint32_t)s.seeds), first = positions / 3;
    const size_t count = (size_t)(positions - first);
    plain_cell *cells = suite_zeros(count, sizeof *cells);
    if (values) MUST(bulk_load(values, (uint32_t)s.seeds, &loaded, hear()));
    MUST(cells_read(tables, (uint32_t)s.seeds, loaded.all, first, count, true, cells, hear()));
    for (size_t i = 0; i < count; i++) {
      const naive_board board = board_at(&s, first + i);
      const int rank = naive_rank(&games[f.rules]->layers[s.seeds], &board);
      const tauler_worth cell = {true, cells[i].lower, cells[i].upper, cells[i].depth_lower,
                                 cells[i].depth_upper};
      assert_worth("a cell", "a slice", cell, naive_worth(f, s.seeds, rank), true);
    }
  }
  bulk_close(values);
}

static void check_loaded(const stream *s, const solved_slice *loaded) {
  for (uint64_t i = 0; i < loaded->positions; i++) {
    const naive_board board = board_at(s, i);
    const int rank = naive_rank(&games[s->family.rules]->layers[s->seeds], &board);
    const tauler_worth wanted = naive_worth(s->family, s->seeds, rank);
    ck_assert_int_eq(loaded->cells[0][i], (int)wanted.lower);
    ck_assert_int_eq(loaded->cells[loaded->planes - 1][i], (int)wanted.upper);
  }
}

/* By the kernels, all of a slice at once. */
CASE(values_of_whole_slices_are_those_of_their_positions) {
  const family f = family_of(_i % FAMILIES);
  write_family(_i % FAMILIES, _i < FAMILIES ? IMPLIED : PLAIN);
  tauler_tables *tables = select_family(db, _i % FAMILIES);
  stream s = {.game = tables->game, .rules = tables->rules, .family = f};
  bulk *values;
  memory_budget *memory = suite_budget(1 << 24);
  MUST(bulk_open(tables, MAX_SEEDS, 2, memory, &values, hear()));
  for (s.seeds = 0; s.seeds <= MAX_SEEDS; s.seeds++) {
    bulk_slice in_memory;
    MUST(bulk_load(values, (uint32_t)s.seeds, &in_memory, hear()));
    check_loaded(&s, &in_memory.all[s.seeds]);
  }
  bulk_close(values);
}

enum { LISTS = 1000 };

/* Memory holds the small slices only. */
CASE(values_that_do_not_fit_lie_on_the_disk) {
  write_family(_i, IMPLIED);
  tauler_tables *tables = select_family(db, _i);
  stream s = {.game = tables->game, .rules = tables->rules, .family = family_of(_i)};
  const uint64_t largest = tables->game->positions(tables->rules, MAX_SEEDS) * (uint64_t)tables->planes;
  const uint64_t room[] = {0, 1, largest};
  for (int i = 0; i < 3; i++) {
    const bool fits = room[i] >= largest;
    bulk *values;
    bulk_slice loaded;
    memory_budget *memory = suite_budget(1 << 24);
    MUST(bulk_open(tables, MAX_SEEDS, 2, memory, &values, hear()));
    if (room[i]) memory_use_disk(memory, tables->db->folder, room[i]);
    memory->limit = memory_allocated(memory) + tables->game->grid->prepared_bytes(tables->rules, MAX_SEEDS) +
                    largest + LISTS;
    for (s.seeds = 0; s.seeds < MAX_SEEDS; s.seeds++)
      MUST(bulk_load(values, (uint32_t)s.seeds, &loaded, hear()));
    const uint64_t before = memory_allocated(memory);
    const tauler_error error = bulk_load(values, MAX_SEEDS, &loaded, hear());
    ck_assert_msg(error == (fits ? TAULER_OK : TAULER_NO_MEMORY), "%s", said.text);
    if (fits) check_loaded(&s, &loaded.all[s.seeds]);
    ck_assert_uint_lt(memory_allocated(memory), before + largest); /* a list alone */
    bulk_drop(values, MAX_SEEDS);
    if (fits) ck_assert_msg(!bulk_load(values, MAX_SEEDS, &loaded, hear()), "%s", said.text);
    if (fits) check_loaded(&s, &loaded.all[s.seeds]);
    bulk_close(values);
  }
}

CASE(an_index_beyond_the_slice_is_refused) {
  write_family(0, IMPLIED);
  tauler_tables *tables = select_family(db, 0);
  tauler_worth worth = {.known = true};
  const uint64_t positions = tables->game->positions(tables->rules, 2);
  MUST(tauler_value_at(tables, 2, positions - 1, &worth, hear()));
  ck_assert_int_eq(tauler_value_at(tables, 2, positions, &worth, hear()), TAULER_BAD_USAGE);
  ck_assert(!worth.known);
}

static double greatest_lower(const tauler_answer *answer) {
  double most = answer->moves[0].worth.lower;
  for (size_t i = 1; i < answer->moves_used; i++)
    if (answer->moves[i].worth.lower > most) most = answer->moves[i].worth.lower;
  return most;
}

/* A line says that it goes by guarantees if a position on it is known by bounds that differ, and does go so.
 */
CASE(a_line_says_by_which_rule_it_is_chosen) {
  size_t seen[2] = {0, 0};
  write_slices(_i, IMPLIED_WITH_DEPTHS, 4);
  tauler_tables *tables = select_family(db, _i);
  for (int seeds = 1; seeds <= 4; seeds++) {
    const naive_layer *layer = &games[family_of(_i).rules]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank += seeds < 4 ? 1 : SOME(7, 1)) {
      char text[64];
      bool open = false;
      const tauler_line *line = asked_line(tables, naive_write(&layer->boards[rank], text), 0);
      for (size_t i = 0; i < line->steps_used; i++) {
        tauler_answer *answer = probe(tables, i ? line->steps[i - 1].position : line->start);
        open = open || answer->worth.lower < answer->worth.upper;
        ck_assert(line->steps[i].worth.lower == greatest_lower(answer));
      }
      ck_assert_msg(line->rule == (open ? TAULER_LINE_BY_LOWER_BOUND : TAULER_LINE_BY_VALUE), "%s: %s", text,
                    line->moves);
      seen[open]++;
    }
  }
  ck_assert_uint_gt(seen[false], 0);
  ck_assert_int_eq(seen[true] > 0, family_of(_i).forced);
}

SUITE("probe") {
  probe_fixture(suite);
  GROUP("values");
  LOOP(every_board_is_worth_what_the_slow_definition_says, FAMILIES * BUILDS);
  LOOP(boards_that_no_move_leads_to_are_valued_by_their_moves, FAMILIES);
  LOOP(cells_of_whole_slices_are_those_of_their_positions, 2 * FAMILIES);
  LOOP(values_of_whole_slices_are_those_of_their_positions, 2 * FAMILIES);
  LOOP(values_that_do_not_fit_lie_on_the_disk, FAMILIES);
  TEST(an_index_beyond_the_slice_is_refused);
  GROUP("lines");
  LOOP(a_line_says_by_which_rule_it_is_chosen, FAMILIES);
}
