/* auale-no-move: how often has a player of aualé no legal move, and who gains? */
#include <stdio.h>
#include <string.h>

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/claim.h"

enum { BRUTE_SEEDS = 8, UNFED_SEEDS = 15, UNFED_ROWS = 720, DECIMALS = 4, ABAPA = 0, AWARI, RULE_SETS = 3 };

/* Boards of so many seeds without a legal move. */
typedef struct {
  uint64_t boards;
  uint64_t none, none_table;   /* the mover has no seeds: all; with an empty pit opposite */
  uint64_t unfed, unfed_table; /* the opponent has none and cannot be given any */
  uint64_t others;             /* neither, or not worth what it should be */
} ended;

typedef struct {
  claim_base c;
  ended found[RULE_SETS][ROW_MAX_SEEDS];
  /* By row with fewer than 6 − i seeds in each pit i, from which no seed reaches the opponent: whether a
   * legal move leads to the board, and one board before it. */
  bool reached[UNFED_ROWS];
  uint8_t before[UNFED_ROWS][AUALE_BOARD_PITS];
} findings;

/* --- rows that feed nobody --- */

/* Pit i has at most 5 − i seeds: its number in mixed radix; UNFED_ROWS where it has more. */
static size_t unfed_number(const uint8_t row[ROW_PITS]) {
  size_t number = 0;
  for (int pit = 0; pit < ROW_PITS; pit++) {
    if (row[pit] >= ROW_PITS - pit) return UNFED_ROWS;
    number = number * (size_t)(ROW_PITS - pit) + row[pit];
  }
  return number;
}

static int unfed_seeds(size_t number) {
  size_t seeds = 0;
  for (size_t left = 1; left <= ROW_PITS; left++) {
    seeds += number % left;
    number /= left;
  }
  return (int)seeds;
}

/* Permutations of six with n inversions: the ways to write n as a sum of six numbers, the i-th at most i. */
static uint64_t inversions(unsigned n) {
  uint64_t ways[UNFED_SEEDS + 1] = {1};
  for (int most = 1; most < ROW_PITS; most++) {
    for (int sum = UNFED_SEEDS; sum >= 0; sum--) {
      for (int last = 1; last <= most && last <= sum; last++) ways[sum] += ways[sum - last];
    }
  }
  return n <= UNFED_SEEDS ? ways[n] : 0;
}

/* --- all boards --- */

typedef struct {
  const claim_tables *t;
  ended *found;
} visit;

static void count_board(void *user, const game_position *board, bool table) {
  const visit *v = user;
  uint8_t pits[AUALE_BOARD_PITS];
  int value = 0;
  v->found->boards++;
  if (!v->t->game->position_ended(v->t->rules, board, &value)) return;
  auale_board_pits(v->t, board, pits);
  const unsigned own = row_seeds(pits), other = row_seeds(pits + ROW_PITS);
  if (own == 0 && value == -(int)other) {
    v->found->none++;
    v->found->none_table += table;
  } else if (other == 0 && unfed_number(pits) < UNFED_ROWS && value == (int)own) {
    v->found->unfed++;
    v->found->unfed_table += table;
  } else {
    v->found->others++;
  }
}

/* --- moves that lead there, under abapa --- */

/* The boards before a move that leaves a row unfed. The move empties the mover's row, so its seeds all lay in
 * the last pit, six at most; a pit of the other row held at most two if it was taken, else at most what it
 * holds afterwards. */
static void try_before(findings *f, int sown, const uint8_t row[ROW_PITS]) {
  const claim_tables *t = &f->c.t[ABAPA];
  uint8_t pits[AUALE_BOARD_PITS] = {0}, after[AUALE_BOARD_PITS];
  game_position board;
  game_move move;
  int value = 0;
  pits[ROW_PITS - 1] = (uint8_t)sown;
  memcpy(pits + ROW_PITS, row, ROW_PITS);
  if (!claim_parse(t, auale_board_text(pits, 'S').text, &board) || !claim_play(t, &board, "F", &move) ||
      !t->game->position_ended(t->rules, &move.child, &value))
    return;
  auale_board_pits(t, &move.child, after);
  const size_t number = unfed_number(after);
  if (row_seeds(after) == 0 || row_seeds(after + ROW_PITS) > 0 || number == UNFED_ROWS || f->reached[number])
    return;
  f->reached[number] = true;
  memcpy(f->before[number], pits, sizeof pits);
}

static bool next_before(uint8_t row[ROW_PITS]) {
  for (int pit = 0; pit < ROW_PITS; pit++) {
    const int most = pit < ROW_PITS - 3 ? ROW_PITS - 1 - pit : 2;
    if (row[pit]++ < most) return true;
    row[pit] = 0;
  }
  return false;
}

static void find_reached(findings *f) {
  for (int sown = 1; sown <= ROW_PITS; sown++) {
    uint8_t row[ROW_PITS] = {0};
    do { try_before(f, sown, row); } while (next_before(row));
  }
}

static uint64_t count_reached(const findings *f, int seeds) {
  uint64_t n = 0;
  for (size_t i = 0; i < UNFED_ROWS; i++) n += f->reached[i] && unfed_seeds(i) == seeds;
  return n;
}

/* --- figures --- */

static void add_rows(const findings *f) {
  report_table_begin(f->c.out, "boards");
  for (int n = 1; n <= f->c.limit; n++) {
    const ended *abapa = &f->found[ABAPA][n], *awari = &f->found[AWARI][n];
    const uint64_t all = abapa->none + abapa->unfed;
    REPORT_ADD(f->c.out, fig_number(n), fig_count(abapa->boards), fig_count(abapa->none),
               fig_count(abapa->none_table), fig_count(abapa->unfed), fig_count(count_reached(f, n)),
               fig_count(all), fig_share(all, abapa->boards, DECIMALS),
               fig_count(awari->none + awari->unfed));
  }
}

/* --- rechecks --- */

static bool as_formulae_say(const findings *f, int k, unsigned n) {
  const ended *found = &f->found[k][n];
  const uint64_t unfed = k == ABAPA ? inversions(n) : 0;
  return found->boards == auale_all_boards((int)n) && found->none == binomial(n + 5, 5) &&
         found->none_table == binomial(n + 5, 5) - binomial(n - 1, 5) && found->unfed == unfed &&
         found->unfed_table == unfed && found->others == 0;
}

typedef struct {
  const findings *f;
  uint64_t moves, ending, wrong;
} brute;

/* Every move under abapa that leaves a board without one leaves a row that is known to be reached. */
static void try_moves(void *user, const game_position *board, bool table) {
  brute *b = user;
  const claim_tables *t = &b->f->c.t[ABAPA];
  game_moves moves;
  (void)table;
  claim_moves(t, board, &moves);
  for (size_t i = 0; i < moves.used; i++) {
    uint8_t pits[AUALE_BOARD_PITS];
    int value = 0;
    b->moves++;
    if (!t->game->position_ended(t->rules, &moves.moves[i].child, &value)) continue;
    auale_board_pits(t, &moves.moves[i].child, pits);
    const size_t number = unfed_number(pits);
    b->ending++;
    b->wrong += row_seeds(pits + ROW_PITS) > 0 || number == UNFED_ROWS || !b->f->reached[number];
  }
  game_moves_free(&moves);
}

static void add_rechecks(const findings *f) {
  const int most = f->c.limit < BRUTE_SEEDS ? f->c.limit : BRUTE_SEEDS;
  brute b = {.f = f};
  uint64_t wrong = 0;
  for (int k = 0; k < RULE_SETS; k++)
    for (int n = 1; n <= f->c.limit; n++) wrong += !as_formulae_say(f, k, (unsigned)n);
  for (int n = 1; n <= most; n++) auale_visit_boards(&f->c.t[ABAPA], n, try_moves, &b);
  REPORT_RECHECK(f->c.out, "formulae", true, wrong == 0, "recheck-formulae", fig_count(wrong),
                 fig_number(RULE_SETS * f->c.limit));
  REPORT_RECHECK(f->c.out, "brute force", true, b.wrong == 0, "recheck-brute-force", fig_count(b.moves),
                 fig_number(most), fig_count(b.ending), fig_count(b.wrong));
}

/* The reached row of most seeds. */
static size_t largest_reached(const findings *f) {
  size_t best = UNFED_ROWS;
  int most = 0;
  for (size_t i = 0; i < UNFED_ROWS; i++) {
    const int seeds = unfed_seeds(i);
    if (!f->reached[i] || seeds > f->c.limit || seeds <= most) continue;
    most = seeds;
    best = i;
  }
  return best;
}

static void show_witness(const findings *f) {
  const claim_tables *t = &f->c.t[ABAPA];
  const size_t number = largest_reached(f);
  char remark[64];
  game_position before;
  game_move move;
  int value = 0;
  if (number == UNFED_ROWS || !claim_parse(t, auale_board_text(f->before[number], 'S').text, &before)) return;
  const bool ends =
      claim_play(t, &before, "F", &move) && t->game->position_ended(t->rules, &move.child, &value);
  CLAIM_SHOW(t, &before, "witness");
  snprintf(remark, sizeof remark, "no legal move: North takes the %d seeds of its row", value);
  if (ends) report_add_step(f->c.out, "S", "F", claim_print(t, &move.child).text, remark);
  REPORT_RECHECK(f->c.out, "replay", true, ends && value > 0, "recheck-replay",
                 fig_text(ends ? "legal and ends the game" : "illegal or ends nothing"));
  add_rechecks(f);
}

static void judge(const findings *f) {
  uint64_t none = 0, unfed = 0, reached = 0;
  for (int n = 1; n <= f->c.limit; n++) {
    none += f->found[ABAPA][n].none;
    unfed += f->found[ABAPA][n].unfed;
    reached += count_reached(f, n);
  }
  char most[64] = "";
  if (f->c.limit > UNFED_SEEDS) snprintf(most, sizeof most, ", which takes %d seeds at most", UNFED_SEEDS);
  REPORT_VERDICT(f->c.out, reached ? VERDICT_HOLDS_FOR : VERDICT_OPEN, "verdict", fig_number(f->c.limit),
                 fig_count(none + unfed), fig_count(none), fig_count(unfed), fig_text(most),
                 fig_count(reached));
}

static void examine(void *user) {
  findings *f = user;
  for (int k = 0; k < RULE_SETS; k++) {
    for (int n = 1; n <= f->c.limit; n++)
      auale_visit_boards(&f->c.t[k], n, count_board, &(visit){&f->c.t[k], &f->found[k][n]});
  }
  find_reached(f);
  add_rows(f);
  show_witness(f);
  judge(f);
}

const claim_code claim_code_no_move = {sizeof(findings), examine, NULL};
