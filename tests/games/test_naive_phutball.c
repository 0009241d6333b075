/* Holds the slow definition of Phutball (tests/naive) against published figures and against cases read from
 * the rules. */
#include "tests/naive/naive_phutball_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"

static const naive_phb_rules base = {0};

static naive_phb_board board_of(const char *text) {
  naive_phb_board board;
  ck_assert_msg(naive_phb_read(text, &board), "%s is no board", text);
  return board;
}

/* --- turns --- */

typedef struct {
  naive_phb_board before;
  int placements;
  char
      jumps[1000 + NAIVE_PHB_NAME_BYTES]; /* " A2-A4", with "O:" or "E:" before those that win for somebody */
} listed;

static bool list_turn(void *user, const naive_phb_turn *turn) {
  static const char *const winner[] = {"", "O:", "E:"};
  char name[NAIVE_PHB_NAME_BYTES];
  listed *list = user;
  if (turn->stops == 1) {
    list->placements++;
    return true;
  }
  naive_phb_turn_name(&list->before, turn, name);
  size_t used = strlen(list->jumps);
  ck_assert_uint_lt(used + strlen(name) + 4, 1000);
  sprintf(list->jumps + used, " %s%s", winner[turn->result], name);
  return true;
}

static int by_text(const void *one, const void *other) {
  return strcmp(*(char *const *)one, *(char *const *)other);
}

static void sort_words(const char *text, char sorted[1000]) {
  char copy[1000];
  char *words[100];
  size_t count = 0;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *word = strtok(copy, " "); word != NULL && count < 100; word = strtok(NULL, " "))
    words[count++] = word;
  if (count > 0) qsort(words, count, sizeof *words, by_text);
  int used = 0;
  sorted[0] = '\0';
  for (size_t i = 0; i < count; i++) used += sprintf(sorted + used, "%s%s", i == 0 ? "" : " ", words[i]);
}

static listed turns_of(const naive_phb_rules *rules, const naive_phb_board *board) {
  listed list = {.before = *board};
  ck_assert(naive_phb_each_turn(rules, board, list_turn, &list));
  return list;
}

/* All jump turns, in any order. */
static void assert_jumps_of(const naive_phb_rules *rules, const naive_phb_board *board,
                            const char *expected) {
  listed list = turns_of(rules, board);
  char wanted[1000], found[1000], text[NAIVE_PHB_TEXT_BYTES];
  naive_phb_write(board, text);
  sort_words(expected, wanted);
  sort_words(list.jumps, found);
  ck_assert_msg(strcmp(wanted, found) == 0, "%s, %s: '%s', not '%s'", naive_phb_rules_text(rules), text,
                found, wanted);
}

static naive_phb_rules rules_of(const char *text) {
  return (naive_phb_rules){.corner_exit = strstr(text, "corner=exit"),
                           .goal_line_stop = strstr(text, "goal-line=stop")};
}

CASE(jumps_by_hand) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("phutball-jumps.csv"); oracle_next(file, &row); rows++) {
    const naive_phb_board board = board_of(row.cell[2]);
    const naive_phb_rules rules = rules_of(row.cell[1]);
    assert_jumps_of(&rules, &board, row.cell[3]);
  }
  ck_assert_int_eq(rows, 70);
}

/* Columns have no I: K is the tenth. */
static naive_phb_board board_of_the_source(int men, const naive_phb_point *man) {
  naive_phb_board board = naive_phb_empty(19, 15, (naive_phb_point){6, 10}, false);
  for (int m = 0; m < men; m++) board.man[man[m].row][man[m].column] = true;
  return board;
}

typedef struct {
  const naive_phb_board *before;
  const char *name;
  naive_phb_board after;
  bool found;
} wanted_turn;

static bool find_turn(void *user, const naive_phb_turn *turn) {
  char name[NAIVE_PHB_NAME_BYTES];
  wanted_turn *wanted = user;
  naive_phb_turn_name(wanted->before, turn, name);
  wanted->found = strcmp(name, wanted->name) == 0;
  wanted->after = turn->after;
  return !wanted->found;
}

static void assert_after(const naive_phb_board *board, const char *name, const char *expected) {
  char text[NAIVE_PHB_TEXT_BYTES];
  wanted_turn wanted = {.before = board, .name = name};
  naive_phb_each_turn(&base, board, find_turn, &wanted);
  ck_assert_msg(wanted.found, "there is no turn %s", name);
  naive_phb_write(&wanted.after, text);
  ck_assert_str_eq(text, expected);
}

CASE(jumps_of_the_source) {
  static const naive_phb_point four[] = {{7, 9}, {8, 8}, {10, 7}, {11, 8}},
                               five[] = {{7, 9}, {8, 8}, {9, 8}, {10, 7}, {11, 8}};
  naive_phb_board board = board_of_the_source(4, four);
  ck_assert_int_eq(turns_of(&base, &board).placements, 19 * 15 - 5);
  assert_after(&board, "K6-G9-G11-J11", "15/15/15/15/15/15/15/15/8o6/15/15/15/15/15/15/15/15/15/15 E");
  assert_after(&board, "H10", "15/15/15/15/15/15/15/15/7x7/6xx7/15/7x7/8x6/9o5/15/15/15/15/15 E");
  board = board_of_the_source(5, five);
  assert_after(&board, "K6-G9-J9", "15/15/15/15/15/15/15/15/7x7/6x8/8o6/15/15/15/15/15/15/15/15 E");
}

/* --- lines --- */

static void assert_counts(const char *text, int plies, long turns, long goals, long boards) {
  naive_phb_board board = board_of(text);
  naive_phb_counts found = naive_phb_count(&base, &board, plies);
  ck_assert_msg(found.turns == turns && found.goals == goals && found.boards == boards,
                "%s, %d plies: %ld,%ld,%ld, not %ld,%ld,%ld", text, plies, found.turns, found.goals,
                found.boards, turns, goals, boards);
}

CASE(lines_per_ply) {
  assert_counts("3/1o1/3 O", 1, 8, 0, 8);
  assert_counts("3/1o1/3 O", 2, 58, 2, 28);
  assert_counts("3/1o1/3 O", 3, 364, 28, 56);
  assert_counts("3/3/1o1/3/3 O", 1, 14, 0, 14);
  assert_counts("3/3/1o1/3/3 O", 2, 184, 2, 91);
  assert_counts("3/3/1o1/3/3 O", 3, 2236, 52, 364);
  assert_counts("5/5/2o2/5/5 O", 1, 24, 0, 24);
  assert_counts("5/5/2o2/5/5 O", 2, 560, 6, 278);
  assert_counts("5/5/2o2/5/5 O", 3, 12596, 300, 2074);
}

CASE(lines_of_the_full_board) {
  const char *start = "15/15/15/15/15/15/15/15/15/7o7/15/15/15/15/15/15/15/15/15 O";
  assert_counts(start, 1, 284, 0, 284);
  assert_counts(start, 2, 80380, 0, 40194);
}

/* --- text --- */

CASE(text_of_boards) {
  static const char *const bad[] = {
      "",           "1/o/1",       "1/o/1 ",     "1/o/1 X",      "1/o/1 OO",  "1/o O",
      "1/1/1 O",    "o/1/1 O",     "1/1/o O",    "1/o/o/1 O",    "3/1o1/2 O", "3/1o1/4 O",
      "3/1o1/y2 O", "3/1o1/0x2 O", "3//1o1/3 O", "20/1o18/20 O", "3/1o1/3x O"};
  static const char *const good[] = {"3/1x1/1o1/3/3 O", "x/o/x E", "19/o17x/xx12xx3 E"};
  naive_phb_board board;
  char text[NAIVE_PHB_TEXT_BYTES];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(!naive_phb_read(bad[i], &board), "%s is no board", bad[i]);
  for (int i = 0; i < 3; i++) {
    board = board_of(good[i]);
    naive_phb_write(&board, text);
    ck_assert_str_eq(text, good[i]);
  }
  board = board_of("3/1x1/1o1/3/3 O");
  ck_assert(board.rows == 5 && board.columns == 3 && board.ball.row == 3 && board.ball.column == 2);
  ck_assert(board.man[4][2] && !board.man[2][2] && !board.eks_moves);
}

CASE(images_of_boards) {
  naive_phb_board board = board_of("2x/oxx/1x1/3 O"), image = naive_phb_mirrored(&board);
  char text[NAIVE_PHB_TEXT_BYTES];
  naive_phb_write(&image, text);
  ck_assert_str_eq(text, "x2/xxo/1x1/3 O");
  image = naive_phb_turned(&board);
  naive_phb_write(&image, text);
  ck_assert_str_eq(text, "3/1x1/xxo/x2 E");
}

/* --- values --- */

typedef struct {
  int wins, draws, losses, longest_win, longest_loss;
  int at[64]; /* positions by distance */
} summary;

static naive_phb_world *solved(const naive_phb_rules *rules, int rows, int columns) {
  naive_phb_world *world = naive_phb_solve(rules, rows, columns);
  return world;
}

static void add_worth(naive_wdl worth, summary *sum) {
  sum->wins += worth.value == NAIVE_WIN;
  sum->draws += worth.value == NAIVE_DRAW;
  sum->losses += worth.value == NAIVE_LOSS;
  if (worth.value == NAIVE_WIN && worth.depth > sum->longest_win) sum->longest_win = worth.depth;
  if (worth.value == NAIVE_LOSS && worth.depth > sum->longest_loss) sum->longest_loss = worth.depth;
  if (worth.depth >= 0 && worth.depth < 64) sum->at[worth.depth]++;
}

static summary summarise(const naive_phb_rules *rules, int rows, int columns) {
  summary sum = {0};
  naive_phb_world *world = solved(rules, rows, columns);
  for (int n = 0; n < naive_phb_numbers(world); n++) {
    if (!naive_phb_is_position(world, n)) continue;
    naive_phb_board board = naive_phb_board_of(world, n), turned = naive_phb_turned(&board);
    EXPECT(naive_phb_number_of(world, &board) == n, "%d has another number", n);
    EXPECT(naive_phb_number_of(world, &turned) == n, "%d has another number for Eks", n);
    naive_wdl worth = naive_phb_worth(world, n);
    EXPECT(worth.value != NAIVE_WIN || worth.depth % 2 == 1, "%d: a win in %d", n, worth.depth);
    EXPECT(worth.value != NAIVE_LOSS || (worth.depth > 0 && worth.depth % 2 == 0), "%d: a loss in %d", n,
           worth.depth);
    add_worth(worth, &sum);
  }
  return sum;
}

static void assert_summary(const naive_phb_rules *rules, int rows, int columns, summary wanted) {
  summary found = summarise(rules, rows, columns);
  ck_assert_int_eq(found.wins + found.draws + found.losses, ((rows - 2) * columns) << (rows * columns - 1));
  ck_assert_msg(found.wins == wanted.wins && found.losses == wanted.losses && found.draws == wanted.draws &&
                    found.longest_win == wanted.longest_win && found.longest_loss == wanted.longest_loss,
                "%dx%d, %s: %d/%d/%d %d/%d, not %d/%d/%d %d/%d", rows, columns, naive_phb_rules_text(rules),
                found.wins, found.losses, found.draws, found.longest_win, found.longest_loss, wanted.wins,
                wanted.losses, wanted.draws, wanted.longest_win, wanted.longest_loss);
}

CASE(published_boards) {
  oracle_row row;
  int boards = 0;
  for (FILE *file = oracle_open("phutball.csv"); oracle_next(file, &row); boards++) {
    int rows, columns;
    char *const *cell = row.cell + 2;
    const naive_phb_rules rules = rules_of(row.cell[1]);
    ck_assert_int_eq(sscanf(row.cell[0], "%dx%d", &rows, &columns), 2);
    assert_summary(&rules, rows, columns,
                   (summary){atoi(cell[1]), atoi(cell[3]), atoi(cell[2]), atoi(cell[4]), atoi(cell[5]), {0}});
  }
  ck_assert_int_eq(boards, 11);
}

CASE(published_distances) {
  static const int wanted[64] = {0, 92484, 25116, 19922, 5290, 2132, 2028, 218, 124, 114, 28};
  summary found = summarise(&base, 5, 3);
  for (int plies = 0; plies < 64; plies++) ck_assert_int_eq(found.at[plies], wanted[plies]);
}

static void assert_empty_board(int rows, const char *wanted) {
  naive_phb_world *world = solved(&base, rows, 1);
  char found[100] = "";
  for (int row = 2; row < rows; row++) {
    naive_phb_board board = naive_phb_empty(rows, 1, (naive_phb_point){row, 1}, false);
    naive_wdl worth = naive_phb_worth(world, naive_phb_number_of(world, &board));
    sprintf(found + strlen(found), " %c%d", "LDW"[worth.value + 1], worth.depth);
  }
  ck_assert_str_eq(found, wanted);
}

CASE(empty_boards) {
  assert_empty_board(7, " L6 L6 W7 W3 W3");
  assert_empty_board(9, " L6 L6 W13 W7 W7 W3 W3");
}

/* No jump leads out of a column of two: the other one is idle, and its 2^rows sets on both sides of the ball
 * change nothing. */
CASE(an_idle_column) {
  for (int rows = 3; rows <= 7; rows++) {
    summary one = summarise(&base, rows, 1), two = summarise(&base, rows, 2);
    for (int plies = 0; plies < 64; plies++) ck_assert_int_eq(two.at[plies], one.at[plies] << (rows + 1));
    ck_assert_int_eq(two.draws, one.draws << (rows + 1));
  }
}

CASE(mirror_images_are_worth_the_same) {
  naive_phb_rules both = {true, true};
  naive_phb_world *world = solved(&both, 4, 3);
  for (int n = 0; n < naive_phb_numbers(world); n++) {
    if (!naive_phb_is_position(world, n)) continue;
    naive_phb_board board = naive_phb_board_of(world, n), image = naive_phb_mirrored(&board);
    naive_wdl one = naive_phb_worth(world, n),
              other = naive_phb_worth(world, naive_phb_number_of(world, &image));
    EXPECT(one.value == other.value && one.depth == other.depth, "%d and its image differ", n);
  }
}

CASE(boards_too_large_to_solve) {
  ck_assert_ptr_null(naive_phb_solve(&base, 17, 1));
  ck_assert_ptr_null(naive_phb_solve(&base, 6, 3));
}

SUITE("naive phutball") {
  TESTS(jumps_of_the_source, jumps_by_hand, lines_per_ply, lines_of_the_full_board, text_of_boards,
        images_of_boards, published_boards, published_distances, empty_boards, an_idle_column,
        mirror_images_are_worth_the_same, boards_too_large_to_solve);
}
