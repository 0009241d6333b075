/* Holds the slow definition of Dou Shou Qi (tests/naive) against published figures and against cases read
 * from the rules. */
#include "tests/naive/naive_doushouqi_solve.h"
#include "tests/support/suite.h"

static const char letters[] = "?RCWDPTLE", start[] = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

static const naive_dsq_rules wide = {.leopard = NAIVE_LEOPARD_WIDE},
                             no_jump = {.leopard = NAIVE_LEOPARD_NONE}, plain = {.lakes = NAIVE_LAKES_PLAIN},
                             drink = {.lakes = NAIVE_LAKES_DRINK}, path = {.jump_block_path = true},
                             clearings = {.clearings = true}, wolf = {.wolf_over_dog = true},
                             elephant = {.elephant_takes_rat = true}, shore = {.rat_shore_liacs = true},
                             block = {.lakes = NAIVE_LAKES_DRINK, .drinkers_block = true};

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

CASE(positions_of_the_rule_book) {
  assert_moves(&naive_dsq_base, "7/7/7/1r5/7/7/2L4/7/7 w", "c3b3 c3d3 c3c2");
  assert_moves(&path, "7/7/7/1r5/7/7/2L4/7/7 w", "c3b3 c3d3 c3c2 c3c7");
  assert_moves(&naive_dsq_base, "7/7/7/7/L6/7/P6/7/6c w", "a5a6 a5a4 a5d5 a3a4 a3a2 a3b3");
  assert_moves(&naive_dsq_base, "6c/7/7/7/7/7/1RP4/7/7 w", "b3a3 b3b2 b3b4 c3c2 c3d3");
  assert_moves(&drink, "7/7/2e4/2Rc3/2r4/1l5/1E5/7/7 w", "b3a3 b3b2 b3c3 c6b6 c6c5");
  assert_moves(&drink, "7/7/2e4/2Rc3/2r4/1l5/1E5/7/7 b", "b4a4 c5b5 c5c4 c5d5 c5c6 c7b7 c7d7 c7c8 d6d5 d6d7");
}

CASE(who_takes_whom) {
  /* d1 is White's den. */
  assert_moves(&naive_dsq_base, "7/7/7/7/7/7/7/7/WdD4 w", "a1a2 c1c2 c1b1");
  assert_moves(&wolf, "7/7/7/7/7/7/7/7/WdD4 w", "a1a2 a1b1 c1c2 c1b1");
  assert_moves(&naive_dsq_base, "7/7/7/7/7/7/7/7/WwD4 w", "a1a2 a1b1 c1c2 c1b1");
  assert_moves(&wolf, "7/7/7/7/7/7/7/7/WwD4 w", "a1a2 a1b1 c1c2");
  assert_moves(&naive_dsq_base, "7/3R3/3e3/7/7/7/7/7/7 w", "d8c8 d8e8 d8d7 d8d9");
  assert_moves(&naive_dsq_base, "7/7/7/7/7/7/7/6E/6r w", "g2f2 g2g3");
  assert_moves(&elephant, "7/7/7/7/7/7/7/6E/6r w", "g2f2 g2g3 g2g1");
  assert_moves(&naive_dsq_base, "7/7/7/7/7/7/7/6R/6t w", "g2f2 g2g3");
}

CASE(traps) {
  assert_moves(&naive_dsq_base, "6r/7/7/7/7/7/7/7/1Ce4 w", "b1a1 b1b2 b1c1");
  assert_moves(&naive_dsq_base, "6r/7/7/7/7/7/7/7/1Ce4 b", "c1b1 c1c2 c1d1 g9f9 g9g8");
  assert_moves(&naive_dsq_base, "7/7/7/7/7/7/3E3/3r3/7 w", "d3c3 d3e3 d3d4 d3d2");
  assert_moves(&naive_dsq_base, "7/7/7/7/7/7/7/7/1cP4 b", "b1a1 b1b2");
  assert_moves(&clearings, "7/7/7/7/7/7/7/7/1cP4 b", "b1a1 b1b2 b1c1");
  assert_moves(&clearings, "7/3L3/3c3/7/7/7/7/7/7 b", "d7c7 d7e7 d7d6 d7d8");
  assert_moves(&naive_dsq_base, "2Cd3/7/7/7/7/7/7/7/7 w", "c9b9 c9c8");
  assert_moves(&naive_dsq_base, "3r3/4l2/7/7/7/7/4R2/4c2/7 w", "e3d3 e3f3 e3e4");
}

CASE(rats_at_the_shore) {
  const char *two = "7/7/7/7/Rr5/7/7/7/7 w", *back = "7/7/7/7/rR5/7/7/7/7 w", *high = "7/7/7/7/eR5/7/7/7/7 w";
  assert_moves(&naive_dsq_base, two, "a5a4 a5a6");
  assert_moves(&shore, two, "a5a4 a5a6 a5b5");
  assert_moves(&plain, two, "a5a4 a5a6 a5b5");
  assert_moves(&naive_dsq_base, back, "b5b4 b5b6 b5c5");
  assert_moves(&shore, back, "b5b4 b5b6 b5c5 b5a5");
  assert_moves(&naive_dsq_base, high, "b5b4 b5b6 b5c5");
  assert_moves(&shore, high, "b5b4 b5b6 b5c5");
  assert_moves(&plain, high, "b5b4 b5b6 b5c5 b5a5");
  assert_moves(&naive_dsq_base, "7/7/7/7/1Rr4/7/7/7/7 w", "b5a5 b5b4 b5b6 b5c5");
  assert_moves(&elephant, "7/7/7/7/Er5/7/7/7/7 w", "a5a4 a5a6");
}

CASE(jumps) {
  const char *along = "7/7/7/7/3P3/7/7/7/6r w", *down = "7/7/1P5/7/7/7/1p5/7/6r w";
  assert_moves(&naive_dsq_base, along, "d5d4 d5d6 d5a5 d5g5");
  assert_moves(&no_jump, along, "d5d4 d5d6");
  assert_moves(&plain, along, "d5d4 d5d6 d5c5 d5e5");
  assert_moves(&naive_dsq_base, down, "b7a7 b7c7 b7b8");
  assert_moves(&wide, down, "b7a7 b7c7 b7b8 b7b3");
  assert_moves(&naive_dsq_base, "7/7/4T2/7/7/7/4l2/7/6r w", "e7d7 e7f7 e7e8");
  assert_moves(&naive_dsq_base, "7/7/7/4r2/3L3/7/7/7/7 w", "d5d4 d5d6 d5a5");
  assert_moves(&path, "7/7/7/4r2/3L3/7/7/7/7 w", "d5d4 d5d6 d5a5 d5g5");
  assert_moves(&path, "7/7/7/7/3LR2/7/7/7/6r w", "d5d4 d5d6 d5a5 e5e4 e5e6 e5f5");
}

CASE(drinking) {
  const char *over = "7/7/7/7/Td5/7/7/7/7 w", *rat = "7/7/7/2r4/E6/7/7/7/7 w";
  assert_moves(&drink, over, "a5a4 a5a6 a5d5");
  assert_moves(&block, over, "a5a4 a5a6");
  assert_moves(&drink, "7/7/7/2d4/T6/7/7/7/7 w", "a5a4 a5a6 a5b5 a5d5");
  assert_moves(&block, "7/7/7/2d4/T6/7/7/7/7 w", "a5a4 a5a6 a5b5 a5d5");
  assert_moves(&drink, rat, "a5a4 a5a6");
  assert_moves(&drink, "7/7/7/4r2/E6/7/7/7/7 w", "a5a4 a5a6 a5b5");
  assert_moves(&drink, "7/7/7/7/C6/7/7/7/6r w", "a5a4 a5a6");
  assert_moves(&drink, "7/7/7/7/1T5/7/7/7/6r w", "b5a5");
  assert_moves(&drink, "7/7/7/7/rT5/7/7/7/7 w", "");
  assert_moves(&drink, "7/7/7/7/Rd5/7/7/7/7 w", "a5a4 a5a6");
  assert_moves(&drink, "7/7/7/7/1Rd4/7/7/7/7 w", "b5a5 b5b4 b5b6");
  assert_moves(&drink, "7/7/7/1d5/R6/7/7/7/7 w", "a5a4 a5a6 a5b5");
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
  ck_assert_ptr_nonnull(ending);
  count_positions(ending, count, sum);
  naive_dsq_ending_free(ending);
}

/* Checks the counts of White's animals against Black's, each against each. */
static void assert_counts(const naive_dsq_rules *rules, const char *white, const char *black, int wins,
                          int draws, int losses) {
  for (const char *w = white; *w; w++) {
    for (const char *b = black; *b; b++) {
      signed char pieces[2] = {(signed char)(strchr(letters, *w) - letters),
                               (signed char)(letters - strchr(letters, *b))};
      counts sum = {0};
      count_ending(rules, pieces, 2, &sum);
      ck_assert_msg(sum.wins == wins && sum.draws == draws && sum.losses == losses,
                    "%c v %c: %d/%d/%d, not %d/%d/%d", *w, *b, sum.wins, sum.draws, sum.losses, wins, draws,
                    losses);
    }
  }
}

CASE(two_pieces_one_by_one) {
  const naive_dsq_rules *liacs = &naive_dsq_liacs, *base = &naive_dsq_base;
  assert_counts(liacs, "R", "R", 2055, 0, 1605);
  assert_counts(liacs, "R", "CWDP", 915, 698, 1327);
  assert_counts(liacs, "CWDP", "R", 1700, 640, 600);
  assert_counts(liacs, "R", "TL", 849, 203, 1888);
  assert_counts(liacs, "TL", "R", 2229, 177, 534);
  assert_counts(liacs, "R", "E", 1565, 407, 968);
  assert_counts(liacs, "E", "R", 1352, 365, 1223);
  assert_counts(liacs, "P", "L", 749, 71, 1532);
  assert_counts(liacs, "L", "P", 1774, 74, 504);
  assert_counts(liacs, "P", "E", 779, 97, 1476);
  assert_counts(liacs, "E", "P", 1716, 98, 538);
  assert_counts(liacs, "T", "L", 905, 155, 1292);
  assert_counts(liacs, "L", "T", 1676, 134, 542);
  assert_counts(liacs, "L", "L", 1403, 0, 949);
  assert_counts(liacs, "L", "E", 993, 584, 775);
  assert_counts(liacs, "E", "L", 1086, 632, 634);
  assert_counts(liacs, "E", "E", 1317, 0, 1035);
  assert_counts(base, "R", "R", 1712, 742, 1206);
  assert_counts(base, "L", "R", 2181, 215, 544);
  assert_counts(base, "E", "R", 1043, 101, 1796);
  assert_counts(base, "C", "E", 779, 97, 1476);
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
static naive_wdl worth_of(const naive_dsq_rules *rules, const char *text) {
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
  ck_assert_ptr_nonnull(ending);
  ck_assert(naive_dsq_is_position(ending, squares));
  naive_dsq_board again = naive_dsq_board_of(ending, squares, board.black_moves);
  ck_assert_mem_eq(again.piece, board.piece, sizeof board.piece);
  naive_wdl worth = naive_dsq_worth(ending, squares, board.black_moves);
  naive_dsq_ending_free(ending);
  return worth;
}

static void assert_worth(const naive_dsq_rules *rules, const char *text, int value, int depth) {
  naive_wdl worth = worth_of(rules, text);
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
  TESTS(positions_per_ply, positions_of_the_rule_book, who_takes_whom, traps, rats_at_the_shore, jumps,
        drinking, text_of_boards, combinations_of_flags);
  GROUP("values");
  TIMEOUT(1800);
  TESTS(two_pieces_one_by_one, two_pieces_in_all);
  if (suite_is_long()) TEST(three_pieces_in_all);
  TESTS(distances, no_legal_move);
}
