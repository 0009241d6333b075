/* Holds the probe library against the slow definition of aualé, on tables written from it: all boards,
 * all rule sets, implied and plain cells; then order, lines, missing and damaged tables, threads, JSON. */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/bulk.h"
#include "analysis/cells.h"
#include "analysis/print_answer.h"
#include "analysis/tauler.h"
#include "base/durable_file.h"
#include "databases/folder.h"
#include "databases/streams.h"
#include "databases/table.h"
#include "games/registry.h"
#include "naive/naive_solve.h"

enum { MAX_SEEDS = 5, OUTSIDE_SEEDS = 8, RULES = 3, FAMILIES = 2 * RULES, BUILDS = 3, MAX_MOVES = 6 };

/* What is written: as tauler build does with --depth, the same without depths, and all cells plain. */
typedef enum { IMPLIED_WITH_DEPTHS, IMPLIED, PLAIN } build;

static const char *const rules_names[RULES] = {"awari", "awari,grand-slam=captures", "abapa"};

typedef struct {
  int rules;
  bool forced;
} family;

static family family_of(int number) {
  return (family){number % RULES, number >= RULES};
}
static const char *cycles_of(family f) {
  return f.forced ? "forced" : "even";
}

static naive_game *games[RULES];
static naive_scores *scores[RULES];
static naive_bounds *bounds[RULES];
static char folder[256];

/* --- the slow definition -------------------------------------------------------------------------- */

static void solve_all(void) {
  for (int r = 0; r < RULES; r++) {
    games[r] = naive_game_new((naive_rules)r, OUTSIDE_SEEDS);
    scores[r] = naive_solve_even(games[r]);
    bounds[r] = naive_solve_forced(games[r]);
  }
}

static void free_all(void) {
  for (int r = 0; r < RULES; r++) {
    naive_scores_free(games[r], scores[r]);
    naive_bounds_free(games[r], bounds[r]);
    naive_game_free(games[r]);
  }
}

static tauler_worth naive_worth(family f, int seeds, int rank) {
  const naive_layer *layer = &games[f.rules]->layers[seeds];
  tauler_worth worth = {true, 0, 0, TAULER_NO_DEPTH, TAULER_NO_DEPTH};
  if (f.forced) {
    worth.lower = naive_lower(layer, bounds[f.rules], rank);
    worth.upper = naive_upper(layer, bounds[f.rules], rank);
    worth.depth_lower = bounds[f.rules][seeds].depth_lower[rank];
    worth.depth_upper = bounds[f.rules][seeds].depth_upper[rank];
  } else {
    worth.lower = worth.upper = scores[f.rules][seeds].value[rank];
    /* A draw has no depth here, not even the empty board. */
    if (worth.lower != 0) worth.depth_lower = worth.depth_upper = scores[f.rules][seeds].depth[rank];
  }
  return worth;
}

/* What a move is worth to the mover; depth as seen from the board before it. */
static tauler_worth naive_move_worth(family f, int seeds, naive_edge edge) {
  const tauler_worth child = naive_worth(f, seeds - edge.captured, edge.child);
  tauler_worth worth = {true, edge.captured - child.upper, edge.captured - child.lower, child.depth_upper,
                        child.depth_lower};
  const double nothing = f.forced ? seeds : 0;
  if (edge.captured > 0) worth.depth_lower = worth.depth_upper = 0;
  worth.depth_lower = worth.lower == -nothing ? TAULER_NO_DEPTH : worth.depth_lower + 1;
  worth.depth_upper = worth.upper == nothing ? TAULER_NO_DEPTH : worth.depth_upper + 1;
  return worth;
}

/* --- tables ----------------------------------------------------------------------------------------- */

typedef struct {
  const game *game;
  game_rules *rules;
  family family;
  int seeds, plane;
  bool depths, implied;
} stream;

static naive_board board_at(const stream *s, uint64_t index) {
  game_position position;
  char text[GAME_TEXT_BYTES], *at = text;
  naive_board board;
  s->game->position_at(s->rules, (game_place){(uint32_t)s->seeds, index}, &position);
  s->game->print(s->rules, &position, text);
  for (int pit = 0; pit < 12; pit++, at++) board.pit[pit] = (unsigned char)strtol(at, &at, 10);
  return board;
}

/* The worth that a cell may be left out for. */
static bool best_converting(const stream *s, int rank, double *best) {
  const naive_layer *layer = &games[s->family.rules]->layers[s->seeds];
  bool any = layer->ended[rank];
  if (any) *best = layer->net[rank];
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    if (layer->edges[rank][e].captured == 0) continue;
    const tauler_worth worth = naive_move_worth(s->family, s->seeds, layer->edges[rank][e]);
    const double value = s->plane ? worth.upper : worth.lower;
    if (!any || value > *best) *best = value;
    any = true;
  }
  return any;
}

static tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                         tauler_message *message) {
  const stream *s = user;
  (void)message;
  for (size_t i = 0; i < count; i++) {
    const game_place place = {(uint32_t)s->seeds, first + i};
    const naive_board board = board_at(s, first + i);
    const int rank = naive_rank(&games[s->family.rules]->layers[s->seeds], &board);
    const tauler_worth worth = naive_worth(s->family, s->seeds, rank);
    const bool left_out = s->implied && s->game->look(s->rules, place) == LOOK_ALL;
    if (s->depths) {
      const int depth = s->plane ? worth.depth_upper : worth.depth_lower;
      const uint8_t cell = (uint8_t)(depth == TAULER_NO_DEPTH ? 0 : depth);
      ((uint8_t *)plain)[i] = cell;
      ((uint8_t *)stored)[i] = left_out ? UINT8_MAX : cell;
    } else {
      const double value = s->plane ? worth.upper : worth.lower;
      double best = 0;
      const bool implied = s->implied && best_converting(s, rank, &best) && best == value;
      ((int8_t *)plain)[i] = (int8_t)value;
      ((int8_t *)stored)[i] = left_out || implied ? INT8_MIN : (int8_t)value;
    }
  }
  return TAULER_OK;
}

static void path_of(family f, int seeds, const char *name, table_header *header,
                    char path[FOLDER_PATH_BYTES]) {
  *header = (table_header){.game = "auale", .index_version = game_find("auale")->index_version};
  snprintf(header->rules, sizeof header->rules, "%s", rules_names[f.rules]);
  snprintf(header->cycles, sizeof header->cycles, "%s", cycles_of(f));
  snprintf(header->slice, sizeof header->slice, "%d", seeds);
  snprintf(header->stream, sizeof header->stream, "%s", name);
  ck_assert_int_eq(folder_table_path(folder, header, path, NULL), TAULER_OK);
}

static void write_stream(const stream *s, const char *name) {
  char path[FOLDER_PATH_BYTES], above[FOLDER_PATH_BYTES];
  table_header header;
  tauler_message message;
  path_of(s->family, s->seeds, name, &header, path);
  header.positions = s->game->positions(s->rules, (uint32_t)s->seeds);
  header.cell = s->depths ? TABLE_U8 : TABLE_I8;
  header.coding = s->implied ? TABLE_IMPLIED : TABLE_PLAIN;
  if (s->implied) header.reserved = s->depths ? UINT8_MAX : INT8_MIN;
  snprintf(above, sizeof above, "%s", path);
  *strrchr(above, '/') = '\0';
  ck_assert_int_eq(durable_folder_create(above, &message), TAULER_OK);
  const table_write_settings settings = {.level = 1, .frame_bytes = 1024, .threads = 1};
  const tauler_error error = table_write(path, &header, &settings, fill, (void *)s, NULL, &message);
  ck_assert_msg(error == TAULER_OK, "%s", message.text);
}

static void write_slices(int number, build how, int most) {
  static const char *const names[2][3] = {{STREAM_VALUE, STREAM_LOWER, STREAM_UPPER},
                                          {STREAM_DEPTH, STREAM_DEPTH_LOWER, STREAM_DEPTH_UPPER}};
  stream s = {.game = game_find("auale"), .family = family_of(number), .implied = how != PLAIN};
  ck_assert_int_eq(s.game->open(rules_names[s.family.rules], cycles_of(s.family), &s.rules, NULL), TAULER_OK);
  for (s.seeds = 0; s.seeds <= most; s.seeds++) {
    for (int depths = 0; depths < (how == IMPLIED_WITH_DEPTHS ? 2 : 1); depths++) {
      for (s.plane = 0; s.plane < (s.family.forced ? 2 : 1); s.plane++) {
        s.depths = depths;
        write_stream(&s, names[depths][s.family.forced ? 1 + s.plane : 0]);
      }
    }
  }
  s.game->close(s.rules);
}

static void write_family(int number, build how) {
  write_slices(number, how, MAX_SEEDS);
}

/* --- fixtures --------------------------------------------------------------------------------------- */

static tauler *db;
static tauler_message message;

static void make_folder(void) {
  const char *above = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/tauler-probe.XXXXXX", above ? above : "/tmp");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(tauler_open(folder, NULL, &db, &message), TAULER_OK);
}

static void remove_folder(void) {
  char command[512];
  tauler_close(db);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  ck_assert_int_eq(system(command), 0); /* NOLINT: the folder is ours */
}

static tauler_tables *select_family(tauler *from, int number) {
  const family f = family_of(number);
  tauler_tables *tables;
  const tauler_error error =
      tauler_select(from, "auale", rules_names[f.rules], cycles_of(f), &tables, &message);
  ck_assert_msg(error == TAULER_OK, "%s", message.text);
  return tables;
}

static const char *text_of(const naive_board *board, char text[64]) {
  int used = 0;
  for (int pit = 0; pit < 12; pit++)
    used += snprintf(text + used, (size_t)(64 - used), "%d-", board->pit[pit]);
  snprintf(text + used, (size_t)(64 - used), "0-0-S");
  return text;
}

static void assert_worth(const char *what, const char *position, tauler_worth is, tauler_worth wanted,
                         bool with_depths) {
  if (!with_depths) wanted.depth_lower = wanted.depth_upper = TAULER_NO_DEPTH;
  ck_assert_msg(is.known && is.lower == wanted.lower && is.upper == wanted.upper,
                "%s of %s: %d [%g, %g], not [%g, %g]", what, position, is.known, is.lower, is.upper,
                wanted.lower, wanted.upper);
  ck_assert_msg(is.depth_lower == wanted.depth_lower && is.depth_upper == wanted.depth_upper,
                "%s of %s: depths %d, %d, not %d, %d", what, position, is.depth_lower, is.depth_upper,
                wanted.depth_lower, wanted.depth_upper);
}

static tauler_answer *probe(tauler_tables *tables, const char *position) {
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, position, &answer, &message);
  ck_assert_msg(error == TAULER_OK, "%s: %s", position, message.text);
  ck_assert_str_eq(message.text, "");
  return answer;
}

/* --- values ----------------------------------------------------------------------------------------- */

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
}

START_TEST(every_board_is_worth_what_the_slow_definition_says) {
  const int number = _i % FAMILIES;
  const build how = (build)(_i / FAMILIES);
  const family f = family_of(number);
  write_family(number, how);
  tauler_tables *tables = select_family(db, number);
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[f.rules]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      char text[64];
      tauler_worth value;
      const bool with_depths = how == IMPLIED_WITH_DEPTHS || layer->ended[rank];
      tauler_answer *answer = probe(tables, text_of(&layer->boards[rank], text));
      ck_assert_str_eq(answer->position, text);
      ck_assert_int_eq(atoi(answer->slice), seeds);
      ck_assert_int_eq(answer->index == TAULER_NO_INDEX, !naive_is_table_board(&layer->boards[rank]));
      ck_assert_int_eq(answer->ended, layer->ended[rank]);
      assert_worth("a board", text, answer->worth, naive_worth(f, seeds, rank), with_depths);
      assert_moves(f, seeds, rank, answer, how == IMPLIED_WITH_DEPTHS);
      ck_assert_int_eq(tauler_value(tables, text, &value, &message), TAULER_OK);
      assert_worth("the value", text, value, answer->worth, layer->ended[rank]);
      if (answer->index != TAULER_NO_INDEX) {
        const tauler_error error =
            tauler_value_at(tables, answer->slice_number, answer->index, &value, &message);
        ck_assert_msg(error == TAULER_OK, "%s", message.text);
        assert_worth("the cell", text, value, answer->worth, false);
      }
      tauler_answer_free(answer);
    }
  }
}
END_TEST

/* Full opponent's rows take six seeds. */
START_TEST(boards_that_no_move_leads_to_are_valued_by_their_moves) {
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
    for (int rank = 0; rank < layer->count; rank++) {
      if (naive_is_table_board(&layer->boards[rank]) || layer->ended[rank]) continue;
      tauler_answer *answer;
      const tauler_error error = tauler_probe(tables, text_of(&layer->boards[rank], text), &answer, &message);
      ck_assert_uint_eq(answer->index, TAULER_NO_INDEX);
      ck_assert_int_eq(answer->worth.known, !error);
      ck_assert_int_eq(tauler_value(tables, text, &value, &message), error);
      ck_assert_int_eq(value.known, !error);
      if (gone) {
        bool known = false;
        for (size_t i = 0; i < answer->moves_used; i++) known = known || answer->moves[i].worth.known;
        half_known += error && known;
        ck_assert(!error || error == TAULER_TABLE_MISSING);
      } else {
        ck_assert_msg(!error, "%s", message.text);
        assert_worth("a board", text, answer->worth, naive_worth(f, OUTSIDE_SEEDS, rank), true);
        assert_worth("the value", text, value, answer->worth, false);
        assert_moves(f, OUTSIDE_SEEDS, rank, answer, true);
        seen++;
      }
      tauler_answer_free(answer);
    }
    if (gone) break;
    tauler_close(db);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(tauler_open(folder, NULL, &db, &message), TAULER_OK);
    tables = select_family(db, _i);
  }
  ck_assert_uint_gt(seen, 0);
  ck_assert_uint_gt(half_known, 0);
}
END_TEST

START_TEST(cells_of_whole_slices_are_those_of_their_positions) {
  const family f = family_of(_i);
  write_family(_i, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, _i);
  stream s = {.game = tables->game, .rules = tables->rules, .family = f};
  for (s.seeds = 0; s.seeds <= MAX_SEEDS; s.seeds++) {
    const uint64_t positions = s.game->positions(s.rules, (uint32_t)s.seeds), first = positions / 3;
    const size_t count = (size_t)(positions - first);
    plain_cell *cells = calloc(count, sizeof *cells);
    ck_assert_ptr_nonnull(cells);
    ck_assert_int_eq(cells_read(tables, (uint32_t)s.seeds, NULL, first, count, true, cells, &message),
                     TAULER_OK);
    for (size_t i = 0; i < count; i++) {
      const naive_board board = board_at(&s, first + i);
      const int rank = naive_rank(&games[f.rules]->layers[s.seeds], &board);
      const tauler_worth cell = {true, cells[i].lower, cells[i].upper, cells[i].depth_lower,
                                 cells[i].depth_upper};
      assert_worth("a cell", "a slice", cell, naive_worth(f, s.seeds, rank), true);
    }
    free(cells);
  }
}
END_TEST

/* By the kernels, all of a slice at once. */
START_TEST(values_of_whole_slices_are_those_of_their_positions) {
  const family f = family_of(_i % FAMILIES);
  write_family(_i % FAMILIES, _i < FAMILIES ? IMPLIED : PLAIN);
  tauler_tables *tables = select_family(db, _i % FAMILIES);
  stream s = {.game = tables->game, .rules = tables->rules, .family = f};
  memory_budget memory;
  bulk *values;
  memory_budget_open(&memory, 1 << 24);
  ck_assert_int_eq(bulk_open(tables, MAX_SEEDS, 2, &memory, &values, &message), TAULER_OK);
  for (s.seeds = 0; s.seeds <= MAX_SEEDS; s.seeds++) {
    const solved_slice *loaded;
    const tauler_error error = bulk_load(values, (uint32_t)s.seeds, &loaded, &message);
    ck_assert_msg(error == TAULER_OK, "%s", message.text);
    for (uint64_t i = 0; i < loaded->positions; i++) {
      const naive_board board = board_at(&s, i);
      const int rank = naive_rank(&games[f.rules]->layers[s.seeds], &board);
      const tauler_worth wanted = naive_worth(f, s.seeds, rank);
      ck_assert_int_eq(loaded->cells[0][i], (int)wanted.lower);
      ck_assert_int_eq(loaded->cells[loaded->planes - 1][i], (int)wanted.upper);
    }
  }
  bulk_close(values);
  ck_assert_uint_eq(memory_taken(&memory), 0);
}
END_TEST

START_TEST(an_index_beyond_the_slice_is_refused) {
  write_family(0, IMPLIED);
  tauler_tables *tables = select_family(db, 0);
  tauler_worth worth = {.known = true};
  const uint64_t positions = tables->game->positions(tables->rules, 2);
  ck_assert_int_eq(tauler_value_at(tables, 2, positions - 1, &worth, &message), TAULER_OK);
  ck_assert_int_eq(tauler_value_at(tables, 2, positions, &worth, &message), TAULER_BAD_USAGE);
  ck_assert(!worth.known);
}
END_TEST

START_TEST(the_category_is_the_sign_or_unknown) {
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
END_TEST

START_TEST(what_both_have_in_the_end_counts_the_stores) {
  write_family(0, IMPLIED);
  tauler_answer *answer = probe(select_family(db, 0), "0-0-0-0-0-1-1-0-0-0-0-0-20-21-N");
  ck_assert(answer->has_final);
  ck_assert_double_eq(answer->final[0] + answer->final[1], 43);
  ck_assert_double_eq(answer->final[1] - answer->final[0], 1 + answer->worth.lower);
  tauler_answer_free(answer);
  answer = probe(select_family(db, 0), "0 0 0 0 0 1 1 0 0 0 0 0");
  ck_assert(!answer->has_stores && !answer->has_final);
  tauler_answer_free(answer);
}
END_TEST

START_TEST(a_line_of_moves_leads_to_the_position_behind_it) {
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
    tauler_answer_free(after);
  }
  tauler_answer_free(before);
  tauler_answer *none;
  ck_assert_int_eq(tauler_probe(tables, "0-1-0-0-1-0-0-1-0-0-1-0-3-2-S moves A", &none, &message),
                   TAULER_BAD_POSITION);
  ck_assert_ptr_null(none);
  ck_assert_str_ne(message.text, "");
}
END_TEST

/* --- lines ------------------------------------------------------------------------------------------ */

static size_t first_converting(const tauler_line *line) {
  size_t i = 0;
  while (i < line->steps_used && !line->steps[i].converts) i++;
  return i;
}

/* Whoever gains converts in exactly as many plies as the depth says, whatever the other does best. */
START_TEST(lines_follow_the_depths_and_end) {
  const family f = family_of(_i);
  write_family(_i, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, _i);
  for (int seeds = 1; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[f.rules]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      char text[64];
      tauler_line *line;
      const tauler_worth worth = naive_worth(f, seeds, rank);
      const tauler_error error = tauler_play(tables, text_of(&layer->boards[rank], text), 0, &line, &message);
      ck_assert_msg(error == TAULER_OK, "%s: %s", text, message.text);
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
END_TEST

static int board_part(const char *position) {
  int dashes = 0, i = 0;
  for (; position[i] && dashes < 14; i++) dashes += position[i] == '-';
  return i;
}

START_TEST(a_line_stops_at_the_first_repetition) {
  write_family(0, _i ? IMPLIED : IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, 0);
  size_t seen = 0;
  for (int seeds = 2; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[0]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      char text[64];
      tauler_line *line;
      ck_assert_int_eq(tauler_play(tables, text_of(&layer->boards[rank], text), 0, &line, &message),
                       TAULER_OK);
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
      tauler_line_free(line);
    }
  }
  ck_assert_uint_gt(seen, 0);
}
END_TEST

START_TEST(a_line_is_cut_where_asked) {
  write_family(0, IMPLIED_WITH_DEPTHS);
  tauler_line *line;
  ck_assert_int_eq(tauler_play(select_family(db, 0), "1-0-0-0-0-0-1-0-0-0-0-0-0-0-S", 3, &line, &message),
                   TAULER_OK);
  ck_assert_int_eq(line->end, TAULER_LINE_CUT);
  ck_assert_uint_eq(line->steps_used, 3);
  tauler_line_free(line);
}
END_TEST

/* --- missing, damaged, foreign ---------------------------------------------------------------------- */

START_TEST(without_a_table_moves_are_listed_and_the_build_command_told) {
  tauler_answer *answer;
  tauler_worth worth = {.known = true};
  tauler_line *line;
  tauler_tables *tables = select_family(db, 2 + RULES);
  const char *position = _i ? "1-0-0-0-0-1-1-1-1-1-1-1-3-2-S" : "1-0-0-0-0-1-1-0-1-1-1-1-3-2-S";
  ck_assert_int_eq(tauler_probe(tables, position, &answer, &message), TAULER_TABLE_MISSING);
  ck_assert_ptr_nonnull(answer);
  ck_assert_ptr_null(answer->table);
  ck_assert_uint_eq(answer->moves_used, 2);
  ck_assert_int_eq(answer->category, TAULER_UNKNOWN);
  ck_assert(!answer->worth.known && !answer->moves[0].worth.known && !answer->moves[1].worth.known);
  ck_assert(answer->has_stores && !answer->has_final);
  char command[400];
  snprintf(command, sizeof command, "tauler build auale --seeds %s --rules abapa --cycles forced --db %s",
           _i ? "8" : "7", folder);
  ck_assert_msg(strstr(message.text, command) || (_i && strstr(message.text, "tauler build auale --seeds ")),
                "%s", message.text);
  tauler_answer_free(answer);
  ck_assert_int_eq(tauler_value(tables, position, &worth, &message), TAULER_TABLE_MISSING);
  ck_assert(!worth.known);
  ck_assert_int_eq(tauler_play(tables, position, 0, &line, &message), TAULER_TABLE_MISSING);
  ck_assert_int_eq(line->end, TAULER_LINE_UNKNOWN);
  ck_assert_uint_eq(line->steps_used, 0);
  tauler_line_free(line);
}
END_TEST

static void file_of(int number, int seeds, const char *name, char path[FOLDER_PATH_BYTES]) {
  table_header header;
  path_of(family_of(number), seeds, name, &header, path);
}

/* A slice whose smaller slices are gone: never a wrong value, and what is known stays known. */
START_TEST(a_missing_smaller_slice_leaves_only_what_is_known) {
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
    const tauler_error error = tauler_probe(tables, text_of(&layer->boards[rank], text), &answer, &message);
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
END_TEST

START_TEST(a_table_that_appears_later_is_found) {
  tauler_worth worth;
  tauler_tables *tables = select_family(db, 0);
  ck_assert_int_eq(tauler_value(tables, "0 0 0 0 0 1 1 0 0 0 0 0", &worth, &message), TAULER_TABLE_MISSING);
  write_family(0, IMPLIED);
  ck_assert_int_eq(tauler_value(tables, "0 0 0 0 0 1 1 0 0 0 0 0", &worth, &message), TAULER_OK);
}
END_TEST

static void flip(const char *path, long at) {
  FILE *file = fopen(path, "r+b");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
  const int byte = fgetc(file);
  ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
  fputc(byte ^ 0x10, file);
  ck_assert_int_eq(fclose(file), 0);
}

/* Header, payload and the rest of the file; values and depths. */
START_TEST(a_damaged_table_never_yields_a_value) {
  char path[FOLDER_PATH_BYTES], text[64];
  struct stat status;
  write_family(0, IMPLIED_WITH_DEPTHS);
  file_of(0, MAX_SEEDS, _i % 2 ? STREAM_DEPTH : STREAM_VALUE, path);
  ck_assert_int_eq(stat(path, &status), 0);
  const long places[] = {300, 1024 + 12, status.st_size - 40};
  flip(path, places[_i / 2]);
  tauler_tables *tables = select_family(db, 0);
  const naive_layer *layer = &games[0]->layers[MAX_SEEDS];
  size_t refused = 0;
  for (int rank = 0; rank < layer->count; rank++) {
    tauler_answer *answer;
    const tauler_error error = tauler_probe(tables, text_of(&layer->boards[rank], text), &answer, &message);
    if (error) {
      ck_assert_int_eq(error, TAULER_DAMAGED_FILE);
      ck_assert_ptr_null(answer);
      ck_assert_ptr_nonnull(strstr(message.text, path));
      refused++;
    } else {
      assert_worth("a board", text, answer->worth, naive_worth(family_of(0), MAX_SEEDS, rank), true);
    }
    tauler_answer_free(answer);
  }
  ck_assert_uint_gt(refused, 0);
}
END_TEST

/* Another rule set's table, another slice's and another stream's in the place of the one wanted. */
START_TEST(a_table_that_is_not_what_its_path_says_is_refused) {
  char from[FOLDER_PATH_BYTES], to[FOLDER_PATH_BYTES];
  tauler_worth worth = {.known = true};
  write_family(3, IMPLIED);
  write_family(4, IMPLIED);
  file_of(_i == 0 ? 4 : 3, _i == 1 ? 3 : 2, _i == 2 ? STREAM_UPPER : STREAM_LOWER, from);
  file_of(3, 2, STREAM_LOWER, to);
  ck_assert_int_eq(rename(from, to), 0);
  const tauler_error error = tauler_value(select_family(db, 3), "0 0 0 0 0 1 1 0 0 0 0 0", &worth, &message);
  ck_assert_int_eq(error, TAULER_DAMAGED_FILE);
  ck_assert(!worth.known);
}
END_TEST

static tauler_error fill_with(void *user, uint64_t first, size_t count, void *stored, void *plain,
                              tauler_message *why) {
  const int cell = *(const int *)user;
  (void)first;
  (void)why;
  memset(stored, cell, count);
  memset(plain, cell == INT8_MIN ? 0 : cell, count);
  return TAULER_OK;
}

/* Whole and rightly named, but no table of this game: a numbering of old, a value that no board can
 * have, cells left out that nothing gives back. */
START_TEST(a_table_that_contradicts_the_rules_is_refused) {
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
  const int cells[] = {0, 3, INT8_MIN};
  const table_write_settings settings = {.level = 1, .threads = 1};
  tauler_error error = table_write(path, &header, &settings, fill_with, (void *)&cells[_i], NULL, &message);
  ck_assert_msg(error == TAULER_OK, "%s", message.text);
  tauler_tables *tables = select_family(db, 0);
  error = tauler_value(tables, "0 0 0 1 0 0 1 0 0 0 0 0", &worth, &message);
  ck_assert_msg(error == TAULER_DAMAGED_FILE, "%d: %s", error, message.text);
  ck_assert(!worth.known);
  memory_budget memory;
  bulk *values;
  const solved_slice *loaded;
  memory_budget_open(&memory, 1 << 24);
  ck_assert_int_eq(bulk_open(tables, 2, 1, &memory, &values, &message), TAULER_OK);
  for (uint32_t seeds = 0; seeds < 2; seeds++) {
    ck_assert_int_eq(bulk_load(values, seeds, &loaded, &message), TAULER_OK);
  }
  ck_assert_int_eq(bulk_load(values, 2, &loaded, &message), TAULER_DAMAGED_FILE);
  bulk_close(values);
  ck_assert_uint_eq(memory_taken(&memory), 0);
}
END_TEST

START_TEST(games_and_rules_that_do_not_exist_are_refused) {
  tauler_tables *tables;
  ck_assert_int_eq(tauler_select(db, "auala", NULL, NULL, &tables, &message), TAULER_BAD_USAGE);
  ck_assert_ptr_nonnull(strstr(message.text, "auale"));
  ck_assert_int_eq(tauler_select(db, "auale", "no", NULL, &tables, &message), TAULER_BAD_USAGE);
  ck_assert_int_eq(tauler_select(db, "auale", NULL, "no", &tables, &message), TAULER_BAD_USAGE);
  ck_assert_ptr_null(tables);
}
END_TEST

START_TEST(the_same_rule_set_is_the_same_object) {
  tauler_tables *named, *by_default;
  ck_assert_int_eq(tauler_select(db, "auale", "awari", "even", &named, &message), TAULER_OK);
  ck_assert_int_eq(tauler_select(db, "auale", NULL, NULL, &by_default, &message), TAULER_OK);
  ck_assert_ptr_eq(named, by_default);
  ck_assert_ptr_ne(select_family(db, 1), named);
  ck_assert_ptr_ne(select_family(db, 3), named);
}
END_TEST

/* --- threads ---------------------------------------------------------------------------------------- */

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
        if (tauler_probe(tables, text_of(&layer->boards[rank], text), &answer, &why)) return shared;
        const bool same = answer->worth.lower == wanted.lower && answer->worth.upper == wanted.upper &&
                          answer->worth.depth_lower == wanted.depth_lower;
        tauler_answer_free(answer);
        if (!same) return shared;
      }
    }
  }
  return NULL;
}

START_TEST(threads_share_one_handle) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  const tauler_settings settings = {.cache_bytes = 1 << 14};
  tauler *shared;
  for (int number = 0; number < FAMILIES; number += 3) write_family(number, IMPLIED_WITH_DEPTHS);
  ck_assert_int_eq(tauler_open(folder, &settings, &shared, &message), TAULER_OK);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_everything, shared), 0);
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    ck_assert_int_eq(pthread_join(threads[i], &failed), 0);
    ck_assert_ptr_null(failed);
  }
  tauler_close(shared);
}
END_TEST

/* --- JSON ------------------------------------------------------------------------------------------- */

static void assert_json(const tauler_answer *answer, const tauler_line *line, const char *wanted) {
  json_writer json;
  json_open_buffer(&json, JSON_COMPACT);
  answer_to_json(&json, answer, line);
  char text[4096];
  snprintf(text, sizeof text, "%s", json_text(&json, NULL));
  ck_assert_int_eq(json_close(&json, &message), TAULER_OK);
  text[strcspn(text, "\n")] = '\0';
  ck_assert_str_eq(text, wanted);
}

START_TEST(json_has_the_keys_of_the_contract_in_their_order) {
  char wanted[2048];
  write_family(0, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, 0);
  tauler_answer *answer = probe(tables, "0-0-0-0-0-1-1-0-0-0-0-0-20-21-S");
  ck_assert_uint_eq(strlen(answer->table), 32);
  snprintf(wanted, sizeof wanted,
           "{\"game\":\"auale\",\"rules\":\"awari\",\"position\":\"0-0-0-0-0-1-1-0-0-0-0-0-20-21-S\","
           "\"turn\":\"S\","
           "\"slice\":\"2\",\"category\":\"win\",\"value\":2,\"bounds\":[2,2],\"depth\":1,\"table\":\"%s\","
           "\"moves\":["
           "{\"move\":\"F\",\"position\":\"0-0-0-0-0-0-0-0-0-0-0-0-22-21-N\",\"value\":2,\"child_value\":0,"
           "\"bounds\":[2,2],\"depth\":1,\"converts\":true}],\"final\":[22,21]}",
           answer->table);
  assert_json(answer, NULL, wanted);
  tauler_answer_free(answer);
  answer = probe(tables, "0-0-0-0-0-1-0-1-0-0-0-0-0-0-S");
  snprintf(
      wanted, sizeof wanted,
      "{\"game\":\"auale\",\"rules\":\"awari\",\"position\":\"0-0-0-0-0-1-0-1-0-0-0-0-0-0-S\",\"turn\":\"S\","
      "\"slice\":\"2\",\"category\":\"loss\",\"value\":-2,\"bounds\":[-2,-2],\"depth\":2,\"table\":\"%s\","
      "\"moves\":["
      "{\"move\":\"F\",\"position\":\"0-0-0-0-0-0-1-1-0-0-0-0-0-0-N\",\"value\":-2,\"child_value\":2,"
      "\"bounds\":[-2,-2],\"depth\":2,\"converts\":false}],\"final\":[0,2]}",
      answer->table);
  assert_json(answer, NULL, wanted);
  tauler_answer_free(answer);
}
END_TEST

START_TEST(json_of_unknown_values_and_of_bounds) {
  tauler_answer *answer;
  tauler_tables *tables = select_family(db, 2 + RULES);
  ck_assert_int_eq(tauler_probe(tables, "1 0 0 0 0 0 1 0 0 0 0 0", &answer, &message), TAULER_TABLE_MISSING);
  assert_json(
      answer, NULL,
      "{\"game\":\"auale\",\"rules\":\"abapa\",\"position\":\"1-0-0-0-0-0-1-0-0-0-0-0-0-0-S\",\"turn\":\"S\","
      "\"slice\":\"2\",\"category\":\"unknown\",\"value\":null,\"bounds\":null,\"depth\":null,\"table\":null,"
      "\"moves\":[{\"move\":\"A\",\"position\":\"0-1-0-0-0-0-1-0-0-0-0-0-0-0-N\",\"value\":null,"
      "\"child_value\":null,\"bounds\":null,\"depth\":null,\"converts\":false}]}");
  tauler_answer_free(answer);
  write_family(2 + RULES, IMPLIED_WITH_DEPTHS);
  answer = probe(tables, "1 0 0 0 0 0 1 0 0 0 0 0"); /* round for ever */
  ck_assert_uint_eq(strlen(answer->table), 65);
  char wanted[2048];
  snprintf(
      wanted, sizeof wanted,
      "{\"game\":\"auale\",\"rules\":\"abapa\",\"position\":\"1-0-0-0-0-0-1-0-0-0-0-0-0-0-S\",\"turn\":\"S\","
      "\"slice\":\"2\",\"category\":\"unknown\",\"value\":null,\"bounds\":[-2,2],\"depth\":null,\"table\":\"%"
      "s\","
      "\"moves\":[{\"move\":\"A\",\"position\":\"0-1-0-0-0-0-1-0-0-0-0-0-0-0-N\",\"value\":null,"
      "\"child_value\":null,\"bounds\":[-2,2],\"depth\":null,\"converts\":false}]}",
      answer->table);
  assert_json(answer, NULL, wanted);
  tauler_answer_free(answer);
  answer = probe(tables, "1-0-0-0-0-0-1-0-0-0-0-0-20-26-S");
  ck_assert(answer->has_stores && !answer->has_final); /* the end depends on what a cycle is worth */
  tauler_answer_free(answer);
}
END_TEST

START_TEST(json_of_a_line_says_how_it_ended) {
  write_family(0, IMPLIED_WITH_DEPTHS);
  tauler_tables *tables = select_family(db, 0);
  tauler_answer *answer = probe(tables, "1 0 0 0 0 0 1 0 0 0 0 0");
  tauler_line *line;
  ck_assert_int_eq(tauler_play(tables, "1 0 0 0 0 0 1 0 0 0 0 0", 0, &line, &message), TAULER_OK);
  json_writer json;
  json_open_buffer(&json, JSON_COMPACT);
  answer_to_json(&json, answer, line);
  ck_assert_ptr_nonnull(strstr(json_text(&json, NULL),
                               "\"converts\":false}],\"line\":{\"moves\":\"AaBbCcDdEeFf\","
                               "\"end\":\"repeats\",\"repeats\":0,\"steps\":[{\"move\":\"A\""));
  ck_assert_int_eq(json_close(&json, &message), TAULER_OK);
  tauler_line_free(line);
  tauler_answer_free(answer);
}
END_TEST

static TCase *new_case(Suite *suite, const char *name) {
  TCase *tests = tcase_create(name);
  tcase_add_unchecked_fixture(tests, solve_all, free_all);
  tcase_add_checked_fixture(tests, make_folder, remove_folder);
  tcase_set_timeout(tests, 120);
  suite_add_tcase(suite, tests);
  return tests;
}

int main(void) {
  Suite *suite = suite_create("probe");
  TCase *tests = new_case(suite, "values");
  tcase_add_loop_test(tests, every_board_is_worth_what_the_slow_definition_says, 0, FAMILIES * BUILDS);
  tcase_add_loop_test(tests, boards_that_no_move_leads_to_are_valued_by_their_moves, 0, FAMILIES);
  tcase_add_loop_test(tests, cells_of_whole_slices_are_those_of_their_positions, 0, FAMILIES);
  tcase_add_loop_test(tests, values_of_whole_slices_are_those_of_their_positions, 0, 2 * FAMILIES);
  tcase_add_test(tests, an_index_beyond_the_slice_is_refused);
  tcase_add_test(tests, the_category_is_the_sign_or_unknown);
  tcase_add_test(tests, what_both_have_in_the_end_counts_the_stores);
  tcase_add_test(tests, a_line_of_moves_leads_to_the_position_behind_it);
  tests = new_case(suite, "lines");
  tcase_add_loop_test(tests, lines_follow_the_depths_and_end, 0, FAMILIES);
  tcase_add_loop_test(tests, a_line_stops_at_the_first_repetition, 0, 2);
  tcase_add_test(tests, a_line_is_cut_where_asked);
  tests = new_case(suite, "missing and damaged");
  tcase_add_loop_test(tests, without_a_table_moves_are_listed_and_the_build_command_told, 0, 2);
  tcase_add_test(tests, a_missing_smaller_slice_leaves_only_what_is_known);
  tcase_add_test(tests, a_table_that_appears_later_is_found);
  tcase_add_loop_test(tests, a_damaged_table_never_yields_a_value, 0, 6);
  tcase_add_loop_test(tests, a_table_that_is_not_what_its_path_says_is_refused, 0, 3);
  tcase_add_loop_test(tests, a_table_that_contradicts_the_rules_is_refused, 0, 3);
  tcase_add_test(tests, games_and_rules_that_do_not_exist_are_refused);
  tcase_add_test(tests, the_same_rule_set_is_the_same_object);
  tests = new_case(suite, "threads");
  tcase_add_test(tests, threads_share_one_handle);
  tests = new_case(suite, "json");
  tcase_add_test(tests, json_has_the_keys_of_the_contract_in_their_order);
  tcase_add_test(tests, json_of_unknown_values_and_of_bounds);
  tcase_add_test(tests, json_of_a_line_says_how_it_ended);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
