/* The cases of aualé's captures, of claims, against the slow definition: every board of few seeds, random
 * ones of many, and every record. */

#include "analysis/claims/auale/capture.h"
#include "tests/naive/naive_auale.h"
#include "tests/support/suite.h"

enum { FEW = 7, ROUNDS = 20000 };

static const naive_rules slow[CAPTURE_RULES] = {NAIVE_ABAPA, NAIVE_AWARI, NAIVE_AWARI_CAPTURES};

typedef struct {
  int open[CAPTURE_MOST_SEEDS + 1];
  int by_seeds[CAPTURE_MOST_SEEDS + 1], by_sown[CAPTURE_MOST_SEEDS + 1], fewest[CAPTURE_MOST_SEEDS + 1];
} most_taken;

static void look_at(int rules, const naive_board *board, most_taken *out) {
  naive_move moves[6];
  const int seeds = naive_seeds(board), n = naive_moves(slow[rules], board, moves);
  for (int i = 0; i < n; i++) {
    const int sown = board->pit[moves[i].pit], taken = moves[i].captured;
    if (taken > out->open[seeds] && naive_is_table_board(board)) out->open[seeds] = taken;
    if (taken > out->by_seeds[seeds]) out->by_seeds[seeds] = taken;
    if (taken > out->by_sown[sown] || (taken == out->by_sown[sown] && seeds < out->fewest[sown]))
      out->fewest[sown] = seeds;
    if (taken > out->by_sown[sown]) out->by_sown[sown] = taken;
  }
}

/* All boards that hold what is left from a pit on. */
static void look_at_all(int rules, naive_board *board, int pit, int left, most_taken *out) {
  if (pit == CAPTURE_BOARD_PITS) {
    look_at(rules, board, out);
    return;
  }
  for (int seeds = 0; seeds <= left; seeds++) {
    board->pit[pit] = (unsigned char)seeds;
    look_at_all(rules, board, pit + 1, left - seeds, out);
  }
  board->pit[pit] = 0;
}

START_TEST(every_board_of_few_seeds) {
  capture_records *records = suite_zeros(CAPTURE_RULES, sizeof *records);
  capture_search(FEW, records);
  for (int k = 0; k < CAPTURE_RULES; k++) {
    naive_board board;
    most_taken most;
    memset(&board, 0, sizeof board);
    memset(&most, 0, sizeof most);
    look_at_all(k, &board, 0, FEW, &most);
    for (int n = 1; n <= FEW; n++) {
      const capture_move *sown = &records[k].by_sown[n];
      if (records[k].by_seeds[n].captured != most.by_seeds[n])
        ck_abort_msg("rules %d, %d seeds: %d, not %d", k, n, records[k].by_seeds[n].captured,
                     most.by_seeds[n]);
      if (records[k].open[n].captured != most.open[n])
        ck_abort_msg("rules %d, %d seeds, a pit empty: %d, not %d", k, n, records[k].open[n].captured,
                     most.open[n]);
      if (sown->captured != most.by_sown[n])
        ck_abort_msg("rules %d, %d sown: %d, not %d", k, n, sown->captured, most.by_sown[n]);
      if (sown->captured && sown->seeds != most.fewest[n])
        ck_abort_msg("rules %d, %d sown: on %d seeds, not %d", k, n, sown->seeds, most.fewest[n]);
    }
  }
}
END_TEST

static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

START_TEST(random_boards_of_many_seeds) {
  capture_records *records = suite_zeros(CAPTURE_RULES, sizeof *records);
  uint64_t state = 7;
  capture_search(CAPTURE_MOST_SEEDS, records);
  for (int round = 0; round < ROUNDS; round++) {
    naive_board board = {{0}};
    const int seeds = 1 + (int)(next_random(&state) % CAPTURE_MOST_SEEDS);
    const uint32_t heap = next_random(&state) % ROW_PITS, in_heap = next_random(&state) % 4;
    for (int i = 0; i < seeds; i++)
      board.pit[next_random(&state) % 4 < in_heap ? heap : next_random(&state) % CAPTURE_BOARD_PITS]++;
    for (int k = 0; k < CAPTURE_RULES; k++) {
      naive_move moves[6];
      const int n = naive_moves(slow[k], &board, moves);
      for (int i = 0; i < n; i++) {
        uint8_t row[ROW_PITS];
        const int sown = board.pit[moves[i].pit];
        memcpy(row, board.pit + ROW_PITS, sizeof row);
        const int taken = capture_land(moves[i].pit, sown, row);
        const bool kept = k == CAPTURE_ABAPA && row_seeds(row) == 0 && taken;
        if (moves[i].captured != (kept ? 0 : taken))
          ck_abort_msg("round %d: pit %d takes %d", round, moves[i].pit, taken);
        if (moves[i].captured > records[k].by_seeds[seeds].captured ||
            moves[i].captured > records[k].by_sown[sown].captured)
          ck_abort_msg("round %d: pit %d takes more than the record", round, moves[i].pit);
      }
    }
  }
}
END_TEST

static void check_record(int rules, const capture_move *record, int round) {
  naive_board board;
  naive_move moves[6];
  if (record->captured == 0) return;
  memcpy(board.pit, record->pits, sizeof board.pit);
  const int n = naive_moves(slow[rules], &board, moves);
  int at = 0;
  while (at < n && moves[at].pit != record->origin) at++;
  if (naive_seeds(&board) != record->seeds || record->pits[record->origin] != record->sown)
    ck_abort_msg("rules %d, %d: another board than is said", rules, round);
  if (at == n || moves[at].captured != record->captured)
    ck_abort_msg("rules %d, %d: the record of pit %d cannot be played", rules, round, record->origin);
}

START_TEST(records_can_be_played) {
  capture_records *records = suite_zeros(CAPTURE_RULES, sizeof *records);
  capture_search(CAPTURE_MOST_SEEDS, records);
  for (int k = 0; k < CAPTURE_RULES; k++) {
    for (int n = 1; n <= CAPTURE_MOST_SEEDS; n++) {
      check_record(k, &records[k].by_seeds[n], n);
      check_record(k, &records[k].by_sown[n], n);
      check_record(k, &records[k].open[n], n);
      if (records[k].open[n].captured && row_is_open(records[k].open[n].pits + ROW_PITS) == 0)
        ck_abort_msg("rules %d, %d seeds: no pit is empty", k, n);
      if (records[k].by_seeds[n].captured && records[k].by_seeds[n].seeds != n)
        ck_abort_msg("rules %d: a board of %d seeds among those of %d", k, records[k].by_seeds[n].seeds, n);
    }
  }
  /* Five pits of three and a seed left; under awari six pits of three. */
  ck_assert_int_eq(records[CAPTURE_ABAPA].by_seeds[15].captured, 14);
  ck_assert_int_eq(records[CAPTURE_ABAPA].by_seeds[16].captured, 15);
  ck_assert_int_eq(records[CAPTURE_ABAPA].by_seeds[48].captured, 15);
  ck_assert_int_eq(records[CAPTURE_AWARI].by_seeds[18].captured, 18);
  ck_assert_int_eq(records[CAPTURE_AWARI_CAPTURES].by_seeds[48].captured, 18);
}
END_TEST

SUITE("claim_captures") {
  TEST(every_board_of_few_seeds);
  TEST(random_boards_of_many_seeds);
  TEST(records_can_be_played);
}
