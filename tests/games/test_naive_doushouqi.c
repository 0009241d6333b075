/* Holds the slow definition of Dou Shou Qi (tests/naive) against published figures and against cases read
 * from the rules. */
#include "tests/naive/naive_doushouqi_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
#include <ctype.h>

static const char letters[] = "?RCWDPTLE", start[] = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

static const naive_dsq_rules wide = {.leopard = NAIVE_LEOPARD_WIDE}, plain = {.lakes = NAIVE_LAKES_PLAIN},
                             drink = {.lakes = NAIVE_LAKES_DRINK};

static naive_dsq_board board_of(const char *text) {
  naive_dsq_board board;
  ck_assert_msg(naive_dsq_read(text, &board), "%s is no board", text);
  return board;
}

/* `expected` are all legal moves, in any order. */
static void assert_moves(const naive_dsq_rules *rules, const char *text, const char *expected) {
  naive_dsq_board board = board_of(text);
  naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES];
  char name[5], of[NAIVE_DSQ_RULES_BYTES], found[NAIVE_DSQ_MOST_MOVES * 5 + 1] = "";
  int count = naive_dsq_moves(rules, &board, moves);
  bool all = count == (int)(strlen(expected) + 1) / 5;
  for (int m = 0; m < count; m++) {
    naive_dsq_move_name(moves[m], name);
    if (strstr(expected, name) == NULL || strstr(found, name) != NULL) all = false;
    snprintf(found + 5 * m, 6, " %s", name);
  }
  naive_dsq_rules_text(rules, of);
  ck_assert_msg(all, "%s, %s: legal%s, not %s", of, text, found, expected);
}

static naive_dsq_rules rules_of(const char *text) {
  naive_dsq_rules rules;
  char of[NAIVE_DSQ_RULES_BYTES];
  if (strcmp(text, "liacs") == 0) return naive_dsq_liacs;
  for (int i = 0; naive_dsq_combination(i, &rules); i++) {
    naive_dsq_rules_text(&rules, of);
    if (strcmp(of, text) == 0) return rules;
  }
  ck_abort_msg("there are no rules %s", text);
}

CASE(moves_by_hand) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("doushouqi-moves.csv"); oracle_next(file, &row); rows++) {
    const naive_dsq_rules rules = rules_of(row.cell[1]);
    assert_moves(&rules, row.cell[2], row.cell[3]);
  }
  ck_assert_int_eq(rows, 100);
}

CASE(positions_per_ply) {
  static const struct {
    const naive_dsq_rules *rules;
    long after[6];
  } published[] = {{&naive_dsq_base, {1, 24, 576, 12240, 260099, 5112638}},
                   {&naive_dsq_liacs, {1, 24, 576, 12240, 260100, 5111725}},
                   {&wide, {1, 25, 622, 13785, 303932}},
                   {&plain, {1, 26, 676, 15860, 372098}},
                   {&drink, {1, 26, 676, 15730, 365974}}};
  naive_dsq_board board = board_of(start);
  for (int i = 0; i < 5; i++) {
    for (int plies = 0; plies < (suite_is_long() ? 6 : 5); plies++) {
      if (published[i].after[plies] != 0)
        ck_assert_int_eq(naive_dsq_count(published[i].rules, &board, plies), published[i].after[plies]);
    }
  }
}

CASE(text_of_boards) {
  static const char *const bad[] = {"",
                                    "7/7/7/7/7/7/7/7/6r",
                                    "7/7/7/7/7/7/7/7/6r x",
                                    "7/7/7/7/7/7/7/7/6r ww",
                                    "7/7/7/7/7/7/7/7/7r w",
                                    "7/7/7/7/7/7/7/7/5r w",
                                    "7/7/7/7/7/7/7/7/5xr w",
                                    "7/7/7/7/7/7/7/6r w"};
  naive_dsq_board board;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(!naive_dsq_read(bad[i], &board), "%s is no board", bad[i]);
  static const char *const good[] = {start, "3R3/c5l/7/7/7/7/7/7/7 b"};
  for (int i = 0; i < 2; i++) {
    char text[NAIVE_DSQ_TEXT_BYTES];
    board = board_of(good[i]);
    naive_dsq_write(&board, text);
    ck_assert_str_eq(text, good[i]);
  }
  ck_assert_int_eq(naive_dsq_winner(&board), 1);
}

/* wolf-over-dog 2, clearings 2, elephant-takes-rat 2, stalemate 2; beside them plain lakes, or water, drink
 * and drink with drinkers=block, each with leopard 3, jump-block 2 and rat-shore 2. */
CASE(combinations_of_flags) {
  naive_dsq_rules rules;
  char text[NAIVE_DSQ_RULES_BYTES];
  int count = 0;
  bool base = false, liacs = false;
  for (; naive_dsq_combination(count, &rules); count++) {
    naive_dsq_rules_text(&rules, text);
    if (strcmp(text, "base") == 0) base = true;
    if (strcmp(text, "base,leopard=none,jump-block=path,elephant-takes-rat,rat-shore=liacs,stalemate=loss") ==
        0)
      liacs = true;
  }
  ck_assert_int_eq(count, 16 * (1 + 3 * 3 * 2 * 2));
  ck_assert(base && liacs);
}

/* Counts of positions with White to move. */
typedef struct {
  int wins, draws, losses, stalemates, longest;
} counts;

static void count_positions(const naive_dsq_ending *ending, int pieces, counts *sum) {
  int squares[3];
  for (int i = 0; i < (pieces == 3 ? 63 * 63 * 63 : 63 * 63); i++) {
    squares[0] = i % 63, squares[1] = i / 63 % 63, squares[2] = i / 63 / 63;
    if (!naive_dsq_is_position(ending, squares)) continue;
    naive_wdl worth = naive_dsq_worth(ending, squares, false);
    if (worth.depth > sum->longest) sum->longest = worth.depth;
    if (worth.value == NAIVE_LOSS && worth.depth == 0) {
      sum->stalemates++;
      continue;
    }
    sum->wins += worth.value == NAIVE_WIN;
    sum->draws += worth.value == NAIVE_DRAW;
    sum->losses += worth.value == NAIVE_LOSS;
  }
}

static void count_ending(const naive_dsq_rules *rules, const signed char *pieces, int count, counts *sum) {
  naive_dsq_ending *ending = naive_dsq_solve(rules, pieces, count);
  count_positions(ending, count, sum);
}

/* One of either side, White to move. */
CASE(two_pieces_one_by_one) {
  static const char *const files[] = {"doushouqi-liacs-rows.csv", "doushouqi-base-rows.csv"};
  for (int i = 0; i < 2; i++) {
    oracle_row row;
    char last[8] = "";
    counts sum = {0};
    for (FILE *file = oracle_open(files[i]); oracle_next(file, &row);) {
      const char *name = row.cell[0];
      const int value = atoi(row.cell[1]);
      const signed char pieces[] = {(signed char)(strchr(letters, name[0]) - letters),
                                    (signed char)(letters - strchr(letters, toupper(name[1])))};
      if (strcmp(last, name) != 0) {
        sum = (counts){0};
        count_ending(i ? &naive_dsq_base : &naive_dsq_liacs, pieces, 2, &sum);
        snprintf(last, sizeof last, "%s", name);
      }
      ck_assert_msg((value > 0   ? sum.wins
                     : value < 0 ? sum.losses
                                 : sum.draws) == atoi(row.cell[2]),
                    "%s, %s, value %d", files[i], name, value);
    }
  }
}

static counts count_two_pieces(const naive_dsq_rules *rules) {
  counts sum = {0};
  for (int white = NAIVE_RAT; white <= NAIVE_ELEPHANT; white++)
    for (int black = NAIVE_RAT; black <= NAIVE_ELEPHANT; black++)
      count_ending(rules, (const signed char[]){(signed char)white, (signed char)-black}, 2, &sum);
  return sum;
}

CASE(two_pieces_in_all) {
  counts liacs = count_two_pieces(&naive_dsq_liacs), base = count_two_pieces(&naive_dsq_base);
  ck_assert_int_eq(liacs.wins + liacs.draws + liacs.losses, 160068);
  ck_assert_int_eq(liacs.wins, 82852);
  ck_assert_int_eq(liacs.losses, 64501);
  ck_assert_int_eq(liacs.draws, 12715);
  ck_assert_int_eq(liacs.stalemates, 0);
  ck_assert_int_eq(liacs.longest, 34);
  ck_assert_int_eq(base.wins, 82525);
  ck_assert_int_eq(base.losses, 63975);
  ck_assert_int_eq(base.draws, 13568);
}

/* Two of one side with one of the other, both ways round. */
CASE(three_pieces_in_all) {
  counts sum = {0};
  for (int first = NAIVE_RAT; first <= NAIVE_ELEPHANT; first++) {
    for (int second = first + 1; second <= NAIVE_ELEPHANT; second++) {
      for (int third = NAIVE_RAT; third <= NAIVE_ELEPHANT; third++) {
        signed char two[3] = {(signed char)first, (signed char)second, (signed char)-third},
                    one[3] = {(signed char)-first, (signed char)-second, (signed char)third};
        count_ending(&naive_dsq_liacs, two, 3, &sum);
        count_ending(&naive_dsq_liacs, one, 3, &sum);
      }
    }
  }
  ck_assert_int_eq(sum.wins, 30297857);
  ck_assert_int_eq(sum.losses, 23369820);
  ck_assert_int_eq(sum.draws, 687007);
  ck_assert_int_eq(sum.stalemates, 1212);
  ck_assert_int_eq(sum.longest, 67);
}

/* The board's pieces, in the order in which they stand. */
static naive_wdl worth_of_board(const naive_dsq_rules *rules, const char *text) {
  naive_dsq_board board = board_of(text);
  signed char pieces[NAIVE_DSQ_MOST_PIECES];
  int squares[NAIVE_DSQ_MOST_PIECES], count = 0;
  for (int square = 0; square < NAIVE_DSQ_SQUARES; square++) {
    if (board.piece[square] == 0) continue;
    ck_assert_int_lt(count, NAIVE_DSQ_MOST_PIECES);
    squares[count] = square;
    pieces[count++] = board.piece[square];
  }
  naive_dsq_ending *ending = naive_dsq_solve(rules, pieces, count);
  ck_assert(naive_dsq_is_position(ending, squares));
  naive_dsq_board again = naive_dsq_board_of(ending, squares, board.black_moves);
  ck_assert_mem_eq(again.piece, board.piece, sizeof board.piece);
  naive_wdl worth = naive_dsq_worth(ending, squares, board.black_moves);
  return worth;
}

static void assert_worth(const naive_dsq_rules *rules, const char *text, int value, int depth) {
  naive_wdl worth = worth_of_board(rules, text);
  ck_assert_msg(worth.value == value && worth.depth == depth, "%s: value %d, depth %d, not %d and %d", text,
                worth.value, worth.depth, value, depth);
}

CASE(distances) {
  assert_worth(&naive_dsq_liacs, "7/7/3e3/7/7/7/3E3/7/7 w", NAIVE_LOSS, 12);
  assert_worth(&naive_dsq_liacs, "t6/7/T6/7/7/7/7/7/7 w", NAIVE_WIN, 19);
  assert_worth(&naive_dsq_liacs, "d6/7/7/7/7/7/5C1/7/7 w", NAIVE_DRAW, -1);
  assert_worth(&naive_dsq_liacs, "7/7/3e3/7/6L/7/7/7/7 w", NAIVE_LOSS, 16);
  assert_worth(&naive_dsq_base, "7/3E3/7/7/7/7/7/7/r6 w", NAIVE_WIN, 1);
  assert_worth(&naive_dsq_base, "R6/7/7/7/7/7/7/3e3/7 b", NAIVE_WIN, 1);
  assert_worth(&naive_dsq_base, "7/7/7/7/7/7/7/7/Dw5 w", NAIVE_WIN, 1);
}

CASE(no_legal_move) {
  const char *stuck = "7/7/7/7/7/7/7/t6/Cl5 w";
  const naive_dsq_rules loses = {.stalemate_loss = true};
  assert_moves(&naive_dsq_base, stuck, "");
  assert_worth(&naive_dsq_base, stuck, NAIVE_DRAW, -1);
  assert_worth(&loses, stuck, NAIVE_LOSS, 0);
}

SUITE("naive dou shou qi") {
  GROUP("rules");
  TESTS(moves_by_hand, positions_per_ply, text_of_boards, combinations_of_flags);
  GROUP("values");
  TIMEOUT(1800);
  TESTS(two_pieces_one_by_one, two_pieces_in_all);
  if (suite_is_long()) TEST(three_pieces_in_all);
  TESTS(distances, no_legal_move);
}
