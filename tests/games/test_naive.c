/* Holds the slow definition of aualé (tests/naive) against published figures, and its solvers against what
 * their answers must satisfy. */
#include "tests/naive/naive_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"

enum { MAX_SEEDS = 8, RULES = 3, MAX_ROWS = 256, MAX_COLUMNS = 4 };

static naive_game *games[RULES];
static naive_forced *scores[RULES];
static naive_bounds *bounds[RULES];

static void solve_all_rules(void) {
  for (int r = 0; r < RULES; r++) {
    games[r] = naive_game_new((naive_rules)r, MAX_SEEDS);
    scores[r] = naive_solve_even(games[r]);
    bounds[r] = naive_solve_forced(games[r]);
  }
}

static const naive_rules all_rules[RULES] = {NAIVE_AWARI, NAIVE_AWARI_CAPTURES, NAIVE_ABAPA};

static naive_board board_of(const char *text) {
  naive_board board;
  char *rest;
  for (int pit = 0; pit < 12; pit++) {
    board.pit[pit] = (unsigned char)strtol(text, &rest, 10);
    ck_assert_ptr_ne(rest, text);
    text = rest;
  }
  ck_assert_str_eq(text, "");
  return board;
}

static const char *const names[RULES] = {"awari", "awari,grand-slam=captures", "abapa"};

static naive_rules rules_of(const char *text) {
  int r = 0;
  while (strcmp(names[r], text) != 0) ck_assert_int_lt(++r, RULES);
  return all_rules[r];
}

/* The pits of the legal moves, as digits; or what is captured by the move of a pit, and the board after it;
 * or the net gain at the end. */
static void expect_row(const oracle_row *row) {
  const char *move = row->cell[2], *text = row->cell[1];
  const naive_rules rules = rules_of(row->cell[0]);
  const naive_board board = board_of(text);
  naive_move moves[6];
  const int count = naive_moves(rules, &board, moves);
  int m = 0, net = 99;
  const bool ended = naive_ended(rules, &board, &net);
  if (strcmp(move, "ended") == 0) {
    EXPECT(ended && net == atoi(row->cell[3]), "%s, %s: ended with %d", row->cell[0], text, net);
  } else if (strcmp(move, "legal") == 0) {
    char pits[7] = "";
    for (; m < count; m++) pits[m] = (char)('0' + moves[m].pit);
    EXPECT(strcmp(pits, row->cell[4]) == 0, "%s, %s: legal %s", row->cell[0], text, pits);
    EXPECT(ended == (count == 0), "%s, %s: the end", row->cell[0], text);
  } else {
    const naive_board after = board_of(row->cell[4]);
    while (m < count && moves[m].pit != atoi(move)) m++;
    EXPECT(m < count, "%s, %s: pit %s is illegal", row->cell[0], text, move);
    ck_assert_int_eq(moves[m].captured, atoi(row->cell[3]));
    ck_assert_mem_eq(&moves[m].child, &after, sizeof after);
  }
}

CASE(moves_by_hand) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("auale-moves.csv"); oracle_next(file, &row); rows++) expect_row(&row);
  ck_assert_int_eq(rows, 54);
}

static int count_lines(naive_rules rules, const naive_board *board, int plies) {
  naive_move moves[6];
  int count = naive_moves(rules, board, moves), lines = 0;
  if (plies == 1) return count;
  for (int m = 0; m < count; m++) lines += count_lines(rules, &moves[m].child, plies - 1);
  return lines;
}

CASE(lines_of_play_from_the_start) {
  static const int expected[] = {6, 36, 190, 1014, 5219, 27332};
  naive_board start = board_of("4 4 4 4 4 4 4 4 4 4 4 4");
  for (int plies = 1; plies <= 6; plies++) {
    ck_assert_int_eq(count_lines(NAIVE_AWARI, &start, plies), expected[plies - 1]);
    ck_assert_int_eq(count_lines(NAIVE_ABAPA, &start, plies), expected[plies - 1]);
  }
}

/* One of Check's own assertions for each of many boards would take most of the time. */
static void expect(const char *what, int found, int expected, int seeds, int rank) {
  if (found != expected)
    ck_abort_msg("%s is %d, not %d: board %d with %d seeds", what, found, expected, rank, seeds);
}

static int choose(int from, int taken) {
  long long ways = 1;
  for (int i = 1; i <= taken; i++) ways = ways * (from - taken + i) / i;
  return from < taken ? 0 : (int)ways;
}

CASE(boards_are_listed_once) {
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[NAIVE_AWARI]->layers[seeds];
    int table_boards = 0;
    for (int rank = 0; rank < layer->count; rank++) {
      const naive_board *board = &layer->boards[rank];
      expect("number of seeds", naive_seeds(board), seeds, seeds, rank);
      expect("rank", naive_rank(layer, board), rank, seeds, rank);
      if (rank > 0) expect("order", memcmp(board - 1, board, sizeof *board) < 0, true, seeds, rank);
      table_boards += naive_is_table_board(board);
    }
    ck_assert_int_eq(layer->count, choose(seeds + 11, 11));
    ck_assert_int_eq(table_boards, choose(seeds + 11, 11) - choose(seeds + 5, 11));
  }
  naive_board start = board_of("4 4 4 4 4 4 4 4 4 4 4 4");
  ck_assert_int_eq(naive_rank(&games[NAIVE_AWARI]->layers[MAX_SEEDS], &start), -1);
}

/* Reads the rows of a file of whole numbers, and returns how many there are. */
static int read_rows(const char *name, int columns, int rows[MAX_ROWS][MAX_COLUMNS]) {
  oracle_row row;
  int count = 0;
  for (FILE *file = oracle_open(name); oracle_next(file, &row); count++) {
    ck_assert(count < MAX_ROWS && row.cells == columns);
    for (int column = 0; column < columns; column++) rows[count][column] = atoi(row.cell[column]);
  }
  return count;
}

/* Boards per slice, lower and upper bound; a value is a bound from both sides. */
typedef struct {
  int of[MAX_SEEDS + 1][2 * MAX_SEEDS + 1][2 * MAX_SEEDS + 1];
} counts;

static int *cell(counts *table, int slice, int lower, int upper) {
  ck_assert_int_le(abs(lower), slice);
  ck_assert_int_le(abs(upper), slice);
  return &table->of[slice][lower + MAX_SEEDS][upper + MAX_SEEDS];
}

static void assert_same_counts(counts *found, counts *published) {
  for (int slice = 0; slice <= MAX_SEEDS; slice++)
    for (int lower = -slice; lower <= slice; lower++)
      for (int upper = -slice; upper <= slice; upper++)
        ck_assert_msg(*cell(found, slice, lower, upper) == *cell(published, slice, lower, upper),
                      "%d seeds, %d to %d: %d boards, not %d", slice, lower, upper,
                      *cell(found, slice, lower, upper), *cell(published, slice, lower, upper));
}

static void count_values(naive_rules rules, bool table_boards_only, counts *found) {
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[rules]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      if (table_boards_only && !naive_is_table_board(&layer->boards[rank])) continue;
      const int value = scores[rules][seeds].value[0][rank];
      ++*cell(found, seeds, value, value);
    }
  }
}

static void assert_awari_counts(const char *name, bool table_boards_only) {
  static int rows[MAX_ROWS][MAX_COLUMNS];
  counts found = {0}, published = {0};
  int count = read_rows(name, 3, rows);
  for (int row = 0; row < count; row++)
    if (rows[row][0] <= MAX_SEEDS) *cell(&published, rows[row][0], rows[row][1], rows[row][1]) = rows[row][2];
  count_values(NAIVE_AWARI, table_boards_only, &found);
  assert_same_counts(&found, &published);
}

CASE(awari_all_boards) {
  assert_awari_counts("auale-awari-all-boards.csv", false);
}

CASE(awari_table_boards) {
  assert_awari_counts("auale-awari-table-boards.csv", true);
}

CASE(abapa_forced_table_boards) {
  static int rows[MAX_ROWS][MAX_COLUMNS];
  counts found = {0}, published = {0};
  int count = read_rows("auale-abapa-forced.csv", 4, rows);
  for (int row = 0; row < count; row++)
    *cell(&published, rows[row][0], rows[row][1], rows[row][2]) = rows[row][3];
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[NAIVE_ABAPA]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++)
      if (naive_is_table_board(&layer->boards[rank]))
        ++*cell(&found, seeds, naive_lower(layer, bounds[NAIVE_ABAPA], rank),
                naive_upper(layer, bounds[NAIVE_ABAPA], rank));
  }
  assert_same_counts(&found, &published);
}

CASE(grand_slam_captures_counts) {
  static const int expected[][4] = {{3, 127, 63, 174}, {4, 596, 138, 631}, {6, 5781, 1540, 5055}};
  for (int row = 0; row < 3; row++) {
    const int seeds = expected[row][0];
    int won = 0, drawn = 0, lost = 0;
    for (int rank = 0; rank < games[NAIVE_AWARI_CAPTURES]->layers[seeds].count; rank++) {
      const int value = scores[NAIVE_AWARI_CAPTURES][seeds].value[0][rank];
      won += value > 0;
      drawn += value == 0;
      lost += value < 0;
    }
    ck_assert_int_eq(won, expected[row][1]);
    ck_assert_int_eq(drawn, expected[row][2]);
    ck_assert_int_eq(lost, expected[row][3]);
  }
}

/* The best worth among a board's moves, and the least and greatest depth among the moves of that worth. */
typedef struct {
  int worth, least, greatest;
} best;

static void add_move(best *b, int worth, int depth) {
  if (worth > b->worth) *b = (best){worth, depth, depth};
  if (worth != b->worth) return;
  if (depth < b->least) b->least = depth;
  if (depth > b->greatest) b->greatest = depth;
}

static const best no_move = {-99, 0, 0};

/* The depth of a board that gains (gain > 0), loses or neither. Best moves all have depths where somebody
 * gains, or the gain could not be forced. */
static void expect_depth(int gain, int depth, best b, int seeds, int rank) {
  int of_move = gain > 0 ? b.least : b.greatest;
  if (gain != 0) expect("a best move without depth", b.least == NAIVE_NO_DEPTH, false, seeds, rank);
  expect("depth", depth, gain == 0 ? NAIVE_NO_DEPTH : 1 + of_move, seeds, rank);
}

static void expect_score(int r, const naive_layer *layer, int rank) {
  naive_move moves[6];
  best b = no_move;
  const naive_forced *own = &scores[r][layer->seeds];
  int count = naive_moves(all_rules[r], &layer->boards[rank], moves);
  for (int m = 0; m < count; m++) {
    int seeds = layer->seeds - moves[m].captured;
    int child = naive_rank(&games[r]->layers[seeds], &moves[m].child);
    add_move(&b, moves[m].captured - scores[r][seeds].value[0][child],
             moves[m].captured > 0 ? 0 : own->depth[0][child]);
  }
  expect("value", own->value[0][rank], b.worth, layer->seeds, rank);
  expect_depth(own->value[0][rank], own->depth[0][rank], b, layer->seeds, rank);
}

CASE(scores_prove_themselves) {
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[_i]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      int net;
      if (!naive_ended(all_rules[_i], &layer->boards[rank], &net))
        expect_score(_i, layer, rank);
      else {
        expect("value", scores[_i][seeds].value[0][rank], net, seeds, rank);
        expect("depth", scores[_i][seeds].depth[0][rank], 0, seeds, rank);
      }
    }
  }
}

/* The opponent's guarantee is the mover's loss: its bound is the best move's, its depth the greatest. */
static void expect_bounds(int r, const naive_layer *layer, int rank) {
  naive_move moves[6];
  best lower = no_move, upper = no_move;
  const naive_bounds *own = &bounds[r][layer->seeds];
  int count = naive_moves(all_rules[r], &layer->boards[rank], moves);
  for (int m = 0; m < count; m++) {
    int captured = moves[m].captured, seeds = layer->seeds - captured;
    int child = naive_rank(&games[r]->layers[seeds], &moves[m].child);
    const naive_bounds *after = &bounds[r][seeds];
    add_move(&lower, captured + after->other[child], captured > 0 ? 0 : after->depth_upper[child]);
    add_move(&upper, -after->mover[child], captured > 0 ? 0 : after->depth_lower[child]);
  }
  expect("the mover's guarantee", own->mover[rank], lower.worth, layer->seeds, rank);
  expect("the opponent's guarantee", -own->other[rank], upper.worth, layer->seeds, rank);
  expect_depth(own->mover[rank], own->depth_lower[rank], lower, layer->seeds, rank);
  expect_depth(-own->other[rank], own->depth_upper[rank], upper, layer->seeds, rank);
}

static void expect_ended_bounds(int r, const naive_layer *layer, int rank, int net) {
  const naive_bounds *own = &bounds[r][layer->seeds];
  expect("lower bound", naive_lower(layer, bounds[r], rank), net, layer->seeds, rank);
  expect("upper bound", naive_upper(layer, bounds[r], rank), net, layer->seeds, rank);
  expect("lower depth", own->depth_lower[rank], net > 0 ? 0 : NAIVE_NO_DEPTH, layer->seeds, rank);
  expect("upper depth", own->depth_upper[rank], net < 0 ? 0 : NAIVE_NO_DEPTH, layer->seeds, rank);
}

CASE(bounds_prove_themselves) {
  for (int seeds = 0; seeds <= MAX_SEEDS; seeds++) {
    const naive_layer *layer = &games[_i]->layers[seeds];
    for (int rank = 0; rank < layer->count; rank++) {
      const int value = scores[_i][seeds].value[0][rank];
      int net;
      expect("lower <= value", naive_lower(layer, bounds[_i], rank) <= value, true, seeds, rank);
      expect("value <= upper", value <= naive_upper(layer, bounds[_i], rank), true, seeds, rank);
      if (naive_ended(all_rules[_i], &layer->boards[rank], &net))
        expect_ended_bounds(_i, layer, rank, net);
      else
        expect_bounds(_i, layer, rank);
    }
  }
}

/* One seed is short enough to be played out by hand. */
CASE(depths_by_hand) {
  naive_board held = board_of("1 0 0 0 0 0 0 0 0 0 0 0"), fed = board_of("0 0 0 0 0 1 0 0 0 0 0 0");
  const naive_layer *one = &games[NAIVE_AWARI]->layers[1];
  int held_rank = naive_rank(one, &held), fed_rank = naive_rank(one, &fed);
  ck_assert_int_eq(scores[NAIVE_AWARI][1].value[0][held_rank], 1);
  ck_assert_int_eq(scores[NAIVE_AWARI][1].depth[0][held_rank], 1);
  ck_assert_int_eq(scores[NAIVE_AWARI][1].value[0][fed_rank], -1);
  ck_assert_int_eq(scores[NAIVE_AWARI][1].depth[0][fed_rank], 2);
  ck_assert_int_eq(scores[NAIVE_ABAPA][1].depth[0][held_rank], 0);
  ck_assert_int_eq(scores[NAIVE_ABAPA][1].depth[0][fed_rank], 1);
  ck_assert_int_eq(bounds[NAIVE_ABAPA][1].depth_upper[fed_rank], 1);
  ck_assert_int_eq(bounds[NAIVE_ABAPA][1].depth_lower[fed_rank], NAIVE_NO_DEPTH);
}

SUITE("naive aualé") {
  GROUP("rules");
  TESTS(moves_by_hand, lines_of_play_from_the_start);
  GROUP("values");
  FIXTURE_ONCE(solve_all_rules, NULL);
  TESTS(boards_are_listed_once, awari_all_boards, awari_table_boards, abapa_forced_table_boards,
        grand_slam_captures_counts);
  LOOP(scores_prove_themselves, RULES);
  LOOP(bounds_prove_themselves, RULES);
  TEST(depths_by_hand);
}
